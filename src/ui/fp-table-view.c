// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <glib/gi18n.h>

#include "fp-sort-probe.h"
#include "fp-table-keys.h"
#include "fp-table-view.h"

struct _FpTableView
{
  GtkWidget parent;

  GtkWidget *scroller;
  GtkColumnView *view;
  GtkWidget *list; /* in the view: what scrolls */
  FpTable *table;
  FpOrderPause *pause;
  FpRowStyle style;
  FpSortProbe probe;
  GPtrArray *columns; /* of FpViewColumn */
  GPtrArray *cells;   /* bound, of FpViewCell */
  GSimpleActionGroup *column_actions;
  GMenu *column_menu;
  const FpColumn *sort_column;
  gboolean is_descending;
  gboolean is_sorting;
  gboolean is_narrow;
};

typedef struct
{
  FpTableView *owner;
  const FpColumn *column;
  GtkColumnViewColumn *shown;
  gboolean is_wanted;
  gboolean is_in_view;
} FpViewColumn;

/* What the list holds of a cell while it stands for a row. */
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

static gboolean
is_name (const FpColumn *column)
{
  return g_str_equal (column->id, "program") || g_str_equal (column->id, "name");
}

/* Until GTK 4.12 has gtk_list_item_set_accessible_label (): the row is the parent of the cell's parent. */
static void
describe_row (FpTableView *self,
              FpViewCell *cell,
              GtkWidget *widget,
              guint position)
{
  GtkWidget *slot = gtk_widget_get_parent (widget);
  GtkWidget *row = slot ? gtk_widget_get_parent (slot) : NULL;
  g_autofree char *text =
      fp_row_cell_describe (fp_table_get_rows (self->table), position, self->sort_column, &self->style);

  if (!row || g_strcmp0 (text, cell->description) == 0)
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
  if (is_name (cell->column->column))
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

static void
refresh_cells (FpTableView *self)
{
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

  return focus && gtk_widget_is_ancestor (focus, GTK_WIDGET (self));
}

/* A list that has become shorter gives the focus away when it was on a row that is no more. */
static void
keep_focus (FpTableView *self,
            gboolean had_focus)
{
  if (had_focus && !has_focus_inside (self))
    gtk_widget_grab_focus (self->list);
}

static void
toggle_row (FpTableView *self,
            guint position)
{
  const FpRow *row = fp_rows_get (fp_table_get_rows (self->table), position);
  gboolean had_focus = has_focus_inside (self);

  if (row->kind != FP_ROW_GROUP)
    return;
  fp_table_set_expanded (self->table, position, !row->is_expanded);
  refresh_cells (self);
  keep_focus (self, had_focus);
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

static FpViewColumn *
find_view_column (FpTableView *self,
                  GtkColumnViewColumn *shown)
{
  for (guint i = 0; i < self->columns->len; i++)
    if (((FpViewColumn *)self->columns->pdata[i])->shown == shown)
      return self->columns->pdata[i];
  return NULL;
}

static FpViewColumn *
find_by_id (FpTableView *self,
            const char *id)
{
  for (guint i = 0; i < self->columns->len; i++)
    if (g_str_equal (((FpViewColumn *)self->columns->pdata[i])->column->id, id))
      return self->columns->pdata[i];
  return NULL;
}

static void
take_sort (FpTableView *self,
           const FpColumn *column,
           gboolean descending)
{
  self->sort_column = column;
  self->is_descending = descending;
  fp_rows_set_sort (fp_table_get_rows (self->table), column, descending);
}

/* The largest first: who clicks on a figure for the first time wants to know who has the most. */
static void
sorter_changed_cb (FpTableView *self)
{
  FpViewColumn *column;
  GtkSortType direction;

  if (self->is_sorting)
    return;
  column = find_view_column (self, fp_sort_probe_find (&self->probe, &direction));
  if (!column)
    return;
  if (column->column != self->sort_column && column->column->presentation == FP_PRESENT_FIGURE)
    {
      fp_table_view_set_sort (self, column->column->id, TRUE);
      direction = GTK_SORT_DESCENDING;
    }
  take_sort (self, column->column, direction == GTK_SORT_DESCENDING);
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
  if (fp_rows_get (fp_table_get_rows (self->table), position)->kind == FP_ROW_GROUP)
    toggle_row (self, position);
  else
    g_signal_emit (self, signals[ACTIVATE_ROW], 0, position);
}

static void
expand_cb (FpTableView *self,
           guint position,
           gboolean is_expanded)
{
  const FpRow *row = fp_rows_get (fp_table_get_rows (self->table), position);

  if (row->kind == FP_ROW_GROUP && row->is_expanded != is_expanded)
    toggle_row (self, position);
}

static FpViewCell *
pick_cell (FpTableView *self,
           double x,
           double y)
{
  GtkWidget *widget = gtk_widget_pick (GTK_WIDGET (self->view), x, y, GTK_PICK_DEFAULT);

  while (widget && !FP_IS_CELL (widget))
    {
      /* Beside the text of a cell, or between two. */
      GtkWidget *child = gtk_widget_get_first_child (widget);

      if (child && FP_IS_CELL (child))
        return get_view_cell (child);
      if (child && gtk_widget_get_first_child (child) && FP_IS_CELL (gtk_widget_get_first_child (child)))
        return get_view_cell (gtk_widget_get_first_child (child));
      widget = gtk_widget_get_parent (widget);
    }
  return widget ? get_view_cell (widget) : NULL;
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
  FpViewCell *cell = is_keyboard ? NULL : pick_cell (self, x, y);
  g_autofree char *text = NULL;

  if (!cell || cell->index == G_MAXUINT || gtk_list_item_get_position (cell->item) >= fp_rows_get_n (rows))
    return FALSE;
  text = fp_row_cell_explain (rows, gtk_list_item_get_position (cell->item), cell->column->column, &self->style);
  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
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
  FpViewCell *cell = pick_cell (self, x, y);
  GtkWidget *widget = cell && cell->index != G_MAXUINT ? gtk_list_item_get_child (cell->item) : NULL;
  double cell_x, cell_y;

  /* GTK 4.8 lets both row and cell toggle, so that nothing would come of it. */
  if (widget && gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture)) & GDK_CONTROL_MASK)
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      fp_table_toggle (self->table, gtk_list_item_get_position (cell->item));
      return;
    }
  if (!widget || !gtk_widget_translate_coordinates (GTK_WIDGET (self->view), widget, x, y, &cell_x, &cell_y) ||
      !fp_cell_is_on_arrow (FP_CELL (widget), cell_x))
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  toggle_row (self, gtk_list_item_get_position (cell->item));
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
  guint position;

  if (!cell || cell->index == G_MAXUINT)
    return;
  position = gtk_list_item_get_position (cell->item);
  if (!gtk_selection_model_is_selected (GTK_SELECTION_MODEL (self->table), position))
    gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->table), position, TRUE);
  g_signal_emit (self, signals[MENU_REQUESTED], 0, position, &where);
}

