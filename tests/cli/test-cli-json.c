// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "cli-runner.h"
#include "fp-columns.h"
#include "live-process.h"

static const char *const process_figures[] = {
  "pss", "uss", "rss", "shared", "swap_whole", "swap", "pss_anon", "pss_file",
  "pss_shmem", "pss_dirty", "private_clean", "private_dirty", "shared_clean", "shared_dirty", "referenced", "anonymous_whole",
  "lazyfree", "ksm", "anon_huge", "hugetlb", "locked", "pte", NULL
};
static const char *const process_texts[] = { "user", "program", "app", "unit", "container",
                                             "comm", "command", "state", "reason", NULL };
static const char *const group_keys[] = { "name", "count", "unread", "pss", "uss",
                                          "rss", "shared", "swap_whole", "swap", NULL };

static void
assert_value_or_null (JsonObject *object,
                      const char *key,
                      GType type)
{
  JsonNode *node = json_object_get_member (object, key);

  if (!node)
    g_error ("There is no “%s”", key);
  if (!JSON_NODE_HOLDS_NULL (node))
    g_assert_cmpint (json_node_get_value_type (node), ==, type);
}

static char *
make_pid (gint pid)
{
  return g_strdup_printf ("%d", pid);
}

static void
test_top (void)
{
  g_autoptr (JsonNode) root = cli_get_json ("--json", NULL);
  JsonObject *object = json_node_get_object (root);
  g_autoptr (GDateTime) taken_at = NULL;
  JsonObject *system;

  g_assert_cmpint (cli_json_get_int (object, "schema"), ==, 2);
  taken_at = g_date_time_new_from_iso8601 (cli_json_get_text (object, "taken_at"), NULL);
  g_assert_nonnull (taken_at);
  g_assert_cmpint (ABS (g_date_time_to_unix (taken_at) - g_get_real_time () / G_USEC_PER_SEC), <, 120);
  system = json_object_get_object_member (object, "system");
  g_assert_nonnull (system);
  g_assert_nonnull (json_object_get_array_member (system, "ledger"));
  g_assert_nonnull (json_object_get_array_member (system, "swaps"));
  g_assert_nonnull (json_object_get_array_member (object, "processes"));
  g_assert_nonnull (cli_json_find (root, "processes", "pid", getpid ()));
}

static void
test_process_keys (void)
{
  g_autoptr (JsonNode) root = cli_get_json ("--json", NULL);
  JsonArray *processes = json_object_get_array_member (json_node_get_object (root), "processes");

  g_assert_cmpuint (json_array_get_length (processes), >=, 2);
  for (guint i = 0; i < json_array_get_length (processes); i++)
    {
      JsonObject *process = json_array_get_object_element (processes, i);

      g_assert_cmpint (cli_json_get_int (process, "pid"), >, 0);
      g_assert_cmpint (cli_json_get_int (process, "ppid"), >=, 0);
      g_assert_cmpint (cli_json_get_int (process, "uid"), >=, 0);
      g_assert_true (json_object_has_member (process, "start_time"));
      g_assert_cmpint (json_node_get_value_type (json_object_get_member (process, "readable")), ==, G_TYPE_BOOLEAN);
      g_assert_cmpint (json_object_get_boolean_member (process, "readable"), ==,
                       !json_object_get_null_member (process, "pss"));
      g_assert_cmpuint (strlen (cli_json_get_text (process, "state")), ==, 1);
      for (guint key = 0; process_figures[key]; key++)
        assert_value_or_null (process, process_figures[key], G_TYPE_INT64);
      for (guint key = 0; process_texts[key]; key++)
        assert_value_or_null (process, process_texts[key], G_TYPE_STRING);
    }
}

