// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Becomes the command as root, by pkexec, if nobody but root can change it. Returns only what to exit with if not. */
int fp_root_launcher_run (const char *const *command);

G_END_DECLS
