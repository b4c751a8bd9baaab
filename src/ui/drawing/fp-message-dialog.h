// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void fp_message_dialog_tell (GtkWidget *widget, const char *heading, const char *text);
GtkWidget *fp_message_dialog_new (GtkWindow *parent, const char *heading);

G_END_DECLS
