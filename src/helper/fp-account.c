// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint-helper"
#include "config.h"

#include "fp-account.h"
#include "fp-helper-protocol.h"

#define MAX_CALLS         32
#define MAX_CHECKS        4 /* polkit is asked without a question */
#define MAX_ALL_QUESTIONS 16
#define MAX_JOBS          4 /* of one kind, waiting or running */
#define MAX_ALL_BYTES     ((gsize)64 << 20)
#define SNAPSHOT_BYTES    ((gsize)16 << 20) /* of which mappings leave so much to snapshots */
#define MAX_STRANGERS     1024
#define STRANGER_BURST_US (FP_STRANGER_BURST * G_USEC_PER_SEC / FP_STRANGER_CALLS_PER_S)
#define BURST_US          (4 * G_USEC_PER_SEC)

struct _FpAccount
{
  FpAccounts *accounts;
  guint32 uid;
  guint n_connections;
  guint n_calls;
  guint n_checks;
  guint n_questions;
  guint n_jobs[FP_N_WORKS];
  GQueue jobs[FP_N_WORKS]; /* that wait */
  gint64 due_us[FP_N_COSTS];
  gint64 calls_due_us[FP_N_GATES];
  gsize n_bytes;
};

struct _FpAccounts
{
  GHashTable *accounts;     /* uid → FpAccount */
  GQueue turns[FP_N_WORKS]; /* accounts with jobs that wait and none that runs */
  guint n_running[FP_N_WORKS];
  guint n_questions;
  GMutex mutex;          /* for what follows, and for bytes and calls of accounts */
  GHashTable *senders;   /* name → FpAccount */
  GHashTable *strangers; /* name → until when its calls are paid for, at each gate */
  gsize n_bytes;
};

typedef struct
{
  FpTurnFunc func;
  gpointer data;
} Job;

static const guint max_running[FP_N_WORKS] = { [FP_WORK_SHORT] = 2, [FP_WORK_MAPPINGS] = 2 };
static const guint inverse_shares[FP_N_COSTS] = { [FP_COST_MAPPINGS] = 4, [FP_COST_WANTED] = 10 };

/* The message begins with the milliseconds after which to come back. */
static gboolean
refuse (GError **error,
        guint delay_ms,
        const char *what)
{
  g_set_error (error, FP_HELPER_ERROR, FP_HELPER_ERROR_BUSY, "%u ms: %s", delay_ms, what);
  return FALSE;
}

static void
account_free (gpointer data)
{
  FpAccount *self = data;

  for (FpWork work = 0; work < FP_N_WORKS; work++)
    g_queue_clear_full (&self->jobs[work], g_free);
  g_free (self);
}

FpAccounts *
fp_accounts_new (void)
{
  FpAccounts *self = g_new0 (FpAccounts, 1);

  self->accounts = g_hash_table_new_full (NULL, NULL, NULL, account_free);
  self->senders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->strangers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_mutex_init (&self->mutex);
  return self;
}

