// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

int fp_text_width_measure (GtkWidget *widget, const char *text);
int fp_text_width_measure_title (GtkColumnView *view, const char *text, int room);
double fp_text_width_get_scale (GtkWidget *widget);
double fp_text_width_measure_box (GtkBox *box);

G_END_DECLS
