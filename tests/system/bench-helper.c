// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-helper-source.h"
#include "fp-sweep.h"
#include "system-user.h"

#define N_PROCESSES 5000
#define N_ROUNDS    21
#define INTERVAL_US (1100 * 1000)

typedef struct
{
  double wall_ms[N_ROUNDS];
  double cpu_ms[N_ROUNDS];
} Series;

static double
get_own_cpu_ms (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

/* In nanoseconds there, of all its threads. */
static double
get_helper_cpu_ms (pid_t helper)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task", helper);
  g_autoptr (GDir) tasks = g_dir_open (path, 0, NULL);
  const char *name;
  double sum = 0;

  while (tasks && (name = g_dir_read_name (tasks)))
    {
      g_autofree char *file = g_build_filename (path, name, "schedstat", NULL);
      g_autofree char *text = NULL;

      if (g_file_get_contents (file, &text, NULL, NULL))
        sum += g_ascii_strtod (text, NULL) / 1e6;
    }
  return sum;
}

static int
compare_doubles (const void *a,
                 const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

static double
get_median (double *values)
{
  qsort (values, N_ROUNDS, sizeof *values, compare_doubles);
  return values[N_ROUNDS / 2];
}

static void
finished_cb (GObject *object,
             GAsyncResult *result,
             gpointer data)
{
  *(GAsyncResult **)data = g_object_ref (result);
}

static guint64
collect_from (FpSource *source)
{
  FpSweepRequest request = { .slice_us = 150 * 1000 };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL;

  fp_source_collect_async (source, &request, NULL, finished_cb, &result);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  snapshot = fp_source_collect_finish (source, result, NULL);
  g_assert_true (snapshot && snapshot->n_processes >= N_PROCESSES);
  return snapshot->info.n_pending;
}

static guint64
collect_here (FpSweep *sweep)
{
  FpSweepRequest request = { .slice_us = 150 * 1000 };
  g_autoptr (FpSnapshot) snapshot = fp_sweep_collect (sweep, &request, NULL);

  return snapshot->info.n_pending;
}

static void
start_processes (pid_t *pids)
{
  for (guint i = 0; i < N_PROCESSES; i++)
    if ((pids[i] = fork ()) == 0)
      for (;;)
        pause ();
}

/* By turns, so that whatever else the machine does meets both. */
int
main (void)
{
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  g_autoptr (FpSweep) sweep = fp_sweep_new ("/proc", &settings, NULL);
  FpSource *source = fp_helper_source_new ();
  static Series local, remote;
  static pid_t pids[N_PROCESSES];
  double latency_ms, cpu_ms, local_cpu_ms;
  pid_t helper;

  signal (SIGCHLD, SIG_IGN);
  start_processes (pids);
  while (collect_here (sweep) > 0 || collect_from (source) > 0)
    ;
  helper = system_find_helper ();
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      gint64 start_us;
      double cpu;

      g_usleep (INTERVAL_US / 2);
      start_us = g_get_monotonic_time ();
      cpu = get_own_cpu_ms ();
      collect_here (sweep);
      local.wall_ms[i] = (double)(g_get_monotonic_time () - start_us) / 1e3;
      local.cpu_ms[i] = get_own_cpu_ms () - cpu;

      g_usleep (INTERVAL_US / 2);
      start_us = g_get_monotonic_time ();
      cpu = get_own_cpu_ms () + get_helper_cpu_ms (helper);
      start_us = g_get_monotonic_time ();
      collect_from (source);
      remote.wall_ms[i] = (double)(g_get_monotonic_time () - start_us) / 1e3;
      remote.cpu_ms[i] = get_own_cpu_ms () + get_helper_cpu_ms (helper) - cpu;
    }
  latency_ms = get_median (remote.wall_ms) - get_median (local.wall_ms);
  local_cpu_ms = get_median (local.cpu_ms);
  cpu_ms = get_median (remote.cpu_ms) - local_cpu_ms;
  printf ("helper: %d processes: here %.1f ms, through the helper %.1f ms more; CPU here %.1f ms, and %.1f ms more (%.0f %%)\n",
          N_PROCESSES, get_median (local.wall_ms), latency_ms, local_cpu_ms, cpu_ms, 100 * cpu_ms / local_cpu_ms);
  fflush (stdout);
  g_object_unref (source);
  for (guint i = 0; i < N_PROCESSES; i++)
    kill (pids[i], SIGKILL);
  return 0;
}
