// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* All charts of time have a plot, and below it words about the moment that is chosen with the pointer or, as in
 * a slider, with keys. */
void fp_chart_parts_init_class (GtkWidgetClass *class);
void fp_chart_parts_add (
    GtkWidget *chart, int height, GtkDrawingAreaDrawFunc draw, GCallback key_pressed, GtkWidget **plot, GtkWidget **words);

G_END_DECLS
