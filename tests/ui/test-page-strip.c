// SPDX-License-Identifier: GPL-3.0-or-later
/* The pages of memory of known content as a strip, in colours and in words. Needs a display. */
#include <adwaita.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fp-figure.h"
#include "fp-file-source.h"
#include "fp-local-source.h"
#include "fp-page-strip.h"
#include "fp-stat.h"

#define WIDTH   640
#define N_PAGES 64
#define TIMEOUT (20 * G_USEC_PER_SEC)

typedef struct
{
  GtkWindow *window;
  FpPageStrip *strip;
  FpSource *source;
  FpProcessId id;
  char *memory;
} Fixture;

static gsize page_size;

static FpProcessId
get_own_id (void)
{
  FpStat stat = { 0 };
  FpProcDir proc;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  fp_stat_read_any (&stat, &proc, getpid ());
  fp_proc_dir_close (&proc);
  return (FpProcessId){ getpid (), stat.start_ticks };
}

/* The 64 pages are 16 written ones, 16 absent ones, 16 written ones, 1 absent and 15 written ones. */
static void
set_up (Fixture *self,
        gconstpointer data)
{
  gint64 end = g_get_monotonic_time () + TIMEOUT;

  self->memory = mmap (NULL, N_PAGES * page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  g_assert_true (self->memory != MAP_FAILED);
  madvise (self->memory, N_PAGES * page_size, MADV_NOHUGEPAGE);
  memset (self->memory, 1, N_PAGES * page_size);
  madvise (self->memory + 16 * page_size, 16 * page_size, MADV_DONTNEED);
  madvise (self->memory + 48 * page_size, page_size, MADV_DONTNEED);
  self->id = get_own_id ();
  self->source = fp_local_source_new ("/proc");
  self->strip = g_object_new (FP_TYPE_PAGE_STRIP, NULL);
  self->window = GTK_WINDOW (gtk_window_new ());
  gtk_widget_set_size_request (GTK_WIDGET (self->strip), WIDTH, -1);
  gtk_window_set_child (self->window, GTK_WIDGET (self->strip));
  gtk_window_present (self->window);
  while (gtk_widget_get_width (GTK_WIDGET (self->strip)) < WIDTH && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  gtk_window_destroy (self->window);
  g_object_unref (self->source);
  munmap (self->memory, N_PAGES * page_size);
}

static void
load (Fixture *self,
      const char *memory,
      gsize size)
{
  fp_page_strip_load (self->strip, self->source, &self->id, (guint64)(gsize)memory, (guint64)(gsize)memory + size,
                      "memory");
}

static void
assert_words (Fixture *self,
              const char *words)
{
  g_autofree char *problem = gtk_test_accessible_check_property (
      GTK_ACCESSIBLE (self->strip), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, words);

  g_assert_cmpstr (problem, ==, NULL);
}

/* The strip is of three: the plot, a line of words, the legend. */
static const char *
get_label (Fixture *self,
           guint place)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->strip));

  for (; place > 0; place--)
    child = gtk_widget_get_next_sibling (child);
  return gtk_label_get_text (GTK_LABEL (child));
}

static void
await (Fixture *self,
       const char *words)
{
  gint64 end = g_get_monotonic_time () + TIMEOUT;

  while (!strstr (get_label (self, 1), words) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (strstr (get_label (self, 1), words));
}

static void
load_known (Fixture *self)
{
  load (self, self->memory, N_PAGES * page_size);
  await (self, "–");
}

static char *
describe (Fixture *self,
          guint first,
          guint n,
          const char *words)
{
  guint64 start = (guint64)(gsize)(self->memory + first * page_size);
  char size[FP_FIGURE_TEXT_SIZE];

  fp_figure_format (fp_figure_exact (n * page_size), FP_UNIT_BYTES, FP_STYLE_IEC, 0, size, sizeof size);
  return g_strdup_printf ("%08" G_GINT64_MODIFIER "x–%08" G_GINT64_MODIFIER "x, %s: %s", start,
                          start + n * (guint64)page_size, size, words);
}

static GtkEventController *
find_controller (GtkWidget *widget,
                 GType type)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (G_TYPE_CHECK_INSTANCE_TYPE (controller, type))
        return controller;
    }
  g_assert_not_reached ();
}

