// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-history.h"
#include "fp-trend.h"

#define MAX_TRACKS 16

/* A rate of a program that has only begun is no growth yet. */
#define GROWTH_LEAST_US (30 * G_USEC_PER_SEC)
#define GROWTH_EVERY_US (10 * G_USEC_PER_SEC)
#define GROWTH_POINTS   150
#define A_MINUTE_US     (60 * G_USEC_PER_SEC)
#define LEAST_HOURS_US  (3 * FP_HISTORY_RECENT_US) /* before they say more than the minutes */

typedef enum
{
  RECENT,
  MINUTES,
  N_LEVELS,
} LevelId;

/* The collections that are kept, of which all records have a past. */
typedef struct
{
  guint64 times_us[FP_HISTORY_RECENT];
  gboolean are_after_gaps[FP_HISTORY_RECENT];
  guint32 n_collections;
  guint32 oldest;
} Level;

G_STATIC_ASSERT (FP_HISTORY_MINUTES <= FP_HISTORY_RECENT);

/* The moments from which changes count. */
typedef enum
{
  START,
  MARK,
  N_BASES,
} BaseId;

static const guint capacities[N_LEVELS] = { FP_HISTORY_RECENT, FP_HISTORY_MINUTES };

typedef struct
{
  FpKey key;
  FpPast pasts[N_LEVELS];
  FpHistoryEnds bases[N_BASES];
  guint32 peak_low_kib; /* the most memory and swap that was seen */
  guint32 peak_high_kib;
  gboolean has_minutes;
  guint64 next_us; /* when the growth is found again */
  FpGrowth growth;
  FpGrowth hours;       /* that of the minutes, of which there is a new one seldom */
  guint32 hours_minute; /* how many minutes there were when it was found */
} Brief;

typedef struct
{
  FpKey key;
  guint64 last_used;
  GArray *points;
} Track;

