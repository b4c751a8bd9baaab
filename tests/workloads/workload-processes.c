// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload.h"

#include <errno.h>
#include <grp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STACK_SIZE 65536
#define NOBODY     65534
#define OTHER_GID  1234

#define N_CHURNING 20
#define N_KINDS    8

static atomic_bool is_twin_ready;

static int
be_twin (void *data)
{
  die_with_parent (*(const pid_t *)data);
  is_twin_ready = true;
  hold ();
}

void
mode_clonevm (const long *arguments)
{
  static char stack[STACK_SIZE] __attribute__ ((aligned (16)));
  static pid_t self;
  pid_t twin;

  self = getpid ();
  mode_anon (arguments);
  twin = clone (be_twin, stack + sizeof stack, CLONE_VM | SIGCHLD, &self);
  if (twin < 0)
    fail ("clone: %s", strerror (errno));
  while (!is_twin_ready)
    sleep_ms (1);
  keep_process ("child0", twin);
}

/* The leader's death shows a little after pthread_exit. */
static void
wait_for_zombie (pid_t pid)
{
  char path[64], text[256];

  snprintf (path, sizeof path, "/proc/%d/stat", (int)pid);
  for (;;)
    {
      if (!read_value (path, text, sizeof text))
        fail ("%s: %s", path, strerror (errno));
      if (strstr (text, ") Z "))
        return;
      sleep_ms (1);
    }
}

static void *
outlive_leader (void *data)
{
  mode_anon (data);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  wait_for_zombie (getpid ());
  child_ready ();
  hold ();
}

static void
leave_to_thread (const void *data)
{
  static long arguments[N_ARGUMENTS];
  pthread_t thread;
  int error;

  memcpy (arguments, data, sizeof arguments);
  error = pthread_create (&thread, NULL, outlive_leader, arguments);
  if (error != 0)
    fail ("pthread_create: %s", strerror (error));
  pthread_exit (NULL);
}

void
mode_zombie_leader (const long *arguments)
{
  start_child ("child0", leave_to_thread, arguments);
}

static void
end_at_once (const void *data __attribute__ ((unused)))
{
  child_ready ();
  _exit (0);
}

void
mode_zombie (const long *arguments __attribute__ ((unused)))
{
  siginfo_t info;
  pid_t pid = start_child ("child0", end_at_once, NULL);

  if (waitid (P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) != 0)
    fail ("waitid: %s", strerror (errno));
}

static void
be_nondumpable (const void *data)
{
  mode_anon (data);
  if (prctl (PR_SET_DUMPABLE, 0) != 0)
    skip ("PR_SET_DUMPABLE: %s", strerror (errno));
}

void
mode_nondumpable (const long *arguments)
{
  start_child ("child0", be_nondumpable, arguments);
}

/* Dumpable again, so that the group is the only hindrance. */
static void
be_in_other_group (const void *data)
{
  pid_t parent = getppid ();

  mode_anon (data);
  if (setgroups (0, NULL) != 0 || setresgid (OTHER_GID, OTHER_GID, OTHER_GID) != 0 ||
      setresuid (NOBODY, NOBODY, NOBODY) != 0)
    skip ("setresgid: %s", strerror (errno));
  prctl (PR_SET_DUMPABLE, 1);
  die_with_parent (parent);
}

void
mode_setgid (const long *arguments)
{
  start_child ("child0", be_in_other_group, arguments);
}

/* A process named churn-K holds K+1 MiB, from before it took the name until it ends or execs. */
void
mode_churn_child (const long *arguments)
{
  long kind = arguments[0] % N_KINDS;
  size_t size = (size_t)(kind + 1) * MIB;
  char name[16], next[16];
  unsigned seed = 0;

  fill_unique (map_anonymous (size), size);
  snprintf (name, sizeof name, "churn-%ld", kind);
  prctl (PR_SET_NAME, name);
  /* Not from the pid: some would exec themselves in a circle without end. */
  getrandom (&seed, sizeof seed, 0);
  srand (seed);
  sleep_ms (1 + rand () % 20);
  if (rand () % 3 != 0)
    _exit (0);
  snprintf (next, sizeof next, "%d", rand () % N_KINDS);
  execl (get_own_path (), "footprint-workload", "churn-child", next, NULL);
  _exit (1);
}

static void
start_churning (void)
{
  pid_t parent = getpid (), pid = fork ();
  long kind = rand () % N_KINDS;

  if (pid < 0)
    fail ("fork: %s", strerror (errno));
  if (pid > 0)
    return;
  die_with_parent (parent);
  mode_churn_child (&kind);
}

static double
get_seconds (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void
mode_churn (const long *arguments)
{
  double end = get_seconds () + (double)arguments[0];
  struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
  char rest[256];

  for (int i = 0; i < N_CHURNING; i++)
    start_churning ();
  report ();
  while (get_seconds () < end)
    {
      while (waitpid (-1, NULL, WNOHANG) > 0)
        start_churning ();
      if (poll (&input, 1, 1) > 0 && read (STDIN_FILENO, rest, sizeof rest) <= 0)
        break;
    }
  while (waitpid (-1, NULL, 0) > 0)
    continue;
  finish (0);
}
