// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "ui-driver.h"
#include "ui-range.h"

static double
get_unit (const char *text)
{
  static const char prefixes[] = "KMGT";
  double unit = 1;

  for (const char *prefix = prefixes; *prefix; prefix++)
    {
      unit *= 1024;
      if (*text == *prefix)
        return unit;
    }
  return 1;
}

/* The last digit’s half */
static double
get_slack (const char *number,
           double unit)
{
  const char *point = strchr (number, '.');

  for (gsize n = point ? strlen (point + 1) : 0; n > 0; n--)
    unit /= 10;
  return unit / 2;
}

/* “1.2 GiB”, “1.2–1.3 GiB”, “900 MiB–1.0 GiB” or “between 1.21 GiB and 1.24 GiB”: a bound alone is no measurement. */
UiRange
ui_range_parse (const char *text)
{
  g_autoptr (GRegex) regex = g_regex_new ("^(?:between )?([0-9.]+)(?:[ \u00a0]([KMGT]?i?B))?"
                                          "(?:(?:–\u2060?| and )([0-9.]+)[ \u00a0]([KMGT]?i?B))?$",
                                          0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_auto (GStrv) parts = NULL;
  gboolean has_two;
  UiRange range;
  double unit;

  if (!g_regex_match (regex, text, 0, &match))
    ui_fail ("“%s” is no size", text);
  parts = g_match_info_fetch_all (match);
  if (g_strv_length (parts) < 3)
    ui_fail ("“%s” has no unit", text);
  has_two = g_strv_length (parts) > 4;
  unit = get_unit (*parts[2] || !has_two ? parts[2] : parts[4]);
  range.slack = get_slack (parts[1], unit);
  range.low = range.high = g_ascii_strtod (parts[1], NULL) * unit;
  if (has_two)
    {
      range.high = g_ascii_strtod (parts[3], NULL) * get_unit (parts[4]);
      range.slack = MAX (range.slack, get_slack (parts[3], get_unit (parts[4])));
    }
  return range;
}
