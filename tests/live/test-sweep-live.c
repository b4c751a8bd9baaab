// SPDX-License-Identifier: GPL-3.0-or-later
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-mapping-reader.h"
#include "fp-roster.h"
#include "fp-sweep.h"
#include "fp-visit.h"
#include "live-process.h"
#include "workload.h"

#define MIB        ((gsize)1024 * 1024)
#define PATIENCE_S 600 /* other giants that run just now have their turns, too */

static FpSweep *
new_sweep (FpRotationMode mode,
           guint n_sweeps)
{
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  g_autoptr (GError) error = NULL;
  FpSweep *sweep;

  settings.rotation = mode;
  settings.n_sweeps = n_sweeps;
  sweep = fp_sweep_new ("/proc", &settings, &error);
  g_assert_no_error (error);
  return sweep;
}

static FpSnapshot *
collect (FpSweep *sweep)
{
  FpSweepRequest request = { 0 };
  g_autoptr (GError) error = NULL;
  FpSnapshot *snapshot = fp_sweep_collect (sweep, &request, &error);

  g_assert_no_error (error);
  return snapshot;
}

static void
read_rollup (pid_t pid,
             FpMemory *memory)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/smaps_rollup", pid);
  g_autofree char *text = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  *memory = (FpMemory){ 0 };
  fp_memory_scan (memory, FP_ORIGIN_SMAPS, text, length);
  fp_memory_derive (memory);
}

static void
idle (gpointer data)
{
  live_touch (GPOINTER_TO_SIZE (data));
  live_answer ();
  for (;;)
    live_await_order ();
}

/* Its figures are those of the same file read just before and just after. Who maps the same library for a moment between
 * these two changes them for that moment: then once more. */
static void
test_figures_equal_the_file (void)
{
  g_autoptr (FpSweep) sweep = new_sweep (FP_ROTATION_OFF, 0);
  LiveProcess child;
  guint n_compared = 0;

  live_process_start (&child, idle, GSIZE_TO_POINTER (3 * MIB));
  kill (child.pid, SIGSTOP);
  for (guint try = 0; try < 20 && n_compared == 0; try++)
    {
      FpSweepRequest request = { .refresh_all = TRUE };
      g_autoptr (FpSnapshot) snapshot = NULL;
      const FpProcess *process;
      FpMemory before, after;

      read_rollup (child.pid, &before);
      snapshot = fp_sweep_collect (sweep, &request, NULL);
      read_rollup (child.pid, &after);
      if (memcmp (&before, &after, sizeof before) != 0)
        continue;
      process = fp_snapshot_find (snapshot, child.pid);
      g_assert_nonnull (process);
      g_assert_cmpint (process->reason, ==, FP_REASON_NONE);
      if (try < 19 && fp_memory_get (&process->memory, FP_FIELD_PSS) != fp_memory_get (&before, FP_FIELD_PSS))
        continue;
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        if (fp_memory_has (&before, field))
          {
            g_assert_true (fp_memory_has (&process->memory, field));
            g_assert_cmpuint (process->memory.figures[field], ==, before.figures[field]);
            n_compared++;
          }
    }
  g_assert_cmpuint (n_compared, >=, 20);
  live_process_stop (&child);
}

static void
wait_for_ever (gpointer data)
{
  for (;;)
    pause ();
}

static void
end_at_once (gpointer data)
{
}

static gint
find_child (const FpSnapshot *snapshot,
            gint parent)
{
  for (guint i = 0; i < snapshot->n_processes; i++)
    if (snapshot->processes[i].ppid == parent)
      return snapshot->processes[i].pid;
  return 0;
}

/* Nothing happens in a survivor when the one it shared copy-on-write pages with dies; it is right in the next sweep. */
static void
test_death_of_a_partner (void)
{
  static const char *const roles[] = { "parent", "child1" };
  g_autoptr (FpSweep) sweep = new_sweep (FP_ROTATION_OFF, 0);
  g_autoptr (FpSnapshot) before = NULL, after = NULL;
  const FpProcess *process;
  Workload family;
  FpMemory now;

  g_assert_true (workload_start (&family, "forkdie 24"));
  before = collect (sweep);
  process = fp_snapshot_find (before, workload_get_pid (&family, "parent"));
  g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_PSS_ANON), >=, 8 * MIB);
  g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_PSS_ANON), <, 11 * MIB);
  workload_order (&family, "die", "died");
  after = collect (sweep);
  for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
    {
      process = fp_snapshot_find (after, workload_get_pid (&family, roles[i]));
      read_rollup (process->pid, &now);
      g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_PSS_ANON), ==, fp_memory_get (&now, FP_FIELD_PSS_ANON));
      g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_PSS_ANON), >=, 12 * MIB);
    }
  workload_stop (&family);
}

