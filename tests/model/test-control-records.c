// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>
#include <unistd.h>

#include "fixture-control-groups.h"
#include "fixture-snapshot.h"
#include "fp-columns.h"
#include "fp-control-words.h"
#include "fp-rows.h"

#define MIB G_GUINT64_CONSTANT (1048576)

static FpControlGroup *
add (FpControlGroups *groups,
     FpControlKind kind,
     const char *path,
     guint64 memory)
{
  const char *name = strrchr (path, '/') + 1;
  FpControlGroup *group = fixture_control_groups_add (groups, kind, path, name);

  fixture_control_set (group, FP_CONTROL_MEMORY, memory);
  fixture_control_set (group, FP_CONTROL_HIGH, FP_CONTROL_NO_LIMIT);
  fixture_control_set (group, FP_CONTROL_MAX, FP_CONTROL_NO_LIMIT);
  return group;
}

/* The root has no figures of its own, as in the kernel. */
static FpControlGroups *
make_groups (void)
{
  FpControlGroups *groups = fixture_control_groups_new ();

  fixture_control_groups_add (groups, FP_CONTROL_KIND_MACHINE, "/", "/");
  add (groups, FP_CONTROL_KIND_SLICE, "/system.slice", 300 * MIB);
  add (groups, FP_CONTROL_KIND_SERVICE, "/system.slice/small.service", 100 * MIB);
  add (groups, FP_CONTROL_KIND_SERVICE, "/system.slice/large.service", 200 * MIB);
  add (groups, FP_CONTROL_KIND_SLICE, "/user.slice", 900 * MIB);
  add (groups, FP_CONTROL_KIND_USER, "/user.slice/user-7.slice", 900 * MIB);
  add (groups, FP_CONTROL_KIND_APP, "/user.slice/user-7.slice/app.scope", 900 * MIB);
  return groups;
}

static guint
find (const FpControlGroups *groups,
      const char *path)
{
  const FpControlGroup *group = fp_control_groups_find (groups, path);

  g_assert_nonnull (group);
  return (guint)(group - groups->groups);
}

static void
assert_text (const FpRecords *records,
             guint index,
             const char *id,
             const char *expected)
{
  const FpFormat format = { .style = FP_STYLE_IEC };
  const FpColumn *column = fp_columns_find (id, FP_RECORD_CONTROL_GROUP);
  char text[FP_CELL_SIZE];

  g_assert_nonnull (column);
  fp_column_format (column, records, index, &format, text, sizeof text);
  g_assert_cmpstr (text, ==, expected);
}

/* The parts add up to what the kernel counts by these keys: anon + file + kernel. */
static void
test_figures (void)
{
  g_autoptr (FpControlGroups) groups = make_groups ();
  guint app = find (groups, "/user.slice/user-7.slice/app.scope");
  FpControlGroup *group = &groups->groups[app];
  g_autoptr (FpRecords) records = NULL;

  fixture_control_set (group, FP_CONTROL_ANON, 500 * MIB);
  fixture_control_set (group, FP_CONTROL_FILE, 360 * MIB);
  fixture_control_set (group, FP_CONTROL_SHMEM, 60 * MIB);
  fixture_control_set (group, FP_CONTROL_KERNEL, 40 * MIB);
  fixture_control_set (group, FP_CONTROL_SLAB_RECLAIMABLE, 15 * MIB);
  fixture_control_set (group, FP_CONTROL_SWAP, 3 * MIB);
  fixture_control_set (group, FP_CONTROL_PEAK, 1000 * MIB);
  fixture_control_set (group, FP_CONTROL_REFAULTS_ANON, 256);
  fixture_control_set (group, FP_CONTROL_EVENTS_HIGH, 14);
  fixture_control_set (group, FP_CONTROL_EVENTS_MAX, 2);
  fixture_control_set (group, FP_CONTROL_OOM_KILLS, 1);
  fixture_control_set (group, FP_CONTROL_SOME_US, 99999999);
  group->waited_us = 11500000;
  group->waited_over_us = 60000000;
  records = fp_control_records_new (groups, NULL, NULL);
  g_assert_cmpuint (records->n, ==, 7);
  assert_text (records, app, "memory", "900 MiB");
  assert_text (records, app, "own", "500 MiB");
  assert_text (records, app, "cache", "315 MiB");
  assert_text (records, app, "shared", "60.0 MiB");
  assert_text (records, app, "kernel", "25.0 MiB");
  assert_text (records, app, "swap", "3.0 MiB");
  assert_text (records, app, "peak", "1000 MiB");
  assert_text (records, app, "reached", "16");
  assert_text (records, app, "killed", "1");
  assert_text (records, app, "waited", "11.50 s");
  assert_text (records, app, "name", "app.scope");
  assert_text (records, app, "unit", "app.scope");
  assert_text (records, app, "kind", "App");
  assert_text (records, app, "path", "/user.slice/user-7.slice/app.scope");
  g_assert_cmpuint (fp_column_get_figure (fp_columns_find ("read_back", FP_RECORD_CONTROL_GROUP), records, app).low, ==,
                    256 * (guint64)sysconf (_SC_PAGESIZE));
}

