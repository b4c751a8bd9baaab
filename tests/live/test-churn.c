// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "fp-snapshot-file.h"
#include "fp-sweep.h"
#include "test-length.h"

#ifdef __SANITIZE_ADDRESS__
#define N_SWEEPS_LONG 10000
#else
#define N_SWEEPS_LONG 1000
#endif
#define N_SWEEPS 50
#define MIB      ((guint64)1024 * 1024)
#define OWN      (MIB - 1) /* of a small program, less than the step from one kind to the next */

static guint n_checked;

/* Names and figures are of one process, and of one program it ran. */
static void
check_process (const FpSnapshot *snapshot,
               const FpProcess *process)
{
  const char *comm = fp_snapshot_get_text (snapshot, process, FP_TEXT_COMM);
  guint64 least, anonymous = fp_memory_get (&process->memory, FP_FIELD_PSS_ANON);

  if (!g_str_has_prefix (comm, "churn-") || !fp_memory_has (&process->memory, FP_FIELD_PSS))
    return;
  least = (guint64)(comm[strlen ("churn-")] - '0' + 1) * MIB;
  if (anonymous < least || anonymous > least + OWN)
    g_error ("process %d is named %s and has %" G_GUINT64_FORMAT " KiB", process->pid, comm, anonymous / 1024);
  n_checked++;
}

static void
check_snapshot (const FpSnapshot *snapshot)
{
  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      const FpProcess *process = &snapshot->processes[i];

      g_assert_true (i == 0 || snapshot->processes[i - 1].pid < process->pid);
      g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_USS), <=,
                        fp_memory_get (&process->memory, FP_FIELD_RSS));
      check_process (snapshot, process);
    }
}

static void
test_churn (void)
{
  char *argv[] = { (char *)g_getenv ("FOOTPRINT_CHURN"), NULL };
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpSweep) sweep = NULL;
  guint n_sweeps = test_is_long () ? N_SWEEPS_LONG : N_SWEEPS;
  GPid pid;

  settings.rotation = FP_ROTATION_FIXED;
  settings.n_sweeps = 5;
  sweep = fp_sweep_new ("/proc", &settings, &error);
  g_assert_no_error (error);
  g_spawn_async (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < n_sweeps; i++)
    {
      FpSweepRequest request = { 0 };
      g_autoptr (FpSnapshot) snapshot = fp_sweep_collect (sweep, &request, &error);

      g_assert_no_error (error);
      check_snapshot (snapshot);
      if (i % 1000 == 0)
        {
          g_autoptr (GBytes) bytes = fp_snapshot_to_bytes (snapshot);
          g_autoptr (FpSnapshot) again = fp_snapshot_from_bytes (bytes, &error);

          g_assert_no_error (error);
          check_snapshot (again);
        }
    }
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
  g_test_message ("%u figures of churning processes were checked", n_checked);
  g_assert_cmpuint (n_checked, >, n_sweeps);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sweep/churn", test_churn);
  return g_test_run ();
}
