// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint-helper"
#include "config.h"

#include "fp-authority.h"

#define POLKIT_NAME      "org.freedesktop.PolicyKit1"
#define POLKIT_PATH      "/org/freedesktop/PolicyKit1/Authority"
#define POLKIT_INTERFACE "org.freedesktop.PolicyKit1.Authority"
#define MAY_ASK          1u
#define CHECK_TIMEOUT_MS (10 * 1000)
#define QUESTION_SECONDS 120

/* Kept by every question to polkit, whose answer may come after everything else is gone. */
struct _FpAuthority
{
  GDBusConnection *connection;
  FpCallers *callers;
  guint generation; /* of polkit's rules */
  guint n_questions;
  guint changed;
  guint owner_changed;
};

/* One question to polkit. */
typedef struct
{
  FpAuthority *authority;
  FpCaller *caller;
  FpAction action;
  guint generation;
  char *program; /* (nullable): nobody may be asked */
  char *user;
} Check;

/* The same, while a person is thinking about it. It lives until polkit answers. */
struct _FpQuestion
{
  FpAuthority *authority;
  FpCaller *caller;
  GTask *task; /* (nullable): gets the answer, the latest that would have asked */
  FpAction action;
  char *id; /* for polkit, to cancel it */
  guint timer;
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
authority_unref (FpAuthority *self)
{
  g_rc_box_release_full (self, authority_clear);
}

static void
check_free (gpointer data)
{
  Check *self = data;

  authority_unref (self->authority);
  fp_caller_unref (self->caller);
  g_free (self->program);
  g_free (self->user);
  g_free (self);
}

static const char *
get_refusal (FpHelperError reason)
{
  switch ((guint)reason)
    {
    case FP_HELPER_ERROR_CANCELLED:
      return "The question for a password was dismissed";
    case FP_HELPER_ERROR_NO_AGENT:
      return "A password is needed, and nothing is there that could ask for it";
    case FP_HELPER_ERROR_LOCKED:
      return "A password is needed";
    default:
      return "polkit does not permit it";
    }
}

static void
refuse (GTask *task,
        FpHelperError reason)
{
  const Check *check = g_task_get_task_data (task);

  g_task_return_new_error (task, FP_HELPER_ERROR, (gint)reason, "%s: %s", action_ids[check->action], get_refusal (reason));
}

/* Takes the error. polkit's own trouble is no answer of polkit's. */
static void
fail (GTask *task,
      GError *error)
{
  gboolean is_busy = g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_LIMITS_EXCEEDED) ||
                     g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);

  g_dbus_error_strip_remote_error (error);
  if (is_busy)
    g_task_return_new_error (task, FP_HELPER_ERROR, FP_HELPER_ERROR_BUSY, "1000 ms: polkit: %s", error->message);
  else
    g_task_return_new_error (task, FP_HELPER_ERROR, FP_HELPER_ERROR_DENIED, "polkit: %s", error->message);
  g_error_free (error);
}

typedef struct
{
  gboolean is_yes;
  gboolean needs_password;
  gboolean is_dismissed;
  char *kept;
} Reply;

static void
reply_clear (Reply *self)
{
  g_free (self->kept);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reply, reply_clear)

static gboolean
take_reply (Reply *self,
            GAsyncResult *result,
            FpAuthority *authority,
            GError **error)
{
  g_autoptr (GVariant) variant = g_dbus_connection_call_finish (authority->connection, result, error);
  g_autoptr (GVariant) details = NULL;

  if (!variant)
    return FALSE;
  g_variant_get (variant, "((bb@a{ss}))", &self->is_yes, &self->needs_password, &details);
  self->is_dismissed = g_variant_lookup (details, "polkit.dismissed", "&s", NULL);
  g_variant_lookup (details, "polkit.temporary_authorization_id", "s", &self->kept);
  return TRUE;
}

static void
remember (const Check *check,
          Reply *reply,
          FpHelperError reason)
{
  FpAnswer *answer = &check->caller->answers[check->action];

  answer->is_known = check->generation == check->authority->generation;
  answer->is_yes = reply->is_yes;
  answer->reason = reason;
  if (reply->kept)
    {
      g_free (answer->kept);
      answer->kept = g_steal_pointer (&reply->kept);
    }
}

