// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-view.h"

G_BEGIN_DECLS

FpRecords *fp_cli_files_read (const FpCliView *view, GError **error);
char *fp_cli_files_describe_unread (const FpCliView *view);
char *fp_cli_files_describe_outdated (const FpCliView *view);

G_END_DECLS
