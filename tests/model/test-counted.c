// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fixture-control-groups.h"
#include "fixture-snapshot.h"
#include "fp-columns.h"
#include "fp-counted.h"
#include "fp-rows.h"

#define MIB G_GUINT64_CONSTANT (1048576)

#define SLICE     FP_CONTROL_KIND_SLICE
#define SERVICE   FP_CONTROL_KIND_SERVICE
#define SCOPE     FP_CONTROL_KIND_SCOPE
#define CONTAINER FP_CONTROL_KIND_CONTAINER

#define USER "/user.slice/user-1000.slice"

typedef struct
{
  gint pid;
  guint32 uid;
  const char *user, *path, *container;
} Member;

static const Member members[] = {
  { 1, 0, "root", "/init.scope", "" },
  { 2, 64, "vm", "/machine.slice/vm.scope", "" },
  { 3, 64, "vm", "/machine.slice/vm.scope/emulator", "" },
  { 4, 0, "root", "/system.slice/log.service", "" },
  { 5, 0, "root", "/system.slice/mixed.service", "" },
  { 6, 33, "web", "/system.slice/mixed.service", "" },
  { 7, 33, "web", "/web.slice/one.service", "" },
  { 8, 33, "web", "/web.slice/two.service", "" },
  { 9, 1000, "anna", USER "/app.scope", "" },
  { 10, 1000, "anna", USER "/session.scope", "" },
  { 11, 0, "root", USER "/session.scope", "" },
  { 12, 1000, "anna", "/machine.slice/box.scope", "box" },
  { 13, 5, "shy", "/shy.slice/seen.scope", "" },
};

static void
add (FpControlGroups *groups,
     FpControlKind kind,
     const char *path,
     guint own,
     guint cache)
{
  FpControlGroup *group = fixture_control_groups_add (groups, kind, path, path);

  fixture_control_set (group, FP_CONTROL_MEMORY, (own + cache + 3) * MIB);
  fixture_control_set (group, FP_CONTROL_ANON, own * MIB);
  fixture_control_set (group, FP_CONTROL_FILE, (cache + 2) * MIB);
  fixture_control_set (group, FP_CONTROL_SHMEM, 2 * MIB);
  fixture_control_set (group, FP_CONTROL_KERNEL, 1 * MIB);
  fixture_control_set (group, FP_CONTROL_SLAB_RECLAIMABLE, 0);
  fixture_control_set (group, FP_CONTROL_SWAP, own * MIB / 2);
}

/* The figures of a group around others are not their sum, so that a test sees which ones count. */
static FpControlGroups *
make_groups (void)
{
  FpControlGroups *groups = fixture_control_groups_new ();

  fixture_control_groups_add (groups, FP_CONTROL_KIND_MACHINE, "/", "/");
  add (groups, SCOPE, "/init.scope", 10, 1);
  add (groups, SLICE, "/machine.slice", 9000, 9000);
  add (groups, SCOPE, "/machine.slice/vm.scope", 3000, 700);
  add (groups, SCOPE, "/machine.slice/vm.scope/emulator", 2900, 600);
  add (groups, CONTAINER, "/machine.slice/box.scope", 500, 50);
  add (groups, SLICE, "/system.slice", 9000, 9000);
  add (groups, SERVICE, "/system.slice/log.service", 20, 2);
  add (groups, SERVICE, "/system.slice/mixed.service", 300, 30);
  add (groups, SLICE, "/web.slice", 70, 7);
  add (groups, SERVICE, "/web.slice/one.service", 30, 3);
  add (groups, SERVICE, "/web.slice/two.service", 40, 4);
  add (groups, SLICE, "/user.slice", 9000, 9000);
  add (groups, FP_CONTROL_KIND_USER, USER, 800, 80);
  groups->groups[groups->n - 1].uid = 1000;
  add (groups, SCOPE, USER "/app.scope", 600, 60);
  add (groups, SCOPE, USER "/session.scope", 200, 20);
  add (groups, SLICE, "/shy.slice", 60, 6);
  add (groups, SCOPE, "/shy.slice/seen.scope", 25, 3);
  add (groups, SCOPE, "/shy.slice/unseen.scope", 35, 3);
  return groups;
}

static FpRecords *
make_processes (gint first_pid)
{
  g_auto (FixtureSnapshot) snapshot = { 0 };

  fixture_snapshot_init (&snapshot, G_N_ELEMENTS (members));
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      FpProcess *process;

      if (members[i].pid < first_pid)
        continue;
      process = fixture_snapshot_add (&snapshot, members[i].pid, "program");
      process->uid = members[i].uid;
      fixture_snapshot_set_text (&snapshot, process, FP_TEXT_USER, members[i].user);
      fixture_snapshot_set_text (&snapshot, process, FP_TEXT_CONTROL_GROUP, members[i].path);
      fixture_snapshot_set_text (&snapshot, process, FP_TEXT_CONTAINER, members[i].container);
    }
  return fixture_snapshot_make_records (&snapshot);
}

