// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fp-process-reader.h"
#include "fp-sweep.h"
#include "fp-twins.h"

#define MAX_KEPT        4096
#define MAX_THREADS     4
#define MIN_PARALLEL    16
#define GIANT_US        10000 /* a walk holds up the other process for this long at the most, but on demand */
#define NS_PER_KIB      12    /* before it was ever measured: 4 KiB pages, about 47 ns each */
#define USERS_WAIT_US   (200 * 1000)
#define STRINGS_MINIMUM (64 * 1024)

struct _FpSweep
{
  FpProcessReader reader;
  FpRotation rotation;
  FpSnapshotPool *pool;

  GArray *pids;
  GArray *queue;
  FpTracked *tracked;
  FpTracked *spare_tracked;
  guint capacity;
  FpSnapshot *last;
  FpSnapshot *next;

  guint64 n_sweeps;
  guint64 n_walks;
  guint64 now_us;
  gint64 deadline_us;
  gsize strings_limit;
  guint n_twins;
  gboolean is_filling; /* the first picture, or all anew */
  gboolean has_births;
  gboolean has_waited_for_users;
};

typedef struct
{
  FpWalkClass class;
  guint slot;
  guint64 order;
} QueueEntry;

typedef void (*SlotFunc) (FpSweep *self, guint slot);

static guint64
clock_us (clockid_t id)
{
  struct timespec t;

  clock_gettime (id, &t);
  return (guint64)t.tv_sec * G_USEC_PER_SEC + (guint64)t.tv_nsec / 1000;
}

/* Each process costs a descriptor, and the usual soft limit of 1,024 is there for select() alone. */
static gint
raise_descriptor_limit (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) != 0)
    return 0;
  limit.rlim_cur = limit.rlim_max;
  setrlimit (RLIMIT_NOFILE, &limit);
  if (getrlimit (RLIMIT_NOFILE, &limit) != 0)
    return 0;
  return (gint)MIN (limit.rlim_cur / 2, MAX_KEPT);
}

