// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-rows.h"

G_BEGIN_DECLS

#define FP_NEAR_LIMIT 90 /* percent */

/* The word at the end of a name, for what is peculiar about its row. buffer: of FP_FIGURE_TEXT_SIZE, where the text may be */
const char *fp_row_badge_get (const FpRows *rows, const FpRow *row, char *buffer);
const char *fp_row_badge_get_colour (const FpRows *rows, const FpRow *row);
char *fp_row_badge_explain (const FpRows *rows, const FpRow *row);

G_END_DECLS
