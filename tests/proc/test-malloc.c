// SPDX-License-Identifier: GPL-3.0-or-later
/* The walk of a heap in memory that is made up. tests/live has that of real programs. */
#include "test-malloc-memory.h"

#define CACHE_SIZE 656 /* of the block that has the cache of a thread */
#define KEY        G_GUINT64_CONSTANT (0x1f2e3d4c5b6a7988)

static FpMalloc *
walk (TestMalloc *test,
      FpMallocProblem expected)
{
  FpMallocProblem problem = FP_MALLOC_UNKNOWN;
  guint64 damaged_at = 0;
  FpMalloc *malloc = fp_malloc_walk (&test->memory, &test->places, &problem, &damaged_at);

  g_assert_cmpint (problem, ==, expected);
  g_assert_cmpint (malloc != NULL, ==, problem == FP_MALLOC_NO_PROBLEM);
  return malloc;
}

static void
assert_fails (TestMalloc *test,
              FpMallocProblem expected)
{
  g_assert_null (walk (test, expected));
}

static void
assert_fine (TestMalloc *test)
{
  g_autoptr (FpMalloc) malloc = walk (test, FP_MALLOC_NO_PROBLEM);

  g_assert_cmpuint (malloc->total.held, ==, TEST_HEAP_SIZE);
}

static void
assert_sums (const FpMallocFigures *figures)
{
  g_assert_cmpuint (figures->used + figures->cached + figures->fast + figures->free + figures->top, ==, figures->held);
}

/* Blocks in use with free ones between them */
static void
fill (TestMalloc *test)
{
  test_malloc_init (test);
  test_malloc_add (test, 64, TRUE);
  test_malloc_add_free (test, 1, 1040);
  test_malloc_add (test, 32, TRUE);
  test_malloc_add_free (test, 1, 3 * TEST_PAGE);
  test_malloc_add (test, 48, TRUE);
  test_malloc_add_free (test, 70, 2048);
  test_malloc_add (test, 8208, TRUE);
  test_malloc_finish (test);
}

static void
test_figures (void)
{
  const guint64 used = 64 + 32 + 48 + 8208, free = 1040 + 3 * TEST_PAGE + 2048;
  g_autoptr (FpMalloc) malloc = NULL;
  TestMalloc test;

  fill (&test);
  malloc = walk (&test, FP_MALLOC_NO_PROBLEM);
  g_assert_cmpuint (malloc->arenas->len, ==, 1);
  g_assert_cmpuint (malloc->total.held, ==, TEST_HEAP_SIZE);
  g_assert_cmpuint (malloc->total.used, ==, used);
  g_assert_cmpuint (malloc->total.free, ==, free);
  g_assert_cmpuint (malloc->total.top, ==, TEST_HEAP_SIZE - used - free);
  g_assert_cmpuint (malloc->used_least, ==, used);
  g_assert_cmpuint (malloc->used_most, ==, used);
  g_assert_cmpuint (malloc->used_sizes.n[6], ==, 2);
  g_assert_cmpuint (malloc->used_sizes.bytes[6], ==, 64 + 48);
  g_assert_cmpuint (malloc->used_sizes.n[5], ==, 1);
  g_assert_cmpuint (malloc->free_sizes.n[11], ==, 2);
  g_assert_cmpuint (malloc->total.returnable, >=, 2 * TEST_PAGE);
  g_assert_false (malloc->is_partial);
  g_assert_cmpuint (test.n_pauses, ==, 0);
  assert_sums (&malloc->total);
  test_malloc_clear (&test);
}

static guint64
protect (guint64 address,
         guint64 link)
{
  return link ^ (address >> 12);
}

