// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-control-records.h"
#include "fp-control-values.h"
#include "fp-holder-records.h"
#include "fp-mapped-records.h"
#include "fp-row-badge.h"

static gboolean
has_kind (const FpRows *rows,
          const FpRow *row,
          FpRecordKind kind)
{
  return fp_rows_get_records (rows, row->kind)->class->kind == kind;
}

/* NULL: the row is something else. */
static const FpProcess *
get_process (const FpRows *rows,
             const FpRow *row)
{
  return has_kind (rows, row, FP_RECORD_PROCESS)
             ? fp_process_records_get (fp_rows_get_records (rows, row->kind), row->index)
             : NULL;
}

static gboolean
is_near_limit (const FpRecords *records,
               guint index)
{
  FpFigure closeness = fp_control_records_get_closeness (records, index);

  return fp_figure_is_known (closeness) && closeness.low >= FP_NEAR_LIMIT &&
         fp_control_records_get_limit_holder (records, index) == index;
}

/* The kernel counts what happens in a group for all groups around it, so only the innermost tells it. */
static gboolean
is_innermost (const FpRows *rows,
              const FpRow *row)
{
  FpControlKind kind = fp_control_records_get (fp_rows_get_records (rows, row->kind), row->index)->kind;

  return row->kind == FP_ROW_RECORD && kind != FP_CONTROL_KIND_SLICE && kind != FP_CONTROL_KIND_USER;
}

/* A limit that is near now comes before events since the start. NULL: nothing */
static const char *
get_control_badge (const FpRows *rows,
                   const FpRow *row,
                   char *buffer)
{
  const FpRecords *records = fp_rows_get_records (rows, row->kind);
  FpFigure killed = fp_control_records_get_change (records, row->index)->killed;

  if (row->kind == FP_ROW_ENDED)
    /* Translators: said of a process */
    return _ ("ended");
  if (is_near_limit (records, row->index))
    return _ ("near limit");
  if (!is_innermost (rows, row))
    return NULL;
  if (fp_figure_is_known (killed) && killed.low > 0)
    {
      g_snprintf (buffer, FP_FIGURE_TEXT_SIZE, ngettext ("%u killed", "%u killed", (gulong)killed.low), (guint)killed.low);
      return buffer;
    }
  return fp_control_value_reads_back_much (records, row->index) ? _ ("reads back") : NULL;
}

/* Names the colour of a living group's badge. NULL: that of the text */
const char *
fp_row_badge_get_colour (const FpRows *rows,
                         const FpRow *row)
{
  const FpRecords *records = fp_rows_get_records (rows, row->kind);

  if (!has_kind (rows, row, FP_RECORD_CONTROL_GROUP) || row->kind == FP_ROW_ENDED)
    return NULL;
  if (is_near_limit (records, row->index))
    return "warning_color";
  return fp_control_records_get_change (records, row->index)->killed.low > 0 ? "error_color" : "warning_color";
}

/* NULL: the process does not use an old file. */
static const char *
get_part_badge (const FpRows *rows,
                const FpRow *row)
{
  const FpRecords *records = fp_rows_get_records (rows, row->kind);
  const FpRecords *files = fp_rows_get_records (rows, FP_ROW_RECORD);
  const FpMappedFile *file = fp_mapped_records_get (files, fp_holder_records_get_file (records, row->index));
  const FpMappedProcess *process;
  const FpMappedHolder *holder = fp_holder_records_get (records, row->index, &process);

  if (!fp_mapped_holder_is_outdated (holder, file))
    return NULL;
  /* Translators: said of a file that was replaced since it was mapped */
  return holder->is_updated ? _ ("updated") : _ ("deleted");
}

/* Tells the most urgent peculiarity of a process, or of its match with the search. buffer: of FP_FIGURE_TEXT_SIZE, where the
 * text may be; NULL: it has none */