/* Each figure that was not read is unknown, and none is 0. */
static void
test_unknown (void)
{
  g_autoptr (FpControlGroups) groups = fixture_control_groups_new ();
  g_autoptr (FpRecords) records = NULL;
  guint n = 0;

  fixture_control_groups_add (groups, FP_CONTROL_KIND_SERVICE, "/a.service", "a");
  records = fp_control_records_new (groups, NULL, NULL);
  for (guint i = 0; i < fp_columns_get_n (); i++)
    if (fp_columns_get (i)->kinds & FP_RECORD_CONTROL_GROUP && fp_column_is_figure (fp_columns_get (i)))
      {
        assert_text (records, 0, fp_columns_get (i)->id, "—");
        n++;
      }
  g_assert_cmpuint (n, ==, 19);
  /* Without the memory controller there still is the time that was waited; one reading alone tells none. */
  fixture_control_set (&groups->groups[0], FP_CONTROL_SOME_US, 5);
  assert_text (records, 0, "waited", "—");
  groups->groups[0].waited_over_us = 1000000;
  assert_text (records, 0, "waited", "0 s");
  /* A part is missing from each of these sums. */
  fixture_control_set (&groups->groups[0], FP_CONTROL_FILE, 5);
  fixture_control_set (&groups->groups[0], FP_CONTROL_KERNEL, 5);
  fixture_control_set (&groups->groups[0], FP_CONTROL_EVENTS_MAX, 5);
  assert_text (records, 0, "cache", "—");
  assert_text (records, 0, "kernel", "—");
  assert_text (records, 0, "reached", "—");
}

/* The fullest of the limits around a group is the one that it comes to first. */
static void
test_limits (void)
{
  g_autoptr (FpControlGroups) groups = make_groups ();
  guint slice = find (groups, "/system.slice"), small = find (groups, "/system.slice/small.service");
  guint large = find (groups, "/system.slice/large.service"), user = find (groups, "/user.slice/user-7.slice");
  g_autoptr (FpRecords) records = fp_control_records_new (groups, NULL, NULL);

  assert_text (records, small, "limit", "—");
  assert_text (records, small, "near_limit", "—");
  fixture_control_set (&groups->groups[slice], FP_CONTROL_MAX, 400 * MIB);
  assert_text (records, slice, "limit", "400 MiB");
  assert_text (records, slice, "near_limit", "75 %");
  assert_text (records, small, "limit", "400 MiB");
  assert_text (records, small, "near_limit", "75 %");
  fixture_control_set (&groups->groups[small], FP_CONTROL_HIGH, 200 * MIB);
  assert_text (records, small, "limit", "400 MiB");
  assert_text (records, small, "near_limit", "75 %");
  g_assert_cmpuint (fp_control_records_get_limit_holder (records, small), ==, slice);
  fixture_control_set (&groups->groups[large], FP_CONTROL_HIGH, 210 * MIB);
  fixture_control_set (&groups->groups[large], FP_CONTROL_MAX, 220 * MIB);
  assert_text (records, large, "limit", "210 MiB");
  assert_text (records, large, "near_limit", "95 %");
  g_assert_cmpuint (fp_control_records_get_limit_holder (records, large), ==, large);
  assert_text (records, user, "limit", "—");
  g_assert_cmpuint (fp_control_records_get_limit_holder (records, user), ==, FP_CONTROL_NONE);
  groups->groups[large].present &= ~(G_GUINT64_CONSTANT (1) << FP_CONTROL_MAX);
  assert_text (records, large, "limit", "—");
}

