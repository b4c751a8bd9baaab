// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint-helper"
#include "config.h"

#include "fp-block.h"
#include "fp-callers.h"
#include "fp-flood-guard.h"
#include "fp-helper-interface.h"
#include "fp-helper.h"
#include "fp-details.h"
#include "fp-mounts.h"
#include "fp-request.h"

#define IDLE_SECONDS 60
#define ANYBODY      G_MAXUINT32

struct _FpHelper
{
  GObject parent;

  GDBusConnection *connection;
  FpAuthority *authority; /* NULL: who is on the other side started this process */
  FpSharedSweep *sweep;
  FpCallers *callers;
  FpFloodGuard *guard;
  FpSnapshot *snapshot; /* of which the blocks are */
  GHashTable *blocks;   /* uid, or ANYBODY for the whole → FpBlock */
  gboolean pass_fds;
  guint registration;
  guint filter;
  guint n_calls;
  guint idle_timer;
};

/* One method call on its way. */
typedef struct
{
  FpHelper *helper;
  GDBusMethodInvocation *invocation;
  FpRequest request;
  FpProcessId id;
  FpPermission viewer;
  FpSnapshot *snapshot;
  gboolean only_own;
  gboolean may_ask;
  gboolean is_property;
} Call;

enum
{
  IDLE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpHelper, fp_helper, G_TYPE_OBJECT)

/* Who has given a password is not asked again after having looked away for a while. */
static gboolean
idle_cb (gpointer data)
{
  FpHelper *self = data;

  if (self->authority && fp_authority_has_consent (self->authority))
    return G_SOURCE_CONTINUE;
  self->idle_timer = 0;
  g_signal_emit (self, signals[IDLE], 0);
  return G_SOURCE_REMOVE;
}

static void
begin_call (FpHelper *self)
{
  self->n_calls++;
  g_clear_handle_id (&self->idle_timer, g_source_remove);
}

static void
end_call (FpHelper *self)
{
  self->n_calls--;
  if (self->n_calls == 0)
    self->idle_timer = g_timeout_add_seconds (IDLE_SECONDS, idle_cb, self);
}

/* Has been answered. */
static void
call_free (Call *call)
{
  FpHelper *self = call->helper;

  if (self->callers)
    fp_callers_end_call (self->callers, g_dbus_method_invocation_get_sender (call->invocation));
  end_call (self);
  g_clear_pointer (&call->snapshot, fp_snapshot_unref);
  fp_request_clear (&call->request);
  g_object_unref (call->invocation);
  g_object_unref (self);
  g_free (call);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Call, call_free)

static void
answer (Call *call,
        GVariant *value,
        GUnixFDList *fds)
{
  g_dbus_method_invocation_return_value_with_unix_fd_list (g_object_ref (call->invocation), value, fds);
}

/* Takes the error. */
static void
refuse (Call *call,
        GError *error)
{
  FpHelperError code = FP_HELPER_ERROR_FAILED;

  if (error->domain == FP_HELPER_ERROR)
    code = (FpHelperError)error->code;
  else if (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    code = FP_HELPER_ERROR_ENDED;
  else if (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_ACCES) ||
           g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_PERM))
    code = FP_HELPER_ERROR_REFUSED;
  g_message ("refused to uid %u: %s: %s", call->viewer.uid,
             g_dbus_method_invocation_get_method_name (call->invocation), error->message);
  g_dbus_method_invocation_return_error_literal (g_object_ref (call->invocation), FP_HELPER_ERROR, (gint)code,
                                                 error->message);
  g_error_free (error);
}

/* What several callers of the same rank are given is made once. */
static void
remember_block (FpHelper *self,
                FpSnapshot *snapshot,
                guint32 key,
                FpBlock *block)
{
  if (snapshot != self->snapshot)
    {
      g_hash_table_remove_all (self->blocks);
      g_clear_pointer (&self->snapshot, fp_snapshot_unref);
      self->snapshot = fp_snapshot_ref (snapshot);
    }
  g_hash_table_replace (self->blocks, GUINT_TO_POINTER (key), fp_block_ref (block));
}

static guint32
get_key (const FpPermission *viewer)
{
  return viewer->access == FP_ACCESS_ALL ? ANYBODY : viewer->uid;
}

static void
give_snapshot (Call *call,
               FpBlock *block)
{
  g_autoptr (GUnixFDList) fds = NULL;
  GVariant *variant = fp_block_get_variant (block, &fds);

  answer (call, g_variant_new ("(@vs)", variant, fp_access_get_name (call->viewer.access)), fds);
}

