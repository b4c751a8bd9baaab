// SPDX-License-Identifier: GPL-3.0-or-later
/* The drawing of a flame graph: each library has its colour, and what a search does not find is faint. */
#include <adwaita.h>
#include <string.h>

#include "fp-flame-graph.h"
#include "fp-heap-records.h"
#include "heap-writer.h"
#include "widget-probe.h"

#define PATIENCE (10 * G_USEC_PER_SEC)
#define WIDTH    400

typedef struct
{
  GtkWidget *window;
  FpFlameGraph *graph;
  FpHeapProfile *profile;
  FpHeapTree *tree;
  guint32 *pixels;
  int width, height;
} Fixture;

/* The program has the left three quarters of the third row, a library that it calls the rest. */
static FpHeapProfile *
make_profile (void)
{
  g_auto (HeapWriter) writer = { 0 };
  guint outer;

  heap_writer_init (&writer, HEAP_FORMAT_3);
  outer = heap_writer_add_trace_in (&writer, "/bin/program", "main", 0);
  heap_writer_allocate (&writer, 0x10, 750, heap_writer_add_trace_in (&writer, "/bin/program", "load", outer));
  heap_writer_allocate (&writer, 0x20, 250, heap_writer_add_trace_in (&writer, "/lib/libother.so", "parse", outer));
  heap_writer_set_time (&writer, 10);
  heap_writer_finish (&writer);
  return heap_read (writer.text->str, writer.text->len, NULL);
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  const FpHeapChoice choice = { .cost = FP_HEAP_PEAK, .title = "", .style = FP_STYLE_IEC };

  self->window = adw_window_new ();
  self->graph = g_object_new (FP_TYPE_FLAME_GRAPH, "width-request", WIDTH, "halign", GTK_ALIGN_START, "valign", GTK_ALIGN_START, NULL);
  self->profile = make_profile ();
  self->tree = fp_heap_tree_new (self->profile);
  adw_window_set_content (ADW_WINDOW (self->window), GTK_WIDGET (self->graph));
  fp_flame_graph_show (self->graph, &(FpHeapExcerpt){ .tree = self->tree, .stacks = self->profile->stacks }, &choice);
  gtk_window_present (GTK_WINDOW (self->window));
  widget_probe_await_frame (self->window);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (self->window));
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  fp_heap_tree_unref (self->tree);
  fp_heap_profile_unref (self->profile);
  g_free (self->pixels);
}

static gboolean
try_to_draw (Fixture *self,
             GskRenderer *renderer)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (GTK_WIDGET (self->graph));
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  self->width = gtk_widget_get_width (GTK_WIDGET (self->graph));
  self->height = gtk_widget_get_height (GTK_WIDGET (self->graph));
  gdk_paintable_snapshot (paintable, snapshot, self->width, self->height);
  node = gtk_snapshot_free_to_node (snapshot);
  if (!node)
    return FALSE;
  texture = gsk_renderer_render_texture (renderer, node, &GRAPHENE_RECT_INIT (0, 0, (float)self->width, (float)self->height));
  g_free (self->pixels);
  self->pixels = g_new0 (guint32, (gsize)self->width * (gsize)self->height);
  gdk_texture_download (texture, (guchar *)self->pixels, (gsize)self->width * sizeof *self->pixels);
  return TRUE;
}

