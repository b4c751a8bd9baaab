// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-column-chooser.h"
#include "fp-comparison.h"
#include "fp-drop-down.h"
#include "fp-list-tools.h"

#define GROWTH       "growth"
#define LEAST_CHANGE (256 * 1024)
#define OUTCOME(id)  (1u << FP_OUTCOME_##id)

typedef struct
{
  const FpColumn *column; /* (nullable) */
  gboolean is_descending;
} Order;

struct _FpListTools
{
  GtkBox parent;

  /* Template widgets */
  GtkWidget *filters;
  GtkWidget *group_box;
  GtkDropDown *group_by;
  GtkWidget *outcome_box;
  GtkDropDown *outcome;
  GtkWidget *changed_only;
  GtkMenuButton *filter_button; /* in place of the buttons, where there is no room for them */
  GtkMenuButton *order_button;

  const FpListPageInfo *info;
  FpTableView *view;
  GActionMap *actions;
  FpGrouping grouping;
  const FpListFilter *filter;
  gboolean is_changed_only;
  gboolean is_compared;
  Order before_ended;    /* the order of the list before what has ended was shown */
  Order before_compared; /* the same before two moments were compared */
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpListTools, fp_list_tools, GTK_TYPE_BOX)

/* The outcomes of a comparison that can be chosen, with bits of FpOutcome. A range may be no change at all. */
static const struct
{
  const char *title;
  guint outcomes;
} outcomes[] = {
  { NC_ ("outcome", "Any"), G_MAXUINT },
  { NC_ ("outcome", "Changed"), OUTCOME (NEW) | OUTCOME (ENDED) | OUTCOME (GROWN) | OUTCOME (SHRUNK) },
  { NC_ ("outcome", "New"), OUTCOME (NEW) },
  { NC_ ("outcome", "Ended"), OUTCOME (ENDED) },
  { NC_ ("outcome", "Grown"), OUTCOME (GROWN) },
  { NC_ ("outcome", "Shrunk"), OUTCOME (SHRUNK) },
};

static FpRows *
get_rows (FpListTools *self)
{
  return fp_table_get_rows (fp_table_view_get_table (self->view));
}

/* Shared pages are divided anew whenever a process comes or goes, so the smallest changes are nobody's. A range that may be
 * nothing is no change. */
static gboolean
has_changed (const FpRecords *records,
             guint index)
{
  FpFigure change = fp_column_get_figure (fp_columns_get_role (FP_ROLE_CHANGE, records->class->kind), records, index);

  return (change.kind == FP_FIGURE_MORE || change.kind == FP_FIGURE_LESS) && change.high >= LEAST_CHANGE;
}

static FpGrouping
get_offered (FpListTools *self,
             guint place)
{
  return fp_grouping_get_offered (self->info->content->kind, place);
}

static void
set_grouping (FpListTools *self,
              FpGrouping grouping)
{
  self->grouping = grouping;
  fp_rows_set_grouping (get_rows (self), grouping);
}

static gboolean
has_outcome (FpListTools *self,
             const FpRecords *records,
             guint index)
{
  guint chosen = gtk_drop_down_get_selected (self->outcome);

  return chosen == 0 || chosen >= G_N_ELEMENTS (outcomes) ||
         (outcomes[chosen].outcomes & 1u << fp_records_get_outcome (records, index)) != 0;
}

static gboolean
passes_cb (const FpRecords *records,
           guint index,
           gpointer data)
{
  FpListTools *self = data;

  return self->filter->matches && self->filter->matches (records, index, NULL) &&
         (!self->is_changed_only || has_changed (records, index)) && has_outcome (self, records, index);
}

