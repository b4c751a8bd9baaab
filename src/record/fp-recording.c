// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "fp-recording.h"

#define USUAL_DESCRIPTORS 1024
#define MAX_FILES         1000 /* of one program in one second */

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

/* Bytes that are free for the user; G_MAXUINT64: the file system does not tell */
guint64
fp_recording_find_room (const char *folder)
{
  struct statvfs status;

  if (statvfs (folder, &status) != 0 || status.f_blocks == 0)
    return G_MAXUINT64;
  return (guint64)status.f_bavail * status.f_frsize;
}

/* The recorder writes over a file that is there, and leaves what is behind that: so each recording has a file of its own. */
static char *
make_file (const char *folder,
           const char *program,
           GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *name = g_path_get_basename (program), *time = g_date_time_format (now, "%Y%m%d-%H%M%S");

  for (guint i = 1; i < MAX_FILES; i++)
    {
      g_autofree char *more = i > 1 ? g_strdup_printf ("-%u", i) : g_strdup ("");
      g_autofree char *file = g_strdup_printf ("heaptrack.%s.%s%s.raw", name, time, more), *path = g_build_filename (folder, file, NULL);
      int fd = open (path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600), number = errno;

      if (fd >= 0)
        {
          close (fd);
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

  return g_environ_setenv (added, "DUMP_HEAPTRACK_OUTPUT", path, TRUE);
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
  g_autofree char *path = make_file (folder, argv[0], error);
  g_auto (GStrv) whole = NULL;

  if (!path)
    return FALSE;
  whole = add_recorder (environment, recorder, path);
  if (!g_spawn_async (program_folder, argv, whole, G_SPAWN_SEARCH_PATH_FROM_ENVP | G_SPAWN_DO_NOT_REAP_CHILD, setup_cb, NULL,
                      &self->pid, error))
    {
      unlink (path);
      return FALSE;
    }
  self->path = g_steal_pointer (&path);
  return TRUE;
}

void
fp_recording_clear (FpRecording *self)
{
  g_clear_pointer (&self->path, g_free);
}

/* The number of the descriptor by which the program writes; -1: it has none, or may not be looked into */
static int
find_descriptor (GPid pid,
                 const struct stat *file)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/fd", pid);
  DIR *folder = opendir (path);
  const struct dirent *entry;
  int number = -1;

  while (folder && number < 0 && (entry = readdir (folder)))
    {
      struct stat status;

      if (g_ascii_isdigit (*entry->d_name) && fstatat (dirfd (folder), entry->d_name, &status, 0) == 0 &&
          status.st_dev == file->st_dev && status.st_ino == file->st_ino)
        number = atoi (entry->d_name);
    }
  if (folder)
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

/* Ends the recording, and not the program. The recorder has no command for that, but it stops when it can't write: so the place
 * where it writes next is moved to where no file can reach. Returns FALSE where the kernel does not let us do that. */
gboolean
fp_recording_end (const FpRecording *self)
{
  int fd = open (self->path, O_RDONLY | O_CLOEXEC), number = -1;
  gboolean has_ended = FALSE;
  struct stat status;

  if (fd >= 0 && fstat (fd, &status) == 0 && !has_size_limit ())
    number = find_descriptor (self->pid, &status);
  if (number >= 0)
    has_ended = move_descriptor (self->pid, number, find_last_offset (fd));
  if (fd >= 0)
    close (fd);
  return has_ended;
}