static void
fp_helper_snapshot_worker (GTask *task,
                           gpointer source,
                           gpointer data,
                           GCancellable *cancellable)
{
  const Call *call = data;
  GError *error = NULL;
  FpBlock *block = fp_block_new_snapshot (call->snapshot, &call->viewer, call->helper->pass_fds, &error);

  if (block)
    g_task_return_pointer (task, block, (GDestroyNotify)fp_block_unref);
  else
    g_task_return_error (task, error);
}

static void
made_snapshot_cb (GObject *object,
                  GAsyncResult *result,
                  gpointer data)
{
  g_autoptr (Call) call = data;
  GError *error = NULL;
  g_autoptr (FpBlock) block = g_task_propagate_pointer (G_TASK (result), &error);

  if (!block)
    {
      refuse (call, error);
      return;
    }
  remember_block (call->helper, call->snapshot, get_key (&call->viewer), block);
  give_snapshot (call, block);
}

static void
swept_cb (GObject *object,
          GAsyncResult *result,
          gpointer data)
{
  g_autoptr (Call) call = data;
  g_autoptr (GTask) task = NULL;
  GError *error = NULL;
  FpBlock *known = NULL;

  call->snapshot = fp_shared_sweep_collect_finish (FP_SHARED_SWEEP (object), result, &error);
  if (!call->snapshot)
    {
      refuse (call, error);
      return;
    }
  if (call->snapshot == call->helper->snapshot)
    known = g_hash_table_lookup (call->helper->blocks, GUINT_TO_POINTER (get_key (&call->viewer)));
  if (known)
    {
      give_snapshot (call, known);
      return;
    }
  task = g_task_new (NULL, NULL, made_snapshot_cb, call);
  g_task_set_source_tag (task, swept_cb);
  g_task_set_task_data (task, g_steal_pointer (&call), NULL);
  g_task_run_in_thread (task, fp_helper_snapshot_worker);
}

/* The machine's own rule of who may see whom is kept. */
static gboolean
may_see (const Call *call,
         const FpProcDir *proc)
{
  FpOwner owner;

  return call->viewer.access == FP_ACCESS_ALL || !fp_mounts_hide_processes () ||
         (fp_owner_read_process (&owner, proc, call->id.pid) && fp_permission_owns (&call->viewer, &owner));
}

static void
fp_helper_details_worker (GTask *task,
                          gpointer source,
                          gpointer data,
                          GCancellable *cancellable)
{
  const Call *call = data;
  GError *error = NULL;
  FpDetails *details = NULL;
  FpProcDir proc;

  if (fp_proc_dir_open (&proc, "/proc", &error))
    {
      /* By the PID before and behind, between which it was that process. */
      details = may_see (call, &proc) ? fp_details_read (&proc, &call->id, &error) : NULL;
      if (details && !may_see (call, &proc))
        g_clear_pointer (&details, fp_details_free);
      fp_proc_dir_close (&proc);
    }
  if (!details && !error)
    g_set_error_literal (&error, FP_HELPER_ERROR, FP_HELPER_ERROR_LOCKED, "Processes are hidden on this machine");
  if (details)
    g_task_return_pointer (task, details, (GDestroyNotify)fp_details_free);
  else
    g_task_return_error (task, error);
}

static void
add_limit (GVariantBuilder *builder,
           const char *name,
           guint64 limit)
{
  if (limit != FP_NO_LIMIT)
    g_variant_builder_add (builder, "{sv}", name, g_variant_new_uint64 (limit));
}

static void
loaded_details_cb (GObject *object,
                   GAsyncResult *result,
                   gpointer data)
{
  g_autoptr (Call) call = data;
  GError *error = NULL;
  g_autoptr (FpDetails) details = g_task_propagate_pointer (G_TASK (result), &error);
  GVariantBuilder builder;

  if (!details)
    {
      refuse (call, error);
      return;
    }
  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  add_limit (&builder, "address-space", details->limits.address_space);
  add_limit (&builder, "group-max", details->limits.group_max);
  add_limit (&builder, "group-high", details->limits.group_high);
  if (details->command)
    g_variant_builder_add (&builder, "{sv}", "command", g_variant_new_string (details->command));
  answer (call, g_variant_new ("(a{sv})", &builder), NULL);
}

