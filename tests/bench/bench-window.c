// SPDX-License-Identifier: GPL-3.0-or-later
/* Measures the main thread’s work for a list of N processes, from snapshot to painted frame, and the part that all views of
 * it share. */
#include <adwaita.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench-median.h"
#include "bench-report.h"
#include "bench-watchdog.h"
#include "fp-list-page.h"
#include "fp-local-source.h"
#include "fp-table-view.h"
#include "fp-views.h"
#include "widget-probe.h"

#define ROUNDS 21
#define MIB    (G_GUINT64_CONSTANT (1) << 20)

typedef struct
{
  FpSnapshotPool *pool;
  FpStrings strings;
  GtkWidget *window;
  FpSession *session;
  FpListPage *page;
  FpTableView *view;
  FpSnapshot *snapshot;
  GThread *maker;
  double shared_ms;      /* CPU time of the session, in the last refresh */
  double live_shared_ms; /* the sum of it */
  guint n;
  guint n_live; /* refreshes */
} Bench;

static guint32
make_text (Bench *self,
           const char *stem,
           guint number)
{
  g_autofree char *text = g_strdup_printf ("%s%u", stem, number);

  return fp_strings_intern (&self->strings, text);
}

static void
set_figures (FpProcess *process,
             guint64 pss)
{
  fp_memory_set (&process->memory, FP_FIELD_PSS, pss);
  fp_memory_set (&process->memory, FP_FIELD_RSS, pss + pss / 3);
  fp_memory_set (&process->memory, FP_FIELD_USS, pss / 2);
  fp_memory_set (&process->memory, FP_FIELD_SWAP_PSS, pss / 16);
}

/* changing: the part of the processes whose figures move by 2 % */
static FpSnapshot *
make_snapshot (Bench *self,
               double changing)
{
  FpSnapshot *snapshot = fp_snapshot_pool_take (self->pool, self->n);
  const FpSnapshot *last = self->snapshot;

  snapshot->info = (FpSnapshotInfo){ .boottime_us = G_USEC_PER_SEC, .page_size = 4096, .ticks_per_second = 100 };
  snapshot->system = (FpSystem){ 0 };
  fp_system_set (&snapshot->system, FP_SYSTEM_MEM_TOTAL, self->n * 40 * MIB);
  fp_system_set (&snapshot->system, FP_SYSTEM_SWAP_TOTAL, self->n * 10 * MIB);
  fp_system_set (&snapshot->system, FP_SYSTEM_SWAP_FREE, self->n * 5 * MIB);
  for (guint i = 0; i < self->n; i++)
    {
      FpProcess *process = &snapshot->processes[i];

      if (last)
        *process = last->processes[i];
      else
        {
          *process = (FpProcess){ .pid = (gint)i + 2, .ppid = (gint)(i / 8) + 1, .start_ticks = i + 1, .state = 'S' };
          process->texts[FP_TEXT_PROGRAM] = make_text (self, "program-", i % 300);
          process->texts[FP_TEXT_USER] = make_text (self, "user", i % 50);
          process->texts[FP_TEXT_COMMAND] = make_text (self, "/usr/bin/program --with arguments --number ", i);
          set_figures (process, (guint64)g_random_int_range (100, 400000) * 1024);
        }
      if (last && g_random_double () < changing)
        set_figures (process, (guint64)((double)fp_memory_get (&process->memory, FP_FIELD_PSS) *
                                        g_random_double_range (0.98, 1.02)));
    }
  snapshot->n_processes = self->n;
  snapshot->strings = fp_string_block_ref (self->strings.block);
  return snapshot;
}

static void
settle (Bench *self)
{
  widget_probe_settle (400);
  widget_probe_await_frame (self->window);
}

/* Makes of it what all views share; the list, which is hidden meanwhile, is refreshed when it is shown. */
static void
take (Bench *self,
      FpSnapshot *snapshot)
{
  double start = bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID);

  fp_view_set_shown (FP_VIEW (self->page), FALSE);
  fp_session_take (self->session, snapshot);
  self->shared_ms = bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID) - start;
  g_clear_pointer (&self->snapshot, fp_snapshot_unref);
  self->snapshot = snapshot;
}

static void
measure_refresh (Bench *self,
                 const char *what,
                 double changing,
                 double goal)
{
  double costs[ROUNDS];

  for (guint i = 0; i < ROUNDS; i++)
    {
      double start;

      take (self, make_snapshot (self, changing));
      start = bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID);
      fp_view_set_shown (FP_VIEW (self->page), TRUE);
      widget_probe_await_frame (self->window);
      costs[i] = bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID) - start;
    }
  bench_report (what, bench_median (costs, ROUNDS), goal, "ms");
}

