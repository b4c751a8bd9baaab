// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-table.h"

G_BEGIN_DECLS

void fp_cli_system_print (const FpCliView *view, const FpCliPaper *paper, GString *out);

G_END_DECLS