static void
load_details (Call *call)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, loaded_details_cb, call);

  g_task_set_source_tag (task, load_details);
  g_task_set_task_data (task, call, NULL);
  g_task_run_in_thread (task, fp_helper_details_worker);
}

static gboolean
is_about (const Call *call,
          const char *method)
{
  return g_str_equal (g_dbus_method_invocation_get_method_name (call->invocation), method);
}

/* With the access that was found out: the property says it, Collect goes by it. */
static void
use_access (Call *call)
{
  FpHelper *self = call->helper;
  const FpSnapshot *last = fp_shared_sweep_get_last (self->sweep);

  if (call->is_property)
    {
      answer (call, g_variant_new ("(v)", g_variant_new_string (fp_access_get_name (call->viewer.access))), NULL);
      call_free (call);
      return;
    }
  if (is_about (call, "LoadDetails"))
    {
      load_details (call);
      return;
    }
  fp_request_restrict (&call->request, &call->viewer, last);
  fp_shared_sweep_collect_async (self->sweep, &call->request, swept_cb, call);
}

static void
found_access_cb (GObject *object,
                 GAsyncResult *result,
                 gpointer data)
{
  g_autoptr (Call) call = data;
  GError *error = NULL;

  call->viewer.access = fp_authority_find_access_finish (FP_AUTHORITY (object), result, &error);
  if (error && !call->is_property)
    {
      refuse (call, error);
      return;
    }
  g_clear_error (&error);
  use_access (g_steal_pointer (&call));
}

static void
checked_all_cb (GObject *object,
                GAsyncResult *result,
                gpointer data)
{
  g_autoptr (Call) call = data;
  GError *error = NULL;

  if (!fp_authority_check_finish (FP_AUTHORITY (object), result, &error))
    {
      refuse (call, error);
      return;
    }
  call->viewer.access = FP_ACCESS_ALL;
  use_access (g_steal_pointer (&call));
}

static void
fp_helper_mappings_worker (GTask *task,
                           gpointer source,
                           gpointer data,
                           GCancellable *cancellable)
{
  const Call *call = data;
  GError *error = NULL;
  FpBlock *block =
      fp_block_new_mappings (&call->id, call->only_own ? &call->viewer : NULL, call->helper->pass_fds, &error);

  if (block)
    g_task_return_pointer (task, block, (GDestroyNotify)fp_block_unref);
  else
    g_task_return_error (task, error);
}

static void load_mappings (Call *call, gboolean only_own);

static void
checked_mappings_cb (GObject *object,
                     GAsyncResult *result,
                     gpointer data)
{
  g_autoptr (Call) call = data;
  GError *error = NULL;

  if (fp_authority_check_finish (FP_AUTHORITY (object), result, &error))
    load_mappings (g_steal_pointer (&call), FALSE);
  else
    refuse (call, error);
}

static void
loaded_mappings_cb (GObject *object,
                    GAsyncResult *result,
                    gpointer data)
{
  g_autoptr (Call) call = data;
  g_autoptr (GUnixFDList) fds = NULL;
  GError *error = NULL;
  g_autoptr (FpBlock) block = g_task_propagate_pointer (G_TASK (result), &error);

  if (block)
    {
      GVariant *variant = fp_block_get_variant (block, &fds);

      answer (call, g_variant_new ("(@v)", variant), fds);
    }
  else if (call->only_own && g_error_matches (error, FP_HELPER_ERROR, FP_HELPER_ERROR_LOCKED))
    {
      const char *sender = g_dbus_method_invocation_get_sender (call->invocation);

      g_error_free (error);
      fp_authority_check_async (call->helper->authority, sender, FP_ACTION_READ_MAPPINGS, call->may_ask,
                                checked_mappings_cb, call);
      g_steal_pointer (&call);
    }
  else
    refuse (call, error);
}

static void
load_mappings (Call *call,
               gboolean only_own)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, loaded_mappings_cb, call);

  call->only_own = only_own;
  g_task_set_source_tag (task, load_mappings);
  g_task_set_task_data (task, call, NULL);
  g_task_run_in_thread (task, fp_helper_mappings_worker);
}

