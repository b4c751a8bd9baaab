// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-clock.h"
#include "fp-roster.h"
#include "fp-sweep.h"
#include "fp-visit.h"

#define USERS_WAIT_US   (200 * 1000)
#define STRINGS_MINIMUM (64 * 1024)

struct _FpSweep
{
  FpRoster roster;
  FpRotation rotation;
  FpGiants *giants;
  GArray *queue;
  GArray *unnamed; /* slots */
  GArray *changed; /* the same */

  guint64 giant_us;
  guint64 n_sweeps;
  guint64 n_walks;
  guint64 now_us;
  gint64 deadline_us;
  guint n_begun;
  gsize strings_limit;
  gboolean is_filling; /* the first picture, or all anew */
  gboolean has_waited_for_users;
};

typedef struct
{
  FpWalkClass class;
  guint slot;
  guint64 order;
} QueueEntry;

FpSweep *
fp_sweep_new (const char *proc_path,
              const FpSweepSettings *settings,
              GError **error)
{
  FpSweep *self = NULL;

  g_return_val_if_fail (settings->lookup_user && (settings->rotation != FP_ROTATION_FIXED || settings->n_sweeps > 0), NULL);
  self = g_new0 (FpSweep, 1);
  if (!fp_roster_init (&self->roster, proc_path, settings->lookup_user, error))
    {
      g_free (self);
      return NULL;
    }
  fp_rotation_init (&self->rotation, settings->rotation, settings->n_sweeps, settings->share);
  self->giants = fp_giants_new (settings->giant_us, settings->rotation, settings->n_sweeps);
  self->queue = g_array_new (FALSE, FALSE, sizeof (QueueEntry));
  self->unnamed = g_array_new (FALSE, FALSE, sizeof (guint));
  self->changed = g_array_new (FALSE, FALSE, sizeof (guint));
  self->strings_limit = STRINGS_MINIMUM;
  self->giant_us = settings->giant_us;
  self->roster.reader->judges_owners = settings->judges_owners;
  self->is_filling = TRUE;
  return self;
}

void
fp_sweep_free (FpSweep *self)
{
  fp_roster_clear (&self->roster);
  fp_giants_free (self->giants);
  g_array_unref (self->queue);
  g_array_unref (self->unnamed);
  g_array_unref (self->changed);
  g_free (self);
}

guint64
fp_sweep_get_n_walks (const FpSweep *self)
{
  return self->n_walks;
}

const FpGiantHolds *
fp_sweep_get_holds (const FpSweep *self)
{
  return fp_giants_get_holds (self->giants);
}

static FpProcess *
get_process (const FpSweep *self,
             guint slot)
{
  return &self->roster.next->processes[slot];
}

static gboolean
is_giant (const FpSweep *self,
          const FpTracked *tracked,
          const FpProcess *process)
{
  return fp_giants_includes (self->giants, self->roster.reader, tracked, process);
}

static double
count_periods (const FpSweep *self,
               guint64 since_sweep,
               guint64 since_us)
{
  if (self->rotation.mode == FP_ROTATION_FIXED)
    return (double)(self->n_sweeps - since_sweep) / self->rotation.n_sweeps;
  return (double)(self->now_us - since_us) / (double)self->rotation.period_us;
}

static double
age_in_periods (const FpSweep *self,
                const FpTracked *tracked)
{
  return count_periods (self, tracked->walked_sweep, tracked->walked_us);
}

static gboolean
has_changed (const FpTracked *tracked)
{
  return memcmp (&tracked->stat.fingerprint, &tracked->walked, sizeof tracked->walked) != 0;
}

/* n: it is not among them */
static guint
find_in (const FpProcessId *ids,
         guint n,
         const FpProcess *process)
{
  guint i = 0;

  while (i < n && !fp_process_is (process, &ids[i]))
    i++;
  return i;
}

