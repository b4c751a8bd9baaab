// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fp-helper-protocol.h"
#include "system-user.h"

#define ACTION      "action.id.indexOf(\"io.github.footprint_app.Footprint.\") == 0"
#define ALLOW_ADA   "if (" ACTION " && subject.user == \"fp-ada\") return polkit.Result.YES;"
#define KEEP        "if (" ACTION ") return polkit.Result.AUTH_ADMIN_KEEP;"
#define READERS     "if (" ACTION " && subject.isInGroup (\"fp-readers\")) return polkit.Result.YES;"
#define HELPER      "/usr/libexec/footprint-helper"
#define HELPER_NAME "io.github.footprint_app.Footprint.Helper"
#define OWN_FOR_ALL "if (action.id == \"io.github.footprint_app.Footprint.read-own-memory\") return polkit.Result.YES;"

static void
test_no_agent (void)
{
  SystemProcess client;

  system_start_client (&client, "fp-ada", "own all mappings=1 details=1");
  system_expect_error (&client, "own", FP_HELPER_ERROR_DENIED);
  system_expect_error (&client, "all", FP_HELPER_ERROR_NO_AGENT);
  system_expect_error (&client, "mappings", FP_HELPER_ERROR_NO_AGENT);
  system_expect_error (&client, "details", FP_HELPER_ERROR_DENIED);
  system_stop (&client);
}

/* Started by the bus as root: its own user, one capability and a filter are its own doing. */
static void
test_confinement (void)
{
  const struct passwd *user = getpwnam ("footprint-helper");
  g_autofree char *ids = NULL, *capabilities = NULL, *bounding = NULL, *filter = NULL, *expected = NULL, *groups = NULL;
  SystemProcess client;
  pid_t helper;

  system_start_client (&client, "root", "own mappings=1");
  system_expect (&client, "own all");
  system_expect (&client, "mappings read ");
  helper = system_find_helper ();
  g_assert_cmpint (helper, >, 0);
  ids = system_get_status (helper, "Uid");
  groups = system_get_status (helper, "Groups");
  capabilities = system_get_status (helper, "CapPrm");
  bounding = system_get_status (helper, "CapBnd");
  filter = system_get_status (helper, "Seccomp");
  expected = g_strdup_printf ("%u\t%u\t%u\t%u", user->pw_uid, user->pw_uid, user->pw_uid, user->pw_uid);
  g_assert_cmpstr (ids, ==, expected);
  g_assert_cmpstr (g_strstrip (groups), ==, "");
  g_assert_cmpstr (capabilities, ==, "0000000000080000");
  g_assert_cmpstr (bounding, ==, "0000000000000000");
  g_assert_cmpstr (filter, ==, "2");
  system_stop (&client);
}

static void
test_rule (void)
{
  SystemProcess ada, ben;

  system_set_rule ("20-test", ALLOW_ADA);
  system_start_client (&ada, "fp-ada", "own all mappings=1");
  system_expect (&ada, "own all");
  system_expect (&ada, "all all");
  system_expect (&ada, "mappings read ");
  system_stop (&ada);
  system_start_client (&ben, "fp-ben", "own all");
  system_expect_error (&ben, "own", FP_HELPER_ERROR_DENIED);
  system_expect_error (&ben, "all", FP_HELPER_ERROR_NO_AGENT);
  system_stop (&ben);
  system_set_rule ("20-test", NULL);
}

/* An authorization that polkit has changed its mind about is gone with the next call. */
static void
test_revoked (void)
{
  SystemProcess client;

  system_set_rule ("20-test", ALLOW_ADA);
  system_start_client (&client, "fp-ada", "all again hold again");
  system_expect (&client, "all all");
  system_expect (&client, "again all");
  system_expect (&client, "holding");
  system_set_rule ("20-test", NULL);
  system_release (&client);
  system_expect_error (&client, "again", FP_HELPER_ERROR_LOCKED);
  system_stop (&client);
}

static void
run (const char *command)
{
  g_autofree char *output = NULL; /* which TAP would not understand */

  g_assert_true (g_spawn_command_line_sync (command, &output, NULL, NULL, NULL));
}

