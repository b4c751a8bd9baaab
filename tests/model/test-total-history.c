// SPDX-License-Identifier: GPL-3.0-or-later
/* Totals have a past of their own, which goes on when their members end and others begin. */
#include "fixture-snapshot.h"
#include "fp-growth.h"
#include "fp-machine-changes.h"
#include "fp-rows.h"
#include "fp-totals.h"

#define KIB        G_GUINT64_CONSTANT (1024)
#define MIB        (1024 * KIB)
#define LONGEST_US (5 * G_USEC_PER_SEC)
#define WORKER_AGE 10 /* seconds until a worker is replaced by another, which has what it had */

static void
add (FixtureSnapshot *fixture,
     gint pid,
     const char *program,
     const char *user,
     guint64 pss)
{
  FpProcess *process = fixture_snapshot_add (fixture, pid, program);

  fixture_snapshot_set_text (fixture, process, FP_TEXT_PROGRAM, program);
  fixture_snapshot_set_text (fixture, process, FP_TEXT_USER, user);
  fixture_set_figures (process, pss, pss, 0);
}

/* A worker that is replaced all the time grows by a MiB each second; two others keep what they have. */
static FpRecords *
take (FpTotalHistory *history,
      guint second)
{
  g_auto (FixtureSnapshot) fixture = { 0 };
  FpRecords *records;

  fixture_snapshot_init (&fixture, 4);
  fixture.snapshot->info.boottime_us = second * G_GUINT64_CONSTANT (1000000);
  add (&fixture, 7, "editor", "eve", 40 * MIB);
  add (&fixture, 8, "server", "www", 10 * MIB);
  add (&fixture, (gint)(100 + second / WORKER_AGE), "server", "www", 20 * MIB + second * MIB);
  records = fixture_snapshot_make_records (&fixture);
  fp_total_history_take (history, records, NULL, LONGEST_US);
  return records;
}

static FpRecords *
take_for (FpTotalHistory *history,
          guint seconds)
{
  FpRecords *last = NULL;

  for (guint i = 1; i <= seconds; i++)
    {
      g_clear_pointer (&last, fp_records_unref);
      last = take (history, i);
    }
  return last;
}

static void
assert_grows (FpFigure growth)
{
  g_assert_true (fp_figure_is_known (growth));
  g_assert_cmpint (growth.kind, !=, FP_FIGURE_LESS);
  g_assert_cmpuint (growth.low, >=, 58 * MIB);
  g_assert_cmpuint (growth.high, <=, 62 * MIB);
}

static const FpRecords *
update (FpRows *rows,
        const FpTotalHistory *history,
        FpGrouping grouping,
        FpRecords *records)
{
  fp_rows_set_history (rows, history);
  fp_rows_set_grouping (rows, grouping);
  fp_rows_update (rows, records, NULL);
  return fp_rows_get_records (rows, FP_ROW_GROUP);
}

static guint
find (const FpRecords *totals,
      const char *name)
{
  for (guint i = 0; i < totals->n; i++)
    if (g_str_equal (fp_totals_get (totals, i)->name, name))
      return i;
  g_assert_not_reached ();
}

/* No process lives long enough to have a growth. */
static void
test_replaced_members (void)
{
  static const struct
  {
    FpGrouping grouping;
    const char *grows;
    const char *keeps;
  } groupings[] = {
    { FP_GROUPING_PROGRAM, "server", "editor" },
    { FP_GROUPING_USER, "www", "eve" },
    { FP_GROUPING_USER_PROGRAM, "server", "editor" },
    { FP_GROUPING_USER_PROGRAM, "www", "eve" },
  };
  g_autoptr (FpTotalHistory) history = fp_total_history_new ();
  g_autoptr (FpRecords) records = take_for (history, 90);
  g_autoptr (FpRows) rows = fp_rows_new ();

  for (guint i = 0; i < G_N_ELEMENTS (groupings); i++)
    {
      const FpRecords *totals = update (rows, history, groupings[i].grouping, records);
      FpFigure kept = fp_records_get_growth (totals, find (totals, groupings[i].keeps));

      assert_grows (fp_records_get_growth (totals, find (totals, groupings[i].grows)));
      g_assert_cmpint (kept.kind, ==, FP_FIGURE_EXACT);
      g_assert_cmpuint (kept.low, ==, 0);
    }
}

/* Found by a search, only a part of the total is there, which has no past. */
static void
test_partial (void)
{
  g_autoptr (FpTotalHistory) history = fp_total_history_new ();
  g_autoptr (FpRecords) records = take_for (history, 90);
  g_autoptr (FpRows) rows = fp_rows_new ();
  const FpRecords *totals;

  fp_rows_set_query (rows, fp_query_new ("pid>8", FP_RECORD_PROCESS, NULL));
  totals = update (rows, history, FP_GROUPING_PROGRAM, records);
  g_assert_cmpuint (totals->n, ==, 1);
  g_assert_false (fp_figure_is_known (fp_records_get_growth (totals, 0)));
  g_assert_null (fp_records_get_history (totals, 0));

  fp_rows_set_query (rows, fp_query_new ("program=server", FP_RECORD_PROCESS, NULL));
  totals = update (rows, history, FP_GROUPING_PROGRAM, records);
  g_assert_cmpuint (totals->n, ==, 1);
  assert_grows (fp_records_get_growth (totals, 0));
}

