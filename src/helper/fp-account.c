// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-account.h"
#include "fp-helper-protocol.h"

#define MAX_JOBS       4 /* of one user and kind, waiting or running */
#define MAX_ALL_BYTES  ((gsize)72 << 20)
#define SNAPSHOT_BYTES ((gsize)16 << 20) /* the part of MAX_ALL_BYTES that mappings leave to snapshots */
#define EXTRA_BYTES    ((gsize)24 << 20) /* beyond MAX_ALL_BYTES, for users that hold nothing */
#define MAX_SENDERS    1024              /* from then on, strangers whose calls are paid for are forgotten */
#define CALL_BYTES     8192              /* So many count as another call, */
#define FIRST_BYTES    384               /* and so few of a stranger, who can be a new one each time: */
#define LONG_BYTES     1792              /* longer calls are never among the first ones. */
#define CALL_US        (G_USEC_PER_SEC / FP_ACCOUNT_CALLS_PER_S)

struct _FpAccount
{
  FpAccounts *accounts;
  guint n[FP_N_COUNTS];
  guint n_jobs[FP_N_WORKS];
  GQueue jobs[FP_N_WORKS]; /* waiting */
  gint64 due_us[FP_N_COSTS];
  gint64 answered_us; /* its answered calls use up its rate until then */
  gsize n_bytes;
};

struct _FpAccounts
{
  GHashTable *accounts;     /* uid → FpAccount */
  GQueue turns[FP_N_WORKS]; /* accounts with jobs that wait and none that runs */
  guint n_running[FP_N_WORKS];
  guint n[FP_N_COUNTS];
  GMutex mutex;        /* for the fields below, and n_bytes and answered_us of accounts */
  GHashTable *senders; /* name → Sender */
  gsize n_bytes;
  gint64 answered_us; /* of strangers together, beyond the first calls of each */
};

/* A connection that has called. */
typedef struct
{
  FpAccount *account; /* NULL: a stranger, which has its own answered_us */
  gint64 answered_us;
  gboolean has_place; /* among its user's connections */
} Sender;

typedef struct
{
  FpTurnFunc func;
  gpointer data;
} Job;

static const guint max_running[FP_N_WORKS] = {
  [FP_WORK_SHORT] = 2,
  [FP_WORK_DETAILS] = 2,
  [FP_WORK_MAPPINGS] = 2,
  [FP_WORK_FILES] = 1,
  [FP_WORK_KEPT] = 1,
  [FP_WORK_CHECK] = 2,
  [FP_WORK_IDENTITY] = 4,
};

static const struct
{
  guint inverse_share;
  gint64 burst_us; /* the most that can be saved up */
} costs[FP_N_COSTS] = {
  [FP_COST_CALLS] = { 1, (FP_ACCOUNT_BURST - 1) * CALL_US },
  [FP_COST_SNAPSHOTS] = { 4, 4 * G_USEC_PER_SEC },
  [FP_COST_MAPPINGS] = { 4, 4 * G_USEC_PER_SEC },
  [FP_COST_DETAILS] = { 4, 4 * G_USEC_PER_SEC },
  [FP_COST_WANTED] = { 10, 4 * G_USEC_PER_SEC },
};

static const struct
{
  guint max;
  guint max_all;
  guint extra; /* beyond max_all, for users who have none */
  guint delay_ms;
  const char *what;
} counts[FP_N_COUNTS] = {
  [FP_COUNT_CONNECTIONS] = { FP_ACCOUNT_MAX_CONNECTIONS, G_MAXUINT, 0, 5000, "this user has too many connections" },
  [FP_COUNT_CALLS] = { 32, G_MAXUINT, 0, 500, "this user has too many calls under way" },
  [FP_COUNT_QUESTIONS] = { FP_ACCOUNT_MAX_QUESTIONS, 16, 16, 5000, "too many passwords are asked for" },
  /* The bus reads no more from a service while it has 64 descriptors from it, which callers leave there who do not read. */
  [FP_COUNT_ANSWERS] = { FP_ACCOUNT_MAX_ANSWERS, 48, 12, 200, "too many answers are still held" },
  [FP_COUNT_BLOCKS] = { FP_ACCOUNT_MAX_CONNECTIONS + FP_ACCOUNT_MAX_ANSWERS, 288, 12, 500, "too many answers are still held" },
};

