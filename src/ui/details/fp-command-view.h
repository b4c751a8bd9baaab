// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FP_TYPE_COMMAND_VIEW (fp_command_view_get_type ())

/* A text that may be very long: its beginning, and all of it when asked for. */
G_DECLARE_FINAL_TYPE (FpCommandView, fp_command_view, FP, COMMAND_VIEW, GtkWidget)

void fp_command_view_set_text (FpCommandView *self, const char *text);
void fp_command_view_collapse (FpCommandView *self);

G_END_DECLS
