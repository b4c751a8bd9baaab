// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"
#include "fp-process-reader.h"
#include "fp-sweep.h"

#define KIB    G_GUINT64_CONSTANT (1024)
#define NOBODY 65534

#define PATIENCE_S 30

/* In the stat of 1500: vsize, RSS in pages, where the stack begins */
#define SIZE_1500  "84541440 "
#define RSS_1500   SIZE_1500 "6880 "
#define STACK_1500 "140720308514240"

typedef struct
{
  Fixture fixture;
  FpSweep *sweep;
  FpSnapshot *first;
} Change;

static FpSnapshot *
collect (FpSweep *sweep,
         guint64 slice_us)
{
  FpSweepRequest request = { .slice_us = slice_us };
  g_autoptr (GError) error = NULL;
  FpSnapshot *snapshot = fp_sweep_collect (sweep, &request, &error);

  g_assert_no_error (error);
  return snapshot;
}

/* share: of the rotation, where 0 leaves no budget behind the first picture; giant_us: 0 makes a giant of everyone. */
static void
change_init (Change *self,
             FpRotationMode rotation,
             double share,
             guint64 giant_us)
{
  FpSweepSettings settings = { rotation, 4, share, giant_us, fixture_name_user };
  g_autoptr (GError) error = NULL;

  if (!self->fixture.path)
    fixture_copy (&self->fixture, "desktop");
  self->sweep = fp_sweep_new (self->fixture.proc, &settings, &error);
  g_assert_no_error (error);
  self->first = collect (self->sweep, 0);
}

static void
change_clear (Change *self)
{
  fp_sweep_free (self->sweep);
  fp_snapshot_unref (self->first);
  fixture_clear (&self->fixture);
}

static void
replace (const Change *self,
         const char *name,
         const char *old,
         const char *new)
{
  g_autofree char *text = fixture_read (&self->fixture, name);
  g_autoptr (GString) changed = g_string_new (text);

  g_assert_cmpuint (g_string_replace (changed, old, new, 1), ==, 1);
  fixture_write (&self->fixture, name, changed->str, -1);
}

static void
assert_ends (const FpProcess *process,
             FpField field,
             guint64 low,
             guint64 high)
{
  guint64 ends[2];

  g_assert_true (fp_memory_get_ends (&process->memory, field, &ends[0], &ends[1]));
  g_assert_cmpuint (ends[0], ==, low);
  g_assert_cmpuint (ends[1], ==, high);
}

/* Until it was read in pieces. Before, nothing is said of it but what status says. */
static void
await_reading (Change *self,
               FpSnapshot **after)
{
  const FpProcess *process;
  gint64 deadline = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;

  while ((process = fp_snapshot_find (*after, 1500))->measured_us == self->first->info.boottime_us)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      assert_ends (process, FP_FIELD_PSS, 20480 * KIB, 27520 * KIB);
      g_assert_cmpint (process->reason, ==, FP_REASON_PENDING);
      fp_snapshot_unref (*after);
      *after = collect (self->sweep, 0);
    }
}

static void
test_giant_execs (void)
{
  Change change = { 0 };
  g_autoptr (FpSnapshot) after = NULL;
  const FpProcess *process;
  guint64 n_walks;

  change_init (&change, FP_ROTATION_OFF, 0.02, 0);
  n_walks = fp_sweep_get_n_walks (change.sweep);
  replace (&change, "1500/stat", STACK_1500, "140720308599999");
  replace (&change, "1500/stat", "(python3)", "(sleeper)");
  fixture_write (&change.fixture, "1500/cmdline", "/usr/bin/sleeper\0001h\000", sizeof "/usr/bin/sleeper\0001h");
  fixture_write (&change.fixture, "1500/cgroup", "0::/system.slice/sleeper.service\n", -1);
  after = collect (change.sweep, 0);
  process = fp_snapshot_find (after, 1500);
  g_assert_cmpstr (fp_snapshot_get_text (after, process, FP_TEXT_COMM), ==, "sleeper");
  g_assert_cmpstr (fp_snapshot_get_text (after, process, FP_TEXT_COMMAND), ==, "/usr/bin/sleeper 1h");
  g_assert_cmpstr (fp_snapshot_get_text (after, process, FP_TEXT_UNIT), ==, "sleeper.service");
  /* The figures were of the other program. Nobody walked it; it is read in pieces, which round one shared mapping. */
  await_reading (&change, &after);
  process = fp_snapshot_find (after, 1500);
  g_assert_cmpuint (fp_sweep_get_n_walks (change.sweep), ==, n_walks);
  g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_RSS), ==, 27520 * KIB);
  assert_ends (process, FP_FIELD_PSS, 25951 * KIB, 25952 * KIB);
  g_assert_cmpint (process->reason, ==, FP_REASON_NONE);
  change_clear (&change);
}

