// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <glib/gi18n.h>

#include "fp-comparison.h"
#include "fp-control-values.h"
#include "fp-control-words.h"
#include "fp-display.h"
#include "fp-query-term.h"
#include "fp-sum.h"

#define MINUTE_US (60 * (guint64)G_USEC_PER_SEC)

const char *
fp_control_words_explain_missing (const FpControlGroups *groups)
{
  if (groups->has_memory)
    return NULL;
  if (groups->has_pressure)
    return _ ("This kernel counts no memory for groups: its memory controller is switched off, or used by the older "
              "version of control groups. To have it counted, an administrator can start the kernel with “cgroup_enable=memory "
              "systemd.unified_cgroup_hierarchy=1”.");
  return _ ("This kernel counts no memory for groups, and does not tell how long programs waited for memory. To "
            "have both, an administrator can start it with “cgroup_enable=memory systemd.unified_cgroup_hierarchy=1 psi=1”.");
}

/* The list does not have the whole machine as a group. Free the text; NULL: the list is whole */
char *
fp_control_words_explain_cut (const FpControlGroups *groups)
{
  guint n = groups->n;

  if (!groups->is_cut)
    return NULL;
  if (n > 0 && groups->groups[0].kind == FP_CONTROL_KIND_MACHINE)
    n--;
  return g_strdup_printf (ngettext ("Only the first %'u group is shown: there are more, or groups deeper within it.",
                                    "Only the first %'u groups are shown: there are more, or groups deeper within them.", n),
                          n);
}

/* Why the kernel may tell nothing of any group is said above their list. Free the text. */
char *
fp_control_words_describe_use (const FpRecords *records,
                               guint index,
                               const FpFormat *format)
{
  FpFigure memory = fp_value_control_memory (records, index), cache = fp_value_control_cache (records, index);
  FpFigure swap = fp_value_control_swap (records, index);
  char size[FP_FIGURE_TEXT_SIZE];
  GString *text = g_string_new (NULL);

  fp_format_kept_memory (format, memory, size);
  if (fp_figure_is_known (memory))
    g_string_append_printf (text, _ ("The kernel counts %s for this group and all groups within it."), size);
  else
    g_string_append (text, _ ("The kernel does not tell how much memory this group has."));
  fp_format_kept_memory (format, cache, size);
  if (fp_figure_is_known (cache) && cache.low > 0)
    fp_display_append_sentence (text, g_strdup_printf (_ ("%s of it is cache, which is given back when others need the memory."), size));
  fp_figure_format (swap, FP_UNIT_BYTES, format->style, format->swap_total, size, sizeof size);
  fp_figure_keep_together (size);
  if (fp_figure_is_known (swap) && swap.low > 0)
    fp_display_append_sentence (text, g_strdup_printf (_ ("%s more is in swap."), size));
  return g_string_free (text, FALSE);
}

static void
append_limit (GString *text,
              const FpRecords *records,
              guint index,
              const FpFormat *format)
{
  FpFigure closeness = fp_control_records_get_closeness (records, index);
  guint holder = fp_control_records_get_limit_holder (records, index);
  char limit[FP_FIGURE_TEXT_SIZE], name[FP_CELL_SIZE];

  fp_format_kept_memory (format, fp_control_records_get_limit (records, index), limit);
  if (closeness.kind == FP_FIGURE_NONE)
    g_string_append (text, _ ("No limit is set for it."));
  if (!fp_figure_is_known (closeness) || holder == FP_CONTROL_NONE)
    return;
  fp_display_escape (fp_text_control_name (records, holder, format), name, sizeof name);
  if (holder == index)
    /* Translators: a percentage, and an amount of memory */
    g_string_append_printf (text, _ ("It uses %d %% of its limit of %s."), (int)closeness.low, limit);
  else
    /* Translators: the name of a group around it, a percentage, and an amount of memory */
    g_string_append_printf (text, _ ("It is within the limit of %s: %d %% of these %s are used."), name,
                            (int)closeness.low, limit);
}

