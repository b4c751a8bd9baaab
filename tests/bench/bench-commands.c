// SPDX-License-Identifier: GPL-3.0-or-later
/* Whole programs on one population, in turn: footprint-cli, the bare loop and whichever of its peers are installed. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench-child.h"
#include "bench-median.h"

#define ROUNDS 5

typedef struct
{
  const char *name;
  const char *command;
  double limit; /* 0: for comparison only */
  double cpu[ROUNDS];
  double wall[ROUNDS];
  double rss_kib;
} Program;

static double
get_seconds (struct timeval t)
{
  return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void
run (Program *program,
     guint round)
{
  gint64 start = g_get_monotonic_time ();
  struct rusage usage;
  int status;
  pid_t pid = fork ();

  if (pid == 0)
    {
      int null = open ("/dev/null", O_RDWR);

      dup2 (null, STDOUT_FILENO);
      dup2 (null, STDERR_FILENO);
      execl ("/bin/sh", "sh", "-c", program->command, NULL);
      _exit (127);
    }
  wait4 (pid, &status, 0, &usage);
  if (!WIFEXITED (status) || WEXITSTATUS (status) != 0)
    g_error ("“%s” has failed", program->command);
  program->cpu[round] = get_seconds (usage.ru_utime) + get_seconds (usage.ru_stime);
  program->wall[round] = (double)(g_get_monotonic_time () - start) / 1e6;
  program->rss_kib = (double)usage.ru_maxrss;
}

static gboolean
is_installed (const char *command)
{
  g_auto (GStrv) words = g_strsplit (command, " ", 3);
  const char *name = g_str_equal (words[0], "exec") ? words[1] : words[0];
  g_autofree char *path = g_find_program_in_path (name);

  return path != NULL;
}

static void
print_program (Program *program,
               Program *bare)
{
  double cpu[ROUNDS], wall[ROUNDS];

  for (guint i = 0; i < ROUNDS; i++)
    {
      cpu[i] = program->cpu[i] / bare->cpu[i];
      wall[i] = program->wall[i] / bare->wall[i];
    }
  g_print ("  %-20s CPU %6.2f   wall %6.2f   %5.1f MiB", program->name, bench_median (cpu, ROUNDS), bench_median (wall, ROUNDS),
           program->rss_kib / 1024);
  if (program->limit > 0)
    g_print ("   goal %.2f   %s", program->limit,
             bench_median (cpu, ROUNDS) <= program->limit && bench_median (wall, ROUNDS) <= program->limit ? "reached"
                                                                                                           : "NOT REACHED");
  g_print ("\n");
}

int
main (int argc,
      char *argv[])
{
  g_autofree char *bare =
      g_strdup_printf ("exec %s/bench-floor %u", g_getenv ("BENCH_DIR"), MIN (g_get_num_processors (), 4));
  g_autofree char *ours = g_strdup_printf ("exec %s", g_getenv ("FOOTPRINT_CLI"));
  Program programs[] = {
    { "bare loop", bare, 0, { 0 }, { 0 }, 0 },
    { "footprint-cli", ours, 1.35, { 0 }, { 0 }, 0 },
    { "ps", "exec ps -eo pid,uss,pss,rss,args", 0, { 0 }, { 0 }, 0 },
    { "ps_mem", "exec ps_mem", 0, { 0 }, { 0 }, 0 },
    { "smem", "exec smem", 0, { 0 }, { 0 }, 0 },
    { "smemstat", "exec smemstat -q 1 1", 0, { 0 }, { 0 }, 0 },
  };

  for (int i = 1; i < argc; i++)
    {
      g_autofree char *command = g_strdup_printf ("bench-population %s", argv[i]);
      BenchChild population;

      bench_child_start (&population, command);
      g_print ("%s processes, whole programs; 1.00 is the bare loop\n", argv[i]);
      for (guint round = 0; round < ROUNDS; round++)
        for (guint k = 0; k < G_N_ELEMENTS (programs); k++)
          if (k == 0 || is_installed (programs[k].command))
            run (&programs[k], round);
      for (guint k = 0; k < G_N_ELEMENTS (programs); k++)
        if (programs[k].rss_kib > 0)
          print_program (&programs[k], &programs[0]);
      bench_child_stop (&population);
    }
  return 0;
}
