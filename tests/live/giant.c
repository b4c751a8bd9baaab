// SPDX-License-Identifier: GPL-3.0-or-later
/* A big process for tests of giants: what it does all the time is the mode. Small on purpose, as churn.c. It ends with
 * the process that started it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define MIB     ((size_t)1024 * 1024)
#define PAGE    ((size_t)4096)
#define STEP_MS 20

static void
sleep_ms (long ms)
{
  struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

  while (nanosleep (&t, &t) != 0)
    continue;
}

static char *
map (size_t size,
     int protection,
     int advice)
{
  char *memory = mmap (NULL, size, protection | PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (memory == MAP_FAILED)
    {
      perror ("mmap");
      exit (1);
    }
  madvise (memory, size, advice);
  return memory;
}

static void
touch (char *memory,
       size_t size)
{
  for (size_t i = 0; i < size; i += PAGE)
    memory[i] = 1;
}

static void
ready (void)
{
  puts ("ready");
  fflush (stdout);
}

/* rate: MiB a second, until it has grown by as much as it had */
static void
grow (size_t size,
      size_t rate)
{
  size_t step = rate * MIB * STEP_MS / 1000 / PAGE * PAGE;
  char *memory = map (2 * size, 0, MADV_NOHUGEPAGE);

  touch (memory, size);
  ready ();
  for (size_t at = size; at + step <= 2 * size; at += step)
    {
      touch (memory + at, step);
      sleep_ms (STEP_MS);
    }
  for (;;)
    pause ();
}

/* Neighbours differ in what is permitted, so that the kernel does not make one mapping of them. */
static void
churn (size_t size,
       size_t n)
{
  char **pieces = calloc (n, sizeof *pieces);

  for (size_t i = 0; i < n; i++)
    touch (pieces[i] = map (size / n, i % 2 ? PROT_EXEC : 0, MADV_NOHUGEPAGE), size / n);
  ready ();
  for (size_t i = 0;; i = (i + 7) % n)
    {
      munmap (pieces[i], size / n);
      touch (pieces[i] = map (size / n, i % 2 ? PROT_EXEC : 0, MADV_NOHUGEPAGE), size / n);
      sleep_ms (STEP_MS);
    }
}

/* A little beside a big mapping, which stays as it is. */
static void
rest (size_t size,
      int advice)
{
  touch (map (size, 0, advice), size);
  ready ();
  for (;;)
    {
      char *piece = map (16 * PAGE, PROT_EXEC, MADV_NOHUGEPAGE);

      touch (piece, 16 * PAGE);
      munmap (piece, 16 * PAGE);
      sleep_ms (STEP_MS);
    }
}

static void
sleep_for_ever (size_t size)
{
  touch (map (size, 0, MADV_NOHUGEPAGE), size);
  ready ();
  for (;;)
    pause ();
}

/* The one page of zeros, as often as there is room for it. */
static void
read_zeros (size_t size)
{
  const volatile char *memory = map (size, 0, MADV_NOHUGEPAGE);

  for (size_t i = 0; i < size; i += PAGE)
    (void)memory[i];
  ready ();
  for (;;)
    pause ();
}

int
main (int argc,
      char *argv[])
{
  size_t size = argc > 2 ? (size_t)atoi (argv[2]) * MIB : 0, n = argc > 3 ? (size_t)atoi (argv[3]) : 0;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (argc < 3)
    return 2;
  if (strcmp (argv[1], "grow") == 0)
    grow (size, n);
  if (strcmp (argv[1], "churn") == 0)
    churn (size, n);
  if (strcmp (argv[1], "one") == 0)
    rest (size, MADV_NOHUGEPAGE);
  if (strcmp (argv[1], "huge") == 0)
    rest (size, MADV_HUGEPAGE);
  if (strcmp (argv[1], "zeros") == 0)
    read_zeros (size);
  if (strcmp (argv[1], "sleep") == 0)
    sleep_for_ever (size);
  return 2;
}
