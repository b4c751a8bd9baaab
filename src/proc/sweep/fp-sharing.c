// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-scan.h"
#include "fp-sharing.h"

#define UNKNOWN       0 /* The starter is hidden: any process of the program may have the same. */
#define MAX_ANCESTORS 256

typedef struct
{
  FpProcessId id;
  guint64 faults;
  guint64 anon;
  guint64 swap;
  gboolean is_there;
} Partner;

void
fp_sharing_init (FpSharing *self)
{
  *self = (FpSharing){ .partners = g_array_new (FALSE, FALSE, sizeof (Partner)) };
}

void
fp_sharing_clear (FpSharing *self)
{
  g_clear_pointer (&self->partners, g_array_unref);
}

/* Parents are older than their children: a PID used anew leads astray otherwise, and a folder may say anything. */
static const FpProcess *
find_parent (const FpSnapshot *snapshot,
             const FpProcess *process)
{
  const FpProcess *parent = fp_snapshot_find (snapshot, process->ppid);

  if (!parent || parent->start_ticks > process->start_ticks ||
      (parent->start_ticks == process->start_ticks && parent->pid >= process->pid))
    return NULL;
  return parent;
}

/* All forks of a program share its starter: the nearest ancestor that runs another program. */
static gint
find_starter (const FpSnapshot *snapshot,
              const FpProcess *process)
{
  const guint32 program = process->texts[FP_TEXT_PROGRAM];
  const FpProcess *parent = process;

  for (guint i = 0; i < MAX_ANCESTORS && parent; i++)
    {
      if (parent->texts[FP_TEXT_PROGRAM] != program)
        return parent->pid;
      parent = find_parent (snapshot, parent);
    }
  return UNKNOWN;
}

static gboolean
stems_from (const FpSnapshot *snapshot,
            const FpProcess *process,
            gint ancestor)
{
  for (guint i = 0; i < MAX_ANCESTORS && process; i++)
    {
      if (process->pid == ancestor)
        return TRUE;
      process = find_parent (snapshot, process);
    }
  return FALSE;
}

/* An orphan is adopted by an ancestor of the starter that it has lost. A hidden parent can't be followed. */
static gboolean
may_share_starter (const FpSnapshot *snapshot,
                   const FpProcess *process,
                   const FpSnapshot *other_snapshot,
                   const FpProcess *other)
{
  gint starter = find_starter (snapshot, process), other_starter = find_starter (other_snapshot, other);

  return starter == UNKNOWN || other_starter == UNKNOWN || stems_from (other_snapshot, other, starter) ||
         stems_from (snapshot, process, other_starter);
}

/* Where addresses are hidden, a fork is recognised by its program and its starter. */
static gboolean
is_partner (const FpRoster *roster,
            guint slot,
            guint other)
{
  const FpTracked *a = &roster->tracked[slot], *b = &roster->tracked[other];
  const FpProcess *process = &roster->next->processes[slot], *candidate = &roster->next->processes[other];

  if (slot == other || b->life == FP_LIFE_GONE || !fp_reason_has_memory (candidate->reason) || b->stat.is_kernel_thread)
    return FALSE;
  if (fp_stat_has_image (&a->stat) && fp_stat_has_image (&b->stat))
    return fp_stat_same_family (&a->stat, &b->stat);
  if (candidate->texts[FP_TEXT_PROGRAM] != process->texts[FP_TEXT_PROGRAM])
    return candidate->pid == process->ppid || candidate->ppid == process->pid;
  return may_share_starter (roster->next, process, roster->next, candidate);
}

/* A partner gives a page up by dropping it, or by a fault when it writes to it; it gains one by a fork or from swap. */
static void
compare (FpSharing *self,
         const Partner *old,
         const Partner *now,
         guint64 reach)
{
  guint64 by_faults = fp_less (now->faults, old->faults) * reach;

  self->lost[FP_PAGES_ANON] += MIN (old->anon, fp_less (old->anon, now->anon) + by_faults);
  self->lost[FP_PAGES_SWAP] += MIN (old->swap, fp_less (old->swap, now->swap) + by_faults);
  self->gained[FP_PAGES_ANON] += fp_less (old->swap, now->swap);
  self->gained[FP_PAGES_SWAP] += fp_less (now->swap, old->swap);
}

static void
meet (FpSharing *self,
      const Partner *now,
      guint64 reach)
{
  for (guint i = 0; i < self->partners->len; i++)
    {
      Partner *old = &g_array_index (self->partners, Partner, i);

      if (!fp_process_id_equal (&old->id, &now->id))
        continue;
      compare (self, old, now, reach);
      *old = *now;
      return;
    }
  self->gained[FP_PAGES_ANON] += now->anon;
  self->gained[FP_PAGES_SWAP] += now->swap;
  g_array_append_val (self->partners, *now);
}

/* Partners that have ended, or run another program by now, have given all pages up. */
static void
drop_gone (FpSharing *self)
{
  for (guint i = self->partners->len; i > 0; i--)
    {
      Partner *partner = &g_array_index (self->partners, Partner, i - 1);

      if (partner->is_there)
        {
          partner->is_there = FALSE;
          self->bytes += partner->anon + partner->swap;
          continue;
        }
      self->lost[FP_PAGES_ANON] += partner->anon;
      self->lost[FP_PAGES_SWAP] += partner->swap;
      g_array_remove_index_fast (self->partners, i - 1);
    }
}

