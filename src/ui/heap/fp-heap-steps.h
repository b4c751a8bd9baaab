// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-table.h"

G_BEGIN_DECLS

#define FP_TYPE_HEAP_STEPS (fp_heap_steps_get_type ())

/* The calls of a heap profile as a tree, from either end.
 *
 * ::direction-chosen: by its user */
G_DECLARE_FINAL_TYPE (FpHeapSteps, fp_heap_steps, FP, HEAP_STEPS, GtkWidget)

FpHeapDirection fp_heap_steps_get_direction (FpHeapSteps *self);
FpHeapTable *fp_heap_steps_get_table (FpHeapSteps *self);

G_END_DECLS
