// SPDX-License-Identifier: GPL-3.0-or-later
/* The icons before the names of rows: which, in which size and colour, and where. This needs a display. */
#include <adwaita.h>
#include <glib/gstdio.h>

#include "fixture-snapshot.h"
#include "fp-cell.h"
#include "fp-icon-cache.h"
#include "fp-row-icons.h"
#include "fp-totals.h"

#define WIDE    "footprint-test-wide"   /* 512 × 256, red */
#define SQUARE  "footprint-test-square" /* 48 × 48, red */
#define CELL    200
#define TIMEOUT (20 * G_USEC_PER_SEC)

typedef struct
{
  FixtureSnapshot snapshot;
  FpRows *rows;
  FpRecords *records;
  FpRowIcons *icons;
  guint n_changed;
  gulong handler;
} Fixture;

static char *data_folder;

static void
count_cb (FpRowIcons *icons,
          gpointer data)
{
  ((Fixture *)data)->n_changed++;
}

static void
add (Fixture *self,
     gint pid,
     gint ppid,
     const char *program,
     FpText text,
     const char *value)
{
  FpProcess *process = fixture_snapshot_add (&self->snapshot, pid, program);

  process->ppid = ppid;
  process->start_ticks = (guint64)pid;
  fixture_snapshot_set_text (&self->snapshot, process, text, value);
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  FpProcess *thread;

  fixture_snapshot_init (&self->snapshot, 16);
  thread = fixture_snapshot_add_reason (&self->snapshot, 2, "kernel-thread", FP_REASON_KERNEL_THREAD);
  fixture_snapshot_set_text (&self->snapshot, thread, FP_TEXT_APP, "org.test.App");
  add (self, 10, 1, "helper", FP_TEXT_APP, "org.test.App");
  add (self, 11, 10, "program-of-test", FP_TEXT_USER, "ada");
  add (self, 12, 1, "unknown", FP_TEXT_APP, "org.unknown");
  add (self, 13, 1, "server", FP_TEXT_CONTAINER, "docker:0123456789ab");
  add (self, 14, 1, "without-picture", FP_TEXT_USER, "ada");
  self->records = fixture_snapshot_make_records (&self->snapshot);
  self->rows = fp_rows_new ();
  fp_rows_set_sort (self->rows, fp_columns_find ("pid", FP_RECORD_PROCESS), FALSE);
  self->icons = fp_row_icons_get_for_display (gdk_display_get_default ());
  self->handler = g_signal_connect (self->icons, "changed", G_CALLBACK (count_cb), self);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  g_signal_handler_disconnect (self->icons, self->handler);
  fp_rows_free (self->rows);
  fp_records_unref (self->records);
  fixture_snapshot_clear (&self->snapshot);
}

static void
group (Fixture *self,
       FpGrouping grouping)
{
  FpFormat format = { 0 };

  fp_rows_set_grouping (self->rows, grouping);
  fp_rows_update (self->rows, self->records, &format);
}

static const FpRow *
find_row (Fixture *self,
          FpRowKind kind,
          const char *name)
{
  for (guint i = 0; i < fp_rows_get_n (self->rows); i++)
    {
      const FpRow *row = fp_rows_get (self->rows, i);
      const FpRecords *records = fp_rows_get_records (self->rows, row->kind);
      const char *own;

      if (row->kind != kind)
        continue;
      if (kind == FP_ROW_GROUP)
        own = fp_totals_get (records, row->index)->name;
      else
        own = fp_snapshot_get_text (self->snapshot.snapshot, fp_process_records_get (records, row->index),
                                    FP_TEXT_PROGRAM);
      if (g_str_equal (own, name))
        return row;
    }
  g_error ("There is no row “%s”", name);
}

static GdkPaintable *
find_icon (Fixture *self,
           FpGrouping grouping,
           FpRowKind kind,
           const char *name)
{
  return fp_row_icons_find (self->icons, self->rows, find_row (self, kind, name), grouping, 1);
}

static gboolean
is_symbolic (GdkPaintable *icon)
{
  return GTK_IS_ICON_PAINTABLE (icon) && gtk_icon_paintable_is_symbolic (GTK_ICON_PAINTABLE (icon));
}

/* The neutral icon is there until its own is loaded. */
static GdkPaintable *
await_icon (Fixture *self,
            FpGrouping grouping,
            FpRowKind kind,
            const char *name)
{
  gint64 end = g_get_monotonic_time () + TIMEOUT;
  GdkPaintable *icon;

  while (is_symbolic ((icon = find_icon (self, grouping, kind, name))) && g_get_monotonic_time () < end)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  g_assert_true (GDK_IS_TEXTURE (icon));
  return icon;
}

