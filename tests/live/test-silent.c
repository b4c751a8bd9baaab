// SPDX-License-Identifier: GPL-3.0-or-later
/* Processes whose readers the kernel keeps waiting for ever: they cost their own figures and nobody else's. */
#include <dirent.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-details.h"
#include "fp-kept-reader.h"
#include "fp-mapped-reader.h"
#include "fp-mapping-reader.h"
#include "fp-page-map-reader.h"
#include "fp-payer.h"
#include "fp-sweep.h"
#include "live-process.h"
#include "silent-set.h"

#define MIB         ((gsize)1024 * 1024)
#define STRANGER    54321 /* nobody's uid */
#define SUBORDINATE 300000
#define MAX_FIRST_S 30 /* a second for each that is left behind, and a machine that is busy */
#define PATIENCE_S  60
#define MAX_RUNNERS 4
#define MAX_LEFT    4 /* of one user, but for those that are read at the same time */

static FpSweep *
new_sweep (void)
{
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  g_autoptr (GError) error = NULL;
  FpSweep *sweep;

  settings.rotation = FP_ROTATION_FIXED;
  settings.n_sweeps = 1;
  sweep = fp_sweep_new ("/proc", &settings, &error);
  g_assert_no_error (error);
  return sweep;
}

static FpSnapshot *
collect (FpSweep *sweep)
{
  g_autoptr (GError) error = NULL;
  FpSnapshot *snapshot = fp_sweep_collect (sweep, &(FpSweepRequest){ 0 }, &error);

  g_assert_no_error (error);
  return snapshot;
}

static guint
count_sweepers (void)
{
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (tasks)))
    {
      g_autofree char *path = g_build_filename ("/proc/self/task", name, "comm", NULL);
      g_autofree char *comm = NULL;

      n += g_file_get_contents (path, &comm, NULL, NULL) && g_str_has_prefix (comm, "footprint-sweep");
    }
  return n;
}

/* One for each processor, as long as none is left behind. */
static guint
get_max_runners (void)
{
  return MIN (g_get_num_processors (), MAX_RUNNERS);
}

static const FpProcess *
find (const FpSnapshot *snapshot,
      pid_t pid)
{
  const FpProcess *process = fp_snapshot_find (snapshot, pid);

  g_assert_nonnull (process);
  return process;
}

static void
check_silent (const FpSnapshot *snapshot,
              pid_t pid,
              uid_t uid)
{
  const FpProcess *process = find (snapshot, pid);

  g_assert_cmpint (process->reason, ==, FP_REASON_NO_ANSWER);
  g_assert_false (fp_memory_has (&process->memory, FP_FIELD_PSS));
  g_assert_false (fp_memory_has (&process->memory, FP_FIELD_USS));
  g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_RSS), >, 0);
  g_assert_cmpuint (process->uid, ==, uid);
  g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_COMM), ==, "silent-one");
}

/* One that shares no page with a process that comes and goes has the same PSS before and after. */
static void
idle (gpointer data)
{
  live_touch (GPOINTER_TO_SIZE (data));
  live_answer ();
  for (;;)
    live_await_order ();
}

static void
check_exact (const FpSnapshot *snapshot,
             pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/smaps_rollup", pid);
  g_autofree char *text = NULL;
  FpMemory now = { 0 };
  gsize length;
  const FpProcess *process = find (snapshot, pid);

  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  fp_memory_scan (&now, FP_ORIGIN_SMAPS, text, length);
  fp_memory_derive (&now);
  g_assert_cmpint (process->reason, ==, FP_REASON_NONE);
  g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_USS), >=, 3 * MIB);
  g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_ANONYMOUS), ==, fp_memory_get (&now, FP_FIELD_ANONYMOUS));
  g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_RSS), ==, fp_memory_get (&now, FP_FIELD_RSS));
}

static void
await_answer (FpSweep *sweep,
              pid_t pid)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;

  for (;;)
    {
      g_autoptr (FpSnapshot) snapshot = collect (sweep);
      const FpProcess *process = find (snapshot, pid);

      if (process->reason == FP_REASON_NONE)
        {
          g_assert_true (fp_memory_has (&process->memory, FP_FIELD_PSS));
          g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_PROGRAM), ==, "footprint-test-silent");
          return;
        }
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_usleep (10 * 1000);
    }
}

