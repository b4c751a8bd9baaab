// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FP_ICON_SIZE 16

#define FP_TYPE_ICON_CACHE (fp_icon_cache_get_type ())

/* Icons of the size they are drawn in, each loaded once and beside; ::changed tells that some have come or that the
 * theme is another one. */
G_DECLARE_FINAL_TYPE (FpIconCache, fp_icon_cache, FP, ICON_CACHE, GObject)

FpIconCache *fp_icon_cache_new (GtkIconTheme *theme);
GdkPaintable *fp_icon_cache_get (FpIconCache *self, GIcon *icon, int scale);
void fp_icon_cache_retry (FpIconCache *self);

G_END_DECLS
