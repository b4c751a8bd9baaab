// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include <signal.h>

#include "fp-column-chooser.h"
#include "fp-coverage.h"
#include "fp-list-page.h"
#include "fp-process-actions.h"
#include "fp-sandbox-page.h"
#include "fp-selection.h"
#include "fp-sum.h"

struct _FpListPage
{
  GtkWidget parent;

  /* Template widgets */
  GtkWidget *tools;
  GtkWidget *filters;
  GtkWidget *group_box;
  GtkWidget *group_label;
  GtkDropDown *group_by;
  GtkMenuButton *order_button;
  GtkStack *stack;
  GtkSpinner *spinner;
  GtkWidget *table_box;
  AdwStatusPage *no_match;
  AdwStatusPage *nothing;
  FpSandboxPage *sandbox_page;
  AdwStatusPage *failed;
  GtkWidget *footer;
  GtkLabel *sum;
  GtkWidget *paused;
  GMenuModel *row_menu;
  GtkShortcutController *window_keys;

  /* Owned */
  FpRecords *records;
  GSimpleActionGroup *actions;
  char *search;

  GtkWidget *popover; /* of the row menu, while it is open */
  FpTableView *view;
  const FpListPageInfo *info;
  FpRowStyle style;
  gboolean was_whole; /* nothing was pending once */
  gboolean may_measure;
  gboolean may_signal;
  gboolean explains_sandbox;
};

enum
{
  SEARCH_CLEARED,
  SEARCH_REQUESTED,
  REPORTED,
  TARGET_CHANGED,
  DETAILS_REQUESTED,
  MEASURE_REQUESTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpListPage, fp_list_page, GTK_TYPE_WIDGET)

static FpRows *
get_rows (FpListPage *self)
{
  return fp_table_get_rows (fp_table_view_get_table (self->view));
}

static gboolean
is_unfiltered (FpListPage *self)
{
  g_autoptr (GVariant) filter = g_action_group_get_action_state (G_ACTION_GROUP (self->actions), "filter");

  return !(self->search && *self->search) && g_str_equal (g_variant_get_string (filter, NULL), self->info->filters[0].id);
}

static void
show_sum (FpListPage *self)
{
  FpTable *table = fp_table_view_get_table (self->view);
  g_autoptr (GArray) selected = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree char *text = NULL;
  const guint *matches;
  guint n;

  fp_table_add_selected (table, selected);
  matches = fp_rows_get_matches (get_rows (self), &n);
  if (selected->len > 0)
    text = fp_sum_describe_selection (self->records, (const guint *)selected->data, selected->len,
                                      &self->style.format);
  else if (self->info->is_of_all && is_unfiltered (self))
    text = fp_sum_describe_machine (self->records, &self->style.format);
  if (!text)
    text = fp_sum_describe_rows (self->records, matches, n, &self->style.format);
  gtk_label_set_text (self->sum, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->sum), text);
}

static void
choose_page (FpListPage *self)
{
  g_autofree char *hidden = NULL;
  guint n;

  if (self->explains_sandbox)
    {
      gtk_stack_set_visible_child_name (self->stack, "sandbox");
      return;
    }
  fp_rows_get_matches (get_rows (self), &n);
  if (n > 0 || fp_rows_get_n (get_rows (self)) > 0)
    {
      gtk_stack_set_visible_child_name (self->stack, "table");
      return;
    }
  if (self->search && *self->search)
    {
      gtk_stack_set_visible_child_name (self->stack, "no-match");
      return;
    }
  hidden = fp_coverage_explain_hidden (fp_process_records_get_snapshot (self->records));
  adw_status_page_set_description (
      self->nothing, hidden ? hidden : _ ("There are none of this kind. Another filter above shows the others."));
  gtk_stack_set_visible_child_name (self->stack, "nothing");
}

static void
apply (FpListPage *self)
{
  if (!self->records)
    return;
  fp_table_view_update (self->view, self->records, &self->style);
  choose_page (self);
  show_sum (self);
}

/* What was selected may be in a closed group now, or not be shown at all. */
static void
apply_choice (FpListPage *self)
{
  FpTable *table = fp_table_view_get_table (self->view);
  guint before = fp_table_get_n_selected (table);

  apply (self);
  if (before > 0 || fp_table_get_n_selected (table) > 0)
    g_signal_emit (self, signals[TARGET_CHANGED], 0);
}

