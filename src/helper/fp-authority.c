// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-authority.h"
#include "fp-helper-protocol.h"

#define MAY_ASK          1u
#define CHECK_TIMEOUT_MS (10 * 1000)
#define QUESTION_MS      (120 * 1000)
#define QUESTION_US      (100 * 1000) /* counts as four calls, as polkit is asked twice at once */

/* Kept by every call of polkit, whose answer may come after everything else is gone. */
struct _FpAuthority
{
  GDBusConnection *connection;
  guint generation; /* of polkit's rules */
  guint n_questions;
  guint changed;
  guint owner_changed;
  void (*changed_func) (gpointer data);
  gpointer data;
};

/* A call of polkit, until it answers. */
struct _FpCheck
{
  FpAuthority *authority;
  FpCaller *caller;
  FpAction action;
  guint generation;
  guint n_locks;      /* of the caller, when polkit was asked */
  gboolean *is_typed; /* (nullable): of a question, whether its yes comes from a person; in a box */
  gboolean by_name;   /* where polkit does not see the process, as /proc hides it: polkit asks the bus ten times whose it is */
  gboolean is_beside; /* It was sent in the turn of another one, and nobody waits for it. */
  GTask *task;        /* (nullable): gets the answer; a question has the task of the latest call */
  GVariant *details;  /* (nullable): NULL if the user may not be asked */
  char *question;     /* (nullable): polkit's id to cancel it by, while the user is asked */
};

static const char *const action_ids[FP_N_ACTIONS] = {
  [FP_ACTION_READ_OWN_MEMORY] = FP_APP_ID ".read-own-memory",
  [FP_ACTION_READ_MEMORY] = FP_APP_ID ".read-memory",
  [FP_ACTION_READ_MAPPINGS] = FP_APP_ID ".read-mappings",
};

static void
authority_clear (gpointer data)
{
  FpAuthority *self = data;

  g_object_unref (self->connection);
}

static void
check_free (FpCheck *self)
{
  g_rc_box_release_full (self->authority, authority_clear);
  fp_caller_unref (self->caller);
  g_clear_object (&self->task);
  g_clear_pointer (&self->details, g_variant_unref);
  g_clear_pointer (&self->is_typed, g_rc_box_release);
  g_free (self->question);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpCheck, check_free)

static void
refuse (GTask *task,
        FpAction action,
        FpHelperError reason)
{
  g_task_return_new_error (task, FP_HELPER_ERROR, (gint)reason, "%s: %s", action_ids[action], fp_helper_error_get_message (reason));
}

/* Takes the error. polkit's own trouble is no answer of polkit's. One that goes in its midst is started again, but nobody is asked
 * for a password again because of that. */
static void
fail (GTask *task,
      gboolean is_question,
      GError *error)
{
  g_autofree char *name = g_dbus_error_get_remote_error (error);
  gboolean is_busy = g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_LIMITS_EXCEEDED) ||
                     (!is_question && g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY)) ||
                     g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
  gboolean is_answer = name && g_str_has_prefix (name, FP_POLKIT_NAME);

  g_dbus_error_strip_remote_error (error);
  g_task_return_new_error (task, FP_HELPER_ERROR, is_busy ? FP_HELPER_ERROR_BUSY : is_answer ? FP_HELPER_ERROR_DENIED
                                                                                             : FP_HELPER_ERROR_NO_POLKIT,
                           "%spolkit: %s", is_busy ? "1000 ms: " : "", error->message);
  g_error_free (error);
}

static void replied_cb (GObject *object, GAsyncResult *result, gpointer data);

static void
marked_cb (GObject *object,
           GAsyncResult *result,
           gpointer data)
{
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (object), result, NULL);

  *(gboolean *)data = reply != NULL;
  g_rc_box_release (data);
}

