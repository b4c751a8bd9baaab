// SPDX-License-Identifier: GPL-3.0-or-later
/* Columns are as wide as font and unit ask for, and begin where words do. */
#include <adwaita.h>

#include "fp-table-view.h"
#include "fp-text-width.h"
#include "widget-probe.h"

#define USUAL_DPI (96 * 1024)

typedef struct
{
  GtkWidget *window;
  FpTableView *view;
  GtkColumnView *column_view;
  GtkAdjustment *across;
} Fixture;

static void
set_dpi (int dpi)
{
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", dpi, NULL);
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  static const FpTableLayout layout = {
    .kinds = FP_RECORD_PROCESS,
    .columns = { { "program", 230, TRUE }, { "pid", 84, TRUE }, { "pss", 118, TRUE }, { NULL } },
    .text_width = 140,
    .figure_width = 110,
  };

  g_object_set (gtk_settings_get_default (), "gtk-font-name", "Cantarell 11", NULL);
  set_dpi (USUAL_DPI);
  gtk_widget_set_default_direction (GPOINTER_TO_INT (data));
  self->window = adw_window_new ();
  self->view = FP_TABLE_VIEW (fp_table_view_new (&layout, "Processes"));
  self->column_view = GTK_COLUMN_VIEW (widget_probe_find (GTK_WIDGET (self->view), GTK_TYPE_COLUMN_VIEW));
  self->across = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (self->column_view));
  gtk_window_set_default_size (GTK_WINDOW (self->window), 300, 300);
  /* libadwaita 1.7 asks for 360. */
  gtk_widget_set_size_request (self->window, 300, 300);
  adw_window_set_content (ADW_WINDOW (self->window), GTK_WIDGET (self->view));
  gtk_window_present (GTK_WINDOW (self->window));
  while (gtk_adjustment_get_page_size (self->across) < 1)
    g_main_context_iteration (NULL, TRUE);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (self->window));
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

static GtkColumnViewColumn *
get_column (Fixture *self,
            guint i)
{
  g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (gtk_column_view_get_columns (self->column_view), i);

  return column;
}

static int
get_width (Fixture *self,
           guint i)
{
  return gtk_column_view_column_get_fixed_width (get_column (self, i));
}

