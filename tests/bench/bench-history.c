// SPDX-License-Identifier: GPL-3.0-or-later
/* The history of 2,000 processes and of those that have ended over a simulated day: how much memory it needs, and how much of
 * a core. Hours may be given. What is older than ten minutes is kept by the minute and no history is longer than six hours,
 * so there is a collection each second in the last half hour alone, and one every minute before. The processor is
 * measured in that half hour, when the history is as long as it gets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench-report.h"
#include "fp-ended.h"
#include "fp-total-history.h"

#define N_PROCESSES 2000
#define N_PROGRAMS  150
#define N_USERS     12
#define N_UNITS     120
#define HOUR        3600
#define HOURS       24
#define DENSE       1800 /* seconds at the end with a collection each; three times as long as each is kept */
#define SPARSE      60   /* seconds from one to the next before */
#define LIFETIME    10   /* seconds after which a process of those that end is replaced by another */
#define LATE        5    /* as in the window: intervals without a snapshot make a gap */
#define MIB         (1024.0 * 1024)

#define GOAL_MIB     32
#define GOAL_PERCENT 0.3

typedef struct
{
  FpSnapshotPool *pool;
  FpStrings strings;
  FpSnapshot *snapshot;
  FpSnapshot *before; /* of the collection before */
  GRand *random;
} Machine;

static guint
name (Machine *self,
      const char *kind,
      guint number)
{
  g_autofree char *text = g_strdup_printf ("%s-%u", kind, number);

  return fp_strings_intern (&self->strings, text);
}

static void
set_figures (FpProcess *process,
             guint64 pss)
{
  fp_memory_set (&process->memory, FP_FIELD_PSS, pss);
  fp_memory_set (&process->memory, FP_FIELD_USS, pss - pss / 8);
  fp_memory_set (&process->memory, FP_FIELD_RSS, pss + pss / 4);
  fp_memory_set (&process->memory, FP_FIELD_SWAP_PSS, 0);
}

static void
machine_init (Machine *self)
{
  self->pool = fp_snapshot_pool_new ();
  self->snapshot = fp_snapshot_pool_take (self->pool, N_PROCESSES);
  self->random = g_rand_new_with_seed (1);
  fp_strings_init (&self->strings, 1024);
  for (guint i = 0; i < N_PROCESSES; i++)
    {
      FpProcess *process = &self->snapshot->processes[i];

      *process = (FpProcess){ .pid = (gint)i * 10 + 10, .start_ticks = i };
      for (FpText text = 0; text < FP_N_TEXTS; text++)
        process->texts[text] = fp_strings_intern (&self->strings, "");
      process->texts[FP_TEXT_PROGRAM] = name (self, "program", i % N_PROGRAMS);
      process->texts[FP_TEXT_USER] = name (self, "user", i % N_USERS);
      process->texts[FP_TEXT_UNIT] = name (self, "unit", i % N_UNITS);
      set_figures (process, (guint64)g_rand_int_range (self->random, 1 << 20, 1 << 28));
    }
  self->snapshot->n_processes = N_PROCESSES;
  self->snapshot->info = (FpSnapshotInfo){ .ticks_per_second = 100 };
  self->snapshot->strings = fp_string_block_ref (self->strings.block);
  self->before = fp_snapshot_pool_take (self->pool, N_PROCESSES);
  self->before->n_processes = N_PROCESSES;
  self->before->strings = fp_string_block_ref (self->strings.block);
}

static void
machine_clear (Machine *self)
{
  fp_snapshot_unref (self->snapshot);
  fp_snapshot_unref (self->before);
  fp_strings_clear (&self->strings);
  fp_snapshot_pool_unref (self->pool);
  g_rand_free (self->random);
}

/* A hundred processes are two that leak, eight that go up and down all the time, 20 that do so now and then, one that is
 * replaced by another every ten seconds, and idle ones. Where collections are further apart, so many more are replaced in each
 * that as many end in a day. */