static void
three_alike (gpointer data)
{
  live_touch (64 * MIB);
  for (guint i = 0; i < 3; i++)
    live_fork (wait_for_ever, NULL);
  live_answer ();
  live_await_order ();
}

/* The texts of idle forks are equal to the byte, and yet each of them counts. */
static void
test_identical_forks_all_count (void)
{
  g_autoptr (FpSweep) sweep = new_sweep (FP_ROTATION_OFF, 0);
  g_autoptr (FpSnapshot) snapshot = NULL;
  LiveProcess family;
  guint64 anonymous = 0;
  guint n = 0;

  live_process_start (&family, three_alike, NULL);
  snapshot = collect (sweep);
  for (guint i = 0; i < snapshot->n_processes; i++)
    if (snapshot->processes[i].ppid == family.pid || snapshot->processes[i].pid == family.pid)
      {
        g_assert_cmpint (snapshot->processes[i].reason, ==, FP_REASON_NONE);
        anonymous += fp_memory_get (&snapshot->processes[i].memory, FP_FIELD_PSS_ANON);
        n++;
      }
  g_assert_cmpuint (n, ==, 4);
  g_assert_cmpuint (anonymous, >=, 64 * MIB);
  g_assert_cmpuint (anonymous, <, 80 * MIB);
  live_process_stop (&family);
}

static int
wait_in_clone (void *data)
{
  wait_for_ever (NULL);
  return 0;
}

static void
clone_memory (gpointer data)
{
  char *stack = live_touch (MIB);

  live_touch (16 * MIB);
  if (clone (wait_in_clone, stack + MIB, CLONE_VM | SIGCHLD, NULL) < 0)
    _exit (1);
  live_answer ();
  live_await_order ();
}

static void
test_shared_address_space_counts_once (void)
{
  g_autoptr (FpSweep) sweep = new_sweep (FP_ROTATION_OFF, 0);
  g_autoptr (FpSnapshot) snapshot = NULL;
  const FpProcess *owner, *twin;
  LiveProcess pair;
  gint twin_pid;

  live_process_start (&pair, clone_memory, NULL);
  snapshot = collect (sweep);
  owner = fp_snapshot_find (snapshot, pair.pid);
  twin_pid = find_child (snapshot, pair.pid);
  twin = fp_snapshot_find (snapshot, twin_pid);
  g_assert_nonnull (twin);
  g_assert_cmpuint (fp_memory_get (&owner->memory, FP_FIELD_PSS_ANON), >=, 17 * MIB);
  g_assert_cmpint (twin->reason, ==, FP_REASON_SHARED_MEMORY);
  g_assert_cmpint (twin->shares_with, ==, pair.pid);
  g_assert_false (fp_memory_has (&twin->memory, FP_FIELD_PSS));
  g_assert_false (fp_memory_has (&twin->memory, FP_FIELD_RSS));
  kill (twin_pid, SIGKILL);
  live_process_stop (&pair);
}

static void *
hold_memory (void *data)
{
  live_touch (8 * MIB);
  live_answer ();
  wait_for_ever (NULL);
  return NULL;
}

static void
exit_main_thread (gpointer data)
{
  pthread_t thread;

  prctl (PR_SET_NAME, "leaderless");
  pthread_create (&thread, NULL, hold_memory, NULL);
  pthread_exit (NULL);
}

