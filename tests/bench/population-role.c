// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <grp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "population.h"

#define KIB          ((size_t)1024)
#define MIB          (1024 * KIB)
#define ZYGOTE_HEAP  (3 * MIB)
#define POOL_HEAP    (16 * MIB)
#define PARTNER_HEAP (24 * MIB)

static const uid_t uids[] = { 0, 1001, 1002, 65534 };
static const int n_extra_threads[] = { 0, 3, 1, 2, 4, 0, 2, 3 };

static volatile sig_atomic_t pending_order;

void
population_role_report (const PopulationRole *role,
                        PopulationEvent event,
                        pid_t pid)
{
  PopulationReport report = { event, role->kind, role->index, pid };

  if (write (role->report_fd, &report, sizeof report) != sizeof report)
    _exit (1);
}

void
population_role_fail (const PopulationRole *role,
                      const char *what)
{
  fprintf (stderr, "bench-population: %s: %s\n", what, strerror (errno));
  population_role_report (role, POPULATION_FAILED, getpid ());
  _exit (1);
}

static void
order_cb (int signal_number __attribute__ ((unused)),
          siginfo_t *info,
          void *context __attribute__ ((unused)))
{
  pending_order = info->si_value.sival_int;
}

/* Orphans have no parent to die with; for them the life pipe alone decides. */
static void
tie_to_parent (const PopulationRole *role)
{
  if (role->parent == 0)
    return;
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != role->parent)
    _exit (0);
}

static void
block_orders (void)
{
  struct sigaction action = { .sa_sigaction = order_cb, .sa_flags = SA_SIGINFO };
  sigset_t orders;

  sigaction (SIGUSR1, &action, NULL);
  sigemptyset (&orders);
  sigaddset (&orders, SIGUSR1);
  sigprocmask (SIG_BLOCK, &orders, NULL);
}

/* The children have seen the same end; reaping them here leaves nothing for pid 1. */
static void __attribute__ ((noreturn))
end_with_children (void)
{
  while (wait (NULL) > 0 || errno == EINTR)
    continue;
  _exit (0);
}

static PopulationOrder
wait_for_order (const PopulationRole *role)
{
  struct pollfd life = { .fd = role->life_fd };
  PopulationOrder order;
  sigset_t none;

  sigemptyset (&none);
  for (;;)
    {
      if (ppoll (&life, 1, NULL, &none) >= 0)
        end_with_children ();
      order = (PopulationOrder)pending_order;
      pending_order = 0;
      if (order != 0)
        return order;
    }
}

/* Changing the uid makes the process unreadable and cuts PR_SET_PDEATHSIG, so this comes first. */
static void
drop_to_uid (const PopulationRole *role,
             uid_t uid)
{
  if (geteuid () != 0 || uid == 0)
    return;
  if (setgroups (0, NULL) != 0 || setresgid (uid, uid, uid) != 0 || setresuid (uid, uid, uid) != 0)
    population_role_fail (role, "setuid");
  prctl (PR_SET_DUMPABLE, 1);
}

static pid_t
fork_child (PopulationRole *role,
            PopulationKind kind)
{
  pid_t parent = getpid ();
  pid_t pid = fork ();

  if (pid < 0)
    population_role_fail (role, "fork");
  if (pid == 0)
    {
      role->kind = kind;
      role->parent = parent;
      tie_to_parent (role);
    }
  return pid;
}

static void *
pause_thread (void *data __attribute__ ((unused)))
{
  for (;;)
    pause ();
  return NULL;
}

static void
start_threads (const PopulationRole *role)
{
  int n_threads = n_extra_threads[role->index % 8];
  pthread_t thread;

  for (int i = 0; i < n_threads; i++)
    if (pthread_create (&thread, NULL, pause_thread, NULL) != 0)
      population_role_fail (role, "thread");
}

