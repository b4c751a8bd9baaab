// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-growth.h"
#include "fp-total-history.h"
#include "fp-totals.h"

#define MAX_GONE 300 /* programs of which no process is left, whose pasts are kept */

#define MAX_PLACES 16
#define NO_PLACE   G_MAXUINT

/* A process adds this to its totals, in which it is the sum, in one collection. */
typedef struct
{
  guint known; /* a bit for each figure that some members have */
  guint64 low[FP_N_HISTORY_FIGURES];
  guint64 high[FP_N_HISTORY_FIGURES];
} Part;

typedef struct
{
  FpKey key;
  Part part;
  guint n_members; /* in this collection */
  guint member;    /* index of one of them */
} Sum;

/* All totals of one grouping. One that has no members any more is left out, and keeps its place for a while. */
typedef struct
{
  FpHistory *history; /* NULL: no column decides */
  const FpColumn *columns[FP_GROUPING_COLUMNS];
  GArray *sums;
  GHashTable *places; /* in sums, by key */
} Level;

/* A process, and the places of its sums: they are the same as long as its texts are. */
typedef struct
{
  FpKey key;
  guint32 uid;
  guint32 texts[FP_N_TEXTS];
  guint places[MAX_PLACES]; /* by grouping, and from the top level down; NO_PLACE ends those of each */
} Member;

/* A program that is or was there. */
typedef struct
{
  FpKey key;
  char *name;
  guint64 seen_us; /* when one of its processes was there */
} Program;

struct _FpTotalHistory
{
  Level levels[FP_N_GROUPINGS]; /* that of all together has the place of no grouping */
  GArray *members;              /* in the order of their keys */
  GArray *spare;
  FpStringBlock *strings; /* (nullable): with the members' texts */
  GHashTable *programs;   /* by key */
};

static void
program_free (gpointer data)
{
  g_free (((Program *)data)->name);
  g_free (data);
}

FpTotalHistory *
fp_total_history_new (void)
{
  FpTotalHistory *self = g_new0 (FpTotalHistory, 1);

  for (FpGrouping i = 0; i < FP_N_GROUPINGS; i++)
    {
      const FpGroupingInfo *info = &fp_grouping_infos[i];
      Level *level = &self->levels[i];

      if (!(info->kinds & FP_RECORD_PROCESS) || (!info->columns[0] && i != FP_GROUPING_NOTHING))
        continue;
      level->history = fp_history_new ();
      level->sums = g_array_new (FALSE, TRUE, sizeof (Sum));
      level->places = g_hash_table_new_full (fp_key_hash, fp_key_equal, g_free, NULL);
      for (guint k = 0; k < FP_GROUPING_COLUMNS && info->columns[k]; k++)
        level->columns[k] = fp_columns_find (info->columns[k], FP_RECORD_PROCESS);
    }
  self->members = g_array_new (FALSE, FALSE, sizeof (Member));
  self->spare = g_array_new (FALSE, FALSE, sizeof (Member));
  self->programs = g_hash_table_new_full (fp_key_hash, fp_key_equal, NULL, program_free);
  return self;
}

void
fp_total_history_free (FpTotalHistory *self)
{
  for (FpGrouping i = 0; i < FP_N_GROUPINGS; i++)
    if (self->levels[i].history)
      {
        fp_history_unref (self->levels[i].history);
        g_array_unref (self->levels[i].sums);
        g_hash_table_unref (self->levels[i].places);
      }
  g_array_unref (self->members);
  g_array_unref (self->spare);
  g_clear_pointer (&self->strings, fp_string_block_unref);
  g_hash_table_unref (self->programs);
  g_free (self);
}

