// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-malloc-caches.h"

#define MAX_STEPS (4u << 20) /* thousands of threads with full caches */
#define MAX_TRIES 8          /* of a cache that changes while its lists are followed */
#define MAX_SAME  2          /* of one that does not; it may have changed, and changed back */

/* The beginning of a cached block, from its head on */
typedef struct
{
  guint64 previous_size;
  guint64 size;
  guint64 next;
  guint64 key;
} Cached;

typedef struct
{
  guint64 address;
  guint64 head;
} Found;

/* The lists of one cache, as they are followed */
typedef struct
{
  FpMallocCaches *caches;
  guint64 address;
  guint64 key;     /* 0: not known yet */
  GArray *found;   /* of Found */
  guint64 missing; /* bytes that should be in lists, and are not */
  guint n_off;     /* lists that are one block longer or shorter than they should be */
  guint n_away;
  gboolean is_broken;
} Lists;

static void
lists_clear (Lists *self)
{
  g_clear_pointer (&self->found, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Lists, lists_clear)

static guint64
get_size (guint class)
{
  return FP_MALLOC_MIN_BLOCK + class * FP_MALLOC_ALIGNMENT;
}

/* A thread that puts a block into a list, or takes one out, changes the list first and then what it says of it. */
static gboolean
is_possible (const FpMallocCaches *self,
             const FpMallocCache *cache)
{
  gboolean has_any = FALSE;
  guint n_off = 0;

  for (guint i = 0; i < FP_MALLOC_CACHE_CLASSES; i++)
    {
      n_off += (cache->counts[i] == 0) != (cache->first[i] == 0);
      if (n_off > 1 || cache->counts[i] > self->arenas->parameters.cache_count || cache->first[i] % FP_MALLOC_ALIGNMENT != 0)
        return FALSE;
      has_any |= cache->first[i] != 0;
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

static FpMallocAnswer
take_cached (Lists *self,
             guint class,
             guint64 *at)
{
  Found found;
  Cached cached;
  FpMallocAnswer answer;

  if (*at <= FP_MALLOC_HEAD_SIZE || *at % FP_MALLOC_ALIGNMENT != 0)
    return FP_MALLOC_BROKEN;
  found.address = *at - FP_MALLOC_HEAD_SIZE;
  if ((answer = fp_malloc_memory_read (self->caches->memory, found.address, &cached, sizeof cached)) != FP_MALLOC_FINE)
    return answer;
  if (fp_malloc_get_size (cached.size) != get_size (class) || !has_key (self, cached.key))
    return FP_MALLOC_BROKEN;
  found.head = cached.size;
  g_array_append_val (self->found, found);
  *at = fp_malloc_layout_reveal (self->caches->layout, *at, cached.next);
  self->caches->n_steps++;
  return FP_MALLOC_FINE;
}

/* n: how many blocks should be in it. What is behind a block in swap is not known. */
static FpMallocAnswer
follow_list (Lists *self,
             guint class,
             guint n,
             guint64 at)
{
  guint n_found = 0;

  for (; at != 0 && n_found <= n && self->caches->n_steps < MAX_STEPS; n_found++)
    {
      FpMallocAnswer answer = take_cached (self, class, &at);

      if (answer == FP_MALLOC_AWAY)
        {
          self->n_away++;
          return FP_MALLOC_FINE;
        }
      if (answer == FP_MALLOC_STOPPED)
        return answer;
      if (answer == FP_MALLOC_BROKEN)
        break;
    }
  self->missing += get_size (class) * (n - MIN (n_found, n));
  if (at == 0 && n_found == n)
    return FP_MALLOC_FINE;
  self->is_broken |= at != 0 || n_found + 1 < n || self->n_off++ > 0;
  return FP_MALLOC_FINE;
}

static FpMallocAnswer
follow_lists (Lists *self,
              const FpMallocCache *cache)
{
  FpMallocAnswer answer = FP_MALLOC_FINE;

  self->found = g_array_new (FALSE, FALSE, sizeof (Found));
  for (guint i = 0; i < FP_MALLOC_CACHE_CLASSES && answer == FP_MALLOC_FINE; i++)
    answer = follow_list (self, i, cache->counts[i], cache->first[i]);
  return answer;
}

/* A block of another arena than the main one says so, and its heap says which. */
static FpMallocAnswer
find_arena (FpMallocCaches *self,
            const Found *found,
            guint *place)
{
  FpMallocHeap heap;
  FpMallocAnswer answer;

  *place = 0;
  if (!(found->head & FP_MALLOC_NOT_MAIN))
    return FP_MALLOC_FINE;
  answer = fp_malloc_memory_read (self->memory, found->address - found->address % FP_MALLOC_HEAP_SIZE, &heap, sizeof heap);
  if (answer != FP_MALLOC_FINE)
    return answer;
  *place = fp_malloc_arenas_find (self->arenas, heap.arena);
  return *place < self->arenas->states->len ? FP_MALLOC_FINE : FP_MALLOC_BROKEN;
}

static FpMallocAnswer
count (Lists *lists)
{
  FpMallocCaches *self = lists->caches;

  self->n++;
  self->key = lists->key;
  self->n_away += lists->n_away;
  for (guint i = 0; i < lists->found->len; i++)
    {
      const Found *found = &g_array_index (lists->found, Found, i);
      const guint64 size = fp_malloc_get_size (found->head);
      guint place;
      FpMallocAnswer answer = find_arena (self, found, &place);

      if (answer == FP_MALLOC_STOPPED)
        return answer;
      self->n_away += answer == FP_MALLOC_AWAY;
      if (answer != FP_MALLOC_FINE)
        continue;
      self->cached[place] += size;
      fp_malloc_sizes_add (self->sizes, size);
    }
  return FP_MALLOC_FINE;
}

typedef enum
{
  NO_CACHE,
  COUNTED,
  CHANGED, /* while it was read */
  SAME,    /* and no cache, as it seems */
} Finding;

/* is_last: what is found of a cache that changes all the time is better than nothing. */
static FpMallocAnswer
try_to_take (FpMallocCaches *self,
             guint64 address,
             gboolean is_last,
             Finding *finding)
{
  g_auto (Lists) lists = { .caches = self, .address = address, .key = self->key };
  FpMallocCache cache, now;
  FpMallocAnswer answer = fp_malloc_memory_read (self->memory, address, &cache, sizeof cache);
  gboolean is_candidate = answer == FP_MALLOC_FINE && is_possible (self, &cache), has_changed;

  *finding = NO_CACHE;
  if (is_candidate && (answer = follow_lists (&lists, &cache)) != FP_MALLOC_FINE)
    return answer;
  if (answer == FP_MALLOC_FINE)
    answer = fp_malloc_memory_read (self->memory, address, &now, sizeof now);
  if (answer != FP_MALLOC_FINE || (!is_candidate && !is_possible (self, &now)))
    return answer;
  has_changed = memcmp (&cache, &now, sizeof now) != 0;
  *finding = has_changed ? CHANGED : SAME;
  if (!is_candidate || (lists.is_broken && (!has_changed || !is_last || lists.found->len == 0)))
    return answer;
  *finding = COUNTED;
  self->has_changed |= has_changed;
  self->unsure += lists.is_broken ? lists.missing : 0;
  return count (&lists);
}

/* A block in use that is no cache is nothing to complain about. */
FpMallocAnswer
fp_malloc_caches_take (gpointer data,
                       guint64 address)
{
  FpMallocCaches *self = data;
  guint n_same = 0;

  for (guint i = 1; i <= MAX_TRIES && n_same < MAX_SAME; i++)
    {
      Finding finding;
      FpMallocAnswer answer = try_to_take (self, address, i == MAX_TRIES, &finding);

      if (answer == FP_MALLOC_STOPPED)
        return answer;
      self->n_away += answer == FP_MALLOC_AWAY;
      if (answer != FP_MALLOC_FINE || finding == NO_CACHE || finding == COUNTED)
        break;
      n_same += finding == SAME;
    }
  return FP_MALLOC_FINE;
}
