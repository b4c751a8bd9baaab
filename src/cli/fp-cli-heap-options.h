// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-options.h"

G_BEGIN_DECLS

gboolean fp_cli_heap_options_parse (FpCliOptions *self, const char *by, const char *cost, const char *at, GError **error);

G_END_DECLS
