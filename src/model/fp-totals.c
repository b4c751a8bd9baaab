// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-comparison.h"
#include "fp-mapping-changes.h"
#include "fp-totals.h"

/* A sum is at most this: no machine has more memory, and many readers of JSON take no larger integer. */
#define MOST ((guint64)G_MAXINT64)

const FpKey fp_total_key_of_all = { 0, G_MAXUINT64 - 1 };

typedef struct
{
  FpRecords parent;
  guint64 fields; /* a bit for each that is added up */
  GArray *totals;
  GStringChunk *names;
  GHashTable *by_key;
  FpRecords *counted; /* (nullable): what the control groups of each count */
  FpRecords *before;  /* (nullable): of members that know it, their totals at an earlier moment, in the same places */
  guint last;         /* the group found last: neighbours often belong together */
  guint last_parent;
} FpTotals;

const FpTotal *
fp_totals_get (const FpRecords *records,
               guint index)
{
  return &g_array_index (((const FpTotals *)records)->totals, FpTotal, index);
}

/* (nullable): control groups, of which each is the sum of those of the total at its place. It is never added up with the
 * figures of processes. */
const FpRecords *
fp_totals_get_counted (const FpRecords *records)
{
  return ((const FpTotals *)records)->counted;
}

/* (nullable): totals of what the members were, which may be fewer: those of groups that were not there are missing */
const FpRecords *
fp_totals_get_before (const FpRecords *records)
{
  return ((const FpTotals *)records)->before;
}

/* Returns how much more than their lower ends the members that were read have at most. */
guint64
fp_total_get_spread (const FpTotal *self,
                     FpField field)
{
  FpRange range = fp_field_get_range (field);

  return range < FP_N_RANGES ? MIN (self->spread[range], self->high[field] - self->low[field]) : 0;
}

static FpKey
fp_totals_get_key (const FpRecords *records,
                   guint index)
{
  return fp_totals_get (records, index)->key;
}

/* Private is a part of Memory, so that it is never more, even where what is known of it alone would allow that. */
static guint64
get_high (const FpRecords *records,
          const FpTotal *total,
          FpField field)
{
  const gboolean has_both = field == FP_FIELD_USS && (((const FpTotals *)records)->fields >> FP_FIELD_PSS & 1);

  return has_both ? MAX (total->low[field], MIN (total->high[field], total->high[FP_FIELD_PSS])) : total->high[field];
}

static FpFigure
fp_totals_get_sum (const FpRecords *records,
                   guint index,
                   FpField field)
{
  const FpTotal *total = fp_totals_get (records, index);
  gboolean has_known = total->known >> field & 1, has_unknown = total->unknown >> field & 1;
  guint64 high = get_high (records, total, field);

  if (!has_known && !has_unknown)
    return (FpFigure){ FP_FIGURE_NONE, 0, 0 };
  if (high == total->low[field])
    return fp_figure_exact (total->low[field]);
  /* “At least 0” says nothing. */
  if (high == G_MAXUINT64 && (!has_known || total->low[field] == 0))
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  if (!has_known)
    return fp_figure_at_most (high);
  return (FpFigure){ has_unknown ? FP_FIGURE_PARTIAL : FP_FIGURE_RANGE, total->low[field], high };
}

/* In a total of changes, low is the sum of all decreases and high the sum of all increases. */
static FpFigure
fp_totals_get_difference (const FpRecords *records,
                          guint index,
                          FpField field)
{
  const FpTotal *total = fp_totals_get (records, index);

  if (!(total->known >> field & 1))
    return (FpFigure){ total->unknown >> field & 1 ? FP_FIGURE_UNKNOWN : FP_FIGURE_NONE, 0, G_MAXUINT64 };
  return fp_figure_difference (total->low[field], total->high[field]);
}

static void
fp_totals_free (FpRecords *records)
{
  FpTotals *self = (FpTotals *)records;

  g_array_unref (self->totals);
  g_hash_table_unref (self->by_key);
  g_clear_pointer (&self->counted, fp_records_unref);
  g_clear_pointer (&self->before, fp_records_unref);
  g_string_chunk_free (self->names);
  g_free (self);
}

static inline void
add_ends (FpTotal *total,
          FpField field,
          guint64 low,
          guint64 high)
{
  total->low[field] = low > MOST - total->low[field] ? MOST : total->low[field] + low;
  if (total->high[field] == G_MAXUINT64 || high > MOST - total->high[field])
    total->high[field] = G_MAXUINT64;
  else
    total->high[field] += high;
}

