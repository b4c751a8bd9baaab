// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <glib/gstdio.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-snapshot-file.h"
#include "system-user.h"

#define RULES       "/etc/polkit-1/rules.d"
#define POLKIT      "org.freedesktop.PolicyKit1"
#define POLKIT_PATH "/org/freedesktop/PolicyKit1/Authority"
#define PATIENCE_US (30 * G_USEC_PER_SEC)
#define MOST_NICE   19

static void
become (const char *user)
{
  const struct passwd *entry = getpwnam (user);

  if (!entry || initgroups (user, entry->pw_gid) != 0 ||
      setresgid (entry->pw_gid, entry->pw_gid, entry->pw_gid) != 0 ||
      setresuid (entry->pw_uid, entry->pw_uid, entry->pw_uid) != 0)
    _exit (126);
}

/* Each in a session of its own, as those of different people are: the kernel divides processors among sessions first. */
void
system_start (SystemProcess *self,
              const char *user,
              const char *const *argv)
{
  int to[2], from[2];

  g_assert_cmpint (pipe (to), ==, 0);
  g_assert_cmpint (pipe (from), ==, 0);
  g_assert_cmpint (self->pid = fork (), >=, 0);
  if (self->pid == 0)
    {
      dup2 (to[0], STDIN_FILENO);
      dup2 (from[1], STDOUT_FILENO);
      for (int fd = 3; fd < 64; fd++)
        close (fd);
      setsid ();
      become (user);
      execv (argv[0], (char **)argv);
      _exit (127);
    }
  close (to[0]);
  close (from[1]);
  self->to = to[1];
  self->from = fdopen (from[0], "r");
}

static void
start_in_session (int out,
                  const char *user,
                  const char *const *argv)
{
  int null = open ("/dev/null", O_RDWR);
  pid_t pid = fork ();

  if (pid < 0)
    _exit (1);
  if (pid == 0)
    {
      dup2 (null, STDIN_FILENO);
      dup2 (null, STDOUT_FILENO);
      for (int fd = 3; fd < 64; fd++)
        close (fd);
      become (user);
      execv (argv[0], (char **)argv);
      _exit (127);
    }
  close (null);
  if (write (out, &pid, sizeof pid) != sizeof pid)
    _exit (1);
}

static void
write_number (const char *path,
              gint number)
{
  FILE *file = fopen (path, "w");

  g_assert_nonnull (file);
  fprintf (file, "%d\n", number);
  g_assert_cmpint (fclose (file), ==, 0);
}

static void
join_group (const char *group,
            pid_t pid)
{
  g_autofree char *path = g_build_filename (group, "cgroup.procs", NULL);

  write_number (path, pid);
}

/* For a machine that shares out nothing. Processes of a session share its niceness, where the kernel groups by sessions. */
static void
be_nice (void)
{
  g_assert_cmpint (setpriority (PRIO_PROCESS, 0, MOST_NICE), ==, 0);
  if (g_access ("/proc/self/autogroup", W_OK) == 0)
    write_number ("/proc/self/autogroup", MOST_NICE);
}

/* The folder where the kernel shares out the processors among groups, as systemd has it done among users; NULL: it does not here. */
static char *
find_processor_group (void)
{
  static const char *const roots[] = { "/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup" };
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/cgroup", &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; i < G_N_ELEMENTS (roots); i++)
    for (guint j = 0; lines[j] && *lines[j]; j++)
      {
        g_auto (GStrv) parts = g_strsplit (lines[j], ":", 3);
        g_autofree char *folder = g_build_filename (roots[i], parts[2], NULL), *weight = NULL;
        gboolean is_old = g_regex_match_simple ("^cpu(,|$)|,cpu(,|$)", parts[1], 0, 0);

        weight = g_build_filename (folder, is_old ? "cpu.shares" : "cpu.weight", NULL);
        if ((is_old || !*parts[1]) && g_access (weight, W_OK) == 0)
          return g_steal_pointer (&folder);
      }
  return NULL;
}

/* As systemd makes them, weight included; with-bus takes away what is left. FALSE: this machine shares out nothing. */
gboolean
system_make_slice (SystemSlice *self,
                   const char *name,
                   guint weight)
{
  g_autofree char *above = find_processor_group (), *old = NULL, *new = NULL;

  if (!above)
    return FALSE;
  g_clear_pointer (&self->group, g_free);
  self->group = g_build_filename (above, g_getenv ("FOOTPRINT_SLICE"), name, NULL);
  g_assert_cmpint (g_mkdir_with_parents (self->group, 0755), ==, 0);
  old = g_build_filename (self->group, "cpu.shares", NULL);
  new = g_build_filename (self->group, "cpu.weight", NULL);
  if (g_access (old, W_OK) == 0)
    write_number (old, (gint)weight * 1024 / 100);
  else if (g_access (new, W_OK) == 0)
    write_number (new, (gint)weight);
  else
    g_clear_pointer (&self->group, g_free);
  return self->group != NULL;
}

