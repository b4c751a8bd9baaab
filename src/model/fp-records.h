// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-figure.h"
#include "fp-mapping.h"
#include "fp-snapshot.h"

G_BEGIN_DECLS

typedef enum
{
  FP_RECORD_PROCESS = 1 << 0,
  FP_RECORD_TOTAL = 1 << 1,
  FP_RECORD_MAPPING = 1 << 2,
  FP_RECORD_FOLD = 1 << 3,   /* the sum of some mappings */
  FP_RECORD_CHANGE = 1 << 4, /* a mapping as it is now; its figures are differences */
} FpRecordKind;

/* A key identifies a record from one snapshot to the next. */
typedef struct
{
  guint64 a;
  guint64 b;
} FpKey;

typedef struct _FpRecords FpRecords;

/* A record has figures as they were measured (get_memory; fields: a bit for each that it can have at all; buffer: for
 * what is not kept that way), or others (get_figure). Where it has both, get_figure is the shorter way to one. */
typedef struct
{
  FpRecordKind kind;
  FpKey (*get_key) (const FpRecords *self, guint index);
  const FpMemory *(*get_memory) (const FpRecords *self, guint index, FpMemory *buffer, guint64 *fields);
  FpFigure (*get_figure) (const FpRecords *self, guint index, FpField field);
  void (*get_facts) (const FpRecords *self, guint index, FpMapping *mapping); /* (nullable): gives all but figures */
  void (*free) (FpRecords *self);
} FpRecordsClass;

/* A list of things with figures: processes, mappings, totals of groups of them. Immutable. */
struct _FpRecords
{
  const FpRecordsClass *class;
  gatomicrefcount ref_count;
  guint n;
};

guint fp_key_hash (gconstpointer key);
gboolean fp_key_equal (gconstpointer a, gconstpointer b);

FpRecords *fp_records_ref (FpRecords *self);
void fp_records_unref (FpRecords *self);

static inline FpKey
fp_records_get_key (const FpRecords *self,
                    guint index)
{
  return self->class->get_key (self, index);
}

FpFigure fp_records_get_figure (const FpRecords *self, guint index, FpField field);

FpRecords *fp_process_records_new (FpSnapshot *snapshot);
const FpProcess *fp_process_records_get (const FpRecords *records, guint index);
const FpSnapshot *fp_process_records_get_snapshot (const FpRecords *records);
FpRecords *fp_process_records_new_ended (const FpProcess **processes, const FpSnapshot **snapshots, guint n);

FpRecords *fp_mapping_records_new (FpMappings *mappings);
FpKey fp_mapping_get_key (const FpMapping *mapping);

void fp_mapping_records_get (const FpRecords *self, guint index, FpMapping *mapping);

static inline void
fp_mapping_records_get_facts (const FpRecords *self,
                              guint index,
                              FpMapping *mapping)
{
  self->class->get_facts (self, index, mapping);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpRecords, fp_records_unref)

G_END_DECLS
