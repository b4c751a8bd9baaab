// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-rotation.h"

#define MIN_PERIOD_US (10 * G_USEC_PER_SEC)
#define MAX_PERIOD_US (60 * G_USEC_PER_SEC)

/* The part of a full scan's cost that one sweep spends on relatives of the born and the dead. In a pool of hundreds of
 * workers each death changes every survivor a little; the next sweeps take the rest. */
#define SUSPECT_PART 10

void
fp_rotation_init (FpRotation *self,
                  FpRotationMode mode,
                  guint n_sweeps,
                  double share)
{
  *self = (FpRotation){ .mode = mode, .n_sweeps = n_sweeps, .share = share };
  self->period_us = MIN_PERIOD_US;
  self->tokens_us = share * MIN_PERIOD_US;
}

void
fp_rotation_begin (FpRotation *self,
                   guint64 full_cost_us,
                   guint64 elapsed_us)
{
  double full = (double)full_cost_us, elapsed = (double)elapsed_us;
  double rotation_part = self->share / 2;

  self->period_us = (guint64)CLAMP (full / rotation_part, MIN_PERIOD_US, MAX_PERIOD_US);
  self->suspect_us = full / SUSPECT_PART;
  if (self->mode == FP_ROTATION_FIXED)
    {
      self->period_step = 1.0 / self->n_sweeps;
      self->credit_us = MIN (self->credit_us + full * self->period_step, full);
      return;
    }

  self->period_step = elapsed / (double)self->period_us;
  self->credit_us = MIN (self->credit_us + MIN (full * self->period_step, elapsed * rotation_part), full);
  self->tokens_us = MIN (self->tokens_us + elapsed * rotation_part, self->share * (double)self->period_us);
}

gboolean
fp_rotation_may_walk (const FpRotation *self,
                      FpWalkClass class)
{
  switch (class)
    {
    case FP_WALK_WANTED:
      return TRUE;
    case FP_WALK_SUSPECT:
      return self->suspect_us > 0 && (self->mode != FP_ROTATION_TIMED || self->tokens_us > 0);
    case FP_WALK_OLDEST:
      return self->mode != FP_ROTATION_OFF && self->credit_us > 0;
    case FP_WALK_CHANGED:
    case FP_WALK_ATTENTION:
    case FP_N_WALKS:
    default:
      return self->mode != FP_ROTATION_TIMED || self->tokens_us > 0;
    }
}

/* A process that is walked for another reason needs no turn, so it pays for the part of the period it has aged. A
 * period's credit is then spent when each process has been walked once in it, and the load is even. */
void
fp_rotation_pay (FpRotation *self,
                 FpWalkClass class,
                 guint64 cost_us,
                 double age_periods)
{
  double cost = (double)cost_us;

  self->credit_us -= class == FP_WALK_OLDEST ? cost : cost * MIN (age_periods, 1.0);
  if (class == FP_WALK_SUSPECT)
    self->suspect_us -= cost;
  if (class != FP_WALK_OLDEST && class != FP_WALK_WANTED)
    self->tokens_us -= cost;
}
