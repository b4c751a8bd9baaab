// SPDX-License-Identifier: GPL-3.0-or-later
/* One user's processes cost a sweep no more than its budget, with errands that sleep as a reader of a locked process does. */
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-clock.h"
#include "fp-errands.h"
#include "fp-reading.h"

#define ADA      54321 /* uids of nobody */
#define BEN      54322
#define CAM      55000 /* and those behind, whose walks nobody has had to wait for */
#define N        12
#define SLOW_US  (3 * G_USEC_PER_SEC)
#define BRIEF_US (400 * 1000)
#define END_S    60
#define LATE_US  (50 * 1000)
#define NO_USER  77

/* Every other process is slow, beginning with the first. */
typedef struct
{
  guint32 slow_uid;
  guint64 start_ticks; /* of all processes, which are others in each test */
  gulong sleep_us;
  gboolean computes; /* instead of sleeping */
  gboolean gives_way;
  guint n_slept;
  guint n_left;
  FpErrandVerdict verdicts[N];
} Sweep;

typedef struct
{
  FpProcessId id;
  guint32 uid;
  gulong sleep_us;
  gboolean computes;
  gboolean gives_way;
  FpErrandVerdict verdict;
} Errand;

static gboolean
begin (gpointer errand,
       gpointer data,
       guint index)
{
  const Sweep *sweep = data;
  gboolean is_slow = index % 2 == 0;

  *(Errand *)errand = (Errand){ .id = { (gint)index + 1, sweep->start_ticks },
                                .uid = is_slow ? sweep->slow_uid : BEN,
                                .sleep_us = is_slow ? sweep->sleep_us : 0,
                                .computes = sweep->computes,
                                .gives_way = sweep->gives_way };
  return TRUE;
}

static void
compute (guint64 us)
{
  guint64 end_us = fp_clock_us (CLOCK_THREAD_CPUTIME_ID) + us;

  while (fp_clock_us (CLOCK_THREAD_CPUTIME_ID) < end_us)
    ;
}

static int
find_processor (void)
{
  cpu_set_t all;
  int first = 0;

  g_assert_cmpint (sched_getaffinity (0, sizeof all, &all), ==, 0);
  while (!CPU_ISSET (first, &all))
    first++;
  return first;
}

/* Of one processor it has what all other programs leave. */
static void
give_way (void)
{
  cpu_set_t one;

  CPU_ZERO (&one);
  CPU_SET (find_processor (), &one);
  g_assert_cmpint (sched_setaffinity (0, sizeof one, &one), ==, 0);
  g_assert_cmpint (sched_setscheduler (0, SCHED_IDLE, &(struct sched_param){ 0 }), ==, 0);
}

static void
run (gpointer errand,
     FpRunner *runner)
{
  Errand *self = errand;

  self->verdict = fp_runner_enter (runner, &self->id, self->uid);
  if (!fp_errand_may_look (self->verdict))
    return;
  if (self->gives_way && self->sleep_us > 0)
    give_way ();
  if (self->computes)
    compute (self->sleep_us);
  else
    g_usleep (self->sleep_us);
}

static void
end (gpointer errand,
     gpointer data,
     guint index)
{
  const Errand *self = errand;
  Sweep *sweep = data;

  sweep->verdicts[index] = self->verdict;
  sweep->n_slept += self->sleep_us > 0 && fp_errand_may_look (self->verdict);
}

static void
leave (gpointer data,
       guint index,
       FpErrandVerdict verdict)
{
  Sweep *sweep = data;

  sweep->verdicts[index] = verdict;
  sweep->n_slept++;
  sweep->n_left++;
}

static void
clear (gpointer errand)
{
}

static const FpErrandKind kind = { sizeof (Errand), begin, run, end, leave, clear };

/* Ada's slow processes end her part of the sweep, and no other's. The next sweep asks her again. */
static void
test_budget (void)
{
  g_autoptr (FpErrands) errands = fp_errands_new ();

  for (guint64 turn = 1; turn <= 2; turn++)
    {
      Sweep sweep = { .slow_uid = ADA, .start_ticks = turn, .sleep_us = SLOW_US };

      fp_errands_begin_sweep (errands);
      fp_errands_run (errands, &kind, &sweep, N, FALSE);
      g_assert_cmpuint (sweep.n_slept, >=, 1);
      g_assert_cmpuint (sweep.n_slept, <=, 2);
      g_assert_cmpint (sweep.verdicts[N - 2], ==, FP_ERRAND_SPENT);
      for (guint i = 1; i < N; i += 2)
        g_assert_cmpint (sweep.verdicts[i], ==, FP_ERRAND_ALLOWED);
      fp_errands_run (errands, &kind, &sweep, 1, FALSE);
      g_assert_false (fp_errand_may_look (sweep.verdicts[0]));
    }
}

