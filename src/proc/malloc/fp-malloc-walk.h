// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-malloc-arenas.h"
#include "fp-malloc.h"

G_BEGIN_DECLS

typedef enum
{
  FP_MALLOC_NO_PROBLEM,
  FP_MALLOC_UNKNOWN,  /* arenas are not where and as they should be */
  FP_MALLOC_UNUSED,   /* the program has another allocator */
  FP_MALLOC_SWAPPED,  /* the arenas themselves are in swap */
  FP_MALLOC_DAMAGED,  /* the same thing is wrong each time, and nothing changes */
  FP_MALLOC_CHANGING, /* something else is wrong each time */
  FP_MALLOC_HALTED,   /* the program stands still in the middle of a change */
  FP_MALLOC_CANCELLED,
} FpMallocProblem;

FpMalloc *fp_malloc_walk (FpMallocMemory *memory, const FpMallocPlaces *places, FpMallocProblem *problem, guint64 *damaged_at);

G_END_DECLS