static void
add_change (FpTotal *total,
            const FpRecords *changes,
            guint index)
{
  FpMemory before, after;
  guint64 known = fp_mapping_changes_get_both (changes, index, &before, &after) & fp_summed_fields;

  total->n_members++;
  total->known |= known;
  total->unknown |= fp_mapping_fields & fp_summed_fields & ~known;
  for (guint64 fields = known; fields; fields &= fields - 1)
    {
      FpField field = (FpField)__builtin_ctzll (fields);
      guint64 less = fp_memory_get (&before, field), more = fp_memory_get (&after, field);

      if (less != more)
        add_ends (total, field, less > more ? less - more : 0, more > less ? more - less : 0);
    }
}

/* Makes room for the group at the same place. */
static FpRecords *
get_before (FpRecords *totals,
            FpRecordKind kind,
            guint group)
{
  FpTotals *self = (FpTotals *)totals;

  if (!self->before)
    {
      self->before = fp_totals_new_empty (kind);
      ((FpTotals *)self->before)->fields = self->fields;
    }
  while (self->before->n <= group)
    fp_totals_add (self->before, "", fp_total_key_of_all);
  return self->before;
}

static void
add_before (FpRecords *totals,
            guint group,
            const FpRecords *records,
            guint index)
{
  FpRecords *before = get_before (totals, records->class->kind, group);
  guint place;
  const FpRecords *old = fp_records_find_before (records, index, &place);

  if (old)
    fp_totals_add_member (before, group, old, place);
}

void
fp_totals_add_member (FpRecords *totals,
                      guint group,
                      const FpRecords *records,
                      guint index)
{
  FpTotal *total = &g_array_index (((FpTotals *)totals)->totals, FpTotal, group);
  FpMemory buffer;
  guint64 fields;
  const FpMemory *memory;

  if (records->compared)
    add_before (totals, group, records, index);
  if (fp_records_has_ended (records, index))
    return;
  if (records->class->kind == FP_RECORD_CHANGE)
    {
      add_change (total, records, index);
      return;
    }
  memory = records->class->get_memory (records, index, &buffer, &fields);
  total->n_members++;
  if (records->class->kind == FP_RECORD_PROCESS)
    total->n_unread += fp_process_is_unread (fp_process_records_get (records, index));
  fields &= ((FpTotals *)totals)->fields;
  total->known |= fields & memory->present;
  for (guint64 known = fields & memory->present; known; known &= known - 1)
    {
      FpField field = (FpField)__builtin_ctzll (known);

      if (memory->figures[field] > 0)
        add_ends (total, field, memory->figures[field], memory->figures[field]);
    }
  for (guint64 unknown = fields & ~memory->present; unknown; unknown &= unknown - 1)
    {
      FpField field = (FpField)__builtin_ctzll (unknown);
      FpFigure figure = fp_figure_of_memory (memory, field);

      add_ends (total, field, figure.low, figure.high);
      if (figure.kind == FP_FIGURE_EXACT || figure.kind == FP_FIGURE_RANGE)
        total->known |= unknown & -unknown;
      else
        total->unknown |= unknown & -unknown;
      if (figure.kind == FP_FIGURE_RANGE)
        total->spread[fp_field_get_range (field)] += figure.high - figure.low;
    }
}

/* Adds all members of another group at once. The group may belong to other totals. */
void
fp_totals_add_group (FpRecords *totals,
                     guint group,
                     const FpRecords *others,
                     guint added)
{
  FpTotal *total = &g_array_index (((FpTotals *)totals)->totals, FpTotal, group);
  const FpTotal *other = fp_totals_get (others, added);
  FpRecords *before = ((const FpTotals *)others)->before;

  if (before && added < before->n)
    fp_totals_add_group (get_before (totals, before->class->kind, group), group, before, added);
  total->n_members += other->n_members;
  total->n_unread += other->n_unread;
  total->known |= other->known;
  total->unknown |= other->unknown;
  for (guint64 fields = other->known | other->unknown; fields; fields &= fields - 1)
    {
      FpField field = (FpField)__builtin_ctzll (fields);

      add_ends (total, field, other->low[field], other->high[field]);
    }
  for (FpRange range = 0; range < FP_N_RANGES; range++)
    total->spread[range] += other->spread[range];
}

