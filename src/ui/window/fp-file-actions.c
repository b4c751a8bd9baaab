// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-file-actions.h"
#include "fp-file-source.h"
#include "fp-message-dialog.h"
#include "fp-patience.h"
#include "fp-snapshot-saver.h"

#define MAX_RECENT 5

struct _FpFileActions
{
  GObject parent;

  /* Borrowed */
  GtkApplicationWindow *window;
  FpSession *session;

  /* Owned */
  GMenu *recent;
  GCancellable *cancellable; /* while a snapshot is opened to be compared */
  FpPatience *patience;
  FpSource *source;
  FpSnapshot *before;
};

G_DEFINE_FINAL_TYPE (FpFileActions, fp_file_actions, G_TYPE_OBJECT)

static void
stop_reading (FpFileActions *self)
{
  g_clear_pointer (&self->patience, fp_patience_free);
  g_clear_pointer (&self->before, fp_snapshot_unref);
  g_clear_object (&self->source);
  g_clear_object (&self->cancellable);
}

/* Each file gets a window of its own. */
static void
open_file (GFile *file)
{
  g_application_open (g_application_get_default (), &file, 1, "");
}

static void
choose_file (FpFileActions *self,
             const char *title,
             GCallback response)
{
  GtkFileChooserNative *dialog =
      gtk_file_chooser_native_new (title, GTK_WINDOW (self->window), GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);

  fp_snapshot_saver_add_filters (GTK_FILE_CHOOSER (dialog));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect_object (dialog, "response", response, self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

static void
open_response_cb (GtkNativeDialog *dialog,
                  int response,
                  FpFileActions *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog)) : NULL;

  g_object_unref (dialog);
  if (file)
    open_file (file);
}

static void
open_cb (GSimpleAction *action,
         GVariant *parameter,
         gpointer data)
{
  choose_file (data, _ ("Open Snapshot"), G_CALLBACK (open_response_cb));
}

static void
open_recent_cb (GSimpleAction *action,
                GVariant *parameter,
                gpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  open_file (file);
}

static void
save_cb (GSimpleAction *action,
         GVariant *parameter,
         gpointer data)
{
  FpFileActions *self = data;
  const FpSessionState *state = fp_session_get (self->session);

  if (state->snapshot)
    fp_snapshot_saver_ask (GTK_WIDGET (self->window), (FpSnapshot *)state->snapshot, fp_files_reader_get_files (state->files));
}

static void
set_enabled (FpFileActions *self,
             const char *name,
             gboolean is_enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->window), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), is_enabled);
}

static void
update (FpFileActions *self)
{
  const FpSessionState *state = fp_session_get (self->session);

  set_enabled (self, "save", state->snapshot != NULL);
  set_enabled (self, "compare", state->snapshot != NULL);
  set_enabled (self, "stop-comparing", state->before != NULL);
}

static void
compare (FpFileActions *self,
         FpMappedFiles *files)
{
  fp_session_compare (self->session, self->before, files, fp_source_get_status (self->source).name);
  stop_reading (self);
}

