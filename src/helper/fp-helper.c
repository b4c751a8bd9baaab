// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>

#include "fp-reading.h"
#include "fp-authority.h"
#include "fp-block-store.h"
#include "fp-details-message.h"
#include "fp-helper-interface.h"
#include "fp-helper.h"
#include "fp-local-source.h"
#include "fp-mounts.h"
#include "fp-request.h"
#include "fp-sealed-memory.h"
#include "fp-shared-sweep.h"
#include "fp-source-message.h"

#define IDLE_SECONDS 60
#define PROGRESS_US  (100 * 1000) /* between two signals */
#define BYTE_US      16           /* A byte of an answer costs so much, as it keeps others' answers waiting in the bus. */

struct _FpHelper
{
  GObject parent;

  FpHelper1 *skeleton;
  FpSharedSweep *sweep;
  FpSource *here;     /* reads what is kept; on a bus no more of it than graphics */
  FpCallers *callers; /* callers and authority are NULL where the other end started this process */
  FpAuthority *authority;
  FpBlockStore *blocks;
  GPtrArray *calls; /* Calls on their way */
  guint idle_timer;
};

typedef struct _Call Call;

/* A method begins by checking its arguments. Then its permission is found out, and it proceeds. */
typedef struct
{
  const char *name;
  const char *signal;
  void (*begin) (Call *call);
  FpAction action; /* permits reading other users' processes */
  FpWork work;
  FpCost cost; /* of its thread */
  void (*proceed) (Call *call);
  void (*read) (Call *call); /* in a thread */
  void (*answer) (Call *call);
  FpRequestKind kind; /* of what is read here */
  gboolean is_for_all;
} Method;

/* One method call on its way: each step takes it, and passes it on or answers. */
struct _Call
{
  FpHelper *helper;
  GDBusMethodInvocation *invocation;
  const Method *method;
  FpCaller *caller;   /* NULL: the other end started this process */
  FpAccount *account; /* (nullable): NULL until the call counts for it */
  FpSweepRequest sweep;
  FpProcessId id; /* the process to read; pid 0: all processes */
  FpAction asked; /* the last action that polkit was asked about */
  FpPermission permission;
  void (*next) (Call *call); /* when it is permitted */
  gint n_taken_back;         /* from its caller, until it was permitted */
  FpSnapshot *snapshot;
  FpBlock *block;
  GVariant *message; /* the answer where it is no block */
  GError *error;
  gint64 spent_us;
  gint64 told_us;   /* when its caller was told of its progress */
  gint is_given_up; /* atomic */
  gboolean needs_all;
  gboolean may_ask;
  gboolean is_known[2]; /* by hides_others: its snapshot was packed for another call */
};

static guint idle_signal;

G_DEFINE_FINAL_TYPE (FpHelper, fp_helper, G_TYPE_OBJECT)

static gboolean
idle_cb (gpointer data)
{
  FpHelper *self = data;

  /* The next helper would not know what is still held of this one's answers, nor whom it let alone. */
  if (fp_helper_has_password (self) || fp_block_store_prune (self->blocks) || fp_absence_get_end () > g_get_monotonic_time ())
    return G_SOURCE_CONTINUE;
  self->idle_timer = 0;
  g_signal_emit (self, idle_signal, 0);
  return G_SOURCE_REMOVE;
}

static void
wait_for_calls (FpHelper *self)
{
  self->idle_timer = g_timeout_add_seconds (IDLE_SECONDS, idle_cb, self);
}

static Call *
call_new (FpHelper *self,
          GDBusMethodInvocation *invocation)
{
  GDBusMessage *message = g_dbus_method_invocation_get_message (invocation);
  Call *call = g_new0 (Call, 1);

  /* Serialized, the arguments of a call that waits take no more than they did on the bus. */
  (void)g_variant_get_data (g_dbus_method_invocation_get_parameters (invocation));
  g_ptr_array_add (self->calls, call);
  g_clear_handle_id (&self->idle_timer, g_source_remove);
  call->helper = g_object_ref (self);
  call->invocation = invocation;
  call->permission.hides_others = TRUE; /* until a thread has looked */
  call->may_ask = (g_dbus_message_get_flags (message) & G_DBUS_MESSAGE_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION) != 0;
  return call;
}

