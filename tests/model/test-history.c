// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixture-snapshot.h"
#include "fp-history.h"
#include "fp-totals.h"

#define KIB        G_GUINT64_CONSTANT (1024)
#define LONGEST_US (5 * G_USEC_PER_SEC)

/* One process with this much, at this second; unknown: there is none of it but its PID */
static FpRecords *
take (FpHistory *history,
      guint second,
      guint64 start_ticks,
      guint64 pss)
{
  g_auto (FixtureSnapshot) fixture = { 0 };
  FpProcess *process;

  fixture_snapshot_init (&fixture, 2);
  fixture.snapshot->info.boottime_us = second * G_GUINT64_CONSTANT (1000000);
  process = fixture_snapshot_add (&fixture, 7, "other");
  fixture_set_figures (process, 1 * KIB, 1 * KIB, 0);
  process = pss > 0 ? fixture_snapshot_add (&fixture, 42, "watched")
                    : fixture_snapshot_add_reason (&fixture, 42, "watched", FP_REASON_PERMISSION);
  process->start_ticks = start_ticks;
  if (pss > 0)
    fixture_set_figures (process, pss, pss * 2, 3 * KIB);
  fp_history_take (history, fixture.snapshot, LONGEST_US);
  return fixture_snapshot_make_records (&fixture);
}

static void
test_seeded (void)
{
  g_autoptr (FpHistory) history = fp_history_new ();
  g_autoptr (FpRecords) last = NULL;
  const FpHistoryPoint *points;
  guint n;

  for (guint i = 0; i < 40; i++)
    {
      g_clear_pointer (&last, fp_records_unref);
      last = take (history, 100 + i, 5, (i + 1) * KIB);
    }
  g_assert_null (fp_history_get (history, fp_records_get_key (last, 1), &n));
  g_assert_cmpuint (n, ==, 0);

  fp_history_follow (history, last, 1);
  points = fp_history_get (history, fp_records_get_key (last, 1), &n);
  g_assert_cmpuint (n, ==, FP_HISTORY_BRIEF);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpuint (points[i].time_us, ==, (108 + i) * G_GUINT64_CONSTANT (1000000));
      g_assert_cmpuint (points[i].ends.low_kib[FP_HISTORY_PSS], ==, 9 + i);
      g_assert_cmpuint (points[i].ends.low_kib[FP_HISTORY_RSS], ==, 2 * (9 + i));
      g_assert_cmpuint (points[i].ends.low_kib[FP_HISTORY_SWAP], ==, 3);
    }
}

/* Now and then it changes, and mostly not: each collection has its point all the same. */
static void
test_idle (void)
{
  for (guint n_taken = 1; n_taken < 3 * FP_HISTORY_BRIEF; n_taken++)
    for (guint every = 1; every < 2 * FP_HISTORY_BRIEF; every += 3)
      {
        g_autoptr (FpHistory) history = fp_history_new ();
        g_autoptr (FpRecords) last = NULL;
        guint n, begin = n_taken - MIN (n_taken, FP_HISTORY_BRIEF);
        const FpHistoryPoint *points;

        for (guint i = 0; i < n_taken; i++)
          {
            g_clear_pointer (&last, fp_records_unref);
            last = take (history, 1 + i, 5, (1 + i / every) * KIB);
          }
        fp_history_follow (history, last, 1);
        points = fp_history_get (history, fp_records_get_key (last, 1), &n);
        g_assert_cmpuint (n, ==, n_taken - begin);
        for (guint i = 0; i < n; i++)
          {
            g_assert_cmpuint (points[i].time_us, ==, (1 + begin + i) * G_GUINT64_CONSTANT (1000000));
            g_assert_cmpuint (points[i].ends.low_kib[FP_HISTORY_PSS], ==, 1 + (begin + i) / every);
          }
      }
}

/* Another process with its PID has a history of its own; what is not known is no 0. */
static void
test_reused_pid (void)
{
  g_autoptr (FpHistory) history = fp_history_new ();
  g_autoptr (FpRecords) first = take (history, 1, 5, 10 * KIB);
  g_autoptr (FpRecords) second = take (history, 2, 6, 0);
  const FpHistoryPoint *points;
  guint n;

  fp_history_follow (history, second, 1);
  points = fp_history_get (history, fp_records_get_key (second, 1), &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (points[0].ends.low_kib[FP_HISTORY_PSS], ==, FP_HISTORY_UNKNOWN);
  g_assert_null (fp_history_get (history, fp_records_get_key (first, 1), &n));
}

static void
test_long (void)
{
  g_autoptr (FpHistory) history = fp_history_new ();
  FpKey key = { 0, 0 };
  const FpHistoryPoint *points;
  guint n;

  for (guint i = 0; i < FP_HISTORY_LONG + 50; i++)
    {
      g_autoptr (FpRecords) records = take (history, i + 1, 5, (i + 1) * KIB);

      key = fp_records_get_key (records, 1);
      fp_history_follow (history, records, 1);
      /* Once a collection, however often it is chosen. */
      fp_history_follow (history, records, 1);
    }
  points = fp_history_get (history, key, &n);
  g_assert_cmpuint (n, ==, FP_HISTORY_LONG);
  g_assert_cmpuint (points[0].ends.low_kib[FP_HISTORY_PSS], ==, 51);
  g_assert_cmpuint (points[n - 1].ends.low_kib[FP_HISTORY_PSS], ==, FP_HISTORY_LONG + 50);
}

/* Points of the process, with a mark before each that follows a gap: "101 102 |109" */
static void
assert_points (const FpHistory *history,
               FpKey key,
               const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n;
  const FpHistoryPoint *points = fp_history_get (history, key, &n);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s%u", i > 0 ? " " : "", points[i].follows_gap ? "|" : "",
                            (guint)(points[i].time_us / G_USEC_PER_SEC));
  g_assert_cmpstr (text->str, ==, expected);
}

