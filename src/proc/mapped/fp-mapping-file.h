// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapping.h"

G_BEGIN_DECLS

/* Whether the mounts of a process were made by an administrator, or by our own user. Others can put a file system that never
 * answers beneath an overlay of their own. */
gboolean fp_mapping_files_are_trusted (int process_dir);

/* Opens the file of a mapping to read it, negative: it can't be had. The file may be changed by anybody meanwhile. */
int fp_mapping_open_file (int process_dir, const FpMapping *mapping);

G_END_DECLS
