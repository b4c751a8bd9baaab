// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include "fp-proc-dir.h"

#define MAX_LINES_SIZE ((gsize)16 << 20) /* mappings of a process: any user can make 260 MiB of them */

typedef struct
{
  guint64 inode;
  gint64 offset;
  guint16 length;
  guint8 type;
  char name[];
} FpDirEntry;

static gboolean
is_own_proc (int fd)
{
  struct statfs fs;
  char self[32];

  if (fstatfs (fd, &fs) != 0 || fs.f_type != PROC_SUPER_MAGIC)
    return FALSE;
  return fp_read_link_at (fd, "self", self, sizeof self) > 0 && atoi (self) == getpid ();
}

gboolean
fp_proc_dir_open (FpProcDir *self,
                  const char *path,
                  GError **error)
{
  self->fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (self->fd < 0)
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), _ ("Can’t open %s: %s"), path,
                   g_strerror (errno));
      return FALSE;
    }
  self->is_live = is_own_proc (self->fd);
  self->opens_no_files = FALSE;
  return TRUE;
}

FpProcDir
fp_proc_dir_copy (const FpProcDir *self)
{
  FpProcDir copy = *self;

  copy.fd = fcntl (self->fd, F_DUPFD_CLOEXEC, 0);
  return copy;
}

void
fp_proc_dir_close (FpProcDir *self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
}

static gint
parse_pid (const char *name)
{
  gint64 pid = 0;

  for (const char *c = name; *c; c++)
    {
      if (!g_ascii_isdigit (*c) || pid > G_MAXINT / 10)
        return 0;
      pid = pid * 10 + (*c - '0');
    }
  return pid <= G_MAXINT ? (gint)pid : 0;
}

static int
compare_pids (gconstpointer a,
              gconstpointer b)
{
  gint x = *(const gint *)a, y = *(const gint *)b;

  return (x > y) - (x < y);
}

static void
append_pids (GArray *pids,
             const char *entries,
             gsize length)
{
  for (gsize at = 0; at < length;)
    {
      const FpDirEntry *entry = (const FpDirEntry *)(entries + at);
      gint pid = parse_pid (entry->name);

      if (pid > 0)
        g_array_append_val (pids, pid);
      at += entry->length;
    }
}

/* Ascending; getdents64 into the stack because opendir would allocate in every sweep. */
gboolean
fp_proc_dir_list (const FpProcDir *self,
                  GArray *pids,
                  GError **error)
{
  char entries[16384] __attribute__ ((aligned (8)));
  gboolean sorted = TRUE;
  long length;

  g_array_set_size (pids, 0);
  if (lseek (self->fd, 0, SEEK_SET) < 0)
    length = -1;
  else
    while ((length = syscall (SYS_getdents64, self->fd, entries, sizeof entries)) > 0)
      append_pids (pids, entries, (gsize)length);
  if (length < 0)
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), _ ("Can’t list processes: %s"),
                   g_strerror (errno));
      return FALSE;
    }

  for (guint i = 1; i < pids->len && sorted; i++)
    sorted = g_array_index (pids, gint, i - 1) < g_array_index (pids, gint, i);
  if (!sorted)
    g_array_sort (pids, compare_pids);
  return TRUE;
}

int
fp_proc_dir_open_process (const FpProcDir *self,
                          gint pid)
{
  char name[16];

  g_snprintf (name, sizeof name, "%d", pid);
  return openat (self->fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Once its main thread has exited, the memory and files of a process are found at a thread that still lives. */
int
fp_proc_dir_open_memory (const FpProcDir *self,
                         gint pid,
                         gboolean main_thread_exited)
{
  int process_dir = fp_proc_dir_open_process (self, pid);
  int task_dir = main_thread_exited && process_dir >= 0 ? openat (process_dir, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  DIR *tasks = task_dir >= 0 ? fdopendir (task_dir) : NULL;
  struct dirent *entry;
  int thread_dir = -1;

  while (tasks && thread_dir < 0 && (entry = readdir (tasks)))
    if (g_ascii_isdigit (entry->d_name[0]) && atoi (entry->d_name) != pid)
      thread_dir = openat (task_dir, entry->d_name, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (tasks)
    closedir (tasks);
  if (thread_dir < 0)
    return process_dir;
  close (process_dir);
  return thread_dir;
}

int
fp_proc_dir_open_file (const FpProcDir *self,
                       gint pid,
                       const char *name)
{
  char path[64];

  g_snprintf (path, sizeof path, "%d/%s", pid, name);
  return openat (self->fd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

/* These return the length read, 0-terminated, or a negative errno. A longer text is cut at the buffer's end. */
static gssize
read_whole (int fd,
            char *buffer,
            gsize size)
{
  gsize length = 0;

  while (length < size - 1)
    {
      gssize n = read (fd, buffer + length, size - 1 - length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return -errno;
      if (n == 0)
        break;
      length += (gsize)n;
    }
  buffer[length] = '\0';
  return (gssize)length;
}

gssize
fp_read_at (int dir_fd,
            const char *name,
            char *buffer,
            gsize size)
{
  g_auto (FpFd) fd = openat (dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOCTTY);

  buffer[0] = '\0';
  return fd < 0 ? -errno : read_whole (fd, buffer, size);
}

/* The kernel writes most files of a process, but not its lists of mappings and mounts, in one go. One read gets such a
 * file whole and of one moment; a second one to see its end would cost a tenth more. */
gssize
fp_read_record (int fd,
                char *buffer,
                gsize size)
{
  gssize length = pread (fd, buffer, size - 1, 0);

  buffer[MAX (length, 0)] = '\0';
  return length < 0 ? -errno : length;
}

gssize
fp_read_record_at (int dir_fd,
                   const char *name,
                   char *buffer,
                   gsize size)
{
  g_auto (FpFd) fd = openat (dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOCTTY);

  buffer[0] = '\0';
  return fd < 0 ? -errno : fp_read_record (fd, buffer, size);
}

/* For long texts. FALSE: not all of it could be read, it is too long, or a line is. The lines before that were passed on. */
gboolean
fp_read_lines (int fd,
               FpLineFunc func,
               gpointer data)
{
  char buffer[32768 + 1];
  const gsize room = sizeof buffer - 1;
  gsize held = 0, size = 0;
  gssize n = 1;

  while (held < room && size < MAX_LINES_SIZE && (n = read (fd, buffer + held, room - held)) > 0)
    {
      const char *line = buffer, *newline;

      held += (gsize)n;
      size += (gsize)n;
      buffer[held] = '\0';
      for (; (newline = memchr (line, '\n', (gsize)(buffer + held - line))); line = newline + 1)
        func (data, line, newline);
      held -= (gsize)(line - buffer);
      memmove (buffer, line, held);
    }
  return held < room && n == 0;
}

gssize
fp_read_link_at (int dir_fd,
                 const char *name,
                 char *buffer,
                 gsize size)
{
  gssize length = readlinkat (dir_fd, name, buffer, size - 1);

  buffer[MAX (length, 0)] = '\0';
  return length < 0 ? -errno : length;
}
