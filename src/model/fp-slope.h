// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The ends of the 90 % interval, a second; both are 0 where there is no growth that can be told from noise. */
typedef struct
{
  double low;
  double high;
} FpSlope;

FpSlope fp_slope_find (const double *seconds, const double *values, guint n);

G_END_DECLS
