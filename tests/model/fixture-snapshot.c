// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixture-snapshot.h"

#define BOOTTIME_US G_GUINT64_CONSTANT (5000000000)

void
fixture_snapshot_init (FixtureSnapshot *self,
                       guint capacity)
{
  self->pool = fp_snapshot_pool_new ();
  self->snapshot = fp_snapshot_pool_take (self->pool, capacity);
  self->snapshot->info = (FpSnapshotInfo){ .boottime_us = BOOTTIME_US, .ticks_per_second = 100, .page_size = 4096 };
  self->snapshot->system = (FpSystem){ 0 };
  fp_system_set (&self->snapshot->system, FP_SYSTEM_MEM_TOTAL, G_GUINT64_CONSTANT (16) << 30);
  fp_system_set (&self->snapshot->system, FP_SYSTEM_SWAP_TOTAL, G_GUINT64_CONSTANT (4) << 30);
  fp_strings_init (&self->strings, 64);
}

FpProcess *
fixture_snapshot_add (FixtureSnapshot *self,
                      gint pid,
                      const char *program)
{
  FpSnapshot *snapshot = self->snapshot;
  FpProcess *process = &snapshot->processes[snapshot->n_processes];

  g_assert_cmpuint (snapshot->n_processes, <, snapshot->capacity);
  g_assert_true (snapshot->n_processes == 0 || process[-1].pid < pid);
  *process = (FpProcess){ .pid = pid, .ppid = 1, .start_ticks = 100, .measured_us = BOOTTIME_US, .state = 'S' };
  snapshot->n_processes++;
  fixture_snapshot_set_text (self, process, FP_TEXT_PROGRAM, program);
  return process;
}

FpProcess *
fixture_snapshot_add_reason (FixtureSnapshot *self,
                             gint pid,
                             const char *program,
                             FpReason reason)
{
  FpProcess *process = fixture_snapshot_add (self, pid, program);

  process->reason = (guint8)reason;
  process->measured_us = 0;
  return process;
}

void
fixture_snapshot_set_text (FixtureSnapshot *self,
                           FpProcess *process,
                           FpText text,
                           const char *value)
{
  process->texts[text] = fp_strings_intern (&self->strings, value);
}

FpRecords *
fixture_snapshot_make_records (FixtureSnapshot *self)
{
  if (!self->snapshot->strings)
    self->snapshot->strings = fp_string_block_ref (self->strings.block);
  return fp_process_records_new (self->snapshot, NULL);
}

void
fixture_snapshot_clear (FixtureSnapshot *self)
{
  fp_snapshot_unref (self->snapshot);
  fp_snapshot_pool_unref (self->pool);
  fp_strings_clear (&self->strings);
}

void
fixture_set_figures (FpProcess *process,
                     guint64 pss,
                     guint64 rss,
                     guint64 swap_pss)
{
  fp_memory_set (&process->memory, FP_FIELD_PSS, pss);
  fp_memory_set (&process->memory, FP_FIELD_RSS, rss);
  fp_memory_set (&process->memory, FP_FIELD_SWAP_PSS, swap_pss);
}
