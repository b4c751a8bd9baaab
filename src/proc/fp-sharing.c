// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <string.h>

#include "fp-sharing.h"

#define ANYBODY   0 /* instead of a starter */
#define MAX_FORKS 64

typedef struct
{
  FpProcessId id;
  guint64 faults;
  guint64 anon;
  guint64 swap;
  gboolean is_there;
} Partner;

void
fp_family_init (FpFamily *self)
{
  *self = (FpFamily){ .partners = g_array_new (FALSE, FALSE, sizeof (Partner)) };
}

void
fp_family_clear (FpFamily *self)
{
  g_clear_pointer (&self->partners, g_array_unref);
}

static gboolean
has_image (const FpTracked *tracked)
{
  return tracked->stat.image.start_stack > 1;
}

/* Who started a program started all that its forks do. An orphan, which the first process or systemd has adopted, could
 * be a fork of anybody, and so could one whose parent is hidden. */
static gint
find_starter (const FpSnapshot *snapshot,
              const char *strings,
              const FpProcess *process)
{
  const guint32 program = process->texts[FP_TEXT_PROGRAM];
  const FpProcess *parent = process;

  while (parent && parent->pid != parent->ppid && parent->texts[FP_TEXT_PROGRAM] == program)
    parent = fp_snapshot_find (snapshot, parent->ppid);
  if (!parent || parent->pid <= 1 || g_str_equal (strings + parent->texts[FP_TEXT_PROGRAM], "systemd"))
    return ANYBODY;
  return parent->pid;
}

static gboolean
are_kin (gint starter,
         gint other)
{
  return starter == other || starter == ANYBODY || other == ANYBODY;
}

/* A fork has the addresses of its parent, which each exec draws anew. Where they may not be read, it has the program and
 * was started by the same. */
static gboolean
is_partner (const FpRoster *roster,
            guint slot,
            guint other)
{
  const FpTracked *a = &roster->tracked[slot], *b = &roster->tracked[other];
  const FpProcess *process = &roster->next->processes[slot], *candidate = &roster->next->processes[other];
  const char *texts = roster->reader.strings.block->data;

  if (slot == other || b->is_ended || !fp_reason_has_memory (candidate->reason) || b->stat.is_kernel_thread)
    return FALSE;
  if (has_image (a) && has_image (b))
    return a->stat.image.start_stack == b->stat.image.start_stack && a->stat.image.start_code == b->stat.image.start_code;
  if (candidate->texts[FP_TEXT_PROGRAM] != process->texts[FP_TEXT_PROGRAM])
    return candidate->pid == process->ppid || candidate->ppid == process->pid;
  return are_kin (find_starter (roster->next, texts, process), find_starter (roster->next, texts, candidate));
}

static guint64
count_faults (const FpStat *stat)
{
  return stat->fingerprint.minor_faults + stat->fingerprint.major_faults;
}

static guint64
subtract (guint64 a,
          guint64 b)
{
  return a > b ? a - b : 0;
}

/* A partner gives a page up by dropping it, or by a fault when it writes to it; it gains one by a fork or from swap. */
static void
compare (FpFamily *self,
         const Partner *old,
         const Partner *now,
         guint64 reach)
{
  guint64 by_faults = subtract (now->faults, old->faults) * reach;

  self->lost[FP_PAGES_ANON] += MIN (old->anon, subtract (old->anon, now->anon) + by_faults);
  self->lost[FP_PAGES_SWAP] += MIN (old->swap, subtract (old->swap, now->swap) + by_faults);
  self->gained[FP_PAGES_ANON] += subtract (old->swap, now->swap);
  self->gained[FP_PAGES_SWAP] += subtract (now->swap, old->swap);
}

static void
meet (FpFamily *self,
      const Partner *now,
      guint64 reach)
{
  for (guint i = 0; i < self->partners->len; i++)
    {
      Partner *old = &g_array_index (self->partners, Partner, i);

      if (old->id.pid != now->id.pid || old->id.start_ticks != now->id.start_ticks)
        continue;
      compare (self, old, now, reach);
      *old = *now;
      return;
    }
  self->gained[FP_PAGES_ANON] += now->anon;
  self->gained[FP_PAGES_SWAP] += now->swap;
  g_array_append_val (self->partners, *now);
}

/* Those that have ended, or run another program by now, have given all pages up. */
static void
drop_gone (FpFamily *self)
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

/* slot: of the process whose family this is */
void
fp_family_update (FpFamily *self,
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
      now.faults = count_faults (&roster->tracked[i].stat);
      now.anon = fp_memory_get (&process->memory, FP_FIELD_RSS_ANON);
      now.swap = fp_memory_get (&process->memory, FP_FIELD_VM_SWAP);
      meet (self, &now, fault_reach);
    }
  self->bytes = 0;
  drop_gone (self);
}

/* snapshot: in which the process is, with the texts of that */
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
  FpSharingChange change = { .id = { any->pid, any->start_ticks }, .ppid = any->ppid };

  if (file_before == file_after && shmem_before == shmem_after)
    return;
  change.program = texts + any->texts[FP_TEXT_PROGRAM];
  change.starter = find_starter (snapshot, texts, any);
  change.lost[FP_PAGES_FILE] = subtract (file_before, file_after);
  change.gained[FP_PAGES_FILE] = subtract (file_after, file_before);
  change.lost[FP_PAGES_SHMEM] = subtract (shmem_before, shmem_after);
  change.gained[FP_PAGES_SHMEM] = subtract (shmem_after, shmem_before);
  g_array_append_val (changes, change);
}

static void
list_end (GArray *changes,
          const FpSnapshot *last,
          const FpProcess *process)
{
  list_change (changes, process, NULL, last, last->strings->data);
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
        if (last->processes[old].pid == now->pid && last->processes[old].start_ticks == now->start_ticks)
          before = &last->processes[old];
        else
          list_end (changes, last, &last->processes[old]);
      list_change (changes, before, now, next, roster->reader.strings.block->data);
    }
  for (; old < n_old; old++)
    list_end (changes, last, &last->processes[old]);
}

/* Shared memory is passed on among relatives and processes of one program that the same one started. Files may be
 * anybody's; but a stranger maps those that many map. One that came after this process was measured gives up nothing that
 * was shared then. */
void
fp_family_add_changes (FpFamily *self,
                       const GArray *changes,
                       const FpRoster *roster,
                       guint slot,
                       guint64 measured_ticks)
{
  const FpProcess *process = &roster->next->processes[slot];
  const char *texts = roster->reader.strings.block->data, *program = texts + process->texts[FP_TEXT_PROGRAM];
  gint starter = find_starter (roster->next, texts, process);

  for (guint i = 0; i < changes->len; i++)
    {
      const FpSharingChange *change = &g_array_index (changes, FpSharingChange, i);

      if (change->id.pid == process->pid)
        continue;
      if (change->id.pid == process->ppid || change->ppid == process->pid ||
          (are_kin (change->starter, starter) && strcmp (change->program, program) == 0))
        for (FpPages pages = FP_PAGES_FILE; pages <= FP_PAGES_SHMEM; pages++)
          {
            self->lost[pages] += change->lost[pages];
            self->gained[pages] += change->gained[pages];
          }
      else
        {
          self->strangers_lost += change->id.start_ticks <= measured_ticks ? change->lost[FP_PAGES_FILE] : 0;
          self->strangers_gained += change->gained[FP_PAGES_FILE];
        }
    }
}
