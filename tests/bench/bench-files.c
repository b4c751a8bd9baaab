// SPDX-License-Identifier: GPL-3.0-or-later
/* All files of 1,000 processes: what adding them up costs beside reading the same text, how much memory it takes, and how
 * soon it stops; and how long a process of many mappings, which maps and unmaps all the time, waits for the reader. */
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench-child.h"
#include "bench-median.h"
#include "bench-report.h"
#include "fp-mapped-reader.h"
#include "fp-stat.h"

#define ROUNDS    7
#define CANCELS   15
#define MEMBERS   "1000"
#define RATIO     1.15
#define MEMORY    64
#define CANCEL_MS 100
#define HELD_MS   10
#define READINGS  20

typedef struct
{
  gint is_over; /* atomic */
  gint64 over_us;
  gulong after_us;
} Cancel;

static GArray *
list_processes (BenchChild *population,
                const FpProcDir *proc)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (FpMappedProcess));
  g_auto (GStrv) words = g_strsplit (bench_child_order (population, "pids"), " ", -1);

  for (char **word = words; *word; word++)
    {
      gint pid = (gint)g_ascii_strtoll (*word, NULL, 10);
      FpStat stat;

      if (pid > 0 && fp_stat_read_any (&stat, proc, pid))
        {
          const FpMappedProcess process = { { pid, stat.start_ticks }, getuid (), 0 };

          g_array_append_val (list, process);
        }
    }
  return list;
}

static void
read_bare (const FpProcDir *proc,
           const GArray *list)
{
  char text[32768];

  for (guint i = 0; i < list->len; i++)
    {
      int fd = fp_proc_dir_open_file (proc, g_array_index (list, FpMappedProcess, i).id.pid, "smaps");

      if (fd < 0)
        continue;
      while (read (fd, text, sizeof text) > 0)
        ;
      close (fd);
    }
}

static FpMappedFiles *
add_up (const FpProcDir *proc,
        const GArray *list,
        FpMappingStepFunc step,
        gpointer data)
{
  return fp_mapped_files_read (proc, (const FpMappedProcess *)(void *)list->data, list->len, step, NULL, data, NULL);
}

/* Memory that was resident before does not count, and neither does the text of a bare read, which is on the stack. */
static void
measure_memory (const FpProcDir *proc,
                const GArray *list)
{
  double before = bench_read_status_mib ("VmRSS:");
  g_autoptr (FpMappedFiles) files = add_up (proc, list, NULL, NULL);
  guint n = 0;

  for (guint i = 0; i < files->files->len; i++)
    n += fp_mapped_files_get (files, i)->n_mappings;
  g_print ("%u processes with %u mappings of %u files\n", files->n_read, n, files->files->len);
  bench_report ("memory of adding them up", bench_read_status_mib ("VmHWM:") - before, MEMORY, "MiB");
}

/* The whole program with its list, as somebody uses it who has only a terminal. Its peak begins with that of this process,
 * so this comes first. */
static void
measure_command (const GArray *list)
{
  g_autoptr (GString) pids = g_string_new (NULL);
  const char *argv[] = { g_getenv ("FOOTPRINT_CLI"), "--by", "file", "--sort", "private_dirty", "--pid", NULL, NULL };
  struct rusage usage;
  int status;
  GPid pid;

  for (guint i = 0; i < list->len; i++)
    g_string_append_printf (pids, "%s%d", i > 0 ? "," : "", g_array_index (list, FpMappedProcess, i).id.pid);
  argv[G_N_ELEMENTS (argv) - 2] = pids->str;
  if (!g_spawn_async (NULL, (char **)argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, &pid, NULL) ||
      wait4 (pid, &status, 0, &usage) != pid || status != 0)
    g_error ("footprint-cli can't be run");
  bench_report ("memory of footprint-cli --by file, all of it", (double)usage.ru_maxrss / 1024, MEMORY, "MiB");
}

