// SPDX-License-Identifier: GPL-3.0-or-later
/* The sweep against a bare loop that opens, reads and closes every smaps_rollup: ratios within one run. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench-child.h"
#include "bench-median.h"
#include "bench-report.h"
#include "fp-proc-dir.h"
#include "fp-sweep.h"

#define ROUNDS   7
#define ROTATION 10
#define WARM_UP  (ROTATION + 2)
#define STEADY   (ROTATION * 2)

#define N_PLAIN_SCENARIOS 4 /* the last one is of the pool */

typedef struct
{
  double cpu_ms;
  double wall_ms;
} Cost;

typedef struct
{
  FpProcDir proc;
  GArray *pids;
  gint next;
  gboolean with_scan;
} Floor;

typedef struct
{
  const char *name;
  FpRotationMode rotation;
  const char *order; /* between sweeps */
  double limit;
  double error_limit; /* percent of the sum of PSS */
} Scenario;

static Cost
start_cost (void)
{
  return (Cost){ bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID), bench_read_clock_ms (CLOCK_MONOTONIC) };
}

static Cost
end_cost (Cost start)
{
  return (Cost){ bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID) - start.cpu_ms, bench_read_clock_ms (CLOCK_MONOTONIC) - start.wall_ms };
}

static gpointer
floor_thread (gpointer data)
{
  Floor *self = data;
  char text[4096];
  guint i;

  while ((i = (guint)g_atomic_int_add (&self->next, 1)) < self->pids->len)
    {
      int fd = fp_proc_dir_open_file (&self->proc, g_array_index (self->pids, gint, i), "smaps_rollup");
      gssize length;

      if (fd < 0)
        continue;
      length = read (fd, text, sizeof text);
      close (fd);
      if (self->with_scan && length > 0)
        {
          FpMemory memory = { 0 };

          fp_memory_scan (&memory, FP_ORIGIN_SMAPS, text, (gsize)length);
          fp_memory_derive (&memory);
        }
    }
  return NULL;
}

static Cost
measure_floor (guint n_threads,
               gboolean with_scan)
{
  Floor self = { .pids = g_array_new (FALSE, FALSE, sizeof (gint)), .with_scan = with_scan };
  GThread *threads[16];
  Cost start = start_cost ();

  fp_proc_dir_open (&self.proc, "/proc", NULL);
  fp_proc_dir_list (&self.proc, self.pids, NULL);
  for (guint i = 0; i < n_threads; i++)
    threads[i] = g_thread_new (NULL, floor_thread, &self);
  for (guint i = 0; i < n_threads; i++)
    g_thread_join (threads[i]);
  fp_proc_dir_close (&self.proc);
  g_array_unref (self.pids);
  return end_cost (start);
}

static FpSweep *
new_sweep (FpRotationMode rotation)
{
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;

  settings.rotation = rotation;
  settings.n_sweeps = ROTATION;
  return fp_sweep_new ("/proc", &settings, NULL);
}

static Cost
measure_full (void)
{
  FpSweepRequest request = { 0 };
  Cost start = start_cost ();
  g_autoptr (FpSweep) sweep = new_sweep (FP_ROTATION_FIXED);
  g_autoptr (FpSnapshot) snapshot = fp_sweep_collect (sweep, &request, NULL);

  return end_cost (start);
}

static double
measure_first_picture (guint n_threads)
{
  double cpu[ROUNDS], wall[ROUNDS], full_cpu[ROUNDS], scan_cpu[ROUNDS], scan_wall[ROUNDS];

  for (guint i = 0; i < ROUNDS; i++)
    {
      Cost bare = measure_floor (n_threads, FALSE), scan = measure_floor (n_threads, TRUE), full = measure_full ();

      scan_cpu[i] = scan.cpu_ms / bare.cpu_ms;
      scan_wall[i] = scan.wall_ms / bare.wall_ms;
      cpu[i] = full.cpu_ms / bare.cpu_ms;
      wall[i] = full.wall_ms / bare.wall_ms;
      full_cpu[i] = full.cpu_ms;
    }
  bench_report ("figures of all, CPU / bare loop", bench_median (scan_cpu, ROUNDS), 1.10, "");
  bench_report ("figures of all, wall / bare loop", bench_median (scan_wall, ROUNDS), 1.10, "");
  bench_report ("full sweep with names, CPU / bare loop", bench_median (cpu, ROUNDS), 1.35, "");
  bench_report ("full sweep with names, wall / bare loop", bench_median (wall, ROUNDS), 1.35, "");
  return bench_median (full_cpu, ROUNDS);
}

/* The distance of the farther end of what is shown from the truth, for the population alone: what else runs on this machine may
 * change between the two. */
static double
compare_pss (BenchChild *population,
             const FpSnapshot *shown,
             const FpSnapshot *truth)
{
  g_auto (GStrv) pids = g_strsplit (bench_child_order (population, "pids"), " ", -1);
  double sum_low = 0, sum_high = 0, sum_truth = 0;

  for (char **pid = pids; *pid; pid++)
    {
      const FpProcess *a = fp_snapshot_find (shown, atoi (*pid)), *b = fp_snapshot_find (truth, atoi (*pid));
      guint64 low = 0, high = 0;

      if (!a || !b)
        continue;
      fp_memory_get_ends (&a->memory, FP_FIELD_PSS, &low, &high);
      sum_low += (double)low;
      sum_high += (double)high;
      sum_truth += (double)fp_memory_get (&b->memory, FP_FIELD_PSS);
    }
  return sum_truth > 0 ? MAX (ABS (sum_low - sum_truth), ABS (sum_high - sum_truth)) / sum_truth * 100 : 100;
}

