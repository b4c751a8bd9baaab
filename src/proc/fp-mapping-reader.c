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

static gboolean
feed_all (FpMappingScanner *scanner,
          int fd,
          const gint *cancelled)
{
  char buffer[BUFFER_SIZE];
  gsize held = 0;
  gssize n;

  while ((n = read (fd, buffer + held, sizeof buffer - held)) > 0)
    {
      gsize taken;

      held += (gsize)n;
      taken = fp_mapping_scanner_feed (scanner, buffer, held);
      if (taken == 0 && held == sizeof buffer)
        taken = held;
      held -= taken;
      memmove (buffer, buffer + taken, held);
      if (cancelled && g_atomic_int_get (cancelled))
        {
          errno = ECANCELED;
          return FALSE;
        }
    }
  return n == 0;
}

/* 0 or an errno */
static int
read_whole (FpMappingScanner *scanner,
            const FpProcDir *proc,
            const FpProcessId *id,
            const FpStat *stat,
            const gint *cancelled)
{
  int dir = fp_stat_is_zombie (stat) ? fp_proc_dir_open_live_thread (proc, id->pid)
                                     : fp_proc_dir_open_process (proc, id->pid);
  int fd = dir >= 0 ? openat (dir, "smaps", O_RDONLY | O_CLOEXEC) : -1;
  int problem = fd >= 0 && feed_all (scanner, fd, cancelled) ? 0 : errno;

  if (fd >= 0)
    close (fd);
  if (dir >= 0)
    close (dir);
  return problem;
}

/* The file of a process that ends or execs meanwhile just stops, without an error: so it must be alive, and the same
 * program, behind the last byte. */
static FpMappings *
try_read (const FpProcDir *proc,
          const FpProcessId *id,
          const gint *cancelled,
          int *problem)
{
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
  FpStat before, after;

  if (!fp_stat_read (&before, proc, id->pid, id->start_ticks) || fp_stat_has_ended (&before))
    {
      *problem = ESRCH;
      return NULL;
    }
  *problem = read_whole (scanner, proc, id, &before, cancelled);
  if (*problem == ECANCELED)
    return NULL;
  if (!fp_stat_read (&after, proc, id->pid, id->start_ticks) || fp_stat_has_ended (&after))
    *problem = ESRCH;
  else if (!fp_stat_same_image (&before, &after) || *problem == ESRCH)
    *problem = EAGAIN;
  return *problem ? NULL : fp_mapping_scanner_finish (scanner);
}

FpMappings *
fp_mappings_read (const FpProcDir *proc,
                  const FpProcessId *id,
                  const gint *cancelled,
                  GError **error)
{
  FpMappings *mappings = NULL;
  int problem = EAGAIN;

  for (guint try = 0; try < MAX_TRIES && problem == EAGAIN; try++)
    mappings = try_read (proc, id, cancelled, &problem);
  if (problem == ESRCH)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (problem), _ ("Process %d has ended"), id->pid);
  else if (problem == EAGAIN)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (problem),
                 _ ("Process %d changed each time its mappings were read"), id->pid);
  else if (problem)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (problem),
                 _ ("The mappings of process %d can’t be read: %s"), id->pid, g_strerror (problem));
  return mappings;
}
