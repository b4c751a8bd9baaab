// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>

#include "fp-clock.h"
#include "fp-layout.h"
#include "fp-mapping-reader.h"
#include "fp-visit.h"

#define MAX_TRIES 3 /* while it execs under our hands */

void
fp_visit_begin (FpVisit *self,
                FpProcessReader *reader,
                const FpTracked *tracked,
                const FpProcess *process,
                guint64 now_us)
{
  self->reader = fp_process_reader_ref (reader);
  self->tracked = *tracked;
  self->process = *process;
  self->now_us = now_us;
  self->spent_us = 0;
  self->look = FP_LOOK_ALIVE;
  self->verdict = FP_ERRAND_ALLOWED;
  self->has_names = FALSE;
}

/* For whom it counts as it was known last */
guint32
fp_visit_get_payer (const FpTracked *tracked,
                    const FpProcess *process)
{
  return tracked->payer.is_known ? tracked->payer.uid : process->uid;
}

static FpErrandVerdict
enter (FpVisit *self,
       FpRunner *runner)
{
  return fp_runner_enter_live (runner, &self->reader->proc, &(FpProcessId){ self->process.pid, self->process.start_ticks },
                               &self->tracked.payer);
}

static int
open_memory_dir (const FpVisit *self)
{
  return fp_proc_dir_open_memory (&self->reader->proc, self->process.pid, self->process.main_thread_exited);
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
read_public (FpVisit *self,
             int dir)
{
  fp_process_reader_read_status_at (self->reader, &self->tracked, &self->process, dir);
  read_oom (&self->process, dir);
}

/* The command line is in the memory of the process, and so behind its lock. */
static void
read_names (FpVisit *self,
            int dir)
{
  if (self->verdict == FP_ERRAND_ALLOWED)
    fp_identity_read (&self->identity, dir, &self->tracked.stat, self->reader->max_command, self->reader->proc.is_live);
  else
    fp_identity_read_short (&self->identity, dir, &self->tracked.stat);
  self->has_names = TRUE;
  fp_tracked_note_names (&self->tracked, FP_NAMES_FRESH);
}

/* Reads everything that is public. A process seen for the first time waits for its walk from here on. */
void
fp_visit_identify (gpointer visit,
                   FpRunner *runner)
{
  FpVisit *self = visit;
  g_auto (FpFd) dir = open_memory_dir (self);

  if (dir < 0)
    return;
  read_public (self, dir);
  if (!self->tracked.stat.is_kernel_thread)
    self->verdict = enter (self, runner);
  if (self->verdict == FP_ERRAND_ALLOWED || self->tracked.names == FP_NAMES_STALE || self->process.texts[FP_TEXT_COMM] == 0)
    read_names (self, dir);
  if (self->tracked.stat.is_kernel_thread)
    fp_process_clear_memory (&self->process, FP_REASON_KERNEL_THREAD);
  else if (fp_stat_has_ended (&self->tracked.stat))
    fp_process_clear_memory (&self->process, FP_REASON_ZOMBIE);
  else if (!fp_tracked_was_tried (&self->tracked))
    fp_process_clear_memory (&self->process, FP_REASON_PENDING);
  else
    fp_process_reader_drop_outdated (&self->process);
}

/* The first look at a process. Nothing is known of it before but whose it is. */
void
fp_visit_look (gpointer visit,
               FpRunner *runner)
{
  FpVisit *self = visit;
  FpFolder folder = { 0 };

  fp_folder_read (&folder, &self->reader->proc, self->process.pid);
  self->process.uid = folder.owner;
  self->tracked.folder = folder.inode;
  if (!fp_errand_may_look (enter (self, runner)))
    self->verdict = FP_ERRAND_REFUSED;
  else
    self->look = fp_process_reader_look (self->reader, &self->tracked, &self->process);
}

void
fp_visit_meet (gpointer visit,
               FpRunner *runner)
{
  FpVisit *self = visit;

  fp_visit_look (self, runner);
  if (self->verdict == FP_ERRAND_ALLOWED && self->look == FP_LOOK_ALIVE)
    fp_visit_identify (self, runner);
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
walk_once (FpVisit *visit,
           int dir)
{
  const FpProcessReader *self = visit->reader;
  FpProcess *process = &visit->process;
  g_auto (FpFd) fd = dir >= 0 ? openat (dir, "smaps_rollup", O_RDONLY | O_CLOEXEC)
                              : fp_proc_dir_open_file (&self->proc, process->pid, "smaps_rollup");
  FpMemory *memory = &process->memory;
  char text[4096], *rest;
  gssize length = fd < 0 ? -errno : fp_read_record (fd, text, sizeof text);

  if (length == -EACCES || length == -EPERM)
    return WALK_DENIED;
  if (length == -ENOENT)
    return self->proc.is_live ? WALK_UNSUPPORTED : sum_mappings (self, process);
  if (length <= 0)
    return WALK_NO_MEMORY;
  visit->first = g_ascii_strtoull (text, &rest, 16);
  visit->end = *rest == '-' ? g_ascii_strtoull (rest + 1, NULL, 16) : 0;
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
try_walk (FpVisit *self,
          gboolean with_names)
{
  g_auto (FpFd) dir = with_names || self->process.main_thread_exited ? open_memory_dir (self) : -1;
  guint64 start_us;
  Walk walk;

  self->tracked.walked = self->tracked.stat.fingerprint;
  if (dir >= 0 && with_names)
    {
      read_public (self, dir);
      read_names (self, dir);
    }
  start_us = fp_clock_us (CLOCK_THREAD_CPUTIME_ID);
  walk = walk_once (self, dir);
  self->process.cost_us = (guint32)(fp_clock_us (CLOCK_THREAD_CPUTIME_ID) - start_us);
  return walk;
}

/* Its owner was judged before the walk. What stat says of the image a process can make look alike from one exec to the next,
 * but each exec has faults. Where there were any, the owner is judged anew, and the mappings must then lie where the walk found
 * them. */
static void
confirm_owner (FpVisit *self)
{
  g_auto (FpFd) dir = -1;
  FpLayout now;

  if (!self->tracked.is_plain || fp_stat_count_faults (&self->tracked.stat) == self->tracked.judged_faults)
    return;
  if ((dir = open_memory_dir (self)) >= 0)
    fp_process_reader_read_status_at (self->reader, &self->tracked, &self->process, dir);
  if (dir < 0 || !fp_layout_read (&now, dir) || now.first != self->first || now.end != self->end)
    self->tracked.is_plain = FALSE;
}

/* Figures and names together: both are read again until no exec came between them, and in the next sweep where one
 * came each time. A process that is alive behind the reading, by its kept descriptor or its start time, had this PID all
 * along. */
static void
walk (FpVisit *self)
{
  FpTracked *tracked = &self->tracked;
  Walk result = WALK_NO_MEMORY;
  gboolean is_of_one_image = FALSE;

  fp_tracked_begin_walk (tracked, self->now_us);
  for (guint try = 0; try < MAX_TRIES && !is_of_one_image; try++)
    {
      FpStat before = tracked->stat;

      result = try_walk (self, try > 0 || tracked->names != FP_NAMES_FRESH);
      if (fp_process_reader_look (self->reader, tracked, &self->process) != FP_LOOK_ALIVE)
        result = WALK_ENDED;
      is_of_one_image = result == WALK_ENDED || fp_stat_has_ended (&tracked->stat) ||
                        fp_stat_same_image (&before, &tracked->stat);
    }
  if (!is_of_one_image)
    {
      result = WALK_NO_MEMORY;
      fp_tracked_suspect (tracked);
    }
  if (result != WALK_ENDED && fp_stat_has_ended (&tracked->stat))
    {
      fp_tracked_note_end (tracked, FP_LIFE_DIED);
      fp_process_clear_memory (&self->process, FP_REASON_ZOMBIE);
    }
  else
    {
      if (result == WALK_DONE)
        confirm_owner (self);
      take_walk (tracked, &self->process, result, self->now_us);
    }
}

void
fp_visit_walk (gpointer visit,
               FpRunner *runner)
{
  FpVisit *self = visit;
  guint64 start_us = fp_clock_us (CLOCK_THREAD_CPUTIME_ID);

  self->verdict = enter (self, runner);
  if (self->verdict == FP_ERRAND_ALLOWED)
    walk (self);
  self->spent_us = fp_clock_us (CLOCK_THREAD_CPUTIME_ID) - start_us;
}

static void
take_names (FpProcessReader *reader,
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

  for (FpText text = 0; text < FP_N_TEXTS; text++)
    if (texts[text])
      process->texts[text] = fp_strings_intern (&reader->strings, texts[text]);
  process->exe_state = (guint8)identity->exe_state;
  fp_users_request (reader->users, process->uid);
}

/* It is pending no more, and nothing that was measured stands. */
void
fp_visit_leave_unread (FpTracked *tracked,
                       FpProcess *process,
                       guint64 now_us)
{
  fp_tracked_begin_walk (tracked, now_us);
  if (fp_reason_has_memory (process->reason))
    fp_process_clear_memory (process, FP_REASON_NO_ANSWER);
}

/* Passes on what was read. Where only its user has to wait, figures that were measured before stand. FALSE: it may not be
 * read now */
gboolean
fp_visit_end (FpVisit *self,
              FpTracked *tracked,
              FpProcess *process)
{
  *tracked = self->tracked;
  *process = self->process;
  if (self->has_names)
    take_names (self->reader, process, &self->identity);
  if (self->verdict == FP_ERRAND_REFUSED || (self->verdict != FP_ERRAND_ALLOWED && fp_process_is_unread (process)))
    fp_visit_leave_unread (tracked, process, self->now_us);
  else if (self->verdict != FP_ERRAND_ALLOWED)
    fp_tracked_begin_walk (tracked, self->now_us);
  fp_process_reader_unref (self->reader);
  return self->verdict == FP_ERRAND_ALLOWED;
}

/* A process that does not answer is shown with what the kernel says without waiting for it. */
void
fp_visit_show_unanswered (FpProcessReader *reader,
                          FpTracked *tracked,
                          FpProcess *process,
                          guint64 now_us)
{
  g_auto (FpFd) dir = fp_proc_dir_open_memory (&reader->proc, process->pid, process->main_thread_exited);
  FpStat stat = tracked->stat;
  FpIdentity identity;
  gssize length;

  if (dir < 0)
    {
      fp_tracked_note_end (tracked, FP_LIFE_GONE);
      return;
    }
  fp_process_reader_read_status_unanswered (reader, tracked, process, dir);
  if (process->texts[FP_TEXT_COMM] == 0)
    {
      if (stat.comm_length == 0 && (length = fp_read_record_at (dir, "comm", stat.comm, sizeof stat.comm)) > 0)
        stat.comm_length = (guint)length - 1;
      fp_identity_read_short (&identity, dir, &stat);
      take_names (reader, process, &identity);
    }
  fp_visit_leave_unread (tracked, process, now_us);
}

/* The visit keeps the descriptor. Where its user's time is over, figures that were measured before stand. */
void
fp_visit_leave (FpProcessReader *reader,
                FpTracked *tracked,
                FpProcess *process,
                guint64 now_us,
                FpErrandVerdict verdict)
{
  tracked->stat_fd = -1;
  if (verdict == FP_ERRAND_SPENT && !fp_process_is_unread (process))
    fp_tracked_begin_walk (tracked, now_us);
  else
    fp_visit_show_unanswered (reader, tracked, process, now_us);
}

/* Reads how much memory is resident. */
void
fp_visit_read_rss (gpointer visit,
                   FpRunner *runner)
{
  FpVisit *self = visit;

  if (fp_errand_may_look (enter (self, runner)))
    fp_process_reader_read_rss (self->reader, &self->tracked, &self->process);
}

/* Reads the figures of its status and its state. FP_LOOK_GONE: it has no memory any more */
void
fp_visit_see (gpointer visit,
              FpRunner *runner)
{
  FpVisit *self = visit;

  self->look = FP_LOOK_GONE;
  if (fp_errand_may_look (enter (self, runner)) &&
      fp_process_reader_read_status (self->reader, &self->tracked, &self->process))
    self->look = fp_process_reader_look (self->reader, &self->tracked, &self->process);
}

/* On the thread that was left behind and is back. */
void
fp_visit_clear (gpointer visit)
{
  FpVisit *self = visit;

  fp_process_reader_forget (self->reader, &self->tracked.stat_fd);
  fp_process_reader_unref (self->reader);
}
