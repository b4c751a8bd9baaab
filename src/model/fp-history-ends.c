// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-control-values.h"
#include "fp-history-ends.h"

const FpField fp_history_fields[FP_N_HISTORY_FIGURES] = {
  [FP_HISTORY_PSS] = FP_FIELD_PSS,
  [FP_HISTORY_USS] = FP_FIELD_USS,
  [FP_HISTORY_RSS] = FP_FIELD_RSS,
  [FP_HISTORY_SWAP] = FP_FIELD_SWAP_PSS,
};

/* A control group has no resident memory beside the memory that the kernel counts for it. */
static FpFigureFunc *const control_figures[FP_N_HISTORY_FIGURES] = {
  [FP_HISTORY_PSS] = fp_value_control_memory,
  [FP_HISTORY_USS] = fp_value_control_own,
  [FP_HISTORY_SWAP] = fp_value_control_swap,
};

static guint32
to_kib (guint64 bytes)
{
  return (guint32)MIN (bytes / 1024, FP_HISTORY_UNKNOWN - 1);
}

/* The upper end is rounded up, so that it stays an upper end. */
void
fp_history_ends_set (FpHistoryEnds *self,
                     FpHistoryFigure figure,
                     guint64 low,
                     guint64 high)
{
  self->low_kib[figure] = to_kib (low);
  self->high_kib[figure] = high == low ? self->low_kib[figure] : to_kib (high - (high > 0) + 1024);
  if (high == G_MAXUINT64)
    self->high_kib[figure] = FP_HISTORY_UNKNOWN;
}

static FpFigure
get_figure (const FpRecords *records,
            guint index,
            FpHistoryFigure figure)
{
  if (records->class->kind != FP_RECORD_CONTROL_GROUP)
    return fp_records_get_figure (records, index, fp_history_fields[figure]);
  return control_figures[figure] ? control_figures[figure](records, index) : (FpFigure){ FP_FIGURE_NONE, 0, 0 };
}

void
fp_history_ends_of_record (FpHistoryEnds *self,
                           const FpRecords *records,
                           guint index)
{
  for (guint i = 0; i < FP_N_HISTORY_FIGURES; i++)
    {
      FpFigure figure = get_figure (records, index, i);

      self->low_kib[i] = self->high_kib[i] = FP_HISTORY_UNKNOWN;
      if (fp_figure_is_known (figure) && figure.kind != FP_FIGURE_AT_MOST)
        fp_history_ends_set (self, i, figure.low, figure.high);
    }
}

void
fp_history_ends_of_memory (FpHistoryEnds *self,
                           const FpMemory *memory)
{
  for (guint i = 0; i < FP_N_HISTORY_FIGURES; i++)
    {
      FpField field = fp_history_fields[i];
      guint64 low, high;

      if (fp_memory_has (memory, field))
        self->low_kib[i] = self->high_kib[i] = to_kib (fp_memory_get (memory, field));
      else if (fp_memory_has_range (memory, field) && fp_memory_get_ends (memory, field, &low, &high))
        fp_history_ends_set (self, i, low, high);
      else
        self->low_kib[i] = self->high_kib[i] = FP_HISTORY_UNKNOWN;
    }
}

gboolean
fp_history_ends_have_swap (const FpHistoryEnds *self)
{
  return self->low_kib[FP_HISTORY_SWAP] != FP_HISTORY_UNKNOWN;
}

/* Adds memory and swap, in KiB; without swap, memory alone counts. FALSE: it is not known. high: G_MAXINT64 where there is no upper end */
gboolean
fp_history_ends_add_up (const FpHistoryEnds *self,
                        gboolean counts_swap,
                        gint64 *low,
                        gint64 *high)
{
  static const FpHistoryFigure figures[] = { FP_HISTORY_PSS, FP_HISTORY_SWAP };

  *low = *high = 0;
  for (guint i = 0; i < (counts_swap ? 2 : 1); i++)
    {
      if (self->low_kib[figures[i]] == FP_HISTORY_UNKNOWN)
        return FALSE;
      *low += self->low_kib[figures[i]];
      if (self->high_kib[figures[i]] == FP_HISTORY_UNKNOWN || *high == G_MAXINT64)
        *high = G_MAXINT64;
      else
        *high += self->high_kib[figures[i]];
    }
  return TRUE;
}

/* Says how much more or less memory and swap there is. Where it is not certain that there is more or less, it is unknown. */
FpFigure
fp_history_ends_subtract (const FpHistoryEnds *now,
                          const FpHistoryEnds *before)
{
  const FpFigure unknown = { FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  gboolean counts_swap = fp_history_ends_have_swap (now) && fp_history_ends_have_swap (before);
  gint64 low, high, before_low, before_high;

  if (!fp_history_ends_add_up (now, counts_swap, &low, &high) || !fp_history_ends_add_up (before, counts_swap, &before_low, &before_high))
    return unknown;
  if (before_high == G_MAXINT64 || high == G_MAXINT64)
    return unknown;
  low -= before_high;
  high -= before_low;
  if (low == high)
    return low < 0 ? fp_figure_difference ((guint64)-low * 1024, 0) : fp_figure_difference (0, (guint64)low * 1024);
  if (low > 0)
    return (FpFigure){ FP_FIGURE_MORE, (guint64)low * 1024, (guint64)high * 1024 };
  return high < 0 ? (FpFigure){ FP_FIGURE_LESS, (guint64)-high * 1024, (guint64)-low * 1024 } : unknown;
}
