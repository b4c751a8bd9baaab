// SPDX-License-Identifier: GPL-3.0-or-later
/* The memory of a process that never was: glibc's main arena, its parameters and a heap of known blocks. */
#pragma once

#include <string.h>

#include "fp-malloc-walk.h"

#define TEST_PAGE            4096u
#define TEST_DATA            G_GUINT64_CONSTANT (0x7f1200001000)
#define TEST_DATA_SIZE       (2 * TEST_PAGE)
#define TEST_ARENA           (TEST_DATA + 0xc80)
#define TEST_PARAMETERS      0x260 /* in the data */
#define TEST_HEAP            G_GUINT64_CONSTANT (0x55d500000000)
#define TEST_HEAP_SIZE       (64 * TEST_PAGE)
#define TEST_BASE_PARAMETERS 96 /* since glibc 2.35 */

typedef struct _TestMalloc TestMalloc;

struct _TestMalloc
{
  guint8 data[TEST_DATA_SIZE];
  guint8 heap[TEST_HEAP_SIZE];
  guint64 end;  /* of the blocks so far */
  guint64 away; /* a page in swap; 0: none */
  guint n_reads;
  guint n_reads_allowed; /* 0: all */
  guint n_pauses;
  gboolean changes;                                        /* the arena, with each reading */
  void (*before_read) (TestMalloc *self, guint64 address); /* (nullable) */
  GArray *ranges;
  FpMallocMemory memory;
  FpMallocPlaces places;
};

static inline void *
test_malloc_at (TestMalloc *self,
                guint64 address,
                gsize size)
{
  if (address >= TEST_DATA && address + size <= TEST_DATA + TEST_DATA_SIZE && address + size > address)
    return self->data + (address - TEST_DATA);
  if (address >= TEST_HEAP && address + size <= TEST_HEAP + TEST_HEAP_SIZE && address + size > address)
    return self->heap + (address - TEST_HEAP);
  return NULL;
}

static inline void
test_malloc_write (TestMalloc *self,
                   guint64 address,
                   guint64 value)
{
  void *place = test_malloc_at (self, address, sizeof value);

  if (place)
    memcpy (place, &value, sizeof value);
}

static inline guint64
test_malloc_get (TestMalloc *self,
                 guint64 address)
{
  const void *place = test_malloc_at (self, address, sizeof (guint64));
  guint64 value = 0;

  if (place)
    memcpy (&value, place, sizeof value);
  return value;
}

static inline FpMallocAnswer
test_malloc_read (gpointer data,
                  guint64 address,
                  gpointer buffer,
                  gsize size,
                  gsize ahead)
{
  TestMalloc *self = data;
  const void *place = test_malloc_at (self, address, size);

  if (self->n_reads_allowed > 0 && self->n_reads >= self->n_reads_allowed)
    return FP_MALLOC_STOPPED;
  self->n_reads++;
  if (!place)
    return FP_MALLOC_BROKEN;
  if (self->away && address < self->away + TEST_PAGE && address + size > self->away)
    return FP_MALLOC_AWAY;
  if (self->changes && address == TEST_ARENA)
    test_malloc_write (self, TEST_ARENA + G_STRUCT_OFFSET (FpMallocState, max_held),
                       test_malloc_get (self, TEST_ARENA + G_STRUCT_OFFSET (FpMallocState, max_held)) + TEST_PAGE);
  if (self->before_read)
    self->before_read (self, address);
  memcpy (buffer, place, size);
  return FP_MALLOC_FINE;
}

static inline FpMallocAnswer
test_malloc_count_present (gpointer data,
                           guint64 start,
                           guint64 end,
                           guint64 *present)
{
  *present += end - start;
  return FP_MALLOC_FINE;
}

static inline void
test_malloc_pause (gpointer data)
{
  TestMalloc *self = data;

  self->n_pauses++;
}

static inline guint64
test_malloc_state (gsize offset)
{
  return TEST_ARENA + offset;
}

