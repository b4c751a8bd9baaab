// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <math.h>

#include "fp-slope.h"
#include "fp-trend.h"

#define LEAST_POINTS  3
#define LEAST_SECONDS 10
#define LEAST_RATE    30            /* seconds: what a minute would bring can't be told from less */
#define STEADY        (64 * 1024.0) /* a minute */
#define OUTLIER       4             /* so many times as large as any other step */
#define LATEST        60            /* seconds, which may tell something else than all there is */
#define LEAST_STEP    (64 * 1024)   /* of a change between two pauses */
#define SLACK         0.125         /* of all that it moved: so far it may turn back and go in one direction none the less */

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

static double
get_span (const Moment *moments,
          guint n)
{
  return moments[n - 1].seconds - moments[0].seconds;
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

static double
find_height (const double *path,
             guint n)
{
  double least = path[0], most = path[0];

  for (guint i = 1; i < n; i++)
    {
      least = MIN (least, path[i]);
      most = MAX (most, path[i]);
    }
  return most - least;
}

static FpTrend
make_trend (FpTrendKind kind,
            double low,
            double high)
{
  return (FpTrend){ .kind = kind, .low = (guint64)low, .high = (guint64)ceil (high) };
}

/* One step says more than the slope of a line that it would be spread over. FALSE: the rest of the way says more. The step
 * is taken out of the path. */
static gboolean
find_one_step (const Moment *moments,
               double *path,
               guint n,
               FpTrend *trend)
{
  Step step = find_step (moments, n);
  double span = get_span (moments, n), size = fabs (step.bytes);

  if (size <= OUTLIER * step.second_largest)
    return FALSE;
  for (guint i = step.at; i < n; i++)
    path[i] -= step.bytes;
  if (size <= find_height (path, n) || size * 60 / span < STEADY)
    return FALSE;
  *trend = make_trend (step.bytes > 0 ? FP_TREND_ROSE : FP_TREND_FELL, size, size);
  trend->ago_us = (guint64)((moments[n - 1].seconds - moments[step.at].seconds) * G_USEC_PER_SEC);
  return TRUE;
}

/* A program that rises for some seconds would be said to need gigabytes a minute. */
static FpTrend
make_rate (FpTrendKind kind,
           FpSlope slope,
           double span)
{
  return span < LEAST_RATE ? make_trend (FP_TREND_UNKNOWN, 0, 0) : make_trend (kind, slope.low * 60, slope.high * 60);
}

/* A path that only rose, or only fell, does not go up and down, whatever small things it did beside. */
static gboolean
find_rise (const Moment *moments,
           const double *path,
           guint n,
           FpTrend *trend)
{
  double size = path[n - 1] - path[0], slack = find_height (path, n) * SLACK, farthest = path[0], turned = 0;
  gboolean is_up = size > 0;
  guint arrival = 0;

  for (guint i = 1; i < n; i++)
    {
      farthest = is_up ? MAX (farthest, path[i]) : MIN (farthest, path[i]);
      turned = MAX (turned, fabs (farthest - path[i]));
    }
  if (turned > slack)
    return FALSE;
  while (fabs (path[n - 1] - path[arrival]) > turned)
    arrival++;
  *trend = make_trend (is_up ? FP_TREND_ROSE : FP_TREND_FELL, fabs (size), fabs (size));
  trend->ago_us = (guint64)((moments[n - 1].seconds - moments[arrival].seconds) * G_USEC_PER_SEC);
  return TRUE;
}

static FpTrend
find_direction (const Moment *moments,
                double *path,
                guint n)
{
  double span = get_span (moments, n), height = find_height (path, n);
  g_autofree double *seconds = g_new (double, n);
  FpTrend trend;
  FpSlope slope;

  for (guint i = 0; i < n; i++)
    seconds[i] = moments[i].seconds;
  slope = fp_slope_find (seconds, path, n);
  if (slope.low * 60 >= STEADY)
    return make_rate (FP_TREND_GROWS, slope, span);
  for (guint i = 0; i < n; i++)
    path[i] = -path[i];
  slope = fp_slope_find (seconds, path, n);
  if (slope.low * 60 >= STEADY)
    return make_rate (FP_TREND_SHRINKS, slope, span);
  for (guint i = 0; i < n; i++)
    path[i] = -path[i];
  if (height * 60 / span >= STEADY)
    return find_rise (moments, path, n, &trend) ? trend : make_trend (FP_TREND_VARIES, height, height);
  return make_trend (find_width (moments, n) * 60 / span >= STEADY ? FP_TREND_UNKNOWN : FP_TREND_STEADY, 0, 0);
}

/* Finds the last moment of a turn that outweighs the trend since: 0 where the trend is no smaller than what came before. */
static guint
find_turn (const Moment *moments,
           guint n,
           FpTrendKind kind)
{
  guint turn = 0;

  if ((kind != FP_TREND_GROWS || moments[n - 1].high >= moments[0].low) &&
      (kind != FP_TREND_SHRINKS || moments[n - 1].low <= moments[0].high))
    return 0;
  for (guint i = 1; i < n; i++)
    if (kind == FP_TREND_GROWS ? moments[i].low <= moments[turn].low : moments[i].high >= moments[turn].high)
      turn = i;
  return turn;
}

static FpTrend
find_in (const Moment *moments,
         guint n)
{
  g_autofree double *path = make_path (moments, n);
  FpTrend trend;
  guint turn;

  if (!find_one_step (moments, path, n, &trend))
    {
      g_free (path);
      path = make_path (moments, n);
      trend = find_direction (moments, path, n);
    }
  trend.span_us = (guint64)(get_span (moments, n) * G_USEC_PER_SEC);
  turn = find_turn (moments, n, trend.kind);
  if (turn == 0)
    return trend;
  if (n - turn < LEAST_POINTS || get_span (moments + turn, n - turn) < LEAST_SECONDS)
    return (FpTrend){ .kind = FP_TREND_UNKNOWN };
  return find_in (moments + turn, n - turn);
}

static gboolean
differs (const FpTrend *trend,
         const FpTrend *other)
{
  return trend->kind != other->kind || trend->high < other->low || other->high < trend->low;
}

/* Whether it is above all that it was before this index, to which what goes up and down comes back. */
static gboolean
has_never_been_so_high (const Moment *moments,
                        guint n,
                        guint before)
{
  for (guint i = 0; i < before; i++)
    if (moments[i].high >= moments[n - 1].low)
      return FALSE;
  return TRUE;
}

/* Whether it has stood still for so long as it never did between two changes, as what grows in steps does. */
static gboolean
has_stopped (const Moment *moments,
             guint n)
{
  double longest = 0;
  guint last = 0;

  for (guint i = 1; i < n; i++)
    {
      double up = moments[i].low - moments[last].high, down = moments[last].low - moments[i].high;

      if (MAX (up, down) < LEAST_STEP)
        continue;
      if (last > 0)
        longest = MAX (longest, moments[i].seconds - moments[last].seconds);
      last = i;
    }
  return moments[n - 1].seconds - moments[last].seconds > 2 * longest;
}

/* Whether the moments from start on, which are the latest, tell better what goes on. */
static gboolean
is_overtaken (const FpTrend *whole,
              const FpTrend *latest,
              const Moment *moments,
              guint n,
              guint start)
{
  gboolean had_direction = whole->kind == FP_TREND_GROWS || whole->kind == FP_TREND_SHRINKS;

  if (latest->kind == FP_TREND_GROWS || latest->kind == FP_TREND_SHRINKS)
    return had_direction ? differs (whole, latest) : latest->kind == FP_TREND_GROWS && has_never_been_so_high (moments, n, start);
  return had_direction && latest->kind == FP_TREND_STEADY && has_stopped (moments, n);
}

/* How memory and swap have changed up to the last of the points. */
FpTrend
fp_trend_find (const FpHistoryPoint *points,
               guint n)
{
  guint start = find_start (points, n), latest = 0;
  g_autofree Moment *moments = NULL;
  FpTrend trend, newer;

  points += start;
  n -= start;
  if (n < LEAST_POINTS || points[n - 1].time_us - points[0].time_us < LEAST_SECONDS * G_USEC_PER_SEC)
    return (FpTrend){ .kind = FP_TREND_UNKNOWN };
  moments = make_moments (points, n);
  trend = find_in (moments, n);
  while (moments[n - 1].seconds - moments[latest].seconds > LATEST)
    latest++;
  if (latest == 0 || n - latest < LEAST_POINTS || moments[n - 1].seconds - moments[latest].seconds < LEAST_RATE)
    return trend;
  newer = find_in (moments + latest, n - latest);
  return is_overtaken (&trend, &newer, moments, n, latest) ? newer : trend;
}
