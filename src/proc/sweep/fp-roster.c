// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <fcntl.h>
#include <unistd.h>

#include "fp-descriptors.h"
#include "fp-looks.h"
#include "fp-roster.h"
#include "fp-twins.h"
#include "fp-visit.h"

#define MAX_KEPT     4096
#define STRINGS_SIZE (64 * 1024)

/* Somebody who starts 20,000 processes with long command lines makes those of all shorter, and the snapshot no bigger. */
#define COMMANDS_SIZE ((gsize)4 << 20)
#define MIN_COMMAND   ((gsize)128)

gboolean
fp_roster_init (FpRoster *self,
                const char *proc_path,
                FpUserLookup lookup_user,
                GError **error)
{
  *self = (FpRoster){ .reader = fp_process_reader_new (proc_path, lookup_user, STRINGS_SIZE, error) };
  if (!self->reader)
    return FALSE;
  self->reader->max_kept = (gint)MIN (fp_descriptors_raise_limit () / 2, MAX_KEPT);
  self->errands = fp_errands_new ();
  self->pool = fp_snapshot_pool_new ();
  self->pids = g_array_new (FALSE, FALSE, sizeof (gint));
  self->newcomers = g_array_new (FALSE, FALSE, sizeof (guint));
  self->silent = g_array_new (FALSE, FALSE, sizeof (guint));
  self->carried = g_array_new (FALSE, FALSE, sizeof (FpCarried));
  return TRUE;
}

void
fp_roster_clear (FpRoster *self)
{
  fp_errands_free (self->errands);
  for (guint i = 0; self->last && i < self->last->n_processes; i++)
    fp_process_reader_forget (self->reader, &self->tracked[i].stat_fd);
  g_clear_pointer (&self->last, fp_snapshot_unref);
  g_clear_pointer (&self->pool, fp_snapshot_pool_unref);
  g_array_unref (self->pids);
  g_array_unref (self->newcomers);
  g_array_unref (self->silent);
  g_array_unref (self->carried);
  g_free (self->tracked);
  g_free (self->former);
  fp_process_reader_unref (self->reader);
}

/* A process of several threads waits for all processors each time its table of descriptors grows, so it grows
 * at once to what is needed. */
static void
reserve_descriptors (FpRoster *self,
                     guint n)
{
  int fd;

  if (!self->reader->proc.is_live)
    return;
  fd = fcntl (self->reader->proc.fd, F_DUPFD_CLOEXEC, MIN ((gint)n, self->reader->max_kept));
  if (fd >= 0)
    close (fd);
}

static void
reserve (FpRoster *self,
         guint n)
{
  self->next = fp_snapshot_pool_take (self->pool, n);
  self->reader->max_command = CLAMP (COMMANDS_SIZE / MAX (n, 1), MIN_COMMAND, FP_COMMAND_SIZE);
  if (self->capacity >= n)
    return;
  self->capacity = n + n / 8 + 64;
  self->tracked = g_renew (FpTracked, self->tracked, self->capacity);
  g_free (self->former);
  self->former = g_new (FpTracked, self->capacity);
  reserve_descriptors (self, self->capacity);
}

static void
add_new (FpRoster *self,
         gint pid)
{
  guint slot = self->next->n_processes++;

  self->tracked[slot] = FP_TRACKED_NEW;
  self->next->processes[slot] = FP_ROSTER_NEWCOMER (pid);
  g_array_append_val (self->newcomers, slot);
}

/* It may be gone by now, which the look at it will show. FALSE: not even its start is known */
static gboolean
carry_over (FpRoster *self,
            guint former)
{
  const FpProcess *old = &self->last->processes[former];
  FpCarried carried = { self->next->n_processes, former };

  if (old->start_ticks == 0)
    return FALSE;
  self->next->processes[carried.slot] = *old;
  self->tracked[carried.slot] = self->former[former];
  self->former[former] = FP_TRACKED_NEW;
  fp_tracked_begin_collection (&self->tracked[carried.slot]);
  g_array_append_val (self->carried, carried);
  self->next->n_processes++;
  return TRUE;
}

/* hidepid=1 still shows that a process exists, and its owner. */
static gboolean
take_owner (FpRoster *self,
            FpTracked *tracked,
            FpProcess *process)
{
  FpFolder folder;

  if (!fp_folder_read (&folder, &self->reader->proc, process->pid))
    return FALSE;
  process->uid = folder.owner;
  process->reason = FP_REASON_PERMISSION;
  fp_tracked_note_trial (tracked, FP_TRIAL_DENIED);
  fp_users_request (self->reader->users, process->uid);
  return TRUE;
}

static gboolean
begin_meeting (gpointer errand,
               gpointer data,
               guint index)
{
  FpRoster *self = data;
  guint slot = g_array_index (self->newcomers, guint, index);

  fp_visit_begin (errand, self->reader, &self->tracked[slot], &self->next->processes[slot], self->now_us);
  return TRUE;
}

