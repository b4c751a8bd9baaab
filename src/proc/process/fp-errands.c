// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fp-clock.h"
#include "fp-errands.h"
#include "fp-scan.h"

#define MAX_RUNNERS  4 /* walks are kernel time: more than there are processors give nothing */
#define MIN_PARALLEL 16
#define LOOK_US      (250 * 1000)
#define MAX_LOOKS    5                    /* at a thread that stands still: it does so for a second at least */
#define MIN_LOOKS    2                    /* at one sleep, which may be as short as a fault of our own */
#define MAX_ASLEEP   20                   /* looks that find it asleep, with breaks: a lock can be held again and again */
#define MAX_SPENT    2                    /* looks in a sweep that find threads asleep over processes of one user */
#define MAX_COMPUTED (2 * G_USEC_PER_SEC) /* in a sweep, for processes of one user, as in a walk of the kernel's */
#define MAX_WALK     (5 * G_USEC_PER_SEC) /* for one process */
#define MAX_SEEN     28                   /* looks at one process in a sweep, where a processor is hardly to be had */
#define NO_USER      G_MAXUINT32

typedef struct
{
  const FpErrandKind *kind;
  gpointer data;
  guint n;
  guint next;
  guint n_runners;
  guint n_busy;
} Run;

/* A user whose processes have kept threads asleep or computing in this sweep. */
typedef struct
{
  guint32 uid;
  guint n_asleep;
  guint64 computed_us;
} Spending;

struct _FpErrands
{
  gatomicrefcount ref_count;
  GMutex mutex;
  GCond begun;
  GCond done;
  Run *run;
  FpRunner *runners[MAX_RUNNERS];
  GArray *spendings; /* (nullable): NULL outside of sweeps, where whoever asks for a process waits for it */
  guint32 own_uid;
  gboolean is_closed;
};

struct _FpRunner
{
  FpErrands *errands;
  GThread *thread; /* (nullable): it is the caller of fp_errands_run */
  guint place;
  pid_t tid;
  clockid_t clock;
  gpointer errand;
  gsize size;
  const FpErrandKind *kind;
  guint index;
  FpProcessId id;
  guint32 uid;
  gboolean is_busy;
  gboolean is_left;
  gint is_waiting; /* atomic: for the mutex */
  /* The thread that waits in fp_errands_run changes these. */
  guint n_looks;
  guint n_asleep;
  guint64 n_switches;
  guint64 clock_us;
  guint64 computed_us; /* for a stranger's process in a sweep */
  guint n_seen;        /* over such a one */
};

FpErrands *
fp_errands_new (void)
{
  FpErrands *self = g_new0 (FpErrands, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->begun);
  g_cond_init (&self->done);
  self->own_uid = getuid ();
  return self;
}

static void
fp_errands_unref (FpErrands *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->begun);
  g_cond_clear (&self->done);
  g_clear_pointer (&self->spendings, g_array_unref);
  g_free (self);
}

/* From here on each user may keep threads waiting for a short time. Whoever does so for longer loses the rest of the sweep,
 * and nobody else does. */
void
fp_errands_begin_sweep (FpErrands *self)
{
  g_mutex_lock (&self->mutex);
  self->own_uid = getuid ();
  if (self->spendings)
    g_array_set_size (self->spendings, 0);
  else
    self->spendings = g_array_new (FALSE, FALSE, sizeof (Spending));
  g_mutex_unlock (&self->mutex);
}

/* Threads that were left behind keep what they need until they come back. */
void
fp_errands_free (FpErrands *self)
{
  GThread *threads[MAX_RUNNERS] = { NULL };

  g_mutex_lock (&self->mutex);
  self->is_closed = TRUE;
  for (guint i = 0; i < MAX_RUNNERS; i++)
    threads[i] = self->runners[i] ? self->runners[i]->thread : NULL;
  g_cond_broadcast (&self->begun);
  g_mutex_unlock (&self->mutex);
  for (guint i = 0; i < MAX_RUNNERS; i++)
    g_clear_pointer (&threads[i], g_thread_join);
  fp_errands_unref (self);
}

