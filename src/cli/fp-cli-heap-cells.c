// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-cli-heap-cells.h"
#include "fp-display.h"
#include "fp-heap-words.h"

#define FIGURE_WIDTH 12

/* Chooses the first cost that is known, if none was asked for. known: a bit for each. FALSE: the one that was asked for is not */
gboolean
fp_cli_heap_choose_cost (const FpCliOptions *options,
                         guint known,
                         FpHeapCost *cost)
{
  *cost = FP_HEAP_PEAK;
  if (options->has_heap_cost)
    *cost = options->heap_cost;
  else
    while (*cost < FP_HEAP_CALLS && !(known & 1 << *cost))
      (*cost)++;
  return (known & 1 << *cost) != 0;
}

/* Writes into the column with this title. */
void
fp_cli_heap_append_cell (const char *title,
                         const char *text,
                         GString *out)
{
  guint width = fp_display_width (text), column = fp_display_widen (FIGURE_WIDTH, title);

  g_string_append_printf (out, "%*s%s", (int)(MAX (column, width) - width), "", text);
}

void
fp_cli_heap_append_figure (const FpCliOptions *options,
                           const char *title,
                           FpHeapCost cost,
                           FpFigure figure,
                           GString *out)
{
  char text[FP_FIGURE_TEXT_SIZE];

  fp_figure_format (figure, fp_heap_cost_infos[cost].unit, options->style, 0, text, sizeof text);
  fp_cli_heap_append_cell (title, text, out);
}

/* A name that has no room is cut. */
void
fp_cli_heap_append_name (const char *name,
                         guint room,
                         GString *out)
{
  gsize size = strlen (name) * 4 + 1;
  g_autofree char *shown = g_malloc (size);

  fp_display_escape (name, shown, size);
  if (fp_display_width (shown) <= room)
    g_string_append (out, shown);
  else
    g_string_append_printf (out, "%.*s…", (int)fp_display_fit (shown, room - 1), shown);
}
