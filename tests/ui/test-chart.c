// SPDX-License-Identifier: GPL-3.0-or-later
/* The drawing of a history, and its words. */
#include <adwaita.h>
#include <string.h>

#include "fp-chart.h"
#include "widget-probe.h"

#define PATIENCE (10 * G_USEC_PER_SEC)
#define WIDTH    300
#define SECOND   G_GUINT64_CONSTANT (1000000)
#define MIB      1024 /* in KiB */

typedef struct
{
  GtkWidget *window;
  FpChart *chart;
  GArray *points;
  FpMachineMoment mark; /* all zero: there is none */
  guint32 *pixels;
  int width, height;
  guint64 swap_total;
} Fixture;

static void
set_up (Fixture *self,
        gconstpointer data)
{
  self->window = adw_window_new ();
  self->chart = g_object_new (FP_TYPE_CHART, "width-request", WIDTH, NULL);
  self->points = g_array_new (FALSE, TRUE, sizeof (FpHistoryPoint));
  adw_window_set_content (ADW_WINDOW (self->window), GTK_WIDGET (self->chart));
  gtk_window_present (GTK_WINDOW (self->window));
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (self->window));
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_array_unref (self->points);
  g_free (self->pixels);
}

/* A point a second, with nothing but memory known */
static void
add_points (Fixture *self,
            guint from,
            guint to,
            guint32 low_mib,
            guint32 high_mib)
{
  for (guint second = from; second < to; second++)
    {
      FpHistoryPoint point = { .time_us = second * SECOND };

      memset (&point.ends, 0xff, sizeof point.ends);
      point.ends.low_kib[FP_HISTORY_PSS] = low_mib * MIB;
      point.ends.high_kib[FP_HISTORY_PSS] = high_mib * MIB;
      g_array_append_val (self->points, point);
    }
}

static gboolean
draw (Fixture *self,
      GskRenderer *renderer)
{
  GtkWidget *plot = gtk_widget_get_next_sibling (gtk_widget_get_first_child (GTK_WIDGET (self->chart)));
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (plot);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  self->width = gtk_widget_get_width (plot);
  self->height = gtk_widget_get_height (plot);
  gdk_paintable_snapshot (paintable, snapshot, self->width, self->height);
  node = gtk_snapshot_free_to_node (snapshot);
  if (!node)
    return FALSE;
  texture = gsk_renderer_render_texture (renderer, node, &GRAPHENE_RECT_INIT (0, 0, (float)self->width, (float)self->height));
  g_free (self->pixels);
  self->pixels = g_new0 (guint32, (gsize)(self->width * self->height));
  gdk_texture_download (texture, (guchar *)self->pixels, (gsize)self->width * sizeof *self->pixels);
  return TRUE;
}

