// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-column-title.h"
#include "fp-table-scroll.h"

struct _FpTableScroll
{
  GObject parent;

  GtkWidget *list;
  FpTable *table;
  FpTableColumns *columns;
  GtkAdjustment *down;
  GtkAdjustment *across;

  FpKey to_reveal;
  gboolean is_to_reveal;
  guint reveal_source;

  guint across_source;
  double from_start; /* distance from the right end, where names begin in a right-to-left list */

  guint room_source;
  guint widths;        /* a hash of what the columns had when rows were last placed */
  gint64 widths_frame; /* in which it became that */

  guint top_source;
  double page_height;
  gboolean is_at_top;
};

G_DEFINE_FINAL_TYPE (FpTableScroll, fp_table_scroll, G_TYPE_OBJECT)

/* GTK has widgets for the rows around those in sight. Where that is beyond what is left it would make others for what is,
 * all at once; those that are there it takes along when it is scrolled. */
static void
shrinking_cb (FpTableScroll *self)
{
  double n = fp_rows_get_n (fp_table_get_rows (self->table));
  double n_told = g_list_model_get_n_items (G_LIST_MODEL (self->table));

  if (gtk_adjustment_get_value (self->down) * n_told >= gtk_adjustment_get_upper (self->down) * n)
    gtk_adjustment_set_value (self->down, 0);
}

/* GTK scrolls no further than it must, but in a list without a size nothing is in sight. A row that the list does not know of
 * yet is revealed when it does. */
static void
try_to_reveal (FpTableScroll *self)
{
  guint position = fp_table_find (self->table, self->to_reveal);
  gboolean is_whole = fp_table_get_n_rows (self->table) == fp_rows_get_n (fp_table_get_rows (self->table));

  if (!gtk_widget_get_mapped (self->list) || gtk_adjustment_get_page_size (self->down) < 1)
    return;
  if (position == GTK_INVALID_LIST_POSITION && !is_whole)
    return;
  self->is_to_reveal = FALSE;
  if (position != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", position);
}

static void
reveal_cb (gpointer data)
{
  FpTableScroll *self = data;

  self->reveal_source = 0;
  try_to_reveal (self);
}

/* Not while widgets get their places. */
static void
placed_cb (FpTableScroll *self)
{
  if (self->is_to_reveal && self->reveal_source == 0)
    self->reveal_source = g_idle_add_once (reveal_cb, self);
}

static gboolean
is_right_to_left (FpTableScroll *self)
{
  return gtk_widget_get_direction (self->list) == GTK_TEXT_DIR_RTL;
}

static void
scrolled_across_cb (FpTableScroll *self)
{
  if (is_right_to_left (self))
    self->from_start = gtk_adjustment_get_upper (self->across) - gtk_adjustment_get_page_size (self->across) -
                       gtk_adjustment_get_value (self->across);
}

static gboolean
keep_place_across_cb (gpointer data)
{
  FpTableScroll *self = data;

  self->across_source = 0;
  gtk_adjustment_set_value (self->across, gtk_adjustment_get_upper (self->across) -
                                              gtk_adjustment_get_page_size (self->across) - self->from_start);
  return G_SOURCE_REMOVE;
}

/* GTK starts at the left, which is the end of a table that is read from the right. It says so while it gives widgets
 * their places, and would not do that again for a value that is set meanwhile. */
static void
width_changed_cb (FpTableScroll *self)
{
  if (is_right_to_left (self) && self->across_source == 0)
    self->across_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, keep_place_across_cb, self, NULL);
}

static gboolean
set_room_cb (gpointer data)
{
  FpTableScroll *self = data;

  self->room_source = 0;
  fp_table_columns_set_room (self->columns, (int)gtk_adjustment_get_page_size (self->across));
  return G_SOURCE_REMOVE;
}

/* Not while widgets get their places. */
static void
room_changed_cb (FpTableScroll *self)
{
  if (self->room_source == 0)
    self->room_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, set_room_cb, self, NULL);
}

static void
scrolled_down_cb (FpTableScroll *self)
{
  self->is_at_top = gtk_adjustment_get_value (self->down) <= 0;
}

static gboolean
keep_at_top_cb (gpointer data)
{
  FpTableScroll *self = data;

  self->top_source = 0;
  gtk_adjustment_set_value (self->down, 0);
  return G_SOURCE_REMOVE;
}

/* GTK keeps what was chosen last where it was in proportion, so that a list which gets lower begins with half a row. It
 * says so before it says that the list was scrolled. */
static void
height_changed_cb (FpTableScroll *self)
{
  double value = gtk_adjustment_get_value (self->down), height = gtk_adjustment_get_page_size (self->down);

  if (self->is_at_top && value > 0 && value <= self->page_height - height && self->top_source == 0)
    self->top_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, keep_at_top_cb, self, NULL);
  self->page_height = height;
}

static void
fp_table_scroll_dispose (GObject *object)
{
  FpTableScroll *self = FP_TABLE_SCROLL (object);

  g_clear_handle_id (&self->reveal_source, g_source_remove);
  g_clear_handle_id (&self->across_source, g_source_remove);
  g_clear_handle_id (&self->room_source, g_source_remove);
  g_clear_handle_id (&self->top_source, g_source_remove);
  g_clear_object (&self->list);
  g_clear_object (&self->columns);
  g_clear_object (&self->table);
  g_clear_object (&self->down);
  g_clear_object (&self->across);

  G_OBJECT_CLASS (fp_table_scroll_parent_class)->dispose (object);
}

