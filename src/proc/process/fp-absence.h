// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-stat.h"

G_BEGIN_DECLS

/* Remembers which threads were left behind because a process did not answer, and whose processes have kept readers waiting.
 * It holds for the whole program, whoever sent the threads. Any thread may call it. */
typedef enum
{
  FP_ERRAND_ALLOWED,
  FP_ERRAND_LATER,   /* Its user is let alone, whose processes have kept readers waiting. */
  FP_ERRAND_SPENT,   /* they have used up what this user may cost one sweep, or one of them is still being walked */
  FP_ERRAND_REFUSED, /* it does not answer, or too many of its user do not */
} FpErrandVerdict;

/* Whether its state may be read, which waits for no lock of its memory. */
static inline gboolean
fp_errand_may_look (FpErrandVerdict verdict)
{
  return verdict == FP_ERRAND_ALLOWED || verdict == FP_ERRAND_LATER;
}

FpErrandVerdict fp_absence_judge (const FpProcessId *id, guint32 uid);
void fp_absence_blame (guint32 uid, gint64 waited_us);
void fp_absence_begin (gconstpointer runner, const FpProcessId *id, guint32 uid, gboolean is_computing);
void fp_absence_end (gconstpointer runner, guint64 computed_us);
gint64 fp_absence_get_end (void);

/* CPU time of readings that came back after nobody waited for them any more */
void fp_absence_add_cost (guint32 uid, guint64 cost_us);
guint64 fp_absence_take_cost (guint32 uid);

G_END_DECLS