/* FALSE: not now */
static gboolean
classify (const FpSweep *self,
          const FpTracked *tracked,
          const FpProcess *process,
          FpWalkClass *class)
{
  double age = age_in_periods (self, tracked);

  *class = FP_WALK_WANTED;
  if (tracked->is_wanted)
    return TRUE;
  *class = FP_WALK_CHANGED;
  if (is_giant (self, tracked, process))
    return FALSE;
  if (!fp_tracked_was_tried (tracked))
    return TRUE;
  if (has_changed (tracked) || (self->rotation.mode == FP_ROTATION_FIXED && age >= 1.0))
    return TRUE;
  *class = FP_WALK_SUSPECT;
  if (tracked->is_suspect)
    return TRUE;
  *class = FP_WALK_ATTENTION;
  if (tracked->in_attention && age >= 1.0 / 3)
    return TRUE;
  *class = FP_WALK_OLDEST;
  return TRUE;
}

static int
compare_entries (gconstpointer a,
                 gconstpointer b)
{
  const QueueEntry *x = a, *y = b;

  if (x->class != y->class)
    return x->class < y->class ? -1 : 1;
  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  return (x->slot > y->slot) - (x->slot < y->slot);
}

/* Wishes are granted in the order in which they are made; wish: how many come before it. Those that an earlier slice had no
 * time for come behind them, or one user's giants would hold up all that others wish. */
static void
enqueue (FpSweep *self,
         guint slot,
         guint wish)
{
  const FpTracked *tracked = &self->roster.tracked[slot];
  const FpProcess *process = get_process (self, slot);
  QueueEntry entry = { .slot = slot };

  if (!self->is_filling)
    {
      if (!classify (self, tracked, process, &entry.class))
        return;
      entry.order = fp_tracked_was_tried (tracked) ? tracked->walked_us : 0;
      if (entry.class == FP_WALK_WANTED)
        entry.order = wish;
    }
  else if (!fp_tracked_was_tried (tracked) || tracked->is_wanted)
    {
      /* Selected and visible processes come first, then the biggest. */
      entry.class = tracked->in_attention ? FP_WALK_WANTED : FP_WALK_CHANGED;
      entry.order = G_MAXUINT64 - fp_memory_get (&process->memory, FP_FIELD_RSS);
    }
  else
    return;
  g_array_append_val (self->queue, entry);
}

/* It is not looked at again until the thread that was left behind has come back from it. */
static gboolean
does_not_answer (const FpSweep *self,
                 FpTracked *tracked,
                 FpProcess *process)
{
  if (process->reason != FP_REASON_NO_ANSWER)
    return FALSE;
  if (fp_absence_judge (&(FpProcessId){ process->pid, process->start_ticks },
                        fp_payer_guess (&tracked->payer, &self->roster.reader->proc, process->pid)) != FP_ERRAND_ALLOWED)
    return TRUE;
  process->reason = FP_REASON_PENDING;
  fp_tracked_note_trial (tracked, FP_TRIAL_NONE);
  fp_tracked_note_names (tracked, FP_NAMES_STALE);
  return FALSE;
}

static void
make_queue (FpSweep *self,
            const FpSweepRequest *request)
{
  g_array_set_size (self->queue, 0);
  for (guint i = 0; i < self->roster.next->n_processes; i++)
    {
      FpTracked *tracked = &self->roster.tracked[i];
      FpProcess *process = get_process (self, i);
      guint wish;

      if (!fp_reason_has_memory (process->reason) || process->start_ticks == 0 || does_not_answer (self, tracked, process))
        continue;
      wish = find_in (request->wanted, request->n_wanted, process);
      fp_tracked_take_request (tracked, find_in (request->attention, request->n_attention, process) < request->n_attention,
                               request->refresh_all || wish < request->n_wanted);
      enqueue (self, i, wish);
    }
  if (self->queue->len > 1)
    qsort (self->queue->data, self->queue->len, sizeof (QueueEntry), compare_entries);
}

static gboolean
is_pending (const FpSweep *self,
            guint slot)
{
  const FpTracked *tracked = &self->roster.tracked[slot];

  return tracked->is_wanted || (!fp_tracked_was_tried (tracked) && !is_giant (self, tracked, get_process (self, slot)));
}

