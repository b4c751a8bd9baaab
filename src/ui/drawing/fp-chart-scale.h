// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The scale of a chart of time: above its plot what the upper edge is, and below it when it begins and ends. */
typedef struct
{
  GtkLabel *top;
  GtkWidget *times;
  GtkLabel *begin;
  GtkLabel *end;
} FpChartScale;

void fp_chart_scale_init (FpChartScale *self, GtkWidget *plot);
void fp_chart_scale_clear (FpChartScale *self);
void fp_chart_scale_set (FpChartScale *self, const char *top, guint64 span_us);
void fp_chart_scale_set_times (FpChartScale *self, const char *top, const char *begin, const char *end);

G_END_DECLS