/* Blocks follow; each has its own bits, and the one behind it says whether it is in use. */
static inline void
test_malloc_init (TestMalloc *self)
{
  const FpMallocRange range = { TEST_DATA, TEST_DATA + TEST_DATA_SIZE };
  guint8 *parameters = self->data + TEST_PARAMETERS;
  const guint64 base = TEST_HEAP, classes = 64, max = 1032, count = 7;

  memset (self, 0, sizeof *self);
  for (guint bin = 1; bin < FP_MALLOC_N_BINS; bin++)
    {
      guint64 head = fp_malloc_get_bin (TEST_ARENA, bin);

      test_malloc_write (self, head + 16, head);
      test_malloc_write (self, head + 24, head);
    }
  test_malloc_write (self, test_malloc_state (G_STRUCT_OFFSET (FpMallocState, next)), TEST_ARENA);
  test_malloc_write (self, test_malloc_state (G_STRUCT_OFFSET (FpMallocState, n_threads)), 1);
  memcpy (parameters + TEST_BASE_PARAMETERS, &base, sizeof base);
  memcpy (parameters + TEST_BASE_PARAMETERS + 8, &classes, sizeof classes);
  memcpy (parameters + TEST_BASE_PARAMETERS + 16, &max, sizeof max);
  memcpy (parameters + TEST_BASE_PARAMETERS + 24, &count, sizeof count);
  self->end = TEST_HEAP;
  test_malloc_write (self, TEST_HEAP + 8, FP_MALLOC_PREVIOUS_USED);
  self->ranges = g_array_new (FALSE, FALSE, sizeof range);
  g_array_append_val (self->ranges, range);
  fp_malloc_layout_init (&self->places.layout, 36);
  self->places.heap = (FpMallocRange){ TEST_HEAP, TEST_HEAP + TEST_HEAP_SIZE };
  self->places.data = self->ranges;
  self->memory = (FpMallocMemory){
    .read = test_malloc_read,
    .count_present = test_malloc_count_present,
    .pause = test_malloc_pause,
    .data = self,
    .page_size = TEST_PAGE,
  };
}

static inline void
test_malloc_clear (TestMalloc *self)
{
  g_array_unref (self->ranges);
}

/* Returns the address of the block. */
static inline guint64
test_malloc_add (TestMalloc *self,
                 guint64 size,
                 gboolean is_used)
{
  guint64 at = self->end;

  test_malloc_write (self, at + 8, size | (test_malloc_get (self, at + 8) & FP_MALLOC_PREVIOUS_USED));
  self->end = at + size;
  if (is_used)
    test_malloc_write (self, self->end + 8, FP_MALLOC_PREVIOUS_USED);
  else
    test_malloc_write (self, self->end, size);
  return at;
}

/* Freed, and the last one in a bin */
static inline guint64
test_malloc_add_free (TestMalloc *self,
                      guint bin,
                      guint64 size)
{
  guint64 at = test_malloc_add (self, size, FALSE), head = fp_malloc_get_bin (TEST_ARENA, bin);
  guint64 last = test_malloc_get (self, head + 24);

  test_malloc_write (self, at + 16, head);
  test_malloc_write (self, at + 24, last);
  test_malloc_write (self, last + 16, at);
  test_malloc_write (self, head + 24, at);
  return at;
}

/* The rest is the top. */
static inline void
test_malloc_finish (TestMalloc *self)
{
  test_malloc_write (self, self->end + 8, (TEST_HEAP + TEST_HEAP_SIZE - self->end) | (test_malloc_get (self, self->end + 8) & 1));
  test_malloc_write (self, test_malloc_state (G_STRUCT_OFFSET (FpMallocState, top)), self->end);
  test_malloc_write (self, test_malloc_state (G_STRUCT_OFFSET (FpMallocState, held)), TEST_HEAP_SIZE);
  test_malloc_write (self, test_malloc_state (G_STRUCT_OFFSET (FpMallocState, max_held)), TEST_HEAP_SIZE);
}
