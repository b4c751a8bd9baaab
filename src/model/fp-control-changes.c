// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-control-changes.h"
#include "fp-control-records.h"

#define N_SAMPLES 13
#define MINUTE_US (60 * (guint64)G_USEC_PER_SEC)
#define APART_US  (5 * (guint64)G_USEC_PER_SEC)
#define NOT_KNOWN                     \
  {                                   \
    FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 \
  }

/* clang-format off */
const FpControlChange fp_control_change_unknown = {
  .memory = NOT_KNOWN, .reached = NOT_KNOWN, .killed = NOT_KNOWN, .from_swap = NOT_KNOWN, .from_files = NOT_KNOWN,
};
/* clang-format on */

enum
{
  MEMORY, /* and swap, because swapping out gives nothing back */
  REACHED,
  KILLED,
  N_COUNTS,
};

/* How many pages were read back up to a moment, counted from the first reading. */
typedef struct
{
  guint64 time_us;
  guint32 from_swap, from_files;
} Sample;

typedef struct
{
  guint64 id;
  guint64 measured_us;
  guint64 begin[N_COUNTS]; /* where changes count from without a mark */
  guint64 start[N_COUNTS], now[N_COUNTS];
  guint64 first_swap, first_files; /* the counters at the first reading */
  Sample samples[N_SAMPLES];       /* a ring */
  Sample last;
  guint8 first_sample, n_samples;
  guint8 has_begin, has_start, has_now; /* a bit for each count */
  guint8 lacks_start;                   /* the same: it is not known what it was at the mark */
  guint32 n_takes;                      /* the last list that had it */
} Past;

struct _FpControlChanges
{
  GHashTable *pasts; /* by id */
  guint64 root;      /* id */
  guint64 time_us;   /* of the last list */
  guint32 n_takes;
  guint64 realtime_us; /* of the last list */
  guint64 begin_us;    /* of the first list; since 1970 */
  guint64 start_us;    /* of the first list, or of the mark; since 1970 */
  gboolean was_cut;    /* the last list was not whole */
};

FpControlChanges *
fp_control_changes_new (void)
{
  FpControlChanges *self = g_new0 (FpControlChanges, 1);

  self->pasts = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  return self;
}

void
fp_control_changes_free (FpControlChanges *self)
{
  g_hash_table_unref (self->pasts);
  g_free (self);
}

static void
set_count (Past *self,
           guint count,
           gboolean is_known,
           guint64 value)
{
  self->has_now &= (guint8) ~(1 << count);
  if (!is_known)
    return;
  self->has_now |= (guint8)(1 << count);
  self->now[count] = value;
  if (!(self->has_begin & 1 << count))
    {
      self->has_begin |= (guint8)(1 << count);
      self->begin[count] = value;
    }
  if ((self->has_start | self->lacks_start) & 1 << count)
    return;
  self->has_start |= (guint8)(1 << count);
  self->start[count] = value;
}

/* A kernel without swap accounting has no figure of swap. */
static void
take_counts (Past *self,
             const FpControlGroup *group)
{
  const guint64 *figures = group->figures;
  const guint64 events = FP_CONTROL_BIT (EVENTS_HIGH) | FP_CONTROL_BIT (EVENTS_MAX);

  set_count (self, MEMORY, fp_control_group_has (group, FP_CONTROL_MEMORY),
             figures[FP_CONTROL_MEMORY] + (fp_control_group_has (group, FP_CONTROL_SWAP) ? figures[FP_CONTROL_SWAP] : 0));
  set_count (self, REACHED, (group->present & events) == events,
             figures[FP_CONTROL_EVENTS_HIGH] + figures[FP_CONTROL_EVENTS_MAX]);
  set_count (self, KILLED, fp_control_group_has (group, FP_CONTROL_OOM_KILLS), figures[FP_CONTROL_OOM_KILLS]);
}

static const Sample *
get_sample (const Past *self,
            guint i)
{
  return &self->samples[(self->first_sample + i) % N_SAMPLES];
}

static void
drop_first (Past *self)
{
  self->first_sample = (self->first_sample + 1) % N_SAMPLES;
  self->n_samples--;
}

/* The samples begin with the oldest of the last minute, and anew after a pause or with a counter that fell. */
static void
add_sample (Past *self,
            guint64 time_us,
            guint64 from_swap,
            guint64 from_files)
{
  if (self->n_samples > 0 && (from_swap < self->first_swap + self->last.from_swap ||
                              from_files < self->first_files + self->last.from_files))
    self->n_samples = 0;
  while (self->n_samples > 0 && time_us - get_sample (self, 0)->time_us > MINUTE_US)
    drop_first (self);
  if (self->n_samples == 0)
    {
      self->first_swap = from_swap;
      self->first_files = from_files;
    }
  self->last = (Sample){ time_us, (guint32)MIN (from_swap - self->first_swap, G_MAXUINT32),
                         (guint32)MIN (from_files - self->first_files, G_MAXUINT32) };
  if (self->n_samples > 0 && time_us - get_sample (self, self->n_samples - 1u)->time_us < APART_US)
    return;
  if (self->n_samples == N_SAMPLES)
    drop_first (self);
  self->samples[(self->first_sample + self->n_samples++) % N_SAMPLES] = self->last;
}

