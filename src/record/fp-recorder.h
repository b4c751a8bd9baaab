// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The recorder is heaptrack's library. root: of the system, "/". Both may have to be freed. */
char *fp_recorder_find (const char *root);
char *fp_recorder_find_command (const char *root);

G_END_DECLS
