// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-column-menus.h"
#include "fp-column-title.h"
#include "fp-column-widths.h"
#include "fp-sort-probe.h"
#include "fp-table-columns.h"
#include "fp-text-width.h"

#define DELTA_WIDTH 10 /* for “Δ” in a title */
#define NARROW_NAME 180
#define CELL_ROOM   20 /* around the text of a cell */
#define LEAST_TEXT  110

typedef struct
{
  FpTableColumns *owner;
  const FpColumn *info;
  GtkColumnViewColumn *shown;
  int given_width;
  int usual_width; /* unless the user resizes the column */
  int title_width; /* that the whole title needs; 0: it was not measured */
  gboolean is_wanted;
  gboolean is_lacking; /* no record has a value in it */
  gboolean is_in_view;
} Column;

struct _FpTableColumns
{
  GObject parent;

  GtkColumnView *view; /* not owned */
  FpFactoryFunc make_factory;
  gpointer factory_data;
  guint kinds;
  FpSortProbe probe;
  GPtrArray *columns; /* of Column */
  Column *name;
  GSimpleActionGroup *actions; /* “columns”: one for each column, sort-by and hide-column */
  GVariant *usual;             /* default layout, as a(sbi) */
  const FpColumn *sort_column;
  gboolean is_descending;
  gboolean is_sorting;
  gboolean is_narrow;
  gboolean are_differences; /* figures are changes since a mark */
  guint needs;
  double text_scale;
  int figure_width;     /* least width of a column of memory; 0: none */
  int room;             /* of the view; 0: it has none yet */
  gboolean fits_titles; /* a column is at least as wide as its title */
};

enum
{
  SORT_CHANGED,
  NEEDS_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpTableColumns, fp_table_columns, G_TYPE_OBJECT)

static void apply_widths (FpTableColumns *self);

static Column *
find_shown (FpTableColumns *self,
            GtkColumnViewColumn *shown)
{
  for (guint i = 0; i < self->columns->len; i++)
    if (((Column *)self->columns->pdata[i])->shown == shown)
      return self->columns->pdata[i];
  return NULL;
}

/* NULL: the table does not have it. */
static Column *
find (FpTableColumns *self,
      const FpColumn *info)
{
  for (guint i = 0; i < self->columns->len; i++)
    if (((Column *)self->columns->pdata[i])->info == info)
      return self->columns->pdata[i];
  return NULL;
}

/* Counts the columns in the view before this one. NULL: all columns in the view */
static guint
count_before (FpTableColumns *self,
              const Column *column)
{
  GPtrArray *columns = self->columns;
  guint n = 0;

  for (guint i = 0; i < columns->len && g_ptr_array_index (columns, i) != column; i++)
    n += ((Column *)g_ptr_array_index (columns, i))->is_in_view;
  return n;
}

/* The order needs its column, too, where that is hidden. */
static void
update_needs (FpTableColumns *self)
{
  guint needs = self->sort_column ? self->sort_column->needs : 0;

  for (guint i = 0; i < self->columns->len; i++)
    {
      const Column *column = g_ptr_array_index (self->columns, i);

      if (column->is_in_view)
        needs |= column->info->needs;
    }
  if (self->needs == needs)
    return;
  self->needs = needs;
  g_signal_emit (self, signals[NEEDS_CHANGED], 0);
}

/* The arrow in its title. GTK takes it away with the title. */
static void
mark_sort (FpTableColumns *self)
{
  Column *column = find (self, self->sort_column);

  self->is_sorting = TRUE;
  gtk_column_view_sort_by_column (self->view, NULL, GTK_SORT_ASCENDING);
  if (column && column->is_in_view)
    gtk_column_view_sort_by_column (self->view, column->shown, self->is_descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
  self->is_sorting = FALSE;
}

/* The command takes what room is left, or where it is not shown the name. */
static void
share_room (FpTableColumns *self)
{
  Column *command = find (self, fp_columns_get_role (FP_ROLE_COMMAND, FP_RECORD_PROCESS));
  gboolean has_command = command && command->is_in_view;

  for (guint i = 0; i < self->columns->len; i++)
    {
      Column *column = g_ptr_array_index (self->columns, i);

      gtk_column_view_column_set_expand (column->shown, column == (has_command ? command : self->name));
    }
}

static Column *
find_by_title (FpTableColumns *self,
               const char *title)
{
  for (guint i = 0; i < self->columns->len; i++)
    if (g_strcmp0 (gtk_column_view_column_get_title (((Column *)self->columns->pdata[i])->shown), title) == 0)
      return self->columns->pdata[i];
  return NULL;
}

/* Titles of figures stand above their figures. The label is in the header of GtkColumnView, which has no way to it, and
 * on GTK 4.8 not in the order of the columns once one was moved. */
static void
align_titles (FpTableColumns *self)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (self->view));

  for (GtkWidget *title = gtk_widget_get_first_child (header); title; title = gtk_widget_get_next_sibling (title))
    {
      GtkWidget *label = fp_column_title_find_label (title);
      Column *found = label ? find_by_title (self, gtk_label_get_text (GTK_LABEL (label))) : NULL;

      if (!found)
        continue;
      if (found->info->presentation != FP_PRESENT_TEXT)
        fp_column_title_align_end (label);
      gtk_widget_set_tooltip_text (title, _ (found->info->meaning));
    }
}

