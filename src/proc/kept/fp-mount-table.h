// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One line of mountinfo. Its texts belong to the table and are as the kernel has them, which may not be UTF-8. */
typedef struct
{
  gint id;
  gint parent;
  guint64 device;
  char *root;  /* the folder of its file system that is mounted */
  char *point; /* as the process sees it whose file this is */
  char *type;
} FpMount;

/* The mounts that one process sees. */
typedef struct
{
  GArray *mounts;      /* FpMount */
  GHashTable *places;  /* the mount that lies upon another one, by that one and the path */
  const FpMount *root; /* (nullable) */
  gboolean is_cut;     /* there are more mounts than are read */
} FpMountTable;

FpMountTable *fp_mount_table_parse (const char *mountinfo);
FpMountTable *fp_mount_table_read (int process_dir);
void fp_mount_table_free (FpMountTable *self);

int fp_open_below (int dir, const char *path, int flags);
int fp_open_cached (int dir, const char *path);

gboolean fp_mount_answers (const FpMount *mount);
const FpMount *fp_mount_table_find (const FpMountTable *self, guint64 device, const char *path);
gboolean fp_mount_table_is_safe (const FpMountTable *self, const FpMount *mount);
int fp_mount_table_open (const FpMountTable *self, const FpMount *mount, int process_dir);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpMountTable, fp_mount_table_free)

G_END_DECLS
