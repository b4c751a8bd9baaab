// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-mapped-records.h"

typedef struct
{
  FpRecords parent;
  FpMappedFiles *files;
} FpMappedRecords;

const FpMappedFiles *
fp_mapped_records_get_files (const FpRecords *records)
{
  return ((const FpMappedRecords *)records)->files;
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
  fp_mapped_files_unref (((FpMappedRecords *)records)->files);
  g_free (records);
}

FpRecords *
fp_mapped_records_new (FpMappedFiles *files)
{
  static const FpRecordsClass class = {
    .kind = FP_RECORD_MAPPED_FILE,
    .get_key = fp_mapped_records_get_key,
    .get_memory = fp_mapped_records_get_memory,
    .get_facts = get_facts,
    .free = fp_mapped_records_free,
  };
  FpMappedRecords *self = g_new0 (FpMappedRecords, 1);

  self->parent.class = &class;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->parent.n = files->files->len;
  self->files = fp_mapped_files_ref (files);
  return &self->parent;
}