static void
test_main_thread_exited (void)
{
  g_autoptr (FpSweep) sweep = new_sweep (FP_ROTATION_OFF, 0);
  g_autoptr (FpSnapshot) snapshot = NULL;
  g_autoptr (FpMappings) mappings = NULL;
  const FpProcess *process;
  LiveProcess child;
  FpProcDir proc;

  live_process_start (&child, exit_main_thread, NULL);
  live_wait_for_state (child.pid, "Z");
  snapshot = collect (sweep);
  process = fp_snapshot_find (snapshot, child.pid);
  g_assert_cmpint (process->state, ==, 'Z');
  g_assert_true (process->main_thread_exited);
  g_assert_cmpint (process->reason, ==, FP_REASON_NONE);
  g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_PSS_ANON), >=, 8 * MIB);
  g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_COMM), ==, "leaderless");
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  mappings = fp_mappings_read (&proc, &(FpProcessId){ process->pid, process->start_ticks }, NULL, NULL, NULL);
  g_assert_nonnull (mappings);
  g_assert_cmpuint (fp_mappings_get_n (mappings), >, 5);
  fp_proc_dir_close (&proc);
  live_process_stop (&child);
}

static void
leave_zombie (gpointer data)
{
  siginfo_t info;

  waitid (P_PID, (id_t)live_fork (end_at_once, NULL), &info, WEXITED | WNOWAIT);
  live_answer ();
  live_await_order ();
}

static void
test_zombie (void)
{
  g_autoptr (FpSweep) sweep = new_sweep (FP_ROTATION_OFF, 0);
  g_autoptr (FpSnapshot) snapshot = NULL;
  const FpProcess *zombie;
  LiveProcess parent;

  live_process_start (&parent, leave_zombie, NULL);
  snapshot = collect (sweep);
  zombie = fp_snapshot_find (snapshot, find_child (snapshot, parent.pid));
  g_assert_nonnull (zombie);
  g_assert_cmpint (zombie->reason, ==, FP_REASON_ZOMBIE);
  g_assert_false (fp_memory_has (&zombie->memory, FP_FIELD_RSS));
  g_assert_false (fp_process_is_unread (zombie));
  live_process_stop (&parent);
}

static void
exec_on_order (gpointer data)
{
  live_answer ();
  live_await_order ();
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  live_answer ();
  execl ("/bin/sleep", "sleep", "1000", NULL);
  _exit (1);
}

static void
test_exec_changes_names_and_figures (void)
{
  g_autoptr (FpSweep) sweep = new_sweep (FP_ROTATION_OFF, 0);
  g_autoptr (FpSnapshot) before = collect (sweep), after = NULL;
  const FpProcess *process;
  LiveProcess child;

  live_process_start (&child, exec_on_order, NULL);
  g_clear_pointer (&before, fp_snapshot_unref);
  before = collect (sweep);
  process = fp_snapshot_find (before, child.pid);
  g_assert_cmpstr (fp_snapshot_get_text (before, process, FP_TEXT_PROGRAM), ==, "test-sweep-live");
  live_process_order (&child, 'x');
  live_wait_for_comm (child.pid, "sleep");
  after = collect (sweep);
  process = fp_snapshot_find (after, child.pid);
  g_assert_cmpstr (fp_snapshot_get_text (after, process, FP_TEXT_PROGRAM), ==, "sleep");
  g_assert_cmpstr (fp_snapshot_get_text (after, process, FP_TEXT_COMMAND), ==, "sleep 1000");
  live_process_stop (&child);
}

/* A process that was read has at least as much as those that still wait; a waiting one has its RSS already. */
static void
assert_biggest_first (const FpSnapshot *snapshot)
{
  guint64 least_read = G_MAXUINT64, most_pending = 0;

  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      const FpProcess *process = &snapshot->processes[i];
      guint64 rss = fp_memory_get (&process->memory, FP_FIELD_RSS);

      if (fp_memory_has (&process->memory, FP_FIELD_PSS))
        least_read = MIN (least_read, rss);
      else if (process->reason == FP_REASON_PENDING)
        most_pending = MAX (most_pending, rss);
    }
  g_assert_cmpuint (most_pending, >, 0);
  g_assert_cmpuint (least_read + 4 * MIB, >=, most_pending);
}