static FpRows *
make_rows (FpRecords *processes,
           FpControlGroups *groups,
           FpGrouping grouping,
           const char *search)
{
  FpRows *rows = fp_rows_new ();

  fp_rows_set_grouping (rows, grouping);
  fp_rows_set_control_groups (rows, groups);
  if (search)
    fp_rows_set_query (rows, fp_query_new (search, FP_RECORD_PROCESS, NULL));
  fp_rows_update (rows, processes, &(FpFormat){ .style = FP_STYLE_IEC });
  return rows;
}

/* Writes what a column has for a user. "": the user is not listed */
static const char *
show (const FpRows *rows,
      const char *name,
      const char *id)
{
  static char text[FP_CELL_SIZE];
  const FpRecords *totals = fp_rows_get_records (rows, FP_ROW_GROUP);
  const FpFormat format = { .style = FP_STYLE_IEC };

  g_strlcpy (text, "", sizeof text);
  for (guint i = 0; i < fp_rows_get_n (rows); i++)
    {
      const FpRow *row = fp_rows_get (rows, i);

      if (row->kind == FP_ROW_GROUP && row->depth == 0 && strcmp (fp_totals_get (totals, row->index)->name, name) == 0)
        fp_column_format (fp_columns_find (id, FP_RECORD_TOTAL), totals, row->index, &format, text, sizeof text);
    }
  return text;
}

/* A slice counts for its user although somebody else has a process in it, the outermost group for its only user, and no
 * group that has members of several users, or members that are not seen. */
static void
test_users (void)
{
  g_autoptr (FpRecords) processes = make_processes (1);
  g_autoptr (FpControlGroups) groups = make_groups ();
  g_autoptr (FpRows) rows = make_rows (processes, groups, FP_GROUPING_USER_PROGRAM, NULL);

  g_assert_cmpstr (show (rows, "vm", "groups_memory"), ==, "2.9 GiB");
  g_assert_cmpstr (show (rows, "vm", "groups_own"), ==, "2.9 GiB");
  g_assert_cmpstr (show (rows, "vm", "groups_cache"), ==, "700 MiB");
  g_assert_cmpstr (show (rows, "vm", "groups_shared"), ==, "2.0 MiB");
  g_assert_cmpstr (show (rows, "vm", "groups_kernel"), ==, "1.0 MiB");
  g_assert_cmpstr (show (rows, "vm", "groups_swap"), ==, "1.5 GiB");
  g_assert_cmpstr (show (rows, "vm", "groups_left_out"), ==, "0");
  g_assert_cmpstr (show (rows, "anna", "groups_memory"), ==, "803 MiB");
  g_assert_cmpstr (show (rows, "anna in box", "groups_memory"), ==, "503 MiB");
  g_assert_cmpstr (show (rows, "web", "groups_memory"), ==, "≥ 73.0 MiB");
  g_assert_cmpstr (show (rows, "web", "groups_left_out"), ==, "1");
  g_assert_cmpstr (show (rows, "root", "groups_memory"), ==, "≥ 36.0 MiB");
  g_assert_cmpstr (show (rows, "root", "groups_left_out"), ==, "2");
  g_assert_cmpstr (show (rows, "shy", "groups_memory"), ==, "28.0 MiB");
}

/* In the list of processes users of a container are apart, as in the list of users; programs have nothing. */
static void
test_groupings (void)
{
  g_autoptr (FpRecords) processes = make_processes (1);
  g_autoptr (FpControlGroups) groups = make_groups ();
  g_autoptr (FpRows) by_user = make_rows (processes, groups, FP_GROUPING_USER, NULL);
  g_autoptr (FpRows) by_program = make_rows (processes, groups, FP_GROUPING_PROGRAM, NULL);
  g_autoptr (FpRows) without = make_rows (processes, NULL, FP_GROUPING_USER, NULL);

  g_assert_cmpstr (show (by_user, "anna", "groups_memory"), ==, "803 MiB");
  g_assert_cmpstr (show (by_program, "program", "groups_memory"), ==, show (without, "anna", "groups_memory"));
  g_assert_cmpstr (show (by_program, "program", "groups_memory"), ==, "—");
  g_assert_cmpstr (show (without, "anna", "groups_left_out"), ==, "—");
}

