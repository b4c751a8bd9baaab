// SPDX-License-Identifier: GPL-3.0-or-later
/* Makes processes whose memory is exactly known, for the tests. Started without a mode, it lists them. */
#include "workload.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SKIPPED       77
#define MAX_PROCESSES 1024
#define MAX_REGIONS   16

static struct
{
  char role[20];
  pid_t pid;
} processes[MAX_PROCESSES];
static struct
{
  void *memory;
  size_t size;
} regions[MAX_REGIONS];
static size_t n_processes, n_regions;
static pid_t main_pid;
static int ready_fd = -1;
static OrderFunc order_func;
static char own_path[PATH_MAX];

static const struct
{
  const char *name, *usage;
  Mode func;
  long defaults[N_ARGUMENTS];
} modes[] = {
  { "fork", "N SHARED PRIVATE", mode_fork, { 3, 16, 4 } },
  { "forkdie", "SHARED", mode_forkdie, { 16 } },
  { "shm", "N SIZE", mode_shm, { 2, 16 } },
  { "memfd-fd", "SIZE", mode_memfd_fd, { 16 } },
  { "twice", "SIZE", mode_twice, { 16 } },
  { "anon", "SIZE", mode_anon, { 16 } },
  { "thp", "SIZE", mode_thp, { 8 } },
  { "hugetlb", "PRIVATE SHARED", mode_hugetlb, { 4, 4 } },
  { "lazyfree", "SIZE", mode_lazyfree, { 16 } },
  { "zero", "SIZE", mode_zero, { 16 } },
  { "ksm", "SIZE", mode_ksm, { 8 } },
  { "swapfile", "SIZE TOTAL", mode_swapfile, { 12, 16 } },
  { "swapzram", "SIZE TOTAL", mode_swapzram, { 12, 16 } },
  { "swapanon", "N SIZE", mode_swapanon, { 3, 16 } },
  { "swapshm", "N SIZE", mode_swapshm, { 3, 16 } },
  { "clonevm", "SIZE", mode_clonevm, { 16 } },
  { "zombie-leader", "SIZE", mode_zombie_leader, { 16 } },
  { "zombie", "", mode_zombie, { 0 } },
  { "nondumpable", "SIZE", mode_nondumpable, { 4 } },
  { "setgid", "SIZE", mode_setgid, { 4 } },
  { "names", "", mode_names, { 0 } },
  { "vmas", "COUNT", mode_vmas, { 1000 } },
  { "deleted-map", "", mode_deleted_map, { 0 } },
  { "churn", "SECONDS", mode_churn, { 2 } },
};

void
finish (int status)
{
  for (size_t i = 0; i < n_processes; i++)
    if (processes[i].pid != main_pid)
      kill (processes[i].pid, SIGKILL);
  for (size_t i = 0; i < n_processes; i++)
    if (processes[i].pid != main_pid)
      waitpid (processes[i].pid, NULL, __WALL);
  for (size_t i = 0; i < n_regions; i++)
    munmap (regions[i].memory, regions[i].size);
  if (!undo_run ())
    status = status == 0 ? 1 : status;
  exit (status);
}

void
fail (const char *format,
      ...)
{
  va_list args;

  va_start (args, format);
  fputs ("footprint-workload: ", stderr);
  vfprintf (stderr, format, args);
  fputc ('\n', stderr);
  va_end (args);
  if (getpid () != main_pid)
    _exit (1);
  finish (1);
}

void
skip (const char *format,
      ...)
{
  va_list args;

  va_start (args, format);
  fputs ("skip ", stdout);
  vprintf (format, args);
  putchar ('\n');
  fflush (stdout);
  va_end (args);
  if (getpid () != main_pid)
    _exit (SKIPPED);
  finish (SKIPPED);
}

/* Kept memory is given back before swap and huge pages are, which is quicker than reading it back. */
void *
keep_region (void *memory,
             size_t size)
{
  if (memory == MAP_FAILED)
    fail ("mmap of %zu bytes: %s", size, strerror (errno));
  if (n_regions == MAX_REGIONS)
    fail ("more than %d regions", MAX_REGIONS);
  regions[n_regions].memory = memory;
  regions[n_regions++].size = size;
  return memory;
}

void
keep_process (const char *role,
              pid_t pid)
{
  if (n_processes == MAX_PROCESSES)
    fail ("more than %d processes", MAX_PROCESSES);
  snprintf (processes[n_processes].role, sizeof processes[0].role, "%s", role);
  processes[n_processes++].pid = pid;
}

void
report (void)
{
  for (size_t i = 0; i < n_processes; i++)
    printf ("pid %s %d\n", processes[i].role, (int)processes[i].pid);
  if (undo_get_guardian () > 0)
    printf ("pid guardian %d\n", (int)undo_get_guardian ());
  puts ("ready");
  fflush (stdout);
}

void
set_order (OrderFunc func)
{
  order_func = func;
}

const char *
get_own_path (void)
{
  return own_path;
}

/* After every change of credentials: that clears the signal. */
void
die_with_parent (pid_t parent)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != parent)
    _exit (1);
}

void
hold (void)
{
  for (;;)
    pause ();
}

