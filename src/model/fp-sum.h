// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-kept.h"
#include "fp-totals.h"

G_BEGIN_DECLS

/* These describe the memory of records in words. Free the texts. */
char *fp_sum_describe_use (const FpRecords *records, guint index, const FpFormat *format);
char *fp_sum_describe_members (const FpRecords *records, guint *indices, guint n, const FpFormat *format);
char *fp_sum_describe_mappings (const FpRecords *sum, const FpFormat *format);
char *fp_sum_describe_changes (const FpRecords *sum, const FpFormat *format);
char *fp_sum_describe_machine (const FpSystem *system, const FpRecords *sum, const FpKept *kept, const FpFormat *format);
char *fp_sum_describe_programs (const FpSystem *system, const FpRecords *sum, const FpFormat *format);
void fp_sum_append_swap (GString *text, FpFigure swap, const FpFormat *format);
char *fp_sum_describe_total (const FpRecords *sum, const FpFormat *format);
char *fp_sum_describe_compared (const char *count, FpFigure before, FpFigure after, const FpFormat *format);
char *fp_sum_describe_rows (const FpRecords *records, const guint *indices, guint n, const FpFormat *format);

G_END_DECLS
