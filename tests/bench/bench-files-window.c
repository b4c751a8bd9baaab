// SPDX-License-Identifier: GPL-3.0-or-later
/* The files of 1,000 processes with 300,000 mappings in the window: how long it stalls while they come, and when a file that
 * all processes map is opened; and how much memory the sum takes. No such processes are started: their texts are files. */
#include <adwaita.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench-loop.h"
#include "bench-watchdog.h"
#include "fp-list-page.h"
#include "fp-local-source.h"
#include "fp-mapped-reader.h"
#include "fp-mapped-records.h"
#include "fp-table-view.h"
#include "fp-views.h"
#include "widget-probe.h"

#define N_PROCESSES 1000
#define N_MAPPINGS  300 /* of each */
#define N_TEXTS     50  /* that differ */
#define N_LIBRARIES 4000
#define PARTS       4 /* mappings of a library */
#define STALL_MS    50
#define FIRST_MS    500 /* as in bench-window */
#define MEMORY_MIB  64
#define ROUNDS      5
#define START       7100
#define PATIENCE_S  120
#define MIB         1048576.0

static const char figures[] =
    "Size:                128 kB\nKernelPageSize:        4 kB\nMMUPageSize:           4 kB\nRss:                 124 kB\nPss:                   7 kB\n"
    "Pss_Dirty:             4 kB\nShared_Clean:        100 kB\nShared_Dirty:          0 kB\nPrivate_Clean:         8 kB\nPrivate_Dirty:        16 kB\n"
    "Referenced:          124 kB\nAnonymous:            16 kB\nKSM:                   0 kB\nLazyFree:              0 kB\nAnonHugePages:         0 kB\n"
    "ShmemPmdMapped:        0 kB\nFilePmdMapped:         0 kB\nShared_Hugetlb:        0 kB\nPrivate_Hugetlb:       0 kB\nSwap:                  0 kB\n"
    "SwapPss:               0 kB\nLocked:                0 kB\nTHPeligible:           0\nVmFlags: rd ex mr mw me \n";

typedef struct
{
  char *folder;
  GtkWidget *window;
  GtkStack *stack; /* with an empty page first, as the view is chosen in a window that is there */
  FpSession *session;
  FpView *page;
} Bench;

static void
write_file (const Bench *self,
            const char *name,
            const char *text)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);
  g_autoptr (GError) error = NULL;

  if (!g_file_set_contents (path, text, -1, &error))
    g_error ("%s", error->message);
}

/* The first library is everybody's; the others are by turns. */
static void
write_text (const Bench *self,
            guint number)
{
  static const char *const permissions[PARTS] = { "r--p", "r-xp", "r--p", "rw-p" };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *name = g_strdup_printf ("smaps-%u", number);

  for (guint i = 0; i < N_MAPPINGS; i++)
    {
      guint library = i < PARTS ? 0 : (number * N_MAPPINGS + i) / PARTS % N_LIBRARIES;
      guint64 start = G_GUINT64_CONSTANT (0x7f0000000000) + (guint64)i * 0x40000;

      g_string_append_printf (text, "%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x %s %08x 08:01 %u   /usr/lib/x86_64-linux-gnu/libexample-%u.so.1.2.3\n%s",
                              start, start + 0x20000, permissions[i % PARTS], i % PARTS * 0x20000, library + 100, library, figures);
    }
  write_file (self, name, text->str);
}

static void
write_processes (Bench *self)
{
  g_autoptr (GError) error = NULL;

  self->folder = g_dir_make_tmp ("footprint-bench-XXXXXX", &error);
  if (!self->folder)
    g_error ("%s", error->message);
  for (guint i = 0; i < N_TEXTS; i++)
    write_text (self, i);
  for (guint pid = 1; pid <= N_PROCESSES; pid++)
    {
      g_autofree char *process = g_strdup_printf ("%s/%u", self->folder, pid), *smaps = g_build_filename (process, "smaps", NULL);
      g_autofree char *stat_name = g_strdup_printf ("%u/stat", pid), *target = g_strdup_printf ("../smaps-%u", pid % N_TEXTS);
      g_autofree char *stat = g_strdup_printf (
          "%u (x) S 1 1 1 0 -1 0 1 0 1 0 1 1 0 0 20 0 2 0 %d 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 1 1 1 1 0\n", pid, START);

      if (g_mkdir (process, 0700) != 0 || symlink (target, smaps) != 0)
        g_error ("%s can't be made", process);
      write_file (self, stat_name, stat);
    }
}

