// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <linux/magic.h>
#include <grp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "async-result.h"
#include "fp-helper-connection.h"
#include "fp-helper-protocol.h"
#include "fp-helper-source.h"
#include "fp-local-source.h"

static FpSource *
start (void)
{
  const char *const argv[] = { g_getenv ("FOOTPRINT_HELPER"), "--stdio", NULL };

  return fp_helper_source_new_for_command (argv, FALSE);
}

static FpSnapshot *
collect (FpSource *source,
         const FpSweepRequest *request,
         GError **error)
{
  return async_result_ask (source, &(FpSourceRequest){ .kind = FP_REQUEST_COLLECT, .sweep = *request }, NULL, error);
}

static FpMappings *
load_mappings (FpSource *source,
               gint pid,
               guint64 start_ticks,
               GError **error)
{
  const FpSourceRequest request = { .kind = FP_REQUEST_MAPPINGS, .id = { pid, start_ticks } };

  return async_result_ask (source, &request, NULL, error);
}

/* Until nothing is pending any more. */
static FpSnapshot *
collect_all (FpSource *source)
{
  FpSweepRequest request = { 0 };
  FpSnapshot *snapshot = NULL;

  for (guint i = 0; i < 200; i++)
    {
      g_autoptr (GError) error = NULL;

      g_clear_pointer (&snapshot, fp_snapshot_unref);
      snapshot = collect (source, &request, &error);
      g_assert_no_error (error);
      if (snapshot->info.n_pending == 0)
        break;
    }
  return snapshot;
}

/* This process is its caller's own, so an ordinary user's helper reads it as well. */
static void
test_collect (void)
{
  g_autoptr (FpSource) source = start ();
  g_autoptr (FpSnapshot) snapshot = collect_all (source);
  const FpProcess *own = fp_snapshot_find (snapshot, getpid ());

  g_assert_nonnull (own);
  g_assert_cmpint (own->reason, ==, FP_REASON_NONE);
  g_assert_true (fp_memory_has (&own->memory, FP_FIELD_PSS));
  g_assert_cmpuint (fp_memory_get (&own->memory, FP_FIELD_RSS), >, 1024 * 1024);
  g_assert_cmpint (fp_helper_source_get_access (FP_HELPER_SOURCE (source)), ==, FP_ACCESS_ALL);
}

/* The same groups as this process finds, wherever the machine has them; or the same reason. */
static void
test_groups (void)
{
  const FpSourceRequest request = { .kind = FP_REQUEST_CONTROL_GROUPS };
  g_autoptr (FpSource) source = start ();
  g_autoptr (FpSource) here = fp_local_source_new ("/proc");
  g_autoptr (GError) error = NULL, own_error = NULL;
  g_autoptr (FpControlGroups) groups = async_result_ask (source, &request, NULL, &error);
  g_autoptr (FpControlGroups) own = async_result_ask (here, &request, NULL, &own_error);

  if (!own)
    {
      g_assert_error (error, FP_HELPER_ERROR, FP_HELPER_ERROR_FAILED);
      g_assert_nonnull (strstr (error->message, own_error->message));
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpuint (groups->groups[0].id, ==, own->groups[0].id);
  g_assert_cmpint (groups->has_memory, ==, own->has_memory);
  g_assert_cmpint (groups->has_pressure, ==, own->has_pressure);
}

static gboolean
has_overlay (void)
{
  struct statfs fs;

  return statfs ("/", &fs) == 0 && fs.f_type == OVERLAYFS_SUPER_MAGIC;
}

/* The reader's filter leaves it another way to the figures, but not over an overlay. */
static void
assert_tmpfs (const FpKept *kept,
              const FpTmpfs *own)
{
  for (guint i = 0; i < kept->tmpfs->len; i++)
    {
      const FpTmpfs *tmpfs = &g_array_index (kept->tmpfs, FpTmpfs, i);

      if (tmpfs->device != own->device)
        continue;
      g_assert_cmpstr (tmpfs->path, ==, own->path);
      if (own->pid == 0 && own->has_used && !has_overlay ())
        {
          g_assert_true (tmpfs->has_used);
          g_assert_cmpuint (tmpfs->size, ==, own->size);
        }
      return;
    }
  g_test_message ("%s was mounted meanwhile", own->path);
}

/* It finds what this process keeps. */
static void
test_kept_of_user (void)
{
  const FpSourceRequest request = { .kind = FP_REQUEST_KEPT };
  g_autoptr (FpSource) source = start ();
  g_autoptr (GError) error = NULL;
  const int fd = memfd_create ("footprint-kept-outside", MFD_CLOEXEC);
  g_autoptr (FpKept) kept = NULL;
  gboolean is_found = FALSE, is_told = FALSE;
  g_autoptr (FpSource) here = fp_local_source_new ("/proc");
  g_autoptr (FpKept) own = NULL;

  g_assert_cmpint (ftruncate (fd, 3 * 4096), ==, 0);
  g_assert_cmpint (fallocate (fd, 0, 0, 3 * 4096), ==, 0);
  kept = async_result_ask (source, &request, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < kept->held->len; i++)
    {
      const FpHeldFile *file = &g_array_index (kept->held, FpHeldFile, i);

      if (strcmp (file->name, "footprint-kept-outside") != 0 || file->pid != getpid ())
        continue;
      g_assert_cmpuint (file->used, ==, 3 * 4096);
      is_found = TRUE;
    }
  for (guint i = 0; i < kept->told->len; i++)
    is_told |= g_array_index (kept->told, FpProcessId, i).pid == getpid ();
  own = async_result_ask (here, &request, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < own->tmpfs->len; i++)
    assert_tmpfs (kept, &g_array_index (own->tmpfs, FpTmpfs, i));
  g_assert_true (is_found);
  g_assert_true (is_told);
  close (fd);
}

/* Root's reader gives up root's rights, so the test is an ordinary user's. */
static void
test_kept (void)
{
  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
      g_test_trap_assert_passed ();
      return;
    }
  if (geteuid () == 0)
    {
      g_assert_cmpint (setgroups (0, NULL), ==, 0);
      g_assert_cmpint (setresgid (65534, 65534, 65534), ==, 0);
      g_assert_cmpint (setresuid (65534, 65534, 65534), ==, 0);
      g_assert_cmpint (prctl (PR_SET_DUMPABLE, 1), ==, 0);
    }
  if (access (g_getenv ("FOOTPRINT_HELPER"), X_OK) == 0)
    test_kept_of_user ();
}

