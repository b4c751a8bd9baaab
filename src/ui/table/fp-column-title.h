// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *fp_column_title_find_label (GtkWidget *title);
void fp_column_title_align_end (GtkWidget *label);

G_END_DECLS
