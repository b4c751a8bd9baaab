// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_MACHINE_SOURCE (fp_machine_source_get_type ())

/* This machine as its user may read it, or, once its administrator said yes, as the helper may.
 *
 * ::lock-changed (GError *error): it was unlocked, or locked again; error: why it could not be, or could not stay so */
G_DECLARE_FINAL_TYPE (FpMachineSource, fp_machine_source, FP, MACHINE_SOURCE, GObject)

/* spare: where the helper is not installed; may be NULL */
FpSource *fp_machine_source_new (FpSource *own, FpSource *helper, FpSource *spare);
FpSource *fp_machine_source_get_own (FpMachineSource *self);
void fp_machine_source_unlock (FpMachineSource *self);
void fp_machine_source_lock (FpMachineSource *self);
const char *fp_machine_source_get_advice (FpMachineSource *self, const GError *error);
gboolean fp_machine_source_is_unlocked (FpMachineSource *self);

G_END_DECLS
