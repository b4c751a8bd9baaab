// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-options.h"

G_BEGIN_DECLS

gboolean fp_cli_heap_comparison_print (const FpCliOptions *options, GString *out, GError **error);

G_END_DECLS