static guint
count_before (FpViewColumn *column)
{
  GPtrArray *columns = column->owner->columns;
  guint n = 0;

  for (guint i = 0; i < columns->len && g_ptr_array_index (columns, i) != column; i++)
    n += ((FpViewColumn *)g_ptr_array_index (columns, i))->is_in_view;
  return n;
}

/* Where there is no room, a name and its memory are what is left. What is not shown is not in the view at all: GTK 4.8
 * makes rows as wide as if it were. */
static void
show_column (FpViewColumn *column)
{
  FpTableView *self = column->owner;
  gboolean is_essential = is_name (column->column) || column->column->field == FP_FIELD_PSS;
  gboolean is_shown = column->is_wanted && (!self->is_narrow || is_essential);

  if (column->is_in_view == is_shown)
    return;
  if (is_shown)
    gtk_column_view_insert_column (self->view, count_before (column), column->shown);
  else
    gtk_column_view_remove_column (self->view, column->shown);
  column->is_in_view = is_shown;
}

static void
column_shown_cb (GSimpleAction *action,
                 GVariant *state,
                 gpointer data)
{
  FpViewColumn *column = data;

  g_simple_action_set_state (action, state);
  column->is_wanted = g_variant_get_boolean (state);
  show_column (column);
}

static void
add_column_action (FpTableView *self,
                   FpViewColumn *column)
{
  g_autoptr (GSimpleAction) action = g_simple_action_new_stateful (
      column->column->id, NULL, g_variant_new_boolean (column->is_wanted));
  g_autofree char *detailed = g_strdup_printf ("columns.%s", column->column->id);

  g_signal_connect (action, "change-state", G_CALLBACK (column_shown_cb), column);
  g_action_map_add_action (G_ACTION_MAP (self->column_actions), G_ACTION (action));
  g_menu_append (self->column_menu, gtk_column_view_column_get_title (column->shown), detailed);
}

