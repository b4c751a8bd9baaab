// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "fp-comparison.h"
#include "fp-fact-line.h"
#include "fp-list-columns.h"
#include "fp-list-export.h"
#include "fp-list-page.h"
#include "fp-list-print.h"
#include "fp-list-tools.h"
#include "fp-moment.h"
#include "fp-paused-bar.h"
#include "fp-sandbox-page.h"
#include "fp-selection.h"
#include "fp-sum.h"

#define ICON_SCALE 2 /* of the icon in the details, relative to that in the list */

static const char *const choice_actions[FP_N_LIST_CHOICES] = { "filter", "group-by" };

struct _FpListPage
{
  FpView parent;

  /* Template widgets */
  GtkStack *stack;
  GtkSpinner *spinner;
  GtkWidget *table_box;
  GtkLabel *note;
  AdwStatusPage *no_match;
  AdwStatusPage *nothing;
  FpSandboxPage *sandbox_page;
  AdwStatusPage *failed;
  GtkWidget *footer;
  GtkLabel *sum;
  FpPausedBar *paused;
  GtkShortcutController *window_keys;

  /* Owned */
  FpRecords *records;
  GSimpleActionGroup *actions;
  FpRowActions *row_actions;
  FpEndingLoader *ending; /* of the selected processes */
  char *search;           /* that the rows have passed */
  char *search_problem;   /* why the search is taken as plain text; NULL: it is a query */
  guint search_needs;     /* bits of FpNeed */

  FpListTools *tools;
  FpListColumns columns;
  GtkWidget *bar; /* (nullable): of the content */
  FpTableView *view;
  const FpListPageInfo *info;
  FpRowStyle style;
  gboolean was_whole; /* one snapshot had no pending processes */
  gboolean is_applying;
  guint resume_source;
  gboolean follows;    /* scrolls to the selected row with each refresh until was_whole */
  gboolean is_to_open; /* the next refresh expands the group if it is the only one */
};

G_DEFINE_FINAL_TYPE (FpListPage, fp_list_page, FP_TYPE_VIEW)

static const FpSessionState *
get_state (FpListPage *self)
{
  return fp_session_get (fp_view_get_session (FP_VIEW (self)));
}

static FpRows *
get_rows (FpListPage *self)
{
  return fp_table_get_rows (fp_table_view_get_table (self->view));
}

static char *
describe_ending (FpListPage *self)
{
  return self->ending ? fp_ending_loader_describe (self->ending, &self->style.format) : NULL;
}

static void
show_sum (FpListPage *self)
{
  FpTable *table = fp_table_view_get_table (self->view);
  g_autoptr (GArray) selected = g_array_new (FALSE, FALSE, sizeof (guint)), parts = g_array_new (FALSE, FALSE, sizeof (guint));
  gboolean has_all = !(self->search && *self->search) && fp_list_tools_shows_all (self->tools);
  g_autofree char *text = NULL;

  fp_table_add_selected (table, selected);
  fp_table_add_selected_parts (table, parts);
  if (self->ending)
    fp_ending_loader_set_target (self->ending, self->records, (const guint *)selected->data, selected->len);
  if (selected->len + parts->len > 0)
    {
      g_autofree char *ending = describe_ending (self);

      text = fp_list_content_describe_selected (self->info->content, get_rows (self), selected, parts, ending, &self->style.format);
    }
  else if (fp_list_tools_shows_ended (self->tools))
    text = fp_ended_describe (get_state (self)->ended, get_rows (self), get_state (self)->begun_us);
  else if (has_all && self->info->describe_all)
    text = self->info->describe_all (get_state (self));
  if (!text)
    text = fp_list_content_describe_matches (self->info->content, self->records, get_rows (self), &self->style.format);
  /* The footer keeps room for the line that is read later, so that the list does not move then. */
  gtk_label_set_lines (self->sum, selected->len + parts->len > 0 ? 2 : 5);
  fp_fact_line_show (self->sum, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->sum), text);
}

