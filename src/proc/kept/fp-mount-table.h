// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mounts.h"

G_BEGIN_DECLS

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
int fp_mount_table_open_from (const FpMountTable *self, const FpMount *mount, int root);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpMountTable, fp_mount_table_free)

G_END_DECLS
