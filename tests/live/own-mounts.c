// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "own-mounts.h"

#define TIMEOUT_S 60

static char *folder;

char *
mounts_in_folder (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

FpKept *
mounts_read_kept (void)
{
  g_autoptr (GError) error = NULL;
  g_auto (FpProcDir) proc = { .fd = -1 };
  FpKept *kept;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", &error));
  kept = fp_kept_read (&proc, &error);
  g_assert_no_error (error);
  return kept;
}

gboolean
mounts_has_tmpfs (const FpKept *kept,
                  const char *path)
{
  for (guint i = 0; i < kept->tmpfs->len; i++)
    if (g_str_equal (g_array_index (kept->tmpfs, FpTmpfs, i).path, path))
      return TRUE;
  return FALSE;
}

const FpTmpfs *
mounts_get_tmpfs (const FpKept *kept,
                  const char *path)
{
  for (guint i = 0; i < kept->tmpfs->len; i++)
    if (g_str_equal (g_array_index (kept->tmpfs, FpTmpfs, i).path, path))
      return &g_array_index (kept->tmpfs, FpTmpfs, i);
  g_error ("no tmpfs at %s", path);
}

void
mounts_fill (int fd,
             gsize size)
{
  g_autofree char *block = g_malloc (MIB);

  memset (block, 'f', MIB);
  for (gsize done = 0; done < size; done += MIN (size - done, MIB))
    if (write (fd, block, MIN (size - done, MIB)) < 0)
      g_error ("can't write: %s", g_strerror (errno));
}

int
mounts_make_file (const char *path,
                  gsize size)
{
  int fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  mounts_fill (fd, size);
  return fd;
}

/* TRUE: this is a mount namespace of its own now. It ends with its last process. */
gboolean
mounts_unshare (void)
{
  return unshare (CLONE_NEWNS) == 0 && mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

gboolean
mounts_add_tmpfs (const char *path,
                  const char *options)
{
  return (g_mkdir (path, 0755) == 0 || errno == EEXIST) && mount ("footprint", path, "tmpfs", 0, options) == 0;
}

/* Runs func in a child, which a mount that never answers can't hold up for longer than a minute. */
void
mounts_run (void (*func) (void))
{
  gint64 end_us = g_get_monotonic_time () + TIMEOUT_S * G_USEC_PER_SEC;
  pid_t pid = fork (), ended;
  int status = 0;

  if (pid == 0)
    {
      if (!mounts_unshare ())
        _exit (77);
      func ();
      _exit (0);
    }
  while ((ended = waitpid (pid, &status, WNOHANG)) == 0 && g_get_monotonic_time () < end_us)
    g_usleep (10000);
  if (ended == 0)
    {
      kill (pid, SIGKILL);
      waitpid (pid, &status, 0);
      g_error ("a mount that does not answer was waited for");
    }
  if (WIFEXITED (status) && WEXITSTATUS (status) == 77)
    g_test_skip ("mounts of one's own need root");
  else
    g_assert_cmpint (status, ==, 0);
}

/* The places of the mounts are left; the mounts went with their namespaces. */
void
mounts_remove (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *path = mounts_in_folder (name);

      g_rmdir (path);
    }
  g_rmdir (folder);
  g_free (folder);
}

void
mounts_prepare (void)
{
  folder = g_dir_make_tmp ("footprint-mounts-XXXXXX", NULL);
  g_assert_cmpint (chmod (folder, 0755), ==, 0);
}