static void
show_no_match (FpListPage *self)
{
  g_autofree char *words = self->search_problem
                               ? g_strdup_printf (g_str_has_suffix (self->search_problem, "?") ? "%s" : _ ("%s."), self->search_problem)
                               /* Translators: what was searched for, and a sentence with advice */
                               : g_strdup_printf (_ ("Nothing was found for “%s”. %s"), self->search, fp_list_tools_get_no_match_hint (self->tools));
  g_autofree char *escaped = g_markup_escape_text (words, -1);

  adw_status_page_set_description (self->no_match, escaped);
  gtk_stack_set_visible_child_name (self->stack, "no-match");
}

static void
update_paused (FpListPage *self)
{
  /* Saved figures never change, so no pause is shown. */
  fp_paused_bar_update (self->paused, g_str_equal (gtk_stack_get_visible_child_name (self->stack), "table") && get_state (self)->is_live);
}

static void
choose_page (FpListPage *self)
{
  const FpListContent *content = self->info->content;
  g_autofree char *reason = NULL;
  guint n;

  if (fp_read_access_get_explained (get_state (self)->access))
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
      show_no_match (self);
      return;
    }
  if (fp_list_tools_shows_ended (self->tools))
    reason = g_strdup (_ ("No process has ended since this window was opened."));
  else
    reason = content->explain_nothing ? content->explain_nothing (get_state (self)) : NULL;
  adw_status_page_set_description (self->nothing, reason ? reason : _ (content->nothing_hint));
  gtk_stack_set_visible_child_name (self->stack, "nothing");
}

/* A tree that hangs on one process is open there: else nothing would be seen of it. */
static void
open_only_group (FpListPage *self)
{
  self->is_to_open = FALSE;
  if (fp_rows_get_n (get_rows (self)) != 1 || fp_rows_get (get_rows (self), 0)->kind != FP_ROW_GROUP)
    return;
  fp_table_set_expanded (fp_table_view_get_table (self->view), 0, TRUE);
  fp_table_view_update (self->view, self->records, &self->style);
}

static void
apply (FpListPage *self)
{
  if (!self->records)
    return;
  self->is_applying = TRUE;
  fp_rows_set_control_groups (get_rows (self), get_state (self)->groups);
  fp_rows_set_history (get_rows (self), get_state (self)->total_history);
  fp_rows_set_ended (get_rows (self), fp_list_tools_shows_ended (self->tools) ? fp_ended_get_records (get_state (self)->ended) : NULL);
  fp_table_view_update (self->view, self->records, &self->style);
  if (self->is_to_open)
    open_only_group (self);
  self->is_applying = FALSE;
  choose_page (self);
  update_paused (self);
  show_sum (self);
}

static gboolean
resumed_cb (gpointer data)
{
  FpListPage *self = data;

  self->resume_source = 0;
  fp_view_refresh (FP_VIEW (self));
  return G_SOURCE_REMOVE;
}

/* A list that gets short scrolls to its top while its rows get their places, when no others may come. */
static void
hold_cb (FpListPage *self)
{
  gboolean is_paused = fp_order_pause_is_paused (fp_table_view_get_order_pause (self->view));

  /* The first picture fills in the order of size: nobody has read it yet. */
  fp_rows_set_held (get_rows (self), is_paused && self->was_whole);
  update_paused (self);
  if (!is_paused && fp_rows_is_order_held (get_rows (self)) && self->resume_source == 0)
    self->resume_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, resumed_cb, self, NULL);
}

static void
show_all_cb (FpListPage *self)
{
  fp_list_tools_show_all (self->tools);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.clear-search", NULL);
}

static void
take_choice (FpListPage *self)
{
  FpGrouping grouping = fp_list_tools_get_grouping (self->tools);

  self->style.is_tree = grouping == FP_GROUPING_PARENT || fp_grouping_infos[grouping].columns[0];
  self->style.grouping = grouping;
  self->style.nobody = _ (fp_grouping_infos[grouping].nobody);
  self->is_to_open = grouping == FP_GROUPING_PARENT && self->info->content->can_end;
  fp_view_refresh (FP_VIEW (self));
}

