// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-records.h"

G_BEGIN_DECLS

typedef enum
{
  FP_HISTORY_PSS,
  FP_HISTORY_USS,
  FP_HISTORY_RSS,
  FP_HISTORY_SWAP,
  FP_N_HISTORY_FIGURES,
} FpHistoryFigure;

extern const FpField fp_history_fields[FP_N_HISTORY_FIGURES];

#define FP_HISTORY_UNKNOWN G_MAXUINT32
#define FP_HISTORY_BRIEF   32  /* points of every process */
#define FP_HISTORY_LONG    600 /* points of what is followed */

typedef struct
{
  guint64 time_us; /* CLOCK_BOOTTIME */
  guint32 kib[FP_N_HISTORY_FIGURES];
} FpHistoryPoint;

/* What was measured before: a little of every process, more of those that were chosen once. */
typedef struct _FpHistory FpHistory;

FpHistory *fp_history_new (void);
void fp_history_free (FpHistory *self);
void fp_history_take (FpHistory *self, const FpSnapshot *snapshot);
void fp_history_follow (FpHistory *self, const FpRecords *records, guint index, guint64 time_us);
const FpHistoryPoint *fp_history_get (const FpHistory *self, FpKey key, guint *n);
gboolean fp_history_get_growth (const FpHistoryPoint *points, guint n, FpHistoryFigure figure, double *bytes_per_second);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpHistory, fp_history_free)

G_END_DECLS