/* For those who sit at the machine, and for figures alone. */
static void
test_group_example (void)
{
  g_autofree char *rules = NULL;
  SystemSession session;
  SystemProcess client;

  g_assert_true (g_file_get_contents (g_getenv ("FOOTPRINT_RULES"), &rules, NULL, NULL));
  run ("usermod -a -G footprint fp-cleo");
  system_set_rules ("50-footprint", rules);
  system_start_client (&client, "fp-cleo", "all");
  system_expect_error (&client, "all", FP_HELPER_ERROR_NO_AGENT);
  system_stop (&client);
  system_make_session (&session, "fp-cleo");
  system_start_client (&client, "fp-cleo", "hold all mappings=1 hold");
  system_expect (&client, "holding");
  system_join_session (&session, client.pid);
  system_release (&client);
  system_expect (&client, "all all");
  system_expect_error (&client, "mappings", FP_HELPER_ERROR_NO_AGENT);
  system_expect (&client, "holding");
  system_stop (&client);
  system_clear_session (&session);
  system_set_rules ("50-footprint", NULL);
}

/* polkit says nothing where a group changes, so the helper still believes that it takes a password, and asks for one. The rule that
 * answers instead of a person ends with the group. */
static void
test_rule_is_no_password (void)
{
  SystemProcess client;

  run ("groupadd fp-readers");
  system_set_rule ("20-test", READERS);
  system_start_client (&client, "fp-ada", "all hold all hold again");
  system_expect_error (&client, "all", FP_HELPER_ERROR_NO_AGENT);
  system_expect (&client, "holding");
  run ("usermod -a -G fp-readers fp-ada");
  system_release (&client);
  system_expect (&client, "all all");
  system_expect (&client, "holding");
  run ("gpasswd -d fp-ada fp-readers");
  system_set_rule ("20-test", READERS " ");
  system_release (&client);
  system_expect_error (&client, "again", FP_HELPER_ERROR_LOCKED);
  system_stop (&client);
  system_set_rule ("20-test", NULL);
}

/* The bus passes on a call that GDBus can’t take apart, which must not end the helper. */
static void
test_unsound_call (void)
{
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SYSTEM, NULL, NULL);
  g_autoptr (GError) error = NULL;
  SystemProcess client;
  pid_t helper;

  system_start_client (&client, "root", "own hold own");
  system_expect (&client, "own all");
  system_expect (&client, "holding");
  helper = system_find_helper ();
  g_dbus_connection_call_sync (
      bus, HELPER_NAME, FP_HELPER_PATH, FP_HELPER_INTERFACE, "Collect",
      g_variant_new_parsed ("(([(signature 'a{sv}',), (signature 'y',)], @x 7), (@u 4294967295, objectpath '/a/b_1'))"), NULL,
      G_DBUS_CALL_FLAGS_NONE, 1000, NULL, &error);
  g_assert_nonnull (error);
  system_release (&client);
  system_expect (&client, "own all");
  g_assert_cmpint (system_find_helper (), ==, helper);
  system_stop (&client);
}

/* A client that waits until there is an agent for it. */
static void
start_with_agent (SystemProcess *client,
                  SystemProcess *agent,
                  const char *steps,
                  const char *mode,
                  const char *word)
{
  g_autofree char *all_steps = g_strconcat ("hold ", steps, NULL);

  system_start_client (client, "fp-ada", all_steps);
  system_expect (client, "holding");
  system_start_agent (agent, client->pid, mode, word);
  system_release (client);
}

static void
test_right_password (void)
{
  SystemProcess client, agent, other;

  start_with_agent (&client, &agent, "all again own hold", "password", "secret");
  system_expect (&agent, "asked io.github.footprint_app.Footprint.read-memory: Authentication is required to see");
  system_expect (&client, "all all");
  system_expect (&client, "again all");
  system_expect (&client, "own all");
  system_expect (&client, "holding");

  /* The yes is that connection's: not another user's, and not another process's of the same. */
  system_start_client (&other, "fp-ben", "all");
  system_expect_error (&other, "all", FP_HELPER_ERROR_NO_AGENT);
  system_stop (&other);
  system_start_client (&other, "fp-ada", "all");
  system_expect_error (&other, "all", FP_HELPER_ERROR_NO_AGENT);
  system_stop (&other);
  system_stop (&client);
  system_stop (&agent);
}

