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
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE           4096
#define PIECE_SIZE     (64 * 1024)
#define N_PIECES       400
#define LOOPS_PER_POLL 32
#define MAX_SLEEPS     512    /* in one report */
#define SLEEP_NS       500000 /* shorter ones are not listed */
#define CLOCK_NS       500000 /* no look at the clocks takes as long */

/* Two buckets of one power of two differ by 1/32: percentiles are exact to 3 %. */
#define SUB_BITS  5
#define N_BUCKETS ((64 - SUB_BITS) << SUB_BITS)

static uint32_t buckets[N_BUCKETS];
static uint64_t max_ns;
static uint64_t max_held_ns; /* without what it waited for a processor */
static uint64_t n_loops;
static int schedstat = -1;

/* The kernel's counts of this thread, at one moment */
typedef struct
{
  uint64_t ns;
  uint64_t run_ns;
  uint64_t delay_ns; /* it could have run and had no processor */
  long n_sleeps;
} Clock;

/* A loop in which it slept: it never does by itself, but for the lock of its own memory, which another holds. */
typedef struct
{
  uint64_t start_ns;
  uint64_t end_ns;
  uint64_t slept_ns;
} Sleep;

static Clock last;
static Sleep sleeps[MAX_SLEEPS];
static int n_sleeps;
static uint64_t max_slept_ns;
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

/* Again, where it had to wait for a processor in between. */
static void
read_clock (Clock *clock)
{
  struct rusage usage;
  struct timespec run;
  uint64_t start_ns;

  do
    {
      start_ns = get_ns ();
      clock->delay_ns = get_delay_ns ();
      getrusage (RUSAGE_THREAD, &usage);
      clock_gettime (CLOCK_THREAD_CPUTIME_ID, &run);
      clock->ns = get_ns ();
    }
  while (clock->ns - start_ns > CLOCK_NS);
  clock->run_ns = (uint64_t)run.tv_sec * 1000000000 + (uint64_t)run.tv_nsec;
  clock->n_sleeps = usage.ru_nvcsw;
}

static void
note_sleep (const Clock *start,
            const Clock *end)
{
  uint64_t ns = end->ns - start->ns, awake_ns = end->run_ns - start->run_ns + end->delay_ns - start->delay_ns;
  Sleep sleep = { start->ns, end->ns, ns > awake_ns ? ns - awake_ns : 0 };

  if (sleep.slept_ns > max_slept_ns)
    max_slept_ns = sleep.slept_ns;
  if (sleep.slept_ns >= SLEEP_NS && n_sleeps < MAX_SLEEPS)
    sleeps[n_sleeps++] = sleep;
}

static void
measure_loop (void)
{
  Clock start = last;
  char *piece = mmap (NULL, PIECE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  uint64_t ns, delay_ns;

  if (piece == MAP_FAILED)
    fail ("mmap");
  *(volatile char *)piece = 1;
  munmap (piece, PIECE_SIZE);
  read_clock (&last);
  ns = last.ns - start.ns;
  buckets[get_bucket (ns)]++;
  if (ns > max_ns)
    max_ns = ns;
  delay_ns = last.delay_ns - start.delay_ns;
  if (ns > delay_ns && ns - delay_ns > max_held_ns)
    max_held_ns = ns - delay_ns;
  if (last.n_sleeps != start.n_sleeps)
    note_sleep (&start, &last);
  n_loops++;
}

static void
reset (void)
{
  memset (buckets, 0, sizeof buckets);
  max_ns = 0;
  max_held_ns = 0;
  n_loops = 0;
  n_sleeps = 0;
  max_slept_ns = 0;
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
fill (size_t size,
      int permitted)
{
  char *start = mmap (NULL, size, permitted | PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (start == MAP_FAILED)
    fail ("mmap");
  madvise (start, size, MADV_NOHUGEPAGE);
  if (madvise (start, size, MADV_POPULATE_WRITE) == 0)
    return;
  for (size_t at = 0; at < size; at += PAGE)
    start[at] = 1;
}

/* Neighbours differ in what is permitted, so that the kernel does not make one mapping of them. */
static void
fill_pieces (size_t size)
{
  for (int i = 0; i < N_PIECES; i++)
    fill (size / N_PIECES / PAGE * PAGE, i % 2 ? PROT_EXEC : 0);
}

static int
has_option (int argc,
            char **argv,
            const char *option)
{
  for (int i = 2; i < argc; i++)
    if (strcmp (argv[i], option) == 0)
      return 1;
  return 0;
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
report (void)
{
  printf ("loops=%llu max_us=%.1f p9999_us=%.1f held_us=%.1f slept_us=%.1f", (unsigned long long)n_loops,
          (double)max_ns / 1000, get_percentile_us (0.9999), (double)max_held_ns / 1000, (double)max_slept_ns / 1000);
  for (int i = 0; i < n_sleeps; i++)
    printf (" %llu-%llu:%llu", (unsigned long long)sleeps[i].start_ns, (unsigned long long)sleeps[i].end_ns,
            (unsigned long long)sleeps[i].slept_ns);
  putchar ('\n');
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
    report ();
  else
    puts ("unknown");
  fflush (stdout);
  read_clock (&last);
}

int
main (int argc,
      char **argv)
{
  struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
  char order[64];

  if (argc < 2 || atoi (argv[1]) <= 0)
    {
      fputs ("usage: bench-victim MIB [--pieces] [--load]\n", stderr);
      return 2;
    }
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  schedstat = open ("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
  if (has_option (argc, argv, "--load"))
    start_load ();
  if (has_option (argc, argv, "--pieces"))
    fill_pieces ((size_t)atoi (argv[1]) << 20);
  else
    fill ((size_t)atoi (argv[1]) << 20, 0);
  printf ("ready %d\n", getpid ());
  fflush (stdout);
  read_clock (&last);
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
