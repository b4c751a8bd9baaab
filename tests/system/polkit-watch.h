// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Sees on the bus what polkit is asked, and how long it takes to answer. Only root may. */
typedef struct _PolkitWatch PolkitWatch;

PolkitWatch *polkit_watch_new (void);
void polkit_watch_free (PolkitWatch *self);
gint64 polkit_watch_get_us (PolkitWatch *self, pid_t pid);
guint polkit_watch_get_most (PolkitWatch *self);

G_END_DECLS
