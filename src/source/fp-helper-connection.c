// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "fp-helper-connection.h"
#include "fp-helper-protocol.h"
#include "fp-host-command.h"
#include "fp-messages.h"

#define EXIT_DISMISSED 126 /* of pkexec */
#define EXIT_DENIED    127
#define HELPER_PREFIX  "footprint-helper: " /* of what it prints */
#define MESSAGES_KEY   "footprint-messages"

struct _FpHelperConnection
{
  GObject parent;

  char **command;      /* NULL: the one on the system bus */
  gboolean is_on_host; /* the command, outside the Flatpak that this process is in */
  gboolean is_as_root; /* the command, which asks for a password first */
  GSubprocess *process;
  GDBusConnection *connection;
};

G_DEFINE_FINAL_TYPE (FpHelperConnection, fp_helper_connection, G_TYPE_OBJECT)

/* Takes the error. */
static void
fail (GTask *task,
      GError *error)
{
  FpHelperConnection *self = g_task_get_source_object (task);

  /* The question for the password goes with who asked it. */
  if (self->is_as_root && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    fp_helper_connection_drop (self);
  g_task_return_error (task, error);
}

/* The system's helper may say any: fields are only ever added. What this program brings along is of its own version. */
static gboolean
check_version (FpHelperConnection *self,
               GVariant *reply,
               GError **error)
{
  g_autoptr (GVariant) version = NULL;

  g_variant_get (reply, "(v)", &version);
  if (!self->is_on_host || (g_variant_is_of_type (version, G_VARIANT_TYPE_STRING) &&
                            g_str_equal (g_variant_get_string (version, NULL), FP_VERSION)))
    return TRUE;
  g_set_error_literal (error, FP_HELPER_ERROR, FP_HELPER_ERROR_OTHER_VERSION, "another version was started on the host");
  return FALSE;
}

/* words: the last of pkexec or of what it started, or NULL */
static void
explain_end (GTask *task,
             int status,
             const char *words)
{
  FpHelperError code = FP_HELPER_ERROR_CRASHED;

  if (status != -1 && WIFEXITED (status))
    switch (WEXITSTATUS (status))
      {
      case EXIT_DISMISSED:
        code = FP_HELPER_ERROR_CANCELLED;
        break;
      case EXIT_DENIED: /* not translated by pkexec */
        code = words && strstr (words, "authentication agent") ? FP_HELPER_ERROR_NO_AGENT : FP_HELPER_ERROR_DENIED;
        break;
      case FP_HELPER_EXIT_UNTRUSTED:
        code = FP_HELPER_ERROR_UNTRUSTED;
        break;
      case FP_HELPER_EXIT_NO_PKEXEC:
        code = FP_HELPER_ERROR_NOT_INSTALLED;
        break;
      default:
        break;
      }
  if (words && g_str_has_prefix (words, HELPER_PREFIX))
    words += strlen (HELPER_PREFIX);
  fail (task, g_error_new_literal (FP_HELPER_ERROR, (gint)code, words ? words : "ended"));
}

static void
all_said_cb (GObject *object,
             GAsyncResult *result,
             gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autofree char *words = fp_messages_await_finish (result);

  explain_end (task, g_subprocess_get_status (g_task_get_task_data (task)), words);
}

static void
exited_cb (GObject *object,
           GAsyncResult *result,
           gpointer data)
{
  GTask *task = data;

  g_subprocess_wait_finish (G_SUBPROCESS (object), result, NULL);
  g_task_set_task_data (task, g_object_ref (object), g_object_unref);
  fp_messages_await_async (g_object_get_data (object, MESSAGES_KEY), all_said_cb, task);
}

static void
exited_on_host_cb (GObject *object,
                   GAsyncResult *result,
                   gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autofree char *words = NULL;
  int status = fp_host_command_wait_finish (result, &words);

  explain_end (task, status, words);
}

/* Its end says why. */
static void
wait_for_end (GTask *task)
{
  FpHelperConnection *self = g_task_get_source_object (task);
  g_autoptr (GSubprocess) process = self->process ? g_object_ref (self->process) : NULL;

  if (process)
    g_subprocess_wait_async (process, NULL, exited_cb, g_object_ref (task));
  else
    fp_host_command_wait_async (g_dbus_connection_get_stream (self->connection), exited_on_host_cb, g_object_ref (task));
}

static void
known_cb (GObject *object,
          GAsyncResult *result,
          gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GVariant) reply = NULL;
  GError *error = NULL;

  reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (object), result, &error);
  if (reply)
    g_task_return_boolean (task, TRUE);
  else
    fail (task, error);
}

