// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-table-keys.h"
#include "fp-table-view.h"
#include "fp-tooltip.h"

struct _FpTableView
{
  GtkWidget parent;

  GtkWidget *scroller;
  GtkColumnView *view;
  GtkWidget *list; /* inside view; it scrolls */
  FpTable *table;
  FpTableScroll *scroll;
  FpOrderPause *pause;
  FpTableKeys *keys; /* not owned; freed with the view */
  FpRowStyle style;
  FpTableColumns *columns;
  GPtrArray *cells; /* bound FpViewCells */
  gboolean groups_activate;
  gboolean is_pressed;
  guint activated;       /* position to activate, from a press until its release */
  guint activate_source; /* activates that row after the release */
  guint keep_source;     /* runs until there are enough rows of widgets */
};

typedef struct
{
  FpTableView *owner;
  const FpColumn *column;
} FpViewColumn;

/* The data of a cell's widget, which stands for one row after another. */
typedef struct
{
  FpViewColumn *column;
  GtkListItem *item;
  guint index; /* in cells; G_MAXUINT: it is not bound */
  gboolean is_stale;
  char *description;
} FpViewCell;

enum
{
  SORT_CHANGED,
  MENU_REQUESTED,
  ACTIVATE_ROW,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpTableView, fp_table_view, GTK_TYPE_WIDGET)

static FpViewCell *
get_view_cell (gpointer widget)
{
  return g_object_get_data (widget, "fp-view-cell");
}

static void
view_cell_free (gpointer data)
{
  FpViewCell *cell = data;

  g_free (cell->description);
  g_free (cell);
}

/* NULL: it is in none. The way to it until GTK 4.12 has gtk_list_item_set_accessible_label () and the like */
static GtkWidget *
get_row (GtkWidget *cell)
{
  GtkWidget *slot = gtk_widget_get_parent (cell);

  return slot ? gtk_widget_get_parent (slot) : NULL;
}

static void
describe_row (FpTableView *self,
              FpViewCell *cell,
              GtkWidget *widget,
              guint position)
{
  GtkWidget *row = get_row (widget);
  g_autofree char *text = NULL;
  gboolean descending;

  if (!row)
    return;
  fp_row_cell_tell_state (GTK_ACCESSIBLE (row), fp_table_get_rows (self->table), position);
  text = fp_row_cell_describe (fp_table_get_rows (self->table), position,
                               fp_table_columns_get_sort (self->columns, &descending), &self->style);
  if (g_strcmp0 (text, cell->description) == 0)
    return;
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  g_free (cell->description);
  cell->description = g_steal_pointer (&text);
}

static void
fill_cell (FpTableView *self,
           FpViewCell *cell)
{
  FpRows *rows = fp_table_get_rows (self->table);
  guint position = gtk_list_item_get_position (cell->item);
  GtkWidget *widget = gtk_list_item_get_child (cell->item);

  cell->is_stale = FALSE;
  if (position >= fp_rows_get_n (rows))
    return;
  fp_row_cell_fill (FP_CELL (widget), rows, position, cell->column->column, &self->style);
  if (fp_column_is_name (cell->column->column))
    describe_row (self, cell, widget, position);
}

/* Only what is on screen is written; the rest when it comes into sight. */
static void
refresh_cell (FpTableView *self,
              FpViewCell *cell)
{
  if (gtk_widget_get_mapped (gtk_list_item_get_child (cell->item)))
    fill_cell (self, cell);
  else
    cell->is_stale = TRUE;
}

/* Hides the rows that the table keeps for later. The first stays, because GTK divides by the height of the list. */
static void
hide_rows (FpTableView *self)
{
  guint n = MAX (fp_rows_get_n (fp_table_get_rows (self->table)), 1);

  for (guint i = 0; i < self->cells->len; i++)
    {
      FpViewCell *cell = g_ptr_array_index (self->cells, i);
      GtkWidget *row = get_row (gtk_list_item_get_child (cell->item));

      if (row && fp_column_is_name (cell->column->column))
        gtk_widget_set_visible (row, gtk_list_item_get_position (cell->item) < n);
    }
}

