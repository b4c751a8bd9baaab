// SPDX-License-Identifier: GPL-3.0-or-later
/* In which direction memory goes, as far as it is known. */
#include <math.h>

#include "fp-trend.h"

#define MIB_IN_KIB 1024
#define N_POINTS   60
#define A_SECOND   G_GUINT64_CONSTANT (1000000)

typedef struct
{
  FpHistoryPoint points[N_POINTS];
} Series;

/* A point each second: 1 GiB of memory, half of it resident alone, no swap */
static void
series_init (Series *self)
{
  for (guint i = 0; i < N_POINTS; i++)
    {
      FpHistoryPoint *point = &self->points[i];

      *point = (FpHistoryPoint){ .time_us = i * A_SECOND };
      point->ends.low_kib[FP_HISTORY_PSS] = point->ends.high_kib[FP_HISTORY_PSS] = 1024 * MIB_IN_KIB;
      point->ends.low_kib[FP_HISTORY_RSS] = point->ends.high_kib[FP_HISTORY_RSS] = FP_HISTORY_UNKNOWN;
    }
}

static void
set_ends (Series *self,
          guint i,
          FpHistoryFigure figure,
          guint32 low,
          guint32 high)
{
  self->points[i].ends.low_kib[figure] = low;
  self->points[i].ends.high_kib[figure] = high;
}

static void
set (Series *self,
     guint i,
     FpHistoryFigure figure,
     guint32 kib)
{
  set_ends (self, i, figure, kib, kib);
}

static void
assert_trend (const Series *self,
              FpTrendKind kind,
              double mib)
{
  FpTrend trend = fp_trend_find (self->points, N_POINTS);

  g_assert_cmpint (trend.kind, ==, kind);
  g_assert_cmpfloat_with_epsilon ((double)trend.low / (1024 * 1024), mib, MAX (mib * 0.05, 0.01));
  g_assert_cmpfloat_with_epsilon ((double)trend.high / (1024 * 1024), mib, MAX (mib * 0.05, 0.01));
}

/* The true rate is within the interval, and the interval says something. */
static void
assert_grows (const FpHistoryPoint *points,
              guint n,
              double mib,
              double tolerance)
{
  FpTrend trend = fp_trend_find (points, n);

  g_test_message ("%g is from %.3f to %.3f MiB a minute", mib, (double)trend.low / (1024 * 1024),
                  (double)trend.high / (1024 * 1024));
  g_assert_cmpint (trend.kind, ==, FP_TREND_GROWS);
  g_assert_cmpfloat ((double)trend.low, <=, mib * 1.001 * 1024 * 1024);
  g_assert_cmpfloat ((double)trend.high, >=, mib * 0.999 * 1024 * 1024);
  g_assert_cmpfloat ((double)trend.low, >=, mib * (1 - tolerance) * 1024 * 1024);
  g_assert_cmpfloat ((double)trend.high, <=, mib * (1 + tolerance) * 1024 * 1024);
}

static void
test_steady (void)
{
  Series series;

  series_init (&series);
  assert_trend (&series, FP_TREND_STEADY, 0);
  for (guint i = 0; i < N_POINTS; i++)
    set (&series, i, FP_HISTORY_PSS, 1024 * MIB_IN_KIB + i % 2);
  assert_trend (&series, FP_TREND_STEADY, 0);
}

static void
test_growth (void)
{
  Series series;

  series_init (&series);
  for (guint i = 0; i < N_POINTS; i++)
    set (&series, i, FP_HISTORY_PSS, 1024 * MIB_IN_KIB + i * 5 * MIB_IN_KIB);
  assert_trend (&series, FP_TREND_GROWS, 300);
  for (guint i = 0; i < N_POINTS; i++)
    set (&series, i, FP_HISTORY_PSS, 1024 * MIB_IN_KIB - i * 5 * MIB_IN_KIB);
  assert_trend (&series, FP_TREND_SHRINKS, 300);
}

/* Memory that is swapped out is not given back. */
static void
test_swapped (void)
{
  Series series;

  series_init (&series);
  for (guint i = 0; i < N_POINTS; i++)
    {
      set (&series, i, FP_HISTORY_PSS, 1024 * MIB_IN_KIB - i * 5 * MIB_IN_KIB);
      set (&series, i, FP_HISTORY_SWAP, i * 5 * MIB_IN_KIB);
    }
  assert_trend (&series, FP_TREND_STEADY, 0);
  set (&series, 30, FP_HISTORY_SWAP, FP_HISTORY_UNKNOWN);
  assert_trend (&series, FP_TREND_SHRINKS, 300);
}

