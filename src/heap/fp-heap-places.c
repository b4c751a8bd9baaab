// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-heap-places.h"
#include "fp-heap-wrappers.h"

typedef struct
{
  const FpHeapProfile *profile;
  FpHeapBy by;
  GArray *places; /* of FpHeapPlace */
  GArray *frames; /* of guint32: a frame of each place */
  GArray *marks;  /* of guint32: the last stack that was added to each place, + 1 */
  guint32 *of;    /* place of each frame */
  FpHeapIndex index;
} Sum;

/* A byte for each text: whether it is the name of a function that allocates for others. Free it. */
guint8 *
fp_heap_find_wrappers (const FpHeapProfile *profile)
{
  guint8 *wrappers = g_new0 (guint8, profile->texts.offsets->len);

  for (guint i = 1; i < profile->texts.offsets->len; i++)
    wrappers[i] = fp_heap_is_wrapper (fp_heap_profile_get_text (profile, i));
  return wrappers;
}

/* Finds the innermost frame that allocates for itself; where there is none, the innermost. */
guint32
fp_heap_find_place (const FpHeapProfile *profile,
                    const guint8 *wrappers,
                    guint32 node)
{
  guint32 place = node;

  while (place && wrappers[fp_heap_profile_get_frame (profile, place)->function])
    place = fp_heap_profile_get_parent (profile, place);
  return place ? place : node;
}

static gboolean
is_same_place (const Sum *self,
               const FpHeapFrame *a,
               const FpHeapFrame *b)
{
  return a->module == b->module && (self->by == FP_HEAP_BY_LIBRARY || a->function == b->function);
}

static gboolean
is_frame_of (gconstpointer owner,
             guint32 number,
             gconstpointer key)
{
  const Sum *self = owner;

  return is_same_place (self, &g_array_index (self->profile->frames, FpHeapFrame, g_array_index (self->frames, guint32, number)), key);
}

static guint32
hash_frame (const Sum *self,
            const FpHeapFrame *frame)
{
  return fp_heap_hash_two (frame->module, self->by == FP_HEAP_BY_LIBRARY ? 0 : frame->function);
}

static guint32
get_hash (gconstpointer owner,
          guint32 number)
{
  const Sum *self = owner;

  return hash_frame (self, &g_array_index (self->profile->frames, FpHeapFrame, g_array_index (self->frames, guint32, number)));
}

static guint32
find_or_add (Sum *self,
             guint32 frame)
{
  const FpHeapFrame *key = &g_array_index (self->profile->frames, FpHeapFrame, frame);
  const FpHeapPlace place = { 0 };
  guint32 hash = hash_frame (self, key), number, none = 0;

  if (fp_heap_index_find (&self->index, hash, is_frame_of, self, key, &number))
    return number;
  g_array_append_val (self->places, place);
  g_array_append_val (self->frames, frame);
  g_array_append_val (self->marks, none);
  fp_heap_index_add (&self->index, hash, self->places->len - 1, get_hash, self);
  return self->places->len - 1;
}

static FpHeapPlace *
get_place (const Sum *self,
           guint32 node)
{
  FpHeapPlace *place = &g_array_index (self->places, FpHeapPlace, self->of[g_array_index (self->profile->nodes, FpHeapNode, node).frame]);

  if (!place->node)
    place->node = node;
  return place;
}

static void
add_stack (Sum *self,
           const FpHeapStack *stack,
           guint32 mark,
           const guint8 *wrappers)
{
  fp_heap_stack_add (&get_place (self, fp_heap_find_place (self->profile, wrappers, stack->node))->own, stack);
  if (!stack->node)
    fp_heap_stack_add (&get_place (self, 0)->all, stack);
  for (guint32 node = stack->node; node; node = fp_heap_profile_get_parent (self->profile, node))
    {
      guint32 *last = &g_array_index (self->marks, guint32, self->of[g_array_index (self->profile->nodes, FpHeapNode, node).frame]);

      if (*last != mark)
        fp_heap_stack_add (&get_place (self, node)->all, stack);
      *last = mark;
    }
}

static GArray *
list_stacks (const GArray *stacks)
{
  GArray *places = g_array_sized_new (FALSE, FALSE, sizeof (FpHeapPlace), stacks->len);

  for (guint i = 0; i < stacks->len; i++)
    {
      const FpHeapStack *stack = &g_array_index (stacks, FpHeapStack, i);
      const FpHeapPlace place = { stack->node, *stack, *stack };

      g_array_append_val (places, place);
    }
  return places;
}

