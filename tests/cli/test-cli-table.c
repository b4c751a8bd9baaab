// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli-runner.h"
#include "cli-terminal.h"
#include "fp-display.h"
#include "live-process.h"

static const guint widths[] = { 80, 100, 132, 200 };

static char **
split_lines (const char *text)
{
  g_assert_true (g_str_has_suffix (text, "\n"));
  return g_strsplit (text, "\n", -1);
}

static void
assert_fits (const char *text,
             guint width)
{
  g_auto (GStrv) lines = split_lines (text);
  guint widest = 0;

  g_assert_true (g_utf8_validate (text, -1, NULL));
  for (char **line = lines; *line; line++)
    widest = MAX (widest, fp_display_width (*line));
  if (widest > width)
    g_test_message ("%s", text);
  g_assert_cmpuint (widest, <=, width);
}

static void
name_at_length (gpointer data)
{
  prctl (PR_SET_NAME, data);
  live_answer ();
  live_await_order ();
}

static void
test_fits (void)
{
  g_autofree char *proc = g_build_filename (g_getenv ("FOOTPRINT_FIXTURES"), "desktop", "proc", NULL);
  LiveProcess wide, long_one;

  g_setenv ("NO_COLOR", "1", TRUE);
  live_process_start (&wide, name_at_length, (gpointer) "字字字字字");
  live_process_start (&long_one, name_at_length, (gpointer) "abcdefghijklmno");
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autofree char *processes = cli_terminal_get_output (widths[i], NULL, NULL);
      g_autofree char *programs = cli_terminal_get_output (widths[i], "--by", "program", NULL);
      g_autofree char *users = cli_terminal_get_output (widths[i], "--by", "user", "--percent", NULL);
      g_autofree char *machine = cli_terminal_get_output (widths[i], "--system", NULL);
      g_autofree char *with_zram = cli_terminal_get_output (widths[i], "--proc", proc, "--system", NULL);

      assert_fits (processes, widths[i]);
      assert_fits (programs, widths[i]);
      assert_fits (users, widths[i]);
      assert_fits (machine, widths[i]);
      assert_fits (with_zram, widths[i]);
    }
  live_process_stop (&wide);
  live_process_stop (&long_one);
}

/* Bounds and both ends of sums are longer than figures that are known. */
static void
test_fits_unread (void)
{
  g_autofree char *folder = cli_make_folder ();
  g_autofree char *path = g_build_filename (folder, "saved", NULL);
  g_auto (CliResult) saved = { 0 };

  g_setenv ("NO_COLOR", "1", TRUE);
  chmod (folder, 0777);
  cli_run_as_nobody (&saved, "--save", path, NULL);
  g_assert_cmpint (saved.status, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autofree char *processes = cli_terminal_get_output (widths[i], "--open", path, NULL);
      g_autofree char *users = cli_terminal_get_output (widths[i], "--open", path, "--by", "user", NULL);

      assert_fits (processes, widths[i]);
      assert_fits (users, widths[i]);
      g_assert_true (g_regex_match_simple (" [0-9]+ process(es)?\n", processes, 0, 0));
      g_assert_true (g_regex_match_simple (" [0-9]+ groups?\n", users, 0, 0));
    }
  cli_remove_folder (g_steal_pointer (&folder));
}

static void
test_colour (void)
{
  g_autofree char *piped = cli_get_output (NULL, NULL);
  g_autofree char *coloured = NULL, *plain = NULL, *dumb = NULL;

  g_setenv ("TERM", "xterm", TRUE);
  g_unsetenv ("NO_COLOR");
  coloured = cli_terminal_get_output (100, NULL, NULL);
  g_setenv ("NO_COLOR", "1", TRUE);
  plain = cli_terminal_get_output (100, NULL, NULL);
  g_unsetenv ("NO_COLOR");
  g_setenv ("TERM", "dumb", TRUE);
  dumb = cli_terminal_get_output (100, NULL, NULL);
  g_setenv ("TERM", "xterm", TRUE);

  g_assert_nonnull (strchr (coloured, '\033'));
  g_assert_null (strchr (piped, '\033'));
  g_assert_null (strchr (plain, '\033'));
  g_assert_null (strchr (dumb, '\033'));
}

/* The figure that the rows are sorted by is the last to give way, and stands there though it is no usual column. */
static void
test_sort_is_shown (void)
{
  static const char *const sorts[][2] = {
    { "rss", "Resident" },
    { "swap", "Swap" },
    { "uss", "Private" },
    { "threads", "Threads" },
    { "peak_rss", "Peak Resident" },
    { "command", "Command" },
    { "pid", "PID" },
  };
  static const guint narrow[] = { 40, 60, 80, 120 };

  g_setenv ("NO_COLOR", "1", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (sorts); i++)
    for (guint w = 0; w < G_N_ELEMENTS (narrow); w++)
      {
        g_autofree char *text = cli_terminal_get_output (narrow[w], "--limit", "5", "--sort", sorts[i][0], NULL);
        g_autofree char *header = g_strndup (text, strcspn (text, "\n"));

        g_test_message ("%s", header);
        g_assert_nonnull (strstr (header, sorts[i][1]));
      }
  g_unsetenv ("NO_COLOR");
}

