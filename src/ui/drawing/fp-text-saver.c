// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "fp-message-dialog.h"
#include "fp-patience.h"
#include "fp-text-saver.h"

typedef struct
{
  GtkWidget *widget;
  const FpTextKind *kind;
  gpointer data;
  GFile *file; /* NULL: for the clipboard */
  gint is_cancelled;
  FpPatience *patience;
  GApplication *application; /* held until it is done; NULL: there is none */
} Saving;

static GString *
copy_text (gpointer data,
           const gint *is_cancelled)
{
  return g_string_new (data);
}

const FpTextKind fp_ready_text = { NULL, copy_text, g_free };

static Saving *
saving_new (GtkWidget *widget,
            const FpTextKind *kind,
            gpointer data)
{
  Saving *self = g_new0 (Saving, 1);

  self->widget = g_object_ref (widget);
  self->kind = kind;
  self->data = data;
  return self;
}

static void
saving_free (gpointer data)
{
  Saving *self = data;

  self->kind->free (self->data);
  g_clear_object (&self->file);
  g_object_unref (self->widget);
  g_free (self);
}

static void
cancel_cb (GCancellable *cancellable,
           gpointer data)
{
  g_atomic_int_set (&((Saving *)data)->is_cancelled, TRUE);
}

/* The task’s data is freed where its last reference goes, which may be here, so the callback frees what has widgets. */
static void
save_worker (GTask *task,
             gpointer source,
             gpointer data,
             GCancellable *cancellable)
{
  Saving *self = data;
  gulong handler = g_cancellable_connect (cancellable, G_CALLBACK (cancel_cb), self, NULL);
  GString *text = self->kind->make (self->data, &self->is_cancelled);
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

/* Free the text. */
static char *
describe_done (const Saving *self)
{
  g_autofree char *name = NULL, *shown = NULL, *words = NULL;

  if (!self->file)
    /* Translators: said when a text is on the clipboard */
    return g_strdup (_ ("Copied"));
  name = g_file_get_basename (self->file);
  shown = g_filename_display_name (name);
  words = g_strdup_printf (_ ("Saved as %s"), shown);
  return g_markup_escape_text (words, -1);
}

static void
report (const Saving *self)
{
  GtkWidget *overlay = gtk_widget_get_ancestor (self->widget, ADW_TYPE_TOAST_OVERLAY);
  g_autofree char *words = describe_done (self);

  if (overlay)
    adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (overlay), adw_toast_new (words));
}

static void
done_cb (GObject *source,
         GAsyncResult *result,
         gpointer data)
{
  Saving *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->application)
    g_application_release (self->application);
  g_clear_pointer (&self->patience, fp_patience_free);
  if (text && !self->file)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (self->widget), text);
  if (text)
    report (self);
  if (error && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    fp_message_dialog_tell (self->widget, _ ("The File Was Not Saved"), error->message);
  saving_free (self);
}

/* Takes it. */
static void
save (Saving *self)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, done_cb, self);

  g_task_set_source_tag (task, save);
  /* A cancellation after the last write comes too late: the file is complete, and is reported as saved. */
  g_task_set_check_cancellable (task, FALSE);
  self->application = g_application_get_default ();
  if (self->application)
    g_application_hold (self->application);
  g_task_set_task_data (task, self, NULL);
  /* Translators: said while a text is put on the clipboard */
  self->patience = fp_patience_new (self->widget, self->file ? _ ("Writing the File…") : _ ("Copying…"), cancellable);
  g_task_run_in_thread (task, save_worker);
}

static void
response_cb (GtkNativeDialog *dialog,
             int response,
             gpointer data)
{
  Saving *self = data;

  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autofree char *name = NULL;

      self->file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
      name = g_file_get_basename (self->file);
      if (self->kind->begin)
        self->kind->begin (self->data, name);
      g_object_steal_data (G_OBJECT (dialog), "saving");
      save (self);
    }
  g_object_unref (dialog);
}

/* title: of the dialog; file_name: what is suggested */
void
fp_text_saver_ask (GtkWidget *widget,
                   const FpTextKind *kind,
                   gpointer data,
                   const char *title,
                   const char *file_name)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (title, GTK_WINDOW (gtk_widget_get_root (widget)),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  Saving *saving = saving_new (widget, kind, data);

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), file_name);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_object_set_data_full (G_OBJECT (dialog), "saving", saving, saving_free);
  g_signal_connect (dialog, "response", G_CALLBACK (response_cb), saving);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

void
fp_text_saver_copy (GtkWidget *widget,
                    const FpTextKind *kind,
                    gpointer data)
{
  save (saving_new (widget, kind, data));
}
