// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-snapshot.h"

G_BEGIN_DECLS

GBytes *fp_snapshot_to_bytes (const FpSnapshot *self);
FpSnapshot *fp_snapshot_from_bytes (GBytes *bytes, GError **error);

G_END_DECLS
