// SPDX-License-Identifier: GPL-3.0-or-later
/* The time for which an open window holds up a process of 4 GiB that maps and unmaps and that it shows in its details, by turns
 * with how long it is while the window is stopped. What else a machine does is in both, so that the turns' medians are
 * compared; and what may be the window's doing alone, that the process slept for the lock of its memory while the window
 * read of it, is taken by itself, the longest of all. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "bench-child.h"
#include "bench-median.h"
#include "bench-report.h"
#include "ui-driver.h"
#include "ui-program.h"

#define MIB       4096
#define N_TURNS   20
#define TURN_MS   1500
#define SETTLE_MS 10000 /* the one first reading is over */
#define GOAL_MS   10.0

typedef enum
{
  LONGEST,
  MOST, /* 99.99 % of the loops are not longer */
  HELD, /* in one loop, without what it waited for a processor */
  SLEPT,
  N_FIGURES,
} Figure;

static const char *const figure_names[N_FIGURES] = { "max_us=", "p9999_us=", "held_us=", "slept_us=" };
static const char *const figure_titles[N_FIGURES] = {
  "the longest loop",
  "99.99 % of the loops are below",
  "the longest without waiting to run",
  "the longest sleep in a loop",
};

typedef struct
{
  double ms[N_FIGURES][N_TURNS];
} Side;

typedef struct
{
  guint64 start_ns;
  guint64 end_ns;
  double slept_ms;
} Sleep;

typedef struct
{
  char file[16];
  guint64 start_ns;
  guint64 end_ns;
  double held_ms; /* at most: without what it slept itself */
} Read;

/* The victim's sleeps and the window's readings of it, at the same time */
typedef struct
{
  GArray *sleeps;
  GArray *reads;
} Account;

typedef struct
{
  BenchChild victim;
  Ui ui;
  char *log;
  Side without;
  Side with;
  gint64 stopped_us[N_TURNS];
  Account unasked; /* in the turns with the window */
  Account asked;
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
account_init (Account *self)
{
  self->sleeps = g_array_new (FALSE, FALSE, sizeof (Sleep));
  self->reads = g_array_new (FALSE, FALSE, sizeof (Read));
}

static void
account_clear (Account *self)
{
  g_array_unref (self->sleeps);
  g_array_unref (self->reads);
}

/* report: among others " start-end:slept" of each, in nanoseconds */
static void
take_sleeps (Account *self,
             const char *report)
{
  unsigned long long start, end, slept;

  while ((report = strchr (report, ' ')) != NULL)
    if (sscanf (++report, "%llu-%llu:%llu", &start, &end, &slept) == 3)
      {
        Sleep sleep = { start, end, (double)slept / 1e6 };

        g_array_append_val (self->sleeps, sleep);
      }
}

/* One that the window was stopped in is over by then. */
static guint64
get_end_ns (const Stall *self,
            guint64 start_ns,
            guint64 end_ns)
{
  for (guint turn = 0; turn < N_TURNS; turn++)
    {
      guint64 stopped_ns = (guint64)self->stopped_us[turn] * 1000;

      if (start_ns < stopped_ns && end_ns > stopped_ns)
        return stopped_ns;
    }
  return end_ns;
}

/* All since start_us */
static void
take_reads (const Stall *self,
            Account *account,
            gint64 start_us)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  unsigned long long start, end, held;
  Read read;

  if (!g_file_get_contents (self->log, &text, NULL, NULL))
    g_error ("what the window reads was not noted");
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++)
    if (sscanf (lines[i], "%15s %llu %llu %llu", read.file, &start, &end, &held) == 4 && start >= (guint64)start_us * 1000)
      {
        read.start_ns = start;
        read.end_ns = get_end_ns (self, start, end);
        read.held_ms = MIN ((double)held, (double)(read.end_ns - start)) / 1e6;
        g_array_append_val (account->reads, read);
      }
}

static const char *
take_turn (Stall *self,
           Side *side,
           guint turn)
{
  const char *report;

  bench_child_order (&self->victim, "reset");
  ui_pause (TURN_MS);
  report = bench_child_order (&self->victim, "report");
  for (Figure figure = 0; figure < N_FIGURES; figure++)
    side->ms[figure][turn] = get_ms (report, figure_names[figure]);
  return report;
}

