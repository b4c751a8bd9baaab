// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint-helper"
#include "config.h"

#include <time.h>

#include "fp-authority.h"
#include "fp-block-store.h"
#include "fp-details.h"
#include "fp-helper-interface.h"
#include "fp-helper.h"
#include "fp-mounts.h"
#include "fp-request.h"
#include "fp-shared-sweep.h"

#define IDLE_SECONDS 60
#define MAX_NAME     40 /* letters of a program in a question */

struct _FpHelper
{
  GObject parent;

  GDBusConnection *connection;
  FpHelper1 *skeleton;
  FpSharedSweep *sweep;
  FpCallers *callers; /* these two: NULL where the other end started this process */
  FpAuthority *authority;
  FpBlockStore *blocks;
  gboolean pass_fds;
  guint filter;
  guint n_calls;
  guint idle_timer;
};

typedef struct _Call Call;

/* One method call on its way. */
struct _Call
{
  FpHelper *helper;
  GDBusMethodInvocation *invocation;
  FpCaller *caller; /* NULL: the other end started this process */
  FpAccount *account;
  void (*proceed) (Call *call); /* with the permission that was found out */
  FpAction action;              /* to permit what is others' */
  FpRequest request;
  FpProcessId id;
  FpPermission permission;
  FpSnapshot *snapshot;
  FpWork work;
  gint64 spent_us;
  gboolean needs_all;
  gboolean may_ask;
};

enum
{
  IDLE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpHelper, fp_helper, G_TYPE_OBJECT)

static gboolean
idle_cb (gpointer data)
{
  FpHelper *self = data;

  if (fp_helper_has_password (self))
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

static void
call_free (Call *call)
{
  FpHelper *self = call->helper;

  if (call->account)
    fp_account_end_call (call->account);
  g_clear_pointer (&call->caller, fp_caller_unref);
  end_call (self);
  g_clear_pointer (&call->snapshot, fp_snapshot_unref);
  fp_request_clear (&call->request);
  g_object_unref (call->invocation);
  g_object_unref (self);
  g_free (call);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Call, call_free)

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
  if (code != FP_HELPER_ERROR_BUSY && call->caller)
    g_message ("refused to uid %u: %s: %s", call->caller->facts.uid,
               g_dbus_method_invocation_get_method_name (call->invocation), error->message);
  g_dbus_method_invocation_return_error_literal (g_object_ref (call->invocation), FP_HELPER_ERROR, (gint)code,
                                                 error->message);
  g_error_free (error);
}

/* Answers, and watches what was handed out until nobody holds it any more. */
static void
give_block (Call *call,
            FpBlock *block)
{
  FpHelper *self = call->helper;
  g_autoptr (GUnixFDList) fds = NULL;
  GError *error = NULL;
  GVariant *variant = fp_block_get_variant (block, &fds, &error);

  if (!variant)
    {
      refuse (call, error);
      return;
    }
  if (fds)
    fp_block_store_watch (self->blocks, block);
  if (call->action == FP_ACTION_READ_MAPPINGS)
    fp_helper1_complete_load_mappings (self->skeleton, g_object_ref (call->invocation), fds, variant);
  else
    fp_helper1_complete_collect (self->skeleton, g_object_ref (call->invocation), fds, variant,
                                 fp_access_get_name (call->permission.access));
}

static void
start_worker (gpointer task)
{
  g_task_run_in_thread (task, (GTaskThreadFunc)g_object_get_data (task, "worker"));
  g_object_unref (task);
}

/* In a thread, when it is this user's turn. Takes the call. */
static void
work (Call *call,
      FpWork kind,
      GTaskThreadFunc worker,
      GAsyncReadyCallback callback)
{
  GTask *task = g_task_new (NULL, NULL, callback, call);
  GError *error = NULL;

  call->work = kind;
  g_task_set_source_tag (task, work);
  g_task_set_task_data (task, call, NULL);
  g_object_set_data (G_OBJECT (task), "worker", (gpointer)worker);
  fp_block_store_prune (call->helper->blocks);
  if (!call->account)
    start_worker (task);
  else if (!fp_account_take_turn (call->account, kind, start_worker, task, &error))
    {
      g_object_unref (task);
      refuse (call, error);
      call_free (call);
    }
}

