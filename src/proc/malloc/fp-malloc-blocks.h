// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-malloc-arenas.h"
#include "fp-malloc.h"

G_BEGIN_DECLS

/* Called with each block in use that may be the cache of a thread, by its size. */
typedef FpMallocAnswer (*FpMallocCacheFunc) (gpointer data, guint64 address);

/* One block after another, from the beginning of a heap to its end or to the top of its arena. Each says where the next one
 * begins, and that one whether it is in use. */
typedef struct
{
  FpMallocMemory *memory;
  FpMallocCacheFunc take_cache;
  gpointer data;
  FpMallocSizes *used_sizes;
  FpMallocSizes *free_sizes;

  /* The findings, over all heaps that were walked */
  guint64 free;
  guint64 top;
  guint64 returnable;
  gboolean is_cut;   /* the program moved the end of [heap] itself: what follows is not known */
  gboolean is_stale; /* the top is elsewhere by now */
  guint64 at;        /* where it has come to */
} FpMallocBlocks;

FpMallocAnswer fp_malloc_blocks_walk (FpMallocBlocks *self, guint64 start, guint64 end, guint64 top, gboolean is_main);

G_END_DECLS