static void
call_free (Call *call)
{
  FpHelper *self = call->helper;

  if (call->account)
    fp_account_end (call->account, FP_COUNT_CALLS);
  g_ptr_array_remove_fast (self->calls, call);
  if (self->calls->len == 0)
    wait_for_calls (self);
  g_clear_pointer (&call->caller, fp_caller_unref);
  g_clear_pointer (&call->snapshot, fp_snapshot_unref);
  g_clear_pointer (&call->block, fp_block_free);
  g_clear_pointer (&call->message, g_variant_unref);
  g_clear_error (&call->error);
  fp_request_clear (&call->sweep);
  g_object_unref (call->invocation);
  g_object_unref (self);
  g_free (call);
}

/* Answers with the call's error. What a caller gave up in its midst was not refused to it. */
static void
refuse (Call *call)
{
  const GError *error = call->error;
  FpHelperError code = fp_helper_error_of_reading (error);

  if (code != FP_HELPER_ERROR_BUSY && call->caller && !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_INTR))
    g_message ("refused to uid %u: %s: %s", call->caller->facts.uid,
               g_dbus_method_invocation_get_method_name (call->invocation), error->message);
  g_dbus_method_invocation_return_error_literal (g_object_ref (call->invocation), FP_HELPER_ERROR, (gint)code, error->message);
  call_free (call);
}

static void find_permission (Call *call);

static gboolean
is_taken_back (const Call *call)
{
  return call->caller && g_atomic_int_get (&call->caller->n_taken_back) != call->n_taken_back;
}

static void
refuse_taken_back (Call *call)
{
  g_clear_error (&call->error);
  g_set_error_literal (&call->error, FP_HELPER_ERROR, FP_HELPER_ERROR_BUSY, FP_AUTHORITY_TAKEN_BACK);
  refuse (call);
}

/* Before anything is handed over, polkit is asked anew if it may have changed its mind since the call was permitted, and
 * nobody is asked for a password. What was taken back meanwhile the caller may ask for again. */
static void
confirm (Call *call)
{
  call->may_ask = FALSE;
  call->next = call->method->answer;
  if (is_taken_back (call))
    refuse_taken_back (call);
  else
    find_permission (call);
}

/* The call is about a process of somebody else, so a password is needed. */
static void
ask_for_all (Call *call)
{
  g_clear_error (&call->error);
  call->needs_all = TRUE;
  call->next = call->method->proceed;
  find_permission (call);
}

static void
worked_cb (GObject *object,
           GAsyncResult *result,
           gpointer data)
{
  Call *call = data;
  const Method *method = call->method;

  if (call->account)
    {
      fp_account_end_turn (call->account, method->work);
      fp_account_spend (call->account, method->cost, g_get_monotonic_time (), call->spent_us);
    }
  if (!call->error || is_taken_back (call))
    confirm (call);
  else if (!call->needs_all && method->action == FP_ACTION_READ_MAPPINGS &&
           g_error_matches (call->error, FP_HELPER_ERROR, FP_HELPER_ERROR_LOCKED))
    ask_for_all (call);
  else
    refuse (call);
}

static void
fp_helper_worker (GTask *task,
                  gpointer source,
                  gpointer data,
                  GCancellable *cancellable)
{
  Call *call = data;
  guint64 start_us = fp_reading_clock_us ();

  call->permission.hides_others = call->permission.access != FP_ACCESS_ALL && fp_mounts_hide_processes ();
  if (!is_taken_back (call))
    call->method->read (call);
  call->spent_us = (gint64)(fp_reading_clock_us () - start_us + BYTE_US * (call->message ? g_variant_get_size (call->message) : 0));
  g_task_return_boolean (task, TRUE);
}

