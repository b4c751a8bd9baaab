// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-history.h"

G_BEGIN_DECLS

typedef enum
{
  FP_TREND_UNKNOWN,
  FP_TREND_STEADY,
  FP_TREND_VARIES, /* within so many bytes, in no direction */
  FP_TREND_GROWS,  /* by so many bytes a minute */
  FP_TREND_SHRINKS,
  FP_TREND_ROSE, /* by so many bytes at once, so long ago */
  FP_TREND_FELL,
} FpTrendKind;

/* The ends of a rate are those of its 90 % interval; of all else they are equal. */
typedef struct
{
  FpTrendKind kind;
  guint64 low;
  guint64 high;
  guint64 ago_us;
  guint64 span_us; /* between the first and the last of the points that count */
} FpTrend;

FpTrend fp_trend_find (const FpHistoryPoint *points, guint n);

G_END_DECLS
