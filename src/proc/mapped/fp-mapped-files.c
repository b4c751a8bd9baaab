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
  g_free (self->processes);
  g_free (self->unread);
  g_free (self->holders);
  g_free (self->owners);
  g_free (self->first_twin);
  g_free (self->twins);
  g_string_chunk_free (self->texts);
  g_free (self);
}

/* i: up to the file's n_processes */
const FpMappedProcess *
fp_mapped_files_get_holder (const FpMappedFiles *self,
                            const FpMappedFile *file,
                            guint i)
{
  const FpMappedHolder *holders = &self->holders[file->first_holder];
  guint low = 0, high = file->n_holders, twin;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (holders[middle].n_up_to <= i)
        low = middle + 1;
      else
        high = middle;
    }
  twin = i - (low > 0 ? holders[low - 1].n_up_to : 0);
  return &self->processes[twin == 0 ? holders[low].process : self->twins[self->first_twin[holders[low].process] + twin - 1]];
}

static gboolean
is_twin (const FpMappedFiles *self,
         guint process)
{
  return self->owners[process] != FP_MAPPED_NOT_READ && self->owners[process] != process;
}

/* Puts the processes that share a memory into runs by the process that was read. */
static void
sort_twins (FpMappedFiles *self)
{
  g_autofree guint32 *ends = g_new0 (guint32, self->n_processes + 1);
  guint32 at = 0;

  for (guint i = 0; i < self->n_processes; i++)
    if (is_twin (self, i))
      ends[self->owners[i]]++;
  self->first_twin = g_new (guint32, self->n_processes + 1);
  for (guint i = 0; i <= self->n_processes; i++)
    {
      guint32 n = ends[i];

      self->first_twin[i] = ends[i] = at;
      at += n;
    }
  self->twins = g_new (guint32, at + 1);
  for (guint i = 0; i < self->n_processes; i++)
    if (is_twin (self, i))
      self->twins[ends[self->owners[i]]++] = i;
}

/* A user counts once for a file: seen has, by user, the last file that it was counted for, and one. */
static guint
count_user (GHashTable *seen,
            guint32 uid,
            guint file)
{
  if (g_hash_table_lookup (seen, GUINT_TO_POINTER (uid)) == GUINT_TO_POINTER (file + 1))
    return 0;
  g_hash_table_insert (seen, GUINT_TO_POINTER (uid), GUINT_TO_POINTER (file + 1));
  return 1;
}

static guint
count_users_of_holder (const FpMappedFiles *self,
                       GHashTable *seen,
                       guint process,
                       guint file)
{
  guint n = count_user (seen, self->processes[process].uid, file);

  for (guint i = self->first_twin[process]; i < self->first_twin[process + 1]; i++)
    n += count_user (seen, self->processes[self->twins[i]].uid, file);
  return n;
}

/* Most files have one holder, which has as many users for each of them. */
static void
count_users (FpMappedFiles *self)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autofree guint *n_users = g_new0 (guint, self->n_processes + 1);

  for (guint i = 0; i < self->files->len; i++)
    {
      FpMappedFile *file = &g_array_index (self->files, FpMappedFile, i);
      const FpMappedHolder *holders = &self->holders[file->first_holder];

      file->n_users = 0;
      if (file->n_holders == 1 && n_users[holders[0].process] == 0)
        n_users[holders[0].process] = count_users_of_holder (self, seen, holders[0].process, i);
      if (file->n_holders == 1)
        file->n_users = n_users[holders[0].process];
      for (guint j = 0; j < file->n_holders && file->n_holders > 1; j++)
        file->n_users += count_users_of_holder (self, seen, holders[j].process, i);
    }
}

/* Finds all that follows from the holders of each file and the owners of each memory. */
void
fp_mapped_files_finish (FpMappedFiles *self)
{
  sort_twins (self);
  for (guint i = 0; i < self->files->len; i++)
    {
      FpMappedFile *file = &g_array_index (self->files, FpMappedFile, i);

      file->n_processes = 0;
      for (guint j = 0; j < file->n_holders; j++)
        {
          FpMappedHolder *holder = &self->holders[file->first_holder + j];

          file->n_processes += 1 + self->first_twin[holder->process + 1] - self->first_twin[holder->process];
          holder->n_up_to = file->n_processes;
        }
    }
  count_users (self);
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
