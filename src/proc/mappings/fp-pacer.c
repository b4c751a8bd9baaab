// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-clock.h"
#include "fp-pacer.h"

#define LEAST_PAUSE_US 50
#define MOST_PAUSE_US  10000
#define NOTICED_US     10000

static void
go_on (FpPacer *self)
{
  self->since_us = g_get_monotonic_time ();
  self->since_cpu_us = fp_clock_us (CLOCK_THREAD_CPUTIME_ID);
}

/* The next step is the first one of a reading, before anything is read. It comes on the thread that reads. */
void
fp_pacer_begin (FpPacer *self)
{
  self->since_us = 0;
}

/* An FpMappingStepFunc; data: the pacer. */
gboolean
fp_pacer_step (guint64 position,
               guint64 whole,
               gpointer data)
{
  FpPacer *self = data;
  gint64 now_us = g_get_monotonic_time ();
  guint64 cpu_us;

  if (!self->step (position, whole, self->data))
    return FALSE;
  if (self->since_us == 0)
    {
      go_on (self);
      return TRUE;
    }
  if (now_us - self->since_us < self->hold_us)
    return TRUE;
  cpu_us = fp_clock_us (CLOCK_THREAD_CPUTIME_ID) - self->since_cpu_us;
  if (cpu_us > NOTICED_US)
    self->held_us += cpu_us;
  g_usleep ((gulong)CLAMP (now_us - self->since_us, LEAST_PAUSE_US, MOST_PAUSE_US));
  go_on (self);
  return TRUE;
}
