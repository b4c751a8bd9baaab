// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-table.h"

/* A view makes widgets for so many rows, at most; they take longer to make than all else. So a list that is shown for the first
 * time begins with as many as most windows have room for, and the others come a few at a time. */
#define N_KEPT       205
#define N_FIRST      40
#define KEPT_AT_ONCE 20

struct _FpTable
{
  GObject parent;

  FpRows *rows;
  GPtrArray *slots;
  guint n; /* items as the view knows them: the rows, then those kept for later; fewer than the rows at first */
  GHashTable *selected_keys;
  GtkBitset *selected;
};

enum
{
  SHRINKING,
  SELECTION_SETTLED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void fp_table_list_model_init (GListModelInterface *iface);
static void fp_table_selection_model_init (GtkSelectionModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FpTable,
                               fp_table,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, fp_table_list_model_init)
                                   G_IMPLEMENT_INTERFACE (GTK_TYPE_SELECTION_MODEL, fp_table_selection_model_init))

static GType
fp_table_get_item_type (GListModel *model)
{
  return G_TYPE_OBJECT;
}

static guint
fp_table_get_n_items (GListModel *model)
{
  return FP_TABLE (model)->n;
}

static gpointer
fp_table_get_item (GListModel *model,
                   guint position)
{
  FpTable *self = FP_TABLE (model);

  if (position >= self->n)
    return NULL;
  while (self->slots->len <= position)
    g_ptr_array_add (self->slots, g_object_new (G_TYPE_OBJECT, NULL));
  return g_object_ref (g_ptr_array_index (self->slots, position));
}

static void
fp_table_list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = fp_table_get_item_type;
  iface->get_n_items = fp_table_get_n_items;
  iface->get_item = fp_table_get_item;
}

static gboolean
fp_table_is_selected (GtkSelectionModel *model,
                      guint position)
{
  return gtk_bitset_contains (FP_TABLE (model)->selected, position);
}

static GtkBitset *
fp_table_get_selection_in_range (GtkSelectionModel *model,
                                 guint position,
                                 guint n_items)
{
  return gtk_bitset_ref (FP_TABLE (model)->selected);
}

/* One signal for each run of neighbours that differ. */
static void
announce_runs (FpTable *self,
               GtkBitset *changed)
{
  GtkBitsetIter iter;
  guint position, first, last;

  if (!gtk_bitset_iter_init_first (&iter, changed, &position))
    return;
  first = last = position;
  while (gtk_bitset_iter_next (&iter, &position))
    {
      if (position != last + 1)
        {
          gtk_selection_model_selection_changed (GTK_SELECTION_MODEL (self), first, last - first + 1);
          first = position;
        }
      last = position;
    }
  gtk_selection_model_selection_changed (GTK_SELECTION_MODEL (self), first, last - first + 1);
}

/* Then one for those who sum up what is selected: a thousand that lie apart are a thousand runs. */
static void
announce (FpTable *self,
          GtkBitset *changed)
{
  announce_runs (self, changed);
  if (!gtk_bitset_is_empty (changed))
    g_signal_emit (self, signals[SELECTION_SETTLED], 0);
}

static gboolean
fp_table_set_selection (GtkSelectionModel *model,
                        GtkBitset *selected,
                        GtkBitset *mask)
{
  FpTable *self = FP_TABLE (model);
  g_autoptr (GtkBitset) changed = gtk_bitset_copy (self->selected);
  GtkBitsetIter iter;
  guint position;

  gtk_bitset_difference (changed, selected);
  gtk_bitset_intersect (changed, mask);
  if (fp_table_get_n_rows (self) == 0)
    return TRUE;
  gtk_bitset_remove_range_closed (changed, fp_table_get_n_rows (self), G_MAXUINT);
  for (gboolean ok = gtk_bitset_iter_init_first (&iter, changed, &position); ok;
       ok = gtk_bitset_iter_next (&iter, &position))
    {
      FpKey key = fp_rows_get (self->rows, position)->key;

      if (gtk_bitset_contains (self->selected, position))
        g_hash_table_remove (self->selected_keys, &key);
      else
        g_hash_table_add (self->selected_keys, g_memdup2 (&key, sizeof key));
    }
  gtk_bitset_difference (self->selected, changed);
  announce (self, changed);
  return TRUE;
}

static void
fp_table_selection_model_init (GtkSelectionModelInterface *iface)
{
  iface->is_selected = fp_table_is_selected;
  iface->get_selection_in_range = fp_table_get_selection_in_range;
  iface->set_selection = fp_table_set_selection;
}

