// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-places.h"

G_BEGIN_DECLS

/* A function or a library of two heap profiles, with its own cost in each. */
typedef struct
{
  char *function; /* NULL: it is a library */
  char *library;
  guint64 before;
  guint64 after;
} FpHeapPair;

GArray *fp_heap_compare (const FpHeapProfile *before, const FpHeapProfile *after, FpHeapBy by, FpHeapCost cost);

G_END_DECLS
