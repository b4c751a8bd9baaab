// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli-runner.h"
#include "cli-terminal.h"
#include "fp-display.h"

#define ENTER_SCREEN "\033[?1049h"
#define LEAVE_SCREEN "\033[?1049l"
#define HIDE_CURSOR  "\033[?25l"
#define SHOW_CURSOR  "\033[?25h"
#define CLEAR        "\033[H\033[2J"

static void
assert_restored (CliTerminal *terminal,
                 tcflag_t flags)
{
  const char *text = terminal->output->str;

  g_assert_nonnull (strstr (text, ENTER_SCREEN));
  g_assert_nonnull (g_strrstr (text, LEAVE_SCREEN));
  g_assert_true (g_strrstr (text, LEAVE_SCREEN) > g_strrstr (text, ENTER_SCREEN));
  g_assert_true (!strstr (text, HIDE_CURSOR) || g_strrstr (text, SHOW_CURSOR) > g_strrstr (text, HIDE_CURSOR));
  g_assert_cmpuint (cli_terminal_get_flags (terminal), ==, flags);
}

static void
start (CliTerminal *terminal,
       tcflag_t *flags)
{
  g_setenv ("TERM", "xterm", TRUE);
  cli_terminal_start (terminal, 80, 24, "--watch", "30", NULL);
  *flags = cli_terminal_get_flags (terminal) | ICANON | ECHO;
  cli_terminal_wait_for (terminal, "processes");
}

static void
test_q (void)
{
  g_auto (CliTerminal) terminal = { 0 };
  tcflag_t flags;

  start (&terminal, &flags);
  g_assert_cmpuint (cli_terminal_get_flags (&terminal) & (ICANON | ECHO), ==, 0);
  cli_terminal_type (&terminal, "q");
  g_assert_cmpint (cli_terminal_finish (&terminal), ==, 0);
  assert_restored (&terminal, flags);
}

static void
test_other_keys (void)
{
  g_auto (CliTerminal) terminal = { 0 };
  tcflag_t flags;

  start (&terminal, &flags);
  cli_terminal_type (&terminal, "xyz \t");
  g_usleep (G_USEC_PER_SEC / 2);
  g_assert_cmpint (kill (terminal.pid, 0), ==, 0);
  cli_terminal_type (&terminal, "Q");
  g_assert_cmpint (cli_terminal_finish (&terminal), ==, 0);
}

/* Ctrl+C, typed */
static void
test_interrupt (void)
{
  g_auto (CliTerminal) terminal = { 0 };
  tcflag_t flags;

  start (&terminal, &flags);
  cli_terminal_type (&terminal, "\003");
  g_assert_cmpint (cli_terminal_finish (&terminal), ==, 0);
  assert_restored (&terminal, flags);
}

/* Sent at the moment it begins to wait: none may be lost until the time is over. */
static void
test_signals (void)
{
  static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

  for (guint i = 0; i < G_N_ELEMENTS (signals) * 8; i++)
    {
      g_auto (CliTerminal) terminal = { 0 };
      gint64 sent;
      tcflag_t flags;

      start (&terminal, &flags);
      g_usleep (i * 50);
      kill (terminal.pid, signals[i % G_N_ELEMENTS (signals)]);
      sent = g_get_monotonic_time ();
      cli_terminal_finish (&terminal);
      g_assert_cmpint (g_get_monotonic_time () - sent, <, 15 * G_USEC_PER_SEC);
      assert_restored (&terminal, flags);
    }
}

static guint
count (const char *text,
       const char *part)
{
  guint n = 0;

  for (; (text = strstr (text, part)); text += strlen (part))
    n++;
  return n;
}

static void
test_redraws (void)
{
  g_auto (CliTerminal) terminal = { 0 };

  g_setenv ("TERM", "xterm", TRUE);
  cli_terminal_start (&terminal, 80, 24, "--watch", "0.2", NULL);
  for (guint i = 0; i < 3; i++)
    {
      cli_terminal_wait_for (&terminal, CLEAR);
      g_string_erase (terminal.output, 0, strstr (terminal.output->str, CLEAR) + strlen (CLEAR) - terminal.output->str);
    }
  cli_terminal_type (&terminal, "q");
  g_assert_cmpint (cli_terminal_finish (&terminal), ==, 0);
}

