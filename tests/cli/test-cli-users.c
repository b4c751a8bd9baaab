// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli-runner.h"

/* $PASSWD is /etc/passwd in a mount namespace of its own. */
#define RUN "unshare -m sh -c 'mount --make-rprivate / && mount --bind \"$PASSWD\" /etc/passwd && "

static gboolean
is_impossible (void)
{
  g_auto (CliResult) result = { 0 };

  cli_run_shell (&result, "unshare -m sh -c 'mount --make-rprivate / && mount --bind /etc/passwd /etc/passwd'");
  if (result.status != 0)
    g_test_skip ("Takes root and mount namespaces");
  return result.status != 0;
}

/* The table shows the first name of the number, and the second finds the same processes. */
static void
test_second_name (void)
{
  g_autofree char *folder = cli_make_folder ();
  g_autofree char *path = g_build_filename (folder, "passwd", NULL);
  g_auto (CliResult) result = { 0 };

  if (!is_impossible ())
    {
      g_assert_true (g_file_set_contents (
          path, "root:x:0:0::/root:/bin/sh\ntoor:x:0:0::/root:/bin/sh\nidle:x:4242424:0::/:/bin/sh\n", -1, NULL));
      g_setenv ("PASSWD", path, TRUE);
      cli_run_shell (&result, RUN "\"$CLI\" --user toor --csv --columns user,uid && \"$CLI\" --user idle --csv --columns uid'");
      g_assert_cmpstr (result.err, ==, "");
      g_assert_cmpint (result.status, ==, 0);
      g_assert_true (g_str_has_prefix (result.out, "user,uid\r\nroot,0\r\n"));
      g_assert_true (g_str_has_suffix (result.out, "root,0\r\nuid\r\n"));
    }
  cli_remove_folder (g_steal_pointer (&folder));
}

/* A pipe nobody writes to is as slow as a server that is down. */
static void
test_slow (void)
{
  g_autofree char *folder = cli_make_folder ();
  g_autofree char *path = g_build_filename (folder, "passwd", NULL);
  g_auto (CliResult) result = { 0 };
  gint64 begin = g_get_monotonic_time ();

  if (!is_impossible ())
    {
      g_assert_cmpint (mkfifo (path, 0600), ==, 0);
      g_setenv ("PASSWD", path, TRUE);
      cli_run_shell (&result, RUN "exec timeout -s KILL 30 \"$CLI\" --user toor'");
      g_assert_cmpint (result.status, ==, 2);
      g_assert_nonnull (strstr (result.err, "toor"));
      g_assert_cmpint (g_get_monotonic_time () - begin, <, 20 * G_USEC_PER_SEC);
    }
  cli_remove_folder (g_steal_pointer (&folder));
}

/* A snapshot from before groups were saved has none of the kernel, so that nothing is said of what they count. */
static void
test_counted_in_file (void)
{
  g_auto (CliResult) result = { 0 };
  g_auto (GStrv) lines = NULL;

  cli_run_shell (&result, "\"$CLI\" --open \"$FOOTPRINT_FIXTURES/saved/plain-1.footprint\" --by user --csv "
                          "--columns count,groups_memory,groups_swap,groups_left_out");
  g_assert_cmpint (result.status, ==, 0);
  lines = g_strsplit (result.out, "\r\n", -1);
  g_assert_cmpstr (lines[0], ==, "count,groups_memory,groups_swap,groups_left_out");
  for (guint i = 1; lines[i] && *lines[i]; i++)
    g_assert_true (g_str_has_suffix (lines[i], ",,,"));
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/cli/users/second-name", test_second_name);
  g_test_add_func ("/cli/users/slow", test_slow);
  g_test_add_func ("/cli/users/counted-in-file", test_counted_in_file);
  return g_test_run ();
}
