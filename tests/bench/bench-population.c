// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "population.h"

#define ANSWER_TIMEOUT_MS 120000

typedef struct
{
  pid_t pid;
  PopulationKind kind;
  int index;
  int pidfd;
} Process;

typedef struct
{
  int n_members;
  int active_percent;
  int anonymous_percent;
  int giant_mib;
  int n_workers;
  int n_orphans;
  int n_trios;

  Process *processes;
  int n_processes;
  int n_broken_trios;
  int life_fd;
  int report_fd;
} Population;

static const char *const kind_names[] = {
  "zygote",
  "member",
  "pool",
  "worker",
  "trio",
  "partner",
  "orphan",
  "giant",
};

static const int group_sizes[] = { 6, 5, 7, 6, 8, 4 };

static void __attribute__ ((noreturn))
fail (const char *what)
{
  fprintf (stderr, "bench-population: %s\n", what);
  exit (1);
}

static void
add_process (Population *self,
             const PopulationReport *report)
{
  Process *process = &self->processes[self->n_processes++];

  process->pid = report->pid;
  process->kind = report->kind;
  process->index = report->index;
  process->pidfd = report->kind == POPULATION_ORPHAN ? pidfd_open (report->pid, 0) : -1;
}

static void
remove_process (Population *self,
                pid_t pid)
{
  for (int i = 0; i < self->n_processes; i++)
    if (self->processes[i].pid == pid)
      {
        self->processes[i] = self->processes[--self->n_processes];
        return;
      }
}

static void
take_reports (Population *self,
              int n_reports)
{
  while (n_reports-- > 0)
    {
      struct pollfd ready = { .fd = self->report_fd, .events = POLLIN };
      PopulationReport report;

      if (poll (&ready, 1, ANSWER_TIMEOUT_MS) <= 0)
        fail ("a process doesn't answer");
      if (read (self->report_fd, &report, sizeof report) != sizeof report)
        fail ("all processes have ended");
      if (report.event == POPULATION_FAILED)
        fail ("a process has failed");
      if (report.event == POPULATION_READY)
        add_process (self, &report);
      if (report.event == POPULATION_DIED)
        remove_process (self, report.pid);
    }
}

static int
spawn_groups (const Population *self,
              PopulationRole role)
{
  int n_started = 0;

  role.kind = POPULATION_ZYGOTE;
  for (role.group = 0; n_started < self->n_members; role.group++)
    {
      int left = self->n_members - n_started;

      role.index = n_started;
      role.count = group_sizes[role.group % 6] < left ? group_sizes[role.group % 6] : left;
      population_spawn (&role, 0);
      n_started += role.count;
    }
  return n_started;
}

static int
spawn_extras (const Population *self,
              PopulationRole role)
{
  int n_started = 0;

  if (self->giant_mib > 0)
    {
      role.kind = POPULATION_GIANT;
      role.count = self->giant_mib;
      population_spawn (&role, 0);
      n_started++;
    }
  if (self->n_workers > 0)
    {
      role.kind = POPULATION_POOL;
      role.count = self->n_workers;
      population_spawn (&role, 0);
      n_started += 1 + self->n_workers;
    }
  role.kind = POPULATION_TRIO;
  for (role.index = 0; role.index < self->n_trios; role.index++, n_started += 3)
    population_spawn (&role, 0);
  role.kind = POPULATION_ORPHAN;
  for (role.index = 0; role.index < self->n_orphans; role.index++, n_started++)
    population_spawn (&role, 1);
  return n_started;
}

static void
start (Population *self)
{
  size_t capacity = (size_t)(self->n_members + self->n_workers + 3 * self->n_trios + self->n_orphans + 4);
  PopulationRole role = {
    .anonymous_percent = self->anonymous_percent,
    .libraries_fd = population_list_libraries (),
  };
  int life[2], report[2], n_started;

  self->processes = calloc (capacity, sizeof *self->processes);
  if (self->processes == NULL || pipe2 (life, O_CLOEXEC) != 0 || pipe2 (report, O_CLOEXEC) != 0)
    fail ("can't start");
  self->life_fd = life[1];
  self->report_fd = report[0];
  role.life_fd = life[0];
  role.report_fd = report[1];
  prctl (PR_SET_THP_DISABLE, 1, 0, 0, 0);

  n_started = spawn_extras (self, role);
  n_started += spawn_groups (self, role);
  close (life[0]);
  close (report[1]);
  close (role.libraries_fd);
  take_reports (self, n_started);
}

static void
send_order (const Process *process,
            PopulationOrder order)
{
  union sigval value = { .sival_int = (int)order };

  if (sigqueue (process->pid, SIGUSR1, value) != 0)
    fail ("a process has gone");
}

static int
is_active (const Population *self,
           const Process *process)
{
  long percent = self->active_percent;

  return process->kind <= POPULATION_MEMBER && process->index * percent / 100 != (process->index + 1) * percent / 100;
}

static const Process *
find_kind (const Population *self,
           PopulationKind kind)
{
  for (int i = 0; i < self->n_processes; i++)
    if (self->processes[i].kind == kind)
      return &self->processes[i];
  return NULL;
}

static void
tick (Population *self)
{
  int n_active = 0;

  for (int i = 0; i < self->n_processes; i++)
    if (is_active (self, &self->processes[i]))
      {
        send_order (&self->processes[i], POPULATION_TICK);
        n_active++;
      }
  take_reports (self, n_active);
  puts ("ok");
}

