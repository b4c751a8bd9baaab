// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-history-ends.h"

G_BEGIN_DECLS

#define FP_HISTORY_RECENT    600 /* collections of the last ten minutes, each */
#define FP_HISTORY_RECENT_US (600 * G_USEC_PER_SEC)
#define FP_HISTORY_MINUTES   360 /* collections of the last six hours, one a minute */
#define FP_HISTORY_LONG      600 /* points of a record that is followed */

typedef struct
{
  guint64 time_us; /* CLOCK_BOOTTIME */
  FpHistoryEnds ends;
  gboolean follows_gap; /* readings are missing between the point before and this one */
} FpHistoryPoint;

/* How memory and swap grow by the minute, over the last ten minutes or, where that tells nothing, over the last hours. */
typedef struct
{
  FpFigure figure;
  guint64 span_us;
} FpGrowth;

/* A history keeps past figures of every process, control group or total, and points of other records while they are
 * followed. Changes count from its start, or from the mark. */
typedef struct _FpHistory FpHistory;

/* The figures of one record in one collection. */
typedef struct
{
  FpKey key;
  FpHistoryEnds ends;
} FpHistoryEntry;

FpHistory *fp_history_new (void);
FpHistory *fp_history_ref (FpHistory *self);
void fp_history_unref (FpHistory *self);
void fp_history_take (FpHistory *self, const FpSnapshot *snapshot, guint64 longest_us);
void fp_history_take_records (FpHistory *self, FpRecords *records, guint64 time_us, guint64 longest_us);
void fp_history_take_entries (FpHistory *self, FpHistoryEntry *entries, guint n, guint64 time_us, guint64 longest_us);
void fp_history_follow (FpHistory *self, const FpRecords *records, guint index);
const FpHistoryPoint *fp_history_get (const FpHistory *self, FpKey key, guint *n);
void fp_history_add_recent (const FpHistory *self, FpKey key, GArray *points);
FpGrowth fp_history_get_growth (const FpHistory *self, FpKey key);
FpFigure fp_history_get_peak (const FpHistory *self, FpKey key);
void fp_history_set_start (FpHistory *self);
void fp_history_mark (FpHistory *self, guint64 time_us);
void fp_history_unmark (FpHistory *self);
gboolean fp_history_is_marked (const FpHistory *self);
FpFigure fp_history_get_change (const FpHistory *self, const FpRecords *records, guint index);
gboolean fp_history_get_ends (const FpHistory *self, FpKey key, FpHistoryEnds *base, FpHistoryEnds *now);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpHistory, fp_history_unref)

G_END_DECLS
