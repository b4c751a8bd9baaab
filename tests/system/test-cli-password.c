// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "cli-terminal.h"

/* footprint-cli --all of an ordinary user in a terminal, where pkttyagent asks for the password. */

#define AS_ADA "--reuid=fp-ada", "--regid=fp-ada", "--init-groups"

static char *program;

static void
await_question (CliTerminal *terminal,
                const char *words)
{
  cli_terminal_wait_for (terminal, words);
  cli_terminal_wait_for (terminal, "Password:");
  /* Typing before that is thrown away. */
  for (guint i = 0; i < 500 && (cli_terminal_get_flags (terminal) & ECHO); i++)
    g_usleep (10 * 1000);
  g_assert_false (cli_terminal_get_flags (terminal) & ECHO);
}

static void
start (CliTerminal *terminal)
{
  cli_terminal_start (terminal, 100, 50, AS_ADA, program, "--all", "--filter", "dbus-daemon", NULL);
  await_question (terminal, "Authentication is required to see how much memory the programs of other users");
}

/* Whether the bus of this machine, another user's process, is measured: else only a bound is known. */
static gboolean
is_measured (const char *output)
{
  const char *line = strstr (output, "dbus-daemon");

  g_assert_nonnull (line);
  while (line > output && line[-1] != '\n')
    line--;
  return strstr (line, "MiB") && !strstr (line, "≤");
}

static void
test_without (void)
{
  g_autofree char *output = cli_terminal_get_output (100, AS_ADA, program, "--filter", "dbus-daemon", NULL);

  g_assert_false (is_measured (output));
}

static void
test_right (void)
{
  g_auto (CliTerminal) terminal = { 0 };

  start (&terminal);
  cli_terminal_type (&terminal, "secret\n");
  g_assert_cmpint (cli_terminal_finish (&terminal), ==, 0);
  g_assert_true (is_measured (terminal.output->str));
  g_assert_null (strstr (terminal.output->str, "secret"));
  g_assert_true (cli_terminal_get_flags (&terminal) & ECHO);
}

static void
test_wrong (void)
{
  g_auto (CliTerminal) terminal = { 0 };

  start (&terminal);
  cli_terminal_type (&terminal, "wrong\n");
  g_assert_cmpint (cli_terminal_finish (&terminal), ==, 1);
  g_assert_nonnull (strstr (terminal.output->str, "footprint-cli: polkit did not permit it"));
  g_assert_null (strstr (terminal.output->str, "dbus-daemon"));
  g_assert_true (cli_terminal_get_flags (&terminal) & ECHO);
}

/* The bus's own program is among the files that others map. */
static void
test_files (void)
{
  g_auto (CliTerminal) terminal = { 0 };
  g_autofree char *output = cli_terminal_get_output (200, AS_ADA, program, "--by", "file", NULL);

  g_assert_null (strstr (output, "/dbus-daemon"));
  cli_terminal_start (&terminal, 200, 50, AS_ADA, program, "--all", "--by", "file", NULL);
  await_question (&terminal, "Authentication is required to see how much memory the programs of other users");
  cli_terminal_type (&terminal, "secret\n");
  await_question (&terminal, "Authentication is required to see the memory of all programs in detail");
  cli_terminal_type (&terminal, "secret\n");
  g_assert_cmpint (cli_terminal_finish (&terminal), ==, 0);
  g_assert_nonnull (strstr (terminal.output->str, "/dbus-daemon"));
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  program = g_strdup (g_getenv ("FOOTPRINT_CLI"));
  g_setenv ("FOOTPRINT_CLI", "/usr/bin/setpriv", TRUE);
  g_test_add_func ("/cli-password/without", test_without);
  g_test_add_func ("/cli-password/right", test_right);
  g_test_add_func ("/cli-password/wrong", test_wrong);
  g_test_add_func ("/cli-password/files", test_files);
  return g_test_run ();
}