/* Unselects records that have ended, and groups without a row. Records that are only out of sight stay selected. */
static void
prune_selection (FpTable *self,
                 const FpRecords *records)
{
  g_autoptr (GHashTable) gone = NULL;
  GHashTableIter iter;
  gpointer key;

  if (g_hash_table_size (self->selected_keys) == gtk_bitset_get_size (self->selected))
    return;
  gone = g_hash_table_new (fp_key_hash, fp_key_equal);
  g_hash_table_iter_init (&iter, self->selected_keys);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_hash_table_add (gone, key);
  for (guint i = 0; i < fp_rows_get_n (self->rows); i++)
    g_hash_table_remove (gone, &fp_rows_get (self->rows, i)->key);
  for (guint i = 0; i < records->n; i++)
    {
      FpKey present = fp_records_get_key (records, i);

      g_hash_table_remove (gone, &present);
    }
  g_hash_table_iter_init (&iter, gone);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_hash_table_remove (self->selected_keys, key);
}

static void
place_selection (FpTable *self,
                 GtkBitset *selected)
{
  if (g_hash_table_size (self->selected_keys) == 0)
    return;
  for (guint i = 0; i < fp_table_get_n_rows (self); i++)
    if (g_hash_table_contains (self->selected_keys, &fp_rows_get (self->rows, i)->key))
      gtk_bitset_add (selected, i);
}

/* GTK 4.8 takes a part of the list that was removed from the wrong place, so a new count is a new whole. A list that gets
 * short keeps what it was told: the view hides those rows, and need not make them anew when it gets long again. */
static void
tell_view (FpTable *self,
           guint n)
{
  g_autoptr (GtkBitset) changed = NULL;
  guint old_n;

  if (fp_rows_get_n (self->rows) < self->n && n <= self->n)
    g_signal_emit (self, signals[SHRINKING], 0);
  old_n = self->n;
  self->n = n;
  changed = g_steal_pointer (&self->selected);
  self->selected = gtk_bitset_new_empty ();
  place_selection (self, self->selected);
  gtk_bitset_difference (changed, self->selected);
  if (self->n == old_n)
    {
      announce (self, changed);
      return;
    }
  g_list_model_items_changed (G_LIST_MODEL (self), 0, old_n, self->n);
  if (!gtk_bitset_is_empty (changed))
    g_signal_emit (self, signals[SELECTION_SETTLED], 0);
}

/* The rows and those kept for later */
static guint
count_all (FpTable *self)
{
  return MAX (fp_rows_get_n (self->rows), MIN (self->n, N_KEPT));
}

static guint
count_next (FpTable *self)
{
  guint n_made = MIN (self->n, N_KEPT), n_next = n_made < N_FIRST ? N_FIRST : n_made + KEPT_AT_ONCE;

  return n_next < N_KEPT ? MIN (count_all (self), n_next) : count_all (self);
}

/* Counts the rows that the view knows of. */
guint
fp_table_get_n_rows (FpTable *self)
{
  g_return_val_if_fail (FP_IS_TABLE (self), 0);

  return MIN (fp_rows_get_n (self->rows), self->n);
}

FpRows *
fp_table_get_rows (FpTable *self)
{
  g_return_val_if_fail (FP_IS_TABLE (self), NULL);

  return self->rows;
}

void
fp_table_update (FpTable *self,
                 FpRecords *records,
                 const FpFormat *format)
{
  g_return_if_fail (FP_IS_TABLE (self));

  fp_rows_update (self->rows, records, format);
  tell_view (self, count_next (self));
  prune_selection (self, records);
}

void
fp_table_set_expanded (FpTable *self,
                       guint position,
                       gboolean is_expanded)
{
  g_return_if_fail (FP_IS_TABLE (self));
  g_return_if_fail (position < fp_rows_get_n (self->rows));

  fp_rows_set_expanded (self->rows, fp_rows_get (self->rows, position)->key, is_expanded);
  tell_view (self, count_next (self));
}

/* Tells the view of some more rows; of those that there are, and then of as many as there may be before they are shown, so
 * that nobody waits for their widgets. FALSE: enough are kept. */
gboolean
fp_table_keep_more (FpTable *self)
{
  guint wanted;

  g_return_val_if_fail (FP_IS_TABLE (self), FALSE);

  wanted = MIN (fp_rows_get_n_open (self->rows), N_KEPT);
  if (self->n >= MAX (wanted, fp_rows_get_n (self->rows)))
    return FALSE;
  if (self->n < fp_rows_get_n (self->rows))
    tell_view (self, count_next (self));
  else
    tell_view (self, MIN (self->n + KEPT_AT_ONCE, wanted));
  return TRUE;
}