static void
test_giant_is_renamed (void)
{
  Change change = { 0 };
  g_autoptr (FpSnapshot) after = NULL;
  const FpProcess *process;

  change_init (&change, FP_ROTATION_OFF, 0.02, 0);
  replace (&change, "1500/stat", "(python3)", "(renamed)");
  after = collect (change.sweep, 0);
  process = fp_snapshot_find (after, 1500);
  g_assert_cmpstr (fp_snapshot_get_text (after, process, FP_TEXT_COMM), ==, "renamed");
  g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_PSS), ==, 25951 * KIB);
  change_clear (&change);
}

static void
shrink_status (const Change *self)
{
  replace (self, "1500/status", "VmRSS:\t   27520", "VmRSS:\t   4000");
  replace (self, "1500/status", "RssAnon:\t   20480", "RssAnon:\t   3000");
  replace (self, "1500/status", "RssFile:\t    7040", "RssFile:\t    1000");
}

/* With its names comes a smaller RSS, and then it is gone before statm is read. */
static void
test_giant_is_renamed_and_shrinks (void)
{
  Change change = { 0 };
  g_autoptr (FpSnapshot) after = NULL;
  const FpProcess *process;
  guint64 low, high;

  change_init (&change, FP_ROTATION_OFF, 0.02, 0);
  replace (&change, "1500/stat", "(python3)", "(renamed)");
  shrink_status (&change);
  fixture_remove (&change.fixture, "1500/statm");
  after = collect (change.sweep, 0);
  process = fp_snapshot_find (after, 1500);
  g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_RSS), ==, 4000 * KIB);
  g_assert_true (fp_memory_get_ends (&process->memory, FP_FIELD_PSS, &low, &high));
  g_assert_cmpuint (high, <=, 4000 * KIB);
  g_assert_true (fp_memory_get_ends (&process->memory, FP_FIELD_USS, &low, &high));
  g_assert_cmpuint (high, <=, 4000 * KIB);
  change_clear (&change);
}

/* It never comes to a walk, but its names have their turn. */
static void
test_giant_has_its_turn (void)
{
  Change change = { 0 };
  g_autoptr (FpSnapshot) after = NULL;
  const FpProcess *process;
  guint64 n_walks;

  change_init (&change, FP_ROTATION_FIXED, 0.02, 0);
  n_walks = fp_sweep_get_n_walks (change.sweep);
  fixture_write (&change.fixture, "1500/cgroup", "0::/system.slice/moved.service\n", -1);
  for (guint i = 0; i < 5; i++)
    {
      g_clear_pointer (&after, fp_snapshot_unref);
      after = collect (change.sweep, 0);
    }
  process = fp_snapshot_find (after, 1500);
  g_assert_cmpstr (fp_snapshot_get_text (after, process, FP_TEXT_UNIT), ==, "moved.service");
  g_assert_cmpuint (fp_sweep_get_n_walks (change.sweep), ==, n_walks);
  change_clear (&change);
}

static FpSnapshot *
collect_as_nobody (FpSweep *sweep)
{
  FpSnapshot *snapshot;

  if (getuid () == 0)
    g_assert_cmpint (seteuid (NOBODY), ==, 0);
  snapshot = collect (sweep, 0);
  if (getuid () == 0)
    g_assert_cmpint (seteuid (0), ==, 0);
  return snapshot;
}

