// SPDX-License-Identifier: GPL-3.0-or-later
/* A user with many user IDs has as many connections to the helper as one with one. */
#include <fcntl.h>
#include <pwd.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fp-account.h"
#include "system-user.h"

#define FIRST 700000u
#define OWN_FOR_ALL \
  "if (action.id == \"io.github.footprint_app.Footprint.read-own-memory\") return polkit.Result.YES; "

typedef struct
{
  gboolean in_namespace; /* of its user's; else as by a file with the set-user-ID bit */
  const char *given;
} Case;

static void
enter_namespace (const char *user,
                 int to_parent,
                 int from_parent)
{
  const struct passwd *entry = getpwnam (user);
  char byte;

  if (setresgid (entry->pw_gid, entry->pw_gid, entry->pw_gid) != 0 ||
      setresuid (entry->pw_uid, entry->pw_uid, entry->pw_uid) != 0 || unshare (CLONE_NEWUSER) != 0 ||
      write (to_parent, "\n", 1) != 1 || read (from_parent, &byte, 1) != 1)
    _exit (126);
}

/* User IDs are the same inside and outside, as the bus compares them. */
static void
write_map (pid_t pid,
           const char *name)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/%s", pid, name), *map = g_strdup_printf ("%u %u 65536", FIRST, FIRST);
  int fd = open (path, O_WRONLY | O_CLOEXEC);

  g_assert_cmpint (write (fd, map, strlen (map)), ==, (gssize)strlen (map));
  close (fd);
}

static void
start_client (SystemProcess *self,
              const Case *given,
              uid_t uid,
              const char *step)
{
  const char *const argv[] = { g_getenv ("FOOTPRINT_CLIENT"), step, "hold", NULL };
  int to[2], from[2];

  g_assert_cmpint (pipe (to), ==, 0);
  g_assert_cmpint (pipe (from), ==, 0);
  g_assert_cmpint (self->pid = fork (), >=, 0);
  if (self->pid == 0)
    {
      if (given->in_namespace)
        enter_namespace ("fp-ada", from[1], to[0]);
      if (setresgid (uid, uid, uid) != 0 || setresuid (uid, uid, uid) != 0)
        _exit (126);
      dup2 (to[0], STDIN_FILENO);
      dup2 (from[1], STDOUT_FILENO);
      for (int fd = 3; fd < 64; fd++)
        close (fd);
      execv (argv[0], (char **)argv);
      _exit (127);
    }
  close (to[0]);
  close (from[1]);
  self->to = to[1];
  self->from = fdopen (from[0], "r");
  if (!given->in_namespace)
    return;
  system_expect (self, "");
  write_map (self->pid, "uid_map");
  write_map (self->pid, "gid_map");
  system_release (self);
}

static void
test_connections (gconstpointer data)
{
  const Case *given = data;
  SystemProcess clients[FP_ACCOUNT_MAX_CONNECTIONS], last, other;

  for (guint i = 0; i < G_N_ELEMENTS (clients); i++)
    {
      start_client (&clients[i], given, FIRST + i, "once");
      system_expect (&clients[i], given->given);
      system_expect (&clients[i], "holding");
    }
  start_client (&last, given, FIRST + G_N_ELEMENTS (clients), "once");
  system_expect (&last, "once io.github.footprint_app.Footprint.Helper1.Error.Busy");
  system_start_client (&other, "fp-ben", "own");
  system_expect (&other, "own own");
  for (guint i = 0; i < G_N_ELEMENTS (clients); i++)
    system_stop (&clients[i]);
  system_stop (&last);
  system_stop (&other);
}

static void
append_line (const char *path,
             const char *line)
{
  FILE *file = fopen (path, "a");

  g_assert_nonnull (file);
  fprintf (file, "%s\n", line);
  g_assert_cmpint (fclose (file), ==, 0);
}

/* dbus-daemon, unlike dbus-broker, closes the connection of a user who has no name. */
static void
give_user_ids (void)
{
  g_autofree char *range = g_strdup_printf ("fp-ada:%u:65536", FIRST);

  append_line ("/etc/subuid", range);
  for (guint i = 0; i <= FP_ACCOUNT_MAX_CONNECTIONS; i++)
    {
      g_autofree char *user = g_strdup_printf ("fp-%u:x:%u:%u::/:/bin/sh", i, FIRST + i, FIRST + i);

      append_line ("/etc/passwd", user);
    }
}

int
main (int argc,
      char *argv[])
{
  static const Case in_namespace = { TRUE, "once io.github.footprint_app.Footprint.Helper1.Error.Locked" };
  static const Case by_file = { FALSE, "once served" };

  g_test_init (&argc, &argv, NULL);
  give_user_ids ();
  system_set_rule ("20-test", OWN_FOR_ALL);
  g_test_add_data_func ("/subordinate/in-namespace", &in_namespace, test_connections);
  g_test_add_data_func ("/subordinate/by-file", &by_file, test_connections);
  return g_test_run ();
}