/* Three blocks in a cache and two in a fast list: they look like blocks in use. */
static void
test_lists (void)
{
  g_autoptr (FpMalloc) malloc = NULL;
  guint64 cache, blocks[3], fast[2];
  const guint16 count = 3;
  TestMalloc test;

  test_malloc_init (&test);
  cache = test_malloc_add (&test, CACHE_SIZE, TRUE) + 16;
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    blocks[i] = test_malloc_add (&test, 64, TRUE) + 16;
  for (guint i = 0; i < G_N_ELEMENTS (fast); i++)
    fast[i] = test_malloc_add (&test, 48, TRUE);
  test_malloc_add (&test, CACHE_SIZE, TRUE);
  test_malloc_finish (&test);
  memcpy (test.heap + (cache - TEST_HEAP) + 2 * sizeof count, &count, sizeof count);
  test_malloc_write (&test, cache + G_STRUCT_OFFSET (FpMallocCache, first) + 2 * 8, blocks[0]);
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    {
      test_malloc_write (&test, blocks[i], protect (blocks[i], i + 1 < G_N_ELEMENTS (blocks) ? blocks[i + 1] : 0));
      test_malloc_write (&test, blocks[i] + 8, KEY);
    }
  test_malloc_write (&test, TEST_ARENA + G_STRUCT_OFFSET (FpMallocState, fast) + 8, fast[0]);
  test_malloc_write (&test, fast[0] + 16, protect (fast[0] + 16, fast[1]));
  test_malloc_write (&test, fast[1] + 16, protect (fast[1] + 16, 0));

  malloc = walk (&test, FP_MALLOC_NO_PROBLEM);
  g_assert_cmpuint (malloc->n_caches, ==, 1);
  g_assert_cmpuint (malloc->total.cached, ==, 3 * 64);
  g_assert_cmpuint (malloc->total.fast, ==, 2 * 48);
  g_assert_cmpuint (malloc->total.used, ==, 2 * CACHE_SIZE);
  g_assert_cmpuint (malloc->used_sizes.n[6], ==, 0);
  g_assert_cmpuint (malloc->used_sizes.n[10], ==, 2);
  assert_sums (&malloc->total);
  g_clear_pointer (&malloc, fp_malloc_free);

  /* One that has another key is no cache. */
  test_malloc_write (&test, blocks[1] + 8, KEY + 1);
  malloc = walk (&test, FP_MALLOC_NO_PROBLEM);
  g_assert_cmpuint (malloc->n_caches, ==, 0);
  g_assert_cmpuint (malloc->total.used, ==, 2 * CACHE_SIZE + 3 * 64);
  test_malloc_clear (&test);
}

#define N_CACHED 3

/* A cache with blocks of 64 bytes, at fixed addresses */
static guint64 juggled_cache, juggled[N_CACHED];
static guint n_juggled, n_out;

static void
set_count (TestMalloc *test,
           guint16 n)
{
  memcpy (test->heap + (juggled_cache - TEST_HEAP) + 2 * sizeof n, &n, sizeof n);
}

static void
make_cache (TestMalloc *test)
{
  test_malloc_init (test);
  juggled_cache = test_malloc_add (test, CACHE_SIZE, TRUE) + 16;
  for (guint i = 0; i < N_CACHED; i++)
    juggled[i] = test_malloc_add (test, 64, TRUE) + 16;
  test_malloc_finish (test);
  set_count (test, N_CACHED);
  test_malloc_write (test, juggled_cache + G_STRUCT_OFFSET (FpMallocCache, first) + 2 * 8, juggled[0]);
  for (guint i = 0; i < N_CACHED; i++)
    {
      test_malloc_write (test, juggled[i], protect (juggled[i], i + 1 < N_CACHED ? juggled[i + 1] : 0));
      test_malloc_write (test, juggled[i] + 8, KEY);
    }
  n_juggled = n_out = 0;
}

/* The first block is taken out when it is about to be read, and comes back with the next time, as often as this is allowed. Where
 * it goes on for ever, the cache changes with each reading, too. */
static void
juggle (TestMalloc *test,
        guint64 address)
{
  if (n_juggled == 0 || (address != juggled[0] - 16 && (n_juggled == 1 || address != juggled_cache)))
    return;
  n_juggled--;
  n_out = !n_out;
  set_count (test, (guint16)(N_CACHED - n_out));
  test_malloc_write (test, juggled_cache + G_STRUCT_OFFSET (FpMallocCache, first) + 2 * 8, juggled[n_out]);
  test_malloc_write (test, juggled[0] + 8, n_out ? 0 : KEY);
}