static gboolean
is_offered (const Column *column)
{
  return column->is_wanted && !column->is_lacking;
}

/* Beside the name a narrow table has room for the change, the most that an ended one had, the memory, or else the first figure. */
static gboolean
is_essential (FpTableColumns *self,
              const Column *column)
{
  const Column *figure = NULL, *watched = NULL;

  for (guint i = 0; i < self->columns->len; i++)
    {
      const Column *other = g_ptr_array_index (self->columns, i);

      if (!watched && is_offered (other) && other->info->flags & FP_COLUMN_WATCHED)
        watched = other;
      else if (other->info->role == FP_ROLE_MEMORY && !other->is_lacking)
        figure = other;
      else if (!figure && is_offered (other) && fp_column_is_figure (other->info))
        figure = other;
    }
  return fp_column_is_name (column->info) || column == (watched ? watched : figure);
}

/* A column that is not shown is not in the view at all: GTK 4.8 makes rows as wide as if it were. */
static void
show_column (Column *column)
{
  FpTableColumns *self = column->owner;
  gboolean is_shown = is_offered (column) && (!self->is_narrow || is_essential (self, column));

  if (column->is_in_view == is_shown)
    return;
  self->is_sorting = TRUE;
  if (is_shown)
    gtk_column_view_insert_column (self->view, count_before (self, column), column->shown);
  else
    gtk_column_view_remove_column (self->view, column->shown);
  self->is_sorting = FALSE;
  column->is_in_view = is_shown;
  share_room (self);
  align_titles (self);
  apply_widths (self);
  if (column->info == self->sort_column)
    mark_sort (self);
  update_needs (self);
}

static void
column_shown_cb (GSimpleAction *action,
                 GVariant *state,
                 gpointer data)
{
  Column *column = data;

  /* A table without a title would have no menu to bring the others back, and its groups no arrows. */
  if (fp_column_is_name (column->info) && !g_variant_get_boolean (state))
    return;
  g_simple_action_set_state (action, state);
  column->is_wanted = g_variant_get_boolean (state);
  show_column (column);
}

static void
add_column_action (FpTableColumns *self,
                   Column *column)
{
  g_autoptr (GSimpleAction) action = g_simple_action_new_stateful (
      column->info->id, NULL, g_variant_new_boolean (column->is_wanted));

  g_simple_action_set_enabled (action, !fp_column_is_name (column->info));
  g_signal_connect (action, "change-state", G_CALLBACK (column_shown_cb), column);
  g_action_map_add_action (G_ACTION_MAP (self->actions), G_ACTION (action));
}

static void
add_column (FpTableColumns *self,
            const FpColumn *info,
            int width,
            gboolean is_shown)
{
  Column *column = g_new0 (Column, 1);
  g_autoptr (GMenuModel) menu = fp_column_menus_make (info);

  *column = (Column){ .owner = self, .info = info, .given_width = width, .usual_width = width, .is_wanted = is_shown };
  column->shown = gtk_column_view_column_new (fp_column_get_heading (info), self->make_factory (info, self->factory_data));
  gtk_column_view_column_set_resizable (column->shown, TRUE);
  gtk_column_view_column_set_fixed_width (column->shown, width);
  if (fp_column_is_name (info))
    self->name = column;
  fp_sort_probe_add (&self->probe, column->shown);
  g_ptr_array_add (self->columns, column);
  show_column (column);
  add_column_action (self, column);
  gtk_column_view_column_set_header_menu (column->shown, menu);
}