static void
call_polkit (GTask *task,
             guint flags,
             const char *id,
             GAsyncReadyCallback callback,
             gpointer data)
{
  Check *check = g_task_get_task_data (task);
  GVariantBuilder subject, details;

  check->generation = check->authority->generation;
  g_variant_builder_init (&subject, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&subject, "{sv}", "name", g_variant_new_string (check->caller->name));
  g_variant_builder_init (&details, G_VARIANT_TYPE ("a{ss}"));
  if (flags & MAY_ASK)
    {
      g_variant_builder_add (&details, "{ss}", "program", check->program);
      g_variant_builder_add (&details, "{ss}", "user", check->user);
    }
  g_dbus_connection_call (check->authority->connection, POLKIT_NAME, POLKIT_PATH, POLKIT_INTERFACE, "CheckAuthorization",
                          g_variant_new ("((sa{sv})sa{ss}us)", "system-bus-name", &subject, action_ids[check->action],
                                         &details, flags, id),
                          G_VARIANT_TYPE ("((bba{ss}))"), G_DBUS_CALL_FLAGS_NONE,
                          flags & MAY_ASK ? G_MAXINT : CHECK_TIMEOUT_MS, NULL, callback, data);
}

/* The dialog closes, and whoever waits for its answer is told so. */
static void
cancel_question (FpQuestion *self)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->task);

  self->caller->question = NULL;
  g_clear_handle_id (&self->timer, g_source_remove);
  g_dbus_connection_call (self->authority->connection, POLKIT_NAME, POLKIT_PATH, POLKIT_INTERFACE,
                          "CancelCheckAuthorization", g_variant_new ("(s)", self->id), NULL, G_DBUS_CALL_FLAGS_NONE,
                          CHECK_TIMEOUT_MS, NULL, NULL, NULL);
  if (task)
    refuse (task, FP_HELPER_ERROR_CANCELLED);
}

static gboolean
question_timer_cb (gpointer data)
{
  FpQuestion *self = data;

  self->timer = 0;
  cancel_question (self);
  return G_SOURCE_REMOVE;
}

static void
question_free (FpQuestion *self)
{
  fp_account_end_question (self->caller->account);
  if (self->caller->question == self)
    self->caller->question = NULL;
  g_clear_handle_id (&self->timer, g_source_remove);
  fp_caller_unref (self->caller);
  authority_unref (self->authority);
  g_clear_object (&self->task);
  g_free (self->id);
  g_free (self);
}

static void
answered_cb (GObject *object,
             GAsyncResult *result,
             gpointer data)
{
  FpQuestion *question = data;
  g_autoptr (GTask) task = g_steal_pointer (&question->task);
  GError *error = NULL;
  g_auto (Reply) reply = { 0 };
  gboolean is_answered = take_reply (&reply, result, question->authority, &error);

  question_free (question);
  if (!task)
    g_clear_error (&error);
  else if (!is_answered)
    fail (task, error);
  else if (reply.is_yes)
    {
      Check *check = g_task_get_task_data (task);

      check->caller->answers[check->action].has_password = TRUE;
      remember (check, &reply, FP_HELPER_ERROR_FAILED);
      g_task_return_boolean (task, TRUE);
    }
  else
    refuse (task, reply.is_dismissed     ? FP_HELPER_ERROR_CANCELLED
                  : reply.needs_password ? FP_HELPER_ERROR_NO_AGENT
                                         : FP_HELPER_ERROR_DENIED);
}

/* One question at a time for each connection: a later call for the same action takes over the question that is there,
 * since the yes is for every process, and one for another action puts its own question in the place of it. */
static void
ask (GTask *task)
{
  Check *check = g_task_get_task_data (task);
  FpCaller *caller = check->caller;
  FpQuestion *question = caller->question;
  GError *error = NULL;

  if (question && question->action == check->action)
    {
      g_autoptr (GTask) before = g_steal_pointer (&question->task);

      question->task = g_object_ref (task);
      refuse (before, FP_HELPER_ERROR_CANCELLED);
      return;
    }
  if (question)
    cancel_question (question);
  if (caller->is_gone || !fp_account_begin_question (caller->account, &error))
    {
      if (error)
        g_task_return_error (task, error);
      else
        refuse (task, FP_HELPER_ERROR_CANCELLED);
      return;
    }
  question = g_new0 (FpQuestion, 1);
  question->authority = g_rc_box_acquire (check->authority);
  question->caller = fp_caller_ref (caller);
  question->task = g_object_ref (task);
  question->action = check->action;
  question->id = g_strdup_printf ("footprint-%u", check->authority->n_questions++);
  question->timer = g_timeout_add_seconds (QUESTION_SECONDS, question_timer_cb, question);
  caller->question = question;
  call_polkit (task, MAY_ASK, question->id, answered_cb, question);
}

