// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-counted.h"
#include "fp-order.h"
#include "fp-successors.h"

#define MAX_ENDED 200 /* an order may be held for hours, in which many processes end */
#define NOWHERE   FP_NO_SUCCESSOR

struct _FpRows
{
  FpQuery *query;
  FpRowFilter filter;
  gpointer filter_data;
  FpGrouping grouping;
  FpOrder order;
  gboolean is_held;
  gboolean is_reordered; /* by the user: the next update does not hold the order */
  GHashTable *expanded;  /* of keys */
  GHashTable *closed;    /* of keys, of groups that a search has opened */
  GHashTable *folded;    /* of keys, in a tree that is open at first */
  gboolean opens_matches;
  gboolean has_total;
  FpControlGroups *control_groups; /* (nullable): these count for users */
  const FpTotalHistory *history;   /* (nullable): the past of groups */

  FpRecords *records;
  FpRecords *ended;      /* NULL: none */
  FpRecords *only_ended; /* (nullable): shown in place of the records */
  FpRecords *total;      /* NULL: none */
  FpRecords *parts;      /* NULL: no record is open */
  FpGroups groups;
  GArray *matches;
  GArray *possible; /* the matches that are only possible */
  GArray *items;
  GArray *part_items; /* of parts */
  GArray *rows;
  FpFormat own_format;
  const FpFormat *format; /* NULL or own_format */
  gboolean is_order_held; /* of these rows */

  /* The children of all groups, one after the other, then those at the top, then the parts of each open record; where each
   * of these runs begins, and whether it is sorted yet: only what is seen is. */
  GArray *children;
  GArray *child_starts;
  GByteArray *are_sorted;
};

FpRows *
fp_rows_new (void)
{
  FpRows *self = g_new0 (FpRows, 1);

  self->expanded = g_hash_table_new_full (fp_key_hash, fp_key_equal, g_free, NULL);
  self->closed = g_hash_table_new_full (fp_key_hash, fp_key_equal, g_free, NULL);
  self->folded = g_hash_table_new_full (fp_key_hash, fp_key_equal, g_free, NULL);
  self->matches = g_array_new (FALSE, FALSE, sizeof (guint));
  self->possible = g_array_new (FALSE, FALSE, sizeof (guint));
  self->items = g_array_new (FALSE, FALSE, sizeof (FpItem));
  self->part_items = g_array_new (FALSE, FALSE, sizeof (FpItem));
  self->rows = g_array_new (FALSE, FALSE, sizeof (FpRow));
  self->children = g_array_new (FALSE, FALSE, sizeof (FpItem *));
  self->child_starts = g_array_new (FALSE, FALSE, sizeof (guint));
  self->are_sorted = g_byte_array_new ();
  fp_order_init (&self->order);
  fp_groups_init (&self->groups);
  return self;
}

void
fp_rows_free (FpRows *self)
{
  g_clear_pointer (&self->query, fp_query_free);
  g_clear_pointer (&self->records, fp_records_unref);
  g_clear_pointer (&self->ended, fp_records_unref);
  g_clear_pointer (&self->only_ended, fp_records_unref);
  g_clear_pointer (&self->total, fp_records_unref);
  g_clear_pointer (&self->parts, fp_records_unref);
  g_clear_pointer (&self->control_groups, fp_control_groups_unref);
  g_hash_table_unref (self->expanded);
  g_hash_table_unref (self->closed);
  g_hash_table_unref (self->folded);
  g_array_unref (self->matches);
  g_array_unref (self->possible);
  g_array_unref (self->items);
  g_array_unref (self->part_items);
  g_array_unref (self->rows);
  g_array_unref (self->children);
  g_array_unref (self->child_starts);
  g_byte_array_unref (self->are_sorted);
  fp_order_clear (&self->order);
  fp_groups_clear (&self->groups);
  g_free (self);
}

/* query: (transfer full) */
void
fp_rows_set_query (FpRows *self,
                   FpQuery *query)
{
  g_clear_pointer (&self->query, fp_query_free);
  self->query = query;
  self->is_reordered = TRUE;
  if (!query)
    g_hash_table_remove_all (self->closed);
}

/* (nullable) */
const FpQuery *
fp_rows_get_query (const FpRows *self)
{
  return self->query;
}

/* A query opens all groups, so that its matches are seen. Without it each group is as it was before. */
void
fp_rows_set_opens_matches (FpRows *self,
                           gboolean opens_matches)
{
  self->opens_matches = opens_matches;
}

