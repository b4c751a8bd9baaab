// SPDX-License-Identifier: GPL-3.0-or-later
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli-runner.h"
#include "fp-columns.h"
#include "fp-grouping.h"

/* The words as bash would cut them; the last is to be completed. Gives what it offers, one a line. */
static char *
complete (const char *words)
{
  g_auto (CliResult) result = { 0 };
  g_autofree char *script = g_strdup_printf ("exec bash --norc -c '"
                                             ". \"$FOOTPRINT_COMPLETIONS/footprint-cli.bash\" || exit 1;"
                                             "complete -p footprint-cli >/dev/null || exit 1;"
                                             "COMP_WORDS=(\"$CLI\" %s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1));"
                                             "_footprint_cli \"$CLI\"; printf \"%%s\\n\" \"${COMPREPLY[@]}\"'",
                                             words);

  cli_run_shell (&result, script);
  g_assert_cmpstr (result.err, ==, "");
  g_assert_cmpint (result.status, ==, 0);
  return g_strchomp (g_steal_pointer (&result.out));
}

static void
assert_completes (const char *words,
                  const char *expected)
{
  g_autofree char *offered = complete (words);
  g_auto (GStrv) lines = g_strsplit (offered, "\n", -1);
  g_autofree char *joined = g_strjoinv (" ", lines);

  g_test_message ("%s", words);
  g_assert_cmpstr (joined, ==, expected);
}

static gboolean
offers (const char *words,
        const char *expected)
{
  g_autofree char *offered = complete (words);
  g_auto (GStrv) lines = g_strsplit (offered, "\n", -1);

  return g_strv_contains ((const char *const *)lines, expected);
}

static void
test_options (void)
{
  assert_completes ("--s", "--sort --sections --system --save --svg");
  assert_completes ("--json --c", "--columns --csv --compare --cost");
  assert_completes ("--nonsense", "");
  g_assert_true (offers ("\"\"", "--by"));
  g_assert_true (offers ("--by user \"\"", "--sort"));
}

