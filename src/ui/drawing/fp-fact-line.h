// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A line of facts, such as “3 processes · Memory 12 MiB · Swap 0 B” */
void fp_fact_line_show (GtkLabel *label, const char *text);

G_END_DECLS