static void
refresh_cells (FpTableView *self)
{
  hide_rows (self);
  for (guint i = 0; i < self->cells->len; i++)
    refresh_cell (self, g_ptr_array_index (self->cells, i));
}

static void
cell_mapped_cb (gpointer data)
{
  FpViewCell *cell = data;

  if (cell->is_stale && cell->index != G_MAXUINT)
    fill_cell (cell->column->owner, cell);
}

static gboolean
has_focus_inside (FpTableView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;

  return focus && gtk_widget_is_ancestor (focus, GTK_WIDGET (self)) && gtk_widget_is_visible (focus);
}

/* GTK gives it back to the row that had it last. Where that is hidden now, the first row gets it. */
static gboolean
grab_focus (FpTableView *self)
{
  GtkWidget *first = gtk_widget_get_first_child (self->list);

  if (!gtk_widget_grab_focus (self->list))
    return FALSE;
  if (first && !gtk_widget_is_visible (gtk_root_get_focus (gtk_widget_get_root (self->list))))
    gtk_widget_grab_focus (first);
  return TRUE;
}

/* A list that has become shorter gives the focus away when it was on a row that is no more. */
static void
keep_focus (FpTableView *self,
            gboolean had_focus)
{
  if (had_focus && !has_focus_inside (self))
    grab_focus (self);
}

static gboolean
keep_more_cb (gpointer data)
{
  FpTableView *self = data;

  if (!fp_table_keep_more (self->table))
    {
      self->keep_source = 0;
      return G_SOURCE_REMOVE;
    }
  hide_rows (self);
  fp_table_scroll_place_rows (self->scroll);
  return G_SOURCE_CONTINUE;
}

/* When there is nothing else to do */
static void
keep_more (FpTableView *self)
{
  if (self->keep_source == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->keep_source = g_idle_add_full (G_PRIORITY_LOW, keep_more_cb, self, NULL);
}

static void
toggle_row (FpTableView *self,
            guint position)
{
  const FpRow *row = fp_rows_get (fp_table_get_rows (self->table), position);
  gboolean had_focus = has_focus_inside (self);

  if (!row->can_expand)
    return;
  fp_table_set_expanded (self->table, position, !row->is_expanded);
  refresh_cells (self);
  fp_table_scroll_place_rows (self->scroll);
  keep_focus (self, had_focus);
  keep_more (self);
}

static void
setup_cb (FpViewColumn *column,
          GtkListItem *item)
{
  GtkWidget *widget = fp_cell_new (column->column->presentation != FP_PRESENT_TEXT);
  FpViewCell *cell = g_new0 (FpViewCell, 1);

  *cell = (FpViewCell){ column, item, G_MAXUINT, FALSE, NULL };
  g_object_set_data_full (G_OBJECT (widget), "fp-view-cell", cell, view_cell_free);
  fp_cell_set_map_func (FP_CELL (widget), cell_mapped_cb, cell);
  gtk_list_item_set_child (item, widget);
}

static void
bind_cb (FpViewColumn *column,
         GtkListItem *item)
{
  FpViewCell *cell = get_view_cell (gtk_list_item_get_child (item));
  FpTableView *self = column->owner;

  cell->index = self->cells->len;
  g_ptr_array_add (self->cells, cell);
  refresh_cell (self, cell);
}

static void
unbind_cb (FpViewColumn *column,
           GtkListItem *item)
{
  FpViewCell *cell = get_view_cell (gtk_list_item_get_child (item));
  GPtrArray *cells = column->owner->cells;
  FpViewCell *last = g_ptr_array_index (cells, cells->len - 1);

  last->index = cell->index;
  g_ptr_array_remove_index_fast (cells, cell->index);
  cell->index = G_MAXUINT;
}

static GtkListItemFactory *
make_factory (const FpColumn *info,
              gpointer data)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  FpViewColumn *column = g_new (FpViewColumn, 1);

  *column = (FpViewColumn){ data, info };
  g_object_set_data_full (G_OBJECT (factory), "fp-view-column", column, g_free);
  g_signal_connect_swapped (factory, "setup", G_CALLBACK (setup_cb), column);
  g_signal_connect_swapped (factory, "bind", G_CALLBACK (bind_cb), column);
  g_signal_connect_swapped (factory, "unbind", G_CALLBACK (unbind_cb), column);
  return factory;
}

