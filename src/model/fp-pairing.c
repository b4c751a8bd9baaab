// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-pairing.h"

void
fp_pairing_init (FpPairing *self,
                 gconstpointer before,
                 guint n_before,
                 gconstpointer after,
                 guint n_after)
{
  self->before = before;
  self->after = after;
  self->partners_before = g_new (guint32, n_before + 1);
  self->partners_after = g_new (guint32, n_after + 1);
  self->pairs = g_new0 (guint8, n_after + 1);
  memset (self->partners_before, 0xff, sizeof (guint32) * n_before);
  memset (self->partners_after, 0xff, sizeof (guint32) * n_after);
}

void
fp_pairing_clear (FpPairing *self)
{
  g_free (self->partners_before);
  g_free (self->partners_after);
  g_free (self->pairs);
}

void
fp_pairing_pair (FpPairing *self,
                 guint before,
                 guint after,
                 FpPair how)
{
  self->partners_before[before] = after;
  self->partners_after[after] = before;
  self->pairs[after] = (guint8)how;
}

/* Lists of places by name */
GHashTable *
fp_pairing_new_lists (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);
}

/* Takes over the name. */
void
fp_pairing_list (GHashTable *lists,
                 char *name,
                 guint place)
{
  GArray *list = g_hash_table_lookup (lists, name);

  if (list)
    g_free (name);
  else
    g_hash_table_insert (lists, name, list = g_array_new (FALSE, FALSE, sizeof (guint)));
  g_array_append_val (list, place);
}

/* Pairs the first of each name with the first, and so on, in the order of compare, which gets places and the list that they
 * are in. */
void
fp_pairing_pair_ranks (FpPairing *self,
                       GHashTable *before,
                       GHashTable *after,
                       GCompareDataFunc compare)
{
  GHashTableIter iter;
  gpointer name, members;

  g_hash_table_iter_init (&iter, after);
  while (g_hash_table_iter_next (&iter, &name, &members))
    {
      GArray *old = g_hash_table_lookup (before, name), *new = members;

      if (!old)
        continue;
      g_array_sort_with_data (old, compare, (gpointer)self->before);
      g_array_sort_with_data (new, compare, (gpointer)self->after);
      for (guint i = 0; i < MIN (old->len, new->len); i++)
        fp_pairing_pair (self, g_array_index (old, guint, i), g_array_index (new, guint, i), FP_PAIR_RANK);
    }
}
