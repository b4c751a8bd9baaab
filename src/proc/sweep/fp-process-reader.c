// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fp-clock.h"
#include "fp-mapping-reader.h"
#include "fp-owner.h"
#include "fp-process-reader.h"
#include "fp-scan.h"

#define MAX_TRIES 3 /* while it execs under our hands */

/* A kept stat descriptor stays with its process over exec and says ESRCH for ever once that is reaped. */
static void
keep_stat (FpProcessReader *self,
           FpTracked *tracked,
           int fd)
{
  /* Only the kernel's own says ESRCH one day. */
  if (!self->proc.is_live)
    {
      close (fd);
      return;
    }
  if (tracked->stat_fd < 0 && g_atomic_int_add (&self->n_kept, 1) < self->max_kept)
    {
      tracked->stat_fd = fd;
      return;
    }
  if (tracked->stat_fd < 0)
    g_atomic_int_add (&self->n_kept, -1);
  close (fd);
}

void
fp_process_reader_forget (FpProcessReader *self,
                          FpTracked *tracked)
{
  if (tracked->stat_fd < 0)
    return;
  close (tracked->stat_fd);
  tracked->stat_fd = -1;
  g_atomic_int_add (&self->n_kept, -1);
}

static FpLook
look_from_error (gssize error)
{
  return error == -EACCES || error == -EPERM ? FP_LOOK_FORBIDDEN : FP_LOOK_GONE;
}

static FpLook
read_stat (FpProcessReader *self,
           FpTracked *tracked,
           const FpProcess *process,
           FpStat *stat)
{
  FpLook look = FP_LOOK_ALIVE;
  char text[1024];
  gssize length;
  int fd = tracked->stat_fd;

  if (fd < 0 && (fd = fp_proc_dir_open_file (&self->proc, process->pid, "stat")) < 0)
    return look_from_error (-errno);
  length = fp_read_record (fd, text, sizeof text);
  if (length <= 0 || !fp_stat_parse (stat, text, (gsize)length))
    look = look_from_error (length);
  else if (process->start_ticks != 0 && stat->start_ticks != process->start_ticks)
    look = FP_LOOK_GONE;
  if (fd == tracked->stat_fd)
    return look;
  if (look == FP_LOOK_ALIVE)
    keep_stat (self, tracked, fd);
  else
    close (fd);
  return look;
}

/* After an exec the figures and the cost of the walk are those of the old program, so they are dropped. */
static void
note_exec (FpTracked *tracked,
           FpProcess *process,
           const FpStat *stat)
{
  if (tracked->stat.start_ticks == 0 || fp_stat_is_zombie (stat) || fp_stat_same_image (&tracked->stat, stat))
    return;
  fp_tracked_note_names (tracked, FP_NAMES_STALE);
  if (memcmp (&tracked->stat.image, &stat->image, sizeof stat->image) == 0)
    return;
  process->cost_us = 0;
  if (fp_reason_has_memory (process->reason))
    fp_process_clear_memory (process, tracked->trial == FP_TRIAL_DENIED ? FP_REASON_PERMISSION : FP_REASON_PENDING);
}

FpLook
fp_process_reader_look (FpProcessReader *self,
                        FpTracked *tracked,
                        FpProcess *process)
{
  FpStat stat;
  FpLook look = read_stat (self, tracked, process, &stat);

  if (look != FP_LOOK_ALIVE)
    return look;
  note_exec (tracked, process, &stat);
  tracked->stat = stat;
  fp_process_take_stat (process, &tracked->stat, self->ticks_per_second);
  return FP_LOOK_ALIVE;
}

static int
open_memory_dir (FpProcessReader *self,
                 const FpProcess *process)
{
  return fp_proc_dir_open_memory (&self->proc, process->pid, process->main_thread_exited);
}

