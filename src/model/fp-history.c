// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-control-values.h"
#include "fp-history.h"

#define MAX_TRACKS 16

const FpField fp_history_fields[FP_N_HISTORY_FIGURES] = {
  [FP_HISTORY_PSS] = FP_FIELD_PSS,
  [FP_HISTORY_USS] = FP_FIELD_USS,
  [FP_HISTORY_RSS] = FP_FIELD_RSS,
  [FP_HISTORY_SWAP] = FP_FIELD_SWAP_PSS,
};

/* A control group has no resident memory beside the memory that the kernel counts for it. */
static FpFigureFunc *const control_figures[FP_N_HISTORY_FIGURES] = {
  [FP_HISTORY_PSS] = fp_value_control_memory,
  [FP_HISTORY_USS] = fp_value_control_own,
  [FP_HISTORY_SWAP] = fp_value_control_swap,
};

/* A sample holds from its collection until the next sample. */
typedef struct
{
  guint32 collection;
  FpHistoryEnds ends;
} Sample;

/* A record has a sample only where its figures have changed, since most processes and groups idle. */
typedef struct
{
  FpKey key;
  guint16 n_samples;
  guint16 capacity;
  Sample *samples;
} Brief;

typedef struct
{
  FpKey key;
  guint64 last_used;
  GArray *points;
} Track;

struct _FpHistory
{
  GArray *briefs; /* by the first part of the key, which no two have in common */
  GArray *spare;
  guint64 times_us[FP_HISTORY_BRIEF]; /* of the last collections, and whether a gap was before them */
  gboolean are_after_gaps[FP_HISTORY_BRIEF];
  guint32 n_collections;
  guint64 n_uses;
  GPtrArray *tracks;
};

static void
track_free (gpointer data)
{
  Track *track = data;

  g_array_unref (track->points);
  g_free (track);
}

static void
clear_briefs (GArray *briefs)
{
  for (guint i = 0; i < briefs->len; i++)
    g_free (g_array_index (briefs, Brief, i).samples);
  g_array_set_size (briefs, 0);
}

FpHistory *
fp_history_new (void)
{
  FpHistory *self = g_new0 (FpHistory, 1);

  self->briefs = g_array_new (FALSE, FALSE, sizeof (Brief));
  self->spare = g_array_new (FALSE, FALSE, sizeof (Brief));
  self->tracks = g_ptr_array_new_with_free_func (track_free);
  return self;
}

void
fp_history_free (FpHistory *self)
{
  clear_briefs (self->briefs);
  g_array_unref (self->briefs);
  g_array_unref (self->spare);
  g_ptr_array_unref (self->tracks);
  g_free (self);
}

static guint32
to_kib (guint64 bytes)
{
  return (guint32)MIN (bytes / 1024, FP_HISTORY_UNKNOWN - 1);
}

/* The upper end is rounded up, so that it stays an upper end. */
static void
set_ends (FpHistoryEnds *self,
          guint figure,
          guint64 low,
          guint64 high)
{
  self->low_kib[figure] = to_kib (low);
  self->high_kib[figure] = high == low ? self->low_kib[figure] : to_kib (high - (high > 0) + 1024);
  if (high == G_MAXUINT64)
    self->high_kib[figure] = FP_HISTORY_UNKNOWN;
}

static FpFigure
get_figure (const FpRecords *records,
            guint index,
            FpHistoryFigure figure)
{
  if (records->class->kind != FP_RECORD_CONTROL_GROUP)
    return fp_records_get_figure (records, index, fp_history_fields[figure]);
  return control_figures[figure] ? control_figures[figure](records, index) : (FpFigure){ FP_FIGURE_NONE, 0, 0 };
}

static void
take_figures (FpHistoryEnds *self,
              const FpRecords *records,
              guint index)
{
  for (guint i = 0; i < FP_N_HISTORY_FIGURES; i++)
    {
      FpFigure figure = get_figure (records, index, i);

      self->low_kib[i] = self->high_kib[i] = FP_HISTORY_UNKNOWN;
      if (fp_figure_is_known (figure) && figure.kind != FP_FIGURE_AT_MOST)
        set_ends (self, i, figure.low, figure.high);
    }
}

static void
take_memory (FpHistoryEnds *self,
             const FpMemory *memory)
{
  for (guint i = 0; i < FP_N_HISTORY_FIGURES; i++)
    {
      FpField field = fp_history_fields[i];
      guint64 low, high;

      if (fp_memory_has (memory, field))
        self->low_kib[i] = self->high_kib[i] = to_kib (fp_memory_get (memory, field));
      else if (fp_memory_has_range (memory, field) && fp_memory_get_ends (memory, field, &low, &high))
        set_ends (self, i, low, high);
      else
        self->low_kib[i] = self->high_kib[i] = FP_HISTORY_UNKNOWN;
    }
}