void
system_join_slice (const SystemSlice *self,
                   pid_t pid)
{
  join_group (self->group, pid);
}

/* All n of them in one session, and in the slice if there is one, else as nice as can be; their output is discarded. */
void
system_start_together (SystemProcess *processes,
                       guint n,
                       const char *user,
                       const SystemSlice *slice,
                       const char *const (*argvs)[3])
{
  pid_t leader;
  int fds[2], status;

  /* The leader ends at once, so that this process adopts the programs and can wait for them. */
  g_assert_cmpint (prctl (PR_SET_CHILD_SUBREAPER, 1), ==, 0);
  g_assert_cmpint (pipe (fds), ==, 0);
  if ((leader = fork ()) == 0)
    {
      setsid ();
      close (fds[0]);
      if (slice->group)
        join_group (slice->group, getpid ());
      else
        be_nice ();
      for (guint i = 0; i < n; i++)
        start_in_session (fds[1], user, argvs[i]);
      _exit (0);
    }
  close (fds[1]);
  for (guint i = 0; i < n; i++)
    {
      processes[i] = (SystemProcess){ .to = -1 };
      g_assert_cmpint (read (fds[0], &processes[i].pid, sizeof processes[i].pid), ==, sizeof processes[i].pid);
      g_assert_cmpint (processes[i].pid, >, 0);
    }
  close (fds[0]);
  g_assert_cmpint (waitpid (leader, &status, 0), ==, leader);
}

void
system_start_client (SystemProcess *self,
                     const char *user,
                     const char *steps)
{
  g_autofree char *line = g_strconcat (g_getenv ("FOOTPRINT_CLIENT"), " ", steps, NULL);
  g_auto (GStrv) argv = g_strsplit (line, " ", -1);

  system_start (self, user, (const char *const *)argv);
}

/* Since polkit 125 an agent must belong to the user who is asked for. */
void
system_start_agent (SystemProcess *self,
                    pid_t pid,
                    const char *mode,
                    const char *word)
{
  g_autofree char *number = g_strdup_printf ("%d", pid), *path = g_strdup_printf ("/proc/%d", pid);
  struct stat info;

  g_assert_cmpint (stat (path, &info), ==, 0);
  system_start (self, getpwuid (info.st_uid)->pw_name, (const char *const[]){ g_getenv ("FOOTPRINT_AGENT"), number, mode, word, NULL });
  system_expect (self, "registered");
}

static void
write_file (const char *path,
            const char *text)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;

  g_mkdir_with_parents (folder, 0755);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

/* As logind would make it for somebody who sits at the machine: polkit looks at its files and at the control group. */
void
system_make_session (SystemSession *self,
                     const char *user)
{
  const struct passwd *entry = getpwnam (user);
  g_autofree char *session = NULL, *person = NULL, *path = NULL;

  self->id = "c1";
  self->user = user;
  self->group = g_strdup_printf ("/sys/fs/cgroup/%suser.slice/user-%u.slice/session-c1.scope",
                                 g_file_test ("/sys/fs/cgroup/unified", G_FILE_TEST_IS_DIR) ? "unified/" : "", entry->pw_uid);
  session = g_strdup_printf ("UID=%u\nUSER=%s\nACTIVE=1\nIS_DISPLAY=1\nSTATE=active\nREMOTE=0\nTYPE=x11\nCLASS=user\n"
                             "SCOPE=session-c1.scope\nSEAT=seat0\nLEADER=1\n",
                             entry->pw_uid, user);
  person = g_strdup_printf ("NAME=%s\nSTATE=active\nDISPLAY=c1\nSESSIONS=c1\nACTIVE_SESSIONS=c1\n", user);
  path = g_strdup_printf ("/run/systemd/users/%u", entry->pw_uid);
  write_file ("/run/systemd/sessions/c1", session);
  write_file (path, person);
  g_assert_cmpint (g_mkdir_with_parents (self->group, 0755), ==, 0);
}

void
system_join_session (const SystemSession *self,
                     pid_t pid)
{
  join_group (self->group, pid);
}