static void
name_filter (FpListTools *self)
{
  g_autofree char *changed = g_strdup_printf (_ ("%s, changed"), g_dpgettext2 (NULL, "filter", self->filter->title)), *name = NULL;
  const char *label = self->is_changed_only ? changed : g_dpgettext2 (NULL, "filter", self->filter->title);

  name = g_strdup_printf (_ ("Filter: %s"), label);
  gtk_menu_button_set_label (self->filter_button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->filter_button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
set_filter (FpListTools *self,
            const FpListFilter *filter)
{
  self->filter = filter;
  fp_rows_set_filter (get_rows (self), passes_cb, self);
  name_filter (self);
}

static Order
get_order (FpListTools *self)
{
  Order order;

  order.column = fp_table_columns_get_sort (fp_table_view_get_columns (self->view), &order.is_descending);
  return order;
}

static void
set_order (FpListTools *self,
           const Order *order)
{
  if (order->column)
    fp_table_view_set_sort (self->view, order->column->id, order->is_descending);
}

/* Among the ended the last comes first; with another filter the order is as it was. */
static void
sort_for (FpListTools *self,
          const FpListFilter *filter)
{
  if (!filter->matches == !self->filter->matches)
    return;
  if (!filter->matches)
    {
      self->before_ended = get_order (self);
      fp_table_view_set_sort (self->view, "ended", TRUE);
    }
  else
    set_order (self, &self->before_ended);
}

static void
filter_cb (GSimpleAction *action,
           GVariant *state,
           gpointer data)
{
  FpListTools *self = data;

  for (const FpListFilter *filter = self->info->filters; filter->id; filter++)
    if (g_str_equal (filter->id, g_variant_get_string (state, NULL)))
      {
        g_simple_action_set_state (action, state);
        sort_for (self, filter);
        set_filter (self, filter);
        g_signal_emit (self, signals[CHANGED], 0);
      }
}

static void
changed_only_cb (GSimpleAction *action,
                 GVariant *state,
                 gpointer data)
{
  FpListTools *self = data;

  g_simple_action_set_state (action, state);
  self->is_changed_only = g_variant_get_boolean (state);
  set_filter (self, self->filter);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
group_by_cb (FpListTools *self)
{
  guint chosen = gtk_drop_down_get_selected (self->group_by);
  const char *id = fp_grouping_infos[get_offered (self, chosen)].id;

  g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "group-by", g_variant_new_string (id));
}

static void
group_by_state_cb (GSimpleAction *action,
                   GVariant *state,
                   gpointer data)
{
  FpListTools *self = data;
  g_autoptr (GVariant) now = g_action_get_state (G_ACTION (action));
  FpGrouping grouping;

  /* The drop-down tells what it was told. */
  if (g_variant_equal (state, now))
    return;
  for (guint i = 0; (grouping = get_offered (self, i)) < FP_N_GROUPINGS; i++)
    if (g_str_equal (fp_grouping_infos[grouping].id, g_variant_get_string (state, NULL)))
      {
        g_simple_action_set_state (action, state);
        gtk_drop_down_set_selected (self->group_by, i);
        set_grouping (self, grouping);
        g_signal_emit (self, signals[CHANGED], 0);
      }
}

static void
choose_columns_cb (GSimpleAction *action,
                   GVariant *parameter,
                   gpointer data)
{
  FpListTools *self = data;
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
  FpColumnChooser *chooser =
      fp_column_chooser_new (window, self->info->layout->kinds, fp_table_columns_get_actions (fp_table_view_get_columns (self->view)));

  gtk_window_present (GTK_WINDOW (chooser));
}

/* Floating: the columns as they are, with that of growth behind the names. */
static GVariant *
put_growth_forward (FpListTools *self,
                    FpTableColumns *columns)
{
  const guint kinds = self->info->layout->kinds;
  g_autoptr (GVariant) now = g_variant_ref_sink (fp_table_columns_to_variant (columns));
  GVariantBuilder builder;
  GVariantIter iter, search;
  const char *id;
  gboolean is_shown;
  int width, width_of_growth = 0;

  g_variant_iter_init (&search, now);
  while (g_variant_iter_next (&search, "(&sbi)", &id, &is_shown, &width))
    width_of_growth = g_str_equal (id, GROWTH) ? width : width_of_growth;
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sbi)"));
  g_variant_iter_init (&iter, now);
  while (g_variant_iter_next (&iter, "(&sbi)", &id, &is_shown, &width))
    {
      if (!g_str_equal (id, GROWTH))
        g_variant_builder_add (&builder, "(sbi)", id, is_shown, width);
      if (fp_column_is_name (fp_columns_find (id, kinds)))
        g_variant_builder_add (&builder, "(sbi)", GROWTH, TRUE, width_of_growth);
    }
  return g_variant_builder_end (&builder);
}

/* Its column is shown, and is to be seen beside the names: it stands at the far end of most lists. */
static void
fastest_growing_cb (GSimpleAction *action,
                    GVariant *parameter,
                    gpointer data)
{
  FpListTools *self = data;
  FpTableScroll *scroll = fp_table_view_get_scroll (self->view);
  FpTableColumns *columns = fp_table_view_get_columns (self->view);
  GActionGroup *actions = fp_table_columns_get_actions (columns);

  if (!fp_table_columns_is_shown (columns, GROWTH))
    g_action_group_change_action_state (actions, GROWTH, g_variant_new_boolean (TRUE));
  if (fp_table_scroll_has_out_of_sight (scroll, fp_columns_find (GROWTH, self->info->layout->kinds)))
    {
      g_autoptr (GVariant) forward = g_variant_ref_sink (put_growth_forward (self, columns));

      fp_table_columns_take_variant (columns, forward);
      fp_table_scroll_go_to_names (scroll);
    }
  g_action_group_activate_action (actions, "sort-by", g_variant_new ("(sb)", GROWTH, TRUE));
}

static gboolean
has_growth (FpListTools *self)
{
  return fp_columns_find (GROWTH, self->info->layout->kinds) != NULL;
}

static void
show_order_menu (GtkMenuButton *button,
                 gpointer data)
{
  FpListTools *self = data;
  g_autoptr (GMenuModel) sort = fp_table_columns_make_sort_menu (fp_table_view_get_columns (self->view));
  g_autoptr (GMenu) menu = g_menu_new (), order = g_menu_new (), output = g_menu_new ();

  g_menu_append_submenu (order, _ ("_Sort By"), sort);
  if (has_growth (self))
    g_menu_append (order, _ ("_Fastest Growing First"), "page.fastest-growing");
  g_menu_append (order, _ ("_Choose Columns…"), "page.choose-columns");
  g_menu_append (output, _ ("_Export…"), "page.export");
  g_menu_append (output, _ ("_Print…"), "page.print");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (order));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (output));
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

