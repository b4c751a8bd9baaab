// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include "fp-proc-dir.h"

G_BEGIN_DECLS

/* A folder of the tree. */
typedef struct
{
  guint64 id;
  guint parent; /* place in the list, G_MAXUINT of the root; parents stand before their children */
  guint depth;
  guint n_below;      /* folders below it */
  gboolean has_quota; /* one owner may make all that is below it */
  char *file;         /* the bytes that lead to it from the root, which is "." */
  char *path;         /* in the kernel's own tree, as valid UTF-8 */
} FpControlFolder;

/* The file system of the control groups, version 2. */
typedef struct
{
  int root;
  dev_t device;
  char *prefix;    /* the root's path in the kernel's own tree, mostly "/" */
  GArray *folders; /* FpControlFolder, as of the last walk */
  gboolean is_cut;
} FpControlTree;

gboolean fp_control_tree_open (FpControlTree *self, const FpProcDir *proc, GError **error);
gboolean fp_control_tree_open_at (FpControlTree *self, const char *path, const char *prefix, GError **error);
void fp_control_tree_close (FpControlTree *self);
void fp_control_tree_walk (FpControlTree *self);
int fp_control_tree_open_folder (const FpControlTree *self, const char *file, guint64 id);

/* (transfer full) (nullable): where it is mounted, and what of it. mounts: (element-type FpMount) */
char *fp_control_tree_find_mount (const GArray *mounts, char **prefix);

G_END_DECLS