/* Styles change with the next frame. */
static void
await_width (Fixture *self,
             guint i,
             int least)
{
  gint64 end = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;

  while (get_width (self, i) < least && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpint (get_width (self, i), >=, least);
}

static void
test_font (Fixture *self,
           gconstpointer data)
{
  FpTableColumns *columns = fp_table_view_get_columns (self->view);
  g_autoptr (GVariant) remembered = NULL, usual = NULL;

  g_assert_cmpint (get_width (self, 1), ==, 84);
  gtk_column_view_column_set_fixed_width (get_column (self, 2), 99);
  set_dpi (USUAL_DPI * 3 / 2);
  await_width (self, 1, 84 * 14 / 10);
  g_assert_cmpint (get_width (self, 0), >=, 230 * 14 / 10);
  g_assert_cmpint (get_width (self, 2), ==, 99);

  /* A width that was never changed is not remembered. */
  remembered = g_variant_ref_sink (fp_table_columns_to_variant (columns));
  usual = g_variant_ref_sink (g_variant_new_parsed ("[('program', true, 0), ('pid', true, 0), ('pss', true, 99)]"));
  for (gsize i = 0; i < g_variant_n_children (usual); i++)
    {
      g_autoptr (GVariant) a = g_variant_get_child_value (remembered, i), b = g_variant_get_child_value (usual, i);

      g_assert_true (g_variant_equal (a, b));
    }
  fp_table_columns_take_variant (columns, remembered);
  g_assert_cmpint (get_width (self, 2), ==, 99);
  g_assert_cmpint (get_width (self, 1), >=, 84 * 14 / 10);
  fp_table_columns_take_variant (columns, NULL);
  g_assert_cmpint (get_width (self, 2), >=, 118 * 14 / 10);
}

static void
take (FpTableColumns *columns,
      const char *text)
{
  g_autoptr (GVariant) layout = g_variant_ref_sink (g_variant_new_parsed (text));

  fp_table_columns_take_variant (columns, layout);
}

/* A column that is gone is passed over; a layout in which an id has another meaning is not used at all. */
static void
test_old_layout (Fixture *self,
                 gconstpointer data)
{
  FpTableColumns *columns = fp_table_view_get_columns (self->view);

  take (columns, "[('no-such-column', true, 70), ('program', true, 0), ('pid', true, 0), ('pss', true, 99)]");
  g_assert_cmpint (get_width (self, 2), ==, 99);
  take (columns, "[('program', true, 0), ('pid', true, 0), ('pss', true, 98), ('swap_pss', true, 70), ('swap', true, 70)]");
  g_assert_cmpint (get_width (self, 2), ==, 118);
}

static void
test_unit (Fixture *self,
           gconstpointer data)
{
  FpTableColumns *columns = fp_table_view_get_columns (self->view);

  fp_table_columns_fit (columns, GTK_WIDGET (self->view), FP_STYLE_BYTES);
  g_assert_cmpint (get_width (self, 2), >, 118);
  g_assert_cmpint (get_width (self, 1), ==, 84);
  fp_table_columns_fit (columns, GTK_WIDGET (self->view), FP_STYLE_IEC);
  g_assert_cmpint (get_width (self, 2), ==, 118);
}

/* No title is cut off. */
static void
test_titles (Fixture *self,
             gconstpointer data)
{
  FpTableColumns *columns = fp_table_view_get_columns (self->view);
  int needed = fp_text_width_measure (GTK_WIDGET (self->view), "Growth per Minute");

  take (columns, "[('growth', true, 0)]");
  fp_table_columns_fit (columns, GTK_WIDGET (self->view), FP_STYLE_IEC);
  g_assert_cmpstr (gtk_column_view_column_get_title (get_column (self, 0)), ==, "Growth per Minute");
  g_assert_cmpint (get_width (self, 0), >, needed);
}

/* Where not all columns fit, none is cut: the name is as wide as those that fit leave room, and a text gets narrower. */
static void
test_room (Fixture *self,
           gconstpointer data)
{
  FpTableColumns *columns = fp_table_view_get_columns (self->view);

  fp_table_columns_set_room (columns, 330);
  g_assert_cmpint (get_width (self, 0) + get_width (self, 1), ==, 330);
  g_assert_cmpint (get_width (self, 1), ==, 84);
  fp_table_columns_set_room (columns, 1000);
  g_assert_cmpint (get_width (self, 0), ==, 230);
  take (columns, "[('program', true, 0), ('pid', true, 0), ('command', true, 0)]");
  fp_table_columns_set_room (columns, 440);
  g_assert_cmpint (get_width (self, 0), ==, 230);
  g_assert_cmpint (get_width (self, 2), ==, 440 - 230 - 84);
  /* A width that a user has set stays. */
  gtk_column_view_column_set_fixed_width (get_column (self, 0), 200);
  fp_table_columns_set_room (columns, 250);
  g_assert_cmpint (get_width (self, 0), ==, 200);
}

static double
get_rest (Fixture *self)
{
  return gtk_adjustment_get_upper (self->across) - gtk_adjustment_get_page_size (self->across);
}

static void
test_start (Fixture *self,
            gconstpointer data)
{
  gboolean is_rtl = GPOINTER_TO_INT (data) == GTK_TEXT_DIR_RTL;
  gint64 end = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;

  g_assert_cmpfloat (get_rest (self), >, 100);
  while (is_rtl && gtk_adjustment_get_value (self->across) < get_rest (self) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpfloat_with_epsilon (gtk_adjustment_get_value (self->across), is_rtl ? get_rest (self) : 0, 0.5);
}

static char *
describe_order (Fixture *self)
{
  g_autoptr (GVariant) columns = g_variant_ref_sink (fp_table_columns_to_variant (fp_table_view_get_columns (self->view)));
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < g_variant_n_children (columns); i++)
    {
      g_autoptr (GVariant) column = g_variant_get_child_value (columns, i);
      const char *id;
      gboolean is_shown;

      g_variant_get (column, "(&sbi)", &id, &is_shown, NULL);
      if (is_shown)
        g_string_append_printf (text, "%s ", id);
    }
  return g_string_free (text, FALSE);
}

/* A title that was dragged stays where it is, also where it has no room for a while. */
static void
test_order (Fixture *self,
            gconstpointer data)
{
  FpTableColumns *columns = fp_table_view_get_columns (self->view);
  g_autoptr (GtkColumnViewColumn) pss = g_object_ref (get_column (self, 2));
  g_autofree char *dragged = NULL, *narrow = NULL, *wide = NULL;

  gtk_column_view_insert_column (self->column_view, 0, pss);
  dragged = describe_order (self);
  g_assert_cmpstr (dragged, ==, "pss program pid ");
  fp_table_columns_set_narrow (columns, TRUE);
  gtk_column_view_insert_column (self->column_view, 1, pss);
  narrow = describe_order (self);
  g_assert_cmpstr (narrow, ==, "program pss pid ");
  gtk_column_view_insert_column (self->column_view, 0, pss);
  fp_table_columns_set_narrow (columns, FALSE);
  wide = describe_order (self);
  g_assert_cmpstr (wide, ==, "pss program pid ");
  g_assert_true (get_column (self, 0) == pss);
}

/* A column that has no room keeps its place. */
static void
test_order_narrow (Fixture *self,
                   gconstpointer data)
{
  g_autofree char *narrow = NULL;

  fp_table_columns_set_narrow (fp_table_view_get_columns (self->view), TRUE);
  narrow = describe_order (self);
  g_assert_cmpstr (narrow, ==, "program pid pss ");
}

int
main (int argc,
      char *argv[])
{
  gpointer ltr = GINT_TO_POINTER (GTK_TEXT_DIR_LTR), rtl = GINT_TO_POINTER (GTK_TEXT_DIR_RTL);

  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add ("/widths/old-layout", Fixture, ltr, set_up, test_old_layout, tear_down);
  g_test_add ("/widths/font", Fixture, ltr, set_up, test_font, tear_down);
  g_test_add ("/widths/unit", Fixture, ltr, set_up, test_unit, tear_down);
  g_test_add ("/widths/titles", Fixture, ltr, set_up, test_titles, tear_down);
  g_test_add ("/widths/order", Fixture, ltr, set_up, test_order, tear_down);
  g_test_add ("/widths/order-narrow", Fixture, ltr, set_up, test_order_narrow, tear_down);
  g_test_add ("/widths/room", Fixture, ltr, set_up, test_room, tear_down);
  g_test_add ("/widths/start", Fixture, ltr, set_up, test_start, tear_down);
  g_test_add ("/widths/start-right-to-left", Fixture, rtl, set_up, test_start, tear_down);
  return g_test_run ();
}
