// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-kept-reader.h"

G_BEGIN_DECLS

#define MIB ((guint64)1 << 20)

/* A folder for mounts, and a child of the test that does one thing in a mount namespace of its own. */
void mounts_prepare (void);
void mounts_remove (void);
void mounts_run (void (*func) (void));
gboolean mounts_unshare (void);
gboolean mounts_add_tmpfs (const char *path, const char *options);
char *mounts_in_folder (const char *name);
int mounts_make_file (const char *path, gsize size);
void mounts_fill (int fd, gsize size);

FpKept *mounts_read_kept (void);
gboolean mounts_has_tmpfs (const FpKept *kept, const char *path);
const FpTmpfs *mounts_get_tmpfs (const FpKept *kept, const char *path);

G_END_DECLS