/* The keys work wherever in the window the focus is. */
static void
add_grouping_keys (FpListPage *self)
{
  for (guint i = 0; i < FP_N_GROUPINGS; i++)
    {
      GtkShortcut *shortcut;

      if (!fp_grouping_infos[i].key)
        continue;
      shortcut = gtk_shortcut_new (gtk_keyval_trigger_new ((guint)fp_grouping_infos[i].key, GDK_CONTROL_MASK),
                                   gtk_named_action_new ("page.group-by"));
      gtk_shortcut_set_arguments (shortcut, g_variant_new_string (fp_grouping_infos[i].id));
      gtk_shortcut_controller_add_shortcut (self->window_keys, shortcut);
    }
}

static void
activate_row_cb (FpListPage *self,
                 guint position)
{
  g_autofree char *search = NULL;
  gint pid = fp_selection_find_process (get_rows (self), position, get_state (self)->records);

  if (pid)
    {
      gtk_widget_activate_action (GTK_WIDGET (self), "win.show-process", "i", pid);
      return;
    }
  if (fp_rows_get (get_rows (self), position)->kind != FP_ROW_GROUP || !self->info->content->can_end)
    {
      g_action_group_activate_action (G_ACTION_GROUP (self->actions), "details", NULL);
      return;
    }
  search = fp_selection_make_search (get_rows (self), self->info->grouping, position);
  if (*search)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.search-for", "s", search);
}

/* A choice that is applied row by row is summed up once, at its end. */
static void
selection_settled_cb (FpListPage *self)
{
  if (self->is_applying)
    return;
  show_sum (self);
  g_signal_emit_by_name (self, "target-changed");
}

static void
ending_changed_cb (FpListPage *self)
{
  if (!self->records)
    return;
  show_sum (self);
  g_signal_emit_by_name (self, "target-changed");
}

static void
export_cb (GSimpleAction *action,
           GVariant *parameter,
           gpointer data)
{
  FpListPage *self = data;
  g_autofree char *name = g_strconcat (fp_view_get_info (FP_VIEW (self))->id, ".csv", NULL);

  fp_list_export_ask (self->view, &self->style, name);
}

static void
print_cb (GSimpleAction *action,
          GVariant *parameter,
          gpointer data)
{
  FpListPage *self = data;
  g_autofree char *title = NULL;

  if (!self->records)
    return;
  title = fp_moment_describe_file (g_dpgettext2 (NULL, "view", fp_view_get_info (FP_VIEW (self))->title), get_state (self)->snapshot->info.realtime_us);
  fp_list_print_run (fp_list_print_new (self->view, &self->style, title), GTK_WIDGET (self->view));
}

static void
fp_list_page_dispose (GObject *object)
{
  FpListPage *self = FP_LIST_PAGE (object);

  fp_view_set_shown (FP_VIEW (self), FALSE);
  g_clear_handle_id (&self->resume_source, g_source_remove);
  g_clear_object (&self->row_actions);
  if (self->ending)
    g_object_run_dispose (G_OBJECT (self->ending));
  g_clear_object (&self->ending);
  /* The list can go later than what it tells here. */
  if (self->view)
    {
      g_signal_handlers_disconnect_by_data (fp_table_view_get_order_pause (self->view), self);
      g_signal_handlers_disconnect_by_data (fp_table_view_get_table (self->view), self);
      self->view = NULL;
    }
  if (self->tools)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->tools)));
  g_clear_pointer (&self->bar, gtk_widget_unparent);
  if (self->stack)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->stack)));
  g_clear_pointer (&self->footer, gtk_widget_unparent);
  if (self->note)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->note)));
  g_clear_pointer (&self->records, fp_records_unref);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (fp_list_page_parent_class)->dispose (object);
}

static void
fp_list_page_finalize (GObject *object)
{
  g_free (FP_LIST_PAGE (object)->search);
  g_free (FP_LIST_PAGE (object)->search_problem);
  fp_list_columns_clear (&FP_LIST_PAGE (object)->columns);

  G_OBJECT_CLASS (fp_list_page_parent_class)->finalize (object);
}

static void
set_texts (FpListPage *self)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->spinner), GTK_ACCESSIBLE_PROPERTY_LABEL, _ (self->info->content->reading), -1);
  adw_status_page_set_title (self->no_match, _ (self->info->content->no_match));
  adw_status_page_set_title (self->nothing, _ (self->info->content->nothing));
  adw_status_page_set_icon_name (self->nothing, fp_view_get_info (FP_VIEW (self))->icon);
}