static void
take_sort (FpTableView *self)
{
  gboolean descending;
  const FpColumn *column = fp_table_columns_get_sort (self->columns, &descending);

  fp_rows_set_sort (fp_table_get_rows (self->table), column, descending);
}

static void
sort_changed_cb (FpTableView *self)
{
  take_sort (self);
  fp_order_pause_resume (self->pause);
  g_signal_emit (self, signals[SORT_CHANGED], 0);
}

static GtkWidget *
find_child (GtkWidget *parent,
            const char *type_name)
{
  for (GtkWidget *child = gtk_widget_get_first_child (parent); child; child = gtk_widget_get_next_sibling (child))
    if (g_str_equal (G_OBJECT_TYPE_NAME (child), type_name))
      return child;
  return NULL;
}

static void
activate_cb (FpTableView *self,
             guint position)
{
  if (position >= fp_rows_get_n (fp_table_get_rows (self->table)))
    return;
  if (fp_rows_get (fp_table_get_rows (self->table), position)->kind == FP_ROW_GROUP && !self->groups_activate)
    toggle_row (self, position);
  else if (self->is_pressed)
    self->activated = position;
  else
    g_signal_emit (self, signals[ACTIVATE_ROW], 0, position);
}

static void
activate_later_cb (gpointer data)
{
  FpTableView *self = data;
  guint position = self->activated;

  self->activate_source = 0;
  self->activated = GTK_INVALID_LIST_POSITION;
  activate_cb (self, position);
}

/* The second press of a double click activates. Whoever hides the list at once confuses newer GTK, which counts the
 * widgets under the button, so the row waits for its release. */
static gboolean
event_cb (FpTableView *self,
          GdkEvent *event)
{
  switch ((int)gdk_event_get_event_type (event))
    {
    case GDK_BUTTON_PRESS:
    case GDK_TOUCH_BEGIN:
      self->is_pressed = TRUE;
      break;
    case GDK_BUTTON_RELEASE:
    case GDK_TOUCH_END:
    case GDK_TOUCH_CANCEL:
    case GDK_KEY_PRESS:
      self->is_pressed = FALSE;
      if (self->activated != GTK_INVALID_LIST_POSITION && !self->activate_source)
        self->activate_source = g_idle_add_once (activate_later_cb, self);
      break;
    default:
      break;
    }
  return GDK_EVENT_PROPAGATE;
}

static void
expand_cb (FpTableView *self,
           guint position,
           gboolean is_expanded)
{
  const FpRow *row = fp_rows_get (fp_table_get_rows (self->table), position);

  if (row->can_expand && row->is_expanded != is_expanded)
    toggle_row (self, position);
}

static GtkWidget *
pick_widget (FpTableView *self,
             double x,
             double y)
{
  GtkWidget *widget = gtk_widget_pick (GTK_WIDGET (self->view), x, y, GTK_PICK_DEFAULT);

  while (widget && !FP_IS_CELL (widget))
    {
      /* Beside the text of a cell, or between two. */
      GtkWidget *child = gtk_widget_get_first_child (widget);

      if (child && FP_IS_CELL (child))
        return child;
      if (child && gtk_widget_get_first_child (child) && FP_IS_CELL (gtk_widget_get_first_child (child)))
        return gtk_widget_get_first_child (child);
      widget = gtk_widget_get_parent (widget);
    }
  return widget;
}

/* NULL: no row is there. */
static FpViewCell *
pick_cell (FpTableView *self,
           double x,
           double y)
{
  GtkWidget *widget = pick_widget (self, x, y);
  FpViewCell *cell = widget ? get_view_cell (widget) : NULL;

  if (!cell || cell->index == G_MAXUINT ||
      gtk_list_item_get_position (cell->item) >= fp_rows_get_n (fp_table_get_rows (self->table)))
    return NULL;
  return cell;
}

