// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Bytes in a memfd that can not be changed any more, to be handed to another process. */
int fp_sealed_memory_open (GError **error);
gboolean fp_sealed_memory_seal (int fd, GError **error);
GBytes *fp_sealed_memory_read (int fd, gsize max_size, GError **error);

G_END_DECLS
