// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-message-dialog.h"
#include "fp-patience.h"
#include "fp-saved-file.h"
#include "fp-snapshot-saver.h"

#define WITH_COMMANDS "commands"
#define WITH_FILES    "files"

/* One snapshot on its way into a file. It stays as it was when it was asked for. */
typedef struct
{
  GtkWidget *widget;
  FpSnapshot *snapshot;
  FpMappedFiles *files; /* (nullable) */
  gboolean with_commands;
  GFile *file; /* NULL: it is asked for yet */
  FpPatience *patience;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *self = data;

  g_clear_pointer (&self->patience, fp_patience_free);
  g_clear_pointer (&self->files, fp_mapped_files_unref);
  g_clear_object (&self->file);
  fp_snapshot_unref (self->snapshot);
  g_object_unref (self->widget);
  g_free (self);
}

/* Only its owner may read the file, for it tells what all users run. */
static void
save_worker (GTask *task,
             gpointer source,
             gpointer data,
             GCancellable *cancellable)
{
  Saving *self = data;
  GError *error = NULL;
  g_autoptr (GBytes) bytes = fp_saved_file_pack (self->snapshot, self->files, self->with_commands, &error);
  gsize size;
  const char *text = bytes ? g_bytes_get_data (bytes, &size) : NULL;

  if (text && g_file_replace_contents (self->file, text, size, NULL, FALSE, G_FILE_CREATE_PRIVATE, NULL, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
fp_snapshot_saver_remember (GFile *file)
{
  g_autofree char *uri = g_file_get_uri (file);
  const GtkRecentData data = {
    .mime_type = (char *)FP_SNAPSHOT_TYPE, .app_name = (char *)_ ("Footprint"), .app_exec = (char *)"footprint %u"
  };

  gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

static void
saved_cb (GObject *source,
          GAsyncResult *result,
          gpointer data)
{
  Saving *self = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL, *text = NULL;

  g_clear_pointer (&self->patience, fp_patience_free);
  g_application_release (g_application_get_default ());
  if (g_task_propagate_boolean (G_TASK (result), &error))
    {
      g_autofree char *basename = g_file_get_basename (self->file);

      fp_snapshot_saver_remember (self->file);
      name = g_filename_display_name (basename);
      text = g_strdup_printf (_ ("Saved as %s"), name);
      gtk_widget_activate_action (self->widget, "win.report", "s", text);
    }
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    fp_message_dialog_tell (self->widget, _ ("The Snapshot Was Not Saved"), error->message);
}

/* Captures of smemcap can be opened, too. What a file is tells only what is in it, so that others may be called anything. */
void
fp_snapshot_saver_add_filters (GtkFileChooser *chooser)
{
  g_autoptr (GtkFileFilter) snapshots = gtk_file_filter_new (), all = gtk_file_filter_new ();

  gtk_file_filter_set_name (snapshots, _ ("Snapshots"));
  gtk_file_filter_add_pattern (snapshots, "*" FP_SNAPSHOT_SUFFIX);
  if (gtk_file_chooser_get_action (chooser) == GTK_FILE_CHOOSER_ACTION_OPEN)
    gtk_file_filter_add_pattern (snapshots, "*.tar");
  gtk_file_filter_set_name (all, _ ("All Files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (chooser, snapshots);
  gtk_file_chooser_add_filter (chooser, all);
}

static gboolean
get_choice (GtkFileChooser *chooser,
            const char *choice)
{
  return g_strcmp0 (gtk_file_chooser_get_choice (chooser, choice), "true") == 0;
}

static void
response_cb (GtkNativeDialog *dialog,
             int response,
             gpointer data)
{
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);
  g_autoptr (GCancellable) cancellable = NULL;
  g_autoptr (GTask) task = NULL;
  Saving *self = data;

  if (response != GTK_RESPONSE_ACCEPT)
    {
      saving_free (self);
      g_object_unref (dialog);
      return;
    }
  self->file = gtk_file_chooser_get_file (chooser);
  self->with_commands = get_choice (chooser, WITH_COMMANDS);
  if (self->files && !get_choice (chooser, WITH_FILES))
    g_clear_pointer (&self->files, fp_mapped_files_unref);
  g_object_unref (dialog);

  cancellable = g_cancellable_new ();
  task = g_task_new (self->widget, cancellable, saved_cb, NULL);
  g_task_set_source_tag (task, response_cb);
  /* A cancellation after the last write comes too late: the file is complete. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, self, saving_free);
  g_application_hold (g_application_get_default ());
  self->patience = fp_patience_new (self->widget, _ ("Saving…"), cancellable);
  g_task_run_in_thread (task, save_worker);
}

static char *
suggest_name (const FpSnapshot *snapshot)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local ((gint64)(snapshot->info.realtime_us / G_USEC_PER_SEC));
  g_autofree char *words = time ? g_date_time_format (time, "%Y-%m-%d %H.%M") : g_strdup ("snapshot");

  return g_strconcat (words, FP_SNAPSHOT_SUFFIX, NULL);
}

/* files: (nullable): what is known of those that its processes map */
void
fp_snapshot_saver_ask (GtkWidget *widget,
                       FpSnapshot *snapshot,
                       FpMappedFiles *files)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_ ("Save Snapshot"), GTK_WINDOW (gtk_widget_get_root (widget)),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);
  g_autofree char *name = suggest_name (snapshot);
  Saving *saving = g_new0 (Saving, 1);

  *saving = (Saving){ .widget = g_object_ref (widget), .snapshot = fp_snapshot_ref (snapshot) };
  saving->files = files ? fp_mapped_files_ref (files) : NULL;
  fp_snapshot_saver_add_filters (chooser);
  gtk_file_chooser_set_current_name (chooser, name);
  gtk_file_chooser_add_choice (chooser, WITH_COMMANDS, _ ("Include command lines, which may contain passwords"), NULL, NULL);
  gtk_file_chooser_set_choice (chooser, WITH_COMMANDS, "false");
  if (files)
    {
      gtk_file_chooser_add_choice (chooser, WITH_FILES, _ ("Include the list of files in memory"), NULL, NULL);
      gtk_file_chooser_set_choice (chooser, WITH_FILES, "true");
    }
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect (dialog, "response", G_CALLBACK (response_cb), saving);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}