static void
hold_cb (FpListPage *self)
{
  gboolean is_paused = fp_order_pause_is_paused (fp_table_view_get_order_pause (self->view));

  /* The first picture fills in the order of size: nobody has read it yet. */
  fp_rows_set_held (get_rows (self), is_paused && self->was_whole);
  gtk_widget_set_visible (self->paused, is_paused);
  if (!is_paused)
    apply (self);
}

static void
resume_cb (FpListPage *self)
{
  fp_order_pause_resume (fp_table_view_get_order_pause (self->view));
}

static void
show_all_cb (FpListPage *self)
{
  g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "filter",
                                      g_variant_new_string (self->info->filters[0].id));
  g_signal_emit (self, signals[SEARCH_CLEARED], 0);
}

static void
filter_cb (GSimpleAction *action,
           GVariant *state,
           gpointer data)
{
  FpListPage *self = data;

  for (const FpListFilter *filter = self->info->filters; filter->id; filter++)
    if (g_str_equal (filter->id, g_variant_get_string (state, NULL)))
      {
        g_simple_action_set_state (action, state);
        fp_rows_set_filter (get_rows (self), filter->matches, NULL);
        apply_choice (self);
      }
}

static void
set_grouping (FpListPage *self,
              FpGrouping grouping)
{
  self->style.is_tree = grouping != FP_GROUPING_NOTHING;
  self->style.grouping = grouping;
  self->style.nobody = _ (fp_grouping_infos[grouping].nobody);
  fp_rows_set_grouping (get_rows (self), grouping);
  apply_choice (self);
}

static void
group_by_cb (FpListPage *self)
{
  guint chosen = gtk_drop_down_get_selected (self->group_by);
  const char *id = fp_grouping_infos[chosen].id;

  g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "group-by", g_variant_new_string (id));
}

static void
group_by_state_cb (GSimpleAction *action,
                   GVariant *state,
                   gpointer data)
{
  FpListPage *self = data;
  g_autoptr (GVariant) now = g_action_get_state (G_ACTION (action));

  /* The drop-down tells what it was told. */
  if (g_variant_equal (state, now))
    return;
  for (guint i = 0; i < FP_GROUPING_USER_PROGRAM; i++)
    if (g_str_equal (fp_grouping_infos[i].id, g_variant_get_string (state, NULL)))
      {
        g_simple_action_set_state (action, state);
        gtk_drop_down_set_selected (self->group_by, i);
        set_grouping (self, (FpGrouping)i);
      }
}

static void
add_filters (FpListPage *self)
{
  const FpListFilter *filters = self->info->filters;
  g_autoptr (GSimpleAction) action =
      g_simple_action_new_stateful ("filter", G_VARIANT_TYPE_STRING, g_variant_new_string (filters[0].id));

  g_signal_connect (action, "change-state", G_CALLBACK (filter_cb), self);
  g_action_map_add_action (G_ACTION_MAP (self->actions), G_ACTION (action));
  fp_rows_set_filter (get_rows (self), filters[0].matches, NULL);
  for (; filters->id; filters++)
    {
      GtkWidget *button = gtk_toggle_button_new_with_label (_ (filters->title));

      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "page.filter");
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", filters->id);
      gtk_box_append (GTK_BOX (self->filters), button);
    }
}

/* Ctrl+1, Ctrl+2 and so on, wherever in the window the focus is */
static void
add_grouping_keys (FpListPage *self)
{
  for (guint i = 0; i < FP_GROUPING_USER_PROGRAM; i++)
    {
      GtkShortcut *shortcut = gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_1 + i, GDK_CONTROL_MASK),
                                                gtk_named_action_new ("page.group-by"));

      gtk_shortcut_set_arguments (shortcut, g_variant_new_string (fp_grouping_infos[i].id));
      gtk_shortcut_controller_add_shortcut (self->window_keys, shortcut);
    }
}