static void
check (FpCheck *self,
       gboolean *mark)
{
  const FpCallerFacts *facts = &self->caller->facts;
  const gboolean may_ask = self->question && !mark;
  GVariant *subject =
      self->by_name ? g_variant_new_parsed ("('system-bus-name', {'name': <%s>})", self->caller->name)
                    : g_variant_new_parsed ("('unix-process', {'pid': <%u>, 'start-time': <%t>, 'uid': <%i>})", self->caller->pid,
                                            facts->standing.start_ticks, facts->uid);

  g_dbus_connection_call (self->authority->connection, FP_POLKIT_NAME, FP_POLKIT_PATH, FP_POLKIT_INTERFACE, "CheckAuthorization",
                          g_variant_new ("(@(sa{sv})s@a{ss}us)", subject, action_ids[self->action],
                                         may_ask ? self->details : g_variant_new_array (G_VARIANT_TYPE ("{ss}"), NULL, 0),
                                         may_ask ? MAY_ASK : 0, may_ask ? self->question : ""),
                          G_VARIANT_TYPE ("((bba{ss}))"), G_DBUS_CALL_FLAGS_NONE, self->question ? QUESTION_MS : CHECK_TIMEOUT_MS, NULL,
                          mark ? marked_cb : replied_cb, mark ? (gpointer)mark : self);
}

/* Few may read everybody's, so what polkit says about the caller's own is needed next. Answers come in order. */
static void
check_own_first (FpCaller *caller,
                 FpAuthority *authority)
{
  FpCheck *own = g_new (FpCheck, 1);

  *own = (FpCheck){ g_rc_box_acquire (authority), g_atomic_rc_box_acquire (caller), FP_ACTION_READ_OWN_MEMORY, authority->generation,
                    caller->n_locks, .is_beside = TRUE, .task = g_task_new (NULL, NULL, NULL, NULL) };
  check (own, NULL);
}

/* polkit tells no rule's yes from a typed one, but answers in order what no person is asked: so a check right behind a question is
 * answered after a rule's yes, and before a typed one. Takes the check, whose caller may have left while it waited for its turn. */
static void
call_polkit (gpointer data)
{
  FpCheck *self = data;
  FpAnswer *answer = &self->caller->answers[self->action];

  answer->idle = answer->idle == self ? NULL : answer->idle;
  if (self->caller->is_gone)
    {
      refuse (self->task, self->action, FP_HELPER_ERROR_CANCELLED);
      fp_account_end_turn (self->caller->account, FP_WORK_CHECK);
      check_free (self);
      return;
    }
  self->generation = self->authority->generation;
  self->n_locks = self->caller->n_locks;
  if (self->action == FP_ACTION_READ_MEMORY && !self->details && !self->by_name)
    check_own_first (self->caller, self->authority);
  check (self, NULL);
  if (!self->question)
    return;
  fp_account_spend (self->caller->account, FP_COST_CALLS, g_get_monotonic_time (), QUESTION_US);
  g_clear_pointer (&self->is_typed, g_rc_box_release);
  self->is_typed = g_rc_box_new0 (gboolean);
  check (self, g_rc_box_acquire (self->is_typed));
}

/* The caller no longer waits for the answer: the dialog closes, and the call that began it is told so. */
void
fp_authority_abandon (FpCaller *caller)
{
  FpCheck *self = g_steal_pointer (&caller->question);
  g_autoptr (GTask) task = self ? g_steal_pointer (&self->task) : NULL;

  if (!self)
    return;
  g_dbus_connection_call (self->authority->connection, FP_POLKIT_NAME, FP_POLKIT_PATH, FP_POLKIT_INTERFACE, "CancelCheckAuthorization",
                          g_variant_new ("(s)", self->question), NULL, G_DBUS_CALL_FLAGS_NONE, CHECK_TIMEOUT_MS, NULL, NULL, NULL);
  refuse (task, self->action, FP_HELPER_ERROR_CANCELLED);
}

/* One question at a time for each connection: a later call for the same action takes over the question that is there,
 * since the yes is for every process, and one for another action puts its own question in the place of it.
 * Takes the check. */
