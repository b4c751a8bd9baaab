// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-records.h"

G_BEGIN_DECLS

typedef enum
{
  FP_PRESENT_TEXT,
  FP_PRESENT_FIGURE,
  FP_PRESENT_NUMBER, /* a name made of digits: no unit, no sum */
  FP_PRESENT_SHARE,  /* a figure as a part of its whole; it is in another column already */
} FpPresentation;

/* The topic of a column is the heading under which it is offered; headings have this order. */
typedef enum
{
  FP_TOPIC_MEMORY,
  FP_TOPIC_PARTS,
  FP_TOPIC_SWAP,
  FP_TOPIC_ADDRESS_SPACE,
  FP_TOPIC_PROCESS,
  FP_TOPIC_OWNER,
  FP_TOPIC_MAPPING,
  FP_TOPIC_READING,
  FP_N_TOPICS,
} FpTopic;

extern const char *const fp_topic_titles[FP_N_TOPICS];

typedef struct
{
  FpFigureStyle style;
  guint64 memory_total; /* 100 % */
  guint64 swap_total;
  gboolean numeric_users;
  gboolean is_for_programs; /* columns give words of a fixed set instead of sentences */
} FpFormat;

typedef struct _FpColumn FpColumn;

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
  FpFigure (*get_figure) (const FpRecords *records, guint index);
  const char *(*get_text) (const FpRecords *records, guint index, const FpFormat *format);
  void (*make_text) (const FpRecords *records, guint index, const FpFormat *format, char *text, gsize size);
};

#define FP_CELL_SIZE 4400

void fp_format_memory (const FpFormat *self, FpFigure figure, char *text);

guint fp_columns_get_n (void);
const FpColumn *fp_columns_get (guint i);
const FpColumn *fp_columns_find (const char *id, FpRecordKind kind);
const FpColumn *fp_columns_find_named (const char *name, FpRecordKind kind);

gboolean fp_column_is_figure (const FpColumn *self);

extern const guint64 fp_summed_fields;  /* a bit each */
extern const guint64 fp_mapping_fields; /* a bit for each field that a mapping can have */

gboolean fp_field_is_summed (FpField field);
gboolean fp_column_is_summed (const FpColumn *self);
guint64 fp_column_get_whole (const FpColumn *self, const FpFormat *format);
FpFigure fp_column_get_figure (const FpColumn *self, const FpRecords *records, guint index);
const char *fp_column_get_text (
    const FpColumn *self, const FpRecords *records, guint index, const FpFormat *format, char *buffer, gsize size);
void fp_column_format (
    const FpColumn *self, const FpRecords *records, guint index, const FpFormat *format, char *text, gsize size);

G_END_DECLS