static void
add_groupings (FpListPage *self)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  g_autoptr (GSimpleAction) action = NULL;

  for (guint i = 0; i < FP_GROUPING_USER_PROGRAM; i++)
    gtk_string_list_append (titles, _ (fp_grouping_infos[i].title));
  gtk_drop_down_set_model (self->group_by, G_LIST_MODEL (titles));
  gtk_widget_set_visible (self->group_box, self->info->may_regroup);
  set_grouping (self, self->info->grouping);
  if (!self->info->may_regroup)
    return;
  action = g_simple_action_new_stateful ("group-by", G_VARIANT_TYPE_STRING,
                                         g_variant_new_string (fp_grouping_infos[self->info->grouping].id));
  g_signal_connect (action, "change-state", G_CALLBACK (group_by_state_cb), self);
  g_action_map_add_action (G_ACTION_MAP (self->actions), G_ACTION (action));
  g_signal_connect_object (self->group_by, "notify::selected", G_CALLBACK (group_by_cb), self, G_CONNECT_SWAPPED);
  add_grouping_keys (self);
}

static GArray *
get_selected (FpListPage *self)
{
  GArray *selected = g_array_new (FALSE, FALSE, sizeof (guint));

  if (self->records)
    fp_table_add_selected (fp_table_view_get_table (self->view), selected);
  return selected;
}

static void
report (const char *text,
        gpointer data)
{
  g_signal_emit (data, signals[REPORTED], 0, text);
}

static void
signal_selected (FpListPage *self,
                 int signal)
{
  g_autoptr (GArray) selected = get_selected (self);

  fp_process_actions_signal (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), self->records,
                             (const guint *)selected->data, selected->len, &self->style.format, signal, report, self);
}

static void
end_cb (GSimpleAction *action,
        GVariant *parameter,
        gpointer data)
{
  signal_selected (data, SIGTERM);
}

static void
kill_cb (GSimpleAction *action,
         GVariant *parameter,
         gpointer data)
{
  signal_selected (data, SIGKILL);
}

static void
stop_cb (GSimpleAction *action,
         GVariant *parameter,
         gpointer data)
{
  signal_selected (data, SIGSTOP);
}

static void
continue_cb (GSimpleAction *action,
             GVariant *parameter,
             gpointer data)
{
  signal_selected (data, SIGCONT);
}

static void
details_cb (GSimpleAction *action,
            GVariant *parameter,
            gpointer data)
{
  g_signal_emit (data, signals[DETAILS_REQUESTED], 0);
}

static void
measure_cb (GSimpleAction *action,
            GVariant *parameter,
            gpointer data)
{
  FpListPage *self = data;
  g_autoptr (GArray) selected = get_selected (self);

  for (guint i = 0; i < selected->len; i++)
    {
      const FpProcess *process = fp_process_records_get (self->records, g_array_index (selected, guint, i));
      FpProcessId id = { process->pid, process->start_ticks };

      g_signal_emit (self, signals[MEASURE_REQUESTED], 0, &id);
    }
}

static void
copy_cb (GSimpleAction *action,
         GVariant *parameter,
         gpointer data)
{
  FpListPage *self = data;
  g_autoptr (GArray) selected = get_selected (self);

  if (selected->len == 0)
    return;
  fp_process_actions_copy (GTK_WIDGET (self), self->records, (const guint *)selected->data, selected->len);
  report (_ ("Copied"), self);
}

static void
choose_columns_cb (GSimpleAction *action,
                   GVariant *parameter,
                   gpointer data)
{
  FpListPage *self = data;
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
  FpColumnChooser *chooser =
      fp_column_chooser_new (window, fp_table_columns_get_actions (fp_table_view_get_columns (self->view)));

  gtk_window_present (GTK_WINDOW (chooser));
}

