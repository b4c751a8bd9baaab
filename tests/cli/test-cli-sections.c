// SPDX-License-Identifier: GPL-3.0-or-later
/* --sections: what it says of this program. That the sections have what the mappings have is tested in tests/live. */
#include <string.h>
#include <unistd.h>

#include "cli-runner.h"

static char *pid, *program;

static void
test_json (void)
{
  static const char *const amounts[] = { "size", "resident", "changed", "swap" };
  g_autoptr (JsonNode) root = cli_get_json ("--json", "--pid", pid, "--sections", program, NULL);
  JsonObject *all = json_node_get_object (root), *total = json_object_get_object_member (all, "total");
  JsonArray *sections = json_object_get_array_member (all, "sections");
  guint n = json_array_get_length (sections);
  gboolean has_code = FALSE;

  g_assert_cmpint (cli_json_get_int (all, "schema"), ==, 1);
  g_assert_cmpstr (cli_json_get_text (all, "file"), ==, program);
  g_assert_cmpuint (n, >, 5);
  for (guint a = 0; a < G_N_ELEMENTS (amounts); a++)
    {
      gint64 sum = 0;

      for (guint i = 0; i < n; i++)
        sum += cli_json_get_int (json_array_get_object_element (sections, i), amounts[a]);
      g_assert_cmpint (sum, ==, cli_json_get_int (total, amounts[a]));
    }
  for (guint i = 0; i + 1 < n; i++)
    {
      JsonObject *section = json_array_get_object_element (sections, i);

      if (!g_str_equal (cli_json_get_text (section, "section"), ".text"))
        continue;
      has_code = g_str_equal (cli_json_get_text (section, "kind"), "code");
      g_assert_cmpint (cli_json_get_int (section, "resident"), >, 0);
    }
  g_assert_true (has_code);
  g_assert_cmpstr (cli_json_get_text (json_array_get_object_element (sections, n - 1), "kind"), ==, "rest");
}

static void
test_table (void)
{
  g_autofree char *table = cli_get_output ("--pid", pid, "--sections", program, NULL);

  g_assert_true (g_regex_match_simple ("^ +Size +Resident +Changed +Swap  Section\n", table, 0, 0));
  g_assert_true (g_regex_match_simple ("\n[^\n]*  \\.text \\(Code\\)\n", table, 0, 0));
  g_assert_true (g_regex_match_simple ("\n[^\n]*  Headers and gaps\n[^\n]*  All of it\n$", table, 0, 0));
}

/* One line on standard error */
static void
test_refused (void)
{
  static const struct
  {
    const char *arguments;
    const char *message;
    int status;
  } cases[] = {
    { "--pid %s --sections /nothing", "does not map “/nothing”", 1 },
    { "--sections /nothing", "--sections is about one process; name it with --pid", 2 },
    { "--pid 1,%s --sections /nothing", "--sections is about one process; name it with --pid", 2 },
    { "--pid %s --sections /nothing --by user", "--sections and --by cannot be used together", 2 },
    { "--pid %s --sections /nothing --freed", "--sections and --freed cannot be used together", 2 },
    { "--pid %s --sections /nothing --csv", "--sections and --csv cannot be used together", 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GStrv) parts = g_strsplit (cases[i].arguments, "%s", 2);
      g_autofree char *arguments = g_strjoinv (pid, parts);
      g_autofree char *script = g_strdup_printf ("\"$FOOTPRINT_CLI\" %s", arguments);
      g_auto (CliResult) result = { 0 };

      cli_run_shell (&result, script);
      g_assert_cmpint (result.status, ==, cases[i].status);
      g_assert_nonnull (strstr (result.err, cases[i].message));
      g_assert_true (strchr (result.err, '\n') == result.err + strlen (result.err) - 1);
    }
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  pid = g_strdup_printf ("%d", getpid ());
  program = g_file_read_link ("/proc/self/exe", NULL);
  g_test_add_func ("/cli/sections/json", test_json);
  g_test_add_func ("/cli/sections/table", test_table);
  g_test_add_func ("/cli/sections/refused", test_refused);
  return g_test_run ();
}
