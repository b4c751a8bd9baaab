// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-profile.h"

G_BEGIN_DECLS

/* A function with those that called it. Number 0 is the root, which has no function. */
typedef struct
{
  guint32 node;   /* one of it */
  guint32 parent; /* smaller than its own number */
  guint32 depth;
  guint32 first_child;  /* 0: none */
  guint32 next_sibling; /* 0: none */
} FpHeapBranch;

/* The paths of a profile from the outermost caller on. Lines of a function that have the same callers are one branch. */
typedef struct
{
  gatomicrefcount ref_count;
  FpHeapProfile *profile;
  GArray *branches; /* of FpHeapBranch */
  guint32 *of;      /* the branch of each node */
} FpHeapTree;

FpHeapTree *fp_heap_tree_new (FpHeapProfile *profile);
FpHeapTree *fp_heap_tree_ref (FpHeapTree *self);
void fp_heap_tree_unref (FpHeapTree *self);
guint64 *fp_heap_tree_sum (const FpHeapTree *self, const GArray *stacks, FpHeapCost cost);
guint64 *fp_heap_tree_sum_larger (const FpHeapTree *self, const GArray *before, const GArray *after, FpHeapCost cost);

static inline const FpHeapBranch *
fp_heap_tree_get (const FpHeapTree *self,
                  guint32 branch)
{
  return &g_array_index (self->branches, FpHeapBranch, branch);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpHeapTree, fp_heap_tree_unref)

G_END_DECLS
