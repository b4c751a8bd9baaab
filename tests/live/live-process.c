// SPDX-License-Identifier: GPL-3.0-or-later
#include <grp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live-process.h"

#define PATIENCE_US (60 * G_USEC_PER_SEC)
#define POLL_US     (2 * 1000)
#define NOBODY      65534

static int orders_of_child = -1, answers_of_child = -1;

pid_t
live_fork (LiveFunc func,
           gpointer data)
{
  pid_t parent = getpid (), pid = fork ();

  if (pid != 0)
    return pid;
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != parent)
    _exit (1);
  func (data);
  _exit (0);
}

/* Each process takes two files, and a shell may allow few. */
static void
allow_many_files (void)
{
  struct rlimit limit;

  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  limit.rlim_cur = limit.rlim_max;
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &limit), ==, 0);
}

void
live_process_start (LiveProcess *self,
                    LiveFunc func,
                    gpointer data)
{
  int orders[2], answers[2];

  allow_many_files ();
  g_assert_cmpint (pipe (orders), ==, 0);
  g_assert_cmpint (pipe (answers), ==, 0);
  orders_of_child = orders[0];
  answers_of_child = answers[1];
  self->pid = live_fork (func, data);
  g_assert_cmpint (self->pid, >, 0);
  close (orders[0]);
  close (answers[1]);
  self->orders = orders[1];
  self->answers = answers[0];
  live_process_wait_until (self);
}

void
live_process_wait_until (LiveProcess *self)
{
  char answer;

  g_assert_cmpint (read (self->answers, &answer, 1), ==, 1);
}

void
live_process_order (LiveProcess *self,
                    char order)
{
  g_assert_cmpint (write (self->orders, &order, 1), ==, 1);
  live_process_wait_until (self);
}

void
live_process_stop (LiveProcess *self)
{
  kill (self->pid, SIGKILL);
  waitpid (self->pid, NULL, 0);
  close (self->orders);
  close (self->answers);
}

static char *
read_proc (pid_t pid,
           const char *name)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/%s", pid, name);
  char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? text : g_strdup ("");
}

void
live_wait_for_state (pid_t pid,
                     const char *states)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;

  while (g_get_monotonic_time () < end_us)
    {
      g_autofree char *stat = read_proc (pid, "stat");
      const char *end = strrchr (stat, ')');

      if (end && end[1] == ' ' && end[2] && strchr (states, end[2]))
        return;
      g_usleep (POLL_US);
    }
  g_error ("process %d is never in one of the states %s", pid, states);
}

void
live_wait_for_comm (pid_t pid,
                    const char *comm)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;

  while (g_get_monotonic_time () < end_us)
    {
      g_autofree char *name = read_proc (pid, "comm");

      if (g_str_equal (g_strchomp (name), comm))
        return;
      g_usleep (POLL_US);
    }
  g_error ("process %d never is “%s”", pid, comm);
}

void
live_answer (void)
{
  if (write (answers_of_child, "", 1) != 1)
    _exit (1);
}

char
live_await_order (void)
{
  char order;

  if (read (orders_of_child, &order, 1) != 1)
    _exit (1);
  return order;
}

/* Anonymous 4 KiB pages, each written to. */
void *
live_touch (gsize size)
{
  char *memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (memory == MAP_FAILED)
    _exit (1);
  madvise (memory, size, MADV_NOHUGEPAGE);
  for (gsize i = 0; i < size; i += 4096)
    memory[i] = (char)(i >> 12 | 1);
  return memory;
}

/* Root has no way back from this. */
void
live_become_nobody (void)
{
  g_assert_cmpint (setgroups (0, NULL), ==, 0);
  g_assert_cmpint (setresgid (NOBODY, NOBODY, NOBODY), ==, 0);
  g_assert_cmpint (setresuid (NOBODY, NOBODY, NOBODY), ==, 0);
}
