// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli-runner.h"
#include "cli-terminal.h"
#include "fp-columns.h"

/* A stopped process that shares no page with anybody, so that its figures stay as they are. */
typedef struct
{
  GPid pid;
  char *text;
  JsonNode *whole;
  JsonArray *mappings;
} Fixture;

static JsonArray *
get_array (JsonNode *root,
           const char *name)
{
  return json_object_get_array_member (json_node_get_object (root), name);
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  char *argv[] = { (char *)g_getenv ("FOOTPRINT_HOLDER"), NULL };
  int output;
  char c = 0;

  g_assert_true (g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &self->pid, NULL,
                                           &output, NULL, NULL));
  g_assert_cmpint (read (output, &c, 1), ==, 1);
  close (output);
  kill (self->pid, SIGSTOP);
  self->text = g_strdup_printf ("%d", self->pid);
  self->whole = cli_get_json ("--json", "--mappings", "--pid", self->text, NULL);
  self->mappings = get_array (self->whole, "mappings");
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  kill (self->pid, SIGKILL);
  waitpid (self->pid, NULL, 0);
  json_node_unref (self->whole);
  g_free (self->text);
}

/* The sum is of all mappings, or of those that have this text in that column. */
static gint64
sum_up (JsonArray *mappings,
        const char *by,
        const char *name,
        const char *figure)
{
  gint64 sum = 0;

  for (guint i = 0; i < json_array_get_length (mappings); i++)
    {
      JsonObject *mapping = json_array_get_object_element (mappings, i);

      if (!by || strcmp (cli_json_get_text (mapping, by), name) == 0)
        sum += figure ? cli_json_get_int (mapping, figure) : 1;
    }
  return sum;
}

static guint
compare_group (Fixture *self,
               const char *by,
               JsonObject *group)
{
  const char *name = cli_json_get_text (group, "name");
  guint n = 0;

  g_assert_cmpint (cli_json_get_int (group, "count"), ==, sum_up (self->mappings, by, name, NULL));
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    {
      const char *id = fp_field_infos[field].name;

      if (!fp_columns_find (id, FP_RECORD_FOLD) || json_object_get_null_member (group, id))
        continue;
      g_test_message ("%s %s", name, id);
      g_assert_cmpint (cli_json_get_int (group, id), ==, sum_up (self->mappings, by, name, id));
      n++;
    }
  return n;
}

static void
test_json (Fixture *self,
           gconstpointer data)
{
  static const char *const bys[] = { "kind", "file" };

  for (guint i = 0; i < G_N_ELEMENTS (bys); i++)
    {
      g_autoptr (JsonNode) root = cli_get_json ("--json", "--mappings", "--pid", self->text, "--by", bys[i], NULL);
      JsonArray *groups = get_array (root, "groups");

      g_assert_cmpuint (json_array_get_length (groups), >=, 4);
      for (guint group = 0; group < json_array_get_length (groups); group++)
        g_assert_cmpuint (compare_group (self, bys[i], json_array_get_object_element (groups, group)), >=, 20);
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        if (fp_columns_find (fp_field_infos[field].name, FP_RECORD_FOLD) &&
            !json_object_get_null_member (json_array_get_object_element (groups, 0), fp_field_infos[field].name))
          g_assert_cmpint (sum_up (groups, NULL, NULL, fp_field_infos[field].name), ==,
                           sum_up (self->mappings, NULL, NULL, fp_field_infos[field].name));
      g_assert_cmpint (sum_up (groups, NULL, NULL, "count"), ==, json_array_get_length (self->mappings));
    }
}

static void
test_csv (Fixture *self,
          gconstpointer data)
{
  g_autofree char *anonymous = g_strdup_printf ("\r\nanonymous,%" G_GINT64_FORMAT ",",
                                                sum_up (self->mappings, "kind", "anonymous", NULL));
  g_autofree char *csv = cli_get_output ("--csv", "--mappings", "--pid", self->text, "--by", "kind", NULL);

  g_assert_true (g_str_has_prefix (csv, "name,count,rss,pss,"));
  g_assert_nonnull (strstr (csv, anonymous));
}

/* The biggest first, what it is in words, and the whole as a sum. */
static void
test_table (Fixture *self,
            gconstpointer data)
{
  g_autofree char *by_kind = cli_get_output ("--mappings", "--pid", self->text, "--by", "kind", NULL);
  g_autofree char *by_file = cli_get_output ("--mappings", "--pid", self->text, "--by", "file", NULL);
  g_autofree char *sorted =
      cli_get_output ("--mappings", "--pid", self->text, "--by", "kind", "--sort", "name", "--columns", "name", NULL);
  g_autofree char *sum = g_strdup_printf ("\n *%u +[^\n]* [0-9]+ groups\n$", json_array_get_length (self->mappings));

  g_assert_true (g_regex_match_simple ("^Mappings +Size +Memory +Private +Resident +Swap +Name\n.*Anonymous\n", by_kind, 0, 0));
  g_assert_true (g_regex_match_simple (sum, by_kind, 0, 0));
  g_assert_true (g_regex_match_simple (sum, by_file, 0, 0));
  g_assert_nonnull (strstr (by_file, g_getenv ("FOOTPRINT_HOLDER")));
  g_assert_true (g_str_has_prefix (sorted, "Name\nAnonymous\nCode\n"));
}

static void
test_filtered (Fixture *self,
               gconstpointer data)
{
  g_autoptr (JsonNode) root =
      cli_get_json ("--json", "--mappings", "--pid", self->text, "--by", "file", "--filter", "kind:anonymous size>=1M", NULL);
  g_autofree char *total = cli_get_output ("--mappings", "--pid", self->text, "--by", "kind", "--total", "--columns",
                                           "size,name", "--bytes", NULL);
  g_autofree char *size = g_strdup_printf ("\n *%" G_GINT64_FORMAT " ", sum_up (self->mappings, NULL, NULL, "size"));
  JsonArray *groups = get_array (root, "groups");

  g_assert_cmpuint (json_array_get_length (groups), ==, 1);
  g_assert_cmpstr (cli_json_get_text (json_array_get_object_element (groups, 0), "name"), ==, "anonymous");
  g_assert_cmpint (cli_json_get_int (json_array_get_object_element (groups, 0), "rss"), ==, 8 << 20);
  g_assert_true (g_regex_match_simple (size, total, 0, 0));
}

/* A path that has no room loses its front. */
static void
test_narrow (Fixture *self,
             gconstpointer data)
{
  g_autofree char *output = cli_terminal_get_output (60, "--mappings", "--by", "file", "--pid", self->text, NULL);
  g_autofree char *name = g_path_get_basename (g_getenv ("FOOTPRINT_HOLDER"));
  g_autofree char *tail = g_strdup_printf ("…[^\n]*%s", name + strlen (name) - 8);

  g_assert_true (g_regex_match_simple (tail, output, 0, 0));
}

#define ADD(name, func) g_test_add ("/cli/mappings/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  ADD ("json", test_json);
  ADD ("csv", test_csv);
  ADD ("table", test_table);
  ADD ("filtered", test_filtered);
  ADD ("narrow", test_narrow);
  return g_test_run ();
}