/* A thread takes no lock for its cache: where a list does not hold together it is read again. */
static void
test_juggled (void)
{
  g_autoptr (FpMalloc) malloc = NULL;
  TestMalloc test;

  make_cache (&test);
  test.before_read = juggle;
  n_juggled = 1;
  malloc = walk (&test, FP_MALLOC_NO_PROBLEM);
  g_assert_cmpuint (malloc->n_caches, ==, 1);
  g_assert_cmpuint (malloc->total.cached, ==, 2 * 64);
  g_assert_cmpuint (malloc->total.used, ==, CACHE_SIZE + 64);
  g_clear_pointer (&malloc, fp_malloc_free);
  test_malloc_clear (&test);

  /* It goes on for ever, and what is said includes what is true. */
  make_cache (&test);
  test.before_read = juggle;
  n_juggled = G_MAXUINT;
  malloc = walk (&test, FP_MALLOC_NO_PROBLEM);
  g_assert_true (malloc->is_changing);
  g_assert_cmpuint (malloc->used_least, <=, CACHE_SIZE + 64);
  g_assert_cmpuint (malloc->used_most, >=, CACHE_SIZE);
  assert_sums (&malloc->total);
  test_malloc_clear (&test);
}

/* A thread that stands still between the two things that it changes in its cache: one list may be longer or shorter by a block. */
static void
test_between (void)
{
  static const guint16 counts[] = { N_CACHED - 1, N_CACHED + 1, 0, N_CACHED + 2, N_CACHED - 2 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autoptr (FpMalloc) malloc = NULL;
      TestMalloc test;

      make_cache (&test);
      set_count (&test, counts[i]);
      malloc = walk (&test, FP_MALLOC_NO_PROBLEM);
      g_assert_cmpuint (malloc->n_caches, ==, i < 2);
      g_assert_cmpuint (malloc->total.cached, ==, i < 2 ? N_CACHED * 64 : 0);
      g_assert_false (malloc->is_changing);
      test_malloc_clear (&test);
    }
}

/* A program that writes past the end of a block, in each way that is seen; nothing goes on for ever. */
static void
test_damaged (void)
{
  static const guint64 sizes[] = { 0, 1, 24, 40, 49, 65, 2 * TEST_HEAP_SIZE, TEST_HEAP_SIZE - 16, G_MAXUINT64, 66, 68, 0x4141414141414141 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      FpMallocProblem problem = FP_MALLOC_NO_PROBLEM;
      guint64 damaged_at = 0;
      TestMalloc test;

      fill (&test);
      test_malloc_write (&test, TEST_HEAP + 8, sizes[i]);
      g_test_message ("%#" G_GINT64_MODIFIER "x", sizes[i]);
      if (sizes[i] == 65)
        assert_fine (&test);
      else
        {
          g_assert_null (fp_malloc_walk (&test.memory, &test.places, &problem, &damaged_at));
          g_assert_cmpint (problem, ==, FP_MALLOC_DAMAGED);
          g_assert_cmpuint (damaged_at, >=, TEST_HEAP);
          g_assert_cmpuint (damaged_at, <, TEST_HEAP + TEST_HEAP_SIZE);
          g_assert_cmpuint (test.n_pauses, ==, 2);
        }
      test_malloc_clear (&test);
    }
}

static void
test_broken_lists (void)
{
  const guint64 head = fp_malloc_get_bin (TEST_ARENA, 1);
  TestMalloc test;
  guint64 last;

  fill (&test);
  last = test_malloc_get (&test, head + 24);
  test_malloc_write (&test, last + 24, last);
  test_malloc_write (&test, last + 16, last);
  assert_fails (&test, FP_MALLOC_DAMAGED);
  test_malloc_clear (&test);

  fill (&test);
  test_malloc_write (&test, head + 24, 0x4141414141414140);
  assert_fails (&test, FP_MALLOC_DAMAGED);
  test_malloc_clear (&test);

  /* A free block that no list has: sums do not agree, and nothing is said. */
  fill (&test);
  test_malloc_write (&test, head + 16, head);
  test_malloc_write (&test, head + 24, head);
  assert_fails (&test, FP_MALLOC_UNKNOWN);
  test_malloc_clear (&test);
}