static void
end_work (Call *call)
{
  if (call->account)
    fp_account_end_turn (call->account, call->work);
}

static void
hide_others (FpPermission *permission)
{
  permission->hides_others = permission->access != FP_ACCESS_ALL && fp_mounts_hide_processes ();
}

static void
fp_helper_snapshot_worker (GTask *task,
                           gpointer source,
                           gpointer data,
                           GCancellable *cancellable)
{
  Call *call = data;
  GError *error = NULL;
  FpBlock *block;

  hide_others (&call->permission);
  block = fp_block_new_snapshot (call->snapshot, &call->permission, call->account, call->helper->pass_fds, &error);
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

  end_work (call);
  if (!block)
    {
      refuse (call, error);
      return;
    }
  fp_block_store_add (call->helper->blocks, call->snapshot, &call->permission, block);
  give_block (call, block);
}

/* Processor time of the processes that were measured because this call wanted them. */
static void
pay_for_wanted (const Call *call)
{
  gint64 spent_us = 0;

  for (guint i = 0; i < call->request.sweep.n_wanted; i++)
    {
      const FpProcess *process = fp_snapshot_find (call->snapshot, call->request.sweep.wanted[i].pid);

      spent_us += process ? process->cost_us : 0;
    }
  if (call->account)
    fp_account_spend (call->account, FP_COST_WANTED, g_get_monotonic_time (), spent_us);
}

static void
swept_cb (GObject *object,
          GAsyncResult *result,
          gpointer data)
{
  g_autoptr (Call) call = data;
  GError *error = NULL;
  FpBlock *known;

  call->snapshot = fp_shared_sweep_collect_finish (FP_SHARED_SWEEP (object), result, &error);
  if (!call->snapshot)
    {
      refuse (call, error);
      return;
    }
  pay_for_wanted (call);
  if ((known = fp_block_store_find (call->helper->blocks, call->snapshot, &call->permission)))
    give_block (call, known);
  else
    work (g_steal_pointer (&call), FP_WORK_SHORT, fp_helper_snapshot_worker, made_snapshot_cb);
}

/* A user whose share is used up still gets what there is. */
static void
collect (Call *call)
{
  FpHelper *self = call->helper;

  fp_request_restrict (&call->request, &call->permission, fp_shared_sweep_get_last (self->sweep));
  if (call->account && !fp_account_may_spend (call->account, FP_COST_WANTED, g_get_monotonic_time (), NULL))
    call->request.sweep.n_wanted = 0;
  fp_shared_sweep_collect_async (self->sweep, &call->request.sweep, swept_cb, call);
}

static gboolean
may_list (const Call *call,
          const FpProcDir *proc)
{
  FpOwner owner;

  return call->permission.access == FP_ACCESS_ALL ||
         (fp_owner_read_process (&owner, proc, call->id.pid) && fp_permission_may_list (&call->permission, &owner));
}

