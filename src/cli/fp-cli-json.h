// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-view.h"

G_BEGIN_DECLS

void fp_cli_json_print (const FpCliView *view, gboolean pretty, GString *out);

G_END_DECLS