static void
draw (Fixture *self)
{
  g_autoptr (GskRenderer) renderer = gsk_cairo_renderer_new ();
  gint64 end = g_get_monotonic_time () + PATIENCE;

  g_assert_true (gsk_renderer_realize (renderer, NULL, NULL));
  /* The new drawing is there with the next frame. */
  widget_probe_await_frame (self->window);
  while (!try_to_draw (self, renderer) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  gsk_renderer_unrealize (renderer);
}

/* Beside the text, at the upper edge */
static guint32
get_pixel (Fixture *self,
           guint row,
           double part)
{
  int row_height = self->height / 3;

  return self->pixels[((int)row * row_height + 1) * self->width + (int)(part * self->width)];
}

static guint
get_alpha (guint32 pixel)
{
  return pixel >> 24;
}

static void
test_colours (Fixture *self,
              gconstpointer data)
{
  draw (self);
  g_assert_cmpint (self->width, ==, WIDTH);
  g_assert_cmpuint (get_alpha (get_pixel (self, 2, 0.5)), ==, 255);
  g_assert_cmpuint (get_pixel (self, 2, 0.5), ==, get_pixel (self, 1, 0.5));
  g_assert_cmpuint (get_pixel (self, 2, 0.7), ==, get_pixel (self, 1, 0.5));
  g_assert_cmpuint (get_alpha (get_pixel (self, 2, 0.9)), ==, 255);
  g_assert_cmpuint (get_pixel (self, 2, 0.9), !=, get_pixel (self, 2, 0.5));
}

static void
test_found (Fixture *self,
            gconstpointer data)
{
  const FpHeapExcerpt excerpt = { self->tree, self->profile->stacks, self->profile->known };
  g_autoptr (FpRecords) records = fp_heap_records_new (&excerpt, FP_HEAP_BY_FUNCTION);
  GHashTable *found = g_hash_table_new_full (fp_key_hash, fp_key_equal, g_free, NULL);

  for (guint i = 0; i < records->n; i++)
    {
      FpKey key = fp_records_get_key (records, i);

      if (g_str_equal (fp_heap_records_get_name (records, i), "parse"))
        g_hash_table_add (found, g_memdup2 (&key, sizeof key));
    }
  g_assert_cmpuint (g_hash_table_size (found), ==, 1);
  fp_flame_graph_set_found (self->graph, found);
  draw (self);
  g_assert_cmpuint (get_alpha (get_pixel (self, 2, 0.5)), <, 100);
  g_assert_cmpuint (get_alpha (get_pixel (self, 2, 0.9)), ==, 255);
  fp_flame_graph_set_found (self->graph, NULL);
  draw (self);
  g_assert_cmpuint (get_alpha (get_pixel (self, 2, 0.5)), ==, 255);
}

static gboolean
is_zoomed (Fixture *self)
{
  gboolean is_zoomed;

  g_object_get (self->graph, "is-zoomed", &is_zoomed, NULL);
  return is_zoomed;
}

static void
press (Fixture *self,
       guint key)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (self->graph));
  gboolean is_taken;

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
        g_signal_emit_by_name (controller, "key-pressed", key, 0, 0, &is_taken);
    }
}

/* A function that has the whole width keeps it in a tree that has other numbers, as each one of a comparison has. */
static void
test_other_tree (Fixture *self,
                 gconstpointer data)
{
  const FpHeapChoice choice = { .cost = FP_HEAP_PEAK, .title = "", .style = FP_STYLE_IEC };
  g_auto (HeapWriter) writer = { 0 };
  g_autoptr (FpHeapProfile) profile = NULL;
  g_autoptr (FpHeapTree) tree = NULL;
  guint32 narrow, wide;
  guint outer;

  heap_writer_init (&writer, HEAP_FORMAT_3);
  outer = heap_writer_add_trace_in (&writer, "/bin/program", "main", 0);
  heap_writer_allocate (&writer, 0x10, 9000, heap_writer_add_trace_in (&writer, "/bin/program", "begin", outer));
  heap_writer_allocate (&writer, 0x20, 250, heap_writer_add_trace_in (&writer, "/lib/libother.so", "parse", outer));
  heap_writer_allocate (&writer, 0x30, 750, heap_writer_add_trace_in (&writer, "/bin/program", "load", outer));
  heap_writer_set_time (&writer, 10);
  heap_writer_finish (&writer);
  profile = heap_read (writer.text->str, writer.text->len, NULL);
  tree = fp_heap_tree_new (profile);
  press (self, GDK_KEY_Down);
  press (self, GDK_KEY_Down);
  press (self, GDK_KEY_Return);
  g_assert_true (is_zoomed (self));
  draw (self);
  wide = get_pixel (self, 2, 0.9);
  fp_flame_graph_show (self->graph, &(FpHeapExcerpt){ .tree = tree, .stacks = profile->stacks }, &choice);
  g_assert_true (is_zoomed (self));
  draw (self);
  g_assert_cmpuint (get_pixel (self, 2, 0.9), ==, wide);
  fp_flame_graph_show_all (self->graph);
  draw (self);
  narrow = get_pixel (self, 2, 0.99);
  g_assert_cmpuint (narrow, !=, wide);

  /* It has nothing of that function. */
  press (self, GDK_KEY_Down);
  press (self, GDK_KEY_Down);
  press (self, GDK_KEY_Return);
  g_assert_true (is_zoomed (self));
  fp_flame_graph_show (self->graph, &(FpHeapExcerpt){ .tree = self->tree, .stacks = self->profile->stacks }, &choice);
  g_assert_false (is_zoomed (self));
}

int
main (int argc,
      char *argv[])
{
  adw_init ();
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/flame-graph/colours", Fixture, NULL, set_up, test_colours, tear_down);
  g_test_add ("/flame-graph/found", Fixture, NULL, set_up, test_found, tear_down);
  g_test_add ("/flame-graph/other-tree", Fixture, NULL, set_up, test_other_tree, tear_down);
  return g_test_run ();
}