/* Tells the view of all rows at once, as a certain one of them is needed. */
void
fp_table_tell_all (FpTable *self)
{
  g_return_if_fail (FP_IS_TABLE (self));

  if (self->n < fp_rows_get_n (self->rows))
    tell_view (self, count_all (self));
}

/* Selected or not, beside what else is. */
void
fp_table_toggle (FpTable *self,
                 guint position)
{
  g_return_if_fail (FP_IS_TABLE (self));

  if (fp_table_is_selected (GTK_SELECTION_MODEL (self), position))
    gtk_selection_model_unselect_item (GTK_SELECTION_MODEL (self), position);
  else
    gtk_selection_model_select_item (GTK_SELECTION_MODEL (self), position, FALSE);
}

/* GTK_INVALID_LIST_POSITION: it is not shown */
guint
fp_table_find (FpTable *self,
               FpKey key)
{
  g_return_val_if_fail (FP_IS_TABLE (self), GTK_INVALID_LIST_POSITION);

  for (guint i = 0; i < fp_table_get_n_rows (self); i++)
    if (fp_key_equal (&fp_rows_get (self->rows, i)->key, &key))
      return i;
  return GTK_INVALID_LIST_POSITION;
}

static int
compare_indices (gconstpointer a,
                 gconstpointer b)
{
  guint x = *(const guint *)a, y = *(const guint *)b;

  return (x > y) - (x < y);
}

/* The records that are selected, by themselves or with a group, each once. */
void
fp_table_add_selected (FpTable *self,
                       GArray *indices)
{
  GtkBitsetIter iter;
  guint position, n = 0;

  g_return_if_fail (FP_IS_TABLE (self));

  for (gboolean ok = gtk_bitset_iter_init_first (&iter, self->selected, &position); ok;
       ok = gtk_bitset_iter_next (&iter, &position))
    fp_rows_add_members (self->rows, position, indices);
  g_array_sort (indices, compare_indices);
  for (guint i = 0; i < indices->len; i++)
    if (n == 0 || g_array_index (indices, guint, i) != g_array_index (indices, guint, n - 1))
      g_array_index (indices, guint, n++) = g_array_index (indices, guint, i);
  g_array_set_size (indices, n);
}

/* Parts of records have indices of their own. */
void
fp_table_add_selected_parts (FpTable *self,
                             GArray *indices)
{
  GtkBitsetIter iter;
  guint position;

  g_return_if_fail (FP_IS_TABLE (self));

  for (gboolean ok = gtk_bitset_iter_init_first (&iter, self->selected, &position); ok;
       ok = gtk_bitset_iter_next (&iter, &position))
    if (fp_rows_get (self->rows, position)->kind == FP_ROW_PART)
      g_array_append_val (indices, fp_rows_get (self->rows, position)->index);
}

guint
fp_table_get_n_selected (FpTable *self)
{
  g_return_val_if_fail (FP_IS_TABLE (self), 0);

  return (guint)gtk_bitset_get_size (self->selected);
}

static void
fp_table_finalize (GObject *object)
{
  FpTable *self = FP_TABLE (object);

  g_clear_pointer (&self->rows, fp_rows_free);
  g_clear_pointer (&self->slots, g_ptr_array_unref);
  g_clear_pointer (&self->selected_keys, g_hash_table_unref);
  g_clear_pointer (&self->selected, gtk_bitset_unref);

  G_OBJECT_CLASS (fp_table_parent_class)->finalize (object);
}

static void
fp_table_class_init (FpTableClass *class)
{
  G_OBJECT_CLASS (class)->finalize = fp_table_finalize;

  /* There are less rows than the view was told, which it will be next. */
  signals[SHRINKING] = g_signal_new ("shrinking", FP_TYPE_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SELECTION_SETTLED] =
      g_signal_new ("selection-settled", FP_TYPE_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fp_table_init (FpTable *self)
{
  self->rows = fp_rows_new ();
  self->slots = g_ptr_array_new_with_free_func (g_object_unref);
  self->selected_keys = g_hash_table_new_full (fp_key_hash, fp_key_equal, g_free, NULL);
  self->selected = gtk_bitset_new_empty ();
}

FpTable *
fp_table_new (void)
{
  return g_object_new (FP_TYPE_TABLE, NULL);
}
