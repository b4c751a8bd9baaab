// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <gio/gunixfdlist.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-helper-source.h"
#include "fp-host-command.h"
#include "fp-parting.h"
#include "fp-sealed-memory.h"
#include "fp-snapshot-file.h"

#define TIMEOUT_MS     (20 * 1000)
#define EXIT_DISMISSED 126 /* of pkexec */
#define EXIT_DENIED    127

struct _FpHelperSource
{
  GObject parent;

  char **command;      /* NULL: the one on the system bus */
  gboolean is_on_host; /* the command, outside the Flatpak that this process is in */
  gboolean is_as_root; /* the command, which asks for a password first */
  GSubprocess *process;
  GDBusConnection *connection;
  gboolean wants_all;
  gboolean may_ask; /* once */
  FpAccess access;
  FpSnapshotPool *pool;
  guint n_partings;
  GPtrArray *waiting; /* tasks, until the partings are over */
};

/* One call, from the connection it may need first to what its answer is turned into. */
typedef struct
{
  const char *method;
  GVariant *arguments;
  const GVariantType *reply_type;
  GBytes *bytes;
  gboolean may_ask;
  const GDBusConnection *connection; /* it was sent on, NULL: not yet; only to be compared */
} Call;

static void fp_helper_source_iface_init (FpSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FpHelperSource,
                               fp_helper_source,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FP_TYPE_SOURCE, fp_helper_source_iface_init))

static void
call_free (gpointer data)
{
  Call *call = data;

  g_variant_unref (call->arguments);
  g_clear_pointer (&call->bytes, g_bytes_unref);
  g_free (call);
}

static FpHelperError
find_code (const GError *error)
{
  static const struct
  {
    GDBusError code;
    FpHelperError meaning;
  } meanings[] = {
    { G_DBUS_ERROR_SERVICE_UNKNOWN, FP_HELPER_ERROR_NOT_INSTALLED },
    { G_DBUS_ERROR_NAME_HAS_NO_OWNER, FP_HELPER_ERROR_NOT_INSTALLED },
    { G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND, FP_HELPER_ERROR_NOT_INSTALLED },
    { G_DBUS_ERROR_SPAWN_FILE_INVALID, FP_HELPER_ERROR_NOT_INSTALLED },
    { G_DBUS_ERROR_SPAWN_EXEC_FAILED, FP_HELPER_ERROR_NOT_INSTALLED },
    { G_DBUS_ERROR_SPAWN_CHILD_EXITED, FP_HELPER_ERROR_CRASHED },
    { G_DBUS_ERROR_SPAWN_CHILD_SIGNALED, FP_HELPER_ERROR_CRASHED },
    { G_DBUS_ERROR_NO_REPLY, FP_HELPER_ERROR_CRASHED },
    { G_DBUS_ERROR_DISCONNECTED, FP_HELPER_ERROR_CRASHED },
    { G_DBUS_ERROR_ACCESS_DENIED, FP_HELPER_ERROR_DENIED },
    { G_DBUS_ERROR_UNKNOWN_INTERFACE, FP_HELPER_ERROR_OTHER_VERSION },
    { G_DBUS_ERROR_UNKNOWN_OBJECT, FP_HELPER_ERROR_OTHER_VERSION },
    { G_DBUS_ERROR_UNKNOWN_METHOD, FP_HELPER_ERROR_OTHER_VERSION },
    { G_DBUS_ERROR_INVALID_ARGS, FP_HELPER_ERROR_OTHER_VERSION },
    { G_DBUS_ERROR_TIMED_OUT, FP_HELPER_ERROR_TIMED_OUT },
    { G_DBUS_ERROR_TIMEOUT, FP_HELPER_ERROR_TIMED_OUT },
    { G_DBUS_ERROR_LIMITS_EXCEEDED, FP_HELPER_ERROR_BUSY },
  };

  if (error->domain == FP_HELPER_ERROR)
    return (FpHelperError)error->code;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    return FP_HELPER_ERROR_TIMED_OUT;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CLOSED) ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE))
    return FP_HELPER_ERROR_CRASHED;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT))
    return FP_HELPER_ERROR_OTHER_VERSION; /* an answer of another type */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND) || error->domain == G_SPAWN_ERROR)
    return FP_HELPER_ERROR_NOT_INSTALLED;
  for (guint i = 0; i < G_N_ELEMENTS (meanings); i++)
    if (g_error_matches (error, G_DBUS_ERROR, (gint)meanings[i].code))
      return meanings[i].meaning;
  return FP_HELPER_ERROR_FAILED;
}

