// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_SHARED_SWEEP (fp_shared_sweep_get_type ())

/* A source with one sweep for many who ask, at most once a second whatever they ask for. They all get the same snapshot:
 * what of it each of them may see is for others to say. */
G_DECLARE_FINAL_TYPE (FpSharedSweep, fp_shared_sweep, FP, SHARED_SWEEP, GObject)

FpSharedSweep *fp_shared_sweep_new (const char *proc_path);
const FpSnapshot *fp_shared_sweep_get_last (FpSharedSweep *self);

G_END_DECLS
