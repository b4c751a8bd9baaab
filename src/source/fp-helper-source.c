// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <gio/gunixfdlist.h>
#include <glib/gi18n.h>
#include <unistd.h>

#include "fp-details-message.h"
#include "fp-files-message.h"
#include "fp-group-message.h"
#include "fp-helper-connection.h"
#include "fp-helper-lock.h"
#include "fp-helper-source.h"
#include "fp-kept-message.h"
#include "fp-mapping-scanner.h"
#include "fp-sealed-memory.h"
#include "fp-snapshot-file.h"
#include "fp-snapshot-mapped.h"

#define MIN_DELAY_MS 50
#define MAX_DELAY_MS (5 * 1000)
#define MAX_BUSY_MS  (20 * 1000) /* of waiting for a busy helper, before its error is shown */

struct _FpHelperSource
{
  GObject parent;

  FpHelperConnection *connection;
  gboolean wants_all;
  FpAccess access;
  FpSnapshotPool *pool;
  guint n_locks;
  GPtrArray *waiting; /* tasks, until the connection that is being locked is closed */
};

/* One call, from the connection it may need first to what its answer is turned into. */
typedef struct
{
  FpRequestKind kind;
  const char *method;
  GVariant *arguments;
  const GVariantType *reply_type;
  GBytes *bytes;
  gboolean may_ask;
  gboolean may_start;                /* a helper that takes a password to start */
  guint waited_ms;                   /* for a busy helper */
  const GDBusConnection *connection; /* the call was sent on it; NULL: not sent yet; only compared, never used */
  GFileProgressCallback progress;    /* (nullable) */
  gpointer progress_data;
  guint subscription; /* to signals of progress, while an answer is awaited; 0: none */
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
      g_task_return_error (task, error);
      return;
    }
  code = fp_helper_error_find (error);
  if (fp_helper_connection_is_as_root (self->connection) || !fp_helper_connection_is_on_host (self->connection) ||
      !(message = fp_helper_error_get_outside_message (code)))
    message = fp_helper_error_get_message (code);
  g_dbus_error_strip_remote_error (error);
  if (code == FP_HELPER_ERROR_FAILED || code == FP_HELPER_ERROR_DAMAGED || code == FP_HELPER_ERROR_UNTRUSTED)
    g_task_return_new_error (task, FP_HELPER_ERROR, (gint)code, "%s: %s", message, error->message);
  else
    g_task_return_new_error (task, FP_HELPER_ERROR, (gint)code, "%s", message);
  g_debug ("helper: %s", error->message);
  if ((code == FP_HELPER_ERROR_CRASHED || code == FP_HELPER_ERROR_OTHER_VERSION || code == FP_HELPER_ERROR_TIMED_OUT) &&
      (!call->connection || call->connection == fp_helper_connection_get (self->connection)))
    fp_helper_connection_drop (self->connection);
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

/* As if an enemy had written it. */
static void
fp_helper_source_parse_worker (GTask *task,
                               gpointer source,
                               gpointer data,
                               GCancellable *cancellable)
{
  const Call *call = data;
  g_autoptr (GError) error = NULL;
  gpointer answer = call->kind == FP_REQUEST_MAPPINGS       ? (gpointer)parse_mappings (call->bytes)
                    : call->kind == FP_REQUEST_MAPPED_FILES ? (gpointer)fp_mapped_files_from_bytes (call->bytes, &error)
                                                            : fp_snapshot_take_bytes (call->bytes, FP_HELPER_SOURCE (source)->pool, &error);

  if (answer)
    fp_source_answer (task, answer, NULL);
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
  int handle, fd;

  if (g_variant_is_of_type (block, G_VARIANT_TYPE_BYTESTRING))
    return g_variant_get_data_as_bytes (block);
  if (!g_variant_is_of_type (block, G_VARIANT_TYPE_HANDLE) || !fds)
    {
      g_set_error_literal (error, FP_HELPER_ERROR, FP_HELPER_ERROR_DAMAGED, g_variant_get_type_string (block));
      return NULL;
    }
  handle = g_variant_get_handle (block);
  if (handle < 0 || handle >= g_unix_fd_list_get_length (fds))
    {
      g_set_error_literal (error, FP_HELPER_ERROR, FP_HELPER_ERROR_DAMAGED, "no such descriptor");
      return NULL;
    }
  if ((fd = g_unix_fd_list_get (fds, handle, error)) < 0)
    return NULL;
  bytes = fp_sealed_memory_read (fd, FP_HELPER_MAX_BLOCK, &problem);
  close (fd);
  if (!bytes)
    g_set_error_literal (error, FP_HELPER_ERROR, FP_HELPER_ERROR_DAMAGED, problem->message);
  return bytes;
}

