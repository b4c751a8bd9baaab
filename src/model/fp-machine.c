// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-columns.h"
#include "fp-display.h"
#include "fp-machine-kept.h"
#include "fp-machine.h"

#define NEARLY_FULL 95 /* percent of swap */
#define MAX_WHO     3
#define NEAR_LIMIT  90 /* percent */

static void
write_swap (const FpMachine *self,
            guint64 bytes,
            char *text)
{
  fp_figure_format (fp_figure_exact (bytes), FP_UNIT_BYTES, self->input.format.style, self->input.format.swap_total,
                    text, FP_FIGURE_TEXT_SIZE);
  fp_figure_keep_together (text);
}

/* Counters drift apart while they are read: nobody has more of a line for certain than there is of it. An upper end that is known
 * is the same everywhere. */
static void
cap_items (FpMachineItems *items,
           guint64 bytes)
{
  for (guint i = 0; i < items->len; i++)
    {
      FpMachineItem *item = g_ptr_array_index (items, i);

      if (item->figure.low > bytes || item->figure.high == G_MAXUINT64)
        item->figure.high = bytes;
      item->figure.low = MIN (item->figure.low, bytes);
      bytes -= item->figure.low;
      if (item->figure.high == 0)
        g_ptr_array_remove_index (items, i--);
    }
}

static void
add_unknown (FpMachineItems *items,
             const char *name,
             FpFigure figure)
{
  if (figure.high > 0)
    fp_machine_items_add (items, name, figure);
}

/* A user may have more than that, which is told as uncertain or as not measured. */
static void
tell_measured (FpMachineItems *users)
{
  for (guint i = 0; i < users->len; i++)
    {
      FpMachineItem *item = g_ptr_array_index (users, i);

      item->figure = fp_figure_exact (item->figure.low);
    }
}

static void
name_users (FpMachineItems *users)
{
  for (guint i = 0; i < users->len; i++)
    {
      FpMachineItem *item = g_ptr_array_index (users, i);
      g_autofree char *name = item->name;

      item->name = fp_display_make_user (name);
    }
}

static void
find_users (FpMachine *self,
            FpMachineLineState *line)
{
  FpMachineUnknown unknown;

  fp_machine_state_find_unknown (&self->state, &self->snapshot->system, self->all, &unknown);
  fp_machine_items_add_totals (line->who, self->input.users, FP_FIELD_PSS, NULL);
  fp_machine_items_sort (line->who, MAX_WHO);
  name_users (line->who);
  tell_measured (line->who);
  cap_items (line->who, (guint64)MAX (line->ends.low, 0));
  /* Translators: memory that users may have beyond what was measured of them */
  add_unknown (line->who, _ ("uncertain"), unknown.gained);
  add_unknown (line->who, _ ("not measured"), unknown.unread);
  add_unknown (line->who, _ ("hidden programs"), unknown.hidden);
  add_unknown (line->who, _ ("other programs"), unknown.rest);
}

static void
find_graphics (FpMachine *self,
               FpMachineLineState *line)
{
  const FpKept *kept = self->input.kept;

  for (guint i = 0; kept && i < kept->graphics->len; i++)
    {
      const FpGraphics *graphics = &g_array_index (kept->graphics, FpGraphics, i);
      const FpProcess *process = fp_snapshot_find (self->snapshot, graphics->pid);

      if (process && graphics->in_ram > 0)
        fp_machine_items_add (line->who, fp_snapshot_get_text (self->snapshot, process, FP_TEXT_PROGRAM),
                              fp_figure_exact (graphics->in_ram));
    }
  fp_machine_items_sort (line->who, MAX_WHO);
  line->limits = kept ? fp_machine_describe_kept_limits (kept) : NULL;
}

static void
find_kept (FpMachine *self,
           FpMachineLineState *line)
{
  if (!self->input.kept)
    return;
  fp_machine_sum_up_kept (line->who, self->input.kept, self->snapshot,
                          (guint64)MAX (self->state.lines[FP_MACHINE_KEPT].high, 0));
  fp_machine_items_sort (line->who, MAX_WHO);
  line->limits = fp_machine_describe_kept_limits (self->input.kept);
}

