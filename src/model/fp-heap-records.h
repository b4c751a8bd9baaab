// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-places.h"
#include "fp-records.h"

G_BEGIN_DECLS

/* The functions or the libraries of a heap profile, as they were at one moment. */
FpRecords *fp_heap_records_new (FpHeapProfile *profile, const GArray *stacks, FpHeapBy by);
const FpHeapProfile *fp_heap_records_get_profile (const FpRecords *records);
const FpHeapPlace *fp_heap_records_get (const FpRecords *records, guint index);
const char *fp_heap_records_get_name (const FpRecords *records, guint index);
const char *fp_heap_records_get_library (const FpRecords *records, guint index);
guint64 fp_heap_records_get_total (const FpRecords *records, FpHeapCost cost);
FpKey fp_heap_get_function_key (const FpHeapFrame *frame);
char *fp_heap_records_explain (const FpRecords *records, guint index);

G_END_DECLS