static void
fp_list_page_set_up (FpView *view)
{
  FpListPage *self = FP_LIST_PAGE (view);
  const FpListPageInfo *info = fp_view_get_info (view)->kind;

  self->info = info;
  self->view = FP_TABLE_VIEW (fp_table_view_new (info->layout, g_dpgettext2 (NULL, "view", fp_view_get_info (view)->title)));
  gtk_widget_set_hexpand (GTK_WIDGET (self->view), TRUE);
  gtk_box_append (GTK_BOX (self->table_box), GTK_WIDGET (self->view));
  fp_paused_bar_set_view (self->paused, self->view);
  fp_rows_set_opens_matches (get_rows (self), TRUE);
  if (info->content->has_icons)
    {
      self->style.icons = fp_row_icons_get_for_display (gtk_widget_get_display (GTK_WIDGET (self)));
      g_signal_connect_object (self->style.icons, "changed", G_CALLBACK (fp_view_refresh), self, G_CONNECT_SWAPPED);
    }
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (fp_view_refresh), NULL);
  if (info->content->can_end)
    {
      self->ending = fp_ending_loader_new (get_state (self)->source);
      g_signal_connect_object (self->ending, "changed", G_CALLBACK (ending_changed_cb), self, G_CONNECT_SWAPPED);
    }
  set_texts (self);
  fp_list_columns_init (&self->columns, info->content, fp_table_view_get_columns (self->view));
  self->row_actions = fp_row_actions_new (self->view, G_ACTION_MAP (self->actions), fp_view_get_session (view),
                                          info->content, self->ending);
  self->tools = FP_LIST_TOOLS (fp_list_tools_new (info, self->view, G_ACTION_MAP (self->actions)));
  gtk_widget_insert_before (GTK_WIDGET (self->tools), GTK_WIDGET (self), GTK_WIDGET (self->note));
  if (info->content->make_bar)
    {
      self->bar = info->content->make_bar (fp_view_get_session (view));
      gtk_widget_insert_before (self->bar, GTK_WIDGET (self), GTK_WIDGET (self->note));
    }
  g_signal_connect_object (self->tools, "changed", G_CALLBACK (take_choice), self, G_CONNECT_SWAPPED);
  take_choice (self);
  if (info->may_regroup)
    add_grouping_keys (self);
  fp_table_view_set_sort (self->view, info->layout->sort, TRUE);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "page", G_ACTION_GROUP (self->actions));
  fp_list_columns_update (&self->columns, get_state (self), NULL, FALSE);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "columns", fp_table_columns_get_actions (fp_table_view_get_columns (self->view)));
  g_signal_connect_object (fp_table_view_get_order_pause (self->view), "notify::paused", G_CALLBACK (hold_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "sort-changed", G_CALLBACK (apply), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (fp_table_view_get_columns (self->view), "needs-changed", G_CALLBACK (fp_view_update_needs), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (fp_table_view_get_table (self->view), "selection-settled",
                           G_CALLBACK (selection_settled_cb), self, G_CONNECT_SWAPPED);
  fp_table_view_set_groups_activate (self->view, info->groups_activate);
  g_signal_connect_object (self->view, "activate-row", G_CALLBACK (activate_row_cb), self, G_CONNECT_SWAPPED);
}

static void
fp_list_page_focus (FpView *view)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (FP_LIST_PAGE (view)->view)))
    gtk_widget_grab_focus (GTK_WIDGET (FP_LIST_PAGE (view)->view));
}

static void
fp_list_page_set_narrow (FpView *view,
                         gboolean is_narrow)
{
  FpListPage *self = FP_LIST_PAGE (view);

  fp_list_tools_set_narrow (self->tools, is_narrow);
  fp_paused_bar_set_narrow (self->paused, is_narrow);
  fp_table_columns_set_narrow (fp_table_view_get_columns (self->view), is_narrow);
  adw_status_page_set_icon_name (self->no_match, is_narrow ? NULL : "edit-find-symbolic");
}