void
fp_rows_set_filter (FpRows *self,
                    FpRowFilter filter,
                    gpointer data)
{
  self->filter = filter;
  self->filter_data = data;
  self->is_reordered = TRUE;
}

void
fp_rows_set_sort (FpRows *self,
                  const FpColumn *column,
                  gboolean descending)
{
  fp_order_set_column (&self->order, column, descending);
  self->is_reordered = TRUE;
}

void
fp_rows_set_grouping (FpRows *self,
                      FpGrouping grouping)
{
  self->grouping = grouping;
  self->is_reordered = TRUE;
}

/* The total is a row above all others with the sum of the matches. */
void
fp_rows_set_has_total (FpRows *self,
                       gboolean has_total)
{
  self->has_total = has_total;
}

/* From the next update on, these are shown in place of the records, in no groups. ended: (nullable) */
void
fp_rows_set_ended (FpRows *self,
                   FpRecords *ended)
{
  if (ended)
    fp_records_ref (ended);
  g_clear_pointer (&self->only_ended, fp_records_unref);
  self->only_ended = ended;
}

/* From the next update on, groups by user have what these count. groups: (nullable) */
void
fp_rows_set_control_groups (FpRows *self,
                            FpControlGroups *groups)
{
  if (groups)
    fp_control_groups_ref (groups);
  g_clear_pointer (&self->control_groups, fp_control_groups_unref);
  self->control_groups = groups;
}

/* From the next update on, groups of processes have the growth that this knows. It has to be there as long as the rows are.
 * history: (nullable) */
void
fp_rows_set_history (FpRows *self,
                     const FpTotalHistory *history)
{
  self->history = history;
}

/* While the order is held, rows keep it, ended rows keep their place, and new rows come last. */
void
fp_rows_set_held (FpRows *self,
                  gboolean is_held)
{
  self->is_held = is_held;
}

static FpMatch
match (const FpRows *self,
       const FpRecords *records,
       guint index)
{
  if (self->filter && !self->filter (records, index, self->filter_data))
    return FP_MATCH_NOT;
  return self->query ? fp_query_matches (self->query, records, index) : FP_MATCH_CERTAINLY;
}

static void
find_matches (FpRows *self,
              const FpRecords *records)
{
  g_array_set_size (self->matches, 0);
  g_array_set_size (self->possible, 0);
  for (guint i = 0; i < records->n; i++)
    {
      FpMatch found = match (self, records, i);

      if (found != FP_MATCH_NOT)
        g_array_append_val (self->matches, i);
      if (found == FP_MATCH_POSSIBLY)
        g_array_append_val (self->possible, i);
    }
}

/* Says whether the row stands for one of these records, and for no sum. */
static gboolean
is_record (const FpRow *row,
           const FpRecords *records)
{
  return row->kind == FP_ROW_RECORD || (row->kind == FP_ROW_GROUP && records->class->get_parent);
}

static void
add_item (FpRows *self,
          FpRowKind kind,
          guint index,
          guint parent)
{
  const FpRecords *records = fp_rows_get_records (self, kind);
  FpItem item = {
    .row = { fp_records_get_key (records, index), index, kind, 0, FALSE, FALSE, FALSE },
    .parent = parent,
    .rank = FP_NO_RANK,
    .parts = NOWHERE,
  };

  item.is_leader = kind == FP_ROW_TOTAL ||
                   (self->grouping == FP_GROUPING_PARENT && kind == FP_ROW_RECORD && parent != FP_NO_GROUP &&
                    fp_groups_is_led_by (&self->groups, parent, item.row.key));
  g_array_append_val (self->items, item);
}

/* Records that are in each other are there already. */
static void
add_groups (FpRows *self)
{
  if (fp_groups_are_records (&self->groups))
    return;
  for (guint i = 0; i < self->groups.totals->n; i++)
    add_item (self, FP_ROW_GROUP, i, g_array_index (self->groups.parent_of, guint, i));
}

static void
add_total (FpRows *self)
{
  g_clear_pointer (&self->total, fp_records_unref);
  if (!self->has_total || self->matches->len == 0)
    return;
  self->total = fp_groups_sum (&self->groups, self->records, (const guint *)self->matches->data);
  add_item (self, FP_ROW_TOTAL, 0, FP_NO_GROUP);
}

