// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-mapped-files.h"

FpMappedFiles *
fp_mapped_files_ref (FpMappedFiles *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
fp_mapped_files_unref (FpMappedFiles *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_array_unref (self->files);
  g_array_unref (self->copies);
  g_free (self->processes);
  g_free (self->holders);
  g_string_chunk_free (self->texts);
  g_free (self);
}

/* i: up to the file's n_processes */
const FpMappedProcess *
fp_mapped_files_get_holder (const FpMappedFiles *self,
                            const FpMappedFile *file,
                            guint i)
{
  return &self->processes[self->holders[file->first_holder + i]];
}

/* If all used one copy, it would need at least as much as the largest does now: more, where they use different parts. */
guint64
fp_file_copies_get_least (const FpMappedFiles *files,
                          const FpFileCopies *copies)
{
  return fp_mapped_files_get (files, copies->largest)->unchanged;
}

/* Programs that map it run what was replaced or removed since, until they are started again. Other files are often deleted
 * on purpose, so that they go with their last user. */
gboolean
fp_mapped_file_is_outdated (const FpMappedFile *self)
{
  return self->is_updated || (self->state == FP_FILE_DELETED && self->kind == FP_MAPPING_CODE);
}

void
fp_mapped_file_get_memory (const FpMappedFile *self,
                           FpMemory *memory)
{
  guint64 fields = fp_fields_of_origins (FP_ORIGIN_SMAPS | FP_ORIGIN_MAPPING);

  memset (memory, 0, sizeof *memory);
  memory->present = self->present;
  for (guint i = 0; fields; fields &= fields - 1, i++)
    memory->figures[__builtin_ctzll (fields)] = self->figures[i];
  fp_memory_derive (memory);
}