/* The question names the process, and says that it is about all. */
static void
test_question_for_mappings (void)
{
  SystemProcess client, agent, sleeper;
  g_autofree char *steps = NULL;

  system_start (&sleeper, "fp-ben", (const char *const[]){ "/bin/sleep", "1000", NULL });
  system_await_sleep (sleeper.pid, "sleep");
  steps = g_strdup_printf ("own named=%d mappings=%d mappings=%d hold", sleeper.pid, sleeper.pid, sleeper.pid);
  system_set_rule ("20-test", OWN_FOR_ALL);
  start_with_agent (&client, &agent, steps, "password", "secret");
  system_expect (&client, "own own");
  system_expect (&agent, "asked io.github.footprint_app.Footprint.read-mappings: Authentication is required to see the "
                         "memory of all programs in detail, now of “sleep” (fp-ben), with addresses");
  system_expect (&client, "mappings read ");
  system_expect (&client, "mappings read ");
  system_expect (&client, "holding");
  system_stop (&client);
  system_stop (&agent);
  system_stop (&sleeper);
  system_set_rule ("20-test", NULL);
}

static char *
find_after (const char *line,
            const char *words)
{
  const char *found = strstr (line, words);

  g_assert_nonnull (found);
  return g_strdup (found + strlen (words));
}

/* The files of all processes are given to nobody without the yes for mappings, and then they are what root reads itself. */
static void
test_files (void)
{
  SystemProcess client, agent, sleeper, root;
  g_autofree char *steps = NULL, *root_steps = NULL, *line = NULL, *own = NULL, *bytes = NULL, *own_bytes = NULL;

  system_start (&sleeper, "fp-ben", (const char *const[]){ "/bin/sleep", "1000", NULL });
  system_set_rule ("20-test", OWN_FOR_ALL);
  system_start_client (&client, "fp-ada", "own all-files");
  system_expect (&client, "own own");
  system_expect_error (&client, "all-files", FP_HELPER_ERROR_NO_AGENT);
  system_stop (&client);

  steps = g_strdup_printf ("own fresh hold files=%d files=1 hold all-files hold lock all-files", sleeper.pid);
  start_with_agent (&client, &agent, steps, "password", "secret");
  system_expect (&client, "own own");
  system_expect (&client, "holding");
  system_release (&client);
  system_expect (&agent, "asked io.github.footprint_app.Footprint.read-mappings: Authentication is required to see the "
                         "memory of all programs in detail, now of each of them, with addresses");
  line = system_read_line (&client);
  bytes = find_after (line, "files read 1 of 1 processes, ");
  root_steps = g_strdup_printf ("own fresh local-files=%d", sleeper.pid);
  system_start_client (&root, "root", root_steps);
  system_expect (&root, "own all");
  own = system_read_line (&root);
  own_bytes = find_after (own, "files read 1 of 1 processes, ");
  g_assert_cmpstr (bytes, ==, own_bytes);
  system_expect (&client, "files read 1 of 1 processes, ");
  system_expect (&client, "holding");
  system_release (&client);
  system_expect (&client, "all-files read ");
  system_expect (&client, "holding");
  system_release (&client);
  system_expect (&agent, "asked io.github.footprint_app.Footprint.read-mappings");
  system_expect (&client, "all-files read ");
  system_stop (&client);
  system_stop (&agent);
  system_stop (&root);
  system_stop (&sleeper);
  system_set_rule ("20-test", NULL);
}

