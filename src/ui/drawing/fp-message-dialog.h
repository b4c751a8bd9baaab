// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *fp_message_dialog_new (GtkWindow *parent, const char *heading);

G_END_DECLS