/* Where nothing was collected for long there is a gap; a process that was not looked at for a while has none. */
static void
test_gaps (void)
{
  static const guint seconds[] = { 1, 2, 3, 8, 14, 15, 90, 91 };
  g_autoptr (FpHistory) history = fp_history_new ();
  g_autoptr (FpRecords) records = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (seconds); i++)
    {
      g_clear_pointer (&records, fp_records_unref);
      records = take (history, seconds[i], 5, 10 * KIB);
      if (i == 1 || i == 4)
        fp_history_follow (history, records, 1);
    }
  assert_points (history, fp_records_get_key (records, 1), "|1 2 3 8 |14");
  fp_history_follow (history, records, 1);
  assert_points (history, fp_records_get_key (records, 1), "|1 2 3 8 |14 15 |90 91");
}

/* A sum has points only while it is followed, and so has a process that was not looked at for longer than all have theirs. */
static void
test_not_followed (void)
{
  g_autoptr (FpHistory) history = fp_history_new ();
  g_autoptr (GString) of_process = g_string_new ("|1");
  FpKey process = { 0, 0 }, sum = { 0, 0 };

  for (guint second = 1; second <= 40; second++)
    {
      g_autoptr (FpRecords) records = take (history, second, 5, 10 * KIB);
      g_autoptr (FpRecords) all = fp_totals_new (records, NULL, records->n, NULL, NULL);

      process = fp_records_get_key (records, 1);
      sum = fp_records_get_key (all, 0);
      if (second > 1 && second < 40)
        continue;
      fp_history_follow (history, records, 1);
      fp_history_follow (history, all, 0);
    }
  for (guint second = 40 - FP_HISTORY_BRIEF + 1; second <= 40; second++)
    g_string_append_printf (of_process, " %s%u", second == 40 - FP_HISTORY_BRIEF + 1 ? "|" : "", second);
  assert_points (history, process, of_process->str);
  assert_points (history, sum, "|1 |40");
}

/* Both ends are kept, of a process and of a sum; the upper one is never below what it was. */
static void
test_ranges (void)
{
  g_autoptr (FpHistory) history = fp_history_new ();
  g_auto (FixtureSnapshot) fixture = { 0 };
  g_autoptr (FpRecords) records = NULL, all = NULL;
  const FpHistoryPoint *points;
  FpProcess *process;
  guint n;

  fixture_snapshot_init (&fixture, 2);
  process = fixture_snapshot_add (&fixture, 42, "giant");
  fixture_set_figures (process, 100 * KIB, 200 * KIB, 3 * KIB);
  fp_memory_set_range (&process->memory, FP_FIELD_PSS, 100 * KIB + 1, 150 * KIB + 1);
  fixture_set_figures (fixture_snapshot_add (&fixture, 43, "other"), 10 * KIB, 20 * KIB, 0);
  fp_history_take (history, fixture.snapshot, LONGEST_US);
  records = fixture_snapshot_make_records (&fixture);
  all = fp_totals_new (records, NULL, records->n, NULL, NULL);
  fp_history_follow (history, records, 0);
  fp_history_follow (history, all, 0);
  points = fp_history_get (history, fp_records_get_key (records, 0), &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (points[0].ends.low_kib[FP_HISTORY_PSS], ==, 100);
  g_assert_cmpuint (points[0].ends.high_kib[FP_HISTORY_PSS], ==, 151);
  g_assert_cmpuint (points[0].ends.low_kib[FP_HISTORY_RSS], ==, 200);
  g_assert_cmpuint (points[0].ends.high_kib[FP_HISTORY_RSS], ==, 200);
  points = fp_history_get (history, fp_records_get_key (all, 0), &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (points[0].ends.low_kib[FP_HISTORY_PSS], ==, 110);
  g_assert_cmpuint (points[0].ends.high_kib[FP_HISTORY_PSS], ==, 161);
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/history/seeded", test_seeded);
  g_test_add_func ("/history/idle", test_idle);
  g_test_add_func ("/history/reused-pid", test_reused_pid);
  g_test_add_func ("/history/long", test_long);
  g_test_add_func ("/history/gaps", test_gaps);
  g_test_add_func ("/history/not-followed", test_not_followed);
  g_test_add_func ("/history/ranges", test_ranges);
  return g_test_run ();
}
