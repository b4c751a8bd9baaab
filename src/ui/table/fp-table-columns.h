// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-column-sets.h"

G_BEGIN_DECLS

#define FP_TYPE_TABLE_COLUMNS (fp_table_columns_get_type ())

/* The columns of a table: which are shown, where they stand, how wide they are, and which it is sorted by.
 *
 * ::sort-changed: by its user
 * ::needs-changed */
G_DECLARE_FINAL_TYPE (FpTableColumns, fp_table_columns, FP, TABLE_COLUMNS, GObject)

typedef GtkListItemFactory *(*FpFactoryFunc) (const FpColumn *column, gpointer data);

FpTableColumns *fp_table_columns_new (GtkColumnView *view, FpFactoryFunc make_factory, gpointer data);
void fp_table_columns_add (FpTableColumns *self, const FpTableLayout *layout);

void fp_table_columns_fit (FpTableColumns *self, GtkWidget *widget, FpFigureStyle style);

GActionGroup *fp_table_columns_get_actions (FpTableColumns *self);
GMenuModel *fp_table_columns_make_sort_menu (FpTableColumns *self);
void fp_table_columns_set_room (FpTableColumns *self, int room);
void fp_table_columns_set_narrow (FpTableColumns *self, gboolean is_narrow);

void fp_table_columns_set_lacking (FpTableColumns *self,
                                   gboolean (*is_lacking) (const FpColumn *column, gpointer data),
                                   gpointer data);
void fp_table_columns_set_title (FpTableColumns *self, const FpColumn *info, const char *title);
void fp_table_columns_set_differences (FpTableColumns *self, gboolean are_differences);

const FpColumn *fp_table_columns_get_sort (FpTableColumns *self, gboolean *descending);
void fp_table_columns_set_sort (FpTableColumns *self, const char *id, gboolean descending);

GVariant *fp_table_columns_to_variant (FpTableColumns *self);
void fp_table_columns_take_variant (FpTableColumns *self, GVariant *columns);

GPtrArray *fp_table_columns_get_written (FpTableColumns *self);
gboolean fp_table_columns_is_shown (FpTableColumns *self, const char *id);
guint fp_table_columns_get_needs (FpTableColumns *self);

G_END_DECLS
