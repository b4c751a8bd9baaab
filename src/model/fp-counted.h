// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-control-groups.h"
#include "fp-grouping.h"
#include "fp-totals.h"

G_BEGIN_DECLS

/* Finds what the kernel's control groups count for each of these totals of users: a user's slice, and the outermost groups
 * whose members are all in the total. A group counts once, and what is counted is never added to sums of processes.
 * owners: the total of each process, FP_NOT_OWNED for those that are in none */
#define FP_NOT_OWNED G_MAXUINT

void fp_counted_find (FpRecords *totals, const FpControlGroups *groups, const FpRecords *processes, const guint *owners);
void fp_counted_find_for_users (const FpGroups *users, const FpControlGroups *groups, const FpRecords *processes, const GArray *matches);

FpFigureFunc fp_value_counted, fp_value_counted_own, fp_value_counted_shared, fp_value_counted_kernel,
    fp_value_counted_cache, fp_value_counted_swap, fp_value_not_counted;

gboolean fp_counted_is_column (const FpColumn *column);

/* (nullable): in words, and why it is another figure than the sum of the processes. Free the texts. */
char *fp_counted_describe (const FpRecords *totals, guint index, const FpFormat *format);
char *fp_counted_describe_rest (const FpRecords *totals, guint index);

G_END_DECLS