/* Within the slice, and but for the first picture within the budget. Pending is what only lacked time: what lacks budget
 * gets it with the clock, and asking again at once would cost more than the budget saves. */
static gboolean
begin_walk (gpointer errand,
            gpointer data,
            guint index)
{
  FpSweep *self = data;
  const QueueEntry *entry = &g_array_index (self->queue, QueueEntry, index);

  if (!self->is_filling && !fp_rotation_may_walk (&self->rotation, entry->class))
    return FALSE;
  if (self->deadline_us && self->n_begun > 0 && g_get_monotonic_time () >= self->deadline_us)
    {
      self->roster.next->info.n_pending += self->is_filling || is_pending (self, entry->slot);
      return FALSE;
    }
  self->n_begun++;
  fp_visit_begin (errand, self->roster.reader, &self->roster.tracked[entry->slot], get_process (self, entry->slot),
                  self->now_us);
  return TRUE;
}

static void
end_walk (gpointer errand,
          gpointer data,
          guint index)
{
  FpSweep *self = data;
  const QueueEntry *entry = &g_array_index (self->queue, QueueEntry, index);
  FpTracked *tracked = &self->roster.tracked[entry->slot];
  double age = age_in_periods (self, tracked);
  guint64 spent_us = ((FpVisit *)errand)->spent_us;

  if (fp_visit_end (errand, tracked, get_process (self, entry->slot)))
    {
      tracked->walked_sweep = self->n_sweeps;
      self->n_walks++;
    }
  if (!self->is_filling)
    fp_rotation_pay (&self->rotation, entry->class, spent_us, age);
}

static void
leave_walk (gpointer data,
            guint index,
            FpErrandVerdict verdict)
{
  FpSweep *self = data;
  guint slot = g_array_index (self->queue, QueueEntry, index).slot;

  fp_visit_leave (self->roster.reader, &self->roster.tracked[slot], get_process (self, slot), self->now_us, verdict);
}

static const FpErrandKind walking = {
  sizeof (FpVisit),
  begin_walk,
  fp_visit_walk,
  end_walk,
  leave_walk,
  fp_visit_clear,
};

static guint64
sum_costs (const FpSweep *self)
{
  guint64 sum = 0;

  for (guint i = 0; i < self->roster.next->n_processes; i++)
    if (get_process (self, i)->cost_us < self->giant_us)
      sum += get_process (self, i)->cost_us;
  return sum;
}

static void
walk (FpSweep *self,
      const FpSweepRequest *request,
      guint64 elapsed_us)
{
  self->deadline_us = request->slice_us ? g_get_monotonic_time () + (gint64)request->slice_us : 0;
  self->is_filling |= request->refresh_all;
  fp_rotation_begin (&self->rotation, sum_costs (self), elapsed_us);
  make_queue (self, request);
  self->n_begun = 0;
  fp_errands_run (self->roster.errands, &walking, self, self->queue->len, self->is_filling);
  self->is_filling = self->is_filling && self->roster.next->info.n_pending > 0;
}

static gboolean
needs_names (const FpSweep *self,
             const FpTracked *tracked,
             const FpProcess *process)
{
  if (tracked->names == FP_NAMES_STALE)
    return TRUE;
  return self->rotation.mode != FP_ROTATION_OFF && is_giant (self, tracked, process) &&
         count_periods (self, tracked->named_sweep, tracked->named_us) >= 1.0;
}

static gboolean
was_walked (const FpSweep *self,
            const FpTracked *tracked)
{
  return tracked->walked_sweep == self->n_sweeps;
}

/* Visits read something of these processes anew. */
typedef struct
{
  FpSweep *sweep;
  const GArray *slots;
} Refresh;

static gboolean
begin_refresh (gpointer errand,
               gpointer data,
               guint index)
{
  FpSweep *self = ((const Refresh *)data)->sweep;
  guint slot = g_array_index (((const Refresh *)data)->slots, guint, index);

  fp_visit_begin (errand, self->roster.reader, &self->roster.tracked[slot], get_process (self, slot), self->now_us);
  return TRUE;
}

