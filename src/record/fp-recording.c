// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "fp-recording.h"

#define USUAL_DESCRIPTORS 1024
#define OUTPUT            "DUMP_HEAPTRACK_OUTPUT"
#define MAX_FILES         1000 /* of one program in one second */
#define MAX_MISSED        2    /* looks that do not find the recorder; a program that ends looks like that at first */

/* Recordings stay: the folder is that of the user's data. */
char *
fp_recording_make_folder (GError **error)
{
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "footprint", "recordings", NULL);

  if (g_mkdir_with_parents (folder, 0700) == 0)
    return g_steal_pointer (&folder);
  /* Translators: a folder, and an error of the system */
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), _ ("The folder %s can’t be made: %s"), folder, g_strerror (errno));
  return NULL;
}

static guint64
count_room (const struct statvfs *status)
{
  return status->f_blocks > 0 ? (guint64)status->f_bavail * status->f_frsize : G_MAXUINT64;
}

/* Bytes that are free for the user; G_MAXUINT64: the file system does not tell */
guint64
fp_recording_find_room (const char *folder)
{
  struct statvfs status;

  return statvfs (folder, &status) == 0 ? count_room (&status) : G_MAXUINT64;
}

/* The same of the file system that the recording is in */
guint64
fp_recording_get_room (const FpRecording *self)
{
  struct statvfs status;

  return fstatvfs (self->fd, &status) == 0 ? count_room (&status) : G_MAXUINT64;
}

guint64
fp_recording_get_size (const FpRecording *self)
{
  struct stat status;

  return fstat (self->fd, &status) == 0 ? (guint64)status.st_size : 0;
}

/* Where the file is now; it may have been renamed. Free it. */
char *
fp_recording_find_path (const FpRecording *self)
{
  g_autofree char *link = g_strdup_printf ("/proc/self/fd/%d", self->fd), *path = g_file_read_link (link, NULL);

  return path && access (path, F_OK) == 0 ? g_steal_pointer (&path) : g_strdup (self->path);
}

/* The recorder writes over a file that is there, and leaves what is behind that: so each recording has a file of its own. */
static char *
make_file (const char *folder,
           const char *program,
           int *made_fd,
           GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *name = g_path_get_basename (program), *time = g_date_time_format (now, "%Y%m%d-%H%M%S");

  for (guint i = 1; i < MAX_FILES; i++)
    {
      g_autofree char *more = i > 1 ? g_strdup_printf ("-%u", i) : g_strdup ("");
      g_autofree char *file = g_strdup_printf ("heaptrack.%s.%s%s.raw", name, time, more), *path = g_build_filename (folder, file, NULL);
      int fd = open (path, O_CREAT | O_EXCL | O_RDONLY | O_CLOEXEC, 0600), number = errno;

      if (fd >= 0)
        {
          *made_fd = fd;
          return g_steal_pointer (&path);
        }
      if (number != EEXIST)
        {
          /* Translators: a folder, and an error of the system */
          g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (number), _ ("Can’t write in %s: %s"), folder, g_strerror (number));
          return NULL;
        }
    }
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_EXIST, _ ("Can’t write in %s: %s"), folder, g_strerror (EEXIST));
  return NULL;
}

/* The recorder takes its variables away again, so that programs which are started by this one run without it. */
static char **
add_recorder (char **environment,
              const char *recorder,
              const char *path)
{
  const char *old = g_environ_getenv (environment, "LD_PRELOAD");
  g_autofree char *libraries = old && *old ? g_strconcat (recorder, ":", old, NULL) : g_strdup (recorder);
  char **added = g_environ_setenv (g_strdupv (environment), "LD_PRELOAD", libraries, TRUE);

  return g_environ_setenv (added, OUTPUT, path, TRUE);
}

/* The program gets a session of its own: Ctrl+C in the terminal that Footprint was started from is not for it. Our own limit of
 * open files was raised, which programs that use select() do not expect. */
static void
setup_cb (gpointer data)
{
  struct rlimit limit;

  setsid ();
  if (getrlimit (RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur <= USUAL_DESCRIPTORS)
    return;
  limit.rlim_cur = USUAL_DESCRIPTORS;
  setrlimit (RLIMIT_NOFILE, &limit);
}

gboolean
fp_recording_start (FpRecording *self,
                    const char *recorder,
                    const char *folder,
                    char **argv,
                    const char *program_folder,
                    char **environment,
                    GError **error)
{
  int fd = -1;
  g_autofree char *path = make_file (folder, argv[0], &fd, error);
  g_auto (GStrv) whole = NULL;
  GPid pid;

  if (!path)
    return FALSE;
  whole = add_recorder (environment, recorder, path);
  if (!g_spawn_async (program_folder, argv, whole, G_SPAWN_SEARCH_PATH_FROM_ENVP | G_SPAWN_DO_NOT_REAP_CHILD, setup_cb, NULL,
                      &pid, error))
    {
      unlink (path);
      close (fd);
      return FALSE;
    }
  *self = (FpRecording){ .pid = pid, .path = g_steal_pointer (&path), .fd = fd, .number = -1 };
  return TRUE;
}

/* A copy has a descriptor of its own. */
FpRecording
fp_recording_copy (const FpRecording *self)
{
  FpRecording copy = *self;

  copy.path = g_strdup (self->path);
  copy.fd = fcntl (self->fd, F_DUPFD_CLOEXEC, 0);
  return copy;
}

/* Keeps the findings that fp_recording_has_left() made with a copy. */
void
fp_recording_take_findings (FpRecording *self,
                            const FpRecording *copy)
{
  self->number = copy->number;
  self->n_missed = copy->n_missed;
  self->recorded = copy->recorded;
  self->has_begun = copy->has_begun;
}

void
fp_recording_clear (FpRecording *self)
{
  if (self->path && self->fd >= 0)
    close (self->fd);
  g_clear_pointer (&self->path, g_free);
}

static gboolean
is_of_file (int folder,
            const char *name,
            const struct stat *file)
{
  struct stat status;

  return fstatat (folder, name, &status, 0) == 0 && status.st_dev == file->st_dev && status.st_ino == file->st_ino;
}

/* The number of the descriptor by which the program writes; -1: it has none, or may not be looked into. number: where it was
 * before. has_any: (nullable): whether it has others */
static int
find_descriptor (GPid pid,
                 const struct stat *file,
                 int number,
                 gboolean *has_any)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/fd", pid), *name = g_strdup_printf ("%d", number);
  DIR *folder = opendir (path);
  const struct dirent *entry;

  if (!folder)
    return -1;
  if (number >= 0 && !is_of_file (dirfd (folder), name, file))
    number = -1;
  while (number < 0 && (entry = readdir (folder)))
    {
      if (!g_ascii_isdigit (*entry->d_name))
        continue;
      if (has_any)
        *has_any = TRUE;
      if (is_of_file (dirfd (folder), entry->d_name, file))
        number = atoi (entry->d_name);
    }
  closedir (folder);
  return number;
}

