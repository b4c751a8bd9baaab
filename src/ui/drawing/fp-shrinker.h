// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FP_TYPE_SHRINKER (fp_shrinker_get_type ())

/* A widget as high as it wants to be, or less high and scrolled where there is no room.
 *
 * :child */
G_DECLARE_FINAL_TYPE (FpShrinker, fp_shrinker, FP, SHRINKER, GtkWidget)

G_END_DECLS