/* Says since when changes count, as “14:02:10”. NULL: there is one reading alone */
char *
fp_control_words_describe_start (const FpRecords *records)
{
  guint64 start_us = fp_control_records_get_start (records);
  char text[FP_FIGURE_TEXT_SIZE];

  fp_figure_format (fp_figure_exact (start_us), FP_UNIT_MOMENT, FP_STYLE_IEC, 0, text, sizeof text);
  return start_us > 0 ? g_strdup (text) : NULL;
}

/* As “+288 MiB since 14:02:10”. NULL: it is not known */
char *
fp_control_words_describe_change (const FpRecords *records,
                                  guint index,
                                  const FpFormat *format)
{
  g_autofree char *start = fp_control_words_describe_start (records);
  FpFigure change = fp_control_records_get_change (records, index)->memory;
  char size[FP_FIGURE_TEXT_SIZE];

  if (!start || !fp_figure_is_known (change))
    return NULL;
  fp_format_kept_memory (format, change, size);
  /* Translators: a change of memory, and a time of day or a date, as in “+288 MiB since 14:02:10” */
  return g_strdup_printf (_ ("%s since %s"), size, start);
}

/* How many of the times are since the start, which is known where some are */
typedef enum
{
  SINCE_NONE,
  SINCE_ALL,
  SINCE_SOME,
} Since;

static Since
find_since (FpFigure times,
            FpFigure since,
            const char *start)
{
  if (!start || !fp_figure_is_known (since) || since.low == 0)
    return SINCE_NONE;
  return since.low == times.low ? SINCE_ALL : SINCE_SOME;
}

static char *
describe_reached (guint times,
                  guint since,
                  const char *start,
                  Since kind)
{
  if (kind == SINCE_NONE)
    return g_strdup_printf (ngettext ("It was held back at a limit %u time.", "It was held back at a limit %u times.", times), times);
  if (kind == SINCE_ALL)
    /* Translators: how many times, and a time of day or a date */
    return g_strdup_printf (ngettext ("It was held back at a limit %u time, all since %s.",
                                      "It was held back at a limit %u times, all since %s.", times),
                            times, start);
  /* Translators: how many times, how many of these, and a time of day or a date */
  return g_strdup_printf (ngettext ("It was held back at a limit %u time, %u of them since %s.",
                                    "It was held back at a limit %u times, %u of them since %s.", times),
                          times, since, start);
}

static char *
describe_killed (guint n,
                 guint since,
                 const char *start,
                 Since kind)
{
  if (kind == SINCE_NONE)
    return g_strdup_printf (ngettext ("The kernel killed %u of its processes because memory ran out.",
                                      "The kernel killed %u of its processes because memory ran out.", n),
                            n);
  if (kind == SINCE_ALL)
    /* Translators: how many processes, and a time of day or a date */
    return g_strdup_printf (ngettext ("The kernel killed %u of its processes because memory ran out, all since %s.",
                                      "The kernel killed %u of its processes because memory ran out, all since %s.", n),
                            n, start);
  /* Translators: how many processes, how many of these, and a time of day or a date */
  return g_strdup_printf (ngettext ("The kernel killed %u of its processes because memory ran out, %u of them since %s.",
                                    "The kernel killed %u of its processes because memory ran out, %u of them since %s.", n),
                          n, since, start);
}