static void
test_mappings (void)
{
  g_autoptr (FpSource) source = start ();
  g_autoptr (FpSnapshot) snapshot = collect_all (source);
  const FpProcess *own = fp_snapshot_find (snapshot, getpid ());
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappings) mappings = load_mappings (source, own->pid, own->start_ticks, &error);
  gboolean has_stack = FALSE;

  g_assert_no_error (error);
  for (guint i = 0; i < fp_mappings_get_n (mappings); i++)
    {
      FpMapping mapping;

      fp_mappings_get (mappings, i, &mapping);
      has_stack |= strcmp (mapping.name, "[stack]") == 0;
    }
  g_assert_true (has_stack);
}

static void
test_wrong_process (void)
{
  g_autoptr (FpSource) source = start ();
  g_autoptr (FpSnapshot) snapshot = collect_all (source);
  const FpProcess *own = fp_snapshot_find (snapshot, getpid ());
  const FpProcessId wrong[] = { { own->pid, own->start_ticks + 1 }, { own->pid, 0 }, { 0, 1 }, { -1, 1 }, { G_MAXINT, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (load_mappings (source, wrong[i].pid, wrong[i].start_ticks, &error));
      g_assert_error (error, FP_HELPER_ERROR, FP_HELPER_ERROR_ENDED);
    }
}

/* It is gone with the one who started it, even in the middle of an answer. */
static void
test_end_of_input (void)
{
  const char *const argv[] = { g_getenv ("FOOTPRINT_HELPER"), "--stdio", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = NULL;

  process = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
  g_assert_no_error (error);
  g_assert_true (g_output_stream_write_all (g_subprocess_get_stdin_pipe (process), "l\1\0", 3, NULL, NULL, &error));
  g_assert_true (g_output_stream_close (g_subprocess_get_stdin_pipe (process), NULL, &error));
  g_assert_true (g_subprocess_wait (process, NULL, &error));
  g_assert_true (g_subprocess_get_if_exited (process));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
}

/* Bytes that are no D-Bus and messages of a wrong type end it or give an error, and never a hang or a crash. */
static void
test_garbage (void)
{
  static const char *const texts[] = { "GET / HTTP/1.1\r\n\r\n", "l\1\0\1\377\377\377\177\1\0\0\0\377\377\377\177", "\0AUTH ANONYMOUS\r\n" };
  const char *const argv[] = { g_getenv ("FOOTPRINT_HELPER"), "--stdio", NULL };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GSubprocess) process =
          g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);

      g_assert_no_error (error);
      g_output_stream_write_all (g_subprocess_get_stdin_pipe (process), texts[i], 16, NULL, NULL, NULL);
      g_output_stream_close (g_subprocess_get_stdin_pipe (process), NULL, NULL);
      g_assert_true (g_subprocess_wait (process, NULL, &error));
      g_assert_true (g_subprocess_get_if_exited (process));
    }
}

