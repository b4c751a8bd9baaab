// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-control-groups.h"
#include "fp-mapped-files.h"
#include "fp-snapshot.h"

G_BEGIN_DECLS

/* A file of Footprint: a snapshot, and the files that its processes map and the control groups where they were saved, all
 * compressed. */
GBytes *fp_saved_file_pack (const FpSnapshot *snapshot,
                            const FpMappedFiles *files,
                            const FpControlGroups *groups,
                            gboolean with_commands,
                            GError **error);
FpSnapshot *fp_saved_file_unpack (GBytes *bytes, FpMappedFiles **files, FpControlGroups **groups, GError **error);

G_END_DECLS
