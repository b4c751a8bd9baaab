// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "fp-drop-down.h"
#include "fp-fact-line.h"
#include "fp-helper-protocol.h"
#include "fp-loading-page.h"
#include "fp-mapping-changes.h"
#include "fp-mapping-columns.h"
#include "fp-mapped-words.h"
#include "fp-mapping-kind.h"
#include "fp-column-sets.h"
#include "fp-mappings-page.h"
#include "fp-page-strip.h"
#include "fp-rows-export.h"
#include "fp-section-list.h"
#include "fp-shrinker.h"
#include "fp-sum.h"
#include "fp-table-view.h"

#define SPINNER_MS    200
#define ASK_US        100000 /* a process is held up for longer only on request */
#define REPEAT_US     10000  /* and by the timer for no longer than this */
#define REPEAT_MS     10000
#define POLITE_PAUSES 50 /* times a reading's duration: at most 2 % of the time is spent reading */

typedef enum
{
  ACCESS_FULL,
  ACCESS_DENIED,
  ACCESS_KERNEL, /* there is nothing to read */
  ACCESS_ENDED,
} Access;

struct _FpMappingsPage
{
  GtkWidget parent;

  /* Template widgets */
  GtkWidget *tools;
  GtkDropDown *fold;
  GtkEditable *search;
  GtkDropDown *set;
  GtkLabel *set_meaning;
  GtkStack *stack;
  AdwStatusPage *status;
  GtkWidget *ask;
  FpLoadingPage *loading;
  GtkWidget *table_box;
  FpPageStrip *pages; /* of the selected mapping */
  FpSectionList *sections;
  GtkLabel *sum;

  FpMappingColumns *columns;
  FpTableView *view;
  GtkWidget *row_menu;
  FpSource *source;
  GSettings *settings;
  GSimpleActionGroup *actions;
  GCancellable *cancellable; /* while the mappings are read */
  FpRecords *records;
  FpRecords *marked;  /* NULL: no mark is set */
  FpRecords *changes; /* since the mark; NULL: no mark is set */
  FpRowStyle style;
  FpProcessId id; /* pid 0: none */
  Access access;
  guint64 cost_us;
  gint64 asked_us, read_us;
  gint64 may_repeat_us;
  guint spinner_source;
  guint repeat_source;
  gboolean is_to_load;
  gboolean is_by_hand; /* the user asked for the last reading */
  gboolean is_to_mark; /* when the mappings have been read again */
};

G_DEFINE_FINAL_TYPE (FpMappingsPage, fp_mappings_page, GTK_TYPE_WIDGET)

static FpRows *
get_rows (FpMappingsPage *self)
{
  return fp_table_get_rows (fp_table_view_get_table (self->view));
}

/* The records that are shown: the mappings or, while a mark is set, their changes since then. */
static FpRecords *
get_shown (FpMappingsPage *self)
{
  return self->changes ? self->changes : self->records;
}

static void
show_status (FpMappingsPage *self,
             const char *title,
             const char *description,
             gboolean may_ask)
{
  adw_status_page_set_title (self->status, title);
  adw_status_page_set_description (self->status, description);
  gtk_widget_set_visible (self->ask, may_ask);
  gtk_widget_set_visible (GTK_WIDGET (self->sum), FALSE);
  gtk_stack_set_visible_child_name (self->stack, "status");
}

static void
show_sum (FpMappingsPage *self)
{
  const FpRecords *total = fp_rows_get_records (get_rows (self), FP_ROW_TOTAL);
  g_autofree char *text = self->changes ? fp_sum_describe_changes (total, &self->style.format)
                                        : fp_sum_describe_mappings (total, &self->style.format);

  fp_fact_line_show (self->sum, text);
  gtk_widget_set_visible (GTK_WIDGET (self->sum), TRUE);
}

