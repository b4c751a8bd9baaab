// SPDX-License-Identifier: GPL-3.0-or-later
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "cli-runner.h"
#include "config.h"
#include "fp-columns.h"
#include "live-process.h"

typedef struct
{
  char *folder;
  char *saved;
} Fixture;

static void
set_up (Fixture *self,
        gconstpointer data)
{
  g_autofree char *output = NULL;

  self->folder = cli_make_folder ();
  self->saved = g_build_filename (self->folder, "saved", NULL);
  output = cli_get_output ("--save", self->saved, "--with-commands", NULL);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  g_free (self->saved);
  cli_remove_folder (self->folder);
}

static JsonArray *
get_processes (JsonNode *root)
{
  return json_object_get_array_member (json_node_get_object (root), "processes");
}

/* +1 up, -1 down, 0 neither; what is not known must come last either way. */
static void
check_order (JsonNode *root,
             const char *column,
             int direction)
{
  JsonArray *processes = get_processes (root);
  gboolean is_known = TRUE;
  gint64 last = 0;

  g_assert_cmpuint (json_array_get_length (processes), >, 1);
  for (guint i = 0; i < json_array_get_length (processes); i++)
    {
      JsonObject *process = json_array_get_object_element (processes, i);
      JsonObject *bounds = json_object_get_object_member (process, "at_most");
      gboolean has_bound = json_object_has_member (bounds, column);

      if (json_object_get_null_member (process, column) && !has_bound)
        {
          is_known = FALSE;
          continue;
        }
      g_assert_true (is_known);
      if (i > 0)
        g_assert_cmpint ((cli_json_get_int (has_bound ? bounds : process, column) - last) * direction, >=, 0);
      last = cli_json_get_int (has_bound ? bounds : process, column);
    }
}

static void
test_sort (Fixture *self,
           gconstpointer data)
{
  g_autoptr (JsonNode) usual = cli_get_json ("--open", self->saved, "--json", NULL);
  g_autoptr (JsonNode) rss = cli_get_json ("--open", self->saved, "--json", "--sort", "rss", NULL);
  g_autoptr (JsonNode) reversed = cli_get_json ("--open", self->saved, "--json", "--sort", "rss", "--reverse", NULL);
  g_autoptr (JsonNode) usual_reversed = cli_get_json ("--open", self->saved, "--json", "-r", NULL);
  g_autoptr (JsonNode) pid = cli_get_json ("--open", self->saved, "--json", "-s", "pid", NULL);

  check_order (usual, "pss", -1);
  check_order (rss, "rss", -1);
  check_order (reversed, "rss", 1);
  check_order (usual_reversed, "pss", 1);
  check_order (pid, "pid", 1);
}

/* A kernel's figures are not known, so they are last whichever way it is sorted. */
static void
test_sort_unknown (Fixture *self,
                   gconstpointer data)
{
  g_autoptr (JsonNode) down = cli_get_json ("--open", self->saved, "--json", "--kernel", NULL);
  g_autoptr (JsonNode) up = cli_get_json ("--open", self->saved, "--json", "--kernel", "--reverse", NULL);

  check_order (down, "pss", -1);
  check_order (up, "pss", 1);
}

static void
test_filter (Fixture *self,
             gconstpointer data)
{
  g_autoptr (JsonNode) own = cli_get_json ("--open", self->saved, "--json", "--filter", "test-cli-options", NULL);
  g_autoptr (JsonNode) none = cli_get_json ("--open", self->saved, "--json", "--filter", "no-such-thing-at-all", NULL);
  g_autoptr (JsonNode) big = cli_get_json ("--open", self->saved, "--json", "--filter", "pss>1M", NULL);
  JsonArray *processes = get_processes (big);

  g_assert_nonnull (cli_json_find (own, "processes", "pid", getpid ()));
  for (guint i = 0; i < json_array_get_length (get_processes (own)); i++)
    {
      JsonObject *process = json_array_get_object_element (get_processes (own), i);

      g_assert_nonnull (strstr (cli_json_get_text (process, "command"), "test-cli-options"));
    }
  g_assert_cmpuint (json_array_get_length (get_processes (none)), ==, 0);
  for (guint i = 0; i < json_array_get_length (processes); i++)
    g_assert_cmpint (cli_json_get_int (json_array_get_object_element (processes, i), "pss"), >, 1 << 20);
}