static void
tell_sort (FpTableColumns *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), "sort-by");

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new ("(sb)", self->sort_column->id, self->is_descending));
}

static void
sort_by_cb (GSimpleAction *action,
            GVariant *state,
            gpointer data)
{
  const char *id;
  gboolean descending;

  g_variant_get (state, "(&sb)", &id, &descending);
  fp_table_columns_set_sort (data, id, descending);
  g_signal_emit (data, signals[SORT_CHANGED], 0);
}

static void
hide_column_cb (GSimpleAction *action,
                GVariant *id,
                gpointer data)
{
  g_action_group_change_action_state (G_ACTION_GROUP (((FpTableColumns *)data)->actions), g_variant_get_string (id, NULL),
                                      g_variant_new_boolean (FALSE));
}

/* Column ids have no hyphens, so the actions of columns can't clash with these. */
static void
add_actions (FpTableColumns *self)
{
  static const GActionEntry entries[] = {
    { "sort-by", NULL, "(sb)", "('', false)", sort_by_cb, { 0 } },
    { "hide-column", hide_column_cb, "s", NULL, NULL, { 0 } },
  };

  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
}

/* The largest first: who clicks on a figure for the first time wants to know who has the most. */
static void
sorter_changed_cb (FpTableColumns *self)
{
  Column *column;
  GtkSortType direction;

  if (self->is_sorting)
    return;
  column = find_shown (self, fp_sort_probe_find (&self->probe, &direction));
  if (!column)
    return;
  if (column->info != self->sort_column && fp_column_is_figure (column->info))
    {
      fp_table_columns_set_sort (self, column->info->id, TRUE);
      direction = GTK_SORT_DESCENDING;
    }
  self->sort_column = column->info;
  self->is_descending = direction == GTK_SORT_DESCENDING;
  update_needs (self);
  tell_sort (self);
  g_signal_emit (self, signals[SORT_CHANGED], 0);
}

/* A title that was dragged has moved its column in the view alone. What is not there keeps its place. */
static void
take_order (FpTableColumns *self)
{
  GListModel *shown = gtk_column_view_get_columns (self->view);
  g_autoptr (GPtrArray) in_view = g_ptr_array_new ();
  guint n = 0;

  if (self->is_sorting)
    return;
  for (guint i = 0; i < g_list_model_get_n_items (shown); i++)
    {
      g_autoptr (GtkColumnViewColumn) item = g_list_model_get_item (shown, i);
      Column *column = find_shown (self, item);

      if (column)
        g_ptr_array_add (in_view, column);
    }
  if (in_view->len != count_before (self, NULL))
    return; /* GTK takes it out before it puts it in elsewhere. */
  for (guint i = 0; i < self->columns->len; i++)
    if (((Column *)self->columns->pdata[i])->is_in_view)
      self->columns->pdata[i] = in_view->pdata[n++];
}

static void
column_free (gpointer data)
{
  Column *column = data;

  g_clear_object (&column->shown);
  g_free (column);
}

static void
fp_table_columns_finalize (GObject *object)
{
  FpTableColumns *self = FP_TABLE_COLUMNS (object);

  fp_sort_probe_clear (&self->probe);
  g_clear_object (&self->actions);
  g_clear_pointer (&self->usual, g_variant_unref);
  g_clear_pointer (&self->columns, g_ptr_array_unref);

  G_OBJECT_CLASS (fp_table_columns_parent_class)->finalize (object);
}