/* Rows change places until all are measured. */
static void
reveal_selected (FpListPage *self)
{
  g_autoptr (GtkBitset) selected =
      gtk_selection_model_get_selection (GTK_SELECTION_MODEL (fp_table_view_get_table (self->view)));

  if (gtk_bitset_get_size (selected) == 1)
    fp_table_scroll_reveal (fp_table_view_get_scroll (self->view), fp_rows_get (get_rows (self), gtk_bitset_get_minimum (selected))->key);
  self->follows = !self->was_whole;
}

static FpRecordKind
get_query_kind (FpListPage *self)
{
  return (FpRecordKind)(self->info->content->kind | (get_state (self)->before ? (guint)FP_RECORD_COMPARED : 0));
}

/* A query that makes no sense yet, because it is being typed, is searched for as a text. */
static void
update_search (FpListPage *self)
{
  const char *text = fp_view_get_search (FP_VIEW (self));
  FpQuery *query = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *quoted = NULL;

  if (g_strcmp0 (self->search, text) == 0)
    return;
  g_free (self->search);
  self->search = g_strdup (text);
  g_clear_pointer (&self->search_problem, g_free);
  if (text && *text && !(query = fp_query_new (text, get_query_kind (self), &error)))
    {
      self->search_problem = g_strdup (error->message);
      quoted = g_strdup_printf ("\"%s\"", text);
      query = fp_query_new (quoted, get_query_kind (self), NULL);
    }
  self->search_needs = query ? fp_query_get_needs (query) : 0;
  fp_rows_set_query (get_rows (self), query);
}

/* In place of the processes, the page can explain why those outside of a sandbox can't be read. */
static void
update_access (FpListPage *self)
{
  FpSource *explained = fp_read_access_get_explained (get_state (self)->access);

  if (explained)
    fp_sandbox_page_update (self->sandbox_page, explained);
  gtk_widget_set_visible (GTK_WIDGET (self->tools), !explained);
  if (self->bar)
    gtk_widget_set_visible (self->bar, !explained);
  gtk_widget_set_visible (self->footer, !explained);
}

static void
take_records (FpListPage *self,
              FpRecords *records)
{
  const FpSnapshot *snapshot = get_state (self)->snapshot;

  self->style.swap_used = 0;
  fp_system_get_swap_used (&snapshot->system, &self->style.swap_used);
  g_clear_pointer (&self->records, fp_records_unref);
  self->records = fp_records_ref (records);
  self->was_whole |= snapshot->info.n_pending == 0;
}

/* Where nothing could be read, the records that were read before stay. */
static void
fp_list_page_refresh (FpView *view)
{
  FpListPage *self = FP_LIST_PAGE (view);
  FpRecords *records = self->info->content->get_records (get_state (self));
  const char *problem = self->info->content->get_problem (get_state (self));
  gboolean is_new = records != self->records;

  update_search (self);
  update_access (self);
  self->style.format = get_state (self)->format;
  if (!records)
    {
      adw_status_page_set_title (self->failed, fp_list_content_describe_failure (self->info->content, get_state (self), &problem));
      adw_status_page_set_description (self->failed, problem);
      gtk_stack_set_visible_child_name (self->stack, problem ? "failed" : "reading");
      return;
    }
  fp_list_content_show_note (self->info->content, get_state (self), self->note);
  fp_list_tools_set_marked (self->tools, get_state (self)->mark != NULL);
  fp_list_tools_set_compared (self->tools, fp_records_are_compared (records));
  fp_list_columns_update (&self->columns, get_state (self), records, fp_list_tools_shows_ended (self->tools));
  if (is_new)
    take_records (self, records);
  fp_rows_set_held (get_rows (self), fp_order_pause_is_paused (fp_table_view_get_order_pause (self->view)) && self->was_whole);
  apply (self);
  if (is_new && self->follows)
    reveal_selected (self);
}

static gboolean
fp_list_page_is_ready (FpView *view)
{
  FpListPage *self = FP_LIST_PAGE (view);
  const FpListContent *content = self->info->content;
  const FpSessionState *state = get_state (self);

  return (self->records || content->get_problem (state)) && !(content->is_reading && content->is_reading (state));
}

