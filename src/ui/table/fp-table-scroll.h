// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-table-columns.h"
#include "fp-table.h"

G_BEGIN_DECLS

#define FP_TYPE_TABLE_SCROLL (fp_table_scroll_get_type ())

/* Where a list is scrolled to, where GTK by itself would lose that. */
G_DECLARE_FINAL_TYPE (FpTableScroll, fp_table_scroll, FP, TABLE_SCROLL, GObject)

FpTableScroll *fp_table_scroll_new (GtkScrolledWindow *scroller, GtkWidget *list, FpTable *table, FpTableColumns *columns);
void fp_table_scroll_place_rows (FpTableScroll *self);
void fp_table_scroll_reveal (FpTableScroll *self, FpKey key);
gboolean fp_table_scroll_has_out_of_sight (FpTableScroll *self, const FpColumn *column);
void fp_table_scroll_go_to_names (FpTableScroll *self);

G_END_DECLS
