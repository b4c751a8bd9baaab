// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-comparison.h"
#include "fp-export.h"
#include "fp-rows-export.h"
#include "fp-text-saver.h"

/* An export keeps the rows as they were shown at the request. Later readings do not change it. */
typedef struct
{
  FpExport what;
  FpRecords *records;
  guint *indices;
  guint n;
} Export;

/* As they stand in the list; by address where some are in closed groups. */
static guint *
take_order (const FpRows *rows,
            guint *n)
{
  const guint *matches = fp_rows_get_matches (rows, n);
  guint *indices = g_new (guint, *n + 1);
  guint n_taken = 0;

  for (guint i = 0; i < fp_rows_get_n (rows); i++)
    if (fp_rows_get (rows, i)->kind == FP_ROW_RECORD && n_taken < *n)
      indices[n_taken++] = fp_rows_get (rows, i)->index;
  if (n_taken < *n)
    memcpy (indices, matches, *n * sizeof *matches);
  return indices;
}

static int
compare_indices (gconstpointer a,
                 gconstpointer b,
                 gpointer data)
{
  guint x = *(const guint *)a, y = *(const guint *)b;

  return (x > y) - (x < y);
}

static Export *
export_new (const FpRecords *records,
            const FpRows *rows)
{
  Export *self = g_new0 (Export, 1);

  self->what = FP_EXPORT_PMAP;
  self->records = fp_records_ref ((FpRecords *)records);
  self->indices = take_order (rows, &self->n);
  return self;
}

static void
export_free (gpointer data)
{
  Export *self = data;

  fp_records_unref (self->records);
  g_free (self->indices);
  g_free (self);
}

static void
begin_export (gpointer data,
              const char *file_name)
{
  Export *self = data;

  if (g_str_has_suffix (file_name, ".csv"))
    self->what = FP_EXPORT_CSV;
  else if (g_str_has_suffix (file_name, ".json"))
    self->what = FP_EXPORT_JSON;
}

/* pmap has mappings alone and no differences of them, and goes by address. */
static GString *
make_export (gpointer data,
             const gint *is_cancelled)
{
  Export *self = data;
  guint kinds = fp_records_get_kinds (self->records);
  FpExport what = self->records->class->kind != FP_RECORD_MAPPING && self->what == FP_EXPORT_PMAP ? FP_EXPORT_CSV : self->what;
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();
  FpFormat format = { .style = FP_STYLE_EXACT, .is_for_programs = TRUE };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < fp_columns_get_n (); i++)
    if (fp_columns_get (i)->kinds & kinds)
      g_ptr_array_add (columns, (gpointer)fp_columns_get (i));
  g_ptr_array_add (columns, NULL);
  if (what == FP_EXPORT_PMAP)
    g_qsort_with_data (self->indices, (gint)self->n, sizeof *self->indices, compare_indices, NULL);
  fp_export (what, self->records, self->indices, self->n, (const FpColumn *const *)columns->pdata, &format, is_cancelled, text);
  return text;
}

static const FpTextKind exports = { begin_export, make_export, export_free };

void
fp_rows_export_copy (GtkWidget *widget,
                     const FpRecords *records,
                     const FpRows *rows)
{
  fp_text_saver_copy (widget, &exports, export_new (records, rows));
}

/* title: of the dialog; name: what is suggested for the file */
void
fp_rows_export_ask (GtkWidget *widget,
                    const FpRecords *records,
                    const FpRows *rows,
                    const char *title,
                    const char *name)
{
  fp_text_saver_ask (widget, &exports, export_new (records, rows), title, name);
}
