// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-records.h"

typedef struct
{
  FpRecords parent;
  FpMappings *mappings;
} FpMappingRecords;

static void
get_facts (const FpRecords *records,
           guint index,
           FpMapping *mapping)
{
  fp_mappings_get_facts (((const FpMappingRecords *)records)->mappings, index, mapping);
}

/* Mappings of two moments are the same if they have the same address and the same place of the same file. */
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

  get_facts (records, index, &mapping);
  return fp_mapping_get_key (&mapping);
}

static const FpMemory *
fp_mapping_records_get_memory (const FpRecords *records,
                               guint index,
                               FpMemory *buffer,
                               guint64 *fields)
{
  fp_mappings_get_memory (((const FpMappingRecords *)records)->mappings, index, buffer);
  *fields = fp_mapping_fields;
  return buffer;
}

static FpFigure
fp_mapping_records_get_figure (const FpRecords *records,
                               guint index,
                               FpField field)
{
  const FpMappings *mappings = ((const FpMappingRecords *)records)->mappings;
  FpMemory memory;

  if (!(fp_mapping_fields >> field & 1))
    return (FpFigure){ FP_FIGURE_NONE, 0, 0 };
  if (fp_mappings_get_present (mappings, index) >> field & 1)
    return fp_figure_exact (fp_mappings_get_figure (mappings, index, field));
  fp_mappings_get_memory (mappings, index, &memory);
  return fp_figure_of_memory (&memory, field);
}

void
fp_mapping_records_get (const FpRecords *self,
                        guint index,
                        FpMapping *mapping)
{
  fp_mappings_get (((const FpMappingRecords *)self)->mappings, index, mapping);
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
    FP_RECORD_MAPPING, fp_mapping_records_get_key, fp_mapping_records_get_memory, fp_mapping_records_get_figure, get_facts,
    fp_mapping_records_free
  };
  FpMappingRecords *self = g_new0 (FpMappingRecords, 1);

  self->parent.class = &class;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->parent.n = fp_mappings_get_n (mappings);
  self->mappings = fp_mappings_ref (mappings);
  return &self->parent;
}