static void
measure_shared (Bench *self)
{
  double costs[ROUNDS];

  for (guint i = 0; i < ROUNDS; i++)
    {
      take (self, make_snapshot (self, 1));
      costs[i] = self->shared_ms;
    }
  bench_report ("what all views share, a refresh", bench_median (costs, ROUNDS), 8, "ms");
  fp_view_set_shown (FP_VIEW (self->page), TRUE);
}

/* Each apart from the others: they are summed up once, not for each. */
static void
select_scattered (Bench *self,
                  guint n)
{
  GtkSelectionModel *model = GTK_SELECTION_MODEL (fp_table_view_get_table (self->view));
  g_autoptr (GtkBitset) selected = gtk_bitset_new_empty (), all = gtk_bitset_new_range (0, self->n);

  for (guint i = 0; i < n; i++)
    gtk_bitset_add (selected, i * (self->n / n));
  gtk_selection_model_set_selection (model, selected, all);
}

static void
measure_action (Bench *self,
                const char *what,
                const char *group_by,
                const char *search,
                double goal)
{
  double start = bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID);

  if (group_by)
    gtk_widget_activate_action (GTK_WIDGET (self->page), "page.group-by", "s", group_by);
  if (search)
    fp_view_set_search (FP_VIEW (self->page), search);
  widget_probe_await_frame (self->window);
  bench_report (what, bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID) - start, goal, "ms");
  settle (self);
}

static void
scroll_to_middle (Bench *self)
{
  GtkAdjustment *down = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (widget_probe_find (GTK_WIDGET (self->page), g_type_from_name ("GtkColumnListView"))));

  gtk_adjustment_set_value (down, gtk_adjustment_get_upper (down) / 2);
  settle (self);
}

static gboolean
take_cb (gpointer data)
{
  Bench *self = data;

  take (self, g_thread_join (g_steal_pointer (&self->maker)));
  self->live_shared_ms += self->shared_ms;
  fp_view_set_shown (FP_VIEW (self->page), TRUE);
  self->n_live++;
  return G_SOURCE_REMOVE;
}

/* As the program's collector does: what is read is put together elsewhere. */
static gpointer
make_thread (gpointer data)
{
  FpSnapshot *snapshot = make_snapshot (data, 1);

  g_idle_add_full (G_PRIORITY_DEFAULT, take_cb, data, NULL);
  return snapshot;
}

static gboolean
tick_cb (gpointer data)
{
  Bench *self = data;

  if (!self->maker)
    self->maker = g_thread_new ("make", make_thread, self);
  return G_SOURCE_CONTINUE;
}

/* Once a second all figures change, and with them the order. CPU time that the list costs, in percent of the wall's */
static double
go_live (Bench *self,
         guint seconds)
{
  guint timer = g_timeout_add (1000, tick_cb, self);
  gint64 begin = g_get_monotonic_time ();
  double start = bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID);

  self->n_live = 0;
  self->live_shared_ms = 0;
  while (g_get_monotonic_time () < begin + seconds * G_USEC_PER_SEC)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timer);
  while (self->maker)
    g_main_context_iteration (NULL, TRUE);
  return (bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID) - start - self->live_shared_ms) * 1e5 / (double)(g_get_monotonic_time () - begin);
}

static void
measure_live (Bench *self,
              guint seconds)
{
  BenchWatchdog *watchdog;
  double stall_cpu_ms, stall_ms;

  bench_report ("live at 1 Hz, all changed, main thread", go_live (self, MIN (seconds, 20)), 2, "%");
  /* The watchdog costs something itself. */
  watchdog = bench_watchdog_new ();
  go_live (self, seconds);
  bench_watchdog_stop (watchdog, &stall_ms, &stall_cpu_ms);
  bench_report ("longest stall of the main loop, of CPU time", stall_cpu_ms, 50, "ms");
  g_print ("    in %u refreshes in %u s; it did not answer for %.1f ms at most\n", self->n_live, seconds, stall_ms);
}

static guint64
get_pss (void)
{
  g_autofree char *text = NULL;
  const char *line;

  g_file_get_contents ("/proc/self/smaps_rollup", &text, NULL, NULL);
  line = text ? strstr (text, "\nPss:") : NULL;
  return line ? (guint64)atoll (line + 5) * 1024 : 0;
}

