// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include "fp-records.h"

typedef struct
{
  FpRecords parent;
  FpMappings *mappings;
} FpMappingRecords;

static void
fp_mapping_records_get_mapping (const FpRecords *records,
                                guint index,
                                FpMapping *mapping)
{
  fp_mappings_get (((const FpMappingRecords *)records)->mappings, index, mapping);
}

/* Two at the same address, one after the other, are the same only if they begin at the same place of the same file. */
FpKey
fp_mapping_get_key (const FpMapping *mapping)
{
  return (FpKey){ mapping->start, mapping->inode ^ mapping->offset << 20 };
}

static FpKey
fp_mapping_records_get_key (const FpRecords *records,
                            guint index)
{
  FpMapping mapping;

  fp_mapping_records_get (records, index, &mapping);
  return fp_mapping_get_key (&mapping);
}

static const FpMemory *
fp_mapping_records_get_memory (const FpRecords *records,
                               guint index,
                               FpMemory *buffer,
                               guint64 *fields)
{
  FpMapping mapping;

  fp_mapping_records_get (records, index, &mapping);
  *fields = G_MAXUINT64;
  *buffer = mapping.memory;
  return buffer;
}

static void
fp_mapping_records_free (FpRecords *records)
{
  fp_mappings_unref (((FpMappingRecords *)records)->mappings);
  g_free (records);
}

FpRecords *
fp_mapping_records_new (FpMappings *mappings)
{
  static const FpRecordsClass class = {
    FP_RECORD_MAPPING, fp_mapping_records_get_key, fp_mapping_records_get_memory, NULL, fp_mapping_records_get_mapping,
    fp_mapping_records_free
  };
  FpMappingRecords *self = g_new0 (FpMappingRecords, 1);

  self->parent.class = &class;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->parent.n = fp_mappings_get_n (mappings);
  self->mappings = fp_mappings_ref (mappings);
  return &self->parent;
}
