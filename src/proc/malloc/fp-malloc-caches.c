// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-malloc-caches.h"

#define MAX_STEPS (4u << 20) /* thousands of threads with full caches */

/* The beginning of a cached block, from its head on */
typedef struct
{
  guint64 previous_size;
  guint64 size;
  guint64 next;
  guint64 key;
} Cached;

/* The lists of one cache, as they are followed: first to believe them, then to count them */
typedef struct
{
  FpMallocCaches *caches;
  guint64 address;
  guint64 key; /* 0: not known yet */
  gboolean counts;
} Lists;

static guint64
get_size (guint class)
{
  return FP_MALLOC_MIN_BLOCK + class * FP_MALLOC_ALIGNMENT;
}

static gboolean
is_possible (const FpMallocCaches *self,
             const FpMallocCache *cache)
{
  gboolean has_any = FALSE;

  for (guint i = 0; i < FP_MALLOC_CACHE_CLASSES; i++)
    {
      if ((cache->counts[i] == 0) != (cache->first[i] == 0) || cache->counts[i] > self->arenas->parameters.cache_count ||
          cache->first[i] % FP_MALLOC_ALIGNMENT != 0)
        return FALSE;
      has_any |= cache->counts[i] > 0;
    }
  return has_any;
}

static gboolean
has_key (Lists *self,
         guint64 key)
{
  if (!self->caches->layout->has_random_key)
    return key == self->address;
  if (self->key == 0)
    self->key = key;
  return key != 0 && key == self->key;
}

/* A block of another arena than the main one says so, and its heap says which. */
static FpMallocAnswer
count (FpMallocCaches *self,
       guint64 block,
       guint64 head)
{
  const guint64 size = fp_malloc_get_size (head);
  guint place = 0;
  FpMallocHeap heap;

  if (head & FP_MALLOC_NOT_MAIN)
    {
      FpMallocAnswer answer = fp_malloc_memory_read (self->memory, block - block % FP_MALLOC_HEAP_SIZE, &heap, sizeof heap);

      if (answer != FP_MALLOC_FINE)
        return answer;
      place = fp_malloc_arenas_find (self->arenas, heap.arena);
      if (place == self->arenas->states->len)
        return FP_MALLOC_BROKEN;
    }
  self->cached[place] += size;
  fp_malloc_sizes_add (self->sizes, size);
  return FP_MALLOC_FINE;
}

static FpMallocAnswer
follow_list (Lists *self,
             guint class,
             guint n,
             guint64 at)
{
  for (; n > 0 && self->caches->n_steps < MAX_STEPS; n--)
    {
      Cached cached;
      FpMallocAnswer answer = at > FP_MALLOC_HEAD_SIZE && at % FP_MALLOC_ALIGNMENT == 0
                                  ? fp_malloc_memory_read (self->caches->memory, at - FP_MALLOC_HEAD_SIZE, &cached, sizeof cached)
                                  : FP_MALLOC_BROKEN;

      if (answer == FP_MALLOC_AWAY)
        {
          self->caches->n_away += self->counts;
          return FP_MALLOC_FINE;
        }
      if (answer != FP_MALLOC_FINE)
        return answer;
      if (fp_malloc_get_size (cached.size) != get_size (class) || !has_key (self, cached.key))
        return FP_MALLOC_BROKEN;
      if (self->counts && (answer = count (self->caches, at - FP_MALLOC_HEAD_SIZE, cached.size)) != FP_MALLOC_FINE)
        return answer;
      at = fp_malloc_layout_reveal (self->caches->layout, at, cached.next);
      self->caches->n_steps++;
    }
  return at == 0 ? FP_MALLOC_FINE : FP_MALLOC_BROKEN;
}

static FpMallocAnswer
follow_lists (Lists *self,
              const FpMallocCache *cache)
{
  FpMallocAnswer answer = FP_MALLOC_FINE;

  for (guint i = 0; i < FP_MALLOC_CACHE_CLASSES && answer == FP_MALLOC_FINE; i++)
    answer = follow_list (self, i, cache->counts[i], cache->first[i]);
  return answer;
}

/* A block in use that is no cache is nothing to complain about. */
static FpMallocAnswer
forgive (FpMallocAnswer answer)
{
  return answer == FP_MALLOC_BROKEN ? FP_MALLOC_FINE : answer;
}

FpMallocAnswer
fp_malloc_caches_take (gpointer data,
                       guint64 address)
{
  FpMallocCaches *self = data;
  Lists lists = { self, address, self->key, FALSE };
  FpMallocCache cache;
  FpMallocAnswer answer = fp_malloc_memory_read (self->memory, address, &cache, sizeof cache);

  if (answer == FP_MALLOC_AWAY)
    {
      self->n_away++;
      return FP_MALLOC_FINE;
    }
  if (answer != FP_MALLOC_FINE || !is_possible (self, &cache))
    return forgive (answer);
  if ((answer = follow_lists (&lists, &cache)) != FP_MALLOC_FINE)
    return forgive (answer);
  lists.counts = TRUE;
  self->key = lists.key;
  self->n++;
  return forgive (follow_lists (&lists, &cache));
}
