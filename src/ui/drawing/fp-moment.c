// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-moment.h"

#define DAYS_WITH_NAMES 6 /* seven days ago had the same name as today */

/* Writes a time as people say it: the time of today, a day of the last week, or a date. Free the text. */
char *
fp_moment_describe (guint64 realtime_us)
{
  g_autoptr (GDateTime) moment = g_date_time_new_from_unix_local ((gint64)(realtime_us / G_USEC_PER_SEC));
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GDateTime) first = NULL, midnight = NULL;

  if (!moment)
    return g_strdup ("—");
  midnight = g_date_time_new_local (g_date_time_get_year (now), g_date_time_get_month (now), g_date_time_get_day_of_month (now), 0, 0, 0);
  first = g_date_time_add_days (midnight, -DAYS_WITH_NAMES);
  if (g_date_time_compare (moment, midnight) >= 0 && g_date_time_compare (moment, now) <= 0)
    /* Translators: a time of today */
    return g_date_time_format (moment, _ ("Today %H:%M"));
  if (g_date_time_compare (moment, first) >= 0 && g_date_time_compare (moment, now) <= 0)
    /* Translators: a day of the last week, as “Monday 14:02” */
    return g_date_time_format (moment, _ ("%A %H:%M"));
  /* Translators: any other day, as “3 November 2025, 14:02” */
  return g_date_time_format (moment, _ ("%-d %B %Y, %H:%M"));
}

/* Free the text. */
char *
fp_moment_describe_file (const char *name,
                         guint64 realtime_us)
{
  g_autofree char *moment = fp_moment_describe (realtime_us);

  /* Translators: the name of a file, and the time when it was saved */
  return g_strdup_printf (_ ("%s — %s"), name, moment);
}