static void
fp_runner_lock (FpRunner *self)
{
  g_atomic_int_set (&self->is_waiting, TRUE);
  g_mutex_lock (&self->errands->mutex);
  g_atomic_int_set (&self->is_waiting, FALSE);
}

static void
blame (const FpRunner *runner)
{
  guint64 waited_us = runner->n_asleep * LOOK_US + (runner->computed_us >= MAX_WALK ? runner->computed_us : 0);

  if (waited_us > 0 && runner->uid != NO_USER)
    fp_absence_blame (runner->uid, (gint64)waited_us);
}

static Spending *
find_spending (const FpErrands *self,
               guint32 uid)
{
  for (guint i = 0; self->spendings && i < self->spendings->len; i++)
    if (g_array_index (self->spendings, Spending, i).uid == uid)
      return &g_array_index (self->spendings, Spending, i);
  return NULL;
}

static gboolean
has_spent (const FpErrands *self,
           guint32 uid)
{
  const Spending *spending = find_spending (self, uid);

  return spending && (spending->n_asleep >= MAX_SPENT || spending->computed_us >= MAX_COMPUTED);
}

/* Neither root nor one's own user wants to keep this program from the processes of others. */
static gboolean
is_stranger (const FpErrands *self,
             guint32 uid)
{
  return uid != 0 && uid != self->own_uid && uid != NO_USER;
}

static void
spend (FpErrands *self,
       guint32 uid,
       gboolean is_asleep,
       guint64 computed_us)
{
  Spending *spending = find_spending (self, uid);
  Spending fresh = { uid, is_asleep, computed_us };

  if (spending)
    {
      spending->n_asleep += is_asleep;
      spending->computed_us += computed_us;
    }
  else if (self->spendings && is_stranger (self, uid))
    g_array_append_val (self->spendings, fresh);
}

/* In a sweep, as nobody began that for one process alone. */
static gboolean
is_to_pay (const FpRunner *self,
           guint32 uid)
{
  return self->errands->spendings && is_stranger (self->errands, uid);
}

static void
forget_looks (FpRunner *self)
{
  self->n_looks = self->n_asleep = self->n_seen = 0;
  self->computed_us = 0;
}

/* The clock of a thread is a system call, which is a part of what an unchanged process costs. */
static void
turn_to (FpRunner *self,
         const FpProcessId *id,
         guint32 uid)
{
  gboolean is_another = !fp_process_id_equal (&self->id, id);

  if (is_to_pay (self, uid) && (is_another || !is_to_pay (self, self->uid)))
    self->clock_us = fp_clock_us (CLOCK_THREAD_CPUTIME_ID);
  if (!is_another)
    return;
  blame (self);
  forget_looks (self);
}

/* To be called before whatever may take a lock of the process. How long another one kept this thread waiting before is not
 * held against it. */
FpErrandVerdict
fp_runner_enter (FpRunner *self,
                 const FpProcessId *id,
                 guint32 uid)
{
  FpErrandVerdict verdict = fp_absence_judge (id, uid);

  fp_runner_lock (self);
  if (self->is_left || (!self->thread && is_stranger (self->errands, uid)))
    verdict = FP_ERRAND_REFUSED;
  else if (fp_errand_may_look (verdict) && has_spent (self->errands, uid))
    verdict = FP_ERRAND_SPENT;
  if (!self->is_left)
    turn_to (self, id, uid);
  self->id = *id;
  self->uid = uid;
  g_mutex_unlock (&self->errands->mutex);
  return verdict;
}

/* Whom a process counts for is asked of the process itself, so that this is a reading already. */
FpErrandVerdict
fp_runner_enter_live (FpRunner *self,
                      const FpProcDir *proc,
                      const FpProcessId *id,
                      FpPayer *payer)
{
  guint32 guess = fp_payer_guess (payer, proc, id->pid), uid;
  FpErrandVerdict verdict = fp_runner_enter (self, id, guess);

  if (!fp_errand_may_look (verdict))
    return verdict;
  uid = fp_payer_check (payer, proc, id->pid);
  return uid == guess ? verdict : fp_runner_enter (self, id, uid);
}

