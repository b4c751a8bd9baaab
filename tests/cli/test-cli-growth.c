// SPDX-License-Identifier: GPL-3.0-or-later
/* Programs of known behaviour under --watch: the one that leaks is told with its rate, and no other. */
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli-runner.h"

#define MIB     (1024 * 1024)
#define N_TOLD  20 /* lines with a rate of the leak, which is found again every ten seconds */
#define ROOM    (512 * (gsize)MIB)
#define LEAK    1.0 /* MiB a second */
#define A_TOOTH 5.0 /* seconds */

typedef enum
{
  LEAKS,
  SAWS,
  IDLES,
  N_BEHAVIOURS,
} Behaviour;

static double
get_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double
get_mib (Behaviour behaviour,
         double seconds)
{
  if (behaviour == LEAKS)
    return 8 + seconds * LEAK;
  return behaviour == SAWS ? 8 + fmod (seconds, A_TOOTH) * 4 : 8;
}

/* The clock says how much it has, so that a late turn changes no rate. */
static void
behave (Behaviour behaviour)
{
  char *memory = mmap (NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  double begin = get_seconds ();
  gsize used = 0;

  if (memory == MAP_FAILED || madvise (memory, ROOM, MADV_NOHUGEPAGE) != 0)
    _exit (1);
  for (;;)
    {
      gsize wanted = MIN ((gsize)(get_mib (behaviour, get_seconds () - begin) * MIB), ROOM) / 4096 * 4096;

      for (; used < wanted; used += 4096)
        memory[used] = 1;
      if (used > wanted)
        madvise (memory + wanted, used - wanted, MADV_DONTNEED);
      used = wanted;
      g_usleep (20 * 1000);
    }
}

static pid_t
start (Behaviour behaviour)
{
  pid_t parent = getpid (), pid = fork ();

  g_assert_cmpint (pid, >=, 0);
  if (pid > 0)
    return pid;
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () == parent)
    behave (behaviour);
  _exit (1);
}

/* A line is the time, the PID, and the rate if one is told. */
static gboolean
read_rate (GDataInputStream *lines,
           pid_t *pid,
           double *mib)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *line = g_data_input_stream_read_line (lines, NULL, NULL, &error);
  g_auto (GStrv) fields = NULL;

  g_assert_no_error (error);
  g_assert_nonnull (line);
  fields = g_strsplit (g_strchomp (line), ",", -1);
  g_assert_cmpuint (g_strv_length (fields), >=, 3);
  *pid = (pid_t)g_ascii_strtoll (fields[1], NULL, 10);
  *mib = g_ascii_strtod (fields[2], NULL) / MIB;
  return *fields[2] != '\0' && *pid != 0;
}

static void
test_leak (void)
{
  pid_t pids[N_BEHAVIOURS], pid;
  g_autoptr (GString) list = g_string_new (NULL);
  g_autoptr (GSubprocess) cli = NULL;
  g_autoptr (GDataInputStream) lines = NULL;
  g_autoptr (GError) error = NULL;
  double mib;

  for (Behaviour i = 0; i < N_BEHAVIOURS; i++)
    {
      pids[i] = start (i);
      g_string_append_printf (list, "%s%d", i > 0 ? "," : "", pids[i]);
    }
  cli = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, g_getenv ("FOOTPRINT_CLI"), "--watch", "0.5", "--csv", "-c",
                          "pid,growth", "--pid", list->str, NULL);
  g_assert_no_error (error);
  lines = g_data_input_stream_new (g_subprocess_get_stdout_pipe (cli));
  for (guint n_told = 0; n_told < N_TOLD;)
    {
      if (!read_rate (lines, &pid, &mib))
        continue;
      if (pid == pids[LEAKS])
        {
          g_test_message ("%.2f MiB a minute", mib);
          g_assert_cmpfloat (fabs (mib - LEAK * 60), <=, LEAK * 6);
          n_told++;
        }
      else
        g_assert_cmpfloat (mib, <=, 0);
    }
  g_subprocess_send_signal (cli, SIGINT);
  g_subprocess_wait (cli, NULL, &error);
  g_assert_no_error (error);
  for (Behaviour i = 0; i < N_BEHAVIOURS; i++)
    {
      kill (pids[i], SIGKILL);
      waitpid (pids[i], NULL, 0);
    }
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/growth/leak", test_leak);
  return g_test_run ();
}
