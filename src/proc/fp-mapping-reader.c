// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "fp-mapping-reader.h"
#include "fp-stat.h"

#define BUFFER_SIZE 32768 /* the longest line: a name of PATH_MAX newlines, each written as 4 characters */

static gboolean
is_alive (const FpProcDir *proc,
          const FpProcessId *id)
{
  char text[1024], name[32];
  FpStat stat;
  gssize length;

  g_snprintf (name, sizeof name, "%d/stat", id->pid);
  length = fp_read_record_at (proc->fd, name, text, sizeof text);
  return length > 0 && fp_stat_parse (&stat, text, (gsize)length) && stat.start_ticks == id->start_ticks &&
         (!fp_stat_is_zombie (&stat) || stat.n_threads > 1);
}

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

/* The file of a process that ends meanwhile just stops, without an error: so it must be alive behind the last byte. */
FpMappings *
fp_mappings_read (const FpProcDir *proc,
                  const FpProcessId *id,
                  const gint *cancelled,
                  GError **error)
{
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
  int fd = fp_proc_dir_open_file (proc, id->pid, "smaps");
  gboolean complete = fd >= 0 && feed_all (scanner, fd, cancelled);
  int problem = complete ? 0 : errno;

  if (fd >= 0)
    close (fd);
  if (!problem && !is_alive (proc, id))
    problem = ESRCH;
  if (problem == ENOENT)
    problem = ESRCH;
  if (problem)
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (problem),
                   problem == ESRCH ? _ ("Process %d has ended") : _ ("The mappings of process %d can’t be read: %s"),
                   id->pid, g_strerror (problem));
      return NULL;
    }
  return fp_mapping_scanner_finish (scanner);
}
