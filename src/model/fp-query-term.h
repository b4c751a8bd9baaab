// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-columns.h"

G_BEGIN_DECLS

#define FP_MAX_SEARCHED 8

typedef enum
{
  FP_COMPARE_CONTAINS,
  FP_COMPARE_EQUAL,
  FP_COMPARE_LESS,
  FP_COMPARE_LESS_EQUAL,
  FP_COMPARE_GREATER,
  FP_COMPARE_GREATER_EQUAL,
} FpComparison;

/* In this order: of several conditions the least holds, and a negation turns the order round. */
typedef enum
{
  FP_MATCH_NOT,
  FP_MATCH_POSSIBLY, /* a figure is a range, and only a part of that matches */
  FP_MATCH_CERTAINLY,
} FpMatch;

/* One word of the search language: text, or a column with a comparison and a value. */
typedef struct
{
  FpRecordKind kind;
  const FpColumn *column; /* (nullable): NULL for a word, which is searched in several columns */
  FpComparison comparison;
  const FpColumn *searched[FP_MAX_SEARCHED + 1]; /* of a word; NULL-terminated */
  char *text;                                    /* casefolded, unless it is a place in a tree */
  guint64 number;
  gint pid; /* the text as a PID; 0 if it is none */
} FpQueryTerm;

const FpColumn *fp_query_term_split (const char *word, FpRecordKind kind, FpComparison *comparison, const char **value);
gboolean fp_query_term_parse (
    FpQueryTerm *self, const char *word, gboolean is_quoted, FpRecordKind kind, guint named, GError **error);
void fp_query_term_clear (FpQueryTerm *self);
char *fp_query_term_make (const char *column, const char *value);
gboolean fp_query_term_is_place (const FpQueryTerm *self);
FpMatch fp_query_term_matches (const FpQueryTerm *self, const FpRecords *records, guint index);

gboolean fp_refuse_input (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
gboolean fp_query_parse_size (const char *text, FpUnit unit, guint64 *size);
gboolean fp_query_is_unit (const char *text, gsize length);

G_END_DECLS