static void
files_cb (GObject *source,
          GAsyncResult *result,
          gpointer data)
{
  g_autoptr (FpFileActions) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappedFiles) files = fp_source_request_finish (FP_SOURCE (source), FP_REQUEST_MAPPED_FILES, result, &error);

  /* Most snapshots have none. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || !self->source)
    stop_reading (self);
  else
    compare (self, files);
}

static void
snapshot_cb (GObject *source,
             GAsyncResult *result,
             gpointer data)
{
  g_autoptr (FpFileActions) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpSnapshot) snapshot = fp_source_request_finish (FP_SOURCE (source), FP_REQUEST_COLLECT, result, &error);

  if (snapshot && self->source)
    {
      self->before = g_steal_pointer (&snapshot);
      fp_source_request_async (self->source, &(FpSourceRequest){ .kind = FP_REQUEST_MAPPED_FILES }, self->cancellable, files_cb,
                               g_object_ref (self));
      return;
    }
  stop_reading (self);
  if (error && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    fp_message_dialog_tell (GTK_WIDGET (self->window), _ ("The Snapshot Can’t Be Opened"), error->message);
}

static void
compare_response_cb (GtkNativeDialog *dialog,
                     int response,
                     FpFileActions *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog)) : NULL;

  g_object_unref (dialog);
  if (!file)
    return;
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  stop_reading (self);
  self->cancellable = g_cancellable_new ();
  self->source = fp_file_source_new (file);
  self->patience = fp_patience_new (GTK_WIDGET (self->window), _ ("Opening…"), self->cancellable);
  fp_snapshot_saver_remember (file);
  fp_source_request_async (self->source, &(FpSourceRequest){ .kind = FP_REQUEST_COLLECT }, self->cancellable, snapshot_cb,
                           g_object_ref (self));
}

static void
compare_cb (GSimpleAction *action,
            GVariant *parameter,
            gpointer data)
{
  choose_file (data, _ ("Compare With an Earlier Snapshot"), G_CALLBACK (compare_response_cb));
}

static void
stop_comparing_cb (GSimpleAction *action,
                   GVariant *parameter,
                   gpointer data)
{
  fp_session_compare (FP_FILE_ACTIONS (data)->session, NULL, NULL, NULL);
}

static gboolean
dropped_cb (GtkDropTarget *target,
            const GValue *value,
            double x,
            double y,
            FpFileActions *self)
{
  const GSList *files = gdk_file_list_get_files (g_value_get_boxed (value));

  for (const GSList *file = files; file; file = file->next)
    open_file (file->data);
  return files != NULL;
}

static gint
compare_visits (gconstpointer a,
                gconstpointer b)
{
  return g_date_time_compare (gtk_recent_info_get_visited ((GtkRecentInfo *)b), gtk_recent_info_get_visited ((GtkRecentInfo *)a));
}

/* The latest first. The menu has a line that can't be chosen where there is none. It is for when the menu opens, because
 * reading the list at the start would be in the way of the first frame. */
void
fp_file_actions_list_recent (FpFileActions *self)
{
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());

  items = g_list_sort (items, compare_visits);
  g_menu_remove_all (self->recent);
  for (GList *item = items; item && g_menu_model_get_n_items (G_MENU_MODEL (self->recent)) < MAX_RECENT; item = item->next)
    {
      GtkRecentInfo *info = item->data;
      g_autoptr (GMenuItem) shown = NULL;
      g_auto (GStrv) parts = NULL;
      g_autofree char *label = NULL;

      if (g_strcmp0 (gtk_recent_info_get_mime_type (info), FP_SNAPSHOT_TYPE) != 0 || !gtk_recent_info_exists (info))
        continue;
      /* An underline in a name is none of a letter to press. */
      parts = g_strsplit (gtk_recent_info_get_display_name (info), "_", -1);
      label = g_strjoinv ("__", parts);
      shown = g_menu_item_new (label, NULL);
      g_menu_item_set_action_and_target (shown, "win.open-recent", "s", gtk_recent_info_get_uri (info));
      g_menu_append_item (self->recent, shown);
    }
  g_list_free_full (items, (GDestroyNotify)gtk_recent_info_unref);
  if (g_menu_model_get_n_items (G_MENU_MODEL (self->recent)) == 0)
    g_menu_append (self->recent, _ ("No Snapshots Yet"), "win.no-recent");
}

static void
fp_file_actions_dispose (GObject *object)
{
  FpFileActions *self = FP_FILE_ACTIONS (object);

  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  stop_reading (self);
  g_clear_object (&self->recent);

  G_OBJECT_CLASS (fp_file_actions_parent_class)->dispose (object);
}

static void
fp_file_actions_class_init (FpFileActionsClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_file_actions_dispose;
}

static void
fp_file_actions_init (FpFileActions *self)
{
}

/* The window and the session must live longer. recent: for the files that were opened or saved last */
FpFileActions *
fp_file_actions_new (GtkApplicationWindow *window,
                     FpSession *session,
                     GMenu *recent)
{
  static const GActionEntry entries[] = {
    { "save", save_cb, NULL, NULL, NULL, { 0 } },
    { "open", open_cb, NULL, NULL, NULL, { 0 } },
    { "open-recent", open_recent_cb, "s", NULL, NULL, { 0 } },
    { "compare", compare_cb, NULL, NULL, NULL, { 0 } },
    { "stop-comparing", stop_comparing_cb, NULL, NULL, NULL, { 0 } },
  };
  FpFileActions *self = g_object_new (FP_TYPE_FILE_ACTIONS, NULL);
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  self->window = window;
  self->session = session;
  self->recent = g_object_ref (recent);
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (target, "drop", G_CALLBACK (dropped_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (window), GTK_EVENT_CONTROLLER (target));
  g_signal_connect_object (session, "refreshed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return self;
}