static void
add_actions (FpListPage *self)
{
  static const GActionEntry entries[] = {
    { "copy", copy_cb, NULL, NULL, NULL, { 0 } },
    { "details", details_cb, NULL, NULL, NULL, { 0 } },
    { "measure", measure_cb, NULL, NULL, NULL, { 0 } },
    { "end", end_cb, NULL, NULL, NULL, { 0 } },
    { "kill", kill_cb, NULL, NULL, NULL, { 0 } },
    { "stop", stop_cb, NULL, NULL, NULL, { 0 } },
    { "continue", continue_cb, NULL, NULL, NULL, { 0 } },
    { "choose-columns", choose_columns_cb, NULL, NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
}

static void
show_order_menu (GtkMenuButton *button,
                 gpointer data)
{
  FpListPage *self = data;
  g_autoptr (GMenuModel) sort = fp_table_columns_make_sort_menu (fp_table_view_get_columns (self->view));
  g_autoptr (GMenu) menu = g_menu_new ();

  g_menu_append_submenu (menu, _ ("_Sort By"), sort);
  g_menu_append (menu, _ ("_Choose Columns…"), "page.choose-columns");
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

static void
enable (FpListPage *self,
        const char *name,
        gboolean is_enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), is_enabled);
}

/* What can be done depends on what is selected, and on whose processes these are. */
static void
update_actions (FpListPage *self)
{
  static const char *const endings[] = { "end", "kill", "stop", "continue" };
  g_autoptr (GArray) selected = get_selected (self);

  enable (self, "copy", selected->len > 0);
  enable (self, "measure", selected->len > 0 && self->may_measure);
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    enable (self, endings[i], selected->len > 0 && self->may_signal);
}

static void
menu_closed_cb (FpListPage *self)
{
  fp_order_pause_set_menu_open (fp_table_view_get_order_pause (self->view), FALSE);
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

static void
open_menu (FpListPage *self,
           guint position,
           const GdkRectangle *where)
{
  if (!self->popover)
    {
      self->popover = gtk_popover_menu_new_from_model (self->row_menu);
      gtk_popover_set_has_arrow (GTK_POPOVER (self->popover), FALSE);
      gtk_widget_set_halign (self->popover, GTK_ALIGN_START);
      gtk_widget_set_parent (self->popover, self->table_box);
      g_signal_connect_object (self->popover, "closed", G_CALLBACK (menu_closed_cb), self, G_CONNECT_SWAPPED);
    }
  update_actions (self);
  fp_order_pause_set_menu_open (fp_table_view_get_order_pause (self->view), TRUE);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover), where);
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

static void
activate_row_cb (FpListPage *self,
                 guint position)
{
  g_autofree char *search = NULL;

  if (fp_rows_get (get_rows (self), position)->kind != FP_ROW_GROUP)
    {
      g_signal_emit (self, signals[DETAILS_REQUESTED], 0);
      return;
    }
  search = fp_selection_make_search (get_rows (self), self->info->grouping, position);
  if (*search)
    g_signal_emit (self, signals[SEARCH_REQUESTED], 0, search);
}

static void
selection_changed_cb (FpListPage *self)
{
  show_sum (self);
  update_actions (self);
  g_signal_emit (self, signals[TARGET_CHANGED], 0);
}

static void
fp_list_page_dispose (GObject *object)
{
  FpListPage *self = FP_LIST_PAGE (object);

  /* The list can go later than what it tells here. */
  if (self->view)
    {
      g_signal_handlers_disconnect_by_data (fp_table_view_get_order_pause (self->view), self);
      g_signal_handlers_disconnect_by_data (fp_table_view_get_table (self->view), self);
      self->view = NULL;
    }
  g_clear_pointer (&self->popover, gtk_widget_unparent);
  g_clear_pointer (&self->tools, gtk_widget_unparent);
  if (self->stack)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->stack)));
  g_clear_pointer (&self->footer, gtk_widget_unparent);
  g_clear_pointer (&self->records, fp_records_unref);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (fp_list_page_parent_class)->dispose (object);
}

static void
fp_list_page_finalize (GObject *object)
{
  g_free (FP_LIST_PAGE (object)->search);

  G_OBJECT_CLASS (fp_list_page_parent_class)->finalize (object);
}

static void
add_shortcuts (GtkWidgetClass *widget_class)
{
  static const struct
  {
    guint key;
    GdkModifierType modifiers;
    const char *action;
  } shortcuts[] = {
    { GDK_KEY_c, GDK_CONTROL_MASK, "page.copy" },
    { GDK_KEY_KP_Enter, GDK_ALT_MASK, "page.details" },
    { GDK_KEY_Return, GDK_ALT_MASK, "page.details" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    gtk_widget_class_add_binding_action (widget_class, shortcuts[i].key, shortcuts[i].modifiers, shortcuts[i].action,
                                         NULL);
}

static void
fp_list_page_class_init (FpListPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_list_page_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_list_page_finalize;

  signals[SEARCH_CLEARED] =
      g_signal_new ("search-cleared", FP_TYPE_LIST_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  signals[SEARCH_REQUESTED] = g_signal_new ("search-requested", FP_TYPE_LIST_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                            NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  signals[REPORTED] = g_signal_new ("reported", FP_TYPE_LIST_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                    1, G_TYPE_STRING);

  signals[TARGET_CHANGED] =
      g_signal_new ("target-changed", FP_TYPE_LIST_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[MEASURE_REQUESTED] = g_signal_new ("measure-requested", FP_TYPE_LIST_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                             NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[DETAILS_REQUESTED] =
      g_signal_new ("details-requested", FP_TYPE_LIST_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (FP_TYPE_SANDBOX_PAGE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-list-page.ui");
  gtk_widget_class_bind_template_child (widget_class, FpListPage, tools);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, filters);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, group_box);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, group_label);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, group_by);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, order_button);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, stack);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, spinner);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, table_box);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, no_match);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, nothing);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, sandbox_page);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, failed);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, footer);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, sum);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, paused);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, row_menu);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, window_keys);
  gtk_widget_class_bind_template_callback (widget_class, resume_cb);
  gtk_widget_class_bind_template_callback (widget_class, show_all_cb);
  add_shortcuts (widget_class);
}

