// SPDX-License-Identifier: GPL-3.0-or-later
/* A process of 60,000 mappings in the detail pane: what it costs to read, to show, and to look at in another way. */
#include <adwaita.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench-child.h"
#include "bench-median.h"
#include "bench-report.h"
#include "bench-watchdog.h"
#include "fp-local-source.h"
#include "fp-mapping-reader.h"
#include "fp-column-sets.h"
#include "fp-mapping-scanner.h"
#include "fp-mappings-page.h"
#include "fp-stat.h"
#include "fp-table-view.h"
#include "widget-probe.h"

#define ROUNDS     7
#define STALL_MS   50
#define PATIENCE_S 60

typedef struct
{
  const char *proc_path;
  FpProcessId id;
  GtkWidget *window;
  FpMappingsPage *page;
  FpTableView *view;
} Bench;

typedef void (*Action) (Bench *self, gconstpointer data);

typedef struct
{
  Bench *bench;
  Action act;
  gconstpointer data;
} Step;

static void
read_bare (const char *proc_path,
           gint pid)
{
  g_autofree char *path = g_strdup_printf ("%s/%d/smaps", proc_path, pid);
  char text[32768];
  int fd = open (path, O_RDONLY | O_CLOEXEC);

  while (read (fd, text, sizeof text) > 0)
    ;
  close (fd);
}

static void
measure_reading (FpProcessId id)
{
  double ratios[ROUNDS], size = 0;
  FpProcDir proc;

  fp_proc_dir_open (&proc, "/proc", NULL);
  for (guint i = 0; i < ROUNDS; i++)
    {
      double start = bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID), bare;
      g_autoptr (FpMappings) mappings = NULL;

      read_bare ("/proc", id.pid);
      bare = bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID) - start;
      start = bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID);
      mappings = fp_mappings_read (&proc, &id, NULL, NULL, NULL);
      ratios[i] = (bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID) - start) / bare;
      size = (double)fp_mappings_get_size (mappings) / fp_mappings_get_n (mappings);
    }
  fp_proc_dir_close (&proc);
  bench_report ("read and parsed, CPU / bare read", bench_median (ratios, ROUNDS), 1.15, "");
  bench_report ("in memory, a mapping", size, 100, "B");
}

static gboolean
is_shown (const Bench *self)
{
  GtkStack *stack = GTK_STACK (gtk_widget_get_template_child (GTK_WIDGET (self->page), FP_TYPE_MAPPINGS_PAGE, "stack"));

  return g_strcmp0 (gtk_stack_get_visible_child_name (stack), "table") == 0 &&
         fp_rows_get_n (fp_table_get_rows (fp_table_view_get_table (self->view))) > 0;
}

/* Nothing is shown, then this process: it is read for the first time. */
static void
choose (Bench *self)
{
  FpSnapshotPool *pool = fp_snapshot_pool_new ();
  FpSnapshot *snapshot = fp_snapshot_pool_take (pool, 1);
  FpStringBlock *strings = fp_string_block_new (1);
  FpRecords *none = fp_mapping_records_new (fp_mapping_scanner_finish (fp_mapping_scanner_new ()));
  FpFormat format = { .style = FP_STYLE_IEC };
  FpRecords *records;

  snapshot->processes[0] = (FpProcess){ .pid = self->id.pid, .start_ticks = self->id.start_ticks, .cost_us = 1 };
  snapshot->n_processes = 1;
  snapshot->strings = strings;
  records = fp_process_records_new (snapshot, NULL);
  fp_mappings_page_show (self->page, none, 0, &format);
  fp_mappings_page_show (self->page, records, 0, &format);
  fp_records_unref (records);
  fp_records_unref (none);
  fp_snapshot_unref (snapshot);
  fp_snapshot_pool_unref (pool);
}

/* All threads' CPU time from the choice to the frame that shows the table, less that of a bare read. */
static void
measure_loading (Bench *self)
{
  double costs[ROUNDS], stall_ms, stall_cpu_ms;
  BenchWatchdog *watchdog;

  for (guint i = 0; i < ROUNDS; i++)
    {
      gint64 patience = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;
      double start = bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID), bare;

      read_bare (self->proc_path, self->id.pid);
      bare = bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID) - start;
      start = bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID);
      choose (self);
      while (!is_shown (self) && g_get_monotonic_time () < patience)
        g_main_context_iteration (NULL, TRUE);
      if (!is_shown (self))
        g_error ("the mappings were not shown");
      widget_probe_await_frame (self->window);
      costs[i] = bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID) - start - bare;
      widget_probe_settle (300);
    }
  bench_report ("from the choice to the table, beyond a bare read", bench_median (costs, ROUNDS), 100, "ms");

  watchdog = bench_watchdog_new ();
  choose (self);
  while (!is_shown (self))
    g_main_context_iteration (NULL, TRUE);
  widget_probe_settle (300);
  bench_watchdog_stop (watchdog, &stall_ms, &stall_cpu_ms);
  bench_report ("longest stall of it", stall_cpu_ms, STALL_MS, "ms");
}

