// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-past.h"
#include "fp-records.h"

G_BEGIN_DECLS

extern const FpField fp_history_fields[FP_N_HISTORY_FIGURES];

void fp_history_ends_set (FpHistoryEnds *self, FpHistoryFigure figure, guint64 low, guint64 high);
void fp_history_ends_of_record (FpHistoryEnds *self, const FpRecords *records, guint index);
void fp_history_ends_of_memory (FpHistoryEnds *self, const FpMemory *memory);
gboolean fp_history_ends_have_swap (const FpHistoryEnds *self);
gboolean fp_history_ends_add_up (const FpHistoryEnds *self, gboolean counts_swap, gint64 *low, gint64 *high);
FpFigure fp_history_ends_subtract (const FpHistoryEnds *now, const FpHistoryEnds *before);

G_END_DECLS
