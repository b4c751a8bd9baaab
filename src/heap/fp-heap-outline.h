// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-places.h"
#include "fp-heap-tree.h"

G_BEGIN_DECLS

typedef enum
{
  FP_HEAP_BOTTOM_UP, /* from the functions that allocate to their callers */
  FP_HEAP_TOP_DOWN,  /* from main() to the functions that allocate */
} FpHeapDirection;

#define FP_HEAP_NO_STEP G_MAXUINT32

/* A function on the way of an outline. */
typedef struct
{
  guint32 node;   /* one of it */
  guint32 parent; /* smaller than its own number; FP_HEAP_NO_STEP: it is at the top */
  guint32 depth;
  FpHeapStack sums;   /* of all stacks that go this way */
  FpHeapStack before; /* of the same at the earlier of two moments */
} FpHeapStep;

GArray *fp_heap_outline_new (
    const FpHeapTree *tree, const GArray *stacks, const GArray *before, FpHeapDirection direction, const guint8 *wanted);

G_END_DECLS
