// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cell.h"
#include "fp-format.h"
#include "fp-records.h"

G_BEGIN_DECLS

/* The cell of a column that draws the last ten minutes of a record. */
void fp_trend_cell_fill (FpCell *cell, const FpRecords *records, guint index, const FpFormat *format);
char *fp_trend_cell_describe (const FpRecords *records, guint index, const FpFormat *format);

G_END_DECLS
