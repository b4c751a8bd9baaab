// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

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

G_END_DECLS
