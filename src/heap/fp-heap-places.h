// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-profile.h"

G_BEGIN_DECLS

typedef enum
{
  FP_HEAP_BY_FUNCTION,
  FP_HEAP_BY_LIBRARY,
  FP_HEAP_BY_STACK,
  FP_HEAP_N_BYS,
} FpHeapBy;

/* A function, a library or a path. Its own cost is what it allocates itself, or through functions that allocate for whoever
 * calls them, such as strdup(). */
typedef struct
{
  guint32 node; /* one of it */
  FpHeapStack own;
  FpHeapStack all; /* with what its callees allocate; once for each path, though it may be on it several times */
} FpHeapPlace;

typedef enum
{
  FP_HEAP_CALLERS,
  FP_HEAP_CALLEES,
} FpHeapSide;

GArray *fp_heap_places_new (const FpHeapProfile *profile, const GArray *stacks, FpHeapBy by);
GArray *fp_heap_places_new_beside (const FpHeapProfile *profile, const GArray *stacks, guint32 node, FpHeapSide side);
void fp_heap_places_sort (GArray *places, FpHeapCost cost);
guint32 fp_heap_find_place (const FpHeapProfile *profile, const guint8 *wrappers, guint32 node);
guint8 *fp_heap_find_wrappers (const FpHeapProfile *profile);

G_END_DECLS