/* Finds the totals that a process is in, from the top level down. */
static guint
find_keys (const FpTotalHistory *self,
           FpGrouping grouping,
           const FpRecords *processes,
           guint index,
           const FpFormat *format,
           FpKey *keys)
{
  char buffer[FP_CELL_SIZE];
  guint n = 0;

  if (grouping == FP_GROUPING_NOTHING)
    {
      keys[0] = fp_total_key_of_all;
      return 1;
    }
  for (; n < FP_GROUPING_COLUMNS && self->levels[grouping].columns[n]; n++)
    keys[n] = fp_total_make_key (
        n > 0 ? &keys[n - 1] : NULL,
        fp_column_get_text (self->levels[grouping].columns[n], processes, index, format, buffer, sizeof buffer));
  return n;
}

/* A process without memory is part of its totals with nothing. */
static Part
make_part (const FpProcess *process)
{
  Part part = { 0 };

  if (!fp_reason_has_memory (process->reason))
    return part;
  for (guint i = 0; i < FP_N_HISTORY_FIGURES; i++)
    {
      FpFigure figure = fp_figure_of_memory (&process->memory, fp_history_fields[i]);

      part.known |= (guint)(fp_figure_is_known (figure) && figure.kind != FP_FIGURE_AT_MOST) << i;
      part.low[i] = figure.low;
      part.high[i] = figure.high;
    }
  return part;
}

static void
add_part (Part *sum,
          const Part *part)
{
  sum->known |= part->known;
  for (guint i = 0; i < FP_N_HISTORY_FIGURES; i++)
    {
      sum->low[i] += part->low[i];
      sum->high[i] = part->high[i] > G_MAXUINT64 - sum->high[i] ? G_MAXUINT64 : sum->high[i] + part->high[i];
    }
}

static guint
find_place (Level *self,
            const FpKey *key)
{
  const Sum sum = { .key = *key };
  gpointer place;

  if (g_hash_table_lookup_extended (self->places, key, NULL, &place))
    return GPOINTER_TO_UINT (place);
  g_hash_table_insert (self->places, g_memdup2 (key, sizeof *key), GUINT_TO_POINTER (self->sums->len));
  g_array_append_val (self->sums, sum);
  return self->sums->len - 1;
}

/* Threads of the kernel have no memory, and are in no total here. */
static void
find_places (FpTotalHistory *self,
             Member *member,
             const FpRecords *processes,
             guint index,
             const FpFormat *format)
{
  gboolean is_counted = !fp_process_is_kernel_thread (fp_process_records_get (processes, index));
  FpKey keys[FP_GROUPING_COLUMNS];
  guint n_places = 0;

  for (FpGrouping grouping = 0; grouping < FP_N_GROUPINGS; grouping++)
    {
      Level *level = &self->levels[grouping];
      guint n = level->history && is_counted ? find_keys (self, grouping, processes, index, format, keys) : 0;

      if (!level->history)
        continue;
      g_assert (n_places + n < MAX_PLACES);
      for (guint k = 0; k < n; k++)
        member->places[n_places++] = find_place (level, &keys[k]);
      member->places[n_places++] = NO_PLACE;
    }
}

/* Places are found anew where the texts are others, or not in the same order. */
static void
forget_members (FpTotalHistory *self)
{
  g_array_set_size (self->members, 0);
  for (FpGrouping i = 0; i < FP_N_GROUPINGS; i++)
    if (self->levels[i].history)
      {
        g_array_set_size (self->levels[i].sums, 0);
        g_hash_table_remove_all (self->levels[i].places);
      }
}

static void
update_members (FpTotalHistory *self,
                const FpRecords *processes,
                const FpFormat *format)
{
  FpStringBlock *strings = fp_process_records_get_snapshot (processes)->strings;
  GArray *old = self->members;
  guint at = 0;

  if (self->strings != strings)
    {
      forget_members (self);
      g_clear_pointer (&self->strings, fp_string_block_unref);
      self->strings = fp_string_block_ref (strings);
    }
  g_array_set_size (self->spare, processes->n);
  for (guint i = 0; i < processes->n; i++)
    {
      const FpProcess *process = fp_process_records_get (processes, i);
      Member *member = &g_array_index (self->spare, Member, i);
      const Member *known;

      while (at < old->len && g_array_index (old, Member, at).key.a < (guint64)process->pid)
        at++;
      known = at < old->len ? &g_array_index (old, Member, at) : NULL;
      if (known && known->key.a == (guint64)process->pid && known->key.b == process->start_ticks && known->uid == process->uid &&
          memcmp (known->texts, process->texts, sizeof known->texts) == 0)
        {
          *member = *known;
          continue;
        }
      *member = (Member){ .key = fp_records_get_key (processes, i), .uid = process->uid };
      memcpy (member->texts, process->texts, sizeof member->texts);
      find_places (self, member, processes, i, format);
    }
  self->members = self->spare;
  self->spare = old;
}