static void
fp_table_columns_class_init (FpTableColumnsClass *class)
{
  G_OBJECT_CLASS (class)->finalize = fp_table_columns_finalize;
  signals[SORT_CHANGED] = g_signal_new ("sort-changed", FP_TYPE_TABLE_COLUMNS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[NEEDS_CHANGED] = g_signal_new ("needs-changed", FP_TYPE_TABLE_COLUMNS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fp_table_columns_init (FpTableColumns *self)
{
  self->columns = g_ptr_array_new_with_free_func (column_free);
  self->text_scale = 1;
  add_actions (self);
}

FpTableColumns *
fp_table_columns_new (GtkColumnView *view,
                      FpFactoryFunc make_factory,
                      gpointer data)
{
  FpTableColumns *self = g_object_new (FP_TYPE_TABLE_COLUMNS, NULL);

  self->view = view;
  self->make_factory = make_factory;
  self->factory_data = data;
  fp_sort_probe_init (&self->probe, view);
  g_signal_connect_object (gtk_column_view_get_sorter (view), "changed", G_CALLBACK (sorter_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_column_view_get_columns (view), "items-changed", G_CALLBACK (take_order), self, G_CONNECT_SWAPPED);
  return self;
}

static void
set_usual_width (Column *column,
                 int width)
{
  gboolean is_usual = gtk_column_view_column_get_fixed_width (column->shown) == column->usual_width;

  column->usual_width = width;
  if (is_usual)
    gtk_column_view_column_set_fixed_width (column->shown, width);
}

/* No column is cut at the edge: where not all fit, a text gets narrower, or the name takes what the others leave. */
static void
fill_room (FpTableColumns *self,
           const GPtrArray *shown,
           const int *widths)
{
  int rest;
  guint cut = fp_column_widths_find_cut (widths, shown->len, self->room, &rest);
  Column *column = cut < shown->len ? shown->pdata[cut] : NULL;

  if (column && rest >= LEAST_TEXT && column->info->presentation == FP_PRESENT_TEXT)
    set_usual_width (column, rest);
  else if (column && self->name)
    set_usual_width (self->name, self->name->usual_width + rest);
}

static void
apply_widths (FpTableColumns *self)
{
  g_autofree int *widths = g_new0 (int, self->columns->len + 1);
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();

  for (guint i = 0; i < self->columns->len; i++)
    {
      Column *column = g_ptr_array_index (self->columns, i);
      gboolean is_memory = column->info->unit == FP_UNIT_BYTES && column->info->presentation == FP_PRESENT_FIGURE;
      gboolean is_difference = self->are_differences && column->info->field != FP_FIELD_NONE;
      int width = (int)((column->given_width + (is_difference ? DELTA_WIDTH : 0)) * self->text_scale);

      width = MAX (width, column->title_width);
      /* It takes what the memory leaves. */
      if (self->is_narrow && fp_column_is_name (column->info))
        width = MIN (width, NARROW_NAME);
      set_usual_width (column, is_memory ? MAX (width, self->figure_width) : width);
      widths[shown->len] = gtk_column_view_column_get_fixed_width (column->shown);
      if (column->is_in_view)
        g_ptr_array_add (shown, column);
    }
  if (!self->is_narrow)
    fill_room (self, shown, widths);
}

/* room: the width of what is seen of the table */
void
fp_table_columns_set_room (FpTableColumns *self,
                           int room)
{
  g_return_if_fail (FP_IS_TABLE_COLUMNS (self));

  if (self->room == room)
    return;
  self->room = room;
  apply_widths (self);
}

static void
measure_title (FpTableColumns *self,
               Column *column)
{
  if (self->fits_titles)
    column->title_width =
        fp_text_width_measure_title (self->view, gtk_column_view_column_get_title (column->shown), FP_COLUMN_TITLE_ROOM);
}

/* Makes columns as wide as the font and the style of figures ask for, but for those that were resized. */
void
fp_table_columns_fit (FpTableColumns *self,
                      GtkWidget *widget,
                      FpFigureStyle style)
{
  FpFigure large = { FP_FIGURE_AT_MOST, 0, G_GUINT64_CONSTANT (88888888888) };
  char sample[FP_FIGURE_TEXT_SIZE];

  g_return_if_fail (FP_IS_TABLE_COLUMNS (self));

  fp_figure_format (large, FP_UNIT_BYTES, style, 0, sample, sizeof sample);
  self->text_scale = fp_text_width_get_scale (widget);
  self->figure_width = style == FP_STYLE_BYTES ? fp_text_width_measure (widget, sample) + CELL_ROOM : 0;
  for (guint i = 0; i < self->columns->len; i++)
    measure_title (self, g_ptr_array_index (self->columns, i));
  apply_widths (self);
}

void
fp_table_columns_add (FpTableColumns *self,
                      const FpTableLayout *layout)
{
  g_return_if_fail (FP_IS_TABLE_COLUMNS (self));

  self->kinds = layout->kinds;
  self->fits_titles = layout->letter_width == 0;
  for (const FpColumnChoice *choice = layout->columns; choice->id; choice++)
    add_column (self, fp_columns_find (choice->id, self->kinds), choice->width, choice->is_shown);
  for (guint i = 0; i < fp_columns_get_n (); i++)
    {
      const FpColumn *column = fp_columns_get (i);

      if (column->kinds & self->kinds && !fp_column_is_name (column) && !find (self, column))
        add_column (self, column, fp_column_widths_choose (layout, column), FALSE);
    }
  align_titles (self);
  self->usual = g_variant_ref_sink (fp_table_columns_to_variant (self));
}

GActionGroup *
fp_table_columns_get_actions (FpTableColumns *self)
{
  g_return_val_if_fail (FP_IS_TABLE_COLUMNS (self), NULL);

  return G_ACTION_GROUP (self->actions);
}

/* Lists those that are shown, as they stand, for files and paper: without drawings, which say in pictures what other columns say
 * in figures. Free the array. */
GPtrArray *
fp_table_columns_get_written (FpTableColumns *self)
{
  GPtrArray *written = g_ptr_array_new ();

  g_return_val_if_fail (FP_IS_TABLE_COLUMNS (self), written);

  for (guint i = 0; i < self->columns->len; i++)
    {
      const Column *column = g_ptr_array_index (self->columns, i);

      if (column->is_in_view && !fp_column_is_drawing (column->info))
        g_ptr_array_add (written, (gpointer)column->info);
    }
  return written;
}

/* By what is shown, each in the direction it has or would get by a click. Free the menu. */
GMenuModel *
fp_table_columns_make_sort_menu (FpTableColumns *self)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) columns = g_menu_new ();

  g_return_val_if_fail (FP_IS_TABLE_COLUMNS (self), NULL);

  for (guint i = 0; i < self->columns->len; i++)
    {
      Column *column = g_ptr_array_index (self->columns, i);

      if (column->is_in_view)
        fp_column_menus_append_sort (columns, gtk_column_view_column_get_title (column->shown), column->info,
                                     column->info == self->sort_column ? self->is_descending : fp_column_is_figure (column->info));
    }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (columns));
  fp_column_menus_append_directions (menu, self->sort_column);
  return G_MENU_MODEL (menu);
}

gboolean
fp_table_columns_is_shown (FpTableColumns *self,
                           const char *id)
{
  Column *column;

  g_return_val_if_fail (FP_IS_TABLE_COLUMNS (self), FALSE);

  column = find (self, fp_columns_find (id, self->kinds));
  return column && column->is_in_view;
}

void
fp_table_columns_set_narrow (FpTableColumns *self,
                             gboolean is_narrow)
{
  g_return_if_fail (FP_IS_TABLE_COLUMNS (self));

  if (self->is_narrow == is_narrow)
    return;
  self->is_narrow = is_narrow;
  for (guint i = 0; i < self->columns->len; i++)
    show_column (g_ptr_array_index (self->columns, i));
  apply_widths (self);
}

/* A column without any value is neither shown nor offered, whatever its user wants, until it has some. */
void
fp_table_columns_set_lacking (FpTableColumns *self,
                              gboolean (*is_lacking) (const FpColumn *column, gpointer data),
                              gpointer data)
{
  gboolean has_changed = FALSE;

  g_return_if_fail (FP_IS_TABLE_COLUMNS (self));

  for (guint i = 0; i < self->columns->len; i++)
    {
      Column *column = g_ptr_array_index (self->columns, i);
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), column->info->id);
      gboolean was_lacking = column->is_lacking;

      column->is_lacking = is_lacking (column->info, data);
      has_changed |= column->is_lacking != was_lacking;
      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), !column->is_lacking && !fp_column_is_name (column->info));
    }
  for (guint i = 0; i < self->columns->len && has_changed; i++)
    show_column (g_ptr_array_index (self->columns, i));
}

