// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bench-report.h"

/* Runs the main loop for so long, and gives the longest time, in CPU time of its thread, that it took for one turn: then it
 * answers nobody. Another thread that asks would count what this one does while that waits for a processor. */
static inline double
bench_loop_run (guint ms)
{
  gint64 end = g_get_monotonic_time () + ms * 1000;
  double longest = 0;

  while (g_get_monotonic_time () < end)
    {
      double start = bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID);

      if (g_main_context_iteration (NULL, FALSE))
        longest = MAX (longest, bench_read_clock_ms (CLOCK_THREAD_CPUTIME_ID) - start);
      else
        g_usleep (1000);
    }
  return longest;
}
