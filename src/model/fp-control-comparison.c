// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <string.h>

#include "fp-comparison-private.h"
#include "fp-control-comparison.h"
#include "fp-control-records.h"

#define NOWHERE FP_COMPARED_NOWHERE

/* In the id of a group that is gone, which must not be that of another one today. */
#define GONE (G_GUINT64_CONSTANT (1) << 63)

/* Two lists of which each group gets its partner in the other, or NOWHERE. */
typedef struct
{
  const FpControlGroups *before;
  const FpControlGroups *after;
  guint32 *partners_before; /* of each group before: its place after */
  guint32 *partners_after;
  guint8 *pairs; /* FpPair of each group after */
  gboolean is_same_boot;
} Pairing;

static void
pair (Pairing *self,
      guint before,
      guint after,
      FpPair how)
{
  self->partners_before[before] = after;
  self->partners_after[after] = before;
  self->pairs[after] = (guint8)how;
}

/* A container sees its own group as the root, under another path after a restart. */
static void
pair_paths (Pairing *self)
{
  for (guint i = 0; i < self->after->n; i++)
    {
      const FpControlGroup *group = &self->after->groups[i];
      const FpControlGroup *old = i == 0 && self->before->n > 0 ? self->before->groups
                                                                : fp_control_groups_find (self->before, group->path);

      if (old && self->partners_before[old - self->before->groups] == NOWHERE)
        pair (self, (guint)(old - self->before->groups), i,
              self->is_same_boot && old->id == group->id ? FP_PAIR_SAME : FP_PAIR_PATH);
    }
}

/* Larger ones come first, and of equal ones those that stand first. */
static gint
compare_sizes (gconstpointer a,
               gconstpointer b,
               gpointer data)
{
  const FpControlGroup *groups = ((const FpControlGroups *)data)->groups;
  guint x = *(const guint *)a, y = *(const guint *)b;
  guint64 of_x = groups[x].figures[FP_CONTROL_MEMORY], of_y = groups[y].figures[FP_CONTROL_MEMORY];

  return of_x != of_y ? (of_x < of_y) - (of_x > of_y) : (x > y) - (x < y);
}

/* Lists those at a depth without a partner, by what they are called and by the group around them at the later moment.
 * parents: (nullable): partners of the list's groups at that moment; NULL: it is the later list */
static GHashTable *
group_by_name (const FpControlGroups *groups,
               const guint32 *partners,
               const guint32 *parents,
               guint depth)
{
  GHashTable *lists = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);
  GHashTableIter iter;
  gpointer members;

  for (guint i = 0; i < groups->n; i++)
    {
      const FpControlGroup *group = &groups->groups[i];
      g_autofree char *name = NULL;
      guint32 parent;
      GArray *list;

      if (group->depth != depth || partners[i] != NOWHERE || group->parent == FP_CONTROL_NONE)
        continue;
      parent = parents ? parents[group->parent] : group->parent;
      if (parent == NOWHERE)
        continue;
      name = g_strdup_printf ("%u\n%d\n%s", parent, (int)group->kind, group->name);
      list = g_hash_table_lookup (lists, name);
      if (!list)
        g_hash_table_insert (lists, g_steal_pointer (&name), list = g_array_new (FALSE, FALSE, sizeof (guint)));
      g_array_append_val (list, i);
    }
  g_hash_table_iter_init (&iter, lists);
  while (g_hash_table_iter_next (&iter, NULL, &members))
    g_array_sort_with_data (members, compare_sizes, (gpointer)groups);
  return lists;
}

/* The path of an app has a number that is another one after a restart, and its name has none. */
static void
pair_ranks (Pairing *self,
            guint depth)
{
  g_autoptr (GHashTable) before = group_by_name (self->before, self->partners_before, self->partners_before, depth);
  g_autoptr (GHashTable) after = group_by_name (self->after, self->partners_after, NULL, depth);
  GHashTableIter iter;
  gpointer name, members;

  g_hash_table_iter_init (&iter, after);
  while (g_hash_table_iter_next (&iter, &name, &members))
    {
      GArray *old = g_hash_table_lookup (before, name), *new = members;

      for (guint i = 0; old && i < MIN (old->len, new->len); i++)
        pair (self, g_array_index (old, guint, i), g_array_index (new, guint, i), FP_PAIR_RANK);
    }
}

static void
pairing_init (Pairing *self,
              const FpControlGroups *before,
              const FpControlGroups *after,
              gboolean is_same_boot)
{
  *self = (Pairing){ .before = before, .after = after, .is_same_boot = is_same_boot };
  self->partners_before = g_new (guint32, before->n + 1);
  self->partners_after = g_new (guint32, after->n + 1);
  self->pairs = g_new0 (guint8, after->n + 1);
  memset (self->partners_before, 0xff, sizeof (guint32) * before->n);
  memset (self->partners_after, 0xff, sizeof (guint32) * after->n);
  pair_paths (self);
  for (guint depth = 1; depth <= FP_CONTROL_MAX_DEPTH; depth++)
    pair_ranks (self, depth);
}

static void
pairing_clear (Pairing *self)
{
  g_free (self->partners_before);
  g_free (self->partners_after);
  g_free (self->pairs);
}

static FpControlGroup *
add_copy (FpControlGroups *groups,
          const FpControlGroup *group)
{
  FpControlGroup *copy = &groups->groups[groups->n++];

  *copy = *group;
  copy->path = g_string_chunk_insert (groups->texts, group->path);
  copy->name = g_string_chunk_insert (groups->texts, group->name);
  return copy;
}

/* It has no figures any more, and stands in the group where it was. */
static void
add_gone (FpControlGroups *merged,
          const FpControlGroup *old,
          const guint32 *places)
{
  FpControlGroup *gone = add_copy (merged, old);

  gone->id |= GONE;
  gone->present = 0;
  gone->measured_us = gone->waited_us = gone->waited_over_us = 0;
  gone->parent = old->parent == FP_CONTROL_NONE ? FP_CONTROL_NONE : places[old->parent];
}

/* processes, changes: (nullable): as in fp_control_records_new () */
FpRecords *
fp_control_comparison_new (FpControlGroups *before,
                           FpControlGroups *after,
                           gboolean is_same_boot,
                           const FpRecords *processes,
                           const FpControlChanges *changes)
{
  g_autoptr (FpControlGroups) merged = fp_control_groups_new (before->n + after->n);
  FpCompared *compared = fp_compared_new (fp_control_records_new (before, processes, NULL), before->n + after->n);
  FpRecords *records;
  Pairing pairing;

  pairing_init (&pairing, before, after, is_same_boot);
  merged->has_memory = after->has_memory;
  merged->has_pressure = after->has_pressure;
  merged->is_cut = before->is_cut || after->is_cut;
  for (guint i = 0; i < after->n; i++)
    {
      add_copy (merged, &after->groups[i]);
      compared->places[i] = pairing.partners_after[i];
      compared->pairs[i] = pairing.pairs[i];
    }
  /* Groups around others stand before them, so their places are known. */
  for (guint i = 0; i < before->n; i++)
    if (pairing.partners_before[i] == NOWHERE)
      {
        compared->places[merged->n] = i;
        compared->are_ended[merged->n] = TRUE;
        pairing.partners_before[i] = merged->n;
        add_gone (merged, &before->groups[i], pairing.partners_before);
      }
  pairing_clear (&pairing);
  fp_control_groups_seal (merged);
  records = fp_control_records_new (merged, processes, changes);
  records->compared = compared;
  return records;
}