const char *
fp_row_badge_get (const FpRows *rows,
                  const FpRow *row,
                  char *buffer)
{
  const FpRecords *records = fp_rows_get_records (rows, row->kind);
  const FpProcess *process = get_process (rows, row);
  const FpEndedFacts *ended;

  if (has_kind (rows, row, FP_RECORD_CONTROL_GROUP))
    return get_control_badge (rows, row, buffer);
  if (row->kind == FP_ROW_PART)
    return get_part_badge (rows, row);
  if (has_kind (rows, row, FP_RECORD_MAPPED_FILE) && fp_mapped_file_is_outdated (fp_mapped_records_get (records, row->index)))
    return fp_mapped_records_get (records, row->index)->is_updated ? _ ("updated") : _ ("deleted");
  if (!process)
    return NULL;
  ended = fp_process_records_get_ended (records, row->index);
  if (ended && ended->n > 1)
    {
      g_snprintf (buffer, FP_FIGURE_TEXT_SIZE, ngettext ("%u ended", "%u ended", ended->n), ended->n);
      return buffer;
    }
  if (ended && ended->n_kills > 0)
    /* Translators: said of a process that the kernel may have ended because memory ran out */
    return _ ("killed?");
  if (row->kind == FP_ROW_ENDED)
    return _ ("ended");
  if (process->reason == FP_REASON_ZOMBIE)
    /* Translators: said of a process that has ended, which its parent has not noticed yet */
    return _ ("zombie");
  if (fp_process_is_paused (process))
    /* Translators: said of a process */
    return _ ("paused");
  if (row->is_possible)
    /* Translators: said of a row that matches a search only possibly */
    return _ ("possibly");
  if (process->exe_state == FP_EXE_DELETED)
    return _ ("deleted");
  if (process->exe_state == FP_EXE_UPDATED)
    return _ ("updated");
  if (*fp_process_records_get_text (records, row->index, FP_TEXT_CONTAINER))
    /* Translators: said of a process that runs in a container */
    return _ ("container");
  if (g_str_has_prefix (fp_process_records_get_text (records, row->index, FP_TEXT_UNIT), "app-flatpak-"))
    return "Flatpak";
  if (g_str_has_prefix (fp_process_records_get_text (records, row->index, FP_TEXT_UNIT), "snap."))
    return "Snap";
  return NULL;
}

static const char *
explain_process (const FpRows *rows,
                 const FpRow *row,
                 const FpProcess *process)
{
  const FpRecords *records = fp_rows_get_records (rows, row->kind);
  const FpEndedFacts *ended = fp_process_records_get_ended (records, row->index);

  if (ended && ended->n_kills > 0)
    return _ ("It may be what the kernel killed at that time because memory ran out");
  if (row->kind == FP_ROW_ENDED)
    return _ ("It has ended");
  if (process->reason == FP_REASON_ZOMBIE)
    return _ ("It has ended, and its parent has not noticed yet");
  if (fp_process_is_paused (process))
    return _ ("It stands still until it is resumed");
  if (row->is_possible)
    return _ ("It matches the search only possibly");
  if (process->exe_state == FP_EXE_DELETED)
    return _ ("Its program was deleted from the disk since it was started");
  if (process->exe_state == FP_EXE_UPDATED)
    return _ ("Its program was updated on the disk: it runs the old one until it is started again");
  return *fp_process_records_get_text (records, row->index, FP_TEXT_CONTAINER) ? _ ("It runs in a container")
                                                                               : _ ("It runs in a sandbox");
}

static char *
explain_control_group (const FpRows *rows,
                       const FpRow *row)
{
  const FpRecords *records = fp_rows_get_records (rows, row->kind);

  if (row->kind == FP_ROW_ENDED)
    return g_strdup (_ ("It has ended"));
  if (is_near_limit (records, row->index))
    /* Translators: a percentage */
    return g_strdup_printf (_ ("%d\u00a0%% of its limit or more is used"), FP_NEAR_LIMIT);
  return g_strdup (fp_control_records_get_change (records, row->index)->killed.low > 0
                       ? _ ("The kernel killed some of its processes because memory ran out")
                       : _ ("It reads back much of what was swapped out or dropped from the cache"));
}

/* Says what the badge means. NULL: the row has none; free the text */
char *
fp_row_badge_explain (const FpRows *rows,
                      const FpRow *row)
{
  const FpProcess *process = get_process (rows, row);
  char buffer[FP_FIGURE_TEXT_SIZE];

  if (!fp_row_badge_get (rows, row, buffer))
    return NULL;
  if (process)
    return g_strdup (explain_process (rows, row, process));
  if (has_kind (rows, row, FP_RECORD_CONTROL_GROUP))
    return explain_control_group (rows, row);
  return g_strdup (_ ("Programs still use the file as it was before it was updated or deleted"));
}
