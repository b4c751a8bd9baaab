// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-control-groups.h"

G_BEGIN_DECLS

#define FP_CONTROL_N_WAITS 32

typedef struct
{
  guint64 time_us, total_us;
} FpControlWaitSample;

/* How much a total of pressure rose within the last minute. */
typedef struct
{
  FpControlWaitSample samples[FP_CONTROL_N_WAITS]; /* a ring, two seconds apart at least */
  FpControlWaitSample last;
  guint first;
  guint n;
} FpControlWait;

void fp_control_wait_take (FpControlWait *self, guint64 time_us, guint64 total_us);
void fp_control_wait_get (const FpControlWait *self, guint64 *waited_us, guint64 *over_us);

G_END_DECLS