static void
apply (FpMappingsPage *self)
{
  guint n;

  if (!self->records)
    return;
  fp_table_view_update (self->view, get_shown (self), &self->style);
  fp_rows_get_matches (get_rows (self), &n);
  if (n == 0)
    {
      show_status (self, _ ("No Mapping Matches"), _ ("Try other words, or other columns."), FALSE);
      return;
    }
  show_sum (self);
  gtk_stack_set_visible_child_name (self->stack, "table");
}

static const FpColumnSet *
get_set (FpMappingsPage *self)
{
  return &fp_mapping_sets[MIN (gtk_drop_down_get_selected (self->set), FP_N_MAPPING_SETS - 1)];
}

/* The last place stands for no grouping, behind those of the table. */
static FpGrouping
get_grouping (FpMappingsPage *self)
{
  FpGrouping grouping = fp_grouping_get_offered (FP_RECORD_MAPPING, gtk_drop_down_get_selected (self->fold));

  return grouping < FP_N_GROUPINGS ? grouping : FP_GROUPING_NOTHING;
}

static void
take_query (FpMappingsPage *self)
{
  /* It is about figures, not by how much they differ. */
  gboolean has_filter = get_grouping (self) == FP_GROUPING_NOTHING && !self->changes;

  fp_rows_set_query (get_rows (self), fp_query_new_within (has_filter ? get_set (self)->filter : NULL,
                                                           gtk_editable_get_text (self->search), FP_RECORD_MAPPING));
}

static void
take_fold (FpMappingsPage *self)
{
  FpGrouping grouping = get_grouping (self);
  gboolean is_tree = grouping != FP_GROUPING_NOTHING;
  const FpColumnSet *set = is_tree ? &fp_column_sets[FP_COLUMN_SET_FOLD_TREE] : get_set (self);

  gtk_widget_set_visible (GTK_WIDGET (self->set), !is_tree);
  gtk_label_set_text (self->set_meaning, _ (get_set (self)->meaning));
  self->style.is_tree = is_tree;
  self->style.grouping = grouping;
  fp_rows_set_grouping (get_rows (self), grouping);
  fp_mapping_columns_take (self->columns, set, is_tree, self->changes != NULL);
  fp_table_view_set_sort (self->view, set->sort, set->descending);
  take_query (self);
}

static void
save (FpMappingsPage *self)
{
  if (!self->settings)
    return;
  g_settings_set_string (self->settings, "mappings-by", fp_grouping_infos[get_grouping (self)].id);
  g_settings_set_enum (self->settings, "mapping-columns", (int)gtk_drop_down_get_selected (self->set));
}

static void
fold_cb (FpMappingsPage *self)
{
  save (self);
  take_fold (self);
  apply (self);
}

static void
set_cb (FpMappingsPage *self)
{
  if (get_grouping (self) == FP_GROUPING_NOTHING)
    fold_cb (self);
}

static void
search_cb (FpMappingsPage *self)
{
  take_query (self);
  apply (self);
}

static void
stop_loading (FpMappingsPage *self)
{
  g_clear_handle_id (&self->spinner_source, g_source_remove);
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->is_to_load = self->is_to_mark = FALSE;
}

static void
cancel_cb (FpMappingsPage *self)
{
  stop_loading (self);
  if (self->records)
    apply (self);
  else
    show_status (self, C_ ("status", "Not Read"), _ ("Reading was cancelled."), TRUE);
}

static void
spinner_cb (gpointer data)
{
  FpMappingsPage *self = data;

  self->spinner_source = 0;
  gtk_stack_set_visible_child_name (self->stack, "loading");
}

static const FpRow *
get_selected_row (FpMappingsPage *self)
{
  g_autoptr (GtkBitset) selected =
      gtk_selection_model_get_selection (GTK_SELECTION_MODEL (fp_table_view_get_table (self->view)));

  return gtk_bitset_get_size (selected) == 1 ? fp_rows_get (get_rows (self), gtk_bitset_get_nth (selected, 0)) : NULL;
}

