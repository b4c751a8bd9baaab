// SPDX-License-Identifier: GPL-3.0-or-later
/* Big processes of every sort, watched refresh by refresh: what is said of each is within 3 % of RSS and contains the
 * truth, which is a rollup taken at that moment. Every second refresh all of them are stopped, so that nothing moves
 * between the two; in the others the truth is taken before and after, and what one step of theirs moves is allowed.
 * With FP_TEST_LONG=1 five minutes long, with sizes as large as the machine has memory for. */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/capability.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-clock.h"
#include "fp-page-entries.h"
#include "fp-sweep.h"
#include "giant-set.h"
#include "live-process.h"
#include "test-machine.h"

#define MIB           ((guint64)1024 * 1024)
#define PATIENCE_S    600
#define ROUNDING      4096 /* pieces are whole pages, and of a page with many sharers each has a bit */
#define MIN_REFRESHES 30   /* on a busy machine they take longer */
#define MAX_TURNS     3    /* a newcomer's reading is the next or, where one is under way, the one behind it; and one more */

typedef struct
{
  guint64 giant_us;
  guint duration_s;
  guint interval_ms;
  guint64 unit;
} Form;

typedef struct
{
  double widest;
  double sum;
  guint n_misses;
  guint64 measured_us;
  gboolean is_exact;
  FpMemory before;
  FpMemory after;
} Watched;

typedef struct
{
  GiantSet set;
  Watched watched[G_N_ELEMENTS (((GiantSet *)NULL)->giants)]; /* of each giant */
  FpSweep *sweep;
  Form form;
  guint n_jumps;
  double last[4]; /* lower end, truth and upper end of the sum, and what the truth moved meanwhile */
} Watch;

static const FpField ranged[] = { FP_FIELD_PSS, FP_FIELD_PSS_ANON, FP_FIELD_PSS_FILE, FP_FIELD_PSS_SHMEM, FP_FIELD_USS,
                                  FP_FIELD_SHARED, FP_FIELD_SWAP_PSS, FP_FIELD_MEMORY_AND_SWAP };

/* The long one takes half of the memory that is there. */
static Form
get_form (void)
{
  guint64 unit = MIN ((guint64)((double)test_get_available () / 2 / GIANT_SET_UNITS), 1024 * MIB);

  if (g_strcmp0 (g_getenv ("FP_TEST_LONG"), "1") == 0)
    return (Form){ unit * 9 > 1024 * MIB ? 10000 : 1000, 300, 1000, unit };
  return (Form){ 1000, 10, 100, 64 * MIB };
}

