// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixture-snapshot.h"
#include "fp-history.h"
#include "fp-totals.h"

#define KIB        G_GUINT64_CONSTANT (1024)
#define LONGEST_US (5 * G_USEC_PER_SEC)
#define LAST       640

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

  for (guint i = 0; i < FP_HISTORY_RECENT + 8; i++)
    {
      g_clear_pointer (&last, fp_records_unref);
      last = take (history, 100 + i, 5, (i + 1) * KIB);
    }
  g_assert_null (fp_history_get (history, fp_records_get_key (last, 1), &n));
  g_assert_cmpuint (n, ==, 0);

  fp_history_follow (history, last, 1);
  points = fp_history_get (history, fp_records_get_key (last, 1), &n);
  g_assert_cmpuint (n, ==, FP_HISTORY_RECENT);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpuint (points[i].time_us, ==, (108 + i) * G_GUINT64_CONSTANT (1000000));
      g_assert_cmpuint (points[i].ends.low_kib[FP_HISTORY_PSS], ==, 9 + i);
      g_assert_cmpuint (points[i].ends.low_kib[FP_HISTORY_RSS], ==, 2 * (9 + i));
      g_assert_cmpuint (points[i].ends.low_kib[FP_HISTORY_SWAP], ==, 3);
    }
}

static void
check_idle (guint n_taken,
            guint every)
{
  g_autoptr (FpHistory) history = fp_history_new ();
  g_autoptr (FpRecords) last = take (history, 1, 5, 1 * KIB);
  guint n, begin = n_taken - MIN (n_taken, FP_HISTORY_RECENT);
  const FpHistoryPoint *points;

  for (guint i = 1; i < n_taken; i++)
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

/* Now and then it changes, and mostly not: each collection has its point all the same. */
static void
test_idle (void)
{
  static const guint n_taken[] = { 1, 2, 31, FP_HISTORY_RECENT - 1, FP_HISTORY_RECENT, FP_HISTORY_RECENT + 1, 1500 };
  static const guint every[] = { 1, 2, 7, 100, 599, 600, 601, 1499 };

  for (guint i = 0; i < G_N_ELEMENTS (n_taken); i++)
    for (guint k = 0; k < G_N_ELEMENTS (every); k++)
      check_idle (n_taken[i], every[k]);
}

static void
test_ten_minutes (void)
{
  g_autoptr (FpHistory) history = fp_history_new ();
  g_autoptr (FpRecords) last = NULL;
  const FpHistoryPoint *points;
  guint n;

  for (guint i = 0; i < 400; i++)
    {
      g_clear_pointer (&last, fp_records_unref);
      last = take (history, 100 + 3 * i, 5, (i + 1) * KIB);
    }
  fp_history_follow (history, last, 1);
  points = fp_history_get (history, fp_records_get_key (last, 1), &n);
  g_assert_cmpuint (n, ==, 201);
  g_assert_cmpuint (points[0].ends.low_kib[FP_HISTORY_PSS], ==, 200);
}

static FpGrowth
grow (FpHistory *history,
      guint n,
      guint every,
      guint64 (*get_kib) (guint second))
{
  FpKey key = { 0, 0 };

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (FpRecords) records = take (history, 1 + i * every, 5, get_kib (i * every) * KIB);

      key = fp_records_get_key (records, 1);
    }
  return fp_history_get_growth (history, key);
}

static guint64
get_leak (guint second)
{
  return 100000 + second * 1024;
}

static guint64
get_shrinking (guint second)
{
  return 1000000 - second * 1024;
}

static guint64
get_steady (guint second)
{
  return 100000;
}

/* A MiB in twenty minutes, all at once: ten minutes see at most one step. */
static guint64
get_stairs (guint second)
{
  return 100000 + second / 1200 * 4096;
}

