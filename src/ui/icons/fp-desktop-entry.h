// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What a desktop entry tells of the processes it starts; NULL where it tells nothing. */
typedef struct
{
  GIcon *icon;
  char *program;      /* that Exec starts, as a process of it is named */
  char *try_program;  /* of TryExec */
  char *window_class; /* in small letters */
  char *app;          /* of a Flatpak or a snap */
  gboolean has_arguments;
  gboolean is_displayed;
} FpDesktopEntry;

void fp_desktop_entry_read (FpDesktopEntry *self, const char *path);
void fp_desktop_entry_clear (FpDesktopEntry *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FpDesktopEntry, fp_desktop_entry_clear)

G_END_DECLS
