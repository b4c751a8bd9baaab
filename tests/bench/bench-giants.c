// SPDX-License-Identifier: GPL-3.0-or-later
/* Monitors that refresh once a second are measured beside five giants and beside five small programs of the same sorts:
 * as many figures change and are drawn with either. */
#include <signal.h>

#include "bench-child.h"
#include "bench-machine.h"
#include "bench-median.h"
#include "bench-report.h"
#include "test-machine.h"
#include "ui-program.h"

#define N_PROGRAMS 5
#define N_TURNS    3
#define WARM_UP_MS 25000
#define WATCH_MS   40000
#define MIB        (G_GUINT64_CONSTANT (1) << 20)

static const struct
{
  const char *mode;
  guint part; /* in hundredths of half of the memory that is available */
  guint n;
  guint small_size; /* MiB */
  guint small_n;
} programs[N_PROGRAMS] = {
  { "grow", 10, 5, 100, 1 },
  { "sleep", 20, 0, 6, 0 },
  { "churn", 30, 400, 9, 40 },
  { "one", 27, 0, 8, 0 },
  { "huge", 13, 0, 4, 0 },
};

typedef struct
{
  const char *name;
  GPid pid;
  double more[N_TURNS];
} Monitor;

static void
start_programs (BenchChild *children,
                gboolean is_small)
{
  guint64 half = test_get_available () / 2 / MIB;

  for (guint i = 0; i < N_PROGRAMS; i++)
    {
      guint64 size = is_small ? programs[i].small_size : half * programs[i].part / 100;
      g_autofree char *command = g_strdup_printf ("../live/footprint-test-giant %s %" G_GUINT64_FORMAT " %u",
                                                  programs[i].mode, size, is_small ? programs[i].small_n : programs[i].n);

      bench_child_start (&children[i], command);
    }
}

static void
stop_programs (BenchChild *children)
{
  for (guint i = 0; i < N_PROGRAMS; i++)
    {
      kill (children[i].pid, SIGKILL);
      bench_child_stop (&children[i]);
    }
}

/* Percent of a processor, for each monitor */
static void
measure (Monitor *monitors,
         guint n,
         gboolean is_small,
         double *percents)
{
  BenchChild children[N_PROGRAMS];

  start_programs (children, is_small);
  ui_pause (WARM_UP_MS);
  for (guint i = 0; i < n; i++)
    percents[i] = bench_get_cpu_ms (monitors[i].pid);
  ui_pause (WATCH_MS);
  for (guint i = 0; i < n; i++)
    percents[i] = (bench_get_cpu_ms (monitors[i].pid) - percents[i]) / WATCH_MS * 100;
  stop_programs (children);
}

static void
compare (Monitor *monitors,
         guint n)
{
  g_print ("Five programs, small or all together %" G_GUINT64_FORMAT " MiB\n", test_get_available () / 2 / MIB);
  for (guint turn = 0; turn < N_TURNS; turn++)
    {
      double small[2], giant[2];

      measure (monitors, n, TRUE, small);
      measure (monitors, n, FALSE, giant);
      for (guint i = 0; i < n; i++)
        {
          g_print ("  %-52s %5.2f %% small, %5.2f %% giants\n", monitors[i].name, small[i], giant[i]);
          monitors[i].more[turn] = giant[i] - small[i];
        }
    }
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *what = g_strdup_printf ("%s, more for giants", monitors[i].name);

      bench_report (what, bench_median (monitors[i].more, N_TURNS), 0.5, "%");
    }
}

int
main (void)
{
  const char *const watcher[] = { "sh", "-c", "exec \"$FOOTPRINT_CLI\" --watch 1 --csv --limit 5 >/dev/null", NULL };
  Monitor monitors[] = { { .name = "footprint-cli --watch 1" }, { .name = "window, every second" } };
  g_auto (Ui) ui = { 0 };

  setvbuf (stdout, NULL, _IOLBF, 0);
  program_start_at_once_a_second (&ui, (const char *const[]){ "--view", "processes", NULL });
  monitors[0].pid = child_start_argv (watcher);
  monitors[1].pid = ui.pid;
  compare (monitors, G_N_ELEMENTS (monitors));
  child_stop (monitors[0].pid);
  ui_stop (&ui);
  return 0;
}
