// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "fp-cli-files.h"
#include "fp-cli-groups.h"
#include "fp-cli-view.h"
#include "fp-column-sets.h"
#include "fp-comparison.h"
#include "fp-counted.h"
#include "fp-growth.h"
#include "fp-mapping-reader.h"

static gboolean
is_user (const FpCliView *self,
         const FpProcess *process,
         const FpCliUser *user)
{
  return (user->has_uid && process->uid == user->uid) ||
         strcmp (fp_snapshot_get_text (self->snapshot, process, FP_TEXT_USER), user->name) == 0;
}

static gboolean
is_of_users (const FpCliView *self,
             const FpProcess *process)
{
  const GArray *users = self->options->users;

  for (guint i = 0; users && i < users->len; i++)
    if (is_user (self, process, &g_array_index (users, FpCliUser, i)))
      return TRUE;
  return !users;
}

static gboolean
is_own (const FpCliView *self,
        const FpProcess *process)
{
  for (guint i = 0; i < self->own_pids->len; i++)
    if (g_array_index (self->own_pids, gint, i) == process->pid)
      return TRUE;
  return FALSE;
}

static const char *
get_command (const FpCliView *self,
             const FpProcess *process)
{
  return process ? fp_snapshot_get_text (self->snapshot, process, FP_TEXT_COMMAND) : "";
}

/* Finds this process, and those above it whose command lines end in the same arguments, such as sudo and shells: a search
 * for a word would always find them. */
static void
find_own (FpCliView *self)
{
  const FpCliOptions *options = self->options;
  gboolean is_this_machine = self->reader && (!options->proc_path || strcmp (options->proc_path, "/proc") == 0);
  const FpProcess *process = fp_snapshot_find (self->snapshot, getpid ());
  const char *arguments = strchr (get_command (self, process), ' ');

  self->own_pids = g_array_new (FALSE, FALSE, sizeof (gint));
  if (!fp_rows_get_query (self->chosen) || options->pids || !is_this_machine || !arguments || process->ppid != getppid ())
    return;
  while (g_str_has_suffix (get_command (self, process), arguments))
    {
      g_array_append_val (self->own_pids, process->pid);
      process = fp_snapshot_find (self->snapshot, process->ppid);
    }
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
    if (fp_process_is (process, id))
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
         is_of_users (self, process) && !is_own (self, process);
}

static gboolean
check_users (const FpCliView *self,
             GError **error)
{
  const GArray *users = self->options->users;

  for (guint i = 0; users && i < users->len; i++)
    {
      const FpCliUser *user = &g_array_index (users, FpCliUser, i);
      gboolean is_known = user->has_uid;

      for (guint p = 0; p < self->snapshot->n_processes && !is_known; p++)
        is_known = is_user (self, &self->snapshot->processes[p], user);
      if (is_known)
        continue;
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("There is no user “%s”"), user->name);
      return FALSE;
    }
  return TRUE;
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

/* The rows are sorted by it, whether it was asked for or not. */
const FpColumn *
fp_cli_view_get_sort (const FpCliView *self)
{
  guint kinds = fp_cli_options_get_kinds (self->options);

  return self->options->sort ? self->options->sort : fp_columns_find (fp_column_set_find (kinds)->sort, kinds);
}

static void
show_rows (FpCliView *self)
{
  const FpCliOptions *options = self->options;
  const FpColumn *column = fp_cli_view_get_sort (self);

  fp_rows_set_sort (self->rows, column, fp_column_is_figure (column) != options->reverse);
  fp_rows_update (self->rows, self->records, &self->format);
}

static guint
add_needs (const FpColumn *column,
           guint needs)
{
  return column ? column->needs | needs : needs;
}

/* Other programs get all columns where none are chosen. */
static guint
get_column_needs (const FpCliOptions *options)
{
  guint needs = add_needs (options->sort, 0);

  for (guint i = 0; options->columns && options->columns[i]; i++)
    needs = add_needs (options->columns[i], needs);
  for (guint i = 0; !options->columns && options->output != FP_CLI_TABLE && i < fp_columns_get_n (); i++)
    if (fp_columns_get (i)->kinds & options->kind)
      needs = add_needs (fp_columns_get (i), needs);
  return needs;
}

static void
read_processes (FpCliView *self,
                guint needs)
{
  g_autoptr (FpKept) kept = NULL;

  if (self->processes)
    return;
  if (self->reader && needs & FP_NEED_KEPT)
    kept = fp_cli_reader_read_kept (self->reader);
  self->processes = fp_process_records_new (self->snapshot, kept);
  if (self->reader && fp_cli_reader_get_process_history (self->reader))
    fp_records_take_history (self->processes, fp_cli_reader_get_process_history (self->reader), NULL);
}

/* The list has the processes of both moments, and so have all texts. */
static void
compare_processes (FpCliView *self,
                   const FpCliMoments *moments)
{
  self->processes = fp_comparison_new_processes (moments->before, moments->snapshot, NULL);
  self->snapshot = fp_snapshot_ref ((FpSnapshot *)fp_process_records_get_snapshot (self->processes));
  self->before = fp_snapshot_ref (moments->before);
  self->files_before = moments->files_before ? fp_mapped_files_ref (moments->files_before) : NULL;
  self->groups_before = moments->groups_before ? fp_control_groups_ref (moments->groups_before) : NULL;
}