FpRecords *
fp_totals_new_empty (FpRecordKind members)
{
  static const FpRecordsClass of_processes = { FP_RECORD_TOTAL, fp_totals_get_key, NULL, fp_totals_get_sum, NULL, fp_totals_free };
  static const FpRecordsClass of_mappings = { FP_RECORD_FOLD, fp_totals_get_key, NULL, fp_totals_get_sum, NULL, fp_totals_free };
  static const FpRecordsClass of_changes = { FP_RECORD_FOLD, fp_totals_get_key, NULL, fp_totals_get_difference, NULL, fp_totals_free };
  FpTotals *self = g_new0 (FpTotals, 1);

  self->parent.class = members & (FP_RECORD_MAPPING | FP_RECORD_MAPPED_FILE) ? &of_mappings
                       : members == FP_RECORD_CHANGE                         ? &of_changes
                                                                             : &of_processes;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->last = G_MAXUINT;
  self->fields = fp_summed_fields;
  self->totals = g_array_new (FALSE, TRUE, sizeof (FpTotal));
  self->names = g_string_chunk_new (1024);
  self->by_key = g_hash_table_new_full (fp_key_hash, fp_key_equal, g_free, NULL);
  return &self->parent;
}

guint
fp_totals_add (FpRecords *totals,
               const char *name,
               FpKey key)
{
  FpTotals *self = (FpTotals *)totals;
  guint group = self->totals->len;
  FpTotal *total;

  g_array_set_size (self->totals, group + 1);
  total = &g_array_index (self->totals, FpTotal, group);
  total->name = g_string_chunk_insert (self->names, name);
  total->full_name = "";
  total->key = key;
  self->parent.n = group + 1;
  return group;
}

void
fp_totals_set_full_name (FpRecords *totals,
                         guint group,
                         const char *full_name)
{
  FpTotals *self = (FpTotals *)totals;
  FpTotal *total = &g_array_index (self->totals, FpTotal, group);

  if (*full_name && !*total->full_name)
    total->full_name = g_string_chunk_insert (self->names, full_name);
}

/* FNV-1a: a group is known by the names from the top down to its own, and told apart from a process by b. */
FpKey
fp_total_make_key (const FpKey *parent,
                   const char *name)
{
  guint64 hash = parent ? parent->a * 31 + 1 : G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (; *name; name++)
    hash = (hash ^ (guchar)*name) * G_GUINT64_CONSTANT (0x100000001b3);
  return (FpKey){ hash, G_MAXUINT64 };
}

guint
fp_totals_find_or_add (FpRecords *totals,
                       guint parent,
                       const char *name)
{
  FpTotals *self = (FpTotals *)totals;
  gpointer found;
  FpKey key;

  if (self->last < self->totals->len && self->last_parent == parent &&
      strcmp (fp_totals_get (totals, self->last)->name, name) == 0)
    return self->last;
  key = fp_total_make_key (parent == G_MAXUINT ? NULL : &fp_totals_get (totals, parent)->key, name);
  self->last_parent = parent;
  /* Processes choose their names, so two names can be made to have the same hash. */
  for (; g_hash_table_lookup_extended (self->by_key, &key, NULL, &found); key.a++)
    if (strcmp (fp_totals_get (totals, GPOINTER_TO_UINT (found))->name, name) == 0)
      return self->last = GPOINTER_TO_UINT (found);
  self->last = fp_totals_add (totals, name, key);
  g_hash_table_insert (self->by_key, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (self->last));
  return self->last;
}

/* n_counted, n_outside: of each total */
void
fp_totals_set_counted (FpRecords *totals,
                       FpRecords *counted,
                       const guint *n_counted,
                       const guint *n_outside)
{
  FpTotals *self = (FpTotals *)totals;

  g_clear_pointer (&self->counted, fp_records_unref);
  self->counted = fp_records_ref (counted);
  for (guint i = 0; i < self->totals->len; i++)
    {
      g_array_index (self->totals, FpTotal, i).n_counted = n_counted[i];
      g_array_index (self->totals, FpTotal, i).n_outside = n_outside[i];
    }
}

FpRecords *
fp_totals_new (const FpRecords *records,
               const guint *indices,
               guint n,
               const FpColumn *by,
               const FpFormat *format)
{
  FpRecords *self = fp_totals_new_empty (records->class->kind);
  char buffer[FP_CELL_SIZE];

  if (!by)
    fp_totals_add (self, "", fp_total_key_of_all);
  for (guint i = 0; i < n; i++)
    {
      guint index = indices ? indices[i] : i;
      guint group = 0;

      if (by)
        group = fp_totals_find_or_add (self, G_MAXUINT,
                                       fp_column_get_text (by, records, index, format, buffer, sizeof buffer));
      fp_totals_add_member (self, group, records, index);
    }
  return self;
}

FpRecords *
fp_totals_new_of_fields (const FpRecords *records,
                         const guint *indices,
                         guint n,
                         guint64 fields)
{
  FpRecords *self = fp_totals_new (records, NULL, 0, NULL, NULL);

  ((FpTotals *)self)->fields = fields;
  for (guint i = 0; i < n; i++)
    fp_totals_add_member (self, 0, records, indices[i]);
  return self;
}