static void
fp_list_page_read_again (FpView *view)
{
  FpListPage *self = FP_LIST_PAGE (view);

  if (self->info->content->read)
    self->info->content->read (get_state (self));
}

static void
fp_list_page_show_all (FpView *view)
{
  fp_list_tools_show_all (FP_LIST_PAGE (view)->tools);
}

static void
fp_list_page_show_target (FpView *view,
                          FpDetailPane *pane)
{
  FpListPage *self = FP_LIST_PAGE (view);
  FpTable *table = fp_table_view_get_table (self->view);
  int scale = ICON_SCALE * gtk_widget_get_scale_factor (GTK_WIDGET (self));
  g_autofree char *members = NULL, *title = NULL, *ending = NULL;
  g_autoptr (FpRecords) records = NULL;
  guint index;

  if (self->records)
    records = fp_selection_get_target (table, self->records, get_state (self)->records, self->style.nobody, &index, &title);
  if (!records)
    {
      FP_VIEW_CLASS (fp_list_page_parent_class)->show_target (view, pane);
      return;
    }
  members = fp_selection_describe_members (table, self->records, &self->style.format);
  ending = describe_ending (self);
  fp_detail_pane_show (pane, &(FpDetailTarget){
                                 records, index, title, members, ending,
                                 fp_selection_find_icon (table, self->style.icons, self->style.grouping, scale) });
}

static gboolean
select_record (FpListPage *self,
               guint index)
{
  gboolean has_opened;

  if (!fp_selection_select_record (fp_table_view_get_table (self->view), index, &has_opened))
    return FALSE;
  if (has_opened)
    apply (self);
  reveal_selected (self);
  return TRUE;
}

static gboolean
fp_list_page_select (FpView *view,
                     gint pid,
                     gboolean may_show_all)
{
  FpListPage *self = FP_LIST_PAGE (view);
  gboolean has_processes = self->records && self->records->class->kind == FP_RECORD_PROCESS;
  const FpSnapshot *snapshot = has_processes ? fp_process_records_get_snapshot (self->records) : NULL;
  const FpProcess *process = snapshot ? fp_snapshot_find (snapshot, pid) : NULL;
  guint index;

  if (!process)
    return FALSE;
  index = (guint)(process - snapshot->processes);
  if (select_record (self, index))
    return TRUE;
  if (!may_show_all)
    return FALSE;
  fp_list_tools_show_record (self->tools, self->records, index);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.clear-search", NULL);
  return select_record (self, index);
}

static void
fp_list_page_add_attention (FpView *view,
                            GArray *ids)
{
  FpListPage *self = FP_LIST_PAGE (view);
  g_autoptr (GArray) indices = g_array_new (FALSE, FALSE, sizeof (guint));

  if (!self->records || self->records->class->kind != FP_RECORD_PROCESS)
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

static FpTableColumns *
fp_list_page_get_columns (FpView *view)
{
  return fp_table_view_get_columns (FP_LIST_PAGE (view)->view);
}

/* Its key in the settings. Free the text. */
static char *
make_key (FpView *view,
          const char *name)
{
  return g_strdup_printf ("%s-%s", fp_view_get_info (view)->settings, name);
}

/* The kernel's groups count for users, in columns and in the details. Reading them takes about a millisecond. */
static guint
fp_list_page_get_needs (FpView *view)
{
  FpListPage *self = FP_LIST_PAGE (view);
  gboolean has_users = fp_grouping_get_subject (self->style.grouping, 0) == FP_SUBJECT_USER;

  return fp_table_columns_get_needs (fp_table_view_get_columns (self->view)) | self->search_needs |
         (has_users ? FP_NEED_CONTROL_GROUPS : 0);
}

static void
fp_list_page_save (FpView *view,
                   GSettings *settings)
{
  FpListPage *self = FP_LIST_PAGE (view);
  g_autofree char *columns_key = make_key (view, "columns"), *sort_key = make_key (view, "sort");
  gboolean descending;
  const FpColumn *sort = fp_list_tools_get_sort (self->tools, &descending);

  g_settings_set_value (settings, columns_key, fp_table_columns_to_variant (fp_table_view_get_columns (self->view)));
  if (sort)
    g_settings_set (settings, sort_key, "(sb)", sort->id, descending);
  for (FpListChoice i = 0; i < FP_N_LIST_CHOICES; i++)
    if (self->info->choice_keys[i])
      {
        g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (self->actions), choice_actions[i]);

        g_settings_set_value (settings, self->info->choice_keys[i], state);
      }
}

