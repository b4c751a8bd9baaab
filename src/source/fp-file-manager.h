// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Shows a file in its folder, in the file manager of the desktop. Where that does not know how, only the folder is opened. */
void fp_file_manager_show_async (const char *path, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
gboolean fp_file_manager_show_finish (GAsyncResult *result, GError **error);

G_END_DECLS