static void
fp_helper_details_worker (GTask *task,
                          gpointer source,
                          gpointer data,
                          GCancellable *cancellable)
{
  Call *call = data;
  GError *error = NULL;
  FpDetails *details = NULL;
  FpProcDir proc;

  hide_others (&call->permission);
  if (fp_proc_dir_open (&proc, "/proc", &error))
    {
      /* The PID is the same process's before and after the reading. */
      details = may_list (call, &proc) ? fp_details_read (&proc, &call->id, &error) : NULL;
      if (details && !may_list (call, &proc))
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

  end_work (call);
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
  fp_helper1_complete_load_details (call->helper->skeleton, g_object_ref (call->invocation),
                                    g_variant_builder_end (&builder));
}

static void
load_details (Call *call)
{
  work (call, FP_WORK_SHORT, fp_helper_details_worker, loaded_details_cb);
}

static gint64
get_thread_us (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static void
fp_helper_mappings_worker (GTask *task,
                           gpointer source,
                           gpointer data,
                           GCancellable *cancellable)
{
  Call *call = data;
  gint64 start_us = get_thread_us ();
  GError *error = NULL;
  FpBlock *block =
      fp_block_new_mappings (&call->id, &call->permission, call->account, call->helper->pass_fds, &error);

  call->spent_us = get_thread_us () - start_us;
  if (block)
    g_task_return_pointer (task, block, (GDestroyNotify)fp_block_unref);
  else
    g_task_return_error (task, error);
}

static void find_permission (Call *call);

static void
loaded_mappings_cb (GObject *object,
                    GAsyncResult *result,
                    gpointer data)
{
  g_autoptr (Call) call = data;
  GError *error = NULL;
  g_autoptr (FpBlock) block = g_task_propagate_pointer (G_TASK (result), &error);

  end_work (call);
  if (call->account)
    fp_account_spend (call->account, FP_COST_MAPPINGS, g_get_monotonic_time (), call->spent_us);
  if (block)
    give_block (call, block);
  else if (!call->needs_all && g_error_matches (error, FP_HELPER_ERROR, FP_HELPER_ERROR_LOCKED))
    {
      g_error_free (error);
      call->needs_all = TRUE;
      find_permission (g_steal_pointer (&call));
    }
  else
    refuse (call, error);
}

static void
load_mappings (Call *call)
{
  GError *error = NULL;

  if (!call->account || fp_account_may_spend (call->account, FP_COST_MAPPINGS, g_get_monotonic_time (), &error))
    {
      work (call, FP_WORK_MAPPINGS, fp_helper_mappings_worker, loaded_mappings_cb);
      return;
    }
  refuse (call, error);
  call_free (call);
}

/* FALSE: nothing, which leaves the call to the caller. */
static gboolean
use_verdict (Call *call,
             const FpVerdict *verdict)
{
  call->permission.access = fp_permission_decide (&call->caller->facts, verdict);
  if (call->permission.access == FP_ACCESS_NONE || (call->needs_all && call->permission.access != FP_ACCESS_ALL))
    return FALSE;
  call->proceed (call);
  return TRUE;
}

/* Whose own may not be read may still be asked for the password for what is others'. Takes the call and the error. */
static void
end_search (Call *call,
            GError *error)
{
  if (!error)
    error = g_error_new_literal (FP_HELPER_ERROR, FP_HELPER_ERROR_LOCKED, "A confined program needs a password of its own");
  if (call->action == FP_ACTION_READ_MAPPINGS && !call->needs_all &&
      !g_error_matches (error, FP_HELPER_ERROR, FP_HELPER_ERROR_BUSY))
    {
      g_error_free (error);
      call->needs_all = TRUE;
      find_permission (call);
      return;
    }
  refuse (call, error);
  call_free (call);
}

static void
checked_own_cb (GObject *object,
                GAsyncResult *result,
                gpointer data)
{
  Call *call = data;
  GError *error = NULL;
  const FpVerdict verdict = { .may_read_own = fp_authority_check_finish (call->helper->authority, result, &error) };

  if (error || !use_verdict (call, &verdict))
    end_search (call, error);
}

static void
checked_others_cb (GObject *object,
                   GAsyncResult *result,
                   gpointer data)
{
  Call *call = data;
  GError *error = NULL;
  const FpVerdict verdict = {
    .may_read_others = fp_authority_check_finish (call->helper->authority, result, &error),
    .has_password = call->caller->answers[call->action].has_password,
  };

  if (!error && use_verdict (call, &verdict))
    return;
  if (call->needs_all || g_error_matches (error, FP_HELPER_ERROR, FP_HELPER_ERROR_BUSY))
    {
      end_search (call, error);
      return;
    }
  g_clear_error (&error);
  fp_authority_check_async (call->helper->authority, call->caller, FP_ACTION_READ_OWN_MEMORY, NULL, checked_own_cb, call);
}

/* Another user chose this name: it is cut, and has no letters that could pass for a line of the question. */
static char *
make_name (const char *text)
{
  g_autofree char *name = g_utf8_substring (text, 0, MIN (g_utf8_strlen (text, -1), MAX_NAME));
  GString *clean = g_string_new (NULL);

  for (const char *c = name; *c; c = g_utf8_next_char (c))
    g_string_append_unichar (clean, g_unichar_isprint (g_utf8_get_char (c)) && !strchr ("<>&\"", *c) ? g_utf8_get_char (c) : '?');
  return g_string_free (clean, FALSE);
}

static void
find_permission (Call *call)
{
  FpHelper *self = call->helper;
  const FpSnapshot *last = fp_shared_sweep_get_last (self->sweep);
  const FpProcess *process = last && call->id.pid ? fp_snapshot_find (last, call->id.pid) : NULL;
  g_autofree char *program = process ? make_name (fp_snapshot_get_text (last, process, FP_TEXT_COMM)) : g_strdup ("?");
  g_autofree char *user = process ? make_name (fp_snapshot_get_text (last, process, FP_TEXT_USER)) : g_strdup ("?");
  const FpQuestionDetails details = { program, user };

  if (!call->caller)
    {
      call->permission.access = FP_ACCESS_ALL;
      call->proceed (call);
      return;
    }
  call->permission.uid = call->caller->facts.uid;
  call->permission.gid = call->caller->facts.gid;
  if (!use_verdict (call, &(FpVerdict){ 0 }))
    fp_authority_check_async (self->authority, call->caller, call->action,
                              call->needs_all && call->may_ask ? &details : NULL, checked_others_cb, call);
}

static void
identified_cb (GObject *object,
               GAsyncResult *result,
               gpointer data)
{
  g_autoptr (Call) call = data;
  GError *error = NULL;

  call->caller = fp_callers_identify_finish (call->helper->callers, result, &error);
  if (!call->caller || !fp_account_begin_call (call->caller->account, &error))
    {
      refuse (call, error);
      return;
    }
  call->account = call->caller->account;
  find_permission (g_steal_pointer (&call));
}

static Call *
call_new (FpHelper *self,
          GDBusMethodInvocation *invocation,
          FpAction action,
          void (*proceed) (Call *call))
{
  GDBusMessage *message = g_dbus_method_invocation_get_message (invocation);
  Call *call = g_new0 (Call, 1);

  begin_call (self);
  call->helper = g_object_ref (self);
  call->invocation = invocation;
  call->action = action;
  call->proceed = proceed;
  call->may_ask = (g_dbus_message_get_flags (message) & G_DBUS_MESSAGE_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION) != 0;
  return call;
}

static void
start (Call *call)
{
  if (call->helper->callers)
    fp_callers_identify_async (call->helper->callers, g_dbus_method_invocation_get_sender (call->invocation),
                               identified_cb, call);
  else
    find_permission (call);
}

static gboolean
collect_cb (FpHelper *self,
            GDBusMethodInvocation *invocation,
            GUnixFDList *fds,
            GVariant *attention,
            guint64 budget_us,
            GVariant *options)
{
  Call *call = call_new (self, invocation, FP_ACTION_READ_MEMORY, collect);

  fp_request_parse (&call->request, g_dbus_method_invocation_get_parameters (invocation));
  call->needs_all = call->request.needs_all;
  start (call);
  return TRUE;
}

static void
start_about_process (Call *call)
{
  if (fp_request_parse_id (g_dbus_method_invocation_get_parameters (call->invocation), &call->id))
    {
      start (call);
      return;
    }
  refuse (call, g_error_new_literal (FP_HELPER_ERROR, FP_HELPER_ERROR_ENDED, "There is no such process"));
  call_free (call);
}

static gboolean
load_mappings_cb (FpHelper *self,
                  GDBusMethodInvocation *invocation,
                  GUnixFDList *fds,
                  gint pid,
                  guint64 start_ticks)
{
  start_about_process (call_new (self, invocation, FP_ACTION_READ_MAPPINGS, load_mappings));
  return TRUE;
}

static gboolean
load_details_cb (FpHelper *self,
                 GDBusMethodInvocation *invocation,
                 gint pid,
                 guint64 start_ticks)
{
  start_about_process (call_new (self, invocation, FP_ACTION_READ_MEMORY, load_details));
  return TRUE;
}

static void
identified_to_lock_cb (GObject *object,
                       GAsyncResult *result,
                       gpointer data)
{
  g_autoptr (Call) call = data;
  g_auto (GStrv) kept = NULL;
  GError *error = NULL;

  call->caller = fp_callers_identify_finish (call->helper->callers, result, &error);
  if (!call->caller)
    {
      refuse (call, error);
      return;
    }
  kept = fp_authority_lock (call->helper->authority, call->caller);
  fp_helper1_complete_lock (call->helper->skeleton, g_object_ref (call->invocation), (const char *const *)kept);
}

static gboolean
lock_cb (FpHelper *self,
         GDBusMethodInvocation *invocation)
{
  const char *sender = g_dbus_method_invocation_get_sender (invocation);

  if (self->callers)
    fp_callers_identify_async (self->callers, sender, identified_to_lock_cb,
                               call_new (self, invocation, FP_ACTION_READ_MEMORY, NULL));
  else
    fp_helper1_complete_lock (self->skeleton, invocation, (const char *const[]){ NULL });
  return TRUE;
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
      fp_accounts_admit (data, FP_GATE_ADMIT, sender, g_get_monotonic_time ()))
    return message;
  if (!(g_dbus_message_get_flags (message) & G_DBUS_MESSAGE_FLAGS_NO_REPLY_EXPECTED))
    {
      g_autoptr (GDBusMessage) reply = g_dbus_message_new_method_error_literal (
          message, FP_HELPER_INTERFACE ".Error.Busy", "1000 ms: this user calls too often");

      g_dbus_connection_send_message (connection, reply, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
    }
  g_object_unref (message);
  return NULL;
}

static void
gone_cb (FpCaller *caller,
         gpointer data)
{
  fp_authority_abandon (FP_HELPER (data)->authority, caller);
}

gboolean
fp_helper_has_password (FpHelper *self)
{
  return self->authority && fp_authority_has_password (self->authority);
}

static void
fp_helper_dispose (GObject *object)
{
  FpHelper *self = FP_HELPER (object);

  g_clear_handle_id (&self->idle_timer, g_source_remove);
  if (self->skeleton)
    g_dbus_interface_skeleton_unexport (G_DBUS_INTERFACE_SKELETON (self->skeleton));
  if (self->filter)
    g_dbus_connection_remove_filter (self->connection, self->filter);
  self->filter = 0;

  G_OBJECT_CLASS (fp_helper_parent_class)->dispose (object);
}

static void
fp_helper_finalize (GObject *object)
{
  FpHelper *self = FP_HELPER (object);

  g_clear_pointer (&self->blocks, fp_block_store_free);
  g_clear_pointer (&self->authority, fp_authority_free);
  g_clear_pointer (&self->callers, fp_callers_free);
  g_clear_object (&self->skeleton);
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

  signals[IDLE] = g_signal_new ("idle", FP_TYPE_HELPER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fp_helper_init (FpHelper *self)
{
  self->blocks = fp_block_store_new ();
  self->skeleton = fp_helper1_skeleton_new ();
  fp_helper1_set_version (self->skeleton, FP_VERSION);
  g_signal_connect_swapped (self->skeleton, "handle-collect", G_CALLBACK (collect_cb), self);
  g_signal_connect_swapped (self->skeleton, "handle-load-mappings", G_CALLBACK (load_mappings_cb), self);
  g_signal_connect_swapped (self->skeleton, "handle-load-details", G_CALLBACK (load_details_cb), self);
  g_signal_connect_swapped (self->skeleton, "handle-lock", G_CALLBACK (lock_cb), self);
}

/* accounts: (nullable): NULL on a connection to whoever started this process, and may read what it may */
FpHelper *
fp_helper_new (GDBusConnection *connection,
               FpAccounts *accounts,
               GError **error)
{
  g_autoptr (FpHelper) self = g_object_new (FP_TYPE_HELPER, NULL);

  self->connection = g_object_ref (connection);
  self->sweep = fp_shared_sweep_new ("/proc");
  self->pass_fds = (g_dbus_connection_get_capabilities (connection) & G_DBUS_CAPABILITY_FLAGS_UNIX_FD_PASSING) != 0;
  if (accounts)
    {
      self->callers = fp_callers_new (connection, accounts, gone_cb, self);
      self->authority = fp_authority_new (connection, self->callers);
      self->filter = g_dbus_connection_add_filter (connection, filter_cb, accounts, NULL);
    }
  begin_call (self);
  end_call (self);
  if (!g_dbus_interface_skeleton_export (G_DBUS_INTERFACE_SKELETON (self->skeleton), connection, FP_HELPER_PATH, error))
    return NULL;
  return g_steal_pointer (&self);
}
