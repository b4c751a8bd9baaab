// SPDX-License-Identifier: GPL-3.0-or-later
/* A program inside the helper's filter tries what it must not be able to do. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <pwd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-confinement.h"
#include "forbidden-calls.h"

static char *victim;

/* In a child, since there is no way out of the filter: 0, or the number of the call that was not refused. */
static int
try_all (void)
{
  g_autoptr (GError) error = NULL;

  gboolean is_filtered = prctl (PR_GET_SECCOMP) != 0;

  if (!fp_confinement_enter (&error))
    return 255;
  return forbidden_calls_try (victim, is_filtered);
}

static void
test_forbidden (void)
{
  int status;
  pid_t pid = fork ();
  struct stat st;

  if (pid == 0)
    _exit (try_all ());
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status));
  if (WEXITSTATUS (status) != 0)
    g_error ("call %d (%s) was not refused", WEXITSTATUS (status), forbidden_calls_get_name (WEXITSTATUS (status)));
  g_assert_cmpint (stat (victim, &st), ==, 0);
  g_assert_cmpint (st.st_size, ==, 6);
  g_assert_cmpint (st.st_mode & 0777, ==, 0666);
}

/* Threads, files to read, memory and blocks are there. */
static gpointer
thread (gpointer data)
{
  return data;
}

static void
test_permitted (void)
{
  int status;
  pid_t pid = fork ();

  if (pid == 0)
    {
      char text[8];
      int fd, block;

      if (!fp_confinement_enter (NULL))
        _exit (1);
      if (g_thread_join (g_thread_new ("thread", thread, text)) != text)
        _exit (2);
      if ((fd = open (victim, O_RDONLY | O_CLOEXEC)) < 0 || read (fd, text, 6) != 6)
        _exit (3);
      if ((block = memfd_create ("block", MFD_CLOEXEC | MFD_ALLOW_SEALING)) < 0 || write (block, text, 6) != 6 ||
          ftruncate (block, 0) != 0)
        _exit (4);
      if (mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
        _exit (5);
      if (!g_get_user_name () || !getpwuid (getuid ()))
        _exit (6);
      _exit (0);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
}

int
main (int argc,
      char *argv[])
{
  int fd, status;

  g_test_init (&argc, &argv, NULL);
  fd = g_file_open_tmp ("footprint-XXXXXX", &victim, NULL);
  g_assert_cmpint (write (fd, "victim", 6), ==, 6);
  g_assert_cmpint (fchmod (fd, 0666), ==, 0);
  close (fd);
  g_test_add_func ("/confinement/forbidden", test_forbidden);
  g_test_add_func ("/confinement/permitted", test_permitted);
  status = g_test_run ();
  unlink (victim);
  g_free (victim);
  return status;
}
