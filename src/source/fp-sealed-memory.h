// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>
#include <gio/gunixfdlist.h>

G_BEGIN_DECLS

/* Bytes in a memfd that can not be changed any more, to be handed to another process. */
int fp_sealed_memory_open (GError **error);
gboolean fp_sealed_memory_seal (int fd, GError **error);
GBytes *fp_sealed_memory_read (int fd, gsize max_size, GError **error);

/* The same memory, to read only: one to be handed on, and one that tells if that is still held */
GVariant *fp_sealed_memory_pack (int fd, int *probe, gboolean pass_fd, GUnixFDList **fds, GError **error);
int fp_sealed_memory_open_reader (int fd, GError **error);
gboolean fp_sealed_memory_take_back (int fd);
gboolean fp_sealed_memory_is_held (int reader);

G_END_DECLS