/* The strip shows a single mapping that still exists, but no group and no change since a mark. */
static void
show_pages (FpMappingsPage *self)
{
  const FpRow *row = get_selected_row (self);
  gboolean is_shown = row && row->kind == FP_ROW_RECORD && self->records && !self->changes;
  FpMapping mapping;

  gtk_widget_set_visible (GTK_WIDGET (self->pages), is_shown);
  if (!is_shown)
    {
      fp_page_strip_clear (self->pages);
      return;
    }
  fp_mapping_records_get_facts (self->records, row->index, &mapping);
  fp_page_strip_load (self->pages, self->source, &self->id, mapping.start, mapping.end,
                      *mapping.name ? mapping.name : _ (fp_mapping_kind_infos[fp_mapping_kind (&mapping)].title));
}

/* Gives the first mapping that is selected, where all of these are of one file. */
static gboolean
find_file (FpMappingsPage *self,
           guint *index)
{
  g_autoptr (GArray) selected = g_array_new (FALSE, FALSE, sizeof (guint));

  /* Changes have an order of their own. */
  if (!self->records || self->changes)
    return FALSE;
  fp_table_add_selected (fp_table_view_get_table (self->view), selected);
  for (guint i = 0; i < selected->len; i++)
    {
      FpMapping first, other;

      fp_mapping_records_get_facts (self->records, g_array_index (selected, guint, 0), &first);
      fp_mapping_records_get_facts (self->records, g_array_index (selected, guint, i), &other);
      if (other.inode == 0 || g_strcmp0 (first.name, other.name) != 0)
        return FALSE;
    }
  *index = selected->len > 0 ? g_array_index (selected, guint, 0) : 0;
  return selected->len > 0;
}

/* Programs and libraries have sections. */
static void
show_sections (FpMappingsPage *self)
{
  FpMapping mapping = { 0 };
  FpMappingKind kind = FP_MAPPING_FILE;
  guint index;

  if (find_file (self, &index))
    {
      fp_mapping_records_get_facts (self->records, index, &mapping);
      kind = fp_mapping_kind (&mapping);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->sections),
                          kind == FP_MAPPING_CODE || kind == FP_MAPPING_CONSTANTS || kind == FP_MAPPING_DATA);
  if (gtk_widget_get_visible (GTK_WIDGET (self->sections)))
    fp_section_list_show (self->sections, self->source, &self->id, &mapping, self->cost_us > ASK_US);
  else
    fp_section_list_clear (self->sections);
}

static void
selection_settled_cb (FpMappingsPage *self)
{
  show_pages (self);
  show_sections (self);
}

static void
take_mappings (FpMappingsPage *self,
               FpMappings *mappings)
{
  g_clear_pointer (&self->records, fp_records_unref);
  g_clear_pointer (&self->changes, fp_records_unref);
  self->records = fp_mapping_records_new (mappings);
  if (self->marked)
    self->changes = fp_mapping_changes_new (self->marked, self->records);
  apply (self);
  /* One whose pages were shown may be gone; and by the clock they are not read. */
  if (self->is_by_hand)
    fp_section_list_clear (self->sections);
  if (self->is_by_hand || !get_selected_row (self))
    selection_settled_cb (self);
}

