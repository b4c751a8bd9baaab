// SPDX-License-Identifier: GPL-3.0-or-later
/* The page of a recording that grows while it is compared with another file. */
#include <adwaita.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fp-heap-functions.h"
#include "fp-heap-page.h"
#include "fp-heap-scene.h"
#include "heap-writer.h"
#include "widget-probe.h"

typedef struct
{
  GtkWidget *window;
  FpHeapPage *page;
  FpHeapTable *table; /* of functions */
  HeapWriter writer;
  guint start, rows;
  int fd; /* the follower's */
  FpHeapFollower *follower;
  gsize written;
  FpHeapProfile *earlier;
} Fixture;

/* It has a function that the recording does not have. */
static FpHeapProfile *
make_earlier (void)
{
  g_auto (HeapWriter) writer = { 0 };
  guint start;

  heap_writer_init (&writer, HEAP_FORMAT_3);
  start = heap_writer_add_trace (&writer, "main", 0);
  heap_writer_allocate (&writer, 0x10, 1 << 20, heap_writer_add_trace (&writer, "read_rows", start));
  heap_writer_allocate (&writer, 0x20, 1 << 19, heap_writer_add_trace (&writer, "fill_cache", start));
  heap_writer_set_time (&writer, 3000);
  heap_writer_finish (&writer);
  return heap_read (writer.text->str, writer.text->len, NULL);
}

static void
follow_cb (GObject *source,
           GAsyncResult *result,
           gpointer data)
{
  g_autoptr (GError) error = NULL;

  *(FpHeapScene **)data = fp_heap_scene_finish (result, &error);
  g_assert_no_error (error);
}

/* Writes what is new into the file, and reads it. */
static FpHeapScene *
follow (Fixture *self)
{
  const GString *text = self->writer.text;
  FpHeapScene *scene = NULL;
  gssize length = (gssize)(text->len - self->written);

  g_assert_cmpint (pwrite (self->fd, text->str + self->written, (gsize)length, (off_t)self->written), ==, length);
  self->written = text->len;
  fp_heap_scene_follow_async (self->follower, FALSE, FP_STYLE_IEC, NULL, follow_cb, &scene);
  while (!scene)
    g_main_context_iteration (NULL, TRUE);
  return scene;
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  g_autoptr (FpHeapScene) scene = NULL;

  self->fd = memfd_create ("footprint-test", MFD_CLOEXEC);
  self->follower = fp_heap_follower_new (self->fd);
  self->earlier = make_earlier ();
  heap_writer_init (&self->writer, HEAP_FORMAT_3);
  self->start = heap_writer_add_trace (&self->writer, "main", 0);
  self->rows = heap_writer_add_trace (&self->writer, "read_rows", self->start);
  heap_writer_allocate (&self->writer, 0x100, 3 << 20, self->rows);
  heap_writer_set_time (&self->writer, 1000);
  scene = follow (self);
  self->window = adw_window_new ();
  self->page = g_object_new (FP_TYPE_HEAP_PAGE, NULL);
  adw_window_set_content (ADW_WINDOW (self->window), GTK_WIDGET (self->page));
  fp_heap_page_show (self->page, scene);
  self->table = fp_heap_functions_get_table (FP_HEAP_FUNCTIONS (widget_probe_find (GTK_WIDGET (self->page), FP_TYPE_HEAP_FUNCTIONS)));
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
  fp_heap_follower_unref (self->follower);
  fp_heap_profile_unref (self->earlier);
  heap_writer_clear (&self->writer);
}

static FpTable *
get_table (Fixture *self)
{
  return fp_table_view_get_table (fp_heap_table_get_view (self->table));
}

static const FpRecords *
get_records (Fixture *self)
{
  return fp_rows_get_records (fp_table_get_rows (get_table (self)), FP_ROW_RECORD);
}

/* G_MAXUINT: it has none */
static guint
find (const FpRecords *records,
      const char *name)
{
  for (guint i = 0; i < records->n; i++)
    if (g_str_equal (fp_heap_records_get_name (records, i), name))
      return i;
  return G_MAXUINT;
}

static void
compare (Fixture *self)
{
  g_assert_true (fp_heap_page_compare (self->page, self->earlier, (const char *const[]){ "earlier", "now" }));
  while (!fp_heap_records_are_compared (get_records (self)))
    g_main_context_iteration (NULL, TRUE);
}

/* Functions with names that come before those of the earlier file alone */
static void
grow (Fixture *self)
{
  g_autoptr (FpHeapScene) scene = NULL;

  heap_writer_allocate (&self->writer, 0x200, 1 << 20, heap_writer_add_trace (&self->writer, "parse_object", self->rows));
  heap_writer_allocate (&self->writer, 0x300, 1 << 20, heap_writer_add_trace (&self->writer, "parse_list", self->rows));
  heap_writer_set_time (&self->writer, 2000);
  scene = follow (self);
  g_assert_true (fp_heap_page_grow (self->page, scene));
}

/* Until the grown comparison is there, the page shows the one before. */
static void
test_comparison (Fixture *self,
                 gconstpointer data)
{
  compare (self);
  g_assert_cmpuint (find (get_records (self), "fill_cache"), !=, G_MAXUINT);
  grow (self);
  /* Anything that makes the page show its list again. */
  fp_heap_page_set_search (self->page, "");
  g_assert_true (fp_heap_records_are_compared (get_records (self)));
  g_assert_cmpuint (find (get_records (self), "fill_cache"), !=, G_MAXUINT);
  while (find (get_records (self), "parse_list") == G_MAXUINT)
    {
      g_main_context_iteration (NULL, TRUE);
      g_assert_true (fp_heap_records_are_compared (get_records (self)));
    }
}

static char *
name_selected (Fixture *self)
{
  g_autoptr (GArray) indices = g_array_new (FALSE, FALSE, sizeof (guint));

  fp_table_add_selected (get_table (self), indices);
  g_assert_cmpuint (indices->len, ==, 1);
  return g_strdup (fp_heap_records_get_name (get_records (self), g_array_index (indices, guint, 0)));
}

/* A row that is only in the earlier file stays the same one. */
static void
test_selection (Fixture *self,
                gconstpointer data)
{
  g_autofree char *name = NULL;

  compare (self);
  fp_heap_table_select (self->table, fp_records_get_key (get_records (self), find (get_records (self), "fill_cache")));
  grow (self);
  while (find (get_records (self), "parse_list") == G_MAXUINT)
    g_main_context_iteration (NULL, TRUE);
  name = name_selected (self);
  g_assert_cmpstr (name, ==, "fill_cache");
}

int
main (int argc,
      char *argv[])
{
  adw_init ();
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/heap-page/comparison", Fixture, NULL, set_up, test_comparison, tear_down);
  g_test_add ("/heap-page/selection", Fixture, NULL, set_up, test_selection, tear_down);
  return g_test_run ();
}
