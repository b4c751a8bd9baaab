// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* In bytes. All but the last come to what is held. */
typedef struct
{
  guint64 held;       /* has been taken from the kernel for small and middle-sized blocks */
  guint64 used;       /* blocks in use, with what malloc () needs beside them; mallinfo2 () counts the cached ones to these */
  guint64 cached;     /* freed, and kept for the thread that freed them (tcache) */
  guint64 fast;       /* freed, and kept as they are for the next of their size (fastbins) */
  guint64 free;       /* freed, between blocks in use */
  guint64 top;        /* at the end of each arena */
  guint64 returnable; /* whole pages of the last two that are in memory, and that nothing uses */
} FpMallocFigures;

/* Blocks up to a power of two each, with their heads of 8 bytes */
#define FP_MALLOC_N_SIZES 48

typedef struct
{
  guint64 n[FP_MALLOC_N_SIZES];
  guint64 bytes[FP_MALLOC_N_SIZES];
} FpMallocSizes;

typedef struct
{
  guint64 address; /* of the arena itself; the first one is the main arena, whose blocks are in [heap] */
  guint n_heaps;
  FpMallocFigures figures;
} FpMallocArena;

/* The heap that glibc's malloc () has in one process */
typedef struct
{
  guint minor; /* of version 2.36 */
  FpMallocFigures total;
  guint64 used_least; /* the same as in the total, unless the process changed it meanwhile */
  guint64 used_most;
  guint n_mapped; /* large blocks with a mapping each, beside the arenas */
  guint64 mapped;
  guint n_caches;       /* of threads */
  gboolean is_changing; /* the process changed it while it was read */
  gboolean is_partial;  /* parts are in swap: more of what counts as used may be free */
  gboolean is_cut;      /* the program took memory of its own between: blocks behind that have no sizes */
  FpMallocSizes used_sizes;
  FpMallocSizes free_sizes;
  GArray *arenas; /* FpMallocArena */
} FpMalloc;

FpMalloc *fp_malloc_new (guint minor);
void fp_malloc_free (FpMalloc *self);
guint64 fp_malloc_get_whole (const FpMalloc *self);
guint64 fp_malloc_get_freed (const FpMalloc *self);
void fp_malloc_figures_add (FpMallocFigures *self, const FpMallocFigures *figures);
void fp_malloc_sizes_add (FpMallocSizes *self, guint64 size);
void fp_malloc_sizes_remove (FpMallocSizes *self, const FpMallocSizes *sizes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpMalloc, fp_malloc_free)

G_END_DECLS
