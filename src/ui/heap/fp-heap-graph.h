// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-scene.h"
#include "fp-heap-table.h"

G_BEGIN_DECLS

#define FP_TYPE_HEAP_GRAPH (fp_heap_graph_get_type ())

/* The flame graph of a scene with the way back to all of it, or why there is nothing to draw. */
G_DECLARE_FINAL_TYPE (FpHeapGraph, fp_heap_graph, FP, HEAP_GRAPH, GtkWidget)

void fp_heap_graph_show (FpHeapGraph *self, FpHeapScene *scene, GHashTable *found, const FpHeapChoice *choice);
void fp_heap_graph_ask_to_save (FpHeapGraph *self);
void fp_heap_graph_focus (FpHeapGraph *self);

G_END_DECLS
