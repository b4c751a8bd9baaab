// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-heap-outline.h"

#define LEAST_PART 20000 /* of the whole: smaller steps are left out, as there may be millions */

/* A stack on its way outwards: the frame that comes next. */
typedef struct
{
  guint32 stack;
  guint32 node; /* 0: it has come to its end */
} Walker;

/* A step that is to be added. Top-down it is a branch of the tree, bottom-up a run of walkers. */
typedef struct
{
  FpHeapStep step;
  guint32 branch;
  guint32 begin, end;
} Pending;

typedef struct
{
  const FpHeapTree *tree;
  const FpHeapProfile *profile;
  const GArray *stacks;
  const GArray *before; /* (nullable): counted on behind the stacks */
  guint32 n_stacks;     /* of both */
  guint8 *is_left_out;  /* of each stack */
  guint64 least[FP_HEAP_N_COSTS];
  GArray *steps;           /* of FpHeapStep */
  GArray *pending;         /* of Pending: the next one is the last */
  GArray *siblings;        /* of Pending */
  GArray *walkers;         /* of Walker */
  FpHeapStep *branch_sums; /* of which only the costs are set */
} Outline;

static const FpHeapStack *
get_stack (const Outline *self,
           guint32 stack)
{
  return stack < self->stacks->len ? &g_array_index (self->stacks, FpHeapStack, stack)
                                   : &g_array_index (self->before, FpHeapStack, stack - self->stacks->len);
}

static void
add_stack (const Outline *self,
           FpHeapStep *step,
           guint32 stack)
{
  fp_heap_stack_add (stack < self->stacks->len ? &step->sums : &step->before, get_stack (self, stack));
}

/* The larger one where two moments are compared */
static guint64
get_cost (const FpHeapStep *step,
          FpHeapCost cost)
{
  return MAX (fp_heap_stack_get_cost (&step->sums, cost), fp_heap_stack_get_cost (&step->before, cost));
}

/* A stack is wanted if one of its frames is. */
static void
choose_stacks (Outline *self,
               const guint8 *wanted)
{
  g_autofree guint8 *is_wanted = g_new0 (guint8, MAX (self->profile->nodes->len, 1));

  self->is_left_out = g_new0 (guint8, MAX (self->n_stacks, 1));
  for (guint32 node = 1; node < self->profile->nodes->len; node++)
    {
      const FpHeapNode *info = &g_array_index (self->profile->nodes, FpHeapNode, node);

      is_wanted[node] = !wanted || wanted[info->frame] || is_wanted[info->parent];
    }
  for (guint32 i = 0; i < self->n_stacks; i++)
    self->is_left_out[i] = !is_wanted[get_stack (self, i)->node];
}

static void
find_least (Outline *self)
{
  for (guint32 i = 0; i < self->n_stacks; i++)
    for (FpHeapCost cost = 0; cost < FP_HEAP_N_COSTS; cost++)
      self->least[cost] += fp_heap_stack_get_cost (get_stack (self, i), cost);
  for (FpHeapCost cost = 0; cost < FP_HEAP_N_COSTS; cost++)
    self->least[cost] = MAX (self->least[cost] / LEAST_PART, 1);
}

static gboolean
is_large (const Outline *self,
          const FpHeapStep *step)
{
  for (FpHeapCost cost = 0; cost < FP_HEAP_N_COSTS; cost++)
    if (get_cost (step, cost) >= self->least[cost])
      return TRUE;
  return FALSE;
}

static int
compare_pending (gconstpointer a,
                 gconstpointer b)
{
  const Pending *x = a, *y = b;

  for (FpHeapCost cost = 0; cost < FP_HEAP_N_COSTS; cost++)
    {
      guint64 cost_x = get_cost (&x->step, cost), cost_y = get_cost (&y->step, cost);

      if (cost_x != cost_y)
        return cost_x < cost_y ? -1 : 1;
    }
  return (x->step.node < y->step.node) - (x->step.node > y->step.node);
}

/* The largest goes last, as that one is taken first. */
static void
put_siblings (Outline *self)
{
  g_array_sort (self->siblings, compare_pending);
  g_array_append_vals (self->pending, self->siblings->data, self->siblings->len);
  g_array_set_size (self->siblings, 0);
}

static void
sum_branches (Outline *self)
{
  self->branch_sums = g_new0 (FpHeapStep, self->tree->branches->len);
  for (guint32 i = 0; i < self->n_stacks; i++)
    if (!self->is_left_out[i])
      add_stack (self, &self->branch_sums[self->tree->of[get_stack (self, i)->node]], i);
  for (guint32 branch = self->tree->branches->len - 1; branch > 0; branch--)
    {
      FpHeapStep *outer = &self->branch_sums[fp_heap_tree_get (self->tree, branch)->parent];

      fp_heap_stack_add (&outer->sums, &self->branch_sums[branch].sums);
      fp_heap_stack_add (&outer->before, &self->branch_sums[branch].before);
    }
}

static void
add_callees (Outline *self,
             guint32 branch,
             guint32 parent,
             guint32 depth)
{
  const FpHeapTree *tree = self->tree;

  for (guint32 child = fp_heap_tree_get (tree, branch)->first_child; child; child = fp_heap_tree_get (tree, child)->next_sibling)
    {
      const Pending pending = {
        .step = { fp_heap_tree_get (tree, child)->node, parent, depth, self->branch_sums[child].sums, self->branch_sums[child].before },
        .branch = child,
      };

      if (is_large (self, &pending.step))
        g_array_append_val (self->siblings, pending);
    }
  put_siblings (self);
}

