// SPDX-License-Identifier: GPL-3.0-or-later
/* --freed: what it says of processes that are known. That it comes true is tested by ending them, in tests/live. */
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli-runner.h"

#define MIB ((gint64)1 << 20)

typedef struct
{
  GPid pid;
  FILE *orders;
  char *text; /* its PID */
} Holder;

static void
holder_start (Holder *self,
              const char *kind,
              const char *size,
              const char *path)
{
  const char *argv[] = { g_getenv ("FOOTPRINT_ENDING_HOLDER"), kind, size, path, NULL };
  g_autoptr (GError) error = NULL;
  char line[256] = "";
  FILE *answers;
  int in, out;

  g_spawn_async_with_pipes (NULL, (char **)argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &self->pid, &in, &out, NULL,
                            &error);
  g_assert_no_error (error);
  self->orders = fdopen (in, "w");
  self->text = g_strdup_printf ("%d", self->pid);
  answers = fdopen (out, "r");
  while (!g_str_has_prefix (line, "ready") && fgets (line, sizeof line, answers))
    continue;
  g_assert_true (g_str_has_prefix (line, "ready"));
  fclose (answers);
}

static void
holder_stop (Holder *self)
{
  fclose (self->orders);
  kill (self->pid, SIGKILL);
  waitpid (self->pid, NULL, 0);
  g_free (self->text);
}

static JsonObject *
get_freed (JsonNode *root)
{
  return json_object_get_object_member (json_node_get_object (root), "freed");
}

static gint64
get_end (JsonObject *freed,
         const char *amount,
         const char *end)
{
  return cli_json_get_int (json_object_get_object_member (freed, amount), end);
}

static void
test_private (void)
{
  Holder holder;
  g_autofree char *output = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonObject *freed;

  holder_start (&holder, "private", "24", NULL);
  output = cli_get_output ("--pid", holder.text, "--freed", NULL);
  root = cli_get_json ("--pid", holder.text, "--freed", "--json", NULL);
  holder_stop (&holder);
  freed = get_freed (root);
  g_test_message ("%s", output);
  g_assert_true (g_str_has_prefix (output, "Ending it gives back 24."));
  g_assert_nonnull (strstr (output, "MiB  given back now\n"));
  g_assert_cmpint (cli_json_get_int (freed, "processes"), ==, 1);
  g_assert_cmpint (get_end (freed, "memory", "at_least"), >=, 24 * MIB);
  g_assert_cmpint (get_end (freed, "memory", "at_most"), <, 26 * MIB);
}

/* It has a name, so it stays; nothing of it is counted as free. */
static void
test_named (void)
{
  g_autofree char *path = g_strdup_printf ("/dev/shm/footprint-test-freed-%d", getpid ());
  g_autofree char *line = g_strdup_printf ("12.0 MiB  stay in %s\n", path);
  g_autofree char *output = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonArray *stays;
  Holder holder;

  holder_start (&holder, "file", "12", path);
  output = cli_get_output ("--pid", holder.text, "--freed", NULL);
  root = cli_get_json ("--pid", holder.text, "--freed", "--json", NULL);
  holder_stop (&holder);
  g_unlink (path);
  stays = json_object_get_array_member (get_freed (root), "stays");
  g_test_message ("%s", output);
  g_assert_nonnull (strstr (output, line));
  g_assert_cmpuint (json_array_get_length (stays), ==, 1);
  g_assert_cmpint (cli_json_get_int (json_array_get_object_element (stays, 0), "bytes"), ==, 12 * MIB);
  g_assert_cmpint (get_end (get_freed (root), "memory", "at_most"), <, 2 * MIB);
}

/* The lower end of another user's is what is known, and nothing is known of the upper one. */
static void
test_unread (void)
{
  g_auto (CliResult) text = { 0 }, json = { 0 };
  g_autoptr (JsonNode) root = NULL;
  JsonObject *memory;
  Holder holder;

  if (geteuid () != 0)
    {
      g_test_skip ("only root can be another user");
      return;
    }
  holder_start (&holder, "private", "8", NULL);
  cli_run_as_nobody (&text, "--pid", holder.text, "--freed", NULL);
  cli_run_as_nobody (&json, "--pid", holder.text, "--freed", "--json", NULL);
  holder_stop (&holder);
  g_test_message ("%s", text.out);
  g_assert_cmpint (text.status, ==, 0);
  g_assert_cmpstr (text.out, ==, "How much memory ending it gives back is not known.\n");
  root = cli_parse_json (json.out);
  memory = json_object_get_object_member (get_freed (root), "memory");
  g_assert_cmpint (cli_json_get_int (memory, "at_least"), ==, 0);
  g_assert_true (json_object_get_null_member (memory, "at_most"));
}

static void
test_refused (void)
{
  g_autofree char *self = g_strdup_printf ("%d", getpid ());

  cli_assert_refused (2, "--pid", "--freed", NULL);
  cli_assert_refused (2, "--csv", "--pid", self, "--freed", "--csv", NULL);
  cli_assert_refused (2, "--mappings", "--pid", self, "--freed", "--mappings", NULL);
  cli_assert_refused (2, "--by", "--pid", self, "--freed", "--by", "user", NULL);
  cli_assert_refused (2, "--total", "--pid", self, "--freed", "--total", NULL);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/freed/private", test_private);
  g_test_add_func ("/cli/freed/named", test_named);
  g_test_add_func ("/cli/freed/unread", test_unread);
  g_test_add_func ("/cli/freed/refused", test_refused);
  return g_test_run ();
}
