// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli-runner.h"
#include "fp-memory.h"

#define N_TRIES 50

/* Gives what it says when it is ready. */
static GPid
start_holder (const char *what,
              char **said)
{
  char *argv[] = { (char *)g_getenv ("FOOTPRINT_HOLDER"), (char *)what, NULL };
  g_autoptr (GString) line = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  int output;
  char c;
  GPid pid;

  g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, NULL, &output, NULL, &error);
  g_assert_no_error (error);
  while (read (output, &c, 1) == 1 && c != '\n')
    g_string_append_c (line, c);
  g_assert_cmpint (c, ==, '\n');
  close (output);
  kill (pid, SIGSTOP);
  if (said)
    *said = g_string_free (g_steal_pointer (&line), FALSE);
  return pid;
}

static void
stop_holder (GPid pid)
{
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
}

static char *
read_rollup (gint pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/smaps_rollup", pid);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

/* In bytes, or -1 where this kernel has no such line. */
static gint64
find_line (const char *text,
           const char *key)
{
  g_autofree char *line = g_strdup_printf ("\n%.*s:", (int)strcspn (key, ":"), key);
  const char *found = strstr (text, line);

  return found ? atoll (found + strlen (line)) * 1024 : -1;
}

static JsonNode *
get_process (gint pid,
             char **rollup)
{
  g_autofree char *text = g_strdup_printf ("%d", pid);

  for (guint i = 0; i < N_TRIES; i++)
    {
      g_autofree char *before = read_rollup (pid);
      g_autoptr (JsonNode) root = cli_get_json ("--json", "--pid", text, NULL);
      g_autofree char *after = read_rollup (pid);

      if (strcmp (before, after) == 0)
        {
          *rollup = g_steal_pointer (&after);
          return g_steal_pointer (&root);
        }
    }
  g_error ("The figures of a program without libraries, stopped, never stood still");
}

static guint
compare_lines (JsonObject *process,
               const char *rollup)
{
  guint n = 0;

  for (FpField field = 0; field < FP_N_FIELDS; field++)
    {
      const FpFieldInfo *info = &fp_field_infos[field];
      gint64 expected;

      if (info->origin != FP_ORIGIN_SMAPS)
        continue;
      expected = find_line (rollup, info->key);
      g_test_message ("%s %" G_GINT64_FORMAT, info->name, expected);
      if (expected < 0)
        g_assert_true (json_object_get_null_member (process, info->name));
      else
        g_assert_cmpint (cli_json_get_int (process, info->name), ==, expected);
      n += expected >= 0;
    }
  return n;
}

static void
test_rollup (void)
{
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *rollup = NULL;
  GPid pid = start_holder (NULL, NULL);
  JsonObject *process;

  root = get_process (pid, &rollup);
  stop_holder (pid);
  process = cli_json_find (root, "processes", "pid", pid);
  g_assert_cmpuint (compare_lines (process, rollup), >=, 17);
  g_assert_cmpint (cli_json_get_int (process, "uss"), ==,
                   find_line (rollup, "Private_Clean") + find_line (rollup, "Private_Dirty"));
  g_assert_cmpint (cli_json_get_int (process, "shared"), ==,
                   find_line (rollup, "Shared_Clean") + find_line (rollup, "Shared_Dirty"));
  g_assert_cmpint (cli_json_get_int (process, "memory_and_swap"), ==,
                   find_line (rollup, "Pss") + find_line (rollup, "SwapPss"));
  g_assert_cmpint (cli_json_get_int (process, "lazyfree"), ==, 2 << 20);
  g_assert_cmpint (cli_json_get_int (process, "locked"), ==, 1 << 20);
  g_assert_cmpint (cli_json_get_int (process, "uss"), >=, 8 << 20);
  g_assert_cmpstr (cli_json_get_text (process, "state"), ==, "T");
}

static gint64
sum_mappings (JsonArray *mappings,
              const char *key)
{
  gint64 sum = 0;

  for (guint i = 0; i < json_array_get_length (mappings); i++)
    sum += cli_json_get_int (json_array_get_object_element (mappings, i), key);
  return sum;
}

/* Each line of smaps is cut to whole kB, so its PSS may add up to less, by below 1 kB a mapping. */
static void
test_mappings (void)
{
  static const char *const exact[] = { "rss", "private_clean", "private_dirty", "shared_clean", "shared_dirty",
                                       "anonymous_whole", "swap_whole", "lazyfree", "locked" };
  g_autoptr (JsonNode) process_root = NULL, root = NULL;
  g_autofree char *rollup = NULL;
  GPid pid = start_holder (NULL, NULL);
  g_autofree char *text = g_strdup_printf ("%d", pid);
  JsonArray *mappings;
  JsonObject *process;
  gint64 pss;

  root = cli_get_json ("--json", "--mappings", "--pid", text, NULL);
  process_root = get_process (pid, &rollup);
  stop_holder (pid);
  process = cli_json_find (process_root, "processes", "pid", pid);
  mappings = json_object_get_array_member (json_node_get_object (root), "mappings");
  for (guint i = 0; i < G_N_ELEMENTS (exact); i++)
    g_assert_cmpint (sum_mappings (mappings, exact[i]), ==, cli_json_get_int (process, exact[i]));
  g_assert_cmpint (sum_mappings (mappings, "uss") + sum_mappings (mappings, "shared"), ==,
                   cli_json_get_int (process, "rss"));
  pss = sum_mappings (mappings, "pss");
  g_assert_cmpint (pss, <=, cli_json_get_int (process, "pss"));
  g_assert_cmpint (pss, >, cli_json_get_int (process, "pss") - 1024 * json_array_get_length (mappings));
}

/* Four workers that never wrote what they share: each counts a fourth, and all four count. */
static void
test_forks (void)
{
  g_autofree char *children = NULL;
  GPid pid = start_holder ("share", &children);
  g_autofree char *list = g_strdup_printf ("%d,%s", pid, children);
  g_autoptr (JsonNode) root = cli_get_json ("--json", "--pid", list, NULL);
  JsonArray *processes = json_object_get_array_member (json_node_get_object (root), "processes");
  JsonObject *total = json_object_get_object_member (json_node_get_object (root), "total");

  stop_holder (pid);
  g_assert_cmpuint (json_array_get_length (processes), ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      JsonObject *process = json_array_get_object_element (processes, i);

      g_assert_cmpint (cli_json_get_int (process, "pss_anon"), >=, 4 << 20);
      g_assert_cmpint (cli_json_get_int (process, "pss_anon"), <, (4 << 20) + (128 << 10));
      g_assert_cmpint (cli_json_get_int (process, "rss"), >=, 16 << 20);
      g_assert_cmpint (cli_json_get_int (process, "uss"), <, 1 << 20);
    }
  g_assert_cmpint (cli_json_get_int (total, "count"), ==, 4);
  g_assert_cmpint (cli_json_get_int (total, "pss_anon"), >=, 16 << 20);
  g_assert_cmpint (cli_json_get_int (total, "pss_anon"), <, (16 << 20) + (512 << 10));
}

static void
test_status (void)
{
  g_autofree char *pid = g_strdup_printf ("%d", getpid ());
  g_autoptr (JsonNode) root = cli_get_json ("--json", "--pid", pid, NULL);
  JsonObject *process = cli_json_find (root, "processes", "pid", getpid ());

  g_assert_cmpint (cli_json_get_int (process, "threads"), >=, 1);
  g_assert_cmpint (cli_json_get_int (process, "pte"), >, 0);
  g_assert_cmpint (cli_json_get_int (process, "minor_faults"), >, 0);
  g_assert_cmpint (cli_json_get_int (process, "vm_size"), >, cli_json_get_int (process, "rss"));
  g_assert_cmpint (cli_json_get_int (process, "peak_rss"), >=, cli_json_get_int (process, "rss"));
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/figures/rollup", test_rollup);
  g_test_add_func ("/cli/figures/mappings", test_mappings);
  g_test_add_func ("/cli/figures/forks", test_forks);
  g_test_add_func ("/cli/figures/status", test_status);
  return g_test_run ();
}