/* A search always finds the program that searches, and what started it with the same words. */
static void
test_filter_without_itself (void)
{
  g_autoptr (JsonNode) own = cli_get_json ("--json", "--filter", "nothing-has-this-name", NULL);
  g_auto (CliResult) below = { 0 };
  g_autofree char *pids = cli_get_output ("--filter", "pid:1 or nothing-has-this-name", "--csv", "--columns", "pid", NULL);

  g_assert_cmpuint (json_array_get_length (get_processes (own)), ==, 0);
  cli_run_shell (&below, "timeout 30 \"$CLI\" --filter nothing-has-this-name --csv --columns pid");
  g_assert_cmpstr (below.out, ==, "pid\r\n");
  g_assert_cmpstr (pids, ==, "pid\r\n1\r\n");
}

static void
test_filters_add_up (Fixture *self,
                     gconstpointer data)
{
  g_autofree char *pid = g_strdup_printf ("pid:%d or pid:1", getpid ());
  g_autofree char *expected = g_strdup_printf ("pid\r\n%d\r\n", getpid ());
  g_autofree char *text = cli_get_output ("--open", self->saved, "--csv", "--columns", "pid", "--filter", pid, "-f",
                                          "test-cli-options or -pid:1", NULL);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_limit (Fixture *self,
            gconstpointer data)
{
  g_autofree char *all = cli_get_output ("--open", self->saved, "--columns", "pid,program", NULL);
  g_autofree char *two = cli_get_output ("--open", self->saved, "--columns", "pid,program", "--limit", "2", NULL);
  g_autofree char *many = cli_get_output ("--open", self->saved, "--columns", "pid,program", "-l1000000", NULL);
  g_autofree char *csv = cli_get_output ("--open", self->saved, "--csv", "--columns", "pid", "-l", "2", NULL);
  g_autoptr (JsonNode) root = cli_get_json ("--open", self->saved, "--json", "--limit=2", NULL);
  g_auto (GStrv) all_lines = g_strsplit (all, "\n", -1), lines = g_strsplit (two, "\n", -1);
  g_auto (GStrv) csv_lines = g_strsplit (csv, "\r\n", -1);

  g_assert_cmpstr (many, ==, all);
  for (char **line = all_lines; *line; line++)
    g_strstrip (*line);
  /* The first line says that it is a saved snapshot, and the next is blank. */
  g_assert_cmpstr (g_strstrip (lines[3]), ==, all_lines[3]);
  g_assert_nonnull (strstr (lines[5], "process"));
  g_assert_true (g_strv_contains ((const char *const *)all_lines, g_strstrip (lines[5])));
  g_assert_cmpuint (g_strv_length (csv_lines), ==, 4);
  g_assert_cmpuint (json_array_get_length (get_processes (root)), ==, 2);
}

/* As getopt has it: the value may follow its letter, and letters without a value may stand in front. */
static void
test_attached_values (Fixture *self,
                      gconstpointer data)
{
  g_autofree char *apart = cli_get_output ("--open", self->saved, "-r", "-s", "rss", "-c", "pid,rss", "-l", "3", NULL);
  g_autofree char *attached = cli_get_output ("--open", self->saved, "-rsrss", "-cpid,rss", "-l3", NULL);
  g_autofree char *negated = cli_get_output ("--open", self->saved, "-f", "-w1", "-tcpid,rss", NULL);
  g_auto (CliResult) watched = { 0 };

  g_assert_cmpstr (attached, ==, apart);
  g_assert_nonnull (strstr (negated, "Resident"));
  cli_run_shell (&watched, "timeout -s INT 3 \"$CLI\" -tw.5 </dev/null");
  g_assert_cmpstr (watched.err, ==, "");
  g_assert_nonnull (strstr (watched.out, "process"));
}

static void
test_headings (Fixture *self,
               gconstpointer data)
{
  g_autofree char *ids = cli_get_output ("--open", self->saved, "--sort", "pss", "-c", "pid,pss,swap", "-f", "pss>1M", NULL);
  g_autofree char *titles =
      cli_get_output ("--open", self->saved, "--sort", "memory", "-c", "PID, Memory", "-c", "SWAP", "-f", "Memory > 1 M", NULL);
  g_autofree char *by_id = cli_get_output ("--open", self->saved, "--by", "user", "--sort", "name", NULL);
  g_autofree char *by_title = cli_get_output ("--open", self->saved, "--by", "User", "--sort", "Name", NULL);

  g_assert_cmpstr (titles, ==, ids);
  g_assert_true (g_regex_match_simple ("\n *PID +Memory +Swap\n", titles, 0, 0));
  g_assert_cmpstr (by_title, ==, by_id);
}

static void
check_user (JsonNode *root)
{
  g_assert_cmpuint (json_array_get_length (get_processes (root)), >, 0);
  for (guint i = 0; i < json_array_get_length (get_processes (root)); i++)
    g_assert_cmpint (cli_json_get_int (json_array_get_object_element (get_processes (root), i), "uid"), ==, geteuid ());
  g_assert_nonnull (cli_json_find (root, "processes", "pid", getpid ()));
}

static void
test_user (Fixture *self,
           gconstpointer data)
{
  g_autofree char *uid = g_strdup_printf ("%u", geteuid ());
  const struct passwd *user = getpwuid (geteuid ());
  g_autoptr (JsonNode) by_number = cli_get_json ("--json", "--user", uid, NULL);
  g_autoptr (JsonNode) nobody = cli_get_json ("--json", "--user", "4242424", NULL);

  check_user (by_number);
  g_assert_cmpuint (json_array_get_length (get_processes (nobody)), ==, 0);
  if (user)
    {
      g_autoptr (JsonNode) by_name = cli_get_json ("--json", "--user", user->pw_name, NULL);

      check_user (by_name);
    }
}

static void
test_users (void)
{
  g_autofree char *both = g_strdup_printf ("%u,4242424", geteuid ());
  g_autofree char *uid = g_strdup_printf ("%u", geteuid ());
  g_autoptr (JsonNode) list = cli_get_json ("--json", "--user", both, NULL);
  g_autoptr (JsonNode) twice = cli_get_json ("--json", "-u", uid, "-u", "4242424", NULL);

  check_user (list);
  check_user (twice);
}

static void
wait_for_end (gpointer data)
{
  live_answer ();
  live_await_order ();
}

static void
test_pid (void)
{
  g_autofree char *with_comma = NULL, *with_blank = NULL;
  g_autoptr (JsonNode) first = NULL, second = NULL, third = NULL;
  g_autofree char *own = g_strdup_printf ("%d", getpid ()), *other = NULL;
  LiveProcess child;

  live_process_start (&child, wait_for_end, NULL);
  with_comma = g_strdup_printf ("%d,%d", getpid (), child.pid);
  with_blank = g_strdup_printf ("%d %d", getpid (), child.pid);
  first = cli_get_json ("--json", "--pid", with_comma, NULL);
  second = cli_get_json ("--json", "-p", with_blank, NULL);
  other = g_strdup_printf ("%d", child.pid);
  third = cli_get_json ("--json", "-p", other, "-p", own, "-p", own, NULL);
  live_process_stop (&child);
  g_assert_cmpuint (json_array_get_length (get_processes (first)), ==, 2);
  g_assert_cmpuint (json_array_get_length (get_processes (second)), ==, 2);
  g_assert_cmpuint (json_array_get_length (get_processes (third)), ==, 2);
  g_assert_nonnull (cli_json_find (third, "processes", "pid", child.pid));
  g_assert_nonnull (cli_json_find (first, "processes", "pid", child.pid));
  g_assert_nonnull (cli_json_find (second, "processes", "pid", getpid ()));
}

static void
test_columns (Fixture *self,
              gconstpointer data)
{
  g_autofree char *some = cli_get_output ("--open", self->saved, "--columns", "comm, pid,rss", NULL);
  g_autofree char *all = cli_get_output ("--open", self->saved, "--columns", "all", NULL);
  g_autofree char *help = cli_get_output ("--columns", "help", NULL);
  char *titles = strstr (all, "\n\n") + 2, *end = strchr (titles, '\n');

  g_assert_true (g_regex_match_simple ("\nShort Name +PID +Resident\n", some, 0, 0));
  *end = '\0';
  for (guint i = 0; i < fp_columns_get_n (); i++)
    {
      const FpColumn *column = fp_columns_get (i);
      g_autofree char *line = g_strdup_printf ("\n  %s ", column->id);

      if (column->kinds & FP_RECORD_PROCESS)
        g_assert_nonnull (strstr (titles, column->title));
      if (!(column->kinds & ~(guint)(FP_RECORD_CHANGE | FP_RECORD_CONTROL_GROUP | FP_KINDS_HEAP | FP_RECORD_HEAP_COMPARED)))
        continue;
      g_assert_nonnull (strstr (help, line));
      g_assert_nonnull (strstr (help, column->meaning));
    }
}

static void
test_total (Fixture *self,
            gconstpointer data)
{
  g_autofree char *table =
      cli_get_output ("--open", self->saved, "--columns", "pss,program", "--bytes", "--total", NULL);
  g_autoptr (JsonNode) root = cli_get_json ("--open", self->saved, "--json", "--total", NULL);
  g_auto (GStrv) lines = g_strsplit (table, "\n", -1);
  JsonObject *total = json_object_get_object_member (json_node_get_object (root), "total");
  g_autofree char *begin = g_strdup_printf ("%" G_GINT64_FORMAT, cli_json_get_int (total, "pss"));

  g_assert_cmpuint (g_strv_length (lines), >=, 3);
  g_assert_nonnull (strstr (lines[2], "Memory"));
  g_assert_true (g_str_has_prefix (g_strchug (lines[3]), begin));
  g_assert_nonnull (strstr (lines[3], "processes"));
  g_assert_false (json_object_has_member (json_node_get_object (root), "processes"));
}

/* In a container the machine has more tasks than are listed, which is said below a table. */
#define END "([0-9]+ tasks? of this machine (is|are) hidden from here\\.\n)?$"

static void
test_styles (void)
{
  g_autofree char *pid = g_strdup_printf ("%d", getpid ());
  g_autofree char *iec = cli_get_output ("--pid", pid, "--columns", "rss", NULL);
  g_autofree char *bytes = cli_get_output ("--pid", pid, "--columns", "rss", "--bytes", NULL);
  g_autofree char *percent = cli_get_output ("--pid", pid, "--columns", "rss", "--percent", NULL);

  g_test_message ("%s%s%s", iec, bytes, percent);
  g_assert_true (g_regex_match_simple ("^ *Resident\n *[0-9.]+ [KM]iB\n *[0-9.]+ [KM]iB\n" END, iec, 0, 0));
  g_assert_true (g_regex_match_simple ("^ *Resident\n *[0-9]{6,}\n *[0-9]{6,}\n" END, bytes, 0, 0));
  g_assert_true (g_regex_match_simple ("^ *Resident\n *[0-9]+\\.[0-9]{2} %\n *[0-9]+\\.[0-9]{2} %\n" END, percent, 0, 0));
}

static void
test_numeric (void)
{
  g_autofree char *pid = g_strdup_printf ("%d", getpid ());
  g_autofree char *uid = g_strdup_printf ("%u", geteuid ());
  g_autofree char *numeric = cli_get_output ("--pid", pid, "--columns", "user", "--numeric", NULL);
  g_autofree char *named = cli_get_output ("--pid", pid, "--columns", "user", NULL);
  g_auto (GStrv) numeric_lines = g_strsplit (numeric, "\n", -1);
  g_auto (GStrv) named_lines = g_strsplit (named, "\n", -1);
  const struct passwd *user = getpwuid (geteuid ());

  g_assert_cmpstr (g_strstrip (numeric_lines[1]), ==, uid);
  if (user)
    g_assert_cmpstr (g_strstrip (named_lines[1]), ==, user->pw_name);
}

static void
test_version (void)
{
  g_autofree char *output = cli_get_output ("--version", NULL);

  g_assert_cmpstr (output, ==, "footprint-cli " FP_VERSION "\n");
}

static void
test_help (void)
{
  static const char *const options[] = { "--by", "--sort", "--reverse", "--columns", "--filter", "--user",
                                         "--pid", "--limit", "--mappings", "--system", "--kernel", "--watch", "--total",
                                         "--percent", "--bytes", "--numeric", "--json", "--csv", "--proc",
                                         "--save", "--open", "--version" };
  g_autofree char *help = cli_get_output ("--help", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autofree char *pattern = g_strdup_printf ("\n  (-., )?%s(=[A-Z|]+)? +\\S.*", options[i]);

      g_test_message ("%s", options[i]);
      g_assert_true (g_regex_match_simple (pattern, help, 0, 0));
    }
}

/* Quotes and dashes are the same in every locale, as they are in the table. */
static void
test_c_locale (void)
{
  g_auto (CliResult) help = { 0 }, error = { 0 }, search = { 0 };
  g_autofree char *usual = cli_get_output ("--help", NULL);

  cli_run_shell (&help, "LC_ALL=C \"$CLI\" --help");
  g_assert_cmpstr (help.out, ==, usual);
  g_assert_nonnull (strstr (help.out, "“help”"));
  cli_run_shell (&error, "LC_ALL=C \"$CLI\" --sort nonsense");
  g_assert_nonnull (strstr (error.err, "“nonsense”"));
  cli_run_shell (&search, "LC_ALL=C \"$CLI\" --total --filter größe");
  g_assert_cmpint (search.status, ==, 0);
}

static void
test_system (Fixture *self,
             gconstpointer data)
{
  g_autofree char *page = cli_get_output ("--open", self->saved, "--system", NULL);
  g_autofree char *bytes = cli_get_output ("--open", self->saved, "--system", "--bytes", NULL);
  g_autoptr (JsonNode) root = cli_get_json ("--open", self->saved, "--system", "--json", NULL);
  JsonObject *system = json_object_get_object_member (json_node_get_object (root), "system");
  g_autofree char *total = g_strdup_printf ("%" G_GINT64_FORMAT "\n", cli_json_get_int (system, "mem_total"));

  g_assert_nonnull (strstr (page, "Memory\n"));
  g_assert_nonnull (strstr (page, "\nSwap\n"));
  g_assert_nonnull (strstr (bytes, total));
  g_assert_false (json_object_has_member (json_node_get_object (root), "processes"));
}

#define ADD(name, func) g_test_add ("/cli/options/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("sort", test_sort);
  ADD ("sort-unknown", test_sort_unknown);
  ADD ("filter", test_filter);
  ADD ("filters-add-up", test_filters_add_up);
  ADD ("limit", test_limit);
  ADD ("attached-values", test_attached_values);
  ADD ("headings", test_headings);
  ADD ("user", test_user);
  ADD ("columns", test_columns);
  ADD ("total", test_total);
  ADD ("system", test_system);
  g_test_add_func ("/cli/options/filter-without-itself", test_filter_without_itself);
  g_test_add_func ("/cli/options/users", test_users);
  g_test_add_func ("/cli/options/pid", test_pid);
  g_test_add_func ("/cli/options/c-locale", test_c_locale);
  g_test_add_func ("/cli/options/styles", test_styles);
  g_test_add_func ("/cli/options/numeric", test_numeric);
  g_test_add_func ("/cli/options/version", test_version);
  g_test_add_func ("/cli/options/help", test_help);
  return g_test_run ();
}
