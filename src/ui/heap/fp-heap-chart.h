// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-heap-scene.h"

G_BEGIN_DECLS

#define FP_TYPE_HEAP_CHART (fp_heap_chart_get_type ())

/* The memory in use over the time of a heap profile. A click or the arrow keys choose a moment, a drag or the arrow keys with
 * Shift a range.
 *
 * ::span-chosen (guint64 from_ms, guint64 to_ms): see FpHeapSpan */
G_DECLARE_FINAL_TYPE (FpHeapChart, fp_heap_chart, FP, HEAP_CHART, GtkWidget)

void fp_heap_chart_set_profile (FpHeapChart *self, FpHeapProfile *profile);
void fp_heap_chart_set_span (FpHeapChart *self, const FpHeapSpan *span);
void fp_heap_chart_set_mark (FpHeapChart *self, guint64 mark_ms);
void fp_heap_chart_set_style (FpHeapChart *self, FpFigureStyle style);

G_END_DECLS