/* Field 22 of stat, in seconds since boot */
static void
test_start_time (void)
{
  g_autofree char *pid = make_pid (getpid ());
  g_autoptr (JsonNode) root = cli_get_json ("--json", "--pid", pid, NULL);
  JsonObject *process = cli_json_find (root, "processes", "pid", getpid ());
  g_autofree char *stat = NULL;
  g_auto (GStrv) fields = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/stat", &stat, NULL, NULL));
  fields = g_strsplit (strrchr (stat, ')') + 2, " ", -1);
  g_assert_cmpint (cli_json_get_int (process, "start_ticks"), ==, atoll (fields[19]));
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (process, "start_time"),
                                  atof (fields[19]) / (double)sysconf (_SC_CLK_TCK), 1e-6);
  g_assert_cmpint (cli_json_get_int (process, "ppid"), ==, getppid ());
  g_assert_cmpint (cli_json_get_int (process, "uid"), ==, geteuid ());
  g_assert_cmpint (json_array_get_length (json_object_get_array_member (json_node_get_object (root), "processes")), ==,
                   1);
}

static void
test_ledger (void)
{
  g_autoptr (JsonNode) root = cli_get_json ("--json", "--system", NULL);
  JsonObject *system = json_object_get_object_member (json_node_get_object (root), "system");
  JsonArray *ledger = json_object_get_array_member (system, "ledger");
  g_autoptr (GHashTable) parts = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree char *meminfo = NULL;
  gint64 sum = 0;

  for (guint i = 0; i < json_array_get_length (ledger); i++)
    {
      JsonObject *part = json_array_get_object_element (ledger, i);

      g_assert_true (g_hash_table_add (parts, (gpointer)cli_json_get_text (part, "part")));
      sum += cli_json_get_int (part, "bytes");
    }
  g_assert_cmpint (sum, ==, cli_json_get_int (system, "mem_total"));
  g_assert_true (g_hash_table_contains (parts, "remainder"));
  g_assert_true (g_hash_table_contains (parts, "free"));
  g_assert_true (g_file_get_contents ("/proc/meminfo", &meminfo, NULL, NULL));
  g_assert_true (g_str_has_prefix (meminfo, "MemTotal:"));
  g_assert_cmpint (cli_json_get_int (system, "mem_total"), ==, atoll (meminfo + strlen ("MemTotal:")) * 1024);
}

/* A line names those behind it with both ends, and with null where they are not known. */
static void
check_who (JsonObject *line)
{
  JsonNode *who = json_object_get_member (line, "who");
  const char *name = cli_json_get_text (line, "line");

  g_assert_nonnull (who);
  if (strcmp (name, "programs") == 0)
    g_assert_cmpuint (json_array_get_length (json_node_get_array (who)), >, 0);
  if (strcmp (name, "free") == 0 || strcmp (name, "kernel") == 0)
    g_assert_true (json_node_is_null (who));
  for (guint i = 0; !json_node_is_null (who) && i < json_array_get_length (json_node_get_array (who)); i++)
    {
      JsonObject *item = json_array_get_object_element (json_node_get_array (who), i);

      g_assert_true (json_object_has_member (item, "name") && json_object_has_member (item, "at_most"));
      if (!json_object_get_null_member (item, "bytes") && !json_object_get_null_member (item, "at_most"))
        g_assert_cmpint (cli_json_get_int (item, "bytes"), <=, cli_json_get_int (item, "at_most"));
    }
}

/* On the machine that runs the test: the lines are all its memory, whatever could be read. */
static void
test_machine (void)
{
  g_autoptr (JsonNode) root = cli_get_json ("--json", "--system", NULL);
  JsonObject *object = json_node_get_object (root), *machine = json_object_get_object_member (object, "machine"), *held;
  JsonArray *lines = json_object_get_array_member (machine, "lines");
  gint64 low = 0, high = 0, total = cli_json_get_int (json_object_get_object_member (object, "system"), "mem_total");

  g_assert_cmpuint (json_array_get_length (lines), <=, 10);
  for (guint i = 0; i < json_array_get_length (lines); i++)
    {
      JsonObject *line = json_array_get_object_element (lines, i);

      low += cli_json_get_int (line, "bytes");
      high += cli_json_get_int (line, "at_most");
      check_who (line);
      g_assert_false (json_object_has_member (line, "change"));
    }
  /* Lines that are ranges give each other what they may lack. */
  g_assert_cmpint (low, <=, total);
  g_assert_cmpint (low + high, ==, 2 * total);
  g_assert_nonnull (cli_json_get_text (machine, "shortage"));
  held = json_object_get_object_member (machine, "held");
  g_assert_cmpint (json_object_get_int_member (held, "not_read"), >=, 0);
  g_assert_cmpint (json_object_get_int_member (held, "pending"), ==, 0);
  g_assert_true (json_object_has_member (held, "cut"));
}

