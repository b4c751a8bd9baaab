// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-file-actions.h"
#include "fp-file-opener.h"
#include "fp-file-source.h"
#include "fp-message-dialog.h"
#include "fp-patience.h"
#include "fp-snapshot-saver.h"

struct _FpFileActions
{
  GObject parent;

  /* Borrowed */
  GtkApplicationWindow *window;
  FpSession *session;

  /* Owned */
  GCancellable *cancellable; /* while a snapshot is opened to be compared */
  FpPatience *patience;
  FpSource *source;
  FpSnapshot *before;
  FpMappedFiles *files; /* (nullable): of it */
};

G_DEFINE_FINAL_TYPE (FpFileActions, fp_file_actions, G_TYPE_OBJECT)

static void
stop_reading (FpFileActions *self)
{
  g_clear_pointer (&self->patience, fp_patience_free);
  g_clear_pointer (&self->before, fp_snapshot_unref);
  g_clear_pointer (&self->files, fp_mapped_files_unref);
  g_clear_object (&self->source);
  g_clear_object (&self->cancellable);
}

static void
save_cb (GSimpleAction *action,
         GVariant *parameter,
         gpointer data)
{
  FpFileActions *self = data;
  const FpSessionState *state = fp_session_get (self->session);

  if (state->snapshot)
    fp_snapshot_saver_ask (GTK_WIDGET (self->window), (FpSnapshot *)state->snapshot, fp_files_reader_get_files (state->files),
                           state->source, state->groups);
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
ask_file (FpFileActions *self,
          FpRequestKind kind,
          GAsyncReadyCallback callback)
{
  fp_source_request_async (self->source, &(FpSourceRequest){ .kind = kind }, self->cancellable, callback, g_object_ref (self));
}

/* Another file may have been chosen since. */
static gboolean
is_current (FpFileActions *self,
            GObject *source)
{
  return self->source && G_OBJECT (self->source) == source;
}

static void
groups_cb (GObject *source,
           GAsyncResult *result,
           gpointer data)
{
  g_autoptr (FpFileActions) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpControlGroups) groups =
      fp_source_request_finish (FP_SOURCE (source), FP_REQUEST_CONTROL_GROUPS, result, &error);

  if (!is_current (self, source))
    return;
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    fp_session_compare (self->session, self->before, self->files, groups, fp_source_get_status (self->source).name);
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

  if (!is_current (self, source))
    return;
  /* Most snapshots have none. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      stop_reading (self);
      return;
    }
  self->files = g_steal_pointer (&files);
  ask_file (self, FP_REQUEST_CONTROL_GROUPS, groups_cb);
}

static void
snapshot_cb (GObject *source,
             GAsyncResult *result,
             gpointer data)
{
  g_autoptr (FpFileActions) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpSnapshot) snapshot = fp_source_request_finish (FP_SOURCE (source), FP_REQUEST_COLLECT, result, &error);

  if (!is_current (self, source))
    return;
  if (snapshot)
    {
      self->before = g_steal_pointer (&snapshot);
      ask_file (self, FP_REQUEST_MAPPED_FILES, files_cb);
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
  /* Translators: said while a file is opened */
  self->patience = fp_patience_new (GTK_WIDGET (self->window), _ ("Opening…"), self->cancellable);
  fp_file_opener_remember (file, FP_SNAPSHOT_TYPE);
  ask_file (self, FP_REQUEST_COLLECT, snapshot_cb);
}

static void
compare_cb (GSimpleAction *action,
            GVariant *parameter,
            gpointer data)
{
  FpFileActions *self = data;
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_ ("Compare With an Earlier Snapshot"), GTK_WINDOW (self->window),
                                                              GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);

  fp_snapshot_saver_add_filters (GTK_FILE_CHOOSER (dialog));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect_object (dialog, "response", G_CALLBACK (compare_response_cb), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

static void
stop_comparing_cb (GSimpleAction *action,
                   GVariant *parameter,
                   gpointer data)
{
  fp_session_compare (FP_FILE_ACTIONS (data)->session, NULL, NULL, NULL, NULL);
}

static void
fp_file_actions_dispose (GObject *object)
{
  FpFileActions *self = FP_FILE_ACTIONS (object);

  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  stop_reading (self);

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

/* The window and the session must live longer. */
FpFileActions *
fp_file_actions_new (GtkApplicationWindow *window,
                     FpSession *session)
{
  static const GActionEntry entries[] = {
    { "save", save_cb, NULL, NULL, NULL, { 0 } },
    { "compare", compare_cb, NULL, NULL, NULL, { 0 } },
    { "stop-comparing", stop_comparing_cb, NULL, NULL, NULL, { 0 } },
  };
  FpFileActions *self = g_object_new (FP_TYPE_FILE_ACTIONS, NULL);

  self->window = window;
  self->session = session;
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (session, "refreshed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return self;
}