#define assert_words(words, expected)     \
  G_STMT_START                            \
  {                                       \
    g_autofree char *said = words;        \
    g_assert_cmpstr (said, ==, expected); \
  }                                       \
  G_STMT_END

static void
test_words (void)
{
  const FpFormat format = { .style = FP_STYLE_IEC };
  g_autoptr (FpControlGroups) groups = make_groups ();
  guint slice = find (groups, "/system.slice"), small = find (groups, "/system.slice/small.service");
  guint user = find (groups, "/user.slice/user-7.slice"), app = find (groups, "/user.slice/user-7.slice/app.scope");
  g_autoptr (FpRecords) records = fp_control_records_new (groups, NULL, NULL);
  FpControlGroup *group = &groups->groups[small];

  assert_words (fp_control_words_describe_use (records, small, &format),
                "The kernel counts 100\u00a0MiB for this group and all groups within it.");
  assert_words (fp_control_words_describe_limits (records, small, &format), "No limit is set for it.");
  assert_words (fp_control_words_describe_wait (records, small, &format), NULL);
  fixture_control_set (&groups->groups[slice], FP_CONTROL_MAX, 400 * MIB);
  fixture_control_set (group, FP_CONTROL_EVENTS_HIGH, 14);
  fixture_control_set (group, FP_CONTROL_EVENTS_MAX, 0);
  fixture_control_set (group, FP_CONTROL_OOM_KILLS, 1);
  fixture_control_set (group, FP_CONTROL_SOME_US, 5);
  group->waited_over_us = 60 * (guint64)G_USEC_PER_SEC;
  assert_words (fp_control_words_describe_limits (records, small, &format),
                "It is within the limit of system.slice: 75 % of these 400\u00a0MiB are used. It was held back at a limit 14 "
                "times. The kernel killed 1 of its processes because memory ran out.");
  assert_words (fp_control_words_describe_limits (records, slice, &format), "It uses 75 % of its limit of 400\u00a0MiB.");
  assert_words (fp_control_words_describe_wait (records, small, &format),
                "None of its programs had to wait for memory in the last minute.");
  group->waited_us = 1500000;
  group->waited_over_us = 20 * (guint64)G_USEC_PER_SEC;
  assert_words (fp_control_words_describe_wait (records, small, &format),
                "Some of its programs waited for memory for 1.50\u00a0s of the last 20 seconds.");
  /* A group within another one is counted there. */
  assert_words (fp_control_words_describe_sum (records, ((guint[]){ user, app, small }), 3, &format),
                "3 groups · Memory 1000\u00a0MiB · as the kernel counts it for its groups");
  assert_words (fp_control_words_make_search (records, app), "control_group=/user.slice/user-7.slice/app.scope");
  g_assert_null (fp_control_words_explain_missing (groups));
  groups->has_memory = FALSE;
  g_assert_nonnull (fp_control_words_explain_missing (groups));
  group->present = 0;
  assert_words (fp_control_words_describe_use (records, small, &format), "The kernel does not tell how much memory this group has.");
  assert_words (fp_control_words_describe_limits (records, small, &format), NULL);
}