/* Each by itself is too quick to be left behind. */
static void
test_sum (void)
{
  g_autoptr (FpErrands) errands = fp_errands_new ();
  Sweep sweep = { .slow_uid = ADA + 2, .start_ticks = 3, .sleep_us = BRIEF_US };

  fp_errands_begin_sweep (errands);
  fp_errands_run (errands, &kind, &sweep, N, FALSE);
  g_assert_cmpuint (sweep.n_slept, <, N / 2);
  g_assert_cmpint (sweep.verdicts[N - 2], ==, FP_ERRAND_SPENT);
}

/* A walk by the kernel that takes long is left behind as well, once it has had five seconds of a processor, and while it goes on
 * nothing more of its user is read, who pays for it at the end. Several that take less end their user's part of the sweep after
 * two. */
static void
test_computing (void)
{
  g_autoptr (FpErrands) errands = fp_errands_new ();
  Sweep walk = { .slow_uid = ADA + 4, .start_ticks = 6, .sleep_us = 9 * G_USEC_PER_SEC, .computes = TRUE };
  Sweep meanwhile = { .slow_uid = ADA + 4, .start_ticks = 9, .sleep_us = BRIEF_US };
  gint64 end_us = g_get_monotonic_time () + END_S * G_USEC_PER_SEC;
  guint64 cost_us;
  Sweep walks = { .slow_uid = ADA + 5, .start_ticks = 7, .sleep_us = 800 * 1000, .computes = TRUE };

  fp_errands_begin_sweep (errands);
  fp_errands_run (errands, &kind, &walk, N, FALSE);
  g_assert_cmpuint (walk.n_left, ==, 1);
  g_assert_cmpint (walk.verdicts[0], ==, FP_ERRAND_REFUSED);
  g_assert_cmpint (walk.verdicts[2], ==, FP_ERRAND_SPENT);
  for (guint i = 1; i < N; i += 2)
    g_assert_cmpint (walk.verdicts[i], ==, FP_ERRAND_ALLOWED);
  fp_errands_begin_sweep (errands);
  fp_errands_run (errands, &kind, &meanwhile, N, FALSE);
  g_assert_cmpuint (meanwhile.n_slept, ==, 0);
  for (guint i = 0; i < N; i++)
    g_assert_cmpint (meanwhile.verdicts[i], ==, i % 2 == 0 ? FP_ERRAND_SPENT : FP_ERRAND_ALLOWED);
  fp_errands_begin_sweep (errands);
  fp_errands_run (errands, &kind, &walks, N, FALSE);
  g_assert_cmpuint (walks.n_left, ==, 0);
  g_assert_cmpuint (walks.n_slept, >=, 2);
  g_assert_cmpuint (walks.n_slept, <, N / 2);
  g_assert_cmpint (walks.verdicts[N - 2], ==, FP_ERRAND_SPENT);
  while ((cost_us = fp_absence_take_cost (ADA + 4)) == 0 && g_get_monotonic_time () < end_us)
    g_usleep (10 * 1000);
  g_assert_cmpuint (cost_us, >=, walk.sleep_us);
  g_assert_cmpuint (cost_us, <, walk.sleep_us + G_USEC_PER_SEC);
  g_assert_cmpint (fp_absence_get_end (), >, g_get_monotonic_time () + (gint64)walk.sleep_us * 8);
}

/* However long a walk was, its user is let alone for a multiple of that, and nothing that comes later makes it shorter. */
static void
test_long_walk (void)
{
  const FpProcessId walked = { 5000, 1 }, other = { 5001, 1 };
  const guint64 computed_us = 1000 * (guint64)G_USEC_PER_SEC;
  gint64 start_us = g_get_monotonic_time ();

  fp_absence_begin (&walked, &walked, ADA + 200, TRUE);
  g_assert_cmpint (fp_absence_judge (&other, ADA + 200), ==, FP_ERRAND_SPENT);
  g_assert_cmpint (fp_absence_get_end (), ==, G_MAXINT64);
  fp_absence_end (&walked, computed_us);
  fp_absence_blame (ADA + 200, G_USEC_PER_SEC);
  g_assert_cmpint (fp_absence_judge (&other, ADA + 200), ==, FP_ERRAND_LATER);
  g_assert_cmpint (fp_absence_judge (&other, ADA + 201), ==, FP_ERRAND_ALLOWED);
  g_assert_cmpint (fp_absence_get_end (), >=, start_us + (gint64)computed_us * 9);
  fp_absence_begin (&walked, &walked, ADA + 200, TRUE);
  fp_absence_end (&walked, computed_us);
  g_assert_cmpint (fp_absence_get_end (), >=, start_us + (gint64)computed_us * 18);
}

