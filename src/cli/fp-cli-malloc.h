// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-view.h"

G_BEGIN_DECLS

gboolean fp_cli_malloc_print (const FpCliView *view, GString *out, GError **error);
gboolean fp_cli_malloc_print_json (const FpCliView *view, gboolean pretty, GString *out, GError **error);

G_END_DECLS
