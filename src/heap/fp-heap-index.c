// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-heap-index.h"

#define FIRST_SLOTS 64

void
fp_heap_index_init (FpHeapIndex *self)
{
  self->slots = g_new0 (guint32, FIRST_SLOTS);
  self->mask = FIRST_SLOTS - 1;
  self->n = 0;
}

void
fp_heap_index_clear (FpHeapIndex *self)
{
  g_clear_pointer (&self->slots, g_free);
}

gboolean
fp_heap_index_find (const FpHeapIndex *self,
                    guint32 hash,
                    FpHeapEqualFunc equal,
                    gconstpointer owner,
                    gconstpointer key,
                    guint32 *number)
{
  for (guint32 slot = hash & self->mask; self->slots[slot]; slot = (slot + 1) & self->mask)
    if (equal (owner, self->slots[slot] - 1, key))
      {
        *number = self->slots[slot] - 1;
        return TRUE;
      }
  return FALSE;
}

static void
put (FpHeapIndex *self,
     guint32 hash,
     guint32 number)
{
  guint32 slot = hash & self->mask;

  while (self->slots[slot])
    slot = (slot + 1) & self->mask;
  self->slots[slot] = number + 1;
}

static void
grow (FpHeapIndex *self,
      FpHeapHashFunc get_hash,
      gconstpointer owner)
{
  g_autofree guint32 *old = g_steal_pointer (&self->slots);
  guint32 n = self->mask + 1;

  self->mask = n * 2 - 1;
  self->slots = g_new0 (guint32, (gsize)n * 2);
  for (guint32 i = 0; i < n; i++)
    if (old[i])
      put (self, get_hash (owner, old[i] - 1), old[i] - 1);
}

/* The owner has the thing already, and it was not found. */
void
fp_heap_index_add (FpHeapIndex *self,
                   guint32 hash,
                   guint32 number,
                   FpHeapHashFunc get_hash,
                   gconstpointer owner)
{
  if (self->n + self->n / 2 > self->mask)
    grow (self, get_hash, owner);
  put (self, hash, number);
  self->n++;
}
