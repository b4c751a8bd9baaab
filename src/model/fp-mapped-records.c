// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-holder-records.h"
#include "fp-mapped-records.h"

typedef struct
{
  FpRecords parent;
  FpMappedFiles *files;
  FpSnapshot *snapshot;        /* (nullable) */
  guint32 *common[FP_N_TEXTS]; /* (nullable): of each file, once asked for */
} FpMappedRecords;

#define UNKNOWN 0 /* the place of the empty text */
#define SEVERAL G_MAXUINT32

const FpMappedFiles *
fp_mapped_records_get_files (const FpRecords *records)
{
  return ((const FpMappedRecords *)records)->files;
}

/* (nullable) */
const FpSnapshot *
fp_mapped_records_get_snapshot (const FpRecords *records)
{
  return ((const FpMappedRecords *)records)->snapshot;
}

const FpMappedFile *
fp_mapped_records_get (const FpRecords *records,
                       guint index)
{
  return fp_mapped_files_get (fp_mapped_records_get_files (records), index);
}

static FpKey
fp_mapped_records_get_key (const FpRecords *records,
                           guint index)
{
  const FpMappedFile *file = fp_mapped_records_get (records, index);

  return (FpKey){ file->key[0], file->key[1] };
}

static const FpMemory *
fp_mapped_records_get_memory (const FpRecords *records,
                              guint index,
                              FpMemory *buffer,
                              guint64 *fields)
{
  fp_mapped_file_get_memory (fp_mapped_records_get (records, index), buffer);
  *fields = fp_mapping_fields & fp_summed_fields;
  return buffer;
}

/* Gives what all mappings of a file have in common. */
static void
get_facts (const FpRecords *records,
           guint index,
           FpMapping *mapping)
{
  const FpMappedFile *file = fp_mapped_records_get (records, index);

  *mapping = (FpMapping){
    .inode = file->id.inode,
    .device_major = file->id.device_major,
    .device_minor = file->id.device_minor,
    .permissions = "",
    .file_state = file->state,
    .name = file->name,
    .shown = file->shown,
  };
}

static void
fp_mapped_records_free (FpRecords *records)
{
  FpMappedRecords *self = (FpMappedRecords *)records;

  for (guint i = 0; i < FP_N_TEXTS; i++)
    g_free (self->common[i]);
  g_clear_pointer (&self->snapshot, fp_snapshot_unref);
  fp_mapped_files_unref (((FpMappedRecords *)records)->files);
  g_free (records);
}

/* Places of texts are the same for equal texts of one snapshot. */
static guint32
join (guint32 a,
      guint32 b)
{
  return a == b ? a : SEVERAL;
}

/* Finds the text of each memory that was read, which several processes can have. */
static guint32 *
find_texts (const FpMappedRecords *self,
            FpText text)
{
  const FpMappedFiles *files = self->files;
  guint32 *texts = g_new (guint32, files->n_processes + 1);

  for (guint i = 0; i < files->n_processes; i++)
    {
      const FpProcess *process = fp_snapshot_find_same (self->snapshot, &files->processes[i].id);

      texts[i] = process ? process->texts[text] : UNKNOWN;
    }
  for (guint i = 0; i < files->n_processes; i++)
    if (files->owners[i] != FP_MAPPED_NOT_READ && files->owners[i] != i)
      texts[files->owners[i]] = join (texts[files->owners[i]], texts[i]);
  return texts;
}

static guint32 *
find_common (const FpMappedRecords *self,
             FpText text)
{
  g_autofree guint32 *texts = find_texts (self, text);
  guint32 *common = g_new (guint32, self->parent.n + 1);

  for (guint i = 0; i < self->parent.n; i++)
    {
      const FpMappedFile *file = fp_mapped_files_get (self->files, i);
      const FpMappedHolder *holders = fp_mapped_files_get_holders (self->files, file);

      common[i] = file->n_holders > 0 ? texts[holders[0].process] : UNKNOWN;
      for (guint j = 1; j < file->n_holders; j++)
        common[i] = join (common[i], texts[holders[j].process]);
    }
  return common;
}

const char *
fp_mapped_records_get_common (const FpRecords *records,
                              guint index,
                              FpText text)
{
  FpMappedRecords *self = (FpMappedRecords *)records;

  if (!self->snapshot)
    return "";
  if (!self->common[text])
    self->common[text] = find_common (self, text);
  return self->common[text][index] == SEVERAL ? NULL : self->snapshot->strings->data + self->common[text][index];
}

/* A file that no process maps any more keeps its figures and has no holders. */
static FpRecords *
fp_mapped_records_copy_ended (const FpRecords **lists,
                              const guint *indices,
                              guint n)
{
  g_autoptr (FpMappedFiles) copy = fp_mapped_files_new (0, NULL);

  for (guint i = 0; i < n; i++)
    {
      FpMappedFile file = *fp_mapped_records_get (lists[i], indices[i]);

      file.name = fp_mapped_texts_add (copy->texts, file.name);
      file.shown = fp_mapped_texts_add (copy->texts, file.shown);
      file.build_id = file.build_id ? fp_mapped_texts_add (copy->texts, file.build_id) : NULL;
      file.n_holders = file.first_holder = file.copies = 0;
      g_array_append_val (copy->files, file);
    }
  return fp_mapped_records_new (copy, NULL);
}

FpRecords *
fp_mapped_records_new (FpMappedFiles *files,
                       FpSnapshot *snapshot)
{
  static const FpRecordsClass class = {
    .kind = FP_RECORD_MAPPED_FILE,
    .get_key = fp_mapped_records_get_key,
    .get_memory = fp_mapped_records_get_memory,
    .get_facts = get_facts,
    .free = fp_mapped_records_free,
    .copy_ended = fp_mapped_records_copy_ended,
    .list_parts = fp_holder_records_new,
  };
  FpMappedRecords *self = g_new0 (FpMappedRecords, 1);

  self->parent.class = &class;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->parent.n = files->files->len;
  self->files = fp_mapped_files_ref (files);
  self->snapshot = snapshot ? fp_snapshot_ref (snapshot) : NULL;
  return &self->parent;
}
