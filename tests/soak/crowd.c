// SPDX-License-Identifier: GPL-3.0-or-later
/* As many processes as are asked for, which do nothing and end with this one. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int
main (int argc,
      char *argv[])
{
  pid_t parent = getpid ();

  for (long i = argc > 1 ? strtol (argv[1], NULL, 10) : 0; i > 0; i--)
    switch (fork ())
      {
      case -1:
        perror ("fork");
        return 1;
      case 0:
        prctl (PR_SET_PDEATHSIG, SIGKILL);
        while (getppid () == parent)
          pause ();
        return 0;
      default:
        break;
      }
  pause ();
  return 0;
}
