// SPDX-License-Identifier: GPL-3.0-or-later
/* The part that is seen of a text longer than its cell is wide. */
#include <adwaita.h>
#include <string.h>

#include "fp-cell.h"

#define PALE     20 /* the alpha of what is no ink: the ground of a bar, which is paler than that of a badge */
#define PATIENCE (10 * G_USEC_PER_SEC)
#define LONG     "a-name-that-is-longer-than-its-column"

/* Cells side by side, as in a row of a table */
typedef struct
{
  GtkWidget *window;
  GtkWidget *row;
  GdkPaintable *paintable;
  GskRenderer *renderer;
} Fixture;

/* The drawing, from the first to the last column and line that are not empty */
typedef struct
{
  int left, right, top, bottom;
} Ink;

static void
set_up (Fixture *self,
        gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_object_set (gtk_settings_get_default (), "gtk-font-name", "Cantarell 11", NULL);
  self->window = adw_window_new ();
  self->row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_halign (self->row, GTK_ALIGN_START);
  self->paintable = gtk_widget_paintable_new (self->row);
  self->renderer = gsk_cairo_renderer_new ();
  g_assert_true (gsk_renderer_realize (self->renderer, NULL, &error));
  g_assert_no_error (error);
  adw_window_set_content (ADW_WINDOW (self->window), self->row);
  gtk_window_set_default_size (GTK_WINDOW (self->window), 500, 100);
  gtk_window_present (GTK_WINDOW (self->window));
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  gsk_renderer_unrealize (self->renderer);
  g_clear_object (&self->renderer);
  g_clear_object (&self->paintable);
  gtk_window_destroy (GTK_WINDOW (self->window));
  while (g_main_context_iteration (NULL, FALSE))
    continue;
}

static FpCell *
add_cell (Fixture *self,
          gboolean is_figure,
          int width,
          const char *text,
          FpCellTone tone)
{
  GtkWidget *slot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *cell = fp_cell_new (is_figure);

  gtk_widget_set_overflow (slot, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_size_request (slot, width, 30);
  gtk_widget_set_hexpand (cell, TRUE);
  gtk_box_append (GTK_BOX (slot), cell);
  gtk_box_append (GTK_BOX (self->row), slot);
  fp_cell_set_text (FP_CELL (cell), text, tone);
  return FP_CELL (cell);
}

static GdkTexture *
draw (Fixture *self)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  int width = gdk_paintable_get_intrinsic_width (self->paintable);
  int height = gdk_paintable_get_intrinsic_height (self->paintable);
  g_autoptr (GskRenderNode) node = NULL;

  gdk_paintable_snapshot (self->paintable, snapshot, width, height);
  node = gtk_snapshot_free_to_node (snapshot);
  return node ? gsk_renderer_render_texture (self->renderer, node, &GRAPHENE_RECT_INIT (0, 0, (float)width, (float)height))
              : NULL;
}

/* Between two columns; FALSE: nothing is drawn there */
static gboolean
find_ink (Fixture *self,
          int from,
          int to,
          Ink *ink)
{
  g_autoptr (GdkTexture) texture = draw (self);
  int width = texture ? gdk_texture_get_width (texture) : 0, height = texture ? gdk_texture_get_height (texture) : 0;
  g_autofree guint32 *pixels = g_new0 (guint32, (gsize)MAX (width * height, 1));

  *ink = (Ink){ G_MAXINT, -1, G_MAXINT, -1 };
  if (texture)
    gdk_texture_download (texture, (guchar *)pixels, (gsize)width * sizeof *pixels);
  for (int y = 0; y < height; y++)
    for (int x = from; x < MIN (to, width); x++)
      if (pixels[y * width + x] >> 24 > PALE)
        *ink = (Ink){ MIN (ink->left, x), MAX (ink->right, x), MIN (ink->top, y), MAX (ink->bottom, y) };
  return ink->right >= 0;
}

static void
await_ink (Fixture *self,
           int from,
           int to,
           gboolean is_wanted)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;
  Ink ink;

  while (find_ink (self, from, to, &ink) != is_wanted && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE);
  g_assert_true (find_ink (self, from, to, &ink) == is_wanted);
}

/* The name of a group goes on where the group has nothing, up to where something stands or comes to stand. */
static void
test_room (Fixture *self,
           gconstpointer data)
{
  FpCell *name = add_cell (self, FALSE, 80, LONG, FP_CELL_BOLD), *empty = add_cell (self, FALSE, 100, "", FP_CELL_PLAIN);

  add_cell (self, TRUE, 100, "1", FP_CELL_PLAIN);
  await_ink (self, 60, 80, TRUE);
  await_ink (self, 85, 180, FALSE);

  fp_cell_set_tree (name, 0, FP_ARROW_CLOSED);
  await_ink (self, 150, 178, TRUE);
  await_ink (self, 180, 260, FALSE);

  fp_cell_set_text (empty, ".", FP_CELL_PLAIN);
  await_ink (self, 100, 180, FALSE);
  fp_cell_set_text (empty, "", FP_CELL_PLAIN);
  await_ink (self, 150, 178, TRUE);

  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (empty)), FALSE);
  await_ink (self, 85, 160, FALSE);
}

