// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#include "fp-heap-table.h"
#include "fp-rows-export.h"

struct _FpHeapTable
{
  GtkWidget parent;

  GtkStack *stack;
  AdwStatusPage *nothing;
  FpTableView *view;
  FpTableLayoutId layout;
  FpRecordKind kind;
  FpRecords *records; /* (nullable): of this kind */
  FpRowStyle style;
  char *search;
  FpHeapCost cost;
  guint known; /* a bit for each cost */
  gboolean is_compared;
  gboolean is_narrow;
  gboolean is_opened; /* the steps that matter most are shown */
};

G_DEFINE_FINAL_TYPE (FpHeapTable, fp_heap_table, GTK_TYPE_WIDGET)

static FpRows *
get_rows (FpHeapTable *self)
{
  return fp_table_get_rows (fp_table_view_get_table (self->view));
}

/* A search for columns asks for more than a name. */
static void
describe_nothing (FpHeapTable *self)
{
  g_autofree char *title = NULL;
  gboolean is_searching = self->search && *self->search;

  if (!is_searching)
    title = g_strdup (self->is_compared ? _ ("Nothing Has Changed") : _ ("Nothing Was Allocated"));
  else if (strpbrk (self->search, "<>=:"))
    title = g_strdup (_ ("Nothing Found"));
  else if (self->kind != FP_RECORD_HEAP_LIBRARY)
    title = g_strdup_printf (_ ("No Function Matches “%s”"), self->search);
  else
    title = g_strdup_printf (_ ("No library matches “%s”"), self->search);
  adw_status_page_set_title (self->nothing, title);
  adw_status_page_set_description (self->nothing, is_searching ? _ ("Try other words, another figure or another moment.") : NULL);
}

/* A list without rows is not to be shown. */
static void
apply (FpHeapTable *self)
{
  if (!self->records)
    return;
  fp_table_view_update (self->view, self->records, &self->style);
  describe_nothing (self);
  gtk_stack_set_visible_child_name (self->stack, fp_rows_get_n (get_rows (self)) > 0 ? "table" : "nothing");
}

/* Two moments are shown as both and the way from one to the other, for which a narrow window has no room. */
static gboolean
is_lacking_in_comparison (FpHeapTable *self,
                          FpHeapCost cost,
                          FpHeapFigure figure)
{
  if (cost != self->cost)
    return TRUE;
  if (self->is_narrow || self->layout == FP_TABLE_HEAP_NEIGHBOURS)
    return figure != FP_HEAP_CHANGE && (self->is_narrow || figure != FP_HEAP_OWN);
  return figure == FP_HEAP_WITH_CALLEES || (figure == FP_HEAP_CHANGE_WITH_CALLEES && self->style.is_tree);
}

/* Columns of other costs are left out. How often something allocated stands beside every cost, where there is room. */
static gboolean
is_lacking (const FpColumn *column,
            gpointer data)
{
  FpHeapTable *self = data;
  FpHeapFigure figure;
  FpHeapCost cost;

  if (!fp_heap_column_get_cost (column, &cost, &figure))
    return FALSE;
  if (self->is_compared)
    return is_lacking_in_comparison (self, cost, figure);
  if (figure > FP_HEAP_WITH_CALLEES)
    return TRUE;
  if (self->layout == FP_TABLE_HEAP_NEIGHBOURS)
    return cost != self->cost || figure == FP_HEAP_WITH_CALLEES;
  return !(self->known & 1 << cost) || (cost != self->cost && (cost != FP_HEAP_CALLS || figure == FP_HEAP_WITH_CALLEES));
}

/* The cost of a step, or by how much it has changed */
static guint64
get_weight (FpHeapTable *self,
            guint index)
{
  const FpHeapPlace *before = fp_heap_records_get_before (self->records, index);
  guint64 now = fp_heap_stack_get_cost (&fp_heap_records_get (self->records, index)->own, self->cost);
  guint64 then = before ? fp_heap_stack_get_cost (&before->own, self->cost) : 0;

  return MAX (now, then) - MIN (now, then);
}

/* Returns the heaviest of those in a step, which stand behind it; G_MAXUINT: there is none. outer: G_MAXUINT: those at the top */
static guint
find_heaviest (FpHeapTable *self,
               guint outer)
{
  guint found = G_MAXUINT;

  for (guint i = outer + 1; i < self->records->n; i++)
    {
      guint parent = self->records->class->get_parent (self->records, i);

      /* An earlier step is around both, so that all those of this one are over. */
      if (outer != G_MAXUINT && (parent == G_MAXUINT || parent < outer))
        break;
      if (parent == outer && (found == G_MAXUINT || get_weight (self, i) > get_weight (self, found)))
        found = i;
    }
  return found;
}

