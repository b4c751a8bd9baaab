// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "fp-cli-json.h"
#include "fp-shares.h"

static void
add_text (JsonBuilder *json,
          const char *name,
          const char *text)
{
  json_builder_set_member_name (json, name);
  if (text && *text)
    json_builder_add_string_value (json, text);
  else
    json_builder_add_null_value (json);
}

static void
add_number (JsonBuilder *json,
            const char *name,
            gint64 number)
{
  json_builder_set_member_name (json, name);
  json_builder_add_int_value (json, number);
}

/* JSON has no larger whole numbers that everybody reads. */
static void
add_bytes (JsonBuilder *json,
           const char *name,
           guint64 bytes)
{
  add_number (json, name, (gint64)MIN (bytes, G_MAXINT64));
}

static void
add_flag (JsonBuilder *json,
          const char *name,
          gboolean flag)
{
  json_builder_set_member_name (json, name);
  json_builder_add_boolean_value (json, flag);
}

/* A sum of which a part is unknown gives what is known of it; the other end is in "at_most". */
static void
add_figure (JsonBuilder *json,
            const char *name,
            FpFigure figure)
{
  if (figure.kind == FP_FIGURE_EXACT || figure.kind == FP_FIGURE_RANGE)
    add_bytes (json, name, figure.low);
  else
    add_text (json, name, NULL);
}

static char *
format_time (guint64 us)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc ((gint64)(us / G_USEC_PER_SEC));

  return time ? g_date_time_format (time, "%Y-%m-%dT%H:%M:%SZ") : NULL;
}

static gboolean
is_wanted (const FpCliView *view,
           const FpColumn *column)
{
  if (!(column->kinds & view->options->kind))
    return FALSE;
  for (const FpColumn **wanted = view->options->columns; wanted && *wanted; wanted++)
    if (*wanted == column)
      return TRUE;
  return !view->options->columns && column->presentation != FP_PRESENT_SHARE;
}

static void
add_columns (JsonBuilder *json,
             const FpCliView *view,
             guint index)
{
  char buffer[FP_CELL_SIZE];

  for (guint i = 0; i < fp_columns_get_n (); i++)
    {
      const FpColumn *column = fp_columns_get (i);

      if (!is_wanted (view, column))
        continue;
      if (column->presentation == FP_PRESENT_TEXT)
        add_text (json, column->id,
                  fp_column_get_text (column, view->records, index, &view->format, buffer, sizeof buffer));
      else
        add_figure (json, column->id, fp_column_get_figure (column, view->records, index));
    }
}

static void
add_bounds (JsonBuilder *json,
            const FpCliView *view,
            guint index)
{
  json_builder_set_member_name (json, "at_most");
  json_builder_begin_object (json);
  for (guint i = 0; i < fp_columns_get_n (); i++)
    {
      const FpColumn *column = fp_columns_get (i);
      FpFigure figure;

      if (!is_wanted (view, column) || column->field == FP_FIELD_NONE)
        continue;
      figure = fp_column_get_figure (column, view->records, index);
      if ((figure.kind == FP_FIGURE_AT_MOST || figure.kind == FP_FIGURE_RANGE) && figure.high != G_MAXUINT64)
        add_bytes (json, column->id, figure.high);
    }
  json_builder_end_object (json);
}