static void
remove_processes (Bench *self)
{
  for (guint pid = 1; pid <= N_PROCESSES; pid++)
    for (const char *const *name = (const char *const[]){ "/smaps", "/stat", "", NULL }; *name; name++)
      {
        g_autofree char *path = g_strdup_printf ("%s/%u%s", self->folder, pid, *name);

        g_remove (path);
      }
  for (guint i = 0; i < N_TEXTS; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/smaps-%u", self->folder, i);

      g_remove (path);
    }
  g_rmdir (self->folder);
  g_clear_pointer (&self->folder, g_free);
}

/* Before there is a window, so that nothing else grows */
static void
measure_memory (const Bench *self)
{
  double before = bench_read_status_mib ("VmRSS:");
  g_autofree FpMappedProcess *processes = g_new0 (FpMappedProcess, N_PROCESSES);
  g_autoptr (FpMappedFiles) files = NULL;
  g_auto (FpProcDir) proc = { .fd = -1 };
  guint n = 0;

  for (guint i = 0; i < N_PROCESSES; i++)
    processes[i] = (FpMappedProcess){ { (gint)i + 1, START }, i % 20, 0 };
  if (!fp_proc_dir_open (&proc, self->folder, NULL))
    g_error ("%s can't be read", self->folder);
  files = fp_mapped_files_read (&proc, processes, N_PROCESSES, NULL, NULL, NULL, NULL);
  for (guint i = 0; i < files->files->len; i++)
    n += fp_mapped_files_get (files, i)->n_mappings;
  g_print ("%u processes with %u mappings of %u files, %u holders\n", files->n_read, n, files->files->len, files->n_holders);
  if (n != N_PROCESSES * N_MAPPINGS)
    g_error ("there are too few mappings");
  bench_report ("memory of adding them up", bench_read_status_mib ("VmHWM:") - before, MEMORY_MIB, "MiB");
}

static FpSnapshot *
make_snapshot (void)
{
  FpSnapshotPool *pool = fp_snapshot_pool_new ();
  FpSnapshot *snapshot = fp_snapshot_pool_take (pool, N_PROCESSES);
  FpStrings strings;

  fp_strings_init (&strings, 64 * 1024);
  snapshot->info = (FpSnapshotInfo){ .boottime_us = G_USEC_PER_SEC, .page_size = 4096, .ticks_per_second = 100 };
  snapshot->system = (FpSystem){ 0 };
  fp_system_set (&snapshot->system, FP_SYSTEM_MEM_TOTAL, (guint64)(16384 * MIB));
  for (guint i = 0; i < N_PROCESSES; i++)
    {
      g_autofree char *program = g_strdup_printf ("program-%u", i % 300);

      snapshot->processes[i] = (FpProcess){ .pid = (gint)i + 1, .ppid = 1, .start_ticks = START, .state = 'S', .uid = i % 20 };
      snapshot->processes[i].texts[FP_TEXT_PROGRAM] = fp_strings_intern (&strings, program);
      fp_memory_set (&snapshot->processes[i].memory, FP_FIELD_PSS, (guint64)MIB);
    }
  snapshot->n_processes = N_PROCESSES;
  snapshot->strings = fp_string_block_ref (strings.block);
  fp_strings_clear (&strings);
  fp_snapshot_pool_unref (pool);
  return snapshot;
}

static const FpFilesState *
get_files (Bench *self)
{
  return fp_files_reader_get (fp_session_get (self->session)->files);
}

static gboolean
is_read (Bench *self)
{
  return get_files (self)->records && !get_files (self)->is_reading;
}

static void
await (Bench *self)
{
  gint64 end = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;

  while (!is_read (self) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  if (!is_read (self))
    g_error ("the files were not read: %s", get_files (self)->problem);
  widget_probe_settle (300);
}

static void
count_cb (guint *n)
{
  (*n)++;
}

static gboolean
show_cb (gpointer data)
{
  Bench *self = data;

  gtk_stack_set_visible_child (self->stack, GTK_WIDGET (self->page));
  fp_view_set_shown (self->page, TRUE);
  return G_SOURCE_REMOVE;
}

/* In CPU time of its thread, which no other load adds to */
static void
measure_first (Bench *self)
{
  double start = bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID), longest = 0;

  g_idle_add (show_cb, self);
  for (guint i = 0; i < PATIENCE_S * 10 && !is_read (self); i++)
    longest = MAX (longest, bench_loop_run (100));
  longest = MAX (longest, bench_loop_run (500));
  await (self);
  bench_report ("the view shown for the first time, with its rows of widgets", bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID) - start, FIRST_MS, "ms");
  bench_report ("longest stall meanwhile", longest, STALL_MS, "ms");
}