static int
compare_walkers (gconstpointer a,
                 gconstpointer b,
                 gpointer data)
{
  const Walker *x = a, *y = b;
  const FpHeapFrame *frame_x, *frame_y;

  if (!x->node || !y->node)
    return (x->node != 0) - (y->node != 0);
  frame_x = fp_heap_profile_get_frame (data, x->node);
  frame_y = fp_heap_profile_get_frame (data, y->node);
  if (frame_x->function != frame_y->function)
    return frame_x->function < frame_y->function ? -1 : 1;
  if (frame_x->module != frame_y->module)
    return frame_x->module < frame_y->module ? -1 : 1;
  return (x->stack > y->stack) - (x->stack < y->stack);
}

static Walker *
get_walkers (Outline *self)
{
  return (Walker *)(void *)self->walkers->data;
}

/* Takes the walkers from a place on that are in the same function, and moves them on to its caller. */
static Pending
take_run (Outline *self,
          guint32 begin,
          guint32 end)
{
  Walker *walkers = get_walkers (self);
  const FpHeapFrame *frame = fp_heap_profile_get_frame (self->profile, walkers[begin].node);
  Pending run = { .step.node = walkers[begin].node, .begin = begin, .end = begin };

  for (; run.end < end; run.end++)
    {
      Walker *walker = &walkers[run.end];
      const FpHeapFrame *own = fp_heap_profile_get_frame (self->profile, walker->node);

      if (own->function != frame->function || own->module != frame->module)
        break;
      add_stack (self, &run.step, walker->stack);
      walker->node = fp_heap_profile_get_parent (self->profile, walker->node);
    }
  return run;
}

static void
add_callers (Outline *self,
             guint32 begin,
             guint32 end,
             guint32 parent,
             guint32 depth)
{
  g_qsort_with_data (get_walkers (self) + begin, (gint)(end - begin), sizeof (Walker), compare_walkers, (gpointer)self->profile);
  while (begin < end && !get_walkers (self)[begin].node)
    begin++;
  while (begin < end)
    {
      Pending run = take_run (self, begin, end);

      run.step.parent = parent;
      run.step.depth = depth;
      if (is_large (self, &run.step))
        g_array_append_val (self->siblings, run);
      begin = run.end;
    }
  put_siblings (self);
}

/* Functions that allocate for others are left out, so that the first steps have what the list of functions says. */
static void
start_walkers (Outline *self)
{
  g_autofree guint8 *wrappers = fp_heap_find_wrappers (self->profile);

  for (guint32 i = 0; i < self->n_stacks; i++)
    {
      const Walker walker = { i, fp_heap_find_place (self->profile, wrappers, get_stack (self, i)->node) };

      if (!self->is_left_out[i])
        g_array_append_val (self->walkers, walker);
    }
}

static void
walk (Outline *self,
      FpHeapDirection direction)
{
  while (self->pending->len > 0)
    {
      const Pending next = g_array_index (self->pending, Pending, self->pending->len - 1);
      guint32 number = self->steps->len, depth = next.step.depth + 1;

      g_array_set_size (self->pending, self->pending->len - 1);
      g_array_append_val (self->steps, next.step);
      if (direction == FP_HEAP_TOP_DOWN)
        add_callees (self, next.branch, number, depth);
      else
        add_callers (self, next.begin, next.end, number, depth);
    }
}

/* Lists the paths of the stacks as FpHeapStep, each with what is below it behind it and the largest first. Any thread may call
 * it. stacks: the profile's, or as they were at some moment; before: (nullable): as they were at an earlier one; wanted:
 * (nullable): a byte for each frame: paths without such a one are left out */
GArray *
fp_heap_outline_new (const FpHeapTree *tree,
                     const GArray *stacks,
                     const GArray *before,
                     FpHeapDirection direction,
                     const guint8 *wanted)
{
  Outline self = {
    .tree = tree,
    .profile = tree->profile,
    .stacks = stacks,
    .before = before,
    .n_stacks = stacks->len + (before ? before->len : 0),
    .steps = g_array_new (FALSE, FALSE, sizeof (FpHeapStep)),
    .pending = g_array_new (FALSE, FALSE, sizeof (Pending)),
    .siblings = g_array_new (FALSE, FALSE, sizeof (Pending)),
    .walkers = g_array_new (FALSE, FALSE, sizeof (Walker)),
  };

  choose_stacks (&self, wanted);
  find_least (&self);
  if (direction == FP_HEAP_TOP_DOWN)
    {
      sum_branches (&self);
      add_callees (&self, 0, FP_HEAP_NO_STEP, 0);
    }
  else
    {
      start_walkers (&self);
      add_callers (&self, 0, self.walkers->len, FP_HEAP_NO_STEP, 0);
    }
  walk (&self, direction);
  g_array_unref (self.pending);
  g_array_unref (self.siblings);
  g_array_unref (self.walkers);
  g_free (self.is_left_out);
  g_free (self.branch_sums);
  return self.steps;
}
