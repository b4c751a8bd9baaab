// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A program on a bus of the test, which says what the test wants. */
GDBusConnection *fake_service_join_bus (const char *address);
void fake_service_own_name (GDBusConnection *connection, const char *name);
GDBusConnection *fake_service_start (const char *address,
                                     const char *name,
                                     const char *path,
                                     const char *xml,
                                     const GDBusInterfaceVTable *vtable,
                                     gpointer data);

G_END_DECLS