static gboolean
query_tooltip_cb (GtkWidget *widget,
                  int x,
                  int y,
                  gboolean is_keyboard,
                  GtkTooltip *tooltip,
                  gpointer data)
{
  FpTableView *self = data;
  FpRows *rows = fp_table_get_rows (self->table);
  /* Not on top of the menu */
  gboolean is_asked = !is_keyboard && !fp_order_pause_is_menu_open (self->pause);
  FpViewCell *cell = is_asked ? pick_cell (self, x, y) : NULL;
  g_autofree char *text = NULL;

  if (!cell)
    return FALSE;
  text = fp_row_cell_explain (rows, gtk_list_item_get_position (cell->item), cell->column->column, &self->style);
  return fp_tooltip_set_text (tooltip, text);
}

/* On the arrow of a group it opens or closes that, and selects nothing. */
static void
primary_pressed_cb (GtkGestureClick *gesture,
                    int n_press,
                    double x,
                    double y,
                    gpointer data)
{
  FpTableView *self = data;
  GdkModifierType modifiers = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  FpViewCell *cell = pick_cell (self, x, y);
  GtkWidget *widget = cell ? gtk_list_item_get_child (cell->item) : NULL;
  double cell_x, cell_y;

  /* To GTK a range goes from a position and not from what stood there. */
  if (widget && modifiers & GDK_SHIFT_MASK)
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      fp_table_keys_go_to (self->keys, gtk_list_item_get_position (cell->item), modifiers);
      return;
    }
  /* GTK 4.8 lets both row and cell toggle, so that nothing would come of it. */
  if (widget && modifiers & GDK_CONTROL_MASK)
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      fp_table_keys_toggle (self->keys, gtk_list_item_get_position (cell->item));
      return;
    }
  if (!widget || !gtk_widget_translate_coordinates (GTK_WIDGET (self->view), widget, x, y, &cell_x, &cell_y) ||
      !fp_cell_is_on_arrow (FP_CELL (widget), cell_x))
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  toggle_row (self, gtk_list_item_get_position (cell->item));
}

/* NULL: it is not bound. */
static GtkWidget *
find_name (FpTableView *self,
           guint position)
{
  for (guint i = 0; i < self->cells->len; i++)
    {
      FpViewCell *cell = g_ptr_array_index (self->cells, i);

      if (fp_column_is_name (cell->column->column) && gtk_list_item_get_position (cell->item) == position)
        return gtk_list_item_get_child (cell->item);
    }
  return NULL;
}

/* With the focus, which GTK 4.8 takes there by itself where it is in the list, and 4.18 never. */
static void
reveal_row (FpTableView *self,
            guint position)
{
  GtkWidget *name;

  gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", position);
  name = find_name (self, position);
  if (name)
    gtk_widget_grab_focus (get_row (name));
}

static void
request_menu (FpTableView *self,
              guint position,
              const GdkRectangle *where)
{
  if (!gtk_selection_model_is_selected (GTK_SELECTION_MODEL (self->table), position))
    gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->table), position, TRUE);
  /* Where the focus comes back to */
  reveal_row (self, position);
  g_signal_emit (self, signals[MENU_REQUESTED], 0, position, where);
}

/* With the keyboard: under the row's name, or in a corner where the row is only just scrolled to. */
static void
menu_cb (FpTableView *self,
         guint position)
{
  GdkRectangle where = { 0, 0, 1, 1 };
  GtkWidget *name = find_name (self, position);
  graphene_rect_t box;

  if (name && gtk_widget_get_mapped (name) && gtk_widget_compute_bounds (name, GTK_WIDGET (self->view), &box))
    where = (GdkRectangle){ (int)box.origin.x, (int)box.origin.y, 1, (int)box.size.height };
  request_menu (self, position, &where);
}

static void
secondary_pressed_cb (GtkGestureClick *gesture,
                      int n_press,
                      double x,
                      double y,
                      gpointer data)
{
  FpTableView *self = data;
  FpViewCell *cell = pick_cell (self, x, y);
  GdkRectangle where = { (int)x, (int)y, 1, 1 };

  if (cell)
    request_menu (self, gtk_list_item_get_position (cell->item), &where);
}