static gboolean
begin_next (FpRunner *self)
{
  Run *run = self->errands->run;

  if (!run || self->place >= run->n_runners)
    return FALSE;
  if (self->size < run->kind->size)
    {
      self->size = run->kind->size;
      g_free (self->errand);
      self->errand = g_malloc (self->size);
    }
  while (run->next < run->n)
    {
      self->index = run->next++;
      if (!run->kind->begin (self->errand, run->data, self->index))
        continue;
      self->kind = run->kind;
      self->id = (FpProcessId){ 0 };
      self->uid = NO_USER;
      forget_looks (self);
      self->n_switches = G_MAXUINT64;
      self->is_busy = TRUE;
      run->n_busy++;
      return TRUE;
    }
  if (run->n_busy == 0)
    g_cond_signal (&self->errands->done);
  return FALSE;
}

static void
finish (FpRunner *self)
{
  FpErrands *errands = self->errands;

  if (self->is_left)
    {
      guint64 computed_us = self->computed_us + fp_clock_us (CLOCK_THREAD_CPUTIME_ID) - self->clock_us;

      fp_absence_end (self, computed_us);
      fp_absence_add_cost (self->uid, computed_us);
      self->kind->clear (self->errand);
      return;
    }
  blame (self);
  self->is_busy = FALSE;
  errands->run->n_busy--;
  self->kind->end (self->errand, errands->run->data, self->index);
}

/* FALSE: there is nothing to do at present. With the mutex held. */
static gboolean
run_next (FpRunner *self)
{
  if (!begin_next (self))
    return FALSE;
  g_mutex_unlock (&self->errands->mutex);
  self->kind->run (self->errand, self);
  fp_runner_lock (self);
  finish (self);
  return TRUE;
}

/* To be called by run, for what belongs to whoever waits in fp_errands_run: nobody leaves the thread behind meanwhile, and
 * how long func takes or sleeps is not held against the process. FALSE: it was left behind, or func says so. */
gboolean
fp_runner_report (FpRunner *self,
                  FpReportFunc func,
                  gpointer data)
{
  gboolean goes_on;

  fp_runner_lock (self);
  goes_on = !self->is_left && func (data);
  g_mutex_unlock (&self->errands->mutex);
  return goes_on;
}

static gpointer
fp_runner_worker (gpointer data)
{
  FpRunner *self = data;
  FpErrands *errands = self->errands;

  g_mutex_lock (&errands->mutex);
  self->tid = (pid_t)syscall (SYS_gettid);
  pthread_getcpuclockid (pthread_self (), &self->clock);
  while (!errands->is_closed && !self->is_left)
    if (!run_next (self))
      g_cond_wait (&errands->begun, &errands->mutex);
  g_mutex_unlock (&errands->mutex);
  g_free (self->errand);
  g_free (self);
  fp_errands_unref (errands);
  return NULL;
}

static FpRunner *
start_runner (FpErrands *self,
              guint place)
{
  FpRunner *runner = g_new0 (FpRunner, 1);

  runner->errands = self;
  runner->place = place;
  g_atomic_ref_count_inc (&self->ref_count);
  runner->thread = g_thread_try_new ("footprint-sweep", fp_runner_worker, runner, NULL);
  if (runner->thread)
    return runner;
  (void)g_atomic_ref_count_dec (&self->ref_count);
  g_free (runner);
  return NULL;
}

static guint
call_runners (FpErrands *self,
              guint n)
{
  for (guint i = 0; i < n; i++)
    if (!self->runners[i] && !(self->runners[i] = start_runner (self, i)))
      return i;
  return n;
}

/* Returns how long it has computed since the last look, where its user is to pay for that. */
static guint64
look_at_clock (FpRunner *self)
{
  guint64 before_us = self->clock_us;

  self->clock_us = fp_clock_us (self->clock);
  if (!is_to_pay (self, self->uid))
    return 0;
  self->n_seen++;
  self->computed_us += self->clock_us - before_us;
  return self->clock_us - before_us;
}

/* One that waits for a processor is ready to run instead of sleeping, and one that pauses has run since the last look. One
 * that waits for the mutex waits for whoever looks. Returns whether it is asleep. */
