// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define FP_TYPE_APP_ICONS (fp_app_icons_get_type ())

/* Finds the icon of an app or a program on this machine. A thread reads the desktop entries at the first request, and
 * again when there are new ones. ::changed tells that they have been read. */
G_DECLARE_FINAL_TYPE (FpAppIcons, fp_app_icons, FP, APP_ICONS, GObject)

FpAppIcons *fp_app_icons_new (void);
GIcon *fp_app_icons_find (FpAppIcons *self, const char *app, const char *program);

G_END_DECLS
