// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "fp-reading.h"
#include "fp-limits.h"

#define GROUPS "/sys/fs/cgroup"

void
fp_limits_init (FpLimits *self)
{
  *self = (FpLimits){ FP_NO_LIMIT, FP_NO_LIMIT, FP_NO_LIMIT };
}

/* Each line has two numbers; the first is the soft limit, which is in force. */
void
fp_limits_parse (FpLimits *self,
                 const char *text)
{
  static const char title[] = "Max address space";
  const char *line = strstr (text, title);

  if (!line)
    return;
  line += strlen (title);
  line += strspn (line, " ");
  if (g_ascii_isdigit (*line))
    self->address_space = g_ascii_strtoull (line, NULL, 10);
}

static guint64
read_limit (int group_fd,
            const char *name)
{
  char text[64];

  if (fp_read_at (group_fd, name, text, sizeof text) <= 0 || !g_ascii_isdigit (text[0]))
    return FP_NO_LIMIT;
  return g_ascii_strtoull (text, NULL, 10);
}

/* path: without the slash it begins with. A limit holds for all groups inside. Users can nest thousands of their own, so
 * each is opened from the one around it: by their paths that would take longer with the square of the depth. */
void
fp_limits_read_group (FpLimits *self,
                      int groups_fd,
                      const char *path)
{
  g_auto (GStrv) names = g_strsplit (path, "/", -1);
  int fd = groups_fd;

  for (guint i = 0; names[i]; i++)
    {
      int inner = openat (fd, names[i], O_PATH | O_DIRECTORY | O_CLOEXEC);

      if (fd != groups_fd)
        close (fd);
      if ((fd = inner) < 0)
        return;
      self->group_max = MIN (self->group_max, read_limit (fd, "memory.max"));
      self->group_high = MIN (self->group_high, read_limit (fd, "memory.high"));
    }
  if (fd != groups_fd)
    close (fd);
}

static void
read_groups (FpLimits *self,
             const FpProcDir *proc,
             gint pid)
{
  g_auto (FpFd) groups_fd = open (GROUPS, O_PATH | O_DIRECTORY | O_CLOEXEC);
  char name[32], text[4096];
  const char *line;

  if (groups_fd < 0)
    return;
  g_snprintf (name, sizeof name, "%d/cgroup", pid);
  if (fp_read_at (proc->fd, name, text, sizeof text) > 0 && (line = strstr (text, "0::/")))
    {
      g_autofree char *path = g_strndup (line + strlen ("0::/"), strcspn (line + strlen ("0::/"), "\n"));

      /* A group outside of our own namespace is not to be seen here. */
      if (!g_str_has_prefix (path, ".."))
        fp_limits_read_group (self, groups_fd, path);
    }
}

/* One that does not answer is still there. */
gboolean
fp_limits_read (FpLimits *self,
                const FpProcDir *proc,
                const FpProcessId *id,
                GError **error)
{
  char name[32], text[4096];
  FpStat stat;

  fp_limits_init (self);
  g_snprintf (name, sizeof name, "%d/limits", id->pid);
  if (fp_read_at (proc->fd, name, text, sizeof text) > 0)
    fp_limits_parse (self, text);
  if (proc->is_live)
    read_groups (self, proc, id->pid);
  if (fp_reading_read_stat (&stat, proc, id) != ESRCH)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _ ("Process %d has ended"), id->pid);
  return FALSE;
}
