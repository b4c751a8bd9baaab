// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>
#include <unistd.h>

#include "cli-runner.h"
#include "fp-columns.h"

typedef struct
{
  char *folder;
  char *saved;
  JsonNode *processes;
} Fixture;

/* The users of a container are others, although their names may be the same. */
static const struct
{
  const char *by;
  const char *column;
} bys[] = {
  { "program", "program" },
  { "app", "app" },
  { "unit", "unit" },
  { "user", "account" },
  { "container", "container" },
};

static void
set_up (Fixture *self,
        gconstpointer data)
{
  g_autofree char *output = NULL;

  self->folder = cli_make_folder ();
  self->saved = g_build_filename (self->folder, "saved", NULL);
  output = cli_get_output ("--save", self->saved, NULL);
  self->processes = cli_get_json ("--open", self->saved, "--json", NULL);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  json_node_unref (self->processes);
  g_free (self->saved);
  cli_remove_folder (self->folder);
}

static JsonArray *
get_array (JsonNode *root,
           const char *name)
{
  return json_object_get_array_member (json_node_get_object (root), name);
}

static const char *
get_text_or_empty (JsonObject *object,
                   const char *key)
{
  return json_object_get_null_member (object, key) ? "" : cli_json_get_text (object, key);
}

/* Sums of what is known; -1 where nothing is. */
static gint64
sum_up (JsonArray *objects,
        const char *by,
        const char *name,
        const char *key)
{
  gint64 sum = -1;

  for (guint i = 0; i < json_array_get_length (objects); i++)
    {
      JsonObject *object = json_array_get_object_element (objects, i);

      if ((by && strcmp (get_text_or_empty (object, by), name) != 0) || json_object_get_null_member (object, key))
        continue;
      sum = MAX (sum, 0) + cli_json_get_int (object, key);
    }
  return sum;
}

static guint
count_unknown (JsonArray *objects,
               const char *by,
               const char *name,
               const char *key)
{
  guint n = 0;

  for (guint i = 0; i < json_array_get_length (objects); i++)
    {
      JsonObject *object = json_array_get_object_element (objects, i);

      n += strcmp (get_text_or_empty (object, by), name) == 0 && json_object_get_null_member (object, key);
    }
  return n;
}

static void
compare_group (JsonArray *processes,
               const char *by,
               JsonObject *group)
{
  const char *name = get_text_or_empty (group, "name");

  for (FpField field = 0; field < FP_N_FIELDS; field++)
    {
      const char *key = fp_field_infos[field].name;
      gint64 expected;

      if (!fp_field_is_summed (field) || fp_field_infos[field].origin == FP_ORIGIN_MAPPING)
        continue;
      expected = sum_up (processes, by, name, key);
      g_test_message ("%s “%s” %s: %" G_GINT64_FORMAT, by, name, key, expected);
      /* Nothing is known, too, where the sum is 0 and members that can't be read may have more. */
      if (!json_object_get_null_member (group, key))
        g_assert_cmpint (cli_json_get_int (group, key), ==, expected);
      else if (expected != 0)
        g_assert_cmpint (expected, ==, -1);
      else
        g_assert_cmpuint (count_unknown (processes, by, name, key), >, 0);
    }
}

static void
test_sums (Fixture *self,
           gconstpointer data)
{
  JsonArray *processes = get_array (self->processes, "processes");

  for (guint i = 0; i < G_N_ELEMENTS (bys); i++)
    {
      g_autoptr (JsonNode) root = cli_get_json ("--open", self->saved, "--by", bys[i].by, "--json", NULL);
      JsonArray *groups = get_array (root, "groups");

      g_assert_cmpint (sum_up (groups, NULL, NULL, "count"), ==, json_array_get_length (processes));
      for (guint group = 0; group < json_array_get_length (groups); group++)
        compare_group (processes, bys[i].column, json_array_get_object_element (groups, group));
    }
}

static void
test_process (Fixture *self,
              gconstpointer data)
{
  g_autofree char *plain = cli_get_output ("--open", self->saved, NULL);
  g_autofree char *by = cli_get_output ("--open", self->saved, "--by", "process", NULL);

  g_assert_cmpstr (plain, ==, by);
}

static void
test_unread (Fixture *self,
             gconstpointer data)
{
  JsonArray *processes = get_array (self->processes, "processes");
  g_autoptr (JsonNode) root = cli_get_json ("--open", self->saved, "--by", "user", "--json", NULL);
  guint n = 0;

  for (guint i = 0; i < json_array_get_length (processes); i++)
    {
      JsonObject *process = json_array_get_object_element (processes, i);
      const char *reason = get_text_or_empty (process, "reason");

      n += !json_object_get_boolean_member (process, "readable") && strcmp (reason, "zombie") != 0 &&
           !g_str_has_prefix (reason, "shared memory") && strcmp (reason, "ended") != 0;
    }
  g_assert_cmpint (sum_up (get_array (root, "groups"), NULL, NULL, "unread"), ==, n);
  g_assert_cmpint (cli_json_get_int (json_object_get_object_member (json_node_get_object (root), "total"), "unread"),
                   ==, n);
}

/* A filter of processes comes first, then they are summed. */
static void
test_filtered (Fixture *self,
               gconstpointer data)
{
  g_autofree char *pid = g_strdup_printf ("%d", getpid ());
  g_autoptr (JsonNode) root = cli_get_json ("--open", self->saved, "--by", "program", "--pid", pid, "--json", NULL);
  JsonArray *groups = get_array (root, "groups");

  g_assert_cmpuint (json_array_get_length (groups), ==, 1);
  g_assert_cmpint (cli_json_get_int (json_array_get_object_element (groups, 0), "count"), ==, 1);
  g_assert_true (
      g_str_has_prefix (cli_json_get_text (json_array_get_object_element (groups, 0), "name"), "test-cli-groups"));
}

static void
test_order (Fixture *self,
            gconstpointer data)
{
  g_autoptr (JsonNode) root =
      cli_get_json ("--open", self->saved, "--by", "program", "--sort", "count", "--json", NULL);
  JsonArray *groups = get_array (root, "groups");

  for (guint i = 1; i < json_array_get_length (groups); i++)
    g_assert_cmpint (cli_json_get_int (json_array_get_object_element (groups, i - 1), "count"), >=,
                     cli_json_get_int (json_array_get_object_element (groups, i), "count"));
}

/* Users as numbers are groups of their own, whatever their names. */
static void
test_numeric (Fixture *self,
              gconstpointer data)
{
  g_autoptr (JsonNode) root = cli_get_json ("--open", self->saved, "--by", "user", "--numeric", "--json", NULL);
  JsonArray *groups = get_array (root, "groups");

  for (guint i = 0; i < json_array_get_length (groups); i++)
    {
      const char *name = cli_json_get_text (json_array_get_object_element (groups, i), "name");
      guint64 uid;

      g_assert_true (g_ascii_string_to_unsigned (name, 10, 0, G_MAXUINT32, &uid, NULL));
    }
}

#define ADD(name, func) g_test_add ("/cli/groups/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("sums", test_sums);
  ADD ("process", test_process);
  ADD ("unread", test_unread);
  ADD ("filtered", test_filtered);
  ADD ("order", test_order);
  ADD ("numeric", test_numeric);
  return g_test_run ();
}