static void
expect_failure (const char *const *argv,
                FpHelperError code)
{
  g_autoptr (FpSource) source = fp_helper_source_new_for_command (argv, FALSE);
  g_autoptr (GError) error = NULL;
  FpSweepRequest request = { 0 };

  g_assert_null (collect (source, &request, &error));
  g_assert_error (error, FP_HELPER_ERROR, (gint)code);
  g_assert_cmpuint (strlen (error->message), >, 10);
}

static void
test_other_programs (void)
{
  expect_failure ((const char *const[]){ "/nonexistent/footprint-helper", NULL }, FP_HELPER_ERROR_NOT_INSTALLED);
  expect_failure ((const char *const[]){ "/bin/true", NULL }, FP_HELPER_ERROR_CRASHED);
  expect_failure ((const char *const[]){ "/bin/echo", "Welcome to this machine", NULL }, FP_HELPER_ERROR_CRASHED);
}

/* Another test’s may be about to end. */
static guint
signal_children (const FpSnapshot *snapshot,
                 int number)
{
  guint n = 0;

  for (guint i = 0; i < snapshot->n_processes; i++)
    if (snapshot->processes[i].ppid == getpid () && snapshot->processes[i].state != 'Z')
      n += kill (snapshot->processes[i].pid, number) == 0;
  return n;
}

/* It ends with a question that it can't have answered, and comes back with the next collection. */
static void
test_crash (void)
{
  g_autoptr (FpSource) source = start ();
  g_autoptr (FpSnapshot) before = collect_all (source);
  g_autoptr (FpSnapshot) after = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (signal_children (before, SIGSTOP), >, 0);
  fp_source_request_async (source, &(FpSourceRequest){ .kind = FP_REQUEST_COLLECT }, NULL, async_result_cb, &result);
  g_assert_cmpuint (signal_children (before, SIGKILL), >, 0);
  g_assert_null (fp_source_request_finish (source, FP_REQUEST_COLLECT, async_result_await (&result), &error));
  g_assert_error (error, FP_HELPER_ERROR, FP_HELPER_ERROR_CRASHED);
  after = collect_all (source);
  g_assert_nonnull (fp_snapshot_find (after, getpid ()));
}

