// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli-runner.h"

static void
test_usage (void)
{
  cli_assert_refused (2, "--nonsense", "--nonsense", NULL);
  cli_assert_refused (2, "-z", "-z", NULL);
  cli_assert_refused (2, "stray", "stray", NULL);
  cli_assert_refused (2, "nonsense", "--by", "nonsense", NULL);
  cli_assert_refused (2, "--by", "--by", NULL);
  cli_assert_refused (2, "process", "--by", "", NULL);
}

static void
test_columns (void)
{
  cli_assert_refused (2, "nonsense", "--columns", "nonsense", NULL);
  cli_assert_refused (2, "nonsense", "--columns", "pid,nonsense", NULL);
  cli_assert_refused (2, "“comand”; did you mean “command”?", "--columns", "pid,comand", NULL);
  cli_assert_refused (2, "“usr”; did you mean “user”?", "--filter", "usr:u1", NULL);
  cli_assert_refused (2, "column", "--columns", "", NULL);
  cli_assert_refused (2, "nonsense", "--sort", "nonsense", NULL);
  cli_assert_refused (2, "leave out --by", "--by", "user", "--sort", "pid", NULL);
  cli_assert_refused (2, "leave out --mappings", "--mappings", "--pid", "1", "--columns", "command", NULL);
  cli_assert_refused (2, "add --by", "--columns", "count", NULL);
  cli_assert_refused (2, "add --mappings", "--columns", "kind", NULL);
  cli_assert_refused (2, "count", "--columns", "count", NULL);
  cli_assert_refused (2, "command", "--by", "user", "--columns", "command", NULL);
}

static void
test_users (void)
{
  cli_assert_refused (2, "no-such-user", "--user", "no-such-user", NULL);
  cli_assert_refused (2, "no-such-user", "--user", "no-such-user", "--json", NULL);
  cli_assert_refused (2, "-1", "--user", "-1", NULL);
  cli_assert_refused (2, "99999999999", "--user", "99999999999", NULL);
  cli_assert_refused (2, "“no-such-user”", "--user", "0,no-such-user", NULL);
  cli_assert_refused (2, "--user", "--user", ",", NULL);
}

static gint
get_ended_pid (void)
{
  pid_t pid = fork ();

  if (pid == 0)
    _exit (0);
  waitpid (pid, NULL, 0);
  return pid;
}

static void
test_pids (void)
{
  g_autofree char *ended = g_strdup_printf ("%d", get_ended_pid ());

  cli_assert_refused (1, ended, "--pid", ended, NULL);
  cli_assert_refused (1, ended, "--pid", ended, "--mappings", NULL);
  cli_assert_refused (1, ended, "--pid", ended, "--json", NULL);
  cli_assert_refused (1, ended, "--pid", ended, "--watch", "1", NULL);
  cli_assert_refused (2, "abc", "--pid", "abc", NULL);
  cli_assert_refused (2, "12x", "--pid", "12x", NULL);
  cli_assert_refused (2, "-5", "--pid", "-5", NULL);
  cli_assert_refused (2, "0", "--pid", "0", NULL);
  cli_assert_refused (2, "pid", "--pid", "", NULL);
  cli_assert_refused (2, "99999999999999999999", "--pid", "99999999999999999999", NULL);
}

/* The others are shown; the message and the exit status say that one is missing. */
static void
test_one_pid_of_two (void)
{
  g_autofree char *ended = g_strdup_printf ("%d", get_ended_pid ());
  g_autofree char *own = g_strdup_printf ("%d", getpid ());
  g_autofree char *expected = g_strdup_printf ("footprint-cli: There is no process %s\n", ended);
  g_auto (CliResult) result = { 0 };
  g_autoptr (JsonNode) root = NULL;

  cli_run (&result, "--json", "--pid", own, "--pid", ended, NULL);
  g_assert_cmpint (result.status, ==, 1);
  g_assert_cmpstr (result.err, ==, expected);
  root = cli_parse_json (result.out);
  g_assert_nonnull (cli_json_find (root, "processes", "pid", getpid ()));
}

