// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-mapping-changes.h"

#define NONE G_MAXUINT

const FpMappingChangeInfo fp_mapping_change_infos[FP_N_MAPPING_CHANGES] = {
  [FP_MAPPING_SAME] = { "same", NC_ ("outcome", "The same") },
  [FP_MAPPING_NEW] = { "new", NC_ ("outcome", "New") },
  [FP_MAPPING_GONE] = { "gone", NC_ ("outcome", "Gone") },
  [FP_MAPPING_GROWN] = { "grown", NC_ ("outcome", "Grown") },
  [FP_MAPPING_SHRUNK] = { "shrunk", NC_ ("outcome", "Shrunk") },
};

/* The places in both lists, or NONE */
typedef struct
{
  guint64 start;
  guint before;
  guint after;
} Pair;

typedef struct
{
  FpRecords parent;
  FpRecords *before;
  FpRecords *after;
  GArray *pairs;
} FpMappingChanges;

static const Pair *
get_pair (const FpRecords *records,
          guint index)
{
  return &g_array_index (((const FpMappingChanges *)records)->pairs, Pair, index);
}

/* A mapping that is not there has no memory. */
static FpMemory
get_memory (const FpRecords *records,
            guint index)
{
  FpMemory memory = { 0 };
  guint64 fields;

  if (index != NONE)
    records->class->get_memory (records, index, &memory, &fields);
  return memory;
}

/* Gives the mapping as it is now, or as it was if it is gone. */
static void
fp_mapping_changes_get_facts (const FpRecords *records,
                              guint index,
                              FpMapping *mapping)
{
  const FpMappingChanges *self = (const FpMappingChanges *)records;
  const Pair *pair = get_pair (records, index);

  if (pair->after != NONE)
    fp_mapping_records_get_facts (self->after, pair->after, mapping);
  else
    fp_mapping_records_get_facts (self->before, pair->before, mapping);
}

static FpKey
fp_mapping_changes_get_key (const FpRecords *records,
                            guint index)
{
  FpMapping mapping;

  fp_mapping_changes_get_facts (records, index, &mapping);
  return fp_mapping_get_key (&mapping);
}

/* Gives the figures before and after, and returns a bit for each field whose difference is known. A mapping that is not
 * there counts as 0. A field that the kernel gives on one side alone has no difference. */
guint64
fp_mapping_changes_get_both (const FpRecords *changes,
                             guint index,
                             FpMemory *before,
                             FpMemory *after)
{
  const FpMappingChanges *self = (const FpMappingChanges *)changes;
  const Pair *pair = get_pair (changes, index);

  *before = get_memory (self->before, pair->before);
  *after = get_memory (self->after, pair->after);
  return fp_mapping_fields & (pair->before == NONE ? G_MAXUINT64 : before->present) &
         (pair->after == NONE ? G_MAXUINT64 : after->present);
}

static FpFigure
get_side (const FpRecords *records,
          guint index,
          FpField field)
{
  return index == NONE ? fp_figure_exact (0) : fp_records_get_figure (records, index, field);
}

static FpFigure
fp_mapping_changes_get_figure (const FpRecords *records,
                               guint index,
                               FpField field)
{
  const FpMappingChanges *self = (const FpMappingChanges *)records;
  const Pair *pair = get_pair (records, index);
  FpFigure before = get_side (self->before, pair->before, field), after = get_side (self->after, pair->after, field);

  if (before.kind != FP_FIGURE_EXACT || after.kind != FP_FIGURE_EXACT)
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  return fp_figure_difference (before.low, after.low);
}

static int
compare (guint64 before,
         guint64 after)
{
  return (after > before) - (after < before);
}

FpMappingChange
fp_mapping_changes_get_change (const FpRecords *changes,
                               guint index)
{
  const FpMappingChanges *self = (const FpMappingChanges *)changes;
  const Pair *pair = get_pair (changes, index);
  FpMapping before, after;
  int order;

  if (pair->before == NONE)
    return FP_MAPPING_NEW;
  if (pair->after == NONE)
    return FP_MAPPING_GONE;
  fp_mapping_records_get (self->before, pair->before, &before);
  fp_mapping_records_get (self->after, pair->after, &after);
  order = compare (fp_memory_get (&before.memory, FP_FIELD_RSS) + fp_memory_get (&before.memory, FP_FIELD_SWAP),
                   fp_memory_get (&after.memory, FP_FIELD_RSS) + fp_memory_get (&after.memory, FP_FIELD_SWAP));
  if (order == 0)
    order = compare (before.end - before.start, after.end - after.start);
  return order == 0 ? FP_MAPPING_SAME : order > 0 ? FP_MAPPING_GROWN
                                                  : FP_MAPPING_SHRUNK;
}

static void
fp_mapping_changes_free (FpRecords *records)
{
  FpMappingChanges *self = (FpMappingChanges *)records;

  fp_records_unref (self->before);
  fp_records_unref (self->after);
  g_array_unref (self->pairs);
  g_free (self);
}

/* Stacks grow down, and the kernel joins new memory to the mapping above it, whose end stays. */
static gboolean
is_same_place (const FpMapping *a,
               const FpMapping *b)
{
  if (a->inode != b->inode)
    return FALSE;
  return (a->start == b->start && a->offset == b->offset) ||
         (a->inode == 0 && a->end == b->end && g_str_equal (a->name, b->name));
}

static void
add_pair (FpMappingChanges *self,
          guint64 start,
          guint before,
          guint after)
{
  Pair pair = { start, before, after };

  g_array_append_val (self->pairs, pair);
}

/* Both lists ascend by address, and each may have a mapping at the same address. */
static void
merge (FpMappingChanges *self)
{
  guint i = 0, j = 0;

  while (i < self->before->n || j < self->after->n)
    {
      FpMapping before = { .start = G_MAXUINT64 }, after = { .start = G_MAXUINT64 };

      if (i < self->before->n)
        fp_mapping_records_get_facts (self->before, i, &before);
      if (j < self->after->n)
        fp_mapping_records_get_facts (self->after, j, &after);
      if (i < self->before->n && j < self->after->n && is_same_place (&before, &after))
        add_pair (self, after.start, i++, j++);
      else if (j == self->after->n || (i < self->before->n && before.start <= after.start))
        add_pair (self, before.start, i++, NONE);
      else
        add_pair (self, after.start, NONE, j++);
    }
}

FpRecords *
fp_mapping_changes_new (const FpRecords *marked,
                        const FpRecords *now)
{
  static const FpRecordsClass class = {
    FP_RECORD_CHANGE,
    fp_mapping_changes_get_key,
    NULL,
    fp_mapping_changes_get_figure,
    fp_mapping_changes_get_facts,
    fp_mapping_changes_free,
  };
  FpMappingChanges *self = g_new0 (FpMappingChanges, 1);

  self->parent.class = &class;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->before = fp_records_ref ((FpRecords *)marked);
  self->after = fp_records_ref ((FpRecords *)now);
  self->pairs = g_array_sized_new (FALSE, FALSE, sizeof (Pair), now->n);
  merge (self);
  self->parent.n = self->pairs->len;
  return &self->parent;
}
