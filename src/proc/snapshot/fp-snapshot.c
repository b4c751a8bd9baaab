// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-snapshot.h"

#define MAX_SPARE  3
#define NS_PER_KIB 12 /* 4 KiB pages, about 47 ns each */

/* Buffers of dropped snapshots, for the next sweep: shown, being made, and one on its way between them. */
struct _FpSnapshotPool
{
  gatomicrefcount ref_count;
  GMutex mutex;
  FpSnapshot *spare[MAX_SPARE];
};

static void
snapshot_free (FpSnapshot *self)
{
  g_free (self->processes);
  g_free (self);
}

FpSnapshotPool *
fp_snapshot_pool_new (void)
{
  FpSnapshotPool *self = g_new0 (FpSnapshotPool, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  return self;
}

void
fp_snapshot_pool_unref (FpSnapshotPool *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  for (guint i = 0; i < MAX_SPARE; i++)
    g_clear_pointer (&self->spare[i], snapshot_free);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

FpSnapshot *
fp_snapshot_pool_take (FpSnapshotPool *self,
                       guint capacity)
{
  FpSnapshot *snapshot = NULL;

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < MAX_SPARE && !snapshot; i++)
    snapshot = g_steal_pointer (&self->spare[i]);
  g_mutex_unlock (&self->mutex);

  if (!snapshot)
    snapshot = g_new0 (FpSnapshot, 1);
  g_atomic_ref_count_init (&snapshot->ref_count);
  g_atomic_ref_count_inc (&self->ref_count);
  snapshot->pool = self;
  snapshot->strings = NULL;
  snapshot->n_processes = 0;
  if (snapshot->capacity < capacity)
    {
      snapshot->capacity = capacity + capacity / 8 + 64;
      g_free (snapshot->processes);
      snapshot->processes = g_new (FpProcess, snapshot->capacity);
    }
  return snapshot;
}

/* The snapshot has a pool of its own, so that its memory is not used again. */
FpSnapshot *
fp_snapshot_new (guint capacity)
{
  FpSnapshotPool *pool = fp_snapshot_pool_new ();
  FpSnapshot *self = fp_snapshot_pool_take (pool, capacity);

  fp_snapshot_pool_unref (pool);
  return self;
}

static void
fp_snapshot_pool_give (FpSnapshotPool *self,
                       FpSnapshot *snapshot)
{
  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < MAX_SPARE && snapshot; i++)
    if (!self->spare[i])
      self->spare[i] = g_steal_pointer (&snapshot);
  g_mutex_unlock (&self->mutex);
  g_clear_pointer (&snapshot, snapshot_free);
  fp_snapshot_pool_unref (self);
}

FpSnapshot *
fp_snapshot_ref (FpSnapshot *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
fp_snapshot_unref (FpSnapshot *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->strings, fp_string_block_unref);
  fp_snapshot_pool_give (g_steal_pointer (&self->pool), self);
}

const FpProcess *
fp_snapshot_find (const FpSnapshot *self,
                  gint pid)
{
  guint low = 0, high = self->n_processes;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (self->processes[middle].pid < pid)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->n_processes && self->processes[low].pid == pid ? &self->processes[low] : NULL;
}

const FpProcess *
fp_snapshot_find_same (const FpSnapshot *self,
                       const FpProcessId *id)
{
  const FpProcess *process = fp_snapshot_find (self, id->pid);

  return process && fp_process_is (process, id) ? process : NULL;
}

gboolean
fp_snapshot_is_same_boot (const FpSnapshot *self,
                          const FpSnapshot *other)
{
  return *self->info.boot_id && strcmp (self->info.boot_id, other->info.boot_id) == 0;
}

const char *
fp_reason_get_name (FpReason reason)
{
  static const char *const names[FP_N_REASONS] = {
    NULL, "pending", "permission", "too costly", "kernel thread", "ended", "zombie", "shared memory", "unsupported", "no answer"
  };

  return reason < FP_N_REASONS ? names[reason] : NULL;
}

/* FALSE: the process has no memory, or it is counted with another; then nothing is unknown. */
gboolean
fp_reason_has_memory (FpReason reason)
{
  return reason != FP_REASON_KERNEL_THREAD && reason != FP_REASON_ZOMBIE && reason != FP_REASON_SHARED_MEMORY &&
         reason != FP_REASON_ENDED;
}

/* Predicts how long the walk of a process that was never measured takes, and holds it up. */
guint64
fp_predict_cost_us (guint64 rss)
{
  return rss / 1024 * NS_PER_KIB / 1000;
}

