// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "fp-mapping-reader.h"
#include "fp-stat.h"

#define MAX_TRIES   3     /* while it execs under our hands */
#define BUFFER_SIZE 32768 /* the longest line: a name of PATH_MAX newlines, each written as 4 characters */

/* Where the text goes: into a scanner, or where there is none into a file. */
typedef struct
{
  FpMappingScanner *scanner;
  FpMappingStepFunc step; /* NULL: nobody wants to know */
  gpointer data;
  int fd;
  gsize max_size;
} Sink;

/* What grows meanwhile has more in the end than it had at first. */
static gboolean
tell (const Sink *sink,
      guint64 position,
      guint64 whole)
{
  if (!sink->step || sink->step (MIN (position, whole), whole, sink->data))
    return TRUE;
  errno = ECANCELED;
  return FALSE;
}

static gboolean
feed_all (const Sink *sink,
          int fd,
          guint64 whole)
{
  char buffer[BUFFER_SIZE];
  gsize held = 0;
  gssize n;

  if (!tell (sink, 0, whole))
    return FALSE;
  while ((n = read (fd, buffer + held, sizeof buffer - held)) > 0)
    {
      gsize taken;

      held += (gsize)n;
      taken = fp_mapping_scanner_feed (sink->scanner, buffer, held);
      if (taken == 0 && held == sizeof buffer)
        taken = held;
      held -= taken;
      memmove (buffer, buffer + taken, held);
      if (!tell (sink, fp_mapping_scanner_get_resident (sink->scanner), whole))
        return FALSE;
    }
  return n == 0 && tell (sink, whole, whole);
}

/* The text as it is, from the beginning of the file behind out_fd. */
static gboolean
copy_all (int out_fd,
          int fd,
          gsize max_size)
{
  char buffer[BUFFER_SIZE];
  gsize size = 0;
  gssize n;

  if (ftruncate (out_fd, 0) != 0 || lseek (out_fd, 0, SEEK_SET) != 0)
    return FALSE;
  while ((n = read (fd, buffer, sizeof buffer)) > 0)
    {
      size += (gsize)n;
      if (size > max_size)
        errno = EFBIG;
      else if (write (out_fd, buffer, (gsize)n) == n)
        continue;
      return FALSE;
    }
  return n == 0;
}

/* 0: it is not known */
static guint64
read_resident (const FpProcDir *proc,
               gint pid)
{
  guint64 size, resident;

  return fp_statm_read (proc, pid, (guint64)sysconf (_SC_PAGESIZE), &size, &resident) ? resident : 0;
}

/* 0 or an errno */
static int
read_whole (const Sink *sink,
            const FpProcDir *proc,
            const FpProcessId *id,
            const FpStat *stat)
{
  guint64 whole = sink->step ? read_resident (proc, id->pid) : 0;
  int dir = fp_stat_is_zombie (stat) ? fp_proc_dir_open_live_thread (proc, id->pid)
                                     : fp_proc_dir_open_process (proc, id->pid);
  int fd = dir >= 0 ? openat (dir, "smaps", O_RDONLY | O_CLOEXEC) : -1;
  int problem = errno;

  if (fd >= 0)
    problem = (sink->scanner ? feed_all (sink, fd, whole)
                             : copy_all (sink->fd, fd, sink->max_size))
                  ? 0
                  : errno;
  if (fd >= 0)
    close (fd);
  if (dir >= 0)
    close (dir);
  return problem;
}

/* The file of a process that ends or execs meanwhile just stops, without an error: so it must be alive, and the same
 * program, behind the last byte. 0 or an errno. */
static int
try_read (const Sink *sink,
          const FpProcDir *proc,
          const FpProcessId *id)
{
  FpStat before, after;
  int problem;

  if (!fp_stat_read (&before, proc, id->pid, id->start_ticks) || fp_stat_has_ended (&before))
    return ESRCH;
  problem = read_whole (sink, proc, id, &before);
  if (problem == ECANCELED || problem == EFBIG)
    return problem;
  if (!fp_stat_read (&after, proc, id->pid, id->start_ticks) || fp_stat_has_ended (&after))
    return ESRCH;
  return !fp_stat_same_image (&before, &after) || problem == ESRCH ? EAGAIN : problem;
}

static void
set_error (GError **error,
           gint pid,
           int problem)
{
  GFileError code = g_file_error_from_errno (problem);

  if (problem == ESRCH)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _ ("Process %d has ended"), pid);
  else if (problem == EAGAIN)
    g_set_error (error, G_FILE_ERROR, code, _ ("Process %d changed each time its mappings were read"), pid);
  else
    g_set_error (error, G_FILE_ERROR, code, _ ("The mappings of process %d can’t be read: %s"), pid,
                 g_strerror (problem));
}

FpMappings *
fp_mappings_read (const FpProcDir *proc,
                  const FpProcessId *id,
                  FpMappingStepFunc step,
                  gpointer data,
                  GError **error)
{
  FpMappings *mappings = NULL;
  int problem = EAGAIN;

  for (guint try = 0; try < MAX_TRIES && problem == EAGAIN; try++)
    {
      g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
      const Sink sink = { .scanner = scanner, .step = step, .data = data };

      problem = try_read (&sink, proc, id);
      if (!problem)
        mappings = fp_mapping_scanner_finish (scanner);
    }
  if (problem)
    set_error (error, id->pid, problem);
  return mappings;
}

/* For one who may not read them himself: the kernel's text, whole or not at all. */
gboolean
fp_mappings_copy (const FpProcDir *proc,
                  const FpProcessId *id,
                  int fd,
                  gsize max_size,
                  GError **error)
{
  const Sink sink = { .fd = fd, .max_size = max_size };
  int problem = EAGAIN;

  for (guint try = 0; try < MAX_TRIES && problem == EAGAIN; try++)
    problem = try_read (&sink, proc, id);
  if (problem)
    set_error (error, id->pid, problem);
  return problem == 0;
}
