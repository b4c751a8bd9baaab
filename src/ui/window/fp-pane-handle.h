// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FP_TYPE_PANE_HANDLE (fp_pane_handle_get_type ())

/* The line before a pane at the end side, which is dragged to change the pane’s width, by the pointer or with the arrow keys.
 * The window gives the pane that width; AdwLeaflet has nothing for it. Tab passes the handle by, as it does in GtkPaned.
 *
 * Property: width */
G_DECLARE_FINAL_TYPE (FpPaneHandle, fp_pane_handle, FP, PANE_HANDLE, GtkWidget)

int fp_pane_handle_get_width (FpPaneHandle *self);
int fp_pane_handle_get_fitted_width (FpPaneHandle *self);
void fp_pane_handle_set_width (FpPaneHandle *self, int width);
void fp_pane_handle_set_range (FpPaneHandle *self, int least, int most);

G_END_DECLS