static void
drop_connection (FpHelperSource *self)
{
  if (self->connection)
    g_dbus_connection_close (self->connection, NULL, NULL, NULL);
  /* What is still asking for a password reads no input. */
  if (self->process && self->is_as_root)
    g_subprocess_send_signal (self->process, SIGTERM);
  g_clear_object (&self->connection);
  g_clear_object (&self->process);
}

/* Takes the error; what the machine said stays behind the words for people. */
static void
fail (GTask *task,
      GError *error)
{
  FpHelperSource *self = g_task_get_source_object (task);
  const Call *call = g_task_get_task_data (task);
  FpHelperError code;
  const char *message;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      /* The question for the password goes with who asked it. */
      if (self->is_as_root && !call->connection)
        drop_connection (self);
      g_task_return_error (task, error);
      return;
    }
  code = find_code (error);
  if (!self->is_on_host || !(message = fp_helper_error_get_agent_message (code)))
    message = fp_helper_error_get_message (code);
  g_dbus_error_strip_remote_error (error);
  if (code == FP_HELPER_ERROR_FAILED || code == FP_HELPER_ERROR_DAMAGED)
    g_task_return_new_error (task, FP_HELPER_ERROR, (gint)code, "%s: %s", message, error->message);
  else
    g_task_return_new_error (task, FP_HELPER_ERROR, (gint)code, "%s", message);
  g_debug ("helper: %s", error->message);
  if ((code == FP_HELPER_ERROR_CRASHED || code == FP_HELPER_ERROR_OTHER_VERSION || code == FP_HELPER_ERROR_TIMED_OUT) &&
      (!call->connection || call->connection == self->connection))
    drop_connection (self);
  g_error_free (error);
}

static FpMappings *
parse_mappings (GBytes *bytes)
{
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);

  if (size > 0)
    fp_mapping_scanner_feed (scanner, text, size);
  return fp_mapping_scanner_finish (scanner);
}

static FpLimits *
parse_limits (GVariant *reply)
{
  g_autoptr (GVariant) limits = g_variant_get_child_value (reply, 0);
  FpLimits *self = g_new (FpLimits, 1);

  fp_limits_init (self);
  g_variant_lookup (limits, "address-space", "t", &self->address_space);
  g_variant_lookup (limits, "group-max", "t", &self->group_max);
  g_variant_lookup (limits, "group-high", "t", &self->group_high);
  return self;
}

static void fp_helper_source_load_mappings_async (FpSource *self,
                                                  const FpProcessId *id,
                                                  GCancellable *cancellable,
                                                  GAsyncReadyCallback callback,
                                                  gpointer data);
static void fp_helper_source_load_limits_async (FpSource *self,
                                                const FpProcessId *id,
                                                GCancellable *cancellable,
                                                GAsyncReadyCallback callback,
                                                gpointer data);

/* As if an enemy had written it. */
static void
fp_helper_source_parse_worker (GTask *task,
                               gpointer source,
                               gpointer data,
                               GCancellable *cancellable)
{
  GBytes *bytes = ((Call *)data)->bytes;
  g_autoptr (GError) error = NULL;
  FpSnapshot *snapshot;

  if (g_task_get_source_tag (task) == fp_helper_source_load_mappings_async)
    {
      g_task_return_pointer (task, parse_mappings (bytes), (GDestroyNotify)fp_mappings_unref);
      return;
    }
  if ((snapshot = fp_snapshot_take_bytes (bytes, FP_HELPER_SOURCE (source)->pool, &error)))
    g_task_return_pointer (task, snapshot, (GDestroyNotify)fp_snapshot_unref);
  else
    g_task_return_new_error (task, FP_HELPER_ERROR, FP_HELPER_ERROR_DAMAGED, "%s: %s",
                             fp_helper_error_get_message (FP_HELPER_ERROR_DAMAGED), error->message);
}

