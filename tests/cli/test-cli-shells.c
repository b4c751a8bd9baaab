// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "cli-runner.h"

/* Sets up $FOLDER for the shell and prints what it offers for $LINE. */
typedef struct
{
  const char *name;
  const char *script;
} Shell;

static const Shell zsh = {
  "zsh",
  "cp \"$FOOTPRINT_COMPLETIONS/footprint-cli.zsh\" \"$FOLDER/_footprint-cli\" && "
  "timeout 60 \"$G_TEST_SRCDIR/complete-zsh\" \"$FOLDER\" \"$LINE\"",
};

/* fish 4 also lists what only contains the letters of the last word, which its user sees where nothing begins with them. */
static const Shell fish = {
  "fish",
  "HOME=$FOLDER timeout 60 fish -c 'source \"$FOOTPRINT_COMPLETIONS/footprint-cli.fish\"; "
  "set word (string match -r \"\\S*\\$\" -- \"$LINE\"); "
  "complete -C \"$LINE\" | string match -r -- \"^\"(string escape --style=regex -- \"$word\")\".*\"; true'",
};

/* For what a shell keeps from one call to the next. */
static char *folder;

/* Each completion once, sorted, separated by blanks. */
static char *
complete (const Shell *shell,
          const char *line)
{
  g_auto (CliResult) result = { 0 };
  g_autofree char *bin = g_path_get_dirname (g_getenv ("FOOTPRINT_CLI"));
  g_autofree char *script = NULL;

  script = g_strdup_printf ("export FOLDER='%s' LINE='%s' PATH='%s':\"$PATH\"; { %s; } | cut -f1 | sort -u | tr '\\n' ' '", folder,
                            line, bin, shell->script);
  cli_run_shell (&result, script);
  g_assert_cmpstr (result.err, ==, "");
  return g_strchomp (g_steal_pointer (&result.out));
}

static void
assert_completes (const Shell *shell,
                  const char *line,
                  const char *expected)
{
  g_autofree char *offered = complete (shell, line);

  g_test_message ("%s", line);
  g_assert_cmpstr (offered, ==, expected);
}

/* Every long option of --help, and no other. */
static void
assert_all_options (const Shell *shell)
{
  g_autofree char *help = cli_get_output ("--help", NULL);
  g_autofree char *offered = complete (shell, "footprint-cli --");
  g_auto (GStrv) lines = g_strsplit (offered, " ", -1);
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
test_shell (gconstpointer data)
{
  const Shell *shell = data;
  g_autofree char *path = g_find_program_in_path (shell->name);
  g_autofree char *reason = g_strdup_printf ("There is no %s", shell->name);

  if (!path)
    {
      g_test_skip (reason);
      return;
    }
  assert_all_options (shell);
  assert_completes (shell, "footprint-cli --s", "--save --sections --sort --svg --system");
  assert_completes (shell, "footprint-cli --by ", "app container file group process program unit user");
  assert_completes (shell, "footprint-cli -m --by ", "file kind");
  assert_completes (shell, "footprint-cli --by=u", "--by=unit --by=user");
  assert_completes (shell, "footprint-cli --sort swap", "swap swap_whole");
  assert_completes (shell, "footprint-cli --columns=pid,swap", "--columns=pid,swap --columns=pid,swap_whole");
  assert_completes (shell, "footprint-cli --columns al", "all");
  assert_completes (shell, "footprint-cli --by user --columns cou", "count");
  assert_completes (shell, "footprint-cli --by file --columns processes,fil", "processes,file processes,file_huge processes,file_state");
  assert_completes (shell, "footprint-cli --by group --sort reread", "reread reread_minute");
  assert_completes (shell, "footprint-cli --by process --sort command", "command");
  assert_completes (shell, "footprint-cli --mappings --pid 1 --sort siz", "size");
  assert_completes (shell, "footprint-cli -m -p 1 --by=kind --sort nam", "name");
  assert_completes (shell, "footprint-cli --user daemon,roo", "daemon,root");
  assert_completes (shell, "footprint-cli --nonsense", "");
}

int
main (int argc,
      char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = cli_make_folder ();
  g_test_set_nonfatal_assertions ();
  g_test_add_data_func ("/cli/shells/zsh", &zsh, test_shell);
  g_test_add_data_func ("/cli/shells/fish", &fish, test_shell);
  status = g_test_run ();
  cli_remove_folder (folder);
  return status;
}