static void
add_choice (FpListTools *self,
            const char *name,
            const char *chosen,
            GCallback change_state)
{
  g_autoptr (GSimpleAction) action =
      g_simple_action_new_stateful (name, G_VARIANT_TYPE_STRING, g_variant_new_string (chosen));

  g_signal_connect (action, "change-state", change_state, self);
  g_action_map_add_action (self->actions, G_ACTION (action));
}

static void
append_filter (GMenu *menu,
               const FpListFilter *filter)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (g_dpgettext2 (NULL, "filter", filter->title), NULL);

  g_menu_item_set_action_and_target (item, "page.filter", "s", filter->id);
  g_menu_append_item (menu, item);
}

static void
append_changed_only (GMenu *menu)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (_ ("Changed Only"), "page.changed-only");

  g_menu_item_set_attribute (item, "hidden-when", "s", "action-disabled");
  g_menu_append_item (menu, item);
}

static void
add_filters (FpListTools *self)
{
  const FpListFilter *filters = self->info->filters;
  g_autoptr (GMenu) menu = g_menu_new (), all = g_menu_new (), changed = g_menu_new ();

  add_choice (self, "filter", filters[0].id, G_CALLBACK (filter_cb));
  set_filter (self, &filters[0]);
  for (; filters->id; filters++)
    {
      GtkWidget *button = gtk_toggle_button_new_with_label (g_dpgettext2 (NULL, "filter", filters->title));

      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "page.filter");
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", filters->id);
      gtk_box_append (GTK_BOX (self->filters), button);
      append_filter (all, filters);
    }
  append_changed_only (changed);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (all));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (changed));
  gtk_menu_button_set_menu_model (self->filter_button, G_MENU_MODEL (menu));
}