/* As with the rule that measured a giant for three seconds: known, and then anything from nothing on. */
static void
test_certainty (void)
{
  Series series;

  series_init (&series);
  for (guint i = 20; i < N_POINTS; i++)
    set_ends (&series, i, FP_HISTORY_PSS, 0, 1200 * MIB_IN_KIB);
  assert_trend (&series, FP_TREND_UNKNOWN, 0);
  for (guint i = 20; i < N_POINTS; i++)
    set_ends (&series, i, FP_HISTORY_PSS, 0, FP_HISTORY_UNKNOWN);
  assert_trend (&series, FP_TREND_UNKNOWN, 0);

  /* Not even where it grew by a little before */
  set (&series, 0, FP_HISTORY_PSS, 1023 * MIB_IN_KIB);
  assert_trend (&series, FP_TREND_ROSE, 1);
}

/* Between readings, 20 seconds apart, a range that its resident memory widens: no jump is told, and the rate is as uncertain
 * as three stairs leave it. */
static void
test_growing_range (void)
{
  Series series;

  series_init (&series);
  for (guint i = 0; i < N_POINTS; i++)
    set_ends (&series, i, FP_HISTORY_PSS, (1024 + i / 20 * 100) * MIB_IN_KIB, (1024 + i * 5) * MIB_IN_KIB);
  assert_grows (series.points, N_POINTS, 300, 0.7);
}

/* Both ends go up, so it does: at least as much as the way between them that is the least steep. */
static void
test_certain_growth (void)
{
  Series series;

  series_init (&series);
  for (guint i = 0; i < N_POINTS; i++)
    set_ends (&series, i, FP_HISTORY_PSS, (1000 + i * 5) * MIB_IN_KIB, (1020 + i * 5) * MIB_IN_KIB);
  assert_grows (series.points, N_POINTS, 300, 0.2);
}

static void
test_one_step (void)
{
  Series series;
  FpTrend trend;

  series_init (&series);
  for (guint i = 40; i < N_POINTS; i++)
    set (&series, i, FP_HISTORY_PSS, 100 * MIB_IN_KIB);
  assert_trend (&series, FP_TREND_FELL, 924);
  trend = fp_trend_find (series.points, N_POINTS);
  g_assert_cmpuint (trend.ago_us, ==, 19 * A_SECOND);
  for (guint i = 50; i < N_POINTS; i++)
    set (&series, i, FP_HISTORY_PSS, 1000 * MIB_IN_KIB);
  g_assert_cmpint (fp_trend_find (series.points, N_POINTS).kind, !=, FP_TREND_FELL);

  /* One larger step amid steady growth is not the news. */
  for (guint i = 0; i < N_POINTS; i++)
    set (&series, i, FP_HISTORY_PSS, (1024 + i * 5 + (i >= 30 ? 25 : 0)) * MIB_IN_KIB);
  assert_grows (series.points, N_POINTS, 300, 0.15);
}

/* The past before a gap does not tell how the figure came to be what it is now. */
static void
test_gap (void)
{
  Series series;

  series_init (&series);
  for (guint i = 30; i < N_POINTS; i++)
    set (&series, i, FP_HISTORY_PSS, 5000 * MIB_IN_KIB);
  series.points[30].follows_gap = TRUE;
  assert_trend (&series, FP_TREND_STEADY, 0);
  series.points[30].follows_gap = FALSE;
  set (&series, 29, FP_HISTORY_PSS, FP_HISTORY_UNKNOWN);
  assert_trend (&series, FP_TREND_STEADY, 0);
  series.points[55].follows_gap = TRUE;
  assert_trend (&series, FP_TREND_UNKNOWN, 0);
}

/* A pseudo-random number from -1 to 1, the same in each run */
static double
get_noise (guint i)
{
  const guint32 hash = (i + 1) * 2654435761u;

  return (double)((hash ^ hash >> 15) & 0xffff) / 0x8000 - 1;
}

