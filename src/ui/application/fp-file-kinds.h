// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Finds out from their content which of some files are heap profiles. */
void fp_file_kinds_find_async (GFile **files, gint n, GAsyncReadyCallback callback, gpointer data);
GPtrArray *fp_file_kinds_finish (GAsyncResult *result, const gboolean **are_profiles);

G_END_DECLS