/* Finds the new record of each row that was shown last. Sums and records that are gone have NOWHERE. */
static guint *
locate_rows (const FpRows *self,
             const FpRecords *old)
{
  g_autofree guint *successors = fp_successors_find (old, self->records);
  guint *now = g_new (guint, self->rows->len + 1);

  for (guint i = 0; i < self->rows->len; i++)
    {
      const FpRow *row = &g_array_index (self->rows, FpRow, i);

      now[i] = NOWHERE;
      if (is_record (row, old))
        now[i] = successors[row->index];
      else if (row->kind == FP_ROW_ENDED)
        now[i] = fp_successors_find_one (self->records, row->key);
    }
  return now;
}

/* Ranks items by the places of the rows that were shown last. */
static void
rank_items (FpRows *self,
            const guint *now)
{
  g_autoptr (GHashTable) others = g_hash_table_new (fp_key_hash, fp_key_equal);
  g_autofree guint *ranks = g_new (guint, self->records->n + 1);

  for (guint i = 0; i < self->records->n; i++)
    ranks[i] = FP_NO_RANK;
  for (guint i = 0; i < self->rows->len; i++)
    if (now[i] != NOWHERE)
      ranks[now[i]] = i;
    else
      g_hash_table_insert (others, &g_array_index (self->rows, FpRow, i).key, GUINT_TO_POINTER (i));
  for (guint i = 0; i < self->items->len; i++)
    {
      FpItem *item = &g_array_index (self->items, FpItem, i);
      gpointer place;

      if (is_record (&item->row, self->records))
        item->rank = ranks[item->row.index];
      else if (g_hash_table_lookup_extended (others, &item->row.key, NULL, &place))
        item->rank = GPOINTER_TO_UINT (place);
    }
}

/* Copies the records that were shown last and are gone. */
static FpRecords *
keep_ended (const FpRows *self,
            const FpRecords *old,
            const guint *now)
{
  g_autoptr (GPtrArray) lists = g_ptr_array_new ();
  g_autoptr (GArray) indices = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < self->rows->len && lists->len < MAX_ENDED; i++)
    {
      const FpRow *row = &g_array_index (self->rows, FpRow, i);

      if (now[i] != NOWHERE || (row->kind != FP_ROW_ENDED && !is_record (row, old)))
        continue;
      g_ptr_array_add (lists, row->kind == FP_ROW_ENDED ? self->ended : (gpointer)old);
      g_array_append_val (indices, row->index);
    }
  if (lists->len == 0)
    return NULL;
  return old->class->copy_ended ((const FpRecords **)lists->pdata, (const guint *)indices->data, lists->len);
}

/* Adds the records that were shown and still exist, but do not match any more. */
static void
add_unmatched (FpRows *self,
               const guint *now)
{
  g_autofree guint8 *is_matching = g_new0 (guint8, self->records->n + 1);

  for (guint i = 0; i < self->matches->len; i++)
    is_matching[g_array_index (self->matches, guint, i)] = TRUE;
  for (guint i = 0; i < self->rows->len; i++)
    if (is_record (&g_array_index (self->rows, FpRow, i), self->records) && now[i] != NOWHERE && !is_matching[now[i]])
      add_item (self, FP_ROW_RECORD, now[i], fp_groups_place (&self->groups, self->records, now[i], self->format));
}

/* Adds rows that keep their place without being matches: ended and unmatched records, and all shown groups. */
static void
add_held (FpRows *self,
          const FpRecords *old,
          const FpRecords *old_totals,
          const GArray *old_parent_of,
          const guint *now)
{
  FpRecords *ended = keep_ended (self, old, now);

  g_clear_pointer (&self->ended, fp_records_unref);
  self->ended = ended;
  for (guint i = 0; i < self->rows->len; i++)
    if (g_array_index (self->rows, FpRow, i).kind == FP_ROW_GROUP && !fp_groups_are_records (&self->groups))
      fp_groups_keep (&self->groups, old_totals, old_parent_of, g_array_index (self->rows, FpRow, i).index);
  add_unmatched (self, now);
  for (guint i = 0; ended && i < ended->n; i++)
    add_item (self, FP_ROW_ENDED, i, fp_groups_place (&self->groups, ended, i, self->format));
}