static gint is_over;

static gpointer
occupy_worker (gpointer data)
{
  cpu_set_t one;

  CPU_ZERO (&one);
  CPU_SET (find_processor (), &one);
  g_assert_cmpint (sched_setaffinity (0, sizeof one, &one), ==, 0);
  while (!g_atomic_int_get (&is_over))
    ;
  return NULL;
}

/* Others wait no longer where a walk has next to nothing of a processor. */
static void
test_starved (void)
{
  g_autoptr (FpErrands) errands = fp_errands_new ();
  Sweep walk = { .slow_uid = ADA + 7, .start_ticks = 10, .sleep_us = G_USEC_PER_SEC, .computes = TRUE, .gives_way = TRUE };
  GThread *occupant = g_thread_new ("occupy", occupy_worker, NULL);
  gint64 start_us = g_get_monotonic_time ();

  fp_errands_begin_sweep (errands);
  fp_errands_run (errands, &kind, &walk, 2, FALSE);
  g_assert_cmpuint (walk.n_left, ==, 1);
  g_assert_cmpint (walk.verdicts[0], ==, FP_ERRAND_REFUSED);
  g_assert_cmpint (walk.verdicts[1], ==, FP_ERRAND_ALLOWED);
  g_assert_cmpint (g_get_monotonic_time () - start_us, <, 10 * G_USEC_PER_SEC);
  g_atomic_int_set (&is_over, TRUE);
  g_thread_join (occupant);
}

/* Whoever asks for one process waits for it. */
static void
test_asked (void)
{
  g_autoptr (FpErrands) errands = fp_errands_new ();
  Sweep walk = { .slow_uid = ADA + 6, .start_ticks = 8, .sleep_us = 6 * G_USEC_PER_SEC, .computes = TRUE };

  fp_errands_run (errands, &kind, &walk, 1, FALSE);
  g_assert_cmpuint (walk.n_left, ==, 0);
  g_assert_cmpint (walk.verdicts[0], ==, FP_ERRAND_ALLOWED);
}

/* One's own processes keep nobody else waiting. */
static void
test_own (void)
{
  g_autoptr (FpErrands) errands = fp_errands_new ();
  Sweep sweep = { .slow_uid = getuid (), .start_ticks = 4, .sleep_us = BRIEF_US };

  fp_errands_begin_sweep (errands);
  fp_errands_run (errands, &kind, &sweep, N, FALSE);
  g_assert_cmpuint (sweep.n_slept, ==, N / 2);
  g_assert_cmpuint (sweep.n_left, ==, 0);
}

static gboolean
ask_again (gpointer data)
{
  FpReading *outer = data;
  FpStat stat;

  g_assert_cmpint (fp_reading_read_any_stat (&stat, &outer->proc, getpid ()), ==, 0);
  return TRUE;
}

static void
report (gpointer data)
{
  fp_reading_report (data, ask_again, data);
}

static gpointer
do_nothing (gpointer data)
{
  return NULL;
}

static void
check_without_threads (void)
{
  g_autoptr (FpErrands) errands = fp_errands_new ();
  g_autoptr (GThread) thread = g_thread_try_new (NULL, do_nothing, NULL, NULL);
  Sweep sweep = { .slow_uid = ADA, .start_ticks = 5, .sleep_us = 1 };
  g_auto (FpProcDir) proc = { .fd = -1 };
  FpReading *reading;

  g_assert_null (thread);
  fp_errands_run (errands, &kind, &sweep, 2, FALSE);
  g_assert_cmpint (sweep.verdicts[0], ==, FP_ERRAND_REFUSED);
  g_assert_cmpint (sweep.verdicts[1], ==, FP_ERRAND_REFUSED);
  sweep.slow_uid = getuid ();
  fp_errands_run (errands, &kind, &sweep, 1, FALSE);
  g_assert_cmpint (sweep.verdicts[0], ==, FP_ERRAND_ALLOWED);
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  reading = fp_reading_new (sizeof *reading, &proc, &(FpProcessId){ getpid (), 0 });
  g_assert_true (fp_reading_await (reading, report, fp_reading_free));
  fp_reading_free (reading);
}

