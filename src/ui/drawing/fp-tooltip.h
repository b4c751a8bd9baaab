// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

char *fp_tooltip_wrap (const char *text);
gboolean fp_tooltip_set_text (GtkTooltip *tooltip, const char *text);

G_END_DECLS