static void
start_worker (gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, worked_cb, data);

  g_task_set_task_data (task, data, NULL);
  g_task_run_in_thread (task, fp_helper_worker);
}

/* Earlier readings that came back late are paid for before the next one begins; no snapshot is. */
static gboolean
may_read (Call *call)
{
  FpCost cost = call->method->cost;
  gint64 now_us = g_get_monotonic_time ();

  if (cost != FP_COST_SNAPSHOTS)
    fp_account_spend (call->account, cost, now_us, (gint64)fp_absence_take_cost (call->caller->payer));
  return fp_account_may_spend (call->account, cost, now_us, &call->error);
}

/* In a thread, when it is this user's turn. */
static void
work (Call *call)
{
  fp_block_store_prune (call->helper->blocks);
  g_clear_pointer (&call->block, fp_block_free);
  g_clear_pointer (&call->message, g_variant_unref);
  if (!call->account)
    start_worker (call);
  else if (!may_read (call) || !fp_account_take_turn (call->account, call->method->work, start_worker, call, &call->error))
    refuse (call);
}

/* A process's time of the processor because this call wanted it measured. */
static void
pay_for_wanted (const Call *call)
{
  gint64 spent_us = 0;

  for (guint i = 0; i < call->sweep.n_wanted; i++)
    {
      const FpProcess *process = fp_snapshot_find (call->snapshot, call->sweep.wanted[i].pid);

      spent_us += process ? process->cost_us : 0;
    }
  if (call->account)
    fp_account_spend (call->account, FP_COST_WANTED, g_get_monotonic_time (), spent_us);
}

static void
answer_with_block (Call *call,
                   FpBlock *block)
{
  FpHelper *self = call->helper;
  GDBusConnection *connection = g_dbus_method_invocation_get_connection (call->invocation);
  gboolean pass_fd = (g_dbus_connection_get_capabilities (connection) & G_DBUS_CAPABILITY_FLAGS_UNIX_FD_PASSING) != 0;
  g_autoptr (GUnixFDList) fds = NULL;
  GVariant *variant = NULL;

  if (!block->account || fp_account_begin (block->account, FP_COUNT_ANSWERS, &call->error))
    {
      block->n_passed++;
      variant = fp_sealed_memory_pack (block->fd, &block->probe, pass_fd, &fds, &call->error);
    }
  if (!variant)
    {
      refuse (call);
      return;
    }
  if (call->method->action == FP_ACTION_READ_MAPPINGS)
    fp_helper1_complete_load_mappings (self->skeleton, g_object_ref (call->invocation), fds, variant);
  else
    fp_helper1_complete_collect (self->skeleton, g_object_ref (call->invocation), fds, variant,
                                 fp_access_get_name (call->permission.access));
  call_free (call);
}

/* A snapshot that this user was given already is not packed again. Only the thread finds out if /proc hides processes. */
static void
serve_swept (Call *call)
{
  for (gint hides = FALSE; hides <= TRUE; hides++)
    {
      call->permission.hides_others = hides;
      call->is_known[hides] = fp_block_store_find (call->helper->blocks, call->snapshot, &call->permission) != NULL;
    }
  work (call);
}

static void
swept_cb (GObject *object,
          GAsyncResult *result,
          gpointer data)
{
  Call *call = data;

  g_clear_pointer (&call->snapshot, fp_snapshot_unref);
  call->snapshot = fp_source_request_finish (FP_SOURCE (object), FP_REQUEST_COLLECT, result, &call->error);
  if (!call->snapshot)
    {
      refuse (call);
      return;
    }
  pay_for_wanted (call);
  serve_swept (call);
}

static void
sweep (Call *call)
{
  const FpSourceRequest request = {
    .kind = FP_REQUEST_COLLECT, .asker = call->caller ? call->caller->payer : 0, .sweep = call->sweep
  };

  fp_source_request_async (FP_SOURCE (call->helper->sweep), &request, NULL, swept_cb, call);
}