static void
fp_list_page_init (FpListPage *self)
{
  self->actions = g_simple_action_group_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  /* On GTK 4.8 it asks for 60 frames a second also where nobody sees it. */
  g_signal_connect (self->spinner, "map", G_CALLBACK (gtk_spinner_start), NULL);
  g_signal_connect (self->spinner, "unmap", G_CALLBACK (gtk_spinner_stop), NULL);
}

GtkWidget *
fp_list_page_new (const FpListPageInfo *info)
{
  FpListPage *self = g_object_new (FP_TYPE_LIST_PAGE, NULL);

  self->info = info;
  self->view = FP_TABLE_VIEW (
      fp_table_view_new (FP_RECORD_PROCESS | FP_RECORD_TOTAL, info->columns, info->n_columns, _ (info->title)));
  gtk_widget_set_hexpand (GTK_WIDGET (self->view), TRUE);
  gtk_box_append (GTK_BOX (self->table_box), GTK_WIDGET (self->view));
  fp_rows_set_opens_matches (get_rows (self), TRUE);
  self->style.icons = fp_row_icons_get_for_display (gtk_widget_get_display (GTK_WIDGET (self)));
  g_signal_connect_object (self->style.icons, "changed", G_CALLBACK (apply), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (apply), NULL);
  add_filters (self);
  add_groupings (self);
  add_actions (self);
  update_actions (self);
  fp_table_view_set_sort (self->view, "pss", TRUE);
  gtk_menu_button_set_create_popup_func (self->order_button, show_order_menu, self, NULL);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "page", G_ACTION_GROUP (self->actions));
  gtk_widget_insert_action_group (GTK_WIDGET (self), "columns", fp_table_columns_get_actions (fp_table_view_get_columns (self->view)));
  g_signal_connect_object (fp_table_view_get_order_pause (self->view), "notify::paused", G_CALLBACK (hold_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "sort-changed", G_CALLBACK (apply), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (fp_table_view_get_table (self->view), "selection-changed",
                           G_CALLBACK (selection_changed_cb), self, G_CONNECT_SWAPPED);
  fp_table_view_set_groups_activate (self->view, info->is_of_all);
  g_signal_connect_object (self->view, "activate-row", G_CALLBACK (activate_row_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "menu-requested", G_CALLBACK (open_menu), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

/* Of another day nothing can be measured or ended, and nothing outside of the sandbox that this process is in can be
 * ended. */
void
fp_list_page_set_abilities (FpListPage *self,
                            gboolean may_measure,
                            gboolean may_signal)
{
  self->may_measure = may_measure;
  self->may_signal = may_signal;
  update_actions (self);
}

/* In place of the processes it says why they can't be read; NULL: they can, or are to be seen all the same. */
void
fp_list_page_explain_sandbox (FpListPage *self,
                              FpSandboxSource *source)
{
  self->explains_sandbox = source != NULL;
  if (source)
    fp_sandbox_page_update (self->sandbox_page, source);
  gtk_widget_set_visible (self->tools, !source);
  gtk_widget_set_visible (self->footer, !source);
  if (self->records)
    choose_page (self);
}

void
fp_list_page_set_narrow (FpListPage *self,
                         gboolean is_narrow)
{
  gtk_widget_set_visible (self->group_label, !is_narrow);
  fp_table_columns_set_narrow (fp_table_view_get_columns (self->view), is_narrow);
}

void
fp_list_page_set_figure_style (FpListPage *self,
                               FpFigureStyle style)
{
  self->style.format.style = style;
  apply (self);
}

GActionGroup *
fp_list_page_get_actions (FpListPage *self)
{
  return G_ACTION_GROUP (self->actions);
}

FpTableView *
fp_list_page_get_view (FpListPage *self)
{
  return self->view;
}

void
fp_list_page_update (FpListPage *self,
                     FpRecords *records)
{
  const FpSnapshot *snapshot = fp_process_records_get_snapshot (records);
  guint64 swap_used = 0;

  g_return_if_fail (FP_IS_LIST_PAGE (self));

  fp_system_get_swap_used (&snapshot->system, &swap_used);
  self->style.swap_used = swap_used;
  self->style.format.memory_total = fp_system_get (&snapshot->system, FP_SYSTEM_MEM_TOTAL);
  self->style.format.swap_total = fp_system_get (&snapshot->system, FP_SYSTEM_SWAP_TOTAL);
  g_clear_pointer (&self->records, fp_records_unref);
  self->records = fp_records_ref (records);
  self->was_whole |= snapshot->info.n_pending == 0;
  fp_rows_set_held (get_rows (self),
                    fp_order_pause_is_paused (fp_table_view_get_order_pause (self->view)) && self->was_whole);
  apply (self);
}

/* Nothing could be read; what was read before stays. */
void
fp_list_page_fail (FpListPage *self,
                   const char *message)
{
  if (self->records)
    return;
  adw_status_page_set_description (self->failed, message);
  gtk_stack_set_visible_child_name (self->stack, "failed");
}

/* What makes no sense yet, as while it is typed, is searched for as a text. */
void
fp_list_page_set_search (FpListPage *self,
                         const char *text)
{
  FpQuery *query = NULL;
  g_autofree char *quoted = NULL;

  if (g_strcmp0 (self->search, text) == 0)
    return;
  g_free (self->search);
  self->search = g_strdup (text);
  if (text && *text && !(query = fp_query_new (text, FP_RECORD_PROCESS, NULL)))
    {
      quoted = g_strdup_printf ("\"%s\"", text);
      query = fp_query_new (quoted, FP_RECORD_PROCESS, NULL);
    }
  fp_rows_set_query (get_rows (self), query);
  apply_choice (self);
}

const FpFormat *
fp_list_page_get_format (FpListPage *self)
{
  return &self->style.format;
}

/* NULL: nothing is selected, or there is nothing yet */
FpRecords *
fp_list_page_get_target (FpListPage *self,
                         guint *index,
                         char **title)
{
  *index = 0;
  *title = NULL;
  if (!self->records)
    return NULL;
  return fp_selection_get_target (fp_table_view_get_table (self->view), self->records, self->style.nobody, index, title);
}

/* Of the target. NULL: it has none */
char *
fp_list_page_describe_members (FpListPage *self)
{
  if (!self->records)
    return NULL;
  return fp_selection_describe_members (fp_table_view_get_table (self->view), self->records, &self->style.format);
}

/* scale: how much larger than in the list */
GdkPaintable *
fp_list_page_find_target_icon (FpListPage *self,
                               int scale)
{
  return fp_selection_find_icon (fp_table_view_get_table (self->view), self->style.icons, self->style.grouping, scale);
}

/* Nothing happens where it is not to be seen. */
void
fp_list_page_select (FpListPage *self,
                     gint pid)
{
  FpTable *table = fp_table_view_get_table (self->view);

  for (guint i = 0; i < fp_rows_get_n (get_rows (self)); i++)
    {
      const FpRow *row = fp_rows_get (get_rows (self), i);

      if (row->kind == FP_ROW_RECORD && fp_process_records_get (self->records, row->index)->pid == pid)
        {
          gtk_selection_model_select_item (GTK_SELECTION_MODEL (table), i, TRUE);
          return;
        }
    }
}

/* The processes on screen and those selected. */
void
fp_list_page_add_attention (FpListPage *self,
                            GArray *ids)
{
  g_autoptr (GArray) indices = g_array_new (FALSE, FALSE, sizeof (guint));

  if (!self->records)
    return;
  fp_table_view_add_visible (self->view, indices);
  if (fp_table_get_n_selected (fp_table_view_get_table (self->view)) <= 16)
    fp_table_add_selected (fp_table_view_get_table (self->view), indices);
  for (guint i = 0; i < indices->len; i++)
    {
      const FpProcess *process = fp_process_records_get (self->records, g_array_index (indices, guint, i));
      FpProcessId id = { process->pid, process->start_ticks };

      g_array_append_val (ids, id);
    }
}