static void
end_refresh (gpointer errand,
             gpointer data,
             guint index)
{
  FpSweep *self = ((const Refresh *)data)->sweep;
  guint slot = g_array_index (((const Refresh *)data)->slots, guint, index);

  fp_visit_end (errand, &self->roster.tracked[slot], get_process (self, slot));
}

static void
leave_refresh (gpointer data,
               guint index,
               FpErrandVerdict verdict)
{
  FpSweep *self = ((const Refresh *)data)->sweep;
  guint slot = g_array_index (((const Refresh *)data)->slots, guint, index);

  fp_visit_leave (self->roster.reader, &self->roster.tracked[slot], get_process (self, slot), self->now_us, verdict);
}

static const FpErrandKind naming = {
  sizeof (FpVisit),
  begin_refresh,
  fp_visit_identify,
  end_refresh,
  leave_refresh,
  fp_visit_clear,
};

static const FpErrandKind weighing = {
  sizeof (FpVisit),
  begin_refresh,
  fp_visit_read_rss,
  end_refresh,
  leave_refresh,
  fp_visit_clear,
};

static gboolean
is_to_refresh (const FpSweep *self,
               guint slot)
{
  const FpTracked *tracked = &self->roster.tracked[slot];

  return !was_walked (self, tracked) && tracked->is_looked_at && tracked->names != FP_NAMES_FRESH &&
         tracked->life != FP_LIFE_GONE && get_process (self, slot)->start_ticks != 0;
}

static void
refresh_names (FpSweep *self)
{
  g_array_set_size (self->unnamed, 0);
  for (guint i = 0; i < self->roster.next->n_processes; i++)
    if (is_to_refresh (self, i) && get_process (self, i)->reason != FP_REASON_NO_ANSWER &&
        needs_names (self, &self->roster.tracked[i], get_process (self, i)))
      g_array_append_val (self->unnamed, i);
  fp_errands_run (self->roster.errands, &naming, &(Refresh){ self, self->unnamed }, self->unnamed->len, FALSE);
}

/* An unchanged stat means an unchanged RSS, but for less than the kernel counts apart for each processor; so statm is
 * asked where stat says so, and always for what is looked at. */
static void
refresh_rss (FpSweep *self)
{
  g_array_set_size (self->changed, 0);
  for (guint i = 0; i < self->roster.next->n_processes; i++)
    {
      const FpTracked *tracked = &self->roster.tracked[i];

      if (is_to_refresh (self, i) && !fp_giants_follows (self->giants, self->roster.reader, tracked, get_process (self, i)) &&
          (tracked->in_attention || !fp_tracked_was_tried (tracked) || has_changed (tracked)))
        g_array_append_val (self->changed, i);
    }
  fp_errands_run (self->roster.errands, &weighing, &(Refresh){ self, self->changed }, self->changed->len, FALSE);
}

static void
refresh (FpSweep *self)
{
  refresh_names (self);
  refresh_rss (self);
  for (guint i = 0; i < self->roster.next->n_processes; i++)
    {
      FpTracked *tracked = &self->roster.tracked[i];
      FpProcess *process = get_process (self, i);

      if (tracked->names == FP_NAMES_FRESH)
        {
          tracked->named_sweep = self->n_sweeps;
          tracked->named_us = self->now_us;
        }
      /* A figure that is certainly wrong by now waits for the next walk. */
      if (fp_tracked_was_tried (tracked) && fp_process_is_unread (process) && process->reason == FP_REASON_NONE)
        process->reason = FP_REASON_PENDING;
    }
}