/* Under --watch each line has changed since the first, and the changes are nothing together. */
static void
test_machine_changes (void)
{
  g_auto (CliResult) result = { 0 };
  g_auto (GStrv) turns = NULL;

  cli_run_shell (&result, "timeout -s INT 60 \"$CLI\" --json --system --watch 0.3 | head -n 3");
  turns = g_strsplit (result.out, "\n", -1);
  for (guint turn = 0; turn < 3; turn++)
    {
      g_autoptr (JsonNode) root = cli_parse_json (turns[turn]);
      JsonObject *machine = json_object_get_object_member (json_node_get_object (root), "machine");
      JsonArray *lines = json_object_get_array_member (machine, "lines");
      gint64 low = 0, high = 0;

      for (guint i = 0; i < json_array_get_length (lines); i++)
        {
          JsonObject *line = json_array_get_object_element (lines, i);

          if (!json_object_has_member (line, "change"))
            continue;
          low += cli_json_get_int (line, "change");
          high += cli_json_get_int (line, "change_at_most");
        }
      g_assert_cmpint (json_object_has_member (json_array_get_object_element (lines, 0), "change"), ==, turn > 0);
      /* The two lines that may be ranges each have the whole width of both moments. */
      g_assert_cmpint (low + high, ==, 0);
    }
}

/* The parts of a share are parts of its whole. */
static void
test_shares (void)
{
  g_autoptr (JsonNode) root = cli_get_json ("--json", "--system", NULL);
  JsonObject *system = json_object_get_object_member (json_node_get_object (root), "system");
  JsonArray *shares = json_object_get_array_member (system, "shares");
  JsonArray *ledger = json_object_get_array_member (system, "ledger");

  g_assert_cmpuint (json_array_get_length (shares), ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      JsonObject *share = json_array_get_object_element (shares, i);
      JsonObject *part = json_array_get_object_element (ledger, i);

      g_assert_cmpstr (cli_json_get_text (share, "part"), ==, cli_json_get_text (part, "part"));
      g_assert_cmpint (cli_json_get_int (share, "read_at_most") + cli_json_get_int (share, "not_readable_at_most") +
                           cli_json_get_int (share, "not_mapped"),
                       ==, cli_json_get_int (part, "bytes"));
    }
}

static void
test_group_keys (void)
{
  g_autoptr (JsonNode) root = cli_get_json ("--json", "--by", "program", NULL);
  JsonArray *groups = json_object_get_array_member (json_node_get_object (root), "groups");

  g_assert_false (json_object_has_member (json_node_get_object (root), "processes"));
  g_assert_cmpuint (json_array_get_length (groups), >, 0);
  for (guint i = 0; i < json_array_get_length (groups); i++)
    for (guint key = 0; group_keys[key]; key++)
      assert_value_or_null (json_array_get_object_element (groups, i), group_keys[key],
                            key == 0 ? G_TYPE_STRING : G_TYPE_INT64);
}

static void
name_oddly (gpointer data)
{
  prctl (PR_SET_NAME, data);
  live_answer ();
  live_await_order ();
}

