// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define FP_TYPE_HELPER_CONNECTION (fp_helper_connection_get_type ())

#define FP_HELPER_TIMEOUT_MS (20 * 1000)

/* The way to a helper: over the system bus, or to the standard input and output of a command that is started for it,
 * here or outside the Flatpak that this process is in. */
G_DECLARE_FINAL_TYPE (FpHelperConnection, fp_helper_connection, FP, HELPER_CONNECTION, GObject)

FpHelperConnection *fp_helper_connection_new (const char *const *command, gboolean is_on_host, gboolean is_as_root);
gboolean fp_helper_connection_is_on_host (FpHelperConnection *self);
gboolean fp_helper_connection_is_as_root (FpHelperConnection *self);
const char *fp_helper_connection_get_name (FpHelperConnection *self);
GDBusConnection *fp_helper_connection_get (FpHelperConnection *self);
GDBusConnection *fp_helper_connection_steal (FpHelperConnection *self);
void fp_helper_connection_drop (FpHelperConnection *self);

void fp_helper_connection_open_async (FpHelperConnection *self,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer data);
gboolean fp_helper_connection_open_finish (FpHelperConnection *self, GAsyncResult *result, GError **error);

G_END_DECLS