gboolean
fp_process_is_kernel_thread (const FpProcess *self)
{
  return self->reason == FP_REASON_KERNEL_THREAD;
}

/* A signal has stopped it until another one lets it go on. */
gboolean
fp_process_is_paused (const FpProcess *self)
{
  return self->state == 'T';
}

/* The kernel knows it still, but it has no memory any more. */
gboolean
fp_process_is_over (const FpProcess *self)
{
  return self->reason == FP_REASON_ENDED || self->reason == FP_REASON_ZOMBIE;
}

/* Has memory that could not be read, so that sums are too small by it. */
gboolean
fp_process_is_unread (const FpProcess *self)
{
  return !fp_memory_has (&self->memory, FP_FIELD_PSS) && !fp_memory_has_range (&self->memory, FP_FIELD_PSS) &&
         fp_reason_has_memory (self->reason);
}

void
fp_process_take_stat (FpProcess *self,
                      const FpStat *stat,
                      guint64 ticks_per_second)
{
  FpMemory *memory = &self->memory;
  guint64 cpu_us;

  if (__builtin_add_overflow (stat->user_ticks, stat->system_ticks, &cpu_us) ||
      __builtin_mul_overflow (cpu_us, G_USEC_PER_SEC, &cpu_us))
    cpu_us = G_MAXUINT64;
  self->start_ticks = stat->start_ticks;
  self->ppid = stat->ppid;
  self->state = (guint8)stat->state;
  self->main_thread_exited = fp_stat_is_zombie (stat) && stat->n_threads > 1;
  fp_memory_set (memory, FP_FIELD_THREADS, stat->n_threads);
  fp_memory_set (memory, FP_FIELD_MINOR_FAULTS, stat->fingerprint.minor_faults);
  fp_memory_set (memory, FP_FIELD_MAJOR_FAULTS, stat->fingerprint.major_faults);
  fp_memory_set (memory, FP_FIELD_CPU_TIME, cpu_us / ticks_per_second);
}

/* Keeps RSS and the figures of status, which are public, unless the process has no memory of its own. */
void
fp_process_clear_memory (FpProcess *self,
                         FpReason reason)
{
  gboolean keeps_rss = fp_reason_has_memory (reason) && fp_memory_has (&self->memory, FP_FIELD_RSS);

  fp_memory_clear_origins (&self->memory, FP_ORIGIN_SMAPS | FP_ORIGIN_DERIVED);
  if (keeps_rss)
    fp_memory_set (&self->memory, FP_FIELD_RSS, self->memory.figures[FP_FIELD_RSS]);
  fp_memory_derive (&self->memory);
  if (!fp_reason_has_memory (reason))
    {
      fp_memory_clear_origins (&self->memory, FP_ORIGIN_STATUS | FP_ORIGIN_DERIVED);
      self->measured_us = 0;
    }
  if (reason != FP_REASON_SHARED_MEMORY)
    self->shares_with = 0;
  self->reason = (guint8)reason;
}

/* Large processes that are to be read yet have a range. Sums are good enough where the small ones have at most 1 % of all. */
gboolean
fp_snapshot_has_reliable_sums (const FpSnapshot *self)
{
  guint64 all = 0, unknown = 0;

  if (self->info.n_pending == 0)
    return TRUE;
  for (guint i = 0; i < self->n_processes; i++)
    {
      const FpProcess *process = &self->processes[i];
      guint64 rss = fp_memory_get (&process->memory, FP_FIELD_RSS);

      all += rss;
      if (process->reason == FP_REASON_PENDING && !fp_memory_has_range (&process->memory, FP_FIELD_PSS))
        unknown += rss;
    }
  return unknown <= all / 100;
}

/* loadavg counts the tasks of the whole machine: many more than are listed means that some are hidden from us. n_ended of
 * them have ended since. */
void
fp_snapshot_count_hidden_tasks (FpSnapshot *self,
                                guint64 n_ended)
{
  FpSystem *system = &self->system;
  guint64 tasks = fp_system_get (system, FP_SYSTEM_TASKS), seen = n_ended;

  if (!fp_system_has (system, FP_SYSTEM_TASKS))
    return;
  for (guint i = 0; i < self->n_processes; i++)
    seen += MAX (fp_memory_get (&self->processes[i].memory, FP_FIELD_THREADS), 1);
  fp_system_set (system, FP_SYSTEM_HIDDEN_TASKS, tasks > seen + MAX (tasks / 20, 8) ? tasks - seen : 0);
}
