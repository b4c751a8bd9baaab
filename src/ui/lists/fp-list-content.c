// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <glib/gi18n.h>

#include "fp-comparison.h"
#include "fp-control-values.h"
#include "fp-control-words.h"
#include "fp-counted.h"
#include "fp-files-bar.h"
#include "fp-list-content.h"
#include "fp-mapped-words.h"
#include "fp-sum.h"

#define MENUS "/io/github/footprint_app/Footprint/"

static FpRecords *
get_processes (const FpSessionState *state)
{
  return state->records;
}

static const char *
get_process_problem (const FpSessionState *state)
{
  return state->problem;
}

static char *
explain_hidden (const FpSessionState *state)
{
  return fp_read_access_explain_hidden (state->access, state->snapshot);
}

/* The kernel's groups can't be read, or have no memory controller. */
static gboolean
lacks_counted_column (const FpColumn *column,
                      gpointer state)
{
  const FpControlGroups *groups = ((const FpSessionState *)state)->groups;

  return !(groups && groups->has_memory) && fp_counted_is_column (column);
}

static FpRecords *
get_control_groups (const FpSessionState *state)
{
  return state->group_records;
}

static const char *
get_control_problem (const FpSessionState *state)
{
  return state->groups_problem ? state->groups_problem : state->problem;
}

/* Takes over the texts, each of which may be NULL. Returns: (nullable): a line for each */
static char *
join_lines (char *const *texts,
            guint n)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n; i++)
    if (texts[i])
      g_ptr_array_add (lines, texts[i]);
  if (lines->len == 0)
    return NULL;
  g_ptr_array_add (lines, NULL);
  return g_strjoinv ("\n", (char **)lines->pdata);
}

static char *
get_control_note (const FpSessionState *state)
{
  char *texts[] = {
    state->before && state->group_records && !fp_records_are_compared (state->group_records)
        ? g_strdup (_ ("The earlier snapshot has no groups to compare these with. Show the processes and group them by unit to compare "
                       "those."))
        : NULL,
    state->groups ? g_strdup (fp_control_words_explain_missing (state->groups)) : NULL,
    state->groups ? fp_control_words_explain_cut (state->groups) : NULL,
  };

  return join_lines (texts, G_N_ELEMENTS (texts));
}

/* A saved snapshot is one moment, and two that are compared have columns of their own for what has changed. */
static gboolean
lacks_control_column (const FpColumn *column,
                      gpointer state)
{
  const FpSessionState *session = state;
  const FpControlGroups *groups = session->groups;

  if (column->role == FP_ROLE_CHANGE && (!session->is_live || (session->group_records && fp_records_are_compared (session->group_records))))
    return TRUE;
  return groups && !groups->has_memory && fp_control_value_needs_memory (column);
}

static char *
explain_no_groups (const FpSessionState *state)
{
  const FpControlGroups *groups = state->groups;
  gboolean has_none = groups && (groups->n == 0 || (groups->n == 1 && groups->groups[0].kind == FP_CONTROL_KIND_MACHINE));

  return has_none ? g_strdup (_ ("All processes are in one group, which is the whole machine.")) : NULL;
}

static char *
name_control_change (const FpSessionState *state)
{
  g_autofree char *start = fp_control_words_describe_start (state->group_records);

  /* Translators: title of a column with changes; %s is a time of day or a date */
  return start ? g_strdup_printf (_ ("Since %s"), start) : NULL;
}

static FpRecords *
get_files (const FpSessionState *state)
{
  return fp_files_reader_get (state->files)->records;
}

static const char *
get_files_problem (const FpSessionState *state)
{
  const FpFilesState *files = fp_files_reader_get (state->files);

  return files->problem ? files->problem : state->problem;
}

/* Lines that change with each part that is read would move the list, so they come at the end. */
static char *
get_files_note (const FpSessionState *state)
{
  FpRecords *files = get_files (state);
  gboolean is_part = fp_files_reader_get (state->files)->is_reading && fp_mapped_files_is_part (fp_mapped_records_get_files (files));
  char *texts[] = {
    state->before && !fp_records_are_compared (files)
        ? g_strdup (_ ("The earlier snapshot has no list of files to compare these with. A snapshot has one if this view was opened "
                       "before it was saved, and “Include the list of files in memory” was chosen."))
        : NULL,
    fp_mapped_words_describe_outdated (files, state->snapshot),
    fp_mapped_words_describe_part (files),
    fp_mapped_words_describe_unread (files),
  };
  g_autofree char *note = join_lines (texts, G_N_ELEMENTS (texts));

  return is_part ? NULL : g_steal_pointer (&note);
}

static gboolean
are_files_read (const FpSessionState *state)
{
  return fp_files_reader_get (state->files)->is_reading;
}

static void
read_files (const FpSessionState *state)
{
  if (state->records)
    fp_files_reader_read (state->files, state->records);
}

const FpListContent fp_list_of_processes = {
  .kind = FP_RECORD_PROCESS,
  .get_records = get_processes,
  .get_problem = get_process_problem,
  .lacks_column = lacks_counted_column,
  .explain_nothing = explain_hidden,
  .describe_rows = fp_sum_describe_rows,
  .can_end = TRUE,
  .has_icons = TRUE,
  .menu = MENUS "fp-row-actions.ui",
  .reading = N_ ("Reading the memory of all processes"),
  .no_match = N_ ("No Process Matches"),
  .no_match_hint = N_ ("Try other words, or show all processes."),
  .nothing = N_ ("No Processes to See"),
  .nothing_hint = N_ ("There are no such processes. Choose another filter above to see the others."),
  .failed = N_ ("Processes Can’t Be Read"),
};

