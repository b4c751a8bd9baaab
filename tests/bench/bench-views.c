// SPDX-License-Identifier: GPL-3.0-or-later
/* How long the window stalls when a view of N processes is shown for the first time: each view in a process of its own, as
 * the first one pays for what all have in common. The view of files is in bench-files-window, with files of its own. */
#include <adwaita.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench-loop.h"
#include "fp-local-source.h"
#include "fp-views.h"
#include "widget-probe.h"

#define STALL_MS 50
#define MIB      (G_GUINT64_CONSTANT (1) << 20)

static FpSnapshot *
make_snapshot (guint n)
{
  FpSnapshotPool *pool = fp_snapshot_pool_new ();
  FpSnapshot *snapshot = fp_snapshot_pool_take (pool, n);
  FpStrings strings;

  fp_strings_init (&strings, 64 * 1024);
  snapshot->info = (FpSnapshotInfo){ .boottime_us = G_USEC_PER_SEC, .page_size = 4096, .ticks_per_second = 100 };
  snapshot->system = (FpSystem){ 0 };
  fp_system_set (&snapshot->system, FP_SYSTEM_MEM_TOTAL, n * 40 * MIB);
  fp_system_set (&snapshot->system, FP_SYSTEM_SWAP_TOTAL, n * 10 * MIB);
  fp_system_set (&snapshot->system, FP_SYSTEM_SWAP_FREE, n * 5 * MIB);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *program = g_strdup_printf ("program-%u", i % 300), *user = g_strdup_printf ("user%u", i % 50);
      guint64 pss = (i * 7919 % n + 1) * MIB / 32;

      snapshot->processes[i] = (FpProcess){ .pid = (gint)i + 2, .ppid = 1, .start_ticks = i + 1, .state = 'S', .uid = 1000 + i % 50 };
      snapshot->processes[i].texts[FP_TEXT_PROGRAM] = fp_strings_intern (&strings, program);
      snapshot->processes[i].texts[FP_TEXT_USER] = fp_strings_intern (&strings, user);
      snapshot->processes[i].texts[FP_TEXT_COMMAND] = fp_strings_intern (&strings, program);
      fp_memory_set (&snapshot->processes[i].memory, FP_FIELD_PSS, pss);
      fp_memory_set (&snapshot->processes[i].memory, FP_FIELD_RSS, pss + pss / 3);
      fp_memory_set (&snapshot->processes[i].memory, FP_FIELD_USS, pss / 2);
      fp_memory_set (&snapshot->processes[i].memory, FP_FIELD_SWAP_PSS, pss / 16);
    }
  snapshot->n_processes = n;
  snapshot->strings = fp_string_block_ref (strings.block);
  fp_strings_clear (&strings);
  fp_snapshot_pool_unref (pool);
  return snapshot;
}

/* All of it is in the idle loop, as a click is. */
static gboolean
show_cb (gpointer page)
{
  GtkStack *stack = GTK_STACK (gtk_widget_get_parent (page));

  gtk_stack_set_visible_child (stack, page);
  fp_view_set_shown (page, TRUE);
  return G_SOURCE_REMOVE;
}

static void
measure (const FpViewInfo *info,
         guint n)
{
  g_autofree char *what = g_strdup_printf ("longest stall, %s shown for the first time", info->id);
  g_autofree char *whole = g_strdup_printf ("all work, %s shown for the first time", info->id);
  g_autoptr (FpSource) source = fp_local_source_new ("/proc");
  FpSnapshot *snapshot = make_snapshot (n);
  GtkWidget *window, *stack = gtk_stack_new ();
  double start;
  FpSession *session;
  FpView *page;

  window = adw_window_new ();
  session = fp_session_new (GTK_WINDOW (window), source);
  page = fp_view_new (info, session);
  gtk_stack_add_child (GTK_STACK (stack), gtk_label_new ("Nothing"));
  gtk_stack_add_child (GTK_STACK (stack), GTK_WIDGET (page));
  gtk_window_set_default_size (GTK_WINDOW (window), 1390, 890);
  adw_window_set_content (ADW_WINDOW (window), stack);
  gtk_window_present (GTK_WINDOW (window));
  widget_probe_await_frame (window);
  fp_session_take (session, snapshot);
  widget_probe_settle (500);
  start = bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID);
  g_idle_add (show_cb, page);
  bench_report (what, bench_loop_run (1500), STALL_MS, "ms");
  g_print ("    %s: %.1f ms with the frames of 1.5 s\n", whole, bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID) - start);
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (session);
  fp_snapshot_unref (snapshot);
}

/* N: how many processes */
int
main (int argc,
      char *argv[])
{
  guint n = argc > 1 ? (guint)atoi (argv[1]) : 1000;
  int status;

  setvbuf (stdout, NULL, _IOLBF, 0);
  for (guint i = 0; i < fp_n_views; i++)
    {
      pid_t child;

      if (fp_views[i].requires & FP_REQUEST_BIT (FP_REQUEST_MAPPED_FILES))
        continue;
      child = fork ();
      if (child == 0)
        {
          adw_init ();
          measure (&fp_views[i], n);
          _exit (0);
        }
      if (child < 0 || waitpid (child, &status, 0) != child || status != 0)
        g_error ("it ended early");
    }
  return 0;
}
