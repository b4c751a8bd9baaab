// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-caller.h"
#include "fp-payer.h"

#define MAX_UNIDENTIFIED 512 /* whose user is not known yet; the bus gives a user 256 connections */
#define MAX_WAITING      4
#define TIMEOUT_MS       (20 * 1000) /* the bus itself answers, however long a crowd makes it wait */

struct _FpCallers
{
  GDBusConnection *connection;
  FpAccounts *accounts;
  GHashTable *callers; /* name → FpCaller */
  guint n_unidentified;
  guint subscription;
  FpCallerFunc gone;
};

static void
caller_clear (gpointer data)
{
  FpCaller *self = data;

  for (FpAction action = 0; action < FP_N_ACTIONS; action++)
    g_free (self->answers[action].kept);
  fp_standing_clear (&self->facts.standing);
  g_free (self->facts.label);
  g_free (self->name);
}

void
fp_caller_unref (gpointer caller)
{
  g_atomic_rc_box_release_full (caller, caller_clear);
}

/* The match rule names no sender, so one rule serves for all callers: the bus allows a connection 512. */
static void
name_owner_changed_cb (GDBusConnection *connection,
                       const char *sender,
                       const char *path,
                       const char *interface,
                       const char *signal,
                       GVariant *parameters,
                       gpointer data)
{
  FpCallers *self = data;
  g_autoptr (FpCaller) caller = NULL;
  gpointer stolen;
  const char *name;

  g_variant_get_child (parameters, 0, "&s", &name);
  if (!g_hash_table_steal_extended (self->callers, name, NULL, &stolen))
    return;
  caller = stolen;
  g_atomic_int_set (&caller->is_gone, TRUE);
  self->gone (caller);
  if (caller->account)
    fp_account_remove_connection (caller->account, caller->name);
}

FpCallers *
fp_callers_new (GDBusConnection *connection,
                FpAccounts *accounts,
                FpCallerFunc gone)
{
  FpCallers *self = g_new0 (FpCallers, 1);

  self->connection = g_object_ref (connection);
  self->accounts = accounts;
  self->callers = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, fp_caller_unref);
  self->gone = gone;
  self->subscription = g_dbus_connection_signal_subscribe (connection, DBUS_NAME, DBUS_NAME, "NameOwnerChanged", DBUS_PATH, NULL,
                                                           G_DBUS_SIGNAL_FLAGS_NO_MATCH_RULE, name_owner_changed_cb, self, NULL);
  g_dbus_connection_call (connection, DBUS_NAME, DBUS_PATH, DBUS_NAME, "AddMatch",
                          g_variant_new ("(s)", "type='signal',sender='" DBUS_NAME "',member='NameOwnerChanged',arg2=''"), NULL,
                          G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL, NULL);
  return self;
}

void
fp_callers_free (FpCallers *self)
{
  g_dbus_connection_signal_unsubscribe (self->connection, self->subscription);
  g_hash_table_unref (self->callers);
  g_object_unref (self->connection);
  g_free (self);
}

gboolean
fp_callers_have_password (FpCallers *self)
{
  GHashTableIter iter;
  gpointer caller;

  g_hash_table_iter_init (&iter, self->callers);
  while (g_hash_table_iter_next (&iter, NULL, &caller))
    for (FpAction action = 0; action < FP_N_ACTIONS; action++)
      if (((FpCaller *)caller)->answers[action].has_password)
        return TRUE;
  return FALSE;
}

/* A set-group-ID program that runs for the caller has a group of its own, so its caller has none here. */
static void
fp_callers_inquire_worker (GTask *task,
                           gpointer source,
                           gpointer data,
                           GCancellable *cancellable)
{
  FpCaller *self = data;
  FpStanding *standing = &self->facts.standing;

  if (g_atomic_int_get (&self->is_gone) || !fp_standing_await (standing, (gint)self->pid) || standing->owner.uid != self->facts.uid)
    {
      g_task_return_new_error (task, FP_HELPER_ERROR, FP_HELPER_ERROR_FAILED, "The caller's process can’t be looked at");
      return;
    }
  self->facts.gid = standing->owner.is_plain ? standing->owner.gid : G_MAXUINT32;
  self->payer = standing->payer;
  g_task_return_boolean (task, TRUE);
}

static void
start_inquiry (gpointer data)
{
  g_autoptr (GTask) task = data;

  g_task_run_in_thread (task, fp_callers_inquire_worker);
}

/* Returns to the task a caller that has a place. The calls of one that has none count for its user all the same. */
static void
place (FpCallers *self,
       FpCaller *caller,
       GTask *task)
{
  FpAccount *account = fp_accounts_get (self->accounts, caller->payer);
  GError *error = NULL;

  if (!caller->account && fp_account_add_connection (account, caller->name, &error))
    caller->account = account;
  if (caller->account)
    g_task_return_pointer (task, g_atomic_rc_box_acquire (caller), fp_caller_unref);
  else
    g_task_return_error (task, error);
  if (!caller->account) /* A user may have very many. */
    fp_standing_clear (&caller->facts.standing);
}

