// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-giants.h"
#include "fp-rotation.h"
#include "fp-snapshot.h"
#include "fp-users.h"

G_BEGIN_DECLS

typedef struct _FpSweep FpSweep;

typedef struct
{
  FpRotationMode rotation;
  guint n_sweeps;
  double share;
  guint64 giant_us; /* a longer walk holds up the other process too much to be done at one go */
  FpUserLookup lookup_user;
  gboolean judges_owners; /* for a reader that can do more than those it reads for */
} FpSweepSettings;

#define FP_SWEEP_SETTINGS_DEFAULT ((FpSweepSettings){ FP_ROTATION_TIMED, 0, 0.02, 10000, fp_user_lookup, FALSE })

/* The order for one collection; all zero asks for everything, however long it takes. */
typedef struct
{
  const FpProcessId *attention; /* selected and on screen */
  guint n_attention;
  const FpProcessId *wanted; /* measured now whatever it costs */
  guint n_wanted;
  gboolean refresh_all;
  guint64 slice_us;    /* 0: until all are read */
  gboolean only_lists; /* reads whose processes they are and what they are called, but no memory */
} FpSweepRequest;

FpSweep *fp_sweep_new (const char *proc_path, const FpSweepSettings *settings, GError **error);
void fp_sweep_free (FpSweep *self);
FpSnapshot *fp_sweep_collect (FpSweep *self, const FpSweepRequest *request, GError **error);
guint64 fp_sweep_get_n_walks (const FpSweep *self);
const FpGiantHolds *fp_sweep_get_holds (const FpSweep *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpSweep, fp_sweep_free)

G_END_DECLS