static void
add_groupings (FpListTools *self)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  FpGrouping grouping;

  for (guint i = 0; (grouping = get_offered (self, i)) < FP_N_GROUPINGS; i++)
    gtk_string_list_append (titles, g_dpgettext2 (NULL, "group by", fp_grouping_infos[grouping].title));
  gtk_drop_down_set_model (self->group_by, G_LIST_MODEL (titles));
  fp_drop_down_set_name (self->group_by, _ ("Group by"));
  gtk_widget_set_visible (self->group_box, self->info->may_regroup);
  set_grouping (self, self->info->grouping);
  if (!self->info->may_regroup)
    return;
  for (guint i = 0; (grouping = get_offered (self, i)) < FP_N_GROUPINGS; i++)
    if (grouping == self->info->grouping)
      gtk_drop_down_set_selected (self->group_by, i);
  add_choice (self, "group-by", fp_grouping_infos[self->info->grouping].id, G_CALLBACK (group_by_state_cb));
  g_signal_connect_object (self->group_by, "notify::selected", G_CALLBACK (group_by_cb), self, G_CONNECT_SWAPPED);
}

static void
outcome_cb (FpListTools *self)
{
  set_filter (self, self->filter);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
add_outcomes (FpListTools *self)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (outcomes); i++)
    gtk_string_list_append (titles, g_dpgettext2 (NULL, "outcome", outcomes[i].title));
  gtk_drop_down_set_model (self->outcome, G_LIST_MODEL (titles));
  fp_drop_down_set_name (self->outcome, _ ("Outcome"));
  g_signal_connect_object (self->outcome, "notify::selected", G_CALLBACK (outcome_cb), self, G_CONNECT_SWAPPED);
}

static void
add_columns (FpListTools *self)
{
  static const GActionEntry entries[] = {
    { "choose-columns", choose_columns_cb, NULL, NULL, NULL, { 0 } },
    { "fastest-growing", fastest_growing_cb, NULL, NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (self->actions, entries, has_growth (self) ? 2 : 1, self);
  gtk_menu_button_set_create_popup_func (self->order_button, show_order_menu, self, NULL);
}

static void
add_changed_only (FpListTools *self)
{
  g_autoptr (GSimpleAction) action = g_simple_action_new_stateful ("changed-only", NULL, g_variant_new_boolean (FALSE));

  g_signal_connect (action, "change-state", G_CALLBACK (changed_only_cb), self);
  g_simple_action_set_enabled (action, FALSE);
  g_action_map_add_action (self->actions, G_ACTION (action));
}

static void
fp_list_tools_class_init (FpListToolsClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  signals[CHANGED] =
      g_signal_new ("changed", FP_TYPE_LIST_TOOLS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-list-tools.ui");
  gtk_widget_class_bind_template_child (widget_class, FpListTools, filters);
  gtk_widget_class_bind_template_child (widget_class, FpListTools, group_box);
  gtk_widget_class_bind_template_child (widget_class, FpListTools, group_by);
  gtk_widget_class_bind_template_child (widget_class, FpListTools, outcome_box);
  gtk_widget_class_bind_template_child (widget_class, FpListTools, outcome);
  gtk_widget_class_bind_template_child (widget_class, FpListTools, changed_only);
  gtk_widget_class_bind_template_child (widget_class, FpListTools, filter_button);
  gtk_widget_class_bind_template_child (widget_class, FpListTools, order_button);
}

static void
fp_list_tools_init (FpListTools *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* The actions, whose names begin with "page.", are to live as long as the view. */
GtkWidget *
fp_list_tools_new (const FpListPageInfo *info,
                   FpTableView *view,
                   GActionMap *actions)
{
  FpListTools *self = g_object_new (FP_TYPE_LIST_TOOLS, NULL);

  self->info = info;
  self->view = view;
  self->actions = actions;
  add_filters (self);
  add_changed_only (self);
  add_outcomes (self);
  add_groupings (self);
  add_columns (self);
  return GTK_WIDGET (self);
}

void
fp_list_tools_show_all (FpListTools *self)
{
  g_return_if_fail (FP_IS_LIST_TOOLS (self));

  g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "filter",
                                      g_variant_new_string (self->info->filters[0].id));
  g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "changed-only", g_variant_new_boolean (FALSE));
  gtk_drop_down_set_selected (self->outcome, 0);
}

/* By the first filter it passes */
void
fp_list_tools_show_record (FpListTools *self,
                           const FpRecords *records,
                           guint index)
{
  g_return_if_fail (FP_IS_LIST_TOOLS (self));

  for (const FpListFilter *filter = self->info->filters; filter->id; filter++)
    if (filter->matches && filter->matches (records, index, NULL))
      {
        g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "filter", g_variant_new_string (filter->id));
        g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "changed-only", g_variant_new_boolean (FALSE));
        gtk_drop_down_set_selected (self->outcome, 0);
        return;
      }
}