static void
add_column (FpTableView *self,
            const FpColumn *info,
            int width,
            gboolean is_shown)
{
  FpViewColumn *column = g_new0 (FpViewColumn, 1);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  column->owner = self;
  column->column = info;
  g_signal_connect_swapped (factory, "setup", G_CALLBACK (setup_cb), column);
  g_signal_connect_swapped (factory, "bind", G_CALLBACK (bind_cb), column);
  g_signal_connect_swapped (factory, "unbind", G_CALLBACK (unbind_cb), column);
  column->shown = gtk_column_view_column_new (is_name (info) ? _ ("Name") : _ (info->title), factory);
  gtk_column_view_column_set_resizable (column->shown, TRUE);
  gtk_column_view_column_set_fixed_width (column->shown, width);
  column->is_wanted = is_shown;
  fp_sort_probe_add (&self->probe, column->shown);
  g_ptr_array_add (self->columns, column);
  show_column (column);
  add_column_action (self, column);
  gtk_column_view_column_set_header_menu (column->shown, G_MENU_MODEL (self->column_menu));
}

static void
add_columns (FpTableView *self,
             FpRecordKind kind,
             const FpColumnChoice *choices,
             guint n)
{
  for (guint i = 0; i < n; i++)
    add_column (self, fp_columns_find (choices[i].id, kind), choices[i].width, choices[i].is_shown);
  for (guint i = 0; i < fp_columns_get_n (); i++)
    {
      const FpColumn *column = fp_columns_get (i);

      if (column->kinds & kind && !is_name (column) && !find_by_id (self, column->id))
        add_column (self, column, column->presentation == FP_PRESENT_TEXT ? 140 : 110, FALSE);
    }
}

/* Titles of figures stand above their figures. The label is in the header of GtkColumnView, which has no way to it. */
static void
align_titles (FpTableView *self)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (self->view));
  GListModel *shown = gtk_column_view_get_columns (self->view);
  GtkWidget *title = gtk_widget_get_first_child (header);

  for (guint i = 0; title && i < g_list_model_get_n_items (shown); i++, title = gtk_widget_get_next_sibling (title))
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (shown, i);
      FpViewColumn *found = find_view_column (self, column);
      GtkWidget *box = gtk_widget_get_first_child (title);

      if (found && GTK_IS_BOX (box) && found->column->presentation != FP_PRESENT_TEXT)
        {
          gtk_widget_set_halign (box, GTK_ALIGN_END);
          gtk_box_reorder_child_after (GTK_BOX (box), gtk_widget_get_first_child (box),
                                       gtk_widget_get_last_child (box));
        }
      if (found)
        gtk_widget_set_tooltip_text (title, _ (found->column->meaning));
    }
}