static void
await_sweepers (guint n)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;

  while (count_sweepers () > n)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_usleep (10 * 1000);
    }
}

/* It was silent before the first sweep, which names it by what the kernel says without its memory. */
static void
test_first (void)
{
  g_autoptr (FpSweep) sweep = new_sweep ();
  g_autoptr (FpSnapshot) first = NULL, second = NULL;
  LiveProcess beside;
  SilentSet set;
  gint64 start_us;

  if (!silent_set_start (&set, 1, getuid ()))
    return;
  live_process_start (&beside, idle, GSIZE_TO_POINTER (3 * MIB));
  silent_set_silence (&set, 1);
  start_us = g_get_monotonic_time ();
  first = collect (sweep);
  g_assert_cmpint (g_get_monotonic_time () - start_us, <, MAX_FIRST_S * G_USEC_PER_SEC);
  check_silent (first, set.pids[0], getuid ());
  check_exact (first, beside.pid);
  second = collect (sweep);
  check_silent (second, set.pids[0], getuid ());
  check_exact (second, beside.pid);
  g_assert_cmpuint (first->info.n_pending + second->info.n_pending, ==, 0);
  silent_set_answer (&set);
  await_answer (sweep, set.pids[0]);
  live_process_stop (&beside);
  silent_set_stop (&set);
}

/* One that was measured before loses its figures, not its names. It is not read again while its reader waits: no sweep
 * leaves another thread behind. */
static void
test_later (void)
{
  g_autoptr (FpSweep) sweep = new_sweep ();
  g_autoptr (FpSnapshot) before = NULL, first = NULL;
  SilentSet set;

  if (!silent_set_start (&set, 1, getuid ()))
    return;
  before = collect (sweep);
  g_assert_cmpint (find (before, set.pids[0])->reason, ==, FP_REASON_NONE);
  silent_set_silence (&set, 1);
  first = collect (sweep);
  check_silent (first, set.pids[0], getuid ());
  g_assert_cmpstr (fp_snapshot_get_text (first, find (first, set.pids[0]), FP_TEXT_PROGRAM), ==, "footprint-test-silent");
  for (guint i = 0; i < 8; i++)
    {
      g_autoptr (FpSnapshot) next = collect (sweep);

      check_silent (next, set.pids[0], getuid ());
      g_assert_cmpuint (count_sweepers (), <=, get_max_runners () + 1);
    }
  silent_set_answer (&set);
  await_answer (sweep, set.pids[0]);
  silent_set_stop (&set);
}

/* A user with many of them keeps few threads, and nobody else waits longer for that. */
static void
test_many (void)
{
  g_autoptr (FpSweep) sweep = new_sweep ();
  g_autoptr (FpSnapshot) snapshot = NULL;
  LiveProcess beside;
  SilentSet set;
  gint64 start_us;

  if (geteuid () != 0)
    {
      g_test_skip ("only root starts processes of another user");
      return;
    }
  if (!silent_set_start (&set, 12, STRANGER))
    return;
  live_process_start (&beside, idle, GSIZE_TO_POINTER (3 * MIB));
  silent_set_silence (&set, 12);
  start_us = g_get_monotonic_time ();
  snapshot = collect (sweep);
  g_assert_cmpint (g_get_monotonic_time () - start_us, <, MAX_FIRST_S * G_USEC_PER_SEC);
  for (guint i = 0; i < set.n; i++)
    check_silent (snapshot, set.pids[i], STRANGER);
  check_exact (snapshot, beside.pid);
  g_assert_cmpuint (count_sweepers (), <=, get_max_runners () + MAX_LEFT + get_max_runners () - 1);
  silent_set_answer (&set);
  for (guint i = 0; i < set.n; i++)
    await_answer (sweep, set.pids[i]);
  live_process_stop (&beside);
  silent_set_stop (&set);
}

