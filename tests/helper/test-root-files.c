// SPDX-License-Identifier: GPL-3.0-or-later
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fp-root-files.h"

#define NOBODY 65534

static void
expect (const char *words,
        const char *const *command)
{
  g_autoptr (GError) error = NULL;

  if (!words)
    {
      g_assert_true (fp_root_files_check (command, &error));
      g_assert_no_error (error);
      return;
    }
  g_assert_false (fp_root_files_check (command, &error));
  if (!strstr (error->message, words))
    g_error ("“%s” and not “%s”", error->message, words);
}

#define EXPECT(words, ...) expect (words, (const char *const[]){ __VA_ARGS__, NULL })

/* Those of this machine are root's own all the way down. */
static gboolean
is_of_root (const char *path)
{
  struct stat st;

  return lstat (path, &st) == 0 && st.st_uid == 0 && (st.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static void
test_trusted (void)
{
  if (!is_of_root ("/usr/bin/env") || !is_of_root ("/usr/bin") || !is_of_root ("/usr") || !is_of_root ("/"))
    {
      g_test_skip ("this machine's programs are not root's");
      return;
    }
  EXPECT (NULL, "/usr/bin/env", "--stdio");
  EXPECT (NULL, "/usr/bin/env", "--library-path", "/usr/lib:/usr/bin/nothing of that name:relative");
}

static void
test_relative (void)
{
  EXPECT ("env is no absolute path", "env");
  if (is_of_root ("/usr/bin/env"))
    EXPECT ("/usr/bin/env/x can’t be looked at", "/usr/bin/env/x");
}

/* The first file that others can write to is named, wherever in the command it is. */
static void
test_of_others (void)
{
  g_autofree char *folder = g_dir_make_tmp ("root-files-XXXXXX", NULL);
  g_autofree char *libraries = g_strdup_printf ("/usr/lib:%s/lib", folder);

  EXPECT ("could be changed by others than root", folder);
  if (is_of_root ("/usr/bin/env"))
    EXPECT ("could be changed by others than root", "/usr/bin/env", "--library-path", libraries);
  g_rmdir (folder);
}

static void
test_link (void)
{
  if (is_of_root ("/proc"))
    EXPECT ("/proc/self is a symbolic link", "/proc/self/exe");
  else
    g_test_skip ("/proc is not root's in this container");
}

static void
test_device (void)
{
  if (is_of_root ("/dev"))
    EXPECT ("/dev/null is neither a file nor a folder", "/dev/null");
  else
    g_test_skip ("/dev is not root's in this container");
}

/* A folder of root's own into which nobody else can look. */
static void
test_unseen (void)
{
  struct stat st;
  gboolean is_root = geteuid () == 0;

  if (lstat ("/root", &st) != 0 || st.st_uid != 0 || (st.st_mode & 077) != 0)
    {
      g_test_skip ("/root is open to others on this machine, or not there");
      return;
    }
  if (is_root)
    g_assert_cmpint (seteuid (NOBODY), ==, 0);
  EXPECT ("/root/helper can’t be looked at: Permission denied", "/root/helper");
  if (is_root)
    g_assert_cmpint (seteuid (0), ==, 0);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/root-files/trusted", test_trusted);
  g_test_add_func ("/root-files/relative", test_relative);
  g_test_add_func ("/root-files/of-others", test_of_others);
  g_test_add_func ("/root-files/link", test_link);
  g_test_add_func ("/root-files/device", test_device);
  g_test_add_func ("/root-files/unseen", test_unseen);
  return g_test_run ();
}
