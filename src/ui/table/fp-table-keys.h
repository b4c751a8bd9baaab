// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-table.h"

G_BEGIN_DECLS

typedef void (*FpExpandFunc) (gpointer data, guint position, gboolean is_expanded);

typedef void (*FpRowFunc) (gpointer data, guint position);

/* Arrow keys, ranges and their like go by the row that was chosen last, wherever a new order has put it. */
typedef struct _FpTableKeys FpTableKeys;

void fp_table_keys_go_to (FpTableKeys *self, guint position, GdkModifierType modifiers);
void fp_table_keys_toggle (FpTableKeys *self, guint position);
FpTableKeys *fp_table_keys_attach (GtkWidget *view,
                                   GtkWidget *list,
                                   FpTable *table,
                                   FpExpandFunc expand,
                                   FpRowFunc reveal,
                                   FpRowFunc menu,
                                   gpointer data);

G_END_DECLS