const FpListContent fp_list_of_control_groups = {
  .kind = FP_RECORD_CONTROL_GROUP,
  .get_records = get_control_groups,
  .get_problem = get_control_problem,
  .get_note = get_control_note,
  .lacks_column = lacks_control_column,
  .name_change = name_control_change,
  .explain_nothing = explain_no_groups,
  .make_search = fp_control_words_make_search,
  .describe_rows = fp_control_words_describe_sum,
  .has_icons = TRUE,
  .menu = MENUS "fp-group-menu.ui",
  .reading = N_ ("Reading the memory of all groups"),
  .no_match = N_ ("No Group Matches"),
  .no_match_hint = N_ ("Try other words, or show all groups."),
  .nothing = N_ ("No Groups to See"),
  .nothing_hint = N_ ("There are no such groups. Choose another filter above to see the others."),
  .failed = N_ ("Groups Can’t Be Read"),
  .not_saved = N_ ("No Groups in This Snapshot"),
  .not_saved_hint = N_ ("Groups were not saved with it."),
};

const FpListContent fp_list_of_files = {
  .kind = FP_RECORD_MAPPED_FILE,
  .get_records = get_files,
  .get_problem = get_files_problem,
  .get_note = get_files_note,
  .make_bar = fp_files_bar_new,
  .is_reading = are_files_read,
  .read = read_files,
  .describe_rows = fp_mapped_words_describe_sum,
  .menu = MENUS "fp-file-menu.ui",
  .reading = N_ ("Reading what all processes map"),
  .no_match = N_ ("No File Matches"),
  .no_match_hint = N_ ("Try other words, or show all files."),
  .nothing = N_ ("No Files to See"),
  .nothing_hint = N_ ("There are no such files. Choose another filter above to see the others."),
  .failed = N_ ("Files Not Read"),
  .not_saved = N_ ("No Files in This Snapshot"),
  .not_saved_hint = N_ ("To have them in one, open this view before you save it, and choose “Include the list of files in memory”."),
};

/* label: hidden where there is nothing to say */
void
fp_list_content_show_note (const FpListContent *self,
                           const FpSessionState *state,
                           GtkLabel *label)
{
  g_autofree char *note = self->get_note ? self->get_note (state) : NULL;

  gtk_widget_set_visible (GTK_WIDGET (label), note != NULL);
  if (note && g_strcmp0 (gtk_label_get_text (label), note) != 0)
    gtk_label_set_text (label, note);
}

/* Returns a title. text: (nullable): why nothing could be read; NULL: nothing was tried yet */
const char *
fp_list_content_describe_failure (const FpListContent *self,
                                  const FpSessionState *state,
                                  const char **text)
{
  *text = self->get_problem (state);
  if (!*text || !self->not_saved || state->is_live || !state->records)
    return _ (self->failed);
  *text = _ (self->not_saved_hint);
  return _ (self->not_saved);
}

/* Free the text. */
char *
fp_list_content_describe_matches (const FpListContent *self,
                                  const FpRecords *records,
                                  FpRows *rows,
                                  const FpFormat *format)
{
  g_autofree char *sum = NULL;
  const guint *matches;
  guint n, n_possible;

  matches = fp_rows_get_matches (rows, &n);
  sum = self->describe_rows (records, matches, n, format);
  fp_rows_get_possible (rows, &n_possible);
  if (n_possible == 0)
    return g_steal_pointer (&sum);
  if (n == 1)
    return g_strdup_printf (_ ("%s · it matches only possibly"), sum);
  /* Translators: a sum, such as “12 processes · Memory 1.2 GiB”, and how many of them match the search only possibly */
  return g_strdup_printf (ngettext ("%s · %u of them possibly", "%s · %u of them possibly", n_possible), sum, n_possible);
}

/* Records, and parts of files that the processes below them have */
static char *
describe_records (const FpListContent *self,
                  const FpRows *rows,
                  const GArray *selected,
                  const GArray *parts,
                  const FpFormat *format)
{
  g_autofree char *records = NULL, *of_parts = NULL;

  if (selected->len > 0)
    records = self->describe_rows (fp_rows_get_records (rows, FP_ROW_RECORD), (const guint *)(void *)selected->data,
                                   selected->len, format);
  if (parts->len > 0)
    of_parts = fp_mapped_words_describe_parts (fp_rows_get_records (rows, FP_ROW_PART), (const guint *)(void *)parts->data,
                                               parts->len, format);
  if (records && of_parts)
    /* Translators: how many rows of two kinds are selected, with their memory */
    return g_strdup_printf (_ ("Selected: %s; %s"), records, of_parts);
  return g_strdup_printf (_ ("Selected: %s"), records ? records : of_parts);
}

/* selected, parts: indices, of which there are some; ending: (nullable): what comes back when they end. Free the text. */
char *
fp_list_content_describe_selected (const FpListContent *self,
                                   const FpRows *rows,
                                   const GArray *selected,
                                   const GArray *parts,
                                   const char *ending,
                                   const FpFormat *format)
{
  g_autofree char *text = NULL;

  if (!self->can_end)
    return describe_records (self, rows, selected, parts, format);
  text = g_strdup_printf (ngettext ("%u process selected", "%u processes selected", selected->len), selected->len);
  return ending ? g_strdup_printf ("%s · %s", text, ending) : g_steal_pointer (&text);
}
