// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <math.h>

#include "fp-trend.h"

#define LEAST_POINTS  3
#define LEAST_SECONDS 10
#define STEADY        (64 * 1024.0) /* a minute */
#define OUTLIER       4             /* so many times as large as any other step */

/* The sum of memory and swap at one moment. Both count, because swapping out gives nothing back. */
typedef struct
{
  double seconds;
  double low;
  double high; /* may be infinite */
} Moment;

typedef struct
{
  double bytes; /* below 0: downwards */
  double second_largest;
  guint at; /* the index of the first moment after the step */
} Step;

/* Finds the first of the last points that have no gap between them. */
static guint
find_start (const FpHistoryPoint *points,
            guint n)
{
  guint start = n;

  while (start > 0 && points[start - 1].ends.low_kib[FP_HISTORY_PSS] != FP_HISTORY_UNKNOWN)
    if (points[--start].follows_gap)
      break;
  return start;
}

static void
add_ends (Moment *moment,
          const FpHistoryEnds *ends,
          FpHistoryFigure figure)
{
  moment->low += ends->low_kib[figure] * 1024.0;
  moment->high += ends->high_kib[figure] == FP_HISTORY_UNKNOWN ? (double)INFINITY : ends->high_kib[figure] * 1024.0;
}

static Moment *
make_moments (const FpHistoryPoint *points,
              guint n)
{
  Moment *moments = g_new0 (Moment, n);
  gboolean has_swap = TRUE;

  for (guint i = 0; i < n; i++)
    has_swap &= points[i].ends.low_kib[FP_HISTORY_SWAP] != FP_HISTORY_UNKNOWN;
  for (guint i = 0; i < n; i++)
    {
      moments[i].seconds = (double)(points[i].time_us - points[0].time_us) / G_USEC_PER_SEC;
      add_ends (&moments[i], &points[i].ends, FP_HISTORY_PSS);
      if (has_swap)
        add_ends (&moments[i], &points[i].ends, FP_HISTORY_SWAP);
    }
  return moments;
}

/* The way between the ends that goes up and down least: a line that can be flat is flat, so what is only known less well
 * than before does not grow. */
static double *
make_path (const Moment *moments,
           guint n)
{
  double *path = g_new (double, n);
  double low = moments[0].low, high = moments[0].high, level;
  guint begin = 0;

  for (guint i = 1; i <= n; i++)
    {
      if (i < n && MAX (low, moments[i].low) <= MIN (high, moments[i].high))
        {
          low = MAX (low, moments[i].low);
          high = MIN (high, moments[i].high);
          continue;
        }
      if (i < n)
        level = moments[i].low > high ? high : low;
      else
        level = begin > 0 ? CLAMP (path[begin - 1], low, high) : low;
      for (; begin < i; begin++)
        path[begin] = level;
      if (i < n)
        {
          low = moments[i].low;
          high = moments[i].high;
        }
    }
  return path;
}

/* The largest change from one moment to the next that is certain: the rest of it may have come bit by bit. */
static Step
find_step (const Moment *moments,
           guint n)
{
  Step step = { 0 };

  for (guint i = 1; i < n; i++)
    {
      double up = moments[i].low - moments[i - 1].high, down = moments[i - 1].low - moments[i].high;
      double size = MAX (MAX (up, down), 0);

      if (size > fabs (step.bytes))
        step = (Step){ up > 0 ? size : -size, fabs (step.bytes), i };
      else
        step.second_largest = MAX (step.second_largest, size);
    }
  return step;
}

/* Returns the slope of the line that fits best, in bytes per second. */
static double
find_slope (const Moment *moments,
            const double *path,
            guint n)
{
  double sum_t = 0, sum_v = 0, sum_tt = 0, sum_tv = 0, divisor;

  for (guint i = 0; i < n; i++)
    {
      double t = moments[i].seconds, v = path[i];

      sum_t += t;
      sum_v += v;
      sum_tt += t * t;
      sum_tv += t * v;
    }
  divisor = n * sum_tt - sum_t * sum_t;
  return divisor > 0 ? (n * sum_tv - sum_t * sum_v) / divisor : 0;
}

static double
find_width (const Moment *moments,
            guint n)
{
  double width = 0;

  for (guint i = 0; i < n; i++)
    width = MAX (width, moments[i].high - moments[i].low);
  return width;
}

/* How memory and swap have changed up to the last of the points. One step says more than the slope of a line that it would
 * be spread over. */
FpTrend
fp_trend_find (const FpHistoryPoint *points,
               guint n)
{
  guint start = find_start (points, n);
  g_autofree Moment *moments = NULL;
  g_autofree double *path = NULL;
  double span, a_minute;
  Step step;

  points += start;
  n -= start;
  if (n < LEAST_POINTS || points[n - 1].time_us - points[0].time_us < LEAST_SECONDS * G_USEC_PER_SEC)
    return (FpTrend){ FP_TREND_UNKNOWN, 0, 0 };
  moments = make_moments (points, n);
  path = make_path (moments, n);
  span = moments[n - 1].seconds;
  step = find_step (moments, n);
  if (fabs (step.bytes) > OUTLIER * step.second_largest)
    {
      for (guint i = step.at; i < n; i++)
        path[i] -= step.bytes;
      if (fabs (step.bytes) > fabs (find_slope (moments, path, n) * span) && fabs (step.bytes) * 60 / span >= STEADY)
        return (FpTrend){ step.bytes > 0 ? FP_TREND_ROSE : FP_TREND_FELL, (guint64)fabs (step.bytes),
                          points[n - 1].time_us - points[step.at].time_us };
    }
  a_minute = find_slope (moments, path, n) * 60;
  if (fabs (a_minute) >= STEADY)
    return (FpTrend){ a_minute > 0 ? FP_TREND_GROWS : FP_TREND_SHRINKS, (guint64)fabs (a_minute), 0 };
  if (find_width (moments, n) * 60 / span >= STEADY)
    return (FpTrend){ FP_TREND_UNKNOWN, 0, 0 };
  return (FpTrend){ FP_TREND_STEADY, 0, 0 };
}
