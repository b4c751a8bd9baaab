// SPDX-License-Identifier: GPL-3.0-or-later
/* The helper as systemd runs it, in the machine of with-machine. */
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>

#include "fp-helper-protocol.h"
#include "system-user.h"

#define ONLY_PTRACE "0000000000080000"
#define SNAPSHOT    "/run/snapshot"
#define PROBE       "/usr/local/libexec/footprint-probe"

static char *
run (const char *command)
{
  g_autoptr (GError) error = NULL;
  char *output;
  int status;

  g_spawn_command_line_sync (command, &output, NULL, &status, &error);
  g_assert_no_error (error);
  g_test_message ("%s", command);
  g_assert_cmpint (status, ==, 0);
  return g_strchomp (output);
}

static void
expect_unit (const char *property,
             const char *expected)
{
  g_autofree char *command = g_strdup_printf ("systemctl show --value --property %s footprint-helper.service", property);
  g_autofree char *value = run (command);

  g_assert_cmpstr (value, ==, expected);
}

static void
expect_status (pid_t pid,
               const char *key,
               const char *expected)
{
  g_autofree char *value = system_get_status (pid, key);

  g_assert_cmpstr (g_strstrip (value), ==, expected);
}

static void
collect_as_root (void)
{
  SystemProcess client;

  system_start_client (&client, "root", "own mappings=1 save=" SNAPSHOT);
  system_expect (&client, "own all");
  system_expect (&client, "mappings read ");
  system_expect (&client, "saved 1");
  system_stop (&client);
}

static void
test_activation (void)
{
  g_autofree char *pid = NULL;

  expect_unit ("ActiveState", "inactive");
  g_assert_cmpint (system_find_helper (), ==, 0);
  collect_as_root ();
  expect_unit ("ActiveState", "active");
  expect_unit ("User", "footprint-helper");
  pid = g_strdup_printf ("%d", system_find_helper ());
  expect_unit ("MainPID", pid);
}

static void
test_least_privilege (void)
{
  const struct passwd *user = getpwnam ("footprint-helper");
  g_autofree char *ids = g_strdup_printf ("%u\t%u\t%u\t%u", user->pw_uid, user->pw_uid, user->pw_uid, user->pw_uid);
  pid_t helper;

  g_assert_cmpuint (user->pw_uid, !=, 0);
  collect_as_root ();
  helper = system_find_helper ();
  expect_status (helper, "Uid", ids);
  expect_status (helper, "CapEff", ONLY_PTRACE);
  expect_status (helper, "CapPrm", ONLY_PTRACE);
  expect_status (helper, "CapBnd", ONLY_PTRACE);
  expect_status (helper, "NoNewPrivs", "1");
  expect_status (helper, "Seccomp", "2");
}

static void
test_exposure (void)
{
  g_autofree char *report = run ("systemd-analyze security --no-pager --threshold=11 footprint-helper.service");

  g_test_message ("%s", strrchr (report, '\n') + 1);
}

/* The helper's own filter within that of its unit: test-confinement as that unit, which may see no home, where it may be. */
static void
test_filters (void)
{
  static const char path[] = "/run/systemd/system/footprint-probe.service";
  g_autofree char *unit = run ("systemctl cat footprint-helper.service");
  g_autofree char *copy = g_strdup_printf ("install %s " PROBE, g_getenv ("FOOTPRINT_CONFINEMENT"));
  g_autoptr (GRegex) start = g_regex_new ("^ExecStart=.*$", G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GRegex) name = g_regex_new ("^(Type|BusName)=.*$", G_REGEX_MULTILINE, 0, NULL);
  g_autofree char *started = g_regex_replace_literal (start, unit, -1, 0, "ExecStart=" PROBE " --tap", 0, NULL);
  g_autofree char *probe = g_regex_replace_literal (name, started, -1, 0, "", 0, NULL);
  g_autofree char *oneshot = g_strconcat (probe, "\nType=oneshot\n", NULL);
  g_autofree char *copied = NULL, *reloaded = NULL, *done = NULL;

  g_assert_true (g_file_set_contents (path, oneshot, -1, NULL));
  copied = run (copy);
  reloaded = run ("systemctl daemon-reload");
  done = run ("systemctl start footprint-probe.service");
}

/* The part of it that only root could read */
static void
expect_first_process (void)
{
  g_autoptr (FpSnapshot) snapshot = system_load_snapshot (SNAPSHOT);
  const FpProcess *first = fp_snapshot_find (snapshot, 1);

  g_assert_nonnull (first);
  g_assert_cmpint (first->reason, ==, FP_REASON_NONE);
  g_assert_cmpuint (fp_memory_get (&first->memory, FP_FIELD_PSS), >, 1024 * 1024);
  g_assert_cmpstr (fp_snapshot_get_text (snapshot, first, FP_TEXT_PROGRAM), ==, "systemd");
}

static void
test_first_process (void)
{
  collect_as_root ();
  expect_first_process ();
}

static void
test_hidepid (void)
{
  g_autofree char *stop = run ("systemctl stop footprint-helper.service");

  g_assert_cmpint (mount (NULL, "/proc", NULL, MS_REMOUNT, "hidepid=2"), ==, 0);
  collect_as_root ();
  expect_first_process ();
  g_assert_cmpint (mount (NULL, "/proc", NULL, MS_REMOUNT, "hidepid=0"), ==, 0);
}

static void
test_crash (void)
{
  pid_t helper;

  collect_as_root ();
  helper = system_find_helper ();
  g_assert_cmpint (kill (helper, SIGKILL), ==, 0);
  while (system_find_helper () == helper)
    g_usleep (20 * 1000);
  collect_as_root ();
  expect_unit ("ActiveState", "active");
}

/* She is not at the machine: there is no session that this comes from. */
static void
test_refusal_is_logged (void)
{
  g_autofree char *expected = g_strdup_printf ("refused to uid %u: Collect: ", getpwnam ("fp-ada")->pw_uid);
  g_autofree char *synced = NULL, *journal = NULL;
  SystemProcess client;

  system_start_client (&client, "fp-ada", "own");
  system_expect_error (&client, "own", FP_HELPER_ERROR_DENIED);
  system_stop (&client);
  synced = run ("journalctl --sync");
  journal = run ("journalctl --no-pager --unit footprint-helper.service");
  g_assert_nonnull (strstr (journal, expected));
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machine/activation", test_activation);
  g_test_add_func ("/machine/least-privilege", test_least_privilege);
  g_test_add_func ("/machine/exposure", test_exposure);
  g_test_add_func ("/machine/filters", test_filters);
  g_test_add_func ("/machine/first-process", test_first_process);
  g_test_add_func ("/machine/hidepid", test_hidepid);
  g_test_add_func ("/machine/crash", test_crash);
  g_test_add_func ("/machine/refusal-is-logged", test_refusal_is_logged);
  return g_test_run ();
}
