// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <string.h>

#include "fp-cli-csv.h"

/* RFC 4180: lines end with CRLF, quotes around what holds a comma, a quote or a line end. */
static void
append_field (GString *out,
              const char *text,
              gboolean is_first)
{
  if (!is_first)
    g_string_append_c (out, ',');
  if (!strpbrk (text, ",\"\r\n"))
    {
      g_string_append (out, text);
      return;
    }
  g_string_append_c (out, '"');
  for (; *text; text++)
    {
      if (*text == '"')
        g_string_append_c (out, '"');
      g_string_append_c (out, *text);
    }
  g_string_append_c (out, '"');
}

static void
append_cell (const FpCliView *view,
             const FpRecords *records,
             const FpColumn *column,
             guint index,
             gboolean is_first,
             GString *out)
{
  char text[FP_CELL_SIZE] = "";
  FpFigure figure;

  if (records == view->row_sum && !fp_column_is_summed (column))
    {
      append_field (out, "", is_first);
      return;
    }
  if (column->presentation == FP_PRESENT_TEXT)
    {
      append_field (out, fp_column_get_text (column, records, index, &view->format, text, sizeof text), is_first);
      return;
    }
  figure = fp_column_get_figure (column, records, index);
  if (figure.kind == FP_FIGURE_EXACT || figure.kind == FP_FIGURE_RANGE)
    fp_figure_format (fp_figure_exact (figure.low), column->unit, view->options->style,
                      fp_column_get_whole (column, &view->format), text, sizeof text);
  append_field (out, text, is_first);
}

static void
append_line (const FpCliView *view,
             const FpRecords *records,
             const GPtrArray *columns,
             guint index,
             GString *out)
{
  for (guint i = 0; i < columns->len; i++)
    append_cell (view, records, g_ptr_array_index (columns, i), index, i == 0, out);
  g_string_append (out, "\r\n");
}

static gboolean
is_usual (const FpCliOptions *options,
          const FpColumn *column)
{
  if (column->presentation == FP_PRESENT_SHARE)
    return FALSE;
  if (!options->total)
    return (column->kinds & options->kind) != 0;
  return fp_column_is_summed (column) && (column->kinds & (options->mappings ? FP_RECORD_MAPPING : FP_RECORD_TOTAL));
}

/* Unknown figures are empty, and in the sum what can't be summed. */
void
fp_cli_csv_print (const FpCliView *view,
                  GString *out)
{
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();

  if (view->options->columns)
    for (const FpColumn **column = view->options->columns; *column; column++)
      g_ptr_array_add (columns, (gpointer)*column);
  else
    for (guint i = 0; i < fp_columns_get_n (); i++)
      if (is_usual (view->options, fp_columns_get (i)))
        g_ptr_array_add (columns, (gpointer)fp_columns_get (i));

  for (guint i = 0; i < columns->len; i++)
    append_field (out, ((const FpColumn *)g_ptr_array_index (columns, i))->id, i == 0);
  g_string_append (out, "\r\n");
  if (view->options->total)
    append_line (view, view->row_sum, columns, 0, out);
  for (guint row = 0; row < fp_rows_get_n (view->rows) && !view->options->total; row++)
    append_line (view, view->records, columns, fp_rows_get (view->rows, row)->index, out);
}