/* The helper answers few calls of a connection before it knows whose that is. Nothing is unlocked yet, so this is all that
 * Lock does. */
static void
become_known (GTask *task)
{
  FpHelperConnection *self = g_task_get_source_object (task);

  g_dbus_connection_call (self->connection, FP_HELPER_BUS_NAME, FP_HELPER_PATH, FP_HELPER_INTERFACE, "Lock", NULL,
                          G_VARIANT_TYPE ("(as)"), G_DBUS_CALL_FLAGS_NONE, FP_HELPER_TIMEOUT_MS,
                          g_task_get_cancellable (task), known_cb, g_object_ref (task));
}

static void
version_cb (GObject *object,
            GAsyncResult *result,
            gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GVariant) version = NULL;
  FpHelperConnection *self = g_task_get_source_object (task);
  GError *error = NULL;

  version = g_dbus_connection_call_finish (G_DBUS_CONNECTION (object), result, &error);
  if (version && check_version (self, version, &error) && !self->command && self->connection)
    become_known (task);
  else if (version && !error)
    g_task_return_boolean (task, TRUE);
  else if (self->is_as_root && self->connection && fp_helper_error_find (error) == FP_HELPER_ERROR_CRASHED)
    {
      g_error_free (error);
      wait_for_end (task);
    }
  else
    fail (task, error);
}

static void
connected_cb (GObject *object,
              GAsyncResult *result,
              gpointer data)
{
  g_autoptr (GTask) task = data;
  FpHelperConnection *self = g_task_get_source_object (task);
  GError *error = NULL;
  g_autoptr (GDBusConnection) connection =
      self->command ? g_dbus_connection_new_finish (result, &error) : g_dbus_connection_new_for_address_finish (result, &error);

  if (!connection)
    {
      if (!self->command && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_clear_error (&error);
          g_set_error_literal (&error, FP_HELPER_ERROR, FP_HELPER_ERROR_NO_BUS, "");
        }
      fail (task, error);
      return;
    }
  g_set_object (&self->connection, connection);
  g_dbus_connection_call (connection, fp_helper_connection_get_name (self), FP_HELPER_PATH,
                          "org.freedesktop.DBus.Properties", "Get",
                          g_variant_new ("(ss)", FP_HELPER_INTERFACE, "Version"), G_VARIANT_TYPE ("(v)"),
                          G_DBUS_CALL_FLAGS_NONE, self->is_as_root ? G_MAXINT : FP_HELPER_TIMEOUT_MS,
                          g_task_get_cancellable (task), version_cb,
                          g_object_ref (task));
}

/* Nothing is asked of it before the version has come, so nothing is lost if it is something else. */
static void
start_process (GTask *task)
{
  FpHelperConnection *self = g_task_get_source_object (task);
  g_autoptr (GIOStream) stream = NULL;
  GError *error = NULL;

  g_clear_object (&self->process);
  self->process = g_subprocess_newv ((const char *const *)self->command,
                                     G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                         (self->is_as_root ? G_SUBPROCESS_FLAGS_STDERR_PIPE : 0),
                                     &error);
  if (!self->process)
    {
      fail (task, error);
      return;
    }
  if (self->is_as_root)
    g_object_set_data_full (G_OBJECT (self->process), MESSAGES_KEY,
                            fp_messages_new (g_subprocess_get_stderr_pipe (self->process), "as root"),
                            fp_messages_unref);
  stream = g_simple_io_stream_new (g_subprocess_get_stdout_pipe (self->process),
                                   g_subprocess_get_stdin_pipe (self->process));
  g_dbus_connection_new (stream, NULL, G_DBUS_CONNECTION_FLAGS_NONE, NULL, g_task_get_cancellable (task), connected_cb,
                         g_object_ref (task));
}

/* Takes the error. To this process a name it may not talk to does not exist; what else Flatpak answers is not about
 * the interface of the helper. */
static GError *
explain_start (GError *error)
{
  FpHelperError code = fp_helper_error_find (error);
  GError *explained;

  if (error->domain != G_DBUS_ERROR || code == FP_HELPER_ERROR_TIMED_OUT)
    return error;
  if (code != FP_HELPER_ERROR_NOT_INSTALLED && code != FP_HELPER_ERROR_DENIED)
    code = FP_HELPER_ERROR_FAILED;
  else
    code = FP_HELPER_ERROR_SANDBOXED;
  g_dbus_error_strip_remote_error (error);
  explained = g_error_new_literal (FP_HELPER_ERROR, (gint)code, error->message);
  g_error_free (error);
  return explained;
}