/* A challenge means different things before and after a password was typed. */
static void
judge (GTask *task,
       Reply *reply)
{
  Check *check = g_task_get_task_data (task);
  FpAnswer *answer = &check->caller->answers[check->action];

  answer->has_password = answer->has_password && (reply->is_yes || reply->needs_password);
  reply->is_yes = reply->is_yes || answer->has_password;
  if (!reply->is_yes && reply->needs_password && check->program)
    {
      ask (task);
      return;
    }
  remember (check, reply, reply->needs_password ? FP_HELPER_ERROR_LOCKED : FP_HELPER_ERROR_DENIED);
  if (answer->is_yes)
    g_task_return_boolean (task, TRUE);
  else
    refuse (task, answer->reason);
}

static void
checked_cb (GObject *object,
            GAsyncResult *result,
            gpointer data)
{
  g_autoptr (GTask) task = data;
  Check *check = g_task_get_task_data (task);
  GError *error = NULL;
  g_auto (Reply) reply = { 0 };

  fp_account_end_check (check->caller->account);
  if (take_reply (&reply, result, check->authority, &error))
    judge (task, &reply);
  else
    fail (task, error);
}

static void
forget (FpCaller *caller,
        gpointer data)
{
  for (FpAction action = 0; action < FP_N_ACTIONS; action++)
    caller->answers[action].is_known = FALSE;
}

/* Every caller is checked again with its next call. */
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
  fp_callers_foreach (self->callers, forget, NULL);
}

/* polkit is watched from before the helper has its name. A new polkit has new rules. */
FpAuthority *
fp_authority_new (GDBusConnection *connection,
                  FpCallers *callers)
{
  FpAuthority *self = g_rc_box_new0 (FpAuthority);

  self->connection = g_object_ref (connection);
  self->callers = callers;
  self->changed = g_dbus_connection_signal_subscribe (connection, POLKIT_NAME, POLKIT_INTERFACE, "Changed", POLKIT_PATH, NULL,
                                                      G_DBUS_SIGNAL_FLAGS_NONE, changed_cb, self, NULL);
  self->owner_changed = g_dbus_connection_signal_subscribe (
      connection, "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged", "/org/freedesktop/DBus", POLKIT_NAME,
      G_DBUS_SIGNAL_FLAGS_NONE, changed_cb, self, NULL);
  return self;
}

void
fp_authority_free (FpAuthority *self)
{
  g_dbus_connection_signal_unsubscribe (self->connection, self->changed);
  g_dbus_connection_signal_unsubscribe (self->connection, self->owner_changed);
  authority_unref (self);
}

void
fp_authority_check_async (FpAuthority *self,
                          FpCaller *caller,
                          FpAction action,
                          const FpQuestionDetails *details,
                          GAsyncReadyCallback callback,
                          gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, data);
  const FpAnswer *answer = &caller->answers[action];
  Check *check = g_new0 (Check, 1);
  GError *error = NULL;

  check->authority = g_rc_box_acquire (self);
  check->caller = fp_caller_ref (caller);
  check->action = action;
  check->program = details ? g_strdup (details->program) : NULL;
  check->user = details ? g_strdup (details->user) : NULL;
  g_task_set_source_tag (task, fp_authority_check_async);
  g_task_set_task_data (task, check, check_free);

  if (answer->is_known && answer->is_yes)
    g_task_return_boolean (task, TRUE);
  else if (answer->is_known && !details)
    refuse (task, answer->reason);
  else if (!fp_account_begin_check (caller->account, &error))
    g_task_return_error (task, error);
  else
    call_polkit (task, 0, "", checked_cb, g_object_ref (task));
}

gboolean
fp_authority_check_finish (FpAuthority *self,
                           GAsyncResult *result,
                           GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* The caller no longer waits for the answer. */
void
fp_authority_abandon (FpAuthority *self,
                      FpCaller *caller)
{
  if (caller->question)
    cancel_question (caller->question);
}

/* Forgets the passwords. Returns (transfer full): the ids of what polkit keeps, which only the caller may revoke */
GStrv
fp_authority_lock (FpAuthority *self,
                   FpCaller *caller)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  fp_authority_abandon (self, caller);
  for (FpAction action = 0; action < FP_N_ACTIONS; action++)
    {
      FpAnswer *answer = &caller->answers[action];

      answer->is_known = answer->has_password = FALSE;
      if (answer->kept)
        g_strv_builder_add (builder, answer->kept);
      g_clear_pointer (&answer->kept, g_free);
    }
  return g_strv_builder_end (builder);
}

static void
count_password (FpCaller *caller,
                gpointer n)
{
  for (FpAction action = 0; action < FP_N_ACTIONS; action++)
    *(guint *)n += caller->answers[action].has_password;
}

gboolean
fp_authority_has_password (FpAuthority *self)
{
  guint n = 0;

  fp_callers_foreach (self->callers, count_password, &n);
  return n > 0;
}
