// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-malloc.h"

FpMalloc *
fp_malloc_new (guint minor)
{
  FpMalloc *self = g_new0 (FpMalloc, 1);

  self->minor = minor;
  self->arenas = g_array_new (FALSE, FALSE, sizeof (FpMallocArena));
  return self;
}

void
fp_malloc_free (FpMalloc *self)
{
  g_array_unref (self->arenas);
  g_free (self);
}

/* With the large blocks */
guint64
fp_malloc_get_whole (const FpMalloc *self)
{
  return self->total.held + self->mapped;
}

/* Freed by the program, and not returned to the kernel */
guint64
fp_malloc_get_freed (const FpMalloc *self)
{
  return self->total.cached + self->total.fast + self->total.free + self->total.top;
}

void
fp_malloc_figures_add (FpMallocFigures *self,
                       const FpMallocFigures *figures)
{
  self->held += figures->held;
  self->used += figures->used;
  self->cached += figures->cached;
  self->fast += figures->fast;
  self->free += figures->free;
  self->top += figures->top;
  self->returnable += figures->returnable;
}

static guint
get_class (guint64 size)
{
  guint class = size > 1 ? 64 - (guint)__builtin_clzll (size - 1) : 0;

  return MIN (class, FP_MALLOC_N_SIZES - 1);
}

void
fp_malloc_sizes_add (FpMallocSizes *self,
                     guint64 size)
{
  guint class = get_class (size);

  self->n[class]++;
  self->bytes[class] += size;
}

/* A process that runs may have freed a block before it was counted, so that there is none to take away. */
void
fp_malloc_sizes_remove (FpMallocSizes *self,
                        const FpMallocSizes *sizes)
{
  for (guint i = 0; i < FP_MALLOC_N_SIZES; i++)
    {
      self->n[i] -= MIN (self->n[i], sizes->n[i]);
      self->bytes[i] -= MIN (self->bytes[i], sizes->bytes[i]);
    }
}