/* So does one with many user IDs. */
static void
test_subordinates (void)
{
  g_autoptr (FpSweep) sweep = new_sweep ();
  g_autoptr (FpSnapshot) snapshot = NULL;
  LiveProcess beside;
  SilentSet set;

  if (geteuid () != 0)
    {
      g_test_skip ("only root gives out user IDs");
      return;
    }
  if (!silent_set_start_with (&set, 12, STRANGER + 4, "subordinate"))
    return;
  live_process_start (&beside, idle, GSIZE_TO_POINTER (3 * MIB));
  silent_set_silence (&set, 12);
  snapshot = collect (sweep);
  for (guint i = 0; i < set.n; i++)
    {
      uid_t uid = find (snapshot, set.pids[i])->uid;

      g_assert_cmpuint (uid - SUBORDINATE - 1, <, set.n);
      check_silent (snapshot, set.pids[i], uid);
    }
  check_exact (snapshot, beside.pid);
  g_assert_cmpuint (count_sweepers (), <=, get_max_runners () + MAX_LEFT + get_max_runners () - 1);
  silent_set_answer (&set);
  for (guint i = 0; i < set.n; i++)
    await_answer (sweep, set.pids[i]);
  live_process_stop (&beside);
  silent_set_stop (&set);
}

/* A sweep that is freed meanwhile waits for no thread; what it leaves behind goes when that comes back. */
static void
test_freed (void)
{
  FpSweep *sweep = new_sweep ();
  FpSnapshot *snapshot;
  SilentSet set;

  if (!silent_set_start (&set, 1, getuid ()))
    {
      fp_sweep_free (sweep);
      return;
    }
  silent_set_silence (&set, 1);
  snapshot = collect (sweep);
  check_silent (snapshot, set.pids[0], getuid ());
  fp_snapshot_unref (snapshot);
  fp_sweep_free (sweep);
  g_assert_cmpuint (count_sweepers (), ==, 1);
  silent_set_answer (&set);
  await_sweepers (0);
  silent_set_stop (&set);
}

/* Readings on request tell the silent one from the others, and miss its command. */
static void
test_on_demand (void)
{
  g_autoptr (FpSweep) sweep = new_sweep ();
  g_autoptr (FpSnapshot) before = NULL;
  g_autoptr (FpMappings) of_silent = NULL, of_beside = NULL;
  g_autoptr (FpMappedFiles) files = NULL;
  g_autoptr (FpDetails) details = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (FpProcDir) proc = { .fd = -1 };
  FpProcessId silent, other;
  LiveProcess beside;
  SilentSet set;

  if (!silent_set_start (&set, 1, getuid ()))
    return;
  live_process_start (&beside, idle, GSIZE_TO_POINTER (3 * MIB));
  before = collect (sweep);
  silent = (FpProcessId){ set.pids[0], find (before, set.pids[0])->start_ticks };
  other = (FpProcessId){ beside.pid, find (before, beside.pid)->start_ticks };
  silent_set_silence (&set, 1);
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  of_silent = fp_mappings_read (&proc, &silent, NULL, NULL, &error);
  g_assert_null (of_silent);
  g_assert_nonnull (strstr (error->message, "does not answer"));
  g_clear_error (&error);
  of_beside = fp_mappings_read (&proc, &other, NULL, NULL, &error);
  g_assert_no_error (error);
  details = fp_details_read (&proc, &silent, &error);
  g_assert_no_error (error);
  g_assert_null (details->command);
  files = fp_mapped_files_read (&proc, (const FpMappedProcess[]){ { silent, getuid (), 0 }, { other, getuid (), 0 } }, 2, NULL,
                                NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (files->n_processes, ==, 2);
  g_assert_cmpuint (files->n_read, ==, 1);
  silent_set_answer (&set);
  await_answer (sweep, silent.pid);
  g_clear_pointer (&of_silent, fp_mappings_unref);
  of_silent = fp_mappings_read (&proc, &silent, NULL, NULL, &error);
  g_assert_no_error (error);
  live_process_stop (&beside);
  silent_set_stop (&set);
}

/* It falls silent when the reader has come to a step. */
typedef struct
{
  SilentSet *set;
  guint n_steps;
  guint silent_step;
} Midway;

static gboolean
silence_cb (guint64 position,
            guint64 whole,
            gpointer data)
{
  Midway *self = data;

  if (++self->n_steps == self->silent_step)
    silent_set_silence (self->set, 1);
  return TRUE;
}

static FpProcessId
find_id (const FpProcDir *proc,
         pid_t pid)
{
  FpStat stat;

  g_assert_true (fp_stat_read_any (&stat, proc, pid));
  return (FpProcessId){ pid, stat.start_ticks };
}

static void
check_no_answer (const GError *error)
{
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "does not answer"));
}

