// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define FP_DELETED " (deleted)"

/* The meaning of the kernel's " (deleted)" behind a path: the file is gone, or its name really ends so. */
typedef enum
{
  FP_FILE_UNKNOWN,
  FP_FILE_PRESENT,
  FP_FILE_DELETED,
} FpFileState;

/* A file as the mappings of a process name it. */
typedef struct
{
  guint64 inode;
  guint32 device_major;
  guint32 device_minor;
} FpFileId;

struct statx;

gboolean fp_file_is (const struct statx *status, const FpFileId *id);
gboolean fp_file_is_at (int process_dir, const char *name, const char *path);
FpFileState fp_file_state_find (int process_dir, const char *link, const char *path, const FpFileId *id);

G_END_DECLS