struct _FpHistory
{
  gatomicrefcount ref_count;
  GPtrArray *briefs; /* in the order of their keys */
  GPtrArray *spare;
  gboolean has_start;
  BaseId base;
  Level levels[N_LEVELS];
  guint64 gap_us; /* when a collection last came after a gap */
  GArray *points; /* of which growth is found */
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
brief_free (Brief *brief)
{
  for (LevelId id = 0; id < N_LEVELS; id++)
    fp_past_clear (&brief->pasts[id]);
  g_free (brief);
}

/* A brief that has moved to the other list has left NULL in its place. */
static void
clear_briefs (GPtrArray *briefs)
{
  for (guint i = 0; i < briefs->len; i++)
    g_clear_pointer ((Brief **)&briefs->pdata[i], brief_free);
  g_ptr_array_set_size (briefs, 0);
}

FpHistory *
fp_history_new (void)
{
  FpHistory *self = g_new0 (FpHistory, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->briefs = g_ptr_array_new ();
  self->spare = g_ptr_array_new ();
  self->points = g_array_new (FALSE, FALSE, sizeof (FpHistoryPoint));
  self->tracks = g_ptr_array_new_with_free_func (track_free);
  return self;
}

FpHistory *
fp_history_ref (FpHistory *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
fp_history_unref (FpHistory *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  clear_briefs (self->briefs);
  g_ptr_array_unref (self->briefs);
  g_ptr_array_unref (self->spare);
  g_array_unref (self->points);
  g_ptr_array_unref (self->tracks);
  g_free (self);
}

static guint64
get_time (const Level *self,
          guint32 collection)
{
  return self->times_us[collection % FP_HISTORY_RECENT];
}

/* Notes the time of a collection. Collections further apart than longest_us have a gap between them. */
static void
add_time (Level *self,
          guint capacity,
          guint64 time_us,
          guint64 longest_us)
{
  guint32 at = self->n_collections % FP_HISTORY_RECENT;

  self->are_after_gaps[at] = self->n_collections > 0 && time_us - get_time (self, self->n_collections - 1) > longest_us;
  self->times_us[at] = time_us;
  self->n_collections++;
  self->oldest = MAX (self->oldest, self->n_collections - MIN (self->n_collections, capacity));
}

/* A point of this collection comes after a gap where the one before is missing. */
static void
add_point (const Level *self,
           GArray *points,
           guint32 collection,
           const FpHistoryEnds *ends)
{
  FpHistoryPoint point = { .time_us = get_time (self, collection), .ends = *ends };

  point.follows_gap = self->are_after_gaps[collection % FP_HISTORY_RECENT];
  if (points->len > 0 && collection > self->oldest)
    point.follows_gap |=
        g_array_index (points, FpHistoryPoint, points->len - 1).time_us < get_time (self, collection - 1);
  else
    point.follows_gap = TRUE;
  g_array_append_val (points, point);
}

/* Adds the collections after last_us. */
static void
add_past (const Level *self,
          const FpPast *past,
          guint64 last_us,
          GArray *points)
{
  FpPastWalk walk;

  fp_past_walk_init (&walk, past);
  for (guint32 c = MAX (past->first_collection, self->oldest); c < self->n_collections; c++)
    if (get_time (self, c) > last_us)
      {
        fp_past_walk_to (&walk, c);
        add_point (self, points, c, &walk.ends);
      }
}

/* Adds some of the collections, evenly and with the last, which is enough to tell a rate. */
static void
add_some_of_past (const Level *self,
                  const FpPast *past,
                  GArray *points)
{
  guint32 first = MAX (past->first_collection, self->oldest), step = 1 + (self->n_collections - first) / GROWTH_POINTS;
  gboolean follows_gap = TRUE;
  FpPastWalk walk;

  fp_past_walk_init (&walk, past);
  for (guint32 c = first; c < self->n_collections; c++)
    {
      follows_gap |= self->are_after_gaps[c % FP_HISTORY_RECENT];
      if ((self->n_collections - 1 - c) % step != 0)
        continue;
      fp_past_walk_to (&walk, c);
      add_point (self, points, c, &walk.ends);
      g_array_index (points, FpHistoryPoint, points->len - 1).follows_gap = follows_gap;
      follows_gap = FALSE;
    }
}

static FpFigure
get_rate (const FpTrend *trend)
{
  if (trend->span_us < GROWTH_LEAST_US)
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  if (trend->kind == FP_TREND_GROWS)
    return fp_figure_between (trend->low, trend->high);
  if (trend->kind == FP_TREND_SHRINKS)
    return (FpFigure){ FP_FIGURE_LESS, trend->low, trend->high };
  if (trend->kind == FP_TREND_STEADY)
    return fp_figure_exact (0);
  return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
}

static FpGrowth
find_growth_of (FpHistory *self,
                const Brief *brief,
                LevelId id)
{
  FpTrend trend;

  g_array_set_size (self->points, 0);
  add_some_of_past (&self->levels[id], &brief->pasts[id], self->points);
  trend = fp_trend_find ((const FpHistoryPoint *)self->points->data, self->points->len);
  return (FpGrowth){ get_rate (&trend), trend.span_us };
}

/* The last ten minutes come first. Where they don't tell of growth, the hours may, when there are some. */
static FpGrowth
find_growth (FpHistory *self,
             Brief *brief)
{
  FpGrowth recent = find_growth_of (self, brief, RECENT);
  const guint32 n_minutes = self->levels[MINUTES].n_collections;

  if ((fp_figure_is_known (recent.figure) && recent.figure.high > 0) || fp_past_is_calm (&brief->pasts[MINUTES]))
    return recent;
  if (brief->hours_minute != n_minutes)
    brief->hours = find_growth_of (self, brief, MINUTES);
  brief->hours_minute = n_minutes;
  return brief->hours.span_us >= LEAST_HOURS_US && fp_figure_is_known (brief->hours.figure) ? brief->hours : recent;
}

static void
take_peak (Brief *brief,
           const FpHistoryEnds *ends)
{
  gint64 low, high;

  if (!fp_history_ends_add_up (ends, fp_history_ends_have_swap (ends), &low, &high))
    return;
  brief->peak_low_kib = MAX (brief->peak_low_kib, (guint32)MIN (low, FP_HISTORY_UNKNOWN - 1));
  brief->peak_high_kib = MAX (brief->peak_high_kib, (guint32)MIN (high, FP_HISTORY_UNKNOWN));
}

static void
take_ends (FpHistory *self,
           Brief *brief,
           const FpHistoryEnds *ends,
           gboolean is_new,
           gboolean is_minute)
{
  const Level *levels = self->levels;

  if (is_new)
    fp_past_begin (&brief->pasts[RECENT], levels[RECENT].n_collections, ends);
  if (is_new || memcmp (&brief->pasts[RECENT].last, ends, sizeof *ends) != 0)
    take_peak (brief, ends);
  fp_past_add (&brief->pasts[RECENT], levels[RECENT].n_collections, ends);
  fp_past_forget (&brief->pasts[RECENT], levels[RECENT].oldest);
  if (!is_minute)
    return;
  if (!brief->has_minutes)
    fp_past_begin (&brief->pasts[MINUTES], levels[MINUTES].n_collections, ends);
  brief->has_minutes = TRUE;
  fp_past_add (&brief->pasts[MINUTES], levels[MINUTES].n_collections, ends);
  fp_past_forget (&brief->pasts[MINUTES], levels[MINUTES].oldest);
}

/* A record that does not change still has no growth, unless readings are missing since that was found. */
static gboolean
is_still_calm (const FpHistory *self,
               const Brief *brief)
{
  const FpFigure growth = brief->growth.figure;

  return growth.kind == FP_FIGURE_EXACT && growth.high == 0 && fp_past_is_calm (&brief->pasts[RECENT]) &&
         fp_past_is_calm (&brief->pasts[MINUTES]) && self->gap_us + GROWTH_EVERY_US < brief->next_us;
}

/* Finding growth takes longer than all else here, so that each collection does it for some. */
static void
update_growth (FpHistory *self,
               guint64 now_us)
{
  for (guint i = 0; i < self->briefs->len; i++)
    {
      Brief *brief = g_ptr_array_index (self->briefs, i);

      /* Not all at once */
      if (brief->next_us == 0)
        brief->next_us = now_us + (1 + brief->key.a % 10) * GROWTH_EVERY_US / 10;
      if (now_us < brief->next_us)
        continue;
      if (is_still_calm (self, brief))
        brief->growth.span_us = MIN (brief->growth.span_us + now_us + GROWTH_EVERY_US - brief->next_us, FP_HISTORY_RECENT_US);
      else
        brief->growth = find_growth (self, brief);
      brief->next_us = now_us + GROWTH_EVERY_US;
    }
}

static int
compare_keys (FpKey x,
              FpKey y)
{
  return x.a != y.a ? (x.a > y.a) - (x.a < y.a) : (x.b > y.b) - (x.b < y.b);
}

/* was_hidden: it was there before, without a figure. Else a record that comes later than the start began with nothing. */
static Brief *
brief_new (const FpHistory *self,
           FpKey key,
           gboolean was_hidden)
{
  Brief *brief = g_new0 (Brief, 1);

  brief->key = key;
  brief->growth.figure = (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  if (was_hidden || !self->has_start)
    memset (brief->bases, 0xff, sizeof brief->bases);
  return brief;
}

/* Moves what was known of a record to its new place, and adds what is known now. Both lists go up by key, so one walk finds
 * who was there before. */
static void
take_record (FpHistory *self,
             const FpHistoryEntry *entry,
             gboolean was_hidden,
             gboolean is_minute,
             guint *at)
{
  Brief *brief = NULL;
  gboolean is_new;

  while (*at < self->briefs->len && compare_keys (((Brief *)self->briefs->pdata[*at])->key, entry->key) < 0)
    (*at)++;
  if (*at < self->briefs->len && fp_key_equal (&((Brief *)self->briefs->pdata[*at])->key, &entry->key))
    brief = g_steal_pointer (&self->briefs->pdata[(*at)++]);
  is_new = !brief;
  if (is_new)
    brief = brief_new (self, entry->key, was_hidden);
  g_ptr_array_add (self->spare, brief);
  take_ends (self, brief, &entry->ends, is_new, is_minute);
}

/* Time goes back where a whole machine was set back: nothing of what was before came before. */
static void
forget_later (FpHistory *self,
              guint64 time_us)
{
  const Level *recent = &self->levels[RECENT];

  if (recent->n_collections == recent->oldest || time_us >= get_time (recent, recent->n_collections - 1))
    return;
  clear_briefs (self->briefs);
  for (LevelId id = 0; id < N_LEVELS; id++)
    self->levels[id].oldest = self->levels[id].n_collections;
  g_ptr_array_set_size (self->tracks, 0);
}

/* Says whether the collection of this time is one of the minutes. */
static gboolean
begin_collection (FpHistory *self,
                  guint64 time_us)
{
  const Level *minutes = &self->levels[MINUTES];

  forget_later (self, time_us);
  return minutes->n_collections == minutes->oldest || time_us >= get_time (minutes, minutes->n_collections - 1) + A_MINUTE_US;
}

static void
end_collection (FpHistory *self,
                guint64 time_us,
                guint64 longest_us,
                gboolean is_minute)
{
  Level *recent = &self->levels[RECENT];
  GPtrArray *old = self->briefs;

  clear_briefs (old);
  self->briefs = self->spare;
  self->spare = old;
  add_time (recent, capacities[RECENT], time_us, longest_us);
  if (recent->are_after_gaps[(recent->n_collections - 1) % FP_HISTORY_RECENT])
    self->gap_us = time_us;
  while (get_time (recent, recent->oldest) + FP_HISTORY_RECENT_US < time_us)
    recent->oldest++;
  if (is_minute)
    add_time (&self->levels[MINUTES], capacities[MINUTES], time_us, A_MINUTE_US + longest_us);
  update_growth (self, time_us);
}

/* A process that was started before the last collection, and was not in it, was hidden. */
static gboolean
was_hidden (const FpHistory *self,
            const FpSnapshotInfo *info,
            const FpProcess *process)
{
  const Level *recent = &self->levels[RECENT];

  if (recent->n_collections == 0 || info->ticks_per_second == 0)
    return FALSE;
  return (double)process->start_ticks / (double)info->ticks_per_second + 1 <
         (double)get_time (recent, recent->n_collections - 1) / G_USEC_PER_SEC;
}

/* The processes of a snapshot go up by pid. */
void
fp_history_take (FpHistory *self,
                 const FpSnapshot *snapshot,
                 guint64 longest_us)
{
  gboolean is_minute = begin_collection (self, snapshot->info.boottime_us);
  guint at = 0;

  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      const FpProcess *process = &snapshot->processes[i];
      FpHistoryEntry entry = { .key = { (guint64)process->pid, process->start_ticks } };

      fp_history_ends_of_memory (&entry.ends, &process->memory);
      take_record (self, &entry, was_hidden (self, &snapshot->info, process), is_minute, &at);
    }
  end_collection (self, snapshot->info.boottime_us, longest_us, is_minute);
}

static int
compare_entries (gconstpointer a,
                 gconstpointer b)
{
  return compare_keys (((const FpHistoryEntry *)a)->key, ((const FpHistoryEntry *)b)->key);
}

/* Takes entries of any order, which it sorts. */
void
fp_history_take_entries (FpHistory *self,
                         FpHistoryEntry *entries,
                         guint n,
                         guint64 time_us,
                         guint64 longest_us)
{
  gboolean is_minute = begin_collection (self, time_us);
  guint at = 0;

  if (n > 0)
    qsort (entries, n, sizeof *entries, compare_entries);
  for (guint i = 0; i < n; i++)
    take_record (self, &entries[i], FALSE, is_minute, &at);
  end_collection (self, time_us, longest_us, is_minute);
}

/* Takes records such as control groups. One history has one kind of them. */
void
fp_history_take_records (FpHistory *self,
                         FpRecords *records,
                         guint64 time_us,
                         guint64 longest_us)
{
  g_autofree FpHistoryEntry *entries = g_new (FpHistoryEntry, records->n + 1);

  for (guint i = 0; i < records->n; i++)
    {
      entries[i].key = fp_records_get_key (records, i);
      fp_history_ends_of_record (&entries[i].ends, records, i);
    }
  fp_history_take_entries (self, entries, records->n, time_us, longest_us);
}

static Brief *
find_brief (const FpHistory *self,
            FpKey key)
{
  guint low = 0, high = self->briefs->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      Brief *brief = g_ptr_array_index (self->briefs, middle);
      int order = compare_keys (brief->key, key);

      if (order == 0)
        return brief;
      if (order < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

static guint64
get_last_time (const GArray *points)
{
  return points->len > 0 ? g_array_index (points, FpHistoryPoint, points->len - 1).time_us : 0;
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

static gboolean
has_ended (const FpRecords *records,
           guint index)
{
  return records->class->kind == FP_RECORD_PROCESS && fp_process_records_get (records, index)->reason == FP_REASON_ENDED;
}

/* Adds the point of the last collection; a record with a brief history first gets the points of that. One that has ended
 * gets no more. */
void
fp_history_follow (FpHistory *self,
                   const FpRecords *records,
                   guint index)
{
  FpKey key = fp_records_get_key (records, index);
  const Brief *brief = find_brief (self, key);
  const Level *recent = &self->levels[RECENT];
  Track *track = find_track (self, key);
  FpHistoryEnds ends;

  g_return_if_fail (recent->n_collections > 0);

  if (!track)
    track = add_track (self, key);
  track->last_used = ++self->n_uses;
  if (brief)
    add_past (recent, &brief->pasts[RECENT], get_last_time (track->points), track->points);
  else if (!has_ended (records, index) && records->class->kind != FP_RECORD_CONTROL_GROUP &&
           get_last_time (track->points) < get_time (recent, recent->n_collections - 1))
    {
      fp_history_ends_of_record (&ends, records, index);
      add_point (recent, track->points, recent->n_collections - 1, &ends);
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

/* Adds some points of the last ten minutes, evenly and with the last. points: of FpHistoryPoint */
void
fp_history_add_recent (const FpHistory *self,
                       FpKey key,
                       GArray *points)
{
  const Brief *brief = find_brief (self, key);

  if (brief)
    add_some_of_past (&self->levels[RECENT], &brief->pasts[RECENT], points);
}

/* Unknown of a record of which no past is kept. */
FpGrowth
fp_history_get_growth (const FpHistory *self,
                       FpKey key)
{
  const Brief *brief = find_brief (self, key);

  return brief ? brief->growth : (FpGrowth){ { FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 }, 0 };
}

/* The most memory and swap that any collection had. */
FpFigure
fp_history_get_peak (const FpHistory *self,
                     FpKey key)
{
  const Brief *brief = find_brief (self, key);

  if (!brief || brief->peak_high_kib == 0)
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  return fp_figure_between ((guint64)brief->peak_low_kib * 1024,
                            brief->peak_high_kib == FP_HISTORY_UNKNOWN ? G_MAXUINT64 : (guint64)brief->peak_high_kib * 1024);
}

/* Changes count from the last collection on, unless there is a mark. */
void
fp_history_set_start (FpHistory *self)
{
  self->has_start = TRUE;
  for (guint i = 0; i < self->briefs->len; i++)
    {
      Brief *brief = g_ptr_array_index (self->briefs, i);

      brief->bases[START] = brief->pasts[RECENT].last;
    }
}

static guint32
find_collection (const Level *self,
                 guint64 time_us)
{
  guint32 collection = self->n_collections;

  while (collection > self->oldest && get_time (self, collection - 1) > time_us)
    collection--;
  return MAX (collection, self->oldest + 1) - 1;
}

/* A record that came later began with nothing. */
static FpHistoryEnds
find_ends (const Brief *brief,
           LevelId id,
           guint32 collection)
{
  const FpPast *past = &brief->pasts[id];
  FpPastWalk walk;

  if (past->first_collection > collection || (id == MINUTES && !brief->has_minutes))
    return brief->bases[START].low_kib[FP_HISTORY_PSS] == FP_HISTORY_UNKNOWN ? brief->bases[START] : (FpHistoryEnds){ 0 };
  fp_past_walk_init (&walk, past);
  fp_past_walk_to (&walk, collection);
  return walk.ends;
}

/* Changes count from the last collection up to this time on. */
void
fp_history_mark (FpHistory *self,
                 guint64 time_us)
{
  const Level *recent = &self->levels[RECENT];
  LevelId id = recent->n_collections == 0 || get_time (recent, recent->oldest) > time_us ? MINUTES : RECENT;
  guint32 collection = find_collection (&self->levels[id], time_us);

  for (guint i = 0; i < self->briefs->len; i++)
    {
      Brief *brief = g_ptr_array_index (self->briefs, i);

      brief->bases[MARK] = find_ends (brief, id, collection);
    }
  self->has_start = TRUE;
  self->base = MARK;
}

void
fp_history_unmark (FpHistory *self)
{
  self->base = START;
}

gboolean
fp_history_is_marked (const FpHistory *self)
{
  return self->base == MARK;
}

/* How much more or less memory and swap a record has. Where it is not certain that it has more or less, it is unknown. */
FpFigure
fp_history_get_change (const FpHistory *self,
                       const FpRecords *records,
                       guint index)
{
  const Brief *brief = find_brief (self, fp_records_get_key (records, index));
  FpHistoryEnds now;

  if (!brief || !self->has_start)
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  fp_history_ends_of_record (&now, records, index);
  return fp_history_ends_subtract (&now, &brief->bases[self->base]);
}

/* Gives the ends of a record where changes begin to count, and in the last collection. FALSE: it is not in that */
gboolean
fp_history_get_ends (const FpHistory *self,
                     FpKey key,
                     FpHistoryEnds *base,
                     FpHistoryEnds *now)
{
  const Brief *brief = find_brief (self, key);

  if (!brief || !self->has_start)
    return FALSE;
  *base = brief->bases[self->base];
  *now = brief->pasts[RECENT].last;
  return TRUE;
}
