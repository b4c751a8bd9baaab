// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A desktop entry tells these facts about the processes it starts. NULL: it does not say */
typedef struct
{
  GIcon *icon;
  char *program;      /* started by Exec, and named as its process is */
  char *try_program;  /* from TryExec */
  char *window_class; /* in lower case */
  char *app;          /* the name of the Flatpak or snap */
  gboolean has_arguments;
  gboolean is_displayed;
} FpDesktopEntry;

void fp_desktop_entry_read (FpDesktopEntry *self, const char *path);
void fp_desktop_entry_clear (FpDesktopEntry *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FpDesktopEntry, fp_desktop_entry_clear)

G_END_DECLS
