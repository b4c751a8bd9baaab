// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-table.h"

G_BEGIN_DECLS

/* The memory that ending the chosen processes together gives back. */
gboolean fp_cli_freed_print (const FpCliView *view, const FpCliPaper *paper, GString *out, GError **error);
gboolean fp_cli_freed_print_json (const FpCliView *view, gboolean pretty, GString *out, GError **error);

G_END_DECLS
