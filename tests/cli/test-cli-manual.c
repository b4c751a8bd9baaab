// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "cli-runner.h"
#include "fp-grouping.h"

static char *
get_path (void)
{
  return g_build_filename (g_getenv ("FOOTPRINT_DATA"), "footprint-cli.1", NULL);
}

/* As it is read: without fonts, on lines as long as they like, so that no word is cut in two. */
static char *
render (const char *page)
{
  g_auto (CliResult) result = { 0 };

  g_setenv ("PAGE", page, TRUE);
  cli_run_shell (
      &result,
      "MANWIDTH=5000 MAN_KEEP_FORMATTING= LC_ALL=C.UTF-8 man --no-hyphenation --no-justification -P cat -l \"$FOOTPRINT_DATA/$PAGE\"");
  g_assert_cmpint (result.status, ==, 0);
  return g_steal_pointer (&result.out);
}

static gboolean
is_missing (const char *program)
{
  g_autofree char *path = g_find_program_in_path (program);
  g_autofree char *reason = g_strdup_printf ("There is no %s", program);

  if (!path)
    g_test_skip (reason);
  return !path;
}

static void
test_warnings (void)
{
  static const char *const pages[] = { "footprint.1", "footprint-cli.1" };

  if (is_missing ("man") || is_missing ("groff"))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_auto (CliResult) man = { 0 }, groff = { 0 };

      g_setenv ("PAGE", pages[i], TRUE);
      cli_run_shell (&man, "man --warnings=w -E UTF-8 -l -Tutf8 -Z \"$FOOTPRINT_DATA/$PAGE\" >/dev/null");
      g_assert_cmpstr (man.err, ==, "");
      g_assert_cmpint (man.status, ==, 0);
      cli_run_shell (&groff, "groff -ww -man -Tutf8 -K utf8 -z \"$FOOTPRINT_DATA/$PAGE\"");
      g_assert_cmpstr (groff.err, ==, "");
      g_assert_cmpint (groff.status, ==, 0);
    }
}

