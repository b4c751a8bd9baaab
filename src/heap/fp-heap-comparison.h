// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-places.h"

G_BEGIN_DECLS

/* Two profiles on the paths of both. Other builds have the same functions in other places, so functions are known by their
 * names, and libraries by the names of their files. Functions that the later one has keep the numbers of their texts. */
typedef struct
{
  FpHeapProfile *profile; /* the paths of both, without costs */
  GArray *before;         /* of FpHeapStack, one for each path of both */
  GArray *after;          /* in the same order */
  guint known;            /* a bit for each cost that both tell */
} FpHeapComparison;

/* A function or a library with its own cost at two moments. */
typedef struct
{
  guint32 node; /* one of it */
  guint64 before;
  guint64 after;
} FpHeapPair;

void fp_heap_comparison_init (FpHeapComparison *self, const FpHeapProfile *before, const FpHeapProfile *after);
void fp_heap_comparison_clear (FpHeapComparison *self);

GArray *fp_heap_pairs_new (const FpHeapProfile *profile, const GArray *before, const GArray *after, FpHeapBy by, FpHeapCost cost);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FpHeapComparison, fp_heap_comparison_clear)

G_END_DECLS