static void
assert_growth (guint n,
               guint every,
               guint64 (*get_kib) (guint second),
               FpFigure expected,
               guint64 span_s)
{
  g_autoptr (FpHistory) history = fp_history_new ();
  FpGrowth growth = grow (history, n, every, get_kib);

  g_test_message ("%u s: kind %u, %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT " KiB in %" G_GUINT64_FORMAT " s", n * every,
                  growth.figure.kind, growth.figure.low / KIB, growth.figure.high / KIB, growth.span_us / G_USEC_PER_SEC);
  g_assert_cmpint (growth.figure.kind, ==, expected.kind);
  if (!fp_figure_is_known (expected))
    return;
  g_assert_cmpuint (growth.figure.low, >=, expected.low * 9 / 10);
  g_assert_cmpuint (growth.figure.high, <=, expected.high * 11 / 10);
  g_assert_cmpuint (growth.span_us, >=, span_s * G_USEC_PER_SEC);
}

static void
test_growth (void)
{
  const FpFigure unknown = { FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 }, a_mib_a_second = fp_figure_exact (60 * KIB * KIB);

  assert_growth (20, 1, get_leak, unknown, 0);
  assert_growth (60, 1, get_leak, a_mib_a_second, 40);
  assert_growth (60, 1, get_shrinking, (FpFigure){ FP_FIGURE_LESS, 60 * KIB * KIB, 60 * KIB * KIB }, 40);
  assert_growth (60, 1, get_steady, fp_figure_exact (0), 40);
  assert_growth (3000, 2, get_leak, a_mib_a_second, 590);
  assert_growth (10800, 2, get_stairs, (FpFigure){ FP_FIGURE_RANGE, 150 * KIB, 300 * KIB }, 20000);
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

/* A long time without a collection is a gap; a process that was not looked at for a while has none. */
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

/* A machine that sleeps for hours leaves a gap; one that is set back, as from a saved state, begins anew. */
static void
test_set_back (void)
{
  static const guint seconds[] = { 100, 101, 8000, 8001, 5, 6, 7 };
  g_autoptr (FpHistory) history = fp_history_new ();
  g_autoptr (FpRecords) records = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (seconds); i++)
    {
      g_clear_pointer (&records, fp_records_unref);
      records = take (history, seconds[i], 5, 10 * KIB);
      fp_history_follow (history, records, 1);
      if (seconds[i] == 8001)
        assert_points (history, fp_records_get_key (records, 1), "|100 101 |8000 8001");
    }
  assert_points (history, fp_records_get_key (records, 1), "|5 6 7");
}

/* A sum has points only while it is followed, and so has a process that was not looked at for longer than all have theirs. */
static void
test_not_followed (void)
{
  g_autoptr (FpHistory) history = fp_history_new ();
  g_autoptr (GString) of_process = g_string_new (NULL);
  FpKey process = { 0, 0 }, sum = { 0, 0 };

  for (guint second = 1; second <= LAST; second++)
    {
      g_autoptr (FpRecords) records = take (history, second, 5, 10 * KIB);
      g_autoptr (FpRecords) all = fp_totals_new (records, NULL, records->n, NULL, NULL);

      process = fp_records_get_key (records, 1);
      sum = fp_records_get_key (all, 0);
      if (second > 1 && second < LAST)
        continue;
      fp_history_follow (history, records, 1);
      fp_history_follow (history, all, 0);
    }
  for (guint second = LAST - FP_HISTORY_RECENT + 1; second <= LAST; second++)
    g_string_append_printf (of_process, "%s%u", second == LAST - FP_HISTORY_RECENT + 1 ? "|" : " ", second);
  assert_points (history, process, of_process->str);
  assert_points (history, sum, "|1 |" G_STRINGIFY (LAST));
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
  g_test_add_func ("/history/ten-minutes", test_ten_minutes);
  g_test_add_func ("/history/growth", test_growth);
  g_test_add_func ("/history/reused-pid", test_reused_pid);
  g_test_add_func ("/history/long", test_long);
  g_test_add_func ("/history/gaps", test_gaps);
  g_test_add_func ("/history/set-back", test_set_back);
  g_test_add_func ("/history/not-followed", test_not_followed);
  g_test_add_func ("/history/ranges", test_ranges);
  return g_test_run ();
}
