// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-options.h"
#include "fp-figure.h"

G_BEGIN_DECLS

#define FP_CLI_HEAP_NAME_WIDTH 40 /* of a function, in front of its library */

gboolean fp_cli_heap_choose_cost (const FpCliOptions *options, guint known, FpHeapCost *cost);
void fp_cli_heap_append_cell (const char *title, const char *text, GString *out);
void fp_cli_heap_append_figure (const FpCliOptions *options, const char *title, FpHeapCost cost, FpFigure figure, GString *out);
void fp_cli_heap_append_name (const char *name, guint room, GString *out);

G_END_DECLS
