// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-malloc-bins.h"
#include "fp-malloc-blocks.h"
#include "fp-malloc-caches.h"
#include "fp-malloc-walk.h"

#define MAX_TURNS   8
#define MAX_DAMAGED 3              /* of them in which the same is wrong and nothing changes */
#define PATIENCE_US G_USEC_PER_SEC /* after which a large heap that changes is not read again */

/* One reading of all arenas, which the process may change meanwhile */
typedef struct
{
  FpMallocMemory *memory;
  const FpMallocPlaces *places;
  FpMallocArenas arenas;
  FpMalloc *result;
  guint64 *cached; /* by arena */
  FpMallocCaches caches;
  FpMallocSizes freed;     /* that look like blocks in use */
  FpMallocProblem problem; /* of a turn that is not fine */
  guint64 broken_at;       /* 0: sums do not agree */
  gboolean has_changed;
} Turn;

static void
turn_clear (Turn *self)
{
  fp_malloc_arenas_clear (&self->arenas);
  g_clear_pointer (&self->result, fp_malloc_free);
  g_clear_pointer (&self->cached, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Turn, turn_clear)

static FpMallocBlocks
begin_blocks (Turn *self)
{
  return (FpMallocBlocks){
    .memory = self->memory,
    .take_cache = fp_malloc_caches_take,
    .data = &self->caches,
    .used_sizes = &self->result->used_sizes,
    .free_sizes = &self->result->free_sizes,
  };
}

/* Swap hides what is behind it, and the rest goes on. */
static FpMallocAnswer
note_away (Turn *self,
           FpMallocAnswer answer)
{
  if (answer != FP_MALLOC_AWAY)
    return answer;
  self->result->is_partial = TRUE;
  return FP_MALLOC_FINE;
}

/* [heap] ends where what the arena holds does, unless it had to go on elsewhere. */
static FpMallocAnswer
walk_main (Turn *self,
           const FpMallocState *state,
           FpMallocBlocks *blocks)
{
  guint64 base = self->arenas.parameters.base, start = (base + FP_MALLOC_ALIGNMENT - 1) & ~(guint64)(FP_MALLOC_ALIGNMENT - 1);
  gboolean is_elsewhere = (state->flags & FP_MALLOC_NONCONTIGUOUS) != 0 || base == 0;
  FpMallocAnswer answer;

  if (state->held == 0)
    return FP_MALLOC_FINE;
  if (is_elsewhere)
    {
      blocks->is_cut = TRUE;
      return FP_MALLOC_FINE;
    }
  answer = fp_malloc_blocks_walk (blocks, start, base + state->held, state->top, TRUE);
  self->broken_at = blocks->at;
  return note_away (self, answer);
}

static guint64
get_first_block (const Turn *self,
                 const FpMallocArenaState *arena,
                 guint64 heap)
{
  guint64 at = heap + self->places->layout.heap_info_size;

  if (at == arena->address)
    at = (at + sizeof arena->state + FP_MALLOC_ALIGNMENT - 1) & ~(guint64)(FP_MALLOC_ALIGNMENT - 1);
  return at;
}

/* The first one of an arena has none before it. */
static gboolean
is_heap (const Turn *self,
         const FpMallocArenaState *arena,
         guint64 base,
         const FpMallocHeap *heap)
{
  gboolean is_first = base == arena->address - self->places->layout.heap_info_size;

  return heap->arena == arena->address && heap->size > 0 && heap->size <= FP_MALLOC_HEAP_SIZE &&
         heap->size % self->memory->page_size == 0 && heap->previous % FP_MALLOC_HEAP_SIZE == 0 &&
         (heap->previous == 0) == is_first;
}

/* From the newest heap, which has the top, back to the one at whose beginning the arena is. All together are what the arena
 * holds, which ends a chain that never would. */
static FpMallocAnswer
walk_heaps (Turn *self,
            const FpMallocArenaState *arena,
            FpMallocBlocks *blocks,
            guint *n_heaps)
{
  guint64 base = arena->state.top - arena->state.top % FP_MALLOC_HEAP_SIZE, held = 0;

  for (guint64 top = arena->state.top; base != 0; top = 0)
    {
      FpMallocHeap heap;
      FpMallocAnswer answer = fp_malloc_memory_read (self->memory, base, &heap, sizeof heap);

      self->broken_at = base;
      if (answer != FP_MALLOC_FINE)
        return note_away (self, answer);
      if (!is_heap (self, arena, base, &heap) || heap.size > arena->state.held - held)
        return FP_MALLOC_BROKEN;
      held += heap.size;
      *n_heaps += 1;
      answer = fp_malloc_blocks_walk (blocks, get_first_block (self, arena, base), base + heap.size, top, FALSE);
      self->broken_at = blocks->at;
      if ((answer = note_away (self, answer)) != FP_MALLOC_FINE)
        return answer;
      base = heap.previous;
    }
  self->broken_at = 0;
  return held == arena->state.held ? FP_MALLOC_FINE : FP_MALLOC_BROKEN;
}

/* Where the walk did not come to it */
static FpMallocAnswer
read_top (Turn *self,
          const FpMallocState *state,
          guint64 *top)
{
  FpMallocBlock block;
  FpMallocAnswer answer = fp_malloc_memory_read (self->memory, state->top, &block, FP_MALLOC_HEAD_SIZE);

  if (answer != FP_MALLOC_FINE)
    return note_away (self, answer);
  *top = fp_malloc_get_size (block.size);
  return *top <= state->held ? FP_MALLOC_FINE : FP_MALLOC_BROKEN;
}

static FpMallocAnswer
count_lists (Turn *self,
             const FpMallocArenaState *arena,
             FpMallocFigures *figures)
{
  gboolean *is_partial = &self->result->is_partial;
  FpMallocAnswer answer = fp_malloc_fast_count (self->memory, &self->places->layout, arena, &self->freed, &figures->fast,
                                                is_partial, &self->broken_at);

  return answer == FP_MALLOC_FINE
             ? fp_malloc_bins_count (self->memory, arena, &figures->free, is_partial, &self->broken_at)
             : answer;
}

/* A thread that has the lock is in the middle of a change. */
static FpMallocAnswer
check_arena (Turn *self,
             const FpMallocArenaState *arena,
             gboolean *has_changed)
{
  FpMallocState now;
  FpMallocAnswer answer = fp_malloc_memory_read (self->memory, arena->address, &now, sizeof now);

  *has_changed = answer != FP_MALLOC_FINE || now.mutex != 0 || memcmp (&now, &arena->state, sizeof now) != 0;
  self->has_changed |= *has_changed;
  return answer == FP_MALLOC_STOPPED ? answer : FP_MALLOC_FINE;
}

/* Free blocks come to the same by their lists and one after another; parts that are away may be in one and not in the
 * other. */
static FpMallocAnswer
compare (Turn *self,
         const FpMallocBlocks *blocks,
         FpMallocFigures *figures)
{
  if (self->result->is_partial)
    figures->free = MAX (figures->free, blocks->free);
  else if (!blocks->is_cut && (blocks->is_stale || blocks->free != figures->free))
    {
      self->broken_at = 0;
      return FP_MALLOC_BROKEN;
    }
  return FP_MALLOC_FINE;
}

/* Where the arena changes, its blocks are believed, which were read one after another, and not its lists. */
static FpMallocAnswer
take_arena (Turn *self,
            const FpMallocArenaState *arena,
            const FpMallocBlocks *blocks,
            FpMallocFigures *figures)
{
  FpMallocAnswer answer = count_lists (self, arena, figures), check;
  gboolean has_changed;

  figures->held = arena->state.held;
  figures->returnable = blocks->returnable;
  figures->top = blocks->top;
  self->result->is_cut |= blocks->is_cut;
  if (answer == FP_MALLOC_FINE && figures->top == 0 && arena->state.held > 0)
    answer = read_top (self, &arena->state, &figures->top);
  if (answer == FP_MALLOC_FINE)
    answer = compare (self, blocks, figures);
  if (answer != FP_MALLOC_BROKEN || blocks->top == 0)
    return answer;
  if ((check = check_arena (self, arena, &has_changed)) != FP_MALLOC_FINE || !has_changed)
    return check == FP_MALLOC_FINE ? answer : check;
  figures->fast = 0;
  figures->free = blocks->free;
  return FP_MALLOC_FINE;
}

static FpMallocAnswer
walk_arena (Turn *self,
            guint place)
{
  const FpMallocArenaState *arena = fp_malloc_arenas_get (&self->arenas, place);
  FpMallocArena found = { .address = arena->address };
  FpMallocBlocks blocks = begin_blocks (self);
  FpMallocAnswer answer = place == 0 ? walk_main (self, &arena->state, &blocks)
                                     : walk_heaps (self, arena, &blocks, &found.n_heaps);

  if (answer == FP_MALLOC_FINE)
    answer = take_arena (self, arena, &blocks, &found.figures);
  g_array_append_val (self->result->arenas, found);
  return answer;
}

/* Blocks of one arena may be in the cache of a thread that has another, so they are known last. */
static FpMallocAnswer
sum_up (Turn *self)
{
  FpMalloc *result = self->result;

  result->is_partial |= self->caches.n_away > 0;
  fp_malloc_sizes_remove (&result->used_sizes, &self->freed);
  result->n_caches = self->caches.n;
  result->n_mapped = self->arenas.parameters.n_mapped;
  result->mapped = self->arenas.parameters.mapped;
  for (guint i = 0; i < result->arenas->len; i++)
    {
      FpMallocFigures *figures = &g_array_index (result->arenas, FpMallocArena, i).figures;
      guint64 other;

      figures->cached = self->cached[i];
      other = figures->cached + figures->fast + figures->free + figures->top;
      if (other > figures->held)
        return FP_MALLOC_BROKEN;
      figures->used = figures->held - other;
      fp_malloc_figures_add (&result->total, figures);
    }
  return FP_MALLOC_FINE;
}

static FpMallocAnswer
walk_arenas (Turn *self)
{
  const guint n = self->arenas.states->len;
  FpMallocAnswer answer = FP_MALLOC_FINE, check = FP_MALLOC_FINE;
  gboolean has_changed;

  self->memory->position = self->memory->whole = 0;
  for (guint i = 0; i < n; i++)
    self->memory->whole += fp_malloc_arenas_get (&self->arenas, i)->state.held;
  for (guint i = 0; i < n && answer == FP_MALLOC_FINE; i++)
    answer = walk_arena (self, i);
  for (guint i = 0; i < n && answer != FP_MALLOC_STOPPED && check == FP_MALLOC_FINE; i++)
    check = check_arena (self, fp_malloc_arenas_get (&self->arenas, i), &has_changed);
  self->has_changed |= self->caches.has_changed;
  if (check != FP_MALLOC_FINE)
    return check;
  return answer == FP_MALLOC_FINE ? sum_up (self) : answer;
}

static FpMallocProblem
get_problem (FpMallocAnswer answer,
             FpMallocProblem of_broken)
{
  switch (answer)
    {
    case FP_MALLOC_AWAY:
      return FP_MALLOC_SWAPPED;
    case FP_MALLOC_STOPPED:
      return FP_MALLOC_CANCELLED;
    case FP_MALLOC_BROKEN:
      return of_broken;
    case FP_MALLOC_FINE:
    default:
      return FP_MALLOC_NO_PROBLEM;
    }
}

static void
take_turn (Turn *self)
{
  FpMallocAnswer answer;

  self->arenas.states = g_array_new (FALSE, FALSE, sizeof (FpMallocArenaState));
  self->result = fp_malloc_new (self->places->layout.minor);
  answer = fp_malloc_arenas_read (&self->arenas, self->memory, self->places);
  self->problem = get_problem (answer, FP_MALLOC_UNKNOWN);
  if (answer != FP_MALLOC_FINE)
    return;
  if (!fp_malloc_arenas_are_used (&self->arenas))
    {
      self->problem = FP_MALLOC_UNUSED;
      return;
    }
  self->cached = g_new0 (guint64, self->arenas.states->len);
  self->caches = (FpMallocCaches){
    .memory = self->memory,
    .layout = &self->places->layout,
    .arenas = &self->arenas,
    .sizes = &self->freed,
    .cached = self->cached,
  };
  answer = walk_arenas (self);
  self->problem = get_problem (answer, FP_MALLOC_DAMAGED);
}

/* Widens the range of what is used by an earlier turn, in which the process changed it. */
static void
join (FpMalloc *result,
      const FpMalloc *before,
      guint64 unsure)
{
  guint64 least = result->total.used - MIN (unsure, result->total.used);

  result->used_least = MIN (least, before ? before->used_least : G_MAXUINT64);
  result->used_most = MAX (result->total.used, before ? before->used_most : 0);
}

/* The last turn that was fine, or NULL: with a problem. A turn in which nothing changed is true, whatever was before. */
FpMalloc *
fp_malloc_walk (FpMallocMemory *memory,
                const FpMallocPlaces *places,
                FpMallocProblem *problem,
                guint64 *damaged_at)
{
  const gint64 end_us = g_get_monotonic_time () + PATIENCE_US;
  g_autoptr (FpMalloc) result = NULL;
  guint n_damaged = 0, n_broken = 0;
  gboolean has_changed = FALSE;

  for (guint i = 0; i < MAX_TURNS && n_damaged < MAX_DAMAGED && (!has_changed || g_get_monotonic_time () < end_us); i++)
    {
      g_auto (Turn) turn = { .memory = memory, .places = places };

      if (i > 0)
        memory->pause (memory->data);
      take_turn (&turn);
      *problem = turn.problem;
      has_changed |= turn.has_changed;
      if (turn.problem == FP_MALLOC_NO_PROBLEM)
        {
          turn.result->is_changing = turn.has_changed;
          join (turn.result, turn.has_changed ? result : NULL, turn.caches.unsure);
          g_clear_pointer (&result, fp_malloc_free);
          result = g_steal_pointer (&turn.result);
          if (!turn.has_changed)
            break;
        }
      else if (turn.problem == FP_MALLOC_CANCELLED || turn.problem == FP_MALLOC_UNUSED)
        return NULL;
      n_broken += turn.problem == FP_MALLOC_DAMAGED;
      n_damaged = turn.problem == FP_MALLOC_DAMAGED && !turn.has_changed && (n_damaged == 0 || turn.broken_at == *damaged_at)
                      ? n_damaged + 1
                      : 0;
      *damaged_at = turn.broken_at;
    }
  if (result)
    *problem = FP_MALLOC_NO_PROBLEM;
  else if (*problem == FP_MALLOC_UNKNOWN && n_broken > 0)
    *problem = FP_MALLOC_CHANGING;
  else if (*problem == FP_MALLOC_DAMAGED)
    *problem = n_damaged < 2 ? FP_MALLOC_CHANGING : *damaged_at != 0 ? FP_MALLOC_DAMAGED
                                                                     : FP_MALLOC_UNKNOWN;
  return g_steal_pointer (&result);
}
