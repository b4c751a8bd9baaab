// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-malloc-blocks.h"

#define AHEAD      (64u * 1024)
#define FENCE      16 /* a block too small to be one, where a heap ends */
#define CACHE_SIZE (G_STRUCT_OFFSET (FpMallocBlock, next) + sizeof (FpMallocCache))

/* malloc_trim () leaves a free block its head and all its links. */
#define TRIM_OFFSET 48

typedef struct
{
  guint64 start;
  guint64 end;
  guint64 top; /* 0: it is in another heap */
  gboolean is_main;
} Heap;

static FpMallocAnswer
read_head (const FpMallocBlocks *self,
           guint64 address,
           FpMallocBlock *head)
{
  return self->memory->read (self->memory->data, address, head, FP_MALLOC_HEAD_SIZE, AHEAD);
}

static FpMallocAnswer
count_returnable (FpMallocBlocks *self,
                  guint64 start,
                  guint64 end)
{
  const guint64 page = self->memory->page_size, first = (start + page - 1) & ~(page - 1), last = end & ~(page - 1);
  guint64 present = 0;
  FpMallocAnswer answer =
      last > first ? self->memory->count_present (self->memory->data, first, last, &present) : FP_MALLOC_FINE;

  self->returnable += present;
  return answer;
}

/* The last block of a heap that has the top is the top, wherever it was when its arena was read. */
static gboolean
is_top (const FpMallocBlocks *self,
        const Heap *heap,
        guint64 size)
{
  return heap->top != 0 && size >= FP_MALLOC_MIN_BLOCK && size == heap->end - self->at;
}

static FpMallocAnswer
take_top (FpMallocBlocks *self,
          const Heap *heap,
          guint64 size)
{
  self->is_stale |= self->at != heap->top;
  self->top = size;
  self->memory->position += size;
  return count_returnable (self, self->at + FP_MALLOC_MIN_BLOCK, self->at + size);
}

/* The end of a heap to which no more is added: a fence of 16 bytes, and a head that says 0. Where the program has moved the
 * end of [heap] itself, two fences are before what is not malloc's. */
static gboolean
is_end (FpMallocBlocks *self,
        const Heap *heap,
        guint64 size)
{
  guint64 left = heap->end - self->at;

  if (!heap->is_main)
    return heap->top == 0 && ((size == FENCE && left == 2 * FENCE) || (size == 0 && left == FENCE));
  self->is_cut |= size == FENCE;
  return size == FENCE;
}

static gboolean
is_possible (const FpMallocBlocks *self,
             const Heap *heap,
             guint64 size)
{
  guint64 left = heap->end - self->at, flags = size & FP_MALLOC_FLAGS;

  size = fp_malloc_get_size (size);
  if (size < FP_MALLOC_MIN_BLOCK || size % FP_MALLOC_ALIGNMENT != 0 || size > left - FP_MALLOC_HEAD_SIZE)
    return FALSE;
  return (flags & FP_MALLOC_MAPPED) == 0 && !(heap->is_main && (flags & FP_MALLOC_NOT_MAIN));
}

static FpMallocAnswer
take_free (FpMallocBlocks *self,
           guint64 size)
{
  self->free += size;
  fp_malloc_sizes_add (self->free_sizes, size);
  return size > self->memory->page_size ? count_returnable (self, self->at + TRIM_OFFSET, self->at + size) : FP_MALLOC_FINE;
}

static FpMallocAnswer
take_used (FpMallocBlocks *self,
           guint64 size)
{
  fp_malloc_sizes_add (self->used_sizes, size);
  return size == CACHE_SIZE ? self->take_cache (self->data, self->at + FP_MALLOC_HEAD_SIZE) : FP_MALLOC_FINE;
}

/* A free block has its size also at its end, where the next one finds it. */
static FpMallocAnswer
take_block (FpMallocBlocks *self,
            guint64 size,
            const FpMallocBlock *next)
{
  FpMallocAnswer answer;

  if (next->size & FP_MALLOC_PREVIOUS_USED)
    answer = take_used (self, size);
  else
    answer = next->previous_size == size ? take_free (self, size) : FP_MALLOC_BROKEN;
  if (answer != FP_MALLOC_FINE)
    return answer;
  self->at += size;
  self->memory->position += size;
  return FP_MALLOC_FINE;
}

/* top: 0 where it is in another heap of the arena */
FpMallocAnswer
fp_malloc_blocks_walk (FpMallocBlocks *self,
                       guint64 start,
                       guint64 end,
                       guint64 top,
                       gboolean is_main)
{
  const Heap heap = { start, end, top, is_main };
  FpMallocBlock block, next;
  FpMallocAnswer answer;

  self->at = start;
  if (end < start || end - start < FENCE)
    return FP_MALLOC_BROKEN;
  if ((answer = read_head (self, start, &block)) != FP_MALLOC_FINE)
    return answer;
  for (;;)
    {
      guint64 size = fp_malloc_get_size (block.size);

      if (is_top (self, &heap, size))
        return take_top (self, &heap, size);
      if (is_end (self, &heap, size))
        return FP_MALLOC_FINE;
      if (!is_possible (self, &heap, block.size))
        return FP_MALLOC_BROKEN;
      if ((answer = read_head (self, self->at + size, &next)) != FP_MALLOC_FINE ||
          (answer = take_block (self, size, &next)) != FP_MALLOC_FINE)
        return answer;
      block = next;
    }
}
