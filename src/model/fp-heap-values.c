// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-comparison.h"
#include "fp-heap-records.h"
#include "fp-heap-values.h"

#define VALUES(id, COST)                                                                                                         \
  FpFigure fp_value_heap_##id (const FpRecords *records, guint index)                                                            \
  {                                                                                                                              \
    return get_figure (records, COST, &fp_heap_records_get (records, index)->own);                                               \
  }                                                                                                                              \
  FpFigure fp_value_heap_all_##id (const FpRecords *records, guint index)                                                        \
  {                                                                                                                              \
    return get_figure (records, COST, &fp_heap_records_get (records, index)->all);                                               \
  }                                                                                                                              \
  FpFigure fp_value_heap_##id##_before (const FpRecords *records, guint index)                                                   \
  {                                                                                                                              \
    const FpHeapPlace *before = fp_heap_records_get_before (records, index);                                                     \
                                                                                                                                 \
    return before ? get_figure (records, COST, &before->own) : none;                                                             \
  }                                                                                                                              \
  FpFigure fp_value_heap_##id##_change (const FpRecords *records, guint index)                                                   \
  {                                                                                                                              \
    return fp_figure_change (fp_value_heap_##id##_before (records, index), fp_value_heap_##id (records, index));                 \
  }                                                                                                                              \
  FpFigure fp_value_heap_all_##id##_change (const FpRecords *records, guint index)                                               \
  {                                                                                                                              \
    const FpHeapPlace *before = fp_heap_records_get_before (records, index);                                                     \
                                                                                                                                 \
    return before ? fp_figure_change (get_figure (records, COST, &before->all), fp_value_heap_all_##id (records, index)) : none; \
  }                                                                                                                              \
  const char *fp_text_heap_##id##_outcome (const FpRecords *records, guint index, const FpFormat *format)                        \
  {                                                                                                                              \
    return name_outcome (fp_value_heap_##id##_before (records, index), fp_value_heap_##id (records, index), format);             \
  }

static const FpFigure none = { FP_FIGURE_NONE, 0, 0 };

static FpFigure
get_figure (const FpRecords *records,
            FpHeapCost cost,
            const FpHeapStack *sums)
{
  if (!(fp_heap_records_get_known (records) & 1 << cost))
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  return fp_figure_exact (fp_heap_stack_get_cost (sums, cost));
}

static FpOutcome
find_outcome (FpFigure before,
              FpFigure after)
{
  if (!fp_figure_is_known (before) || !fp_figure_is_known (after))
    return FP_OUTCOME_UNKNOWN;
  if (before.low == after.low)
    return FP_OUTCOME_SAME;
  if (before.low == 0 || after.low == 0)
    return before.low == 0 ? FP_OUTCOME_NEW : FP_OUTCOME_ENDED;
  return before.low < after.low ? FP_OUTCOME_GROWN : FP_OUTCOME_SHRUNK;
}

/* A search has no format, so that the same words find it in every language. */
static const char *
name_outcome (FpFigure before,
              FpFigure after,
              const FpFormat *format)
{
  static const char *const ids[FP_N_OUTCOMES] = { "", "same", "grown", "shrunk", "new", "gone" };
  static const char *const titles[FP_N_OUTCOMES] = { "—", NC_ ("outcome", "Same"), NC_ ("outcome", "Grown"), NC_ ("outcome", "Shrunk"), NC_ ("outcome", "New"), NC_ ("outcome", "Gone") };
  FpOutcome outcome = find_outcome (before, after);

  if (!format || format->is_for_programs)
    return ids[outcome];
  /* People read “Same” beside a change of what is called as a contradiction, and a dash as something unknown. */
  return outcome == FP_OUTCOME_SAME && before.low == 0 ? "" : g_dpgettext2 (NULL, "outcome", titles[outcome]);
}

VALUES (peak, FP_HEAP_PEAK)
VALUES (leaked, FP_HEAP_LEAKED)
VALUES (temporary, FP_HEAP_TEMPORARY)
VALUES (calls, FP_HEAP_CALLS)

#define FUNCTIONS(id)                                                                                     \
  {                                                                                                       \
    fp_value_heap_##id, fp_value_heap_all_##id, fp_value_heap_##id##_before, fp_value_heap_##id##_change, \
        fp_value_heap_all_##id##_change,                                                                  \
  }

static FpFigureFunc *const values[FP_HEAP_N_COSTS][FP_HEAP_OUTCOME] = {
  [FP_HEAP_PEAK] = FUNCTIONS (peak),
  [FP_HEAP_LEAKED] = FUNCTIONS (leaked),
  [FP_HEAP_TEMPORARY] = FUNCTIONS (temporary),
  [FP_HEAP_CALLS] = FUNCTIONS (calls),
};

static FpTextFunc *const outcomes[FP_HEAP_N_COSTS] = {
  [FP_HEAP_PEAK] = fp_text_heap_peak_outcome,
  [FP_HEAP_LEAKED] = fp_text_heap_leaked_outcome,
  [FP_HEAP_TEMPORARY] = fp_text_heap_temporary_outcome,
  [FP_HEAP_CALLS] = fp_text_heap_calls_outcome,
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

static gboolean
is_column_of (const FpColumn *column,
              FpHeapCost cost,
              FpHeapFigure figure)
{
  return figure == FP_HEAP_OUTCOME ? column->get_text == outcomes[cost] : column->get_figure == values[cost][figure];
}

/* FALSE: it is not the column of a cost. */
gboolean
fp_heap_column_get_cost (const FpColumn *column,
                         FpHeapCost *cost,
                         FpHeapFigure *figure)
{
  for (FpHeapCost i = 0; i < FP_HEAP_N_COSTS; i++)
    for (FpHeapFigure j = 0; j < FP_HEAP_N_FIGURES; j++)
      if (is_column_of (column, i, j))
        {
          *cost = i;
          *figure = j;
          return TRUE;
        }
  return FALSE;
}

const FpColumn *
fp_heap_columns_find (FpHeapCost cost,
                      FpHeapFigure figure)
{
  for (guint i = 0; i < fp_columns_get_n (); i++)
    if (is_column_of (fp_columns_get (i), cost, figure))
      return fp_columns_get (i);
  g_return_val_if_reached (NULL);
}

/* Gives the part of the whole profile; below 0 where that is not known, or nothing. */
double
fp_heap_column_get_part (const FpColumn *column,
                         const FpRecords *records,
                         guint index)
{
  FpFigure value = fp_column_get_figure (column, records, index);
  FpHeapFigure figure;
  FpHeapCost cost;

  if (!fp_figure_is_known (value) || !fp_heap_column_get_cost (column, &cost, &figure) || figure > FP_HEAP_WITH_CALLEES ||
      fp_heap_records_get_total (records, cost) == 0)
    return -1;
  return (double)value.low / (double)fp_heap_records_get_total (records, cost);
}