static void
add_matches (FpRows *self)
{
  guint next = 0;

  for (guint i = 0; i < self->matches->len; i++)
    {
      guint index = g_array_index (self->matches, guint, i);

      add_item (self, fp_groups_is_above (&self->groups, index) ? FP_ROW_GROUP : FP_ROW_RECORD, index,
                g_array_index (self->groups.group_of, guint, i));
      if (next < self->possible->len && g_array_index (self->possible, guint, next) == index)
        {
          g_array_index (self->items, FpItem, self->items->len - 1).row.is_possible = TRUE;
          next++;
        }
    }
}

/* While the order is held, those that were shown stay. */
static void
show_only_ended (FpRows *self)
{
  if (!self->is_order_held || !self->ended)
    {
      g_clear_pointer (&self->ended, fp_records_unref);
      self->ended = fp_records_ref (self->only_ended);
    }
  self->is_order_held = FALSE;
  g_array_set_size (self->matches, 0);
  g_array_set_size (self->possible, 0);
  fp_groups_make (&self->groups, FP_GROUPING_NOTHING, self->records, NULL, 0, self->format);
  g_array_set_size (self->items, 0);
  for (guint i = 0; i < self->ended->n; i++)
    if (!self->query || fp_query_matches (self->query, self->ended, i) != FP_MATCH_NOT)
      add_item (self, FP_ROW_ENDED, i, FP_NO_GROUP);
  g_clear_pointer (&self->total, fp_records_unref);
}

/* Puts the children of each group into a run of their own. */
static void
distribute (FpRows *self)
{
  guint n_groups = self->groups.totals->n;
  g_autofree guint *next = g_new0 (guint, n_groups + 2);

  for (guint i = 0; i < self->items->len; i++)
    next[MIN (g_array_index (self->items, FpItem, i).parent, n_groups) + 1]++;
  for (guint i = 0; i <= n_groups; i++)
    next[i + 1] += next[i];
  g_array_set_size (self->child_starts, 0);
  g_array_append_vals (self->child_starts, next, n_groups + 2);
  g_array_set_size (self->children, self->items->len);
  for (guint i = 0; i < self->items->len; i++)
    {
      FpItem *item = &g_array_index (self->items, FpItem, i);

      g_array_index (self->children, FpItem *, next[MIN (item->parent, n_groups)]++) = item;
    }
  g_byte_array_set_size (self->are_sorted, n_groups + 1);
  memset (self->are_sorted->data, FALSE, n_groups + 1);
}

typedef struct
{
  guint next;
  guint end;
} Run;

static Run
get_run (const FpRows *self,
         guint group)
{
  const guint *start = &g_array_index (self->child_starts, guint, group);

  return (Run){ start[0], start[1] };
}

/* In the tree a group is sorted as the process that leads it where a sum makes no sense. */
static void
prepare (FpRows *self,
         FpItem *item)
{
  guint leader = NOWHERE;

  if (item->row.kind == FP_ROW_GROUP && self->groups.grouping == FP_GROUPING_PARENT &&
      !fp_groups_are_records (&self->groups) && !fp_order_knows_groups (&self->order))
    leader = fp_successors_find_one (self->records, fp_groups_get_leader (item->row.key));
  if (leader != NOWHERE)
    fp_order_prepare (&self->order, item, self->records, leader, self->format);
  else
    fp_order_prepare (&self->order, item, fp_rows_get_records (self, item->row.kind), item->row.index, self->format);
}

static Run
get_sorted_run (FpRows *self,
                guint group)
{
  Run run = get_run (self, group);

  if (self->are_sorted->data[group])
    return run;
  for (guint i = run.next; i < run.end; i++)
    prepare (self, g_array_index (self->children, FpItem *, i));
  fp_order_sort (&self->order, &g_array_index (self->children, FpItem *, run.next), run.end - run.next,
                 self->is_order_held);
  self->are_sorted->data[group] = TRUE;
  return run;
}

static gboolean
is_search_open (const FpRows *self)
{
  return self->opens_matches && self->query;
}

/* Groups in it are open unless their key is there. NULL: they are closed unless it is in self->expanded. */
static GHashTable *
get_closed (const FpRows *self)
{
  if (is_search_open (self))
    return self->closed;
  return fp_groups_are_records (&self->groups) && self->records->class->is_open_tree ? self->folded : NULL;
}

static gboolean
is_expanded (const FpRows *self,
             const FpKey *key)
{
  GHashTable *closed = get_closed (self);

  return closed ? !g_hash_table_contains (closed, key) : g_hash_table_contains (self->expanded, key);
}

