// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#include "fp-export.h"
#include "fp-rows-export.h"
#include "fp-message-dialog.h"
#include "fp-patience.h"

/* An export keeps the rows as they were shown at the request. Later readings do not change it. Or it is a text that is there. */
typedef struct
{
  char *text; /* NULL: it is made of the rows */
  FpExport what;
  FpRecords *records;
  guint *indices;
  guint n;
  GFile *file; /* NULL: for the clipboard */
  gint is_cancelled;
  FpPatience *patience;
  GApplication *application; /* held until it is done; NULL: there is none */
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
export_new (FpExport what,
            const FpRecords *records,
            const FpRows *rows)
{
  Export *self = g_new0 (Export, 1);

  self->what = what;
  self->records = fp_records_ref ((FpRecords *)records);
  self->indices = take_order (rows, &self->n);
  return self;
}

static void
export_free (gpointer data)
{
  Export *self = data;

  g_free (self->text);
  g_clear_pointer (&self->records, fp_records_unref);
  g_free (self->indices);
  g_clear_object (&self->file);
  g_free (self);
}

/* pmap has mappings alone and no differences of them, and goes by address. */
static GString *
make_text (const Export *self)
{
  FpRecordKind kind = self->records->class->kind;
  FpExport what = kind != FP_RECORD_MAPPING && self->what == FP_EXPORT_PMAP ? FP_EXPORT_CSV : self->what;
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();
  FpFormat format = { .style = FP_STYLE_EXACT, .is_for_programs = TRUE };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < fp_columns_get_n (); i++)
    if (fp_columns_get (i)->kinds & kind)
      g_ptr_array_add (columns, (gpointer)fp_columns_get (i));
  g_ptr_array_add (columns, NULL);
  if (what == FP_EXPORT_PMAP)
    g_qsort_with_data (self->indices, (gint)self->n, sizeof *self->indices, compare_indices, NULL);
  fp_export (what, self->records, self->indices, self->n, (const FpColumn *const *)columns->pdata, &format,
             &self->is_cancelled, text);
  return text;
}

static void
cancel_cb (GCancellable *cancellable,
           gpointer data)
{
  g_atomic_int_set (&((Export *)data)->is_cancelled, TRUE);
}

static void
export_worker (GTask *task,
               gpointer source,
               gpointer data,
               GCancellable *cancellable)
{
  Export *self = data;
  gulong handler = g_cancellable_connect (cancellable, G_CALLBACK (cancel_cb), self, NULL);
  GString *text = self->text ? g_string_new (self->text) : make_text (self);
  GError *error = NULL;

  g_cancellable_disconnect (cancellable, handler);
  if (!g_cancellable_set_error_if_cancelled (cancellable, &error) && self->file)
    g_file_replace_contents (self->file, text->str, text->len, NULL, FALSE, G_FILE_CREATE_REPLACE_DESTINATION, NULL,
                             cancellable, &error);
  if (!error)
    {
      g_task_return_pointer (task, g_string_free (text, FALSE), g_free);
      return;
    }
  g_string_free (text, TRUE);
  g_task_return_error (task, error);
}

static void
say (GtkWidget *widget,
     const char *words)
{
  GtkWidget *overlay = gtk_widget_get_ancestor (widget, ADW_TYPE_TOAST_OVERLAY);

  if (overlay)
    adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (overlay), adw_toast_new (words));
}

static void
done_cb (GObject *source,
         GAsyncResult *result,
         gpointer data)
{
  Export *self = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->application)
    g_application_release (self->application);
  g_clear_pointer (&self->patience, fp_patience_free);
  if (text && !self->file)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (source)), text);
  if (text)
    /* Translators: said when a text is on the clipboard */
    say (GTK_WIDGET (source), self->file ? _ ("The file was written") : _ ("Copied"));
  if (error && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    fp_message_dialog_tell (GTK_WIDGET (source), _ ("The file was not written"), error->message);
}

/* Takes the export. The widget is held until it is done. */
static void
export_run (Export *self,
            GtkWidget *widget)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (widget, cancellable, done_cb, NULL);

  g_task_set_source_tag (task, export_run);
  /* A cancellation after the last write comes too late: the file is complete, and is reported as written. */
  g_task_set_check_cancellable (task, FALSE);
  self->application = g_application_get_default ();
  if (self->application)
    g_application_hold (self->application);
  g_task_set_task_data (task, self, export_free);
  /* Translators: said while a text is put on the clipboard */
  self->patience = fp_patience_new (widget, self->file ? _ ("Writing the File…") : _ ("Copying…"), cancellable);
  g_task_run_in_thread (task, export_worker);
}

void
fp_rows_export_copy (GtkWidget *widget,
                     const FpRecords *records,
                     const FpRows *rows)
{
  export_run (export_new (FP_EXPORT_PMAP, records, rows), widget);
}

/* An export that waits for the file dialog, and the widget it was requested in */
typedef struct
{
  GtkWidget *widget;
  Export *export; /* NULL: export_run () took it */
} Question;

static void
question_free (gpointer data)
{
  Question *self = data;

  g_clear_pointer (&self->export, export_free);
  g_object_unref (self->widget);
  g_free (self);
}

static void
response_cb (GtkNativeDialog *dialog,
             int response,
             gpointer data)
{
  Question *self = data;
  g_autofree char *name = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    {
      self->export->file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
      name = g_file_get_basename (self->export->file);
      self->export->what = g_str_has_suffix (name, ".csv")    ? FP_EXPORT_CSV
                           : g_str_has_suffix (name, ".json") ? FP_EXPORT_JSON
                                                              : FP_EXPORT_PMAP;
      export_run (g_steal_pointer (&self->export), self->widget);
    }
  g_object_unref (dialog);
}

/* export: (transfer full) */
static void
ask (GtkWidget *widget,
     Export *export,
     const char *title,
     const char *name)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (title, GTK_WINDOW (gtk_widget_get_root (widget)),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  Question *question = g_new (Question, 1);

  *question = (Question){ g_object_ref (widget), export };
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_object_set_data_full (G_OBJECT (dialog), "question", question, question_free);
  g_signal_connect (dialog, "response", G_CALLBACK (response_cb), question);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

/* title: of the dialog; name: what is suggested for the file */
void
fp_rows_export_ask (GtkWidget *widget,
                    const FpRecords *records,
                    const FpRows *rows,
                    const char *title,
                    const char *name)
{
  ask (widget, export_new (FP_EXPORT_CSV, records, rows), title, name);
}

/* text: (transfer full): what is to be written in place of rows */
void
fp_rows_export_ask_text (GtkWidget *widget,
                         char *text,
                         const char *title,
                         const char *name)
{
  Export *export = g_new0 (Export, 1);

  export->text = text;
  ask (widget, export, title, name);
}