static void
ask (FpCheck *check)
{
  g_autoptr (FpCheck) self = check;
  FpCheck *before = self->caller->question;
  GError *error = NULL;

  if (before && before->action == self->action)
    {
      g_autoptr (GTask) task = g_steal_pointer (&before->task);

      before->task = g_steal_pointer (&self->task);
      refuse (task, self->action, FP_HELPER_ERROR_CANCELLED);
      return;
    }
  fp_authority_abandon (self->caller);
  if (self->caller->is_gone)
    refuse (self->task, self->action, FP_HELPER_ERROR_CANCELLED);
  else if (!fp_account_begin (self->caller->account, FP_COUNT_QUESTIONS, &error))
    g_task_return_error (self->task, error);
  else
    {
      self->question = g_strdup_printf ("footprint-%u", self->authority->n_questions++);
      self->caller->question = self;
      call_polkit (g_steal_pointer (&self));
    }
}

/* A challenge means different things before and after a password was typed. Takes the check. */
static void
judge (FpCheck *check,
       GVariant *reply)
{
  g_autoptr (FpCheck) self = check;
  FpAnswer *answer = &self->caller->answers[self->action];
  g_autoptr (GVariant) details = NULL;
  gboolean was_yes = answer->is_yes, is_typed = self->is_typed && *self->is_typed, is_yes, needs_password, has_id;
  const char *kept;

  g_variant_get (reply, "((bb@a{ss}))", &is_yes, &needs_password, &details);
  if (self->by_name && !fp_standing_is_there (&self->caller->facts.standing))
    is_yes = needs_password = FALSE;
  /* Lock ends a question, and comes after an answer that was under way. */
  if (!self->question && self->n_locks != self->caller->n_locks)
    {
      g_task_return_new_error (self->task, FP_HELPER_ERROR, FP_HELPER_ERROR_BUSY, FP_AUTHORITY_TAKEN_BACK);
      return;
    }
  if (self->question && !is_yes)
    {
      refuse (self->task, self->action,
              g_variant_lookup (details, "polkit.dismissed", "&s", NULL) ? FP_HELPER_ERROR_CANCELLED
              : needs_password                                           ? FP_HELPER_ERROR_NO_AGENT
                                                                         : FP_HELPER_ERROR_DENIED);
      return;
    }
  has_id = g_variant_lookup (details, "polkit.temporary_authorization_id", "&s", &kept);
  answer->has_password = self->question ? is_typed || has_id : answer->has_password && (is_yes || needs_password);
  answer->generation = self->generation;
  answer->is_yes = is_yes || answer->has_password;
  answer->reason = needs_password ? FP_HELPER_ERROR_LOCKED : FP_HELPER_ERROR_DENIED;
  if (was_yes && !answer->is_yes)
    g_atomic_int_inc (&self->caller->n_taken_back);
  if (has_id)
    {
      g_free (answer->kept);
      answer->kept = g_strdup (kept);
    }
  if (answer->is_yes)
    g_task_return_boolean (self->task, TRUE);
  else if (needs_password && self->details)
    ask (g_steal_pointer (&self));
  else
    refuse (self->task, self->action, answer->reason);
}

static void
replied_cb (GObject *object,
            GAsyncResult *result,
            gpointer data)
{
  g_autoptr (FpCheck) self = data;
  GError *error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (object), result, &error);

  if (error && self->task && !self->by_name && !self->is_beside && g_dbus_error_is_remote_error (error) &&
      fp_standing_is_there (&self->caller->facts.standing))
    {
      g_clear_error (&error);
      self->by_name = TRUE;
      call_polkit (g_steal_pointer (&self));
      return;
    }
  if (self->question)
    fp_account_end (self->caller->account, FP_COUNT_QUESTIONS);
  else if (!self->is_beside)
    fp_account_end_turn (self->caller->account, FP_WORK_CHECK);
  if (self->task && self->question && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    fp_authority_abandon (self->caller);
  if (self->caller->question == self)
    self->caller->question = NULL;
  if (!self->task)
    g_clear_error (&error);
  else if (reply)
    judge (g_steal_pointer (&self), reply);
  else
    fail (self->task, self->question != NULL, error);
}