/* A user who may have no more threads reads on the calling one, which nobody could leave behind at a stranger's process. */
static void
test_no_threads (void)
{
  const struct rlimit none = { 0, 0 };
  pid_t pid = fork ();
  int status;

  if (pid == 0)
    {
      alarm (END_S);
      if ((geteuid () == 0 && setresuid (ADA + 3, ADA + 3, ADA + 3) != 0) || setrlimit (RLIMIT_NPROC, &none) != 0)
        _exit (NO_USER);
      check_without_threads ();
      _exit (0);
    }
  g_assert_cmpint (pid, >, 0);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  if (WIFEXITED (status) && WEXITSTATUS (status) == NO_USER)
    g_test_skip ("there is no other user here");
  else
    g_assert_cmpint (status, ==, 0);
}

typedef struct
{
  FpReading reading;
  int start;
  int end;
} LateReading;

/* It computes once somebody writes. */
static void
read_late (gpointer data)
{
  const LateReading *self = data;
  char c;

  g_assert_cmpint (read (self->start, &c, 1), ==, 1);
  compute (LATE_US);
}

static void
late_free (gpointer data)
{
  LateReading *self = data;
  int end = self->end;

  fp_reading_free (self);
  g_assert_cmpint (write (end, "", 1), ==, 1);
}

/* CPU time of a reading that nobody waits for any more counts for the user of its process, once. */
static void
test_late (void)
{
  g_auto (FpProcDir) proc = { .fd = -1 };
  FpPayer payer = { 0 };
  LateReading *reading;
  int start[2], end[2];
  char c;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  g_assert_true (pipe (start) == 0 && pipe (end) == 0);
  fp_payer_check (&payer, &proc, getpid ());
  reading = fp_reading_new (sizeof *reading, &proc, &(FpProcessId){ getpid (), 0 });
  reading->start = start[0];
  reading->end = end[1];
  g_assert_false (fp_reading_await (reading, read_late, late_free));
  g_assert_cmpuint (fp_absence_take_cost (payer.uid), ==, 0);
  g_assert_cmpint (write (start[1], "", 1), ==, 1);
  g_assert_cmpint (read (end[0], &c, 1), ==, 1);
  g_assert_cmpuint (fp_absence_take_cost (payer.uid), >=, LATE_US);
  g_assert_cmpuint (fp_absence_take_cost (payer.uid), ==, 0);
  for (guint i = 0; i < 2; i++)
    g_assert_true (close (start[i]) == 0 && close (end[i]) == 0);
}

static void
leave_behind (guint first,
              guint n)
{
  for (guint i = first; i < first + n; i++)
    fp_absence_begin (GUINT_TO_POINTER (i + 1), &(FpProcessId){ (gint)i + 1, 1 }, CAM + i / 4, FALSE);
}

/* Many users with processes that do not answer keep nobody else from being read, before they are very many. */
static void
test_left_of_many (void)
{
  const FpProcessId other = { 4000, 1 };

  leave_behind (0, 31);
  g_assert_cmpint (fp_absence_judge (&other, CAM + 7), ==, FP_ERRAND_ALLOWED);
  leave_behind (31, 2);
  g_assert_cmpint (fp_absence_judge (&other, CAM + 8), ==, FP_ERRAND_REFUSED);
  g_assert_cmpint (fp_absence_judge (&other, CAM + 100), ==, FP_ERRAND_ALLOWED);
  leave_behind (33, 47);
  g_assert_cmpint (fp_absence_judge (&other, CAM + 100), ==, FP_ERRAND_REFUSED);
  g_assert_true (fp_errand_may_look (fp_absence_judge (&other, 0)));
  for (guint i = 0; i < 80; i++)
    fp_absence_end (GUINT_TO_POINTER (i + 1), G_USEC_PER_SEC);
  g_assert_cmpint (fp_absence_judge (&other, CAM + 8), ==, FP_ERRAND_ALLOWED);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/errands/no-threads", test_no_threads);
  g_test_add_func ("/errands/budget", test_budget);
  g_test_add_func ("/errands/sum", test_sum);
  g_test_add_func ("/errands/own", test_own);
  g_test_add_func ("/errands/computing", test_computing);
  g_test_add_func ("/errands/starved", test_starved);
  g_test_add_func ("/errands/asked", test_asked);
  g_test_add_func ("/errands/late", test_late);
  g_test_add_func ("/errands/left-of-many", test_left_of_many);
  g_test_add_func ("/errands/long-walk", test_long_walk);
  return g_test_run ();
}