/* The effective uid is the second of "Uid:": that of the directory, and in a recorded tree the one it had. */
static void
scan_status (FpProcess *process,
             const char *text,
             gsize length)
{
  const char *cursor = text, *end = text + length;
  FpLine line;

  fp_memory_scan (&process->memory, FP_ORIGIN_STATUS, text, length);
  while (fp_scan_line (&cursor, end, &line))
    if (fp_line_has_key (&line, "Uid"))
      {
        const char *uid = line.text;

        fp_scan_number (&uid, end);
        uid = fp_scan_blanks (uid, end);
        process->uid = (guint32)fp_scan_number (&uid, end);
      }
    else if (fp_line_has_key (&line, "VmRSS") && line.has_value && line.is_kilobytes)
      {
        fp_memory_set (&process->memory, FP_FIELD_RSS, line.value);
        return;
      }
}

/* Memory that was walked while its process was not plain stays closed to its user until the next walk. */
static void
judge_owner (FpTracked *tracked,
             FpProcess *process,
             int memory_dir,
             const char *status,
             gsize length)
{
  FpOwner owner;

  fp_owner_read (&owner, memory_dir, status, length);
  tracked->is_plain = owner.is_plain;
  if (!owner.is_plain || process->gid != owner.gid)
    process->is_plain = FALSE;
  process->gid = owner.gid;
}

static void
read_status (FpProcessReader *self,
             FpTracked *tracked,
             FpProcess *process,
             int memory_dir)
{
  char text[8192];
  gssize length = fp_read_record_at (memory_dir, "status", text, sizeof text);
  struct stat st;

  fp_memory_clear_origins (&process->memory, FP_ORIGIN_STATUS);
  if (fstat (memory_dir, &st) == 0)
    process->uid = st.st_uid;
  if (length > 0)
    scan_status (process, text, (gsize)length);
  if (self->judges_owners)
    judge_owner (tracked, process, memory_dir, text, (gsize)MAX (length, 0));
  tracked->status_rss = fp_memory_get (&process->memory, FP_FIELD_RSS);
}

static void
read_oom (FpProcess *process,
          int process_dir)
{
  char text[32];

  if (fp_read_record_at (process_dir, "oom_score", text, sizeof text) > 0 && g_ascii_isdigit (*text))
    fp_memory_set (&process->memory, FP_FIELD_OOM_SCORE, g_ascii_strtoull (text, NULL, 10));
  if (fp_read_record_at (process_dir, "oom_score_adj", text, sizeof text) > 0)
    process->oom_score_adj = (gint16)CLAMP (g_ascii_strtoll (text, NULL, 10), -1000, 1000);
}

static void
take_identity (FpProcessReader *self,
               FpProcess *process,
               const FpIdentity *identity)
{
  const char *const texts[FP_N_TEXTS] = {
    [FP_TEXT_COMM] = identity->comm,
    [FP_TEXT_COMMAND] = identity->command,
    [FP_TEXT_PROGRAM] = identity->program,
    [FP_TEXT_EXE] = identity->exe,
    [FP_TEXT_APP] = identity->cgroup.app,
    [FP_TEXT_UNIT] = identity->cgroup.unit,
    [FP_TEXT_SLICE] = identity->cgroup.slice,
    [FP_TEXT_CONTAINER] = identity->cgroup.container,
    [FP_TEXT_CONTROL_GROUP] = identity->cgroup.path,
  };

  g_mutex_lock (&self->mutex);
  for (FpText text = 0; text < FP_N_TEXTS; text++)
    if (texts[text])
      process->texts[text] = fp_strings_intern (&self->strings, texts[text]);
  g_mutex_unlock (&self->mutex);
  process->exe_state = (guint8)identity->exe_state;
  fp_users_request (self->users, process->uid);
}

static void
identify_from (FpProcessReader *self,
               FpTracked *tracked,
               FpProcess *process,
               int dir)
{
  FpIdentity identity;

  read_status (self, tracked, process, dir);
  read_oom (process, dir);
  fp_identity_read (&identity, dir, &tracked->stat, self->proc.is_live);
  take_identity (self, process, &identity);
  fp_tracked_note_names (tracked, FP_NAMES_FRESH);
}

