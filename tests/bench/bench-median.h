// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>
#include <stdlib.h>

static inline int
bench_compare_doubles (gconstpointer a,
                       gconstpointer b)
{
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

/* Sorts them. */
static inline double
bench_median (double *values,
              guint n)
{
  qsort (values, n, sizeof *values, bench_compare_doubles);
  return values[n / 2];
}
