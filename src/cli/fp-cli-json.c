// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-cli-copies.h"
#include "fp-cli-files.h"
#include "fp-cli-groups.h"
#include "fp-cli-json.h"
#include "fp-cli-machine.h"
#include "fp-comparison.h"
#include "fp-export.h"
#include "fp-mapped-records.h"
#include "fp-shares.h"

/* Each once, in the order of the table. */
static GPtrArray *
choose_columns (guint kinds,
                const FpColumn **wanted)
{
  GPtrArray *columns = g_ptr_array_new ();

  for (guint i = 0; i < fp_columns_get_n (); i++)
    {
      const FpColumn *column = fp_columns_get (i);
      gboolean is_wanted = !wanted && !fp_column_is_left_out (column);

      for (const FpColumn **w = wanted; w && *w; w++)
        is_wanted |= *w == column;
      if (is_wanted && (column->kinds & kinds))
        g_ptr_array_add (columns, (gpointer)column);
    }
  g_ptr_array_add (columns, NULL);
  return columns;
}

/* A difference upwards at most, which need not be one at least */
static gboolean
is_more_at_most (FpFigure figure)
{
  return figure.high != G_MAXUINT64 &&
         (figure.kind == FP_FIGURE_EITHER || (figure.kind == FP_FIGURE_MORE && figure.low != figure.high));
}

static void
add_bounds (FpJson *json,
            const FpRecords *records,
            guint index,
            const FpColumn *const *columns)
{
  fp_json_begin_object (json, "at_most");
  for (; *columns; columns++)
    {
      FpFigure figure;

      if ((*columns)->field == FP_FIELD_NONE && !((*columns)->kinds & FP_RECORD_COMPARED && fp_column_is_figure (*columns)))
        continue;
      figure = fp_column_get_figure (*columns, records, index);
      if (is_more_at_most (figure))
        fp_json_add_bytes (json, (*columns)->id, figure.high);
      if ((figure.kind == FP_FIGURE_AT_MOST || figure.kind == FP_FIGURE_RANGE || figure.kind == FP_FIGURE_PARTIAL) &&
          figure.high != G_MAXUINT64)
        fp_json_add_bytes (json, (*columns)->id, figure.high);
    }
  fp_json_end_object (json);
}

static void
add_process_facts (FpJson *json,
                   const FpCliView *view,
                   guint index)
{
  static const char *const exe_states[] = { NULL, "present", "deleted", "updated" };
  const FpProcess *process = fp_process_records_get (view->records, index);
  const FpSnapshotInfo *info = &view->snapshot->info;
  gboolean is_visible = (process->start_ticks > 0 || process->pid == 1) && !(process->start_ticks & FP_TICKS_OF_OTHER_BOOT);
  guint64 start_us = (guint64)((double)process->start_ticks * G_USEC_PER_SEC / (double)info->ticks_per_second);
  g_autofree char *started = is_visible ? fp_cli_view_format_time (info->realtime_us - info->boottime_us + start_us) : NULL;

  if (is_visible)
    fp_json_add_real (json, "start_time", (double)process->start_ticks / (double)info->ticks_per_second);
  else
    fp_json_add_text (json, "start_time", NULL);
  fp_json_add_text (json, "started_at", started);
  fp_json_add_flag (json, "readable",
                    fp_memory_has (&process->memory, FP_FIELD_PSS) || fp_memory_has_range (&process->memory, FP_FIELD_PSS));
  fp_json_add_number (json, "oom_score_adj", process->oom_score_adj);
  fp_json_add_flag (json, "kernel_thread", fp_process_is_kernel_thread (process));
  fp_json_add_flag (json, "main_thread_exited", process->main_thread_exited);
  fp_json_add_text (json, "exe_state", exe_states[process->exe_state]);
  if (process->shares_with)
    fp_json_add_number (json, "shares_with", process->shares_with);
}

/* Lists processes whose mappings were read; fp_cli_files_add_sharing () has those that share the memory of one of them. */
static void
add_holders (FpJson *json,
             const char *name,
             const FpMappedFiles *files,
             const FpMappedFile *file,
             gboolean only_outdated)
{
  const FpMappedHolder *holders = fp_mapped_files_get_holders (files, file);

  fp_json_begin_array (json, name);
  for (guint i = 0; i < file->n_holders; i++)
    if (!only_outdated || fp_mapped_holder_is_outdated (&holders[i], file))
      fp_json_add_number (json, NULL, files->processes[holders[i].process].id.pid);
  fp_json_end_array (json);
}

static void
add_file_facts (FpJson *json,
                const FpCliView *view,
                guint index)
{
  const FpMappedFile *file = fp_mapped_records_get (view->records, index);
  const FpMappedFiles *files = fp_mapped_records_get_files (view->records);

  fp_json_add_flag (json, "outdated", fp_mapped_file_is_outdated (file));
  add_holders (json, "pids", files, file, FALSE);
  if (fp_mapped_file_is_outdated (file))
    add_holders (json, "outdated_pids", files, file, TRUE);
}

