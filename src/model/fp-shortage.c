// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <unistd.h>

#include "fp-display.h"
#include "fp-machine-items.h"
#include "fp-shortage.h"

#define MINUTE_US   (60 * G_USEC_PER_SEC)
#define MAX_WAITING 3
#define SHORTEST_US (G_USEC_PER_SEC / 20)    /* less is 0.0 s */
#define LEEWAY_US   (3 * G_USEC_PER_SEC / 2) /* by which a minute may be longer or shorter */

/* When memory is short, from the kernel's averages, in hundredths of a percent of the time. The first that is reached
 * counts.
 * - full, 30 %: all programs stand still for a third of the time. systemd-oomd kills at 60 % for 30 s, and one should see
 *   it coming.
 * - some, 7 %: one program or another stands still for 70 ms of each second, where Android's lmkd acts first
 *   (psi_partial_stall_ms). Both averages count, for a jolt of some seconds and for what goes on for a minute. */
static const struct
{
  FpSystemField field;
  guint64 least;
  FpShortageLevel level;
} by_pressure[] = {
  { FP_SYSTEM_PRESSURE_FULL_10, 3000, FP_SHORTAGE_THRASHING },
  { FP_SYSTEM_PRESSURE_FULL_60, 3000, FP_SHORTAGE_THRASHING },
  { FP_SYSTEM_PRESSURE_SOME_10, 700, FP_SHORTAGE_TIGHT },
  { FP_SYSTEM_PRESSURE_SOME_60, 700, FP_SHORTAGE_TIGHT },
};

/* Without pressure: earlyoom begins to act at a tenth of memory that is still available. Where at the same time more than
 * 4 MiB a second are read back from swap, programs wait for pages that they have just lost. */
#define LEAST_AVAILABLE    10 /* percent */
#define AT_LIMIT           90 /* percent */
#define THRASHING_A_SECOND (G_GUINT64_CONSTANT (4) << 20)

static const struct
{
  const char *name;
  const char *title;
} levels[FP_N_SHORTAGES] = {
  [FP_SHORTAGE_UNKNOWN] = { "unknown", N_ ("It is not known whether memory is short") },
  [FP_SHORTAGE_CALM] = { "calm", N_ ("Calm: memory is not short") },
  [FP_SHORTAGE_TIGHT] = { "tight", N_ ("Tight: memory is short") },
  [FP_SHORTAGE_THRASHING] = { "thrashing", N_ ("Thrashing: memory is far too short") },
};

const char *
fp_shortage_get_name (FpShortageLevel level)
{
  return levels[level].name;
}

/* Free the text. */
char *
fp_shortage_make_title (const FpShortage *self,
                        const FpControlGroups *groups)
{
  char name[512];

  if (self->level != FP_SHORTAGE_TIGHT || !groups || self->limited >= groups->n)
    return g_strdup (_ (levels[self->level].title));
  fp_display_escape (groups->groups[self->limited].name, name, sizeof name);
  return g_strdup_printf (_ ("Tight: %s is near its limit, but the machine has memory left"), name);
}

static gboolean
has_much_left (const FpSystem *system)
{
  return fp_system_has (system, FP_SYSTEM_MEM_AVAILABLE) && fp_system_has (system, FP_SYSTEM_MEM_TOTAL) &&
         fp_system_get (system, FP_SYSTEM_MEM_AVAILABLE) >= fp_system_get (system, FP_SYSTEM_MEM_TOTAL) / 100 * LEAST_AVAILABLE;
}

/* A group has waited when any group in it has, so only those with no other in them say who waited longest. */
static guint
find_limited (const FpControlGroups *groups)
{
  g_autofree gboolean *is_outer = g_new0 (gboolean, groups->n + 1);
  guint longest = FP_CONTROL_NONE;
  FpControlLimit limit;

  for (guint i = groups->n; i-- > 0;)
    {
      const FpControlGroup *group = &groups->groups[i];

      if (group->parent < groups->n)
        is_outer[group->parent] = TRUE;
      if (!is_outer[i] && group->waited_us > 0 &&
          (longest == FP_CONTROL_NONE || group->waited_us > groups->groups[longest].waited_us))
        longest = i;
    }
  return longest != FP_CONTROL_NONE && fp_control_groups_get_limit (groups, longest, &limit) &&
                 (double)limit.used * 100 >= (double)limit.limit * AT_LIMIT
             ? limit.place
             : FP_CONTROL_NONE;
}

static gboolean
reads_back (const FpMachineMoment *before,
            const FpMachineMoment *now)
{
  guint64 pages, bytes;

  if (!before || before->swap_ins == FP_MACHINE_UNKNOWN || now->swap_ins == FP_MACHINE_UNKNOWN ||
      now->swap_ins < before->swap_ins || now->time_us <= before->time_us)
    return FALSE;
  pages = now->swap_ins - before->swap_ins;
  bytes = pages * (guint64)sysconf (_SC_PAGESIZE);
  return (double)bytes * G_USEC_PER_SEC / (double)(now->time_us - before->time_us) > (double)THRASHING_A_SECOND;
}

