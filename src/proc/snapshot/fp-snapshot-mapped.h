// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapped-files.h"
#include "fp-snapshot.h"

G_BEGIN_DECLS

/* A saved snapshot, and behind it the files that its processes map, where they were saved. */
GBytes *fp_snapshot_to_bytes_with_files (const FpSnapshot *self, const FpMappedFiles *files);
FpMappedFiles *fp_mapped_files_from_bytes (GBytes *bytes, GError **error);
gsize fp_mapped_files_get_size (const FpMappedFiles *self);
gboolean fp_mapped_files_write (const FpMappedFiles *self, int fd, GError **error);
FpSnapshot *fp_snapshot_open_bytes (GBytes *bytes, FpMappedFiles **files, GError **error);

G_END_DECLS