static void
test_cancelled (void)
{
  g_autoptr (FpSource) source = start ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  fp_source_request_async (source, &(FpSourceRequest){ .kind = FP_REQUEST_COLLECT }, cancellable, async_result_cb, &result);
  g_cancellable_cancel (cancellable);
  g_assert_null (fp_source_request_finish (source, FP_REQUEST_COLLECT, async_result_await (&result), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Processes that take long to read, each with N_PIECES mappings */
#define N_LARGE   16
#define N_PIECES  20000
#define CANCEL_US (100 * 1000)
#define N_TRIES   5

typedef struct
{
  pid_t pids[N_LARGE];
  guint done;
  guint all;
  gboolean goes_back;
  GCancellable *cancellable; /* NULL: the first sign of progress gives nothing up */
} Large;

static void
map_pieces (void)
{
  const gsize page = (gsize)sysconf (_SC_PAGESIZE);
  char *memory = mmap (NULL, N_PIECES * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  for (guint i = 0; memory != MAP_FAILED && i < N_PIECES; i += 2)
    if (mprotect (memory + i * page, page, PROT_READ | PROT_WRITE) != 0)
      _exit (1);
}

static void
start_large (Large *self)
{
  int ready[2];
  char byte;

  *self = (Large){ 0 };
  g_assert_cmpint (pipe2 (ready, O_CLOEXEC), ==, 0);
  for (guint i = 0; i < N_LARGE; i++)
    {
      self->pids[i] = fork ();
      g_assert_cmpint (self->pids[i], >=, 0);
      if (self->pids[i] > 0)
        continue;
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      map_pieces ();
      if (write (ready[1], "x", 1) != 1)
        _exit (1);
      for (;;)
        pause ();
    }
  for (guint i = 0; i < N_LARGE; i++)
    g_assert_cmpint (read (ready[0], &byte, 1), ==, 1);
  close (ready[0]);
  close (ready[1]);
}

static void
stop_large (Large *self)
{
  for (guint i = 0; i < N_LARGE; i++)
    {
      kill (self->pids[i], SIGKILL);
      waitpid (self->pids[i], NULL, 0);
    }
}

static void
progress_cb (goffset position,
             goffset whole,
             gpointer data)
{
  Large *self = data;

  self->goes_back |= (guint)position < self->done;
  self->done = (guint)position;
  self->all = (guint)whole;
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
}

/* The number of processes read comes while they are, and is no more told once they are given up. */
static void
test_files_progress (void)
{
  g_autoptr (FpSource) source = start ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (FpMappedFiles) files = NULL;
  g_autoptr (GError) error = NULL;
  FpMappedProcess mapped[N_LARGE];
  Large large;
  FpSourceRequest request = {
    .kind = FP_REQUEST_MAPPED_FILES, .mapped = mapped, .n_mapped = N_LARGE, .progress = progress_cb, .progress_data = &large
  };
  guint done;

  start_large (&large);
  for (guint i = 0; i < N_LARGE; i++)
    mapped[i] = (FpMappedProcess){ .id.pid = large.pids[i] };
  files = async_result_ask (source, &request, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (files->n_read, ==, N_LARGE);
  g_assert_cmpuint (large.all, ==, N_LARGE);
  g_assert_cmpuint (large.done, >, 0);
  g_assert_false (large.goes_back);
  large.all = 0;
  large.cancellable = cancellable;
  g_assert_null (async_result_ask (source, &request, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (large.all, ==, N_LARGE);
  done = large.done;
  fp_snapshot_unref (collect_all (source));
  g_assert_cmpuint (large.done, ==, done);
  stop_large (&large);
}

static void
signal_cb (GDBusConnection *connection,
           const char *sender,
           const char *path,
           const char *interface,
           const char *signal,
           GVariant *parameters,
           gpointer data)
{
  Large *self = data;

  g_variant_get (parameters, "(uu)", &self->done, &self->all);
}

static GDBusConnection *
open_connection (FpHelperConnection *helper)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  fp_helper_connection_open_async (helper, NULL, async_result_cb, &result);
  g_assert_true (fp_helper_connection_open_finish (helper, async_result_await (&result), &error));
  g_assert_no_error (error);
  return fp_helper_connection_get (helper);
}

/* Gives up a reading in its midst, and waits until the helper has stopped. */
static gint64
measure_cancel (GDBusConnection *connection,
                Large *large)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;
  gint64 start_us;

  large->done = 0;
  g_dbus_connection_call (connection, NULL, FP_HELPER_PATH, FP_HELPER_INTERFACE, "LoadFiles",
                          g_variant_new ("(@ai)", g_variant_new_fixed_array (G_VARIANT_TYPE_INT32, large->pids, N_LARGE, sizeof (pid_t))),
                          NULL, G_DBUS_CALL_FLAGS_NONE, G_MAXINT, NULL, async_result_cb, &result);
  while (large->done == 0 && !result)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (result);
  start_us = g_get_monotonic_time ();
  g_dbus_connection_call (connection, NULL, FP_HELPER_PATH, FP_HELPER_INTERFACE, "CancelFiles", NULL, NULL,
                          G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL, NULL);
  reply = g_dbus_connection_call_finish (connection, async_result_await (&result), &error);
  g_assert_null (reply);
  g_assert_cmpint (fp_helper_error_find (error), ==, FP_HELPER_ERROR_CANCELLED);
  return g_get_monotonic_time () - start_us;
}

/* A reading that is given up ends at once, and not only for who gave it up. The best of some tries counts, because the
 * machine may be busy with other things. */
static void
test_files_cancel (void)
{
  const char *const argv[] = { g_getenv ("FOOTPRINT_HELPER"), "--stdio", NULL };
  g_autoptr (FpHelperConnection) helper = fp_helper_connection_new (argv, FALSE, FALSE);
  GDBusConnection *connection = open_connection (helper);
  gint64 best_us = G_MAXINT64;
  Large large;
  guint subscription = g_dbus_connection_signal_subscribe (connection, NULL, FP_HELPER_INTERFACE, "FilesProgress", FP_HELPER_PATH, NULL,
                                                           G_DBUS_SIGNAL_FLAGS_NO_MATCH_RULE, signal_cb, &large, NULL);

  start_large (&large);
  for (guint i = 0; i < N_TRIES && best_us > CANCEL_US; i++)
    best_us = MIN (best_us, measure_cancel (connection, &large));
  g_test_message ("it took %.1f ms", (double)best_us / 1000);
  g_assert_cmpint (best_us, <=, CANCEL_US);
  g_dbus_connection_signal_unsubscribe (connection, subscription);
  stop_large (&large);
}

/* Field 2 of "Key:\tvalue" */
static char *
read_status (pid_t pid,
             const char *key)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/status", pid);
  g_autofree char *text = NULL;
  char *at;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  at = strstr (text, key);
  g_assert_nonnull (at);
  return g_strndup (at + strlen (key) + 2, strcspn (at + strlen (key) + 2, "\n"));
}

static void
test_confinement (void)
{
  g_autoptr (FpSource) source = start ();
  g_autoptr (FpSnapshot) snapshot = collect_all (source);
  g_autofree char *capabilities = NULL, *bounding = NULL, *filter = NULL, *privileges = NULL;
  const FpProcess *helper = NULL;

  for (guint i = 0; i < snapshot->n_processes; i++)
    if (snapshot->processes[i].ppid == getpid ())
      helper = &snapshot->processes[i];
  g_assert_nonnull (helper);
  capabilities = read_status (helper->pid, "CapEff");
  bounding = read_status (helper->pid, "CapBnd");
  filter = read_status (helper->pid, "\nSeccomp");
  privileges = read_status (helper->pid, "NoNewPrivs");
  g_assert_cmpstr (filter, ==, "2");
  g_assert_cmpstr (privileges, ==, "1");
  if (geteuid () == 0)
    {
      g_assert_cmpstr (capabilities, ==, "0000000000080000");
      g_assert_cmpstr (bounding, ==, "0000000000000000");
      g_assert_cmpuint (helper->uid, !=, 0);
    }
  else
    g_assert_cmpstr (capabilities, ==, "0000000000000000");
}

/* polkit's yes is for the program with “--stdio” first: it is not to be had for any other program. */
static void
test_as_root_of_root (void)
{
  const char *const commands[][6] = {
    { g_getenv ("FOOTPRINT_HELPER"), "--stdio", "--as-root", "--", "/bin/true", NULL },
    { g_getenv ("FOOTPRINT_HELPER"), "--as-root", "--stdio", "--", "/bin/true", NULL },
    { g_getenv ("FOOTPRINT_HELPER"), "--as-root", "--", "/bin/true", NULL },
  };
  guint n = geteuid () == 0 ? G_N_ELEMENTS (commands) : G_N_ELEMENTS (commands) - 1;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *words = NULL;
      g_autoptr (GError) error = NULL;
      int status;

      g_spawn_sync (NULL, (char **)commands[i], NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, &words, &status, &error);
      g_assert_no_error (error);
      g_assert_true (WIFEXITED (status));
      g_assert_cmpint (WEXITSTATUS (status), ==, 2);
      g_assert_nonnull (strstr (words, "--as-root is for users other than root"));
    }
}

int
main (int argc,
      char *argv[])
{
  /* The sanitizer looks for leaks with ptrace, which the helper forbids itself; its children have this setting. */
  g_setenv ("ASAN_OPTIONS", "detect_leaks=0", TRUE);
  g_unsetenv ("G_DEBUG");
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  /* GDBus warns of what is no D-Bus, which some of these tests send. */
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);
  g_test_add_func ("/stdio/collect", test_collect);
  g_test_add_func ("/stdio/mappings", test_mappings);
  g_test_add_func ("/stdio/groups", test_groups);
  g_test_add_func ("/stdio/kept", test_kept);
  g_test_add_func ("/stdio/wrong-process", test_wrong_process);
  g_test_add_func ("/stdio/end-of-input", test_end_of_input);
  g_test_add_func ("/stdio/garbage", test_garbage);
  g_test_add_func ("/stdio/other-programs", test_other_programs);
  g_test_add_func ("/stdio/crash", test_crash);
  g_test_add_func ("/stdio/cancelled", test_cancelled);
  g_test_add_func ("/stdio/files-progress", test_files_progress);
  g_test_add_func ("/stdio/files-cancel", test_files_cancel);
  g_test_add_func ("/stdio/confinement", test_confinement);
  g_test_add_func ("/stdio/as-root-of-root", test_as_root_of_root);
  return g_test_run ();
}