static FpShortageLevel
judge_without_pressure (const FpSystem *system,
                        const FpMachineMoment *before,
                        const FpMachineMoment *now)
{
  if (!fp_system_has (system, FP_SYSTEM_MEM_AVAILABLE) || !fp_system_has (system, FP_SYSTEM_MEM_TOTAL))
    return FP_SHORTAGE_UNKNOWN;
  if (has_much_left (system))
    return FP_SHORTAGE_CALM;
  return reads_back (before, now) ? FP_SHORTAGE_THRASHING : FP_SHORTAGE_TIGHT;
}

/* Until the history is a minute long, the kernel's average has to do. The counter of the root group would be that of a
 * container within one. */
static void
find_waited (FpShortage *self,
             const FpSystem *system,
             const FpMachineMoment *minute,
             const FpMachineMoment *now)
{
  if (minute && minute->waited_us != FP_MACHINE_UNKNOWN && now->waited_us != FP_MACHINE_UNKNOWN &&
      now->waited_us >= minute->waited_us && now->time_us > minute->time_us)
    {
      self->waited_us = now->waited_us - minute->waited_us;
      self->over_us = now->time_us - minute->time_us;
    }
  else if (fp_system_has (system, FP_SYSTEM_PRESSURE_SOME_60))
    {
      self->waited_us = fp_system_get (system, FP_SYSTEM_PRESSURE_SOME_60) * MINUTE_US / 10000;
      self->over_us = MINUTE_US;
      self->is_average = TRUE;
    }
}

void
fp_shortage_judge (FpShortage *self,
                   const FpSystem *system,
                   const FpControlGroups *groups,
                   const FpMachineMoment *before,
                   const FpMachineMoment *minute,
                   const FpMachineMoment *now)
{
  *self = (FpShortage){ .level = FP_SHORTAGE_CALM, .limited = FP_CONTROL_NONE };
  self->has_pressure = fp_system_has (system, FP_SYSTEM_PRESSURE_SOME_10);
  if (!self->has_pressure)
    {
      self->level = judge_without_pressure (system, before, now);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (by_pressure) && self->level == FP_SHORTAGE_CALM; i++)
    if (fp_system_has (system, by_pressure[i].field) && fp_system_get (system, by_pressure[i].field) >= by_pressure[i].least)
      self->level = by_pressure[i].level;
  if (self->level == FP_SHORTAGE_TIGHT && groups && has_much_left (system))
    self->limited = find_limited (groups);
  find_waited (self, system, minute, now);
}

static void
append_seconds (GString *text,
                guint64 us)
{
  double seconds = (double)us / G_USEC_PER_SEC;

  /* Translators: s stands for seconds */
  g_string_append_printf (text, seconds < 10 ? _ ("%.1f\u00a0s") : _ ("%.0f\u00a0s"), seconds);
}

/* Times overlap, since several programs can wait at once, so they are never added up. */
static void
append_waiting (GString *text,
                const FpControlGroups *groups)
{
  g_autoptr (GPtrArray) items = fp_machine_items_new ();

  fp_machine_items_add_waiting (items, groups);
  fp_machine_items_sort (items, MAX_WAITING);
  for (guint i = 0; i < items->len; i++)
    {
      const FpMachineItem *item = g_ptr_array_index (items, i);
      g_autoptr (GString) time = NULL;
      g_autofree char *name = NULL;

      if (item->figure.low < SHORTEST_US)
        continue;
      time = g_string_new (NULL);
      append_seconds (time, item->figure.low);
      name = fp_display_isolate (item->name);
      fp_display_append_item (text, g_strdup_printf ("%s %s", name, time->str));
    }
}

static char *
describe_without_pressure (const FpShortage *self)
{
  if (self->level == FP_SHORTAGE_UNKNOWN)
    return g_strdup (_ ("Neither how long programs wait for memory nor how much is available is known here."));
  return g_strdup (_ ("How long programs wait for memory is not known here, so this goes by how much is available and by swapping."));
}

static char *
describe_waited (const FpShortage *self)
{
  g_autoptr (GString) waited = g_string_new (NULL), over = g_string_new (NULL);

  append_seconds (waited, self->waited_us);
  append_seconds (over, self->over_us);
  if (self->over_us + LEEWAY_US < MINUTE_US || self->over_us > MINUTE_US + LEEWAY_US)
    /* Translators: two times, such as “1.2 s” and “20 s” */
    return g_strdup_printf (_ ("Programs waited for memory during %s of the last %s"), waited->str, over->str);
  return g_strdup_printf (self->is_average ? _ ("Programs waited for memory during about %s of the last minute")
                                           : _ ("Programs waited for memory during %s of the last minute"),
                          waited->str);
}

/* Says how long programs waited, and which, where the groups tell. Free the text. */
char *
fp_shortage_describe (const FpShortage *self,
                      const FpControlGroups *groups)
{
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *waited = NULL;

  if (!self->has_pressure)
    return describe_without_pressure (self);
  if (self->over_us == 0)
    return g_strdup (_ ("How long programs waited for memory is not known yet."));
  if (self->waited_us < SHORTEST_US)
    return g_strdup (_ ("No program waited for memory in the last minute."));
  waited = describe_waited (self);
  if (groups)
    append_waiting (names, groups);
  if (names->len == 0)
    return g_strdup_printf ("%s.", waited);
  /* Translators: a sentence, such as “Programs waited for memory during 1.2 s of the last minute”, and which programs for how long */
  return g_strdup_printf (_ ("%s: %s."), waited, names->str);
}
