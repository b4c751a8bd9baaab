// SPDX-License-Identifier: GPL-3.0-or-later
/* The lines of the machine on top of each other: their colours, gaps, and what may belong to either of two. */
#include <adwaita.h>
#include <string.h>

#include "fp-machine-chart.h"
#include "fp-machine-colours.h"
#include "widget-probe.h"

#define PATIENCE (10 * G_USEC_PER_SEC)
#define WIDTH    300
#define SECOND   G_GUINT64_CONSTANT (1000000)
#define TOTAL    1000

typedef struct
{
  GtkWidget *window;
  FpMachineChart *chart;
  FpMachineHistory *history;
  FpMachineMoment mark; /* all zero: there is none */
  guint32 *pixels;
  int width, height;
} Fixture;

static void
set_up (Fixture *self,
        gconstpointer data)
{
  self->window = adw_window_new ();
  self->chart = g_object_new (FP_TYPE_MACHINE_CHART, "width-request", WIDTH, NULL);
  self->history = fp_machine_history_new ();
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
  fp_machine_history_free (self->history);
  g_free (self->pixels);
}

/* A moment a second: of 1000 bytes programs have 400, what is kept 100 to 200, and the cache 200 to 300. */
static void
add_moments (Fixture *self,
             guint from,
             guint to,
             gboolean follows_gap)
{
  for (guint second = from; second < to; second++)
    {
      FpMachineMoment moment = { .time_us = (second + 1) * SECOND, .follows_gap = follows_gap && second == from };

      moment.state.total = TOTAL;
      moment.state.lines[FP_MACHINE_PROGRAMS] = (FpMachineEnds){ 400, 400 };
      moment.state.lines[FP_MACHINE_KEPT] = (FpMachineEnds){ 100, 200 };
      moment.state.lines[FP_MACHINE_CACHE] = (FpMachineEnds){ 200, 300 };
      moment.state.lines[FP_MACHINE_FREE] = (FpMachineEnds){ 200, 200 };
      g_array_append_val (self->history->moments, moment);
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
  const FpFormat format = { .style = FP_STYLE_EXACT };
  g_autoptr (GskRenderer) renderer = gsk_cairo_renderer_new ();
  gint64 end = g_get_monotonic_time () + PATIENCE;
  g_autoptr (GError) error = NULL;

  g_assert_true (gsk_renderer_realize (renderer, NULL, &error));
  g_assert_no_error (error);
  fp_machine_chart_set_history (self->chart, self->history, self->mark.time_us ? &self->mark : NULL, &format);
  /* The new drawing is there with the next frame. */
  widget_probe_await_frame (self->window);
  while (!draw (self, renderer) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (self->width, >=, WIDTH);
  gsk_renderer_unrealize (renderer);
}

static guint32
get_pixel (Fixture *self,
           double part_of_width,
           double bytes)
{
  int x = (int)(part_of_width * (self->width - 1)), y = (int)((1 - bytes / TOTAL) * (self->height - 1));

  return self->pixels[y * self->width + x];
}

static void
assert_colour (Fixture *self,
               double part_of_width,
               double bytes,
               FpMachineLine line)
{
  guint32 pixel = get_pixel (self, part_of_width, bytes);
  GdkRGBA colour;

  g_assert_true (gdk_rgba_parse (&colour, fp_machine_colours[line]));
  g_assert_cmpint (ABS ((int)(pixel >> 16 & 0xff) - (int)(colour.red * 255)), <=, 2);
  g_assert_cmpint (ABS ((int)(pixel >> 8 & 0xff) - (int)(colour.green * 255)), <=, 2);
  g_assert_cmpint (ABS ((int)(pixel & 0xff) - (int)(colour.blue * 255)), <=, 2);
}

/* Each line has its colour at its height. Free memory and gaps are empty, and what may be either is neither. */
static void
test_layers (Fixture *self,
             gconstpointer data)
{
  guint32 empty, either;

  add_moments (self, 0, 41, FALSE);
  add_moments (self, 60, 101, TRUE);
  show (self);
  for (guint i = 0; i < 2; i++)
    {
      double x = i == 0 ? 0.2 : 0.8;

      assert_colour (self, x, 200, FP_MACHINE_PROGRAMS);
      assert_colour (self, x, 450, FP_MACHINE_KEPT);
      assert_colour (self, x, 700, FP_MACHINE_CACHE);
    }
  empty = get_pixel (self, 0.5, 700);
  either = get_pixel (self, 0.2, 550);
  g_assert_cmpuint (get_pixel (self, 0.5, 200), ==, empty);
  g_assert_cmpuint (get_pixel (self, 0.2, 900), ==, empty);
  g_assert_cmpuint (either, !=, empty);
  g_assert_cmpuint (either, !=, get_pixel (self, 0.2, 450));
  g_assert_cmpuint (either, !=, get_pixel (self, 0.2, 700));
}

/* One moment is seen, and the words have its figures. */
static void
test_words (Fixture *self,
            gconstpointer data)
{
  GtkWidget *words;

  add_moments (self, 0, 1, FALSE);
  show (self);
  assert_colour (self, 1, 200, FP_MACHINE_PROGRAMS);
  words = gtk_widget_get_last_child (GTK_WIDGET (self->chart));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (words)), "Now"));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (words)), "400"));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (words)), "100–\u2060200"));
}

/* The upper edge is all memory, and the left one how long ago the first moment was. */
static void
test_scale (Fixture *self,
            gconstpointer data)
{
  GtkWidget *top = gtk_widget_get_first_child (GTK_WIDGET (self->chart));
  GtkWidget *times = gtk_widget_get_next_sibling (gtk_widget_get_next_sibling (top));

  add_moments (self, 0, 91, FALSE);
  show (self);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (top)), ==, "1000");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (gtk_widget_get_first_child (times))), ==, "2 min ago");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (gtk_widget_get_last_child (times))), ==, "now");
}

/* A mark is seen within the colours, and where memory is free. */
static void
test_mark (Fixture *self,
           gconstpointer data)
{
  GtkLabel *words = GTK_LABEL (gtk_widget_get_last_child (GTK_WIDGET (self->chart)));
  g_autofree guint32 *before = NULL;
  guint n_changed[2] = { 0, 0 };

  add_moments (self, 0, 101, FALSE);
  show (self);
  g_assert_null (strstr (gtk_label_get_text (words), "compared since"));
  before = g_memdup2 (self->pixels, (gsize)(self->width * self->height) * sizeof *self->pixels);
  self->mark = (FpMachineMoment){ .time_us = 51 * SECOND, .realtime_us = 1700000000 * SECOND };
  show (self);
  g_assert_nonnull (strstr (gtk_label_get_text (words), "compared since "));
  for (int y = self->height / 4; y < self->height; y++)
    for (int x = 0; x < self->width; x++)
      n_changed[ABS (x - self->width / 2) <= 1] += before[y * self->width + x] != self->pixels[y * self->width + x];
  g_assert_cmpuint (n_changed[0], ==, 0);
  g_assert_cmpuint (n_changed[1], >=, (guint)self->height / 4);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add ("/machine-chart/layers", Fixture, NULL, set_up, test_layers, tear_down);
  g_test_add ("/machine-chart/words", Fixture, NULL, set_up, test_words, tear_down);
  g_test_add ("/machine-chart/scale", Fixture, NULL, set_up, test_scale, tear_down);
  g_test_add ("/machine-chart/mark", Fixture, NULL, set_up, test_mark, tear_down);
  return g_test_run ();
}
