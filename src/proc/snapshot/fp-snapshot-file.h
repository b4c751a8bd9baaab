// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-snapshot.h"

G_BEGIN_DECLS

gsize fp_snapshot_get_size (const FpSnapshot *self);
gsize fp_snapshot_measure (GBytes *bytes);
GBytes *fp_snapshot_to_bytes (const FpSnapshot *self);
gboolean fp_snapshot_write (const FpSnapshot *self, int fd, GError **error);
FpSnapshot *fp_snapshot_take_bytes (GBytes *bytes, FpSnapshotPool *pool, GError **error);
gboolean fp_snapshot_refuse (GError **error, const char *why);
gboolean fp_snapshot_refuse_newer (GError **error);
FpSnapshot *fp_snapshot_from_bytes (GBytes *bytes, GError **error);

G_END_DECLS