/* Says how near the limit is, and what has come of it. NULL: nothing is known of it */
char *
fp_control_words_describe_limits (const FpRecords *records,
                                  guint index,
                                  const FpFormat *format)
{
  const FpControlChange *change = fp_control_records_get_change (records, index);
  g_autofree char *start = fp_control_words_describe_start (records);
  FpFigure reached = fp_value_control_reached (records, index), killed = fp_value_control_killed (records, index);
  GString *text = g_string_new (NULL);

  append_limit (text, records, index, format);
  if (fp_figure_is_known (reached) && reached.low > 0)
    fp_display_append_sentence (text, describe_reached ((guint)reached.low, (guint)change->reached.low, start,
                                                        find_since (reached, change->reached, start)));
  if (fp_figure_is_known (killed) && killed.low > 0)
    fp_display_append_sentence (text, describe_killed ((guint)killed.low, (guint)change->killed.low, start,
                                                       find_since (killed, change->killed, start)));
  return g_string_free (text, text->len == 0);
}

#define IS_MINUTE(over_us) ((over_us) + 5 * G_USEC_PER_SEC >= MINUTE_US)

/* NULL: it is not known */
char *
fp_control_words_describe_wait (const FpRecords *records,
                                guint index,
                                const FpFormat *format)
{
  guint64 over_us = fp_control_records_get (records, index)->waited_over_us;
  FpFigure waited = fp_value_control_waited (records, index);
  guint seconds = (guint)(over_us / G_USEC_PER_SEC);
  gboolean is_minute = IS_MINUTE (over_us);
  char time[FP_FIGURE_TEXT_SIZE];

  if (!fp_figure_is_known (waited))
    return NULL;
  fp_figure_format (waited, FP_UNIT_MICROSECONDS, FP_STYLE_IEC, 0, time, sizeof time);
  fp_figure_keep_together (time);
  if (waited.low == 0 && is_minute)
    return g_strdup (_ ("None of its programs had to wait for memory in the last minute."));
  if (waited.low == 0)
    return g_strdup_printf (ngettext ("None of its programs had to wait for memory in the last %u second.",
                                      "None of its programs had to wait for memory in the last %u seconds.", seconds),
                            seconds);
  if (is_minute)
    return g_strdup_printf (_ ("Some of its programs waited for memory for %s of the last minute."), time);
  /* Translators: a time, such as “1.2 s”, and a number of seconds */
  return g_strdup_printf (ngettext ("Some of its programs waited for memory for %s of the last %u second.",
                                    "Some of its programs waited for memory for %s of the last %u seconds.", seconds),
                          time, seconds);
}

/* As “1200 pages (4.7 MiB)” */
static char *
describe_pages (FpFigure pages,
                FpFigure bytes,
                const FpFormat *format)
{
  char size[FP_FIGURE_TEXT_SIZE];

  fp_format_kept_memory (format, bytes, size);
  /* Translators: a number of pages of 4 KiB, and how much memory that is */
  return g_strdup_printf (ngettext ("%'u page (%s)", "%'u pages (%s)", (gulong)pages.low), (guint)pages.low, size);
}

/* NULL: it is not known */
char *
fp_control_words_describe_read_back (const FpRecords *records,
                                     guint index,
                                     const FpFormat *format)
{
  const FpControlChange *change = fp_control_records_get_change (records, index);
  guint seconds = (guint)(change->over_us / G_USEC_PER_SEC);
  g_autofree char *swap = NULL, *files = NULL, *time = NULL;

  if (change->over_us == 0)
    return NULL;
  if (IS_MINUTE (change->over_us))
    /* Translators: stands in sentences such as “It read 3 pages (12 KiB) back from swap in the last minute.” */
    time = g_strdup (_ ("in the last minute"));
  else
    /* Translators: stands in sentences such as “It read 3 pages (12 KiB) back from swap in the last 20 seconds.” */
    time = g_strdup_printf (ngettext ("in the last %u second", "in the last %u seconds", seconds), seconds);
  if (change->from_swap.low == 0 && change->from_files.low == 0)
    return g_strdup_printf (_ ("Nothing had to be read back from swap or files %s."), time);
  swap = describe_pages (change->from_swap, fp_value_control_from_swap_minute (records, index), format);
  files = describe_pages (change->from_files, fp_value_control_from_files_minute (records, index), format);
  if (change->from_files.low == 0)
    /* Translators: pages, and a time, as in “It read 3 pages (12 KiB) back from swap in the last minute.” */
    return g_strdup_printf (_ ("It read %s back from swap %s."), swap, time);
  if (change->from_swap.low == 0)
    /* Translators: pages, and a time, such as “in the last minute” */
    return g_strdup_printf (_ ("It read %s again from files %s, because the cache had been given back."), files, time);
  /* Translators: pages, again pages, and a time, such as “in the last minute” */
  return g_strdup_printf (_ ("It read %s back from swap and %s again from files %s."), swap, files, time);
}