static void
test_mappings (void)
{
  g_autofree char *list = g_strdup_printf ("%d,%d", getpid (), getppid ());

  cli_assert_refused (2, "--pid", "--mappings", NULL);
  cli_assert_refused (2, "--pid", "--mappings", "--pid", list, NULL);
  cli_assert_refused (2, "kind or file", "--mappings", "--pid", "1", "--by", "user", NULL);
  cli_assert_refused (2, "kind or file", "--mappings", "--pid", "1", "--by", "process", NULL);
  cli_assert_refused (2, "kind or file", "--mappings", "--pid", "1", "--by", "label", NULL);
  cli_assert_refused (2, "--mappings", "--pid", "1", "--by", "kind", NULL);
  cli_assert_refused (2, "“permissions”", "--mappings", "--pid", "1", "--by", "kind", "--sort", "permissions", NULL);
}

static void
test_by_file (void)
{
  cli_assert_refused (2, "“command”", "--by", "file", "--columns", "command", NULL);
  cli_assert_refused (2, "“permissions”", "--by", "file", "--sort", "permissions", NULL);
  cli_assert_refused (2, "“count”", "--by", "file", "--sort", "count", NULL);
  cli_assert_refused (2, "--by file", "--sort", "users", NULL);
  cli_assert_refused (1, "/nonexistent", "--by", "file", "--open", "/nonexistent", NULL);
  cli_assert_refused (1, "Can’t open /usr: Is a directory", "--open", "/usr", NULL);
  cli_assert_refused (2, "saved snapshot", "--by", "file", "--open", "/nonexistent", "--pid", "1", NULL);
  cli_assert_refused (2, "saved snapshot", "--by", "file", "--open", "/nonexistent", "--user", "root", NULL);
  cli_assert_refused (2, "--save", "--with-files", NULL);
  cli_assert_refused (2, "program", "--by", "file", "--filter", "program>5", NULL);
}

static void
test_filters (void)
{
  cli_assert_refused (2, "nonsense", "--filter", "nonsense>5", NULL);
  cli_assert_refused (2, "much", "--filter", "pss>much", NULL);
  cli_assert_refused (2, "user", "--filter", "user>5", NULL);
}

static void
test_limit (void)
{
  cli_assert_refused (2, "“0”", "--limit", "0", NULL);
  cli_assert_refused (2, "“-1”", "--limit=-1", NULL);
  cli_assert_refused (2, "“many”", "-lmany", NULL);
  cli_assert_refused (2, "--total", "--limit", "5", "--total", NULL);
}

/* Bytes that would change the terminal come back as text. */
static void
test_hostile (void)
{
  cli_assert_refused (2, "\\x1b[31m", "--sort", "\033[31m", NULL);
  cli_assert_refused (2, "\\n", "two\nlines", NULL);
}

static void
test_watch (void)
{
  cli_assert_refused (2, "never", "--watch", "never", NULL);
  cli_assert_refused (2, "0", "--watch", "0", NULL);
  cli_assert_refused (2, "-1", "--watch=-1", NULL);
  cli_assert_refused (2, "nan", "--watch", "nan", NULL);
  cli_assert_refused (2, "no-such-user", "--watch", "1", "--user", "no-such-user", NULL);
}

static void
test_contradictions (void)
{
  cli_assert_refused (2, "--csv", "--json", "--csv", NULL);
  cli_assert_refused (2, "--bytes", "--percent", "--bytes", NULL);
  cli_assert_refused (2, "--proc", "--open", "a", "--proc", "b", NULL);
  cli_assert_refused (2, "--watch", "--watch", "1", "--open", "a", NULL);
  cli_assert_refused (2, "--percent", "--json", "--percent", NULL);
  cli_assert_refused (2, "--user", "--mappings", "--pid", "1", "--user", "0", NULL);
}

