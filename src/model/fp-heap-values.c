// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-heap-records.h"
#include "fp-heap-values.h"

#define VALUE(id, COST)                                                            \
  FpFigure fp_value_heap_##id (const FpRecords *records, guint index)              \
  {                                                                                \
    return get_figure (records, COST, &fp_heap_records_get (records, index)->own); \
  }                                                                                \
  FpFigure fp_value_heap_all_##id (const FpRecords *records, guint index)          \
  {                                                                                \
    return get_figure (records, COST, &fp_heap_records_get (records, index)->all); \
  }

static FpFigure
get_figure (const FpRecords *records,
            FpHeapCost cost,
            const FpHeapStack *sums)
{
  if (!(fp_heap_records_get_known (records) & 1 << cost))
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  return fp_figure_exact (fp_heap_stack_get_cost (sums, cost));
}

VALUE (peak, FP_HEAP_PEAK)
VALUE (leaked, FP_HEAP_LEAKED)
VALUE (temporary, FP_HEAP_TEMPORARY)
VALUE (calls, FP_HEAP_CALLS)

static FpFigureFunc *const own_values[FP_HEAP_N_COSTS] = {
  [FP_HEAP_PEAK] = fp_value_heap_peak,
  [FP_HEAP_LEAKED] = fp_value_heap_leaked,
  [FP_HEAP_TEMPORARY] = fp_value_heap_temporary,
  [FP_HEAP_CALLS] = fp_value_heap_calls,
};

static FpFigureFunc *const all_values[FP_HEAP_N_COSTS] = {
  [FP_HEAP_PEAK] = fp_value_heap_all_peak,
  [FP_HEAP_LEAKED] = fp_value_heap_all_leaked,
  [FP_HEAP_TEMPORARY] = fp_value_heap_all_temporary,
  [FP_HEAP_CALLS] = fp_value_heap_all_calls,
};

static gboolean
is_for_programs (const FpFormat *format)
{
  return format && format->is_for_programs;
}

static const FpHeapFrame *
get_frame (const FpRecords *records,
           guint index)
{
  return fp_heap_profile_get_frame (fp_heap_records_get_profile (records), fp_heap_records_get (records, index)->node);
}

/* Programs get what is in the file, so that a function without a name is empty. */
const char *
fp_text_heap_function (const FpRecords *records,
                       guint index,
                       const FpFormat *format)
{
  if (is_for_programs (format))
    return fp_heap_profile_get_text (fp_heap_records_get_profile (records), get_frame (records, index)->function);
  return fp_heap_records_get_name (records, index);
}

const char *
fp_text_heap_library (const FpRecords *records,
                      guint index,
                      const FpFormat *format)
{
  if (is_for_programs (format))
    return fp_heap_profile_get_text (fp_heap_records_get_profile (records), get_frame (records, index)->module);
  return fp_heap_records_get_library (records, index);
}

/* In a list of steps, each stands behind the one that it is in. */
FpFigure
fp_value_heap_depth (const FpRecords *records,
                     guint index)
{
  return fp_figure_exact (fp_heap_records_get_depth (records, index));
}

/* FALSE: it is not the column of a cost. */
gboolean
fp_heap_column_get_cost (const FpColumn *column,
                         FpHeapCost *cost,
                         gboolean *with_callees)
{
  for (FpHeapCost i = 0; i < FP_HEAP_N_COSTS; i++)
    if (column->get_figure == own_values[i] || column->get_figure == all_values[i])
      {
        *cost = i;
        *with_callees = column->get_figure == all_values[i];
        return TRUE;
      }
  return FALSE;
}

const FpColumn *
fp_heap_columns_find (FpHeapCost cost,
                      gboolean with_callees)
{
  FpFigureFunc *wanted = with_callees ? all_values[cost] : own_values[cost];

  for (guint i = 0; i < fp_columns_get_n (); i++)
    if (fp_columns_get (i)->get_figure == wanted)
      return fp_columns_get (i);
  g_return_val_if_reached (NULL);
}

/* Gives the part of the whole profile; below 0 where that is not known, or nothing. */
double
fp_heap_column_get_part (const FpColumn *column,
                         const FpRecords *records,
                         guint index)
{
  FpFigure figure = fp_column_get_figure (column, records, index);
  gboolean with_callees;
  FpHeapCost cost;

  if (!fp_figure_is_known (figure) || !fp_heap_column_get_cost (column, &cost, &with_callees) ||
      fp_heap_records_get_total (records, cost) == 0)
    return -1;
  return (double)figure.low / (double)fp_heap_records_get_total (records, cost);
}