static void
add_process_facts (JsonBuilder *json,
                   const FpCliView *view,
                   guint index)
{
  static const char *const exe_states[] = { NULL, "present", "deleted", "updated" };
  const FpProcess *process = fp_process_records_get (view->records, index);
  const FpSnapshotInfo *info = &view->snapshot->info;
  gboolean is_visible = process->start_ticks > 0 || process->pid == 1;
  guint64 start_us = (guint64)((double)process->start_ticks * G_USEC_PER_SEC / (double)info->ticks_per_second);
  g_autofree char *started = is_visible ? format_time (info->realtime_us - info->boottime_us + start_us) : NULL;

  json_builder_set_member_name (json, "start_time");
  if (is_visible)
    json_builder_add_double_value (json, (double)process->start_ticks / (double)info->ticks_per_second);
  else
    json_builder_add_null_value (json);
  add_text (json, "started_at", started);
  add_flag (json, "readable", fp_memory_has (&process->memory, FP_FIELD_PSS));
  add_number (json, "oom_score_adj", process->oom_score_adj);
  add_flag (json, "kernel_thread", fp_process_is_kernel_thread (process));
  add_flag (json, "main_thread_exited", process->main_thread_exited);
  add_text (json, "exe_state", exe_states[process->exe_state]);
  if (process->shares_with)
    add_number (json, "shares_with", process->shares_with);
}