static GBytes *
take_block (GVariant *block,
            GUnixFDList *fds,
            GError **error)
{
  g_autoptr (GError) problem = NULL;
  GBytes *bytes;
  int fd;

  if (g_variant_is_of_type (block, G_VARIANT_TYPE_BYTESTRING))
    return g_variant_get_data_as_bytes (block);
  if (!g_variant_is_of_type (block, G_VARIANT_TYPE_HANDLE) || !fds)
    {
      g_set_error_literal (error, FP_HELPER_ERROR, FP_HELPER_ERROR_DAMAGED, g_variant_get_type_string (block));
      return NULL;
    }
  if ((fd = g_unix_fd_list_get (fds, g_variant_get_handle (block), error)) < 0)
    return NULL;
  bytes = fp_sealed_memory_map (fd, FP_HELPER_MAX_BLOCK, &problem);
  close (fd);
  if (!bytes)
    g_set_error_literal (error, FP_HELPER_ERROR, FP_HELPER_ERROR_DAMAGED, problem->message);
  return bytes;
}

static void
answered_cb (GObject *object,
             GAsyncResult *result,
             gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GUnixFDList) fds = NULL;
  g_autoptr (GVariant) block = NULL;
  FpHelperSource *self = g_task_get_source_object (task);
  Call *call = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_with_unix_fd_list_finish (G_DBUS_CONNECTION (object), &fds, result, &error);

  if (!reply)
    {
      fail (task, error);
      return;
    }
  if (g_task_get_source_tag (task) == fp_helper_source_load_limits_async)
    {
      g_task_return_pointer (task, parse_limits (reply), g_free);
      return;
    }
  if (g_variant_n_children (reply) > 1)
    {
      const char *access;

      g_variant_get_child (reply, 1, "&s", &access);
      self->access = fp_access_find (access);
    }
  g_variant_get_child (reply, 0, "v", &block);
  if ((call->bytes = take_block (block, fds, &error)))
    g_task_run_in_thread (task, fp_helper_source_parse_worker);
  else
    fail (task, error);
}

static void
send_call (GTask *task)
{
  FpHelperSource *self = g_task_get_source_object (task);
  Call *call = g_task_get_task_data (task);

  call->connection = self->connection;
  /* Who types a password takes the time that takes. */
  g_dbus_connection_call_with_unix_fd_list (
      self->connection, self->command ? NULL : FP_HELPER_BUS_NAME, FP_HELPER_PATH, FP_HELPER_INTERFACE, call->method,
      call->arguments, call->reply_type,
      call->may_ask ? G_DBUS_CALL_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION : G_DBUS_CALL_FLAGS_NONE,
      call->may_ask ? G_MAXINT : TIMEOUT_MS, NULL, g_task_get_cancellable (task), answered_cb, g_object_ref (task));
}