static void
test_other_answers (void)
{
  SystemProcess client, agent;

  start_with_agent (&client, &agent, "all again", "password", "wrong");
  system_expect_error (&client, "all", FP_HELPER_ERROR_DENIED);
  system_expect_error (&client, "again", FP_HELPER_ERROR_LOCKED);
  system_stop (&client);
  system_stop (&agent);

  start_with_agent (&client, &agent, "all", "cancel", "");
  system_expect_error (&client, "all", FP_HELPER_ERROR_CANCELLED);
  system_stop (&client);
  system_stop (&agent);
}

/* One who thinks about the password keeps nobody else waiting. */
static void
test_unanswered (void)
{
  SystemProcess client, agent, other;

  start_with_agent (&client, &agent, "patience=3000 all", "hang", "");
  system_expect (&agent, "asked");
  system_start_client (&other, "root", "own again again");
  system_expect (&other, "own all");
  system_expect (&other, "again all");
  system_expect (&other, "again all");
  system_stop (&other);
  system_expect (&client, "all gave up");
  system_stop (&client);
  system_stop (&agent);
}

/* An authorization that the administrator's rules keep outlives the connection, and the process alone has it. */
static void
test_kept (void)
{
  SystemProcess client, agent;

  system_set_rule ("20-test", KEEP);
  start_with_agent (&client, &agent, "all leave own hold", "password", "secret");
  system_expect (&agent, "asked");
  system_expect (&client, "all all");
  system_expect (&client, "own all");
  system_stop (&client);
  system_stop (&agent);
  system_set_rule ("20-test", NULL);
}

/* With somebody who sits at the machine: polkit keeps it for all of the session's time with the process, until that
 * gives it back. */
static void
test_lock (void)
{
  SystemSession session;
  SystemProcess client, agent;

  system_make_session (&session, "fp-ada");
  system_start_client (&client, "fp-ada", "hold all hold leave all lock all hold");
  system_expect (&client, "holding");
  system_join_session (&session, client.pid);
  system_start_session_agent (&agent, &session, "password", "secret");
  system_release (&client);
  system_expect (&agent, "asked io.github.footprint_app.Footprint.read-memory");
  system_expect (&client, "all all");
  system_expect (&client, "holding");
  system_stop (&agent);
  system_release (&client);
  system_expect (&client, "all all");
  system_expect_error (&client, "all", FP_HELPER_ERROR_NO_AGENT);
  system_expect (&client, "holding");
  system_stop (&client);
  system_clear_session (&session);
}

/* In the next collection there is a new one. */
static void
test_crash (void)
{
  SystemProcess client;
  pid_t helper;

  system_start_client (&client, "root", "own hold again hold again");
  system_expect (&client, "own all");
  system_expect (&client, "holding");
  helper = system_find_helper ();
  kill (helper, SIGKILL);
  system_await_no_owner (HELPER_NAME);
  system_release (&client);
  system_expect (&client, "again all");
  g_assert_cmpint (system_find_helper (), !=, helper);
  system_stop (&client);
}

static void
test_not_installed (void)
{
  static const char service[] = "/usr/share/dbus-1/system-services/io.github.footprint_app.Footprint.Helper.service";
  g_autofree char *away = g_strconcat (service, ".away", NULL);
  SystemProcess client;

  kill (system_find_helper (), SIGTERM);
  system_await_no_owner (HELPER_NAME);
  g_assert_cmpint (rename (service, away), ==, 0);
  system_reload_bus ();
  system_start_client (&client, "fp-ada", "own");
  system_expect_error (&client, "own", FP_HELPER_ERROR_NOT_INSTALLED);
  system_stop (&client);
  g_assert_cmpint (rename (away, service), ==, 0);
  system_reload_bus ();
}

#define PATIENCE_US (30 * G_USEC_PER_SEC)
#define AS_ROOT     "root=" HELPER " all"

/* Without it nobody is ever asked, and the tests would wait for the question without end. */
static gboolean
has_pkexec (void)
{
  g_autofree char *path = g_find_program_in_path ("pkexec");

  if (!path)
    g_test_fail_printf ("“pkexec” is missing here (Debian package pkexec)");
  return path != NULL;
}

