// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void fp_drop_down_set_name (GtkDropDown *self, const char *name);
void fp_drop_down_set_titles (GtkDropDown *self, const char *const *titles);

G_END_DECLS
