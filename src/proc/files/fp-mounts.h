// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* TRUE if a /proc of this machine hides processes from any user. */
gboolean fp_mounts_parse (const char *mountinfo);
gboolean fp_mounts_hide_processes (void);

gboolean fp_mounts_are_shared_with (int process_dir);

G_END_DECLS
