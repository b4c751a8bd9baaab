// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-shared-sweep.h"

static const FpSweepRequest plain = { .slice_us = 250 * 1000 };

static void
collected_cb (GObject *object,
              GAsyncResult *result,
              gpointer data)
{
  g_autoptr (GError) error = NULL;
  FpSnapshot *snapshot = fp_source_request_finish (FP_SOURCE (object), FP_REQUEST_COLLECT, result, &error);

  g_assert_no_error (error);
  g_ptr_array_add (data, snapshot);
}

static GPtrArray *
collect (FpSharedSweep *sweep,
         const FpSweepRequest *request,
         guint n)
{
  GPtrArray *snapshots = g_ptr_array_new_with_free_func ((GDestroyNotify)fp_snapshot_unref);

  for (guint i = 0; i < n; i++)
    fp_source_request_async (FP_SOURCE (sweep), &(FpSourceRequest){ .kind = FP_REQUEST_COLLECT, .sweep = *request }, NULL,
                             collected_cb, snapshots);
  while (snapshots->len < n)
    g_main_context_iteration (NULL, TRUE);
  return snapshots;
}

static const FpProcess *
find_self (GPtrArray *snapshots)
{
  return fp_snapshot_find (snapshots->pdata[0], getpid ());
}

/* Until nothing is pending. */
static void
settle (FpSharedSweep *sweep,
        const FpSweepRequest *request)
{
  for (guint i = 0; i < 100; i++)
    {
      g_autoptr (GPtrArray) snapshots = collect (sweep, request, 1);

      if (((FpSnapshot *)snapshots->pdata[0])->info.n_pending == 0)
        return;
    }
  g_assert_not_reached ();
}

static void
test_shared (void)
{
  g_autoptr (FpSharedSweep) sweep = fp_shared_sweep_new ("/proc");
  g_autoptr (GPtrArray) snapshots = collect (sweep, &plain, 20);

  for (guint i = 1; i < snapshots->len; i++)
    g_assert_true (snapshots->pdata[i] == snapshots->pdata[0]);
  g_assert_true (fp_shared_sweep_get_last (sweep) == snapshots->pdata[0]);
}

/* However often it is asked; what is asked to be measured waits for its turn and then is. */
static void
test_once_a_second (void)
{
  g_autoptr (FpSharedSweep) sweep = fp_shared_sweep_new ("/proc");
  g_autoptr (GPtrArray) first = NULL, second = NULL, third = NULL;
  gint64 start_us;
  FpProcessId self;
  FpSweepRequest wish;

  settle (sweep, &plain);
  first = collect (sweep, &plain, 1);
  start_us = g_get_monotonic_time ();
  self = (FpProcessId){ getpid (), find_self (first)->start_ticks };
  second = collect (sweep, &plain, 50);
  g_assert_true (second->pdata[49] == first->pdata[0]);
  wish = plain;
  wish.wanted = &self;
  wish.n_wanted = 1;
  third = collect (sweep, &wish, 1);
  g_assert_true (third->pdata[0] != first->pdata[0]);
  g_assert_cmpuint (find_self (third)->measured_us, >, find_self (first)->measured_us);
  g_assert_cmpint (((FpSnapshot *)third->pdata[0])->info.boottime_us - ((FpSnapshot *)first->pdata[0])->info.boottime_us, >=,
                   G_USEC_PER_SEC * 95 / 100);
  g_assert_cmpint (g_get_monotonic_time () - start_us, <, 20 * G_USEC_PER_SEC);
}

static void
test_judges_owners (void)
{
  g_autoptr (FpSharedSweep) sweep = fp_shared_sweep_new ("/proc");
  g_autoptr (GPtrArray) snapshots = NULL;

  settle (sweep, &plain);
  snapshots = collect (sweep, &plain, 1);
  g_assert_cmpuint (find_self (snapshots)->gid, ==, getegid ());
  /* Root has capabilities. */
  g_assert_cmpint (find_self (snapshots)->is_plain, ==, geteuid () != 0);
}