static void
await_no_helper (void)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;
  pid_t helper;

  while ((helper = system_find_helper ()) > 0 && g_get_monotonic_time () < end_us)
    g_usleep (100 * 1000);
  if (helper > 0)
    {
      g_autofree char *state = system_get_status (helper, "State"), *parent = system_get_status (helper, "PPid");

      g_error ("helper %d of %s does not end: %s", helper, parent, state);
    }
}

/* By pkexec, where the bus knows no helper. What runs then is as confined as the one on the bus. */
static void
test_as_root (void)
{
  const struct passwd *user = getpwnam ("footprint-helper");
  g_autofree char *ids = NULL, *capabilities = NULL, *filter = NULL, *privileges = NULL, *expected = NULL;
  SystemProcess client, agent;
  pid_t helper = system_find_helper ();

  if (!has_pkexec ())
    return;
  if (helper > 0)
    kill (helper, SIGTERM);
  start_with_agent (&client, &agent, AS_ROOT " mappings=1 give-up again hold lock hold", "password", "secret");
  system_expect (&agent, "asked io.github.footprint_app.Footprint.run-helper: Authentication is required to see the memory of");
  system_expect (&client, "all all");
  system_expect (&client, "mappings read ");
  system_expect (&client, "give-up gave up");
  system_expect (&client, "again all");
  system_expect (&client, "holding");
  helper = system_find_helper ();
  ids = system_get_status (helper, "Uid");
  capabilities = system_get_status (helper, "CapPrm");
  filter = system_get_status (helper, "Seccomp");
  privileges = system_get_status (helper, "NoNewPrivs");
  expected = g_strdup_printf ("%u\t%u\t%u\t%u", user->pw_uid, user->pw_uid, user->pw_uid, user->pw_uid);
  g_assert_cmpstr (ids, ==, expected);
  g_assert_cmpstr (capabilities, ==, "0000000000080000");
  g_assert_cmpstr (filter, ==, "2");
  g_assert_cmpstr (privileges, ==, "1");
  system_release (&client);
  system_expect (&client, "holding");
  await_no_helper ();
  system_stop (&client);
  system_stop (&agent);
}

static void
test_as_root_refused (void)
{
  SystemProcess client, agent;

  if (!has_pkexec ())
    return;
  start_with_agent (&client, &agent, AS_ROOT, "password", "wrong");
  system_expect_error (&client, "all", FP_HELPER_ERROR_DENIED);
  system_stop (&client);
  system_stop (&agent);
  start_with_agent (&client, &agent, AS_ROOT, "cancel", "");
  system_expect_error (&client, "all", FP_HELPER_ERROR_CANCELLED);
  system_stop (&client);
  system_stop (&agent);
  system_start_client (&client, "fp-ada", AS_ROOT);
  system_expect_error (&client, "all", FP_HELPER_ERROR_NO_AGENT);
  system_stop (&client);
}

/* A caller that gives up waiting leaves no question behind. */
static void
test_as_root_unanswered (void)
{
  SystemProcess client, agent;
  gint64 end_us;

  if (!has_pkexec ())
    return;
  start_with_agent (&client, &agent, "patience=2000 " AS_ROOT " hold", "hang", "");
  system_expect (&agent, "asked");
  g_assert_cmpint (system_find_process ("pkexec"), >, 0);
  system_expect (&client, "all gave up");
  system_expect (&client, "holding");
  end_us = g_get_monotonic_time () + PATIENCE_US;
  while (system_find_process ("pkexec") > 0 && g_get_monotonic_time () < end_us)
    g_usleep (10 * 1000);
  g_assert_cmpint (system_find_process ("pkexec"), ==, 0);
  system_stop (&client);
  system_stop (&agent);
}

static void
copy_helper (const char *path,
             uid_t owner,
             mode_t mode)
{
  g_autofree char *command = g_strdup_printf ("cp " HELPER " %s", path);

  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  g_assert_cmpint (chown (path, owner, 0), ==, 0);
  g_assert_cmpint (chmod (path, mode), ==, 0);
}

