// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Finds numbered things by what they are. The things themselves are in an array of the owner, 4 bytes each are here. */
typedef struct
{
  guint32 *slots; /* number + 1; 0: free */
  guint32 mask;
  guint32 n;
} FpHeapIndex;

typedef gboolean (*FpHeapEqualFunc) (gconstpointer owner, guint32 number, gconstpointer key);
typedef guint32 (*FpHeapHashFunc) (gconstpointer owner, guint32 number);

void fp_heap_index_init (FpHeapIndex *self);
void fp_heap_index_clear (FpHeapIndex *self);
gboolean fp_heap_index_find (
    const FpHeapIndex *self, guint32 hash, FpHeapEqualFunc equal, gconstpointer owner, gconstpointer key, guint32 *number);
void fp_heap_index_add (FpHeapIndex *self, guint32 hash, guint32 number, FpHeapHashFunc get_hash, gconstpointer owner);

static inline guint32
fp_heap_hash_two (guint64 a,
                  guint64 b)
{
  guint64 hash = (a ^ (b << 32 | b >> 32)) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  hash ^= hash >> 29;
  hash *= G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  return (guint32)(hash >> 32);
}

G_END_DECLS
