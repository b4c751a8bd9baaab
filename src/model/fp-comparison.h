// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-column.h"
#include "fp-mapped-files.h"

G_BEGIN_DECLS

/* How a record was found among those of the earlier moment. */
typedef enum
{
  FP_PAIR_NONE, /* it was not there */
  FP_PAIR_SAME, /* it is the same process, file or control group */
  FP_PAIR_RANK, /* another process of the same program and unit, or group of the same name, which has the same rank in size */
  FP_PAIR_NAME, /* another file of the same name */
  FP_PAIR_PATH, /* another control group of the same path */
  FP_N_PAIRS,
} FpPair;

typedef enum
{
  FP_OUTCOME_UNKNOWN,
  FP_OUTCOME_SAME,
  FP_OUTCOME_GROWN,
  FP_OUTCOME_SHRUNK,
  FP_OUTCOME_NEW,
  FP_OUTCOME_ENDED,
  FP_N_OUTCOMES,
} FpOutcome;

/* Records of two moments: all that there are at the later one, and behind them those that have ended since. Their own
 * figures are those of the later moment. */
FpRecords *fp_comparison_new_processes (FpSnapshot *before, FpSnapshot *after, const FpKept *kept);
FpRecords *fp_comparison_new_files (FpMappedFiles *before, FpMappedFiles *after, FpSnapshot *snapshot);
void fp_comparison_free (FpCompared *self);

gboolean fp_comparison_replaces (const FpColumn *column);
guint fp_records_get_kinds (const FpRecords *self);
gboolean fp_records_are_compared (const FpRecords *self);
gboolean fp_records_has_ended (const FpRecords *self, guint index);
const FpRecords *fp_records_find_before (const FpRecords *self, guint index, guint *place);
FpFigure fp_records_get_before (const FpRecords *self, guint index, FpField field);
FpFigure fp_records_get_after (const FpRecords *self, guint index, FpField field);
FpFigure fp_records_get_difference (const FpRecords *self, guint index, FpField field);
FpPair fp_records_get_pair (const FpRecords *self, guint index);
FpOutcome fp_records_get_outcome (const FpRecords *self, guint index);

FpFigure fp_value_before (const FpRecords *records, guint index);
FpFigure fp_value_after (const FpRecords *records, guint index);
FpFigure fp_value_difference (const FpRecords *records, guint index);
FpFigure fp_value_swap_before (const FpRecords *records, guint index);
FpFigure fp_value_swap_after (const FpRecords *records, guint index);
FpFigure fp_value_swap_difference (const FpRecords *records, guint index);
const char *fp_text_outcome (const FpRecords *records, guint index, const FpFormat *format);
const char *fp_text_pair (const FpRecords *records, guint index, const FpFormat *format);

G_END_DECLS