/* Opens the way from the heaviest step on, as long as at least half of it goes there. */
static void
open_steps (FpHeapTable *self)
{
  guint step = find_heaviest (self, G_MAXUINT);
  guint64 whole = step == G_MAXUINT ? 0 : get_weight (self, step);

  for (; step != G_MAXUINT && get_weight (self, step) >= whole / 2; step = find_heaviest (self, step))
    fp_rows_set_expanded (get_rows (self), fp_records_get_key (self->records, step), TRUE);
  self->is_opened = TRUE;
}

static void
show_title (FpHeapTable *self,
            FpHeapCost cost,
            FpHeapFigure figure,
            const char *title)
{
  fp_table_columns_set_title (fp_table_view_get_columns (self->view), fp_heap_columns_find (cost, figure), title);
}

static void
show_titles (FpHeapTable *self,
             const FpHeapChoice *choice)
{
  const char *own = self->is_compared ? _ ("After") : choice->title;

  for (FpHeapCost cost = 0; cost < FP_HEAP_N_COSTS; cost++)
    {
      gboolean is_chosen = cost == choice->cost;

      show_title (self, cost, FP_HEAP_OWN, is_chosen ? own : _ (fp_heap_columns_find (cost, FP_HEAP_OWN)->title));
      show_title (self, cost, FP_HEAP_WITH_CALLEES,
                  is_chosen ? _ ("With Callees") : _ (fp_heap_columns_find (cost, FP_HEAP_WITH_CALLEES)->title));
    }
}

static void
fp_heap_table_dispose (GObject *object)
{
  FpHeapTable *self = FP_HEAP_TABLE (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_pointer (&self->records, fp_records_unref);

  G_OBJECT_CLASS (fp_heap_table_parent_class)->dispose (object);
}

static void
fp_heap_table_finalize (GObject *object)
{
  g_free (FP_HEAP_TABLE (object)->search);

  G_OBJECT_CLASS (fp_heap_table_parent_class)->finalize (object);
}

static void
fp_heap_table_class_init (FpHeapTableClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_heap_table_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_heap_table_finalize;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
fp_heap_table_init (FpHeapTable *self)
{
  self->style.nobody = "";
  self->cost = FP_HEAP_N_COSTS;
  self->stack = GTK_STACK (gtk_stack_new ());
  self->nothing = ADW_STATUS_PAGE (adw_status_page_new ());
  adw_status_page_set_icon_name (self->nothing, "edit-find-symbolic");
  gtk_widget_add_css_class (GTK_WIDGET (self->nothing), "compact");
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->nothing), "nothing");
  gtk_widget_set_parent (GTK_WIDGET (self->stack), GTK_WIDGET (self));
}

/* label: for those who can't see it */
GtkWidget *
fp_heap_table_new (FpTableLayoutId layout,
                   const char *label)
{
  FpHeapTable *self = g_object_new (FP_TYPE_HEAP_TABLE, NULL);

  self->layout = layout;
  self->kind = (FpRecordKind)(fp_table_layouts[layout].kinds & FP_KINDS_HEAP);
  self->view = FP_TABLE_VIEW (fp_table_view_new (&fp_table_layouts[layout], label));
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->view), "table");
  g_signal_connect_object (self->view, "sort-changed", G_CALLBACK (apply), self, G_CONNECT_SWAPPED);
  self->style.is_tree = self->kind == FP_RECORD_HEAP_STEP;
  if (self->style.is_tree)
    fp_rows_set_grouping (get_rows (self), FP_GROUPING_PARENT);
  return GTK_WIDGET (self);
}

/* Another cost begins with what has the most of it, or has grown most; the same one keeps the order that was chosen. */
void
fp_heap_table_show (FpHeapTable *self,
                    FpRecords *records,
                    const FpHeapChoice *choice)
{
  gboolean is_compared, is_other_cost;
  guint known;

  g_return_if_fail (FP_IS_HEAP_TABLE (self));

  known = fp_heap_records_get_known (records);
  is_compared = fp_heap_records_are_compared (records);
  is_other_cost = self->cost != choice->cost || self->is_compared != is_compared;
  self->is_opened &= self->is_compared == is_compared;
  fp_records_ref (records);
  g_clear_pointer (&self->records, fp_records_unref);
  self->records = records;
  self->style.format.style = choice->style;
  if (is_other_cost || self->known != known)
    {
      self->cost = choice->cost;
      self->known = known;
      self->is_compared = is_compared;
      fp_table_columns_set_lacking (fp_table_view_get_columns (self->view), is_lacking, self);
    }
  show_titles (self, choice);
  if (is_other_cost)
    fp_table_view_set_sort (self->view, fp_heap_columns_find (choice->cost, is_compared ? FP_HEAP_CHANGE : FP_HEAP_OWN)->id, TRUE);
  if (self->style.is_tree && !self->is_opened)
    open_steps (self);
  apply (self);
}