/* The system's helper may say any: fields are only ever added. What this program brings along is of its own version. */
static gboolean
check_version (FpHelperSource *self,
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

/* Or the pipe would be full some day. */
static void
drained_cb (GObject *object,
            GAsyncResult *result,
            gpointer data)
{
  GInputStream *messages = G_INPUT_STREAM (object);

  if (g_input_stream_skip_finish (messages, result, NULL) > 0)
    g_input_stream_skip_async (messages, 4096, G_PRIORITY_LOW, NULL, drained_cb, NULL);
}

/* words: those of pkexec, or NULL */
static void
fail_as_root (GTask *task,
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
  fail (task, g_error_new (FP_HELPER_ERROR, (gint)code, "pkexec: %s", words ? words : "ended"));
}

static void
exited_cb (GObject *object,
           GAsyncResult *result,
           gpointer data)
{
  g_autoptr (GTask) task = data;
  GSubprocess *process = G_SUBPROCESS (object);
  char words[1024] = "";

  g_subprocess_wait_finish (process, result, NULL);
  g_input_stream_read_all (g_subprocess_get_stderr_pipe (process), words, sizeof words - 1, NULL, NULL, NULL);
  fail_as_root (task, g_subprocess_get_status (process), words);
}

static void
exited_on_host_cb (GObject *object,
                   GAsyncResult *result,
                   gpointer data)
{
  g_autoptr (GTask) task = data;

  fail_as_root (task, fp_host_command_wait_finish (result), NULL);
}

/* Its end says why. */
static void
wait_for_end (GTask *task)
{
  FpHelperSource *self = g_task_get_source_object (task);
  g_autoptr (GSubprocess) process = self->process ? g_object_ref (self->process) : NULL;

  if (process)
    g_subprocess_wait_async (process, NULL, exited_cb, g_object_ref (task));
  else
    fp_host_command_wait_async (g_dbus_connection_get_stream (self->connection), exited_on_host_cb, g_object_ref (task));
}

static void
version_cb (GObject *object,
            GAsyncResult *result,
            gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GVariant) version = NULL;
  FpHelperSource *self = g_task_get_source_object (task);
  GError *error = NULL;

  version = g_dbus_connection_call_finish (G_DBUS_CONNECTION (object), result, &error);
  if (version && check_version (self, version, &error))
    {
      if (self->is_as_root && self->process)
        g_input_stream_skip_async (g_subprocess_get_stderr_pipe (self->process), 4096, G_PRIORITY_LOW, NULL, drained_cb,
                                   NULL);
      send_call (task);
    }
  else if (self->is_as_root && self->connection && find_code (error) == FP_HELPER_ERROR_CRASHED)
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
  FpHelperSource *self = g_task_get_source_object (task);
  GError *error = NULL;
  g_autoptr (GDBusConnection) connection =
      self->command ? g_dbus_connection_new_finish (result, &error) : g_dbus_connection_new_for_address_finish (result, &error);

  if (!connection)
    {
      /* A machine without a bus has no helper on it either. */
      if (!self->command && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_clear_error (&error);
          g_set_error_literal (&error, FP_HELPER_ERROR, FP_HELPER_ERROR_NOT_INSTALLED, "");
        }
      fail (task, error);
      return;
    }
  g_set_object (&self->connection, connection);
  g_dbus_connection_call (connection, self->command ? NULL : FP_HELPER_BUS_NAME, FP_HELPER_PATH,
                          "org.freedesktop.DBus.Properties", "Get",
                          g_variant_new ("(ss)", FP_HELPER_INTERFACE, "Version"), G_VARIANT_TYPE ("(v)"),
                          G_DBUS_CALL_FLAGS_NONE, self->is_as_root ? G_MAXINT : TIMEOUT_MS,
                          g_task_get_cancellable (task), version_cb,
                          g_object_ref (task));
}

/* Nothing is asked of it before the version has come, so nothing is lost if it is something else. */
static void
start_process (GTask *task)
{
  FpHelperSource *self = g_task_get_source_object (task);
  g_autoptr (GIOStream) stream = NULL;
  GError *error = NULL;

  self->process = g_subprocess_newv ((const char *const *)self->command,
                                     G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                         (self->is_as_root ? G_SUBPROCESS_FLAGS_STDERR_PIPE : 0),
                                     &error);
  if (!self->process)
    {
      fail (task, error);
      return;
    }
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
  FpHelperError code = find_code (error);
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
    {
      fail (task, explain_start (error));
    }
}

