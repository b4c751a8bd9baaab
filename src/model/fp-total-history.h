// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-grouping.h"
#include "fp-history.h"

G_BEGIN_DECLS

/* Keeps past figures of the totals of all groupings of processes that a column decides, and of all processes together. A
 * total has a past of its own: a member that ends takes its part of it along. */
typedef struct _FpTotalHistory FpTotalHistory;

FpTotalHistory *fp_total_history_new (void);
void fp_total_history_free (FpTotalHistory *self);
void fp_total_history_take (FpTotalHistory *self, const FpRecords *processes, const FpFormat *format, guint64 longest_us);
void fp_total_history_tell (const FpTotalHistory *self,
                            FpGrouping grouping,
                            FpRecords *totals,
                            const FpRecords *processes,
                            const guint *members,
                            guint n,
                            const FpFormat *format);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpTotalHistory, fp_total_history_free)

G_END_DECLS