static void
get_pixel (GdkTexture *texture,
           int x,
           int y,
           guchar *pixel)
{
  int width = gdk_texture_get_width (texture);
  g_autofree guchar *all = g_malloc ((gsize)width * gdk_texture_get_height (texture) * 4);

  gdk_texture_download (texture, all, (gsize)width * 4);
  memcpy (pixel, all + ((gsize)y * width + x) * 4, 4);
}

/* As gdk_texture_download () has them: blue, green, red, alpha. */
static void
assert_red (GdkTexture *texture,
            int x,
            int y,
            gboolean is_red)
{
  guchar pixel[4];

  get_pixel (texture, x, y, pixel);
  g_assert_cmpuint (pixel[0], ==, 0);
  g_assert_cmpuint (pixel[1], ==, 0);
  g_assert_cmpuint (pixel[2], ==, is_red ? 255 : 0);
  g_assert_cmpuint (pixel[3], ==, is_red ? 255 : 0);
}

static void
test_processes (Fixture *self,
                gconstpointer data)
{
  const FpGrouping none = FP_GROUPING_NOTHING;
  GdkPaintable *icon, *neutral;

  group (self, none);
  icon = await_icon (self, none, FP_ROW_RECORD, "helper");
  g_assert_cmpuint (self->n_changed, >, 0);
  g_assert_true (icon == find_icon (self, none, FP_ROW_RECORD, "helper"));
  g_assert_true (is_symbolic (find_icon (self, none, FP_ROW_RECORD, "server")));
  neutral = find_icon (self, none, FP_ROW_RECORD, "unknown");
  g_assert_true (is_symbolic (neutral));
  g_assert_true (neutral != find_icon (self, none, FP_ROW_RECORD, "server"));
  g_assert_true (neutral == find_icon (self, none, FP_ROW_RECORD, "without-picture"));
  g_assert_null (find_icon (self, none, FP_ROW_RECORD, "kernel-thread"));
}

static void
test_groups (Fixture *self,
             gconstpointer data)
{
  GdkPaintable *square, *wide;

  group (self, FP_GROUPING_APP);
  wide = await_icon (self, FP_GROUPING_APP, FP_ROW_GROUP, "org.test.App");
  g_assert_true (is_symbolic (find_icon (self, FP_GROUPING_APP, FP_ROW_GROUP, "org.unknown")));
  g_assert_null (find_icon (self, FP_GROUPING_APP, FP_ROW_GROUP, ""));
  group (self, FP_GROUPING_PROGRAM);
  square = await_icon (self, FP_GROUPING_PROGRAM, FP_ROW_GROUP, "program-of-test");
  g_assert_true (square != wide);
  g_assert_true (is_symbolic (find_icon (self, FP_GROUPING_PROGRAM, FP_ROW_GROUP, "helper")));
  group (self, FP_GROUPING_USER);
  g_assert_true (is_symbolic (find_icon (self, FP_GROUPING_USER, FP_ROW_GROUP, "ada")));
  group (self, FP_GROUPING_USER_PROGRAM);
  g_assert_true (is_symbolic (find_icon (self, FP_GROUPING_USER_PROGRAM, FP_ROW_GROUP, "ada")));
  fp_rows_set_expanded (self->rows, find_row (self, FP_ROW_GROUP, "ada")->key, TRUE);
  g_assert_true (find_icon (self, FP_GROUPING_USER_PROGRAM, FP_ROW_GROUP, "program-of-test") == square);
  group (self, FP_GROUPING_CONTAINER);
  g_assert_true (is_symbolic (find_icon (self, FP_GROUPING_CONTAINER, FP_ROW_GROUP, "docker:0123456789ab")));
  g_assert_null (find_icon (self, FP_GROUPING_CONTAINER, FP_ROW_GROUP, ""));
  group (self, FP_GROUPING_UNIT);
  g_assert_null (find_icon (self, FP_GROUPING_UNIT, FP_ROW_GROUP, ""));
  /* By its app, which the name of the group does not tell. */
  group (self, FP_GROUPING_PARENT);
  g_assert_true (find_icon (self, FP_GROUPING_PARENT, FP_ROW_GROUP, "helper") == wide);
}