/* It is in the session itself, or it might not answer for it. */
void
system_start_session_agent (SystemProcess *self,
                            const SystemSession *session,
                            const char *mode,
                            const char *word)
{
  static const char wait[] = "read line; exec \"$@\"";

  system_start (self, session->user,
                (const char *const[]){ "/bin/sh", "-c", wait, "sh", g_getenv ("FOOTPRINT_AGENT"), session->id, mode, word, NULL });
  system_join_session (session, self->pid);
  system_release (self);
  system_expect (self, "registered");
}

void
system_clear_session (SystemSession *self)
{
  g_autofree char *slice = g_path_get_dirname (self->group);

  unlink ("/run/systemd/sessions/c1");
  rmdir (self->group);
  rmdir (slice);
  g_free (self->group);
}

char *
system_read_line (SystemProcess *self)
{
  char line[512] = "";

  if (!fgets (line, sizeof line, self->from))
    return g_strdup ("");
  return g_strdup (g_strchomp (line));
}

/* Begins with it. */
void
system_expect (SystemProcess *self,
               const char *expected)
{
  g_autofree char *line = system_read_line (self);

  g_test_message ("%s", line);
  if (!g_str_has_prefix (line, expected))
    g_error ("“%s” instead of “%s”", line, expected);
}

void
system_expect_error (SystemProcess *self,
                     const char *step,
                     gint code)
{
  g_autofree char *expected = g_strdup_printf ("%s error %d ", step, code);

  system_expect (self, expected);
}

void
system_release (SystemProcess *self)
{
  g_assert_cmpint (write (self->to, "\n", 1), ==, 1);
}

void
system_stop (SystemProcess *self)
{
  close (self->to);
  kill (self->pid, SIGTERM);
  waitpid (self->pid, NULL, 0);
  fclose (self->from);
}

/* Not a connection that ends this program with the bus. */
GDBusConnection *
system_connect_to_bus (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *address = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SYSTEM, NULL, &error);
  GDBusConnection *bus;

  g_assert_no_error (error);
  bus = g_dbus_connection_new_for_address_sync (
      address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL, &error);
  g_assert_no_error (error);
  return bus;
}

static GVariant *
call (GDBusConnection *bus,
      const char *name,
      const char *path,
      const char *method,
      GVariant *arguments)
{
  g_autofree char *interface = g_strndup (method, (gsize)(strrchr (method, '.') - method));
  g_autoptr (GError) error = NULL;
  GVariant *reply = g_dbus_connection_call_sync (bus, name, path, interface, strrchr (method, '.') + 1, arguments, NULL,
                                                 G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);

  g_assert_no_error (error);
  return reply;
}

static gboolean
has_owner (GDBusConnection *bus,
           const char *name)
{
  g_autoptr (GVariant) reply = call (bus, "org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner", g_variant_new ("(s)", name));
  gboolean has_one;

  g_variant_get (reply, "(b)", &has_one);
  return has_one;
}

/* Until what owned the name has left the bus */
void
system_await_no_owner (const char *name)
{
  g_autoptr (GDBusConnection) bus = system_connect_to_bus ();
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;

  while (has_owner (bus, name) && g_get_monotonic_time () < end_us)
    g_usleep (1000);
  g_assert_false (has_owner (bus, name));
}

/* Returns when the bus knows that it has ended, for which it may have started another one already. */
void
system_end_owner (const char *name)
{
  g_autoptr (GDBusConnection) bus = system_connect_to_bus ();
  g_autoptr (GVariant) owner = NULL, process = NULL;
  const char *unique;
  guint32 pid;

  if (!has_owner (bus, name))
    return;
  owner = call (bus, "org.freedesktop.DBus", "/", "org.freedesktop.DBus.GetNameOwner", g_variant_new ("(s)", name));
  g_variant_get (owner, "(&s)", &unique);
  process = call (bus, "org.freedesktop.DBus", "/", "org.freedesktop.DBus.GetConnectionUnixProcessID", g_variant_new ("(s)", unique));
  g_variant_get (process, "(u)", &pid);
  g_assert_cmpint (kill ((pid_t)pid, SIGKILL), ==, 0);
  system_await_no_owner (unique);
}

