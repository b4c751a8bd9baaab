// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-scene.h"
#include "fp-heap-table.h"

G_BEGIN_DECLS

#define FP_TYPE_HEAP_FUNCTIONS (fp_heap_functions_get_type ())

/* The functions of a heap profile, and below them the callers and the callees of the selected one. Enter or a double click on
 * one of these goes on to it. */
G_DECLARE_FINAL_TYPE (FpHeapFunctions, fp_heap_functions, FP, HEAP_FUNCTIONS, GtkWidget)

void fp_heap_functions_show (FpHeapFunctions *self, FpHeapScene *scene, const FpHeapChoice *choice);
FpHeapTable *fp_heap_functions_get_table (FpHeapFunctions *self);
void fp_heap_functions_set_narrow (FpHeapFunctions *self, gboolean is_narrow, gboolean has_one_figure);

G_END_DECLS