/* Scaled once, whole, in the middle of its square. */
static void
test_size (Fixture *self,
           gconstpointer data)
{
  const FpGrouping none = FP_GROUPING_NOTHING;
  gint64 end = g_get_monotonic_time () + TIMEOUT;
  GdkPaintable *large;
  GdkTexture *texture;

  group (self, none);
  texture = GDK_TEXTURE (await_icon (self, none, FP_ROW_RECORD, "helper"));
  g_assert_cmpint (gdk_texture_get_width (texture), ==, FP_ICON_SIZE);
  g_assert_cmpint (gdk_texture_get_height (texture), ==, FP_ICON_SIZE);
  assert_red (texture, 8, 8, TRUE);
  assert_red (texture, 0, 8, TRUE);
  assert_red (texture, 15, 8, TRUE);
  assert_red (texture, 8, 1, FALSE);
  assert_red (texture, 8, 14, FALSE);
  while (is_symbolic ((large = fp_row_icons_find (self->icons, self->rows, find_row (self, FP_ROW_RECORD, "helper"), none, 2))) &&
         g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (gdk_texture_get_width (GDK_TEXTURE (large)), ==, 2 * FP_ICON_SIZE);
  g_assert_true (find_icon (self, none, FP_ROW_RECORD, "helper") == GDK_PAINTABLE (texture));
}

static void
test_theme (Fixture *self,
            gconstpointer data)
{
  const FpGrouping none = FP_GROUPING_NOTHING;
  GtkIconTheme *theme = gtk_icon_theme_get_for_display (gdk_display_get_default ());
  gint64 end = g_get_monotonic_time () + TIMEOUT;
  g_autoptr (GdkPaintable) before = NULL;
  guint n_changed;

  group (self, none);
  before = g_object_ref (await_icon (self, none, FP_ROW_RECORD, "helper"));
  n_changed = self->n_changed;
  gtk_icon_theme_add_search_path (theme, data_folder);
  while (self->n_changed == n_changed && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (self->n_changed, >, n_changed);
  g_assert_true (await_icon (self, none, FP_ROW_RECORD, "helper") != before);
}

/* The picture of a cell, as a texture of its own. */
static GdkTexture *
draw (GtkWidget *cell)
{
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderer) renderer = gsk_cairo_renderer_new ();
  g_autoptr (GskRenderNode) node = NULL;
  GdkTexture *texture;
  int height = gtk_widget_get_height (cell);

  GTK_WIDGET_GET_CLASS (cell)->snapshot (cell, snapshot);
  node = gtk_snapshot_to_node (snapshot);
  g_assert_nonnull (node);
  gsk_renderer_realize (renderer, NULL, NULL);
  texture = gsk_renderer_render_texture (renderer, node, &GRAPHENE_RECT_INIT (0, 0, CELL, (float)height));
  gsk_renderer_unrealize (renderer);
  return texture;
}

/* From one column of pixels to another, without the last. */
static guint
count_painted (GdkTexture *texture,
               int from,
               int to)
{
  guint n = 0;
  guchar pixel[4];

  for (int y = 0; y < gdk_texture_get_height (texture); y++)
    for (int x = from; x < to; x++)
      {
        get_pixel (texture, x, y, pixel);
        n += pixel[3] > 0;
      }
  return n;
}

/* From a column of pixels on. */
static void
assert_same (GdkTexture *a,
             GdkTexture *b,
             int from)
{
  guchar x[4], y[4];

  for (int row = 0; row < gdk_texture_get_height (a); row++)
    for (int column = from; column < CELL; column++)
      {
        get_pixel (a, column, row, x);
        get_pixel (b, column, row, y);
        g_assert_cmpmem (x, 4, y, 4);
      }
}

static GtkWidget *
show_cell (GtkWindow *window)
{
  GtkWidget *cell = fp_cell_new (FALSE);
  gint64 end = g_get_monotonic_time () + TIMEOUT;

  fp_cell_set_text (FP_CELL (cell), "name", FP_CELL_PLAIN);
  gtk_widget_set_size_request (cell, CELL, 24);
  gtk_window_set_child (window, cell);
  gtk_window_present (window);
  while (gtk_widget_get_width (cell) < CELL && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (gtk_widget_get_width (cell), >=, CELL);
  return cell;
}

/* Names are in line with and without an icon, in the name's column alone; a symbolic one has the text's colour, but is fainter
 * than that. */
static void
test_cell (Fixture *self,
           gconstpointer data)
{
  GtkWindow *window = GTK_WINDOW (gtk_window_new ());
  GtkWidget *cell = show_cell (window);
  g_autoptr (GdkTexture) other_column = NULL;
  g_autoptr (GdkTexture) without = NULL;
  g_autoptr (GdkTexture) with = NULL;
  g_autoptr (GdkTexture) dim = NULL;
  g_autoptr (GtkCssProvider) css = gtk_css_provider_new ();
  guint n_red = 0;
  guchar pixel[4];
  int room = FP_ICON_SIZE;

  gtk_css_provider_load_from_data (css, "cell-text { color: #f00; }", -1);
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (css),
                                              GTK_STYLE_PROVIDER_PRIORITY_USER);
  group (self, FP_GROUPING_USER);
  other_column = draw (cell);
  fp_cell_set_icon (FP_CELL (cell), NULL);
  without = draw (cell);
  fp_cell_set_icon (FP_CELL (cell), find_icon (self, FP_GROUPING_USER, FP_ROW_GROUP, "ada"));
  with = draw (cell);
  fp_cell_set_text (FP_CELL (cell), "name", FP_CELL_DIM);
  dim = draw (cell);

  g_assert_cmpuint (count_painted (other_column, 0, room), >, 0);
  g_assert_cmpuint (count_painted (without, 0, room), ==, 0);
  g_assert_cmpuint (count_painted (with, 0, room), >, 20);
  assert_same (with, without, room);
  while (room < CELL && count_painted (without, room, room + 1) == 0)
    room++;
  g_assert_cmpint (room, <, CELL / 2);
  g_assert_cmpint (room, >=, FP_ICON_SIZE + 4);
  for (int y = 0; y < gdk_texture_get_height (with); y++)
    for (int x = 0; x < FP_ICON_SIZE; x++)
      {
        get_pixel (with, x, y, pixel);
        g_assert_cmpuint (pixel[0], ==, 0);
        g_assert_cmpuint (pixel[1], ==, 0);
        n_red += pixel[2] > 130;
        get_pixel (dim, x, y, pixel);
        g_assert_cmpuint (pixel[2], <, 120);
      }
  g_assert_cmpuint (n_red, >, 20);
  gtk_window_destroy (window);
}

static void
write_picture (const char *folder,
               const char *name,
               int width,
               int height)
{
  g_autoptr (GdkPixbuf) picture = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, width, height);
  g_autofree char *directory = g_build_filename (data_folder, "icons", "hicolor", folder, "apps", NULL);
  g_autofree char *file = g_strconcat (directory, "/", name, ".png", NULL);
  g_autoptr (GError) error = NULL;

  g_mkdir_with_parents (directory, 0700);
  gdk_pixbuf_fill (picture, 0xff0000ff);
  gdk_pixbuf_save (picture, file, "png", &error, NULL);
  g_assert_no_error (error);
}