/* The longest stall of the main loop, in CPU time as well */
static void
measure_reading (Bench *self)
{
  double stall_ms, stall_cpu_ms, longest = 0;
  guint n_signs = 0;

  g_signal_connect_swapped (fp_session_get (self->session)->files, "progress", G_CALLBACK (count_cb), &n_signs);
  for (guint i = 0; i < ROUNDS; i++)
    {
      BenchWatchdog *watchdog = bench_watchdog_new ();

      fp_view_read_again (self->page);
      await (self);
      bench_watchdog_stop (watchdog, &stall_ms, &stall_cpu_ms);
      longest = MAX (longest, stall_cpu_ms);
    }
  g_signal_handlers_disconnect_by_func (fp_session_get (self->session)->files, count_cb, &n_signs);
  bench_report ("longest stall while the files come", longest, STALL_MS, "ms");
  g_print ("    in %u readings with %u signs of progress\n", (guint)ROUNDS, n_signs);
}

static gboolean
open_cb (gpointer data)
{
  Bench *self = data;
  FpTableView *view = FP_TABLE_VIEW (widget_probe_find (GTK_WIDGET (self->page), FP_TYPE_TABLE_VIEW));
  FpTable *table = fp_table_view_get_table (view);
  FpRows *rows = fp_table_get_rows (table);
  const FpRecords *records = fp_rows_get_records (rows, FP_ROW_RECORD);

  for (guint i = 0; i < fp_rows_get_n (rows); i++)
    if (fp_rows_get (rows, i)->kind == FP_ROW_RECORD &&
        fp_mapped_records_get (records, fp_rows_get (rows, i)->index)->n_processes == N_PROCESSES)
      {
        fp_table_set_expanded (table, i, !fp_rows_get (rows, i)->is_expanded);
        fp_view_refresh (self->page);
        return G_SOURCE_REMOVE;
      }
  g_error ("no file is of all processes");
}

static void
measure_open (Bench *self,
              const char *what)
{
  double stall_ms, stall_cpu_ms;
  BenchWatchdog *watchdog = bench_watchdog_new ();

  g_idle_add (open_cb, self);
  widget_probe_settle (500);
  bench_watchdog_stop (watchdog, &stall_ms, &stall_cpu_ms);
  bench_report (what, stall_cpu_ms, STALL_MS, "ms");
}

static void
open_window (Bench *self)
{
  g_autoptr (FpSource) source = fp_local_source_new (self->folder);

  self->window = adw_window_new ();
  self->session = fp_session_new (GTK_WINDOW (self->window), source);
  self->page = FP_VIEW (fp_view_new (fp_views_find ("files"), self->session));
  gtk_window_set_default_size (GTK_WINDOW (self->window), 1390, 890);
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_child (self->stack, gtk_label_new ("Files"));
  gtk_stack_add_child (self->stack, GTK_WIDGET (self->page));
  adw_window_set_content (ADW_WINDOW (self->window), GTK_WIDGET (self->stack));
  gtk_window_present (GTK_WINDOW (self->window));
  widget_probe_await_frame (self->window);
  widget_probe_settle (500);
}

int
main (int argc,
      char *argv[])
{
  Bench self = { 0 };
  FpSnapshot *snapshot = make_snapshot ();

  setvbuf (stdout, NULL, _IOLBF, 0);
  write_processes (&self);
  measure_memory (&self);
  adw_init ();
  open_window (&self);
  fp_session_take (self.session, snapshot);
  widget_probe_settle (500);
  measure_first (&self);
  measure_reading (&self);
  measure_open (&self, "a file of all processes opened");
  measure_open (&self, "and closed");
  gtk_window_destroy (GTK_WINDOW (self.window));
  g_object_unref (self.session);
  fp_snapshot_unref (snapshot);
  remove_processes (&self);
  return 0;
}