/* Nobody is asked for a password where the process is the caller's own. */
static void
checked_own_cb (GObject *object,
                GAsyncResult *result,
                gpointer data)
{
  g_autoptr (Call) call = data;
  g_autoptr (GError) error = NULL;
  FpHelper *self = call->helper;

  if (fp_authority_check_finish (self->authority, result, &error))
    {
      load_mappings (g_steal_pointer (&call), TRUE);
      return;
    }
  fp_authority_check_async (self->authority, g_dbus_method_invocation_get_sender (call->invocation),
                            FP_ACTION_READ_MAPPINGS, call->may_ask, checked_mappings_cb, call);
  g_steal_pointer (&call);
}

/* Root, and whoever started this process for itself, may have whatever it can read. */
static void
check_permission (Call *call)
{
  FpAuthority *authority = call->helper->authority;
  const char *sender = g_dbus_method_invocation_get_sender (call->invocation);

  if (!authority || call->viewer.uid == 0)
    {
      call->viewer.access = FP_ACCESS_ALL;
      if (is_about (call, "LoadMappings"))
        load_mappings (call, FALSE);
      else
        use_access (call);
    }
  else if (is_about (call, "LoadMappings"))
    fp_authority_check_async (authority, sender, FP_ACTION_READ_OWN_MEMORY, FALSE, checked_own_cb, call);
  else if (call->request.needs_all)
    fp_authority_check_async (authority, sender, FP_ACTION_READ_MEMORY, call->may_ask, checked_all_cb, call);
  else
    fp_authority_find_access_async (authority, sender, found_access_cb, call);
}

static void
identified_cb (GObject *object,
               GAsyncResult *result,
               gpointer data)
{
  g_autoptr (Call) call = data;
  GError *error = NULL;
  const FpCaller *caller = fp_callers_identify_finish (call->helper->callers, result, &error);

  if (!caller)
    {
      refuse (call, error);
      return;
    }
  call->viewer.uid = caller->uid;
  call->viewer.gid = caller->gid;
  check_permission (g_steal_pointer (&call));
}

static void
start_call (FpHelper *self,
            GDBusMethodInvocation *invocation,
            gboolean is_property)
{
  const char *sender = g_dbus_method_invocation_get_sender (invocation);
  GDBusMessage *message = g_dbus_method_invocation_get_message (invocation);
  Call *call;

  if (self->callers && !fp_callers_begin_call (self->callers, sender))
    {
      g_dbus_method_invocation_return_error_literal (invocation, FP_HELPER_ERROR, FP_HELPER_ERROR_BUSY,
                                                     "Too many calls of this caller are on their way");
      return;
    }
  begin_call (self);
  call = g_new0 (Call, 1);
  call->helper = g_object_ref (self);
  call->invocation = invocation;
  call->viewer.uid = ANYBODY;
  call->viewer.gid = G_MAXUINT32;
  call->is_property = is_property;
  call->may_ask = (g_dbus_message_get_flags (message) & G_DBUS_MESSAGE_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION) != 0;
  if (is_property)
    ;
  else if (is_about (call, "Collect"))
    fp_request_parse (&call->request, g_dbus_method_invocation_get_parameters (invocation));
  else if (!fp_request_parse_id (g_dbus_method_invocation_get_parameters (invocation), &call->id))
    {
      refuse (call, g_error_new_literal (FP_HELPER_ERROR, FP_HELPER_ERROR_ENDED, "There is no such process"));
      call_free (call);
      return;
    }
  if (self->callers)
    fp_callers_identify_async (self->callers, sender, identified_cb, call);
  else
    check_permission (call);
}

static GVariant *
get_kept (FpHelper *self,
          GDBusMethodInvocation *invocation)
{
  if (self->authority)
    return fp_authority_get_kept (self->authority, g_dbus_method_invocation_get_sender (invocation));
  return g_variant_new_strv (NULL, 0);
}

/* They differ from caller to caller, so that no skeleton's property would do. */
static void
get_property (FpHelper *self,
              GDBusMethodInvocation *invocation)
{
  const char *name;

  g_variant_get (g_dbus_method_invocation_get_parameters (invocation), "(&s&s)", NULL, &name);
  if (g_str_equal (name, "Version"))
    g_dbus_method_invocation_return_value (invocation, g_variant_new ("(v)", g_variant_new_string (FP_VERSION)));
  else if (g_str_equal (name, "Kept"))
    g_dbus_method_invocation_return_value (invocation, g_variant_new ("(v)", get_kept (self, invocation)));
  else
    start_call (self, invocation, TRUE);
}