/* Every caller is checked again with its next call, and before the answer to one that is under way. */
static void
changed_cb (GDBusConnection *connection,
            const char *sender,
            const char *path,
            const char *interface,
            const char *signal,
            GVariant *parameters,
            gpointer data)
{
  FpAuthority *self = data;

  self->generation++;
  self->changed_func (self->data);
}

/* polkit is watched from before the helper has its name. A new polkit has new rules. */
FpAuthority *
fp_authority_new (GDBusConnection *connection,
                  void (*changed) (gpointer data),
                  gpointer data)
{
  FpAuthority *self = g_rc_box_new0 (FpAuthority);

  self->connection = g_object_ref (connection);
  self->generation = 1;
  self->changed_func = changed;
  self->data = data;
  self->changed = g_dbus_connection_signal_subscribe (connection, FP_POLKIT_NAME, FP_POLKIT_INTERFACE, "Changed", FP_POLKIT_PATH, NULL,
                                                      G_DBUS_SIGNAL_FLAGS_NONE, changed_cb, self, NULL);
  self->owner_changed = g_dbus_connection_signal_subscribe (connection, DBUS_NAME, DBUS_NAME, "NameOwnerChanged", DBUS_PATH,
                                                            FP_POLKIT_NAME, G_DBUS_SIGNAL_FLAGS_NONE, changed_cb, self, NULL);
  return self;
}

void
fp_authority_free (FpAuthority *self)
{
  g_dbus_connection_signal_unsubscribe (self->connection, self->changed);
  g_dbus_connection_signal_unsubscribe (self->connection, self->owner_changed);
  g_rc_box_release_full (self, authority_clear);
}

void
fp_authority_check_async (FpAuthority *self,
                          FpCaller *caller,
                          FpAction action,
                          GVariant *details,
                          GAsyncReadyCallback callback,
                          gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, data);
  g_autoptr (GVariant) sunk = details ? g_variant_ref_sink (details) : NULL;
  FpAnswer *answer = &caller->answers[action];
  gboolean is_known = answer->generation == self->generation;
  GError *error = NULL;
  FpCheck *check;

  if (is_known && answer->is_yes)
    g_task_return_boolean (task, TRUE);
  else if (is_known && (!details || answer->reason != FP_HELPER_ERROR_LOCKED))
    refuse (task, action, answer->reason);
  else if (!is_known && answer->idle)
    {
      g_set_object (&answer->idle->task, task);
      answer->idle->details = g_steal_pointer (&sunk);
      answer->idle = callback ? NULL : answer->idle;
    }
  else
    {
      check = g_new (FpCheck, 1);
      *check = (FpCheck){ g_rc_box_acquire (self), g_atomic_rc_box_acquire (caller), action, .task = g_object_ref (task),
                          .details = g_steal_pointer (&sunk) };
      answer->idle = callback ? NULL : check;
      /* polkit has said already that it takes a password. */
      if (is_known)
        ask (check);
      else if (!fp_account_take_turn (caller->account, FP_WORK_CHECK, call_polkit, check, &error))
        {
          answer->idle = NULL;
          check_free (check);
          g_task_return_error (task, error);
        }
    }
}

/* Forgets the passwords. Returns (transfer full): the ids of what polkit keeps, which only the caller may revoke */
GStrv
fp_authority_lock (FpCaller *caller)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  fp_authority_abandon (caller);
  g_atomic_int_inc (&caller->n_taken_back);
  caller->n_locks++;
  for (FpAction action = 0; action < FP_N_ACTIONS; action++)
    {
      g_autofree char *kept = g_steal_pointer (&caller->answers[action].kept);

      caller->answers[action] = (FpAnswer){ 0 };
      if (kept)
        g_strv_builder_add (builder, kept);
    }
  return g_strv_builder_end (builder);
}
