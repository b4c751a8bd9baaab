// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-rows.h"

G_BEGIN_DECLS

#define FP_TYPE_TABLE (fp_table_get_type ())

/* The model of a list, with one object for each position, whichever row stands there. So a new order does not change
 * the list, and the view stays where it is. The selection is known by the keys of its rows. */
G_DECLARE_FINAL_TYPE (FpTable, fp_table, FP, TABLE, GObject)

FpTable *fp_table_new (void);
FpRows *fp_table_get_rows (FpTable *self);
guint fp_table_get_n_rows (FpTable *self);
void fp_table_update (FpTable *self, FpRecords *records, const FpFormat *format);
void fp_table_set_expanded (FpTable *self, guint position, gboolean is_expanded);
void fp_table_toggle (FpTable *self, guint position);
gboolean fp_table_keep_more (FpTable *self);
void fp_table_tell_all (FpTable *self);
guint fp_table_find (FpTable *self, FpKey key);
void fp_table_add_selected (FpTable *self, GArray *indices);
void fp_table_add_selected_parts (FpTable *self, GArray *indices);
guint fp_table_get_n_selected (FpTable *self);

G_END_DECLS
