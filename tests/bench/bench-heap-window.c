// SPDX-License-Identifier: GPL-3.0-or-later
/* The view of a heap profile of 23,240 stacks: how long it keeps the main loop while it is opened, how soon another moment is
 * there, and how long a new frame of its flame graph takes with more than 3,000 functions in it. */
#include <adwaita.h>
#include <glib/gstdio.h>

#include "bench-loop.h"
#include "bench-median.h"
#include "fp-flame-graph.h"
#include "fp-flame-layout.h"
#include "fp-heap-chart.h"
#include "fp-heap-page.h"
#include "widget-probe.h"

#define N_SMALL  20000
#define N_STAMPS 250
#define N_ROUNDS 30
#define WIDTH    1200
#define HEIGHT   900

static guint
add_trace (GString *text,
           guint *n,
           guint parent)
{
  g_autofree char *name = g_strdup_printf ("a_function_with_a_name_%u", ++*n);

  g_string_append_printf (text, "s %x %s\ni %x 1 %x\nt %x %x\na %x %x\n", (guint)strlen (name), name, 0x1000 + *n, *n + 1, *n, parent,
                          *n > 3240 ? 8u : 1024u, *n);
  return *n;
}

/* 40 functions that call 5 each, which call 5 each, which call two more levels: the innermost allocate as much as each other,
 * and 20,000 others next to nothing. */
static char *
write_profile (void)
{
  g_autoptr (GString) text = g_string_new ("v 10400 3\nX ./wide\nI 1000 5e27ec\ns 8 /bin/wide\n");
  g_autoptr (GArray) leaves = g_array_new (FALSE, FALSE, sizeof (guint));
  char *path = NULL;
  guint n = 0;
  int fd;

  for (guint i = 0; i < 40; i++)
    for (guint j = 0, outer = add_trace (text, &n, 0); j < 5; j++)
      for (guint k = 0, middle = add_trace (text, &n, outer); k < 5; k++)
        {
          guint leaf = add_trace (text, &n, add_trace (text, &n, add_trace (text, &n, middle)));

          g_array_append_val (leaves, leaf);
        }
  for (guint i = 0; i < N_SMALL; i++)
    add_trace (text, &n, g_array_index (leaves, guint, i % leaves->len));
  for (guint stamp = 1; stamp <= N_STAMPS; stamp++)
    {
      for (guint i = stamp; i < n; i += N_STAMPS)
        g_string_append_printf (text, "+ %x\n", i);
      for (guint i = 0; i < leaves->len; i++)
        g_string_append_printf (text, "+ %x\n", g_array_index (leaves, guint, i) - 1);
      g_string_append_printf (text, "c %x\n", stamp * 10);
    }
  g_string_append_printf (text, "# strings: %x\n# ips: %x\n", n + 1, n);
  fd = g_file_open_tmp ("footprint-bench-XXXXXX", &path, NULL);
  g_assert_true (g_close (fd, NULL) && g_file_set_contents (path, text->str, (gssize)text->len, NULL));
  return path;
}

typedef struct
{
  FpHeapScene *scene;
  gboolean is_there;
} Answer;

static void
scene_cb (GObject *source,
          GAsyncResult *result,
          gpointer data)
{
  Answer *answer = data;

  answer->scene = fp_heap_scene_finish (result, NULL);
  answer->is_there = TRUE;
}

static void
progress_cb (guint64 position,
             guint64 whole,
             gpointer data)
{
}

static FpHeapScene *
read_scene (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Answer answer = { 0 };

  fp_heap_scene_read_async (file, FP_STYLE_IEC, progress_cb, cancellable, scene_cb, &answer);
  while (!answer.is_there)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (answer.scene);
  return answer.scene;
}