/* A user whose share is used up still gets what there is. */
static void
collect (Call *call)
{
  fp_request_clear (&call->sweep);
  fp_request_parse (&call->sweep, g_dbus_method_invocation_get_parameters (call->invocation), &call->permission,
                    fp_shared_sweep_get_last (call->helper->sweep));
  if (call->account && !fp_account_may_spend (call->account, FP_COST_WANTED, g_get_monotonic_time (), NULL))
    call->sweep.n_wanted = 0;
  sweep (call);
}

/* A sweep, if there is one, only finds which processes there are. */
static void
list_processes (Call *call)
{
  call->sweep.slice_us = 1;
  sweep (call);
}

static void
read_snapshot (Call *call)
{
  if (!call->is_known[call->permission.hides_others])
    call->block = fp_block_new_snapshot (call->snapshot, &call->permission, call->account, &call->error);
}

static void
read_mappings (Call *call)
{
  call->block = fp_block_new_mappings (&call->id, &call->permission, call->account, &call->error);
}

/* In the thread that reads. A caller that has left the bus waits no more, and one that may not see the answer needs none. */
static gboolean
files_step_cb (guint64 done,
               guint64 all,
               gpointer data)
{
  Call *call = data;
  GDBusMethodInvocation *invocation = call->invocation;
  gint64 now_us = g_get_monotonic_time ();

  if (now_us >= call->told_us + PROGRESS_US)
    {
      call->told_us = now_us;
      g_dbus_connection_emit_signal (
          g_dbus_method_invocation_get_connection (invocation), g_dbus_method_invocation_get_sender (invocation), FP_HELPER_PATH,
          FP_HELPER_INTERFACE, "FilesProgress", g_variant_new ("(uu)", (guint32)done, (guint32)all), NULL);
    }
  return !g_atomic_int_get (&call->is_given_up) && !is_taken_back (call) &&
         !(call->caller && g_atomic_int_get (&call->caller->is_gone));
}

static void
read_files (Call *call)
{
  g_autoptr (GVariant) pids = g_variant_get_child_value (g_dbus_method_invocation_get_parameters (call->invocation), 0);
  g_autoptr (FpSnapshot) snapshot = g_steal_pointer (&call->snapshot);

  call->block = fp_block_new_files (snapshot, pids, call->account, files_step_cb, call, &call->error);
}

/* A long reading ends when polkit says no now, and not only before its answer. */
static void
polkit_changed_cb (gpointer data)
{
  FpHelper *self = data;

  for (guint i = 0; i < self->calls->len; i++)
    {
      const Call *call = self->calls->pdata[i];

      if (call->method->read == read_files && call->permission.access != FP_ACCESS_NONE)
        fp_authority_check_async (self->authority, call->caller, call->asked, NULL, NULL, NULL);
    }
}

static void
answer_with_new_block (Call *call)
{
  FpBlock *block = call->block;

  if (call->account && !fp_account_begin (call->account, FP_COUNT_BLOCKS, &call->error))
    {
      refuse (call);
      return;
    }
  call->block = NULL;
  fp_block_store_take (call->helper->blocks, block);
  answer_with_block (call, block);
}

/* The one that was known may be gone again. */
static void
answer_with_snapshot (Call *call)
{
  FpBlock *known = fp_block_store_find (call->helper->blocks, call->snapshot, &call->permission);

  if (known)
    answer_with_block (call, known);
  else if (call->block)
    answer_with_new_block (call);
  else
    serve_swept (call);
}

static gboolean
may_list (const Call *call,
          const FpProcDir *proc)
{
  FpOwner owner;

  return call->permission.access == FP_ACCESS_ALL ||
         (fp_owner_await (&owner, NULL, proc, &call->id) && fp_permission_may_list (&call->permission, &owner));
}