static void
loaded_cb (GObject *source,
           GAsyncResult *result,
           gpointer data)
{
  g_autoptr (FpMappingsPage) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappings) mappings = fp_source_request_finish (FP_SOURCE (source), FP_REQUEST_MAPPINGS, result, &error);
  gint64 now_us = g_get_monotonic_time ();

  /* Another process was chosen meanwhile. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_handle_id (&self->spinner_source, g_source_remove);
  g_clear_object (&self->cancellable);
  self->may_repeat_us = now_us + (now_us - self->asked_us) * POLITE_PAUSES;
  self->read_us = now_us;
  if (mappings)
    take_mappings (self, mappings);
  else if (!self->records && g_error_matches (error, FP_HELPER_ERROR, FP_HELPER_ERROR_LOCKED))
    show_status (self, _ ("Not Permitted"), _ ("Reading the mappings of other users’ processes takes an administrator’s password."), TRUE);
  else if (!self->records)
    show_status (self, _ ("No Mappings"), error->message, FALSE);
  else
    {
      apply (self);
      fp_fact_line_show (self->sum, error->message);
    }
  if (self->is_to_mark && mappings)
    g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "mark", g_variant_new_boolean (TRUE));
  self->is_to_mark = FALSE;
}

static void
progress_cb (goffset position,
             goffset whole,
             gpointer data)
{
  FpMappingsPage *self = data;

  fp_loading_page_set_progress (self->loading, (guint64)position, (guint64)whole, self->style.format.style);
}

/* may_ask: for a password, as its user wants to see them and not only comes by. */
static void
load (FpMappingsPage *self,
      gboolean may_ask)
{
  const FpSourceRequest request = {
    .kind = FP_REQUEST_MAPPINGS, .id = self->id, .may_ask = may_ask, .progress = progress_cb, .progress_data = self
  };

  stop_loading (self);
  self->is_by_hand = may_ask;
  self->cancellable = g_cancellable_new ();
  self->asked_us = g_get_monotonic_time ();
  self->spinner_source = g_timeout_add_once (SPINNER_MS, spinner_cb, self);
  fp_loading_page_reset (self->loading);
  fp_source_request_async (self->source, &request, self->cancellable, loaded_cb, g_object_ref (self));
}

void
fp_mappings_page_refresh (FpMappingsPage *self)
{
  g_return_if_fail (FP_IS_MAPPINGS_PAGE (self));

  if (self->id.pid && gtk_widget_get_mapped (GTK_WIDGET (self)))
    load (self, TRUE);
}

/* A process that would notice it is held up only when that is asked for. */
static void
load_if_cheap (FpMappingsPage *self)
{
  g_autofree char *text = NULL;

  if (!self->is_to_load || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (self->cost_us <= ASK_US)
    {
      load (self, FALSE);
      return;
    }
  text = g_strdup_printf (_ ("Reading them holds the process up for about %.0f ms."), (double)self->cost_us / 1000);
  show_status (self, _ ("Large Process"), text, TRUE);
}

static void
forget (FpMappingsPage *self)
{
  stop_loading (self);
  fp_page_strip_clear (self->pages);
  fp_section_list_clear (self->sections);
  gtk_widget_set_visible (GTK_WIDGET (self->pages), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->sections), FALSE);
  g_clear_pointer (&self->records, fp_records_unref);
  g_clear_pointer (&self->changes, fp_records_unref);
  if (self->marked)
    g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "mark", g_variant_new_boolean (FALSE));
  self->may_repeat_us = 0;
}

static Access
get_access (const FpProcess *process)
{
  if (process->reason == FP_REASON_KERNEL_THREAD)
    return ACCESS_KERNEL;
  if (!fp_reason_has_memory ((FpReason)process->reason))
    return ACCESS_ENDED;
  return process->reason == FP_REASON_PERMISSION ? ACCESS_DENIED : ACCESS_FULL;
}

static void
choose (FpMappingsPage *self,
        const FpProcess *process)
{
  static const struct
  {
    const char *title;
    const char *description;
  } problems[] = {
    [ACCESS_DENIED] = { N_ ("Not Permitted"),
                        N_ ("Only its user and the administrator may read the mappings of this process.") },
    [ACCESS_KERNEL] = { N_ ("No Mappings"), N_ ("This is part of the kernel, which has no memory of its own.") },
    [ACCESS_ENDED] = { N_ ("No Mappings"), N_ ("It has ended, or has no memory of its own.") },
  };

  forget (self);
  self->id = (FpProcessId){ process->pid, process->start_ticks };
  self->cost_us =
      process->cost_us > 0 ? process->cost_us : fp_predict_cost_us (fp_memory_get (&process->memory, FP_FIELD_RSS));
  self->access = get_access (process);
  self->is_to_load = self->access == ACCESS_FULL;
  if (!self->is_to_load)
    show_status (self, _ (problems[self->access].title), _ (problems[self->access].description),
                 self->access == ACCESS_DENIED);
  load_if_cheap (self);
}