static guint64
read_bound (const char *cell)
{
  return strtoull (g_str_has_prefix (cell, "≤ ") ? cell + strlen ("≤ ") : cell, NULL, 10);
}

/* The rows of a column alone: what is between the header and the sum, before the notes. */
static guint
count_rows (char **lines)
{
  guint n = 0;

  while (lines[n] && !strstr (lines[n], "process"))
    n++;
  return n - 1;
}

static void
test_order (void)
{
  g_autofree char *text = cli_get_output ("--bytes", "--columns", "pss,state", NULL);
  g_auto (GStrv) lines = split_lines (text);
  guint64 last = G_MAXUINT64;
  gboolean is_known = TRUE;
  guint n = count_rows (lines);

  g_assert_cmpuint (n, >, 2);
  for (guint i = 1; i <= n; i++)
    {
      const char *cell = g_strchug (lines[i]);

      if (g_str_has_prefix (cell, "—"))
        is_known = FALSE;
      else
        {
          g_assert_true (is_known);
          g_assert_cmpuint (read_bound (cell), <=, last);
          last = read_bound (cell);
        }
    }
}

/* Header, two rows, their sum; all of one snapshot. */
static void
test_sum (void)
{
  g_autofree char *text = NULL;
  g_autofree char *pids = NULL;
  g_auto (GStrv) lines = NULL;
  LiveProcess child;
  guint64 first, second, sum;

  live_process_start (&child, name_at_length, (gpointer) "added");
  pids = g_strdup_printf ("%d,%d", getpid (), child.pid);
  text = cli_get_output ("--bytes", "--columns", "pss,program", "--pid", pids, NULL);
  live_process_stop (&child);
  lines = split_lines (text);
  g_assert_cmpuint (g_strv_length (lines), ==, 5);
  first = read_bound (g_strchug (lines[1]));
  second = read_bound (g_strchug (lines[2]));
  sum = read_bound (g_strchug (lines[3]));
  g_assert_cmpuint (first, >=, second);
  g_assert_cmpuint (second, >, 0);
  g_assert_cmpuint (first + second, ==, sum);
  g_assert_true (g_str_has_suffix (lines[3], "2 processes"));
}

/* To a pipe everything, in a terminal what fits; figures stand below each other. */
static void
test_aligned (void)
{
  g_autofree char *text = cli_get_output ("--columns", "pid,pss,rss,program", NULL);
  g_auto (GStrv) lines = split_lines (text);
  const char *header = lines[0];
  glong end = g_utf8_pointer_to_offset (header, strstr (header, "Memory") + strlen ("Memory"));

  g_assert_true (g_str_has_suffix (header, "Program"));
  for (guint i = 1; lines[i] && *lines[i] && g_str_has_prefix (lines[i], " "); i++)
    {
      const char *behind = g_utf8_offset_to_pointer (lines[i], end);

      g_assert_true (g_ascii_isspace (*behind) || *behind == '\0');
      g_assert_false (g_ascii_isspace (behind[-1]));
    }
}