/* Only groups whose members are all found count. */
static void
test_search (void)
{
  g_autoptr (FpRecords) processes = make_processes (1);
  g_autoptr (FpControlGroups) groups = make_groups ();
  g_autoptr (FpRows) one = make_rows (processes, groups, FP_GROUPING_USER, "control_group=/web.slice/one.service");
  g_autoptr (FpRows) inner = make_rows (processes, groups, FP_GROUPING_USER, "pid=3 or pid=9");

  g_assert_cmpstr (show (one, "web", "groups_memory"), ==, "33.0 MiB");
  g_assert_cmpstr (show (one, "web", "groups_left_out"), ==, "0");
  g_assert_cmpstr (show (inner, "vm", "groups_memory"), ==, "2.8 GiB");
  g_assert_cmpstr (show (inner, "anna", "groups_memory"), ==, "603 MiB");
}

/* A group may have members that are not seen where processes are hidden; the slice of a user is the user's all the same. */
static void
test_hidden (void)
{
  g_autoptr (FpRecords) processes = make_processes (2);
  g_autoptr (FpControlGroups) groups = make_groups ();
  g_autoptr (FpRows) rows = make_rows (processes, groups, FP_GROUPING_USER_PROGRAM, NULL);

  g_assert_cmpstr (show (rows, "vm", "groups_memory"), ==, "—");
  g_assert_cmpstr (show (rows, "vm", "groups_left_out"), ==, "2");
  g_assert_cmpstr (show (rows, "anna", "groups_memory"), ==, "803 MiB");
}

/* A process in a group that is not listed counts as a member of the nearest group around it. */
static void
test_cut (void)
{
  g_autoptr (FpRecords) processes = make_processes (1);
  g_autoptr (FpControlGroups) groups = make_groups ();
  g_autoptr (FpRows) rows = NULL;

  groups->n = 10; /* without /web.slice/one.service and all after it */
  groups->is_cut = TRUE;
  rows = make_rows (processes, groups, FP_GROUPING_USER_PROGRAM, NULL);
  g_assert_cmpstr (show (rows, "web", "groups_memory"), ==, "≥ 73.0 MiB");
  g_assert_cmpstr (show (rows, "anna", "groups_memory"), ==, "—");
}

static void
test_without_memory (void)
{
  g_autoptr (FpRecords) processes = make_processes (1);
  g_autoptr (FpControlGroups) groups = make_groups ();
  g_autoptr (FpRows) rows = NULL;

  for (guint i = 0; i < groups->n; i++)
    groups->groups[i].present = 0;
  rows = make_rows (processes, groups, FP_GROUPING_USER_PROGRAM, NULL);
  g_assert_cmpstr (show (rows, "anna", "groups_memory"), ==, "—");
  g_assert_cmpstr (show (rows, "anna", "groups_swap"), ==, "—");
}

static void
assert_words (char *text,
              const char *expected)
{
  g_autofree char *owned = text;

  g_assert_cmpstr (owned, ==, expected);
}

static void
test_words (void)
{
  g_autoptr (FpRecords) processes = make_processes (1);
  g_autoptr (FpControlGroups) groups = make_groups ();
  g_autoptr (FpRows) rows = make_rows (processes, groups, FP_GROUPING_USER_PROGRAM, NULL);
  const FpRecords *totals = fp_rows_get_records (rows, FP_ROW_GROUP);
  const FpFormat format = { .style = FP_STYLE_IEC };

  for (guint i = 0; i < totals->n; i++)
    {
      if (strcmp (fp_totals_get (totals, i)->name, "program") == 0)
        {
          assert_words (fp_counted_describe (totals, i, &format), NULL);
          assert_words (fp_counted_describe_rest (totals, i), NULL);
        }
      if (strcmp (fp_totals_get (totals, i)->name, "web") == 0)
        {
          assert_words (fp_counted_describe (totals, i, &format),
                        "The kernel counts at least 73.0\u00a0MiB: own memory 70.0\u00a0MiB, shared memory 2.0\u00a0MiB, kernel "
                        "1.0\u00a0MiB. 7.0\u00a0MiB more are cache, which is given back when others need the memory. "
                        "35.0\u00a0MiB more is in swap.");
          assert_words (fp_counted_describe_rest (totals, i),
                        "This is not the sum of the processes, and needs no permission to read them: each page counts in full "
                        "for the group that touched it first, also where several users share it. 1 process is in a group that "
                        "is not this user’s alone, and is not counted.");
        }
    }
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/counted/users", test_users);
  g_test_add_func ("/counted/groupings", test_groupings);
  g_test_add_func ("/counted/search", test_search);
  g_test_add_func ("/counted/hidden", test_hidden);
  g_test_add_func ("/counted/cut", test_cut);
  g_test_add_func ("/counted/without-memory", test_without_memory);
  g_test_add_func ("/counted/words", test_words);
  return g_test_run ();
}