/* Services that have come or gone are known when it ends. */
void
system_reload_bus (void)
{
  g_autoptr (GDBusConnection) bus = system_connect_to_bus ();
  g_autoptr (GVariant) reply = call (bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.ReloadConfig", NULL);
}

static void
changed_cb (GDBusConnection *bus,
            const char *sender,
            const char *path,
            const char *interface,
            const char *signal,
            GVariant *arguments,
            gpointer data)
{
  *(gboolean *)data = TRUE;
}

static void
write_rules (const char *path,
             const char *text)
{
  if (text)
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
  else
    g_assert_cmpint (g_unlink (path), ==, 0);
}

/* polkitd says when it has read its rules again, which it may do twice for one file: it answers when it has done both. One
 * that does not run yet reads them when it is started. */
void
system_set_rules (const char *name,
                  const char *text)
{
  g_autofree char *path = g_strdup_printf (RULES "/%s.rules", name);
  g_autoptr (GDBusConnection) bus = NULL;
  g_autoptr (GVariant) version = NULL;
  gboolean has_changed = FALSE;
  guint subscription;
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;

  if (!text && g_access (path, F_OK) != 0)
    return;
  bus = system_connect_to_bus ();
  if (!has_owner (bus, POLKIT))
    {
      write_rules (path, text);
      return;
    }
  subscription = g_dbus_connection_signal_subscribe (bus, POLKIT, POLKIT ".Authority", "Changed", POLKIT_PATH, NULL, G_DBUS_SIGNAL_FLAGS_NONE,
                                                     changed_cb, &has_changed, NULL);
  /* Answered when the bus has taken the subscription. */
  has_owner (bus, POLKIT);
  write_rules (path, text);
  while (!has_changed && g_get_monotonic_time () < end_us)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  if (!has_changed)
    g_error ("polkitd does not read its rules");
  version = call (bus, POLKIT, POLKIT_PATH, "org.freedesktop.DBus.Properties.Get",
                  g_variant_new ("(ss)", POLKIT ".Authority", "BackendVersion"));
  /* No other signal is for it, though it may have come. */
  g_dbus_connection_signal_unsubscribe (bus, subscription);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* body: of a function (action, subject); NULL: no rule */
void
system_set_rule (const char *name,
                 const char *body)
{
  g_autofree char *text = g_strdup_printf ("polkit.addRule(function(action, subject) { %s });\n", body);

  system_set_rules (name, body ? text : NULL);
}

/* comm: as the kernel knows it, at most 15 letters; 0: there is none */
pid_t
system_find_process (const char *comm)
{
  g_autoptr (GDir) proc = g_dir_open ("/proc", 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (proc)))
    {
      g_autofree char *path = g_strdup_printf ("/proc/%s/comm", name);
      g_autofree char *text = NULL;

      if (g_ascii_isdigit (*name) && g_file_get_contents (path, &text, NULL, NULL) &&
          g_str_equal (g_strchomp (text), comm))
        return atoi (name);
    }
  return 0;
}

pid_t
system_find_helper (void)
{
  return system_find_process ("footprint-helpe");
}

char *
system_get_status (pid_t pid,
                   const char *key)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/status", pid);
  g_autofree char *line = g_strdup_printf ("\n%s:\t", key);
  g_autofree char *contents = NULL, *text = NULL;
  const char *at;

  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  text = g_strconcat ("\n", contents, NULL);
  at = strstr (text, line);
  g_assert_nonnull (at);
  at += strlen (line);
  return g_strndup (at, strcspn (at, "\n"));
}

static gboolean
is_asleep (pid_t pid,
           const char *comm)
{
  g_autofree char *name = system_get_status (pid, "Name"), *state = system_get_status (pid, "State");

  return g_str_equal (name, comm) && state[0] == 'S';
}

/* Until the program is the one that it was started to be, and waits. comm has at most 15 letters. */
void
system_await_sleep (pid_t pid,
                    const char *comm)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;

  while (!is_asleep (pid, comm) && g_get_monotonic_time () < end_us)
    g_usleep (1000);
  g_assert_true (is_asleep (pid, comm));
}

/* Until there is one with this name that waits */
pid_t
system_await_process (const char *comm)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;
  pid_t pid;

  while ((pid = system_find_process (comm)) == 0 && g_get_monotonic_time () < end_us)
    g_usleep (1000);
  g_assert_cmpint (pid, >, 0);
  system_await_sleep (pid, comm);
  return pid;
}

/* The answer that a client has saved */
FpSnapshot *
system_load_snapshot (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *data = NULL;
  g_autoptr (GBytes) bytes = NULL;
  FpSnapshot *snapshot;
  gsize size;

  g_assert_true (g_file_get_contents (path, &data, &size, NULL));
  bytes = g_bytes_new (data, size);
  snapshot = fp_snapshot_from_bytes (bytes, &error);
  g_assert_no_error (error);
  return snapshot;
}