static void
read_rollup (gint pid,
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

static gboolean
is_stopped (gint pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return strrchr (text, ')')[2] == 'T';
}

static void
stop_all (Watch *self)
{
  for (guint i = 0; i < self->set.n; i++)
    kill (self->set.giants[i].pid, SIGSTOP);
  for (guint i = 0; i < self->set.n; i++)
    while (!is_stopped (self->set.giants[i].pid))
      g_usleep (100);
}

static void
go_on (Watch *self)
{
  for (guint i = 0; i < self->set.n; i++)
    kill (self->set.giants[i].pid, SIGCONT);
}

static void
check_field (Watched *watched,
             const char *name,
             const FpMemory *memory,
             FpField field,
             guint64 step)
{
  guint64 before = fp_memory_get (&watched->before, field), after = fp_memory_get (&watched->after, field), low, high;

  if (!fp_memory_has (&watched->before, field))
    return;
  if (!fp_memory_get_ends (memory, field, &low, &high))
    {
      low = 0;
      high = G_MAXUINT64;
    }
  if (low <= MAX (before, after) + step && high + step >= MIN (before, after))
    return;
  watched->n_misses++;
  g_test_message ("%s: %s is %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT " KiB, said to be %" G_GUINT64_FORMAT
                  " to %" G_GUINT64_FORMAT,
                  name, fp_field_infos[field].name, before / 1024, after / 1024, low / 1024, high / 1024);
}

static void
check_process (Watched *watched,
               const Giant *giant,
               const FpSnapshot *snapshot,
               guint64 step,
               double *sums)
{
  const FpProcess *process = fp_snapshot_find (snapshot, giant->pid);
  guint64 low, high, rss;
  double width;

  g_assert_nonnull (process);
  watched->measured_us = process->measured_us;
  watched->is_exact = fp_memory_has (&process->memory, FP_FIELD_PSS);
  rss = fp_memory_get (&process->memory, FP_FIELD_RSS);
  g_assert_true (fp_memory_get_ends (&process->memory, FP_FIELD_PSS, &low, &high));
  for (guint i = 0; i < G_N_ELEMENTS (ranged); i++)
    check_field (watched, giant->name, &process->memory, ranged[i], step);
  width = (double)(high - low) * 100 / (double)rss;
  watched->widest = MAX (watched->widest, width);
  watched->sum += width;
  sums[0] += (double)low;
  sums[1] += (double)(fp_memory_get (&watched->before, FP_FIELD_PSS) + fp_memory_get (&watched->after, FP_FIELD_PSS)) / 2;
  sums[2] += (double)high;
  sums[3] += fabs ((double)fp_memory_get (&watched->after, FP_FIELD_PSS) - (double)fp_memory_get (&watched->before, FP_FIELD_PSS));
}

/* The total of all of them moves no more than the truth, but for 3 %. On a busy machine the truth moves within a refresh, and
 * it was said at some moment between the two. */
static void
check_sums (Watch *self,
            const double *sums)
{
  double moved = fabs (sums[1] - self->last[1]) + (sums[3] + self->last[3]) / 2 + sums[1] * 0.03;

  if (self->last[1] > 0 && (fabs (sums[0] - self->last[0]) > moved || fabs (sums[2] - self->last[2]) > moved))
    {
      self->n_jumps++;
      g_test_message ("the total of %.0f MiB was said to be %.0f to %.0f, now of %.0f MiB %.0f to %.0f",
                      self->last[1] / (double)MIB, self->last[0] / (double)MIB, self->last[2] / (double)MIB,
                      sums[1] / (double)MIB, sums[0] / (double)MIB, sums[2] / (double)MIB);
    }
  memcpy (self->last, sums, sizeof self->last);
}

/* FALSE: the first picture is not complete, and nothing was compared. */
static gboolean
refresh (Watch *self,
         gboolean is_still)
{
  FpSweepRequest request = { 0 }; /* no slices, so that all others that have changed are read at once */
  g_autoptr (FpSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;
  double sums[4] = { 0, 0, 0, 0 };

  if (is_still)
    stop_all (self);
  for (guint i = 0; i < self->set.n; i++)
    read_rollup (self->set.giants[i].pid, &self->watched[i].before);
  snapshot = fp_sweep_collect (self->sweep, &request, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < self->set.n; i++)
    read_rollup (self->set.giants[i].pid, &self->watched[i].after);
  if (is_still)
    go_on (self);
  if (snapshot->info.n_pending > 0)
    return FALSE;
  for (guint i = 0; i < self->set.n; i++)
    check_process (&self->watched[i], &self->set.giants[i], snapshot,
                   (is_still ? 0 : self->set.giants[i].step) + ROUNDING, sums);
  check_sums (self, sums);
  return TRUE;
}

static void
watch (Watch *self)
{
  const gint64 end_us = g_get_monotonic_time () + self->form.duration_s * G_USEC_PER_SEC;
  const gint64 deadline_us = end_us + PATIENCE_S * G_USEC_PER_SEC;
  const FpGiantHolds *holds = fp_sweep_get_holds (self->sweep);
  guint n;

  for (n = 0; g_get_monotonic_time () < (n < MIN_REFRESHES || holds->n_readings == 0 ? deadline_us : end_us); n++)
    {
      gint64 start_us = g_get_monotonic_time ();

      refresh (self, n % 2 == 1);
      g_usleep ((gulong)CLAMP (start_us + self->form.interval_ms * 1000 - g_get_monotonic_time (), 1000,
                               self->form.interval_ms * 1000));
    }
  g_test_message ("%u refreshes; %" G_GUINT64_FORMAT " readings; longest piece %.1f ms; %" G_GUINT64_FORMAT " whole, %.1f ms together",
                  n, holds->n_readings, (double)holds->longest_piece_us / 1000, holds->n_whole,
                  (double)holds->whole_us / 1000);
  for (guint i = 0; i < self->set.n; i++)
    g_test_message ("%s: %.2f %% of RSS at most, %.2f %% in the mean, %u misses", self->set.giants[i].name,
                    self->watched[i].widest, self->watched[i].sum / n, self->watched[i].n_misses);
  g_assert_cmpuint (holds->n_readings, >, 0);
  g_assert_cmpuint (self->n_jumps, ==, 0);
  for (guint i = 0; i < self->set.n; i++)
    {
      g_assert_cmpuint (self->watched[i].n_misses, ==, 0);
      g_assert_cmpfloat (self->watched[i].widest, <=, 3);
    }
}

/* However fast the machine is, reading any of them at once takes too long. */
static void
take_for_giants (Watch *self)
{
  FpMemory memory;

  for (guint i = 0; i < self->set.n * 8; i++)
    {
      gint64 start_us = g_get_monotonic_time ();

      read_rollup (self->set.giants[i % self->set.n].pid, &memory);
      self->form.giant_us = MIN (self->form.giant_us, (guint64)(g_get_monotonic_time () - start_us) / 2);
    }
}

static void
start_sweep (Watch *self)
{
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  g_autoptr (GError) error = NULL;

  settings.giant_us = self->form.giant_us;
  if (self->form.interval_ms < 1000)
    {
      settings.rotation = FP_ROTATION_FIXED;
      settings.n_sweeps = 20;
    }
  self->sweep = fp_sweep_new ("/proc", &settings, &error);
  g_assert_no_error (error);
}

static void
watch_clear (Watch *self)
{
  fp_sweep_free (self->sweep);
  giant_set_stop (&self->set);
}

static void
watch_init_empty (Watch *self)
{
  *self = (Watch){ .form = get_form () };
  giant_set_init (&self->set, self->form.unit);
}

static void
watch_init (Watch *self)
{
  watch_init_empty (self);
  giant_set_start_programs (&self->set, FALSE);
  giant_set_start_workloads (&self->set);
}

static void
test_as_we_are (void)
{
  Watch self;

  watch_init (&self);
  start_sweep (&self);
  watch (&self);
  watch_clear (&self);
}

/* As the helper: it may read smaps of others, but not their page maps. CAP_KILL is for the test itself. */
static void
become_helper (void)
{
  struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
  struct __user_cap_data_struct data[2] = { { 0 } };

  data[0].effective = data[0].permitted = 1u << CAP_SYS_PTRACE | 1u << CAP_KILL;
  g_assert_cmpint (prctl (PR_SET_KEEPCAPS, 1), ==, 0);
  live_become_nobody ();
  g_assert_cmpint ((int)syscall (SYS_capset, &header, data), ==, 0);
}

static void
test_as_helper (void)
{
  Watch self;

  if (getuid () != 0)
    {
      g_test_skip ("only root can become another user");
      return;
    }
  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDOUT | G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
      return;
    }
  watch_init (&self);
  become_helper ();
  start_sweep (&self);
  watch (&self);
  watch_clear (&self);
}

/* A newcomer's turn comes before that of others, however long the readings take on a busy machine. */
typedef struct
{
  gint64 deadline_us;
  guint64 last_reading;
} Turn;

/* The sweep knows everything that runs, but nothing of it is watched. */
static void
watch_init_without (Watch *self,
                    Turn *turn)
{
  watch_init_empty (self);
  self->form.giant_us = 1000;
  start_sweep (self);
  while (!refresh (self, FALSE))
    continue;
  turn->deadline_us = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;
  turn->last_reading = fp_sweep_get_holds (self->sweep)->n_readings + MAX_TURNS;
}

static void
await_turn (Watch *self,
            const Turn *turn)
{
  g_assert_cmpuint (fp_sweep_get_holds (self->sweep)->n_readings, <=, turn->last_reading);
  g_assert_cmpint (g_get_monotonic_time (), <, turn->deadline_us);
  g_usleep (self->form.interval_ms * 1000);
  refresh (self, TRUE);
}

static gboolean
tells_huge_pages (void)
{
  int fd = open ("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  FpPageRegion region;
  gboolean tells = fd >= 0 && fp_page_entries_scan (fd, 0, 4096, FP_PAGE_SCAN_HUGE, 1, &region, 1) == 0;

  if (fd >= 0)
    close (fd);
  return tells;
}

/* One that comes when the others are known may wait for its reading: what is known of it at first sight is what it can't
 * share with anybody. */
static void
test_newcomer (void)
{
  Watch self;
  Turn turn;

  watch_init_without (&self, &turn);
  giant_set_start_one (&self.set, "churn", 300, 40, 300 * self.form.unit / 100 / 40);
  refresh (&self, TRUE);
  g_assert_cmpuint (self.watched[0].n_misses, ==, 0);
  g_assert_cmpfloat (self.watched[0].widest, <=, 3);
  while (self.watched[0].measured_us == 0)
    await_turn (&self, &turn);
  g_assert_cmpuint (self.watched[0].n_misses, ==, 0);
  watch_clear (&self);
}

/* A long walk was only predicted from its size: read once, it is walked as others are. */
static void
test_huge_newcomer (void)
{
  Watch self;
  Turn turn;

  if (!tells_huge_pages ())
    {
      g_test_skip ("the kernel tells nothing of huge pages in a page map");
      return;
    }
  watch_init_without (&self, &turn);
  giant_set_start_one (&self.set, "huge", 400, 0, MIB);
  read_rollup (self.set.giants[0].pid, &self.watched[0].before);
  if (fp_memory_get (&self.watched[0].before, FP_FIELD_ANON_HUGE) < 4 * self.form.unit * 9 / 10)
    {
      g_test_skip ("the kernel has no huge pages left");
      watch_clear (&self);
      return;
    }
  while (!self.watched[0].is_exact)
    await_turn (&self, &turn);
  g_assert_cmpuint (self.watched[0].n_misses, ==, 0);
  watch_clear (&self);
}

/* Its RSS says nothing of how long a walk takes, but its page tables do. */
static void
test_zeros (void)
{
  const FpSweepRequest request = { 0 };
  g_autoptr (FpSnapshot) snapshot = NULL;
  const FpProcess *process;
  guint64 n_readings;
  Watch self;
  Turn turn;

  watch_init_without (&self, &turn);
  n_readings = fp_sweep_get_holds (self.sweep)->n_readings;
  giant_set_start_one (&self.set, "zeros", 1600, 0, 0);
  snapshot = fp_sweep_collect (self.sweep, &request, NULL);
  process = fp_snapshot_find (snapshot, self.set.giants[0].pid);
  g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_RSS), <, fp_memory_get (&process->memory, FP_FIELD_PTE));
  g_assert_true (process->reason == FP_REASON_PENDING || fp_sweep_get_holds (self.sweep)->n_readings > n_readings);
  while (self.watched[0].measured_us == 0)
    await_turn (&self, &turn);
  g_assert_cmpuint (self.watched[0].n_misses, ==, 0);
  watch_clear (&self);
}

