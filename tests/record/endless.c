// SPDX-License-Identifier: GPL-3.0-or-later
/* Allocates until SIGUSR1 comes, then some more, and ends with a status that is known. A test that fails leaves it for minutes. */
#include <signal.h>
#include <stdlib.h>
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

int
main (void)
{
  const struct timespec pause = { 0, 50 * 1000 };

  signal (SIGUSR1, told_cb);
  alarm (MAX_S);
  for (int i = 0; !is_told; i++)
    {
      if (i < N_HELD)
        hold ();
      pass ();
      nanosleep (&pause, NULL);
    }
  for (int i = 0; i < N_MORE; i++)
    pass ();
  return STATUS;
}