FpSweep *
fp_sweep_new (const char *proc_path,
              const FpSweepSettings *settings,
              GError **error)
{
  g_autoptr (FpSweep) self = g_new0 (FpSweep, 1);

  self->reader.proc.fd = -1;
  g_mutex_init (&self->reader.mutex);
  self->reader.users = fp_users_new (settings->lookup_user);
  self->reader.page_size = (guint64)sysconf (_SC_PAGESIZE);
  self->reader.ticks_per_second = (guint64)sysconf (_SC_CLK_TCK);
  self->reader.max_kept = raise_descriptor_limit ();
  fp_strings_init (&self->reader.strings, STRINGS_MINIMUM);
  self->strings_limit = STRINGS_MINIMUM;
  fp_rotation_init (&self->rotation, settings->rotation, settings->n_sweeps, settings->share);
  self->pool = fp_snapshot_pool_new ();
  self->pids = g_array_new (FALSE, FALSE, sizeof (gint));
  self->queue = g_array_new (FALSE, FALSE, sizeof (QueueEntry));
  self->is_filling = TRUE;
  if (!fp_proc_dir_open (&self->reader.proc, proc_path, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
fp_sweep_free (FpSweep *self)
{
  for (guint i = 0; self->last && i < self->last->n_processes; i++)
    fp_process_reader_forget (&self->reader, &self->tracked[i]);
  g_clear_pointer (&self->last, fp_snapshot_unref);
  g_clear_pointer (&self->pool, fp_snapshot_pool_unref);
  g_array_unref (self->pids);
  g_array_unref (self->queue);
  g_free (self->tracked);
  g_free (self->spare_tracked);
  fp_strings_clear (&self->reader.strings);
  fp_users_free (self->reader.users);
  g_mutex_clear (&self->reader.mutex);
  fp_proc_dir_close (&self->reader.proc);
  g_free (self);
}

guint64
fp_sweep_get_n_walks (const FpSweep *self)
{
  return self->n_walks;
}

/* Many slots at once: as many threads as help, each takes the next slot from one counter. */
typedef struct
{
  FpSweep *self;
  SlotFunc func;
  const QueueEntry *entries;
  gint n_entries;
  gint next;
} Batch;

static gpointer
batch_worker (gpointer data)
{
  Batch *batch = data;
  gint i;

  while ((i = g_atomic_int_add (&batch->next, 1)) < batch->n_entries)
    {
      if (batch->self->deadline_us && i > 0 && g_get_monotonic_time () >= batch->self->deadline_us)
        break;
      batch->func (batch->self, batch->entries[i].slot);
    }
  return NULL;
}

static void
run_batch (FpSweep *self,
           SlotFunc func)
{
  Batch batch = {self, func, (const QueueEntry *)self->queue->data, (gint)self->queue->len, 0};
  guint n_threads = MIN (g_get_num_processors (), MAX_THREADS);
  GThread *threads[MAX_THREADS] = {NULL};

  if (batch.n_entries >= MIN_PARALLEL)
    for (guint i = 1; i < n_threads; i++)
      threads[i] = g_thread_try_new ("footprint-sweep", batch_worker, &batch, NULL);
  batch_worker (&batch);
  for (guint i = 1; i < n_threads; i++)
    if (threads[i])
      g_thread_join (threads[i]);
}

static void
enqueue (FpSweep *self,
         FpWalkClass class,
         guint slot,
         guint64 order)
{
  QueueEntry entry = {class, slot, order};

  g_array_append_val (self->queue, entry);
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

static void
sort_queue (FpSweep *self)
{
  if (self->queue->len > 1)
    qsort (self->queue->data, self->queue->len, sizeof (QueueEntry), compare_entries);
}

/* --- who is there --- */

static void
reserve (FpSweep *self,
         guint n)
{
  self->next = fp_snapshot_pool_take (self->pool, n);
  if (self->capacity >= n)
    return;
  self->capacity = n + n / 8 + 64;
  self->tracked = g_renew (FpTracked, self->tracked, self->capacity);
  g_free (self->spare_tracked);
  self->spare_tracked = g_new (FpTracked, self->capacity);
}

/* Its parent, and what was forked from that for the same purpose, may share pages with it. */
static void
mark_relatives (FpSweep *self,
                const FpProcess *process)
{
  for (guint i = 0; i < self->next->n_processes; i++)
    {
      const FpProcess *other = &self->next->processes[i];

      if (other->pid == process->ppid || (other->ppid == process->ppid && other->pid != process->pid && other->texts[FP_TEXT_PROGRAM] == process->texts[FP_TEXT_PROGRAM]))
        self->tracked[i].is_suspect = TRUE;
    }
}

static void
add_new (FpSweep *self,
         gint pid)
{
  guint slot = self->next->n_processes;
  FpProcess *process = &self->next->processes[slot];
  FpTracked *tracked = &self->tracked[slot];
  struct stat st;
  char name[16];

  *tracked = (FpTracked){.stat_fd = -1};
  *process = (FpProcess){.pid = pid, .reason = FP_REASON_PENDING, .state = '?'};
  switch (fp_process_reader_look (&self->reader, tracked, process))
    {
    case FP_LOOK_ALIVE:
      enqueue (self, FP_WALK_CHANGED, slot, 0);
      break;
    case FP_LOOK_FORBIDDEN:
      g_snprintf (name, sizeof name, "%d", pid);
      if (fstatat (self->reader.proc.fd, name, &st, 0) != 0)
        return;
      process->uid = st.st_uid;
      process->reason = FP_REASON_PERMISSION;
      tracked->was_walked = tracked->is_denied = TRUE;
      fp_users_request (self->reader.users, process->uid);
      break;
    case FP_LOOK_GONE:
    default:
      return;
    }
  self->next->n_processes++;
}

static gboolean
carry_over (FpSweep *self,
            FpTracked *old_tracked,
            const FpProcess *old)
{
  guint slot = self->next->n_processes;
  FpProcess *process = &self->next->processes[slot];
  FpTracked *tracked = &self->tracked[slot];

  *tracked = *old_tracked;
  *process = *old;
  tracked->is_identified = FALSE;
  tracked->in_attention = FALSE;
  if (old->start_ticks == 0 && tracked->is_denied)
    return FALSE;
  if (fp_process_reader_look (&self->reader, tracked, process) != FP_LOOK_ALIVE)
    return FALSE;
  *old_tracked = (FpTracked){.stat_fd = -1};
  self->next->n_processes++;
  return TRUE;
}

static void
identify_slot (FpSweep *self,
               guint slot)
{
  fp_process_reader_identify (&self->reader, &self->tracked[slot], &self->next->processes[slot]);
}

/* Both lists ascend by pid. The old arrays keep those that are gone, for what follows from a death. */
static void
merge (FpSweep *self)
{
  guint n_old = self->last ? self->last->n_processes : 0, at = 0;
  FpTracked *old_tracked;

  reserve (self, self->pids->len);
  old_tracked = self->tracked;
  self->tracked = g_steal_pointer (&self->spare_tracked);
  self->spare_tracked = old_tracked;
  g_array_set_size (self->queue, 0);
  for (guint i = 0; i < self->pids->len; i++)
    {
      gint pid = g_array_index (self->pids, gint, i);

      while (at < n_old && self->last->processes[at].pid < pid)
        at++;
      if (at < n_old && self->last->processes[at].pid == pid && carry_over (self, &old_tracked[at], &self->last->processes[at]))
        {
          old_tracked[at++].is_ended = FALSE;
          continue;
        }
      add_new (self, pid);
    }
}

static gboolean
is_gone (const FpSweep *self,
         guint old_slot)
{
  const FpProcess *old = &self->last->processes[old_slot];
  const FpProcess *now = fp_snapshot_find (self->next, old->pid);

  return !now || now->start_ticks != old->start_ticks;
}

/* A death shows at the zombie stage already, when the memory is given back, or as a PID that is there no more. */
static void
settle_deaths (FpSweep *self)
{
  guint n_old = self->last ? self->last->n_processes : 0;

  self->has_births = FALSE;
  for (guint i = 0; i < n_old; i++)
    {
      const FpProcess *old = &self->last->processes[i];

      fp_process_reader_forget (&self->reader, &self->spare_tracked[i]);
      if (old->reason != FP_REASON_ZOMBIE && old->reason != FP_REASON_KERNEL_THREAD && is_gone (self, i))
        mark_relatives (self, old);
    }

  for (guint i = 0; i < self->next->n_processes; i++)
    {
      FpProcess *process = &self->next->processes[i];

      if (!fp_stat_is_zombie (&self->tracked[i].stat) || process->main_thread_exited || process->reason == FP_REASON_ZOMBIE)
        continue;
      process->reason = FP_REASON_ZOMBIE;
      process->shares_with = 0;
      process->memory.present &= ~((G_GUINT64_CONSTANT (1) << FP_FIELD_RSS));
      fp_memory_clear_sources (&process->memory, FP_SOURCE_SMAPS | FP_SOURCE_STATUS | FP_SOURCE_DERIVED);
      mark_relatives (self, process);
    }
}

static void
settle_births (FpSweep *self)
{
  for (guint i = 0; i < self->queue->len; i++)
    {
      guint slot = g_array_index (self->queue, QueueEntry, i).slot;

      if (self->tracked[slot].stat.is_kernel_thread)
        continue;
      self->has_births = TRUE;
      if (self->last)
        mark_relatives (self, &self->next->processes[slot]);
    }
}

static void
settle_twins (FpSweep *self)
{
  guint n = self->next->n_processes;

  if (!self->reader.proc.is_live || (!self->has_births && self->n_twins == 0))
    return;
  self->n_twins = fp_twins_mark (self->tracked, self->next->processes, n);
  for (guint i = 0; i < n; i++)
    {
      FpProcess *process = &self->next->processes[i];

      if (process->shares_with)
        {
          fp_memory_clear_sources (&process->memory, FP_SOURCE_SMAPS | FP_SOURCE_STATUS | FP_SOURCE_DERIVED);
          process->reason = FP_REASON_SHARED_MEMORY;
        }
      else if (process->reason == FP_REASON_SHARED_MEMORY)
        {
          process->reason = FP_REASON_PENDING;
          self->tracked[i].was_walked = FALSE;
        }
    }
}

/* --- who is walked --- */

static gboolean
has_memory (const FpProcess *process)
{
  return process->reason != FP_REASON_KERNEL_THREAD && process->reason != FP_REASON_ZOMBIE && process->reason != FP_REASON_SHARED_MEMORY;
}

static guint64
predict_cost (const FpTracked *tracked,
              const FpProcess *process)
{
  guint64 rss = fp_memory_get (&process->memory, FP_FIELD_RSS);

  if (process->cost_us > 0 && tracked->walked_rss > 0)
    return (guint64)((double)process->cost_us * MAX ((double)rss / (double)tracked->walked_rss, 1.0));
  return rss / 1024 * NS_PER_KIB / 1000;
}

static double
age_in_periods (const FpSweep *self,
                const FpTracked *tracked)
{
  if (self->rotation.mode == FP_ROTATION_FIXED)
    return (double)(self->n_sweeps - tracked->walked_sweep) / self->rotation.n_sweeps;
  return (double)(self->now_us - tracked->walked_us) / (double)self->rotation.period_us;
}

static gboolean
has_changed (const FpTracked *tracked)
{
  return memcmp (&tracked->stat.fingerprint, &tracked->walked, sizeof tracked->walked) != 0;
}

static gboolean
is_in (const FpProcessId *ids,
       guint n,
       const FpProcess *process)
{
  for (guint i = 0; i < n; i++)
    if (ids[i].pid == process->pid && ids[i].start_ticks == process->start_ticks)
      return TRUE;
  return FALSE;
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
  if (!tracked->was_walked)
    return TRUE;
  if (predict_cost (tracked, process) > GIANT_US)
    return FALSE;
  if (has_changed (tracked) || (self->rotation.mode == FP_ROTATION_FIXED && age >= 1.0))
    return TRUE;
  *class = FP_WALK_SUSPECT;
  if (tracked->is_suspect)
    return TRUE;
  *class = FP_WALK_ATTENTION;
  if (tracked->in_attention && age >= 1.0 / 3)
    return TRUE;
  *class = FP_WALK_OLDEST;
  return tracked->walked_us < self->now_us;
}

static void
make_queue (FpSweep *self,
            const FpSweepRequest *request)
{
  g_array_set_size (self->queue, 0);
  for (guint i = 0; i < self->next->n_processes; i++)
    {
      FpTracked *tracked = &self->tracked[i];
      const FpProcess *process = &self->next->processes[i];
      FpWalkClass class;

      if (!has_memory (process) || process->start_ticks == 0)
        continue;
      tracked->in_attention = is_in (request->attention, request->n_attention, process);
      tracked->is_wanted |= request->refresh_all || is_in (request->wanted, request->n_wanted, process);
      if (self->is_filling)
        {
          /* What is looked at first, then the biggest. */
          if (!tracked->was_walked || tracked->is_wanted)
            enqueue (self, tracked->in_attention ? FP_WALK_WANTED : FP_WALK_CHANGED, i, G_MAXUINT64 - fp_memory_get (&process->memory, FP_FIELD_RSS));
        }
      else if (classify (self, tracked, process, &class))
        enqueue (self, class, i, tracked->was_walked ? tracked->walked_us : 0);
    }
  sort_queue (self);
}

static void
walk_slot (FpSweep *self,
           guint slot)
{
  fp_process_reader_walk (&self->reader, &self->tracked[slot], &self->next->processes[slot], self->now_us);
  self->tracked[slot].walked_sweep = self->n_sweeps;
}

static void
walk_queue (FpSweep *self)
{
  for (guint i = 0; i < self->queue->len; i++)
    {
      const QueueEntry *entry = &g_array_index (self->queue, QueueEntry, i);
      FpTracked *tracked = &self->tracked[entry->slot];
      double age = age_in_periods (self, tracked);
      guint64 start_us;

      if (self->deadline_us && g_get_monotonic_time () >= self->deadline_us)
        break;
      if (!fp_rotation_may_walk (&self->rotation, entry->class))
        continue;
      start_us = clock_us (CLOCK_THREAD_CPUTIME_ID);
      walk_slot (self, entry->slot);
      self->n_walks++;
      fp_rotation_pay (&self->rotation, entry->class, clock_us (CLOCK_THREAD_CPUTIME_ID) - start_us, age);
    }
}

static guint64
sum_costs (const FpSweep *self)
{
  guint64 sum = 0;

  for (guint i = 0; self->last && i < self->last->n_processes; i++)
    if (self->last->processes[i].cost_us < GIANT_US)
      sum += self->last->processes[i].cost_us;
  return sum;
}

static void
walk (FpSweep *self,
      const FpSweepRequest *request,
      guint64 elapsed_us)
{
  self->is_filling |= request->refresh_all;
  fp_rotation_begin (&self->rotation, sum_costs (self), elapsed_us);
  make_queue (self, request);
  if (!self->is_filling)
    {
      walk_queue (self);
      return;
    }
  run_batch (self, walk_slot);
  for (guint i = 0; i < self->queue->len; i++)
    {
      const FpTracked *tracked = &self->tracked[g_array_index (self->queue, QueueEntry, i).slot];

      if (!tracked->was_walked || tracked->is_wanted)
        self->next->info.n_pending++;
    }
  self->n_walks += self->queue->len - self->next->info.n_pending;
  self->is_filling = self->next->info.n_pending > 0;
}

/* --- what is told of it --- */

static void
read_rss_of_unwalked (FpSweep *self)
{
  for (guint i = 0; i < self->next->n_processes; i++)
    {
      FpTracked *tracked = &self->tracked[i];
      FpProcess *process = &self->next->processes[i];

      if (tracked->walked_sweep != self->n_sweeps && !tracked->is_identified && !tracked->is_ended && process->start_ticks != 0)
        fp_process_reader_read_rss (&self->reader, tracked, process);
      if (!fp_memory_has (&process->memory, FP_FIELD_PSS) && process->reason == FP_REASON_NONE)
        process->reason = FP_REASON_TOO_COSTLY;
    }
}

static void
drop_ended (FpSweep *self)
{
  guint kept = 0;

  for (guint i = 0; i < self->next->n_processes; i++)
    {
      if (self->tracked[i].is_ended)
        {
          fp_process_reader_forget (&self->reader, &self->tracked[i]);
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

static void
name_users (FpSweep *self)
{
  char name[64];

  if (!self->has_waited_for_users)
    fp_users_wait (self->reader.users, USERS_WAIT_US);
  self->has_waited_for_users = TRUE;
  for (guint i = 0; i < self->next->n_processes; i++)
    {
      FpProcess *process = &self->next->processes[i];

      if (fp_users_get_name (self->reader.users, process->uid, name, sizeof name))
        process->texts[FP_TEXT_USER] = fp_strings_intern (&self->reader.strings, name);
      else
        process->texts[FP_TEXT_USER] = 0;
    }
}

/* Texts of the gone are dropped when they may be half of the block. */
static void
rebuild_strings (FpSweep *self)
{
  FpStrings fresh;

  if (self->reader.strings.block->used <= self->strings_limit)
    return;
  fp_strings_init (&fresh, self->reader.strings.block->capacity);
  for (guint i = 0; i < self->next->n_processes; i++)
    for (FpText text = 0; text < FP_N_TEXTS; text++)
      {
        guint32 *offset = &self->next->processes[i].texts[text];

        *offset = fp_strings_intern (&fresh, fp_strings_get (&self->reader.strings, *offset));
      }
  fp_strings_clear (&self->reader.strings);
  self->reader.strings = fresh;
  self->strings_limit = MAX (fresh.block->used * 2, STRINGS_MINIMUM);
}

/* loadavg counts the tasks of the whole machine: many more than are listed means that some are hidden from us. */
static void
count_hidden_tasks (FpSweep *self)
{
  FpSystem *system = &self->next->system;
  guint64 tasks = fp_system_get (system, FP_SYSTEM_TASKS), seen = 0;

  if (!fp_system_has (system, FP_SYSTEM_TASKS))
    return;
  for (guint i = 0; i < self->next->n_processes; i++)
    seen += MAX (fp_memory_get (&self->next->processes[i].memory, FP_FIELD_THREADS), 1);
  fp_system_set (system, FP_SYSTEM_HIDDEN_TASKS, tasks > seen + MAX (tasks / 20, 8) ? tasks - seen : 0);
}

static void
describe (FpSweep *self)
{
  FpSnapshotInfo *info = &self->next->info;

  info->boottime_us = self->now_us;
  info->realtime_us = clock_us (CLOCK_REALTIME);
  info->ticks_per_second = self->reader.ticks_per_second;
  info->page_size = self->reader.page_size;
  if (fp_read_at (self->reader.proc.fd, "sys/kernel/random/boot_id", info->boot_id, sizeof info->boot_id) < 0)
    info->boot_id[0] = '\0';
  g_strchomp (info->boot_id);
  fp_system_read (&self->next->system, &self->reader.proc);
  count_hidden_tasks (self);
}

static FpSnapshot *
publish (FpSweep *self)
{
  self->next->strings = fp_string_block_ref (self->reader.strings.block);
  g_clear_pointer (&self->last, fp_snapshot_unref);
  self->last = g_steal_pointer (&self->next);
  return fp_snapshot_ref (self->last);
}

FpSnapshot *
fp_sweep_collect (FpSweep *self,
                  const FpSweepRequest *request,
                  GError **error)
{
  guint64 now_us = clock_us (CLOCK_BOOTTIME);
  guint64 elapsed_us = self->now_us ? now_us - self->now_us : 0;

  self->deadline_us = 0;
  if (!fp_proc_dir_list (&self->reader.proc, self->pids, error))
    return NULL;
  self->now_us = now_us;
  self->n_sweeps++;
  merge (self);
  self->next->info.n_pending = 0;
  run_batch (self, identify_slot);
  settle_deaths (self);
  settle_births (self);
  settle_twins (self);
  if (request->slice_us)
    self->deadline_us = g_get_monotonic_time () + (gint64)request->slice_us;
  walk (self, request, elapsed_us);
  read_rss_of_unwalked (self);
  drop_ended (self);
  name_users (self);
  rebuild_strings (self);
  describe (self);
  return publish (self);
}
