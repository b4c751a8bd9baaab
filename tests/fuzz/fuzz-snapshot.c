// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fp-ledger.h"
#include "fp-snapshot-file.h"
#include "fp-snapshot-mapped.h"
#include "fuzz.h"

static void
read_everything (const FpSnapshot *snapshot)
{
  gint last_pid = 0;

  FUZZ_ASSERT (memchr (snapshot->info.boot_id, '\0', sizeof snapshot->info.boot_id));
  FUZZ_ASSERT (snapshot->info.ticks_per_second > 0 && snapshot->info.page_size > 0);
  FUZZ_ASSERT (snapshot->system.n_swaps <= FP_MAX_SWAPS && snapshot->system.n_huge_pools <= FP_MAX_HUGE_POOLS);
  for (guint i = 0; i < snapshot->system.n_swaps; i++)
    FUZZ_ASSERT_TEXT (snapshot->system.swaps[i].name);
  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      const FpProcess *process = &snapshot->processes[i];

      FUZZ_ASSERT (process->pid > last_pid);
      last_pid = process->pid;
      FUZZ_ASSERT (process->ppid >= 0 && process->shares_with >= 0);
      FUZZ_ASSERT (process->reason < FP_N_REASONS && process->exe_state <= FP_EXE_UPDATED);
      FUZZ_ASSERT (process->reason == FP_REASON_NONE || fp_reason_get_name (process->reason));
      FUZZ_ASSERT (process->memory.present >> FP_N_FIELDS == 0);
      FUZZ_ASSERT ((process->memory.present & process->memory.ranged) == 0);
      FUZZ_ASSERT (fp_snapshot_find (snapshot, process->pid) == process);
      for (FpText text = 0; text < FP_N_TEXTS; text++)
        {
          FUZZ_ASSERT (process->texts[text] < snapshot->strings->used);
          FUZZ_ASSERT (g_utf8_validate (fp_snapshot_get_text (snapshot, process, text), -1, NULL));
        }
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        {
          guint64 low, high;

          FUZZ_ASSERT (fp_memory_get (&process->memory, field) <= G_GUINT64_CONSTANT (1) << 56);
          if (fp_memory_has_range (&process->memory, field))
            FUZZ_ASSERT (fp_memory_get_ends (&process->memory, field, &low, &high) && low < high &&
                         high <= G_GUINT64_CONSTANT (1) << 56);
        }
    }
}

static void
read_all_files (const FpMappedFiles *files)
{
  for (guint i = 0; i < files->files->len; i++)
    {
      const FpMappedFile *file = fp_mapped_files_get (files, i);
      FpMemory memory;

      FUZZ_ASSERT (g_utf8_validate (file->name, -1, NULL) && g_utf8_validate (file->shown, -1, NULL));
      FUZZ_ASSERT (file->kind < FP_N_MAPPING_KINDS && file->state <= FP_FILE_DELETED);
      FUZZ_ASSERT (file->n_holders > 0 && file->n_holders <= file->n_processes);
      FUZZ_ASSERT (file->n_users > 0 && file->n_users <= file->n_processes && file->n_processes <= files->n_processes);
      FUZZ_ASSERT (file->first_holder + file->n_holders <= files->n_holders);
      FUZZ_ASSERT (fp_mapped_files_get_holder (files, file, 0)->id.pid > 0);
      FUZZ_ASSERT (fp_mapped_files_get_holder (files, file, file->n_processes - 1)->id.pid > 0);
      fp_mapped_file_get_memory (file, &memory);
      for (guint j = 0; j < file->n_holders; j++)
        fp_mapped_holder_get_memory (&fp_mapped_files_get_holders (files, file)[j], file, &memory);
      FUZZ_ASSERT (!file->build_id || (strlen (file->build_id) % 2 == 0 && strlen (file->build_id) <= 40));
      FUZZ_ASSERT (file->copies <= files->copies->len);
    }
  for (guint i = 0; i < files->n_unread; i++)
    FUZZ_ASSERT (files->unread[i].process < files->n_processes);
}

/* A snapshot that was read and written again is read as the same. */
static void
try_with_files (GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappedFiles) files = NULL, copy_of_files = NULL;
  g_autoptr (FpSnapshot) snapshot = fp_snapshot_open_bytes (bytes, &files, &error), copy = NULL;
  g_autoptr (GBytes) first = NULL, second = NULL;

  FUZZ_ASSERT ((snapshot == NULL) == (error != NULL));
  FUZZ_ASSERT (snapshot || !files);
  if (!files)
    return;
  read_everything (snapshot);
  read_all_files (files);
  first = fp_snapshot_to_bytes_with_files (snapshot, files);
  copy = fp_snapshot_open_bytes (first, &copy_of_files, NULL);
  FUZZ_ASSERT (copy && copy_of_files);
  second = fp_snapshot_to_bytes_with_files (copy, copy_of_files);
  FUZZ_ASSERT (g_bytes_equal (first, second));
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (FpSnapshot) snapshot = fp_snapshot_from_bytes (bytes, &error);
  g_autoptr (FpSnapshot) copy = NULL;
  g_autoptr (GBytes) first = NULL, second = NULL;
  FpLedger ledger;

  try_with_files (bytes);
  FUZZ_ASSERT ((snapshot == NULL) == (error != NULL));
  if (!snapshot)
    return 0;
  read_everything (snapshot);
  fp_ledger_make (&ledger, &snapshot->system);
  first = fp_snapshot_to_bytes (snapshot);
  copy = fp_snapshot_from_bytes (first, &error);
  FUZZ_ASSERT (copy);
  read_everything (copy);
  second = fp_snapshot_to_bytes (copy);
  FUZZ_ASSERT (g_bytes_equal (first, second));
  return 0;
}
