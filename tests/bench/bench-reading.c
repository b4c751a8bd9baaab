// SPDX-License-Identifier: GPL-3.0-or-later
/* The time for which a process is held up by one who reads its memory. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench-child.h"
#include "bench-median.h"
#include "bench-report.h"
#include "fp-sweep.h"

#define WINDOWS        5
#define WINDOW_US      (3 * G_USEC_PER_SEC)
#define READ_PERIOD_US (100 * 1000)

static gint
find_pid (BenchChild *child)
{
  for (const char *word = child->line; *word; word++)
    if (g_ascii_isdigit (*word))
      return atoi (word);
  return 0;
}

static void
read_bare (gint pid,
           const char *name)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/%s", pid, name);
  char text[32768];
  int fd = open (path, O_RDONLY | O_CLOEXEC);

  while (read (fd, text, sizeof text) > 0)
    ;
  close (fd);
}

static double
measure_stall (BenchChild *victim,
               gint pid,
               FpSweep *sweep)
{
  gint64 end = g_get_monotonic_time () + WINDOW_US;
  const char *max;

  bench_child_order (victim, "reset");
  while (g_get_monotonic_time () < end)
    {
      FpSweepRequest request = { .refresh_all = TRUE };

      if (sweep)
        fp_snapshot_unref (fp_sweep_collect (sweep, &request, NULL));
      else
        read_bare (pid, "smaps_rollup");
      g_usleep (READ_PERIOD_US);
    }
  max = strstr (bench_child_order (victim, "report"), "max_us=");
  return max ? g_ascii_strtod (max + strlen ("max_us="), NULL) : 0;
}

static void
measure_stalls (void)
{
  double bare[WINDOWS], ours[WINDOWS];
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  g_autoptr (FpSweep) sweep = fp_sweep_new ("/proc", &settings, NULL);
  BenchChild victim;
  gint pid;

  bench_child_start (&victim, "bench-victim 1024 --load");
  pid = find_pid (&victim);
  for (guint i = 0; i < WINDOWS; i++)
    {
      bare[i] = measure_stall (&victim, pid, NULL);
      ours[i] = measure_stall (&victim, pid, sweep);
    }
  bench_child_stop (&victim);
  g_print (
      "A victim of 1 GiB, all processors busy: longest stall %.1f ms under a bare reader, %.1f ms under refresh of all\n",
      bench_median (bare, WINDOWS) / 1000, bench_median (ours, WINDOWS) / 1000);
  bench_report ("longest stall / that of a bare reader", bench_median (ours, WINDOWS) / bench_median (bare, WINDOWS), 2, "");
}

int
main (int argc,
      char *argv[])
{
  measure_stalls ();
  return 0;
}
