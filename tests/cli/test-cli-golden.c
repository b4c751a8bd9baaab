// SPDX-License-Identifier: GPL-3.0-or-later
#include <glib/gstdio.h>
#include <string.h>

#include "cli-runner.h"

typedef struct
{
  const char *name;
  const char *arguments[8];
} Case;

/* The output for tests/fixtures/desktop, to the letter. */
static const Case cases[] = {
  { "processes", { "--numeric" } },
  { "identities", { "--numeric", "--kernel", "--sort=pid", "--columns=pid,ppid,uid,state,threads,reason,comm,exe" } },
  { "user", { "--numeric", "--by=user" } },
  { "app", { "--numeric", "--by=app" } },
  { "unit", { "--numeric", "--by=unit" } },
  { "container", { "--numeric", "--by=container" } },
  { "program", { "--numeric", "--by=program" } },
  { "swap", { "--bytes", "--sort=swap", "--filter=swap>0", "--columns=pid,swap,pss,program" } },
  { "total", { "--total", "--percent" } },
  { "system", { "--numeric", "--system" } },
  { "csv", { "--csv", "--columns=pid,pss,uss,rss,command", "--filter=uid:1001" } },
};

static void
test_case (gconstpointer data)
{
  const Case *self = data;
  g_autofree char *proc = g_build_filename (g_getenv ("FOOTPRINT_FIXTURES"), "desktop", "proc", NULL);
  g_autofree char *name = g_strdup_printf ("%s.txt", self->name);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "golden", name, NULL);
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  g_autofree char *expected = NULL;
  g_auto (CliResult) result = { 0 };

  g_ptr_array_add (arguments, (gpointer) "--proc");
  g_ptr_array_add (arguments, proc);
  for (guint i = 0; self->arguments[i]; i++)
    g_ptr_array_add (arguments, (gpointer)self->arguments[i]);
  g_ptr_array_add (arguments, NULL);
  cli_run_argv (&result, (char **)arguments->pdata);
  g_assert_true (g_file_get_contents (path, &expected, NULL, NULL));
  g_assert_cmpstr (result.out, ==, expected);
  g_assert_cmpstr (result.err, ==, "");
  g_assert_cmpint (result.status, ==, 0);
}

/* A name with a blank, which the kernel writes as \\040; priorities of either sign. */
static void
test_swaps (void)
{
  g_autofree char *proc = g_build_filename (g_getenv ("FOOTPRINT_FIXTURES"), "desktop", "proc", NULL);
  g_autoptr (JsonNode) root = NULL;
  JsonObject *system, *zram, *file;

  root = cli_get_json ("--proc", proc, "--system", "--json", NULL);
  system = json_object_get_object_member (json_node_get_object (root), "system");
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (system, "swaps")), ==, 2);
  zram = json_array_get_object_element (json_object_get_array_member (system, "swaps"), 0);
  file = json_array_get_object_element (json_object_get_array_member (system, "swaps"), 1);
  g_assert_cmpstr (cli_json_get_text (zram, "name"), ==, "/dev/zram0");
  g_assert_cmpstr (cli_json_get_text (zram, "type"), ==, "zram");
  g_assert_cmpint (cli_json_get_int (zram, "size"), ==, 8388604LL << 10);
  g_assert_cmpint (cli_json_get_int (zram, "used"), ==, 46848 << 10);
  g_assert_cmpint (cli_json_get_int (zram, "priority"), ==, 100);
  g_assert_cmpstr (cli_json_get_text (file, "name"), ==, "/swap file");
  g_assert_cmpstr (cli_json_get_text (file, "type"), ==, "file");
  g_assert_cmpint (cli_json_get_int (file, "priority"), ==, -2);
  g_assert_cmpint (cli_json_get_int (system, "swap_used"), ==, (46848 + 36864) << 10);
}

static gint64
get_zram (JsonNode *root,
          const char *key)
{
  JsonObject *system = json_object_get_object_member (json_node_get_object (root), "system");
  JsonArray *ledger = json_object_get_array_member (system, "ledger");

  for (guint i = 0; i < json_array_get_length (ledger); i++)
    {
      JsonObject *part = json_array_get_object_element (ledger, i);

      if (g_str_equal (cli_json_get_text (part, "part"), "zram"))
        return cli_json_get_int (part, key);
    }
  g_assert_not_reached ();
}

/* The same machine without its zram's mm_stat, and then without the kernel's count of packed pages, too. */
static void
test_unread_zram (void)
{
  g_autofree char *folder = cli_make_folder (), *proc = g_build_filename (folder, "desktop", "proc", NULL);
  g_autofree char *stat = g_build_filename (folder, "desktop", "sys", "block", "zram0", "mm_stat", NULL);
  g_autofree char *vmstat = g_build_filename (proc, "vmstat", NULL);
  g_autofree char *fixture = g_build_filename (g_getenv ("FOOTPRINT_FIXTURES"), "desktop", NULL);
  g_autofree char *exact = NULL, *range = NULL;
  g_autoptr (JsonNode) json = NULL;
  char *copy[] = { (char *)"cp", (char *)"-r", fixture, folder, NULL };
  int status;

  g_assert_true (g_spawn_sync (NULL, copy, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpint (g_unlink (stat), ==, 0);
  exact = cli_get_output ("--proc", proc, "--system", NULL);
  g_assert_nonnull (strstr (exact, "Compressed in RAM (zram)                12.0 MiB"));
  g_assert_nonnull (strstr (exact, "what zram takes of memory can’t be read here"));
  g_assert_nonnull (strstr (exact, "priority 100, in — of RAM"));

  g_assert_cmpint (g_unlink (vmstat), ==, 0);
  range = cli_get_output ("--proc", proc, "--system", NULL);
  g_assert_nonnull (strstr (range, "Swap in memory                       0 B–100 MiB"));
  g_assert_nonnull (strstr (range, "Not explained                        0 B–100 MiB"));
  json = cli_get_json ("--proc", proc, "--system", "--json", NULL);
  g_assert_cmpint (get_zram (json, "bytes"), ==, 0);
  g_assert_cmpint (get_zram (json, "at_most"), ==, 100 << 20);
  cli_remove_folder (g_steal_pointer (&folder));
}

/* A process calls itself by any bytes, and none of them reaches the terminal raw. */
static void
test_odd (void)
{
  g_autofree char *proc = g_build_filename (g_getenv ("FOOTPRINT_FIXTURES"), "odd", "proc", NULL);
  g_autofree char *table = NULL, *all = NULL;
  g_autoptr (JsonNode) root = NULL;

  root = cli_get_json ("--proc", proc, "--json", "--kernel", NULL);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (json_node_get_object (root), "processes")), >,
                    10);
  table = cli_get_output ("--proc", proc, NULL);
  all = cli_get_output ("--proc", proc, "--columns", "all", NULL);
  g_assert_true (g_utf8_validate (table, -1, NULL));
  g_assert_true (g_utf8_validate (all, -1, NULL));
  for (const char *c = all; *c; c = g_utf8_next_char (c))
    g_assert_true (*c == '\n' || g_unichar_isprint (g_utf8_get_char (c)));
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/cli/golden/%s", cases[i].name);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/cli/golden/swaps", test_swaps);
  g_test_add_func ("/cli/golden/unread-zram", test_unread_zram);
  g_test_add_func ("/cli/golden/odd", test_odd);
  return g_test_run ();
}
