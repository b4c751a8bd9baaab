// SPDX-License-Identifier: GPL-3.0-or-later
/* footprint-cli --by group: the kernel's control groups. */
#include <string.h>

#include "cli-runner.h"
#include "fixture-control-groups.h"
#include "fixture-snapshot.h"
#include "fp-saved-file.h"

#define MIB    (G_GUINT64_CONSTANT (1) << 20)
#define SYSTEM "/system.slice"
#define MAIL   SYSTEM "/mail.service"
#define WEB    SYSTEM "/web.service"

/* Two moments of a machine, of which the later one has another service. */
typedef struct
{
  FixtureSnapshot snapshot;
  char *folder;
  char *before;
  char *after;
  char *without;
} Fixture;

static void
add_group (FpControlGroups *groups,
           FpControlKind kind,
           const char *path,
           const char *name,
           guint64 own,
           guint64 cache,
           guint64 swap)
{
  FpControlGroup *group = fixture_control_groups_add (groups, kind, path, name);

  fixture_control_set (group, FP_CONTROL_MEMORY, own + cache);
  fixture_control_set (group, FP_CONTROL_ANON, own);
  fixture_control_set (group, FP_CONTROL_FILE, cache);
  fixture_control_set (group, FP_CONTROL_SHMEM, 0);
  fixture_control_set (group, FP_CONTROL_KERNEL, 0);
  fixture_control_set (group, FP_CONTROL_SLAB_RECLAIMABLE, 0);
  fixture_control_set (group, FP_CONTROL_SWAP, swap);
}

static FpControlGroups *
make_groups (gboolean is_later)
{
  FpControlGroups *groups = fixture_control_groups_new ();

  fixture_control_groups_add (groups, FP_CONTROL_KIND_MACHINE, "/", "/");
  add_group (groups, FP_CONTROL_KIND_SLICE, SYSTEM, "system", is_later ? 400 * MIB : 100 * MIB, 20 * MIB, 8 * MIB);
  add_group (groups, FP_CONTROL_KIND_SERVICE, MAIL, "mail", is_later ? 90 * MIB : 100 * MIB, 20 * MIB, 8 * MIB);
  if (is_later)
    add_group (groups, FP_CONTROL_KIND_SERVICE, WEB, "web", 310 * MIB, 0, 0);
  return groups;
}

static void
save (Fixture *self,
      const char *path,
      FpControlGroups *groups)
{
  g_autoptr (GBytes) bytes = fp_saved_file_pack (self->snapshot.snapshot, NULL, groups, FALSE, NULL);

  g_assert_nonnull (bytes);
  g_assert_true (g_file_set_contents (path, g_bytes_get_data (bytes, NULL), (gssize)g_bytes_get_size (bytes), NULL));
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  g_autoptr (FpControlGroups) before = make_groups (FALSE), after = make_groups (TRUE);
  g_autoptr (FpRecords) records = NULL;

  fixture_snapshot_init (&self->snapshot, 8);
  fixture_set_figures (fixture_snapshot_add (&self->snapshot, 1, "init"), MIB, MIB, 0);
  records = fixture_snapshot_make_records (&self->snapshot);
  self->folder = cli_make_folder ();
  self->before = g_build_filename (self->folder, "before", NULL);
  self->after = g_build_filename (self->folder, "after", NULL);
  self->without = g_build_filename (self->folder, "without", NULL);
  save (self, self->before, before);
  save (self, self->after, after);
  save (self, self->without, NULL);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  fixture_snapshot_clear (&self->snapshot);
  g_free (self->before);
  g_free (self->after);
  g_free (self->without);
  cli_remove_folder (self->folder);
}

/* The largest comes first, and a figure that the kernel does not give is not 0. */
static void
test_figures (Fixture *self,
              gconstpointer data)
{
  g_autofree char *all = cli_get_output ("--open", self->after, "--by", "group", "--csv", "--columns", "path,memory,own,cache,swap", NULL);
  g_autofree char *found = cli_get_output ("--open", self->after, "--by", "group", "--csv", "--columns", "path", "--filter", "memory>300M web", NULL);
  g_autofree char *expected = g_strdup_printf (
      "path,memory,own,cache,swap\r\n" SYSTEM ",%u,%u,%u,%u\r\n" WEB ",%u,%u,0,0\r\n" MAIL ",%u,%u,%u,%u\r\n/,,,,\r\n",
      420u << 20, 400u << 20, 20u << 20, 8u << 20, 310u << 20, 310u << 20, 110u << 20, 90u << 20, 20u << 20, 8u << 20);

  g_assert_cmpstr (all, ==, expected);
  g_assert_cmpstr (found, ==, "path\r\n" WEB "\r\n");
}

