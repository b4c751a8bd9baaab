// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-columns.h"
#include "fp-heap-profile.h"

G_BEGIN_DECLS

/* The sizes of the blocks of a heap profile: a record for each power of two, from the smallest to the largest that occur. */
FpRecords *fp_heap_size_records_new (FpHeapProfile *profile);
double fp_heap_size_records_get_part (const FpColumn *column, const FpRecords *records, guint index);
const char *fp_heap_size_records_get_name (const FpRecords *records, guint index);

FpFigureFunc fp_value_size_least, fp_value_size_calls, fp_value_size_allocated, fp_value_size_leaked;
FpTextFunc fp_text_size_name;

G_END_DECLS