/* The PID is the same process's before and after the reading. */
static void
read_details (Call *call)
{
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_autoptr (FpDetails) details = NULL;

  if (!fp_proc_dir_open (&proc, "/proc", &call->error))
    return;
  details = may_list (call, &proc) ? fp_details_read (&proc, &call->id, &call->error) : NULL;
  if (!call->error && (!details || !may_list (call, &proc)))
    g_set_error_literal (&call->error, FP_HELPER_ERROR, errno == ETIMEDOUT ? FP_HELPER_ERROR_FAILED : FP_HELPER_ERROR_LOCKED,
                         "Processes are hidden on this machine, or do not answer");
  if (!call->error)
    call->message = g_variant_ref_sink (fp_details_message_pack (details));
}

static void
read_here (Call *call)
{
  call->message = fp_source_message_read (call->helper->here, call->method->kind, &call->error);
}

static void
answer_with_message (Call *call)
{
  g_dbus_method_invocation_return_value (g_object_ref (call->invocation), call->message);
  call_free (call);
}

static void
lock (Call *call)
{
  g_auto (GStrv) kept = call->caller ? fp_authority_lock (call->caller) : g_new0 (char *, 1);

  fp_helper1_complete_lock (call->helper->skeleton, g_object_ref (call->invocation), (const char *const *)kept);
  call_free (call);
}

/* A call that is given more or less than before begins anew. FALSE: nothing, or not as much as the call needs, which leaves
 * it to the caller. */
static gboolean
use_verdict (Call *call,
             FpAccess permitted,
             gboolean has_password)
{
  FpAccess access = fp_permission_decide (&call->caller->facts, permitted, has_password);

  if (access == FP_ACCESS_NONE || (call->needs_all && access != FP_ACCESS_ALL))
    return FALSE;
  if (access != call->permission.access)
    call->next = call->method->proceed;
  call->permission.access = access;
  call->n_taken_back = g_atomic_int_get (&call->caller->n_taken_back);
  call->next (call);
  return TRUE;
}

/* Floating: what the question for a password names */
static GVariant *
make_details (const Call *call)
{
  const FpSnapshot *last = fp_shared_sweep_get_last (call->helper->sweep);
  const FpProcess *process = last && call->id.pid ? fp_snapshot_find_same (last, &call->id) : NULL;
  gboolean may_name = process && fp_permission_may_name (&call->caller->facts, process, call->permission.hides_others);
  g_autofree char *program = may_name ? fp_text_make_plain (fp_snapshot_get_text (last, process, FP_TEXT_COMM)) : NULL;
  g_autofree char *user = may_name ? fp_text_make_plain (fp_snapshot_get_text (last, process, FP_TEXT_USER)) : NULL;
  g_autofree char *uid = g_strdup_printf ("UID %u", may_name ? process->uid : 0);
  g_autofree char *both = may_name ? g_strdup_printf ("“%s” (%s)", program, *user ? user : uid) : NULL;

  return g_variant_new_parsed ("{'program': %s}", both ? both : call->id.pid ? "one of them"
                                                                             : "each of them");
}

static void ask_polkit (Call *call, FpAction action);

/* polkit is asked about all processes first, then about the caller's own; who may not even read those may still type the password. */
static void
checked_cb (GObject *object,
            GAsyncResult *result,
            gpointer data)
{
  Call *call = data;
  gboolean is_yes = g_task_propagate_boolean (G_TASK (result), &call->error);
  gboolean is_own = call->asked == FP_ACTION_READ_OWN_MEMORY, is_final;
  const FpAnswer *answer = &call->caller->answers[call->asked];

  /* It may have been locked since the answer was given. */
  if (is_yes && !answer->is_yes)
    {
      refuse_taken_back (call);
      return;
    }
  if (is_yes && use_verdict (call, is_own ? FP_ACCESS_OWN : FP_ACCESS_ALL, answer->has_password))
    return;
  if (is_yes)
    g_set_error_literal (&call->error, FP_HELPER_ERROR, FP_HELPER_ERROR_LOCKED, "A confined program needs a password of its own");
  is_final = call->needs_all || g_error_matches (call->error, FP_HELPER_ERROR, FP_HELPER_ERROR_BUSY);
  if (!is_final && !is_own)
    ask_polkit (call, FP_ACTION_READ_OWN_MEMORY);
  else if (!is_final && call->method->action == FP_ACTION_READ_MAPPINGS)
    ask_for_all (call);
  else
    refuse (call);
}

