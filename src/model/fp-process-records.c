// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-records.h"

typedef struct
{
  FpRecords parent;
  FpSnapshot *snapshot;
  guint64 not_memory;  /* a bit for each field that processes without memory have, too */
  guint64 *graphics;   /* (nullable): of each process; G_MAXUINT64: not known */
  FpEndedFacts *ended; /* (nullable): of each process; NULL: they live */
} FpProcessRecords;

const FpProcess *
fp_process_records_get (const FpRecords *records,
                        guint index)
{
  return &((const FpProcessRecords *)records)->snapshot->processes[index];
}

const FpSnapshot *
fp_process_records_get_snapshot (const FpRecords *records)
{
  return ((const FpProcessRecords *)records)->snapshot;
}

const char *
fp_process_records_get_text (const FpRecords *records,
                             guint index,
                             FpText text)
{
  return fp_snapshot_get_text (fp_process_records_get_snapshot (records), fp_process_records_get (records, index), text);
}

static FpKey
fp_process_records_get_key (const FpRecords *records,
                            guint index)
{
  const FpProcess *process = fp_process_records_get (records, index);

  return (FpKey){ (guint64)process->pid, process->start_ticks };
}

static const FpMemory *
fp_process_records_get_memory (const FpRecords *records,
                               guint index,
                               FpMemory *buffer,
                               guint64 *fields)
{
  const FpProcessRecords *self = (const FpProcessRecords *)records;
  const FpProcess *process = fp_process_records_get (records, index);

  *fields = fp_reason_has_memory (process->reason) ? G_MAXUINT64 : self->not_memory;
  if (!self->graphics || self->graphics[index] == G_MAXUINT64)
    return &process->memory;
  *buffer = process->memory;
  fp_memory_set (buffer, FP_FIELD_GRAPHICS, self->graphics[index]);
  return buffer;
}

static void
fp_process_records_free (FpRecords *records)
{
  fp_snapshot_unref (((FpProcessRecords *)records)->snapshot);
  g_free (((FpProcessRecords *)records)->graphics);
  g_free (((FpProcessRecords *)records)->ended);
  g_free (records);
}

/* Copies of the last records of those that have ended, each from its snapshot; they ascend by nothing. Their times count
 * by the clock of the newest. */
static FpRecords *
fp_process_records_copy_ended (const FpRecords **lists,
                               const guint *indices,
                               guint n)
{
  FpSnapshotPool *pool = fp_snapshot_pool_new ();
  g_autoptr (FpSnapshot) copy = fp_snapshot_pool_take (pool, n);
  FpStrings strings;

  fp_strings_init (&strings, 1024);
  copy->info = (FpSnapshotInfo){ 0 };
  for (guint i = 0; i < n; i++)
    {
      const FpSnapshot *snapshot = fp_process_records_get_snapshot (lists[i]);
      const FpProcess *old = fp_process_records_get (lists[i], indices[i]);
      FpProcess *process = &copy->processes[i];

      if (snapshot->info.boottime_us > copy->info.boottime_us)
        copy->info = snapshot->info;
      *process = *old;
      process->reason = FP_REASON_ENDED;
      for (FpText text = 0; text < FP_N_TEXTS; text++)
        process->texts[text] = fp_strings_intern (&strings, fp_snapshot_get_text (snapshot, old, text));
    }
  copy->n_processes = n;
  copy->strings = fp_string_block_ref (strings.block);
  fp_strings_clear (&strings);
  fp_snapshot_pool_unref (pool);
  return fp_process_records_new (copy, NULL);
}

/* A process that was looked at and has no client has 0; a client whose driver does not tell leaves its share unknown. */
static guint64 *
find_graphics (const FpSnapshot *snapshot,
               const FpKept *kept)
{
  guint64 *graphics = g_new (guint64, snapshot->n_processes);

  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      const FpProcess *process = &snapshot->processes[i];
      const FpProcessId id = { process->pid, process->start_ticks };
      FpGraphicsShare share;

      graphics[i] = fp_kept_get_graphics (kept, &id, &share) && share.has_in_ram ? share.in_ram : G_MAXUINT64;
    }
  return graphics;
}

/* kept: (nullable): it knows the graphics memory */
FpRecords *
fp_process_records_new (FpSnapshot *snapshot,
                        const FpKept *kept)
{
  static const FpRecordsClass class = {
    .kind = FP_RECORD_PROCESS,
    .get_key = fp_process_records_get_key,
    .get_memory = fp_process_records_get_memory,
    .free = fp_process_records_free,
    .copy_ended = fp_process_records_copy_ended,
  };
  FpProcessRecords *self = g_new0 (FpProcessRecords, 1);

  self->parent.class = &class;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->parent.n = snapshot->n_processes;
  self->snapshot = fp_snapshot_ref (snapshot);
  self->not_memory = fp_fields_of_origins (FP_ORIGIN_STAT | FP_ORIGIN_OTHER);
  self->graphics = kept ? find_graphics (snapshot, kept) : NULL;
  return &self->parent;
}

/* facts: (transfer full): one a process */
FpRecords *
fp_process_records_new_ended (FpSnapshot *snapshot,
                              FpEndedFacts *facts)
{
  FpRecords *records = fp_process_records_new (snapshot, NULL);

  ((FpProcessRecords *)records)->ended = facts;
  return records;
}

/* FALSE also where the record is of something else */
gboolean
fp_process_records_has_ended (const FpRecords *records,
                              guint index)
{
  return records->class->kind == FP_RECORD_PROCESS && fp_process_records_get (records, index)->reason == FP_REASON_ENDED;
}

/* The kernel still knows it, or it is gone, and it has no memory any more. FALSE also where the record is of something else */
gboolean
fp_process_records_is_over (const FpRecords *records,
                            guint index)
{
  return records->class->kind == FP_RECORD_PROCESS && fp_process_is_over (fp_process_records_get (records, index));
}

/* NULL: it lives, as far as these records know */
const FpEndedFacts *
fp_process_records_get_ended (const FpRecords *records,
                              guint index)
{
  const FpEndedFacts *facts = ((const FpProcessRecords *)records)->ended;

  return facts ? &facts[index] : NULL;
}