static void
test_swapped (void)
{
  g_autoptr (FpMalloc) malloc = NULL;
  TestMalloc test;

  fill (&test);
  test.away = TEST_HEAP + 3 * TEST_PAGE;
  malloc = walk (&test, FP_MALLOC_NO_PROBLEM);
  g_assert_true (malloc->is_partial);
  g_assert_cmpuint (malloc->used_most, >=, 64 + 32 + 48 + 8208);
  g_assert_cmpuint (malloc->total.free, >=, 1040);
  assert_sums (&malloc->total);
  test.away = TEST_DATA;
  assert_fails (&test, FP_MALLOC_SWAPPED);
  test_malloc_clear (&test);
}

static void
test_changing (void)
{
  g_autoptr (FpMalloc) malloc = NULL;
  TestMalloc test;

  fill (&test);
  test.changes = TRUE;
  malloc = walk (&test, FP_MALLOC_NO_PROBLEM);
  g_assert_cmpuint (malloc->used_least, ==, malloc->total.used);
  g_assert_cmpuint (test.n_pauses, >=, 2);
  test_malloc_write (&test, TEST_HEAP + 8, 24);
  assert_fails (&test, FP_MALLOC_CHANGING);
  test_malloc_clear (&test);
}

/* Stopped after each reading in turn */
static void
test_stopped (void)
{
  TestMalloc test;
  guint n;

  fill (&test);
  assert_fine (&test);
  n = test.n_reads;
  g_assert_cmpuint (n, >, 10);
  for (guint i = 1; i < n; i++)
    {
      test.n_reads = 0;
      test.n_reads_allowed = i;
      assert_fails (&test, FP_MALLOC_CANCELLED);
    }
  test_malloc_clear (&test);
}

static void
test_others (void)
{
  TestMalloc test;

  test_malloc_init (&test);
  test_malloc_write (&test, TEST_ARENA + G_STRUCT_OFFSET (FpMallocState, top), fp_malloc_get_bin (TEST_ARENA, 1));
  memset (test.data + TEST_PARAMETERS + TEST_BASE_PARAMETERS, 0, sizeof (guint64));
  assert_fails (&test, FP_MALLOC_UNUSED);
  test_malloc_clear (&test);

  fill (&test);
  memset (test.data + (TEST_ARENA - TEST_DATA), 0x41, sizeof (FpMallocState));
  assert_fails (&test, FP_MALLOC_UNKNOWN);
  test_malloc_clear (&test);
}

static guint
find_version (const char *text)
{
  return fp_malloc_layout_find_version (text, strlen (text));
}

static void
test_versions (void)
{
  FpMallocLayout layout;

  g_assert_cmpuint (find_version ("\n\nGNU C Library (Debian GLIBC 2.36-9+deb12u10) stable release version 2.36.\n"), ==, 36);
  g_assert_cmpuint (find_version ("GNU C Library (GNU libc) development release version 2.41.9000.\n"), ==, 42);
  g_assert_cmpuint (find_version ("GNU C Library (GNU libc) stable release version 2.36."), ==, 0);
  g_assert_cmpuint (find_version ("GNU C Library (GNU libc) stable\nrelease version 2.36.\n"), ==, 0);
  g_assert_cmpuint (find_version ("musl libc (x86_64)\nVersion 1.2.3\n"), ==, 0);
  g_assert_cmpuint (find_version (""), ==, 0);
  g_assert_false (fp_malloc_layout_init (&layout, 29));
  g_assert_true (fp_malloc_layout_init (&layout, 30));
  g_assert_true (fp_malloc_layout_init (&layout, 41));
  g_assert_false (fp_malloc_layout_init (&layout, 42));
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/malloc/figures", test_figures);
  g_test_add_func ("/malloc/lists", test_lists);
  g_test_add_func ("/malloc/juggled", test_juggled);
  g_test_add_func ("/malloc/between", test_between);
  g_test_add_func ("/malloc/damaged", test_damaged);
  g_test_add_func ("/malloc/broken-lists", test_broken_lists);
  g_test_add_func ("/malloc/swapped", test_swapped);
  g_test_add_func ("/malloc/changing", test_changing);
  g_test_add_func ("/malloc/stopped", test_stopped);
  g_test_add_func ("/malloc/others", test_others);
  g_test_add_func ("/malloc/versions", test_versions);
  return g_test_run ();
}