static void
test_slices_fill_biggest_first (void)
{
  FpSweepRequest request = { .slice_us = 1 };
  g_autoptr (FpSweep) sweep = new_sweep (FP_ROTATION_OFF, 0);
  LiveProcess small[20], big;
  guint n_slices = 0;
  gboolean is_complete = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (small); i++)
    live_process_start (&small[i], idle, GSIZE_TO_POINTER (64 * 1024));
  live_process_start (&big, idle, GSIZE_TO_POINTER (256 * MIB));
  while (!is_complete)
    {
      g_autoptr (FpSnapshot) snapshot = fp_sweep_collect (sweep, &request, NULL);

      if (n_slices++ == 0)
        assert_biggest_first (snapshot);
      is_complete = snapshot->info.n_pending == 0;
      g_assert_cmpuint (n_slices, <, 5000);
    }
  g_assert_cmpuint (n_slices, >, 1);
  for (guint i = 0; i < G_N_ELEMENTS (small); i++)
    live_process_stop (&small[i]);
  live_process_stop (&big);
}

static void
grow_on_order (gpointer data)
{
  live_touch (GPOINTER_TO_SIZE (data));
  live_answer ();
  for (;;)
    {
      live_await_order ();
      live_touch (4 * MIB);
      live_answer ();
    }
}

/* Programs that come and go may share a page of a library just now, or no longer. */
static void
assert_within (const FpProcess *process,
               const FpMemory *now,
               FpField field)
{
  const guint64 page = 4096;
  guint64 low, high;

  g_assert_true (fp_memory_get_ends (&process->memory, field, &low, &high));
  g_assert_cmpuint (low, <=, fp_memory_get (now, field) + page);
  g_assert_cmpuint (high + page, >=, fp_memory_get (now, field));
}

/* A giant is walked at one go for the first picture and on demand alone; between, it is read in pieces, and what is said
 * of it contains the truth. */
static void
test_giant_is_read_politely (void)
{
  const gsize size = 512 * MIB;
  FpSweepSettings settings = { FP_ROTATION_FIXED, 2, 0.02, 1000, fp_user_lookup };
  g_autoptr (FpSweep) sweep = fp_sweep_new ("/proc", &settings, NULL);
  g_autoptr (FpSnapshot) first = NULL, last = NULL;
  const FpProcess *process;
  FpSweepRequest request = { 0 };
  FpProcessId id;
  LiveProcess giant;
  FpMemory now;
  guint64 n_readings;
  gint64 deadline = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;

  live_process_start (&giant, grow_on_order, GSIZE_TO_POINTER (size));
  first = collect (sweep);
  process = fp_snapshot_find (first, giant.pid);
  g_assert_cmpuint (process->cost_us, >, settings.giant_us);
  id = (FpProcessId){ process->pid, process->start_ticks };
  n_readings = fp_sweep_get_holds (sweep)->n_readings;
  live_process_order (&giant, 'g');
  do
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_usleep (5000);
      g_clear_pointer (&last, fp_snapshot_unref);
      last = collect (sweep);
      process = fp_snapshot_find (last, giant.pid);
      read_rollup (giant.pid, &now);
      g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_RSS), ==, fp_memory_get (&now, FP_FIELD_RSS));
      g_assert_cmpint (process->reason, ==, FP_REASON_NONE);
      assert_within (process, &now, FP_FIELD_PSS);
      assert_within (process, &now, FP_FIELD_PSS_ANON);
      assert_within (process, &now, FP_FIELD_USS);
      assert_within (process, &now, FP_FIELD_SHARED);
    }
  while (process->measured_us == first->info.boottime_us);
  g_assert_cmpuint (fp_sweep_get_holds (sweep)->n_readings, >, n_readings);

  request.wanted = &id;
  request.n_wanted = 1;
  g_clear_pointer (&last, fp_snapshot_unref);
  last = fp_sweep_collect (sweep, &request, NULL);
  process = fp_snapshot_find (last, giant.pid);
  g_assert_cmpuint (process->measured_us, ==, last->info.boottime_us);
  g_assert_true (fp_memory_has (&process->memory, FP_FIELD_PSS));
  live_process_stop (&giant);
}

