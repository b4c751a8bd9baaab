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

typedef struct
{
  const FpControlGroups *before;
  const FpControlGroups *after;
  gboolean is_same_boot;
  FpPairing pairing;
} Comparison;

/* A container sees its own group as the root, under another path after a restart. */
static void
pair_paths (Comparison *self)
{
  for (guint i = 0; i < self->after->n; i++)
    {
      const FpControlGroup *group = &self->after->groups[i];
      const FpControlGroup *old = i == 0 && self->before->n > 0 ? self->before->groups
                                                                : fp_control_groups_find (self->before, group->path);

      if (old && self->pairing.partners_before[old - self->before->groups] == NOWHERE)
        fp_pairing_pair (&self->pairing, (guint)(old - self->before->groups), i,
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
list_by_name (const FpControlGroups *groups,
              const guint32 *partners,
              const guint32 *parents,
              guint depth)
{
  GHashTable *lists = fp_pairing_new_lists ();

  for (guint i = 0; i < groups->n; i++)
    {
      const FpControlGroup *group = &groups->groups[i];
      guint32 parent;

      if (group->depth != depth || partners[i] != NOWHERE || group->parent == FP_CONTROL_NONE)
        continue;
      parent = parents ? parents[group->parent] : group->parent;
      if (parent != NOWHERE)
        fp_pairing_list (lists, g_strdup_printf ("%u\n%d\n%s", parent, (int)group->kind, group->name), i);
    }
  return lists;
}

/* The path of an app has a number that is another one after a restart, and its name has none. */
static void
pair_ranks (Comparison *self,
            guint depth)
{
  const FpPairing *pairing = &self->pairing;
  g_autoptr (GHashTable) before = list_by_name (self->before, pairing->partners_before, pairing->partners_before, depth);
  g_autoptr (GHashTable) after = list_by_name (self->after, pairing->partners_after, NULL, depth);

  fp_pairing_pair_ranks (&self->pairing, before, after, compare_sizes);
}

static void
pair_all (Comparison *self)
{
  fp_pairing_init (&self->pairing, self->before, self->before->n, self->after, self->after->n);
  pair_paths (self);
  for (guint depth = 1; depth <= FP_CONTROL_MAX_DEPTH; depth++)
    pair_ranks (self, depth);
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
  Comparison comparison = { .before = before, .after = after, .is_same_boot = is_same_boot };
  FpPairing *pairing = &comparison.pairing;
  FpRecords *records;

  pair_all (&comparison);
  merged->has_memory = after->has_memory;
  merged->has_pressure = after->has_pressure;
  merged->is_cut = before->is_cut || after->is_cut;
  for (guint i = 0; i < after->n; i++)
    {
      add_copy (merged, &after->groups[i]);
      compared->places[i] = pairing->partners_after[i];
      compared->pairs[i] = pairing->pairs[i];
    }
  /* Groups around others stand before them, so their places are known. */
  for (guint i = 0; i < before->n; i++)
    if (pairing->partners_before[i] == NOWHERE)
      {
        compared->places[merged->n] = i;
        compared->are_ended[merged->n] = TRUE;
        pairing->partners_before[i] = merged->n;
        add_gone (merged, &before->groups[i], pairing->partners_before);
      }
  fp_pairing_clear (pairing);
  fp_control_groups_seal (merged);
  records = fp_control_records_new (merged, processes, changes);
  records->compared = compared;
  return records;
}