static void
measure_cpu (const FpProcDir *proc,
             const GArray *list)
{
  double ratios[ROUNDS], bares[ROUNDS], walls[ROUNDS];

  for (guint i = 0; i < ROUNDS; i++)
    {
      double start = bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID), wall;
      g_autoptr (FpMappedFiles) files = NULL;

      read_bare (proc, list);
      bares[i] = bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID) - start;
      start = bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID);
      wall = bench_read_clock_ms (CLOCK_MONOTONIC);
      files = add_up (proc, list, NULL, NULL);
      ratios[i] = (bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID) - start) / bares[i];
      walls[i] = bench_read_clock_ms (CLOCK_MONOTONIC) - wall;
    }
  g_print ("%.0f ms of CPU for a bare read, %.0f ms until all is added up\n", bench_median (bares, ROUNDS), bench_median (walls, ROUNDS));
  bench_report ("added up, CPU / bare read", bench_median (ratios, ROUNDS), RATIO, "");
}

static gboolean
go_on_cb (guint64 position,
          guint64 whole,
          gpointer data)
{
  return !g_atomic_int_get (&((Cancel *)data)->is_over);
}

static gpointer
cancel_thread (gpointer data)
{
  Cancel *self = data;

  g_usleep (self->after_us);
  self->over_us = g_get_monotonic_time ();
  g_atomic_int_set (&self->is_over, TRUE);
  return NULL;
}

static void
measure_cancel (const FpProcDir *proc,
                const GArray *list)
{
  double longest_ms = 0;

  for (guint i = 0; i < CANCELS; i++)
    {
      Cancel cancel = { .after_us = 10000 + i * 9000 };
      GThread *thread = g_thread_new ("cancel", cancel_thread, &cancel);
      g_autoptr (FpMappedFiles) files = add_up (proc, list, go_on_cb, &cancel);
      gint64 end_us = g_get_monotonic_time ();

      g_thread_join (thread);
      if (!files)
        longest_ms = MAX (longest_ms, (double)(end_us - cancel.over_us) / 1000);
    }
  bench_report ("until it has stopped, at most", longest_ms, CANCEL_MS, "ms");
}

static void
measure_held (const FpProcDir *proc)
{
  g_autoptr (GArray) list = g_array_new (FALSE, TRUE, sizeof (FpMappedProcess));
  const char *held;
  BenchChild victim;
  FpStat stat;
  gint pid;

  bench_child_start (&victim, "bench-victim 1024 --pieces");
  pid = (gint)g_ascii_strtoll (victim.line + strcspn (victim.line, "0123456789"), NULL, 10);
  if (!fp_stat_read_any (&stat, proc, pid))
    g_error ("the victim is not there");
  g_array_append_val (list, ((FpMappedProcess){ { pid, stat.start_ticks }, 0, 0 }));
  bench_child_order (&victim, "reset");
  for (guint i = 0; i < READINGS; i++)
    fp_mapped_files_unref (add_up (proc, list, NULL, NULL));
  held = strstr (bench_child_order (&victim, "report"), "held_us=");
  bench_report ("a process of 1 GiB waited for the reader, at most", held ? g_ascii_strtod (held + strlen ("held_us="), NULL) / 1000 : 0, HELD_MS, "ms");
  bench_child_stop (&victim);
}

int
main (int argc,
      char *argv[])
{
  g_autoptr (GArray) list = NULL;
  BenchChild population;
  FpProcDir proc;

  if (!fp_proc_dir_open (&proc, "/proc", NULL))
    return 1;
  bench_child_start (&population, "bench-population " MEMBERS);
  list = list_processes (&population, &proc);
  measure_command (list);
  measure_memory (&proc, list);
  measure_cpu (&proc, list);
  measure_cancel (&proc, list);
  measure_held (&proc);
  bench_child_stop (&population);
  fp_proc_dir_close (&proc);
  return 0;
}