static void
assert_is_bounded (const FpSnapshot *snapshot,
                   pid_t pid)
{
  const FpProcess *process = fp_snapshot_find (snapshot, pid);
  guint64 low, high;
  FpMemory now;

  g_assert_nonnull (process);
  g_assert_cmpint (process->reason, ==, FP_REASON_PENDING);
  g_assert_false (fp_memory_has (&process->memory, FP_FIELD_PSS));
  read_rollup (pid, &now);
  assert_within (process, &now, FP_FIELD_PSS);
  assert_within (process, &now, FP_FIELD_PSS_ANON);
  assert_within (process, &now, FP_FIELD_USS);
  g_assert_true (fp_memory_get_ends (&process->memory, FP_FIELD_PSS, &low, &high));
  g_assert_cmpuint (low, >=, fp_memory_get (&now, FP_FIELD_PSS) * 9 / 10);
  g_assert_cmpuint (high, <=, fp_memory_get (&now, FP_FIELD_RSS));
}

static void
shrink_and_grow (gpointer data)
{
  const gsize size = GPOINTER_TO_SIZE (data);
  char *memory = live_touch (size);

  live_answer ();
  live_await_order ();
  munmap (memory, size);
  live_touch (size / 2);
  live_answer ();
  live_await_order ();
  live_touch (size);
  live_answer ();
  live_await_order ();
}

/* A process that there is no time to walk counts with what is certain of it: one that has given back so much that what was
 * measured is wrong, and a newcomer. One after the other, since forks of one program may share with each other. */
static void
test_without_time (void)
{
  const gsize size = 512 * MIB;
  FpSweepSettings settings = { FP_ROTATION_TIMED, 0, 0, G_USEC_PER_SEC, fp_user_lookup };
  g_autoptr (FpSweep) sweep = fp_sweep_new ("/proc", &settings, NULL);
  g_autoptr (FpSnapshot) snapshot = NULL;
  LiveProcess process;

  live_process_start (&process, shrink_and_grow, GSIZE_TO_POINTER (size));
  snapshot = collect (sweep);
  g_assert_cmpint (fp_snapshot_find (snapshot, process.pid)->reason, ==, FP_REASON_NONE);
  for (guint i = 0; i < 2; i++)
    {
      live_process_order (&process, 'n');
      g_clear_pointer (&snapshot, fp_snapshot_unref);
      snapshot = collect (sweep);
      assert_is_bounded (snapshot, process.pid);
    }
  live_process_stop (&process);

  live_process_start (&process, idle, GSIZE_TO_POINTER (size));
  g_clear_pointer (&snapshot, fp_snapshot_unref);
  snapshot = collect (sweep);
  assert_is_bounded (snapshot, process.pid);
  live_process_stop (&process);
}

static void
give_back_or_exec (gpointer data)
{
  const gsize size = 512 * MIB;
  char *memory = live_touch (size);

  live_answer ();
  if (live_await_order () == 'x')
    {
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      live_answer ();
      execl ("/bin/sleep", "sleep", "1000", NULL);
      _exit (1);
    }
  munmap (memory, size);
  live_answer ();
  live_await_order ();
}

/* Once it has given its memory back it is walked as any other. The limit is a sixth of what a giant of this size takes,
 * and several times what is left of it takes, also where a walk is slowed down by other programs. */
static void
test_giant_no_more (gconstpointer order)
{
  FpSweepSettings settings = { FP_ROTATION_OFF, 0, 0.02, 1000, fp_user_lookup };
  g_autoptr (FpSweep) sweep = fp_sweep_new ("/proc", &settings, NULL);
  g_autoptr (FpSnapshot) first = NULL, second = NULL;
  const FpProcess *process;
  LiveProcess giant;

  live_process_start (&giant, give_back_or_exec, NULL);
  first = collect (sweep);
  g_assert_cmpuint (fp_snapshot_find (first, giant.pid)->cost_us, >, settings.giant_us);
  live_process_order (&giant, *(const char *)order);
  if (*(const char *)order == 'x')
    live_wait_for_comm (giant.pid, "sleep");
  second = collect (sweep);
  process = fp_snapshot_find (second, giant.pid);
  g_assert_cmpuint (process->measured_us, ==, second->info.boottime_us);
  g_assert_cmpuint (process->cost_us, <, fp_snapshot_find (first, giant.pid)->cost_us);
  g_assert_true (fp_memory_has (&process->memory, FP_FIELD_PSS));
  g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_PSS), <, 64 * MIB);
  g_assert_cmpint (process->reason, ==, FP_REASON_NONE);
  if (*(const char *)order == 'x')
    g_assert_cmpstr (fp_snapshot_get_text (second, process, FP_TEXT_PROGRAM), ==, "sleep");
  live_process_stop (&giant);
}

