// SPDX-License-Identifier: GPL-3.0-or-later
/* A program with a heap of one kind or another. It writes its PID, what mallinfo2 () says, and how much its threads have in
 * their caches where it knows that, in one line; then it waits. Nothing is allocated behind mallinfo2 (). */
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#ifndef __GLIBC__
/* Other C libraries do not tell. */
struct mallinfo2
{
  size_t arena, uordblks, fordblks, fsmblks, hblks, hblkhd, keepcost;
};

#define M_MMAP_THRESHOLD      0
#define mallinfo2()           ((struct mallinfo2){ 0 })
#define mallopt(name, number) ((void)0)
#define malloc_trim(rest)     ((void)0)
#endif

#define N_BLOCKS  4000
#define N_THREADS 6
#define MIB       ((size_t)1024 * 1024)
#define N_CLASSES 64
#define N_CACHED  7

static void *blocks[N_BLOCKS];
static size_t cached;
static struct mallinfo2 noted; /* arena: 0: what is true when it is told */
static pthread_barrier_t barrier;
static void (*go_on) (void); /* instead of waiting */

static void *
take (size_t size)
{
  char *block = malloc (size);

  if (!block)
    _exit (1);
  memset (block, 1, size < 4096 ? size : 4096);
  return block;
}

__attribute__ ((noreturn)) static void
tell (void)
{
  struct mallinfo2 info = noted.arena > 0 ? noted : mallinfo2 ();
  char line[256];
  int n = snprintf (line, sizeof line, "%d %zu %zu %zu %zu %zu %zu %zu %zu\n", (int)getpid (), info.arena, info.uordblks,
                    info.fordblks, info.fsmblks, info.hblks, info.hblkhd, info.keepcost, cached);

  if (write (STDOUT_FILENO, line, (size_t)n) != n)
    _exit (1);
  if (go_on)
    go_on ();
  for (;;)
    pause ();
}

static void
fill_single (void)
{
  for (size_t i = 0; i < N_BLOCKS; i++)
    blocks[i] = take (i % 700 + 1);
  for (size_t i = 0; i < N_BLOCKS; i += 3)
    free (blocks[i]);
}

__attribute__ ((noreturn)) static void
wait_for_ever (void)
{
  pthread_barrier_wait (&barrier);
  for (;;)
    pause ();
}

__attribute__ ((noreturn)) static void *
run_thread (void *data)
{
  void *own[500];
  size_t seed = (size_t)(uintptr_t)data;

  for (size_t i = 0; i < 500; i++)
    own[i] = take ((i * 37 + seed * 101) % 3000 + 1);
  for (size_t i = seed % 2; i < 500; i += 2)
    free (own[i]);
  wait_for_ever ();
}

static void
start_thread (void *(*func) (void *), size_t data)
{
  pthread_t thread;

  if (pthread_create (&thread, NULL, func, (void *)(uintptr_t)data) != 0)
    _exit (1);
}

static void
fill_threads (void)
{
  pthread_barrier_init (&barrier, NULL, N_THREADS + 1);
  for (size_t i = 0; i < N_THREADS; i++)
    start_thread (run_thread, i);
  fill_single ();
  pthread_barrier_wait (&barrier);
}

/* More than one heap of 64 MiB */
__attribute__ ((noreturn)) static void *
run_large_thread (void *data)
{
  size_t n = (90 + (uintptr_t)data) * MIB / 1000;
  void **own = take (n * sizeof *own);

  for (size_t i = 0; i < n; i++)
    own[i] = take (1000);
  for (size_t i = 0; i < n; i += 3)
    free (own[i]);
  wait_for_ever ();
}

static void
fill_heaps (void)
{
  pthread_barrier_init (&barrier, NULL, 2);
  start_thread (run_large_thread, 0);
  pthread_barrier_wait (&barrier);
}

/* As many blocks of each size as a cache has room for, which empties it first and fills it then. Returns their bytes. */
static size_t
fill_own_cache (void)
{
  void *own[N_CLASSES][N_CACHED];
  size_t bytes = 0;

  for (size_t i = 0; i < N_CLASSES; i++)
    for (size_t k = 0; k < N_CACHED; k++)
      own[i][k] = take (24 + 16 * i);
  for (size_t i = 0; i < N_CLASSES; i++)
    for (size_t k = 0; k < N_CACHED; k++)
      {
        free (own[i][k]);
        bytes += 32 + 16 * i;
      }
  return bytes;
}

static void
fill_cache (void)
{
  cached = fill_own_cache ();
}

static void
fill_fast (void)
{
  for (size_t i = 0; i < N_BLOCKS; i++)
    blocks[i] = take (i % 100 + 1);
  for (size_t i = 0; i < N_BLOCKS; i += 2)
    free (blocks[i]);
}

/* The last block is so large that the free ones are put into their bins. */
static void
fill_bins (void)
{
  for (size_t i = 0; i < 400; i++)
    blocks[i] = take (i * 311 % 100000 + 1100);
  for (size_t i = 0; i < 400; i += 2)
    free (blocks[i]);
  take (120000);
  for (size_t i = 1; i < 400; i += 8)
    free (blocks[i]);
}

static void
fill_mapped (void)
{
  mallopt (M_MMAP_THRESHOLD, 128 * 1024);
  for (size_t i = 0; i < 20; i++)
    blocks[i] = take (MIB + i * 5000);
  for (size_t i = 0; i < 20; i += 4)
    free (blocks[i]);
  fill_single ();
}

static void
fill_trimmed (void)
{
  for (size_t i = 0; i < N_BLOCKS; i++)
    blocks[i] = take (9000);
  for (size_t i = 0; i < N_BLOCKS; i++)
    if (i % 50 != 0)
      free (blocks[i]);
  malloc_trim (0);
}