/* In another unit */
static void
restyle (FpMappingsPage *self)
{
  fp_page_strip_set_style (self->pages, self->style.format.style);
  fp_section_list_set_style (self->sections, self->style.format.style);
  apply (self);
}

/* Each refresh calls this. A process is chosen anew only if it is another one, or its access has changed. */
void
fp_mappings_page_show (FpMappingsPage *self,
                       const FpRecords *records,
                       guint index,
                       const FpFormat *format)
{
  const FpProcess *process;
  gboolean is_restyled;

  g_return_if_fail (FP_IS_MAPPINGS_PAGE (self));

  is_restyled = self->style.format.style != format->style;
  self->style.format = *format;
  if (is_restyled)
    restyle (self);
  if (records->class->kind != FP_RECORD_PROCESS)
    {
      if (self->id.pid)
        forget (self);
      self->id = (FpProcessId){ 0, 0 };
      show_status (self, _ ("No Process Selected"), _ ("Select a single process to see what its memory is made of."), FALSE);
      return;
    }
  process = fp_process_records_get (records, index);
  if (!fp_process_is (process, &self->id) || self->access != get_access (process))
    choose (self, process);
}

/* The timer skips processes that a reading holds up for more than REPEAT_US. */
static gboolean
repeat_cb (gpointer data)
{
  FpMappingsPage *self = data;

  if (self->records && !self->cancellable && self->cost_us <= REPEAT_US && g_get_monotonic_time () >= self->may_repeat_us &&
      gtk_widget_get_mapped (GTK_WIDGET (self)))
    load (self, FALSE);
  return G_SOURCE_CONTINUE;
}

static void
repeat_state_cb (GSimpleAction *action,
                 GVariant *state,
                 gpointer data)
{
  FpMappingsPage *self = data;

  g_simple_action_set_state (action, state);
  g_clear_handle_id (&self->repeat_source, g_source_remove);
  if (g_variant_get_boolean (state))
    self->repeat_source = g_timeout_add (REPEAT_MS, repeat_cb, self);
}

static void
mark_state_cb (GSimpleAction *action,
               GVariant *state,
               gpointer data)
{
  FpMappingsPage *self = data;
  gboolean is_to_mark = g_variant_get_boolean (state) && !self->is_to_mark;

  if (g_variant_get_boolean (state) && !self->records)
    return;
  /* The mappings that are shown may have been read long ago. */
  if (g_variant_get_boolean (state) && g_get_monotonic_time () - self->read_us > G_USEC_PER_SEC)
    {
      fp_mappings_page_refresh (self);
      self->is_to_mark = is_to_mark && self->cancellable;
      return;
    }
  g_simple_action_set_state (action, state);
  g_clear_pointer (&self->marked, fp_records_unref);
  g_clear_pointer (&self->changes, fp_records_unref);
  if (g_variant_get_boolean (state))
    {
      self->marked = fp_records_ref (self->records);
      self->changes = fp_mapping_changes_new (self->marked, self->records);
    }
  take_fold (self);
  apply (self);
  selection_settled_cb (self);
}

static void
refresh_cb (GSimpleAction *action,
            GVariant *parameter,
            gpointer data)
{
  fp_mappings_page_refresh (data);
}

static void
copy_cb (GSimpleAction *action,
         GVariant *parameter,
         gpointer data)
{
  FpMappingsPage *self = data;

  if (self->records)
    fp_rows_export_copy (GTK_WIDGET (self), get_shown (self), get_rows (self));
}

static void
export_cb (GSimpleAction *action,
           GVariant *parameter,
           gpointer data)
{
  FpMappingsPage *self = data;
  g_autofree char *name = g_strdup_printf ("mappings-%d.csv", self->id.pid);

  if (self->records)
    fp_rows_export_ask (GTK_WIDGET (self), get_shown (self), get_rows (self), _ ("Export Mappings (.csv, .json or .txt)"), name);
}

/* The one file whose mappings are selected, as a search for it. NULL: there is none; free the text. */
static char *
make_file_search (FpMappingsPage *self)
{
  guint index;

  return find_file (self, &index) ? fp_mapped_words_make_search (self->records, index) : NULL;
}