static void
fp_list_page_restore (FpView *view,
                      GSettings *settings)
{
  FpListPage *self = FP_LIST_PAGE (view);
  g_autofree char *columns_key = make_key (view, "columns"), *sort_key = make_key (view, "sort"), *sort = NULL;
  g_autoptr (GVariant) columns = g_settings_get_value (settings, columns_key);
  gboolean descending;

  fp_table_columns_take_variant (fp_table_view_get_columns (self->view), columns);
  g_settings_get (settings, sort_key, "(sb)", &sort, &descending);
  fp_table_view_set_sort (self->view, sort, descending);
  for (FpListChoice i = 0; i < FP_N_LIST_CHOICES; i++)
    if (self->info->choice_keys[i])
      {
        g_autoptr (GVariant) value = g_settings_get_value (settings, self->info->choice_keys[i]);

        g_action_group_change_action_state (G_ACTION_GROUP (self->actions), choice_actions[i], value);
      }
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
    { GDK_KEY_Escape, 0, "page.unselect" },
    { GDK_KEY_Delete, 0, "page.end" },
    { GDK_KEY_KP_Delete, 0, "page.end" },
    { GDK_KEY_Delete, GDK_SHIFT_MASK, "page.kill" },
    { GDK_KEY_KP_Delete, GDK_SHIFT_MASK, "page.kill" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    gtk_widget_class_add_binding_action (widget_class, shortcuts[i].key, shortcuts[i].modifiers, shortcuts[i].action,
                                         NULL);
}

static void
fp_list_page_class_init (FpListPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);
  FpViewClass *view_class = FP_VIEW_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_list_page_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_list_page_finalize;
  view_class->set_up = fp_list_page_set_up;
  view_class->refresh = fp_list_page_refresh;
  view_class->is_ready = fp_list_page_is_ready;
  view_class->focus = fp_list_page_focus;
  view_class->read_again = fp_list_page_read_again;
  view_class->show_target = fp_list_page_show_target;
  view_class->select = fp_list_page_select;
  view_class->show_all = fp_list_page_show_all;
  view_class->add_attention = fp_list_page_add_attention;
  view_class->set_narrow = fp_list_page_set_narrow;
  view_class->get_columns = fp_list_page_get_columns;
  view_class->get_needs = fp_list_page_get_needs;
  view_class->save = fp_list_page_save;
  view_class->restore = fp_list_page_restore;

  g_type_ensure (FP_TYPE_PAUSED_BAR);
  g_type_ensure (FP_TYPE_SANDBOX_PAGE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-list-page.ui");
  gtk_widget_class_bind_template_child (widget_class, FpListPage, stack);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, spinner);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, table_box);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, note);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, no_match);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, nothing);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, sandbox_page);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, failed);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, footer);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, sum);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, paused);
  gtk_widget_class_bind_template_child (widget_class, FpListPage, window_keys);
  gtk_widget_class_bind_template_callback (widget_class, select_record);
  gtk_widget_class_bind_template_callback (widget_class, show_all_cb);
  add_shortcuts (widget_class);
}

static void
fp_list_page_init (FpListPage *self)
{
  static const GActionEntry entries[] = {
    { "export", export_cb, NULL, NULL, NULL, { 0 } },
    { "print", print_cb, NULL, NULL, NULL, { 0 } },
  };

  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_init_template (GTK_WIDGET (self));
  /* On GTK 4.8 it asks for 60 frames a second also where nobody sees it. */
  g_signal_connect (self->spinner, "map", G_CALLBACK (gtk_spinner_start), NULL);
  g_signal_connect (self->spinner, "unmap", G_CALLBACK (gtk_spinner_stop), NULL);
}