/* Every option with its letter and what it takes, as --help has it. */
static guint
assert_options (const char *help,
                const char *page)
{
  g_autoptr (GRegex) regex = g_regex_new ("^  ((?:-., )?--[a-z]+(?:=[A-Z|]+)?) ", G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  guint n = 0;

  for (g_regex_match (regex, help, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL), n++)
    {
      g_autofree char *option = g_match_info_fetch (match, 1);
      g_autofree char *line = g_strdup_printf ("\n       %s", option);

      g_test_message ("%s", option);
      g_assert_nonnull (strstr (page, line));
    }
  return n;
}

/* The paragraph of an option; the page ends behind it. */
static const char *
cut_out (char *page,
         const char *option)
{
  char *start = strstr (page, option);

  g_assert_nonnull (start);
  *strstr (start, "\n\n") = '\0';
  return start;
}

/* The words that an option takes stand in quotes in --help. */
static guint
assert_words (const char *help,
              const char *page)
{
  g_autoptr (GRegex) regex = g_regex_new ("“([a-z-]+)”", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  guint n = 0;

  for (g_regex_match (regex, help, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL), n++)
    {
      g_autofree char *word = g_match_info_fetch (match, 1), *pattern = g_strdup_printf ("\\b%s\\b", word);

      g_test_message ("%s", word);
      g_assert_true (g_regex_match_simple (pattern, page, 0, 0));
    }
  return n;
}

static void
test_options (void)
{
  g_autofree char *help = cli_get_output ("--help", NULL);
  g_autofree char *page = NULL;

  if (is_missing ("man"))
    return;
  page = render ("footprint-cli.1");
  g_assert_cmpuint (assert_options (help, page), >=, 24);
}

/* Leaves out --help-all and --help-gapplication, which every GTK program has. */
static void
test_options_of_window (void)
{
  g_auto (CliResult) help = { 0 };
  g_autofree char *page = NULL;

  if (is_missing ("man"))
    return;
  page = render ("footprint.1");
  cli_run_shell (&help, "\"$FOOTPRINT\" --help | grep -v -e --help-");
  g_assert_cmpint (help.status, ==, 0);
  g_assert_cmpuint (assert_options (help.out, page), >=, 8);
  g_assert_cmpuint (assert_words (help.out, cut_out (page, "--view=")), >=, 2);
}

static void
test_groupings (void)
{
  g_autofree char *page = NULL;
  const char *option;

  if (is_missing ("man"))
    return;
  page = render ("footprint-cli.1");
  option = cut_out (page, "--by=");
  for (guint i = 0; i < FP_N_GROUPINGS; i++)
    if (fp_grouping_infos[i].by)
      {
        g_autofree char *pattern = g_strdup_printf ("\\b%s\\b", fp_grouping_infos[i].by);

        g_test_message ("%s", fp_grouping_infos[i].by);
        g_assert_true (g_regex_match_simple (pattern, option, 0, 0));
      }
}

/* Only the window has the columns of heap profiles. */
static void
test_columns (void)
{
  g_autofree char *page = NULL, *of_window = NULL;

  if (is_missing ("man"))
    return;
  page = render ("footprint-cli.1");
  of_window = render ("footprint.1");
  *strstr (page, "\nJSON AND CSV\n") = '\0';
  *strstr (of_window, "\nFILES\n") = '\0';
  for (guint i = 0; i < fp_columns_get_n (); i++)
    {
      g_autofree char *pattern = g_strdup_printf ("[ \n(]%s[ ,;\n]", fp_columns_get (i)->id);
      guint kinds = fp_columns_get (i)->kinds;
      gboolean is_of_window = (kinds & (FP_KINDS_HEAP | FP_RECORD_HEAP_COMPARED)) != 0;
      const char *columns = is_of_window ? strstr (of_window, "\nHEAP PROFILES\n") : strstr (page, "\nCOLUMNS\n");

      if (!(fp_columns_get (i)->kinds & ~(guint)FP_RECORD_CHANGE))
        continue;
      g_test_message ("%s", fp_columns_get (i)->id);
      if (kinds == FP_RECORD_CONTROL_GROUP)
        g_assert_true (g_regex_match_simple (pattern, strstr (of_window, "\nGROUPS\n"), 0, 0));
      g_assert_true (g_regex_match_simple (pattern, columns, 0, 0));
    }
}

static void
test_sections (void)
{
  static const char *const sections[] = { "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SEARCH LANGUAGE",
                                          "COLUMNS", "EXIT STATUS", "FILES", "EXAMPLES", "SEE ALSO" };
  static const char *const words[] = { "PSS", "USS", "RSS", "SwapPss", "smem(8)", "proc(5)" };
  g_autofree char *page = NULL;

  if (is_missing ("man"))
    return;
  page = render ("footprint-cli.1");
  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    {
      g_autofree char *heading = g_strdup_printf ("\n%s\n", sections[i]);

      g_assert_nonnull (strstr (page, heading));
    }
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    g_assert_nonnull (strstr (page, words[i]));
}

/* The members of the machine in JSON, and the files that its figures come from. */
static void
test_machine (void)
{
  static const char *const words[] = { "shortage", "waited_us", "waited_over_us", "groups_are_cut", "lines", "change", "change_at_most", "who" };
  static const char *const files[] = { "/proc/vmstat", "/proc/zoneinfo", "/proc/sysvipc/shm", "/proc/PID/fd,", "/proc/PID/fdinfo",
                                       "/proc/PID/maps", "/proc/PID/mountinfo", "/sys/block/zram*", "/sys/fs/cgroup" };
  g_autofree char *page = NULL;
  const char *json;

  if (is_missing ("man"))
    return;
  page = render ("footprint-cli.1");
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    g_assert_nonnull (strstr (strstr (page, "\nFILES\n"), files[i]));
  *strstr (page, "\nEXIT STATUS\n") = '\0';
  json = strstr (page, "\nJSON AND CSV\n");
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autofree char *pattern = g_strdup_printf ("\\b%s\\b", words[i]);

      g_test_message ("%s", words[i]);
      g_assert_true (g_regex_match_simple (pattern, json, 0, 0));
    }
}

/* The examples of the page must be understood by the program. */
static void
test_examples (void)
{
  g_autofree char *page = NULL;
  g_autoptr (GRegex) regex = g_regex_new ("--filter '([^']+)'", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  guint n = 0;

  if (is_missing ("man"))
    return;
  page = render ("footprint-cli.1");
  for (g_regex_match (regex, page, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL), n++)
    {
      g_autofree char *filter = g_match_info_fetch (match, 1);
      g_auto (CliResult) result = { 0 };

      g_test_message ("%s", filter);
      cli_run (&result, "--total", "--filter", filter, NULL);
      g_assert_cmpint (result.status, ==, 0);
    }
  g_assert_cmpuint (n, >=, 2);
}

static void
test_source (void)
{
  g_autofree char *path = get_path ();
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_str_is_ascii (text));
  g_assert_true (g_str_has_prefix (text, ".\\\" SPDX-License-Identifier: GPL-3.0-or-later\n"));
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/cli/manual/warnings", test_warnings);
  g_test_add_func ("/cli/manual/options", test_options);
  g_test_add_func ("/cli/manual/options-of-window", test_options_of_window);
  g_test_add_func ("/cli/manual/groupings", test_groupings);
  g_test_add_func ("/cli/manual/columns", test_columns);
  g_test_add_func ("/cli/manual/sections", test_sections);
  g_test_add_func ("/cli/manual/machine", test_machine);
  g_test_add_func ("/cli/manual/examples", test_examples);
  g_test_add_func ("/cli/manual/source", test_source);
  return g_test_run ();
}