static FpControlGroups *
parse_groups (GVariant *reply,
              GError **error)
{
  g_autoptr (GError) problem = NULL;
  FpControlGroups *groups = fp_group_message_parse (reply, NULL, 0, &problem);

  if (!groups)
    g_set_error_literal (error, FP_HELPER_ERROR, FP_HELPER_ERROR_DAMAGED, problem->message);
  return groups;
}

static void start_call (GTask *task);

static gboolean
again_cb (gpointer data)
{
  start_call (data);
  return G_SOURCE_REMOVE;
}

/* A busy helper says when to come back. Takes the error if it is that, and there is patience left. */
static gboolean
try_again (GTask *task,
           GError *error)
{
  Call *call = g_task_get_task_data (task);
  g_autoptr (GSource) source = NULL;
  guint delay_ms;

  if (!error || fp_helper_error_find (error) != FP_HELPER_ERROR_BUSY || call->waited_ms >= MAX_BUSY_MS)
    return FALSE;
  g_dbus_error_strip_remote_error (error);
  delay_ms = (guint)CLAMP (g_ascii_strtoull (error->message, NULL, 10), MIN_DELAY_MS, MAX_DELAY_MS);
  g_debug ("helper: %s", error->message);
  g_error_free (error);
  call->waited_ms += delay_ms;
  source = g_timeout_source_new (delay_ms);
  if (g_task_get_cancellable (task))
    {
      g_autoptr (GSource) cancelled = g_cancellable_source_new (g_task_get_cancellable (task));

      g_source_set_dummy_callback (cancelled);
      g_source_add_child_source (source, cancelled);
    }
  g_task_attach_source (task, source, again_cb);
  return TRUE;
}

/* An older helper does not know the call, and for control groups and what is kept only one that its caller started does. */
static const char *
get_missing (FpRequestKind kind)
{
  if (kind == FP_REQUEST_DETAILS)
    return _ ("The installed helper does not report details");
  if (kind == FP_REQUEST_KEPT)
    return _ ("Footprint’s helper does not report what is kept in memory");
  return kind == FP_REQUEST_CONTROL_GROUPS ? _ ("Footprint’s helper does not report the kernel’s groups") : NULL;
}

/* In the caller's context, where it may have given up meanwhile. Others on the bus could send such a signal, too: it moves a
 * bar. */
static void
progress_cb (GDBusConnection *connection,
             const char *sender,
             const char *path,
             const char *interface,
             const char *signal,
             GVariant *parameters,
             gpointer data)
{
  GTask *task = data;
  const Call *call = g_task_get_task_data (task);
  guint32 done, all;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(uu)")) || g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    return;
  g_variant_get (parameters, "(uu)", &done, &all);
  if (all > 0 && done <= all)
    call->progress (done, all, call->progress_data);
}