static void __attribute__ ((noreturn))
live_as_member (const PopulationRole *role)
{
  population_build_memory (role);
  start_threads (role);
  population_role_report (role, POPULATION_READY, getpid ());
  for (;;)
    {
      wait_for_order (role);
      population_tick_memory ();
      population_role_report (role, POPULATION_TICKED, getpid ());
    }
}

static void __attribute__ ((noreturn))
run_zygote (PopulationRole *role,
            char **argv)
{
  char *heap, *shared;
  int first = role->index;

  drop_to_uid (role, uids[role->group % 4]);
  tie_to_parent (role);
  heap = population_map_heap (role, ZYGOTE_HEAP);
  shared = population_map_shared (role);
  for (int i = 1; i < role->count; i++)
    if (fork_child (role, POPULATION_MEMBER) == 0)
      {
        role->index = first + i;
        snprintf (argv[1], strlen (argv[1]) + 1, "--type=member-%05d", role->index);
        population_touch (heap, ZYGOTE_HEAP / 3, 1);
        population_touch (shared, POPULATION_SHARED_SIZE, 1);
        live_as_member (role);
      }
  live_as_member (role);
}

static void __attribute__ ((noreturn))
wait_forever (const PopulationRole *role)
{
  population_role_report (role, POPULATION_READY, getpid ());
  for (;;)
    wait_for_order (role);
}

static pid_t
start_worker (PopulationRole *role,
              char *heap)
{
  pid_t pid = fork_child (role, POPULATION_WORKER);

  if (pid != 0)
    return pid;
  population_touch (heap, MIB, 1);
  wait_forever (role);
}

static void
end_child (const PopulationRole *role,
           PopulationKind kind,
           pid_t pid)
{
  PopulationRole child = *role;

  child.kind = kind;
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
  population_role_report (&child, POPULATION_DIED, pid);
}

static void __attribute__ ((noreturn))
run_pool (PopulationRole *role)
{
  pid_t *workers = calloc ((size_t)role->count + 1, sizeof *workers);
  char *heap;
  int n_workers = 0;

  if (workers == NULL)
    population_role_fail (role, "workers");
  tie_to_parent (role);
  heap = population_map_heap (role, POOL_HEAP);
  while (n_workers < role->count)
    workers[n_workers++] = start_worker (role, heap);
  population_role_report (role, POPULATION_READY, getpid ());
  for (;;)
    {
      PopulationOrder order = wait_for_order (role);

      end_child (role, POPULATION_WORKER, workers[0]);
      n_workers--;
      memmove (workers, workers + 1, (size_t)n_workers * sizeof *workers);
      if (order == POPULATION_REPLACE)
        workers[n_workers++] = start_worker (role, heap);
    }
}

static void __attribute__ ((noreturn))
run_trio (PopulationRole *role)
{
  pid_t children[2];

  tie_to_parent (role);
  population_map_heap (role, PARTNER_HEAP);
  for (int i = 0; i < 2; i++)
    {
      children[i] = fork_child (role, POPULATION_PARTNER);
      if (children[i] == 0)
        wait_forever (role);
    }
  population_role_report (role, POPULATION_READY, getpid ());
  wait_for_order (role);
  end_child (role, POPULATION_PARTNER, children[0]);
  for (;;)
    wait_for_order (role);
}

void
population_role_run (PopulationRole *role,
                     char **argv)
{
  const char *name = strrchr (argv[0], '/');

  prctl (PR_SET_NAME, name != NULL ? name + 1 : argv[0]);
  block_orders ();
  if (role->kind == POPULATION_ZYGOTE)
    run_zygote (role, argv);
  if (role->kind == POPULATION_POOL)
    run_pool (role);
  if (role->kind == POPULATION_TRIO)
    run_trio (role);

  tie_to_parent (role);
  if (role->kind == POPULATION_GIANT)
    population_map_heap (role, (size_t)role->count * MIB);
  wait_forever (role);
}
