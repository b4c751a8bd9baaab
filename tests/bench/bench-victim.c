// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE           4096
#define PIECE_SIZE     (64 * 1024)
#define LOOPS_PER_POLL 32

/* Two buckets of one power of two differ by 1/32: percentiles are exact to 3 %. */
#define SUB_BITS  5
#define N_BUCKETS ((64 - SUB_BITS) << SUB_BITS)

static uint32_t buckets[N_BUCKETS];
static uint64_t max_ns;
static uint64_t max_held_ns; /* without what it waited for a processor */
static int schedstat = -1;
static uint64_t n_loops;
static pid_t *loads;
static int n_loads;

static void __attribute__ ((noreturn))
fail (const char *what)
{
  perror (what);
  exit (1);
}

static uint64_t
get_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static unsigned int
get_bucket (uint64_t ns)
{
  unsigned int shift = 0;

  while (ns >> shift >= 2u << SUB_BITS)
    shift++;
  return (shift << SUB_BITS) + (unsigned int)(ns >> shift);
}

static uint64_t
get_bucket_ns (unsigned int bucket)
{
  unsigned int shift = bucket >> SUB_BITS;

  if (shift < 2)
    return bucket;
  shift--;
  return (uint64_t)(bucket - (shift << SUB_BITS)) << shift;
}

static double
get_percentile_us (double share)
{
  uint64_t rank = (uint64_t)((double)n_loops * share), seen = 0;

  for (unsigned int i = 0; i < N_BUCKETS; i++)
    {
      seen += buckets[i];
      if (seen > rank)
        return (double)get_bucket_ns (i) / 1000;
    }
  return (double)max_ns / 1000;
}

/* How long it could have run and had no processor; 0 where the kernel does not count it. */
static uint64_t
get_delay_ns (void)
{
  char text[128];
  ssize_t length = pread (schedstat, text, sizeof text - 1, 0);
  unsigned long long delay = 0;

  text[length > 0 ? length : 0] = '\0';
  sscanf (text, "%*u %llu", &delay);
  return delay;
}

static void
note_held (uint64_t ns,
           uint64_t delay_before)
{
  uint64_t delay;

  if (ns <= max_held_ns)
    return;
  delay = get_delay_ns () - delay_before;
  if (ns > delay && ns - delay > max_held_ns)
    max_held_ns = ns - delay;
}

static void
measure_loop (void)
{
  uint64_t delay = get_delay_ns (), start = get_ns (), ns;
  char *piece = mmap (NULL, PIECE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (piece == MAP_FAILED)
    fail ("mmap");
  *(volatile char *)piece = 1;
  munmap (piece, PIECE_SIZE);
  ns = get_ns () - start;
  buckets[get_bucket (ns)]++;
  if (ns > max_ns)
    max_ns = ns;
  note_held (ns, delay);
  n_loops++;
}

static void
reset (void)
{
  memset (buckets, 0, sizeof buckets);
  max_ns = 0;
  max_held_ns = 0;
  n_loops = 0;
}

static void
start_load (void)
{
  cpu_set_t cpus;
  pid_t parent = getpid ();

  if (sched_getaffinity (0, sizeof cpus, &cpus) != 0)
    fail ("affinity");
  loads = calloc ((size_t)CPU_COUNT (&cpus), sizeof *loads);
  if (loads == NULL)
    fail ("load");
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    {
      cpu_set_t one;

      if (!CPU_ISSET (cpu, &cpus))
        continue;
      CPU_ZERO (&one);
      CPU_SET (cpu, &one);
      loads[n_loads] = fork ();
      if (loads[n_loads] < 0)
        fail ("fork");
      if (loads[n_loads++] > 0)
        continue;
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      sched_setaffinity (0, sizeof one, &one);
      while (getppid () == parent)
        for (volatile unsigned int i = 0; i < 100000000; i++)
          continue;
      _exit (0);
    }
}

static void
stop_load (void)
{
  for (int i = 0; i < n_loads; i++)
    kill (loads[i], SIGKILL);
  for (int i = 0; i < n_loads; i++)
    waitpid (loads[i], NULL, 0);
  free (loads);
}

static void
fill (size_t size)
{
  char *start = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (start == MAP_FAILED)
    fail ("mmap");
  madvise (start, size, MADV_NOHUGEPAGE);
  if (madvise (start, size, MADV_POPULATE_WRITE) == 0)
    return;
  for (size_t at = 0; at < size; at += PAGE)
    start[at] = 1;
}

/* Unbuffered, as poll() must see whatever has not been read yet. */
static int
read_order (char *order,
            size_t size)
{
  size_t length = 0;
  char byte;

  while (read (STDIN_FILENO, &byte, 1) == 1)
    {
      if (byte == '\n')
        {
          order[length] = '\0';
          return 1;
        }
      if (length + 1 < size)
        order[length++] = byte;
    }
  return 0;
}

static void
obey (const char *order)
{
  if (strcmp (order, "reset") == 0)
    {
      reset ();
      puts ("ok");
    }
  else if (strcmp (order, "report") == 0)
    printf ("max_us=%.1f p50_us=%.1f p999_us=%.1f loops=%llu held_us=%.1f\n", (double)max_ns / 1000,
            get_percentile_us (0.5), get_percentile_us (0.999), (unsigned long long)n_loops,
            (double)max_held_ns / 1000);
  else
    puts ("unknown");
  fflush (stdout);
}

int
main (int argc,
      char **argv)
{
  struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
  char order[64];

  if (argc < 2 || atoi (argv[1]) <= 0 || (argc > 2 && strcmp (argv[2], "--load") != 0))
    {
      fputs ("usage: bench-victim MIB [--load]\n", stderr);
      return 2;
    }
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  schedstat = open ("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
  if (argc > 2)
    start_load ();
  fill ((size_t)atoi (argv[1]) << 20);
  printf ("ready %d\n", getpid ());
  fflush (stdout);
  for (;;)
    {
      for (int i = 0; i < LOOPS_PER_POLL; i++)
        measure_loop ();
      if (poll (&input, 1, 0) <= 0)
        continue;
      if (!read_order (order, sizeof order))
        break;
      obey (order);
    }
  stop_load ();
  return 0;
}
