// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Why a process is walked again, most urgent first. */
typedef enum
{
  FP_WALK_WANTED,    /* its user asked for it */
  FP_WALK_CHANGED,   /* its own doing, or never walked */
  FP_WALK_SUSPECT,   /* one that may share its pages was born or died */
  FP_WALK_ATTENTION, /* it is looked at */
  FP_WALK_OLDEST,
  FP_N_WALKS,
} FpWalkClass;

typedef enum
{
  FP_ROTATION_TIMED,
  FP_ROTATION_FIXED, /* every process within n sweeps, whatever it costs */
  FP_ROTATION_OFF,
} FpRotationMode;

typedef struct
{
  FpRotationMode mode;
  guint n_sweeps;
  double share; /* the part of one core that all walks together may take */

  guint64 period_us;
  double period_step; /* the part of a period since the last sweep */
  double credit_us;   /* for the oldest */
  double tokens_us;   /* for the others */
  double suspect_us;
} FpRotation;

void fp_rotation_init (FpRotation *self, FpRotationMode mode, guint n_sweeps, double share);
void fp_rotation_begin (FpRotation *self, guint64 full_cost_us, guint64 elapsed_us);
gboolean fp_rotation_may_walk (const FpRotation *self, FpWalkClass class);
void fp_rotation_pay (FpRotation *self, FpWalkClass class, guint64 cost_us, double age_periods);

G_END_DECLS