gboolean
fp_list_tools_shows_all (FpListTools *self)
{
  g_autoptr (GVariant) filter = NULL;

  g_return_val_if_fail (FP_IS_LIST_TOOLS (self), FALSE);

  filter = g_action_group_get_action_state (G_ACTION_GROUP (self->actions), "filter");
  return g_str_equal (g_variant_get_string (filter, NULL), self->info->filters[0].id) && !self->is_changed_only &&
         gtk_drop_down_get_selected (self->outcome) == 0;
}

/* Advice for who has found nothing by a search */
const char *
fp_list_tools_get_no_match_hint (FpListTools *self)
{
  g_return_val_if_fail (FP_IS_LIST_TOOLS (self), NULL);

  return fp_list_tools_shows_all (self) ? _ (self->info->content->no_match_hint)
                                        : _ ("Only some are shown: choose another filter above to search in all.");
}

gboolean
fp_list_tools_shows_ended (FpListTools *self)
{
  g_return_val_if_fail (FP_IS_LIST_TOOLS (self), FALSE);

  return !self->filter->matches;
}

/* Without a mark there are no changes to choose by. */
void
fp_list_tools_set_marked (FpListTools *self,
                          gboolean is_marked)
{
  g_return_if_fail (FP_IS_LIST_TOOLS (self));

  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (self->actions, "changed-only")), is_marked);
  gtk_widget_set_visible (self->changed_only, is_marked);
  if (!is_marked && self->is_changed_only)
    g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "changed-only", g_variant_new_boolean (FALSE));
}

/* A comparison begins with what has grown most; after it the order is as it was. */
void
fp_list_tools_set_compared (FpListTools *self,
                            gboolean is_compared)
{
  Order most = { fp_columns_find ("difference", self->info->layout->kinds), TRUE };
  gboolean shows_ended;

  g_return_if_fail (FP_IS_LIST_TOOLS (self));

  if (self->is_compared == is_compared)
    return;
  shows_ended = fp_list_tools_shows_ended (self);
  if (is_compared)
    self->before_compared = shows_ended ? self->before_ended : get_order (self);
  else
    most = self->before_compared;
  if (shows_ended)
    self->before_ended = most;
  else
    set_order (self, &most);
  self->is_compared = is_compared;
  gtk_widget_set_visible (self->outcome_box, is_compared);
  if (!is_compared)
    gtk_drop_down_set_selected (self->outcome, 0);
}

/* The order to begin with the next time, when nothing is compared, and what has ended is in its own order */
const FpColumn *
fp_list_tools_get_sort (FpListTools *self,
                        gboolean *descending)
{
  Order order;

  g_return_val_if_fail (FP_IS_LIST_TOOLS (self), NULL);

  order = self->is_compared ? self->before_compared : fp_list_tools_shows_ended (self) ? self->before_ended
                                                                                       : get_order (self);
  *descending = order.is_descending;
  return order.column;
}

void
fp_list_tools_set_narrow (FpListTools *self,
                          gboolean is_narrow)
{
  g_return_if_fail (FP_IS_LIST_TOOLS (self));

  if (is_narrow)
    gtk_widget_add_css_class (self->filters, "narrow");
  else
    gtk_widget_remove_css_class (self->filters, "narrow");
}

FpGrouping
fp_list_tools_get_grouping (FpListTools *self)
{
  g_return_val_if_fail (FP_IS_LIST_TOOLS (self), 0);

  return self->grouping;
}