static double
find_oldest (const FpSnapshot *snapshot,
             const guint64 *times)
{
  double oldest = 0;

  for (guint i = 0; i < snapshot->n_processes; i++)
    for (guint age = 0; age < ROTATION * 2; age++)
      if (fp_memory_has (&snapshot->processes[i].memory, FP_FIELD_PSS) &&
          snapshot->processes[i].measured_us == times[age])
        oldest = MAX (oldest, age);
  return oldest;
}

static void
measure_scenario (BenchChild *population,
                  const Scenario *scenario,
                  double full_ms)
{
  g_autoptr (FpSweep) sweep = new_sweep (scenario->rotation);
  guint64 times[ROTATION * 2 + 1] = { 0 };
  double cpu[STEADY], worst_error = 0, oldest = 0, error = 0;
  char name[128];

  for (guint i = 0; i < WARM_UP + STEADY; i++)
    {
      FpSweepRequest request = { 0 };
      g_autoptr (FpSnapshot) snapshot = NULL, truth = NULL;
      g_autoptr (FpSweep) other = NULL;
      Cost start;

      if (scenario->order)
        bench_child_order (population, scenario->order);
      start = start_cost ();
      snapshot = fp_sweep_collect (sweep, &request, NULL);
      memmove (times + 1, times, sizeof times - sizeof *times);
      times[0] = snapshot->info.boottime_us;
      if (i < WARM_UP)
        continue;
      cpu[i - WARM_UP] = end_cost (start).cpu_ms;
      oldest = MAX (oldest, find_oldest (snapshot, times));
      if (i % 4 != 0)
        continue;
      other = new_sweep (FP_ROTATION_OFF);
      truth = fp_sweep_collect (other, &request, NULL);
      error = compare_pss (population, snapshot, truth);
      worst_error = MAX (worst_error, error);
    }
  g_snprintf (name, sizeof name, "%s, CPU / full", scenario->name);
  bench_report (name, bench_median (cpu, STEADY) / full_ms, scenario->limit, "");
  if (scenario->error_limit > 0)
    {
      g_snprintf (name, sizeof name, "%s, error of the sum of PSS in %%", scenario->name);
      bench_report (name, worst_error, scenario->error_limit, "");
    }
  if (scenario->rotation == FP_ROTATION_FIXED)
    {
      g_snprintf (name, sizeof name, "%s, oldest figure in sweeps", scenario->name);
      bench_report (name, oldest, ROTATION, "");
    }
}

static guint64
read_pss (gint pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/smaps_rollup", pid);
  g_autofree char *text = NULL;
  FpMemory memory = { 0 };
  gsize length;

  if (g_file_get_contents (path, &text, &length, NULL))
    fp_memory_scan (&memory, FP_ORIGIN_SMAPS, text, length);
  return fp_memory_get (&memory, FP_FIELD_PSS);
}

/* The survivors of a copy-on-write family must be right in the next sweep. */
static void
measure_survivors (BenchChild *population)
{
  g_autoptr (FpSweep) sweep = new_sweep (FP_ROTATION_FIXED);
  FpSweepRequest request = { 0 };
  g_autoptr (FpSnapshot) before = fp_sweep_collect (sweep, &request, NULL), after = NULL;
  double worst = 0;
  gint pids[2];

  if (sscanf (bench_child_order (population, "kill-partner"), "ok %d %d", &pids[0], &pids[1]) != 2)
    return;
  after = fp_sweep_collect (sweep, &request, NULL);
  for (guint i = 0; i < 2; i++)
    {
      const FpProcess *process = fp_snapshot_find (after, pids[i]);
      guint64 truth = read_pss (pids[i]);

      if (process && truth)
        worst = MAX (worst, ABS ((double)fp_memory_get (&process->memory, FP_FIELD_PSS) / (double)truth - 1) * 100);
    }
  bench_report ("survivors of a partner, error of PSS in %", worst, 0.3, "");
}

int
main (int argc,
      char *argv[])
{
  static const Scenario scenarios[] = {
    { "idle, rotation off", FP_ROTATION_OFF, NULL, 0.02, 0 },
    { "idle", FP_ROTATION_FIXED, NULL, 0.13, 0.1 },
    { "2 % active", FP_ROTATION_FIXED, "tick", 0.18, 0.1 },
    { "a death under PID 1 each sweep", FP_ROTATION_FIXED, "kill-orphan", 0.25, 0.3 },
    { "a death in a pool of 200 each sweep", FP_ROTATION_FIXED, "kill-worker", 0.25, 0.3 },
  };
  guint n_threads = MIN (g_get_num_processors (), 4);

  for (int i = 1; i < argc; i++)
    {
      g_autofree char *plain = g_strdup_printf ("bench-population %s --active 2 --giant 1024", argv[i]);
      g_autofree char *with_pool = g_strdup_printf ("bench-population %s --active 2 --workers 200", argv[i]);
      BenchChild population;
      double full_ms;

      bench_child_start (&population, plain);
      g_print ("%s processes with a giant, %u threads\n", argv[i], n_threads);
      full_ms = measure_first_picture (n_threads);
      for (guint k = 0; k < N_PLAIN_SCENARIOS; k++)
        measure_scenario (&population, &scenarios[k], full_ms);
      measure_survivors (&population);
      bench_child_stop (&population);

      bench_child_start (&population, with_pool);
      g_print ("%s processes and a pool of 200 workers\n", argv[i]);
      full_ms = measure_full ().cpu_ms;
      measure_scenario (&population, &scenarios[N_PLAIN_SCENARIOS], full_ms);
      bench_child_stop (&population);
    }
  return 0;
}
