// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-columns.h"
#include "fp-heap-profile.h"

G_BEGIN_DECLS

/* The figures that a place has for each cost; those from FP_HEAP_BEFORE on only where it is compared. */
typedef enum
{
  FP_HEAP_OWN,
  FP_HEAP_WITH_CALLEES,
  FP_HEAP_BEFORE,
  FP_HEAP_CHANGE,
  FP_HEAP_CHANGE_WITH_CALLEES,
  FP_HEAP_OUTCOME, /* a text: new, gone, grown or shrunk */
  FP_HEAP_N_FIGURES,
} FpHeapFigure;

/* The functions of columns that only the places of a heap profile have. */
#define FP_HEAP_DECLARE_VALUES(id)                                                                                   \
  FpFigureFunc fp_value_heap_##id, fp_value_heap_all_##id, fp_value_heap_##id##_before, fp_value_heap_##id##_change, \
      fp_value_heap_all_##id##_change;                                                                               \
  FpTextFunc fp_text_heap_##id##_outcome

FP_HEAP_DECLARE_VALUES (peak);
FP_HEAP_DECLARE_VALUES (leaked);
FP_HEAP_DECLARE_VALUES (temporary);
FP_HEAP_DECLARE_VALUES (calls);
FpFigureFunc fp_value_heap_depth;
FpTextFunc fp_text_heap_function, fp_text_heap_library;

gboolean fp_heap_column_get_cost (const FpColumn *column, FpHeapCost *cost, FpHeapFigure *figure);
const FpColumn *fp_heap_columns_find (FpHeapCost cost, FpHeapFigure figure);
double fp_heap_column_get_part (const FpColumn *column, const FpRecords *records, guint index);

G_END_DECLS