static gboolean
is_within (const FpControlGroups *groups,
           const guint8 *are_chosen,
           guint index)
{
  for (guint child = index, above = groups->groups[index].parent; above < child; child = above, above = groups->groups[above].parent)
    if (are_chosen[above])
      return TRUE;
  return FALSE;
}

static FpFigure
add (FpFigure sum,
     FpFigure figure)
{
  if (!fp_figure_is_known (figure) || !fp_figure_is_known (sum))
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  return fp_figure_exact (sum.low + figure.low);
}

/* before: (nullable): both are of memory */
static char *
describe_count (const char *count,
                const FpFigure *before,
                FpFigure memory,
                FpFigure swap,
                const FpFormat *format)
{
  GString *text = g_string_new (NULL);
  char sizes[2][FP_FIGURE_TEXT_SIZE];

  fp_format_kept_memory (format, memory, sizes[0]);
  fp_figure_format (swap, FP_UNIT_BYTES, format->style, format->swap_total, sizes[1], sizeof sizes[1]);
  fp_figure_keep_together (sizes[1]);
  if (before)
    fp_display_append_fact (text, fp_sum_describe_compared (count, *before, memory, format));
  else
    g_string_append (text, count);
  if (!before && fp_figure_is_known (memory))
    fp_display_append_fact (text, g_strdup_printf (_ ("Memory %s"), sizes[0]));
  if (fp_figure_is_known (swap))
    fp_display_append_fact (text, g_strdup_printf (_ ("Swap %s"), sizes[1]));
  if (fp_figure_is_known (memory))
    fp_display_append_fact (text, g_strdup (_ ("as the kernel counts it for its groups")));
  return g_string_free (text, FALSE);
}

/* Adds up those that are not within another one of these, whose figures count them already. One that is gone has nothing. */
char *
fp_control_words_describe_sum (const FpRecords *records,
                               const guint *indices,
                               guint n,
                               const FpFormat *format)
{
  const FpControlGroups *groups = fp_control_records_get_groups (records);
  g_autofree guint8 *are_chosen = g_new0 (guint8, records->n + 1);
  FpFigure memory = groups->has_memory ? fp_figure_exact (0) : (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  FpFigure swap = memory, before = memory;
  const gboolean is_compared = fp_records_are_compared (records);
  g_autofree char *count = g_strdup_printf (ngettext ("%u group", "%u groups", n), n);

  for (guint i = 0; i < n; i++)
    are_chosen[indices[i]] = TRUE;
  for (guint i = 0; i < n; i++)
    {
      if (is_within (groups, are_chosen, indices[i]))
        continue;
      if (is_compared)
        before = add (before, fp_records_get_before (records, indices[i], FP_FIELD_PSS));
      if (!fp_records_has_ended (records, indices[i]))
        {
          memory = add (memory, fp_value_control_memory (records, indices[i]));
          swap = add (swap, fp_value_control_swap (records, indices[i]));
        }
    }
  return describe_count (count, is_compared ? &before : NULL, memory, swap, format);
}

/* Makes a search for the processes in it and in all groups within it. */
char *
fp_control_words_make_search (const FpRecords *records,
                              guint index)
{
  return fp_query_term_make ("control_group", fp_control_records_get (records, index)->path);
}
