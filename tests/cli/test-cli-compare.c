// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "cli-runner.h"
#include "cli-terminal.h"
#include "workload.h"

#define MIB      (1 << 20)
#define PROGRAMS "program:fpsteady or program:fpends or program:fpagain or program:fpbegins"
#define NOISE    (64 * 1024) /* of stacks and the like, from one run of a program to the next */

enum
{
  STEADY,
  ENDS,
  AGAIN,
  BEGINS,
  N_PROGRAMS,
};

static const char *const names[N_PROGRAMS] = { "fpsteady", "fpends", "fpagain", "fpbegins" };

/* Programs that share no page with any other, before and after what is known to have happened */
typedef struct
{
  char *folder;
  char *first;
  char *second;
  Workload workloads[N_PROGRAMS];
  gint pids[N_PROGRAMS];
  gint pid_of_ended;
} Fixture;

static void
copy_program (const char *from,
              const char *to)
{
  g_autoptr (GFile) source = g_file_new_for_path (from), target = g_file_new_for_path (to);
  g_autoptr (GError) error = NULL;

  g_file_copy (source, target, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
start (Fixture *self,
       guint which,
       guint mib)
{
  g_autofree char *path = g_build_filename (self->folder, names[which], NULL), *arguments = g_strdup_printf ("anon %u", mib);

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    copy_program (g_getenv ("FOOTPRINT_LONELY_WORKLOAD"), path);
  g_setenv ("FOOTPRINT_WORKLOAD", path, TRUE);
  g_assert_true (workload_start (&self->workloads[which], arguments));
  self->pids[which] = self->workloads[which].pid;
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  self->folder = cli_make_folder ();
  self->first = g_build_filename (self->folder, "first.footprint", NULL);
  self->second = g_build_filename (self->folder, "second.footprint", NULL);
  start (self, STEADY, 16);
  start (self, ENDS, 32);
  start (self, AGAIN, 16);
  g_free (cli_get_output ("--save", self->first, "--with-files", NULL));
  self->pid_of_ended = self->pids[ENDS];
  workload_stop (&self->workloads[ENDS]);
  workload_stop (&self->workloads[AGAIN]);
  start (self, AGAIN, 24);
  start (self, BEGINS, 8);
  g_free (cli_get_output ("--save", self->second, "--with-files", NULL));
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  workload_stop (&self->workloads[STEADY]);
  workload_stop (&self->workloads[AGAIN]);
  workload_stop (&self->workloads[BEGINS]);
  g_free (self->first);
  g_free (self->second);
  cli_remove_folder (self->folder);
}

/* Beside them there are the program's own pages, 1.04 MiB in Debian 13. */
static void
assert_about (gint64 bytes,
              gint64 mib)
{
  g_assert_cmpint (bytes, >=, mib * MIB - NOISE);
  g_assert_cmpint (bytes, <=, (mib + 2) * MIB);
}

static void
assert_process (JsonNode *root,
                gint pid,
                const char *outcome,
                const char *pair)
{
  JsonObject *process = cli_json_find (root, "processes", "pid", pid);

  g_assert_nonnull (process);
  g_assert_cmpstr (cli_json_get_text (process, "outcome"), ==, outcome);
  if (pair)
    g_assert_cmpstr (cli_json_get_text (process, "compared_with"), ==, pair);
  else
    g_assert_true (json_object_get_null_member (process, "compared_with"));
  g_assert_cmpint (cli_json_get_int (process, "difference"), ==,
                   cli_json_get_int (process, "after") - cli_json_get_int (process, "before"));
}

static gint64
get_figure (JsonNode *root,
            gint pid,
            const char *key)
{
  return cli_json_get_int (cli_json_find (root, "processes", "pid", pid), key);
}

/* The known differences are shown, with the figures of both files, and those across a restart, too. */
static void
test_processes (Fixture *self,
                gconstpointer data)
{
  g_autoptr (JsonNode) both = cli_get_json ("--compare", self->first, self->second, "--json", NULL);
  g_autoptr (JsonNode) first = cli_get_json ("--open", self->first, "--json", NULL);
  g_autoptr (JsonNode) second = cli_get_json ("--open", self->second, "--json", NULL);

  assert_process (both, self->pids[STEADY], "same", "itself");
  g_assert_cmpint (get_figure (both, self->pids[STEADY], "difference"), ==, 0);
  g_assert_cmpint (get_figure (both, self->pids[STEADY], "before"), ==, get_figure (first, self->pids[STEADY], "pss"));

  assert_process (both, self->pid_of_ended, "ended", NULL);
  g_assert_cmpint (get_figure (both, self->pid_of_ended, "before"), ==, get_figure (first, self->pid_of_ended, "pss"));
  g_assert_cmpint (get_figure (both, self->pid_of_ended, "after"), ==, 0);
  assert_about (get_figure (both, self->pid_of_ended, "before"), 32);

  assert_process (both, self->pids[AGAIN], "grown", "rank");
  g_assert_cmpint (get_figure (both, self->pids[AGAIN], "after"), ==, get_figure (second, self->pids[AGAIN], "pss"));
  g_assert_cmpint (ABS (get_figure (both, self->pids[AGAIN], "difference") - 8 * MIB), <=, NOISE);

  assert_process (both, self->pids[BEGINS], "new", NULL);
  g_assert_cmpint (get_figure (both, self->pids[BEGINS], "after"), ==, get_figure (second, self->pids[BEGINS], "pss"));
  assert_about (get_figure (both, self->pids[BEGINS], "difference"), 8);
}

static JsonObject *
get_total (JsonNode *root)
{
  return json_object_get_object_member (json_node_get_object (root), "total");
}

/* The sums are those of each file. */
static void
test_sums (Fixture *self,
           gconstpointer data)
{
  g_autoptr (JsonNode) both = cli_get_json ("--compare", self->first, self->second, "--json", "--by", "program", NULL);
  g_autoptr (JsonNode) first = cli_get_json ("--open", self->first, "--json", NULL);
  g_autoptr (JsonNode) second = cli_get_json ("--open", self->second, "--json", NULL);
  JsonArray *groups = json_object_get_array_member (json_node_get_object (both), "groups");
  guint n_found = 0;

  g_assert_cmpint (cli_json_get_int (get_total (both), "before"), ==, cli_json_get_int (get_total (first), "pss"));
  g_assert_cmpint (cli_json_get_int (get_total (both), "after"), ==, cli_json_get_int (get_total (second), "pss"));
  g_assert_cmpint (cli_json_get_int (get_total (both), "pss"), ==, cli_json_get_int (get_total (second), "pss"));
  for (guint i = 0; i < json_array_get_length (groups); i++)
    {
      JsonObject *group = json_array_get_object_element (groups, i);

      if (g_strcmp0 (cli_json_get_text (group, "name"), "fpends") != 0)
        continue;
      n_found++;
      g_assert_cmpstr (cli_json_get_text (group, "outcome"), ==, "ended");
      g_assert_cmpint (cli_json_get_int (group, "before"), ==, get_figure (first, self->pid_of_ended, "pss"));
      g_assert_cmpint (cli_json_get_int (group, "after"), ==, 0);
    }
  g_assert_cmpuint (n_found, ==, 1);
}

static JsonArray *
get_groups (JsonNode *root)
{
  return json_object_get_array_member (json_node_get_object (root), "groups");
}

/* The group of records without a name has none. */
static JsonObject *
find_group (JsonNode *root,
            JsonNode *name)
{
  JsonArray *groups = get_groups (root);

  for (guint i = 0; i < json_array_get_length (groups); i++)
    {
      JsonObject *group = json_array_get_object_element (groups, i);

      if (json_node_equal (json_object_get_member (group, "name"), name))
        return group;
    }
  return NULL;
}

/* A process that became another program or user between the two counts for what it is now at both moments, and the machine
 * that the test runs on may have some. Free the table of the groups that such processes left or came to. */
static GHashTable *
find_moved (JsonNode *first,
            JsonNode *second,
            const char *column)
{
  GHashTable *moved = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  JsonArray *processes = json_object_get_array_member (json_node_get_object (first), "processes");

  for (guint i = 0; i < json_array_get_length (processes); i++)
    {
      JsonObject *old = json_array_get_object_element (processes, i);
      JsonObject *new = cli_json_find (second, "processes", "pid", cli_json_get_int (old, "pid"));

      if (!new || json_node_equal (json_object_get_member (old, column), json_object_get_member (new, column)))
        continue;
      g_hash_table_add (moved, json_to_string (json_object_get_member (old, column), FALSE));
      g_hash_table_add (moved, json_to_string (json_object_get_member (new, column), FALSE));
    }
  return moved;
}

/* A group that is not there has nothing; one with a range has the same range in both. */
static void
assert_moment (JsonObject *group,
               const char *key,
               JsonNode *root)
{
  JsonObject *alone = find_group (root, json_object_get_member (group, "name"));

  if (!alone)
    g_assert_cmpint (cli_json_get_int (group, key), ==, 0);
  else
    g_assert_true (json_node_equal (json_object_get_member (group, key), json_object_get_member (alone, "pss")));
}

/* Users, units and all other groups: each has what it has in either file, and none is left out. */
static void
test_groups (Fixture *self,
             gconstpointer data)
{
  static const char *const by[] = { "user", "program", "unit", "app", "container" };
  g_autoptr (JsonNode) before_all = cli_get_json ("--open", self->first, "--json", NULL);
  g_autoptr (JsonNode) after_all = cli_get_json ("--open", self->second, "--json", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (by); i++)
    {
      g_autoptr (JsonNode) both = cli_get_json ("--compare", self->first, self->second, "--json", "--by", by[i], NULL);
      g_autoptr (JsonNode) first = cli_get_json ("--open", self->first, "--json", "--by", by[i], NULL);
      g_autoptr (JsonNode) second = cli_get_json ("--open", self->second, "--json", "--by", by[i], NULL);
      g_autoptr (GHashTable) moved = find_moved (before_all, after_all, i == 0 ? "account" : by[i]);
      JsonArray *groups = get_groups (both), *before = get_groups (first), *after = get_groups (second);

      for (guint g = 0; g < json_array_get_length (groups); g++)
        {
          JsonObject *group = json_array_get_object_element (groups, g);
          g_autofree char *name = json_to_string (json_object_get_member (group, "name"), FALSE);

          if (!g_hash_table_contains (moved, name))
            assert_moment (group, "before", first);
          assert_moment (group, "after", second);
        }
      for (guint g = 0; g < json_array_get_length (before); g++)
        {
          JsonNode *name = json_object_get_member (json_array_get_object_element (before, g), "name");
          g_autofree char *text = json_to_string (name, FALSE);

          g_assert_true (find_group (both, name) || g_hash_table_contains (moved, text));
        }
      for (guint g = 0; g < json_array_get_length (after); g++)
        g_assert_nonnull (find_group (both, json_object_get_member (json_array_get_object_element (after, g), "name")));
    }
}

/* The program that has grown most comes first: the known changes of these four say in which order they are. */
static void
test_order (Fixture *self,
            gconstpointer data)
{
  g_autofree char *csv = cli_get_output ("--compare", self->first, self->second, "--csv", "--filter", PROGRAMS, "--columns", "program", NULL);
  g_auto (GStrv) lines = g_strsplit (csv, "\r\n", -1);

  g_assert_cmpuint (g_strv_length (lines), >=, 5);
  g_assert_true (g_str_equal (lines[1], "fpbegins") || g_str_equal (lines[1], "fpagain"));
  g_assert_true (g_str_equal (lines[2], "fpbegins") || g_str_equal (lines[2], "fpagain"));
  g_assert_cmpstr (lines[1], !=, lines[2]);
  g_assert_cmpstr (lines[3], ==, "fpsteady");
  g_assert_cmpstr (lines[4], ==, "fpends");
}

static void
assert_line (const char *text,
             const char *pattern)
{
  if (!g_regex_match_simple (pattern, text, G_REGEX_MULTILINE, 0))
    g_error ("No “%s” in\n%s", pattern, text);
}

static void
test_for_people (Fixture *self,
                 gconstpointer data)
{
  g_autofree char *text = cli_get_output ("--compare", self->first, self->second, "--filter", PROGRAMS, NULL);

  assert_line (text, "^Before: .*, after: ");
  assert_line (text, "^ *PID +User +Before +After +Change in Memory +Change in Swap +Outcome +Program$");
  assert_line (text, "^ *\\d+ .* 1[67]\\.\\d MiB +2[45]\\.\\d MiB +\\+8\\.0 MiB .*Grown +fpagain$");
  assert_line (text, "^ *\\d+ .* 1[67]\\.\\d MiB +1[67]\\.\\d MiB +0 B .*Same +fpsteady$");
  assert_line (text, "^ *\\d+ .* 3[23]\\.\\d MiB +0 B +−3[23]\\.\\d MiB .*Ended +fpends$");
  assert_line (text, "^ *\\d+ .* 0 B +[89]\\.\\d MiB +\\+[89]\\.\\d MiB .*New +fpbegins$");
}

/* Processes that have begun come first, ended ones last; and a table for other programs has the same. */
static void
test_for_programs (Fixture *self,
                   gconstpointer data)
{
  g_autofree char *csv = cli_get_output ("--compare", self->first, self->second, "--csv", "--filter", "outcome:ended program:fpends",
                                         "--columns", "pid,program,after,outcome,difference", NULL);
  g_autofree char *expected = g_strdup_printf ("pid,program,after,outcome,difference\r\n%d,fpends,0,ended,-", self->pid_of_ended);
  g_autofree char *all = cli_get_output ("--compare", self->first, self->second, "--csv", NULL);

  g_assert_true (g_str_has_prefix (csv, expected));
  assert_line (all, "^pid,.*,before,after,difference,");
}

static void
test_with_now (Fixture *self,
               gconstpointer data)
{
  g_autoptr (JsonNode) root = cli_get_json ("--compare", self->first, "--json", NULL);

  assert_process (root, self->pids[STEADY], "same", "itself");
  assert_process (root, self->pid_of_ended, "ended", NULL);
  assert_process (root, self->pids[AGAIN], "grown", "rank");
}

static JsonObject *
find_file (JsonNode *root,
           const char *path)
{
  JsonArray *files = json_object_get_array_member (json_node_get_object (root), "files");

  for (guint i = 0; i < json_array_get_length (files); i++)
    if (g_strcmp0 (cli_json_get_text (json_array_get_object_element (files, i), "file"), path) == 0)
      return json_array_get_object_element (files, i);
  g_error ("no %s", path);
}

static void
test_files (Fixture *self,
            gconstpointer data)
{
  g_autoptr (JsonNode) root = cli_get_json ("--compare", self->first, self->second, "--by", "file", "--json", NULL);
  g_autofree char *ended = g_build_filename (self->folder, names[ENDS], NULL);
  g_autofree char *steady = g_build_filename (self->folder, names[STEADY], NULL);
  JsonObject *file = find_file (root, ended);

  g_assert_cmpstr (cli_json_get_text (file, "outcome"), ==, "ended");
  g_assert_cmpint (cli_json_get_int (file, "before"), >, 0);
  g_assert_cmpint (cli_json_get_int (file, "after"), ==, 0);
  g_assert_cmpint (cli_json_get_int (find_file (root, steady), "difference"), ==, 0);
}

static JsonArray *
get_lines (JsonNode *root)
{
  return json_object_get_array_member (json_object_get_object_member (json_node_get_object (root), "machine"), "lines");
}

static gboolean
is_exact (JsonObject *line)
{
  return cli_json_get_int (line, "bytes") == cli_json_get_int (line, "at_most");
}

/* Each line of the machine says what has changed between the two files, and all changes together are nothing. */
static void
test_system (Fixture *self,
             gconstpointer data)
{
  g_autoptr (JsonNode) both = cli_get_json ("--compare", self->first, self->second, "--system", "--json", NULL);
  g_autoptr (JsonNode) first = cli_get_json ("--open", self->first, "--system", "--json", NULL);
  g_autoptr (JsonNode) second = cli_get_json ("--open", self->second, "--system", "--json", NULL);
  g_autofree char *text = cli_get_output ("--compare", self->first, self->second, "--system", NULL);
  gint64 sum = 0;
  guint n_exact = 0;

  for (guint i = 0; i < json_array_get_length (get_lines (both)); i++)
    {
      JsonObject *line = json_array_get_object_element (get_lines (both), i);
      JsonObject *before = json_array_get_object_element (get_lines (first), i);
      JsonObject *after = json_array_get_object_element (get_lines (second), i);

      g_assert_cmpstr (cli_json_get_text (line, "line"), ==, cli_json_get_text (before, "line"));
      sum += cli_json_get_int (line, "change") + cli_json_get_int (line, "change_at_most");
      if (!is_exact (before) || !is_exact (after))
        continue;
      n_exact++;
      g_assert_cmpint (cli_json_get_int (line, "change"), ==, cli_json_get_int (after, "bytes") - cli_json_get_int (before, "bytes"));
    }
  g_assert_cmpint (sum, ==, 0);
  g_assert_cmpuint (n_exact, >=, 4);
  assert_line (text, "^Memory, and its change between the two moments$");
}

static void
test_refused (void)
{
  cli_assert_refused (1, "No such file", "--compare", "/nowhere", NULL);
  cli_assert_refused (2, "--watch", "--compare", "/nowhere", "--watch", "1", NULL);
  cli_assert_refused (2, "--save", "--compare", "/nowhere", "--save", "x", NULL);
  cli_assert_refused (2, "not an option", "--compare", "a", "b", "c", NULL);
  cli_assert_refused (2, "add --compare", "--columns", "before", NULL);
  cli_assert_refused (2, "add --save", "--with-commands", NULL);
}

/* The change, for which somebody compares, is the last figure to go. */
static void
test_narrow (Fixture *self,
             gconstpointer data)
{
  for (guint width = 50; width <= 80; width += 10)
    {
      g_autofree char *output = cli_terminal_get_output (width, "--compare", self->first, self->second, NULL);

      g_auto (GStrv) lines = g_strsplit (output, "Program", 2);

      g_assert_nonnull (strstr (lines[0], "Change in Memory"));
    }
}

#define ADD(name, func) g_test_add ("/cli/compare/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("processes", test_processes);
  ADD ("sums", test_sums);
  ADD ("groups", test_groups);
  ADD ("order", test_order);
  ADD ("for-people", test_for_people);
  ADD ("for-programs", test_for_programs);
  ADD ("with-now", test_with_now);
  ADD ("files", test_files);
  ADD ("system", test_system);
  ADD ("narrow", test_narrow);
  g_test_add_func ("/cli/compare/refused", test_refused);
  return g_test_run ();
}