/* One that was not even looked at is shown as one that was left behind. */
static void
end_meeting (gpointer errand,
             gpointer data,
             guint index)
{
  FpRoster *self = data;
  const FpVisit *visit = errand;
  guint slot = g_array_index (self->newcomers, guint, index);
  FpProcess *process = &self->next->processes[slot];
  FpTracked *tracked = &self->tracked[slot];
  gboolean is_refused = visit->verdict == FP_ERRAND_REFUSED && visit->process.start_ticks == 0;
  FpLook look = visit->look;

  fp_visit_end (errand, tracked, process);
  if (is_refused)
    fp_visit_show_unanswered (self->reader, tracked, process, self->now_us);
  else if (look == FP_LOOK_GONE || (look == FP_LOOK_FORBIDDEN && !take_owner (self, tracked, process)))
    fp_tracked_note_end (tracked, FP_LIFE_GONE);
}

static void
leave_meeting (gpointer data,
               guint index,
               FpErrandVerdict verdict)
{
  FpRoster *self = data;

  g_array_append_val (self->silent, g_array_index (self->newcomers, guint, index));
}

static const FpErrandKind meeting = {
  sizeof (FpVisit),
  begin_meeting,
  fp_visit_meet,
  end_meeting,
  leave_meeting,
  fp_visit_clear,
};

static gboolean
begin_glance (gpointer errand,
              gpointer data,
              guint index)
{
  FpRoster *self = data;
  guint slot = g_array_index (self->silent, guint, index);

  fp_visit_begin (errand, self->reader, &self->tracked[slot], &self->next->processes[slot], self->now_us);
  return TRUE;
}

static void
end_glance (gpointer errand,
            gpointer data,
            guint index)
{
  FpRoster *self = data;
  guint slot = g_array_index (self->silent, guint, index);
  FpLook look = ((const FpVisit *)errand)->look;

  fp_visit_end (errand, &self->tracked[slot], &self->next->processes[slot]);
  if (look == FP_LOOK_ALIVE)
    fp_visit_show_unanswered (self->reader, &self->tracked[slot], &self->next->processes[slot], self->now_us);
  else
    fp_tracked_note_end (&self->tracked[slot], FP_LIFE_GONE);
}

static void
leave_glance (gpointer data,
              guint index,
              FpErrandVerdict verdict)
{
  FpRoster *self = data;
  guint slot = g_array_index (self->silent, guint, index);

  fp_visit_leave (self->reader, &self->tracked[slot], &self->next->processes[slot], self->now_us, verdict);
}

static const FpErrandKind glance = {
  sizeof (FpVisit),
  begin_glance,
  fp_visit_look,
  end_glance,
  leave_glance,
  fp_visit_clear,
};

/* One that has kept the first who met it is mostly still one whose state can be read. */
static void
meet (FpRoster *self)
{
  g_array_set_size (self->silent, 0);
  fp_errands_run (self->errands, &meeting, self, self->newcomers->len, TRUE);
  fp_errands_run (self->errands, &glance, self, self->silent->len, FALSE);
}

/* Both lists ascend by pid. The old arrays keep those that are gone, for what follows from a death. */
static void
merge (FpRoster *self)
{
  guint n_old = self->last ? self->last->n_processes : 0, at = 0;
  FpTracked *old_tracked;

  reserve (self, self->pids->len);
  old_tracked = self->tracked;
  self->tracked = g_steal_pointer (&self->former);
  self->former = old_tracked;
  g_array_set_size (self->newcomers, 0);
  g_array_set_size (self->carried, 0);
  for (guint i = 0; i < self->pids->len; i++)
    {
      gint pid = g_array_index (self->pids, gint, i);

      while (at < n_old && self->last->processes[at].pid < pid)
        at++;
      if (at == n_old || self->last->processes[at].pid != pid || !carry_over (self, at))
        add_new (self, pid);
    }
}

/* Its parent, and what was forked from that for the same purpose, may share pages with it. */
static void
mark_relatives (FpRoster *self,
                const FpProcess *process)
{
  for (guint i = 0; i < self->next->n_processes; i++)
    {
      const FpProcess *other = &self->next->processes[i];

      if (other->pid == process->ppid || (other->ppid == process->ppid && other->pid != process->pid &&
                                          other->texts[FP_TEXT_PROGRAM] == process->texts[FP_TEXT_PROGRAM]))
        fp_tracked_suspect (&self->tracked[i]);
    }
}

static gboolean
is_gone (const FpRoster *self,
         guint old_slot)
{
  const FpProcess *old = &self->last->processes[old_slot];

  return !fp_snapshot_find_same (self->next, &(FpProcessId){ old->pid, old->start_ticks });
}

