// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Gives back what the helper on the system bus was permitted to tell this program, also what polkit keeps, and closes the
 * connection. */
void fp_helper_lock_async (GDBusConnection *connection, GAsyncReadyCallback callback, gpointer data);

G_END_DECLS