static void
kill_orphan (Population *self)
{
  const Process *orphan = find_kind (self, POPULATION_ORPHAN);
  struct pollfd end = { .fd = orphan != NULL ? orphan->pidfd : -1, .events = POLLIN };

  if (orphan == NULL)
    {
      puts ("none");
      return;
    }
  pidfd_send_signal (orphan->pidfd, SIGKILL, NULL, 0);
  poll (&end, 1, ANSWER_TIMEOUT_MS);
  close (orphan->pidfd);
  remove_process (self, orphan->pid);
  puts ("ok");
}

static void
change_pool (Population *self,
             PopulationOrder order)
{
  const Process *pool = find_kind (self, POPULATION_POOL);

  if (pool == NULL || find_kind (self, POPULATION_WORKER) == NULL)
    {
      puts ("none");
      return;
    }
  send_order (pool, order);
  take_reports (self, order == POPULATION_REPLACE ? 2 : 1);
  puts ("ok");
}

/* A trio can lose one child only; the next order goes to the next trio. */
static void
kill_partner (Population *self)
{
  const Process *trio = NULL;
  int index;

  for (int i = 0; i < self->n_processes && trio == NULL; i++)
    if (self->processes[i].kind == POPULATION_TRIO && self->processes[i].index == self->n_broken_trios)
      trio = &self->processes[i];
  if (trio == NULL)
    {
      puts ("none");
      return;
    }
  index = self->n_broken_trios++;
  send_order (trio, POPULATION_KILL);
  take_reports (self, 1);
  fputs ("ok", stdout);
  for (int i = 0; i < self->n_processes; i++)
    if (self->processes[i].index == index &&
        (self->processes[i].kind == POPULATION_TRIO || self->processes[i].kind == POPULATION_PARTNER))
      printf (" %d", self->processes[i].pid);
  putchar ('\n');
}

static void
print_pids (const Population *self,
            const char *kind)
{
  const char *separator = "";

  for (int i = 0; i < self->n_processes; i++)
    {
      const Process *process = &self->processes[i];

      if (*kind != '\0' && strcmp (kind, kind_names[process->kind]) != 0 &&
          !(strcmp (kind, "active") == 0 && is_active (self, process)))
        continue;
      printf ("%s%d", separator, process->pid);
      separator = " ";
    }
  putchar ('\n');
}

static void
obey (Population *self,
      const char *order)
{
  if (strcmp (order, "tick") == 0)
    tick (self);
  else if (strcmp (order, "kill-orphan") == 0)
    kill_orphan (self);
  else if (strcmp (order, "kill-worker") == 0)
    change_pool (self, POPULATION_KILL);
  else if (strcmp (order, "replace-worker") == 0)
    change_pool (self, POPULATION_REPLACE);
  else if (strcmp (order, "kill-partner") == 0)
    kill_partner (self);
  else if (strcmp (order, "pids") == 0)
    print_pids (self, "");
  else if (strncmp (order, "pids ", 5) == 0)
    print_pids (self, order + 5);
  else
    puts ("unknown");
}

/* Each process holds the report pipe until its memory is gone. */
static void
stop (Population *self)
{
  char rest[4096];

  close (self->life_fd);
  while (read (self->report_fd, rest, sizeof rest) > 0)
    continue;
  while (wait (NULL) > 0 || errno == EINTR)
    continue;
  free (self->processes);
}

static void
parse_options (Population *self,
               int argc,
               char **argv)
{
  static const struct option options[] = {
    { "active", required_argument, NULL, 'a' },
    { "anonymous", required_argument, NULL, 'A' },
    { "giant", required_argument, NULL, 'g' },
    { "workers", required_argument, NULL, 'w' },
    { "orphans", required_argument, NULL, 'o' },
    { "trios", required_argument, NULL, 't' },
    { NULL, 0, NULL, 0 },
  };
  int option;

  while ((option = getopt_long (argc, argv, "", options, NULL)) != -1)
    switch (option)
      {
      case 'a':
        self->active_percent = atoi (optarg);
        break;
      case 'A':
        self->anonymous_percent = atoi (optarg);
        break;
      case 'g':
        self->giant_mib = atoi (optarg);
        break;
      case 'w':
        self->n_workers = atoi (optarg);
        break;
      case 'o':
        self->n_orphans = atoi (optarg);
        break;
      case 't':
        self->n_trios = atoi (optarg);
        break;
      default:
        exit (2);
      }
  if (optind + 1 != argc)
    fail ("N [--active PERCENT] [--anonymous PERCENT] [--giant MIB] [--workers W] [--orphans K] [--trios K]");
  self->n_members = atoi (argv[optind]);
}

int
main (int argc,
      char **argv)
{
  Population self = { .anonymous_percent = 100, .n_orphans = 8, .n_trios = 1 };
  const char *role_text = getenv (POPULATION_ROLE_VARIABLE);
  PopulationRole role;
  char line[128];

  if (role_text != NULL &&
      sscanf (role_text, "%u %d %d %d %d %d %d %d %d", &role.kind, &role.group, &role.index, &role.count,
              &role.anonymous_percent, &role.life_fd, &role.report_fd, &role.libraries_fd, &role.parent) == 9)
    population_role_run (&role, argv);

  parse_options (&self, argc, argv);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  start (&self);
  puts ("ready");
  fflush (stdout);
  while (fgets (line, sizeof line, stdin) != NULL)
    {
      line[strcspn (line, "\n")] = '\0';
      obey (&self, line);
      fflush (stdout);
    }
  stop (&self);
  return 0;
}