/* A death shows at the zombie stage already, when the memory is given back, or as a PID that is there no more. */
static void
settle_deaths (FpRoster *self)
{
  guint n_old = self->last ? self->last->n_processes : 0;

  for (guint i = 0; i < n_old; i++)
    {
      const FpProcess *old = &self->last->processes[i];

      fp_process_reader_forget (self->reader, &self->former[i].stat_fd);
      if (old->reason != FP_REASON_ZOMBIE && old->reason != FP_REASON_KERNEL_THREAD && is_gone (self, i))
        mark_relatives (self, old);
    }

  for (guint i = 0; i < self->next->n_processes; i++)
    {
      FpProcess *process = &self->next->processes[i];

      if (!fp_stat_has_ended (&self->tracked[i].stat) || process->reason == FP_REASON_ZOMBIE)
        continue;
      fp_process_clear_memory (process, FP_REASON_ZOMBIE);
      mark_relatives (self, process);
    }
}

/* TRUE if there were any. */
static gboolean
settle_births (FpRoster *self)
{
  gboolean any = FALSE;

  for (guint i = 0; i < self->newcomers->len; i++)
    {
      guint slot = g_array_index (self->newcomers, guint, i);

      if (self->next->processes[slot].start_ticks == 0 || self->tracked[slot].stat.is_kernel_thread)
        continue;
      any = TRUE;
      if (self->last)
        mark_relatives (self, &self->next->processes[slot]);
    }
  return any;
}

static void
settle_twins (FpRoster *self,
              gboolean has_births)
{
  guint n = self->next->n_processes;

  if (!self->reader->proc.is_live || (!has_births && self->n_twins == 0))
    return;
  self->n_twins = fp_twins_mark (self);
  for (guint i = 0; i < n; i++)
    {
      FpProcess *process = &self->next->processes[i];

      if (process->shares_with)
        fp_process_clear_memory (process, FP_REASON_SHARED_MEMORY);
      else if (process->reason == FP_REASON_SHARED_MEMORY)
        {
          process->reason = FP_REASON_PENDING;
          fp_tracked_note_trial (&self->tracked[i], FP_TRIAL_NONE);
        }
    }
}

/* A process that died in its walk marks its relatives here, because the next collection does not see the death. */
void
fp_roster_drop_ended (FpRoster *self)
{
  guint kept = 0;

  for (guint i = 0; i < self->next->n_processes; i++)
    {
      const FpTracked *tracked = &self->tracked[i];

      if (tracked->life == FP_LIFE_DIED || (tracked->life == FP_LIFE_GONE && fp_tracked_was_tried (tracked)))
        mark_relatives (self, &self->next->processes[i]);
    }
  for (guint i = 0; i < self->next->n_processes; i++)
    {
      if (self->tracked[i].life == FP_LIFE_GONE)
        {
          fp_process_reader_forget (self->reader, &self->tracked[i].stat_fd);
          continue;
        }
      if (kept != i)
        {
          self->tracked[kept] = self->tracked[i];
          self->next->processes[kept] = self->next->processes[i];
        }
      kept++;
    }
  self->next->n_processes = kept;
}

gboolean
fp_roster_call (FpRoster *self,
                guint64 now_us,
                GError **error)
{
  gboolean has_births;

  if (!fp_proc_dir_list (&self->reader->proc, self->pids, error))
    return FALSE;
  self->now_us = now_us;
  fp_errands_begin_sweep (self->errands);
  merge (self);
  fp_looks_take (self);
  meet (self);
  settle_deaths (self);
  has_births = settle_births (self);
  settle_twins (self, has_births);
  return TRUE;
}

typedef struct
{
  FpRoster *roster;
  guint slot;
  gboolean is_seen;
} Sight;

static gboolean
begin_sight (gpointer errand,
             gpointer data,
             guint index)
{
  const Sight *self = data;
  FpRoster *roster = self->roster;

  fp_visit_begin (errand, roster->reader, &roster->tracked[self->slot], &roster->next->processes[self->slot], roster->now_us);
  return TRUE;
}

static void
end_sight (gpointer errand,
           gpointer data,
           guint index)
{
  Sight *self = data;
  FpRoster *roster = self->roster;

  self->is_seen = ((const FpVisit *)errand)->look == FP_LOOK_ALIVE;
  fp_visit_end (errand, &roster->tracked[self->slot], &roster->next->processes[self->slot]);
}

static void
leave_sight (gpointer data,
             guint index,
             FpErrandVerdict verdict)
{
  const Sight *self = data;
  FpRoster *roster = self->roster;

  fp_visit_leave (roster->reader, &roster->tracked[self->slot], &roster->next->processes[self->slot], roster->now_us,
                  verdict);
}

static const FpErrandKind seeing = { sizeof (FpVisit), begin_sight, fp_visit_see, end_sight, leave_sight, fp_visit_clear };

/* Reads the figures of its status, and then its state. FALSE: it is gone, does not answer, or has no memory any more */
gboolean
fp_roster_see (FpRoster *self,
               guint slot)
{
  Sight sight = { self, slot, FALSE };

  fp_errands_run (self->errands, &seeing, &sight, 1, FALSE);
  return sight.is_seen;
}

FpSnapshot *
fp_roster_publish (FpRoster *self)
{
  self->next->strings = fp_string_block_ref (self->reader->strings.block);
  g_clear_pointer (&self->last, fp_snapshot_unref);
  self->last = g_steal_pointer (&self->next);
  return fp_snapshot_ref (self->last);
}
