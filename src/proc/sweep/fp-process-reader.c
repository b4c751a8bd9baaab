// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fp-clock.h"
#include "fp-owner.h"
#include "fp-process-reader.h"
#include "fp-scan.h"

FpProcessReader *
fp_process_reader_new (const char *proc_path,
                       FpUserLookup lookup_user,
                       gsize strings_size,
                       GError **error)
{
  FpProcessReader *self = g_new0 (FpProcessReader, 1);

  if (!fp_proc_dir_open (&self->proc, proc_path, error))
    {
      g_free (self);
      return NULL;
    }
  g_atomic_ref_count_init (&self->ref_count);
  self->max_command = FP_COMMAND_SIZE;
  self->users = fp_users_new (lookup_user);
  self->page_size = (guint64)sysconf (_SC_PAGESIZE);
  self->ticks_per_second = (guint64)sysconf (_SC_CLK_TCK);
  fp_strings_init (&self->strings, strings_size);
  return self;
}

FpProcessReader *
fp_process_reader_ref (FpProcessReader *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
fp_process_reader_unref (FpProcessReader *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  fp_strings_clear (&self->strings);
  fp_users_free (self->users);
  fp_proc_dir_close (&self->proc);
  g_free (self);
}

/* A kept stat descriptor stays with its process over exec and says ESRCH for ever once that is reaped. */
static void
keep_stat (FpProcessReader *self,
           int *kept_fd,
           int fd)
{
  /* Only the kernel's own says ESRCH one day. */
  if (!self->proc.is_live)
    {
      close (fd);
      return;
    }
  if (*kept_fd < 0 && g_atomic_int_add (&self->n_kept, 1) < self->max_kept)
    {
      *kept_fd = fd;
      return;
    }
  if (*kept_fd < 0)
    g_atomic_int_add (&self->n_kept, -1);
  close (fd);
}

void
fp_process_reader_forget (FpProcessReader *self,
                          int *kept_fd)
{
  if (*kept_fd < 0)
    return;
  close (*kept_fd);
  *kept_fd = -1;
  g_atomic_int_add (&self->n_kept, -1);
}

static FpLook
look_from_error (gssize error)
{
  return error == -EACCES || error == -EPERM ? FP_LOOK_FORBIDDEN : FP_LOOK_GONE;
}

/* id: of any start if that is 0; kept_fd: of its stat, -1: none yet. Newer kernels wait for a process that execs. */
FpLook
fp_process_reader_read_stat (FpProcessReader *self,
                             const FpProcessId *id,
                             int *kept_fd,
                             FpStat *stat)
{
  FpLook look = FP_LOOK_ALIVE;
  char text[1024];
  gssize length;
  int fd = *kept_fd;

  if (fd < 0 && (fd = fp_proc_dir_open_file (&self->proc, id->pid, "stat")) < 0)
    return look_from_error (-errno);
  length = fp_read_record (fd, text, sizeof text);
  if (length <= 0 || !fp_stat_parse (stat, text, (gsize)length))
    look = look_from_error (length);
  else if (id->start_ticks != 0 && stat->start_ticks != id->start_ticks)
    look = FP_LOOK_GONE;
  if (fd == *kept_fd)
    return look;
  if (look == FP_LOOK_ALIVE)
    keep_stat (self, kept_fd, fd);
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
  process->memory.present &= ~(G_GUINT64_CONSTANT (1) << FP_FIELD_PTE); /* which would make a giant of the new one */
  if (fp_reason_has_memory (process->reason))
    fp_process_clear_memory (process, tracked->trial == FP_TRIAL_DENIED ? FP_REASON_PERMISSION : FP_REASON_PENDING);
}

void
fp_process_reader_take_stat (const FpProcessReader *self,
                             FpTracked *tracked,
                             FpProcess *process,
                             const FpStat *stat)
{
  note_exec (tracked, process, stat);
  fp_tracked_note_look (tracked);
  tracked->stat = *stat;
  fp_process_take_stat (process, &tracked->stat, self->ticks_per_second);
}

FpLook
fp_process_reader_look (FpProcessReader *self,
                        FpTracked *tracked,
                        FpProcess *process)
{
  const FpProcessId id = { process->pid, process->start_ticks };
  FpStat stat;
  FpLook look = fp_process_reader_read_stat (self, &id, &tracked->stat_fd, &stat);

  if (look == FP_LOOK_ALIVE)
    fp_process_reader_take_stat (self, tracked, process, &stat);
  return look;
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
  tracked->judged_faults = fp_stat_count_faults (&tracked->stat);
  if (!owner.is_plain || process->gid != owner.gid)
    process->is_plain = FALSE;
  process->gid = owner.gid;
}

static gsize
read_status (FpProcess *process,
             int memory_dir,
             char *text,
             gsize size)
{
  gssize length = fp_read_record_at (memory_dir, "status", text, size);
  struct stat st;

  fp_memory_clear_origins (&process->memory, FP_ORIGIN_STATUS);
  if (fstat (memory_dir, &st) == 0)
    process->uid = st.st_uid;
  if (length > 0)
    scan_status (process, text, (gsize)length);
  return (gsize)MAX (length, 0);
}

/* The parts of RSS and the swap, which bound what is not known. */
void
fp_process_reader_read_status_at (FpProcessReader *self,
                                  FpTracked *tracked,
                                  FpProcess *process,
                                  int memory_dir)
{
  char text[8192];
  gsize length = read_status (process, memory_dir, text, sizeof text);

  if (self->judges_owners)
    judge_owner (tracked, process, memory_dir, text, length);
  tracked->status_rss = fp_memory_get (&process->memory, FP_FIELD_RSS);
}

/* The same without waiting for the process: it stays as open to its user as it was, if that is still the same one. */
void
fp_process_reader_read_status_unanswered (FpProcessReader *self,
                                          FpTracked *tracked,
                                          FpProcess *process,
                                          int memory_dir)
{
  const guint32 uid = process->uid, gid = process->gid;
  char text[8192];
  gsize length = read_status (process, memory_dir, text, sizeof text);
  FpOwner owner;

  tracked->status_rss = fp_memory_get (&process->memory, FP_FIELD_RSS);
  if (!self->judges_owners)
    return;
  fp_owner_parse (&owner, text, length);
  process->gid = owner.gid;
  if (process->uid != uid || process->gid != gid)
    tracked->is_plain = process->is_plain = FALSE;
}

/* It has shrunk below what was measured, so that is certainly wrong by now; the bound is right. */
void
fp_process_reader_drop_outdated (FpProcess *process)
{
  FpMemory *memory = &process->memory;
  guint64 rss = fp_memory_get (memory, FP_FIELD_RSS);

  if (fp_memory_get (memory, FP_FIELD_PSS) > rss || fp_memory_get (memory, FP_FIELD_USS) > rss)
    fp_process_clear_memory (process, process->reason);
  fp_memory_derive (memory);
}

/* FALSE: it has no memory any more */
gboolean
fp_process_reader_read_status (FpProcessReader *self,
                               FpTracked *tracked,
                               FpProcess *process)
{
  g_auto (FpFd) dir = fp_proc_dir_open_memory (&self->proc, process->pid, process->main_thread_exited);

  fp_process_reader_read_status_at (self, tracked, process, dir);
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
  fp_process_reader_drop_outdated (process);
}