static gboolean
step_cb (gpointer data)
{
  Step *step = data;

  step->act (step->bench, step->data);
  return G_SOURCE_REMOVE;
}

/* The longest stall of the main loop, in CPU time of its thread, which no other load adds to. */
static void
measure_action (Bench *self,
                const char *what,
                Action act,
                gconstpointer data)
{
  Step step = { self, act, data };
  double stall_ms, stall_cpu_ms, longest = 0;

  for (guint i = 0; i < 3; i++)
    {
      BenchWatchdog *watchdog = bench_watchdog_new ();

      g_idle_add (step_cb, &step);
      widget_probe_settle (500);
      bench_watchdog_stop (watchdog, &stall_ms, &stall_cpu_ms);
      longest = MAX (longest, stall_cpu_ms);
      widget_probe_await_frame (self->window);
    }
  bench_report (what, longest, STALL_MS, "ms");
}

static GObject *
get_part (Bench *self,
          const char *name)
{
  return gtk_widget_get_template_child (GTK_WIDGET (self->page), FP_TYPE_MAPPINGS_PAGE, name);
}

/* Anew also where it is chosen already */
static void
choose_in (Bench *self,
           const char *part,
           gconstpointer data)
{
  GtkDropDown *choice = GTK_DROP_DOWN (get_part (self, part));

  if (gtk_drop_down_get_selected (choice) == GPOINTER_TO_UINT (data))
    g_object_notify (G_OBJECT (choice), "selected");
  gtk_drop_down_set_selected (choice, GPOINTER_TO_UINT (data));
}

static void
fold (Bench *self,
      gconstpointer data)
{
  choose_in (self, "fold", data);
}

static void
take_set (Bench *self,
          gconstpointer data)
{
  choose_in (self, "set", data);
}

static void
sort (Bench *self,
      gconstpointer data)
{
  gboolean is_descending;
  const FpColumn *column = fp_table_columns_get_sort (fp_table_view_get_columns (self->view), &is_descending);

  fp_table_view_set_sort (self->view, data, g_str_equal (column->id, data) && !is_descending);
  g_signal_emit_by_name (self->view, "sort-changed");
}

static void
search (Bench *self,
        gconstpointer data)
{
  gtk_editable_set_text (GTK_EDITABLE (get_part (self, "search")), data);
}

static gboolean
scroll_cb (gpointer data)
{
  GtkAdjustment *adjustment = data;
  double page = gtk_adjustment_get_page_size (adjustment);
  double value = gtk_adjustment_get_value (adjustment) + page * 7.3;

  gtk_adjustment_set_value (adjustment, value + page > gtk_adjustment_get_upper (adjustment) ? 0 : value);
  return G_SOURCE_REMOVE;
}

/* Seven pages at once, 30 times a second. */
static void
scroll (Bench *self,
        gconstpointer data)
{
  GtkScrolledWindow *scroller = GTK_SCROLLED_WINDOW (gtk_widget_get_first_child (GTK_WIDGET (self->view)));

  for (guint i = 0; i < 12; i++)
    g_timeout_add (33 * i, scroll_cb, gtk_scrolled_window_get_vadjustment (scroller));
}

static void
activate (Bench *self,
          gconstpointer data)
{
  gtk_widget_activate_action (GTK_WIDGET (self->page), data, NULL);
}

static void
expand_first (Bench *self,
              gconstpointer data)
{
  FpTable *table = fp_table_view_get_table (self->view);
  guint first = 1; /* below the total */

  fp_table_set_expanded (table, first, !fp_rows_get (fp_table_get_rows (table), first)->is_expanded);
}

