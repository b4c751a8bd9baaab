// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-columns.h"
#include "fp-heap-profile.h"

G_BEGIN_DECLS

/* The functions of columns that only the places of a heap profile have. */
FpFigureFunc fp_value_heap_peak, fp_value_heap_leaked, fp_value_heap_temporary, fp_value_heap_calls;
FpFigureFunc fp_value_heap_all_peak, fp_value_heap_all_leaked, fp_value_heap_all_temporary, fp_value_heap_all_calls;
FpFigureFunc fp_value_heap_depth;
FpTextFunc fp_text_heap_function, fp_text_heap_library;

gboolean fp_heap_column_get_cost (const FpColumn *column, FpHeapCost *cost, gboolean *with_callees);
const FpColumn *fp_heap_columns_find (FpHeapCost cost, gboolean with_callees);
double fp_heap_column_get_part (const FpColumn *column, const FpRecords *records, guint index);

G_END_DECLS