void
child_ready (void)
{
  if (write (ready_fd, "r", 1) != 1)
    _exit (1);
  close (ready_fd);
}

static void
wait_for_child (const char *role,
                pid_t pid,
                int fd)
{
  char answer;
  int status;

  if (read (fd, &answer, 1) == 1)
    {
      close (fd);
      keep_process (role, pid);
      return;
    }
  waitpid (pid, &status, 0);
  if (WIFEXITED (status) && WEXITSTATUS (status) == SKIPPED)
    finish (SKIPPED);
  fail ("%s has ended with status %#x", role, (unsigned)status);
}

pid_t
start_child (const char *role,
             ChildFunc func,
             const void *data)
{
  int fds[2];
  pid_t pid;

  if (pipe2 (fds, O_CLOEXEC) != 0 || (pid = fork ()) < 0)
    fail ("%s: %s", role, strerror (errno));
  if (pid == 0)
    {
      ready_fd = fds[1];
      die_with_parent (main_pid);
      if (func)
        func (data);
      child_ready ();
      hold ();
    }
  close (fds[1]);
  wait_for_child (role, pid, fds[0]);
  return pid;
}

void
start_children (long n,
                ChildFunc func,
                const void *data)
{
  char role[32];

  for (long i = 0; i < n; i++)
    {
      snprintf (role, sizeof role, "child%ld", i);
      start_child (role, func, data);
    }
}

/* The program says that it is ready on file descriptor 3; its standard input stays silent. */
pid_t
start_program (const char *role,
               const char *path,
               char *const argv[],
               char *const envp[])
{
  static int silence[2] = { -1, -1 };
  int fds[2];
  pid_t pid;

  if (silence[0] < 0 && pipe2 (silence, O_CLOEXEC) != 0)
    fail ("pipe: %s", strerror (errno));
  if (pipe2 (fds, O_CLOEXEC) != 0 || (pid = fork ()) < 0)
    fail ("%s: %s", role, strerror (errno));
  if (pid == 0)
    {
      die_with_parent (main_pid);
      dup2 (silence[0], STDIN_FILENO);
      if (fds[1] == READY_FD)
        fcntl (READY_FD, F_SETFD, 0);
      else
        dup2 (fds[1], READY_FD);
      execve (path, argv, envp);
      fail ("%s: %s", path, strerror (errno));
    }
  close (fds[1]);
  wait_for_child (role, pid, fds[0]);
  return pid;
}

void
end_child (pid_t pid)
{
  for (size_t i = 0; i < n_processes; i++)
    if (processes[i].pid == pid)
      {
        kill (pid, SIGKILL);
        waitpid (pid, NULL, 0);
        processes[i] = processes[--n_processes];
        return;
      }
}

void
sleep_ms (long ms)
{
  struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

  nanosleep (&t, NULL);
}

/* In kB; -1: the kernel doesn't have this figure. name: with its colon. */
long
read_figure (pid_t pid,
             const char *name)
{
  char path[64], line[256];
  size_t length = strlen (name);
  long value = -1;
  FILE *file;

  snprintf (path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
  file = fopen (path, "re");
  if (!file)
    skip ("%s: %s", path, strerror (errno));
  while (fgets (line, sizeof line, file))
    if (strncmp (line, name, length) == 0)
      value = strtol (line + length, NULL, 10);
  fclose (file);
  return value;
}

static void
usage (void)
{
  fputs ("footprint-workload MODE [ARGUMENTS]; sizes in MiB\n", stderr);
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    fprintf (stderr, "  %s %s\n", modes[i].name, modes[i].usage);
  fputs ("  cleanup\n", stderr);
  exit (1);
}

static void
run_mode (size_t mode,
          int argc,
          char *argv[])
{
  long arguments[N_ARGUMENTS];
  char line[256], *end;

  memcpy (arguments, modes[mode].defaults, sizeof arguments);
  for (int i = 2; i < argc; i++)
    {
      if (i - 2 == N_ARGUMENTS)
        usage ();
      arguments[i - 2] = strtol (argv[i], &end, 10);
      if (*end != '\0' || arguments[i - 2] < 0)
        fail ("“%s” is not a number", argv[i]);
    }
  keep_process ("parent", main_pid);
  modes[mode].func (arguments);
  report ();
  while (fgets (line, sizeof line, stdin))
    if (order_func)
      order_func (line);
  finish (0);
}

int
main (int argc,
      char *argv[])
{
  ssize_t length = readlink ("/proc/self/exe", own_path, sizeof own_path - 1);

  main_pid = getpid ();
  if (length < 0)
    fail ("/proc/self/exe: %s", strerror (errno));
  own_path[length] = '\0';
  if (argc > 1 && strcmp (argv[1], "hold") == 0)
    return hold_with_name (argc, argv);
  if (argc > 2 && strcmp (argv[1], "churn-child") == 0)
    mode_churn_child (&(long){ atol (argv[2]) });
  if (argc > 1 && strcmp (argv[1], "cleanup") == 0)
    return cleanup ();
  for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
    if (strcmp (argv[1], modes[i].name) == 0)
      run_mode (i, argc, argv);
  usage ();
}