/* Tab goes into the list and out of it, not from row to row. Until GTK 4.12: gtk_column_view_set_tab_behavior () */
static gboolean
fp_table_view_focus (GtkWidget *widget,
                     GtkDirectionType direction)
{
  gboolean is_inside = gtk_widget_get_focus_child (widget) != NULL;

  if (is_inside && (direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD))
    return FALSE;
  return GTK_WIDGET_CLASS (fp_table_view_parent_class)->focus (widget, direction) ||
         (!is_inside && grab_focus (FP_TABLE_VIEW (widget)));
}

static gboolean
fp_table_view_grab_focus (GtkWidget *widget)
{
  return grab_focus (FP_TABLE_VIEW (widget));
}

/* The font may be another one. */
static void
fp_table_view_css_changed (GtkWidget *widget,
                           GtkCssStyleChange *change)
{
  FpTableView *self = FP_TABLE_VIEW (widget);

  GTK_WIDGET_CLASS (fp_table_view_parent_class)->css_changed (widget, change);
  fp_table_columns_fit (self->columns, widget, self->style.format.style);
}

static void
fp_table_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fp_table_view_parent_class)->map (widget);
  keep_more (FP_TABLE_VIEW (widget));
}

static void
fp_table_view_dispose (GObject *object)
{
  FpTableView *self = FP_TABLE_VIEW (object);

  g_clear_handle_id (&self->activate_source, g_source_remove);
  g_clear_handle_id (&self->keep_source, g_source_remove);
  /* The view lets go of its columns one by one, the one it is sorted by among them. */
  g_signal_handlers_disconnect_by_func (self->columns, sort_changed_cb, self);
  if (self->view)
    gtk_column_view_set_model (self->view, NULL);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  self->view = NULL;
  g_clear_object (&self->scroll);
  g_clear_object (&self->pause);
  g_clear_object (&self->table);

  G_OBJECT_CLASS (fp_table_view_parent_class)->dispose (object);
}

static void
fp_table_view_finalize (GObject *object)
{
  FpTableView *self = FP_TABLE_VIEW (object);

  g_clear_object (&self->columns);
  g_clear_pointer (&self->cells, g_ptr_array_unref);

  G_OBJECT_CLASS (fp_table_view_parent_class)->finalize (object);
}

static void
fp_table_view_class_init (FpTableViewClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->dispose = fp_table_view_dispose;
  object_class->finalize = fp_table_view_finalize;
  widget_class->css_changed = fp_table_view_css_changed;
  widget_class->focus = fp_table_view_focus;
  widget_class->grab_focus = fp_table_view_grab_focus;
  widget_class->map = fp_table_view_map;

  signals[SORT_CHANGED] =
      g_signal_new ("sort-changed", FP_TYPE_TABLE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ACTIVATE_ROW] = g_signal_new ("activate-row", FP_TYPE_TABLE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[MENU_REQUESTED] = g_signal_new ("menu-requested", FP_TYPE_TABLE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_POINTER);

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
fp_table_view_init (FpTableView *self)
{
  GtkGesture *primary = gtk_gesture_click_new (), *secondary = gtk_gesture_click_new ();
  GtkEventController *events = gtk_event_controller_legacy_new ();
  GtkAdjustment *adjustment;

  self->cells = g_ptr_array_new ();
  self->table = fp_table_new ();
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (g_object_ref (GTK_SELECTION_MODEL (self->table))));
  gtk_column_view_set_reorderable (self->view, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "data-table");
  self->columns = fp_table_columns_new (self->view, make_factory, self);
  g_signal_connect_object (self->columns, "sort-changed", G_CALLBACK (sort_changed_cb), self, G_CONNECT_SWAPPED);

  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), GTK_WIDGET (self->view));
  gtk_widget_set_hexpand (self->scroller, TRUE);
  gtk_widget_set_vexpand (self->scroller, TRUE);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  self->pause = fp_order_pause_new (self->scroller, adjustment);

  g_signal_connect (self->view, "query-tooltip", G_CALLBACK (query_tooltip_cb), self);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self->view), TRUE);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (primary), GTK_PHASE_CAPTURE);
  g_signal_connect (primary, "pressed", G_CALLBACK (primary_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), GTK_EVENT_CONTROLLER (primary));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
  g_signal_connect (secondary, "pressed", G_CALLBACK (secondary_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), GTK_EVENT_CONTROLLER (secondary));
  self->activated = GTK_INVALID_LIST_POSITION;
  gtk_event_controller_set_propagation_phase (events, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (events, "event", G_CALLBACK (event_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), events);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "columns", fp_table_columns_get_actions (self->columns));
}

