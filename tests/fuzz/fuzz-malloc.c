// SPDX-License-Identifier: GPL-3.0-or-later
/* A heap that is right at first. The input says what is written over it: pieces of 10 bytes, each a place and a number. */
#include "fuzz.h"
#include "test-malloc-memory.h"

#define PIECE     10
#define MAX_READS 40000000

static void
check_figures (const FpMallocFigures *figures)
{
  FUZZ_ASSERT (figures->used + figures->cached + figures->fast + figures->free + figures->top == figures->held);
}

static void
make_heap (TestMalloc *test)
{
  test_malloc_init (test);
  test_malloc_add (test, 656, TRUE);
  for (guint i = 0; i < 40; i++)
    {
      test_malloc_add (test, 32 + 16 * (i % 8), TRUE);
      if (i % 3 == 0)
        test_malloc_add_free (test, i % 2 ? 1 : 40, 1040 + 16 * i);
    }
  test_malloc_finish (test);
}

/* A place below 0x4000 is in the data of glibc, the others are in the heap, where blocks begin. Small numbers stand for
 * addresses in the heap, for sizes, and for themselves. */
static void
write_over (TestMalloc *test,
            const guint8 *data,
            gsize size)
{
  for (gsize i = 0; i + PIECE <= size; i += PIECE)
    {
      guint16 place;
      guint64 number;

      memcpy (&place, data + i, sizeof place);
      memcpy (&number, data + i + sizeof place, sizeof number);
      if (number >> 56 == 1)
        number = TEST_HEAP + (number & 0xffff0) % TEST_HEAP_SIZE;
      else if (number >> 56 == 2)
        number &= 0xffff;
      test_malloc_write (test, place < 0x4000 ? TEST_DATA + place / 2 : TEST_HEAP + (guint64)(place - 0x4000) * 8 % TEST_HEAP_SIZE, number);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize size)
{
  static TestMalloc test;
  g_autoptr (FpMalloc) malloc = NULL;
  FpMallocProblem problem = FP_MALLOC_NO_PROBLEM;
  FpMallocFigures sum = { 0 };
  guint64 damaged_at = 0;

  make_heap (&test);
  write_over (&test, data, size);
  test.away = size > 0 && data[0] % 4 == 1 ? TEST_HEAP + TEST_PAGE * (data[0] / 4) : 0;
  malloc = fp_malloc_walk (&test.memory, &test.places, &problem, &damaged_at);
  FUZZ_ASSERT ((malloc != NULL) == (problem == FP_MALLOC_NO_PROBLEM));
  FUZZ_ASSERT (test.n_reads < MAX_READS);
  test_malloc_clear (&test);
  if (!malloc)
    return 0;
  check_figures (&malloc->total);
  for (guint i = 0; i < malloc->arenas->len; i++)
    {
      const FpMallocFigures *figures = &g_array_index (malloc->arenas, FpMallocArena, i).figures;

      check_figures (figures);
      fp_malloc_figures_add (&sum, figures);
    }
  FUZZ_ASSERT (memcmp (&sum, &malloc->total, sizeof sum) == 0);
  FUZZ_ASSERT (malloc->used_least <= malloc->total.used && malloc->used_most >= malloc->total.used);
  return 0;
}
