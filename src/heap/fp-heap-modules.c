// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-heap-modules.h"

void
fp_heap_modules_init (FpHeapModules *self)
{
  self->segments = g_array_new (FALSE, FALSE, sizeof (FpHeapSegment));
  self->is_sorted = TRUE;
}

void
fp_heap_modules_clear (FpHeapModules *self)
{
  g_clear_pointer (&self->segments, g_array_unref);
}

void
fp_heap_modules_forget (FpHeapModules *self)
{
  g_array_set_size (self->segments, 0);
}

void
fp_heap_modules_add (FpHeapModules *self,
                     const FpHeapSegment *segment)
{
  g_array_append_val (self->segments, *segment);
  self->is_sorted = FALSE;
}

static int
compare (gconstpointer a,
         gconstpointer b)
{
  guint64 x = ((const FpHeapSegment *)a)->begin, y = ((const FpHeapSegment *)b)->begin;

  return (x > y) - (x < y);
}

/* (nullable) */
const FpHeapSegment *
fp_heap_modules_find (FpHeapModules *self,
                      guint64 address)
{
  guint low = 0, high = self->segments->len;

  if (!self->is_sorted)
    g_array_sort (self->segments, compare);
  self->is_sorted = TRUE;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const FpHeapSegment *segment = &g_array_index (self->segments, FpHeapSegment, middle);

      if (address < segment->begin)
        high = middle;
      else if (address >= segment->end)
        low = middle + 1;
      else
        return segment;
    }
  return NULL;
}