/* In CPU time of all threads, whatever else the machine does */
static double
measure_move (FpHeapScene *from,
              guint64 time_ms,
              gboolean has_steps)
{
  const FpHeapWish wish = {
    .span = { FP_HEAP_NO_RANGE, time_ms }, .mark_ms = FP_HEAP_NO_MARK, .style = FP_STYLE_IEC, .has_steps = has_steps
  };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  double start = bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID);
  Answer answer = { 0 };

  fp_heap_scene_move_async (from, &wish, cancellable, scene_cb, &answer);
  while (!answer.is_there)
    g_main_context_iteration (NULL, TRUE);
  fp_heap_scene_unref (answer.scene);
  return bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID) - start;
}

static void
bench_page (GtkWidget *window,
            FpHeapScene *scene)
{
  FpHeapPage *page = g_object_new (FP_TYPE_HEAP_PAGE, NULL);
  GtkWidget *chart;
  double moves[N_ROUNDS], trees[N_ROUNDS], start = bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID), first, shown;

  adw_window_set_content (ADW_WINDOW (window), GTK_WIDGET (page));
  fp_heap_page_show (page, scene);
  first = bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID) - start;
  shown = bench_loop_run (1500);
  bench_report ("shown for the first time", MAX (first, shown), 50, "ms");
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      moves[i] = measure_move (scene, i * 80, FALSE);
      trees[i] = measure_move (scene, i * 80, TRUE);
    }
  chart = widget_probe_find (GTK_WIDGET (page), FP_TYPE_HEAP_CHART);
  g_signal_emit_by_name (chart, "span-chosen", FP_HEAP_NO_RANGE, (guint64)1000);
  shown = bench_loop_run (1500);
  bench_report ("another moment: longest turn of the main loop", shown, 50, "ms");
  bench_report ("another moment: made and shown", bench_median (moves, N_ROUNDS) + shown, 100, "ms");
  bench_report ("another moment: made with its tree", bench_median (trees, N_ROUNDS), 100, "ms");
}

static void
bench_graph (GtkWidget *window,
             FpHeapScene *scene)
{
  const FpHeapChoice choice = { .cost = FP_HEAP_PEAK, .title = "", .style = FP_STYLE_IEC };
  FpFlameGraph *graph = g_object_new (FP_TYPE_FLAME_GRAPH, NULL);
  g_autofree guint64 *sums = fp_heap_tree_sum (scene->excerpt.tree, scene->excerpt.stacks, FP_HEAP_PEAK);
  g_autoptr (GArray) frames = fp_flame_layout_new (scene->excerpt.tree, sums, 0, WIDTH);
  double times[N_ROUNDS];

  g_print ("%u functions in the graph\n", frames->len);
  adw_window_set_content (ADW_WINDOW (window), GTK_WIDGET (graph));
  widget_probe_await_frame (window);
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      double start = bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID);

      fp_flame_graph_show (graph, &scene->excerpt, &choice);
      widget_probe_await_frame (window);
      times[i] = bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID) - start;
    }
  bench_report ("flame graph: a frame with everything new", bench_median (times, N_ROUNDS), 20, "ms");
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      double start = bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID);

      gtk_widget_queue_draw (GTK_WIDGET (graph));
      widget_probe_await_frame (window);
      times[i] = bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID) - start;
    }
  bench_report ("flame graph: a frame with the same functions", bench_median (times, N_ROUNDS), 20, "ms");
}

int
main (int argc,
      char *argv[])
{
  g_autofree char *path = write_profile ();
  FpHeapScene *scene;
  GtkWidget *window;

  adw_init ();
  scene = read_scene (path);
  window = g_object_new (ADW_TYPE_WINDOW, "default-width", WIDTH, "default-height", HEIGHT, NULL);
  gtk_window_present (GTK_WINDOW (window));
  bench_loop_run (300);
  bench_page (window, scene);
  bench_graph (window, scene);
  gtk_window_destroy (GTK_WINDOW (window));
  fp_heap_scene_unref (scene);
  g_remove (path);
  return 0;
}