/* Returns the oldest collection that is kept beside the present one. */
static guint32
get_oldest (guint32 n_collections)
{
  return n_collections - MIN (n_collections, FP_HISTORY_BRIEF);
}

/* The last sample from before the oldest collection stays, for it holds in that as well. */
static void
add_sample (Brief *self,
            guint32 collection,
            const FpHistoryEnds *ends)
{
  guint32 oldest = get_oldest (collection + 1);
  guint n_over = 0;

  if (self->n_samples > 0 && memcmp (&self->samples[self->n_samples - 1].ends, ends, sizeof *ends) == 0)
    return;
  while (n_over + 1 < self->n_samples && self->samples[n_over + 1].collection <= oldest)
    n_over++;
  self->n_samples -= n_over;
  if (n_over > 0)
    memmove (self->samples, self->samples + n_over, self->n_samples * sizeof *self->samples);
  if (self->n_samples == self->capacity)
    {
      self->capacity = MAX (self->capacity * 2, 1);
      self->samples = g_renew (Sample, self->samples, self->capacity);
    }
  self->samples[self->n_samples++] = (Sample){ collection, *ends };
}

/* Notes the time of a collection. Collections further apart than longest_us have a gap between them. */
static void
add_time (FpHistory *self,
          guint64 time_us,
          guint64 longest_us)
{
  guint32 at = self->n_collections % FP_HISTORY_BRIEF;

  self->are_after_gaps[at] =
      self->n_collections > 0 && time_us - self->times_us[(self->n_collections - 1) % FP_HISTORY_BRIEF] > longest_us;
  self->times_us[at] = time_us;
  self->n_collections++;
}

/* Moves what was known of a record to its new place, and adds its sample. Both lists go up by key, so one walk finds who
 * was there before. */
static void
take_sample (FpHistory *self,
             guint place,
             FpKey key,
             const FpHistoryEnds *ends,
             guint *at)
{
  Brief *brief = &g_array_index (self->spare, Brief, place), *last;

  while (*at < self->briefs->len && g_array_index (self->briefs, Brief, *at).key.a < key.a)
    (*at)++;
  last = *at < self->briefs->len ? &g_array_index (self->briefs, Brief, *at) : NULL;
  *brief = (Brief){ .key = key };
  if (last && fp_key_equal (&last->key, &key))
    {
      *brief = *last;
      last->samples = NULL;
    }
  add_sample (brief, self->n_collections, ends);
}

static void
end_collection (FpHistory *self,
                guint64 time_us,
                guint64 longest_us)
{
  GArray *old = self->briefs;

  clear_briefs (old);
  self->briefs = self->spare;
  self->spare = old;
  add_time (self, time_us, longest_us);
}

/* The processes of a snapshot go up by pid. */
void
fp_history_take (FpHistory *self,
                 const FpSnapshot *snapshot,
                 guint64 longest_us)
{
  guint at = 0;

  g_array_set_size (self->spare, snapshot->n_processes);
  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      const FpProcess *process = &snapshot->processes[i];
      FpHistoryEnds ends;

      take_memory (&ends, &process->memory);
      take_sample (self, i, (FpKey){ (guint64)process->pid, process->start_ticks }, &ends, &at);
    }
  end_collection (self, snapshot->info.boottime_us, longest_us);
}

static int
compare_places (gconstpointer a,
                gconstpointer b,
                gpointer records)
{
  const guint64 x = fp_records_get_key (records, *(const guint *)a).a, y = fp_records_get_key (records, *(const guint *)b).a;

  return (x > y) - (x < y);
}

/* Takes records of any order, such as control groups. One history has one kind of them. */
void
fp_history_take_records (FpHistory *self,
                         FpRecords *records,
                         guint64 time_us,
                         guint64 longest_us)
{
  g_autoptr (GArray) places = g_array_sized_new (FALSE, FALSE, sizeof (guint), records->n);
  guint at = 0;

  for (guint i = 0; i < records->n; i++)
    g_array_append_val (places, i);
  g_array_sort_with_data (places, compare_places, records);
  g_array_set_size (self->spare, records->n);
  for (guint i = 0; i < records->n; i++)
    {
      guint place = g_array_index (places, guint, i);
      FpHistoryEnds ends;

      take_figures (&ends, records, place);
      take_sample (self, i, fp_records_get_key (records, place), &ends, &at);
    }
  end_collection (self, time_us, longest_us);
}