/* Adds up swap in zram and zswap, and says how well they pack. */
static void
append_packed (const FpMachine *self,
               GString *text)
{
  const FpSystem *system = &self->snapshot->system;
  guint64 stored = fp_system_get (system, FP_SYSTEM_ZRAM_STORED) + fp_system_get (system, FP_SYSTEM_ZSWAPPED);
  guint64 cost = fp_system_get (system, FP_SYSTEM_ZRAM_USED) + fp_system_get (system, FP_SYSTEM_ZSWAP);
  guint64 plain_stored, plain_cost;
  char size[FP_FIGURE_TEXT_SIZE], packed[FP_FIGURE_TEXT_SIZE];

  fp_system_get_plain_zram (system, &plain_stored, &plain_cost);
  stored -= plain_stored;
  cost -= plain_cost;
  if (!fp_system_knows_zram (system))
    {
      fp_display_append_clause (text, g_strdup (_ ("what zram takes of memory can’t be read here")));
      return;
    }
  if (stored == 0 || cost == 0)
    return;
  fp_format_kept_memory (&self->input.format, fp_figure_exact (stored), size);
  fp_format_kept_memory (&self->input.format, fp_figure_exact (cost), packed);
  /* Translators: two amounts of memory, and how many times smaller it was made, as “3.0 GiB packed into 1.0 GiB (2.9 to 1)” */
  fp_display_append_clause (text, g_strdup_printf (_ ("%s packed into %s (%.1f to 1)"), size, packed, (double)stored / (double)cost));
}

/* With what swap is packed into, this is what it costs in memory. */
static void
append_read_again (const FpMachine *self,
                   GString *text)
{
  char size[FP_FIGURE_TEXT_SIZE];
  FpLedger ledger;

  fp_ledger_make (&ledger, &self->snapshot->system);
  if (ledger.parts[FP_PART_SWAP_CACHE] <= 0)
    return;
  fp_format_kept_memory (&self->input.format, fp_figure_exact ((guint64)ledger.parts[FP_PART_SWAP_CACHE]), size);
  /* Translators: an amount of memory */
  fp_display_append_clause (text, g_strdup_printf (_ ("%s of it is still in memory, too"), size));
}

/* A zram disk may hold files, and costs memory all the same. */
static void
append_plain_zram (const FpMachine *self,
                   GString *text)
{
  guint64 stored, cost;
  char size[FP_FIGURE_TEXT_SIZE];

  if (!fp_system_get_plain_zram (&self->snapshot->system, &stored, &cost))
    return;
  fp_format_kept_memory (&self->input.format, fp_figure_exact (cost), size);
  fp_display_append_clause (text, g_strdup_printf (_ ("zram disks that are not swap take %s"), size));
}

static void
describe_swap (FpMachine *self,
               FpMachineLineState *line)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char used_text[FP_FIGURE_TEXT_SIZE], size[FP_FIGURE_TEXT_SIZE];
  guint64 used;

  if (!fp_system_get_swap_used (&self->snapshot->system, &used))
    return;
  write_swap (self, used, used_text);
  /* The whole is always 100 %. */
  fp_figure_format (fp_figure_exact (self->input.format.swap_total), FP_UNIT_BYTES,
                    self->input.format.style == FP_STYLE_PERCENT ? FP_STYLE_IEC : self->input.format.style, 0, size, sizeof size);
  if (self->input.format.swap_total > 0)
    /* Translators: an amount of swap, and the size of all swap */
    g_string_append_printf (text, _ ("%s of %s swap is used"), used_text, size);
  else
    g_string_append (text, _ ("There is no swap"));
  append_packed (self, text);
  append_read_again (self, text);
  append_plain_zram (self, text);
  line->remark = g_strdup (text->str);
  if (used == 0)
    return;
  fp_machine_items_add_totals (line->who, self->programs, FP_FIELD_SWAP_PSS, NULL);
  fp_machine_items_sort (line->who, MAX_WHO);
}

static void
find_caching (FpMachine *self,
              FpMachineLineState *line)
{
  line->remark = g_strdup (_ ("Mostly given back when needed"));
  if (!self->input.groups)
    return;
  fp_machine_items_add_caching (line->who, self->input.groups);
  fp_machine_items_sort (line->who, MAX_WHO);
}

