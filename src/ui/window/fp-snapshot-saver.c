// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-file-opener.h"
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
  FpMappedFiles *files;    /* (nullable) */
  FpControlGroups *groups; /* (nullable) */
  gboolean with_commands;
  GFile *file; /* NULL: it is asked for yet */
  GCancellable *cancellable;
  gboolean awaits_groups;
  FpPatience *patience;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *self = data;

  g_clear_pointer (&self->patience, fp_patience_free);
  g_clear_pointer (&self->files, fp_mapped_files_unref);
  g_clear_pointer (&self->groups, fp_control_groups_unref);
  g_clear_object (&self->file);
  g_clear_object (&self->cancellable);
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
  g_autoptr (GBytes) bytes = fp_saved_file_pack (self->snapshot, self->files, self->groups, self->with_commands, &error);
  gsize size;
  const char *text = bytes ? g_bytes_get_data (bytes, &size) : NULL;

  if (text && g_file_replace_contents (self->file, text, size, NULL, FALSE, G_FILE_CREATE_PRIVATE, NULL, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
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

      fp_file_opener_remember (self->file, FP_SNAPSHOT_TYPE);
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

  /* Translators: a kind of files */
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
begin (Saving *self)
{
  g_autoptr (GTask) task = g_task_new (self->widget, self->cancellable, saved_cb, NULL);

  g_task_set_source_tag (task, begin);
  /* A cancellation after the last write comes too late: the file is complete. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, self, saving_free);
  g_task_run_in_thread (task, save_worker);
}

/* Where groups can't be read, the file has none. The file may be chosen by now, or the dialog dismissed. */
static void
groups_cb (GObject *source,
           GAsyncResult *result,
           gpointer data)
{
  Saving *self = data;

  self->groups = fp_source_request_finish (FP_SOURCE (source), FP_REQUEST_CONTROL_GROUPS, result, NULL);
  self->awaits_groups = FALSE;
  if (self->file)
    begin (self);
  else if (g_cancellable_is_cancelled (self->cancellable))
    saving_free (self);
}

static void
dismiss (Saving *self)
{
  g_cancellable_cancel (self->cancellable);
  if (!self->awaits_groups)
    saving_free (self);
}

static void
response_cb (GtkNativeDialog *dialog,
             int response,
             gpointer data)
{
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);
  Saving *self = data;

  if (response != GTK_RESPONSE_ACCEPT)
    {
      dismiss (self);
      g_object_unref (dialog);
      return;
    }
  self->file = gtk_file_chooser_get_file (chooser);
  self->with_commands = get_choice (chooser, WITH_COMMANDS);
  if (self->files && !get_choice (chooser, WITH_FILES))
    g_clear_pointer (&self->files, fp_mapped_files_unref);
  g_object_unref (dialog);

  g_application_hold (g_application_get_default ());
  /* Translators: said while a file is saved */
  self->patience = fp_patience_new (self->widget, _ ("Saving…"), self->cancellable);
  if (!self->awaits_groups)
    begin (self);
}

static char *
suggest_name (const FpSnapshot *snapshot)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local ((gint64)(snapshot->info.realtime_us / G_USEC_PER_SEC));
  g_autofree char *words = time ? g_date_time_format (time, "%Y-%m-%d %H.%M") : g_strdup ("snapshot");

  return g_strconcat (words, FP_SNAPSHOT_SUFFIX, NULL);
}

/* Views that are shown have asked for groups; else they are read while the dialog is open. */
static void
find_groups (Saving *self,
             FpSource *source,
             FpControlGroups *groups)
{
  if (groups)
    {
      self->groups = fp_control_groups_ref (groups);
      return;
    }
  self->awaits_groups = TRUE;
  fp_source_request_async (source, &(FpSourceRequest){ .kind = FP_REQUEST_CONTROL_GROUPS }, self->cancellable, groups_cb, self);
}

/* files: (nullable): what is known of those that its processes map; source: of the snapshot; groups: (nullable): those of that
 * moment */
void
fp_snapshot_saver_ask (GtkWidget *widget,
                       FpSnapshot *snapshot,
                       FpMappedFiles *files,
                       FpSource *source,
                       FpControlGroups *groups)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_ ("Save Snapshot"), GTK_WINDOW (gtk_widget_get_root (widget)),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);
  g_autofree char *name = suggest_name (snapshot);
  Saving *saving = g_new0 (Saving, 1);

  *saving = (Saving){ .widget = g_object_ref (widget), .snapshot = fp_snapshot_ref (snapshot) };
  saving->files = files ? fp_mapped_files_ref (files) : NULL;
  saving->cancellable = g_cancellable_new ();
  find_groups (saving, source, groups);
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
