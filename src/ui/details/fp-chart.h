// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-columns.h"
#include "fp-machine-history.h"

G_BEGIN_DECLS

#define FP_TYPE_CHART (fp_chart_get_type ())

/* Draws the use of memory over time. The pointer or the arrow keys choose a moment, whose figures are told in words. */
G_DECLARE_FINAL_TYPE (FpChart, fp_chart, FP, CHART, GtkWidget)

void fp_chart_set_kind (FpChart *self, FpRecordKind kind);
void fp_chart_set_points (
    FpChart *self, const FpHistoryPoint *points, guint n, const FpMachineMoment *mark, const FpFormat *format);

G_END_DECLS
