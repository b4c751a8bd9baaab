// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Sees on the bus what polkit is asked. Only root may. */
typedef struct _PolkitWatch PolkitWatch;

PolkitWatch *polkit_watch_new (void);
void polkit_watch_free (PolkitWatch *self);
guint polkit_watch_get_most (PolkitWatch *self);

G_END_DECLS
