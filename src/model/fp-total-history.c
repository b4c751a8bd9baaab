// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-growth.h"
#include "fp-total-history.h"
#include "fp-totals.h"

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
} Sum;

struct _FpTotalHistory
{
  FpHistory *histories[FP_N_GROUPINGS]; /* NULL: no column decides; that of all together has the place of no grouping */
  const FpColumn *columns[FP_N_GROUPINGS][FP_GROUPING_COLUMNS];
  GArray *sums;
  GHashTable *places; /* in sums, by key */
};

FpTotalHistory *
fp_total_history_new (void)
{
  FpTotalHistory *self = g_new0 (FpTotalHistory, 1);

  for (FpGrouping i = 0; i < FP_N_GROUPINGS; i++)
    {
      const FpGroupingInfo *info = &fp_grouping_infos[i];

      if (!(info->kinds & FP_RECORD_PROCESS) || (!info->columns[0] && i != FP_GROUPING_NOTHING))
        continue;
      self->histories[i] = fp_history_new ();
      for (guint level = 0; level < FP_GROUPING_COLUMNS && info->columns[level]; level++)
        self->columns[i][level] = fp_columns_find (info->columns[level], FP_RECORD_PROCESS);
    }
  self->sums = g_array_new (FALSE, TRUE, sizeof (Sum));
  self->places = g_hash_table_new_full (fp_key_hash, fp_key_equal, g_free, NULL);
  return self;
}

void
fp_total_history_free (FpTotalHistory *self)
{
  for (FpGrouping i = 0; i < FP_N_GROUPINGS; i++)
    g_clear_pointer (&self->histories[i], fp_history_unref);
  g_array_unref (self->sums);
  g_hash_table_unref (self->places);
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
  for (; n < FP_GROUPING_COLUMNS && self->columns[grouping][n]; n++)
    keys[n] = fp_total_make_key (
        n > 0 ? &keys[n - 1] : NULL,
        fp_column_get_text (self->columns[grouping][n], processes, index, format, buffer, sizeof buffer));
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

static Sum *
find_sum (FpTotalHistory *self,
          const FpKey *key)
{
  gpointer place;
  Sum *sum;

  if (g_hash_table_lookup_extended (self->places, key, NULL, &place))
    return &g_array_index (self->sums, Sum, GPOINTER_TO_UINT (place));
  g_hash_table_insert (self->places, g_memdup2 (key, sizeof *key), GUINT_TO_POINTER (self->sums->len));
  g_array_set_size (self->sums, self->sums->len + 1);
  sum = &g_array_index (self->sums, Sum, self->sums->len - 1);
  sum->key = *key;
  return sum;
}

static void
take_sums (FpTotalHistory *self,
           FpGrouping grouping,
           guint64 time_us,
           guint64 longest_us)
{
  g_autofree FpHistoryEntry *entries = g_new (FpHistoryEntry, self->sums->len + 1);

  for (guint i = 0; i < self->sums->len; i++)
    {
      const Sum *sum = &g_array_index (self->sums, Sum, i);

      entries[i].key = sum->key;
      for (guint k = 0; k < FP_N_HISTORY_FIGURES; k++)
        if (sum->part.known >> k & 1)
          fp_history_ends_set (&entries[i].ends, k, sum->part.low[k], sum->part.high[k]);
        else
          entries[i].ends.low_kib[k] = entries[i].ends.high_kib[k] = FP_HISTORY_UNKNOWN;
    }
  fp_history_take_entries (self->histories[grouping], entries, self->sums->len, time_us, longest_us);
}

/* Threads of the kernel have no memory, and are in no total here. format: in which the totals are named */
void
fp_total_history_take (FpTotalHistory *self,
                       const FpRecords *processes,
                       const FpFormat *format,
                       guint64 longest_us)
{
  const guint64 time_us = fp_process_records_get_snapshot (processes)->info.boottime_us;
  g_autofree Part *parts = g_new (Part, processes->n + 1);
  FpKey keys[FP_GROUPING_COLUMNS];

  for (guint i = 0; i < processes->n; i++)
    parts[i] = make_part (fp_process_records_get (processes, i));
  for (FpGrouping grouping = 0; grouping < FP_N_GROUPINGS; grouping++)
    {
      if (!self->histories[grouping])
        continue;
      g_array_set_size (self->sums, 0);
      g_hash_table_remove_all (self->places);
      for (guint i = 0; i < processes->n; i++)
        {
          const FpProcess *process = fp_process_records_get (processes, i);
          guint n = fp_process_is_kernel_thread (process) ? 0 : find_keys (self, grouping, processes, i, format, keys);

          for (guint k = 0; k < n; k++)
            add_part (&find_sum (self, &keys[k])->part, &parts[i]);
        }
      take_sums (self, grouping, time_us, longest_us);
    }
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

  if (!self->histories[grouping])
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
  fp_records_take_history (totals, self->histories[grouping], partial);
}
