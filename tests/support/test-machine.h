// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>
#include <string.h>

/* The memory of the machine that can be used without swapping, in bytes */
static inline guint64
test_get_available (void)
{
  static const char name[] = "MemAvailable:";
  g_autofree char *text = NULL;
  const char *line;

  g_file_get_contents ("/proc/meminfo", &text, NULL, NULL);
  line = text ? strstr (text, name) : NULL;
  return line ? g_ascii_strtoull (line + strlen (name), NULL, 10) * 1024 : 0;
}
