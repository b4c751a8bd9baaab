// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FP_TYPE_PANE_PLACE (fp_pane_place_get_type ())

/* Says whether the details are seen, and shows or hides them. A wide window has them beside the view, as the setting says; a
 * folded leaflet has either the view or them.
 *
 * Property: is-shown */
G_DECLARE_FINAL_TYPE (FpPanePlace, fp_pane_place, FP, PANE_PLACE, GObject)

FpPanePlace *fp_pane_place_new (AdwLeaflet *leaflet, GtkWidget *view, GtkWidget *pane, GSettings *settings);
gboolean fp_pane_place_is_shown (FpPanePlace *self);
void fp_pane_place_set_shown (FpPanePlace *self, gboolean is_shown);

G_END_DECLS
