// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-figure.h"
#include "fp-kept.h"
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
  FP_RECORD_CONTROL_GROUP = 1 << 5,
  FP_RECORD_MAPPED_FILE = 1 << 6,    /* the sum of all mappings of a file, in many processes */
  FP_RECORD_HOLDER = 1 << 7,         /* what one of these processes has of the file */
  FP_RECORD_COMPARED = 1 << 8,       /* any of these that knows what it was at an earlier moment; no kind of its own */
  FP_RECORD_HEAP_FUNCTION = 1 << 9,  /* what a function allocated, from a heap profile */
  FP_RECORD_HEAP_LIBRARY = 1 << 10,  /* what the functions of a library allocated */
  FP_RECORD_HEAP_STEP = 1 << 11,     /* what a function allocated on one way of calls */
  FP_RECORD_HEAP_SIZE = 1 << 12,     /* the blocks of similar size */
  FP_RECORD_HEAP_COMPARED = 1 << 13, /* any of these but sizes that knows what it was at another moment; no kind of its own */
} FpRecordKind;

/* In the start time of a process of another run of the machine, which says nothing in this one */
#define FP_TICKS_OF_OTHER_BOOT (G_GUINT64_CONSTANT (1) << 63)

#define FP_FIELD_BIT(id) (G_GUINT64_CONSTANT (1) << FP_FIELD_##id)

/* Peaks of different moments, sizes of a page, scores and names can't be added up. */
#define FP_FIELDS_NOT_SUMMED                                                                      \
  (FP_FIELD_BIT (KERNEL_PAGE_SIZE) | FP_FIELD_BIT (MMU_PAGE_SIZE) | FP_FIELD_BIT (THP_ELIGIBLE) | \
   FP_FIELD_BIT (PROTECTION_KEY) | FP_FIELD_BIT (PEAK_RSS) | FP_FIELD_BIT (VM_PEAK) | FP_FIELD_BIT (OOM_SCORE))

/* Only smaps_rollup has these parts of PSS, and the kernel counts VmSwap for a whole process. */
#define FP_FIELDS_NOT_OF_MAPPINGS \
  (FP_FIELD_BIT (PSS_ANON) | FP_FIELD_BIT (PSS_FILE) | FP_FIELD_BIT (PSS_SHMEM) | FP_FIELD_BIT (RSS_AND_SWAP))

/* The kinds of records that have the figures of a source. */
#define FP_KINDS_MAPPING (FP_RECORD_MAPPING | FP_RECORD_FOLD | FP_RECORD_CHANGE | FP_RECORD_MAPPED_FILE | FP_RECORD_HOLDER)
#define FP_KINDS_CODE    (FP_RECORD_HEAP_FUNCTION | FP_RECORD_HEAP_LIBRARY | FP_RECORD_HEAP_STEP)
#define FP_KINDS_HEAP    (FP_KINDS_CODE | FP_RECORD_HEAP_SIZE)
#define FP_KINDS_SUMS    (FP_RECORD_TOTAL | FP_RECORD_FOLD | FP_RECORD_MAPPED_FILE | FP_RECORD_HOLDER)
#define FP_KINDS_SMAPS   (FP_RECORD_PROCESS | FP_RECORD_TOTAL | FP_KINDS_MAPPING)
#define FP_KINDS_DERIVED FP_KINDS_SMAPS
#define FP_KINDS_STATUS  (FP_RECORD_PROCESS | FP_RECORD_TOTAL)
#define FP_KINDS_STAT    (FP_RECORD_PROCESS | FP_RECORD_TOTAL)
#define FP_KINDS_OTHER   FP_RECORD_PROCESS
#define FP_KINDS_KEPT    (FP_RECORD_PROCESS | FP_RECORD_TOTAL)
#define FP_FIELD_KINDS(id, source)                                                              \
  (FP_KINDS_##source & ~(FP_FIELDS_NOT_SUMMED & FP_FIELD_BIT (id) ? (guint)FP_KINDS_SUMS : 0) & \
   ~(FP_FIELDS_NOT_OF_MAPPINGS & FP_FIELD_BIT (id) ? (guint)FP_KINDS_MAPPING : 0))

extern const guint64 fp_summed_fields;  /* a bit each */
extern const guint64 fp_mapping_fields; /* a bit for each field that a mapping can have */

gboolean fp_field_is_summed (FpField field);

/* A key identifies a record from one snapshot to the next. */
typedef struct
{
  guint64 a;
  guint64 b;
} FpKey;

typedef struct _FpRecords FpRecords;
typedef struct _FpGrowths FpGrowths;
typedef struct _FpCompared FpCompared;

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
  /* (nullable): copies records that are gone from their lists, so that their rows can keep their places */
  FpRecords *(*copy_ended) (const FpRecords **lists, const guint *indices, guint n);
  /* (nullable): lists what some of them are sums of, in a run for each that ends where ends says */
  FpRecords *(*list_parts) (FpRecords *self, const guint *indices, guint n, guint *ends);
  /* (nullable): finds the record that one is in, which stands before it; G_MAXUINT: it is in none */
  guint (*get_parent) (const FpRecords *self, guint index);
  gboolean is_open_tree; /* those in others are shown at first */
} FpRecordsClass;

/* A list of things with figures: processes, mappings, totals of groups of them. Immutable. */
struct _FpRecords
{
  const FpRecordsClass *class;
  gatomicrefcount ref_count;
  guint n;
  FpGrowths *growths;   /* (nullable): how they grow */
  FpCompared *compared; /* (nullable): what they were at an earlier moment */
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

/* A process that has ended, or several of one program. */
typedef struct
{
  guint n;
  FpFigure peak;       /* the most memory and swap that it was seen to have; of several the most that one had */
  guint64 lasted_us;   /* from its start until it was found to have ended; of several the longest */
  guint64 realtime_us; /* when it was found to have ended; of several the last */
  guint n_kills;       /* processes that the kernel killed then, as memory ran out, if this may be one of them */
} FpEndedFacts;

FpRecords *fp_process_records_new (FpSnapshot *snapshot, const FpKept *kept);
FpRecords *fp_process_records_new_ended (FpSnapshot *snapshot, FpEndedFacts *facts);
gboolean fp_process_records_has_ended (const FpRecords *records, guint index);
gboolean fp_process_records_is_over (const FpRecords *records, guint index);
const FpEndedFacts *fp_process_records_get_ended (const FpRecords *records, guint index);
const FpProcess *fp_process_records_get (const FpRecords *records, guint index);
const FpSnapshot *fp_process_records_get_snapshot (const FpRecords *records);
const char *fp_process_records_get_text (const FpRecords *records, guint index, FpText text);

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