/* It has shrunk below what was measured, so that is certainly wrong by now; the bound is right. */
static void
drop_outdated (FpProcess *process)
{
  FpMemory *memory = &process->memory;
  guint64 rss = fp_memory_get (memory, FP_FIELD_RSS);

  if (fp_memory_get (memory, FP_FIELD_PSS) > rss || fp_memory_get (memory, FP_FIELD_USS) > rss)
    fp_process_clear_memory (process, process->reason);
  fp_memory_derive (memory);
}

/* Reads everything that is public. A process seen for the first time waits for its walk from here on. */
void
fp_process_reader_identify (FpProcessReader *self,
                            FpTracked *tracked,
                            FpProcess *process)
{
  g_auto (FpFd) dir = open_memory_dir (self, process);

  if (dir < 0)
    return;
  identify_from (self, tracked, process, dir);
  if (tracked->stat.is_kernel_thread)
    fp_process_clear_memory (process, FP_REASON_KERNEL_THREAD);
  else if (fp_stat_has_ended (&tracked->stat))
    fp_process_clear_memory (process, FP_REASON_ZOMBIE);
  else if (!fp_tracked_was_tried (tracked))
    fp_process_clear_memory (process, FP_REASON_PENDING);
  else
    drop_outdated (process);
}

/* The parts of RSS and the swap, which bound what is not known. FALSE: it has none any more */
gboolean
fp_process_reader_read_status (FpProcessReader *self,
                               FpTracked *tracked,
                               FpProcess *process)
{
  g_auto (FpFd) dir = open_memory_dir (self, process);

  read_status (self, tracked, process, dir);
  fp_users_request (self->users, process->uid);
  return fp_memory_has (&process->memory, FP_FIELD_RSS_ANON);
}

/* statm costs a tenth of status. */
void
fp_process_reader_read_rss (FpProcessReader *self,
                            FpTracked *tracked,
                            FpProcess *process)
{
  FpMemory *memory = &process->memory;
  guint64 size, rss;

  if (!fp_reason_has_memory (process->reason) || process->main_thread_exited ||
      !fp_statm_read (&self->proc, process->pid, self->page_size, &size, &rss))
    return;
  fp_memory_set (memory, FP_FIELD_RSS, rss);
  if (rss != tracked->status_rss)
    fp_process_reader_read_status (self, tracked, process);
  fp_memory_set (memory, FP_FIELD_VM_SIZE, size);
  drop_outdated (process);
}

typedef enum
{
  WALK_DONE,
  WALK_DENIED,
  WALK_ENDED,
  WALK_NO_MEMORY,
  WALK_UNSUPPORTED,
} Walk;

/* A copy of /proc may have the mappings alone, as smem reads them, or be of a kernel before 4.14. */
static Walk
sum_mappings (const FpProcessReader *self,
              FpProcess *process)
{
  const FpProcessId id = { process->pid, process->start_ticks };
  g_autoptr (FpMappings) mappings = fp_mappings_read (&self->proc, &id, NULL, NULL, NULL);

  if (!mappings)
    return WALK_UNSUPPORTED;
  if (fp_mappings_get_n (mappings) == 0)
    return WALK_NO_MEMORY;
  fp_memory_clear_origins (&process->memory, FP_ORIGIN_SMAPS | FP_ORIGIN_DERIVED);
  fp_mappings_sum (mappings, &process->memory);
  return fp_memory_has (&process->memory, FP_FIELD_PSS) ? WALK_DONE : WALK_UNSUPPORTED;
}

