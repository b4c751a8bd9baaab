// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-malloc-arenas.h"

#define MAX_DATA   (256u * 1024) /* of a library: glibc has 8 KiB */
#define MAX_ARENAS 8192          /* eight for each processor, and their states take 2 KiB */
#define STEP       8

/* The bytes of one range, to be searched */
typedef struct
{
  guint64 start;
  gsize size;
  guint8 *bytes;
} Data;

static void
data_clear (Data *self)
{
  g_free (self->bytes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Data, data_clear)

static FpMallocAnswer
data_read (Data *self,
           const FpMallocMemory *memory,
           const FpMallocRange *range)
{
  const gsize page = memory->page_size;

  self->start = range->start;
  self->size = MIN (range->end - range->start, MAX_DATA);
  self->bytes = g_malloc (self->size);
  for (gsize at = 0; at < self->size; at += page)
    {
      FpMallocAnswer answer = fp_malloc_memory_read (memory, self->start + at, self->bytes + at, MIN (page, self->size - at));

      if (answer != FP_MALLOC_FINE)
        return answer;
    }
  return FP_MALLOC_FINE;
}

static gboolean
is_aligned (guint64 address)
{
  return address % sizeof (guint64) == 0;
}

/* Both links of an empty bin lead to itself, and none of another. */
static gboolean
has_bins (const FpMallocState *state,
          guint64 address)
{
  for (guint bin = 1; bin < FP_MALLOC_N_BINS; bin++)
    {
      guint64 head = fp_malloc_get_bin (address, bin), next = state->bins[2 * (bin - 1)], previous = state->bins[2 * bin - 1];

      if (next == 0 || previous == 0 || !is_aligned (next) || !is_aligned (previous) || (next == head) != (previous == head))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_untouched (const FpMallocState *state,
              guint64 address)
{
  for (guint i = 0; i < G_N_ELEMENTS (state->bins); i++)
    if (state->bins[i] != 0)
      return FALSE;
  return state->next == address && state->top == 0 && state->held == 0 && state->n_threads == 1;
}

static gboolean
is_arena (const FpMallocState *state,
          guint64 address)
{
  return has_bins (state, address) && state->top != 0 && is_aligned (state->top) && state->held <= state->max_held;
}

static gboolean
may_be_main (const FpMallocState *state,
             guint64 address,
             const FpMallocLayout *layout)
{
  if (state->next != address && state->next % FP_MALLOC_HEAP_SIZE != layout->heap_info_size)
    return FALSE;
  return is_untouched (state, address) || is_arena (state, address);
}

static gboolean
is_in (guint64 address,
       const FpMallocRange *range)
{
  return address >= range->start && address < range->end;
}

/* How many sizes a thread caches follows from the largest one, in bytes for the program. */
static guint64
count_classes (guint64 cache_max)
{
  guint64 size = (cache_max + sizeof (guint64) + FP_MALLOC_ALIGNMENT - 1) & ~(guint64)(FP_MALLOC_ALIGNMENT - 1);

  return (MAX (size, FP_MALLOC_MIN_BLOCK) - FP_MALLOC_MIN_BLOCK) / FP_MALLOC_ALIGNMENT + 1;
}

/* Zeros with a small number behind them look like parameters without a [heap], so these need the usual sizes of the cache. */
static gboolean
may_be_parameters (const FpMallocParameters *parameters,
                   const FpMallocPlaces *places,
                   guint64 page_size)
{
  if (parameters->cache_classes > FP_MALLOC_CACHE_CLASSES || parameters->cache_max > G_MAXUINT16 ||
      parameters->cache_classes != count_classes (parameters->cache_max) || parameters->cache_count > G_MAXUINT16 ||
      parameters->mapped > parameters->max_mapped || parameters->mapped % page_size != 0 ||
      parameters->max_mapped % page_size != 0 || parameters->n_mapped > G_MAXINT32 ||
      (parameters->n_mapped == 0) != (parameters->mapped == 0))
    return FALSE;
  if (parameters->base == 0)
    return parameters->cache_classes == FP_MALLOC_CACHE_CLASSES;
  return is_in (parameters->base, &places->heap) && parameters->base % FP_MALLOC_ALIGNMENT == 0;
}

/* TRUE: it is the only one so far. */
static gboolean
find_main (const Data *data,
           const FpMallocLayout *layout,
           FpMallocArenaState *found)
{
  FpMallocState state;

  for (gsize at = 0; at + sizeof state <= data->size; at += STEP)
    {
      memcpy (&state, data->bytes + at, sizeof state);
      if (!may_be_main (&state, data->start + at, layout))
        continue;
      if (found->address != 0)
        return FALSE;
      *found = (FpMallocArenaState){ data->start + at, state };
    }
  return TRUE;
}

static guint
find_parameters (const Data *data,
                 const FpMallocPlaces *places,
                 guint64 page_size,
                 FpMallocParameters *found)
{
  guint n = 0;

  for (gsize at = 0; at + places->layout.parameters_size <= data->size; at += STEP)
    {
      FpMallocParameters parameters;

      fp_malloc_layout_get_parameters (&places->layout, data->bytes + at, &parameters);
      if (!may_be_parameters (&parameters, places, page_size))
        continue;
      *found = parameters;
      n++;
    }
  return n;
}

static FpMallocAnswer
search (FpMallocArenas *self,
        const FpMallocMemory *memory,
        const FpMallocPlaces *places)
{
  FpMallocArenaState main = { 0 };
  guint n_parameters = 0;

  for (guint i = 0; i < places->data->len; i++)
    {
      g_auto (Data) data = { 0 };
      FpMallocAnswer answer = data_read (&data, memory, &g_array_index (places->data, FpMallocRange, i));

      if (answer != FP_MALLOC_FINE)
        return answer;
      if (!find_main (&data, &places->layout, &main))
        return FP_MALLOC_BROKEN;
      n_parameters += find_parameters (&data, places, memory->page_size, &self->parameters);
    }
  if (main.address == 0 || n_parameters != 1 || self->parameters.huge_page != 0)
    return FP_MALLOC_BROKEN;
  g_array_append_val (self->states, main);
  return FP_MALLOC_FINE;
}

/* The arena of a thread is at the beginning of its first heap, which says so. */
static FpMallocAnswer
read_other (FpMallocArenaState *found,
            guint64 address,
            const FpMallocMemory *memory,
            const FpMallocLayout *layout)
{
  FpMallocAnswer answer;
  FpMallocHeap heap;

  if (address % FP_MALLOC_HEAP_SIZE != layout->heap_info_size)
    return FP_MALLOC_BROKEN;
  if ((answer = fp_malloc_memory_read (memory, address - layout->heap_info_size, &heap, sizeof heap)) != FP_MALLOC_FINE)
    return answer;
  if (heap.arena != address || heap.previous != 0)
    return FP_MALLOC_BROKEN;
  found->address = address;
  answer = fp_malloc_memory_read (memory, address, &found->state, sizeof found->state);
  if (answer == FP_MALLOC_FINE && !is_arena (&found->state, address))
    return FP_MALLOC_BROKEN;
  return answer;
}

FpMallocAnswer
fp_malloc_arenas_read (FpMallocArenas *self,
                       const FpMallocMemory *memory,
                       const FpMallocPlaces *places)
{
  FpMallocAnswer answer = search (self, memory, places);

  while (answer == FP_MALLOC_FINE)
    {
      guint64 next = fp_malloc_arenas_get (self, self->states->len - 1)->state.next;
      FpMallocArenaState other;

      if (next == fp_malloc_arenas_get (self, 0)->address)
        return FP_MALLOC_FINE;
      if (self->states->len == MAX_ARENAS)
        return FP_MALLOC_BROKEN;
      answer = read_other (&other, next, memory, &places->layout);
      if (answer == FP_MALLOC_FINE)
        g_array_append_val (self->states, other);
    }
  return answer;
}

void
fp_malloc_arenas_clear (FpMallocArenas *self)
{
  g_clear_pointer (&self->states, g_array_unref);
}

/* The place of an arena in the ring, or the number of arenas */
guint
fp_malloc_arenas_find (const FpMallocArenas *self,
                       guint64 address)
{
  guint i = 0;

  while (i < self->states->len && fp_malloc_arenas_get (self, i)->address != address)
    i++;
  return i;
}

/* Programs with an allocator of their own leave glibc's as it was. */
gboolean
fp_malloc_arenas_are_used (const FpMallocArenas *self)
{
  return self->states->len > 1 || fp_malloc_arenas_get (self, 0)->state.held > 0 || self->parameters.n_mapped > 0;
}
