// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-growth.h"
#include "fp-trend-cell.h"

#define KIB G_GUINT64_CONSTANT (1024)

static GArray *
get_points (const FpRecords *records,
            guint index)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (FpHistoryPoint));
  FpHistory *history = fp_records_get_history (records, index);

  if (history)
    fp_history_add_recent (history, fp_records_get_key (records, index), points);
  return points;
}

/* Memory and swap; what is not known of swap is left out. */
static FpFigure
get_sum (const FpHistoryEnds *ends)
{
  const guint32 *low = ends->low_kib, *high = ends->high_kib;
  gboolean has_swap = low[FP_HISTORY_SWAP] != FP_HISTORY_UNKNOWN;
  guint64 sum = low[FP_HISTORY_PSS] + (guint64)(has_swap ? low[FP_HISTORY_SWAP] : 0);

  if (low[FP_HISTORY_PSS] == FP_HISTORY_UNKNOWN)
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  if (high[FP_HISTORY_PSS] == FP_HISTORY_UNKNOWN || (has_swap && high[FP_HISTORY_SWAP] == FP_HISTORY_UNKNOWN))
    return fp_figure_between (sum * KIB, G_MAXUINT64);
  return fp_figure_between (sum * KIB, (high[FP_HISTORY_PSS] + (guint64)(has_swap ? high[FP_HISTORY_SWAP] : 0)) * KIB);
}

/* Where there is no upper end, a line is drawn along the lower. */
static guint64
get_high (FpFigure sum)
{
  return sum.high == G_MAXUINT64 ? sum.low : sum.high;
}

/* Says how it was first and last. NULL: it was known once at most */
static char *
describe (const GArray *points,
          const FpFormat *format)
{
  const FpHistoryPoint *first = NULL, *last = NULL;
  char from[FP_FIGURE_TEXT_SIZE], to[FP_FIGURE_TEXT_SIZE];
  guint seconds;

  for (guint i = 0; i < points->len; i++)
    if (fp_figure_is_known (get_sum (&g_array_index (points, FpHistoryPoint, i).ends)))
      {
        last = &g_array_index (points, FpHistoryPoint, i);
        first = first ? first : last;
      }
  if (first == last)
    return NULL;
  fp_format_memory (format, get_sum (&first->ends), from);
  fp_format_memory (format, get_sum (&last->ends), to);
  seconds = (guint)((last->time_us - first->time_us) / G_USEC_PER_SEC);
  if (seconds < 90)
    /* Translators: amounts of memory, and a number */
    return g_strdup_printf (ngettext ("From %s to %s in %u second", "From %s to %s in %u seconds", seconds), from, to, seconds);
  /* Translators: amounts of memory, and a number */
  return g_strdup_printf (ngettext ("From %s to %s in %u minute", "From %s to %s in %u minutes", seconds / 60), from, to,
                          seconds / 60);
}

/* Free the text. */
char *
fp_trend_cell_describe (const FpRecords *records,
                        guint index,
                        const FpFormat *format)
{
  g_autoptr (GArray) points = get_points (records, index);

  return describe (points, format);
}

/* The newest point is at the right edge, what was ten minutes ago at the left; the lower edge is nothing. */
void
fp_trend_cell_fill (FpCell *cell,
                    const FpRecords *records,
                    guint index,
                    const FpFormat *format)
{
  g_autoptr (GArray) points = get_points (records, index);
  g_autofree FpLinePoint *line = g_new (FpLinePoint, points->len + 1);
  g_autofree char *words = describe (points, format);
  double top = 1;

  for (guint i = 0; i < points->len; i++)
    {
      FpFigure sum = get_sum (&g_array_index (points, FpHistoryPoint, i).ends);

      if (fp_figure_is_known (sum))
        top = MAX (top, (double)get_high (sum));
    }
  for (guint i = 0; i < points->len; i++)
    {
      const FpHistoryPoint *point = &g_array_index (points, FpHistoryPoint, i);
      guint64 ago_us = g_array_index (points, FpHistoryPoint, points->len - 1).time_us - point->time_us;
      FpFigure sum = get_sum (&point->ends);

      line[i] = (FpLinePoint){ 1 - (double)ago_us / FP_HISTORY_RECENT_US, fp_figure_is_known (sum) ? (double)sum.low / top : -1,
                               (double)get_high (sum) / top, point->follows_gap };
    }
  fp_cell_set_text (cell, words ? words : "—", words ? FP_CELL_PLAIN : FP_CELL_DIM);
  fp_cell_set_line (cell, line, words ? points->len : 0);
}