/* A caller that could not be identified is forgotten, so that its next call begins anew; one in too many groups is not. */
static void
inquired_cb (GObject *object,
             GAsyncResult *result,
             gpointer data)
{
  FpCallers *self = data;
  g_autoptr (FpCaller) caller = g_atomic_rc_box_acquire (g_task_get_task_data (G_TASK (result)));
  g_autoptr (GError) error = NULL;
  FpAccount *account = g_steal_pointer (&caller->inquirer);
  GTask *task;

  if (account)
    fp_account_end_turn (account, FP_WORK_IDENTITY);
  caller->is_identified = g_task_propagate_boolean (G_TASK (result), &error);
  /* The bus would be asked again for all its groups with each call. */
  caller->is_refused = !account && g_error_matches (error, FP_HELPER_ERROR, FP_HELPER_ERROR_TOO_MUCH);
  if (!caller->is_identified && !caller->is_gone && !caller->is_refused)
    {
      g_hash_table_remove (self->callers, caller->name);
      if (account)
        fp_account_add_sender (account, caller->name, FALSE);
    }
  while ((task = g_queue_pop_head (&caller->waiting)))
    {
      if (error)
        g_task_return_error (task, g_error_copy (error));
      else if (caller->is_gone)
        g_task_return_new_error (task, FP_HELPER_ERROR, FP_HELPER_ERROR_FAILED, "The caller has left the bus");
      else
        place (self, caller, task);
      g_object_unref (task);
    }
}

static void
got_credentials_cb (GObject *object,
                    GAsyncResult *result,
                    gpointer data)
{
  g_autoptr (GTask) task = data;
  FpCaller *caller = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (object), result, &error);
  g_autoptr (GVariant) credentials = reply ? g_variant_get_child_value (reply, 0) : NULL;
  FpAccount *account;

  caller->callers->n_unidentified--;
  if (!reply)
    {
      g_task_return_error (task, error);
      return;
    }
  if (!g_variant_lookup (credentials, "UnixUserID", "u", &caller->facts.uid))
    caller->facts.uid = G_MAXUINT32;
  g_variant_lookup (credentials, "ProcessID", "u", &caller->pid);
  g_variant_lookup (credentials, "LinuxSecurityLabel", "^ay", &caller->facts.label);
  caller->payer = fp_payer_find_superior (caller->facts.uid);
  account = fp_accounts_get (caller->callers->accounts, caller->payer);
  if (fp_account_take_turn (account, FP_WORK_IDENTITY, start_inquiry, task, &error))
    {
      caller->inquirer = account;
      g_steal_pointer (&task);
    }
  else
    g_task_return_error (task, error);
}

static FpCaller *
add_caller (FpCallers *self,
            const char *name)
{
  FpCaller *caller = g_atomic_rc_box_new0 (FpCaller);
  GTask *task = g_task_new (NULL, NULL, inquired_cb, self);

  caller->callers = self;
  caller->name = g_strdup (name);
  caller->facts.standing.dir = -1;
  g_hash_table_insert (self->callers, caller->name, caller);
  self->n_unidentified++;
  g_task_set_task_data (task, g_atomic_rc_box_acquire (caller), fp_caller_unref);
  g_dbus_connection_call (self->connection, DBUS_NAME, DBUS_PATH, DBUS_NAME, "GetConnectionCredentials",
                          g_variant_new ("(s)", name), G_VARIANT_TYPE ("(a{sv})"), G_DBUS_CALL_FLAGS_NONE, TIMEOUT_MS, NULL,
                          got_credentials_cb, task);
  return caller;
}

/* The bus says who it is, once for each connection. */
void
fp_callers_identify_async (FpCallers *self,
                           const char *name,
                           GAsyncReadyCallback callback,
                           gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, data);
  FpCaller *caller = g_hash_table_lookup (self->callers, name);

  if (caller && caller->is_identified)
    place (self, caller, task);
  else if (caller && caller->is_refused)
    g_task_return_new_error (task, FP_HELPER_ERROR, FP_HELPER_ERROR_FAILED, "The caller is in too many groups");
  else if (caller ? caller->waiting.length >= MAX_WAITING : self->n_unidentified >= MAX_UNIDENTIFIED)
    g_task_return_new_error (task, FP_HELPER_ERROR, FP_HELPER_ERROR_BUSY, "100 ms: too many callers are new");
  else
    g_queue_push_tail (caller ? &caller->waiting : &add_caller (self, name)->waiting, g_steal_pointer (&task));
}

FpCaller *
fp_callers_identify_finish (FpCallers *self,
                            GAsyncResult *result,
                            GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