static void
show (Fixture *self)
{
  const FpFormat format = { .style = FP_STYLE_IEC, .swap_total = self->swap_total };
  g_autoptr (GskRenderer) renderer = gsk_cairo_renderer_new ();
  gint64 end = g_get_monotonic_time () + PATIENCE;
  g_autoptr (GError) error = NULL;

  g_assert_true (gsk_renderer_realize (renderer, NULL, &error));
  g_assert_no_error (error);
  fp_chart_set_points (self->chart, (const FpHistoryPoint *)self->points->data, self->points->len,
                       self->mark.time_us ? &self->mark : NULL, &format);
  /* The new drawing is there with the next frame. */
  widget_probe_await_frame (self->window);
  while (!draw (self, renderer) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (self->width, >=, WIDTH);
  gsk_renderer_unrealize (renderer);
}

/* The strength of the colour of memory, which is blue, at a second and a height, from 0 to 255 */
static int
get_blue (Fixture *self,
          double second,
          double mib,
          double top_mib)
{
  const FpHistoryPoint *points = (const FpHistoryPoint *)self->points->data;
  double span = (double)(points[self->points->len - 1].time_us - points[0].time_us) / SECOND;
  int x = (int)(second / span * (self->width - 1)), y = (int)((1 - mib / top_mib) * self->height);
  guint32 pixel = self->pixels[CLAMP (y, 0, self->height - 1) * self->width + x];

  /* ARGB, premultiplied: grid lines are grey */
  return (int)(pixel & 0xff) - (int)(pixel >> 16 & 0xff);
}

/* A line where it is exact, a band where it is a range, nothing where nothing was read. */
static void
test_band (Fixture *self,
           gconstpointer data)
{
  const double top = 1000 * 1.08;

  add_points (self, 0, 31, 1000, 1000);
  add_points (self, 31, 60, 500, 1000);
  add_points (self, 80, 121, 1000, 1000);
  g_array_index (self->points, FpHistoryPoint, 60).follows_gap = TRUE;
  show (self);
  g_assert_cmpint (get_blue (self, 15, 1000, top), >, 100);
  g_assert_cmpint (get_blue (self, 15, 700, top), ==, 0);
  g_assert_cmpint (get_blue (self, 15, 500, top), ==, 0);
  g_assert_cmpint (get_blue (self, 45, 1000, top), >, 100);
  g_assert_cmpint (get_blue (self, 45, 500, top), >, 100);
  g_assert_cmpint (get_blue (self, 45, 700, top), >, 20);
  g_assert_cmpint (get_blue (self, 45, 700, top), <, 100);
  g_assert_cmpint (get_blue (self, 45, 300, top), ==, 0);
  g_assert_cmpint (get_blue (self, 100, 1000, top), >, 100);
  for (guint mib = 0; mib < 1080; mib += 5)
    g_assert_cmpint (get_blue (self, 70, mib, top), ==, 0);
}

/* A process that shares nothing has two lines in one place, and both are seen. */
static void
test_both (Fixture *self,
           gconstpointer data)
{
  guint n_blue = 0, n_green = 0;

  add_points (self, 0, 121, 1000, 1000);
  for (guint i = 0; i < self->points->len; i++)
    {
      FpHistoryPoint *point = &g_array_index (self->points, FpHistoryPoint, i);

      point->ends.low_kib[FP_HISTORY_USS] = point->ends.high_kib[FP_HISTORY_USS] = 1000 * MIB;
    }
  show (self);
  for (guint second = 10; second < 110; second++)
    {
      int blue = get_blue (self, second, 1000, 1000 * 1.08);

      n_blue += blue > 150;
      n_green += blue > 20 && blue < 100;
    }
  g_assert_cmpuint (n_blue, >, 20);
  g_assert_cmpuint (n_green, >, 20);
}

/* It may have been measured for a moment only. */
static void
test_one_point (Fixture *self,
                gconstpointer data)
{
  add_points (self, 0, 1, 500, 500);
  add_points (self, 10, 11, 1000, 1000);
  g_array_index (self->points, FpHistoryPoint, 1).follows_gap = TRUE;
  show (self);
  g_assert_cmpint (get_blue (self, 5, 750, 1080), ==, 0);
  g_assert_cmpint (get_blue (self, 10, 1000, 1080), >, 100);
}

static void
assert_words (Fixture *self,
              const char *wanted,
              const char *unwanted)
{
  GtkLabel *label = GTK_LABEL (gtk_widget_get_last_child (GTK_WIDGET (self->chart)));
  g_autoptr (GString) words = g_string_new (gtk_label_get_text (label));

  g_string_replace (words, "\u00a0", " ", 0);
  g_string_replace (words, "\u2060", "", 0);
  g_test_message ("%s", words->str);
  g_assert_nonnull (strstr (words->str, wanted));
  g_assert_null (strstr (words->str, unwanted));
}

/* A figure that is known less well than before has not shrunk. */
static void
test_words (Fixture *self,
            gconstpointer data)
{
  add_points (self, 0, 30, 1000, 1000);
  add_points (self, 30, 60, 0, 1000);
  show (self);
  assert_words (self, "Memory 0 B–1000 MiB", "Shrinks");
  g_array_set_size (self->points, 30);
  show (self);
  assert_words (self, "Steady", "–");
  add_points (self, 30, 51, 100, 100);
  show (self);
  assert_words (self, "Fell by 900 MiB, 20 seconds ago", "Shrinks");
}

static const char *
get_scale (Fixture *self,
           gboolean is_top)
{
  GtkWidget *top = gtk_widget_get_first_child (GTK_WIDGET (self->chart));
  GtkWidget *times = gtk_widget_get_next_sibling (gtk_widget_get_next_sibling (top));

  return gtk_label_get_text (GTK_LABEL (is_top ? top : gtk_widget_get_first_child (times)));
}

/* Resident memory is a process's alone: the sum of it counts what is shared many times, and would be the chart's upper edge. */
static void
test_resident (Fixture *self,
               gconstpointer data)
{
  add_points (self, 0, 30, 1000, 1000);
  for (guint i = 0; i < self->points->len; i++)
    {
      FpHistoryPoint *point = &g_array_index (self->points, FpHistoryPoint, i);

      point->ends.low_kib[FP_HISTORY_RSS] = point->ends.high_kib[FP_HISTORY_RSS] = 5000 * MIB;
    }
  fp_chart_set_kind (self->chart, FP_RECORD_PROCESS);
  show (self);
  assert_words (self, "Resident 4.9 GiB", "nothing");
  g_assert_cmpstr (get_scale (self, TRUE), ==, "5.3 GiB");
  fp_chart_set_kind (self->chart, FP_RECORD_TOTAL);
  show (self);
  assert_words (self, "Memory 1000 MiB", "Resident");
  g_assert_cmpstr (get_scale (self, TRUE), ==, "1.1 GiB");
}

/* The chart says what its upper edge is, and how long ago its left one was. */
static void
test_scale (Fixture *self,
            gconstpointer data)
{
  add_points (self, 0, 46, 100, 100);
  show (self);
  g_assert_cmpstr (get_scale (self, TRUE), ==, "108 MiB");
  g_assert_cmpstr (get_scale (self, FALSE), ==, "45 s ago");
  add_points (self, 46, 121, 100, 1000);
  show (self);
  g_assert_cmpstr (get_scale (self, TRUE), ==, "1.1 GiB");
  g_assert_cmpstr (get_scale (self, FALSE), ==, "2 min ago");
  add_points (self, 3 * 3600, 3 * 3600 + 1, 100, 100);
  show (self);
  g_assert_cmpstr (get_scale (self, FALSE), ==, "3 h ago");
}

/* A line that was nothing all the time has no words and is not drawn; one that was something once has and is. Without swap,
 * what is not known of it is nothing. */
static void
test_nothing (Fixture *self,
              gconstpointer data)
{
  add_points (self, 0, 121, 1000, 1000);
  for (guint i = 0; i < self->points->len; i++)
    g_array_index (self->points, FpHistoryPoint, i).ends.low_kib[FP_HISTORY_SWAP] =
        g_array_index (self->points, FpHistoryPoint, i).ends.high_kib[FP_HISTORY_SWAP] = 0;
  show (self);
  assert_words (self, "Memory 1000 MiB", "Swap");
  g_assert_cmpuint (self->pixels[(self->height - 1) * self->width + self->width / 2] >> 24, <, 120);
  g_array_index (self->points, FpHistoryPoint, 0).ends.high_kib[FP_HISTORY_SWAP] = MIB;
  show (self);
  assert_words (self, "Memory 1000 MiB", "Swap");
  self->swap_total = MIB;
  show (self);
  assert_words (self, "Swap 0 B", "Swap 1");
  g_assert_cmpuint (self->pixels[(self->height - 1) * self->width + self->width / 2] >> 24, >, 120);
}

/* Counts the dark pixels around a second, below the line of memory: only a mark has some. */
static guint
count_dark (Fixture *self,
            guint second)
{
  int middle = (int)second * self->width / 120;
  guint n = 0;

  for (int x = MAX (middle - 1, 0); x <= MIN (middle + 1, self->width - 1); x++)
    for (int y = self->height / 3; y < self->height; y++)
      n += (self->pixels[y * self->width + x] >> 24) > 120;
  return n;
}

/* A mark is a dashed line where its time is, and is told below; one from before the chart is neither. */
static void
test_mark (Fixture *self,
           gconstpointer data)
{
  add_points (self, 0, 121, 1000, 1000);
  show (self);
  assert_words (self, "Now", "compared since");
  g_assert_cmpuint (count_dark (self, 90), ==, 0);
  self->mark = (FpMachineMoment){ .time_us = 90 * SECOND, .realtime_us = 1700000000 * SECOND };
  show (self);
  assert_words (self, "compared since ", "ago");
  g_assert_cmpuint (count_dark (self, 90), >, 10);
  g_assert_cmpuint (count_dark (self, 90), <, 60);
  g_assert_cmpuint (count_dark (self, 60), ==, 0);
  self->mark.time_us = 500 * SECOND;
  show (self);
  g_assert_cmpuint (count_dark (self, 120), >, 10);
  g_assert_cmpuint (count_dark (self, 90), ==, 0);
  for (guint i = 0; i < self->points->len; i++)
    g_array_index (self->points, FpHistoryPoint, i).time_us += 1000 * SECOND;
  show (self);
  assert_words (self, "Now", "compared since");
  for (guint second = 0; second <= 120; second++)
    g_assert_cmpuint (count_dark (self, second), ==, 0);
}

#define ADD(name, func) g_test_add ("/chart/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  ADD ("band", test_band);
  ADD ("both", test_both);
  ADD ("one-point", test_one_point);
  ADD ("words", test_words);
  ADD ("resident", test_resident);
  ADD ("mark", test_mark);
  ADD ("scale", test_scale);
  ADD ("nothing", test_nothing);
  return g_test_run ();
}