/* The message begins with the milliseconds after which to come back. */
static gboolean
refuse (GError **error,
        guint delay_ms,
        const char *what)
{
  g_set_error (error, FP_HELPER_ERROR, FP_HELPER_ERROR_BUSY, "%u ms: %s", delay_ms, what);
  return FALSE;
}

/* They are for all threads until the process ends, and so is what it returns. */
FpAccounts *
fp_accounts_new (void)
{
  FpAccounts *self = g_new0 (FpAccounts, 1);

  self->accounts = g_hash_table_new (NULL, NULL);
  self->senders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_mutex_init (&self->mutex);
  return self;
}

/* It stays, and so do limits that its user has reached: there are as many accounts as users. */
FpAccount *
fp_accounts_get (FpAccounts *self,
                 guint32 uid)
{
  FpAccount *account = g_hash_table_lookup (self->accounts, GUINT_TO_POINTER (uid));

  if (!account)
    {
      account = g_new0 (FpAccount, 1);
      account->accounts = self;
      g_hash_table_insert (self->accounts, GUINT_TO_POINTER (uid), account);
    }
  return account;
}

static gboolean
is_past (gpointer key,
         gpointer value,
         gpointer now_us)
{
  const Sender *sender = value;

  return !sender->has_place && sender->answered_us <= *(gint64 *)now_us;
}

static Sender *
find_sender (FpAccounts *self,
             const char *name,
             gint64 now_us)
{
  Sender *sender = g_hash_table_lookup (self->senders, name);

  if (sender)
    return sender;
  if (g_hash_table_size (self->senders) >= MAX_SENDERS)
    g_hash_table_foreach_remove (self->senders, is_past, &now_us);
  sender = g_new0 (Sender, 1);
  g_hash_table_insert (self->senders, g_strdup (name), sender);
  return sender;
}

/* A bucket leaks a call at a time. FALSE: it is full */
static gboolean
pour (gint64 *answered_us,
      gint64 now_us,
      gint64 n_calls,
      guint burst,
      guint calls_per_s)
{
  gint64 call_us = G_USEC_PER_SEC / calls_per_s, due_us = MAX (*answered_us, now_us) + call_us * n_calls;

  if (due_us > now_us + call_us * burst)
    return FALSE;
  *answered_us = due_us;
  return TRUE;
}

/* All connections of a user share one bucket; each stranger has one for the first calls, and all share one. size: of the message */
gboolean
fp_accounts_admit (FpAccounts *self,
                   const char *name,
                   gsize size,
                   gint64 now_us)
{
  gboolean is_admitted;
  gint64 n_calls;
  Sender *sender;

  g_mutex_lock (&self->mutex);
  sender = find_sender (self, name, now_us);
  n_calls = 1 + (gint64)(size / (sender->account || size > LONG_BYTES ? CALL_BYTES : FIRST_BYTES));
  if (sender->account)
    is_admitted = pour (&sender->account->answered_us, now_us, n_calls, FP_ANSWERED * FP_ACCOUNT_BURST,
                        FP_ANSWERED * FP_ACCOUNT_CALLS_PER_S);
  else
    is_admitted = (size <= LONG_BYTES && pour (&sender->answered_us, now_us, n_calls, FP_STRANGER_BURST, FP_STRANGER_CALLS_PER_S)) ||
                  pour (&self->answered_us, now_us, n_calls, FP_STRANGERS_BURST, FP_STRANGERS_CALLS_PER_S);
  g_mutex_unlock (&self->mutex);
  return is_admitted;
}