GtkWidget *
fp_table_view_new (const FpTableLayout *layout,
                   const char *label)
{
  FpTableView *self = g_object_new (FP_TYPE_TABLE_VIEW, NULL);

  self->list = find_child (GTK_WIDGET (self->view), "GtkColumnListView");
  self->scroll = fp_table_scroll_new (GTK_SCROLLED_WINDOW (self->scroller), self->list, self->table, self->columns);
  fp_table_columns_add (self->columns, layout);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (activate_cb), self, G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  self->keys =
      fp_table_keys_attach (GTK_WIDGET (self->view), self->list, self->table, (FpExpandFunc)expand_cb,
                            (FpRowFunc)reveal_row, (FpRowFunc)menu_cb, self);
  return GTK_WIDGET (self);
}

FpTable *
fp_table_view_get_table (FpTableView *self)
{
  return self->table;
}

FpTableScroll *
fp_table_view_get_scroll (FpTableView *self)
{
  return self->scroll;
}

FpOrderPause *
fp_table_view_get_order_pause (FpTableView *self)
{
  return self->pause;
}

/* Whether a double click on a group is for ::activate-row, and does not open it. */
void
fp_table_view_set_groups_activate (FpTableView *self,
                                   gboolean groups_activate)
{
  g_return_if_fail (FP_IS_TABLE_VIEW (self));

  self->groups_activate = groups_activate;
}

static guint64
find_largest_share (FpTableView *self)
{
  FpRows *rows = fp_table_get_rows (self->table);
  guint64 largest = 0;

  for (guint i = 0; i < fp_rows_get_n (rows); i++)
    if (fp_rows_get (rows, i)->depth == 0)
      largest = MAX (largest, fp_row_cell_get_share (rows, i));
  return largest;
}

/* A list without rows is not to be shown. */
void
fp_table_view_update (FpTableView *self,
                      FpRecords *records,
                      const FpRowStyle *style)
{
  gboolean had_focus;

  g_return_if_fail (FP_IS_TABLE_VIEW (self));

  had_focus = has_focus_inside (self);
  if (self->style.format.style != style->format.style)
    fp_table_columns_fit (self->columns, GTK_WIDGET (self), style->format.style);
  self->style = *style;
  fp_table_update (self->table, records, &self->style.format);
  self->style.has_counts = fp_table_columns_is_shown (self->columns, "count");
  if (fp_table_columns_is_shown (self->columns, "share"))
    self->style.share_whole = MAX (style->format.memory_total, find_largest_share (self));
  refresh_cells (self);
  fp_table_scroll_place_rows (self->scroll);
  keep_focus (self, had_focus);
  keep_more (self);
}

/* The records on screen, to be measured more often than others. */
void
fp_table_view_add_visible (FpTableView *self,
                           GArray *indices)
{
  FpRows *rows;

  g_return_if_fail (FP_IS_TABLE_VIEW (self));

  rows = fp_table_get_rows (self->table);
  for (guint i = 0; i < self->cells->len; i++)
    {
      FpViewCell *cell = g_ptr_array_index (self->cells, i);
      guint position = gtk_list_item_get_position (cell->item);

      if (fp_column_is_name (cell->column->column) && position < fp_rows_get_n (rows) &&
          gtk_widget_get_mapped (gtk_list_item_get_child (cell->item)) &&
          fp_rows_get (rows, position)->kind == FP_ROW_RECORD)
        g_array_append_val (indices, fp_rows_get (rows, position)->index);
    }
}

FpTableColumns *
fp_table_view_get_columns (FpTableView *self)
{
  g_return_val_if_fail (FP_IS_TABLE_VIEW (self), NULL);

  return self->columns;
}

void
fp_table_view_set_sort (FpTableView *self,
                        const char *id,
                        gboolean descending)
{
  g_return_if_fail (FP_IS_TABLE_VIEW (self));

  fp_table_columns_set_sort (self->columns, id, descending);
  take_sort (self);
}
