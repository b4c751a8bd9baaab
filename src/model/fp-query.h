// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-query-term.h"

G_BEGIN_DECLS

/* The search language: words that all match, "quoted words", -not, user:alice, >100M, swap>0, memory<=1.5G, or, ( ) */
typedef struct _FpQuery FpQuery;

FpQuery *fp_query_new (const char *text, FpRecordKind kind, GError **error);
FpQuery *fp_query_new_within (const char *filter, const char *typed, FpRecordKind kind);
FpQuery *fp_query_new_with_members (const char *text, FpRecordKind kind, FpRecordKind members, GError **error);
FpQuery *fp_query_take_members (FpQuery *self, GError **error);
const char *fp_query_find_empty_place (const FpQuery *self, const FpRecords *records);
gboolean fp_query_add (FpQuery *self, const char *text, GError **error);
void fp_query_free (FpQuery *self);
gboolean fp_query_is_empty (const FpQuery *self);
guint fp_query_get_needs (const FpQuery *self);
guint64 fp_query_get_fields (const FpQuery *self);
FpMatch fp_query_matches (const FpQuery *self, const FpRecords *records, guint index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpQuery, fp_query_free)

G_END_DECLS