/* Its calls count for the user. has_place: among the user's connections */
void
fp_account_add_sender (FpAccount *self,
                       const char *name,
                       gboolean has_place)
{
  Sender *sender;

  g_mutex_lock (&self->accounts->mutex);
  sender = find_sender (self->accounts, name, g_get_monotonic_time ());
  sender->account = self;
  sender->has_place = has_place;
  g_mutex_unlock (&self->accounts->mutex);
}

gboolean
fp_account_begin (FpAccount *self,
                  FpCount count,
                  GError **error)
{
  if (self->n[count] >= counts[count].max ||
      self->accounts->n[count] >= counts[count].max_all + (self->n[count] > 0 ? 0 : counts[count].extra))
    return refuse (error, counts[count].delay_ms, counts[count].what);
  self->n[count]++;
  self->accounts->n[count]++;
  return TRUE;
}

void
fp_account_end (FpAccount *self,
                FpCount count)
{
  g_return_if_fail (self->n[count] > 0 && self->accounts->n[count] > 0);
  self->n[count]--;
  self->accounts->n[count]--;
}

gboolean
fp_account_begin_call (FpAccount *self,
                       gint64 now_us,
                       GError **error)
{
  if (!fp_account_may_spend (self, FP_COST_CALLS, now_us, error) || !fp_account_begin (self, FP_COUNT_CALLS, error))
    return FALSE;
  fp_account_spend (self, FP_COST_CALLS, now_us, CALL_US);
  return TRUE;
}

gboolean
fp_account_add_connection (FpAccount *self,
                           const char *name,
                           GError **error)
{
  gboolean has_place = fp_account_begin (self, FP_COUNT_CONNECTIONS, error);

  fp_account_add_sender (self, name, has_place);
  return has_place;
}

void
fp_account_remove_connection (FpAccount *self,
                              const char *name)
{
  fp_account_end (self, FP_COUNT_CONNECTIONS);
  g_mutex_lock (&self->accounts->mutex);
  g_hash_table_remove (self->accounts->senders, name);
  g_mutex_unlock (&self->accounts->mutex);
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

  if (self->n_jobs[work] >= (work == FP_WORK_IDENTITY ? FP_ACCOUNT_MAX_CONNECTIONS : MAX_JOBS))
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
  g_return_if_fail (self->n_jobs[work] > 0 && self->accounts->n_running[work] > 0);
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

  return left_us <= 0 || refuse (error, (guint)(left_us / 1000 + 1),
                                 cost == FP_COST_CALLS ? "this user calls too often" : "this user's share of the processor is used up");
}

void
fp_account_spend (FpAccount *self,
                  FpCost cost,
                  gint64 now_us,
                  gint64 spent_us)
{
  self->due_us[cost] = MAX (self->due_us[cost], now_us - costs[cost].burst_us) + spent_us * costs[cost].inverse_share;
}

/* A user who holds nothing gets a snapshot beyond the limit, up to EXTRA_BYTES. Of the bytes for mappings a user gets at most
 * twice as many as are left to others. An empty answer is not charged. */
gboolean
fp_account_charge (FpAccount *self,
                   FpWork work,
                   gsize size)
{
  gsize max = work == FP_WORK_SHORT ? MAX_ALL_BYTES : MAX_ALL_BYTES - SNAPSHOT_BYTES;
  gsize left, most;
  gboolean may;

  if (!self)
    return TRUE;
  g_mutex_lock (&self->accounts->mutex);
  left = max - MIN (max, self->accounts->n_bytes + size);
  most = work == FP_WORK_SHORT ? FP_ACCOUNT_MAX_BYTES : MIN (FP_ACCOUNT_MAX_BYTES, 2 * left);
  may = (self->n_bytes + size <= most && self->accounts->n_bytes + size <= max) ||
        (work == FP_WORK_SHORT && self->n_bytes == 0 && self->accounts->n_bytes < MAX_ALL_BYTES + EXTRA_BYTES);
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
  if (!self || size == 0)
    return;
  g_mutex_lock (&self->accounts->mutex);
  self->n_bytes -= size;
  self->accounts->n_bytes -= size;
  g_mutex_unlock (&self->accounts->mutex);
}
