// SPDX-License-Identifier: GPL-3.0-or-later
/* Programs whose memory goes as it is known beforehand. */
#pragma once

#include <glib.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BEHAVIOUR_MIB   (1024 * 1024)
#define BEHAVIOUR_ROOM  (512 * (gsize)BEHAVIOUR_MIB)
#define BEHAVIOUR_LEAK  1.0 /* MiB a second */
#define BEHAVIOUR_TOOTH 5.0 /* seconds */

typedef enum
{
  BEHAVIOUR_LEAKS,
  BEHAVIOUR_SAWS,
  BEHAVIOUR_IDLES,
  N_BEHAVIOURS,
} Behaviour;

static inline double
behaviour_get_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static inline double
behaviour_get_mib (Behaviour behaviour,
                   double seconds)
{
  if (behaviour == BEHAVIOUR_LEAKS)
    return 8 + seconds * BEHAVIOUR_LEAK;
  return behaviour == BEHAVIOUR_SAWS ? 8 + fmod (seconds, BEHAVIOUR_TOOTH) * 4 : 8;
}

/* The clock says how much it has, so that a late turn changes no rate. */
G_GNUC_NORETURN static inline void
behaviour_run (Behaviour behaviour)
{
  char *memory = mmap (NULL, BEHAVIOUR_ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  double begin = behaviour_get_seconds ();
  gsize used = 0;

  if (memory == MAP_FAILED || madvise (memory, BEHAVIOUR_ROOM, MADV_NOHUGEPAGE) != 0)
    _exit (1);
  for (;;)
    {
      gsize has = (gsize)(behaviour_get_mib (behaviour, behaviour_get_seconds () - begin) * BEHAVIOUR_MIB);
      gsize wanted = MIN (has, BEHAVIOUR_ROOM) / 4096 * 4096;

      for (; used < wanted; used += 4096)
        memory[used] = 1;
      if (used > wanted)
        madvise (memory + wanted, used - wanted, MADV_DONTNEED);
      used = wanted;
      g_usleep (20 * 1000);
    }
}

/* The test's own program, begun anew: a child that shares pages with the test grows when the test changes them. */
__attribute__ ((constructor)) static void
behaviour_begin (int argc,
                 char *argv[])
{
  if (argc == 3 && g_str_equal (argv[1], "--behaviour"))
    behaviour_run ((Behaviour)atoi (argv[2]));
}

static inline pid_t
behaviour_start (Behaviour behaviour)
{
  g_autofree char *number = g_strdup_printf ("%u", behaviour);
  pid_t parent = getpid (), pid = fork ();

  g_assert_cmpint (pid, >=, 0);
  if (pid > 0)
    return pid;
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () == parent)
    execl ("/proc/self/exe", "behaviour", "--behaviour", number, NULL);
  _exit (1);
}

static inline void
behaviour_stop (pid_t pid)
{
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
}
