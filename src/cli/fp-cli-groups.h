// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-view.h"

G_BEGIN_DECLS

/* --by group: the kernel's control groups */
gboolean fp_cli_groups_are_shown (const FpCliOptions *options);
FpRecords *fp_cli_groups_read (const FpCliView *view, GError **error);
char *fp_cli_groups_describe (const FpCliView *view);

G_END_DECLS
