// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include "fp-control-wait.h"

#define MINUTE_US (60 * G_USEC_PER_SEC)
#define APART_US  (2 * G_USEC_PER_SEC)

static const FpControlWaitSample *
get_sample (const FpControlWait *self,
            guint i)
{
  return &self->samples[(self->first + i) % FP_CONTROL_N_WAITS];
}

static void
drop_first (FpControlWait *self)
{
  self->first = (self->first + 1) % FP_CONTROL_N_WAITS;
  self->n--;
}

/* The samples begin with the oldest of the last minute. Where there was a pause of a minute they begin anew, and so they do
 * with a total that fell, which is another group's. */
void
fp_control_wait_take (FpControlWait *self,
                      guint64 time_us,
                      guint64 total_us)
{
  if (self->n > 0 && total_us < self->last.total_us)
    self->n = 0;
  while (self->n > 0 && time_us - get_sample (self, 0)->time_us > MINUTE_US)
    drop_first (self);
  self->last = (FpControlWaitSample){ time_us, total_us };
  if (self->n > 0 && time_us - get_sample (self, self->n - 1)->time_us < APART_US)
    return;
  if (self->n == FP_CONTROL_N_WAITS)
    drop_first (self);
  self->samples[(self->first + self->n++) % FP_CONTROL_N_WAITS] = self->last;
}

void
fp_control_wait_get (const FpControlWait *self,
                     guint64 *waited_us,
                     guint64 *over_us)
{
  const FpControlWaitSample *first = get_sample (self, 0);

  *waited_us = self->n > 0 ? self->last.total_us - first->total_us : 0;
  *over_us = self->n > 0 ? self->last.time_us - first->time_us : 0;
}