void
fp_accounts_free (FpAccounts *self)
{
  for (FpWork work = 0; work < FP_N_WORKS; work++)
    g_queue_clear (&self->turns[work]);
  g_hash_table_unref (self->accounts);
  g_hash_table_unref (self->senders);
  g_hash_table_unref (self->strangers);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

FpAccount *
fp_accounts_get (FpAccounts *self,
                 guint32 uid)
{
  FpAccount *account = g_hash_table_lookup (self->accounts, GUINT_TO_POINTER (uid));

  if (!account)
    {
      account = g_new0 (FpAccount, 1);
      account->accounts = self;
      account->uid = uid;
      g_hash_table_insert (self->accounts, GUINT_TO_POINTER (uid), account);
    }
  return account;
}

static gboolean
is_settled (gpointer key,
            gpointer value,
            gpointer now_us)
{
  FpAccount *self = value;
  gboolean is_settled = self->n_connections == 0 && self->n_calls == 0 && self->n_questions == 0 && self->n_checks == 0;

  for (FpCost cost = 0; cost < FP_N_COSTS; cost++)
    is_settled = is_settled && self->due_us[cost] <= *(gint64 *)now_us - BURST_US;
  for (FpWork work = 0; work < FP_N_WORKS; work++)
    is_settled = is_settled && self->n_jobs[work] == 0;
  g_mutex_lock (&self->accounts->mutex);
  is_settled = is_settled && self->n_bytes == 0 && self->calls_due_us[FP_GATE_ADMIT] <= *(gint64 *)now_us;
  g_mutex_unlock (&self->accounts->mutex);
  return is_settled;
}

static gboolean
is_past (gpointer key,
         gpointer due_us,
         gpointer now_us)
{
  return ((gint64 *)due_us)[FP_GATE_ADMIT] <= *(gint64 *)now_us;
}

static gint64 *
find_stranger (FpAccounts *self,
               const char *sender,
               gint64 now_us)
{
  gint64 *due_us = g_hash_table_lookup (self->strangers, sender);

  if (due_us)
    return due_us;
  if (g_hash_table_size (self->strangers) >= MAX_STRANGERS)
    g_hash_table_foreach_remove (self->strangers, is_past, &now_us);
  due_us = g_new0 (gint64, FP_N_GATES);
  g_hash_table_insert (self->strangers, g_strdup (sender), due_us);
  return due_us;
}

/* All connections of a user share one bucket at each gate, which leaks a call at a time. */
gboolean
fp_accounts_admit (FpAccounts *self,
                   FpGate gate,
                   const char *sender,
                   gint64 now_us)
{
  guint times = gate == FP_GATE_ANSWER ? FP_ANSWERED : 1;
  FpAccount *account;
  gint64 call_us;
  gboolean may;
  gint64 *due_us;

  g_mutex_lock (&self->mutex);
  account = g_hash_table_lookup (self->senders, sender);
  due_us = (account ? account->calls_due_us : find_stranger (self, sender, now_us)) + gate;
  call_us = G_USEC_PER_SEC / (times * (account ? FP_ACCOUNT_CALLS_PER_S : FP_STRANGER_CALLS_PER_S));
  *due_us = MAX (*due_us, now_us) + call_us;
  may = *due_us <= now_us + times * (account ? FP_ACCOUNT_BURST : FP_STRANGER_BURST) * call_us;
  if (!may)
    *due_us -= call_us;
  g_mutex_unlock (&self->mutex);
  return may;
}

/* A connection that was refused is not looked at again before the time that it was told. */
gboolean
fp_account_add_connection (FpAccount *self,
                           const char *name,
                           gint64 now_us,
                           GError **error)
{
  if (self->n_connections >= FP_ACCOUNT_MAX_CONNECTIONS)
    {
      g_mutex_lock (&self->accounts->mutex);
      find_stranger (self->accounts, name, now_us)[FP_GATE_ADMIT] = now_us + STRANGER_BURST_US + FP_ACCOUNT_REFUSED_MS * 1000;
      g_mutex_unlock (&self->accounts->mutex);
      return refuse (error, FP_ACCOUNT_REFUSED_MS, "this user has too many connections");
    }
  self->n_connections++;
  g_mutex_lock (&self->accounts->mutex);
  g_hash_table_replace (self->accounts->senders, g_strdup (name), self);
  g_mutex_unlock (&self->accounts->mutex);
  return TRUE;
}

/* An account outlives its connections as long as it owes something. */
void
fp_account_remove_connection (FpAccount *self,
                              const char *name)
{
  gint64 now_us = g_get_monotonic_time ();

  self->n_connections--;
  g_mutex_lock (&self->accounts->mutex);
  g_hash_table_remove (self->accounts->senders, name);
  g_mutex_unlock (&self->accounts->mutex);
  g_hash_table_foreach_remove (self->accounts->accounts, is_settled, &now_us);
}

gboolean
fp_account_begin_call (FpAccount *self,
                       GError **error)
{
  if (self->n_calls >= MAX_CALLS)
    return refuse (error, 500, "this user has too many calls under way");
  self->n_calls++;
  return TRUE;
}

void
fp_account_end_call (FpAccount *self)
{
  self->n_calls--;
}

gboolean
fp_account_begin_check (FpAccount *self,
                        GError **error)
{
  if (self->n_checks >= MAX_CHECKS)
    return refuse (error, 200, "polkit is asked about this user already");
  self->n_checks++;
  return TRUE;
}

void
fp_account_end_check (FpAccount *self)
{
  self->n_checks--;
}

gboolean
fp_account_begin_question (FpAccount *self,
                           GError **error)
{
  if (self->n_questions >= FP_ACCOUNT_MAX_QUESTIONS)
    return refuse (error, 5000, "this user is asked for passwords already");
  if (self->accounts->n_questions >= MAX_ALL_QUESTIONS)
    return refuse (error, 5000, "too many users are asked for passwords");
  self->n_questions++;
  self->accounts->n_questions++;
  return TRUE;
}

void
fp_account_end_question (FpAccount *self)
{
  self->n_questions--;
  self->accounts->n_questions--;
}

static void
start_next (FpAccounts *self,
            FpWork work)
{
  while (self->n_running[work] < max_running[work] && !g_queue_is_empty (&self->turns[work]))
    {
      FpAccount *account = g_queue_pop_head (&self->turns[work]);
      g_autofree Job *job = g_queue_pop_head (&account->jobs[work]);

      self->n_running[work]++;
      job->func (job->data);
    }
}

/* One job of an account runs at a time; accounts that wait take turns. */
gboolean
fp_account_take_turn (FpAccount *self,
                      FpWork work,
                      FpTurnFunc func,
                      gpointer data,
                      GError **error)
{
  const Job job = { func, data };

  if (self->n_jobs[work] >= MAX_JOBS)
    return refuse (error, 500, "this user has too much work waiting");
  g_queue_push_tail (&self->jobs[work], g_memdup2 (&job, sizeof job));
  if (self->n_jobs[work]++ == 0)
    g_queue_push_tail (&self->accounts->turns[work], self);
  start_next (self->accounts, work);
  return TRUE;
}

void
fp_account_end_turn (FpAccount *self,
                     FpWork work)
{
  self->accounts->n_running[work]--;
  self->n_jobs[work]--;
  if (!g_queue_is_empty (&self->jobs[work]))
    g_queue_push_tail (&self->accounts->turns[work], self);
  start_next (self->accounts, work);
}

/* A user's share of a processor: after a burst, spending is due only as fast as the share comes in. */
gboolean
fp_account_may_spend (FpAccount *self,
                      FpCost cost,
                      gint64 now_us,
                      GError **error)
{
  gint64 left_us = self->due_us[cost] - now_us;

  return left_us <= 0 || refuse (error, (guint)(left_us / 1000 + 1), "this user's share of the processor is used up");
}

void
fp_account_spend (FpAccount *self,
                  FpCost cost,
                  gint64 now_us,
                  gint64 spent_us)
{
  self->due_us[cost] = MAX (self->due_us[cost], now_us - BURST_US) + spent_us * inverse_shares[cost];
}

/* A user that holds nothing is always given a snapshot. */
gboolean
fp_account_charge (FpAccount *self,
                   FpWork work,
                   gsize size)
{
  gsize max = work == FP_WORK_SHORT ? MAX_ALL_BYTES : MAX_ALL_BYTES - SNAPSHOT_BYTES;
  gboolean may;

  if (!self)
    return TRUE;
  g_mutex_lock (&self->accounts->mutex);
  may = (self->n_bytes + size <= FP_ACCOUNT_MAX_BYTES && self->accounts->n_bytes + size <= max) ||
        (work == FP_WORK_SHORT && self->n_bytes == 0);
  if (may)
    {
      self->n_bytes += size;
      self->accounts->n_bytes += size;
    }
  g_mutex_unlock (&self->accounts->mutex);
  return may;
}

void
fp_account_refund (FpAccount *self,
                   gsize size)
{
  if (!self)
    return;
  g_mutex_lock (&self->accounts->mutex);
  self->n_bytes -= size;
  self->accounts->n_bytes -= size;
  g_mutex_unlock (&self->accounts->mutex);
}