/* On a connection of its own: closing it takes every permission back that polkit does not keep. */
static void
start_call (GTask *task)
{
  FpHelperSource *self = g_task_get_source_object (task);
  g_autofree char *address = NULL;
  GError *error = NULL;

  if (self->n_partings > 0)
    {
      g_ptr_array_add (self->waiting, g_object_ref (task));
      return;
    }
  if (self->connection && g_dbus_connection_is_closed (self->connection))
    drop_connection (self);
  if (self->connection)
    send_call (task);
  else if (self->is_on_host)
    fp_host_command_start_async ((const char *const *)self->command, g_task_get_cancellable (task), started_on_host_cb,
                                 g_object_ref (task));
  else if (self->command)
    start_process (task);
  else if ((address = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SYSTEM, NULL, &error)))
    g_dbus_connection_new_for_address (
        address,
        G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL,
        g_task_get_cancellable (task), connected_cb, g_object_ref (task));
  else
    fail (task, error);
}

static GVariant *
pack_ids (const FpProcessId *ids,
          guint n)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(it)"));
  for (guint i = 0; i < n; i++)
    g_variant_builder_add (&builder, "(it)", ids[i].pid, ids[i].start_ticks);
  return g_variant_builder_end (&builder);
}

static void
fp_helper_source_collect_async (FpSource *source,
                                const FpSweepRequest *request,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer data)
{
  FpHelperSource *self = FP_HELPER_SOURCE (source);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, data);
  Call *call = g_new0 (Call, 1);
  GVariantBuilder options;

  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  if (self->wants_all)
    g_variant_builder_add (&options, "{sv}", "all", g_variant_new_boolean (TRUE));
  if (request->refresh_all)
    g_variant_builder_add (&options, "{sv}", "refresh-all", g_variant_new_boolean (TRUE));
  if (request->n_wanted > 0)
    g_variant_builder_add (&options, "{sv}", "wanted",
                           pack_ids (request->wanted, MIN (request->n_wanted, FP_HELPER_MAX_WANTED)));
  call->method = "Collect";
  call->arguments = g_variant_ref_sink (
      g_variant_new ("(@a(it)ta{sv})", pack_ids (request->attention, MIN (request->n_attention, FP_HELPER_MAX_ATTENTION)),
                     request->slice_us, &options));
  call->reply_type = G_VARIANT_TYPE ("(vs)");
  call->may_ask = self->may_ask;
  self->may_ask = FALSE;
  g_task_set_source_tag (task, fp_helper_source_collect_async);
  g_task_set_task_data (task, call, call_free);
  start_call (task);
}

static FpSnapshot *
fp_helper_source_collect_finish (FpSource *source,
                                 GAsyncResult *result,
                                 GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* May ask for a password: it is only done when somebody wants to see them. */
static void
fp_helper_source_load_mappings_async (FpSource *self,
                                      const FpProcessId *id,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, data);
  Call *call = g_new0 (Call, 1);

  call->method = "LoadMappings";
  call->arguments = g_variant_ref_sink (g_variant_new ("(it)", id->pid, id->start_ticks));
  call->reply_type = G_VARIANT_TYPE ("(v)");
  call->may_ask = TRUE;
  g_task_set_source_tag (task, fp_helper_source_load_mappings_async);
  g_task_set_task_data (task, call, call_free);
  start_call (task);
}

static FpMappings *
fp_helper_source_load_mappings_finish (FpSource *self,
                                       GAsyncResult *result,
                                       GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Nobody is asked for a password: everybody may read those of everybody. */
static void
fp_helper_source_load_limits_async (FpSource *self,
                                    const FpProcessId *id,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, data);
  Call *call = g_new0 (Call, 1);

  call->method = "LoadLimits";
  call->arguments = g_variant_ref_sink (g_variant_new ("(it)", id->pid, id->start_ticks));
  call->reply_type = G_VARIANT_TYPE ("(a{st})");
  g_task_set_source_tag (task, fp_helper_source_load_limits_async);
  g_task_set_task_data (task, call, call_free);
  start_call (task);
}

