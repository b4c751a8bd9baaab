// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-query.h"

G_BEGIN_DECLS

/* Which records a view shows, and in which order. */
typedef struct _FpRows FpRows;

typedef gboolean (*FpRowFilter) (const FpRecords *records, guint index, gpointer data);

FpRows *fp_rows_new (void);
void fp_rows_free (FpRows *self);
void fp_rows_set_query (FpRows *self, FpQuery *query);
void fp_rows_set_filter (FpRows *self, FpRowFilter filter, gpointer data);
void fp_rows_set_sort (FpRows *self, const FpColumn *column, gboolean descending);
void fp_rows_update (FpRows *self, const FpRecords *records);
guint fp_rows_get_n (const FpRows *self);
const guint *fp_rows_get_indices (const FpRows *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpRows, fp_rows_free)

G_END_DECLS
