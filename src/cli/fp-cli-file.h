// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-saved-file.h"

G_BEGIN_DECLS

FpSnapshot *fp_cli_file_open (const char *path, FpMappedFiles **files, FpControlGroups **groups, GError **error);
gboolean fp_cli_file_save (const FpSnapshot *snapshot,
                           const FpMappedFiles *files,
                           const FpControlGroups *groups,
                           gboolean with_commands,
                           const char *path,
                           GError **error);

G_END_DECLS