/* Memory each second as a function of the seconds */
static FpHistoryPoint *
make_points (double (*get_mib) (double seconds, guint i),
             guint n)
{
  FpHistoryPoint *points = g_new0 (FpHistoryPoint, n);

  for (guint i = 0; i < n; i++)
    {
      points[i].time_us = i * A_SECOND;
      points[i].ends.low_kib[FP_HISTORY_PSS] = points[i].ends.high_kib[FP_HISTORY_PSS] = (guint32)(get_mib (i, i) * MIB_IN_KIB);
    }
  return points;
}

static double
get_leak (double seconds,
          guint i)
{
  return 200 + seconds;
}

static double
get_slow_leak (double seconds,
               guint i)
{
  return 200 + seconds / 60;
}

static double
get_noisy_leak (double seconds,
                guint i)
{
  return 200 + seconds + get_noise (i) * 3;
}

static double
get_noise_alone (double seconds,
                 guint i)
{
  return 200 + get_noise (i) * 3;
}

static double
get_quick_saw (double seconds,
               guint i)
{
  return 200 + fmod (seconds, 5) * 8;
}

static double
get_slow_saw (double seconds,
              guint i)
{
  return 200 + fmod (seconds, 180);
}

/* A collector whose memory leaks between its runs */
static double
get_leaking_saw (double seconds,
                 guint i)
{
  return 200 + fmod (seconds, 5) * 8 + seconds;
}

static double
get_warm_up (double seconds,
             guint i)
{
  return 200 + 100 * (1 - exp (-seconds / 10));
}

static void
assert_grows_as (double (*get_mib) (double seconds, guint i),
                 guint n,
                 double mib)
{
  g_autofree FpHistoryPoint *points = make_points (get_mib, n);

  assert_grows (points, n, mib, 0.1);
}

static void
test_leaks (void)
{
  assert_grows_as (get_leak, 60, 60);
  assert_grows_as (get_slow_leak, 60, 1);
  assert_grows_as (get_slow_leak, 600, 1);
  assert_grows_as (get_noisy_leak, 300, 60);
  assert_grows_as (get_leaking_saw, 300, 60);
}