static const char *
get_array_name (const FpCliOptions *options)
{
  if (options->files)
    return "files";
  if (fp_cli_groups_are_shown (options))
    return "control_groups";
  return options->by ? "groups" : options->mappings ? "mappings"
                                                    : "processes";
}

static void
add_rows (FpJson *json,
          const FpCliView *view)
{
  g_autoptr (GPtrArray) chosen = choose_columns (fp_cli_options_get_kinds (view->options), view->options->columns);
  const FpColumn *const *columns = (const FpColumn *const *)chosen->pdata;

  fp_json_begin_array (json, get_array_name (view->options));
  for (guint i = 0; i < fp_cli_view_get_n_rows (view); i++)
    {
      const FpRow *row = fp_rows_get (view->rows, i);
      guint index = row->index;

      fp_json_begin_object (json, NULL);
      fp_export_json_members (json, view->records, index, columns, &view->format);
      if (view->options->kind == FP_RECORD_PROCESS && !view->options->columns)
        add_process_facts (json, view, index);
      if (view->options->files && !view->options->columns)
        add_file_facts (json, view, index);
      if (!view->options->files && view->options->kind != FP_RECORD_MAPPING)
        add_bounds (json, view->records, index, columns);
      if (row->is_possible)
        fp_json_add_flag (json, "possibly", TRUE);
      fp_json_end_object (json);
    }
  fp_json_end_array (json);
}

static void
add_sum (FpJson *json,
         const FpCliView *view)
{
  const FpRecords *sum = view->options->files ? view->row_sum : view->sum;
  g_autoptr (GPtrArray) chosen = choose_columns (fp_records_get_kinds (sum) | FP_RECORD_TOTAL, NULL);
  const FpColumn *const *columns = (const FpColumn *const *)chosen->pdata;

  /* Only what files have has a sum over them. */
  for (guint i = chosen->len; view->options->files && i-- > 0;)
    {
      const FpColumn *column = g_ptr_array_index (chosen, i);

      if (column && !(column->kinds & FP_RECORD_COMPARED) && (column->field == FP_FIELD_NONE || !(column->kinds & FP_RECORD_MAPPED_FILE)))
        g_ptr_array_remove_index (chosen, i);
    }
  columns = (const FpColumn *const *)chosen->pdata;
  fp_json_begin_object (json, "total");
  fp_export_json_members (json, sum, 0, columns, &view->format);
  add_bounds (json, sum, 0, columns);
  fp_json_end_object (json);
}

static void
add_shares (FpJson *json,
            const FpCliView *view,
            const FpLedger *ledger,
            const FpTotal *all)
{
  FpShare shares[FP_N_SHARES];

  fp_shares_make (shares, ledger, all);
  fp_json_begin_array (json, "shares");
  for (guint i = 0; i < FP_N_SHARES; i++)
    {
      fp_json_begin_object (json, NULL);
      fp_json_add_text (json, "part", fp_part_infos[shares[i].part].name);
      fp_json_add_bytes (json, "read", shares[i].read);
      fp_json_add_bytes (json, "read_at_most", shares[i].read + shares[i].more_at_most);
      fp_json_add_bytes (json, "not_readable_at_most", shares[i].unread_at_most);
      fp_json_add_number (json, "not_mapped", shares[i].rest);
      fp_json_add_number (json, "not_mapped_at_most", shares[i].rest_at_most);
      fp_json_end_object (json);
    }
  fp_json_end_array (json);
}

static void
add_ledger (FpJson *json,
            const FpLedger *ledger)
{
  fp_json_begin_array (json, "ledger");
  for (FpPart part = 0; part < FP_N_PARTS; part++)
    {
      fp_json_begin_object (json, NULL);
      fp_json_add_text (json, "part", fp_part_infos[part].name);
      fp_json_add_number (json, "bytes", ledger->parts[part]);
      if (part == FP_PART_ZRAM)
        fp_json_add_number (json, "at_most", ledger->parts[part] + ledger->zram_more);
      fp_json_end_object (json);
    }
  fp_json_end_array (json);
}