static void
fill_realloc (void)
{
  for (size_t i = 0; i < 300; i++)
    blocks[i] = take (10);
  for (size_t turn = 0; turn < 40; turn++)
    for (size_t i = 0; i < 300; i++)
      blocks[i] = realloc (blocks[i], (turn * 53 + i * 29) % 6000 + 1);
}

static void
fill_child (void)
{
  fill_threads ();
  if (fork () > 0)
    for (;;)
      pause ();
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () == 1)
    _exit (1);
  fill_fast ();
}

static void
fill_aligned (void)
{
  for (size_t i = 0; i < 600; i++)
    if (posix_memalign (&blocks[i], (size_t)16 << i % 8, i * 7 + 1) != 0)
      _exit (1);
  for (size_t i = 0; i < 600; i += 2)
    free (blocks[i]);
}

/* The end of [heap] is not malloc's alone. */
static void
fill_beside (void)
{
  fill_single ();
  if (sbrk (8192) == (void *)-1)
    _exit (1);
  for (size_t i = 0; i < N_BLOCKS; i++)
    blocks[i] = take (500);
}

static void
fill_scribbled (void)
{
  char *first = take (104), *second = take (104);

  take (104);
  memset (first + 104, 'A', second - first - 104);
}

__attribute__ ((noreturn)) static void *
run_busy_thread (void *data)
{
  unsigned seed = (unsigned)(uintptr_t)data + 1;
  void *own[256] = { NULL };

  for (;;)
    {
      size_t place = (size_t)rand_r (&seed) % 256;

      free (own[place]);
      own[place] = take ((size_t)rand_r (&seed) % 5000 + 1);
    }
}

/* The figures before the threads are noted. */
static void
fill_busy (void)
{
  fill_single ();
  noted = mallinfo2 ();
  for (size_t i = 0; i < 2; i++)
    start_thread (run_busy_thread, i);
}

/* Takes a block out of its cache and puts it back, so that nothing but the cache ever changes. */
__attribute__ ((noreturn)) static void *
run_juggling_thread (void *data)
{
  fill_own_cache ();
  pthread_barrier_wait (&barrier);
  pthread_barrier_wait (&barrier);
  for (size_t i = 0;; i = (i + 1) % N_CLASSES)
    free (take (24 + 16 * i));
}

/* The figures while all blocks were in the caches are noted. */
static void
fill_juggling (void)
{
  size_t own;

  pthread_barrier_init (&barrier, NULL, 3);
  for (size_t i = 0; i < 2; i++)
    start_thread (run_juggling_thread, i);
  own = fill_own_cache ();
  pthread_barrier_wait (&barrier);
  cached = 3 * own;
  noted = mallinfo2 ();
  pthread_barrier_wait (&barrier);
}

__attribute__ ((noreturn)) static void
go_on_alone (void)
{
  for (size_t i = 0;; i = (i + 1) % 50)
    {
      char *first = malloc (2000 + 32 * i), *second = malloc (3000);

      free (first);
      free (second);
    }
}

/* One thread, which takes no lock: it is often in the middle of a change. */
static void
fill_alone (void)
{
  fill_single ();
  noted = mallinfo2 ();
  go_on = go_on_alone;
}

/* Where the machine has swap, much of it goes there. */
static void
fill_swapped (void)
{
  char *first = sbrk (0);
  size_t size;

  fill_trimmed ();
  size = (size_t)((char *)sbrk (0) - first) & ~(size_t)4095;
  first += -(uintptr_t)first & 4095;
#ifdef MADV_PAGEOUT
  madvise (first, size - 4096, MADV_PAGEOUT);
#endif
}

/* Half of 48 MiB is free, in blocks of one size. */
static void
fill_half (void)
{
  size_t n = 48 * MIB / 16384;

  for (size_t i = 0; i < n; i++)
    blocks[i] = take (16384 - 16);
  for (size_t i = 0; i < n; i += 2)
    free (blocks[i]);
}

#ifdef OWN_ALLOCATOR
/* Blocks have their size before them, and are never used again. */
void *
malloc (size_t size)
{
  size_t whole = (size + 16 + 15) & ~(size_t)15;
  size_t *block = mmap (NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (block == MAP_FAILED)
    return NULL;
  *block = size;
  return block + 2;
}

void
free (void *block)
{
  (void)block;
}

void *
calloc (size_t n, size_t size)
{
  return malloc (n * size);
}

void *
realloc (void *block, size_t size)
{
  void *other = malloc (size);

  if (block && other)
    memcpy (other, block, ((size_t *)block)[-2] < size ? ((size_t *)block)[-2] : size);
  return other;
}
#endif

int
main (int argc,
      char *argv[])
{
  static const struct
  {
    const char *name;
    void (*fill) (void);
  } kinds[] = {
    { "single", fill_single },
    { "threads", fill_threads },
    { "heaps", fill_heaps },
    { "cache", fill_cache },
    { "fast", fill_fast },
    { "bins", fill_bins },
    { "mapped", fill_mapped },
    { "trimmed", fill_trimmed },
    { "realloc", fill_realloc },
    { "child", fill_child },
    { "aligned", fill_aligned },
    { "beside", fill_beside },
    { "scribbled", fill_scribbled },
    { "busy", fill_busy },
    { "juggling", fill_juggling },
    { "alone", fill_alone },
    { "swapped", fill_swapped },
    { "half", fill_half },
  };

  /* Pages that were returned would come back with a huge page. */
  prctl (PR_SET_THP_DISABLE, 1, 0, 0, 0);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (argc == 2 && strcmp (argv[1], kinds[i].name) == 0)
      {
        kinds[i].fill ();
        tell ();
      }
  return 2;
}