/* An option that would be of no effect is refused, so that nobody takes the whole for what was asked for. */
static void
test_useless (void)
{
  static const char *const which[][3] = {
    { "--by", "program" },
    { "--sort", "rss" },
    { "--reverse" },
    { "--limit", "5" },
    { "--columns", "pid" },
    { "--filter", "x" },
    { "--user", "0" },
    { "--pid", "1" },
    { "--kernel" },
    { "--total" },
  };
  static const char *const how[] = { "--json", "--csv", "--percent", "--bytes", "--numeric", "--system" };
  static const char file[] = "/no/such/folder/file";

  for (guint i = 0; i < G_N_ELEMENTS (which); i++)
    {
      cli_assert_refused (2, which[i][0], "--system", which[i][0], which[i][1], NULL);
      cli_assert_refused (2, which[i][0], "--save", file, which[i][0], which[i][1], NULL);
    }
  for (guint i = 0; i < G_N_ELEMENTS (how); i++)
    cli_assert_refused (2, how[i], "--save", file, how[i], NULL);
  cli_assert_refused (2, "--pid", "--save", file, "--mappings", "--pid", "1", NULL);
  cli_assert_refused (2, "--open", "--save", file, "--open", file, NULL);
}

static void
test_proc (void)
{
  cli_assert_refused (1, "/no/such/proc", "--proc", "/no/such/proc", NULL);
  cli_assert_refused (1, "/dev/null", "--proc", "/dev/null", NULL);
  cli_assert_refused (1, "/etc", "--proc", "/etc", NULL);
  cli_assert_refused (1, "/etc", "--proc", "/etc", "--json", NULL);
  cli_assert_refused (1, "/etc", "--proc", "/etc", "--watch", "1", NULL);
  cli_assert_refused (1, "/etc", "--proc", "/etc", "--save", "/dev/null", NULL);
}

static void
assert_one_line (const CliResult *result,
                 int status)
{
  g_test_message ("%s", result->err);
  g_assert_cmpint (result->status, ==, status);
  g_assert_true (g_str_has_prefix (result->err, "footprint-cli: "));
  g_assert_cmpuint (strcspn (result->err, "\n"), ==, strlen (result->err) - 1);
}

static void
test_full_device (void)
{
  static const char *const scripts[] = {
    "\"$CLI\" >/dev/full", "\"$CLI\" --json >/dev/full", "\"$CLI\" --csv >/dev/full",
    "\"$CLI\" --version >/dev/full", "\"$CLI\" --help >/dev/full", "\"$CLI\" --save - >/dev/full", "\"$CLI\" --columns help >/dev/full", "\"$CLI\" --system >/dev/full"
  };

  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++)
    {
      g_auto (CliResult) result = { 0 };

      g_test_message ("%s", scripts[i]);
      cli_run_shell (&result, scripts[i]);
      assert_one_line (&result, 1);
    }
}

static void
test_closed (void)
{
  g_auto (CliResult) closed = { 0 }, input = { 0 }, pipe = { 0 };

  cli_run_shell (&closed, "\"$CLI\" >&-");
  assert_one_line (&closed, 1);

  cli_run_shell (&input, "\"$CLI\" --total <&-");
  g_assert_cmpint (input.status, ==, 0);
  g_assert_cmpstr (input.err, ==, "");

  cli_run_shell (&pipe, "\"$CLI\" --json | head -c 1");
  g_assert_cmpstr (pipe.out, ==, "{");
  g_assert_cmpstr (pipe.err, ==, "");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/cli/errors/usage", test_usage);
  g_test_add_func ("/cli/errors/columns", test_columns);
  g_test_add_func ("/cli/errors/users", test_users);
  g_test_add_func ("/cli/errors/pids", test_pids);
  g_test_add_func ("/cli/errors/one-pid-of-two", test_one_pid_of_two);
  g_test_add_func ("/cli/errors/limit", test_limit);
  g_test_add_func ("/cli/errors/hostile", test_hostile);
  g_test_add_func ("/cli/errors/mappings", test_mappings);
  g_test_add_func ("/cli/errors/by-file", test_by_file);
  g_test_add_func ("/cli/errors/filters", test_filters);
  g_test_add_func ("/cli/errors/watch", test_watch);
  g_test_add_func ("/cli/errors/contradictions", test_contradictions);
  g_test_add_func ("/cli/errors/useless", test_useless);
  g_test_add_func ("/cli/errors/proc", test_proc);
  g_test_add_func ("/cli/errors/full-device", test_full_device);
  g_test_add_func ("/cli/errors/closed", test_closed);
  return g_test_run ();
}