/* A figure that is a little too long is smaller, with its unit, which here reaches below all others. */
static void
test_figure (Fixture *self,
             gconstpointer data)
{
  FpCell *figure = add_cell (self, TRUE, 200, "111111111111 g", FP_CELL_BOLD);
  GtkWidget *slot = gtk_widget_get_parent (GTK_WIDGET (figure));
  Ink whole, smaller;

  await_ink (self, 100, 200, TRUE);
  g_assert_true (find_ink (self, 0, 200, &whole));
  gtk_widget_set_size_request (slot, (whole.right - whole.left) * 95 / 100, 30);
  await_ink (self, 0, whole.left, TRUE);
  g_assert_true (find_ink (self, 0, 200, &smaller));
  g_assert_cmpint (smaller.bottom - smaller.top, <, whole.bottom - whole.top);
  g_assert_cmpint ((smaller.bottom - smaller.top) * 4, >, (whole.bottom - whole.top) * 3);
}

/* A path that does not fit shows its last part, with a sign that there is more of it. */
static void
test_path (Fixture *self,
           gconstpointer data)
{
  FpCell *cell = add_cell (self, FALSE, 90, "/usr/lib/some-folder/lib.so", FP_CELL_PLAIN);
  Ink path, last;

  fp_cell_set_is_path (cell, TRUE);
  await_ink (self, 0, 30, TRUE);
  await_ink (self, 60, 90, FALSE);
  g_assert_true (find_ink (self, 0, 90, &path));

  fp_cell_set_text (cell, "…/lib.so", FP_CELL_PLAIN);
  g_assert_true (find_ink (self, 0, 90, &last));
  g_assert_cmpint (path.right, ==, last.right);

  fp_cell_set_text (cell, "/usr/lib/some-folder/lib.so", FP_CELL_PLAIN);
  gtk_widget_set_size_request (gtk_widget_get_parent (GTK_WIDGET (cell)), 400, 30);
  await_ink (self, 100, 150, TRUE);
}

/* A bar leaves the digits alone: it is as long as its part, and ends below them. */
static void
test_bar (Fixture *self,
          gconstpointer data)
{
  FpCell *figure = add_cell (self, TRUE, 200, "111", FP_CELL_PLAIN);
  Ink digits, bar;

  await_ink (self, 100, 200, TRUE);
  g_assert_true (find_ink (self, 0, 200, &digits));
  g_assert_cmpint (digits.left, >, 100);
  fp_cell_set_bar (figure, 0.25, "blue_2");
  await_ink (self, 0, 100, TRUE);
  g_assert_true (find_ink (self, 0, 100, &bar));
  g_assert_cmpint (bar.left, <=, 1);
  g_assert_cmpint (bar.right, >=, 47);
  g_assert_cmpint (bar.right, <=, 50);
  g_assert_cmpint (bar.top, >, digits.bottom);
  fp_cell_set_bar (figure, 0, "blue_2");
  await_ink (self, 0, 100, FALSE);
}

/* A badge, which is higher than these letters, gives way to a name that needs its room, and goes where few letters of it are left. */
static void
test_badge (Fixture *self,
            gconstpointer data)
{
  FpCell *cell = add_cell (self, FALSE, 200, "nnn", FP_CELL_PLAIN);
  Ink ink;

  fp_cell_set_badge (cell, "near limit");
  await_ink (self, 140, 160, TRUE);
  await_ink (self, 60, 120, FALSE);
  g_assert_true (find_ink (self, 140, 160, &ink));
  g_assert_cmpint (ink.bottom - ink.top, >, 12);
  fp_cell_set_text (cell, "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn", FP_CELL_PLAIN);
  await_ink (self, 60, 120, TRUE);
  g_assert_true (find_ink (self, 140, 160, &ink));
  g_assert_cmpint (ink.bottom - ink.top, <, 12);
  g_assert_true (find_ink (self, 185, 200, &ink));
  g_assert_cmpint (ink.bottom - ink.top, <, 12);
}

int
main (int argc,
      char **argv)
{
  gtk_test_init (&argc, &argv);
  adw_init ();
  g_test_add ("/cell/room", Fixture, NULL, set_up, test_room, tear_down);
  g_test_add ("/cell/figure", Fixture, NULL, set_up, test_figure, tear_down);
  g_test_add ("/cell/bar", Fixture, NULL, set_up, test_bar, tear_down);
  g_test_add ("/cell/badge", Fixture, NULL, set_up, test_badge, tear_down);
  g_test_add ("/cell/path", Fixture, NULL, set_up, test_path, tear_down);
  return g_test_run ();
}
