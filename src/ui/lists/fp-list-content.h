// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-column-sets.h"
#include "fp-rows.h"
#include "fp-session.h"
#include "fp-table-columns.h"

G_BEGIN_DECLS

/* The records of a list, and all that a view of them says. */
typedef struct
{
  FpRecordKind kind;
  FpRecords *(*get_records) (const FpSessionState *state);
  const char *(*get_problem) (const FpSessionState *state);          /* NULL: they could be read */
  char *(*get_note) (const FpSessionState *state);                   /* (nullable): lines above the list, or NULL */
  gboolean (*lacks_column) (const FpColumn *column, gpointer state); /* (nullable): no record has a value there */
  char *(*name_change) (const FpSessionState *state);                /* (nullable): title of the column of changes, or NULL */
  char *(*explain_nothing) (const FpSessionState *state);            /* (nullable): why the list is empty, or NULL */
  char *(*make_search) (const FpRecords *records, guint index);      /* (nullable): for the processes of a record */
  GtkWidget *(*make_bar) (FpSession *session);                       /* (nullable): a widget above the list */
  gboolean (*is_reading) (const FpSessionState *state);              /* (nullable): more is to come without a snapshot */
  void (*read) (const FpSessionState *state);                        /* (nullable): what no snapshot brings */
  char *(*describe_rows) (const FpRecords *records, const guint *indices, guint n, const FpFormat *format);
  gboolean can_end; /* they are processes, which can be ended and measured */
  gboolean has_icons;
  const char *menu;     /* resource with the menu of a row */
  const char *reading;  /* while the first are read */
  const char *no_match; /* titles and sentences of the pages in place of the list */
  const char *no_match_hint;
  const char *nothing;
  const char *nothing_hint;
  const char *failed;
  const char *not_saved; /* (nullable): title and sentence where a saved snapshot has none of them */
  const char *not_saved_hint;
} FpListContent;

void fp_list_content_show_note (const FpListContent *self, const FpSessionState *state, GtkLabel *label);
const char *fp_list_content_describe_failure (const FpListContent *self, const FpSessionState *state, const char **text);
char *fp_list_content_describe_matches (
    const FpListContent *self, const FpRecords *records, FpRows *rows, const FpFormat *format);
char *fp_list_content_describe_selected (const FpListContent *self,
                                         const FpRows *rows,
                                         const GArray *selected,
                                         const GArray *parts,
                                         const char *ending,
                                         const FpFormat *format);

extern const FpListContent fp_list_of_processes;
extern const FpListContent fp_list_of_control_groups;
extern const FpListContent fp_list_of_files;

G_END_DECLS
