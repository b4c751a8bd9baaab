// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define FP_TYPE_APP_ICONS (fp_app_icons_get_type ())

/* Which icon an app or a program has on this machine. Desktop entries are read beside, when the first is asked for and
 * when there are new ones; ::changed tells that they have come. */
G_DECLARE_FINAL_TYPE (FpAppIcons, fp_app_icons, FP, APP_ICONS, GObject)

FpAppIcons *fp_app_icons_new (void);
GIcon *fp_app_icons_find (FpAppIcons *self, const char *app, const char *program);

G_END_DECLS
