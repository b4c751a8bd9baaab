// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-heap-builder.h"
#include "fp-heap-comparison.h"

/* The paths of both, first those of the later profile, which keep their numbers. */
typedef struct
{
  FpHeapBuilder builder;
  GHashTable *modules; /* name of the file → number of the text */
  GHashTable *places;  /* function and module → a frame of it */
} Join;

static void
join_clear (Join *self)
{
  fp_heap_builder_clear (&self->builder);
  g_clear_pointer (&self->modules, g_hash_table_unref);
  g_clear_pointer (&self->places, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Join, join_clear)

static guint32
add_text (Join *self,
          const FpHeapProfile *profile,
          guint32 number)
{
  const char *text = fp_heap_profile_get_text (profile, number);

  return fp_heap_builder_add_text (&self->builder, text, strlen (text));
}

/* Lists the common text of each text. A module of the later profile stands for those of its name elsewhere. Free it. */
static guint32 *
add_modules (Join *self,
             const FpHeapProfile *profile)
{
  guint32 *modules = g_new0 (guint32, MAX (profile->texts.offsets->len, 1));

  for (guint32 i = 1; i < profile->frames->len; i++)
    {
      guint32 module = g_array_index (profile->frames, FpHeapFrame, i).module;
      g_autofree char *name = NULL;
      gpointer known;

      if (!module || modules[module])
        continue;
      name = g_path_get_basename (fp_heap_profile_get_text (profile, module));
      if (!g_hash_table_lookup_extended (self->modules, name, NULL, &known))
        {
          known = GUINT_TO_POINTER (add_text (self, profile, module));
          g_hash_table_insert (self->modules, g_steal_pointer (&name), known);
        }
      modules[module] = GPOINTER_TO_UINT (known);
    }
  return modules;
}

/* Lists the common frame of each frame. Those of one function and module are one. Free it. */
static guint32 *
add_frames (Join *self,
            const FpHeapProfile *profile)
{
  g_autofree guint32 *modules = add_modules (self, profile);
  guint32 *frames = g_new0 (guint32, MAX (profile->frames->len, 1));

  for (guint32 i = 1; i < profile->frames->len; i++)
    {
      FpHeapFrame frame = g_array_index (profile->frames, FpHeapFrame, i);
      g_autofree gint64 *place = g_new (gint64, 1);
      gpointer known;

      frame.function = add_text (self, profile, frame.function);
      frame.module = modules[frame.module];
      *place = (gint64)((guint64)frame.function << 32 | frame.module);
      if (!g_hash_table_lookup_extended (self->places, place, NULL, &known))
        {
          frame.file = add_text (self, profile, frame.file);
          known = GUINT_TO_POINTER (fp_heap_builder_add_frame (&self->builder, &frame));
          g_hash_table_insert (self->places, g_steal_pointer (&place), known);
        }
      frames[i] = GPOINTER_TO_UINT (known);
    }
  return frames;
}

/* Lists the common node of each node. Free it. */
static guint32 *
add_nodes (Join *self,
           const FpHeapProfile *profile)
{
  g_autofree guint32 *frames = add_frames (self, profile);
  guint32 *nodes = g_new0 (guint32, MAX (profile->nodes->len, 1));

  for (guint32 i = 1; i < profile->nodes->len; i++)
    {
      const FpHeapNode *node = &g_array_index (profile->nodes, FpHeapNode, i);

      nodes[i] = fp_heap_builder_add_node (&self->builder, frames[node->frame], nodes[node->parent]);
    }
  return nodes;
}

/* Stacks of one path with other lines, or other addresses, are one. */
static void
add_stacks (Join *self,
            const FpHeapProfile *profile,
            GArray *stacks)
{
  g_autofree guint32 *nodes = add_nodes (self, profile);

  for (guint32 i = 0; i < profile->stacks->len; i++)
    {
      const FpHeapStack *stack = fp_heap_profile_get_stack (profile, i);
      guint32 number = fp_heap_builder_add_stack (&self->builder, nodes[stack->node]);

      if (number >= stacks->len)
        g_array_set_size (stacks, number + 1);
      fp_heap_stack_add (&g_array_index (stacks, FpHeapStack, number), stack);
    }
}

/* Texts keep their numbers, by which lists know their rows. */
static void
add_texts (Join *self,
           const FpHeapProfile *profile)
{
  for (guint32 i = 0; i < profile->texts.offsets->len; i++)
    add_text (self, profile, i);
}

static void
finish_stacks (const Join *self,
               GArray *stacks)
{
  const GArray *counters = self->builder.counters;

  g_array_set_size (stacks, counters->len);
  for (guint32 i = 0; i < stacks->len; i++)
    g_array_index (stacks, FpHeapStack, i).node = g_array_index (counters, FpHeapCounter, i).node;
}

/* Any thread may call it. */
void
fp_heap_comparison_init (FpHeapComparison *self,
                         const FpHeapProfile *before,
                         const FpHeapProfile *after)
{
  g_auto (Join) join = {
    .modules = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
  };

  *self = (FpHeapComparison){ .known = before->known & after->known };
  self->before = g_array_new (FALSE, TRUE, sizeof (FpHeapStack));
  self->after = g_array_new (FALSE, TRUE, sizeof (FpHeapStack));
  fp_heap_builder_init (&join.builder);
  add_texts (&join, after);
  add_stacks (&join, after, self->after);
  add_stacks (&join, before, self->before);
  finish_stacks (&join, self->before);
  finish_stacks (&join, self->after);
  self->profile = fp_heap_builder_take_profile (&join.builder);
}

void
fp_heap_comparison_clear (FpHeapComparison *self)
{
  g_clear_pointer (&self->profile, fp_heap_profile_unref);
  g_clear_pointer (&self->before, g_array_unref);
  g_clear_pointer (&self->after, g_array_unref);
}

static guint64
get_change (const FpHeapPair *self)
{
  return MAX (self->before, self->after) - MIN (self->before, self->after);
}

/* The largest change comes first, whichever way it went; equal ones go by their names. */
static int
compare (gconstpointer a,
         gconstpointer b,
         gpointer data)
{
  const FpHeapProfile *profile = data;
  const FpHeapPair *x = a, *y = b;
  const FpHeapFrame *of_x = fp_heap_profile_get_frame (profile, x->node), *of_y = fp_heap_profile_get_frame (profile, y->node);
  guint64 change_x = get_change (x), change_y = get_change (y);
  int order;

  if (change_x != change_y)
    return change_x < change_y ? 1 : -1;
  order = strcmp (fp_heap_profile_get_text (profile, of_x->function), fp_heap_profile_get_text (profile, of_y->function));
  return order != 0 ? order : strcmp (fp_heap_profile_get_text (profile, of_x->module), fp_heap_profile_get_text (profile, of_y->module));
}

/* Lists the functions or the libraries whose own cost has changed, as FpHeapPair. before, after: of the same paths in the same
 * order; by: FP_HEAP_BY_FUNCTION or FP_HEAP_BY_LIBRARY */
GArray *
fp_heap_pairs_new (const FpHeapProfile *profile,
                   const GArray *before,
                   const GArray *after,
                   FpHeapBy by,
                   FpHeapCost cost)
{
  g_autoptr (GArray) old = fp_heap_places_new (profile, before, by), new = fp_heap_places_new (profile, after, by);
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (FpHeapPair));

  for (guint i = 0; i < new->len; i++)
    {
      const FpHeapPlace *was = &g_array_index (old, FpHeapPlace, i), *is = &g_array_index (new, FpHeapPlace, i);
      const FpHeapPair pair = {
        is->node ? is->node : was->node,
        fp_heap_stack_get_cost (&was->own, cost),
        fp_heap_stack_get_cost (&is->own, cost),
      };

      if (pair.before != pair.after)
        g_array_append_val (pairs, pair);
    }
  g_array_sort_with_data (pairs, compare, (gpointer)profile);
  return pairs;
}