/* The slice of a user has the name that the user's processes tell. */
static void
test_users (void)
{
  g_auto (FixtureSnapshot) snapshot = { 0 };
  g_autoptr (FpControlGroups) groups = make_groups ();
  g_autoptr (FpRecords) processes = NULL, records = NULL, nameless = NULL;
  guint user = find (groups, "/user.slice/user-7.slice");
  FpProcess *process;

  groups->groups[user].uid = 7;
  fixture_snapshot_init (&snapshot, 2);
  process = fixture_snapshot_add (&snapshot, 10, "other");
  process->uid = 8;
  fixture_snapshot_set_text (&snapshot, process, FP_TEXT_USER, "ben");
  process = fixture_snapshot_add (&snapshot, 11, "shell");
  process->uid = 7;
  fixture_snapshot_set_text (&snapshot, process, FP_TEXT_USER, "anna");
  processes = fixture_snapshot_make_records (&snapshot);
  records = fp_control_records_new (groups, processes, NULL);
  assert_text (records, user, "name", "anna");
  assert_text (records, user, "unit", "user-7.slice");
  nameless = fp_control_records_new (groups, NULL, NULL);
  assert_text (nameless, user, "name", "user-7.slice");
}

static void
assert_rows (const FpRows *rows,
             const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < fp_rows_get_n (rows); i++)
    {
      const FpRow *row = fp_rows_get (rows, i);
      const FpRecords *records = fp_rows_get_records (rows, row->kind);

      g_string_append (text, i > 0 ? " " : "");
      for (guint step = 0; step < row->depth; step++)
        g_string_append_c (text, '>');
      g_string_append_printf (text, "%s%s", fp_control_records_get (records, row->index)->name,
                              row->kind == FP_ROW_ENDED ? "(ended)" : row->kind == FP_ROW_GROUP ? row->is_expanded ? "-" : "+"
                                                                                                : "");
    }
  g_assert_cmpstr (text->str, ==, expected);
}

static gboolean
is_no_machine (const FpRecords *records,
               guint index,
               gpointer data)
{
  return fp_control_records_get (records, index)->kind != FP_CONTROL_KIND_MACHINE;
}

static FpRows *
make_rows (FpGrouping grouping)
{
  FpRows *rows = fp_rows_new ();

  fp_rows_set_opens_matches (rows, TRUE);
  fp_rows_set_filter (rows, is_no_machine, NULL);
  fp_rows_set_sort (rows, fp_columns_get_role (FP_ROLE_MEMORY, FP_RECORD_CONTROL_GROUP), TRUE);
  fp_rows_set_grouping (rows, grouping);
  return rows;
}

/* The tree is open, and what somebody closes stays so. A group has its own figure, and is a member by itself. */
static void
test_tree (void)
{
  g_autoptr (FpControlGroups) groups = make_groups ();
  g_autoptr (FpRecords) records = fp_control_records_new (groups, NULL, NULL);
  g_autoptr (FpRows) rows = make_rows (FP_GROUPING_PARENT);
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GError) error = NULL;

  fp_rows_update (rows, records, NULL);
  assert_rows (rows, "user.slice- >user-7.slice- >>app.scope system.slice- >large.service >small.service");
  assert_text (fp_rows_get_records (rows, FP_ROW_GROUP), fp_rows_get (rows, 3)->index, "memory", "300 MiB");
  fp_rows_add_members (rows, 3, members);
  g_assert_cmpuint (members->len, ==, 1);
  g_assert_cmpuint (g_array_index (members, guint, 0), ==, find (groups, "/system.slice"));
  fp_rows_set_expanded (rows, fp_rows_get (rows, 0)->key, FALSE);
  assert_rows (rows, "user.slice+ system.slice- >large.service >small.service");
  fp_rows_update (rows, records, NULL);
  assert_rows (rows, "user.slice+ system.slice- >large.service >small.service");
  fp_rows_set_query (rows, fp_query_new ("app", FP_RECORD_CONTROL_GROUP, &error));
  g_assert_no_error (error);
  fp_rows_update (rows, records, NULL);
  assert_rows (rows, "app.scope");
  /* A group that matches is in the nearest one around it that matches, too; all are open. */
  fp_rows_set_query (rows, fp_query_new ("app | user.", FP_RECORD_CONTROL_GROUP, &error));
  fp_rows_update (rows, records, NULL);
  assert_rows (rows, "user.slice- >app.scope");
  fp_rows_set_query (rows, NULL);
  fp_rows_update (rows, records, NULL);
  assert_rows (rows, "user.slice+ system.slice- >large.service >small.service");
}

