// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The icons of desktop entries, by app and by program. */
typedef struct _FpDesktopIndex FpDesktopIndex;

FpDesktopIndex *fp_desktop_index_new (const char *const *folders);
void fp_desktop_index_add_theme (FpDesktopIndex *self, const char *folder);
void fp_desktop_index_free (FpDesktopIndex *self);
GIcon *fp_desktop_index_find_app (const FpDesktopIndex *self, const char *app);
GIcon *fp_desktop_index_find_program (const FpDesktopIndex *self, const char *program);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpDesktopIndex, fp_desktop_index_free)

G_END_DECLS
