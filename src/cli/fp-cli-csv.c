// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-cli-csv.h"
#include "fp-export.h"

static gboolean
is_usual (const FpCliOptions *options,
          const FpColumn *column)
{
  if (fp_column_is_repeated (column))
    return FALSE;
  if (!options->total)
    return (column->kinds & fp_cli_options_get_kinds (options)) != 0;
  return fp_column_is_summed (column) && (column->kinds & (options->files      ? FP_RECORD_MAPPED_FILE
                                                           : options->mappings ? FP_RECORD_FOLD
                                                                               : FP_RECORD_TOTAL));
}

/* One table for all turns of --watch: it has its header once, and the time in front of each record. */
void
fp_cli_csv_print (const FpCliView *view,
                  FpCliTurn turn,
                  GString *out)
{
  g_autofree char *time = fp_cli_view_format_time (view->snapshot->info.realtime_us);
  g_autofree char *prefix = turn == FP_CLI_ONCE ? g_strdup ("") : g_strconcat (time ? time : "", ",", NULL);
  g_autoptr (GPtrArray) usual = g_ptr_array_new ();
  const FpColumn *const *columns = (const FpColumn *const *)view->options->columns;

  for (guint i = 0; i < fp_columns_get_n () && !columns; i++)
    if (is_usual (view->options, fp_columns_get (i)))
      g_ptr_array_add (usual, (gpointer)fp_columns_get (i));
  g_ptr_array_add (usual, NULL);
  if (!columns)
    columns = (const FpColumn *const *)usual->pdata;

  if (turn == FP_CLI_FIRST)
    g_string_append (out, "taken_at,");
  if (turn != FP_CLI_AGAIN)
    fp_export_csv_header (columns, out);
  if (view->options->total)
    {
      g_string_append (out, prefix);
      fp_export_csv_record (view->row_sum, 0, columns, &view->format, out);
    }
  for (guint row = 0; row < fp_cli_view_get_n_rows (view) && !view->options->total; row++)
    {
      g_string_append (out, prefix);
      fp_export_csv_record (view->records, fp_rows_get (view->rows, row)->index, columns, &view->format, out);
    }
}
