// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-history.h"

G_BEGIN_DECLS

typedef enum
{
  FP_TREND_UNKNOWN,
  FP_TREND_STEADY,
  FP_TREND_GROWS, /* by so many bytes a minute */
  FP_TREND_SHRINKS,
  FP_TREND_ROSE, /* by so many bytes at once, so long ago */
  FP_TREND_FELL,
} FpTrendKind;

typedef struct
{
  FpTrendKind kind;
  guint64 bytes;
  guint64 ago_us;
} FpTrend;

FpTrend fp_trend_find (const FpHistoryPoint *points, guint n);

G_END_DECLS