static void
open_window (Bench *self)
{
  g_autoptr (FpSource) source = fp_local_source_new ("/proc");
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *button = gtk_button_new_with_label ("Focus");

  self->window = adw_window_new ();
  self->session = fp_session_new (GTK_WINDOW (self->window), source);
  self->page = FP_LIST_PAGE (fp_view_new (fp_views_find (FP_PROCESSES_VIEW), self->session));
  self->view = FP_TABLE_VIEW (widget_probe_find (GTK_WIDGET (self->page), FP_TYPE_TABLE_VIEW));
  gtk_box_append (GTK_BOX (box), button);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->page));
  gtk_widget_set_vexpand (GTK_WIDGET (self->page), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (self->window), 1390, 890);
  adw_window_set_content (ADW_WINDOW (self->window), box);
  gtk_window_set_focus (GTK_WINDOW (self->window), button);
}

/* The cost of the list, and its memory in the end. */
static double
run (guint n,
     guint seconds)
{
  Bench self = { .pool = fp_snapshot_pool_new (), .n = n };
  FpOrderPause *pause;
  double start, pss;

  adw_init ();
  g_print ("%u processes in the window\n", n);
  fp_strings_init (&self.strings, 64 * 1024);
  self.snapshot = make_snapshot (&self, 0);
  start = (double)g_get_monotonic_time () / 1e3;
  open_window (&self);
  pause = fp_table_view_get_order_pause (self.view);
  fp_session_take (self.session, self.snapshot);
  fp_view_set_shown (FP_VIEW (self.page), TRUE);
  gtk_window_present (GTK_WINDOW (self.window));
  widget_probe_await_frame (self.window);
  bench_report ("first frame", (double)g_get_monotonic_time () / 1e3 - start, 500, "ms");
  settle (&self);
  measure_refresh (&self, "a refresh, 10 % changed", 0.1, 12);
  measure_refresh (&self, "a refresh, all changed", 1, 18);
  select_scattered (&self, n / 10);
  measure_refresh (&self, "a refresh, all changed, one in 10 selected", 1, 24);
  select_scattered (&self, 0);
  fp_order_pause_set_menu_open (pause, TRUE);
  measure_refresh (&self, "a refresh, 10 % changed, order paused", 0.1, 12);
  fp_order_pause_set_menu_open (pause, FALSE);
  measure_action (&self, "group by user", "user", NULL, 60);
  measure_action (&self, "group by nothing again", "nothing", NULL, 70);
  measure_action (&self, "group by parent", "parent", NULL, 60);
  measure_action (&self, "group by nothing again", "nothing", NULL, 70);
  measure_action (&self, "search that leaves many", NULL, "program-1", 30);
  measure_action (&self, "search that leaves few", NULL, "program-17", 30);
  measure_action (&self, "search cleared", NULL, "", 70);
  scroll_to_middle (&self);
  measure_action (&self, "search that leaves few, from the middle", NULL, "program-17", 30);
  measure_action (&self, "search cleared", NULL, "", 70);
  measure_shared (&self);
  measure_live (&self, seconds);
  pss = (double)get_pss ();
  bench_report ("memory", pss / (double)MIB, 110, "MiB");
  gtk_window_destroy (GTK_WINDOW (self.window));
  g_object_unref (self.session);
  fp_snapshot_unref (self.snapshot);
  fp_strings_clear (&self.strings);
  fp_snapshot_pool_unref (self.pool);
  return pss;
}

/* Each in a process of its own: what one has taken is not there for the next. */
static double
run_apart (guint n,
           guint seconds)
{
  double pss = 0;
  int pipes[2], status;
  pid_t child;

  if (pipe (pipes) != 0 || (child = fork ()) < 0)
    g_error ("no process for it");
  if (child == 0)
    {
      pss = run (n, seconds);
      _exit (write (pipes[1], &pss, sizeof pss) != sizeof pss);
    }
  close (pipes[1]);
  if (read (pipes[0], &pss, sizeof pss) != sizeof pss || waitpid (child, &status, 0) != child || status != 0)
    g_error ("it ended early");
  close (pipes[0]);
  return pss;
}

/* [--seconds S] N…: how long it watches a live list, with how many processes. */
int
main (int argc,
      char *argv[])
{
  guint seconds = 120, first = 0;
  double first_pss = 0;

  setvbuf (stdout, NULL, _IOLBF, 0);
  for (int i = 1; i < argc; i++)
    {
      guint n;
      double pss;

      if (g_str_equal (argv[i], "--seconds") && argv[i + 1])
        {
          seconds = (guint)atoi (argv[++i]);
          continue;
        }
      n = (guint)atoi (argv[i]);
      pss = run_apart (n, seconds);
      if (first > 0 && n > first)
        bench_report ("memory a row more", (pss - first_pss) / 1024 / (n - first), 1.5, "KiB");
      else
        {
          first = n;
          first_pss = pss;
        }
    }
  return 0;
}