/* The end of the largest file that the file system can have. */
static off_t
find_last_offset (int fd)
{
  off_t good = 0, bad = G_MAXINT64;

  if (lseek (fd, bad, SEEK_SET) == bad)
    return bad;
  while (bad - good > 1)
    {
      off_t middle = good + (bad - good) / 2;

      if (lseek (fd, middle, SEEK_SET) == middle)
        good = middle;
      else
        bad = middle;
    }
  return good;
}

/* A limit on the size of files would end the program when it writes beyond that. */
static gboolean
has_size_limit (void)
{
  struct rlimit limit;

  return getrlimit (RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

static gboolean
move_descriptor (GPid pid,
                 int number,
                 off_t offset)
{
  int process = pidfd_open (pid, 0), fd = process >= 0 ? pidfd_getfd (process, number, 0) : -1;
  gboolean has_moved = fd >= 0 && lseek (fd, offset, SEEK_SET) == offset;

  if (fd >= 0)
    close (fd);
  if (process >= 0)
    close (process);
  return has_moved;
}

static gboolean
end_at (const FpRecording *self,
        int number)
{
  return !has_size_limit () && move_descriptor (self->pid, number, find_last_offset (self->fd));
}

/* Ends the recording, and not the program. The recorder has no command for that, but it stops when it can't write: so the place
 * where it writes next is moved to where no file can reach. Returns FALSE where the kernel does not let us do that. */
gboolean
fp_recording_end (const FpRecording *self)
{
  struct stat status;
  int number;

  if (fstat (self->fd, &status) != 0)
    return FALSE;
  number = find_descriptor (self->pid, &status, self->number, NULL);
  return number >= 0 && end_at (self, number);
}

/* -1: it can't be told */
static gint64
read_position (GPid pid,
               int number)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/fdinfo/%d", pid, number), *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL) || !g_str_has_prefix (text, "pos:"))
    return -1;
  return g_ascii_strtoll (text + strlen ("pos:"), NULL, 10);
}

/* An exec draws anew where a program and its stack begin; both are 0 where they may not be known. */
static gboolean
is_other_program (const FpRecording *self,
                  const FpStat *now)
{
  return self->has_begun && fp_stat_has_image (&self->recorded) && fp_stat_has_image (now) && !fp_stat_same_family (&self->recorded, now);
}

/* FALSE: it has ended */
static gboolean
read_stat (GPid pid,
           FpStat *now)
{
  FpProcDir proc;
  gboolean is_there;

  if (!fp_proc_dir_open (&proc, "/proc", NULL))
    return FALSE;
  is_there = fp_stat_read_any (now, &proc, pid) && !fp_stat_has_ended (now);
  fp_proc_dir_close (&proc);
  return is_there;
}

/* The recorder takes its variables away when it begins, so it is still to come where they are there. */
static gboolean
may_begin_anew (GPid pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/environ", pid), *text = NULL;
  gsize length;

  return g_file_get_contents (path, &text, &length, NULL) && memmem (text, length, OUTPUT "=", strlen (OUTPUT "="));
}

/* Whether the program goes on without the recorder: because it replaced itself by another program, or closed the descriptor. Where
 * the other program has the recorder again, that one writes over what is there, and is ended. Ask it now and then; one look alone
 * may not say it. */
gboolean
fp_recording_has_left (FpRecording *self)
{
  gboolean has_any = FALSE, is_other;
  struct stat status;
  gint64 position;
  FpStat now;

  if (fstat (self->fd, &status) != 0 || status.st_size == 0 || !read_stat (self->pid, &now))
    return FALSE;
  is_other = is_other_program (self, &now);
  self->recorded = self->has_begun ? self->recorded : now;
  self->has_begun = TRUE;
  self->number = find_descriptor (self->pid, &status, self->number, &has_any);
  if (self->number < 0)
    {
      self->n_missed = has_any && !may_begin_anew (self->pid) ? self->n_missed + 1 : 0;
      return self->n_missed > 0 && (is_other || self->n_missed >= MAX_MISSED);
    }
  self->n_missed = 0;
  position = read_position (self->pid, self->number);
  return (is_other || (position >= 0 && position < status.st_size)) && end_at (self, self->number);
}