/* Gives a column another title than its own, which tells more of what is in it at present. */
void
fp_table_columns_set_title (FpTableColumns *self,
                            const FpColumn *info,
                            const char *title)
{
  Column *column;

  g_return_if_fail (FP_IS_TABLE_COLUMNS (self));

  column = find (self, info);
  if (!column || g_strcmp0 (gtk_column_view_column_get_title (column->shown), title) == 0)
    return;
  gtk_column_view_column_set_title (column->shown, title);
  measure_title (self, column);
  align_titles (self);
  apply_widths (self);
}

/* Whether figures are by how much they differ: their titles say so. */
void
fp_table_columns_set_differences (FpTableColumns *self,
                                  gboolean are_differences)
{
  g_return_if_fail (FP_IS_TABLE_COLUMNS (self));

  self->are_differences = are_differences;
  for (guint i = 0; i < self->columns->len; i++)
    {
      const FpColumn *info = ((Column *)self->columns->pdata[i])->info;
      g_autofree char *title = g_strdup_printf (are_differences ? "Δ %s" : "%s", _ (info->title));

      if (info->field != FP_FIELD_NONE)
        fp_table_columns_set_title (self, info, title);
    }
  apply_widths (self);
}

/* Bits of FpNeed */
guint
fp_table_columns_get_needs (FpTableColumns *self)
{
  g_return_val_if_fail (FP_IS_TABLE_COLUMNS (self), 0);

  return self->needs;
}

