// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-proc-dir.h"

G_BEGIN_DECLS

/* One line of mountinfo. Its texts are as the kernel has them, which may not be UTF-8. */
typedef struct
{
  gint id;
  gint parent;
  guint64 device;
  char *root;  /* the folder of its file system that is mounted */
  char *point; /* as the process sees it whose file this is */
  char *type;
  char *options; /* of the file system, not of this mount */
} FpMount;

/* (element-type FpMount) */
GArray *fp_mounts_parse (const char *mountinfo);
/* (nullable): its mounts may not be seen. is_cut (optional): there are more mounts than are read. */
GArray *fp_mounts_read (int process_dir, gboolean *is_cut);

gboolean fp_mounts_line_hides (const char *line);
gboolean fp_mounts_hide_at (int process_dir);
gboolean fp_mounts_hide_processes (void);

/* Processes in one namespace see the same mounts. 0: it may not be known. */
guint64 fp_mounts_get_namespace (int process_dir);
gboolean fp_mounts_are_shared_with (int process_dir);

/* Where the paths of a process lead. Newer kernels let whoever opens it wait while the process execs. */
typedef struct
{
  FpFd process_dir;
  FpFd folder;
  guint64 namespace; /* of its mounts; 0: not known */
} FpFileRoot;

#define FP_FILE_ROOT_INIT \
  {                       \
    -1, -1, 0             \
  }

void fp_file_root_open (FpFileRoot *self, int process_dir);
void fp_file_root_close (FpFileRoot *self);

G_END_DECLS