static FpLimits *
fp_helper_source_load_limits_finish (FpSource *self,
                                     GAsyncResult *result,
                                     GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* The next collection may bring up a question for a password, and from then on less than everything is an error. */
void
fp_helper_source_ask_for_all (FpHelperSource *self)
{
  g_return_if_fail (FP_IS_HELPER_SOURCE (self));

  self->wants_all = self->may_ask = TRUE;
}

static void
parted_cb (GObject *object,
           GAsyncResult *result,
           gpointer data)
{
  g_autoptr (FpHelperSource) self = data;
  g_autoptr (GPtrArray) waiting = NULL;

  if (--self->n_partings > 0)
    return;
  waiting = g_steal_pointer (&self->waiting);
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < waiting->len; i++)
    start_call (waiting->pdata[i]);
}

/* Gives every permission back, also what polkit keeps: who wants to read again is asked again. */
void
fp_helper_source_lock (FpHelperSource *self)
{
  g_autoptr (GDBusConnection) connection = NULL;

  g_return_if_fail (FP_IS_HELPER_SOURCE (self));

  self->wants_all = self->may_ask = FALSE;
  if (!self->connection || self->command || g_dbus_connection_is_closed (self->connection))
    {
      drop_connection (self);
      return;
    }
  connection = g_steal_pointer (&self->connection);
  self->n_partings++;
  fp_parting_async (connection, parted_cb, g_object_ref (self));
}

/* Of the last collection */
FpAccess
fp_helper_source_get_access (FpHelperSource *self)
{
  g_return_val_if_fail (FP_IS_HELPER_SOURCE (self), FP_ACCESS_NONE);

  return self->access;
}

static void
fp_helper_source_iface_init (FpSourceInterface *iface)
{
  iface->collect_async = fp_helper_source_collect_async;
  iface->collect_finish = fp_helper_source_collect_finish;
  iface->load_mappings_async = fp_helper_source_load_mappings_async;
  iface->load_mappings_finish = fp_helper_source_load_mappings_finish;
  iface->load_limits_async = fp_helper_source_load_limits_async;
  iface->load_limits_finish = fp_helper_source_load_limits_finish;
}

static void
fp_helper_source_dispose (GObject *object)
{
  drop_connection (FP_HELPER_SOURCE (object));

  G_OBJECT_CLASS (fp_helper_source_parent_class)->dispose (object);
}

static void
fp_helper_source_finalize (GObject *object)
{
  FpHelperSource *self = FP_HELPER_SOURCE (object);

  g_strfreev (self->command);
  fp_snapshot_pool_unref (self->pool);
  g_ptr_array_unref (self->waiting);

  G_OBJECT_CLASS (fp_helper_source_parent_class)->finalize (object);
}

static void
fp_helper_source_class_init (FpHelperSourceClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->dispose = fp_helper_source_dispose;
  object_class->finalize = fp_helper_source_finalize;
  /* Known to GDBus before the first error comes in */
  fp_helper_error_quark ();
}

static void
fp_helper_source_init (FpHelperSource *self)
{
  self->pool = fp_snapshot_pool_new ();
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
}

FpSource *
fp_helper_source_new (void)
{
  return g_object_new (FP_TYPE_HELPER_SOURCE, NULL);
}

/* The command speaks the same interface on its standard input and output. */
FpSource *
fp_helper_source_new_for_command (const char *const *argv)
{
  FpHelperSource *self = g_object_new (FP_TYPE_HELPER_SOURCE, NULL);

  self->command = g_strdupv ((char **)argv);
  return FP_SOURCE (self);
}

/* The same outside the Flatpak that this process is in. */
FpSource *
fp_helper_source_new_for_host_command (const char *const *argv)
{
  FpSource *self = fp_helper_source_new_for_command (argv);

  FP_HELPER_SOURCE (self)->is_on_host = TRUE;
  return self;
}

/* The command asks for an administrator's password, on the host where this process is in a Flatpak. */
FpSource *
fp_helper_source_new_as_root (const char *const *argv,
                              gboolean is_on_host)
{
  FpSource *self = fp_helper_source_new_for_command (argv);

  FP_HELPER_SOURCE (self)->is_as_root = TRUE;
  FP_HELPER_SOURCE (self)->is_on_host = is_on_host;
  return self;
}
