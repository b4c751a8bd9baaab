// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-comparison.h"
#include "fp-list-columns.h"

typedef struct
{
  FpListColumns *columns;
  const FpSessionState *state;
  gboolean is_compared;
  gboolean shows_ended;
} Question;

void
fp_list_columns_init (FpListColumns *self,
                      const FpListContent *content,
                      FpTableColumns *columns)
{
  *self = (FpListColumns){ content, columns, g_hash_table_new (NULL, NULL) };
}

void
fp_list_columns_clear (FpListColumns *self)
{
  g_clear_pointer (&self->unread, g_hash_table_unref);
}

/* Columns stay as they were until the groups are read again. */
static gboolean
lacks_unread (FpListColumns *self,
              const FpColumn *column,
              const FpSessionState *state)
{
  if (!self->content->lacks_column)
    return FALSE;
  if (!state->groups && !state->groups_problem)
    return g_hash_table_contains (self->unread, column);
  if (self->content->lacks_column (column, (gpointer)state))
    g_hash_table_add (self->unread, (gpointer)column);
  else
    g_hash_table_remove (self->unread, column);
  return g_hash_table_contains (self->unread, column);
}

/* Two moments say more than the one that is shown, and growth is about neither. */
static gboolean
is_lacking (const FpColumn *column,
            gpointer data)
{
  const Question *question = data;

  if (column->kinds & FP_RECORD_COMPARED)
    return !question->is_compared;
  if (question->is_compared && fp_comparison_replaces (column))
    return TRUE;
  if (column->flags & FP_COLUMN_WATCHED)
    return column->role == FP_ROLE_CHANGE ? !question->state->mark || question->shows_ended : !question->shows_ended;
  /* Memory that it has now is nothing to know of what has ended. */
  if (question->shows_ended && column->unit == FP_UNIT_BYTES)
    return TRUE;
  return lacks_unread (question->columns, column, question->state);
}

/* Free the text. */
static char *
name_change (FpListColumns *self,
             const FpSessionState *state)
{
  char start[FP_FIGURE_TEXT_SIZE];

  if (self->content->name_change)
    return state->group_records ? self->content->name_change (state) : NULL;
  if (!state->mark)
    return NULL;
  fp_figure_format (fp_figure_exact (state->mark->realtime_us), FP_UNIT_MOMENT, FP_STYLE_IEC, 0, start, sizeof start);
  /* Translators: title of a column with changes; %s is a time of day or a date */
  return g_strdup_printf (_ ("Since %s"), start);
}

/* Changes are known while there is a mark, and others only of what has ended. records: (nullable) */
void
fp_list_columns_update (FpListColumns *self,
                        const FpSessionState *state,
                        const FpRecords *records,
                        gboolean shows_ended)
{
  g_autofree char *title = name_change (self, state);
  Question question = { self, state, records && fp_records_are_compared (records), shows_ended };

  fp_table_columns_set_lacking (self->columns, is_lacking, &question);
  if (title)
    fp_table_columns_set_title (self->columns, fp_columns_get_role (FP_ROLE_CHANGE, self->content->kind), title);
}