static void
press (Fixture *self,
       guint key)
{
  gboolean is_handled = FALSE;

  g_signal_emit_by_name (find_controller (GTK_WIDGET (self->strip), GTK_TYPE_EVENT_CONTROLLER_KEY), "key-pressed", key,
                         0, 0, &is_handled);
  g_assert_true (is_handled);
}

static void
test_words (Fixture *self,
            gconstpointer data)
{
  g_autofree char *whole = NULL, *first = NULL, *last = NULL, *absent = NULL;

  if (page_size != 4096)
    {
      g_test_skip ("pages of another size");
      return;
    }
  load_known (self);
  whole = describe (self, 0, 64, "Private 188 KiB; Absent 68.0 KiB");
  first = describe (self, 0, 1, "Private");
  last = describe (self, 63, 1, "Private");
  absent = describe (self, 48, 1, "Absent");
  assert_words (self, whole);
  g_assert_nonnull (strstr (get_label (self, 2), "Private\u00a0188\u00a0KiB"));
  g_assert_nonnull (strstr (get_label (self, 2), "Absent\u00a068.0\u00a0KiB"));
  g_assert_null (strstr (get_label (self, 2), "Swapped"));
  press (self, GDK_KEY_Right);
  assert_words (self, first);
  g_assert_cmpstr (get_label (self, 1), ==, first);
  press (self, GDK_KEY_Left);
  assert_words (self, first);
  press (self, GDK_KEY_End);
  press (self, GDK_KEY_Right);
  assert_words (self, last);
  for (guint i = 63; i > 48; i--)
    press (self, GDK_KEY_Left);
  assert_words (self, absent);
  press (self, GDK_KEY_Home);
  assert_words (self, first);
}

static void
test_pointer (Fixture *self,
              gconstpointer data)
{
  GtkWidget *plot = gtk_widget_get_first_child (GTK_WIDGET (self->strip));
  GtkEventController *motion = find_controller (plot, GTK_TYPE_EVENT_CONTROLLER_MOTION);
  double page_width = (double)gtk_widget_get_width (plot) / N_PAGES;
  g_autofree char *expected = describe (self, 20, 1, "Absent"), *whole = NULL;

  load_known (self);
  whole = g_strdup (get_label (self, 1));
  g_signal_emit_by_name (motion, "motion", page_width * 20.5, 3.0);
  g_assert_cmpstr (get_label (self, 1), ==, expected);
  g_signal_emit_by_name (motion, "motion", page_width * 200, 3.0);
  g_signal_emit_by_name (motion, "leave");
  g_assert_cmpstr (get_label (self, 1), ==, whole);
}

/* The plot as pixels: blue, green, red, alpha. */
static guchar *
draw (GtkWidget *plot)
{
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderer) renderer = gsk_cairo_renderer_new ();
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  int width = gtk_widget_get_width (plot), height = gtk_widget_get_height (plot);
  guchar *pixels = g_malloc ((gsize)width * height * 4);

  GTK_WIDGET_GET_CLASS (plot)->snapshot (plot, snapshot);
  node = gtk_snapshot_to_node (snapshot);
  gsk_renderer_realize (renderer, NULL, NULL);
  texture = gsk_renderer_render_texture (renderer, node, &GRAPHENE_RECT_INIT (0, 0, (float)width, (float)height));
  gsk_renderer_unrealize (renderer);
  gdk_texture_download (texture, pixels, (gsize)width * 4);
  return pixels;
}

static gboolean
is_green (const guchar *pixels,
          int width,
          int x,
          int y)
{
  const guchar *pixel = pixels + ((gsize)y * width + x) * 4;

  return pixel[3] == 255 && pixel[1] > 150 && pixel[2] < 60 && pixel[0] < 130;
}