const FpColumn *
fp_table_columns_get_sort (FpTableColumns *self,
                           gboolean *descending)
{
  g_return_val_if_fail (FP_IS_TABLE_COLUMNS (self), NULL);

  *descending = self->is_descending;
  return self->sort_column;
}

void
fp_table_columns_set_sort (FpTableColumns *self,
                           const char *id,
                           gboolean descending)
{
  Column *column;

  g_return_if_fail (FP_IS_TABLE_COLUMNS (self));

  column = find (self, fp_columns_find (id, self->kinds));
  if (!column)
    return;
  self->sort_column = column->info;
  self->is_descending = descending;
  update_needs (self);
  tell_sort (self);
  mark_sort (self);
}

static void
add_choice (GVariantBuilder *builder,
            const Column *column)
{
  int width = gtk_column_view_column_get_fixed_width (column->shown);

  g_variant_builder_add (builder, "(sbi)", column->info->id, column->is_wanted, width == column->usual_width ? 0 : width);
}

/* a(sbi): id, whether it is shown, width or 0 for the usual one; also those that have no room now, where they would stand */
GVariant *
fp_table_columns_to_variant (FpTableColumns *self)
{
  GVariantBuilder builder;

  g_return_val_if_fail (FP_IS_TABLE_COLUMNS (self), NULL);

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sbi)"));
  for (guint i = 0; i < self->columns->len; i++)
    add_choice (&builder, self->columns->pdata[i]);
  return g_variant_builder_end (&builder);
}

static void
move_column (FpTableColumns *self,
             Column *column,
             guint place)
{
  guint now;

  if (!g_ptr_array_find (self->columns, column, &now) || now == place)
    return;
  g_ptr_array_steal_index (self->columns, now);
  g_ptr_array_insert (self->columns, (gint)place, column);
}

/* A title that was dragged stands elsewhere than it was put. */
static void
arrange (FpTableColumns *self)
{
  GListModel *shown = gtk_column_view_get_columns (self->view);
  guint n = 0;

  self->is_sorting = TRUE;
  for (guint i = 0; i < self->columns->len; i++)
    {
      Column *column = g_ptr_array_index (self->columns, i);
      g_autoptr (GtkColumnViewColumn) there = column->is_in_view ? g_list_model_get_item (shown, n++) : NULL;

      if (there && there != column->shown)
        gtk_column_view_insert_column (self->view, n - 1, column->shown);
    }
  self->is_sorting = FALSE;
  align_titles (self);
  mark_sort (self);
}

/* Columns that are not named stay as they are, behind the named ones. columns: NULL for the usual columns */
void
fp_table_columns_take_variant (FpTableColumns *self,
                               GVariant *columns)
{
  GVariantIter iter;
  const char *id;
  gboolean is_shown;
  int width;
  guint place = 0;

  g_return_if_fail (FP_IS_TABLE_COLUMNS (self));

  g_variant_iter_init (&iter, columns && !fp_column_widths_are_outdated (columns, self->kinds) ? columns : self->usual);
  while (g_variant_iter_next (&iter, "(&sbi)", &id, &is_shown, &width))
    {
      Column *column = find (self, fp_columns_find (id, self->kinds));

      if (!column)
        continue;
      move_column (self, column, place++);
      gtk_column_view_column_set_fixed_width (
          column->shown, width > 0 && width != column->given_width ? width : column->usual_width);
      g_action_group_change_action_state (G_ACTION_GROUP (self->actions), id, g_variant_new_boolean (is_shown));
    }
  arrange (self);
}
