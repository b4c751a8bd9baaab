// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "fp-filling.h"

#define PATIENCE_US (15 * (guint64)G_USEC_PER_SEC) /* growth is found again every ten seconds */
#define LONGEST     (24 * 60)                      /* minutes; nobody can tell what grows for longer */
#define WIDEST      2.0                            /* the latest time relative to the earliest */
#define FARTHEST    60                             /* minutes, for each in which the growth was seen */

static guint
get_step (guint minutes)
{
  return minutes < 10 ? 1 : minutes < 60 ? 5
                        : minutes < 180  ? 30
                                         : 60;
}

static guint
round_minutes (double minutes)
{
  guint step = get_step ((guint)minutes);

  return (guint)round (minutes / step) * step;
}

static guint
hold (guint shown,
      double minutes)
{
  return fabs (minutes - shown) < get_step (shown) ? shown : round_minutes (minutes);
}

/* Memory that is given back on demand is left, too. */
static gboolean
find_left (const FpSystem *system,
           double *left)
{
  if (!fp_system_has (system, FP_SYSTEM_MEM_AVAILABLE) || !fp_system_has (system, FP_SYSTEM_SWAP_FREE))
    return FALSE;
  *left = (double)fp_system_get (system, FP_SYSTEM_MEM_AVAILABLE) + (double)fp_system_get (system, FP_SYSTEM_SWAP_FREE);
  return TRUE;
}

static void
estimate (FpFilling *self,
          double earliest,
          double latest)
{
  self->earliest = self->is_told ? hold (self->earliest, earliest) : round_minutes (earliest);
  self->latest = self->is_told ? hold (self->latest, latest) : round_minutes (latest);
  if (self->earliest <= self->latest)
    return;
  self->earliest = round_minutes (earliest);
  self->latest = round_minutes (latest);
}

static gboolean
is_foreseen (const FpGrowth *growth,
             double left)
{
  const FpFigure rate = growth->figure;
  const double seen = (double)growth->span_us / G_USEC_PER_SEC / 60;

  if ((rate.kind != FP_FIGURE_EXACT && rate.kind != FP_FIGURE_RANGE) || rate.low == 0 || (double)rate.high > WIDEST * (double)rate.low)
    return FALSE;
  return left / (double)rate.high <= MIN (LONGEST, seen * FARTHEST);
}

void
fp_filling_update (FpFilling *self,
                   FpGrowth growth,
                   const FpSystem *system,
                   guint64 now_us)
{
  double left;
  gboolean grows = find_left (system, &left) && is_foreseen (&growth, left);
  gboolean is_first = self->updated_us == 0;

  self->updated_us = now_us;
  if (grows == self->is_told)
    self->differs_us = 0;
  else if (self->differs_us == 0)
    self->differs_us = now_us;
  if (grows != self->is_told && !is_first && now_us - self->differs_us < PATIENCE_US)
    return;
  if (grows)
    estimate (self, left / (double)growth.figure.high, left / (double)growth.figure.low);
  self->is_told = grows;
  self->differs_us = 0;
  self->has_swap = grows && fp_system_has (system, FP_SYSTEM_SWAP_TOTAL) && fp_system_get (system, FP_SYSTEM_SWAP_TOTAL) > 0;
}

static char *
describe_time (guint earliest,
               guint latest)
{
  if (latest < 1)
    return g_strdup (_ ("in less than a minute"));
  earliest = MAX (earliest, 1);
  if (earliest < 60 && earliest == latest)
    return g_strdup_printf (ngettext ("in about %u minute", "in about %u minutes", latest), latest);
  if (earliest < 60)
    /* Translators: stands in “At this rate memory is full in 20 to 30 minutes.” */
    return g_strdup_printf (ngettext ("in %u to %u minute", "in %u to %u minutes", latest), earliest, latest);
  earliest /= 60;
  latest = (latest + 30) / 60;
  if (earliest == latest)
    return g_strdup_printf (ngettext ("in about %u hour", "in about %u hours", latest), latest);
  /* Translators: stands in “At this rate memory is full in 2 to 3 hours.” */
  return g_strdup_printf (ngettext ("in %u to %u hour", "in %u to %u hours", latest), earliest, latest);
}

/* NULL: nothing grows that much; free the text */
char *
fp_filling_describe (const FpFilling *self)
{
  g_autofree char *time = NULL;

  if (!self->is_told)
    return NULL;
  time = describe_time (self->earliest, self->latest);
  /* Translators: %s is a time, such as “in about 40 minutes” */
  return g_strdup_printf (self->has_swap ? _ ("At this rate memory and swap are full %s.") : _ ("At this rate memory is full %s."),
                          time);
}
