// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-saved-file.h"

G_BEGIN_DECLS

FpSnapshot *fp_cli_file_open (const char *path, FpMappedFiles **files, GError **error);
gboolean fp_cli_file_save (
    const FpSnapshot *snapshot, const FpMappedFiles *files, gboolean with_commands, const char *path, GError **error);

G_END_DECLS