static void
test_colours (Fixture *self,
              gconstpointer data)
{
  GtkWidget *plot = gtk_widget_get_first_child (GTK_WIDGET (self->strip));
  int width = gtk_widget_get_width (plot), y = gtk_widget_get_height (plot) / 2;
  g_autofree guchar *pixels = NULL;

  load_known (self);
  pixels = draw (plot);
  for (int x = 2; x < width - 2; x++)
    {
      double page = (x + 0.5) * N_PAGES / width, edge = 1.5 * N_PAGES / width;
      gboolean is_absent = (page > 16 && page < 32) || (page > 48 && page < 49);

      if (fabs (page - 16) > edge && fabs (page - 32) > edge && fabs (page - 48) > edge && fabs (page - 49) > edge)
        g_assert_cmpint (is_green (pixels, width, x, y), ==, !is_absent);
    }
}

/* One page of 4 Mi is seen, and a second reading of the same range keeps what is chosen. */
static void
test_little (Fixture *self,
             gconstpointer data)
{
  const gsize size = G_GUINT64_CONSTANT (16) << 30;
  char *memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  GtkWidget *plot = gtk_widget_get_first_child (GTK_WIDGET (self->strip));
  int width = gtk_widget_get_width (plot), bottom = gtk_widget_get_height (plot) - 1;
  g_autofree guchar *pixels = NULL;
  g_autofree char *chosen = NULL;

  g_assert_true (memory != MAP_FAILED);
  madvise (memory, size, MADV_NOHUGEPAGE);
  memory[size / 2] = 1;
  load (self, memory, size);
  await (self, "–");
  pixels = draw (plot);
  g_assert_true (is_green (pixels, width, width / 2, bottom) || is_green (pixels, width, width / 2 + 1, bottom));
  g_assert_false (is_green (pixels, width, width / 4, bottom));
  press (self, GDK_KEY_Home);
  chosen = g_strdup (get_label (self, 1));
  memory[0] = 1;
  load (self, memory, size);
  g_assert_cmpstr (get_label (self, 1), ==, chosen);
  await (self, "Private");
  munmap (memory, size);
}

/* It says so when it takes long, and another choice ends it. */
static void
test_progress (Fixture *self,
               gconstpointer data)
{
  const gsize size = G_GUINT64_CONSTANT (64) << 30, step = 8 << 20;
  char *memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  g_autofree char *expected = NULL;
  gint64 end;

  g_assert_true (memory != MAP_FAILED);
  madvise (memory, size, MADV_NOHUGEPAGE);
  for (gsize i = 0; i < size; i += step)
    memory[i] = 1;
  load (self, memory, size);
  g_assert_cmpstr (get_label (self, 1), ==, "");
  await (self, "Reading the pages");
  load_known (self);
  expected = g_strdup (get_label (self, 1));
  end = g_get_monotonic_time () + G_USEC_PER_SEC;
  while (g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpstr (get_label (self, 1), ==, expected);
  load (self, memory, size);
  await (self, "Reading the pages");
  fp_page_strip_clear (self->strip);
  g_assert_cmpstr (get_label (self, 1), ==, "");
  /* It may go away meanwhile. */
  load (self, memory, size);
  gtk_window_set_child (self->window, NULL);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  munmap (memory, size);
}

static void
test_problems (Fixture *self,
               gconstpointer data)
{
  GtkWidget *plot = gtk_widget_get_first_child (GTK_WIDGET (self->strip));
  g_autoptr (GFile) file = g_file_new_for_path ("/nonexistent");
  g_autoptr (FpSource) saved = fp_file_source_new (file);

  load_known (self);
  self->id.start_ticks++;
  load (self, self->memory, page_size);
  await (self, "has ended");
  g_assert_false (gtk_widget_get_visible (plot));
  assert_words (self, get_label (self, 1));
  self->id.start_ticks--;
  load_known (self);
  g_assert_true (gtk_widget_get_visible (plot));
  g_set_object (&self->source, saved);
  load (self, self->memory, N_PAGES * page_size);
  await (self, "running processes");
}

int
main (int argc,
      char *argv[])
{
  page_size = (gsize)sysconf (_SC_PAGESIZE);
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
#define add_test(name, test) g_test_add ("/page-strip/" name, Fixture, NULL, set_up, test, tear_down)
  add_test ("words", test_words);
  add_test ("pointer", test_pointer);
  add_test ("colours", test_colours);
  add_test ("little", test_little);
  add_test ("progress", test_progress);
  add_test ("problems", test_problems);
  return g_test_run ();
}
