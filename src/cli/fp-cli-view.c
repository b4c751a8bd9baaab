// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-cli-view.h"
#include "fp-mapping-reader.h"

static gboolean
is_of_user (const FpCliView *self,
            const FpProcess *process)
{
  const FpCliOptions *options = self->options;

  return (options->has_uid && process->uid == options->uid) ||
         strcmp (fp_snapshot_get_text (self->snapshot, process, FP_TEXT_USER), options->user) == 0;
}

static gboolean
is_listed (const FpCliView *self,
           const FpProcess *process)
{
  if (!self->options->pids)
    return TRUE;
  if (!self->ids)
    for (const gint *pid = self->options->pids; *pid; pid++)
      if (*pid == process->pid)
        return TRUE;
  for (const FpProcessId *id = self->ids; id && id->pid; id++)
    if (id->pid == process->pid && id->start_ticks == process->start_ticks)
      return TRUE;
  return FALSE;
}

static gboolean
is_chosen (const FpRecords *records,
           guint index,
           gpointer data)
{
  const FpCliView *self = data;
  const FpProcess *process = fp_process_records_get (records, index);

  return is_listed (self, process) &&
         (self->options->kernel || self->options->pids || !fp_process_is_kernel_thread (process)) &&
         (!self->options->user || is_of_user (self, process));
}

static gboolean
check_pids (const FpCliView *self,
            GError **error)
{
  for (const gint *pid = self->options->pids; pid && *pid; pid++)
    if (!fp_snapshot_find (self->snapshot, *pid))
      {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("There is no process %d"), *pid);
        return FALSE;
      }
  return TRUE;
}

static gboolean
check_user (const FpCliView *self,
            GError **error)
{
  const char *user = self->options->user;

  if (!user || self->options->has_uid)
    return TRUE;
  for (guint i = 0; i < self->snapshot->n_processes; i++)
    if (is_of_user (self, &self->snapshot->processes[i]))
      return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("There is no user “%s”"), user);
  return FALSE;
}

static FpRecords *
read_mappings (const FpCliView *self,
               GError **error)
{
  const FpProcess *process = self->ids ? NULL : fp_snapshot_find (self->snapshot, self->options->pids[0]);
  FpProcessId id = process ? (FpProcessId){ process->pid, process->start_ticks } : self->ids[0];
  g_autoptr (FpMappings) mappings = fp_cli_reader_load_mappings (self->reader, &id, error);

  return mappings ? fp_mapping_records_new (mappings) : NULL;
}

static void
show_rows (FpCliView *self)
{
  const FpCliOptions *options = self->options;
  const FpColumn *column =
      options->sort ? options->sort : fp_columns_find (options->kind == FP_RECORD_MAPPING ? "start" : "pss", options->kind);

  fp_rows_set_sort (self->rows, column, fp_column_is_figure (column) != options->reverse);
  fp_rows_update (self->rows, self->records, &self->format);
}

static gboolean
set_query (FpRows *rows,
           const char *filter,
           FpRecordKind kind,
           GError **error)
{
  FpQuery *query = filter ? fp_query_new (filter, kind, error) : NULL;

  fp_rows_set_query (rows, query);
  return !filter || query;
}

/* Those that match, or folds of them. */
static gboolean
show_mappings (FpCliView *self,
               GError **error)
{
  const FpColumn *by = self->options->by;
  g_autoptr (FpRecords) mappings = read_mappings (self, error);
  g_autoptr (FpRows) folded = fp_rows_new ();
  FpRows *rows = by ? folded : self->rows;
  const guint *matches;
  guint n;

  if (!mappings || !set_query (rows, self->options->filter, FP_RECORD_MAPPING, error))
    return FALSE;
  if (by)
    fp_rows_update (rows, mappings, &self->format);
  else
    {
      self->records = fp_records_ref (mappings);
      show_rows (self);
    }
  matches = fp_rows_get_matches (rows, &n);
  self->row_sum = fp_totals_new (mappings, matches, n, NULL, &self->format);
  if (by)
    {
      self->records = fp_totals_new (mappings, matches, n, by, &self->format);
      show_rows (self);
    }
  return TRUE;
}

/* Indices of processes. */
const guint *
fp_cli_view_get_chosen (const FpCliView *self,
                        guint *n)
{
  return fp_rows_get_matches (self->chosen ? self->chosen : self->rows, n);
}

/* The chosen that match the filter only possibly */
const guint *
fp_cli_view_get_possible (const FpCliView *self,
                          guint *n)
{
  return fp_rows_get_possible (self->chosen ? self->chosen : self->rows, n);
}

/* ids: NULL where --pid has to name processes that there are */
gboolean
fp_cli_view_init (FpCliView *self,
                  const FpCliOptions *options,
                  FpCliReader *reader,
                  const FpProcessId *ids,
                  FpSnapshot *snapshot,
                  GError **error)
{
  const guint *matches;
  guint n;

  *self = (FpCliView){ .options = options, .reader = reader, .ids = ids, .snapshot = fp_snapshot_ref (snapshot) };
  self->format = (FpFormat){
    .style = options->style,
    .memory_total = fp_system_get (&snapshot->system, FP_SYSTEM_MEM_TOTAL),
    .swap_total = fp_system_get (&snapshot->system, FP_SYSTEM_SWAP_TOTAL),
    .numeric_users = options->numeric,
    .is_for_programs = options->output != FP_CLI_TABLE,
  };
  self->processes = fp_process_records_new (snapshot);
  self->chosen = fp_rows_new ();
  self->rows = fp_rows_new ();
  if (!ids && (!check_pids (self, error) || !check_user (self, error)))
    return FALSE;

  fp_rows_set_filter (self->chosen, is_chosen, self);
  if (!options->mappings && !set_query (self->chosen, options->filter, FP_RECORD_PROCESS, error))
    return FALSE;
  fp_rows_update (self->chosen, self->processes, &self->format);
  matches = fp_rows_get_matches (self->chosen, &n);
  self->sum = fp_totals_new (self->processes, matches, n, NULL, &self->format);

  if (options->mappings)
    return show_mappings (self, error);
  self->row_sum = fp_records_ref (self->sum);
  if (options->by)
    self->records = fp_totals_new (self->processes, matches, n, options->by, &self->format);
  else
    {
      /* Of processes the chosen are the rows. */
      self->records = fp_records_ref (self->processes);
      fp_rows_free (self->rows);
      self->rows = g_steal_pointer (&self->chosen);
    }
  show_rows (self);
  return TRUE;
}

void
fp_cli_view_clear (FpCliView *self)
{
  g_clear_pointer (&self->rows, fp_rows_free);
  g_clear_pointer (&self->chosen, fp_rows_free);
  g_clear_pointer (&self->row_sum, fp_records_unref);
  g_clear_pointer (&self->sum, fp_records_unref);
  g_clear_pointer (&self->records, fp_records_unref);
  g_clear_pointer (&self->processes, fp_records_unref);
  g_clear_pointer (&self->snapshot, fp_snapshot_unref);
}
