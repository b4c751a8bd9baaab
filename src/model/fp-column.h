// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-format.h"
#include "fp-records.h"

G_BEGIN_DECLS

typedef enum
{
  FP_PRESENT_TEXT,
  FP_PRESENT_FIGURE,
  FP_PRESENT_NUMBER, /* a name made of digits: no unit, no sum */
  FP_PRESENT_SHARE,  /* a figure as a part of its whole; it is in another column already */
  FP_PRESENT_TREND,  /* a line of the last ten minutes; the figure is its growth, which is in another column already */
} FpPresentation;

/* The topic of a column is the heading under which it is offered; headings have this order. */
typedef enum
{
  FP_TOPIC_MEMORY,
  FP_TOPIC_PARTS,
  FP_TOPIC_SWAP,
  FP_TOPIC_LIMITS,
  FP_TOPIC_ADDRESS_SPACE,
  FP_TOPIC_PROCESS,
  FP_TOPIC_OWNER,
  FP_TOPIC_MAPPING,
  FP_TOPIC_HEAP,
  FP_TOPIC_READING,
  FP_N_TOPICS,
} FpTopic;

/* Needs are read beside the processes, and only while a column with them is shown, sorted by or searched. A bit each. */
typedef enum
{
  FP_NEED_CONTROL_GROUPS = 1 << 0,
  FP_NEED_KEPT = 1 << 1,
} FpNeed;

/* The code asks for a column by its role, of which each kind of records has one at most; ids are for people and files. */
typedef enum
{
  FP_ROLE_NONE,
  FP_ROLE_NAME,    /* names the row, so it is always shown */
  FP_ROLE_MEMORY,  /* the figure that stays where there is no room for more */
  FP_ROLE_COMMAND, /* takes the room that is left */
  FP_ROLE_USER,
  FP_ROLE_ACCOUNT, /* the user, with those of each container apart: memory is summed up by it */
  FP_ROLE_STATE,
  FP_ROLE_AGE,
  FP_ROLE_MAPPING_KIND,
  FP_ROLE_MAPPING_FLAGS,
  FP_ROLE_CHANGE,
  FP_N_ROLES,
} FpColumnRole;

/* The thing that a text of the column names. Groups by the column have its icon. */
typedef enum
{
  FP_SUBJECT_OTHER,
  FP_SUBJECT_USER,
  FP_SUBJECT_PROGRAM,
  FP_SUBJECT_APP,
  FP_SUBJECT_CONTAINER,
} FpSubject;

typedef enum
{
  FP_COLUMN_SEARCHED = 1 << 0, /* a word of a search is looked for in it */
  FP_COLUMN_REPEATED = 1 << 1, /* another column of the same records says it, too */
  FP_COLUMN_PATH = 1 << 2,     /* often a path, whose end says most */
  FP_COLUMN_TREE = 1 << 3,     /* a place in a tree of groups: a search for one finds all that is below it, too */
  FP_COLUMN_WATCHED = 1 << 4,  /* told by what was seen before, which only a window remembers */
} FpColumnFlags;

typedef struct _FpColumn FpColumn;

typedef FpFigure FpFigureFunc (const FpRecords *records, guint index);
typedef const char *FpTextFunc (const FpRecords *records, guint index, const FpFormat *format);
typedef void FpMakeTextFunc (const FpRecords *records, guint index, const FpFormat *format, char *text, gsize size);

/* A column gives a figure (of a field, or by get_figure) or a text (one kept, or made by make_text); a text that is a
 * number in another form is sorted by that (get_figure). */
struct _FpColumn
{
  const char *id; /* in JSON, CSV, settings and on the command line; never translated */
  const char *title;
  const char *meaning;
  FpTopic topic;
  FpPresentation presentation;
  guint kinds;
  FpField field;
  FpUnit unit;
  FpFigureFunc *get_figure;
  FpTextFunc *get_text;
  FpMakeTextFunc *make_text;
  FpColumnRole role;
  FpSubject subject;
  FpColumnFlags flags;
  guint needs; /* bits of FpNeed */
};

gboolean fp_column_is_name (const FpColumn *self);
const char *fp_column_get_heading (const FpColumn *self);
gboolean fp_column_is_figure (const FpColumn *self);
gboolean fp_column_is_drawing (const FpColumn *self);
gboolean fp_column_is_left_out (const FpColumn *self);
gboolean fp_column_is_summed (const FpColumn *self);
FpFigure fp_column_get_figure (const FpColumn *self, const FpRecords *records, guint index);
const char *fp_column_get_text (
    const FpColumn *self, const FpRecords *records, guint index, const FpFormat *format, char *buffer, gsize size);
void fp_column_format (
    const FpColumn *self, const FpRecords *records, guint index, const FpFormat *format, char *text, gsize size);

G_END_DECLS