/* A group is within others, so that a sum would count it again and again. */
static void
test_table (Fixture *self,
            gconstpointer data)
{
  g_autofree char *text = cli_get_output ("--open", self->after, "--by", "group", NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  g_assert_cmpuint (g_strv_length (lines), ==, 9);
  g_assert_true (g_str_has_prefix (lines[0], "Saved snapshot: "));
  g_assert_nonnull (strstr (lines[2], "Memory  Own Memory"));
  g_assert_true (g_str_has_suffix (lines[3], SYSTEM));
  g_assert_nonnull (strstr (lines[3], "420 MiB"));
  g_assert_cmpstr (g_strstrip (lines[7]), ==, "4 groups");
}

static void
test_json (Fixture *self,
           gconstpointer data)
{
  g_autoptr (JsonNode) root = cli_get_json ("--open", self->after, "--by", "group", "--json", NULL);
  JsonObject *object = json_node_get_object (root), *web;
  JsonArray *groups = json_object_get_array_member (object, "control_groups");

  g_assert_false (json_object_has_member (object, "total"));
  g_assert_cmpuint (json_array_get_length (groups), ==, 4);
  web = json_array_get_object_element (groups, 1);
  g_assert_cmpstr (cli_json_get_text (web, "path"), ==, WEB);
  g_assert_cmpint (cli_json_get_int (web, "memory"), ==, 310 * MIB);
  g_assert_true (json_object_get_null_member (web, "peak"));
}

/* A group that is new has grown from nothing. */
static void
test_compared (Fixture *self,
               gconstpointer data)
{
  g_autofree char *text = cli_get_output ("--compare", self->before, self->after, "--by", "group", "--csv", "--columns",
                                          "path,before,after,difference,outcome", NULL);
  g_autofree char *expected = g_strdup_printf (
      "path,before,after,difference,outcome\r\n" WEB ",0,%u,%u,new\r\n" SYSTEM ",%u,%u,%u,grown\r\n" MAIL ",%u,%u,-%u,shrunk\r\n/,,,,\r\n",
      310u << 20, 310u << 20, 120u << 20, 420u << 20, 300u << 20, 120u << 20, 110u << 20, 10u << 20);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_refused (Fixture *self,
              gconstpointer data)
{
  static const char *const useless[] = { "--user", "--pid", "--kernel", "--total" };

  cli_assert_refused (2, "does not tell the control groups", "--open", self->without, "--by", "group", NULL);
  cli_assert_refused (2, "does not tell the control groups", "--compare", self->without, self->after, "--by", "group", NULL);
  cli_assert_refused (2, "use --by group", "--open", self->after, "--columns", "near_limit", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (useless); i++)
    cli_assert_refused (2, useless[i], "--by", "group", useless[i], i < 2 ? "1" : NULL, NULL);
}

static void
test_machine (Fixture *self,
              gconstpointer data)
{
  g_autofree char *mounts = NULL, *own = NULL, *text = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/mounts", &mounts, NULL, NULL));
  if (!strstr (mounts, " cgroup2 "))
    {
      cli_assert_refused (1, "shows no control groups", "--by", "group", NULL);
      return;
    }
  g_assert_true (g_file_get_contents ("/proc/self/cgroup", &own, NULL, NULL));
  text = cli_get_output ("--by", "group", "--csv", "--columns", "path", NULL);
  for (char *line = own; line && *line; line = strchr (line, '\n') ? strchr (line, '\n') + 1 : NULL)
    if (g_str_has_prefix (line, "0::/") && !g_str_has_prefix (line, "0::/.."))
      {
        g_autofree char *path = g_strndup (line + 3, strcspn (line + 3, "\n"));
        g_autofree char *row = g_strdup_printf ("\r\n%s\r\n", path);

        g_assert_nonnull (strstr (text, row));
      }
}

#define ADD(name, func) g_test_add ("/cli/control-groups/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("figures", test_figures);
  ADD ("table", test_table);
  ADD ("json", test_json);
  ADD ("compared", test_compared);
  ADD ("refused", test_refused);
  ADD ("machine", test_machine);
  return g_test_run ();
}