static gboolean
can_expand (const FpRows *self,
            const FpRow *row)
{
  return row->kind == FP_ROW_GROUP || (row->kind == FP_ROW_RECORD && self->records->class->list_parts);
}

/* Gives each open record a run, and lists them. No search opens one. */
static GArray *
find_open_records (FpRows *self)
{
  GArray *open = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < self->items->len; i++)
    {
      FpItem *item = &g_array_index (self->items, FpItem, i);

      item->parts = NOWHERE;
      if (item->row.kind != FP_ROW_RECORD || !can_expand (self, &item->row) ||
          !g_hash_table_contains (self->expanded, &item->row.key))
        continue;
      item->parts = self->groups.totals->n + 1 + open->len;
      g_array_append_val (open, item->row.index);
    }
  return open;
}

/* Puts the parts of open records behind all children. */
static void
add_parts (FpRows *self)
{
  g_autoptr (GArray) open = find_open_records (self);
  g_autofree guint *ends = g_new (guint, open->len + 1);

  g_clear_pointer (&self->parts, fp_records_unref);
  g_array_set_size (self->children, self->items->len);
  g_array_set_size (self->child_starts, self->groups.totals->n + 2);
  g_byte_array_set_size (self->are_sorted, self->groups.totals->n + 1);
  if (open->len == 0)
    return;
  self->parts = self->records->class->list_parts (self->records, (const guint *)open->data, open->len, ends);
  g_array_set_size (self->part_items, self->parts->n);
  for (guint i = 0; i < self->parts->n; i++)
    {
      FpItem *item = &g_array_index (self->part_items, FpItem, i);

      *item = (FpItem){ .row = { fp_records_get_key (self->parts, i), i, FP_ROW_PART, 0, FALSE, FALSE, FALSE },
                        .rank = FP_NO_RANK,
                        .parts = NOWHERE };
      g_array_append_val (self->children, item);
    }
  for (guint i = 0; i < open->len; i++)
    {
      guint end = self->items->len + ends[i];

      g_array_append_val (self->child_starts, end);
      g_byte_array_append (self->are_sorted, &(guint8){ FALSE }, 1);
    }
}

/* A recursion might be as deep as there are processes. */
static void
flatten (FpRows *self)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (Run));
  Run run;

  add_parts (self);
  run = get_sorted_run (self, self->groups.totals->n);
  g_array_set_size (self->rows, 0);
  for (;;)
    {
      const FpItem *item;
      FpRow row;

      if (run.next == run.end)
        {
          if (open->len == 0)
            return;
          run = g_array_index (open, Run, open->len - 1);
          g_array_set_size (open, open->len - 1);
          continue;
        }
      item = g_array_index (self->children, FpItem *, run.next++);
      row = item->row;
      row.depth = (guint16)MIN (open->len, G_MAXUINT16);
      row.can_expand = can_expand (self, &row);
      row.is_expanded = row.kind == FP_ROW_GROUP ? is_expanded (self, &row.key) : item->parts != NOWHERE;
      g_array_append_val (self->rows, row);
      if (row.is_expanded)
        {
          g_array_append_val (open, run);
          run = get_sorted_run (self, row.kind == FP_ROW_GROUP ? row.index : item->parts);
        }
    }
}

/* Whether a record that is shown has this key, and parts. */
static gboolean
is_whole (const FpRows *self,
          const FpKey *key)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      const FpRow *row = &g_array_index (self->rows, FpRow, i);

      if (row->kind == FP_ROW_RECORD && row->can_expand && fp_key_equal (&row->key, key))
        return TRUE;
    }
  return FALSE;
}

void
fp_rows_set_expanded (FpRows *self,
                      FpKey key,
                      gboolean is_expanded)
{
  GHashTable *closed = is_whole (self, &key) ? NULL : get_closed (self);
  GHashTable *keys = closed ? closed : self->expanded;

  if (is_expanded != (closed != NULL))
    g_hash_table_add (keys, g_memdup2 (&key, sizeof key));
  else
    g_hash_table_remove (keys, &key);
  if (self->records)
    flatten (self);
}

