// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-history.h"
#include "fp-rows.h"

G_BEGIN_DECLS

#define FP_ENDED_MAX          500 /* processes that are kept one by one */
#define FP_ENDED_MAX_PROGRAMS 200
#define FP_ENDED_SHORT_US     (60 * G_USEC_PER_SEC)

/* Remembers the processes that have ended: the last of them one by one. Those that ran only shortly, or ended before these,
 * are one row for each program. */
typedef struct _FpEnded FpEnded;

FpEnded *fp_ended_new (void);
void fp_ended_free (FpEnded *self);
void fp_ended_take (FpEnded *self, const FpRecords *before, const FpSnapshot *now, const FpHistory *history);
guint fp_ended_get_n (const FpEnded *self);
FpRecords *fp_ended_get_records (FpEnded *self);
char *fp_ended_describe (FpEnded *self, const FpRows *rows, guint64 since_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpEnded, fp_ended_free)

G_END_DECLS
