// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-mapped-files.h"

#define KIB 1024

const FpField fp_holder_fields[FP_N_HOLDER_FIGURES] = {
  FP_FIELD_PSS,
  FP_FIELD_RSS,
  FP_FIELD_PRIVATE_CLEAN,
  FP_FIELD_PRIVATE_DIRTY,
  FP_FIELD_SWAP_PSS,
};

/* None of the processes is known or read yet. */
FpMappedFiles *
fp_mapped_files_new (guint n_processes,
                     FpMappedTexts *texts)
{
  FpMappedFiles *self = g_new0 (FpMappedFiles, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->files = g_array_new (FALSE, TRUE, sizeof (FpMappedFile));
  self->copies = g_array_new (FALSE, FALSE, sizeof (FpFileCopies));
  self->processes = g_new0 (FpMappedProcess, n_processes + 1);
  self->n_processes = self->n_tried = n_processes;
  self->owners = g_new (guint32, n_processes + 1);
  for (guint i = 0; i < n_processes; i++)
    self->owners[i] = FP_MAPPED_NOT_READ;
  self->texts = texts ? fp_mapped_texts_ref (texts) : fp_mapped_texts_new (G_MAXSIZE);
  return self;
}

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
  g_free (self->unread);
  g_free (self->holders);
  g_free (self->owners);
  g_free (self->first_twin);
  g_free (self->twins);
  fp_mapped_texts_unref (self->texts);
  g_free (self);
}

/* Finds a process of a file, and the holder that it is or whose memory it shares. i: up to the file's n_processes */
const FpMappedHolder *
fp_mapped_files_find_holder (const FpMappedFiles *self,
                             const FpMappedFile *file,
                             guint i,
                             const FpMappedProcess **process)
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
  *process = &self->processes[twin == 0 ? holders[low].process : self->twins[self->first_twin[holders[low].process] + twin - 1]];
  return &holders[low];
}

const FpMappedProcess *
fp_mapped_files_get_holder (const FpMappedFiles *self,
                            const FpMappedFile *file,
                            guint i)
{
  const FpMappedProcess *process;

  fp_mapped_files_find_holder (self, file, i, &process);
  return process;
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

/* A user counts once for a file, or for a memory: seen has, by user, the last of these it was counted for, and one. */
static guint
count_user (GHashTable *seen,
            guint32 uid,
            guint of)
{
  if (g_hash_table_lookup (seen, GUINT_TO_POINTER (uid)) == GUINT_TO_POINTER (of + 1))
    return 0;
  g_hash_table_insert (seen, GUINT_TO_POINTER (uid), GUINT_TO_POINTER (of + 1));
  return 1;
}

/* The users of each memory, in runs by the process that was read; first: where each run begins, and one more */
static GArray *
list_users (const FpMappedFiles *self,
            guint32 *first)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  GArray *users = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < self->n_processes; i++)
    {
      first[i] = users->len;
      if (self->owners[i] != i)
        continue;
      if (count_user (seen, self->processes[i].uid, i))
        g_array_append_val (users, self->processes[i].uid);
      for (guint j = self->first_twin[i]; j < self->first_twin[i + 1]; j++)
        if (count_user (seen, self->processes[self->twins[j]].uid, i))
          g_array_append_val (users, self->processes[self->twins[j]].uid);
    }
  first[self->n_processes] = users->len;
  return users;
}

void
fp_mapped_files_count_users (FpMappedFiles *self)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autofree guint32 *first = g_new (guint32, self->n_processes + 1);
  g_autoptr (GArray) users = list_users (self, first);

  for (guint i = 0; i < self->files->len; i++)
    {
      FpMappedFile *file = &g_array_index (self->files, FpMappedFile, i);
      const FpMappedHolder *holders = &self->holders[file->first_holder];

      file->n_users = 0;
      if (file->n_holders == 1)
        file->n_users = first[holders[0].process + 1] - first[holders[0].process];
      for (guint j = 0; j < file->n_holders && file->n_holders > 1; j++)
        for (guint u = first[holders[j].process]; u < first[holders[j].process + 1]; u++)
          file->n_users += count_user (seen, g_array_index (users, guint32, u), i);
    }
}

/* Finds who shares a memory, and how many processes each file has. */
void
fp_mapped_files_index (FpMappedFiles *self)
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

/* All files together whose names were too many to keep. No other has this key. */
gboolean
fp_mapped_file_is_rest (const FpMappedFile *self)
{
  return self->key[0] == 0 && self->key[1] == 0;
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

/* The kernel counts in KiB. */
void
fp_mapped_holder_add (FpMappedHolder *self,
                      const FpMemory *memory)
{
  for (guint i = 0; i < FP_N_HOLDER_FIGURES; i++)
    self->kib[i] = (guint32)MIN (self->kib[i] + memory->figures[fp_holder_fields[i]] / KIB, G_MAXUINT32);
}

/* A figure that is too large to be kept is not known. */
void
fp_mapped_holder_get_memory (const FpMappedHolder *self,
                             const FpMappedFile *file,
                             FpMemory *memory)
{
  memset (memory, 0, sizeof *memory);
  for (guint i = 0; i < FP_N_HOLDER_FIGURES; i++)
    if ((file->present >> fp_holder_fields[i] & 1) && self->kib[i] < G_MAXUINT32)
      fp_memory_set (memory, fp_holder_fields[i], (guint64)self->kib[i] * KIB);
  fp_memory_derive (memory);
}
