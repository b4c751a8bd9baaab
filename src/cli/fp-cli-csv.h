// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-view.h"

G_BEGIN_DECLS

void fp_cli_csv_print (const FpCliView *view, FpCliTurn turn, GString *out);

G_END_DECLS
