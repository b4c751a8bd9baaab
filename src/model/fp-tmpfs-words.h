// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-machine-items.h"
#include "fp-tmpfs-files.h"

G_BEGIN_DECLS

char *fp_tmpfs_describe_age (gint64 modified_s, gint64 now_s);
char *fp_tmpfs_quote_path (const char *path);
char *fp_tmpfs_describe_files (const FpTmpfsFiles *files, const FpFormat *format);

/* The files in their order, then the rest of what is used: together they are all of it. */
FpMachineItems *fp_tmpfs_list_items (const FpTmpfsFiles *files, gint64 now_s);

G_END_DECLS
