// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-collector.h"

G_BEGIN_DECLS

#define FP_TYPE_FRAME_PACE (fp_frame_pace_get_type ())

/* Lets a collector know what becomes of its work in a window: whether that can be seen, and when it was painted.
 *
 * ::painted: what was awaited, before the collector goes on */
G_DECLARE_FINAL_TYPE (FpFramePace, fp_frame_pace, FP, FRAME_PACE, GObject)

FpFramePace *fp_frame_pace_new (GtkWidget *window, FpCollector *collector);
void fp_frame_pace_await (FpFramePace *self);

G_END_DECLS