/* One process has more, and the one that can't be read may have less by as much. */
static void
test_unread (void)
{
  g_autoptr (FpTotalHistory) history = fp_total_history_new ();
  g_autoptr (FpRecords) last = NULL, totals = NULL;
  const guint members[] = { 0, 1 };

  for (guint second = 1; second <= 90; second++)
    {
      g_auto (FixtureSnapshot) fixture = { 0 };

      fixture_snapshot_init (&fixture, 2);
      fixture.snapshot->info.boottime_us = second * G_GUINT64_CONSTANT (1000000);
      add (&fixture, 7, "editor", "eve", second * MIB);
      fixture_snapshot_add_reason (&fixture, 8, "editor", FP_REASON_PERMISSION);
      g_clear_pointer (&last, fp_records_unref);
      last = fixture_snapshot_make_records (&fixture);
      fp_total_history_take (history, last, NULL, LONGEST_US);
    }
  totals = fp_totals_new (last, NULL, last->n, NULL, NULL);
  fp_total_history_tell (history, FP_GROUPING_NOTHING, totals, last, members, G_N_ELEMENTS (members), NULL);
  g_assert_false (fp_figure_is_known (fp_records_get_growth (totals, 0)));
}

static void
test_followed (void)
{
  g_autoptr (FpTotalHistory) history = fp_total_history_new ();
  g_autoptr (FpRecords) records = take_for (history, 90);
  g_autoptr (FpRows) rows = fp_rows_new ();
  const FpRecords *totals = update (rows, history, FP_GROUPING_PROGRAM, records);
  guint place = find (totals, "server"), n;
  FpHistory *own = fp_records_get_history (totals, place);
  const FpHistoryPoint *points;

  g_assert_nonnull (own);
  fp_history_follow (own, totals, place);
  points = fp_history_get (own, fp_records_get_key (totals, place), &n);
  g_assert_cmpuint (n, ==, 90);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpuint (points[i].ends.low_kib[FP_HISTORY_PSS], ==, (30 + i + 1) * 1024);
      g_assert_cmpuint (points[i].ends.high_kib[FP_HISTORY_PSS], ==, (30 + i + 1) * 1024);
      g_assert_cmpint (points[i].follows_gap, ==, i == 0);
    }
}

static void
take_programs (FpTotalHistory *history,
               guint second,
               const char *prefix,
               guint n)
{
  g_auto (FixtureSnapshot) fixture = { 0 };
  g_autoptr (FpRecords) records = NULL;

  fixture_snapshot_init (&fixture, n + 1);
  fixture.snapshot->info.boottime_us = second * G_USEC_PER_SEC;
  add (&fixture, 7, "editor", "eve", 40 * MIB);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s-%u", prefix, i);

      add (&fixture, (gint)(100 * second + i), name, "eve", MIB);
    }
  records = fixture_snapshot_make_records (&fixture);
  fp_total_history_take (history, records, NULL, LONGEST_US);
}

static guint
count_changes (const FpTotalHistory *history,
               const char *prefix)
{
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FpProgramChange));
  guint n = 0;

  fp_total_history_add_changes (history, changes);
  for (guint i = 0; i < changes->len; i++)
    n += g_str_has_prefix (g_array_index (changes, FpProgramChange, i).name, prefix);
  return n;
}

/* However many programs come and go at once, 300 of them are kept: those that were there last. */
static void
test_gone (void)
{
  g_autoptr (FpTotalHistory) history = fp_total_history_new ();

  take_programs (history, 1, "early", 80);
  take_programs (history, 2, "middle", 80);
  for (guint second = 3; second < 6; second++)
    {
      g_autofree char *prefix = g_strdup_printf ("late%u", second);

      take_programs (history, second, prefix, 80);
    }
  take_programs (history, 6, "", 0);
  fp_total_history_mark (history, 6 * G_USEC_PER_SEC);
  take_programs (history, 7, "", 0);
  g_assert_cmpuint (count_changes (history, "editor"), ==, 1);
  g_assert_cmpuint (count_changes (history, "late"), ==, 240);
  g_assert_cmpuint (count_changes (history, "middle"), ==, 60);
  g_assert_cmpuint (count_changes (history, "early"), ==, 0);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/total-history/replaced-members", test_replaced_members);
  g_test_add_func ("/total-history/partial", test_partial);
  g_test_add_func ("/total-history/unread", test_unread);
  g_test_add_func ("/total-history/followed", test_followed);
  g_test_add_func ("/total-history/gone", test_gone);
  return g_test_run ();
}
