// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

#include "fp-figure.h"
#include "fp-recording.h"

G_BEGIN_DECLS

#define FP_TYPE_RECORDING_BAR (fp_recording_bar_get_type ())

/* A recording that is under way: how long and how large it is, and the way to stop it. It reads what was added about once a
 * second, and emits ::grown (FpHeapScene) until a handler returns TRUE for the last one. Without the bar the recording ends; the
 * program goes on. */
G_DECLARE_FINAL_TYPE (FpRecordingBar, fp_recording_bar, FP, RECORDING_BAR, AdwBin)

void fp_recording_bar_start (FpRecordingBar *self, FpRecording *recording, FpFigureStyle style);
gboolean fp_recording_bar_has_ended (FpRecordingBar *self);
void fp_recording_bar_leave (FpRecordingBar *self);
void fp_recording_bar_set_style (FpRecordingBar *self, FpFigureStyle style);

G_END_DECLS