static void
test_flat (void)
{
  g_autoptr (FpControlGroups) groups = make_groups ();
  g_autoptr (FpRecords) records = fp_control_records_new (groups, NULL, NULL);
  g_autoptr (FpRows) rows = make_rows (FP_GROUPING_NOTHING);
  g_autoptr (GError) error = NULL;

  fp_rows_update (rows, records, NULL);
  g_assert_cmpuint (fp_rows_get_n (rows), ==, 6);
  fp_rows_set_query (rows, fp_query_new ("kind=service memory<150M", FP_RECORD_CONTROL_GROUP, &error));
  g_assert_no_error (error);
  fp_rows_update (rows, records, NULL);
  assert_rows (rows, "small.service");
  /* Equal figures leave the order to the memory. */
  fp_rows_set_query (rows, fp_query_new ("kind=service", FP_RECORD_CONTROL_GROUP, &error));
  fp_rows_set_sort (rows, fp_columns_find ("kind", FP_RECORD_CONTROL_GROUP), FALSE);
  fp_rows_update (rows, records, NULL);
  assert_rows (rows, "large.service small.service");
}

/* While somebody reads, rows keep their places: also those of groups that are gone, and of all within them. */
static void
test_held (void)
{
  g_autoptr (FpControlGroups) groups = make_groups (), fewer = make_groups (), more = make_groups ();
  g_autoptr (FpRecords) records = fp_control_records_new (groups, NULL, NULL), few = NULL, many = NULL;
  g_autoptr (FpRows) rows = make_rows (FP_GROUPING_PARENT);

  fp_rows_update (rows, records, NULL);
  fp_rows_set_held (rows, TRUE);
  add (more, FP_CONTROL_KIND_SERVICE, "/system.slice/new.service", 250 * MIB);
  fixture_control_set (&more->groups[find (more, "/system.slice")], FP_CONTROL_MEMORY, 950 * MIB);
  many = fp_control_records_new (more, NULL, NULL);
  fp_rows_update (rows, many, NULL);
  assert_rows (rows, "user.slice- >user-7.slice- >>app.scope system.slice- >large.service >small.service >new.service");
  fewer->n = find (fewer, "/user.slice/user-7.slice");
  fewer->groups[find (fewer, "/system.slice/large.service")].id++;
  few = fp_control_records_new (fewer, NULL, NULL);
  fp_rows_update (rows, few, NULL);
  assert_rows (rows, "user.slice- >user-7.slice(ended) >app.scope(ended) system.slice- >large.service(ended) >small.service "
                     ">new.service(ended) >large.service");
  fp_rows_set_held (rows, FALSE);
  fp_rows_update (rows, few, NULL);
  assert_rows (rows, "user.slice system.slice- >large.service >small.service");
}

/* In a namespace the root is the container's own group, and not the machine. */
static void
test_root (void)
{
  for (guint is_container = 0; is_container < 2; is_container++)
    {
      g_autoptr (FpControlGroups) groups = make_groups ();
      g_autoptr (FpRecords) records = NULL;

      groups->groups[0].kind = is_container ? FP_CONTROL_KIND_OTHER : FP_CONTROL_KIND_MACHINE;
      records = fp_control_records_new (groups, NULL, NULL);
      assert_text (records, 0, "name", is_container ? "This container" : "This machine");
    }
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/control-records/figures", test_figures);
  g_test_add_func ("/control-records/unknown", test_unknown);
  g_test_add_func ("/control-records/limits", test_limits);
  g_test_add_func ("/control-records/words", test_words);
  g_test_add_func ("/control-records/users", test_users);
  g_test_add_func ("/control-records/tree", test_tree);
  g_test_add_func ("/control-records/flat", test_flat);
  g_test_add_func ("/control-records/held", test_held);
  g_test_add_func ("/control-records/root", test_root);
  return g_test_run ();
}