static void
ask_polkit (Call *call,
            FpAction action)
{
  GVariant *details = call->needs_all && call->may_ask ? make_details (call) : NULL;

  g_clear_error (&call->error);
  call->asked = action;
  fp_authority_check_async (call->helper->authority, call->caller, action, details, checked_cb, call);
}

static void
find_permission (Call *call)
{
  if (!call->caller)
    {
      call->permission.access = FP_ACCESS_ALL;
      call->next (call);
      return;
    }
  call->permission.uid = call->caller->facts.uid;
  call->permission.gid = call->caller->facts.gid;
  if (!use_verdict (call, FP_ACCESS_NONE, FALSE))
    ask_polkit (call, call->method->action);
}

static void
identified_cb (GObject *object,
               GAsyncResult *result,
               gpointer data)
{
  Call *call = data;

  call->caller = fp_callers_identify_finish (call->helper->callers, result, &call->error);
  if (call->error)
    refuse (call);
  else if (call->method->proceed == lock)
    lock (call);
  else if (!fp_account_begin_call (call->caller->account, g_get_monotonic_time (), &call->error))
    refuse (call);
  else
    {
      call->account = call->caller->account;
      find_permission (call);
    }
}

static void
start (Call *call)
{
  if (call->helper->callers)
    fp_callers_identify_async (call->helper->callers, g_dbus_method_invocation_get_sender (call->invocation), identified_cb, call);
  else
    find_permission (call);
}

static void
begin_collect (Call *call)
{
  g_autoptr (GVariant) options = g_variant_get_child_value (g_dbus_method_invocation_get_parameters (call->invocation), 2);

  g_variant_lookup (options, "all", "b", &call->needs_all);
  start (call);
}

static void
begin_about_process (Call *call)
{
  if (!fp_request_parse_id (g_dbus_method_invocation_get_parameters (call->invocation), &call->id))
    g_set_error_literal (&call->error, FP_HELPER_ERROR, FP_HELPER_ERROR_ENDED, "There is no such process");
  if (call->error)
    refuse (call);
  else
    start (call);
}

/* Everybody may give up what they asked for; of other methods than LoadFiles nothing ends for it. */
static void
begin_cancel (Call *call)
{
  GPtrArray *calls = call->helper->calls;
  const char *sender = g_dbus_method_invocation_get_sender (call->invocation);

  for (guint i = 0; i < calls->len; i++)
    {
      Call *other = calls->pdata[i];

      if (g_strcmp0 (g_dbus_method_invocation_get_sender (other->invocation), sender) == 0)
        g_atomic_int_set (&other->is_given_up, TRUE);
    }
  fp_helper1_complete_cancel_files (call->helper->skeleton, g_object_ref (call->invocation));
  call_free (call);
}

/* On a bus LoadKept is about the graphics memory of all processes. */
/* clang-format off */
static const Method methods[] = {
  { "Collect", "handle-collect", begin_collect, FP_ACTION_READ_MEMORY, FP_WORK_SHORT, FP_COST_SNAPSHOTS, collect, read_snapshot, answer_with_snapshot },
  { "LoadMappings", "handle-load-mappings", begin_about_process, FP_ACTION_READ_MAPPINGS, FP_WORK_MAPPINGS, FP_COST_MAPPINGS, work, read_mappings, answer_with_new_block },
  { "LoadFiles", "handle-load-files", start, FP_ACTION_READ_MAPPINGS, FP_WORK_FILES, FP_COST_MAPPINGS, list_processes, read_files, answer_with_new_block, .is_for_all = TRUE },
  { "CancelFiles", "handle-cancel-files", begin_cancel },
  { "LoadDetails", "handle-load-details", begin_about_process, FP_ACTION_READ_MEMORY, FP_WORK_DETAILS, FP_COST_DETAILS, work, read_details, answer_with_message },
  { "LoadControlGroups", "handle-load-control-groups", start, FP_ACTION_READ_MEMORY, FP_WORK_SHORT, FP_COST_DETAILS, work, read_here, answer_with_message, FP_REQUEST_CONTROL_GROUPS },
  { "LoadKept", "handle-load-kept", start, FP_ACTION_READ_MEMORY, FP_WORK_KEPT, FP_COST_DETAILS, work, read_here, answer_with_message, FP_REQUEST_KEPT, .is_for_all = TRUE },
  { "Lock", "handle-lock", start, .proceed = lock },
};
/* clang-format on */

