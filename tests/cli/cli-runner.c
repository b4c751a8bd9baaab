// SPDX-License-Identifier: GPL-3.0-or-later
#include <ftw.h>
#include <glib/gstdio.h>
#include <grp.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli-runner.h"

#define NOBODY 65534

static void
become_nobody (gpointer data)
{
  if (setgroups (0, NULL) != 0 || setgid (NOBODY) != 0 || setuid (NOBODY) != 0)
    _exit (99);
}

static void
spawn (CliResult *self,
       char **argv,
       GSpawnChildSetupFunc setup)
{
  g_autoptr (GError) error = NULL;
  int wait_status;

  g_spawn_sync (NULL, argv, NULL, G_SPAWN_CHILD_INHERITS_STDIN, setup, NULL, &self->out, &self->err, &wait_status,
                &error);
  g_assert_no_error (error);
  self->status = WIFEXITED (wait_status) ? WEXITSTATUS (wait_status) : 128 + WTERMSIG (wait_status);
  if (strstr (self->err, "Sanitizer") || strstr (self->err, "runtime error"))
    g_test_message ("%s", self->err);
  g_assert_null (strstr (self->err, "Sanitizer"));
  g_assert_null (strstr (self->err, "runtime error"));
}

/* In a container each table ends with the tasks that are outside, of which test-cli-table tells in a namespace of its own. */
static void
drop_hidden_tasks (CliResult *self)
{
  g_autoptr (GRegex) line = g_regex_new ("^[0-9]+ tasks? of this machine (is|are) hidden from here\\.\n\\Z", G_REGEX_MULTILINE, 0, NULL);
  char *rest = g_regex_replace_literal (line, self->out, -1, 0, "", 0, NULL);

  g_assert_nonnull (rest);
  g_free (self->out);
  self->out = rest;
}

static void
add_arguments (GPtrArray *argv,
               va_list arguments)
{
  char *argument;

  while ((argument = va_arg (arguments, char *)))
    g_ptr_array_add (argv, argument);
}

static GPtrArray *
make_argv (void)
{
  GPtrArray *argv = g_ptr_array_new ();
  const char *program = g_getenv ("FOOTPRINT_CLI");

  g_assert_nonnull (program);
  g_ptr_array_add (argv, (gpointer)program);
  return argv;
}

void
cli_run_argv (CliResult *self,
              char **arguments)
{
  g_autoptr (GPtrArray) argv = make_argv ();

  for (; *arguments; arguments++)
    g_ptr_array_add (argv, *arguments);
  g_ptr_array_add (argv, NULL);
  spawn (self, (char **)argv->pdata, NULL);
  drop_hidden_tasks (self);
}

static void
run_list (CliResult *self,
          const char *first,
          va_list arguments,
          GSpawnChildSetupFunc setup)
{
  g_autoptr (GPtrArray) argv = make_argv ();

  if (first)
    {
      g_ptr_array_add (argv, (gpointer)first);
      add_arguments (argv, arguments);
    }
  g_ptr_array_add (argv, NULL);
  spawn (self, (char **)argv->pdata, setup);
  drop_hidden_tasks (self);
}

#define RUN_REST(result, last, setup)      \
  G_STMT_START                             \
  {                                        \
    va_list rest;                          \
    const char *first;                     \
                                           \
    va_start (rest, last);                 \
    first = va_arg (rest, const char *);   \
    run_list (result, first, rest, setup); \
    va_end (rest);                         \
  }                                        \
  G_STMT_END

void
cli_run (CliResult *self,
         ...)
{
  RUN_REST (self, self, NULL);
}

/* As it is where that is somebody without rights already. */
void
cli_run_as_nobody (CliResult *self,
                   ...)
{
  RUN_REST (self, self, geteuid () == 0 ? become_nobody : NULL);
}

/* $CLI is the program. */
void
cli_run_shell (CliResult *self,
               const char *script)
{
  char *argv[] = { (char *)"/bin/sh", (char *)"-c", (char *)script, NULL };

  g_setenv ("CLI", g_getenv ("FOOTPRINT_CLI"), TRUE);
  spawn (self, argv, NULL);
}

void
cli_result_clear (CliResult *self)
{
  g_clear_pointer (&self->out, g_free);
  g_clear_pointer (&self->err, g_free);
}

static char *
take_output (CliResult *result)
{
  g_assert_cmpstr (result->err, ==, "");
  g_assert_cmpint (result->status, ==, 0);
  return g_steal_pointer (&result->out);
}

char *
cli_get_output (const char *first,
                ...)
{
  g_auto (CliResult) result = { 0 };
  va_list rest;

  va_start (rest, first);
  run_list (&result, first, rest, NULL);
  va_end (rest);
  return take_output (&result);
}

JsonNode *
cli_parse_json (const char *text)
{
  g_autoptr (GError) error = NULL;
  JsonNode *root;

  g_assert_true (g_utf8_validate (text, -1, NULL));
  root = json_from_string (text, &error);
  g_assert_no_error (error);
  g_assert_true (JSON_NODE_HOLDS_OBJECT (root));
  return root;
}

JsonNode *
cli_get_json (const char *first,
              ...)
{
  g_auto (CliResult) result = { 0 };
  g_autofree char *text = NULL;
  va_list rest;

  va_start (rest, first);
  run_list (&result, first, rest, NULL);
  va_end (rest);
  text = take_output (&result);
  return cli_parse_json (text);
}

/* Nothing on stdout, one line on stderr that has this part. */
void
cli_assert_refused (int status,
                    const char *part,
                    ...)
{
  g_auto (CliResult) result = { 0 };

  RUN_REST (&result, part, NULL);
  g_test_message ("%s", result.err);
  g_assert_cmpstr (result.out, ==, "");
  g_assert_true (g_str_has_prefix (result.err, "footprint-cli: "));
  g_assert_cmpuint (strcspn (result.err, "\n"), ==, strlen (result.err) - 1);
  g_assert_nonnull (strstr (result.err, part));
  g_assert_cmpint (result.status, ==, status);
}

JsonObject *
cli_json_find (JsonNode *root,
               const char *array,
               const char *key,
               gint64 value)
{
  JsonArray *list = json_object_get_array_member (json_node_get_object (root), array);

  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonObject *object = json_array_get_object_element (list, i);

      if (json_object_get_int_member (object, key) == value)
        return object;
    }
  return NULL;
}

gint64
cli_json_get_int (JsonObject *object,
                  const char *key)
{
  JsonNode *node = json_object_get_member (object, key);

  g_assert_nonnull (node);
  g_assert_true (JSON_NODE_HOLDS_VALUE (node));
  g_assert_cmpint (json_node_get_value_type (node), ==, G_TYPE_INT64);
  return json_node_get_int (node);
}

const char *
cli_json_get_text (JsonObject *object,
                   const char *key)
{
  JsonNode *node = json_object_get_member (object, key);

  g_assert_nonnull (node);
  g_assert_true (JSON_NODE_HOLDS_VALUE (node));
  g_assert_cmpint (json_node_get_value_type (node), ==, G_TYPE_STRING);
  return json_node_get_string (node);
}

char *
cli_make_folder (void)
{
  char *folder = g_dir_make_tmp ("footprint-cli-XXXXXX", NULL);

  g_assert_nonnull (folder);
  return folder;
}

static int
remove_entry (const char *path,
              const struct stat *st,
              int type,
              struct FTW *ftw)
{
  return remove (path);
}

void
cli_remove_folder (char *folder)
{
  g_assert_cmpint (nftw (folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS), ==, 0);
  g_free (folder);
}
