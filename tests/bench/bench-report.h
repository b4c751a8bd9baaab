// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>
#include <string.h>
#include <time.h>

/* clock: such as CLOCK_PROCESS_CPUTIME_ID */
static inline double
bench_read_clock_ms (clockid_t clock)
{
  struct timespec t;

  clock_gettime (clock, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* key: such as "VmHWM:" */
static inline double
bench_read_status_mib (const char *key)
{
  g_autofree char *text = NULL;
  const char *line;

  g_file_get_contents ("/proc/self/status", &text, NULL, NULL);
  line = text ? strstr (text, key) : NULL;
  return line ? g_ascii_strtod (line + strlen (key), NULL) / 1024 : 0;
}

/* goal: the most it may be. FALSE: it is more */
static inline gboolean
bench_report (const char *what,
              double value,
              double goal,
              const char *unit)
{
  g_print ("  %-52s %8.3f %-3s goal %-6g %s\n", what, value, unit, goal, value <= goal ? "reached" : "NOT REACHED");
  return value <= goal;
}
