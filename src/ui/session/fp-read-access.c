// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-helper-protocol.h"
#include "fp-message-dialog.h"
#include "fp-read-access.h"

struct _FpReadAccess
{
  GObject parent;

  GtkWindow *window;           /* a weak pointer */
  GSimpleActionGroup *actions; /* owned */
  FpSource *source;            /* the window keeps it */
  gboolean is_confined;        /* only the Flatpak's sandbox can be read, nothing of the host */
  gboolean shows_sandbox;      /* lists the sandbox's processes in place of the explanation */
};

enum
{
  CHANGED,
  REPORTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpReadAccess, fp_read_access, G_TYPE_OBJECT)

static void
enable (FpReadAccess *self,
        const char *name,
        gboolean is_enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), is_enabled);
}

static void
try_again_cb (FpReadAccess *self)
{
  g_action_group_activate_action (G_ACTION_GROUP (self->actions), "unlock", NULL);
}

/* Why it is locked, and what can be done about it; whoever gave up knows. */
static void
explain_lock (FpReadAccess *self,
              const GError *error)
{
  const char *advice = fp_source_get_status (self->source).advice;
  AdwMessageDialog *dialog;

  if (!advice || error->code == FP_HELPER_ERROR_CANCELLED || error->code == FP_HELPER_ERROR_LOCKED)
    {
      g_signal_emit (self, signals[REPORTED], 0, error->message);
      return;
    }
  dialog = ADW_MESSAGE_DIALOG (fp_message_dialog_new (self->window, _ ("Not All Processes Are Measured")));
  adw_message_dialog_format_body (dialog, "%s.\n\n%s", error->message, advice);
  adw_message_dialog_add_responses (dialog, "close", _ ("_Close"), "again", _ ("_Try Again"), NULL);
  adw_message_dialog_set_default_response (dialog, "close");
  g_signal_connect_object (dialog, "response::again", G_CALLBACK (try_again_cb), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
lock_changed_cb (FpReadAccess *self,
                 const GError *error)
{
  if (error)
    explain_lock (self, error);
  fp_read_access_update (self);
}

/* Another round over all ways to read ended as the one before. */
static void
reader_changed_cb (FpReadAccess *self)
{
  gboolean was_confined = self->is_confined;

  fp_read_access_update (self);
  if (was_confined && self->is_confined)
    g_signal_emit (self, signals[REPORTED], 0, _ ("The host still can’t be read"));
}

static void
unlock_cb (GSimpleAction *action,
           GVariant *parameter,
           gpointer data)
{
  fp_source_unlock_async (FP_READ_ACCESS (data)->source, NULL, NULL, NULL);
}

static void
lock_cb (GSimpleAction *action,
         GVariant *parameter,
         gpointer data)
{
  fp_source_lock (FP_READ_ACCESS (data)->source);
}

static void
show_sandbox_cb (GSimpleAction *action,
                 GVariant *parameter,
                 gpointer data)
{
  FpReadAccess *self = data;

  self->shows_sandbox = g_str_equal (g_action_get_name (G_ACTION (action)), "show-sandbox");
  fp_read_access_update (self);
}

static void
add_actions (FpReadAccess *self)
{
  static const GActionEntry entries[] = {
    { "unlock", unlock_cb, NULL, NULL, NULL, { 0 } },
    { "lock", lock_cb, NULL, NULL, NULL, { 0 } },
    { "show-sandbox", show_sandbox_cb, NULL, NULL, NULL, { 0 } },
    { "explain-sandbox", show_sandbox_cb, NULL, NULL, NULL, { 0 } },
  };

  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self->window), "access", G_ACTION_GROUP (self->actions));
}

static void
fp_read_access_dispose (GObject *object)
{
  FpReadAccess *self = FP_READ_ACCESS (object);

  if (self->window)
    gtk_widget_insert_action_group (GTK_WIDGET (self->window), "access", NULL);
  g_clear_weak_pointer (&self->window);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (fp_read_access_parent_class)->dispose (object);
}

static void
fp_read_access_class_init (FpReadAccessClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_read_access_dispose;

  signals[CHANGED] =
      g_signal_new ("changed", FP_TYPE_READ_ACCESS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[REPORTED] = g_signal_new ("reported", FP_TYPE_READ_ACCESS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
fp_read_access_init (FpReadAccess *self)
{
}

/* The session keeps the source. */
FpReadAccess *
fp_read_access_new (GtkWindow *window,
                    FpSource *source)
{
  FpReadAccess *self = g_object_new (FP_TYPE_READ_ACCESS, NULL);

  g_set_weak_pointer (&self->window, window);
  self->source = source;
  add_actions (self);
  g_signal_connect_object (source, "lock-changed", G_CALLBACK (lock_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (source, "reader-changed", G_CALLBACK (reader_changed_cb), self, G_CONNECT_SWAPPED);
  return self;
}

void
fp_read_access_update (FpReadAccess *self)
{
  FpSourceStatus status;

  g_return_if_fail (FP_IS_READ_ACCESS (self));

  status = fp_source_get_status (self->source);
  self->is_confined = status.is_confined;
  enable (self, "unlock", status.can_unlock);
  enable (self, "lock", status.is_unlocked);
  g_signal_emit (self, signals[CHANGED], 0);
}

gboolean
fp_read_access_is_confined (FpReadAccess *self)
{
  g_return_val_if_fail (FP_IS_READ_ACCESS (self), FALSE);

  return self->is_confined;
}

/* The processes it reads are those this process sees. */
gboolean
fp_read_access_may_signal (FpReadAccess *self)
{
  FpSourceStatus status;

  g_return_val_if_fail (FP_IS_READ_ACCESS (self), FALSE);

  status = fp_source_get_status (self->source);
  return !status.is_saved && (!status.is_sandboxed || self->is_confined);
}

/* The sandbox that is explained in place of the processes. NULL: the processes are shown */
FpSource *
fp_read_access_get_explained (FpReadAccess *self)
{
  g_return_val_if_fail (FP_IS_READ_ACCESS (self), NULL);

  return self->is_confined && !self->shows_sandbox ? self->source : NULL;
}

/* In any /proc there is this program at least. Where the first process is to be seen, it is that of a container: outside
 * of one it is only hidden with all others. NULL: nothing is hidden; free the text. */
static char *
explain_hidden (const FpSnapshot *snapshot)
{
  guint64 hidden = fp_system_get (&snapshot->system, FP_SYSTEM_HIDDEN_TASKS);

  if (snapshot->n_processes == 0)
    return g_strdup (_ ("There are no processes in the folder they are read from. If that is /proc, it is not mounted: the "
                        "administrator can do that with “mount -t proc proc /proc”. Else start Footprint without “--proc”."));
  if (hidden == 0)
    return NULL;
  if (fp_snapshot_find (snapshot, 1))
    return g_strdup (_ ("This is inside a container: the machine runs more processes than can be seen from here. Start "
                        "Footprint outside to see all of it."));
  return g_strdup (_ ("This machine hides other users’ processes (/proc is mounted with “hidepid”). Its administrator "
                      "can let a group see them with “gid=”."));
}

/* Explains which processes are hidden. NULL: none are; free the text. */
char *
fp_read_access_explain_hidden (FpReadAccess *self,
                               const FpSnapshot *snapshot)
{
  g_return_val_if_fail (FP_IS_READ_ACCESS (self), NULL);

  if (self->is_confined)
    return g_strdup (_ ("Only the processes of this Flatpak’s own sandbox are seen here."));
  return fp_source_get_status (self->source).is_saved ? NULL : explain_hidden (snapshot);
}