static void
fp_table_scroll_class_init (FpTableScrollClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_table_scroll_dispose;
}

static void
fp_table_scroll_init (FpTableScroll *self)
{
  self->is_at_top = TRUE;
}

FpTableScroll *
fp_table_scroll_new (GtkScrolledWindow *scroller,
                     GtkWidget *list,
                     FpTable *table,
                     FpTableColumns *columns)
{
  FpTableScroll *self = g_object_new (FP_TYPE_TABLE_SCROLL, NULL);
  GtkAdjustment *down = gtk_scrolled_window_get_vadjustment (scroller);
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (scroller);

  self->list = g_object_ref (list);
  self->table = g_object_ref (table);
  self->columns = g_object_ref (columns);
  self->down = g_object_ref (down);
  self->across = g_object_ref (across);
  g_signal_connect_object (table, "shrinking", G_CALLBACK (shrinking_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (list, "map", G_CALLBACK (placed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (down, "changed", G_CALLBACK (placed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (down, "notify::page-size", G_CALLBACK (height_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (down, "value-changed", G_CALLBACK (scrolled_down_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (across, "changed", G_CALLBACK (width_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (across, "notify::page-size", G_CALLBACK (room_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (across, "value-changed", G_CALLBACK (scrolled_across_cb), self, G_CONNECT_SWAPPED);
  return self;
}

/* Scrolls to a row, where it is not seen already; as soon as the list is. */
void
fp_table_scroll_reveal (FpTableScroll *self,
                        FpKey key)
{
  g_return_if_fail (FP_IS_TABLE_SCROLL (self));

  self->to_reveal = key;
  self->is_to_reveal = TRUE;
  try_to_reveal (self);
}

/* NULL: it is not shown */
static GtkWidget *
find_title (FpTableScroll *self,
            const FpColumn *column)
{
  GtkWidget *header = gtk_widget_get_first_child (gtk_widget_get_parent (self->list));

  for (GtkWidget *title = gtk_widget_get_first_child (header); title; title = gtk_widget_get_next_sibling (title))
    {
      GtkWidget *label = fp_column_title_find_label (title);

      if (label && gtk_widget_get_mapped (title) && g_str_equal (gtk_label_get_text (GTK_LABEL (label)), fp_column_get_heading (column)))
        return title;
    }
  return NULL;
}

/* Whether one has to scroll across to see all of the column. One that has no place in the table now is not out of sight. */
gboolean
fp_table_scroll_has_out_of_sight (FpTableScroll *self,
                                  const FpColumn *column)
{
  GtkWidget *title;
  graphene_rect_t box;
  double left, right;

  g_return_val_if_fail (FP_IS_TABLE_SCROLL (self), FALSE);

  title = find_title (self, column);
  if (!title)
    return FALSE;
  if (!gtk_widget_compute_bounds (title, gtk_widget_get_parent (title), &box) || box.size.width < 1)
    return TRUE;
  left = gtk_adjustment_get_value (self->across);
  right = left + gtk_adjustment_get_page_size (self->across);
  return (double)box.origin.x < left || (double)(box.origin.x + box.size.width) > right;
}

/* Scrolls across to where names begin. */
void
fp_table_scroll_go_to_names (FpTableScroll *self)
{
  double end;

  g_return_if_fail (FP_IS_TABLE_SCROLL (self));

  end = gtk_adjustment_get_upper (self->across) - gtk_adjustment_get_page_size (self->across);
  gtk_adjustment_set_value (self->across, is_right_to_left (self) ? end : 0);
}

static guint
hash_widths (FpTableScroll *self)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (gtk_widget_get_parent (self->list)));
  guint hash = 0;

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      int width = gtk_column_view_column_get_visible (column) ? gtk_column_view_column_get_fixed_width (column) : -2;

      hash = hash * 31 + (guint)width;
    }
  return hash;
}

/* Columns that have changed get their places in the next frame. */
static gboolean
are_columns_new (FpTableScroll *self)
{
  gint64 frame = gdk_frame_clock_get_frame_counter (gtk_widget_get_frame_clock (self->list));
  guint widths = hash_widths (self);

  if (self->widths != widths)
    self->widths_frame = frame;
  self->widths = widths;
  return self->widths_frame == frame;
}

/* GTK would do it in the next frame. When a step of the wheel comes before it, rows that are new are nowhere yet, and GTK
 * drops the step with a warning. Cells that got their places by columns of the last frame get them again with the new ones. */
void
fp_table_scroll_place_rows (FpTableScroll *self)
{
  GtkAllocation allocation;

  g_return_if_fail (FP_IS_TABLE_SCROLL (self));

  if (!gtk_widget_get_mapped (self->list))
    return;
  gtk_widget_get_allocation (self->list, &allocation);
  gtk_widget_measure (self->list, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_size_allocate (self->list, &allocation, -1);
  if (!are_columns_new (self))
    return;
  for (GtkWidget *row = gtk_widget_get_first_child (self->list); row; row = gtk_widget_get_next_sibling (row))
    gtk_widget_queue_allocate (row);
}