static void
add_file (const char *folder,
          const char *name,
          const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
remove_file (const char *folder,
             const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (g_remove (path), ==, 0);
}

static void
end_cb (gpointer data)
{
  *(gboolean *)data = TRUE;
}

/* The sweep answers no caller in this time. */
static void
check_silence (GPtrArray *snapshots)
{
  gboolean is_over = FALSE;

  g_timeout_add_once (1000, end_cb, &is_over);
  while (!is_over)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (snapshots->len, ==, 0);
}

/* While a sweep stands still, because a figure of the machine does not come, all get the snapshot before it, and at once, but
 * not when that is not recent any more. */
static void
test_stuck (void)
{
  g_autofree char *folder = g_dir_make_tmp ("footprint-XXXXXX", NULL);
  g_autofree char *pipe = g_build_filename (folder, "meminfo", NULL);
  g_autoptr (FpSharedSweep) sweep = fp_shared_sweep_new (folder);
  g_autoptr (GPtrArray) first = NULL, next = NULL;
  g_autoptr (GPtrArray) late = g_ptr_array_new_with_free_func ((GDestroyNotify)fp_snapshot_unref);
  int end = -1;

  add_file (folder, "meminfo", "MemTotal: 1000 kB\nMemAvailable: 500 kB\n");
  add_file (folder, "stat", "btime 1\n");
  first = collect (sweep, &plain, 1);
  remove_file (folder, "meminfo");
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_usleep (1100 * 1000); /* until the snapshot is so old that another sweep is begun */
  next = collect (sweep, &plain, 1);
  g_assert_true (next->pdata[0] == first->pdata[0]);
  g_usleep (10 * G_USEC_PER_SEC);
  for (guint i = 0; i < 20; i++)
    fp_source_request_async (FP_SOURCE (sweep), &(FpSourceRequest){ .kind = FP_REQUEST_COLLECT, .sweep = plain }, NULL,
                             collected_cb, late);
  check_silence (late);
  while ((end = open (pipe, O_WRONLY | O_NONBLOCK)) < 0)
    g_thread_yield ();
  close (end);
  while (late->len < 20)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (late->pdata[0] != first->pdata[0]);
  remove_file (folder, "meminfo");
  remove_file (folder, "stat");
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
wish (FpSharedSweep *sweep,
      guint32 asker,
      const FpProcessId *ids,
      guint n,
      GPtrArray *snapshots)
{
  FpSourceRequest request = { .kind = FP_REQUEST_COLLECT, .sweep = plain, .asker = asker };

  request.sweep.wanted = ids;
  request.sweep.n_wanted = n;
  fp_source_request_async (FP_SOURCE (sweep), &request, NULL, collected_cb, snapshots);
}

/* A giant: 4 MiB are mapped so often that a walk takes longer than 10 ms. It is measured when it is first seen, and then
 * not again within a minute, unless somebody wishes it. */
static pid_t
start_giant (void)
{
  const gsize size = (gsize)4 << 20;
  int ready[2];
  char c;
  pid_t pid;

  g_assert_cmpint (pipe (ready), ==, 0);
  pid = fork ();
  if (pid == 0)
    {
      int memory = memfd_create ("giant", 0);

      prctl (PR_SET_PDEATHSIG, SIGKILL);
      if (ftruncate (memory, (off_t)size) != 0)
        _exit (1);
      for (guint i = 0; i < 1024; i++)
        if (mmap (NULL, size, PROT_READ, MAP_SHARED | MAP_POPULATE, memory, 0) == MAP_FAILED)
          _exit (1);
      if (write (ready[1], "", 1) == 1)
        pause ();
      _exit (1);
    }
  g_assert_cmpint (read (ready[0], &c, 1), ==, 1);
  close (ready[0]);
  close (ready[1]);
  return pid;
}

/* A user's crowd, which wishes for one process again and again, takes nothing from another user. */
static void
test_wishes_of_two (void)
{
  g_autoptr (FpSharedSweep) sweep = fp_shared_sweep_new ("/proc");
  g_autoptr (GPtrArray) after = g_ptr_array_new_with_free_func ((GDestroyNotify)fp_snapshot_unref);
  g_autoptr (GPtrArray) before = NULL;
  pid_t pid = start_giant ();
  FpProcessId crowd[64], giant;
  guint64 measured_us;

  settle (sweep, &plain);
  before = collect (sweep, &plain, 1);
  giant = (FpProcessId){ pid, fp_snapshot_find (before->pdata[0], pid)->start_ticks };
  measured_us = fp_snapshot_find (before->pdata[0], pid)->measured_us;
  g_assert_cmpuint (measured_us, >, 0);
  for (guint i = 0; i < G_N_ELEMENTS (crowd); i++)
    crowd[i] = (FpProcessId){ getpid (), find_self (before)->start_ticks };
  wish (sweep, 1001, crowd, 1, after);
  while (after->len < 1)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (fp_snapshot_find (after->pdata[0], pid)->measured_us, ==, measured_us);
  for (guint i = 0; i < 4; i++)
    wish (sweep, 1001, crowd, G_N_ELEMENTS (crowd), after);
  wish (sweep, 1002, &giant, 1, after);
  while (after->len < 6)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (fp_snapshot_find (after->pdata[5], pid)->measured_us, >, measured_us);
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
}

static void
failed_cb (GObject *object,
           GAsyncResult *result,
           gpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (fp_source_request_finish (FP_SOURCE (object), FP_REQUEST_COLLECT, result, &error));
  g_assert_nonnull (error);
  ++*(guint *)data;
}

static void
test_failure (void)
{
  const FpSourceRequest request = { .kind = FP_REQUEST_COLLECT, .sweep = plain };
  g_autoptr (FpSharedSweep) sweep = fp_shared_sweep_new ("/nonexistent");
  guint n_failed = 0;

  fp_source_request_async (FP_SOURCE (sweep), &request, NULL, failed_cb, &n_failed);
  fp_source_request_async (FP_SOURCE (sweep), &request, NULL, failed_cb, &n_failed);
  while (n_failed < 2)
    g_main_context_iteration (NULL, TRUE);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shared-sweep/shared", test_shared);
  g_test_add_func ("/shared-sweep/once-a-second", test_once_a_second);
  g_test_add_func ("/shared-sweep/judges-owners", test_judges_owners);
  g_test_add_func ("/shared-sweep/stuck", test_stuck);
  g_test_add_func ("/shared-sweep/wishes-of-two", test_wishes_of_two);
  g_test_add_func ("/shared-sweep/failure", test_failure);
  return g_test_run ();
}