static void
test_odd_names (void)
{
  static const struct
  {
    const char *raw;
    const char *shown;
  } names[] = {
    { "a\tb\nc", "a\\tb\\nc" },
    { "\033[31mred", "\\x1b[31mred" },
    { "\xe2\x80\xaeltr", "\\u202eltr" },
    { "\xff\xfe", "\\xff\\xfe" },
    { "\xc2\x9b"
      "31m",
      "\\x9b31m" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *pid = NULL, *text = NULL;
      g_auto (GStrv) lines = NULL;
      LiveProcess child;

      live_process_start (&child, name_at_length, (gpointer)names[i].raw);
      pid = g_strdup_printf ("%d", child.pid);
      text = cli_get_output ("--pid", pid, "--columns", "pid,comm", NULL);
      live_process_stop (&child);
      lines = split_lines (text);
      g_test_message ("%s", text);
      g_assert_null (strchr (text, '\033'));
      g_assert_cmpuint (g_strv_length (lines), ==, 4);
      g_assert_true (g_str_has_suffix (lines[1], names[i].shown));
    }
}

/* A mapping has each figure somewhere at least, and sums are of nothing but amounts. */
static void
test_mapping_columns (void)
{
  g_autofree char *pid = g_strdup_printf ("%d", getpid ());
  g_autofree char *text = cli_get_output ("--mappings", "--pid", pid, NULL);
  g_autofree char *sizes =
      cli_get_output ("--mappings", "--pid", pid, "--total", "--columns", "size,kernel_page_size,mapping", NULL);
  g_auto (GStrv) lines = split_lines (text);

  g_assert_null (strstr (text, "≤"));
  g_assert_null (strstr (lines[0], "Anonymous  "));
  g_assert_null (strstr (lines[0], "Resident + Swap"));
  g_assert_nonnull (strstr (lines[0], "Memory + Swap"));
  g_assert_true (g_regex_match_simple ("\n *[0-9.]+ [KMGT]iB +[0-9]+ mappings\n$", sizes, 0, 0));
  cli_assert_refused (2, "pss_anon", "--mappings", "--pid", pid, "--columns", "pss_anon", NULL);
}

/* A kernel that has no rollup: root can't read it either. */
static void
test_root_can_read (void)
{
  g_autofree char *folder = cli_make_folder ();
  g_autofree char *proc = g_build_filename (g_getenv ("FOOTPRINT_FIXTURES"), "desktop", "proc", NULL);
  g_autofree char *script = g_strdup_printf ("cp -r '%s/..' '%s/tree' && rm -f '%s'/tree/proc/1?00/smaps* && "
                                             "chmod -R a+rX '%s'",
                                             proc, folder, folder, folder);
  g_autofree char *copy = g_build_filename (folder, "tree", "proc", NULL);
  g_autofree char *own_pid = g_strdup_printf ("%d", geteuid () == 0 ? getpid () : 1);
  g_auto (CliResult) copied = { 0 }, unsupported = { 0 }, forbidden = { 0 };

  cli_run_shell (&copied, script);
  g_assert_cmpint (copied.status, ==, 0);
  cli_run_as_nobody (&unsupported, "--proc", copy, NULL);
  cli_run_as_nobody (&forbidden, "--pid", own_pid, NULL);
  g_assert_nonnull (strstr (unsupported.out, "could not be read"));
  g_assert_nonnull (strstr (unsupported.out, "this kernel has no figures"));
  g_assert_null (strstr (unsupported.out, "Root can read"));
  g_assert_nonnull (strstr (forbidden.out, "\n1 of 1 processes could not be read; "));
  g_assert_true (g_str_has_suffix (forbidden.out, "say what it has at most. Root can read them; --all asks for an administrator’s password.\n"));
  cli_remove_folder (g_steal_pointer (&folder));
}

/* In a container the machine has more tasks than can be seen. */
static void
test_hidden_tasks (void)
{
  g_auto (CliResult) inside = { 0 };

  if (geteuid () != 0)
    {
      g_test_skip ("only root can make a namespace of processes");
      return;
    }
  cli_run_shell (&inside, "exec unshare --pid --fork --mount-proc \"$CLI\" --limit 1");
  g_assert_cmpint (inside.status, ==, 0);
  g_assert_true (g_regex_match_simple (" 1 process\n[0-9]+ tasks of this machine are hidden from here\\.\n$", inside.out, 0, 0));
}

/* A figure that is not told is not nothing. */
static void
test_no_meminfo (void)
{
  char *folder = cli_make_folder ();
  g_autofree char *process = g_build_filename (folder, "1", NULL), *stat = g_build_filename (process, "stat", NULL);
  g_autofree char *page = NULL;

  g_assert_cmpint (mkdir (process, 0700), ==, 0);
  g_assert_true (g_file_set_contents (stat, "1 (init) S 0 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 1 4096 1 ", -1, NULL));
  page = cli_get_output ("--proc", folder, "--system", NULL);
  g_assert_true (g_str_has_prefix (
      page, "It is not known whether memory is short\n"
            "Neither how long programs wait for memory nor how much is available is known here.\n\n"
            "The kernel’s figures\nUnknown: this /proc has no meminfo\n\nSwap\nUnknown: this /proc has no meminfo\n"));
  cli_remove_folder (folder);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/cli/table/sort-is-shown", test_sort_is_shown);
  g_test_add_func ("/cli/table/fits", test_fits);
  g_test_add_func ("/cli/table/fits-unread", test_fits_unread);
  g_test_add_func ("/cli/table/colour", test_colour);
  g_test_add_func ("/cli/table/order", test_order);
  g_test_add_func ("/cli/table/sum", test_sum);
  g_test_add_func ("/cli/table/aligned", test_aligned);
  g_test_add_func ("/cli/table/odd-names", test_odd_names);
  g_test_add_func ("/cli/table/mapping-columns", test_mapping_columns);
  g_test_add_func ("/cli/table/root-can-read", test_root_can_read);
  g_test_add_func ("/cli/table/hidden-tasks", test_hidden_tasks);
  g_test_add_func ("/cli/table/no-meminfo", test_no_meminfo);
  return g_test_run ();
}
