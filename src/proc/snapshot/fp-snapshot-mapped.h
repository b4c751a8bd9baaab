// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapped-files.h"
#include "fp-snapshot.h"

G_BEGIN_DECLS

/* A saved snapshot, and behind it the files that its processes map, where they were saved. */
GBytes *fp_snapshot_to_bytes_with_files (const FpSnapshot *self, const FpMappedFiles *files);
FpMappedFiles *fp_mapped_files_from_bytes (GBytes *bytes, GError **error);
GBytes *fp_mapped_files_to_bytes (const FpMappedFiles *self);
FpSnapshot *fp_snapshot_open_bytes (GBytes *bytes, FpMappedFiles **files, GError **error);

G_END_DECLS
