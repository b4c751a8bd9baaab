// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-cli-machine.h"

#define LATE_US (5 * 86400 * (guint64)G_USEC_PER_SEC) /* there is no chart here, and so no gap in it */

static gboolean
make_start (FpCliMachine *self,
            const FpCliView *view)
{
  g_autoptr (FpRecords) processes = fp_process_records_new (view->before, NULL);
  g_autoptr (FpRecords) all = fp_totals_new (processes, NULL, processes->n, NULL, &view->format);

  return fp_machine_moment_make (&self->start, view->before, fp_totals_get (all, 0));
}

void
fp_cli_machine_init (FpCliMachine *self,
                     const FpCliView *view)
{
  FpRecords *processes = view->processes;
  FpMachineHistory *history = view->reader ? fp_cli_reader_get_history (view->reader) : NULL;
  FpMachineInput input = { .processes = processes, .format = view->format };

  *self = (FpCliMachine){ 0 };
  self->users = fp_totals_new (processes, NULL, processes->n, fp_columns_get_role (FP_ROLE_ACCOUNT, FP_RECORD_PROCESS), &view->format);
  self->all = fp_totals_new (processes, NULL, processes->n, NULL, &view->format);
  input.users = self->users;
  input.sum = self->all;
  input.groups = self->groups = fp_cli_view_read_groups (view);
  if (view->reader)
    {
      input.kept = self->kept = fp_cli_reader_read_kept (view->reader);
      input.start = fp_machine_history_get_first (history);
      input.minute = fp_machine_history_get_minute (history, view->snapshot->info.boottime_us);
      input.filling = history->filling;
      input.before = fp_machine_history_get_before (history, view->snapshot->info.boottime_us);
    }
  if (view->before && make_start (self, view))
    input.start = &self->start;
  self->machine = fp_machine_new (&input);
  if (history)
    fp_machine_history_take (history, view->snapshot, fp_totals_get (self->all, 0), LATE_US);
}

void
fp_cli_machine_clear (FpCliMachine *self)
{
  g_clear_pointer (&self->machine, fp_machine_free);
  g_clear_pointer (&self->users, fp_records_unref);
  g_clear_pointer (&self->all, fp_records_unref);
  g_clear_pointer (&self->groups, fp_control_groups_unref);
  g_clear_pointer (&self->kept, fp_kept_unref);
}

/* Where nobody is named and somebody may be, it is null. */
static void
add_who (FpJson *json,
         const FpMachineLineState *line)
{
  const FpMachineItems *items = line->who;

  if (!line->knows_who && items->len == 0)
    {
      fp_json_add_text (json, "who", NULL);
      return;
    }
  fp_json_begin_array (json, "who");
  for (guint i = 0; i < items->len; i++)
    {
      const FpMachineItem *item = g_ptr_array_index (items, i);

      fp_json_begin_object (json, NULL);
      fp_json_add_text (json, "name", item->name);
      fp_json_add_figure (json, "bytes", item->figure);
      if (item->figure.high == G_MAXUINT64)
        fp_json_add_text (json, "at_most", NULL);
      else
        fp_json_add_bytes (json, "at_most", item->figure.high);
      fp_json_end_object (json);
    }
  fp_json_end_array (json);
}

/* Says how far what processes hold was looked at. */
static void
add_limits (FpJson *json,
            const FpKept *kept)
{
  fp_json_begin_object (json, "held");
  fp_json_add_number (json, "not_read", kept->n_unread);
  fp_json_add_number (json, "pending", kept->n_pending);
  fp_json_add_flag (json, "cut", kept->is_cut);
  fp_json_end_object (json);
}

static void
add_lines (FpJson *json,
           const FpMachine *machine)
{
  fp_json_begin_array (json, "lines");
  for (FpMachineLine i = 0; i < FP_N_MACHINE_LINES; i++)
    {
      const FpMachineLineState *line = &machine->lines[i];

      fp_json_begin_object (json, NULL);
      fp_json_add_text (json, "line", fp_machine_line_infos[i].name);
      fp_json_add_number (json, "bytes", line->ends.low);
      fp_json_add_number (json, "at_most", line->ends.high);
      if (line->has_change)
        {
          fp_json_add_number (json, "change", line->change.low);
          fp_json_add_number (json, "change_at_most", line->change.high);
        }
      add_who (json, line);
      fp_json_end_object (json);
    }
  fp_json_end_array (json);
}

void
fp_cli_machine_add_json (const FpCliMachine *self,
                         FpJson *json)
{
  const FpShortage *shortage = &self->machine->shortage;

  fp_json_begin_object (json, "machine");
  fp_json_add_text (json, "shortage", fp_shortage_get_name (shortage->level));
  if (shortage->over_us > 0)
    {
      fp_json_add_bytes (json, "waited_us", shortage->waited_us);
      fp_json_add_bytes (json, "waited_over_us", shortage->over_us);
    }
  if (self->groups)
    fp_json_add_flag (json, "groups_are_cut", self->groups->is_cut);
  if (self->machine->is_known)
    add_lines (json, self->machine);
  if (self->kept)
    add_limits (json, self->kept);
  fp_json_end_object (json);
}
