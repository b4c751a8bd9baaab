// SPDX-License-Identifier: GPL-3.0-or-later
/* Allocates what test-heap-recorded expects, function by function. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__ ((noinline, noclone))
#define N_LARGE  50

static void *volatile kept[8];

NOINLINE static void
leak (void)
{
  for (int i = 0; i < 3; i++)
    kept[0] = malloc (1000);
}

NOINLINE static void
grow (void)
{
  void *chain = NULL;

  for (size_t size = 16; size <= 4096; size *= 2)
    {
      kept[1] = realloc (chain, size);
      chain = kept[1];
    }
  free (chain);
}

NOINLINE static void
hurry (void)
{
  for (int i = 0; i < 500; i++)
    {
      kept[2] = malloc (64);
      free (kept[2]);
    }
}

NOINLINE static void
recurse (int depth)
{
  kept[3] = malloc (10);
  if (depth > 1)
    recurse (depth - 1);
  __asm__ volatile("" ::
                       : "memory");
}

__attribute__ ((always_inline)) static inline void
inner (void)
{
  kept[4] = malloc (77);
}

NOINLINE static void
outer (void)
{
  inner ();
  inner ();
}

NOINLINE static void
copy (void)
{
  kept[5] = strdup ("a text of 32 bytes, with the end");
}

NOINLINE static void
fill (void)
{
  void *large[N_LARGE];

  for (int i = 0; i < N_LARGE; i++)
    {
      kept[6] = malloc (100000);
      large[i] = kept[6];
    }
  for (int i = 0; i < N_LARGE; i++)
    free (large[i]);
}

NOINLINE static void *
work (void *data)
{
  void **blocks = data;

  for (int i = 0; i < 100; i++)
    blocks[i] = malloc (200);
  return NULL;
}

/* Their sizes are more than 32 bits hold, and nothing is written to them. */
NOINLINE static void
reach (void)
{
  void *first;

  kept[7] = malloc (((size_t)5 << 30) + 1);
  first = kept[7];
  kept[7] = malloc (((size_t)4 << 30) + 3);
  free (first);
}

int
main (void)
{
  static void *blocks[4][100];
  pthread_t threads[4];

  if (getenv ("FOOTPRINT_TEST_REACH"))
    {
      reach ();
      return 0;
    }
  leak ();
  grow ();
  hurry ();
  recurse (20);
  outer ();
  copy ();
  fill ();
  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], NULL, work, blocks[i]);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 100; j++)
      free (blocks[i][j]);
  return 0;
}