static void
rest_or_close (gpointer data)
{
  live_become_nobody ();
  prctl (PR_SET_DUMPABLE, 1);
  live_touch (MIB);
  live_answer ();
  for (;;)
    {
      char order = live_await_order ();

      if (order == 'c')
        prctl (PR_SET_DUMPABLE, 0);
      live_touch (MIB);
      live_answer ();
    }
}

typedef struct
{
  FpProcessReader *reader;
  FpTracked tracked;
  FpProcess record;
} Judged;

/* The order that its process is given between the look at its owner and the walk */
static struct
{
  LiveProcess *process;
  char order;
} between;

static gboolean
begin_judged (gpointer visit,
              gpointer data,
              guint index)
{
  Judged *self = data;

  fp_visit_begin (visit, self->reader, &self->tracked, &self->record, 1);
  return TRUE;
}

static void
judge_and_walk (gpointer visit,
                FpRunner *runner)
{
  fp_visit_meet (visit, runner);
  live_process_order (between.process, between.order);
  fp_visit_walk (visit, runner);
}

static void
end_judged (gpointer visit,
            gpointer data,
            guint index)
{
  Judged *self = data;

  fp_visit_end (visit, &self->tracked, &self->record);
}

static void
leave_judged (gpointer data,
              guint index,
              FpErrandVerdict verdict)
{
  g_assert_not_reached ();
}

/* Whoever closes its memory meanwhile, as a program with root's rights has closed it, is not shown to its user. */
static void
test_closed_before_walk (void)
{
  static const FpErrandKind kind = { sizeof (FpVisit), begin_judged, judge_and_walk, end_judged, leave_judged, fp_visit_clear };
  static const char orders[] = "oco";
  FpErrands *errands = fp_errands_new ();
  LiveProcess process;

  if (getuid () != 0)
    {
      g_test_skip ("only root can become another user");
      return;
    }
  live_process_start (&process, rest_or_close, NULL);
  between.process = &process;
  for (guint i = 0; orders[i]; i++)
    {
      Judged judged = { fp_process_reader_new ("/proc", fp_user_lookup, 4096, NULL), FP_TRACKED_NEW, { 0 } };

      judged.reader->judges_owners = TRUE;
      judged.record = FP_ROSTER_NEWCOMER (process.pid);
      between.order = orders[i];
      fp_errands_run (errands, &kind, &judged, 1, FALSE);
      g_assert_cmpint (judged.record.reason, ==, FP_REASON_NONE);
      g_assert_cmpint (judged.record.is_plain, ==, i == 0);
      fp_process_reader_forget (judged.reader, &judged.tracked.stat_fd);
      fp_process_reader_unref (judged.reader);
    }
  live_process_stop (&process);
  fp_errands_free (errands);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sweep/live/figures-equal-the-file", test_figures_equal_the_file);
  g_test_add_func ("/sweep/live/death-of-a-partner", test_death_of_a_partner);
  g_test_add_func ("/sweep/live/identical-forks-all-count", test_identical_forks_all_count);
  g_test_add_func ("/sweep/live/shared-address-space-counts-once", test_shared_address_space_counts_once);
  g_test_add_func ("/sweep/live/main-thread-exited", test_main_thread_exited);
  g_test_add_func ("/sweep/live/zombie", test_zombie);
  g_test_add_func ("/sweep/live/exec-changes-names-and-figures", test_exec_changes_names_and_figures);
  g_test_add_func ("/sweep/live/slices-fill-biggest-first", test_slices_fill_biggest_first);
  g_test_add_func ("/sweep/live/giant-is-read-politely", test_giant_is_read_politely);
  g_test_add_func ("/sweep/live/without-time", test_without_time);
  g_test_add_func ("/sweep/live/closed-before-walk", test_closed_before_walk);
  g_test_add_data_func ("/sweep/live/giant-no-more/freed", "f", test_giant_no_more);
  g_test_add_data_func ("/sweep/live/giant-no-more/exec", "x", test_giant_no_more);
  return g_test_run ();
}
