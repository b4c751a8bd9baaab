// SPDX-License-Identifier: GPL-3.0-or-later
/* Processes that come, exec and go without pause. Whoever is named churn-K holds K+1 MiB of its own, from before it
 * took the name until it ends or execs. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define N_CHILDREN 20
#define N_KINDS    8
#define MIB        (1024 * 1024)

static void
sleep_ms (long ms)
{
  struct timespec t = { 0, ms * 1000000 };

  nanosleep (&t, NULL);
}

static void
hold (int kind)
{
  size_t size = (size_t)(kind + 1) * MIB;
  char *memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char name[16];

  if (memory == MAP_FAILED)
    _exit (1);
  madvise (memory, size, MADV_NOHUGEPAGE);
  memset (memory, kind + 1, size);
  snprintf (name, sizeof name, "churn-%d", kind);
  prctl (PR_SET_NAME, name);
  sleep_ms (1 + rand () % 20);
}

/* depth: how often it execs before it ends */
static void
live (const char *path,
      int kind,
      int depth)
{
  char next_kind[16], next_depth[16];

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () == 1)
    _exit (0);
  hold (kind);
  if (depth == 0)
    _exit (0);
  snprintf (next_kind, sizeof next_kind, "%d", rand () % N_KINDS);
  snprintf (next_depth, sizeof next_depth, "%d", depth - 1);
  execl (path, path, next_kind, next_depth, NULL);
  _exit (1);
}

static void
start_child (const char *path,
             unsigned seed)
{
  if (fork () != 0)
    return;
  srand (seed);
  live (path, rand () % N_KINDS, rand () % 3);
}

int
main (int argc,
      char *argv[])
{
  unsigned seed = 1;

  if (argc == 3)
    {
      srand ((unsigned)getpid ());
      live (argv[0], atoi (argv[1]), atoi (argv[2]));
    }
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  for (int i = 0; i < N_CHILDREN; i++)
    start_child (argv[0], seed++);
  for (;;)
    {
      if (waitpid (-1, NULL, 0) < 0 && errno != EINTR)
        return 1;
      start_child (argv[0], seed++);
    }
}
