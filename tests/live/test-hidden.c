// SPDX-License-Identifier: GPL-3.0-or-later
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-sweep.h"
#include "live-process.h"

typedef struct
{
  const char *path;
  const char *options; /* of the mount; NULL: /proc as it is */
  gboolean lists_others;
  gboolean knows_rss;
  gboolean hides_tasks;
} HiddenCase;

static void
mount_proc (const char *folder,
            const char *options)
{
  g_assert_cmpint (unshare (CLONE_NEWNS), ==, 0);
  g_assert_cmpint (mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), ==, 0);
  g_assert_cmpint (mount ("proc", folder, "proc", 0, options), ==, 0);
}

/* Reads as a user without rights; pid 1 stands for all processes of others. */
static void
look_as_nobody (const HiddenCase *expected,
                const char *folder)
{
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  FpSweepRequest request = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (FpSweep) sweep = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL;
  const FpProcess *other;

  if (expected->options)
    mount_proc (folder, expected->options);
  live_become_nobody ();
  sweep = fp_sweep_new (expected->options ? folder : "/proc", &settings, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 3; i++)
    {
      g_clear_pointer (&snapshot, fp_snapshot_unref);
      snapshot = fp_sweep_collect (sweep, &request, &error);
      g_assert_no_error (error);
    }
  g_assert_nonnull (fp_snapshot_find (snapshot, getpid ()));
  other = fp_snapshot_find (snapshot, 1);
  g_assert_cmpint (other != NULL, ==, expected->lists_others);
  if (expected->hides_tasks)
    g_assert_cmpuint (fp_system_get (&snapshot->system, FP_SYSTEM_HIDDEN_TASKS), >, 0);
  if (!other)
    return;
  g_assert_cmpint (other->reason, ==, FP_REASON_PERMISSION);
  g_assert_cmpuint (other->uid, ==, 0);
  g_assert_false (fp_memory_has (&other->memory, FP_FIELD_PSS));
  g_assert_cmpint (fp_memory_has (&other->memory, FP_FIELD_RSS), ==, expected->knows_rss);
  g_assert_true (fp_process_is_unread (other));
}

static void
test_hidden (gconstpointer data)
{
  g_autofree char *folder = NULL;
  pid_t pid;
  int status;

  if (geteuid () != 0)
    {
      g_test_skip ("only root can become another user and mount /proc");
      return;
    }
  folder = g_dir_make_tmp ("footprint-proc-XXXXXX", NULL);
  if ((pid = fork ()) == 0)
    {
      look_as_nobody (data, folder);
      _exit (0);
    }
  waitpid (pid, &status, 0);
  rmdir (folder);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
}

int
main (int argc,
      char *argv[])
{
  static const HiddenCase cases[] = {
    { "/hidden/other-user", NULL, TRUE, TRUE, FALSE },
    { "/hidden/hidepid-1", "hidepid=1", TRUE, FALSE, FALSE },
    { "/hidden/hidepid-2", "hidepid=2", FALSE, FALSE, TRUE },
    { "/hidden/hidepid-4", "hidepid=4", FALSE, FALSE, TRUE },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].path, &cases[i], test_hidden);
  return g_test_run ();
}