/* The last picture before the screen is left, in lines */
static char **
get_picture (CliTerminal *terminal)
{
  char *begin = g_strrstr (terminal->output->str, CLEAR);
  char *end;

  g_assert_nonnull (begin);
  begin += strlen (CLEAR);
  end = strstr (begin, "\033[?25h");
  if (!end)
    end = strstr (begin, LEAVE_SCREEN);
  g_assert_nonnull (end);
  if (end)
    *end = '\0';
  return g_strsplit (begin, "\r\n", -1);
}

/* A picture that is higher than the screen loses its header. */
static void
check_picture (guint n_columns,
               guint n_lines,
               const char *option,
               const char *what)
{
  g_auto (CliTerminal) terminal = { 0 };
  g_auto (GStrv) lines = NULL;
  guint n_rows = 0;

  g_setenv ("NO_COLOR", "1", TRUE);
  cli_terminal_start (&terminal, n_columns, n_lines, "--watch", "30", option, what, NULL);
  cli_terminal_wait_for (&terminal, CLEAR);
  cli_terminal_type (&terminal, "q");
  g_assert_cmpint (cli_terminal_finish (&terminal), ==, 0);
  lines = get_picture (&terminal);
  for (char **line = lines; *line; line++)
    if (line[1] || **line)
      n_rows += MAX ((fp_display_width (*line) + n_columns - 1) / n_columns, 1);
  if (lines[0] && g_str_equal (lines[g_strv_length (lines) - 1], ""))
    n_rows++;
  if (n_rows > n_lines)
    {
      g_autofree char *picture = g_strjoinv ("\n", lines);

      g_test_message ("%s", picture);
    }
  g_assert_cmpuint (n_rows, <=, n_lines);
  g_unsetenv ("NO_COLOR");
}

static void
test_fits (void)
{
  check_picture (80, 24, NULL, NULL);
  check_picture (132, 40, NULL, NULL);
  check_picture (80, 12, "--by", "program");
  check_picture (200, 10, NULL, NULL);
}

static void
test_system_fits (void)
{
  check_picture (80, 24, "--system", NULL);
}

static void
test_resize (void)
{
  g_auto (CliTerminal) terminal = { 0 };
  tcflag_t flags;

  start (&terminal, &flags);
  g_string_truncate (terminal.output, 0);
  cli_terminal_resize (&terminal, 120, 30);
  cli_terminal_wait_for (&terminal, "processes");
  cli_terminal_type (&terminal, "q");
  g_assert_cmpint (cli_terminal_finish (&terminal), ==, 0);
}

/* An error is said on the screen that stays. */
static void
test_error (void)
{
  g_auto (CliTerminal) terminal = { 0 };

  cli_terminal_start (&terminal, 80, 24, "--watch", "1", "--filter", "nonsense>1", NULL);
  g_assert_cmpint (cli_terminal_finish (&terminal), ==, 2);
  g_assert_nonnull (strstr (terminal.output->str, "nonsense"));
  g_assert_null (strstr (terminal.output->str, ENTER_SCREEN));
}

static GPid
start_sleep (void)
{
  char *argv[] = { (char *)"/bin/sleep", (char *)"1000", NULL };
  GPid pid;

  g_assert_true (g_spawn_async (NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &pid, NULL));
  return pid;
}

/* The end was waited for, and is no error. */
static void
test_process_ends (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_auto (CliTerminal) terminal = { 0 };
      GPid pid = start_sleep ();
      g_autofree char *text = g_strdup_printf ("%d", pid);
      g_autofree char *last = g_strdup_printf ("Process %s has ended\r\n", text);

      g_setenv ("TERM", "xterm", TRUE);
      cli_terminal_start (&terminal, 80, 24, "--watch", "0.2", "--pid", text, i ? "--mappings" : NULL, NULL);
      cli_terminal_wait_for (&terminal, CLEAR);
      kill (pid, SIGKILL);
      g_assert_cmpint (cli_terminal_finish (&terminal), ==, 0);
      g_assert_nonnull (strstr (g_strrstr (terminal.output->str, LEAVE_SCREEN), last));
      g_assert_null (strstr (terminal.output->str, "Sanitizer"));
    }
}