/* A program that others could have changed, or a folder above it, is no reason to ask for a password. */
static void
test_as_root_untrusted (void)
{
  static const char *const paths[] = { "/usr/libexec/fp-of-ada", "/usr/libexec/fp-writable", "/run/fp-ada/helper",
                                       "/usr/libexec/fp-link" };

  copy_helper (paths[0], getpwnam ("fp-ada")->pw_uid, 0755);
  copy_helper (paths[1], 0, 0775);
  copy_helper (paths[2], 0, 0755);
  g_assert_cmpint (symlink (HELPER, paths[3]), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *steps = g_strdup_printf ("root=%s all", paths[i]);
      SystemProcess client;

      system_start_client (&client, "fp-ada", steps);
      system_expect_error (&client, "all", FP_HELPER_ERROR_UNTRUSTED);
      system_stop (&client);
      unlink (paths[i]);
    }
}

/* Nothing of others without a password, everything with one. */
static void
test_hidepid (void)
{
  SystemProcess client;
  g_autofree char *line = NULL;
  guint n;

  system_set_rule ("20-test", OWN_FOR_ALL);
  g_assert_cmpint (mount (NULL, "/proc", NULL, MS_REMOUNT, "hidepid=2"), ==, 0);
  system_start_client (&client, "fp-ben", "own hold");
  line = system_read_line (&client);
  g_assert_cmpint (sscanf (line, "own own %u", &n), ==, 1);
  g_assert_cmpuint (n, ==, 1);
  system_stop (&client);
  system_start_client (&client, "root", "own");
  g_free (line);
  line = system_read_line (&client);
  g_assert_cmpint (sscanf (line, "own all %u", &n), ==, 1);
  g_assert_cmpuint (n, >, 4);
  system_stop (&client);
  g_assert_cmpint (mount (NULL, "/proc", NULL, MS_REMOUNT, "hidepid=0"), ==, 0);
  system_set_rule ("20-test", NULL);
}

static void
test_idle (void)
{
  SystemProcess client;
  guint n_seconds = 0;

  system_start_client (&client, "root", "own");
  system_expect (&client, "own all");
  system_stop (&client);
  g_assert_cmpint (system_find_helper (), >, 0);
  for (; n_seconds < 75 && system_find_helper () > 0; n_seconds++)
    g_usleep (G_USEC_PER_SEC);
  g_assert_cmpuint (n_seconds, >=, 55);
  g_assert_cmpuint (n_seconds, <, 75);
}

int
main (int argc,
      char *argv[])
{
  /* The sanitizer looks for leaks with ptrace, which the helper forbids itself. */
  g_setenv ("ASAN_OPTIONS", "detect_leaks=0", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/polkit/no-agent", test_no_agent);
  g_test_add_func ("/polkit/confinement", test_confinement);
  g_test_add_func ("/polkit/rule", test_rule);
  g_test_add_func ("/polkit/revoked", test_revoked);
  g_test_add_func ("/polkit/group-example", test_group_example);
  g_test_add_func ("/polkit/rule-is-no-password", test_rule_is_no_password);
  g_test_add_func ("/polkit/unsound-call", test_unsound_call);
  g_test_add_func ("/polkit/right-password", test_right_password);
  g_test_add_func ("/polkit/question-for-mappings", test_question_for_mappings);
  g_test_add_func ("/polkit/files", test_files);
  g_test_add_func ("/polkit/other-answers", test_other_answers);
  g_test_add_func ("/polkit/unanswered", test_unanswered);
  g_test_add_func ("/polkit/kept", test_kept);
  g_test_add_func ("/polkit/lock", test_lock);
  g_test_add_func ("/polkit/crash", test_crash);
  g_test_add_func ("/polkit/as-root", test_as_root);
  g_test_add_func ("/polkit/as-root-refused", test_as_root_refused);
  g_test_add_func ("/polkit/as-root-unanswered", test_as_root_unanswered);
  g_test_add_func ("/polkit/as-root-untrusted", test_as_root_untrusted);
  g_test_add_func ("/polkit/hidepid", test_hidepid);
  g_test_add_func ("/polkit/not-installed", test_not_installed);
  g_test_add_func ("/polkit/idle", test_idle);
  return g_test_run ();
}
