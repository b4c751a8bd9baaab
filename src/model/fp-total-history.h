// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-grouping.h"
#include "fp-history.h"

G_BEGIN_DECLS

/* Keeps past figures of the totals of all groupings of processes that a column decides, and of all processes together. A
 * total has a past of its own: a member that ends takes its part of it along. */
typedef struct _FpTotalHistory FpTotalHistory;

/* The memory of all processes of one program, also of one that has ended, and what it was where changes begin to count. */
typedef struct
{
  const char *name; /* the history's */
  FpHistoryEnds base;
  FpHistoryEnds now;
} FpProgramChange;

FpTotalHistory *fp_total_history_new (void);
void fp_total_history_free (FpTotalHistory *self);
void fp_total_history_take (FpTotalHistory *self, const FpRecords *processes, const FpFormat *format, guint64 longest_us);
void fp_total_history_set_start (FpTotalHistory *self);
void fp_total_history_mark (FpTotalHistory *self, guint64 time_us);
void fp_total_history_unmark (FpTotalHistory *self);
void fp_total_history_add_changes (const FpTotalHistory *self, GArray *changes);
void fp_total_history_tell (const FpTotalHistory *self,
                            FpGrouping grouping,
                            FpRecords *totals,
                            const FpRecords *processes,
                            const guint *members,
                            guint n,
                            const FpFormat *format);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpTotalHistory, fp_total_history_free)

G_END_DECLS
