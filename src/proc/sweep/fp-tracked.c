// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include "fp-tracked.h"

void
fp_tracked_begin_collection (FpTracked *self)
{
  self->life = FP_LIFE_GOES_ON;
  self->in_attention = FALSE;
  if (self->names == FP_NAMES_FRESH)
    self->names = FP_NAMES_KEPT;
}

/* A wish holds until the process is walked, attention in this collection only. */
void
fp_tracked_take_request (FpTracked *self,
                         gboolean in_attention,
                         gboolean is_wanted)
{
  self->in_attention = in_attention;
  self->is_wanted |= is_wanted;
}

void
fp_tracked_suspect (FpTracked *self)
{
  self->is_suspect = TRUE;
}

/* One that was denied before stays so until note_trial says otherwise. */
void
fp_tracked_begin_walk (FpTracked *self,
                       guint64 now_us)
{
  if (self->trial == FP_TRIAL_NONE)
    self->trial = FP_TRIAL_MADE;
  self->is_suspect = self->is_wanted = FALSE;
  self->walked_us = now_us;
}

void
fp_tracked_note_trial (FpTracked *self,
                       FpTrial trial)
{
  self->trial = trial;
}

void
fp_tracked_note_names (FpTracked *self,
                       FpNames names)
{
  self->names = names;
}

void
fp_tracked_note_end (FpTracked *self,
                     FpLife life)
{
  self->life = life;
}