static void
add_rows (JsonBuilder *json,
          const FpCliView *view)
{
  json_builder_set_member_name (json, view->options->by ? "groups" : view->options->mappings ? "mappings"
                                                                                             : "processes");
  json_builder_begin_array (json);
  for (guint i = 0; i < fp_rows_get_n (view->rows); i++)
    {
      guint index = fp_rows_get (view->rows, i)->index;

      json_builder_begin_object (json);
      add_columns (json, view, index);
      if (view->options->kind == FP_RECORD_PROCESS && !view->options->columns)
        add_process_facts (json, view, index);
      if (view->options->kind != FP_RECORD_MAPPING)
        add_bounds (json, view, index);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
add_sum (JsonBuilder *json,
         const FpCliView *view)
{
  FpCliOptions options = *view->options;
  FpCliView sum = *view;

  options.kind = FP_RECORD_TOTAL;
  options.columns = NULL;
  sum.options = &options;
  sum.records = view->sum;
  json_builder_set_member_name (json, "total");
  json_builder_begin_object (json);
  add_columns (json, &sum, 0);
  add_bounds (json, &sum, 0);
  json_builder_end_object (json);
}

static void
add_shares (JsonBuilder *json,
            const FpCliView *view,
            const FpLedger *ledger,
            const FpTotal *all)
{
  FpShare shares[FP_N_SHARES];

  fp_shares_make (shares, ledger, all);
  json_builder_set_member_name (json, "shares");
  json_builder_begin_array (json);
  for (guint i = 0; i < FP_N_SHARES; i++)
    {
      json_builder_begin_object (json);
      add_text (json, "part", fp_part_infos[shares[i].part].name);
      add_bytes (json, "read", shares[i].read);
      add_bytes (json, "not_readable_at_most", shares[i].unread_at_most);
      add_number (json, "not_mapped", shares[i].rest);
      add_number (json, "not_mapped_at_most", shares[i].rest_at_most);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
add_ledger (JsonBuilder *json,
            const FpLedger *ledger)
{
  json_builder_set_member_name (json, "ledger");
  json_builder_begin_array (json);
  for (FpPart part = 0; part < FP_N_PARTS; part++)
    {
      json_builder_begin_object (json);
      add_text (json, "part", fp_part_infos[part].name);
      add_number (json, "bytes", ledger->parts[part]);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
add_swaps (JsonBuilder *json,
           const FpSystem *system)
{
  static const char *const types[] = { "partition", "file", "zram" };

  json_builder_set_member_name (json, "swaps");
  json_builder_begin_array (json);
  for (guint i = 0; i < system->n_swaps; i++)
    {
      const FpSwap *swap = &system->swaps[i];

      json_builder_begin_object (json);
      add_text (json, "name", swap->name);
      add_text (json, "type", types[swap->type]);
      add_bytes (json, "size", swap->size);
      add_bytes (json, "used", swap->used);
      add_number (json, "priority", swap->priority);
      if (swap->type == FP_SWAP_ZRAM)
        {
          FpFigure unknown = { FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
          gboolean is_known = fp_swap_has_cost (swap);

          add_figure (json, "stored", is_known ? fp_figure_exact (swap->stored) : unknown);
          add_figure (json, "compressed", is_known ? fp_figure_exact (swap->compressed) : unknown);
          add_figure (json, "cost", is_known ? fp_figure_exact (swap->cost) : unknown);
        }
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
add_huge_pools (JsonBuilder *json,
                const FpSystem *system)
{
  json_builder_set_member_name (json, "huge_pools");
  json_builder_begin_array (json);
  for (guint i = 0; i < system->n_huge_pools; i++)
    {
      const FpHugePool *pool = &system->huge_pools[i];

      json_builder_begin_object (json);
      add_bytes (json, "page_size", pool->page_size);
      add_bytes (json, "total", pool->n_total);
      add_bytes (json, "free", pool->n_free);
      add_bytes (json, "reserved", pool->n_reserved);
      add_bytes (json, "surplus", pool->n_surplus);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
add_system_figures (JsonBuilder *json,
                    const FpSystem *system)
{
  for (FpSystemField field = 0; field < FP_N_SYSTEM_FIELDS; field++)
    {
      const FpSystemFieldInfo *info = &fp_system_field_infos[field];

      if (!fp_system_has (system, field))
        add_text (json, info->name, NULL);
      else if (info->unit == FP_SYSTEM_UNIT_HUNDREDTHS)
        {
          json_builder_set_member_name (json, info->name);
          json_builder_add_double_value (json, (double)system->figures[field] / 100);
        }
      else
        add_bytes (json, info->name, system->figures[field]);
    }
}

static void
add_swap_use (JsonBuilder *json,
              const FpSystem *system,
              const FpTotal *all)
{
  FpFigure rest = fp_shares_get_swap_rest (system, all);
  guint64 low = all->low[FP_FIELD_SWAP_PSS], high = all->high[FP_FIELD_SWAP_PSS], used;

  if (!fp_system_get_swap_used (system, &used))
    return;
  add_bytes (json, "swap_used", used);
  add_bytes (json, "swap_of_processes", low);
  add_bytes (json, "swap_of_processes_at_most", MIN (high, MAX (used, low)));
  add_bytes (json, "swap_of_nobody", rest.low);
  add_bytes (json, "swap_of_nobody_at_most", rest.high);
}

static void
add_system (JsonBuilder *json,
            const FpCliView *view)
{
  const FpSystem *system = &view->snapshot->system;
  const FpRecords *processes = view->processes;
  g_autoptr (FpRecords) all = fp_totals_new (processes, NULL, processes->n, NULL, &view->format);
  FpLedger ledger;

  json_builder_set_member_name (json, "system");
  json_builder_begin_object (json);
  add_system_figures (json, system);
  add_text (json, "boot_id", view->snapshot->info.boot_id);
  add_bytes (json, "page_size", view->snapshot->info.page_size);
  if (fp_ledger_make (&ledger, system))
    {
      add_ledger (json, &ledger);
      add_shares (json, view, &ledger, fp_totals_get (all, 0));
    }
  add_swap_use (json, system, fp_totals_get (all, 0));
  add_swaps (json, system);
  add_huge_pools (json, system);
  json_builder_end_object (json);
}

void
fp_cli_json_print (const FpCliView *view,
                   gboolean pretty,
                   GString *out)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *taken_at = format_time (view->snapshot->info.realtime_us);

  json_builder_begin_object (json);
  add_number (json, "schema", 1);
  add_text (json, "taken_at", taken_at);
  add_system (json, view);
  add_sum (json, view);
  if (!view->options->system && !view->options->total)
    add_rows (json, view);
  json_builder_end_object (json);
  root = json_builder_get_root (json);
  json_generator_set_pretty (generator, pretty);
  json_generator_set_root (generator, root);
  json_generator_to_gstring (generator, out);
  g_string_append_c (out, '\n');
}
