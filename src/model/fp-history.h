// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-records.h"

G_BEGIN_DECLS

typedef enum
{
  FP_HISTORY_PSS, /* of a control group its memory */
  FP_HISTORY_USS, /* of a control group its own memory */
  FP_HISTORY_RSS, /* a control group has none */
  FP_HISTORY_SWAP,
  FP_N_HISTORY_FIGURES,
} FpHistoryFigure;

extern const FpField fp_history_fields[FP_N_HISTORY_FIGURES];

#define FP_HISTORY_UNKNOWN G_MAXUINT32
#define FP_HISTORY_BRIEF   32  /* points of every process or control group */
#define FP_HISTORY_LONG    600 /* points of a record that is followed */

/* Both ends of what was known at a moment. Without a lower end nothing was; without an upper end it may be any more. */
typedef struct
{
  guint32 low_kib[FP_N_HISTORY_FIGURES];
  guint32 high_kib[FP_N_HISTORY_FIGURES];
} FpHistoryEnds;

typedef struct
{
  guint64 time_us; /* CLOCK_BOOTTIME */
  FpHistoryEnds ends;
  gboolean follows_gap; /* readings are missing between the point before and this one */
} FpHistoryPoint;

/* A history keeps past figures: few points of every process or control group, and more of records that were followed once. */
typedef struct _FpHistory FpHistory;

FpHistory *fp_history_new (void);
void fp_history_free (FpHistory *self);
void fp_history_take (FpHistory *self, const FpSnapshot *snapshot, guint64 longest_us);
void fp_history_take_records (FpHistory *self, FpRecords *records, guint64 time_us, guint64 longest_us);
void fp_history_follow (FpHistory *self, const FpRecords *records, guint index);
const FpHistoryPoint *fp_history_get (const FpHistory *self, FpKey key, guint *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpHistory, fp_history_free)

G_END_DECLS
