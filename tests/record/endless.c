// SPDX-License-Identifier: GPL-3.0-or-later
/* Allocates until SIGUSR1 comes, then some more, and ends with a status that is known. With “leave” it becomes another program
 * instead, and with “anew” itself once more, with the environment that it was started with, and so with the recorder. A test that
 * fails leaves it for minutes, so it does not keep what the test writes to. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline, noclone))
#define N_HELD   1000
#define N_MORE   20000
#define STATUS   7
#define MAX_S    600

static volatile sig_atomic_t is_told;
static void *volatile kept;

static void
told_cb (int signal_number)
{
  is_told = 1;
}

NOINLINE static void
hold (void)
{
  kept = malloc (100);
}

NOINLINE static void
pass (void)
{
  kept = malloc (50);
  free (kept);
}

static void
let_go_of_output (void)
{
  int nowhere = open ("/dev/null", O_WRONLY | O_CLOEXEC);

  dup2 (nowhere, STDOUT_FILENO);
  dup2 (nowhere, STDERR_FILENO);
  close (nowhere);
}

static void
block_told (int how)
{
  sigset_t set;

  sigemptyset (&set);
  sigaddset (&set, SIGUSR1);
  sigprocmask (how, &set, NULL);
}

/* The recorder takes its variables out of the environment, but the kernel knows them. The signal may come before the handler is
 * there again. */
static void
begin_anew (const char *name)
{
  static char text[65536], *environment[1024];
  char *const argv[] = { (char *)name, NULL };
  int fd = open ("/proc/self/environ", O_RDONLY), n = 0;
  ssize_t length = read (fd, text, sizeof text - 1);

  for (char *at = text; at < text + length && n < 1023; at += strlen (at) + 1)
    environment[n++] = at;
  block_told (SIG_BLOCK);
  execve ("/proc/self/exe", argv, environment);
}

static void
become_another (const char *how,
                const char *name)
{
  if (strcmp (how, "leave") == 0)
    execlp ("sleep", "sleep", "600", (char *)NULL);
  else
    begin_anew (name);
  _exit (1);
}

int
main (int argc,
      char *argv[])
{
  const struct timespec pause = { 0, 50 * 1000 };

  let_go_of_output ();
  signal (SIGUSR1, told_cb);
  block_told (SIG_UNBLOCK);
  alarm (MAX_S);
  for (int i = 0; !is_told; i++)
    {
      if (i < N_HELD)
        hold ();
      pass ();
      nanosleep (&pause, NULL);
    }
  if (argc > 1)
    become_another (argv[1], argv[0]);
  for (int i = 0; i < N_MORE; i++)
    pass ();
  return STATUS;
}
