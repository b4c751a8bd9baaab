// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-heap-index.h"
#include "fp-heap-tree.h"

typedef struct
{
  guint32 parent;
  guint32 function;
  guint32 module;
} Key;

static Key
get_key (const FpHeapTree *self,
         guint32 number)
{
  const FpHeapBranch *branch = fp_heap_tree_get (self, number);
  const FpHeapFrame *frame = fp_heap_profile_get_frame (self->profile, branch->node);

  return (Key){ branch->parent, frame->function, frame->module };
}

static guint32
hash_key (const Key *key)
{
  return fp_heap_hash_two (key->parent, fp_heap_hash_two (key->function, key->module));
}

static gboolean
is_branch_of (gconstpointer owner,
              guint32 number,
              gconstpointer wanted)
{
  const Key *a = wanted, b = get_key (owner, number);

  return a->parent == b.parent && a->function == b.function && a->module == b.module;
}

static guint32
get_hash (gconstpointer owner,
          guint32 number)
{
  const Key key = get_key (owner, number);

  return hash_key (&key);
}

static guint32
find_or_add (FpHeapTree *self,
             FpHeapIndex *index,
             guint32 node)
{
  const FpHeapFrame *frame = fp_heap_profile_get_frame (self->profile, node);
  const Key key = { self->of[fp_heap_profile_get_parent (self->profile, node)], frame->function, frame->module };
  FpHeapBranch branch = { .node = node, .parent = key.parent };
  FpHeapBranch *parent;
  guint32 number;

  if (fp_heap_index_find (index, hash_key (&key), is_branch_of, self, &key, &number))
    return number;
  number = self->branches->len;
  parent = &g_array_index (self->branches, FpHeapBranch, key.parent);
  branch.depth = parent->depth + 1;
  branch.next_sibling = parent->first_child;
  parent->first_child = number;
  g_array_append_val (self->branches, branch);
  fp_heap_index_add (index, hash_key (&key), number, get_hash, self);
  return number;
}

/* Any thread may call it. */
FpHeapTree *
fp_heap_tree_new (FpHeapProfile *profile)
{
  FpHeapTree *self = g_new0 (FpHeapTree, 1);
  const FpHeapBranch root = { 0 };
  FpHeapIndex index;

  g_atomic_ref_count_init (&self->ref_count);
  self->profile = fp_heap_profile_ref (profile);
  self->branches = g_array_new (FALSE, FALSE, sizeof (FpHeapBranch));
  self->of = g_new0 (guint32, MAX (profile->nodes->len, 1));
  g_array_append_val (self->branches, root);
  fp_heap_index_init (&index);
  for (guint32 node = 1; node < profile->nodes->len; node++)
    self->of[node] = find_or_add (self, &index, node);
  fp_heap_index_clear (&index);
  return self;
}

FpHeapTree *
fp_heap_tree_ref (FpHeapTree *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
fp_heap_tree_unref (FpHeapTree *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  fp_heap_profile_unref (self->profile);
  g_array_unref (self->branches);
  g_free (self->of);
  g_free (self);
}

/* The cost of each branch without what is below it. Free it. */
static guint64 *
list_own (const FpHeapTree *self,
          const GArray *stacks,
          FpHeapCost cost)
{
  guint64 *own = g_new0 (guint64, self->branches->len);

  for (guint i = 0; i < stacks->len; i++)
    {
      const FpHeapStack *stack = &g_array_index (stacks, FpHeapStack, i);

      own[self->of[stack->node]] += fp_heap_stack_get_cost (stack, cost);
    }
  return own;
}

static void
add_to_callers (const FpHeapTree *self,
                guint64 *sums)
{
  for (guint32 branch = self->branches->len - 1; branch > 0; branch--)
    sums[fp_heap_tree_get (self, branch)->parent] += sums[branch];
}

/* The cost of each branch with all that is below it. stacks: the profile's, or as they were at some moment. Free it. */
guint64 *
fp_heap_tree_sum (const FpHeapTree *self,
                  const GArray *stacks,
                  FpHeapCost cost)
{
  guint64 *sums = list_own (self, stacks, cost);

  add_to_callers (self, sums);
  return sums;
}

/* Each branch has the larger of its own costs at two moments, and the same of all that is below it: what shrank has room beside
 * what grew. Free it. */
guint64 *
fp_heap_tree_sum_larger (const FpHeapTree *self,
                         const GArray *before,
                         const GArray *after,
                         FpHeapCost cost)
{
  g_autofree guint64 *old = list_own (self, before, cost);
  guint64 *sums = list_own (self, after, cost);

  for (guint32 branch = 0; branch < self->branches->len; branch++)
    sums[branch] = MAX (sums[branch], old[branch]);
  add_to_callers (self, sums);
  return sums;
}