/* slot: of the process whose sharing it is */
void
fp_sharing_update (FpSharing *self,
                   const FpRoster *roster,
                   guint slot,
                   guint64 fault_reach)
{
  for (guint i = 0; i < roster->next->n_processes; i++)
    {
      const FpProcess *process = &roster->next->processes[i];
      Partner now = { { process->pid, process->start_ticks }, 0, 0, 0, TRUE };

      if (!is_partner (roster, slot, i))
        continue;
      now.faults = fp_stat_count_faults (&roster->tracked[i].stat);
      now.anon = fp_memory_get (&process->memory, FP_FIELD_RSS_ANON);
      now.swap = fp_memory_get (&process->memory, FP_FIELD_VM_SWAP);
      meet (self, &now, fault_reach);
    }
  self->bytes = 0;
  drop_gone (self);
}

/* The texts belong to the snapshot, which has the process. */
static void
list_change (GArray *changes,
             const FpProcess *old,
             const FpProcess *now,
             const FpSnapshot *snapshot,
             const char *texts)
{
  static const FpMemory none;
  const FpProcess *any = now ? now : old;
  const FpMemory *before = old ? &old->memory : &none, *after = now ? &now->memory : &none;
  guint64 file_before = fp_memory_get (before, FP_FIELD_RSS_FILE), file_after = fp_memory_get (after, FP_FIELD_RSS_FILE);
  guint64 shmem_before = fp_memory_get (before, FP_FIELD_RSS_SHMEM);
  guint64 shmem_after = fp_memory_get (after, FP_FIELD_RSS_SHMEM);
  FpSharingChange change = { .process = any, .snapshot = snapshot };

  if (file_before == file_after && shmem_before == shmem_after)
    return;
  change.program = texts + any->texts[FP_TEXT_PROGRAM];
  change.lost[FP_PAGES_FILE] = fp_less (file_before, file_after);
  change.gained[FP_PAGES_FILE] = fp_less (file_after, file_before);
  change.lost[FP_PAGES_SHMEM] = fp_less (shmem_before, shmem_after);
  change.gained[FP_PAGES_SHMEM] = fp_less (shmem_after, shmem_before);
  g_array_append_val (changes, change);
}

static void
list_end (GArray *changes,
          const FpSnapshot *last,
          const FpProcess *process)
{
  list_change (changes, process, NULL, last, last->strings->data);
}

/* An exec gives everything up and begins anew: it may gain the pages of its new program while its sum falls. */
static void
list_survivor (GArray *changes,
               const FpProcess *old,
               const FpProcess *now,
               const FpRoster *roster)
{
  const char *texts = roster->reader->strings.block->data;

  if (old && strcmp (roster->last->strings->data + old->texts[FP_TEXT_PROGRAM], texts + now->texts[FP_TEXT_PROGRAM]) != 0)
    {
      list_end (changes, roster->last, old);
      old = NULL;
    }
  list_change (changes, old, now, roster->next, texts);
}

/* changes: of FpSharingChange, since the last collection. Both lists of processes ascend by PID. */
void
fp_sharing_list_changes (const FpRoster *roster,
                         GArray *changes)
{
  const FpSnapshot *last = roster->last, *next = roster->next;
  guint n_old = last ? last->n_processes : 0, old = 0;

  g_array_set_size (changes, 0);
  for (guint i = 0; i < next->n_processes; i++)
    {
      const FpProcess *now = &next->processes[i], *before = NULL;

      for (; old < n_old && last->processes[old].pid <= now->pid; old++)
        if (fp_process_is (&last->processes[old], &(FpProcessId){ now->pid, now->start_ticks }))
          before = &last->processes[old];
        else
          list_end (changes, last, &last->processes[old]);
      list_survivor (changes, before, now, roster);
    }
  for (; old < n_old; old++)
    list_end (changes, last, &last->processes[old]);
}

static gboolean
are_relatives (const FpProcess *a,
               const FpProcess *b)
{
  return a->pid == b->ppid || b->pid == a->ppid;
}

/* Relatives pass shared memory on, and so do processes of one program with the same starter, or of the same user. Any
 * process may map a file; but a stranger maps those that many map. A stranger that came after this process' pages were
 * counted gives up nothing that was shared then. */
void
fp_sharing_add_changes (FpSharing *self,
                        const GArray *changes,
                        const FpRoster *roster,
                        guint slot,
                        guint64 counted_ticks)
{
  const FpProcess *process = &roster->next->processes[slot];
  const char *program = roster->reader->strings.block->data + process->texts[FP_TEXT_PROGRAM];

  for (guint i = 0; i < changes->len; i++)
    {
      const FpSharingChange *change = &g_array_index (changes, FpSharingChange, i);
      gboolean is_same = strcmp (change->program, program) == 0;
      gboolean is_kin;

      if (change->process->pid == process->pid)
        continue;
      is_kin = are_relatives (change->process, process) ||
               (is_same && may_share_starter (change->snapshot, change->process, roster->next, process));
      if (is_kin || (is_same && change->process->uid == process->uid))
        {
          self->lost[FP_PAGES_SHMEM] += change->lost[FP_PAGES_SHMEM];
          self->gained[FP_PAGES_SHMEM] += change->gained[FP_PAGES_SHMEM];
        }
      if (is_kin)
        {
          self->lost[FP_PAGES_FILE] += change->lost[FP_PAGES_FILE];
          self->gained[FP_PAGES_FILE] += change->gained[FP_PAGES_FILE];
          continue;
        }
      self->strangers_lost += change->process->start_ticks <= counted_ticks ? change->lost[FP_PAGES_FILE] : 0;
      self->strangers_gained += change->gained[FP_PAGES_FILE];
    }
}
