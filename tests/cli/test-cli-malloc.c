// SPDX-License-Identifier: GPL-3.0-or-later
/* --malloc: the words and the JSON. That its figures are those of mallinfo2 () is tested in tests/live. */
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli-runner.h"

#define MIB ((gint64)1024 * 1024)

typedef struct
{
  GPid child;
  char *pid;
} Holder;

static Holder half;

static void
end_with_test (gpointer data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

/* It has written its line once its heap is as it stays. */
static void
holder_start (Holder *self,
              const char *kind)
{
  char *argv[] = { (char *)g_getenv ("FOOTPRINT_MALLOC_HOLDER"), (char *)kind, NULL }, sign;
  g_autoptr (GError) error = NULL;
  int out;

  g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, end_with_test, NULL, &self->child, NULL, &out, NULL, &error);
  g_assert_no_error (error);
  do
    g_assert_cmpint (read (out, &sign, 1), ==, 1);
  while (sign != '\n');
  close (out);
  self->pid = g_strdup_printf ("%d", self->child);
}

static void
holder_stop (Holder *self)
{
  kill (self->child, SIGKILL);
  waitpid (self->child, NULL, 0);
  g_free (self->pid);
}

static gboolean
is_known (const CliResult *result)
{
  if (!strstr (result->err, "Footprint knows the heap of"))
    return TRUE;
  g_test_skip ("This machine's glibc is not one whose heap is known");
  return FALSE;
}

static void
test_json (void)
{
  static const char *const parts[] = { "used", "cached", "fast", "free", "top" };
  g_auto (CliResult) result = { 0 };
  g_autoptr (JsonNode) root = NULL;
  JsonObject *all;
  gint64 sum = 0;

  cli_run (&result, "--pid", half.pid, "--malloc", "--json", NULL);
  if (!is_known (&result))
    return;
  g_assert_cmpstr (result.err, ==, "");
  root = cli_parse_json (result.out);
  all = json_node_get_object (root);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    sum += cli_json_get_int (all, parts[i]);
  g_assert_cmpint (sum, ==, cli_json_get_int (all, "held"));
  g_assert_cmpint (cli_json_get_int (all, "whole"), ==, sum + cli_json_get_int (all, "mapped"));
  g_assert_cmpint (cli_json_get_int (all, "free"), >, 23 * MIB);
  g_assert_cmpint (cli_json_get_int (all, "used"), >, 24 * MIB);
  g_assert_cmpint (cli_json_get_int (all, "used"), <, 25 * MIB);
  g_assert_cmpint (cli_json_get_int (all, "used_least"), ==, cli_json_get_int (all, "used"));
  g_assert_cmpint (json_array_get_length (json_object_get_array_member (all, "arenas")), ==, 1);
  g_assert_true (g_str_has_prefix (cli_json_get_text (all, "glibc"), "2."));
}

static void
test_table (void)
{
  g_auto (CliResult) result = { 0 };

  cli_run (&result, "--pid", half.pid, "--malloc", NULL);
  if (!is_known (&result))
    return;
  g_test_message ("%s", result.out);
  g_assert_true (g_regex_match_simple ("^Of 48\\.\\d MiB of heap, 24\\.\\d MiB is in use\\. 2\\d\\.\\d MiB is free, but not returned to the system\\.\n",
                                       result.out, 0, 0));
  g_assert_true (g_regex_match_simple ("\n +24\\.\\d MiB  In use\n +0 B  Large blocks in use\n", result.out, 0, 0));
  g_assert_true (g_regex_match_simple ("\n +48\\.\\d MiB  All of it\n\n +Blocks +In Use +Free Blocks +Free  Block Size\n", result.out, 0, 0));
  g_assert_true (g_regex_match_simple ("\n +1536 +24\\.\\d MiB +\\d+ +\\d+\\.\\d MiB  Up to 16\\.0 KiB\n", result.out, 0, 0));
}

/* A program that moves the end of [heap] itself: blocks behind that are counted, and their sizes are not known. */
static void
test_cut (void)
{
  g_auto (CliResult) result = { 0 }, json = { 0 }, whole = { 0 };
  g_autoptr (JsonNode) root = NULL, whole_root = NULL;
  Holder beside;

  holder_start (&beside, "beside");
  cli_run (&result, "--pid", beside.pid, "--malloc", NULL);
  cli_run (&json, "--pid", beside.pid, "--malloc", "--json", NULL);
  holder_stop (&beside);
  if (!is_known (&result))
    return;
  g_test_message ("%s", result.out);
  g_assert_nonnull (strstr (result.out, "The program also extended the heap by itself. Sizes of blocks behind that are not known.\n"));
  root = cli_parse_json (json.out);
  g_assert_true (json_object_get_boolean_member (json_node_get_object (root), "sizes_are_cut"));
  cli_run (&whole, "--pid", half.pid, "--malloc", "--json", NULL);
  whole_root = cli_parse_json (whole.out);
  g_assert_false (json_object_get_boolean_member (json_node_get_object (whole_root), "sizes_are_cut"));
}

static void
test_refused (void)
{
  cli_assert_refused (2, "--malloc is about one process; name it with --pid", "--malloc", NULL);
  cli_assert_refused (2, "--malloc is about one process; name it with --pid", "--malloc", "--pid", "1,2", NULL);
  cli_assert_refused (2, "--malloc and --by cannot be used together", "--malloc", "--pid", "1", "--by", "user", NULL);
  cli_assert_refused (2, "--malloc and --freed cannot be used together", "--malloc", "--pid", "1", "--freed", NULL);
  cli_assert_refused (2, "--malloc and --sections cannot be used together", "--malloc", "--pid", "1", "--sections", "/x", NULL);
  cli_assert_refused (2, "--malloc and --watch cannot be used together", "--malloc", "--pid", "1", "--watch", "1", NULL);
  cli_assert_refused (2, "--malloc and --csv cannot be used together", "--malloc", "--pid", "1", "--csv", NULL);
}

/* The processes of others stay closed. */
static void
test_others (void)
{
  g_auto (CliResult) result = { 0 };

  if (geteuid () != 0)
    {
      g_test_skip ("Only root can be somebody else");
      return;
    }
  cli_run_as_nobody (&result, "--pid", half.pid, "--malloc", NULL);
  g_assert_cmpint (result.status, ==, 1);
  g_assert_nonnull (strstr (result.err, "You may not read the memory of process"));
  g_assert_cmpstr (result.out, ==, "");
}

int
main (int argc,
      char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  holder_start (&half, "half");
  g_test_add_func ("/cli/malloc/json", test_json);
  g_test_add_func ("/cli/malloc/table", test_table);
  g_test_add_func ("/cli/malloc/cut", test_cut);
  g_test_add_func ("/cli/malloc/refused", test_refused);
  g_test_add_func ("/cli/malloc/others", test_others);
  status = g_test_run ();
  holder_stop (&half);
  return status;
}
