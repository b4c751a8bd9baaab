// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FP_TEXT_WIDTH_TOOLTIP 60 /* characters of a line */

int fp_text_width_measure (GtkWidget *widget, const char *text);
double fp_text_width_get_scale (GtkWidget *widget);
double fp_text_width_measure_box (GtkBox *box);
char *fp_text_width_wrap (const char *text, guint most);

G_END_DECLS