/* members: (nullable): takes what the filters say of the processes that are read */
static gboolean
set_query (FpRows *rows,
           FpRows *members,
           char **filters,
           FpRecordKind kind,
           gboolean is_saved,
           guint *needs,
           GError **error)
{
  g_autoptr (FpQuery) query =
      filters ? fp_query_new_with_members (filters[0], kind, members ? FP_RECORD_PROCESS : 0, error) : NULL;
  g_autoptr (FpQuery) of_members = NULL;

  if (filters && !query)
    return FALSE;
  for (guint i = 1; filters && filters[i]; i++)
    if (!fp_query_add (query, filters[i], error))
      return FALSE;
  if (query && members && !(of_members = fp_query_take_members (query, error)))
    return FALSE;
  if (query)
    *needs |= fp_query_get_needs (query);
  if (of_members && !fp_query_is_empty (of_members))
    {
      if (fp_query_get_fields (of_members) & fp_fields_of_origins (FP_ORIGIN_SMAPS))
        return fp_refuse_input (error, _ ("--by file reads the memory of processes by file; search for other figures without it"));
      if (is_saved)
        return fp_refuse_input (error, _ ("A saved snapshot has the files of all processes together; %s cannot choose among them"),
                                "--filter");
      *needs |= fp_query_get_needs (of_members);
      fp_rows_set_query (members, g_steal_pointer (&of_members));
    }
  fp_rows_set_query (rows, g_steal_pointer (&query));
  return TRUE;
}

/* NULL: they were not saved, or can't be read */
FpControlGroups *
fp_cli_view_read_groups (const FpCliView *self)
{
  if (self->groups)
    return fp_control_groups_ref (self->groups);
  return self->reader ? fp_cli_reader_read_groups (self->reader) : NULL;
}

/* A group can be there without a process in it; a list of none is the right answer then. */
static gboolean
check_groups (const FpCliView *self,
              GError **error)
{
  const FpQuery *query = fp_rows_get_query (self->chosen);
  const char *path = query ? fp_query_find_empty_place (query, self->processes) : NULL;
  g_autoptr (FpControlGroups) groups = path ? fp_cli_view_read_groups (self) : NULL;

  return !path || (groups && fp_control_groups_find (groups, path)) ||
         fp_refuse_input (error, _ ("There is no control group “%s”"), path);
}

