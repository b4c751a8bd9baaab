// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* For what looks at widgets in its own process. */
GtkWidget *widget_probe_find (GtkWidget *root, GType type);
void widget_probe_await_frame (GtkWidget *window);
void widget_probe_settle (guint ms);
void widget_probe_count_cb (guint *n);

G_END_DECLS