/* Tab goes into the list and out of it, not from row to row. Until GTK 4.12: gtk_column_view_set_tab_behavior () */
static gboolean
fp_table_view_focus (GtkWidget *widget,
                     GtkDirectionType direction)
{
  if (gtk_widget_get_focus_child (widget) && (direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD))
    return FALSE;
  return GTK_WIDGET_CLASS (fp_table_view_parent_class)->focus (widget, direction);
}

static void
fp_table_view_dispose (GObject *object)
{
  FpTableView *self = FP_TABLE_VIEW (object);

  if (self->view)
    gtk_column_view_set_model (self->view, NULL);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  self->view = NULL;
  g_clear_object (&self->pause);
  g_clear_object (&self->table);

  G_OBJECT_CLASS (fp_table_view_parent_class)->dispose (object);
}

static void
fp_table_view_finalize (GObject *object)
{
  FpTableView *self = FP_TABLE_VIEW (object);

  fp_sort_probe_clear (&self->probe);
  g_clear_object (&self->column_actions);
  g_clear_object (&self->column_menu);
  g_clear_pointer (&self->columns, g_ptr_array_unref);
  g_clear_pointer (&self->cells, g_ptr_array_unref);

  G_OBJECT_CLASS (fp_table_view_parent_class)->finalize (object);
}

static void
view_column_free (gpointer data)
{
  FpViewColumn *column = data;

  g_clear_object (&column->shown);
  g_free (column);
}

static void
fp_table_view_class_init (FpTableViewClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->dispose = fp_table_view_dispose;
  object_class->finalize = fp_table_view_finalize;
  widget_class->focus = fp_table_view_focus;

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
  GtkAdjustment *adjustment;

  self->columns = g_ptr_array_new_with_free_func (view_column_free);
  self->cells = g_ptr_array_new ();
  self->column_actions = g_simple_action_group_new ();
  self->column_menu = g_menu_new ();
  self->table = fp_table_new ();
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (g_object_ref (GTK_SELECTION_MODEL (self->table))));
  gtk_column_view_set_reorderable (self->view, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "data-table");
  fp_sort_probe_init (&self->probe, self->view);

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
  gtk_widget_insert_action_group (GTK_WIDGET (self), "columns", G_ACTION_GROUP (self->column_actions));
}

