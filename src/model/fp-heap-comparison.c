// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-heap-comparison.h"
#include "fp-heap-words.h"

static void
pair_clear (gpointer data)
{
  FpHeapPair *self = data;

  g_free (self->function);
  g_free (self->library);
}

/* Other builds have the same names in other places, so that libraries are known by the names of their files. */
static FpHeapPair *
find_or_add (GArray *pairs,
             GHashTable *places,
             const FpHeapProfile *profile,
             guint32 node,
             FpHeapBy by)
{
  FpHeapPair pair = {
    .function = by == FP_HEAP_BY_FUNCTION ? fp_heap_name_function (profile, node) : NULL,
    .library = fp_heap_name_library (profile, node),
  };
  g_autofree char *key = g_strdup_printf ("%s\n%s", pair.function ? pair.function : "", pair.library);
  gpointer place;

  if (g_hash_table_lookup_extended (places, key, NULL, &place))
    pair_clear (&pair);
  else
    {
      place = GUINT_TO_POINTER (pairs->len);
      g_hash_table_insert (places, g_steal_pointer (&key), place);
      g_array_append_val (pairs, pair);
    }
  return &g_array_index (pairs, FpHeapPair, GPOINTER_TO_UINT (place));
}

static guint64
get_change (const FpHeapPair *self)
{
  return MAX (self->before, self->after) - MIN (self->before, self->after);
}

/* The largest change first, whichever way it went */
static int
compare (gconstpointer a,
         gconstpointer b)
{
  const FpHeapPair *x = a, *y = b;
  guint64 of_x = get_change (x), of_y = get_change (y);
  int order;

  if (of_x != of_y)
    return of_x < of_y ? 1 : -1;
  order = g_strcmp0 (x->function, y->function);
  return order != 0 ? order : g_strcmp0 (x->library, y->library);
}

/* Pairs the functions or the libraries of two profiles by their names. Returns FpHeapPair of those that have changed. */
GArray *
fp_heap_compare (const FpHeapProfile *before,
                 const FpHeapProfile *after,
                 FpHeapBy by,
                 FpHeapCost cost)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray) old = fp_heap_places_new (before, before->stacks, by), new = fp_heap_places_new (after, after->stacks, by);
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (FpHeapPair));

  g_array_set_clear_func (pairs, pair_clear);
  for (guint i = 0; i < old->len; i++)
    {
      const FpHeapPlace *place = &g_array_index (old, FpHeapPlace, i);

      find_or_add (pairs, known, before, place->node, by)->before += fp_heap_stack_get_cost (&place->own, cost);
    }
  for (guint i = 0; i < new->len; i++)
    {
      const FpHeapPlace *place = &g_array_index (new, FpHeapPlace, i);

      find_or_add (pairs, known, after, place->node, by)->after += fp_heap_stack_get_cost (&place->own, cost);
    }
  g_array_sort (pairs, compare);
  for (guint n = pairs->len; n > 0 && get_change (&g_array_index (pairs, FpHeapPair, n - 1)) == 0; n--)
    g_array_set_size (pairs, n - 1);
  return pairs;
}
