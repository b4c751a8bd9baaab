// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-order-pause.h"
#include "fp-row-cell.h"
#include "fp-table-columns.h"
#include "fp-table-scroll.h"

G_BEGIN_DECLS

#define FP_TYPE_TABLE_VIEW (fp_table_view_get_type ())

/* A table of rows that stays put while its figures change.
 *
 * ::sort-changed: by its user
 * ::activate-row (guint position)
 * ::menu-requested (guint position, GdkRectangle *where) */
G_DECLARE_FINAL_TYPE (FpTableView, fp_table_view, FP, TABLE_VIEW, GtkWidget)

GtkWidget *fp_table_view_new (const FpTableLayout *layout, const char *label);
FpTable *fp_table_view_get_table (FpTableView *self);
FpOrderPause *fp_table_view_get_order_pause (FpTableView *self);
FpTableScroll *fp_table_view_get_scroll (FpTableView *self);
FpTableColumns *fp_table_view_get_columns (FpTableView *self);

void fp_table_view_set_groups_activate (FpTableView *self, gboolean groups_activate);
void fp_table_view_update (FpTableView *self, FpRecords *records, const FpRowStyle *style);
void fp_table_view_add_visible (FpTableView *self, GArray *indices);

void fp_table_view_set_sort (FpTableView *self, const char *id, gboolean descending);

G_END_DECLS