static gboolean
has_mappings (Stall *self)
{
  return program_is_shown (self->ui.window, ATSPI_ROLE_TREE_TABLE, "Mappings") ||
         program_is_shown (self->ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Read Its Mappings");
}

/* The page offers to read the mappings where the walk takes long here; where it doesn't, it has read them once. */
static void
open_details (Stall *self)
{
  gint pid = self->victim.pid;
  g_autofree char *filter = g_strdup_printf ("pid=%d", pid);
  g_autofree char *spied = g_strdup_printf ("SPY_PID=%d", pid);
  g_autofree char *log = g_strconcat ("SPY_LOG=", self->log, NULL);
  g_autofree char *preload = g_strdup_printf ("LD_PRELOAD=%s/bench-spy.so", g_getenv ("BENCH_DIR"));

  ui_start (&self->ui, (const char *const[]){ g_getenv ("FOOTPRINT"), "--filter", filter, NULL },
            (const char *const[]){ preload, spied, log, NULL });
  ui_await (program_find_pid (&self->ui, pid));
  ui_click (program_find_pid (&self->ui, pid));
  ui_click (ui_wait_for (self->ui.window, ATSPI_ROLE_PAGE_TAB, "Mappings"));
  ui_await (has_mappings (self));
}

static void
measure (Stall *self)
{
  gint64 start_us;

  open_details (self);
  ui_pause (SETTLE_MS);
  start_us = g_get_monotonic_time ();
  for (guint turn = 0; turn < N_TURNS; turn++)
    {
      self->stopped_us[turn] = g_get_monotonic_time ();
      kill (self->ui.pid, SIGSTOP);
      take_turn (self, &self->without, turn);
      kill (self->ui.pid, SIGCONT);
      take_sleeps (&self->unasked, take_turn (self, &self->with, turn));
    }
  take_reads (self, &self->unasked, start_us);
  start_us = g_get_monotonic_time ();
  bench_child_order (&self->victim, "reset");
  ui_key ("F5");
  ui_pause (TURN_MS);
  take_sleeps (&self->asked, bench_child_order (&self->victim, "report"));
  take_reads (self, &self->asked, start_us);
}

static double
compare_sides (Stall *self,
               Figure figure)
{
  double *without = self->without.ms[figure], *with = self->with.ms[figure];
  double more_ms = bench_median (with, N_TURNS) - bench_median (without, N_TURNS);

  g_print ("  %-34s %6.1f (%.1f to %.1f) ms without, %6.1f (%.1f to %.1f) ms with\n", figure_titles[figure],
           without[N_TURNS / 2], without[0], without[N_TURNS - 1], with[N_TURNS / 2], with[0], with[N_TURNS - 1]);
  return more_ms;
}

/* The part of one sleep that fell into reads that may have held the lock */
static double
get_overlap_ms (const Account *self,
                const Sleep *sleep,
                const char **file)
{
  double sum_ms = 0, longest_ms = 0;

  for (guint i = 0; i < self->reads->len; i++)
    {
      const Read *read = &g_array_index (self->reads, Read, i);
      guint64 start_ns = MAX (read->start_ns, sleep->start_ns), end_ns = MIN (read->end_ns, sleep->end_ns);
      double ms = start_ns < end_ns ? MIN ((double)(end_ns - start_ns) / 1e6, read->held_ms) : 0;

      if (ms > longest_ms)
        *file = read->file;
      longest_ms = MAX (longest_ms, ms);
      sum_ms += ms;
    }
  return MIN (sum_ms, sleep->slept_ms);
}

static double
find_longest_sleep (const Account *self,
                    const char **longest_file)
{
  double longest_ms = 0;

  for (guint i = 0; i < self->sleeps->len; i++)
    {
      const char *file = "none";
      double ms = get_overlap_ms (self, &g_array_index (self->sleeps, Sleep, i), &file);

      if (ms > longest_ms)
        *longest_file = g_intern_string (file);
      longest_ms = MAX (longest_ms, ms);
    }
  return longest_ms;
}

static int
compare_files (gconstpointer a,
               gconstpointer b)
{
  return strcmp (((const Read *)a)->file, ((const Read *)b)->file);
}

static void
print_reads (Account *self)
{
  g_array_sort (self->reads, compare_files);
  g_print ("  the window read of it:");
  for (guint i = 0, n = 0; i < self->reads->len; i += n)
    {
      const Read *read = &g_array_index (self->reads, Read, i);
      double longest_ms = 0;

      for (n = 0; i + n < self->reads->len && strcmp (read[n].file, read->file) == 0; n++)
        longest_ms = MAX (longest_ms, read[n].held_ms);
      g_print ("%s %s %u times, %.1f ms at most", i > 0 ? ";" : "", read->file, n, longest_ms);
    }
  g_print ("\n");
}

/* Readings that may hold the lock longer than a piece: of one mapping that takes so long itself, for 1/1,000 of the
 * time. */
static void
print_whole (const Account *self)
{
  const double time_ms = SETTLE_MS + 2.0 * N_TURNS * TURN_MS;
  double sum_ms = 0;
  guint n = 0;

  for (guint i = 0; i < self->reads->len; i++)
    {
      const Read *read = &g_array_index (self->reads, Read, i);

      if (read->held_ms <= GOAL_MS)
        continue;
      n++;
      sum_ms += read->held_ms;
    }
  g_print ("  %u of these were whole: %.1f ms together, which is %.2f in 1,000 of the time\n", n, sum_ms,
           sum_ms * 1000 / time_ms);
}

static void
print (Stall *self)
{
  double more_ms[N_FIGURES], asked_ms, longest_ms;
  g_autofree char *title = NULL;
  const char *file = "none";

  for (Figure figure = 0; figure < N_FIGURES; figure++)
    more_ms[figure] = compare_sides (self, figure);
  if (self->without.ms[SLEPT][N_TURNS / 2] > GOAL_MS)
    g_print ("  Another program reads the victim all the time: end it and measure again.\n");
  asked_ms = find_longest_sleep (&self->asked, &file);
  g_print ("  asleep for %.1f ms when the window read its mappings, which was asked for (%s)%s\n", asked_ms, file,
           asked_ms > GOAL_MS ? "" : ": NOT REACHED, more was to be seen");
  file = "none";
  longest_ms = find_longest_sleep (&self->unasked, &file);
  print_reads (&self->unasked);
  print_whole (&self->unasked);
  title = g_strdup_printf ("asleep while the window read of it, the longest of all (%s)", file);
  bench_report (title, longest_ms, GOAL_MS, "ms");
  for (Figure figure = MOST; figure < N_FIGURES; figure++)
    {
      g_autofree char *more = g_strconcat ("more than without, by the medians: ", figure_titles[figure], NULL);

      bench_report (more, more_ms[figure], GOAL_MS, "ms");
    }
}

static void
run (const char *command,
     const char *title)
{
  Stall self = { 0 };

  account_init (&self.unasked);
  account_init (&self.asked);
  self.log = g_build_filename (g_get_user_runtime_dir (), "reads", NULL);
  bench_child_start (&self.victim, command);
  measure (&self);
  ui_stop (&self.ui);
  bench_child_stop (&self.victim);
  g_print ("%s: %d turns of %.1f s each way, median (least to most)\n", title, N_TURNS, TURN_MS / 1000.0);
  print (&self);
  remove (self.log);
  g_free (self.log);
  account_clear (&self.unasked);
  account_clear (&self.asked);
}

/* The victim has one mapping, of which the page map is read, or many, which are read one by one; "one" or "pieces" is
 * that one alone. */
int
main (int argc,
      char **argv)
{
  const char *only = argc > 1 ? argv[1] : "";
  g_autofree char *one = g_strdup_printf ("bench-victim %d", MIB), *pieces = g_strconcat (one, " --pieces", NULL);
  g_autofree char *one_busy = g_strconcat (one, " --load", NULL), *pieces_busy = g_strconcat (pieces, " --load", NULL);

  setvbuf (stdout, NULL, _IOLBF, 0);
  if (strcmp (only, "pieces") != 0)
    {
      run (one, "A victim of 4 GiB in one mapping");
      run (one_busy, "A victim of 4 GiB in one mapping, all processors busy");
    }
  if (strcmp (only, "one") != 0)
    {
      run (pieces, "A victim of 4 GiB in 400 mappings");
      run (pieces_busy, "A victim of 4 GiB in 400 mappings, all processors busy");
    }
  return 0;
}