/* choices: the columns that are known by name; all others of this kind come behind them, hidden */
GtkWidget *
fp_table_view_new (FpRecordKind kind,
                   const FpColumnChoice *choices,
                   guint n,
                   const char *label)
{
  FpTableView *self = g_object_new (FP_TYPE_TABLE_VIEW, NULL);

  self->list = find_child (GTK_WIDGET (self->view), "GtkColumnListView");
  add_columns (self, kind, choices, n);
  g_signal_connect_object (gtk_column_view_get_sorter (self->view), "changed", G_CALLBACK (sorter_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (activate_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_column_view_get_columns (self->view), "items-changed", G_CALLBACK (align_titles), self,
                           G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  fp_table_keys_attach (GTK_WIDGET (self->view), self->list, self->table, (FpExpandFunc)expand_cb, self);
  align_titles (self);
  return GTK_WIDGET (self);
}

FpTable *
fp_table_view_get_table (FpTableView *self)
{
  return self->table;
}

FpOrderPause *
fp_table_view_get_order_pause (FpTableView *self)
{
  return self->pause;
}

GActionGroup *
fp_table_view_get_column_actions (FpTableView *self)
{
  return G_ACTION_GROUP (self->column_actions);
}

GMenuModel *
fp_table_view_get_column_menu (FpTableView *self)
{
  return G_MENU_MODEL (self->column_menu);
}

void
fp_table_view_update (FpTableView *self,
                      FpRecords *records,
                      const FpRowStyle *style)
{
  gboolean had_focus = has_focus_inside (self);

  self->style = *style;
  fp_table_update (self->table, records, &self->style.format);
  refresh_cells (self);
  keep_focus (self, had_focus);
}

void
fp_table_view_set_narrow (FpTableView *self,
                          gboolean is_narrow)
{
  if (self->is_narrow == is_narrow)
    return;
  self->is_narrow = is_narrow;
  for (guint i = 0; i < self->columns->len; i++)
    show_column (g_ptr_array_index (self->columns, i));
}

/* The records on screen, to be measured more often than others. */
void
fp_table_view_add_visible (FpTableView *self,
                           GArray *indices)
{
  FpRows *rows = fp_table_get_rows (self->table);

  for (guint i = 0; i < self->cells->len; i++)
    {
      FpViewCell *cell = g_ptr_array_index (self->cells, i);
      guint position = gtk_list_item_get_position (cell->item);

      if (is_name (cell->column->column) && position < fp_rows_get_n (rows) &&
          gtk_widget_get_mapped (gtk_list_item_get_child (cell->item)) &&
          fp_rows_get (rows, position)->kind == FP_ROW_RECORD)
        g_array_append_val (indices, fp_rows_get (rows, position)->index);
    }
}

const FpColumn *
fp_table_view_get_sort (FpTableView *self,
                        gboolean *descending)
{
  *descending = self->is_descending;
  return self->sort_column;
}

void
fp_table_view_set_sort (FpTableView *self,
                        const char *id,
                        gboolean descending)
{
  FpViewColumn *column = find_by_id (self, id);

  if (!column)
    return;
  take_sort (self, column->column, descending);
  self->is_sorting = TRUE;
  gtk_column_view_sort_by_column (self->view, NULL, GTK_SORT_ASCENDING);
  gtk_column_view_sort_by_column (self->view, column->shown, descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
  self->is_sorting = FALSE;
}

static void
add_choice (GVariantBuilder *builder,
            const FpViewColumn *column)
{
  g_variant_builder_add (builder, "(sbi)", column->column->id, column->is_wanted,
                         gtk_column_view_column_get_fixed_width (column->shown));
}

/* a(sbi): id, whether it is shown, width; those in the view in the order they stand there, then the others */
GVariant *
fp_table_view_get_columns (FpTableView *self)
{
  GListModel *shown = gtk_column_view_get_columns (self->view);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sbi)"));
  for (guint i = 0; i < g_list_model_get_n_items (shown); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (shown, i);
      FpViewColumn *found = find_view_column (self, column);

      if (found)
        add_choice (&builder, found);
    }
  for (guint i = 0; i < self->columns->len; i++)
    if (!((FpViewColumn *)self->columns->pdata[i])->is_in_view)
      add_choice (&builder, self->columns->pdata[i]);
  return g_variant_builder_end (&builder);
}

static void
move_column (FpTableView *self,
             FpViewColumn *column,
             guint place)
{
  guint now;

  if (!g_ptr_array_find (self->columns, column, &now) || now == place)
    return;
  g_ptr_array_steal_index (self->columns, now);
  g_ptr_array_insert (self->columns, (gint)place, column);
  if (column->is_in_view)
    gtk_column_view_insert_column (self->view, count_before (column), column->shown);
}

/* What is not named stays as it is, behind those that are. */
void
fp_table_view_set_columns (FpTableView *self,
                           GVariant *columns)
{
  GVariantIter iter;
  const char *id;
  gboolean is_shown;
  int width;
  guint place = 0;

  g_variant_iter_init (&iter, columns);
  while (g_variant_iter_next (&iter, "(&sbi)", &id, &is_shown, &width))
    {
      FpViewColumn *column = find_by_id (self, id);

      if (!column)
        continue;
      move_column (self, column, place++);
      if (width > 0)
        gtk_column_view_column_set_fixed_width (column->shown, width);
      g_action_group_change_action_state (G_ACTION_GROUP (self->column_actions), id, g_variant_new_boolean (is_shown));
    }
}
