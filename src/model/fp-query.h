// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-columns.h"

G_BEGIN_DECLS

/* The search language: words that all match, "quoted words", -not, user:alice, >100M, swap>0, pss<=1.5G */
typedef struct _FpQuery FpQuery;

/* In this order: of several conditions the least holds, and a negation turns the order round. */
typedef enum
{
  FP_MATCH_NOT,
  FP_MATCH_POSSIBLY, /* a figure is a range, and only a part of that matches */
  FP_MATCH_CERTAINLY,
} FpMatch;

FpQuery *fp_query_new (const char *text, FpRecordKind kind, GError **error);
void fp_query_free (FpQuery *self);
FpMatch fp_query_matches (const FpQuery *self, const FpRecords *records, guint index);

gboolean fp_query_parse_size (const char *text, FpUnit unit, guint64 *size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpQuery, fp_query_free)

G_END_DECLS
