// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include "fp-cli-csv.h"
#include "fp-export.h"

static gboolean
is_usual (const FpCliOptions *options,
          const FpColumn *column)
{
  if (column->presentation == FP_PRESENT_SHARE)
    return FALSE;
  if (!options->total)
    return (column->kinds & options->kind) != 0;
  return fp_column_is_summed (column) && (column->kinds & (options->mappings ? FP_RECORD_FOLD : FP_RECORD_TOTAL));
}

/* Every column unless somebody says which; and in the sum those alone that can be summed. */
void
fp_cli_csv_print (const FpCliView *view,
                  GString *out)
{
  g_autoptr (GPtrArray) usual = g_ptr_array_new ();
  const FpColumn *const *columns = (const FpColumn *const *)view->options->columns;

  for (guint i = 0; i < fp_columns_get_n () && !columns; i++)
    if (is_usual (view->options, fp_columns_get (i)))
      g_ptr_array_add (usual, (gpointer)fp_columns_get (i));
  g_ptr_array_add (usual, NULL);
  if (!columns)
    columns = (const FpColumn *const *)usual->pdata;

  fp_export_csv_header (columns, out);
  if (view->options->total)
    fp_export_csv_record (view->row_sum, 0, columns, &view->format, out);
  for (guint row = 0; row < fp_rows_get_n (view->rows) && !view->options->total; row++)
    fp_export_csv_record (view->records, fp_rows_get (view->rows, row)->index, columns, &view->format, out);
}
