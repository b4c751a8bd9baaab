// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-machine-history.h"

G_BEGIN_DECLS

/* The mark, from which changes count, in a chart of time: a dashed line across it, and words below. */
typedef struct
{
  guint64 time_us;     /* by the clock of the chart; 0: there is no mark */
  guint64 realtime_us; /* since 1970 */
} FpMarkLine;

/* A chart of time goes from the first moment to the last one. */
typedef struct
{
  guint64 first_us;
  guint64 last_us;
} FpTimeSpan;

FpMarkLine fp_mark_line_make (const FpMachineMoment *mark);
void fp_mark_line_draw (const FpMarkLine *self, cairo_t *cr, const FpTimeSpan *span, int width, int height, const GdkRGBA *ink);
void fp_mark_line_append_words (const FpMarkLine *self, const FpTimeSpan *span, GString *plain, GString *markup);

G_END_DECLS