static void
read_mappings_midway (const FpProcDir *proc,
                      const FpProcessId *id,
                      SilentSet *set)
{
  Midway midway = { set, 0, 2 }; /* the first step is before the first page of its text, the second behind it */
  g_autoptr (GError) error = NULL;

  g_assert_null (fp_mappings_read (proc, id, silence_cb, &midway, &error));
  check_no_answer (error);
  g_assert_cmpuint (midway.n_steps, ==, 2);
}

/* The others are summed up. */
static void
read_files_midway (const FpProcDir *proc,
                   const FpProcessId *id,
                   const FpProcessId *other,
                   SilentSet *set)
{
  Midway midway = { set, 0, 4 }; /* two steps are before the process */
  const FpMappedProcess processes[] = { { *id, getuid (), 0 }, { *other, getuid (), 0 } };
  g_autoptr (FpMappedFiles) files = fp_mapped_files_read (proc, processes, 2, silence_cb, NULL, &midway, NULL);

  g_assert_cmpuint (files->n_processes, ==, 2);
  g_assert_cmpuint (files->n_read, ==, 1);
  g_assert_cmpuint (files->owners[1], ==, 1);
}

static void
read_pages_midway (const FpProcDir *proc,
                   const FpProcessId *id,
                   SilentSet *set)
{
  const guint64 page = (guint64)sysconf (_SC_PAGESIZE);
  g_autoptr (FpPageMapReader) reader = fp_page_map_reader_new (proc, id, page, 3 * page, 2, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (reader);
  silent_set_silence (set, 1);
  g_assert_false (fp_page_map_reader_step (reader, G_MAXINT64, &error));
  check_no_answer (error);
}

static void
await_mappings (const FpProcDir *proc,
                const FpProcessId *id)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;
  g_autoptr (FpMappings) mappings = NULL;

  while (!(mappings = fp_mappings_read (proc, id, NULL, NULL, NULL)))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_usleep (10 * 1000);
    }
}

/* They lock their memory while they are read. Whoever waits is told so, and reads the next process. */
static void
test_midway (void)
{
  g_auto (FpProcDir) proc = { .fd = -1 };
  LiveProcess beside;
  SilentSet set;
  FpProcessId ids[3], other;
  gint64 start_us;

  if (!silent_set_start (&set, G_N_ELEMENTS (ids), geteuid () == 0 ? STRANGER + 3 : getuid ()))
    return;
  live_process_start (&beside, idle, GSIZE_TO_POINTER (3 * MIB));
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  for (guint i = 0; i < set.n; i++)
    ids[i] = find_id (&proc, set.pids[i]);
  other = find_id (&proc, beside.pid);
  start_us = g_get_monotonic_time ();
  read_mappings_midway (&proc, &ids[0], &set);
  read_files_midway (&proc, &ids[1], &other, &set);
  read_pages_midway (&proc, &ids[2], &set);
  await_mappings (&proc, &other);
  g_assert_cmpint (g_get_monotonic_time () - start_us, <, MAX_FIRST_S * G_USEC_PER_SEC);
  silent_set_answer (&set);
  for (guint i = 0; i < set.n; i++)
    await_mappings (&proc, &ids[i]);
  live_process_stop (&beside);
  silent_set_stop (&set);
}

/* Returns once it execs, and its status says that it waits there. */
static pid_t
await_twin (pid_t pid)
{
  g_autofree char *children = g_strdup_printf ("/proc/%d/task/%d/children", pid, pid);
  g_autofree char *list = NULL, *path = NULL;
  gint64 end_us = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;
  gboolean is_waiting = FALSE;
  pid_t twin;

  g_assert_true (g_file_get_contents (children, &list, NULL, NULL));
  twin = (pid_t)g_ascii_strtoll (list, NULL, 10);
  g_assert_cmpint (twin, >, 0);
  path = g_strdup_printf ("/proc/%d/status", twin);
  while (!is_waiting)
    {
      g_autofree char *status = NULL;

      g_assert_true (g_file_get_contents (path, &status, NULL, NULL));
      is_waiting = strstr (status, "State:\tD") != NULL;
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
    }
  return twin;
}