/* The file status bounds the figures of a process that can't be read: memory swapped out since is in it. */
static void
test_bounds_stay_true (void)
{
  Change change = { 0 };
  g_autoptr (FpSnapshot) before = NULL, swapped = NULL, hidden = NULL;
  g_autofree char *rollup = NULL, *status = NULL;
  guint64 bound;

  fixture_copy (&change.fixture, "desktop");
  rollup = g_build_filename (change.fixture.proc, "1300/smaps_rollup", NULL);
  status = g_build_filename (change.fixture.proc, "1300/status", NULL);
  g_assert_cmpint (chmod (rollup, 0), ==, 0);
  if (getuid () == 0)
    g_assert_cmpint (seteuid (NOBODY), ==, 0);
  change_init (&change, FP_ROTATION_OFF, 0.02, 0);
  if (getuid () == 0)
    g_assert_cmpint (seteuid (0), ==, 0);
  g_assert_cmpint (fp_snapshot_find (change.first, 1300)->reason, ==, FP_REASON_PERMISSION);
  before = collect_as_nobody (change.sweep);
  g_assert_true (fp_memory_bound (&fp_snapshot_find (before, 1300)->memory, FP_FIELD_SWAP_PSS, &bound));
  g_assert_cmpuint (bound, ==, 16384 * KIB);

  replace (&change, "1300/stat", "549494784 44718", "549494784 4718");
  replace (&change, "1300/statm", "134154 44718", "134154 4718");
  replace (&change, "1300/status", "178872 kB\nRssAnon:\t  122880", "18872 kB\nRssAnon:\t  10880");
  replace (&change, "1300/status", "VmSwap:\t   16384", "VmSwap:\t  176384");
  swapped = collect_as_nobody (change.sweep);
  g_assert_true (fp_memory_bound (&fp_snapshot_find (swapped, 1300)->memory, FP_FIELD_SWAP_PSS, &bound));
  g_assert_cmpuint (bound, ==, 176384 * KIB);
  g_assert_true (fp_memory_bound (&fp_snapshot_find (swapped, 1300)->memory, FP_FIELD_PSS_ANON, &bound));
  g_assert_cmpuint (bound, ==, 10880 * KIB);
  g_assert_true (fp_memory_bound (&fp_snapshot_find (swapped, 1300)->memory, FP_FIELD_PSS, &bound));
  g_assert_cmpuint (bound, ==, 18872 * KIB);

  replace (&change, "1300/statm", "134154 4718", "134154 5000");
  g_assert_cmpint (chmod (status, 0), ==, 0);
  hidden = collect_as_nobody (change.sweep);
  g_assert_false (fp_memory_bound (&fp_snapshot_find (hidden, 1300)->memory, FP_FIELD_SWAP_PSS, &bound));
  g_assert_true (fp_memory_bound (&fp_snapshot_find (hidden, 1300)->memory, FP_FIELD_PSS_ANON, &bound));
  g_assert_cmpuint (bound, ==, 5000 * (guint64)sysconf (_SC_PAGESIZE));
  change_clear (&change);
}

/* Its walk waits at each of the two, so between them it may die. */
static void
make_gates (const Change *self)
{
  static const char *const names[] = { "1212/oom_score", "1212/smaps_rollup" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (self->fixture.proc, names[i], NULL);

      fixture_remove (&self->fixture, names[i]);
      g_assert_cmpint (mkfifo (path, 0644), ==, 0);
    }
}