static gboolean
show_mappings (FpCliView *self,
               GError **error)
{
  const FpColumn *by = self->options->by;
  g_autoptr (FpRecords) mappings = read_mappings (self, error);
  g_autoptr (FpRows) folded = fp_rows_new ();
  FpRows *rows = by ? folded : self->rows;
  const guint *matches;
  guint n, needs = 0;

  if (!mappings || !set_query (rows, NULL, self->options->filters, FP_RECORD_MAPPING, FALSE, &needs, error))
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

static gboolean
show_files (FpCliView *self,
            GError **error)
{
  const guint *matches;
  guint n;

  /* --watch tries its options before it knows any start times, and reads the files only once. */
  if (self->options->watch_seconds > 0 && !self->ids)
    return TRUE;
  if (!(self->records = fp_cli_files_read (self, error)))
    return FALSE;
  show_rows (self);
  matches = fp_rows_get_matches (self->rows, &n);
  self->row_sum = fp_totals_new (self->records, matches, n, NULL, &self->format);
  return TRUE;
}

static gboolean
show_groups (FpCliView *self,
             GError **error)
{
  if (!(self->records = fp_cli_groups_read (self, error)))
    return FALSE;
  show_rows (self);
  return TRUE;
}

/* Users have what the kernel's groups count for them, too. */
static void
count_for_users (const FpCliView *self,
                 const guint *matches,
                 guint n)
{
  const FpColumn *by = self->options->by;
  g_autoptr (FpControlGroups) groups = NULL;
  g_autofree guint *owners = NULL;
  char buffer[FP_CELL_SIZE];

  if (by->subject != FP_SUBJECT_USER || !(groups = fp_cli_view_read_groups (self)))
    return;
  owners = g_new (guint, self->processes->n + 1);
  for (guint i = 0; i < self->processes->n; i++)
    owners[i] = FP_NOT_OWNED;
  for (guint i = 0; i < n; i++)
    owners[matches[i]] = fp_totals_find_or_add (
        self->records, G_MAXUINT,
        fp_column_get_text (by, self->processes, matches[i], &self->format, buffer, sizeof buffer));
  fp_counted_find (self->records, groups, self->processes, owners);
}

static void
tell_growth (const FpCliView *self,
             FpGrouping grouping,
             FpRecords *totals,
             const guint *matches,
             guint n)
{
  const FpTotalHistory *history = self->reader ? fp_cli_reader_get_total_history (self->reader) : NULL;

  if (history)
    fp_total_history_tell (history, grouping, totals, self->processes, matches, n, &self->format);
}

/* Rows that are printed; the sum is always over all of them. */
guint
fp_cli_view_get_n_rows (const FpCliView *self)
{
  guint n = fp_rows_get_n (self->rows);

  return self->options->limit ? MIN (n, self->options->limit) : n;
}

/* us: since 1970. Free the text, NULL where it is out of range */
char *
fp_cli_view_format_time (guint64 us)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc ((gint64)(us / G_USEC_PER_SEC));

  return time ? g_date_time_format (time, "%Y-%m-%dT%H:%M:%SZ") : NULL;
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

static FpRecordKind
get_query_kind (const FpCliOptions *options)
{
  FpRecordKind kind = options->files || fp_cli_groups_are_shown (options) ? options->kind : FP_RECORD_PROCESS;

  return (FpRecordKind)(kind | (options->compare_path ? (guint)FP_RECORD_COMPARED : 0));
}

/* Filters are about the rows, and with files also about the processes that are read. */
static gboolean
set_filters (FpCliView *self,
             guint *needs,
             gboolean is_saved,
             GError **error)
{
  const FpCliOptions *options = self->options;
  const gboolean is_of_processes = !options->files && !fp_cli_groups_are_shown (options);
  FpRows *rows = is_of_processes ? self->chosen : self->rows, *members = options->files ? self->chosen : NULL;

  return options->mappings || set_query (rows, members, options->filters, get_query_kind (options), is_saved, needs, error);
}

void
fp_cli_moments_clear (FpCliMoments *self)
{
  g_clear_pointer (&self->snapshot, fp_snapshot_unref);
  g_clear_pointer (&self->files, fp_mapped_files_unref);
  g_clear_pointer (&self->groups, fp_control_groups_unref);
  g_clear_pointer (&self->before, fp_snapshot_unref);
  g_clear_pointer (&self->files_before, fp_mapped_files_unref);
  g_clear_pointer (&self->groups_before, fp_control_groups_unref);
}

/* ids: (nullable): the processes of --pid where --watch has seen them before */
gboolean
fp_cli_view_init (FpCliView *self,
                  const FpCliOptions *options,
                  FpCliReader *reader,
                  const FpProcessId *ids,
                  const FpCliMoments *moments,
                  GError **error)
{
  const gboolean is_saved = !reader || moments->before;
  const guint *matches;
  guint n, needs = get_column_needs (options);

  *self = (FpCliView){ .options = options, .reader = reader, .ids = ids };
  if (moments->before)
    compare_processes (self, moments);
  else
    self->snapshot = fp_snapshot_ref (moments->snapshot);
  self->saved_files = moments->files ? fp_mapped_files_ref (moments->files) : NULL;
  self->groups = moments->groups ? fp_control_groups_ref (moments->groups) : NULL;
  self->format = (FpFormat){
    .style = options->style,
    .memory_total = fp_system_get (&self->snapshot->system, FP_SYSTEM_MEM_TOTAL),
    .swap_total = fp_system_get (&self->snapshot->system, FP_SYSTEM_SWAP_TOTAL),
    .numeric_users = options->numeric,
    .is_for_programs = options->output != FP_CLI_TABLE,
  };
  self->chosen = fp_rows_new ();
  self->rows = fp_rows_new ();
  if (!ids && !check_users (self, error))
    return FALSE;

  fp_rows_set_filter (self->chosen, is_chosen, self);
  if (!set_filters (self, &needs, is_saved, error))
    return FALSE;
  find_own (self);
  read_processes (self, needs);
  if (!ids && !check_groups (self, error))
    return FALSE;
  fp_rows_update (self->chosen, self->processes, &self->format);
  matches = fp_rows_get_matches (self->chosen, &n);
  self->sum = fp_totals_new (self->processes, matches, n, NULL, &self->format);
  tell_growth (self, FP_GROUPING_NOTHING, self->sum, matches, n);

  if (options->mappings)
    return show_mappings (self, error);
  if (options->files)
    return show_files (self, error);
  if (fp_cli_groups_are_shown (options))
    return show_groups (self, error);
  self->row_sum = fp_records_ref (self->sum);
  if (options->by)
    {
      self->records = fp_totals_new (self->processes, matches, n, options->by, &self->format);
      tell_growth (self, fp_grouping_find (options->by), self->records, matches, n);
      count_for_users (self, matches, n);
    }
  else
    {
      /* A list of processes has the chosen as its rows. */
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
  g_clear_pointer (&self->own_pids, g_array_unref);
  g_clear_pointer (&self->saved_files, fp_mapped_files_unref);
  g_clear_pointer (&self->groups, fp_control_groups_unref);
  g_clear_pointer (&self->files_before, fp_mapped_files_unref);
  g_clear_pointer (&self->groups_before, fp_control_groups_unref);
  g_clear_pointer (&self->snapshot, fp_snapshot_unref);
  g_clear_pointer (&self->before, fp_snapshot_unref);
}