static void
show_records (FpRows *self,
              const FpRecords *old,
              const FpRecords *old_totals,
              const GArray *old_parent_of)
{
  FpRecords *records = self->records;
  gboolean is_grouped = (records->class->kind & fp_grouping_infos[self->grouping].kinds) != 0;
  g_autofree guint *now = NULL;

  find_matches (self, records);
  fp_groups_make (&self->groups, is_grouped ? self->grouping : FP_GROUPING_NOTHING, records,
                  (const guint *)self->matches->data, self->matches->len, self->format);
  if (self->control_groups)
    fp_counted_find_for_users (&self->groups, self->control_groups, records, self->matches);

  g_array_set_size (self->items, 0);
  if (self->is_order_held)
    {
      now = locate_rows (self, old);
      add_held (self, old, old_totals, old_parent_of, now);
    }
  else
    g_clear_pointer (&self->ended, fp_records_unref);
  if (self->history && records->class->kind == FP_RECORD_PROCESS)
    fp_total_history_tell (self->history, self->groups.grouping, self->groups.totals, records,
                           (const guint *)self->matches->data, self->matches->len, self->format);
  add_matches (self);
  add_groups (self);
  add_total (self);
  if (self->is_order_held)
    rank_items (self, now);
}

void
fp_rows_update (FpRows *self,
                FpRecords *records,
                const FpFormat *format)
{
  g_autoptr (FpRecords) old = g_steal_pointer (&self->records);
  g_autoptr (FpRecords) old_totals = g_steal_pointer (&self->groups.totals);
  g_autoptr (GArray) old_parent_of = g_array_copy (self->groups.parent_of);

  self->is_order_held = self->is_held && !self->is_reordered && old && records->class->copy_ended;
  if (format)
    self->own_format = *format;
  self->format = format ? &self->own_format : NULL;
  self->records = fp_records_ref (records);
  self->is_reordered = FALSE;
  fp_order_forget_texts (&self->order);
  if (self->only_ended)
    show_only_ended (self);
  else
    show_records (self, old, old_totals, old_parent_of);
  distribute (self);
  flatten (self);
}

guint
fp_rows_get_n (const FpRows *self)
{
  return self->rows->len;
}

/* Returns the number of rows with every group expanded. */
guint
fp_rows_get_n_open (const FpRows *self)
{
  return self->items->len;
}

/* Returns whether the rows stand in another order than they would be sorted in. */
gboolean
fp_rows_is_order_held (const FpRows *self)
{
  return self->is_order_held;
}

const FpRow *
fp_rows_get (const FpRows *self,
             guint position)
{
  return &g_array_index (self->rows, FpRow, position);
}

/* (nullable): NULL if there are no rows of that kind */
const FpRecords *
fp_rows_get_records (const FpRows *self,
                     FpRowKind kind)
{
  switch (kind)
    {
    case FP_ROW_GROUP:
      return self->groups.totals;
    case FP_ROW_ENDED:
      return self->ended;
    case FP_ROW_TOTAL:
      return self->total;
    case FP_ROW_PART:
      return self->parts;
    case FP_ROW_RECORD:
    case FP_N_ROW_KINDS:
    default:
      return self->records;
    }
}

/* Gives all matches in the order of the records, also those in collapsed groups. */
const guint *
fp_rows_get_matches (const FpRows *self,
                     guint *n)
{
  *n = self->matches->len;
  return (const guint *)self->matches->data;
}

/* Gives the matches that are only possible, in the same order. */
const guint *
fp_rows_get_possible (const FpRows *self,
                      guint *n)
{
  *n = self->possible->len;
  return (const guint *)self->possible->data;
}

/* Adds all records in a group or total, or the record itself. Ended records have no index, and parts are in none. */
void
fp_rows_add_members (const FpRows *self,
                     guint position,
                     GArray *indices)
{
  const FpRow *row = fp_rows_get (self, position);
  g_autoptr (GArray) groups = NULL;

  if (row->kind != FP_ROW_ENDED && is_record (row, self->records))
    {
      g_array_append_val (indices, row->index);
      return;
    }
  if (row->kind == FP_ROW_TOTAL)
    g_array_append_vals (indices, self->matches->data, self->matches->len);
  if (row->kind != FP_ROW_GROUP)
    return;
  groups = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (groups, row->index);
  for (guint i = 0; i < groups->len; i++)
    for (Run run = get_run (self, g_array_index (groups, guint, i)); run.next < run.end; run.next++)
      {
        const FpRow *child = &g_array_index (self->children, FpItem *, run.next)->row;

        if (child->kind != FP_ROW_ENDED)
          g_array_append_val (child->kind == FP_ROW_GROUP ? groups : indices, child->index);
      }
}
