// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Wraps a label that shows names, such as paths, units and commands, also within a name. */
void fp_names_label_wrap (GtkLabel *label);

G_END_DECLS