static void
step (Machine *self,
      guint second,
      guint interval)
{
  FpSnapshot *next = self->before;

  next->info = self->snapshot->info;
  next->system = self->snapshot->system;
  memcpy (next->processes, self->snapshot->processes, N_PROCESSES * sizeof *next->processes);
  self->before = self->snapshot;
  self->snapshot = next;
  self->snapshot->info.boottime_us = (guint64)(second + 1) * G_USEC_PER_SEC;
  for (guint i = 0; i < N_PROCESSES; i++)
    {
      FpProcess *process = &self->snapshot->processes[i];
      guint64 pss = fp_memory_get (&process->memory, FP_FIELD_PSS);
      guint kind = i % 100;

      if (kind < 2)
        set_figures (process, pss + interval * 16 * 1024);
      else if (kind < 10)
        set_figures (process, (guint64)g_rand_int_range (self->random, 1 << 26, 1 << 27));
      else if (kind < 30 && g_rand_int_range (self->random, 0, 30) < (gint)interval)
        set_figures (process, (guint64)(i << 16) + (guint64)g_rand_int_range (self->random, 256, 512) * 4096);
      else if (interval < LIFETIME ? kind == 30 && (second + i) % LIFETIME == 0 : kind - 30 < interval / LIFETIME)
        process->start_ticks = second * 100;
    }
}

/* All that remembers something, as a session has it. */
typedef struct
{
  FpHistory *history;
  FpTotalHistory *totals;
  FpEnded *ended;
  FpRecords *before; /* (nullable): of the collection before */
} Memory;

static void
take (Memory *self,
      FpSnapshot *snapshot,
      guint interval)
{
  const guint64 longest_us = LATE * (guint64)interval * G_USEC_PER_SEC;
  FpRecords *records = fp_process_records_new (snapshot, NULL);

  if (self->before)
    fp_ended_take (self->ended, self->before, snapshot, self->history);
  fp_history_take (self->history, snapshot, longest_us);
  fp_total_history_take (self->totals, records, NULL, longest_us);
  g_clear_pointer (&self->before, fp_records_unref);
  self->before = records;
}

static double
read_resident (void)
{
  g_autofree char *text = NULL;
  unsigned long size = 0, resident = 0;

  g_file_get_contents ("/proc/self/statm", &text, NULL, NULL);
  if (!text || sscanf (text, "%lu %lu", &size, &resident) != 2)
    g_error ("There is no /proc/self/statm");
  return (double)resident * (double)sysconf (_SC_PAGESIZE);
}

int
main (int argc,
      char *argv[])
{
  guint hours = argc > 1 ? (guint)MAX (atoi (argv[1]), 1) : HOURS, seconds = hours * HOUR;
  Memory all = { fp_history_new (), fp_total_history_new (), fp_ended_new (), NULL };
  double before, memory, cpu_ms = 0, worst_ms = 0;
  gboolean is_good;
  Machine machine;

  machine_init (&machine);
  before = read_resident ();
  for (guint second = 0; second<seconds; second += seconds - second> DENSE ? SPARSE : 1)
    {
      const gboolean is_dense = seconds - second <= DENSE;
      const guint interval = is_dense ? 1 : SPARSE;
      double begin, took;

      step (&machine, second, interval);
      begin = bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID);
      take (&all, machine.snapshot, interval);
      took = bench_read_clock_ms (CLOCK_PROCESS_CPUTIME_ID) - begin;
      cpu_ms += is_dense ? took : 0;
      worst_ms = MAX (worst_ms, took);
    }
  memory = read_resident () - before;
  g_print ("%u processes, %u hours, at last a collection each second; the longest took %.1f ms\n", (guint)N_PROCESSES, hours, worst_ms);
  is_good = bench_report ("memory of the history", memory / MIB, GOAL_MIB, "MiB");
  is_good &= bench_report ("processor", cpu_ms / (DENSE * 1000.0) * 100, GOAL_PERCENT, "%");
  g_print ("%u processes have ended\n", fp_ended_get_n (all.ended));
  g_clear_pointer (&all.before, fp_records_unref);
  fp_ended_free (all.ended);
  fp_total_history_free (all.totals);
  fp_history_unref (all.history);
  machine_clear (&machine);
  return is_good ? 0 : 1;
}
