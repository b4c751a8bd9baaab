// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-heap-index.h"
#include "fp-heap-pointers.h"

#define FIRST_SLOTS 1024

void
fp_heap_pointers_init (FpHeapPointers *self)
{
  *self = (FpHeapPointers){ g_new0 (FpHeapBlock, FIRST_SLOTS), FIRST_SLOTS - 1, 0 };
}

void
fp_heap_pointers_clear (FpHeapPointers *self)
{
  g_clear_pointer (&self->slots, g_free);
}

static gsize
get_home (const FpHeapPointers *self,
          guint64 address)
{
  return fp_heap_hash_two (address, 0) & self->mask;
}

static void
put (FpHeapPointers *self,
     const FpHeapBlock *block)
{
  gsize slot = get_home (self, block->address);

  while (self->slots[slot].address)
    slot = (slot + 1) & self->mask;
  self->slots[slot] = *block;
}

static void
grow (FpHeapPointers *self)
{
  g_autofree FpHeapBlock *old = g_steal_pointer (&self->slots);
  gsize n = self->mask + 1;

  self->mask = n * 2 - 1;
  self->slots = g_new0 (FpHeapBlock, n * 2);
  for (gsize i = 0; i < n; i++)
    if (old[i].address)
      put (self, &old[i]);
}

/* Closes the gap, so that every block is found on an unbroken run from its home. */
static void
close_gap (FpHeapPointers *self,
           gsize gap)
{
  for (gsize slot = (gap + 1) & self->mask; self->slots[slot].address; slot = (slot + 1) & self->mask)
    {
      gsize distance = (slot - get_home (self, self->slots[slot].address)) & self->mask;

      if (distance >= ((slot - gap) & self->mask))
        {
          self->slots[gap] = self->slots[slot];
          gap = slot;
        }
    }
  self->slots[gap].address = 0;
}

/* Finds a block and removes it. */
gboolean
fp_heap_pointers_take (FpHeapPointers *self,
                       guint64 address,
                       FpHeapBlock *block)
{
  for (gsize slot = get_home (self, address); self->slots[slot].address; slot = (slot + 1) & self->mask)
    if (self->slots[slot].address == address)
      {
        *block = self->slots[slot];
        close_gap (self, slot);
        self->n--;
        return TRUE;
      }
  return FALSE;
}

/* block: its address is not 0, and no block that is in use has it */
void
fp_heap_pointers_add (FpHeapPointers *self,
                      const FpHeapBlock *block)
{
  if (self->n + self->n / 2 > self->mask)
    grow (self);
  put (self, block);
  self->n++;
}
