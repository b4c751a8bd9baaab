// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-records.h"
#include "fp-heap-values.h"
#include "fp-table-view.h"

G_BEGIN_DECLS

#define FP_TYPE_HEAP_TABLE (fp_heap_table_get_type ())

/* The functions, the libraries or the steps of a heap profile, with the columns of one cost; or the sizes of its blocks. */
G_DECLARE_FINAL_TYPE (FpHeapTable, fp_heap_table, FP, HEAP_TABLE, GtkWidget)

/* The figures that are to be shown. */
typedef struct
{
  FpHeapCost cost;
  const char *title; /* of the cost */
  FpFigureStyle style;
} FpHeapChoice;

GtkWidget *fp_heap_table_new (FpTableLayoutId layout, const char *label);
void fp_heap_table_show (FpHeapTable *self, FpRecords *records, const FpHeapChoice *choice);
void fp_heap_table_show_sizes (FpHeapTable *self, FpRecords *records, FpFigureStyle style);
void fp_heap_table_set_search (FpHeapTable *self, const char *text);
GHashTable *fp_heap_table_list_found (FpHeapTable *self);
void fp_heap_table_open_anew (FpHeapTable *self);
FpTableView *fp_heap_table_get_view (FpHeapTable *self);
void fp_heap_table_select (FpHeapTable *self, FpKey key);
gboolean fp_heap_table_focus (FpHeapTable *self);
void fp_heap_table_set_narrow (FpHeapTable *self, gboolean is_narrow);
void fp_heap_table_copy (FpHeapTable *self);
void fp_heap_table_export (FpHeapTable *self, const char *name);

G_END_DECLS