/* A collector lets memory rise and gives it back, a program that starts levels off, and all memory breathes. */
static void
test_no_growth (void)
{
  static const struct
  {
    double (*get_mib) (double seconds, guint i);
    guint from, to; /* Before its first fall, a saw-tooth can't be told from a leak. */
    double height;
  } cases[] = {
    { get_quick_saw, 20, 130, 32 },
    { get_slow_saw, 190, 600, 179 },
    { get_noise_alone, 30, 300, 6 },
    { get_warm_up, 120, 600, 100 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree FpHistoryPoint *points = make_points (cases[i].get_mib, cases[i].to);

      for (guint n = cases[i].from; n <= cases[i].to; n++)
        {
          FpTrend trend = fp_trend_find (points, n);

          if (trend.kind == FP_TREND_GROWS || trend.kind == FP_TREND_SHRINKS)
            g_error ("case %u after %u s: %.3f to %.3f MiB a minute", i, n, (double)trend.low / (1024 * 1024),
                     (double)trend.high / (1024 * 1024));
          if (trend.kind == FP_TREND_VARIES)
            g_assert_cmpfloat ((double)trend.high, <=, cases[i].height * 1.05 * 1024 * 1024);
        }
    }
}

/* Less than ten seconds, or than three points */
static void
test_too_short (void)
{
  Series series;

  series_init (&series);
  g_assert_cmpint (fp_trend_find (series.points, 0).kind, ==, FP_TREND_UNKNOWN);
  g_assert_cmpint (fp_trend_find (series.points, 10).kind, ==, FP_TREND_UNKNOWN);
  g_assert_cmpint (fp_trend_find (series.points, 11).kind, ==, FP_TREND_STEADY);
  series.points[1].time_us = 60 * A_SECOND;
  g_assert_cmpint (fp_trend_find (series.points, 2).kind, ==, FP_TREND_UNKNOWN);
}

static double
get_shrinking (double seconds,
               guint i)
{
  return 2000 - seconds * 10;
}

/* A rise or fall of less than half a minute has no rate a minute. */
static void
test_too_short_for_a_rate (void)
{
  g_autofree FpHistoryPoint *leak = make_points (get_leak, 31), *shrinking = make_points (get_shrinking, 31);

  for (guint n = 1; n <= 30; n++)
    {
      g_assert_cmpint (fp_trend_find (leak, n).kind, ==, FP_TREND_UNKNOWN);
      g_assert_cmpint (fp_trend_find (shrinking, n).kind, ==, FP_TREND_UNKNOWN);
    }
  g_assert_cmpint (fp_trend_find (leak, 31).kind, ==, FP_TREND_GROWS);
  g_assert_cmpint (fp_trend_find (shrinking, 31).kind, ==, FP_TREND_SHRINKS);
}

#define N_LONG 300

/* Five minutes: steps of so many MiB a second in each part of equal length */
static void
fill_long (FpHistoryPoint points[N_LONG],
           const gint *rates,
           guint n_rates)
{
  gint kib = 1024 * MIB_IN_KIB;

  for (guint i = 0; i < N_LONG; i++)
    {
      points[i] = (FpHistoryPoint){ .time_us = i * A_SECOND };
      points[i].ends.low_kib[FP_HISTORY_PSS] = points[i].ends.high_kib[FP_HISTORY_PSS] = (guint32)kib;
      points[i].ends.low_kib[FP_HISTORY_RSS] = points[i].ends.high_kib[FP_HISTORY_RSS] = FP_HISTORY_UNKNOWN;
      kib += rates[i * n_rates / N_LONG] * MIB_IN_KIB;
    }
}

/* A program that has grown faster for a minute is said to grow so fast, and one that stands still to be steady. */
static void
test_latest (void)
{
  static const gint later[] = { 0, 0, 0, 0, 10 }, faster[] = { 1, 1, 1, 1, 10 }, ended[] = { 5, 5, 5, 5, 5, 5, 5, 0, 0, 0 };
  FpHistoryPoint points[N_LONG];
  FpTrend trend;

  fill_long (points, later, G_N_ELEMENTS (later));
  assert_grows (points, N_LONG, 600, 0.05);
  trend = fp_trend_find (points, N_LONG);
  g_assert_cmpuint (trend.span_us, <=, 60 * A_SECOND);
  fill_long (points, faster, G_N_ELEMENTS (faster));
  assert_grows (points, N_LONG, 600, 0.05);
  fill_long (points, ended, G_N_ELEMENTS (ended));
  g_assert_cmpint (fp_trend_find (points, N_LONG).kind, ==, FP_TREND_STEADY);
}

/* A leak in steps of 90 seconds is one between them, too; what came back did not fall by nothing. */
static void
test_steps (void)
{
  static const gint returned[] = { 5, 0, 0, 0, -5 };
  FpHistoryPoint points[N_LONG];

  fill_long (points, returned, G_N_ELEMENTS (returned));
  g_assert_cmpint (fp_trend_find (points, N_LONG).kind, !=, FP_TREND_FELL);
  for (guint is_down = 0; is_down < 2; is_down++)
    {
      for (guint i = 0; i < N_LONG; i++)
        {
          guint32 step = i / 90 * 20 * MIB_IN_KIB, kib = is_down ? 1024 * MIB_IN_KIB - step : 1024 * MIB_IN_KIB + step;

          points[i] = (FpHistoryPoint){ .time_us = i * A_SECOND };
          points[i].ends.low_kib[FP_HISTORY_PSS] = points[i].ends.high_kib[FP_HISTORY_PSS] = kib;
          points[i].ends.low_kib[FP_HISTORY_RSS] = points[i].ends.high_kib[FP_HISTORY_RSS] = FP_HISTORY_UNKNOWN;
        }
      for (guint n = 271; n <= N_LONG; n++)
        g_assert_cmpint (fp_trend_find (points, n).kind, ==, is_down ? FP_TREND_SHRINKS : FP_TREND_GROWS);
    }
}

/* A program that comes back to where it was goes up and down, also while it goes up. */
static void
test_saw (void)
{
  static const gint rates[] = { 8, -8, 8, -8, 6 };
  FpHistoryPoint points[N_LONG];

  fill_long (points, rates, G_N_ELEMENTS (rates));
  g_assert_cmpint (fp_trend_find (points, N_LONG).kind, ==, FP_TREND_VARIES);
}

/* A program that only rose, and then stood still, did not go up and down. */
static void
test_rose_slowly (void)
{
  static const gint rates[] = { 0, 0, 4, 0, 0, 0, 0, 0, 0, 0 };
  FpHistoryPoint points[N_LONG];
  FpTrend trend;

  fill_long (points, rates, G_N_ELEMENTS (rates));
  trend = fp_trend_find (points, N_LONG);
  g_assert_cmpint (trend.kind, ==, FP_TREND_ROSE);
  g_assert_cmpuint (trend.low, ==, G_GUINT64_CONSTANT (120) << 20);
  g_assert_cmpuint (trend.ago_us, ==, 209 * A_SECOND);
}

/* A program that trembles and then takes two gigabytes within three seconds rose, and so does one that trembles afterwards. One
 * that comes down by more than it trembles goes up and down. */
static void
test_rose_at_last (void)
{
  Series series;
  FpTrend trend;

  series_init (&series);
  for (guint i = 0; i < N_POINTS; i++)
    set (&series, i, FP_HISTORY_PSS, (1024 + i % 3 * 30 + MIN (i > 55 ? i - 55 : 0, 3) * 700) * MIB_IN_KIB);
  trend = fp_trend_find (series.points, N_POINTS);
  g_assert_cmpint (trend.kind, ==, FP_TREND_ROSE);
  g_assert_cmpfloat_with_epsilon ((double)trend.low / (1024 * 1024), 2100, 61);
  g_assert_cmpuint (trend.ago_us, <=, 2 * A_SECOND);
  trend = fp_trend_find (series.points, N_POINTS - 2);
  g_assert_cmpint (trend.kind, ==, FP_TREND_ROSE);
  set (&series, N_POINTS - 1, FP_HISTORY_PSS, 2600 * MIB_IN_KIB);
  g_assert_cmpint (fp_trend_find (series.points, N_POINTS).kind, ==, FP_TREND_VARIES);

  /* Whatever phase of the trembling is the last, it rose when it rose. */
  for (guint i = 0; i < N_POINTS; i++)
    set (&series, i, FP_HISTORY_PSS, (1024 + i % 3 * 30 + MIN (i > 20 ? i - 20 : 0, 3) * 700) * MIB_IN_KIB);
  for (guint n = N_POINTS - 2; n <= N_POINTS; n++)
    {
      trend = fp_trend_find (series.points, n);
      g_assert_cmpint (trend.kind, ==, FP_TREND_ROSE);
      g_assert_cmpuint (trend.ago_us, >=, (n - 1 - 24) * A_SECOND);
      g_assert_cmpuint (trend.ago_us, <=, (n - 1 - 22) * A_SECOND);
    }
}

/* Most of it is given back, and it rises since: the rise is seen since then, and not from before the fall. */
static void
test_rise_after_fall (void)
{
  Series series;
  FpTrend trend;

  series_init (&series);
  for (guint i = 0; i < N_POINTS; i++)
    set (&series, i, FP_HISTORY_PSS, ((i < 14 ? 640 : 430 + (i - 14) * 3) + i % 3 * 25) * MIB_IN_KIB);
  trend = fp_trend_find (series.points, N_POINTS);
  g_assert_cmpint (trend.kind, ==, FP_TREND_GROWS);
  g_assert_cmpuint (trend.span_us, <=, 45 * A_SECOND);
  g_assert_cmpuint (trend.span_us, >=, 40 * A_SECOND);
  g_assert_cmpfloat_with_epsilon ((double)trend.low / (1024 * 1024), 180, 1);
  trend = fp_trend_find (series.points, 40);
  g_assert_cmpint (trend.kind, !=, FP_TREND_GROWS);
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trend/steady", test_steady);
  g_test_add_func ("/trend/growth", test_growth);
  g_test_add_func ("/trend/swapped", test_swapped);
  g_test_add_func ("/trend/certainty", test_certainty);
  g_test_add_func ("/trend/growing-range", test_growing_range);
  g_test_add_func ("/trend/certain-growth", test_certain_growth);
  g_test_add_func ("/trend/one-step", test_one_step);
  g_test_add_func ("/trend/gap", test_gap);
  g_test_add_func ("/trend/leaks", test_leaks);
  g_test_add_func ("/trend/no-growth", test_no_growth);
  g_test_add_func ("/trend/too-short", test_too_short);
  g_test_add_func ("/trend/too-short-for-a-rate", test_too_short_for_a_rate);
  g_test_add_func ("/trend/latest", test_latest);
  g_test_add_func ("/trend/saw", test_saw);
  g_test_add_func ("/trend/steps", test_steps);
  g_test_add_func ("/trend/rose-slowly", test_rose_slowly);
  g_test_add_func ("/trend/rose-at-last", test_rose_at_last);
  g_test_add_func ("/trend/rise-after-fall", test_rise_after_fall);
  return g_test_run ();
}
