// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-outline.h"
#include "fp-records.h"

G_BEGIN_DECLS

/* A heap profile at one moment or in one range of time, and perhaps what it is compared with. known: a bit for each cost that is
 * told then */
typedef struct
{
  FpHeapTree *tree;
  GArray *stacks; /* of FpHeapStack */
  guint known;
  GArray *before; /* (nullable): of FpHeapStack, of the same paths */
} FpHeapExcerpt;

/* Functions, libraries, the functions beside one of them, or the steps of an outline. Each but the steps has what it
 * allocates by itself and with its callees. */
FpRecords *fp_heap_records_new (const FpHeapExcerpt *excerpt, FpHeapBy by);
FpRecords *fp_heap_records_new_beside (const FpHeapExcerpt *excerpt, guint32 node, FpHeapSide side);
FpRecords *fp_heap_records_new_steps (const FpHeapExcerpt *excerpt, FpHeapDirection direction, GHashTable *found);
const FpHeapProfile *fp_heap_records_get_profile (const FpRecords *records);
guint fp_heap_records_get_known (const FpRecords *records);
gboolean fp_heap_records_are_compared (const FpRecords *records);
const FpHeapPlace *fp_heap_records_get (const FpRecords *records, guint index);
const FpHeapPlace *fp_heap_records_get_before (const FpRecords *records, guint index);
guint32 fp_heap_records_get_depth (const FpRecords *records, guint index);
const char *fp_heap_records_get_name (const FpRecords *records, guint index);
const char *fp_heap_records_get_library (const FpRecords *records, guint index);
guint64 fp_heap_records_get_total (const FpRecords *records, FpHeapCost cost);
guint fp_heap_records_find (const FpRecords *records, FpKey key);
FpKey fp_heap_get_function_key (const FpHeapProfile *profile, const FpHeapFrame *frame);
char *fp_heap_records_explain (const FpRecords *records, guint index);

G_END_DECLS
