// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-rows.h"

G_BEGIN_DECLS

#define FP_TYPE_ROW_ICONS (fp_row_icons_get_type ())

/* Finds the icon before a row's name, in the theme of a display. ::changed tells that rows may have other icons. */
G_DECLARE_FINAL_TYPE (FpRowIcons, fp_row_icons, FP, ROW_ICONS, GObject)

FpRowIcons *fp_row_icons_get_for_display (GdkDisplay *display);
GdkPaintable *
fp_row_icons_find (FpRowIcons *self, const FpRows *rows, const FpRow *row, FpGrouping grouping, int scale);

G_END_DECLS
