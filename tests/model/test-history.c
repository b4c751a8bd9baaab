// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixture-snapshot.h"
#include "fp-history.h"

#define KIB G_GUINT64_CONSTANT (1024)

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
  fp_history_take (history, fixture.snapshot);
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

  fp_history_follow (history, last, 1, 139000000);
  points = fp_history_get (history, fp_records_get_key (last, 1), &n);
  g_assert_cmpuint (n, ==, FP_HISTORY_BRIEF);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpuint (points[i].time_us, ==, (108 + i) * G_GUINT64_CONSTANT (1000000));
      g_assert_cmpuint (points[i].kib[FP_HISTORY_PSS], ==, 9 + i);
      g_assert_cmpuint (points[i].kib[FP_HISTORY_RSS], ==, 2 * (9 + i));
      g_assert_cmpuint (points[i].kib[FP_HISTORY_SWAP], ==, 3);
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
        fp_history_follow (history, last, 1, n_taken * G_GUINT64_CONSTANT (1000000));
        points = fp_history_get (history, fp_records_get_key (last, 1), &n);
        g_assert_cmpuint (n, ==, n_taken - begin);
        for (guint i = 0; i < n; i++)
          {
            g_assert_cmpuint (points[i].time_us, ==, (1 + begin + i) * G_GUINT64_CONSTANT (1000000));
            g_assert_cmpuint (points[i].kib[FP_HISTORY_PSS], ==, 1 + (begin + i) / every);
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

  fp_history_follow (history, second, 1, 2000000);
  points = fp_history_get (history, fp_records_get_key (second, 1), &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (points[0].kib[FP_HISTORY_PSS], ==, FP_HISTORY_UNKNOWN);
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
      fp_history_follow (history, records, 1, (i + 1) * G_GUINT64_CONSTANT (1000000));
      /* Once a collection, however often it is chosen. */
      fp_history_follow (history, records, 1, (i + 1) * G_GUINT64_CONSTANT (1000000));
    }
  points = fp_history_get (history, key, &n);
  g_assert_cmpuint (n, ==, FP_HISTORY_LONG);
  g_assert_cmpuint (points[0].kib[FP_HISTORY_PSS], ==, 51);
  g_assert_cmpuint (points[n - 1].kib[FP_HISTORY_PSS], ==, FP_HISTORY_LONG + 50);
}

static void
test_growth (void)
{
  FpHistoryPoint points[60];
  double growth;

  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    points[i] = (FpHistoryPoint){ i * G_GUINT64_CONSTANT (2000000), { 1000 + i * 10, 500, FP_HISTORY_UNKNOWN, i % 2 } };
  g_assert_true (fp_history_get_growth (points, 60, FP_HISTORY_PSS, &growth));
  g_assert_cmpfloat_with_epsilon (growth, 5 * 1024, 0.01);
  g_assert_true (fp_history_get_growth (points, 60, FP_HISTORY_USS, &growth));
  g_assert_cmpfloat_with_epsilon (growth, 0, 0.01);
  g_assert_false (fp_history_get_growth (points, 60, FP_HISTORY_RSS, &growth));
  g_assert_false (fp_history_get_growth (points, 3, FP_HISTORY_PSS, &growth));
  g_assert_false (fp_history_get_growth (points, 0, FP_HISTORY_PSS, &growth));

  /* What is known of it counts, not since when it is looked at. */
  for (guint i = 0; i < 56; i++)
    points[i].kib[FP_HISTORY_PSS] = FP_HISTORY_UNKNOWN;
  g_assert_false (fp_history_get_growth (points, 60, FP_HISTORY_PSS, &growth));
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
  g_test_add_func ("/history/growth", test_growth);
  return g_test_run ();
}