/* The helper stops reading when its caller gives up; it sends no signal about that call any more. */
static void
end_progress (Call *call,
              FpHelperSource *self,
              GDBusConnection *connection,
              const GError *error)
{
  if (call->subscription)
    g_dbus_connection_signal_unsubscribe (connection, call->subscription);
  call->subscription = 0;
  if (call->kind == FP_REQUEST_MAPPED_FILES && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_dbus_connection_call (connection, fp_helper_connection_get_name (self->connection), FP_HELPER_PATH, FP_HELPER_INTERFACE,
                            "CancelFiles", NULL, NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL, NULL);
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

  end_progress (call, self, G_DBUS_CONNECTION (object), error);
  if (g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_METHOD) && get_missing (call->kind))
    {
      g_error_free (error);
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s", get_missing (call->kind));
      return;
    }
  if (try_again (task, error))
    return;
  if (!reply)
    {
      fail (task, error);
      return;
    }
  if (call->kind == FP_REQUEST_DETAILS)
    {
      fp_source_answer (task, fp_details_message_parse (reply), NULL);
      return;
    }
  if (call->kind == FP_REQUEST_CONTROL_GROUPS || call->kind == FP_REQUEST_KEPT)
    {
      gpointer lists = call->kind == FP_REQUEST_KEPT ? (gpointer)fp_kept_message_parse (reply, &error)
                                                     : (gpointer)parse_groups (reply, &error);

      if (lists)
        fp_source_answer (task, lists, NULL);
      else
        fail (task, error);
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
send_call (GTask *task,
           GDBusConnection *connection)
{
  FpHelperSource *self = g_task_get_source_object (task);
  Call *call = g_task_get_task_data (task);

  call->connection = connection;
  if (call->progress)
    call->subscription =
        g_dbus_connection_signal_subscribe (connection, NULL, FP_HELPER_INTERFACE, "FilesProgress", FP_HELPER_PATH, NULL,
                                            G_DBUS_SIGNAL_FLAGS_NO_MATCH_RULE, progress_cb, g_object_ref (task), g_object_unref);
  /* A call that may ask for a password has no timeout, because typing one takes its time, and so does reading all files. */
  g_dbus_connection_call_with_unix_fd_list (
      connection, fp_helper_connection_get_name (self->connection), FP_HELPER_PATH, FP_HELPER_INTERFACE, call->method,
      call->arguments, call->reply_type,
      call->may_ask ? G_DBUS_CALL_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION : G_DBUS_CALL_FLAGS_NONE,
      call->may_ask || call->kind == FP_REQUEST_MAPPED_FILES ? G_MAXINT : FP_HELPER_TIMEOUT_MS, NULL,
      g_task_get_cancellable (task), answered_cb, g_object_ref (task));
}

static void
opened_cb (GObject *object,
           GAsyncResult *result,
           gpointer data)
{
  g_autoptr (GTask) task = data;
  FpHelperConnection *opened = FP_HELPER_CONNECTION (object);
  GDBusConnection *connection;
  GError *error = NULL;

  if (!fp_helper_connection_open_finish (opened, result, &error))
    {
      if (!try_again (task, error))
        fail (task, error);
    }
  else if ((connection = fp_helper_connection_get (opened)))
    send_call (task, connection);
  else
    fail (task, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CLOSED, "closed meanwhile"));
}

static void
start_call (GTask *task)
{
  FpHelperSource *self = g_task_get_source_object (task);
  Call *call = g_task_get_task_data (task);
  GDBusConnection *connection;

  if (self->n_locks > 0)
    g_ptr_array_add (self->waiting, g_object_ref (task));
  else if ((connection = fp_helper_connection_get (self->connection)))
    send_call (task, connection);
  else if (fp_helper_connection_is_as_root (self->connection) && !call->may_start)
    fail (task, g_error_new_literal (FP_HELPER_ERROR, FP_HELPER_ERROR_CRASHED, "it has ended, and only Unlock starts it"));
  else
    fp_helper_connection_open_async (self->connection, g_task_get_cancellable (task), opened_cb, g_object_ref (task));
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

static GVariant *
pack_collect (const FpHelperSource *self,
              const FpSweepRequest *sweep)
{
  GVariantBuilder options;

  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  if (self->wants_all)
    g_variant_builder_add (&options, "{sv}", "all", g_variant_new_boolean (TRUE));
  if (sweep->refresh_all)
    g_variant_builder_add (&options, "{sv}", "refresh-all", g_variant_new_boolean (TRUE));
  if (sweep->n_wanted > 0)
    g_variant_builder_add (&options, "{sv}", "wanted", pack_ids (sweep->wanted, sweep->n_wanted));
  return g_variant_new ("(@a(it)ta{sv})", pack_ids (sweep->attention, MIN (sweep->n_attention, FP_HELPER_MAX_ATTENTION)),
                        sweep->slice_us, &options);
}

static GVariant *
pack_arguments (const FpHelperSource *self,
                const FpSourceRequest *request)
{
  if (request->kind == FP_REQUEST_COLLECT)
    return pack_collect (self, &request->sweep);
  if (request->kind == FP_REQUEST_MAPPED_FILES)
    return g_variant_new ("(@ai)", fp_files_message_pack_pids (request->mapped, request->n_mapped));
  if (request->kind == FP_REQUEST_CONTROL_GROUPS || request->kind == FP_REQUEST_KEPT)
    return g_variant_new ("()");
  return g_variant_new ("(it)", request->id.pid, request->id.start_ticks);
}

static void
fp_helper_source_answer (FpSource *source,
                         const FpSourceRequest *request,
                         GTask *task)
{
  static const struct
  {
    const char *method;
    const char *reply_type;
  } methods[FP_N_REQUEST_KINDS] = {
    [FP_REQUEST_COLLECT] = { "Collect", "(vs)" },
    [FP_REQUEST_MAPPINGS] = { "LoadMappings", "(v)" },
    [FP_REQUEST_MAPPED_FILES] = { "LoadFiles", "(v)" },
    [FP_REQUEST_DETAILS] = { "LoadDetails", "(a{sv})" },
    [FP_REQUEST_CONTROL_GROUPS] = { "LoadControlGroups", FP_GROUP_MESSAGE_TYPE },
    [FP_REQUEST_KEPT] = { "LoadKept", FP_KEPT_MESSAGE_TYPE },
  };
  FpHelperSource *self = FP_HELPER_SOURCE (source);
  gboolean is_collection = request->kind == FP_REQUEST_COLLECT;
  Call *call = g_new0 (Call, 1);

  self->wants_all |= is_collection && request->may_ask;
  call->kind = request->kind;
  call->method = methods[request->kind].method;
  call->reply_type = G_VARIANT_TYPE (methods[request->kind].reply_type);
  call->arguments = g_variant_ref_sink (pack_arguments (self, request));
  call->may_ask = request->may_ask && (is_collection || request->kind == FP_REQUEST_MAPPINGS || request->kind == FP_REQUEST_MAPPED_FILES);
  call->may_start = is_collection && request->may_ask;
  call->progress = request->kind == FP_REQUEST_MAPPED_FILES ? request->progress : NULL;
  call->progress_data = request->progress_data;
  g_task_set_task_data (task, call, call_free);
  start_call (task);
}

static void
locked_cb (GObject *object,
           GAsyncResult *result,
           gpointer data)
{
  g_autoptr (FpHelperSource) self = data;
  g_autoptr (GPtrArray) waiting = NULL;

  if (--self->n_locks > 0)
    return;
  waiting = g_steal_pointer (&self->waiting);
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < waiting->len; i++)
    start_call (waiting->pdata[i]);
}

static void
fp_helper_source_lock (FpSource *source)
{
  FpHelperSource *self = FP_HELPER_SOURCE (source);
  g_autoptr (GDBusConnection) connection = NULL;

  self->wants_all = FALSE;
  if (!fp_helper_connection_get (self->connection) || !fp_helper_connection_get_name (self->connection))
    {
      fp_helper_connection_drop (self->connection);
      return;
    }
  connection = fp_helper_connection_steal (self->connection);
  self->n_locks++;
  fp_helper_lock_async (connection, locked_cb, g_object_ref (self));
}

static void
unlocked_cb (GObject *object,
             GAsyncResult *result,
             gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  g_autoptr (FpSnapshot) snapshot = fp_source_request_finish (FP_SOURCE (object), FP_REQUEST_COLLECT, result, &error);

  if (snapshot)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* The helper has no method for this: it asks for the password when all processes are to be collected. */
static void
fp_helper_source_unlock (FpSource *self,
                         GTask *task)
{
  const FpSourceRequest request = { .kind = FP_REQUEST_COLLECT, .sweep.slice_us = 1, .may_ask = TRUE };

  fp_source_request_async (self, &request, g_task_get_cancellable (task), unlocked_cb, g_object_ref (task));
}

/* The access that the last collection was given. */
FpAccess
fp_helper_source_get_access (FpHelperSource *self)
{
  g_return_val_if_fail (FP_IS_HELPER_SOURCE (self), FP_ACCESS_NONE);

  return self->access;
}

static void
fp_helper_source_iface_init (FpSourceInterface *iface)
{
  iface->kinds = FP_REQUEST_BIT (FP_REQUEST_COLLECT) | FP_REQUEST_BIT (FP_REQUEST_MAPPINGS) |
                 FP_REQUEST_BIT (FP_REQUEST_DETAILS) | FP_REQUEST_BIT (FP_REQUEST_CONTROL_GROUPS) |
                 FP_REQUEST_BIT (FP_REQUEST_KEPT) | FP_REQUEST_BIT (FP_REQUEST_MAPPED_FILES);
  iface->answer = fp_helper_source_answer;
  iface->unlock = fp_helper_source_unlock;
  iface->lock = fp_helper_source_lock;
}

static void
fp_helper_source_dispose (GObject *object)
{
  g_clear_object (&FP_HELPER_SOURCE (object)->connection);

  G_OBJECT_CLASS (fp_helper_source_parent_class)->dispose (object);
}

static void
fp_helper_source_finalize (GObject *object)
{
  FpHelperSource *self = FP_HELPER_SOURCE (object);

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

static FpSource *
make (FpHelperConnection *connection)
{
  FpHelperSource *self = g_object_new (FP_TYPE_HELPER_SOURCE, NULL);

  self->connection = connection;
  return FP_SOURCE (self);
}

FpSource *
fp_helper_source_new (void)
{
  return make (fp_helper_connection_new (NULL, FALSE, FALSE));
}

/* The command speaks the same interface on its standard input and output. is_on_host: outside the Flatpak that this process
 * is in */
FpSource *
fp_helper_source_new_for_command (const char *const *argv,
                                  gboolean is_on_host)
{
  return make (fp_helper_connection_new (argv, is_on_host, FALSE));
}

/* The same, and the command asks for an administrator's password. */
FpSource *
fp_helper_source_new_as_root (const char *const *argv,
                              gboolean is_on_host)
{
  return make (fp_helper_connection_new (argv, is_on_host, TRUE));
}