/* All that the interface has are in the table. */
static const Method *
find_method (GDBusMethodInvocation *invocation)
{
  const Method *method = methods;

  for (; !g_str_equal (method->name, g_dbus_method_invocation_get_method_name (invocation)); method++)
    g_assert (method < methods + G_N_ELEMENTS (methods) - 1);
  return method;
}

static gboolean
called_cb (FpHelper *self,
           GDBusMethodInvocation *invocation)
{
  Call *call = call_new (self, invocation);

  call->method = find_method (invocation);
  call->next = call->method->proceed;
  call->needs_all = call->method->is_for_all;
  call->method->begin (call);
  return TRUE;
}

gboolean
fp_helper_has_password (FpHelper *self)
{
  return self->callers && fp_callers_have_password (self->callers);
}

static void
fp_helper_finalize (GObject *object)
{
  FpHelper *self = FP_HELPER (object);

  g_clear_handle_id (&self->idle_timer, g_source_remove);
  g_dbus_interface_skeleton_unexport (G_DBUS_INTERFACE_SKELETON (self->skeleton));
  g_clear_pointer (&self->blocks, fp_block_store_free);
  g_clear_pointer (&self->calls, g_ptr_array_unref);
  g_clear_pointer (&self->authority, fp_authority_free);
  g_clear_pointer (&self->callers, fp_callers_free);
  g_clear_object (&self->skeleton);
  g_clear_object (&self->sweep);
  g_clear_object (&self->here);

  G_OBJECT_CLASS (fp_helper_parent_class)->finalize (object);
}

static void
fp_helper_class_init (FpHelperClass *class)
{
  G_OBJECT_CLASS (class)->finalize = fp_helper_finalize;

  idle_signal = g_signal_new ("idle", FP_TYPE_HELPER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fp_helper_init (FpHelper *self)
{
  self->blocks = fp_block_store_new ();
  self->calls = g_ptr_array_new ();
  self->skeleton = fp_helper1_skeleton_new ();
  fp_helper1_set_version (self->skeleton, FP_VERSION);
}

/* accounts: (nullable): NULL on a connection to whoever started this process, and may read what it may */
FpHelper *
fp_helper_new (GDBusConnection *connection,
               FpAccounts *accounts,
               GError **error)
{
  g_autoptr (FpHelper) self = g_object_new (FP_TYPE_HELPER, NULL);

  self->sweep = fp_shared_sweep_new ("/proc");
  if (accounts)
    {
      self->callers = fp_callers_new (connection, accounts, fp_authority_abandon);
      self->authority = fp_authority_new (connection, polkit_changed_cb, self);
    }
  self->here = accounts ? fp_local_source_new_for_graphics ("/proc") : fp_local_source_new ("/proc");
  /* One with a privilege does nothing that its callers can do as well: a method without a handler is unknown to them. */
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    if (!accounts || methods[i].kind != FP_REQUEST_CONTROL_GROUPS)
      g_signal_connect_swapped (self->skeleton, methods[i].signal, G_CALLBACK (called_cb), self);
  wait_for_calls (self);
  if (!g_dbus_interface_skeleton_export (G_DBUS_INTERFACE_SKELETON (self->skeleton), connection, FP_HELPER_PATH, error))
    return NULL;
  return g_steal_pointer (&self);
}
