// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mount-table.h"

G_BEGIN_DECLS

typedef enum
{
  FP_TMPFS_SWAPPABLE, /* tmpfs and devtmpfs, which are counted in Shmem; pages in swap are in used, too */
  FP_TMPFS_RAMFS,     /* in the page cache, and never swapped or given back */
  FP_TMPFS_HUGE,      /* hugetlbfs: its pages are the pool's */
} FpTmpfsKind;

/* A file system in memory, once however often it is mounted. */
typedef struct
{
  guint64 device;
  char *path; /* where it is mounted, as this process or (see pid) the one it was found in sees it; valid UTF-8 */
  guint64 used;
  guint64 size; /* 0: no limit */
  gint32 pid;   /* 0: in this process's own mount namespace */
  FpTmpfsKind kind;
  gboolean has_used; /* FALSE: the kernel does not tell, as of ramfs and of a tmpfs without a limit, or we may not ask */
} FpTmpfs;

#define FP_TMPFS_MAX_OF_NAMESPACE 256
#define FP_TMPFS_MAX              1024

/* A search through the mounts of several namespaces. Anyone can make thousands of mounts, and it ends when it must. */
typedef struct
{
  GArray *list;        /* FpTmpfs */
  GHashTable *indices; /* place in the list by device */
  guint64 end_us;      /* of fp_reading_clock_us () */
  gboolean is_cut;     /* there are more than were looked for */
} FpTmpfsSearch;

gboolean fp_tmpfs_search_visit (FpTmpfsSearch *self, const FpProcDir *proc, gint pid, FpMountTable **mounts);
void fp_tmpfs_search_add (FpTmpfsSearch *self, const FpTmpfs *tmpfs);
gboolean fp_tmpfs_is_type (const char *type, FpTmpfsKind *kind);
void fp_tmpfs_clear (gpointer data);

G_END_DECLS
