// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <X11/Xlib.h>

#include "ui-driver.h"

G_BEGIN_DECLS

/* A reference from libatspi becomes a pointer that the test does not own. */
typedef AtspiAccessible UiRef;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (UiRef, g_object_unref)

UiNode *ui_keep (UiNode *node);
UiNode *ui_check (UiNode *node);
UiNode *ui_get_kept (UiNode *of, const char *path);
UiBox ui_get_extents (UiNode *node);
UiBox ui_get_whole_extents (UiNode *node);
gboolean ui_has_true_extents (void);
UiNode *ui_get_surface (UiNode *node, gboolean *is_popup);

Display *ui_display (void);
gboolean ui_is_mapped (UiNode *window);
gboolean ui_is_proxy (guint pid);
void ui_save_screen (const char *file);

G_END_DECLS