static void
add_up (FpTotalHistory *self,
        const FpRecords *processes)
{
  for (FpGrouping i = 0; i < FP_N_GROUPINGS; i++)
    for (guint k = 0; self->levels[i].history && k < self->levels[i].sums->len; k++)
      {
        Sum *sum = &g_array_index (self->levels[i].sums, Sum, k);

        sum->part = (Part){ 0 };
        sum->n_members = 0;
      }
  for (guint i = 0; i < processes->n; i++)
    {
      const guint *place = g_array_index (self->members, Member, i).places;
      const Part part = make_part (fp_process_records_get (processes, i));

      for (FpGrouping grouping = 0; grouping < FP_N_GROUPINGS; grouping++)
        {
          if (!self->levels[grouping].history)
            continue;
          for (; *place != NO_PLACE; place++)
            {
              Sum *sum = &g_array_index (self->levels[grouping].sums, Sum, *place);

              add_part (&sum->part, &part);
              sum->n_members++;
              sum->member = i;
            }
          place++;
        }
    }
}

static void
see_program (FpTotalHistory *self,
             const FpKey *key,
             const char *name,
             guint64 time_us)
{
  Program *program = g_hash_table_lookup (self->programs, key);

  if (!program)
    {
      program = g_new0 (Program, 1);
      program->key = *key;
      program->name = g_strdup (name);
      g_hash_table_insert (self->programs, &program->key, program);
    }
  program->seen_us = time_us;
}

static int
compare_last_seen (gconstpointer a,
                   gconstpointer b)
{
  const Program *first = *(const Program *const *)a, *second = *(const Program *const *)b;

  return (first->seen_us < second->seen_us) - (first->seen_us > second->seen_us);
}

/* Programs of which no process is left have nothing from now on. Those that are gone for longest make room. */
static void
add_gone_programs (FpTotalHistory *self,
                   guint64 time_us,
                   GArray *entries)
{
  g_autoptr (GPtrArray) gone = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->programs);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (((const Program *)value)->seen_us != time_us)
      g_ptr_array_add (gone, value);
  g_ptr_array_sort (gone, compare_last_seen);
  for (guint i = 0; i < gone->len; i++)
    {
      const Program *program = gone->pdata[i];
      FpHistoryEntry entry = { .key = program->key };

      if (i < MAX_GONE)
        g_array_append_val (entries, entry);
      else
        g_hash_table_remove (self->programs, &program->key);
    }
}

static FpHistoryEntry
make_entry (const Sum *sum)
{
  FpHistoryEntry entry = { .key = sum->key };

  for (guint k = 0; k < FP_N_HISTORY_FIGURES; k++)
    if (sum->part.known >> k & 1)
      fp_history_ends_set (&entry.ends, k, sum->part.low[k], sum->part.high[k]);
    else
      entry.ends.low_kib[k] = entry.ends.high_kib[k] = FP_HISTORY_UNKNOWN;
  return entry;
}