static void
update_who (FpMappingsPage *self)
{
  g_autofree char *search = make_file_search (self);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), "who")), search != NULL);
}

static void
who_cb (GSimpleAction *action,
        GVariant *parameter,
        gpointer data)
{
  FpMappingsPage *self = data;
  g_autofree char *search = make_file_search (self);

  if (search)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.search-files", "s", search);
}

static void
menu_cb (FpMappingsPage *self,
         guint position,
         const GdkRectangle *where)
{
  update_who (self);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->row_menu), where);
  gtk_popover_popup (GTK_POPOVER (self->row_menu));
}

static void
add_row_menu (FpMappingsPage *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();

  g_menu_append (menu, _ ("_Who Else Maps This"), "mappings.who");
  self->row_menu = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
  gtk_popover_set_has_arrow (GTK_POPOVER (self->row_menu), FALSE);
  gtk_widget_set_halign (self->row_menu, GTK_ALIGN_START);
  gtk_widget_set_parent (self->row_menu, gtk_widget_get_parent (GTK_WIDGET (self->view)));
  g_signal_connect_object (self->view, "menu-requested", G_CALLBACK (menu_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (fp_table_view_get_table (self->view), "selection-settled", G_CALLBACK (update_who), self,
                           G_CONNECT_SWAPPED);
  update_who (self);
}

static void
fp_mappings_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fp_mappings_page_parent_class)->map (widget);
  load_if_cheap (FP_MAPPINGS_PAGE (widget));
}

static void
fp_mappings_page_dispose (GObject *object)
{
  FpMappingsPage *self = FP_MAPPINGS_PAGE (object);
  GtkWidget *child;

  stop_loading (self);
  g_clear_pointer (&self->row_menu, gtk_widget_unparent);
  g_clear_handle_id (&self->repeat_source, g_source_remove);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_pointer (&self->records, fp_records_unref);
  g_clear_pointer (&self->marked, fp_records_unref);
  g_clear_pointer (&self->changes, fp_records_unref);
  g_clear_object (&self->columns);
  g_clear_object (&self->actions);
  g_clear_object (&self->source);
  g_clear_object (&self->settings);

  G_OBJECT_CLASS (fp_mappings_page_parent_class)->dispose (object);
}

static void
fp_mappings_page_class_init (FpMappingsPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_mappings_page_dispose;
  widget_class->map = fp_mappings_page_map;

  g_type_ensure (FP_TYPE_LOADING_PAGE);
  g_type_ensure (FP_TYPE_PAGE_STRIP);
  g_type_ensure (FP_TYPE_SECTION_LIST);
  g_type_ensure (FP_TYPE_SHRINKER);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-mappings-page.ui");
  gtk_widget_class_bind_template_child (widget_class, FpMappingsPage, tools);
  gtk_widget_class_bind_template_child (widget_class, FpMappingsPage, fold);
  gtk_widget_class_bind_template_child (widget_class, FpMappingsPage, search);
  gtk_widget_class_bind_template_child (widget_class, FpMappingsPage, set);
  gtk_widget_class_bind_template_child (widget_class, FpMappingsPage, set_meaning);
  gtk_widget_class_bind_template_child (widget_class, FpMappingsPage, stack);
  gtk_widget_class_bind_template_child (widget_class, FpMappingsPage, status);
  gtk_widget_class_bind_template_child (widget_class, FpMappingsPage, ask);
  gtk_widget_class_bind_template_child (widget_class, FpMappingsPage, loading);
  gtk_widget_class_bind_template_child (widget_class, FpMappingsPage, table_box);
  gtk_widget_class_bind_template_child (widget_class, FpMappingsPage, pages);
  gtk_widget_class_bind_template_child (widget_class, FpMappingsPage, sections);
  gtk_widget_class_bind_template_child (widget_class, FpMappingsPage, sum);
  gtk_widget_class_bind_template_callback (widget_class, fold_cb);
  gtk_widget_class_bind_template_callback (widget_class, set_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_cb);
  gtk_widget_class_bind_template_callback (widget_class, cancel_cb);
  gtk_widget_class_bind_template_callback (widget_class, fp_mappings_page_refresh);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_m, GDK_CONTROL_MASK, "mappings.mark", NULL);
}