static void
measure_actions (Bench *self)
{
  static const char *const columns[] = { "range", "size", "pss", "permissions", "device", "kind", "file", "flags", "mapping" };

  /* GTK itself makes or destroys 200 rows of widgets at once where few rows become many, or many few. */
  g_print ("  longest stalls of the main loop:\n");
  measure_action (self, "by kind", fold, GUINT_TO_POINTER (0));
  measure_action (self, "a group opened and closed", expand_first, NULL);
  measure_action (self, "by file", fold, GUINT_TO_POINTER (1));
  measure_action (self, "searched by file", search, "1");
  search (self, "");
  widget_probe_settle (300);
  measure_action (self, "all", fold, GUINT_TO_POINTER (2));
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      g_autofree char *what = g_strdup_printf ("sorted by %s", columns[i]);

      measure_action (self, what, sort, columns[i]);
    }
  for (guint i = 0; i < FP_N_MAPPING_SETS; i++)
    {
      g_autofree char *what = g_strdup_printf ("columns: %s", fp_mapping_sets[i].id);

      measure_action (self, what, take_set, GUINT_TO_POINTER (i));
      for (const char *const *id = fp_mapping_sets[i].columns; *id; id++)
        if (!fp_table_columns_is_shown (fp_table_view_get_columns (self->view), *id))
          g_error ("%s has no column %s", what, *id);
    }
  take_set (self, GUINT_TO_POINTER (0));
  widget_probe_settle (500);
  measure_action (self, "scrolled", scroll, NULL);
  measure_action (self, "searched for a figure", search, "pss>0");
  measure_action (self, "searched for a word", search, "library-1");
  measure_action (self, "searched for what is not there", search, "nothing-like-it");
  measure_action (self, "search cleared", search, "");
  measure_action (self, "copied", activate, "mappings.copy");
  measure_action (self, "marked and unmarked", activate, "mappings.mark");
  measure_action (self, "changes copied", activate, "mappings.copy");
  measure_action (self, "read again", activate, "mappings.refresh");
}

static GtkWidget *
find_view (Bench *self)
{
  return gtk_widget_get_first_child (GTK_WIDGET (get_part (self, "table_box")));
}

static void
run (const char *proc_path,
     FpProcessId id)
{
  Bench self = { .proc_path = proc_path, .id = id };
  g_autoptr (FpSource) source = fp_local_source_new (proc_path);

  self.window = adw_window_new ();
  self.page = g_object_new (FP_TYPE_MAPPINGS_PAGE, NULL);
  self.view = FP_TABLE_VIEW (find_view (&self));
  fp_mappings_page_set_source (self.page, source);
  gtk_window_set_default_size (GTK_WINDOW (self.window), 700, 890);
  adw_window_set_content (ADW_WINDOW (self.window), GTK_WIDGET (self.page));
  gtk_window_present (GTK_WINDOW (self.window));
  widget_probe_await_frame (self.window);
  widget_probe_settle (500);
  measure_loading (&self);
  measure_actions (&self);
  gtk_window_destroy (GTK_WINDOW (self.window));
}

/* Every third is of a file of its own, every third has one of 1,000 names. */
static char *
rename_all (const char *smaps)
{
  GString *text = g_string_new (NULL);
  guint i = 0;

  while (*smaps)
    {
      const char *end = strchr (smaps, '\n');

      g_string_append_len (text, smaps, end - smaps);
      if (g_ascii_isxdigit (*smaps) && !g_ascii_isupper (*smaps) && end[-1] == ' ')
        {
          if (i % 3 == 0)
            g_string_append_printf (text, "/usr/lib/x86_64-linux-gnu/some-program/plugins/library-%u.so.0", i);
          else if (i % 3 == 1)
            g_string_append_printf (text, "[anon:arena %u]", i % 1000);
          i++;
        }
      g_string_append_c (text, '\n');
      smaps = end + 1;
    }
  return g_string_free (text, FALSE);
}

/* A /proc with one process, that has the mappings of another by other names. */
static void
run_renamed (FpProcessId id)
{
  g_autofree char *folder = g_dir_make_tmp ("footprint-bench-XXXXXX", NULL);
  g_autofree char *process = g_strdup_printf ("%s/%d", folder, id.pid);
  static const char *const files[] = { "stat", "smaps" };

  g_mkdir (process, 0700);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *from = g_strdup_printf ("/proc/%d/%s", id.pid, files[i]);
      g_autofree char *to = g_build_filename (process, files[i], NULL);
      g_autofree char *text = NULL, *renamed = NULL;

      if (!g_file_get_contents (from, &text, NULL, NULL))
        g_error ("%s can't be read", from);
      renamed = i == 1 ? rename_all (text) : g_steal_pointer (&text);
      g_file_set_contents (to, renamed, -1, NULL);
    }
  run (folder, id);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *file = g_build_filename (process, files[i], NULL);

      g_unlink (file);
    }
  g_rmdir (process);
  g_rmdir (folder);
}

static FpProcessId
identify (gint pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid), *text = NULL;
  gsize length;
  FpStat stat;

  if (!g_file_get_contents (path, &text, &length, NULL) || !fp_stat_parse (&stat, text, length))
    g_error ("process %d is not there", pid);
  return (FpProcessId){ pid, stat.start_ticks };
}

int
main (int argc,
      char *argv[])
{
  BenchChild child;
  FpProcessId id;

  setvbuf (stdout, NULL, _IOLBF, 0);
  adw_init ();
  bench_child_start (&child, "../workloads/footprint-workload vmas 60000");
  id = identify (child.first_pid);
  g_print ("60,000 mappings of a process\n");
  measure_reading (id);
  run ("/proc", id);
  g_print ("The same from a file, with 20,000 files and 1,000 names among them\n");
  run_renamed (id);
  bench_child_stop (&child);
  return 0;
}