static void
sum_init (Sum *self,
          const FpHeapProfile *profile,
          FpHeapBy by)
{
  *self = (Sum){ .profile = profile, .by = by };
  self->places = g_array_new (FALSE, FALSE, sizeof (FpHeapPlace));
  self->frames = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->marks = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->of = g_new (guint32, profile->frames->len);
  fp_heap_index_init (&self->index);
  for (guint i = 0; i < profile->frames->len; i++)
    self->of[i] = find_or_add (self, i);
}

static GArray *
sum_take_places (Sum *self)
{
  g_array_unref (self->frames);
  g_array_unref (self->marks);
  g_free (self->of);
  fp_heap_index_clear (&self->index);
  return self->places;
}

/* stacks: the profile's, or as they were at some moment. Returns FpHeapPlace. */
GArray *
fp_heap_places_new (const FpHeapProfile *profile,
                    const GArray *stacks,
                    FpHeapBy by)
{
  g_autofree guint8 *wrappers = NULL;
  Sum self;

  if (by == FP_HEAP_BY_STACK)
    return list_stacks (stacks);
  wrappers = fp_heap_find_wrappers (profile);
  sum_init (&self, profile, by);
  for (guint i = 0; i < stacks->len; i++)
    add_stack (&self, &g_array_index (stacks, FpHeapStack, i), i + 1, wrappers);
  return sum_take_places (&self);
}

/* A byte for each node: whether the function is on the way to it. Free it. */
static guint8 *
find_ways (const Sum *self,
           guint32 function)
{
  guint8 *ways = g_new0 (guint8, MAX (self->profile->nodes->len, 1));

  for (guint32 node = 1; node < self->profile->nodes->len; node++)
    {
      const FpHeapNode *info = &g_array_index (self->profile->nodes, FpHeapNode, node);

      ways[node] = self->of[info->frame] == function || ways[info->parent];
    }
  return ways;
}

static void
add_neighbours (Sum *self,
                const FpHeapStack *stack,
                guint32 mark,
                guint32 function,
                FpHeapSide side)
{
  for (guint32 node = stack->node, callee = 0; node; callee = node, node = fp_heap_profile_get_parent (self->profile, node))
    {
      guint32 beside = side == FP_HEAP_CALLERS ? fp_heap_profile_get_parent (self->profile, node) : callee;
      guint32 frame = g_array_index (self->profile->nodes, FpHeapNode, beside).frame, *last;

      if (!beside || self->of[g_array_index (self->profile->nodes, FpHeapNode, node).frame] != function)
        continue;
      last = &g_array_index (self->marks, guint32, self->of[frame]);
      if (*last == mark)
        continue;
      *last = mark;
      fp_heap_stack_add (&get_place (self, beside)->own, stack);
      fp_heap_stack_add (&get_place (self, beside)->all, stack);
    }
}

/* Lists the functions that call a function, or that it calls, as FpHeapPlace: each with what is allocated on the paths where one
 * directly calls the other. node: one of the function */
GArray *
fp_heap_places_new_beside (const FpHeapProfile *profile,
                           const GArray *stacks,
                           guint32 node,
                           FpHeapSide side)
{
  g_autofree guint8 *ways = NULL;
  guint32 function;
  Sum self;

  sum_init (&self, profile, FP_HEAP_BY_FUNCTION);
  function = self.of[g_array_index (profile->nodes, FpHeapNode, node).frame];
  ways = find_ways (&self, function);
  for (guint i = 0; i < stacks->len; i++)
    if (ways[g_array_index (stacks, FpHeapStack, i).node])
      add_neighbours (&self, &g_array_index (stacks, FpHeapStack, i), i + 1, function, side);
  return sum_take_places (&self);
}

/* Equal ones stay in the order of their nodes, so that the same file gives the same list. */
static int
compare (gconstpointer a,
         gconstpointer b,
         gpointer data)
{
  const FpHeapPlace *x = a, *y = b;
  guint64 own_x = fp_heap_stack_get_cost (&x->own, *(FpHeapCost *)data), own_y = fp_heap_stack_get_cost (&y->own, *(FpHeapCost *)data);
  guint64 all_x = fp_heap_stack_get_cost (&x->all, *(FpHeapCost *)data), all_y = fp_heap_stack_get_cost (&y->all, *(FpHeapCost *)data);

  if (own_x != own_y)
    return own_x < own_y ? 1 : -1;
  if (all_x != all_y)
    return all_x < all_y ? 1 : -1;
  return (x->node > y->node) - (x->node < y->node);
}

void
fp_heap_places_sort (GArray *places,
                     FpHeapCost cost)
{
  g_array_sort_with_data (places, compare, &cost);
}