static void
describe_kernel (FpMachine *self,
                 FpMachineLineState *line)
{
  char size[FP_FIGURE_TEXT_SIZE];

  if (!fp_system_has (&self->snapshot->system, FP_SYSTEM_S_RECLAIMABLE))
    return;
  fp_format_kept_memory (&self->input.format, fp_figure_exact (fp_system_get (&self->snapshot->system, FP_SYSTEM_S_RECLAIMABLE)), size);
  line->remark = g_strdup_printf (_ ("%s of it is given back when needed"), size);
}

static gboolean
knows_who (const FpMachine *self,
           FpMachineLine line)
{
  guint64 used;

  switch (line)
    {
    case FP_MACHINE_PROGRAMS:
      return (self->all->known >> FP_FIELD_PSS & 1) != 0;
    case FP_MACHINE_SWAP:
      return fp_system_get_swap_used (&self->snapshot->system, &used) && (used == 0 || (self->all->known >> FP_FIELD_SWAP_PSS & 1));
    case FP_MACHINE_GRAPHICS:
    case FP_MACHINE_KEPT:
      return self->input.kept != NULL;
    case FP_MACHINE_CACHE:
      return self->input.groups && self->input.groups->has_memory;
    default:
      return FALSE;
    }
}

static void
make_lines (FpMachine *self)
{
  const FpMachineMoment *start = self->input.start;

  for (FpMachineLine i = 0; i < FP_N_MACHINE_LINES; i++)
    {
      FpMachineLineState *line = &self->lines[i];
      gboolean may_be_missing = i == FP_MACHINE_GRAPHICS || i == FP_MACHINE_SWAP || i == FP_MACHINE_HUGE_PAGES;

      line->ends = self->state.lines[i];
      line->is_used = !may_be_missing || line->ends.high > 0 || (i == FP_MACHINE_SWAP && self->input.format.swap_total > 0);
      /* Where graphics were not read at the start, their change is within that of other lines. */
      line->has_change = start && (i != FP_MACHINE_GRAPHICS || !self->state.has_graphics || start->state.has_graphics);
      if (line->has_change)
        line->change = fp_machine_ends_subtract (start->state.has_graphics ? line->ends : self->now.state.lines[i],
                                                 start->state.lines[i]);
      line->knows_who = knows_who (self, i);
      line->who = fp_machine_items_new ();
    }
  find_users (self, &self->lines[FP_MACHINE_PROGRAMS]);
  find_graphics (self, &self->lines[FP_MACHINE_GRAPHICS]);
  find_kept (self, &self->lines[FP_MACHINE_KEPT]);
  describe_swap (self, &self->lines[FP_MACHINE_SWAP]);
  find_caching (self, &self->lines[FP_MACHINE_CACHE]);
  describe_kernel (self, &self->lines[FP_MACHINE_KERNEL]);
  self->lines[FP_MACHINE_UNEXPLAINED].remark = g_strdup (_ ("Drivers, firmware, inaccurate counters"));
}

static void
hold_input (FpMachine *self,
            const FpMachineInput *input)
{
  self->input = *input;
  fp_records_ref (input->processes);
  fp_records_ref (input->users);
  fp_records_ref (input->sum);
  if (input->groups)
    fp_control_groups_ref (input->groups);
  if (input->old_groups)
    fp_control_groups_ref (input->old_groups);
  if (input->kept)
    fp_kept_ref (input->kept);
  if (input->old_kept)
    fp_kept_ref (input->old_kept);
  if (input->start)
    {
      self->start = *input->start;
      self->input.start = &self->start;
    }
  if (input->before)
    {
      self->before = *input->before;
      self->input.before = &self->before;
    }
  if (input->minute)
    {
      self->minute = *input->minute;
      self->input.minute = &self->minute;
    }
  self->snapshot = fp_process_records_get_snapshot (input->processes);
  self->all = fp_totals_get (input->sum, 0);
}

FpMachine *
fp_machine_new (const FpMachineInput *input)
{
  FpMachine *self = g_new0 (FpMachine, 1);
  const FpColumn *program = fp_columns_find ("program", FP_RECORD_PROCESS);

  hold_input (self, input);
  self->is_known = fp_machine_moment_make (&self->now, self->snapshot, self->all);
  fp_shortage_judge (&self->shortage, &self->snapshot->system, input->groups, input->before, input->minute, &self->now);
  self->programs = fp_totals_new (input->processes, NULL, input->processes->n, program, &input->format);
  if (!self->is_known)
    return self;
  fp_machine_state_make (&self->state, &self->snapshot->system, self->all, input->kept);
  make_lines (self);
  return self;
}

