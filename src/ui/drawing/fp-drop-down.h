// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void fp_drop_down_set_name (GtkDropDown *self, const char *name);

G_END_DECLS