static int
compare_keys (gconstpointer a,
              gconstpointer b)
{
  const guint64 x = ((const Brief *)a)->key.a, y = ((const Brief *)b)->key.a;

  return (x > y) - (x < y);
}

/* A point of this collection comes after a gap where the one before is missing. */
static void
add_point (const FpHistory *self,
           GArray *points,
           guint32 collection,
           const FpHistoryEnds *ends)
{
  FpHistoryPoint point = { .time_us = self->times_us[collection % FP_HISTORY_BRIEF], .ends = *ends };

  point.follows_gap = self->are_after_gaps[collection % FP_HISTORY_BRIEF];
  if (points->len > 0 && collection > get_oldest (self->n_collections))
    point.follows_gap |= g_array_index (points, FpHistoryPoint, points->len - 1).time_us <
                         self->times_us[(collection - 1) % FP_HISTORY_BRIEF];
  else
    point.follows_gap = TRUE;
  g_array_append_val (points, point);
}

/* Adds the collections after the last of the points. */
static void
add_brief (const FpHistory *self,
           FpKey key,
           GArray *points)
{
  guint64 last_us = points->len > 0 ? g_array_index (points, FpHistoryPoint, points->len - 1).time_us : 0;
  Brief wanted = { .key = key };
  const Brief *brief;
  guint at;

  if (!g_array_binary_search (self->briefs, &wanted, compare_keys, &at))
    return;
  brief = &g_array_index (self->briefs, Brief, at);
  if (!fp_key_equal (&brief->key, &key))
    return;
  at = 0;
  for (guint32 c = MAX (brief->samples[0].collection, get_oldest (self->n_collections)); c < self->n_collections; c++)
    {
      while (at + 1 < brief->n_samples && brief->samples[at + 1].collection <= c)
        at++;
      if (self->times_us[c % FP_HISTORY_BRIEF] > last_us)
        add_point (self, points, c, &brief->samples[at].ends);
    }
}

static Track *
find_track (const FpHistory *self,
            FpKey key)
{
  for (guint i = 0; i < self->tracks->len; i++)
    {
      Track *track = g_ptr_array_index (self->tracks, i);

      if (fp_key_equal (&track->key, &key))
        return track;
    }
  return NULL;
}

/* The record that was looked at longest ago makes room. */
static Track *
add_track (FpHistory *self,
           FpKey key)
{
  Track *track = g_new0 (Track, 1);
  guint oldest = 0;

  if (self->tracks->len == MAX_TRACKS)
    {
      for (guint i = 1; i < self->tracks->len; i++)
        if (((Track *)self->tracks->pdata[i])->last_used < ((Track *)self->tracks->pdata[oldest])->last_used)
          oldest = i;
      g_ptr_array_remove_index_fast (self->tracks, oldest);
    }
  track->key = key;
  track->points = g_array_new (FALSE, FALSE, sizeof (FpHistoryPoint));
  g_ptr_array_add (self->tracks, track);
  return track;
}

/* Adds the point of the last collection; a process or a control group first gets the points of its brief history. A group
 * that has ended gets no more. */
void
fp_history_follow (FpHistory *self,
                   const FpRecords *records,
                   guint index)
{
  FpKey key = fp_records_get_key (records, index);
  Track *track = find_track (self, key);
  FpHistoryEnds ends;
  guint64 time_us;

  g_return_if_fail (self->n_collections > 0);

  if (!track)
    track = add_track (self, key);
  track->last_used = ++self->n_uses;
  if (records->class->kind & (FP_RECORD_PROCESS | FP_RECORD_CONTROL_GROUP))
    add_brief (self, key, track->points);
  time_us = self->times_us[(self->n_collections - 1) % FP_HISTORY_BRIEF];
  if (records->class->kind != FP_RECORD_CONTROL_GROUP &&
      (track->points->len == 0 ||
       g_array_index (track->points, FpHistoryPoint, track->points->len - 1).time_us < time_us))
    {
      take_figures (&ends, records, index);
      add_point (self, track->points, self->n_collections - 1, &ends);
    }
  if (track->points->len > FP_HISTORY_LONG)
    g_array_remove_range (track->points, 0, track->points->len - FP_HISTORY_LONG);
}

const FpHistoryPoint *
fp_history_get (const FpHistory *self,
                FpKey key,
                guint *n)
{
  const Track *track = find_track (self, key);

  *n = track ? track->points->len : 0;
  return track ? (const FpHistoryPoint *)track->points->data : NULL;
}