/* Every option that --help names, and none that it does not know. */
static void
test_all_options (void)
{
  g_autofree char *help = cli_get_output ("--help", NULL);
  g_autofree char *offered = complete ("--");
  g_auto (GStrv) lines = g_strsplit (offered, "\n", -1);
  g_autoptr (GRegex) regex = g_regex_new ("^  (?:-., )?(--[a-z-]+)", G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  guint n = 0;

  for (g_regex_match (regex, help, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL), n++)
    {
      g_autofree char *option = g_match_info_fetch (match, 1);

      g_test_message ("%s", option);
      g_assert_true (g_strv_contains ((const char *const *)lines, option));
    }
  g_assert_cmpuint (n, >=, 24);
  g_assert_cmpuint (g_strv_length (lines), ==, n);
}

static void
test_by (void)
{
  assert_completes ("--by \"\"", "process program app unit user container group file");
  assert_completes ("--by u", "unit user");
  assert_completes ("--by = u", "unit user");
  assert_completes ("--by =", "process program app unit user container group file");
  assert_completes ("-b cont", "container");
  assert_completes ("--limit \"\"", "5 10 20 50");
  assert_completes ("--mappings --by \"\"", "kind file");
  assert_completes ("-m -b = f", "file");
  assert_completes ("--heap recording --by \"\"", "function library stack");
  assert_completes ("--heap = recording --by = l", "library");
  assert_completes ("--heap recording --cost \"\"", "peak leaked temporary calls");
}

/* The table of groupings decides what --by takes, and what help and completion offer. */
static void
test_every_grouping (void)
{
  g_autofree char *of_processes = complete ("--by \"\""), *of_mappings = complete ("-m --by \"\"");
  g_autofree char *help = cli_get_output ("--help", NULL);
  g_auto (GStrv) processes = g_strsplit (of_processes, "\n", -1), mappings = g_strsplit (of_mappings, "\n", -1);
  guint n = 0;

  for (guint i = 0; i < FP_N_GROUPINGS; i++)
    {
      const FpGroupingInfo *info = &fp_grouping_infos[i];
      gboolean is_of_mappings = (info->kinds & FP_RECORD_MAPPING) != 0;
      const char *const *offered = (const char *const *)(is_of_mappings ? mappings : processes);

      if (!info->by)
        continue;
      g_test_message ("%s", info->by);
      g_assert_true (g_strv_contains (offered, info->by));
      g_assert_nonnull (strstr (help, info->by));
      if (info->kinds & FP_RECORD_PROCESS)
        g_free (cli_get_output ("--pid", "1", "--by", info->by, NULL));
      n++;
    }
  g_assert_cmpuint (n, ==, g_strv_length (processes) + g_strv_length (mappings));
}

static void
test_columns (void)
{
  assert_completes ("--sort swap", "swap_whole swap");
  assert_completes ("--columns swap", "swap_whole swap");
  assert_completes ("--columns = swap", "swap_whole swap");
  assert_completes ("--columns pid,swap", "pid,swap_whole pid,swap");
  assert_completes ("--columns al", "all");
  assert_completes ("--by user --sort n", "name");
  assert_completes ("--by = user --columns cou", "count");
  assert_completes ("--by file --columns processes,fil", "processes,file_huge processes,file_state processes,file");
  assert_completes ("--by group --columns reread", "reread_minute reread");
  assert_completes ("--by process --sort n", "");
  assert_completes ("--mappings --pid 1 --columns size,ran", "size,range");
  assert_completes ("--mappings --pid 1 --by kind --sort n", "name");
  assert_completes ("-m --by = file --columns siz", "size");
  assert_completes ("--mappings --sort n", "");
  assert_completes ("--sort count", "");
}

static void
test_every_column (void)
{
  g_autofree char *offered = complete ("--sort \"\"");
  g_auto (GStrv) lines = g_strsplit (offered, "\n", -1);
  guint n = 0;

  for (guint i = 0; i < fp_columns_get_n (); i++)
    if (fp_columns_get (i)->kinds & FP_RECORD_PROCESS)
      {
        g_assert_true (g_strv_contains ((const char *const *)lines, fp_columns_get (i)->id));
        n++;
      }
  g_assert_cmpuint (g_strv_length (lines), ==, n);
}

static void
test_users_and_pids (void)
{
  g_autofree char *pid = g_strdup_printf ("%d", getpid ());
  g_autofree char *words = g_strdup_printf ("--pid %d,\"\"", getppid ());
  g_autofree char *list = g_strdup_printf ("%d,%d", getppid (), getpid ());

  assert_completes ("--user roo", "root");
  assert_completes ("--user = roo", "root");
  assert_completes ("--user root,roo", "root,root");
  g_assert_true (offers ("--pid \"\"", pid));
  g_assert_true (offers ("-p \"\"", pid));
  g_assert_true (offers (words, list));
}

static void
test_paths (void)
{
  g_autofree char *folder = cli_make_folder ();
  g_autofree char *file = g_build_filename (folder, "a file", NULL);
  g_autofree char *inner = g_build_filename (folder, "inner", NULL);
  g_autofree char *open = g_strdup_printf ("--open %s/a", folder);
  g_autofree char *proc = g_strdup_printf ("--proc %s/", folder);

  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  g_assert_cmpint (g_mkdir (inner, 0700), ==, 0);
  assert_completes (open, file);
  assert_completes (proc, inner);
  cli_remove_folder (g_steal_pointer (&folder));
}

int
main (int argc,
      char *argv[])
{
  g_autofree char *bash = g_find_program_in_path ("bash");

  g_test_init (&argc, &argv, NULL);
  if (!bash)
    {
      g_print ("1..0 # SKIP There is no bash\n");
      return 0;
    }
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/cli/completion/options", test_options);
  g_test_add_func ("/cli/completion/all-options", test_all_options);
  g_test_add_func ("/cli/completion/by", test_by);
  g_test_add_func ("/cli/completion/every-grouping", test_every_grouping);
  g_test_add_func ("/cli/completion/columns", test_columns);
  g_test_add_func ("/cli/completion/every-column", test_every_column);
  g_test_add_func ("/cli/completion/users-and-pids", test_users_and_pids);
  g_test_add_func ("/cli/completion/paths", test_paths);
  return g_test_run ();
}