/* Such processes of a stranger are found one after the other, since a sweep waits for one of them. */
static void
await_silent (FpSweep *sweep,
              pid_t pid)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;

  for (;;)
    {
      g_autoptr (FpSnapshot) snapshot = collect (sweep);

      if (find (snapshot, pid)->reason == FP_REASON_NO_ANSWER)
        return;
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
    }
}

static void
check_twins (FpSweep *sweep,
             const SilentSet *set,
             uid_t uid,
             pid_t twin,
             pid_t beside)
{
  gint64 start_us = g_get_monotonic_time ();
  g_autoptr (FpSnapshot) first = collect (sweep);

  g_assert_cmpint (g_get_monotonic_time () - start_us, <, MAX_FIRST_S * G_USEC_PER_SEC);
  check_exact (first, beside);
  await_silent (sweep, set->pids[0]);
  await_silent (sweep, twin);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (FpSnapshot) snapshot = collect (sweep);

      check_silent (snapshot, set->pids[0], uid);
      check_silent (snapshot, twin, uid);
      check_exact (snapshot, beside);
      g_assert_cmpuint (count_sweepers (), <=, get_max_runners () + MAX_LEFT);
    }
}

/* Newer kernels let whoever reads the mere state of a process wait while it execs, and it can't as long as one that shares
 * its memory keeps that locked. before: they were measured once */
static void
test_exec (gconstpointer before)
{
  g_autoptr (FpSweep) sweep = new_sweep ();
  g_autoptr (GError) error = NULL;
  g_auto (FpProcDir) proc = { .fd = -1 };
  FpProcessId id;
  uid_t uid = before ? STRANGER + 2 : STRANGER + 1; /* who has not kept anybody waiting a moment ago */
  LiveProcess beside;
  SilentSet set;
  pid_t twin;

  if (geteuid () != 0)
    {
      g_test_skip ("only root starts processes of another user");
      return;
    }
  if (!silent_set_start_with (&set, 1, uid, "twins"))
    return;
  live_process_start (&beside, idle, GSIZE_TO_POINTER (3 * MIB));
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  if (before)
    fp_snapshot_unref (collect (sweep));
  id = find_id (&proc, set.pids[0]);
  silent_set_silence (&set, 1);
  twin = await_twin (set.pids[0]);
  check_twins (sweep, &set, uid, twin, beside.pid);
  g_assert_null (fp_mappings_read (&proc, &id, NULL, NULL, &error));
  check_no_answer (error);
  silent_set_answer (&set);
  await_answer (sweep, set.pids[0]);
  live_process_stop (&beside);
  silent_set_stop (&set);
}

static gboolean
has_tmpfs_of (const FpKept *kept,
              pid_t pid)
{
  for (guint i = 0; i < kept->tmpfs->len; i++)
    if (g_array_index (kept->tmpfs, FpTmpfs, i).pid == pid)
      return TRUE;
  return FALSE;
}

/* The mounts of one that execs are opened by its links, which newer kernels let wait, too. They are told as they were before.
 * Its status does not wait. */
static void
test_mounts (void)
{
  g_autoptr (FpKeptReader) reader = fp_kept_reader_new ();
  g_autoptr (FpKept) before = NULL, beside = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (FpProcDir) proc = { .fd = -1 };
  FpPayer payer = { 0 };
  SilentSet set;
  pid_t twin;

  if (!silent_set_start_with (&set, 1, getuid (), "apart"))
    return;
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  before = fp_kept_reader_read (reader, &proc, 0, &error);
  g_assert_no_error (error);
  silent_set_silence (&set, 1);
  twin = await_twin (set.pids[0]);
  g_assert_true (has_tmpfs_of (before, twin));
  alarm (MAX_FIRST_S);
  beside = fp_kept_reader_read (reader, &proc, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fp_payer_guess (&payer, &proc, twin), ==, getuid ());
  alarm (0);
  g_assert_true (has_tmpfs_of (beside, twin));
  silent_set_answer (&set);
  silent_set_stop (&set);
}