static void
test_odd_names (void)
{
  static const struct
  {
    const char *raw;
    const char *shown;
  } names[] = {
    { "a) R 1 (b\n\\c \xff", "a) R 1 (b\n\\c \\xff" },
    { "\"quo,ted\"", "\"quo,ted\"" },
    { "\xe2\x80\xaetxt.exe", "\xe2\x80\xaetxt.exe" },
    { "cut \xe5\xad\x97 \xe5\xad\x97 \xe5\xad\x97", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (JsonNode) root = NULL;
      g_autofree char *pid = NULL;
      LiveProcess child;
      JsonObject *process;

      live_process_start (&child, name_oddly, (gpointer)names[i].raw);
      pid = make_pid (child.pid);
      root = cli_get_json ("--json", "--pid", pid, NULL);
      process = cli_json_find (root, "processes", "pid", child.pid);
      live_process_stop (&child);
      g_assert_nonnull (process);
      if (names[i].shown)
        g_assert_cmpstr (cli_json_get_text (process, "comm"), ==, names[i].shown);
    }
}

static void
test_kernel_threads (void)
{
  g_autoptr (JsonNode) with = cli_get_json ("--json", "--kernel", NULL);
  g_autoptr (JsonNode) without = cli_get_json ("--json", NULL);
  JsonObject *kthreadd = cli_json_find (with, "processes", "pid", 2);

  if (!kthreadd || !json_object_get_boolean_member (kthreadd, "kernel_thread"))
    {
      g_test_skip ("No kernel threads are seen here");
      return;
    }
  g_assert_cmpstr (cli_json_get_text (kthreadd, "reason"), ==, "kernel thread");
  g_assert_false (json_object_get_boolean_member (kthreadd, "readable"));
  for (guint key = 0; process_figures[key]; key++)
    g_assert_true (json_object_get_null_member (kthreadd, process_figures[key]));
  g_assert_null (cli_json_find (without, "processes", "pid", 2));
}

static gint
get_unreadable_pid (void)
{
  return geteuid () == 0 ? getpid () : 1;
}

static void
test_no_permission (void)
{
  gint pid = get_unreadable_pid ();
  g_autofree char *text = make_pid (pid);
  g_auto (CliResult) result = { 0 };
  g_autoptr (JsonNode) root = NULL;
  JsonObject *process, *bounds;

  cli_run_as_nobody (&result, "--json", "--pid", text, NULL);
  g_assert_cmpint (result.status, ==, 0);
  root = cli_parse_json (result.out);
  process = cli_json_find (root, "processes", "pid", pid);
  g_assert_nonnull (process);
  g_assert_false (json_object_get_boolean_member (process, "readable"));
  g_assert_cmpstr (cli_json_get_text (process, "reason"), ==, "permission");
  g_assert_cmpint (cli_json_get_int (process, "rss"), >, 0);
  g_assert_cmpint (cli_json_get_int (process, "vm_swap"), >=, 0);
  g_assert_true (json_object_get_null_member (process, "pss"));
  g_assert_true (json_object_get_null_member (process, "uss"));
  g_assert_true (json_object_get_null_member (process, "private_dirty"));
  bounds = json_object_get_object_member (process, "at_most");
  g_assert_cmpint (cli_json_get_int (bounds, "pss"), ==, cli_json_get_int (process, "rss"));
  g_assert_cmpint (cli_json_get_int (bounds, "uss"), ==, cli_json_get_int (process, "rss"));
  g_assert_nonnull (cli_json_get_text (process, "comm"));
  g_assert_cmpint (cli_json_get_int (json_object_get_object_member (json_node_get_object (root), "total"), "unread"),
                   ==, 1);
}

/* Too large for the numbers of JSON, so in hexadecimal */
static guint64
get_address (JsonObject *mapping,
             const char *key)
{
  guint64 address;

  g_assert_true (g_ascii_string_to_unsigned (cli_json_get_text (mapping, key), 16, 0, G_MAXUINT64, &address, NULL));
  return address;
}

static void
test_mappings (void)
{
  g_autofree char *pid = make_pid (getpid ());
  g_autoptr (JsonNode) root = cli_get_json ("--json", "--mappings", "--pid", pid, NULL);
  JsonArray *mappings = json_object_get_array_member (json_node_get_object (root), "mappings");
  gboolean has_stack = FALSE;

  g_assert_cmpuint (json_array_get_length (mappings), >, 10);
  for (guint i = 0; i < json_array_get_length (mappings); i++)
    {
      JsonObject *mapping = json_array_get_object_element (mappings, i);
      g_autofree char *range = NULL;
      g_assert_cmpuint (get_address (mapping, "end") - get_address (mapping, "start"), ==,
                        cli_json_get_int (mapping, "size"));
      range = g_strdup_printf ("%012" G_GINT64_MODIFIER "x-%012" G_GINT64_MODIFIER "x", get_address (mapping, "start"),
                               get_address (mapping, "end"));
      g_assert_cmpstr (cli_json_get_text (mapping, "range"), ==, range);
      g_assert_cmpint (cli_json_get_int (mapping, "size"), >, 0);
      g_assert_cmpint (cli_json_get_int (mapping, "pss"), <=, cli_json_get_int (mapping, "rss"));
      g_assert_cmpint (cli_json_get_int (mapping, "rss"), <=, cli_json_get_int (mapping, "size"));
      g_assert_cmpint (cli_json_get_int (mapping, "uss") + cli_json_get_int (mapping, "shared"), ==,
                       cli_json_get_int (mapping, "rss"));
      g_assert_cmpuint (strlen (cli_json_get_text (mapping, "permissions")), ==, 4);
      assert_value_or_null (mapping, "mapping", G_TYPE_STRING);
      has_stack |= !json_object_get_null_member (mapping, "mapping") &&
                   strcmp (cli_json_get_text (mapping, "mapping"), "[stack]") == 0;
    }
  g_assert_true (has_stack);
}

static void
test_columns (void)
{
  g_autofree char *pid = make_pid (getpid ());
  g_autoptr (JsonNode) root = cli_get_json ("--json", "--columns", "comm,pid", "--pid", pid, NULL);
  JsonObject *process = cli_json_find (root, "processes", "pid", getpid ());

  g_assert_nonnull (process);
  g_assert_nonnull (cli_json_get_text (process, "comm"));
  g_assert_false (json_object_has_member (process, "pss"));
}

/* Graphics memory is read for whoever asks for it: this process has none, which is known. */
static void
test_graphics (void)
{
  g_autofree char *pid = make_pid (getpid ());
  g_autoptr (JsonNode) all = cli_get_json ("--json", "--pid", pid, NULL);
  g_autoptr (JsonNode) chosen = cli_get_json ("--json", "--pid", pid, "--columns", "pid,graphics", "--filter", "graphics=0", NULL);

  g_assert_cmpint (cli_json_get_int (cli_json_find (all, "processes", "pid", getpid ()), "graphics"), ==, 0);
  g_assert_cmpint (cli_json_get_int (cli_json_find (chosen, "processes", "pid", getpid ()), "graphics"), ==, 0);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/json/top", test_top);
  g_test_add_func ("/cli/json/process-keys", test_process_keys);
  g_test_add_func ("/cli/json/start-time", test_start_time);
  g_test_add_func ("/cli/json/ledger", test_ledger);
  g_test_add_func ("/cli/json/machine", test_machine);
  g_test_add_func ("/cli/json/machine-changes", test_machine_changes);
  g_test_add_func ("/cli/json/shares", test_shares);
  g_test_add_func ("/cli/json/group-keys", test_group_keys);
  g_test_add_func ("/cli/json/odd-names", test_odd_names);
  g_test_add_func ("/cli/json/kernel-threads", test_kernel_threads);
  g_test_add_func ("/cli/json/no-permission", test_no_permission);
  g_test_add_func ("/cli/json/mappings", test_mappings);
  g_test_add_func ("/cli/json/columns", test_columns);
  g_test_add_func ("/cli/json/graphics", test_graphics);
  return g_test_run ();
}