static void
open_gate (const Change *self,
           const char *name)
{
  g_autofree char *path = g_build_filename (self->fixture.proc, name, NULL);
  int fd = open (path, O_WRONLY | O_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  close (fd);
}

static gpointer
vanish_in_walk (gpointer data)
{
  const Change *self = data;

  open_gate (self, "1212/oom_score");
  fixture_remove (&self->fixture, "1212/stat");
  open_gate (self, "1212/smaps_rollup");
  return NULL;
}

static gpointer
become_zombie_in_walk (gpointer data)
{
  const Change *self = data;

  open_gate (self, "1212/oom_score");
  fixture_write (&self->fixture, "1212/stat", "1212 (Web Content) Z 1200 1 1 0 -1 4 0 0 0 0 1 1 0 0 20 0 1 0 5100 0 0\n", -1);
  open_gate (self, "1212/smaps_rollup");
  return NULL;
}

/* A sweep does not know of a death in the middle of the last one, and yet walks those that shared pages. */
static void
die_in_walk (GThreadFunc death,
             gboolean leaves_zombie)
{
  static const gint relatives[] = { 1200, 1210, 1211 };
  Change change = { 0 };
  g_autoptr (FpSnapshot) during = NULL, after = NULL;
  GThread *thread;

  change_init (&change, FP_ROTATION_OFF, 0.02, G_USEC_PER_SEC);
  replace (&change, "1212/stat", " 39984 0 799 0 ", " 39985 0 799 0 ");
  make_gates (&change);
  thread = g_thread_new ("death", death, &change);
  during = collect (change.sweep, 0);
  g_thread_join (thread);
  g_assert_cmpint (fp_snapshot_find (during, 1212) != NULL, ==, leaves_zombie);
  if (leaves_zombie)
    g_assert_cmpint (fp_snapshot_find (during, 1212)->reason, ==, FP_REASON_ZOMBIE);
  fixture_remove (&change.fixture, "1212");
  for (guint i = 0; i < 60; i++)
    {
      g_clear_pointer (&after, fp_snapshot_unref);
      after = collect (change.sweep, 0);
    }
  for (guint i = 0; i < G_N_ELEMENTS (relatives); i++)
    g_assert_cmpuint (fp_snapshot_find (after, relatives[i])->measured_us, >, during->info.boottime_us);
  g_assert_cmpuint (fp_snapshot_find (after, 1500)->measured_us, ==, change.first->info.boottime_us);
  change_clear (&change);
}

static void
test_death_in_walk (void)
{
  die_in_walk (vanish_in_walk, FALSE);
}

static void
test_zombie_in_walk (void)
{
  die_in_walk (become_zombie_in_walk, TRUE);
}

/* It has less than was measured. */
static FpSnapshot *
shrink (Change *self,
        guint64 giant_us)
{
  change_init (self, FP_ROTATION_TIMED, 0, giant_us);
  replace (self, "1500/stat", RSS_1500, SIZE_1500 "1000 ");
  replace (self, "1500/statm", "20640 6880", "20640 1000");
  shrink_status (self);
  fixture_remove (&self->fixture, "1500/smaps");
  return collect (self->sweep, 0);
}

/* There is no budget to measure it again. */
static void
test_shrunk_waits (void)
{
  Change change = { 0 };
  g_autoptr (FpSnapshot) after = shrink (&change, G_USEC_PER_SEC);

  g_assert_false (fp_memory_has (&fp_snapshot_find (after, 1500)->memory, FP_FIELD_PSS));
  g_assert_cmpint (fp_snapshot_find (after, 1500)->reason, ==, FP_REASON_PENDING);
  change_clear (&change);
}

/* The memory that went may have been shared or private, so that all may be private now, but no more is shared than was. */
static void
test_shrunk_giant (void)
{
  Change change = { 0 };
  g_autoptr (FpSnapshot) after = shrink (&change, 0);
  const FpProcess *process = fp_snapshot_find (after, 1500);

  assert_ends (process, FP_FIELD_PSS_ANON, 3000 * KIB, 3000 * KIB);
  assert_ends (process, FP_FIELD_PSS, 3000 * KIB, 4000 * KIB);
  g_assert_cmpint (process->reason, ==, FP_REASON_NONE);
  change_clear (&change);
}

static void
add_newcomers (const Change *self,
               guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *folder = g_strdup_printf ("%u/", 3000 + i);
      g_autofree char *stat = g_strconcat (folder, "stat", NULL), *rollup = g_strconcat (folder, "smaps_rollup", NULL);
      g_autofree char *text = g_strdup_printf ("%u (new) S 1 1 1 0 -1 4 0 0 0 0 1 1 0 0 20 0 1 0 9000 4096 1\n", 3000 + i);

      fixture_write (&self->fixture, stat, text, -1);
      fixture_write (&self->fixture, rollup, "Rss: 4 kB\nPss: 3 kB\n", -1);
    }
}