/* From the smallest on; a search and a cost have nothing to say of them. */
void
fp_heap_table_show_sizes (FpHeapTable *self,
                          FpRecords *records,
                          FpFigureStyle style)
{
  g_return_if_fail (FP_IS_HEAP_TABLE (self));

  if (!self->records)
    fp_table_view_set_sort (self->view, fp_columns_get_role (FP_ROLE_NAME, FP_RECORD_HEAP_SIZE)->id, FALSE);
  fp_records_ref (records);
  g_clear_pointer (&self->records, fp_records_unref);
  self->records = records;
  self->style.format.style = style;
  apply (self);
}

/* Steps are searched where they are made, as those on the way to one are to be seen, too. */
void
fp_heap_table_set_search (FpHeapTable *self,
                          const char *text)
{
  FpQuery *query;

  g_return_if_fail (FP_IS_HEAP_TABLE (self));

  g_free (self->search);
  self->search = g_strdup (text);
  self->is_opened = FALSE;
  if (self->style.is_tree)
    return;
  query = fp_query_new (text, (FpRecordKind)(self->kind | FP_RECORD_HEAP_COMPARED), NULL);
  if (!query)
    {
      g_autofree char *quoted = g_strdup_printf ("\"%s\"", text);

      query = fp_query_new (quoted, self->kind, NULL);
    }
  fp_rows_set_query (get_rows (self), query);
  apply (self);
}

/* Lists the keys of the records that a search finds. (nullable): nothing is searched for; free it */
GHashTable *
fp_heap_table_list_found (FpHeapTable *self)
{
  const FpQuery *query;
  const guint *matches;
  GHashTable *found;
  guint n;

  g_return_val_if_fail (FP_IS_HEAP_TABLE (self), NULL);

  query = self->records ? fp_rows_get_query (get_rows (self)) : NULL;
  if (!query || fp_query_is_empty (query))
    return NULL;
  found = g_hash_table_new_full (fp_key_hash, fp_key_equal, g_free, NULL);
  matches = fp_rows_get_matches (get_rows (self), &n);
  for (guint i = 0; i < n; i++)
    {
      FpKey key = fp_records_get_key (self->records, matches[i]);

      g_hash_table_add (found, g_memdup2 (&key, sizeof key));
    }
  return found;
}

/* The next steps that are shown are others, of which those that matter most are to be seen. */
void
fp_heap_table_open_anew (FpHeapTable *self)
{
  g_return_if_fail (FP_IS_HEAP_TABLE (self));

  self->is_opened = FALSE;
}

FpTableView *
fp_heap_table_get_view (FpHeapTable *self)
{
  g_return_val_if_fail (FP_IS_HEAP_TABLE (self), NULL);

  return self->view;
}

/* Selects the record with this key alone, if a row shows it; none otherwise. */
void
fp_heap_table_select (FpHeapTable *self,
                      FpKey key)
{
  FpTable *table;
  guint position;

  g_return_if_fail (FP_IS_HEAP_TABLE (self));

  table = fp_table_view_get_table (self->view);
  fp_table_tell_all (table);
  position = fp_table_find (table, key);
  if (position == GTK_INVALID_LIST_POSITION)
    {
      gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (table));
      return;
    }
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (table), position, TRUE);
  fp_table_scroll_reveal (fp_table_view_get_scroll (self->view), key);
}

/* FALSE: there is no row for it */
gboolean
fp_heap_table_focus (FpHeapTable *self)
{
  g_return_val_if_fail (FP_IS_HEAP_TABLE (self), FALSE);

  return gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

void
fp_heap_table_set_narrow (FpHeapTable *self,
                          gboolean is_narrow)
{
  g_return_if_fail (FP_IS_HEAP_TABLE (self));

  self->is_narrow = is_narrow;
  fp_table_columns_set_narrow (fp_table_view_get_columns (self->view), is_narrow);
  if (self->is_compared)
    fp_table_columns_set_lacking (fp_table_view_get_columns (self->view), is_lacking, self);
}

void
fp_heap_table_copy (FpHeapTable *self)
{
  g_return_if_fail (FP_IS_HEAP_TABLE (self));

  if (self->records)
    fp_rows_export_copy (GTK_WIDGET (self), self->records, get_rows (self));
}

/* name: what is suggested for the file */
void
fp_heap_table_export (FpHeapTable *self,
                      const char *name)
{
  g_return_if_fail (FP_IS_HEAP_TABLE (self));

  if (self->records)
    fp_rows_export_ask (GTK_WIDGET (self), self->records, get_rows (self), _ ("Export List (.csv or .json)"), name);
}