static void
started_on_host_cb (GObject *object,
                    GAsyncResult *result,
                    gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  g_autoptr (GIOStream) stream = fp_host_command_start_finish (result, &error);

  if (stream)
    g_dbus_connection_new (stream, NULL, G_DBUS_CONNECTION_FLAGS_NONE, NULL, g_task_get_cancellable (task),
                           connected_cb, g_object_ref (task));
  else
    fail (task, explain_start (error));
}

void
fp_helper_connection_open_async (FpHelperConnection *self,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *address = NULL;
  GError *error = NULL;

  g_return_if_fail (FP_IS_HELPER_CONNECTION (self));

  task = g_task_new (self, cancellable, callback, data);
  g_task_set_source_tag (task, fp_helper_connection_open_async);
  /* How it failed is what tells whether it can be used again. */
  g_task_set_check_cancellable (task, FALSE);
  if (self->is_on_host)
    fp_host_command_start_async ((const char *const *)self->command, cancellable, started_on_host_cb,
                                 g_object_ref (task));
  else if (self->command)
    start_process (task);
  else if ((address = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SYSTEM, NULL, &error)))
    g_dbus_connection_new_for_address (
        address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL,
        cancellable, connected_cb, g_object_ref (task));
  else
    fail (task, error);
}

gboolean
fp_helper_connection_open_finish (FpHelperConnection *self,
                                  GAsyncResult *result,
                                  GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

gboolean
fp_helper_connection_is_on_host (FpHelperConnection *self)
{
  g_return_val_if_fail (FP_IS_HELPER_CONNECTION (self), FALSE);

  return self->is_on_host;
}

/* To open it asks for a password. */
gboolean
fp_helper_connection_is_as_root (FpHelperConnection *self)
{
  g_return_val_if_fail (FP_IS_HELPER_CONNECTION (self), FALSE);

  return self->is_as_root;
}

/* The helper's well-known bus name; NULL on a peer-to-peer connection. */
const char *
fp_helper_connection_get_name (FpHelperConnection *self)
{
  g_return_val_if_fail (FP_IS_HELPER_CONNECTION (self), NULL);

  return self->command ? NULL : FP_HELPER_BUS_NAME;
}

/* NULL: it is not open */
GDBusConnection *
fp_helper_connection_get (FpHelperConnection *self)
{
  g_return_val_if_fail (FP_IS_HELPER_CONNECTION (self), NULL);

  if (self->connection && g_dbus_connection_is_closed (self->connection))
    fp_helper_connection_drop (self);
  return self->connection;
}

/* The caller closes the connection. NULL: it is not open */
GDBusConnection *
fp_helper_connection_steal (FpHelperConnection *self)
{
  g_return_val_if_fail (FP_IS_HELPER_CONNECTION (self), NULL);

  return g_steal_pointer (&self->connection);
}

/* Ends what was started. */
void
fp_helper_connection_drop (FpHelperConnection *self)
{
  g_return_if_fail (FP_IS_HELPER_CONNECTION (self));

  if (self->connection)
    g_dbus_connection_close (self->connection, NULL, NULL, NULL);
  /* A command that is still asking for a password reads no input, so it does not notice the closed connection. */
  if (self->process && self->is_as_root)
    g_subprocess_send_signal (self->process, SIGTERM);
  g_clear_object (&self->connection);
  g_clear_object (&self->process);
}

static void
fp_helper_connection_dispose (GObject *object)
{
  fp_helper_connection_drop (FP_HELPER_CONNECTION (object));

  G_OBJECT_CLASS (fp_helper_connection_parent_class)->dispose (object);
}

static void
fp_helper_connection_finalize (GObject *object)
{
  g_strfreev (FP_HELPER_CONNECTION (object)->command);

  G_OBJECT_CLASS (fp_helper_connection_parent_class)->finalize (object);
}

static void
fp_helper_connection_class_init (FpHelperConnectionClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_helper_connection_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_helper_connection_finalize;
}

static void
fp_helper_connection_init (FpHelperConnection *self)
{
}

/* command: NULL: the helper on the system bus. On a connection of its own: closing it takes every permission back that
 * polkit does not keep. */
FpHelperConnection *
fp_helper_connection_new (const char *const *command,
                          gboolean is_on_host,
                          gboolean is_as_root)
{
  FpHelperConnection *self = g_object_new (FP_TYPE_HELPER_CONNECTION, NULL);

  self->command = g_strdupv ((char **)command);
  self->is_on_host = is_on_host;
  self->is_as_root = is_as_root;
  return self;
}