static void
write_entry (const char *id,
             const char *exec,
             const char *icon)
{
  g_autofree char *text =
      g_strdup_printf ("[Desktop Entry]\nType=Application\nName=x\nExec=%s\nIcon=%s\n", exec, icon);
  g_autofree char *directory = g_build_filename (data_folder, "applications", NULL);
  g_autofree char *file = g_strconcat (directory, "/", id, ".desktop", NULL);
  g_autoptr (GError) error = NULL;

  g_mkdir_with_parents (directory, 0700);
  g_file_set_contents (file, text, -1, &error);
  g_assert_no_error (error);
}

int
main (int argc,
      char *argv[])
{
  g_autofree char *folders = NULL;

  /* In the home that with-session throws away. */
  data_folder = g_build_filename (g_get_home_dir (), "test-data", NULL);
  folders = g_strdup_printf ("%s:/usr/share", data_folder);
  g_setenv ("XDG_DATA_DIRS", folders, TRUE);
  write_picture ("512x512", WIDE, 512, 256);
  write_picture ("48x48", SQUARE, 48, 48);
  write_entry ("org.test.App", "app-of-test", WIDE);
  write_entry ("org.test.Program", "program-of-test", SQUARE);
  write_entry ("org.test.Without", "without-picture", "footprint-test-in-no-theme");
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
#define add_test(name, test) g_test_add ("/row-icons/" name, Fixture, NULL, set_up, test, tear_down)
  add_test ("processes", test_processes);
  add_test ("groups", test_groups);
  add_test ("size", test_size);
  add_test ("theme", test_theme);
  add_test ("cell", test_cell);
  return g_test_run ();
}
