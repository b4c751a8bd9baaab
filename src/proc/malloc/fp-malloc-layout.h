// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define FP_MALLOC_ALIGNMENT     16
#define FP_MALLOC_MIN_BLOCK     32
#define FP_MALLOC_N_BINS        128
#define FP_MALLOC_N_FAST        10
#define FP_MALLOC_HEAP_SIZE     (G_GUINT64_CONSTANT (64) << 20) /* and alignment, of the heaps of threads */
#define FP_MALLOC_CACHE_CLASSES 64

/* Bits in the size of a block */
#define FP_MALLOC_PREVIOUS_USED 1
#define FP_MALLOC_MAPPED        2
#define FP_MALLOC_NOT_MAIN      4
#define FP_MALLOC_FLAGS         7

/* The head of a block (malloc_chunk), and the links that a free one has behind it. */
typedef struct
{
  guint64 previous_size; /* belongs to the block before while that is in use */
  guint64 size;          /* with the bits above */
  guint64 next;
  guint64 previous;
} FpMallocBlock;

#define FP_MALLOC_HEAD_SIZE G_STRUCT_OFFSET (FpMallocBlock, next)

/* malloc_state: an arena. Each bin is a ring of free blocks whose head has its links where those of a block are. */
typedef struct
{
  gint32 mutex;
  gint32 flags;
  gint32 has_fast;
  gint32 padding;
  guint64 fast[FP_MALLOC_N_FAST];
  guint64 top;
  guint64 last_remainder;
  guint64 bins[2 * (FP_MALLOC_N_BINS - 1)];
  guint32 map[4];
  guint64 next;
  guint64 next_free;
  guint64 n_threads;
  guint64 held;
  guint64 max_held;
} FpMallocState;

#define FP_MALLOC_NONCONTIGUOUS 2

/* heap_info, as far as all versions have it: the beginning of each heap of an arena that is not the main one */
typedef struct
{
  guint64 arena;
  guint64 previous;
  guint64 size;
} FpMallocHeap;

/* tcache_perthread_struct: blocks that one thread has freed, in a list for each size */
typedef struct
{
  guint16 counts[FP_MALLOC_CACHE_CLASSES];
  guint64 first[FP_MALLOC_CACHE_CLASSES];
} FpMallocCache;

/* malloc_par, wherever a version has it */
typedef struct
{
  guint n_mapped;
  guint64 mapped;
  guint64 max_mapped;
  guint64 base; /* of [heap] */
  guint64 cache_classes;
  guint64 cache_max; /* bytes of a block */
  guint64 cache_count;
  guint64 huge_page; /* 0: heaps have their usual size */
} FpMallocParameters;

#define FP_MALLOC_MAX_PARAMETERS 136

/* The differences between versions of glibc. Only 64 bits are known. */
typedef struct
{
  guint minor;             /* of 2.36 */
  gboolean protects_links; /* of single lists, with their address */
  gboolean has_random_key; /* of cached blocks; before, it was the address of the cache */
  gsize heap_info_size;
  gsize parameters_size;
} FpMallocLayout;

guint fp_malloc_layout_find_version (const char *text, gsize length);
gboolean fp_malloc_layout_init (FpMallocLayout *self, guint minor);
void fp_malloc_layout_get_parameters (const FpMallocLayout *self, const guint8 *bytes, FpMallocParameters *parameters);
guint64 fp_malloc_layout_reveal (const FpMallocLayout *self, guint64 address, guint64 link);

static inline guint64
fp_malloc_get_size (guint64 size)
{
  return size & ~(guint64)FP_MALLOC_FLAGS;
}

G_END_DECLS