/* dir: where its files are, or -1 for the process's own folder */
static Walk
walk_once (FpProcessReader *self,
           FpProcess *process,
           int dir)
{
  g_auto (FpFd) fd = dir >= 0 ? openat (dir, "smaps_rollup", O_RDONLY | O_CLOEXEC)
                              : fp_proc_dir_open_file (&self->proc, process->pid, "smaps_rollup");
  FpMemory *memory = &process->memory;
  char text[4096];
  gssize length = fd < 0 ? -errno : fp_read_record (fd, text, sizeof text);

  if (length == -EACCES || length == -EPERM)
    return WALK_DENIED;
  if (length == -ENOENT)
    return self->proc.is_live ? WALK_UNSUPPORTED : sum_mappings (self, process);
  if (length <= 0)
    return WALK_NO_MEMORY;
  fp_memory_clear_origins (memory, FP_ORIGIN_SMAPS | FP_ORIGIN_DERIVED);
  fp_memory_scan (memory, FP_ORIGIN_SMAPS, text, (gsize)length);
  fp_memory_derive (memory);
  return fp_memory_has (memory, FP_FIELD_PSS) ? WALK_DONE : WALK_UNSUPPORTED;
}

static void
take_walk (FpTracked *tracked,
           FpProcess *process,
           Walk walk,
           guint64 now_us)
{
  static const FpReason reasons[] = {
    [WALK_DONE] = FP_REASON_NONE,
    [WALK_DENIED] = FP_REASON_PERMISSION,
    [WALK_ENDED] = FP_REASON_ENDED,
    [WALK_NO_MEMORY] = FP_REASON_PENDING,
    [WALK_UNSUPPORTED] = FP_REASON_UNSUPPORTED,
  };

  fp_tracked_note_trial (tracked, walk == WALK_DENIED ? FP_TRIAL_DENIED : FP_TRIAL_MADE);
  if (walk == WALK_ENDED)
    fp_tracked_note_end (tracked, FP_LIFE_GONE);
  if (walk != WALK_DONE)
    {
      fp_process_clear_memory (process, reasons[walk]);
      return;
    }
  process->reason = FP_REASON_NONE;
  process->is_plain = tracked->is_plain;
  process->shares_with = 0;
  process->measured_us = now_us;
  tracked->walked_rss = fp_memory_get (&process->memory, FP_FIELD_RSS);
}

static Walk
try_walk (FpProcessReader *self,
          FpTracked *tracked,
          FpProcess *process,
          gboolean with_names)
{
  g_auto (FpFd) dir = with_names || process->main_thread_exited ? open_memory_dir (self, process) : -1;
  guint64 start_us;
  Walk walk;

  tracked->walked = tracked->stat.fingerprint;
  if (dir >= 0 && with_names)
    identify_from (self, tracked, process, dir);
  start_us = fp_clock_us (CLOCK_THREAD_CPUTIME_ID);
  walk = walk_once (self, process, dir);
  process->cost_us = (guint32)(fp_clock_us (CLOCK_THREAD_CPUTIME_ID) - start_us);
  return walk;
}

/* Figures and names together: both are read again until no exec came between them, and in the next sweep where one
 * came each time. A process that is alive behind the reading, by its kept descriptor or its start time, had this PID all
 * along. */
void
fp_process_reader_walk (FpProcessReader *self,
                        FpTracked *tracked,
                        FpProcess *process,
                        guint64 now_us)
{
  Walk walk = WALK_NO_MEMORY;
  gboolean is_of_one_image = FALSE;

  fp_tracked_begin_walk (tracked, now_us);
  for (guint try = 0; try < MAX_TRIES && !is_of_one_image; try++)
    {
      FpStat before = tracked->stat;

      walk = try_walk (self, tracked, process, try > 0 || tracked->names != FP_NAMES_FRESH);
      if (fp_process_reader_look (self, tracked, process) != FP_LOOK_ALIVE)
        walk = WALK_ENDED;
      is_of_one_image = walk == WALK_ENDED || fp_stat_has_ended (&tracked->stat) ||
                        fp_stat_same_image (&before, &tracked->stat);
    }
  if (!is_of_one_image)
    {
      walk = WALK_NO_MEMORY;
      fp_tracked_suspect (tracked);
    }
  if (walk != WALK_ENDED && fp_stat_has_ended (&tracked->stat))
    {
      fp_tracked_note_end (tracked, FP_LIFE_DIED);
      fp_process_clear_memory (process, FP_REASON_ZOMBIE);
    }
  else
    take_walk (tracked, process, walk, now_us);
}