static gboolean
look_at (FpRunner *self)
{
  char path[48], text[4096], state = 'D';
  guint64 n_switches = 0;
  const char *cursor = text, *end;
  gssize length;
  gboolean is_asleep, is_same;
  FpLine line;

  g_snprintf (path, sizeof path, "/proc/self/task/%d/status", self->tid);
  length = fp_read_record_at (-1, path, text, sizeof text);
  end = text + MAX (length, 0);
  while (fp_scan_line (&cursor, end, &line))
    if (fp_line_has_key (&line, "State") && line.text_length > 0)
      state = *line.text;
    else if (fp_line_has_key (&line, "voluntary_ctxt_switches") || fp_line_has_key (&line, "nonvoluntary_ctxt_switches"))
      n_switches += line.value;
  is_same = n_switches == self->n_switches || self->n_switches == G_MAXUINT64;
  is_asleep = (state == 'D' || state == 'S') && !g_atomic_int_get (&self->is_waiting);
  self->n_switches = n_switches;
  self->n_asleep += is_asleep;
  self->n_looks = is_asleep && is_same ? self->n_looks + 1 : 0;
  spend (self->errands, self->uid, is_asleep, look_at_clock (self));
  return is_asleep;
}

static gboolean
stands_still (const FpRunner *self)
{
  return self->n_looks >= MAX_LOOKS || self->n_asleep >= MAX_ASLEEP;
}

static void
leave_behind (FpErrands *self,
              FpRunner *runner,
              FpErrandVerdict verdict)
{
  Run *run = self->run;

  blame (runner);
  runner->is_left = TRUE;
  fp_absence_begin (runner, &runner->id, runner->uid, verdict == FP_ERRAND_REFUSED && !stands_still (runner));
  g_clear_pointer (&runner->thread, g_thread_unref);
  run->n_busy--;
  run->kind->leave (run->data, runner->index, verdict);
  self->runners[runner->place] = start_runner (self, runner->place);
}

static void
watch (FpErrands *self)
{
  for (guint i = 0; i < self->run->n_runners; i++)
    {
      FpRunner *runner = self->runners[i];
      gboolean is_asleep;

      if (!runner || !runner->is_busy)
        continue;
      is_asleep = look_at (runner);
      if (stands_still (runner) || runner->computed_us >= MAX_WALK || runner->n_seen >= MAX_SEEN)
        leave_behind (self, runner, FP_ERRAND_REFUSED);
      else if (is_asleep && runner->n_looks >= MIN_LOOKS && has_spent (self, runner->uid))
        leave_behind (self, runner, FP_ERRAND_SPENT);
    }
}

static gboolean
has_runner (const FpErrands *self)
{
  for (guint i = 0; i < self->run->n_runners; i++)
    if (self->runners[i])
      return TRUE;
  return FALSE;
}

/* Where no thread can be had, as when its user has no more of them, the caller reads itself, though no strangers' processes:
 * nobody could leave the caller behind. */
static void
run_here (FpErrands *self)
{
  FpRunner runner = { .errands = self };

  self->run->n_runners = 1;
  while (run_next (&runner))
    ;
  g_free (runner.errand);
}

/* Returns when all n errands have ended or were left behind. */
void
fp_errands_run (FpErrands *self,
                const FpErrandKind *kind,
                gpointer data,
                guint n,
                gboolean in_parallel)
{
  guint n_wanted = in_parallel && n >= MIN_PARALLEL ? MIN (g_get_num_processors (), MAX_RUNNERS) : 1;
  Run run = { kind, data, n, 0, 0, 0 };

  if (n == 0)
    return;
  g_mutex_lock (&self->mutex);
  self->run = &run;
  run.n_runners = call_runners (self, n_wanted);
  g_cond_broadcast (&self->begun);
  while (run.next < n || run.n_busy > 0)
    if (!has_runner (self))
      run_here (self);
    else if (!g_cond_wait_until (&self->done, &self->mutex, g_get_monotonic_time () + LOOK_US))
      watch (self);
  self->run = NULL;
  g_mutex_unlock (&self->mutex);
}