/* The collector is told to ask again, until none is left. */
static void
test_newcomers_are_pending (void)
{
  Change change = { 0 };

  change_init (&change, FP_ROTATION_OFF, 0.02, G_USEC_PER_SEC);
  g_assert_cmpuint (change.first->info.n_pending, ==, 0);
  add_newcomers (&change, 5);
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (FpSnapshot) slice = collect (change.sweep, 1);

      g_assert_cmpuint (slice->info.n_pending, ==, 4 - i);
    }
  change_clear (&change);
}

/* Readings beyond the budget come with the clock; asking at once would only spend more. */
static void
test_budget_is_not_pending (void)
{
  Change change = { 0 };
  g_autoptr (FpSnapshot) after = NULL;

  change_init (&change, FP_ROTATION_TIMED, 0, G_USEC_PER_SEC);
  add_newcomers (&change, 5);
  after = collect (change.sweep, 1);
  g_assert_cmpuint (after->info.n_pending, ==, 0);
  g_assert_cmpint (fp_snapshot_find (after, 3000)->reason, ==, FP_REASON_PENDING);
  change_clear (&change);
}

/* A file that was kept for one that is there no more would never be closed. */
static void
test_reused_pid_keeps_no_descriptor (void)
{
  FpProcessReader reader = { .max_kept = 10, .page_size = 4096, .ticks_per_second = 100 };
  FpTracked tracked = { .stat_fd = -1 };
  FpProcess process = { .pid = getpid (), .start_ticks = 1 };

  g_assert_true (fp_proc_dir_open (&reader.proc, "/proc", NULL));
  g_assert_true (reader.proc.is_live);
  g_assert_cmpint (fp_process_reader_look (&reader, &tracked, &process), ==, FP_LOOK_GONE);
  g_assert_cmpint (tracked.stat_fd, ==, -1);
  g_assert_cmpint (reader.n_kept, ==, 0);
  process.start_ticks = 0;
  g_assert_cmpint (fp_process_reader_look (&reader, &tracked, &process), ==, FP_LOOK_ALIVE);
  g_assert_cmpint (tracked.stat_fd, >=, 0);
  g_assert_cmpint (reader.n_kept, ==, 1);
  fp_process_reader_forget (&reader, &tracked.stat_fd);
  g_assert_cmpint (reader.n_kept, ==, 0);
  fp_proc_dir_close (&reader.proc);
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/proc/sweep-changes/giant-execs", test_giant_execs);
  g_test_add_func ("/proc/sweep-changes/giant-is-renamed", test_giant_is_renamed);
  g_test_add_func ("/proc/sweep-changes/giant-is-renamed-and-shrinks", test_giant_is_renamed_and_shrinks);
  g_test_add_func ("/proc/sweep-changes/giant-has-its-turn", test_giant_has_its_turn);
  g_test_add_func ("/proc/sweep-changes/bounds-stay-true", test_bounds_stay_true);
  g_test_add_func ("/proc/sweep-changes/death-in-walk", test_death_in_walk);
  g_test_add_func ("/proc/sweep-changes/zombie-in-walk", test_zombie_in_walk);
  g_test_add_func ("/proc/sweep-changes/shrunk-waits", test_shrunk_waits);
  g_test_add_func ("/proc/sweep-changes/shrunk-giant", test_shrunk_giant);
  g_test_add_func ("/proc/sweep-changes/newcomers-are-pending", test_newcomers_are_pending);
  g_test_add_func ("/proc/sweep-changes/budget-is-not-pending", test_budget_is_not_pending);
  g_test_add_func ("/proc/sweep-changes/reused-pid-keeps-no-descriptor", test_reused_pid_keeps_no_descriptor);
  return g_test_run ();
}
