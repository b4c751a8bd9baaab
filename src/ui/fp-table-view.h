// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-order-pause.h"
#include "fp-row-cell.h"
#include "fp-table.h"

G_BEGIN_DECLS

#define FP_TYPE_TABLE_VIEW (fp_table_view_get_type ())

/* A table of rows that stays put while its figures change.
 *
 * ::sort-changed: by its user
 * ::activate-row (guint position)
 * ::menu-requested (guint position, GdkRectangle *where) */
G_DECLARE_FINAL_TYPE (FpTableView, fp_table_view, FP, TABLE_VIEW, GtkWidget)

typedef struct
{
  const char *id;
  int width;
  gboolean is_shown;
} FpColumnChoice;

GtkWidget *fp_table_view_new (FpRecordKind kind, const FpColumnChoice *choices, guint n, const char *label);
FpTable *fp_table_view_get_table (FpTableView *self);
FpOrderPause *fp_table_view_get_order_pause (FpTableView *self);
GActionGroup *fp_table_view_get_column_actions (FpTableView *self);
GMenuModel *fp_table_view_get_column_menu (FpTableView *self);

void fp_table_view_update (FpTableView *self, FpRecords *records, const FpRowStyle *style);
void fp_table_view_set_narrow (FpTableView *self, gboolean is_narrow);
void fp_table_view_add_visible (FpTableView *self, GArray *indices);

const FpColumn *fp_table_view_get_sort (FpTableView *self, gboolean *descending);
void fp_table_view_set_sort (FpTableView *self, const char *id, gboolean descending);

GVariant *fp_table_view_get_columns (FpTableView *self);
void fp_table_view_set_columns (FpTableView *self, GVariant *columns);

G_END_DECLS