static void
add_actions (FpMappingsPage *self)
{
  static const GActionEntry entries[] = {
    { "refresh", refresh_cb, NULL, NULL, NULL, { 0 } },
    { "repeat", NULL, NULL, "false", repeat_state_cb, { 0 } },
    { "mark", NULL, NULL, "false", mark_state_cb, { 0 } },
    { "copy", copy_cb, NULL, NULL, NULL, { 0 } },
    { "export", export_cb, NULL, NULL, NULL, { 0 } },
    { "who", who_cb, NULL, NULL, NULL, { 0 } },
  };

  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "mappings", G_ACTION_GROUP (self->actions));
}

static void
add_choices (FpMappingsPage *self)
{
  g_autoptr (GtkStringList) groupings = gtk_string_list_new (NULL), sets = gtk_string_list_new (NULL);
  FpGrouping grouping;

  for (guint i = 0; (grouping = fp_grouping_get_offered (FP_RECORD_MAPPING, i)) < FP_N_GROUPINGS; i++)
    gtk_string_list_append (groupings, g_dpgettext2 (NULL, "group by", fp_grouping_infos[grouping].title));
  gtk_string_list_append (groupings, _ ("All mappings"));
  for (guint i = 0; i < FP_N_MAPPING_SETS; i++)
    gtk_string_list_append (sets, g_dpgettext2 (NULL, "columns", fp_mapping_sets[i].title));
  gtk_drop_down_set_model (self->fold, G_LIST_MODEL (groupings));
  gtk_drop_down_set_model (self->set, G_LIST_MODEL (sets));
  fp_drop_down_set_name (self->fold, _ ("Group By"));
  /* Translators: which columns a list shows */
  fp_drop_down_set_name (self->set, _ ("Columns"));
}

static void
fp_mappings_page_init (FpMappingsPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->style.nobody = "";
  self->columns = fp_mapping_columns_new ();
  self->view = fp_mapping_columns_get_view (self->columns);
  fp_rows_set_has_total (get_rows (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self->view), TRUE);
  gtk_box_append (GTK_BOX (self->table_box), GTK_WIDGET (self->view));
  g_signal_connect_object (self->view, "sort-changed", G_CALLBACK (apply), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (fp_table_view_get_table (self->view), "selection-settled", G_CALLBACK (selection_settled_cb), self,
                           G_CONNECT_SWAPPED);
  add_choices (self);
  add_actions (self);
  add_row_menu (self);
  take_fold (self);
}

void
fp_mappings_page_set_settings (FpMappingsPage *self,
                               GSettings *settings)
{
  g_autofree char *id = g_settings_get_string (settings, "mappings-by");
  FpGrouping grouping;
  guint place = 0;

  g_return_if_fail (FP_IS_MAPPINGS_PAGE (self));

  while ((grouping = fp_grouping_get_offered (FP_RECORD_MAPPING, place)) < FP_N_GROUPINGS &&
         !g_str_equal (fp_grouping_infos[grouping].id, id))
    place++;
  /* The last place is that of no grouping; other versions may know other words. */
  if (grouping == FP_N_GROUPINGS && !g_str_equal (id, fp_grouping_infos[FP_GROUPING_NOTHING].id))
    place = 0;
  gtk_drop_down_set_selected (self->fold, place);
  gtk_drop_down_set_selected (self->set, (guint)g_settings_get_enum (settings, "mapping-columns"));
  self->settings = g_object_ref (settings);
}

void
fp_mappings_page_set_source (FpMappingsPage *self,
                             FpSource *source)
{
  g_return_if_fail (FP_IS_MAPPINGS_PAGE (self));

  g_set_object (&self->source, source);
}