/* The strangers' starter takes one order after the other, and each is watched until it is done, and longer. */
static void
watch_order (Watch *self,
             int out,
             int in)
{
  char line[8];

  g_assert_cmpint (write (out, "\n", 1), ==, 1);
  while (read (in, line, sizeof line) <= 0)
    refresh (self, FALSE);
  for (guint i = 0; i < MIN_REFRESHES; i++)
    refresh (self, i % 2 == 1);
}

static void
watch_stranger (const char *orders,
                const char *answers)
{
  int out = open (orders, O_WRONLY | O_CLOEXEC), in = open (answers, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  Watch self;

  g_assert_cmpint (out, >=, 0);
  g_assert_cmpint (in, >=, 0);
  live_become_nobody ();
  watch_init_empty (&self);
  giant_set_start_one (&self.set, "grow", 150, 5, MIB);
  giant_set_start_one (&self.set, "sleep", 300, 0, 0);
  take_for_giants (&self);
  start_sweep (&self);
  while (!refresh (&self, FALSE))
    continue;
  for (guint i = 0; i < 3; i++)
    watch_order (&self, out, in);
  g_assert_cmpuint (self.n_jumps, ==, 0);
  for (guint i = 0; i < self.set.n; i++)
    {
      g_assert_cmpuint (self.watched[i].n_misses, ==, 0);
      g_assert_cmpfloat (self.watched[i].widest, <=, 3);
    }
  watch_clear (&self);
}

/* Other users' processes of the same program, which may not be read and were started elsewhere, are no forks of it. The one
 * who starts them is no child of the one who watches. One of them is seen for a while between fork and exec. */
static void
test_strangers (void)
{
  static const char script[] = "exec 3<\"$1\"; read -r line <&3; \"$0\" sleep 256 >\"$2\" & read -r line <&3;"
                               "{ echo forked; read -r line <&3 && exec \"$0\" sleep 256; } >\"$2\" & wait";
  g_autofree char *folder = NULL, *orders = NULL, *answers = NULL;
  g_autoptr (GError) error = NULL;
  const char *argv[] = { "sh", "-c", script, g_getenv ("FOOTPRINT_GIANT"), NULL, NULL, NULL };
  GPid shell;

  if (getuid () != 0)
    {
      g_test_skip ("only root can become another user");
      return;
    }
  if (g_test_subprocess ())
    {
      watch_stranger (g_getenv ("ORDERS"), g_getenv ("ANSWERS"));
      return;
    }
  folder = g_dir_make_tmp ("footprint-giants-XXXXXX", &error);
  g_assert_no_error (error);
  argv[4] = orders = g_build_filename (folder, "orders", NULL);
  argv[5] = answers = g_build_filename (folder, "answers", NULL);
  g_assert_cmpint (mkfifo (orders, 0600), ==, 0);
  g_assert_cmpint (mkfifo (answers, 0600), ==, 0);
  g_setenv ("ORDERS", orders, TRUE);
  g_setenv ("ANSWERS", answers, TRUE);
  g_spawn_async (NULL, (char **)argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH, NULL, NULL, &shell, &error);
  g_assert_no_error (error);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDOUT | G_TEST_SUBPROCESS_INHERIT_STDERR);
  kill (shell, SIGKILL);
  waitpid (shell, NULL, 0);
  g_unlink (orders);
  g_unlink (answers);
  g_rmdir (folder);
  g_test_trap_assert_passed ();
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/giants/as-we-are", test_as_we_are);
  g_test_add_func ("/giants/as-helper", test_as_helper);
  g_test_add_func ("/giants/newcomer", test_newcomer);
  g_test_add_func ("/giants/strangers", test_strangers);
  g_test_add_func ("/giants/huge-newcomer", test_huge_newcomer);
  g_test_add_func ("/giants/zeros", test_zeros);
  return g_test_run ();
}
