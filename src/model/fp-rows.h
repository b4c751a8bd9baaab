// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-control-groups.h"
#include "fp-grouping.h"
#include "fp-query.h"
#include "fp-total-history.h"

G_BEGIN_DECLS

/* Rows are the records that a view shows, in its order and under its groups. */
typedef struct _FpRows FpRows;

typedef enum
{
  FP_ROW_RECORD,
  FP_ROW_GROUP,
  FP_ROW_ENDED, /* keeps its place while the order is held, or is one of those that are shown in place of the records */
  FP_ROW_TOTAL, /* of all that match: always the first */
  FP_ROW_PART,  /* of the record above it, which is open */
  FP_N_ROW_KINDS,
} FpRowKind;

typedef struct
{
  FpKey key;
  guint index; /* in fp_rows_get_records () of its kind */
  FpRowKind kind;
  guint16 depth;
  guint8 is_possible; /* it matches the query only possibly */
  guint8 can_expand;
  gboolean is_expanded;
} FpRow;

typedef gboolean (*FpRowFilter) (const FpRecords *records, guint index, gpointer data);

FpRows *fp_rows_new (void);
void fp_rows_free (FpRows *self);
void fp_rows_set_query (FpRows *self, FpQuery *query);
const FpQuery *fp_rows_get_query (const FpRows *self);
void fp_rows_set_opens_matches (FpRows *self, gboolean opens_matches);
void fp_rows_set_filter (FpRows *self, FpRowFilter filter, gpointer data);
void fp_rows_set_sort (FpRows *self, const FpColumn *column, gboolean descending);
void fp_rows_set_grouping (FpRows *self, FpGrouping grouping);
void fp_rows_set_control_groups (FpRows *self, FpControlGroups *groups);
void fp_rows_set_history (FpRows *self, const FpTotalHistory *history);
void fp_rows_set_ended (FpRows *self, FpRecords *ended);
void fp_rows_set_has_total (FpRows *self, gboolean has_total);
void fp_rows_set_held (FpRows *self, gboolean is_held);
void fp_rows_set_expanded (FpRows *self, FpKey key, gboolean is_expanded);
void fp_rows_update (FpRows *self, FpRecords *records, const FpFormat *format);

guint fp_rows_get_n (const FpRows *self);
guint fp_rows_get_n_open (const FpRows *self);
gboolean fp_rows_is_order_held (const FpRows *self);
const FpRow *fp_rows_get (const FpRows *self, guint position);
const FpRecords *fp_rows_get_records (const FpRows *self, FpRowKind kind);
const guint *fp_rows_get_matches (const FpRows *self, guint *n);
const guint *fp_rows_get_possible (const FpRows *self, guint *n);
void fp_rows_add_members (const FpRows *self, guint position, GArray *indices);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpRows, fp_rows_free)

G_END_DECLS