void
fp_machine_free (FpMachine *self)
{
  for (FpMachineLine i = 0; i < FP_N_MACHINE_LINES; i++)
    {
      g_free (self->lines[i].remark);
      g_free (self->lines[i].limits);
      g_clear_pointer (&self->lines[i].who, g_ptr_array_unref);
    }
  fp_records_unref (self->programs);
  fp_records_unref (self->input.processes);
  fp_records_unref (self->input.users);
  fp_records_unref (self->input.sum);
  g_clear_pointer (&self->input.groups, fp_control_groups_unref);
  g_clear_pointer (&self->input.old_groups, fp_control_groups_unref);
  g_clear_pointer (&self->input.kept, fp_kept_unref);
  g_clear_pointer (&self->input.old_kept, fp_kept_unref);
  g_free (self);
}

static void
append_part (GString *text,
             const char *part)
{
  if (part && *part)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", part);
}

/* Says who is behind a line: "anna 9.8 GiB, ben 2.8 GiB". Free the text. */
char *
fp_machine_describe_line (const FpMachine *self,
                          FpMachineLine line)
{
  const FpMachineLineState *state = &self->lines[line];
  g_autofree char *who = state->who->len > 0 ? fp_machine_items_describe (state->who, &self->input.format) : NULL;
  GString *text = g_string_new (NULL);

  append_part (text, state->remark);
  append_part (text, who);
  append_part (text, state->limits);
  return g_string_free (text, FALSE);
}

char *
fp_machine_describe_waiting (const FpMachine *self)
{
  return fp_shortage_describe (&self->shortage, self->input.groups);
}

static char *
describe_available (const FpMachine *self)
{
  const FpSystem *system = &self->snapshot->system;
  guint64 free_bytes = (guint64)MAX (self->state.lines[FP_MACHINE_FREE].low, 0);
  char available[FP_FIGURE_TEXT_SIZE], free_text[FP_FIGURE_TEXT_SIZE];

  if (!self->is_known || !fp_system_has (system, FP_SYSTEM_MEM_AVAILABLE))
    return NULL;
  fp_format_kept_memory (&self->input.format, fp_figure_exact (fp_system_get (system, FP_SYSTEM_MEM_AVAILABLE)), available);
  fp_format_kept_memory (&self->input.format, fp_figure_exact (free_bytes), free_text);
  if (free_bytes >= fp_system_get (system, FP_SYSTEM_MEM_AVAILABLE))
    return g_strdup_printf (_ ("%s is available at once."), available);
  /* Translators: amounts of memory */
  return g_strdup_printf (_ ("%s is available at once: %s is free, and the rest comes from cache, programs’ files and the kernel."),
                          available, free_text);
}

