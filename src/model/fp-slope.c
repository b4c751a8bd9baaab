// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <math.h>

#include "fp-slope.h"

#define MAX_PLACES   24
#define LEAST_PLACES 4     /* three places that go up do so by chance once in six times */
#define Z_90         1.645 /* how many standard deviations of a normal distribution the 90 % interval has on each side */

typedef struct
{
  double seconds;
  double value;
  double highest; /* of the part of the time that the place stands for */
} Place;

/* Takes the lowest value of each part of the time, so that the way is short and a collector's quick saw-tooth is flat. */
static guint
take_lowest (Place *places,
             const double *seconds,
             const double *values,
             guint n)
{
  double span = seconds[n - 1] - seconds[0];
  guint n_places = 0, part = 0;

  for (guint i = 0; i < n; i++)
    {
      guint own = MIN ((guint)((seconds[i] - seconds[0]) / span * MAX_PLACES), MAX_PLACES - 1);
      Place *place = n_places > 0 ? &places[n_places - 1] : NULL;

      if (!place || own != part)
        places[n_places++] = (Place){ seconds[i], values[i], values[i] };
      else if (values[i] < place->value)
        *place = (Place){ seconds[i], values[i], place->highest };
      else
        place->highest = MAX (place->highest, values[i]);
      part = own;
    }
  return n_places;
}

/* Lowers each place to the lowest after it: what was given back again was no growth. What came after the last fall counts
 * from where it is above all that was before, as a collector lets it rise as far again. */
static void
lower_to_envelope (Place *places,
                   guint n)
{
  double peak = -(double)INFINITY;
  guint fall = 0;

  for (guint i = 1; i < n; i++)
    if (places[i].value < places[i - 1].value)
      fall = i;
  for (guint i = 0; i < fall; i++)
    peak = MAX (peak, places[i].value);
  for (guint i = fall + 1; i < n; i++)
    if (places[i].value <= peak)
      places[i].value = places[fall].value;
  for (guint i = n - 1; i-- > 0;)
    places[i].value = MIN (places[i].value, places[i + 1].value);
}

/* Returns the value that would be at this place if all were sorted (Hoare). Those before it are not larger then, and those
 * behind it not smaller. */
static double
select_place (double *values,
              guint n,
              guint place)
{
  gint first = 0, last = (gint)n - 1, at = (gint)place;

  while (first < last)
    {
      double pivot = values[at];
      gint low = first, high = last;

      while (low <= high)
        {
          while (values[low] < pivot)
            low++;
          while (values[high] > pivot)
            high--;
          if (low <= high)
            {
              double value = values[low];

              values[low++] = values[high];
              values[high--] = value;
            }
        }
      if (high < at)
        first = low;
      if (at < low)
        last = high;
    }
  return values[at];
}

/* How many of the slopes between all pairs of n places are below the 90 % interval follows from the variance of Kendall's
 * tau. */
static guint
count_below (guint n)
{
  double n_slopes = n * (n - 1.0) / 2, spread = Z_90 * sqrt (n * (n - 1.0) * (2.0 * n + 5) / 18);

  return (guint)MAX (floor ((n_slopes - spread) / 2), 0);
}

/* Whether the lower end of the interval is flat can be told without sorting, and most programs do not grow. */
static gboolean
is_flat (const Place *places,
         guint n)
{
  guint n_flat = 0;

  for (guint i = 0; i < n; i++)
    for (guint j = i + 1; j < n; j++)
      n_flat += places[j].value <= places[i].value;
  return n_flat > count_below (n);
}

/* Theil and Sen: the 90 % interval has the middle ones of the slopes between all pairs of places. */
static FpSlope
find_interval (const Place *places,
               guint n)
{
  double slopes[MAX_PLACES * (MAX_PLACES - 1) / 2];
  guint n_slopes = 0, below = count_below (n);
  double low;

  for (guint i = 0; i < n; i++)
    for (guint j = i + 1; j < n; j++)
      slopes[n_slopes++] = (places[j].value - places[i].value) / (places[j].seconds - places[i].seconds);
  low = select_place (slopes, n_slopes, below);
  return (FpSlope){ low, select_place (slopes + below, n_slopes - below, n_slopes - 1 - 2 * below) };
}

/* Returns by how much the values usually are above their envelope. */
static double
find_noise (const Place *places,
            guint n)
{
  double heights[MAX_PLACES];

  for (guint i = 0; i < n; i++)
    heights[i] = places[i].highest - places[i].value;
  return select_place (heights, n, n / 2);
}

/* How fast the lower envelope of the values rises, as far as it rises by more than the noise above it. Its later half must
 * rise at least half as fast, since a program that was only starting up does not grow any more. */
FpSlope
fp_slope_find (const double *seconds,
               const double *values,
               guint n)
{
  Place places[MAX_PLACES];
  FpSlope whole, later;
  double span;
  guint n_places;

  if (n < LEAST_PLACES || seconds[n - 1] <= seconds[0])
    return (FpSlope){ 0, 0 };
  n_places = take_lowest (places, seconds, values, n);
  if (n_places < LEAST_PLACES)
    return (FpSlope){ 0, 0 };
  lower_to_envelope (places, n_places);
  if (is_flat (places, n_places))
    return (FpSlope){ 0, 0 };
  whole = find_interval (places, n_places);
  span = places[n_places - 1].seconds - places[0].seconds;
  if (whole.low <= 0 || whole.low * span < find_noise (places, n_places))
    return (FpSlope){ 0, 0 };
  if (n_places < 2 * LEAST_PLACES)
    return whole;
  later = find_interval (places + n_places / 2, n_places - n_places / 2);
  if (later.high < whole.low / 2)
    return (FpSlope){ 0, 0 };
  return (FpSlope){ MIN (whole.low, later.high), whole.high };
}
