// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Leaves the helper on the system bus, with all that was permitted to this program: also what polkit keeps. */
void fp_parting_async (GDBusConnection *connection, GAsyncReadyCallback callback, gpointer data);

G_END_DECLS