static void
name_users (FpSweep *self)
{
  FpProcessReader *reader = self->roster.reader;
  FpUser user;

  if (!self->has_waited_for_users)
    fp_users_wait (reader->users, USERS_WAIT_US);
  self->has_waited_for_users = TRUE;
  for (guint i = 0; i < self->roster.next->n_processes; i++)
    {
      FpProcess *process = get_process (self, i);

      fp_users_get (reader->users, process->uid, &user);
      process->texts[FP_TEXT_USER] = fp_strings_intern (&reader->strings, user.name);
      process->texts[FP_TEXT_FULL_NAME] = fp_strings_intern (&reader->strings, user.full_name);
    }
}

/* Texts of the gone are dropped when they may be half of the block. */
static void
rebuild_strings (FpSweep *self)
{
  FpStrings *strings = &self->roster.reader->strings;
  FpStrings fresh;

  if (strings->block->used <= self->strings_limit)
    return;
  fp_strings_init (&fresh, strings->block->capacity);
  for (guint i = 0; i < self->roster.next->n_processes; i++)
    for (FpText text = 0; text < FP_N_TEXTS; text++)
      {
        guint32 *offset = &get_process (self, i)->texts[text];

        *offset = fp_strings_intern (&fresh, fp_strings_get (strings, *offset));
      }
  fp_strings_clear (strings);
  *strings = fresh;
  self->strings_limit = MAX (fresh.block->used * 2, STRINGS_MINIMUM);
}

/* loadavg is read before the processes are listed, so that those which have ended since are among its tasks. */
static void
count_tasks (FpSweep *self,
             guint64 n_tasks)
{
  const FpSnapshot *last = self->roster.last, *next = self->roster.next;
  guint64 n_ended = 0;

  for (guint i = 0, at = 0; i < self->roster.pids->len; i++)
    {
      gint pid = g_array_index (self->roster.pids, gint, i);
      const FpProcess *ended;

      while (at < next->n_processes && next->processes[at].pid < pid)
        at++;
      if (at < next->n_processes && next->processes[at].pid == pid)
        continue;
      ended = last ? fp_snapshot_find (last, pid) : NULL;
      n_ended += MAX (ended ? fp_memory_get (&ended->memory, FP_FIELD_THREADS) : 0, 1);
    }
  fp_system_set (&self->roster.next->system, FP_SYSTEM_TASKS, n_tasks);
  fp_snapshot_count_hidden_tasks (self->roster.next, n_ended);
}

static void
describe (FpSweep *self)
{
  FpProcessReader *reader = self->roster.reader;
  FpSnapshotInfo *info = &self->roster.next->info;

  info->boottime_us = self->now_us;
  info->realtime_us = fp_clock_us (CLOCK_REALTIME);
  info->ticks_per_second = reader->ticks_per_second;
  info->page_size = reader->page_size;
  if (fp_read_at (reader->proc.fd, "sys/kernel/random/boot_id", info->boot_id, sizeof info->boot_id) < 0)
    info->boot_id[0] = '\0';
  g_strchomp (info->boot_id);
  fp_system_read (&self->roster.next->system, &reader->proc);
}

FpSnapshot *
fp_sweep_collect (FpSweep *self,
                  const FpSweepRequest *request,
                  GError **error)
{
  guint64 now_us = fp_clock_us (CLOCK_BOOTTIME);
  guint64 elapsed_us = self->now_us ? now_us - self->now_us : 0, tasks;
  gboolean tells_tasks = fp_system_read_tasks (&self->roster.reader->proc, &tasks);

  g_return_val_if_fail ((request->attention || !request->n_attention) && (request->wanted || !request->n_wanted), NULL);
  if (!fp_roster_call (&self->roster, now_us, error))
    return NULL;
  self->now_us = now_us;
  self->n_sweeps++;
  self->roster.next->info = (FpSnapshotInfo){ 0 };
  if (!request->only_lists)
    walk (self, request, elapsed_us);
  refresh (self);
  if (!request->only_lists)
    fp_giants_update (self->giants, &self->roster, self->n_sweeps, self->now_us, !self->is_filling);
  fp_roster_drop_ended (&self->roster);
  name_users (self);
  rebuild_strings (self);
  describe (self);
  if (tells_tasks)
    count_tasks (self, tasks);
  return fp_roster_publish (&self->roster);
}
