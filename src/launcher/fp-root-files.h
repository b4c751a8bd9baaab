// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean fp_root_files_check (const char *const *command, GError **error);

G_END_DECLS