/* Runs “commands” beside “$CLI --watch” with these options; there, “await N TEXT” waits until so many lines have the text,
 * and $watcher is the process. */
static void
run_beside (CliResult *result,
            const char *options,
            const char *commands)
{
  g_autofree char *script = g_strdup_printf (
      "folder=$(mktemp -d)\n"
      ": >\"$folder/out\"\n"
      "await () { until [ \"$(grep -c \"$2\" \"$folder/out\")\" -ge \"$1\" ] || ! kill -0 $watcher; do sleep .05; done; }\n"
      "env --default-signal=INT \"$CLI\" --watch 0.3 %s </dev/null >\"$folder/out\" & watcher=$!\n"
      "%s\n"
      "wait $watcher; status=$?\n"
      "cat \"$folder/out\"; rm -r \"$folder\"; exit $status",
      options, commands);

  cli_run_shell (result, script);
}

/* One of two: the other is watched on. */
static void
test_one_of_two_ends (void)
{
  g_auto (CliResult) result = { 0 };
  GPid first = start_sleep (), second = start_sleep ();
  g_autofree char *ended = g_strdup_printf ("Processes %d, %d have ended\n", first, second);
  g_autofree char *options = g_strdup_printf ("--total --columns pss,program --pid %d,%d", first, second);
  g_autofree char *commands =
      g_strdup_printf ("await 2 '2 processes'; kill %d; await 2 '1 process$'; kill %d", first, second);

  run_beside (&result, options, commands);
  g_assert_cmpint (result.status, ==, 0);
  g_assert_nonnull (strstr (result.err, ended));
  g_assert_cmpuint (count (result.out, "2 processes"), >=, 2);
  g_assert_cmpuint (count (result.out, "1 process\n"), >=, 2);
}

/* To a pipe: one picture below the other, no screen codes, until it is told to stop. */
static void
test_pipe (void)
{
  g_auto (CliResult) result = { 0 };

  run_beside (&result, "--total", "await 2 process; kill -INT $watcher");
  g_assert_null (strchr (result.out, '\033'));
  g_assert_cmpuint (count (result.out, "process"), >=, 2);
  g_assert_cmpstr (result.err, ==, "");
}

static void
test_json (void)
{
  g_auto (CliResult) result = { 0 };
  g_auto (GStrv) lines = NULL;

  run_beside (&result, "--total --json", "await 3 .; kill -INT $watcher");
  lines = g_strsplit (result.out, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), >=, 3);
  for (guint i = 0; i < 2; i++)
    json_node_unref (cli_parse_json (lines[i]));
}

/* One table that a spreadsheet can read: the header once, and when each row was measured. */
static void
test_csv (void)
{
  g_auto (CliResult) result = { 0 };
  g_auto (GStrv) lines = NULL;

  cli_run_shell (&result, "timeout -k 30 -s INT 3 \"$CLI\" --watch 0.3 --csv --columns pid,pss --pid $$ </dev/null");
  lines = g_strsplit (result.out, "\r\n", -1);
  g_assert_cmpuint (g_strv_length (lines), >=, 4);
  g_assert_cmpstr (lines[0], ==, "taken_at,pid,pss");
  for (guint i = 1; i + 1 < g_strv_length (lines); i++)
    g_assert_true (g_regex_match_simple ("^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ,\\d+,\\d+$", lines[i], 0, 0));
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/cli/watch/q", test_q);
  g_test_add_func ("/cli/watch/other-keys", test_other_keys);
  g_test_add_func ("/cli/watch/interrupt", test_interrupt);
  g_test_add_func ("/cli/watch/signals", test_signals);
  g_test_add_func ("/cli/watch/redraws", test_redraws);
  g_test_add_func ("/cli/watch/fits", test_fits);
  g_test_add_func ("/cli/watch/system-fits", test_system_fits);
  g_test_add_func ("/cli/watch/resize", test_resize);
  g_test_add_func ("/cli/watch/error", test_error);
  g_test_add_func ("/cli/watch/process-ends", test_process_ends);
  g_test_add_func ("/cli/watch/one-of-two-ends", test_one_of_two_ends);
  g_test_add_func ("/cli/watch/pipe", test_pipe);
  g_test_add_func ("/cli/watch/json", test_json);
  g_test_add_func ("/cli/watch/csv", test_csv);
  return g_test_run ();
}