static void
add_swaps (FpJson *json,
           const FpSystem *system)
{
  static const char *const types[] = { "partition", "file", "zram" };

  fp_json_begin_array (json, "swaps");
  for (guint i = 0; i < system->n_swaps; i++)
    {
      const FpSwap *swap = &system->swaps[i];

      fp_json_begin_object (json, NULL);
      fp_json_add_text (json, "name", swap->name);
      fp_json_add_text (json, "type", types[swap->type]);
      fp_json_add_bytes (json, "size", swap->size);
      fp_json_add_bytes (json, "used", swap->used);
      fp_json_add_number (json, "priority", swap->priority);
      if (swap->type == FP_SWAP_ZRAM)
        {
          FpFigure unknown = { FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
          gboolean is_known = fp_swap_has_cost (swap);

          fp_json_add_figure (json, "stored", is_known ? fp_figure_exact (swap->stored) : unknown);
          fp_json_add_figure (json, "compressed", is_known ? fp_figure_exact (swap->compressed) : unknown);
          fp_json_add_figure (json, "cost", is_known ? fp_figure_exact (swap->cost) : unknown);
        }
      fp_json_end_object (json);
    }
  fp_json_end_array (json);
}

static void
add_huge_pools (FpJson *json,
                const FpSystem *system)
{
  fp_json_begin_array (json, "huge_pools");
  for (guint i = 0; i < system->n_huge_pools; i++)
    {
      const FpHugePool *pool = &system->huge_pools[i];

      fp_json_begin_object (json, NULL);
      fp_json_add_bytes (json, "page_size", pool->page_size);
      fp_json_add_bytes (json, "total", pool->n_total);
      fp_json_add_bytes (json, "free", pool->n_free);
      fp_json_add_bytes (json, "reserved", pool->n_reserved);
      fp_json_add_bytes (json, "surplus", pool->n_surplus);
      fp_json_end_object (json);
    }
  fp_json_end_array (json);
}

static void
add_system_figures (FpJson *json,
                    const FpSystem *system)
{
  for (FpSystemField field = 0; field < FP_N_SYSTEM_FIELDS; field++)
    {
      const FpSystemFieldInfo *info = &fp_system_field_infos[field];

      if (!fp_system_has (system, field))
        fp_json_add_text (json, info->name, NULL);
      else if (info->unit == FP_SYSTEM_UNIT_HUNDREDTHS)
        {
          fp_json_add_real (json, info->name, (double)system->figures[field] / 100);
        }
      else
        fp_json_add_bytes (json, info->name, system->figures[field]);
    }
}

static void
add_swap_use (FpJson *json,
              const FpSystem *system,
              const FpTotal *all)
{
  FpFigure rest = fp_shares_get_swap_rest (system, all);
  guint64 low = all->low[FP_FIELD_SWAP_PSS], high = all->high[FP_FIELD_SWAP_PSS], used;

  if (!fp_system_get_swap_used (system, &used))
    return;
  fp_json_add_bytes (json, "swap_used", used);
  fp_json_add_bytes (json, "swap_of_processes", low);
  fp_json_add_bytes (json, "swap_of_processes_at_most", MIN (high, MAX (used, low)));
  fp_json_add_bytes (json, "swap_of_nobody", rest.low);
  fp_json_add_bytes (json, "swap_of_nobody_at_most", rest.high);
}

static void
add_system (FpJson *json,
            const FpCliView *view)
{
  const FpSystem *system = &view->snapshot->system;
  const FpRecords *processes = view->processes;
  g_autoptr (FpRecords) all = fp_totals_new (processes, NULL, processes->n, NULL, &view->format);
  FpLedger ledger;

  fp_json_begin_object (json, "system");
  add_system_figures (json, system);
  fp_json_add_text (json, "boot_id", view->snapshot->info.boot_id);
  fp_json_add_bytes (json, "page_size", view->snapshot->info.page_size);
  if (fp_ledger_make (&ledger, system))
    {
      add_ledger (json, &ledger);
      /* With files, the memory of processes is read by file alone. */
      if (!view->options->files)
        add_shares (json, view, &ledger, fp_totals_get (all, 0));
    }
  if (!view->options->files)
    add_swap_use (json, system, fp_totals_get (all, 0));
  add_swaps (json, system);
  add_huge_pools (json, system);
  fp_json_end_object (json);
}

static void
add_machine (FpJson *json,
             const FpCliView *view)
{
  g_auto (FpCliMachine) machine = { 0 };

  fp_cli_machine_init (&machine, view);
  fp_cli_machine_add_json (&machine, json);
}

void
fp_cli_json_print (const FpCliView *view,
                   gboolean pretty,
                   GString *out)
{
  FpJson writer = { out, pretty, TRUE, 0 };
  FpJson *json = &writer;
  g_autofree char *taken_at = fp_cli_view_format_time (view->snapshot->info.realtime_us);
  g_autofree char *before_at = view->before ? fp_cli_view_format_time (view->before->info.realtime_us) : NULL;

  fp_json_begin_object (json, NULL);
  fp_json_add_number (json, "schema", 2);
  fp_json_add_text (json, "taken_at", taken_at);
  if (view->before)
    fp_json_add_text (json, "compared_with", before_at);
  add_system (json, view);
  if (view->options->system)
    add_machine (json, view);
  if (!fp_cli_groups_are_shown (view->options))
    add_sum (json, view);
  if (view->options->files)
    {
      fp_cli_files_add_unread (view, json);
      fp_cli_files_add_sharing (view, json);
      fp_cli_files_add_restarts (view, json);
    }
  if (!view->options->system && !view->options->total)
    add_rows (json, view);
  if (view->options->files && !view->options->total && !view->options->open_path)
    fp_cli_copies_add_json (json, view);
  fp_json_end_object (json);
  g_string_append_c (out, '\n');
}