static void
method_call_cb (GDBusConnection *connection,
                const char *sender,
                const char *path,
                const char *interface,
                const char *method,
                GVariant *parameters,
                GDBusMethodInvocation *invocation,
                gpointer data)
{
  FpHelper *self = data;

  if (g_str_equal (interface, FP_HELPER_INTERFACE))
    start_call (self, invocation, FALSE);
  else if (g_str_equal (method, "Get"))
    get_property (self, invocation);
  else if (g_str_equal (method, "GetAll"))
    g_dbus_method_invocation_return_value (
        invocation, g_variant_new_parsed ("({'Version': <%s>},)", FP_VERSION));
  else
    g_dbus_method_invocation_return_error_literal (invocation, G_DBUS_ERROR, G_DBUS_ERROR_PROPERTY_READ_ONLY,
                                                   "It can only be read");
}

/* In GDBus's own thread, so that a flood never gets as far as the main loop. */
static GDBusMessage *
filter_cb (GDBusConnection *connection,
           GDBusMessage *message,
           gboolean is_incoming,
           gpointer data)
{
  const char *sender = g_dbus_message_get_sender (message);

  if (!is_incoming || !sender || g_dbus_message_get_message_type (message) != G_DBUS_MESSAGE_TYPE_METHOD_CALL ||
      fp_flood_guard_admit (data, sender, g_get_monotonic_time ()))
    return message;
  if (!(g_dbus_message_get_flags (message) & G_DBUS_MESSAGE_FLAGS_NO_REPLY_EXPECTED))
    {
      g_autoptr (GDBusMessage) reply = g_dbus_message_new_method_error_literal (
          message, "org.freedesktop.DBus.Error.LimitsExceeded", "Asked too often");

      g_dbus_connection_send_message (connection, reply, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
    }
  g_object_unref (message);
  return NULL;
}

static void
gone_cb (const char *name,
         gpointer data)
{
  fp_authority_forget (FP_HELPER (data)->authority, name);
}

static void
fp_helper_dispose (GObject *object)
{
  FpHelper *self = FP_HELPER (object);

  g_clear_handle_id (&self->idle_timer, g_source_remove);
  if (self->registration)
    g_dbus_connection_unregister_object (self->connection, self->registration);
  if (self->filter)
    g_dbus_connection_remove_filter (self->connection, self->filter);
  self->registration = self->filter = 0;
  g_clear_pointer (&self->callers, fp_callers_free);

  G_OBJECT_CLASS (fp_helper_parent_class)->dispose (object);
}

static void
fp_helper_finalize (GObject *object)
{
  FpHelper *self = FP_HELPER (object);

  g_clear_pointer (&self->snapshot, fp_snapshot_unref);
  g_hash_table_unref (self->blocks);
  g_clear_object (&self->authority);
  g_clear_object (&self->sweep);
  g_clear_object (&self->connection);

  G_OBJECT_CLASS (fp_helper_parent_class)->finalize (object);
}

static void
fp_helper_class_init (FpHelperClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->dispose = fp_helper_dispose;
  object_class->finalize = fp_helper_finalize;

  signals[IDLE] =
      g_signal_new ("idle", FP_TYPE_HELPER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fp_helper_init (FpHelper *self)
{
  self->blocks = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)fp_block_unref);
}

/* authority: NULL on a connection to the one who started this process */
FpHelper *
fp_helper_new (GDBusConnection *connection,
               FpAuthority *authority,
               GError **error)
{
  static const GDBusInterfaceVTable vtable = { .method_call = method_call_cb };
  g_autoptr (FpHelper) self = g_object_new (FP_TYPE_HELPER, NULL);

  self->connection = g_object_ref (connection);
  self->sweep = fp_shared_sweep_new ("/proc");
  self->pass_fds = (g_dbus_connection_get_capabilities (connection) & G_DBUS_CAPABILITY_FLAGS_UNIX_FD_PASSING) != 0;
  if (authority)
    {
      self->authority = g_object_ref (authority);
      self->callers = fp_callers_new (connection, gone_cb, self);
      self->filter = g_dbus_connection_add_filter (connection, filter_cb, fp_flood_guard_new (),
                                                   (GDestroyNotify)fp_flood_guard_free);
    }
  self->registration = g_dbus_connection_register_object (
      connection, FP_HELPER_PATH, fp_helper1_interface_info (), &vtable, self, NULL, error);
  begin_call (self);
  end_call (self);
  return self->registration ? g_steal_pointer (&self) : NULL;
}