static void
take_group (FpControlChanges *self,
            const FpControlGroup *group,
            gboolean may_be_old)
{
  const guint64 counters = FP_CONTROL_BIT (REFAULTS_ANON) | FP_CONTROL_BIT (REFAULTS_FILE);
  Past *past = g_hash_table_lookup (self->pasts, &group->id);

  if (!past)
    {
      past = g_new0 (Past, 1);
      past->id = group->id;
      past->has_begin = past->has_start = may_be_old ? 0 : (1 << N_COUNTS) - 1;
      g_hash_table_insert (self->pasts, &past->id, past);
    }
  past->n_takes = self->n_takes;
  /* Memory may be newer than swap, but where all was read anew. */
  if (group->measured_us <= past->measured_us)
    return;
  past->measured_us = group->measured_us;
  take_counts (past, group);
  if ((group->present & counters) == counters)
    add_sample (past, group->measured_us, group->figures[FP_CONTROL_REFAULTS_ANON],
                group->figures[FP_CONTROL_REFAULTS_FILE]);
  else
    past->n_samples = 0;
}

static gboolean
is_gone (gpointer id,
         gpointer past,
         gpointer self)
{
  return ((const Past *)past)->n_takes != ((const FpControlChanges *)self)->n_takes;
}

/* A group that was not there before began with nothing, unless only a part of the groups was known. Another root is that of
 * another reader, which sees other groups of the same machine. */
void
fp_control_changes_take (FpControlChanges *self,
                         const FpControlGroups *groups,
                         guint64 time_us,
                         guint64 realtime_us)
{
  const guint64 root = groups->n > 0 ? groups->groups[0].id : 0;
  gboolean may_be_old;

  if (root != self->root)
    g_hash_table_remove_all (self->pasts);
  if (g_hash_table_size (self->pasts) == 0)
    self->begin_us = self->start_us = realtime_us;
  may_be_old = g_hash_table_size (self->pasts) == 0 || self->was_cut || groups->is_cut;
  self->root = root;
  self->was_cut = groups->is_cut;
  self->time_us = time_us;
  self->realtime_us = realtime_us;
  self->n_takes++;
  for (guint i = 0; i < groups->n; i++)
    take_group (self, &groups->groups[i], may_be_old);
  g_hash_table_foreach_remove (self->pasts, is_gone, self);
}

/* Changes count from the last list on. */
void
fp_control_changes_mark (FpControlChanges *self)
{
  GHashTableIter iter;
  gpointer value;

  self->start_us = self->realtime_us;
  g_hash_table_iter_init (&iter, self->pasts);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Past *past = value;

      past->has_start = past->has_now;
      past->lacks_start = 0;
      for (guint i = 0; i < N_COUNTS; i++)
        past->start[i] = past->now[i];
    }
}

/* Changes of memory count from the mark of the history on. Nothing else is known of what was before. */
void
fp_control_changes_mark_at (FpControlChanges *self,
                            const FpHistory *history,
                            guint64 realtime_us)
{
  GHashTableIter iter;
  gpointer value;

  self->start_us = realtime_us;
  g_hash_table_iter_init (&iter, self->pasts);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Past *past = value;
      FpHistoryEnds base, now;
      gint64 low, high;
      gboolean is_known = fp_history_get_ends (history, fp_control_records_make_key (past->id), &base, &now) &&
                          fp_history_ends_add_up (&base, fp_history_ends_have_swap (&base), &low, &high) && low == high;

      past->has_start = is_known ? 1 << MEMORY : 0;
      past->lacks_start = (guint8)(((1 << N_COUNTS) - 1) & ~past->has_start);
      past->start[MEMORY] = is_known ? (guint64)low * 1024 : 0;
    }
}

/* Changes count from the first list on, as if there had been no mark. */
void
fp_control_changes_unmark (FpControlChanges *self)
{
  GHashTableIter iter;
  gpointer value;

  self->start_us = self->begin_us;
  g_hash_table_iter_init (&iter, self->pasts);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Past *past = value;

      past->has_start = past->has_begin;
      past->lacks_start = 0;
      for (guint i = 0; i < N_COUNTS; i++)
        past->start[i] = past->begin[i];
    }
}

/* Says since when changes count, in microseconds since 1970; 0: there was no list. */
guint64
fp_control_changes_get_start (const FpControlChanges *self)
{
  return self->start_us;
}

static FpFigure
get_change (const Past *self,
            guint count)
{
  if (!(self->has_start & self->has_now & 1 << count))
    return fp_control_change_unknown.memory;
  return fp_figure_difference (self->start[count], self->now[count]);
}

/* Counters only rise, so their change is a number of times. */
static FpFigure
get_times (const Past *self,
           guint count)
{
  FpFigure change = get_change (self, count);

  if (change.kind == FP_FIGURE_MORE)
    return fp_figure_exact (change.low);
  return change.kind == FP_FIGURE_LESS ? fp_control_change_unknown.memory : change;
}

/* One reading alone is no time that has passed, and a reading of long ago tells nothing of the last minute. */
FpControlChange
fp_control_changes_get (const FpControlChanges *self,
                        guint64 id)
{
  const Past *past = g_hash_table_lookup (self->pasts, &id);
  FpControlChange change = fp_control_change_unknown;
  const Sample *first;

  if (!past)
    return change;
  change.memory = get_change (past, MEMORY);
  change.reached = get_times (past, REACHED);
  change.killed = get_times (past, KILLED);
  first = get_sample (past, 0);
  if (past->n_samples == 0 || first->time_us == past->last.time_us || self->time_us > past->last.time_us + MINUTE_US)
    return change;
  change.from_swap = fp_figure_exact (past->last.from_swap - first->from_swap);
  change.from_files = fp_figure_exact (past->last.from_files - first->from_files);
  change.over_us = past->last.time_us - first->time_us;
  return change;
}
