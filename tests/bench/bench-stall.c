// SPDX-License-Identifier: GPL-3.0-or-later
/* How long a process of 4 GiB that maps and unmaps is held up by an open window that shows it in its details, beside
 * how long it is without: the window is stopped every other while. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "bench-child.h"
#include "bench-report.h"
#include "ui-program.h"

#define MIB       4096
#define N_WINDOWS 4
#define WINDOW_MS 5000
#define SETTLE_MS 12000 /* the one first reading is over */
#define GOAL_MS   10.0

/* The longest, and the longest without what it waited for a processor */
typedef struct
{
  double max_ms;
  double held_ms;
} Stall;

static double
get_ms (const char *report,
        const char *name)
{
  const char *value = strstr (report, name);

  if (!value)
    g_error ("the victim does not tell %s", name);
  return g_ascii_strtod (value + strlen (name), NULL) / 1000;
}

static void
measure_window (BenchChild *victim,
                Stall *stall)
{
  const char *report;

  bench_child_order (victim, "reset");
  ui_pause (WINDOW_MS);
  report = bench_child_order (victim, "report");
  stall->max_ms = MAX (stall->max_ms, get_ms (report, "max_us="));
  stall->held_ms = MAX (stall->held_ms, get_ms (report, "held_us="));
}

/* Unasked only what is cheap is read: the page offers to read this one. */
static UiNode *
open_details (Ui *ui,
              gint pid)
{
  g_autofree char *filter = g_strdup_printf ("pid=%d", pid);

  program_start (ui, (const char *const[]){ "--filter", filter, NULL });
  ui_await (program_find_pid (ui, pid));
  ui_click (program_find_pid (ui, pid));
  ui_click (ui_wait_for (ui->window, ATSPI_ROLE_PAGE_TAB, "Mappings"));
  return ui_wait_for (ui->window, ATSPI_ROLE_PUSH_BUTTON, "*Read Its Mappings");
}

static void
measure (const char *command,
         const char *title)
{
  g_auto (Ui) ui = { 0 };
  BenchChild victim;
  Stall without = { 0 }, with = { 0 }, asked = { 0 };
  UiNode *read_button;

  bench_child_start (&victim, command);
  read_button = open_details (&ui, victim.pid);
  ui_pause (SETTLE_MS);
  for (guint i = 0; i < N_WINDOWS; i++)
    {
      kill (ui.pid, SIGSTOP);
      measure_window (&victim, &without);
      kill (ui.pid, SIGCONT);
      measure_window (&victim, &with);
    }
  ui_click (read_button);
  measure_window (&victim, &asked);
  ui_stop (&ui);
  bench_child_stop (&victim);
  g_print ("%s, %u s each: longest loop %.1f ms without the window, %.1f ms with its details open\n"
           "    without waiting for a processor %.1f and %.1f ms; %.1f ms by reading its mappings, which was asked for\n",
           title, (guint)(N_WINDOWS * WINDOW_MS / 1000), without.max_ms, with.max_ms, without.held_ms, with.held_ms,
           asked.held_ms);
  bench_report ("held up longer than without", with.held_ms - without.held_ms, GOAL_MS, "ms");
}

int
main (void)
{
  g_autofree char *calm = g_strdup_printf ("bench-victim %d", MIB);
  g_autofree char *busy = g_strconcat (calm, " --load", NULL);

  setvbuf (stdout, NULL, _IOLBF, 0);
  measure (calm, "A victim of 4 GiB");
  measure (busy, "A victim of 4 GiB, all processors busy");
  return 0;
}
