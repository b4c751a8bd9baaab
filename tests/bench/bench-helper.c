// SPDX-License-Identifier: GPL-3.0-or-later
/* A refresh through the helper against the same sweep in this process; in the namespaces of tests/system/with-bus. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "async-result.h"
#include "bench-median.h"
#include "bench-report.h"
#include "fp-helper-source.h"
#include "fp-sweep.h"
#include "system-user.h"

#define N_PROCESSES 5000u
#define N_ROUNDS    31u
#define INTERVAL_US (1100 * 1000)
#define MAX_MORE_MS 5.0
#define MAX_MORE    0.10

typedef struct
{
  double wall_ms[N_ROUNDS];
  double own_ms[N_ROUNDS]; /* processor time of this process */
  double helper_ms[N_ROUNDS];
  double bus_ms[N_ROUNDS];
} Series;

typedef struct
{
  gint64 start_us;
  double own_ms;
  double helper_ms;
  double bus_ms;
} Moment;

/* In nanoseconds there, of all its threads. */
static double
get_cpu_ms (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task", pid);
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

static guint64
collect_from (FpSource *source)
{
  const FpSourceRequest request = { .kind = FP_REQUEST_COLLECT, .sweep.slice_us = 150 * 1000 };
  g_autoptr (FpSnapshot) snapshot = async_result_ask (source, &request, NULL, NULL);

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

static void
begin (Moment *moment,
       pid_t helper,
       pid_t bus)
{
  moment->own_ms = bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID);
  moment->helper_ms = get_cpu_ms (helper);
  moment->bus_ms = get_cpu_ms (bus);
  moment->start_us = g_get_monotonic_time ();
}

static void
end (const Moment *moment,
     Series *series,
     guint round,
     pid_t helper,
     pid_t bus)
{
  series->wall_ms[round] = (double)(g_get_monotonic_time () - moment->start_us) / 1e3;
  series->own_ms[round] = bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID) - moment->own_ms;
  series->helper_ms[round] = get_cpu_ms (helper) - moment->helper_ms;
  series->bus_ms[round] = get_cpu_ms (bus) - moment->bus_ms;
}

/* The helper adds the median of the pairs, whose two refreshes are half a second apart: what else the machine does meets both.
 * It is found first, as a median sorts. */
static gboolean
report (Series *here,
        Series *there)
{
  double more_ms[N_ROUNDS], more_cpu[N_ROUNDS], here_cpu_ms, own_ms, helper_ms, bus_ms;
  gboolean is_quick, is_cheap;

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      more_ms[i] = there->wall_ms[i] - here->wall_ms[i];
      more_cpu[i] = (there->own_ms[i] + there->helper_ms[i] + there->bus_ms[i]) / here->own_ms[i] - 1;
    }
  here_cpu_ms = bench_median (here->own_ms, N_ROUNDS);
  own_ms = bench_median (there->own_ms, N_ROUNDS);
  helper_ms = bench_median (there->helper_ms, N_ROUNDS);
  bus_ms = bench_median (there->bus_ms, N_ROUNDS);
  g_print ("%u processes, medians of %u refreshes by turns\n", N_PROCESSES, N_ROUNDS);
  g_print ("  %-20s %10s %10s %10s %10s %10s\n", "", "latency", "CPU", "of window", "of helper", "of bus");
  g_print ("  %-20s %7.1f ms %7.1f ms %7.1f ms\n", "in this process", bench_median (here->wall_ms, N_ROUNDS), here_cpu_ms, here_cpu_ms);
  g_print ("  %-20s %7.1f ms %7.1f ms %7.1f ms %7.1f ms %7.1f ms\n", "through the helper", bench_median (there->wall_ms, N_ROUNDS),
           own_ms + helper_ms + bus_ms, own_ms, helper_ms, bus_ms);
  is_quick = bench_report ("latency that the helper adds", bench_median (more_ms, N_ROUNDS), MAX_MORE_MS, "ms");
  is_cheap = bench_report ("CPU that the helper adds, of the sweep", bench_median (more_cpu, N_ROUNDS), MAX_MORE, "");
  return is_quick && is_cheap;
}

/* By turns, so that whatever else the machine does meets both. */
int
main (void)
{
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  g_autoptr (FpSweep) sweep = fp_sweep_new ("/proc", &settings, NULL);
  FpSource *source = fp_helper_source_new ();
  static Series here, there;
  static pid_t pids[N_PROCESSES];
  gboolean is_good;
  pid_t helper, bus;

  signal (SIGCHLD, SIG_IGN);
  start_processes (pids);
  while (collect_here (sweep) > 0 || collect_from (source) > 0)
    ;
  helper = system_find_process ("footprint-helpe");
  bus = system_find_process ("dbus-daemon");
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      Moment moment;

      g_usleep (INTERVAL_US / 2);
      begin (&moment, helper, bus);
      collect_here (sweep);
      end (&moment, &here, i, helper, bus);
      g_usleep (INTERVAL_US / 2);
      begin (&moment, helper, bus);
      collect_from (source);
      end (&moment, &there, i, helper, bus);
    }
  is_good = report (&here, &there);
  g_object_unref (source);
  for (guint i = 0; i < N_PROCESSES; i++)
    kill (pids[i], SIGKILL);
  return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
