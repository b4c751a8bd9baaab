// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>
#include <stdlib.h>
#include <string.h>

/* User and system, of all its threads */
static inline double
bench_get_cpu_ms (GPid pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *text = NULL;
  g_auto (GStrv) fields = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    g_error ("process %d has ended early", pid);
  fields = g_strsplit (strrchr (text, ')') + 2, " ", 0);
  return (double)(atoll (fields[11]) + atoll (fields[12])) * 10;
}