/* A stranger's process, named as the test likes, with the PID that is asked for, or with any. */
static void
be_someone (const char *name)
{
  /* The library's own functions wait for all threads, which this process has none of after clone3. */
  if (syscall (SYS_setresgid, STRANGER + 5, STRANGER + 5, STRANGER + 5) != 0 ||
      syscall (SYS_setresuid, STRANGER + 5, STRANGER + 5, STRANGER + 5) != 0)
    _exit (1);
  prctl (PR_SET_DUMPABLE, 1);
  prctl (PR_SET_NAME, name);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

static void
be_first (gpointer data)
{
  be_someone ("first-one");
  live_answer ();
  for (;;)
    live_await_order ();
}

/* Returns -1 where nobody may choose a PID. */
static pid_t
start_second (pid_t pid)
{
  struct clone_args arguments = { .exit_signal = SIGCHLD, .set_tid = (guint64)(gsize)&pid, .set_tid_size = 1 };
  pid_t child = (pid_t)syscall (SYS_clone3, &arguments, sizeof arguments);

  if (child == 0)
    {
      be_someone ("second-one");
      for (;;)
        pause ();
    }
  return child;
}

static const char *
get_comm (const FpSnapshot *snapshot,
          pid_t pid)
{
  return fp_snapshot_get_text (snapshot, find (snapshot, pid), FP_TEXT_COMM);
}

/* Nothing is read of a user with as many silent processes as may be, not even the state of another one. It is told all the
 * same from a later one that has its PID. */
static void
test_reused (void)
{
  g_autoptr (FpSweep) sweep = new_sweep ();
  g_autoptr (FpSnapshot) before = NULL, after = NULL;
  LiveProcess first;
  SilentSet set;
  pid_t second;

  if (geteuid () != 0)
    {
      g_test_skip ("only root starts processes of another user");
      return;
    }
  if (!silent_set_start (&set, MAX_LEFT, STRANGER + 5))
    return;
  live_process_start (&first, be_first, NULL);
  fp_snapshot_unref (collect (sweep));
  silent_set_silence (&set, MAX_LEFT);
  for (guint i = 0; i < set.n; i++)
    await_silent (sweep, set.pids[i]);
  await_silent (sweep, first.pid);
  before = collect (sweep);
  g_assert_cmpstr (get_comm (before, first.pid), ==, "first-one");
  live_process_stop (&first);
  second = start_second (first.pid);
  if (second > 0)
    {
      live_wait_for_comm (second, "second-one");
      after = collect (sweep);
      g_assert_cmpstr (get_comm (after, second), ==, "second-one");
      kill (second, SIGKILL);
      g_assert_cmpint (waitpid (second, NULL, 0), ==, second);
    }
  else
    g_test_skip ("no PID can be chosen here");
  silent_set_answer (&set);
  silent_set_stop (&set);
}

/* A program ends although a thread of its own still waits. */
static void
test_exit (void)
{
  g_autofree char *output = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *line = NULL, *pid = NULL;
  const char *argv[] = { g_getenv ("FOOTPRINT_CLI"), "--csv", "--columns=pid,pss,reason", NULL };
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "ASAN_OPTIONS", "detect_leaks=0", TRUE);
  SilentSet set;
  int status;

  if (!silent_set_start (&set, 1, getuid ()))
    return;
  silent_set_silence (&set, 1);
  /* The search for leaks would wait until all threads have stopped. */
  g_spawn_sync (NULL, (char **)argv, environment, G_SPAWN_DEFAULT, NULL, NULL, &output, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  line = g_strdup_printf ("\n%d,,no answer", set.pids[0]);
  g_assert_nonnull (strstr (output, line));
  silent_set_answer (&set);
  silent_set_stop (&set);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/silent/first", test_first);
  g_test_add_func ("/silent/later", test_later);
  g_test_add_func ("/silent/many", test_many);
  g_test_add_func ("/silent/subordinates", test_subordinates);
  g_test_add_func ("/silent/freed", test_freed);
  g_test_add_func ("/silent/on-demand", test_on_demand);
  g_test_add_func ("/silent/midway", test_midway);
  g_test_add_data_func ("/silent/exec/first", NULL, test_exec);
  g_test_add_data_func ("/silent/exec/later", GUINT_TO_POINTER (TRUE), test_exec);
  g_test_add_func ("/silent/mounts", test_mounts);
  g_test_add_func ("/silent/reused", test_reused);
  g_test_add_func ("/silent/exit", test_exit);
  return g_test_run ();
}