/* How much is available, and for how long it lasts if it goes on like this. NULL: it is not known; free the text */
char *
fp_machine_describe_available (const FpMachine *self)
{
  g_autofree char *available = describe_available (self), *filling = fp_filling_describe (&self->input.filling);
  g_autoptr (GString) text = g_string_new (available);
  guint64 used;

  if (!available)
    return NULL;
  if (filling)
    fp_display_append_sentence (text, g_steal_pointer (&filling));
  if (fp_system_get_swap_used (&self->snapshot->system, &used) &&
      fp_machine_is_swap_nearly_full (used, fp_system_get (&self->snapshot->system, FP_SYSTEM_SWAP_TOTAL)))
    fp_display_append_sentence (text, g_strdup (_ ("Swap is nearly full, so that programs are killed sooner once memory is short.")));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

gboolean
fp_machine_is_swap_nearly_full (guint64 used,
                                guint64 size)
{
  return size > 0 && used >= size / 100 * NEARLY_FULL;
}

/* Names the group that is nearest to its limit. NULL: the kernel counts no memory of groups; free the text */
char *
fp_machine_describe_limits (const FpMachine *self)
{
  const FpControlGroups *groups = self->input.groups;
  const FpControlGroup *nearest = NULL;
  char used[FP_FIGURE_TEXT_SIZE], size[FP_FIGURE_TEXT_SIZE], name[512];
  FpControlLimit limit, closest;
  double most = -1;

  if (!groups || !groups->has_memory)
    return NULL;
  /* The title names this one. */
  if (self->shortage.limited < groups->n && fp_control_groups_get_limit (groups, self->shortage.limited, &closest))
    {
      nearest = &groups->groups[self->shortage.limited];
      most = 1;
    }
  /* A limit of a group around it is told with that group. */
  for (guint i = 0; i < groups->n && self->shortage.limited == FP_CONTROL_NONE; i++)
    if (fp_control_groups_get_limit (groups, i, &limit) && limit.place == i &&
        (double)limit.used / (double)MAX (limit.limit, 1) > most)
      {
        nearest = &groups->groups[i];
        closest = limit;
        most = (double)limit.used / (double)MAX (limit.limit, 1);
      }
  if (!nearest)
    return g_strdup (_ ("No service, app or user has a limit on its memory."));
  fp_display_escape (nearest->name, name, sizeof name);
  fp_format_kept_memory (&self->input.format, fp_figure_exact (closest.used), used);
  fp_format_kept_memory (&self->input.format, fp_figure_exact (closest.limit), size);
  /* Translators: a service, app or user, and amounts of memory */
  return g_strdup_printf (most * 100 >= NEAR_LIMIT ? _ ("%s is near its limit: it has %s of %s.")
                                                   /* Translators: a service, app or user, and amounts of memory */
                                                   : _ ("Nothing is near its limit; %s is the nearest, with %s of %s."),
                          name, used, size);
}

/* Kills count in all groups around, too, so only the innermost is named. Groups that are made again under the same path are
 * others. */
static void
append_killed_groups (const FpMachine *self,
                      GString *text)
{
  const FpControlGroups *groups = self->input.groups, *old = self->input.old_groups;
  g_autofree gboolean *is_outer = groups ? g_new0 (gboolean, groups->n + 1) : NULL;

  if (!groups || !old)
    return;
  for (guint i = 0; i < groups->n; i++)
    if (groups->groups[i].parent < groups->n)
      is_outer[groups->groups[i].parent] = TRUE;
  for (guint i = 0; i < groups->n; i++)
    {
      const FpControlGroup *group = &groups->groups[i], *was;
      char name[512];

      if (is_outer[i] || !fp_control_group_has (group, FP_CONTROL_OOM_KILLS) || group->figures[FP_CONTROL_OOM_KILLS] == 0)
        continue;
      was = fp_control_groups_find (old, group->path);
      if (was && was->id == group->id &&
          (!fp_control_group_has (was, FP_CONTROL_OOM_KILLS) || was->figures[FP_CONTROL_OOM_KILLS] >= group->figures[FP_CONTROL_OOM_KILLS]))
        continue;
      fp_display_escape (group->name, name, sizeof name);
      fp_display_append_item (text, g_strdup (name));
    }
}

/* NULL: none was; free the text */
char *
fp_machine_describe_killed (const FpMachine *self)
{
  const FpMachineMoment *start = self->input.start;
  g_autoptr (GString) names = g_string_new (NULL);
  char since[FP_FIGURE_TEXT_SIZE];
  guint n;

  if (!start || start->oom_kills == FP_MACHINE_UNKNOWN || self->now.oom_kills == FP_MACHINE_UNKNOWN ||
      self->now.oom_kills <= start->oom_kills)
    return NULL;
  n = (guint)(self->now.oom_kills - start->oom_kills);
  append_killed_groups (self, names);
  fp_figure_format (fp_figure_exact (start->realtime_us), FP_UNIT_MOMENT, FP_STYLE_IEC, 0, since, sizeof since);
  if (names->len == 0)
    /* Translators: a number, and a time of day or a date */
    return g_strdup_printf (ngettext ("%u process was killed since %s because memory ran out.",
                                      "%u processes were killed since %s because memory ran out.", n),
                            n, since);
  /* Translators: a number, a time of day or a date, and the names of services or apps that the processes were in */
  return g_strdup_printf (ngettext ("%u process was killed since %s because memory ran out: %s.",
                                    "%u processes were killed since %s because memory ran out: %s.", n),
                          n, since, names->str);
}