/* TRUE: many totals have no members any more */
static gboolean
take_sums (FpTotalHistory *self,
           FpGrouping grouping,
           const FpRecords *processes,
           guint64 time_us,
           guint64 longest_us)
{
  const Level *level = &self->levels[grouping];
  g_autoptr (GArray) entries = g_array_sized_new (FALSE, FALSE, sizeof (FpHistoryEntry), level->sums->len);
  guint n_empty = 0;

  for (guint i = 0; i < level->sums->len; i++)
    {
      const Sum *sum = &g_array_index (level->sums, Sum, i);
      FpHistoryEntry entry = make_entry (sum);

      n_empty += sum->n_members == 0;
      if (sum->n_members == 0)
        continue;
      g_array_append_val (entries, entry);
      if (grouping == FP_GROUPING_PROGRAM)
        see_program (self, &sum->key, fp_process_records_get_text (processes, sum->member, FP_TEXT_PROGRAM), time_us);
    }
  if (grouping == FP_GROUPING_PROGRAM)
    add_gone_programs (self, time_us, entries);
  fp_history_take_entries (level->history, (FpHistoryEntry *)(void *)entries->data, entries->len, time_us, longest_us);
  return n_empty > level->sums->len / 2 + 64;
}

/* format: in which the totals are named, always the same */
void
fp_total_history_take (FpTotalHistory *self,
                       const FpRecords *processes,
                       const FpFormat *format,
                       guint64 longest_us)
{
  const guint64 time_us = fp_process_records_get_snapshot (processes)->info.boottime_us;
  gboolean has_many_empty = FALSE;

  update_members (self, processes, format);
  add_up (self, processes);
  for (FpGrouping grouping = 0; grouping < FP_N_GROUPINGS; grouping++)
    if (self->levels[grouping].history)
      has_many_empty |= take_sums (self, grouping, processes, time_us, longest_us);
  if (has_many_empty)
    forget_members (self);
}

/* Makes totals know how they grow. Those that leave out a process, as a search does, have no past. members: of all totals
 * together, going up */
void
fp_total_history_tell (const FpTotalHistory *self,
                       FpGrouping grouping,
                       FpRecords *totals,
                       const FpRecords *processes,
                       const guint *members,
                       guint n,
                       const FpFormat *format)
{
  g_autoptr (GHashTable) partial = g_hash_table_new_full (fp_key_hash, fp_key_equal, g_free, NULL);
  FpKey keys[FP_GROUPING_COLUMNS];
  guint next = 0;

  if (!self->levels[grouping].history)
    return;
  for (guint i = 0; i < processes->n; i++)
    {
      guint n_keys;

      if (next < n && members[next] == i)
        next++;
      else if (!fp_process_is_kernel_thread (fp_process_records_get (processes, i)))
        {
          n_keys = find_keys (self, grouping, processes, i, format, keys);
          for (guint k = 0; k < n_keys; k++)
            if (!g_hash_table_contains (partial, &keys[k]))
              g_hash_table_add (partial, g_memdup2 (&keys[k], sizeof keys[k]));
        }
    }
  fp_records_take_history (totals, self->levels[grouping].history, partial);
}

void
fp_total_history_set_start (FpTotalHistory *self)
{
  for (FpGrouping i = 0; i < FP_N_GROUPINGS; i++)
    if (self->levels[i].history)
      fp_history_set_start (self->levels[i].history);
}

void
fp_total_history_mark (FpTotalHistory *self,
                       guint64 time_us)
{
  for (FpGrouping i = 0; i < FP_N_GROUPINGS; i++)
    if (self->levels[i].history)
      fp_history_mark (self->levels[i].history, time_us);
}

void
fp_total_history_unmark (FpTotalHistory *self)
{
  for (FpGrouping i = 0; i < FP_N_GROUPINGS; i++)
    if (self->levels[i].history)
      fp_history_unmark (self->levels[i].history);
}

/* changes: of FpProgramChange */
void
fp_total_history_add_changes (const FpTotalHistory *self,
                              GArray *changes)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->programs);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Program *program = value;
      FpProgramChange change = { .name = program->name };

      if (fp_history_get_ends (self->levels[FP_GROUPING_PROGRAM].history, program->key, &change.base, &change.now))
        g_array_append_val (changes, change);
    }
}
