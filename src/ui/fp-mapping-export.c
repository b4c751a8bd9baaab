// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <glib/gi18n.h>

#include "fp-export.h"
#include "fp-mapping-export.h"

static char *
make_text (FpExport what,
           const FpRecords *records,
           const guint *indices,
           guint n)
{
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();
  FpFormat format = { .style = FP_STYLE_EXACT, .is_for_programs = TRUE };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < fp_columns_get_n (); i++)
    if (fp_columns_get (i)->kinds & FP_RECORD_MAPPING)
      g_ptr_array_add (columns, (gpointer)fp_columns_get (i));
  g_ptr_array_add (columns, NULL);
  fp_export (what, records, indices, n, (const FpColumn *const *)columns->pdata, &format, NULL, text);
  return g_string_free (text, FALSE);
}

void
fp_mapping_export_copy (GtkWidget *widget,
                        const FpRecords *records,
                        const FpRows *rows)
{
  guint n;
  const guint *indices = fp_rows_get_matches (rows, &n);
  g_autofree char *text = make_text (FP_EXPORT_PMAP, records, indices, n);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

/* What was shown when it was asked for, whatever is read meanwhile. */
typedef struct
{
  FpRecords *records;
  guint *indices;
  guint n;
} Export;

static void
export_free (gpointer data)
{
  Export *self = data;

  fp_records_unref (self->records);
  g_free (self->indices);
  g_free (self);
}

static void
show_failure (GtkNativeDialog *dialog,
              const char *message)
{
  GtkWindow *parent = gtk_native_dialog_get_transient_for (dialog);
  GtkWidget *failure = gtk_message_dialog_new (parent, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                               GTK_MESSAGE_ERROR, GTK_BUTTONS_CLOSE, _ ("The file was not written"));

  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (failure), "%s", message);
  g_signal_connect (failure, "response", G_CALLBACK (gtk_window_destroy), NULL);
  gtk_window_present (GTK_WINDOW (failure));
}

static void
write_file (GtkNativeDialog *dialog,
            const Export *export)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  g_autofree char *name = g_file_get_basename (file), *text = NULL;
  g_autoptr (GError) error = NULL;
  FpExport what = g_str_has_suffix (name, ".csv")    ? FP_EXPORT_CSV
                  : g_str_has_suffix (name, ".json") ? FP_EXPORT_JSON
                                                     : FP_EXPORT_PMAP;

  text = make_text (what, export->records, export->indices, export->n);
  if (!g_file_replace_contents (file, text, strlen (text), NULL, FALSE, G_FILE_CREATE_REPLACE_DESTINATION, NULL, NULL,
                                &error))
    show_failure (dialog, error->message);
}

static void
response_cb (GtkNativeDialog *dialog,
             int response,
             gpointer data)
{
  if (response == GTK_RESPONSE_ACCEPT)
    write_file (dialog, data);
  g_object_unref (dialog);
}

void
fp_mapping_export_ask (GtkWidget *widget,
                       const FpRecords *records,
                       const FpRows *rows,
                       gint pid)
{
  GtkFileChooserNative *dialog =
      gtk_file_chooser_native_new (_ ("Export Mappings (.csv, .json or .txt)"),
                                   GTK_WINDOW (gtk_widget_get_root (widget)), GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  g_autofree char *name = g_strdup_printf ("mappings-%d.csv", pid);
  Export *export = g_new0 (Export, 1);
  const guint *indices = fp_rows_get_matches (rows, &export->n);

  export->records = fp_records_ref ((FpRecords *)records);
  export->indices = g_memdup2 (indices, export->n * sizeof *indices);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect_data (dialog, "response", G_CALLBACK (response_cb), export, (GClosureNotify)(void (*) (void))export_free, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}
