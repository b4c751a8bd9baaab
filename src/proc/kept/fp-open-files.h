// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-graphics.h"
#include "fp-stat.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 device;
  guint64 inode;
} FpFileKey;

/* The file systems in memory by the kind of their files. */
typedef enum
{
  FP_HOME_MEMFD = 1, /* the kernel's own, which is mounted nowhere */
  FP_HOME_HUGE_MEMFD,
  FP_HOME_TMPFS,
  FP_HOME_HUGE, /* a hugetlbfs that is mounted */
} FpFileHome;

/* A descriptor on an unnamed file in memory. */
typedef struct
{
  FpFileKey key;
  gint number;
  char *name; /* valid UTF-8 */
  guint64 used;
  FpFileHome home;
} FpOpenFile;

typedef struct
{
  gint number;
  FpGraphics graphics;
} FpOpenGraphics;

/* These sizes of a process change with nearly all that it maps, in KiB. */
typedef struct
{
  guint64 whole;
  guint64 shared; /* 0: it maps no file in memory of which it has pages */
} FpMappedSizes;

/* The part of a process's open files that may lie in memory, each once. */
typedef struct
{
  GArray *files;              /* FpOpenFile */
  GArray *mapped;             /* FpFileKey, of files in memory of which it may have pages */
  GArray *graphics;           /* FpOpenGraphics */
  FpMappedSizes sizes;        /* when the mappings were listed last… */
  guint n_kept;               /* …which was so many looks ago */
  gboolean is_cut;            /* it has more descriptors or mappings than are looked at */
  gboolean has_silent_client; /* a graphics driver does not tell of its memory */
} FpOpenFiles;

#define FP_OPEN_FILES_MAX 4096

/* homes: (nullable): FpFileHome of each device, of which any file that is not found there is left out; NULL: graphics alone,
 * and no file is looked at; before: (nullable): what the same process had when it was looked at last */
FpOpenFiles *fp_open_files_read (
    const FpProcDir *proc, const FpProcessId *id, int process_dir, GHashTable *homes, const FpOpenFiles *before);
void fp_open_files_free (FpOpenFiles *self);

gboolean fp_open_file_update (FpOpenFile *self, int process_dir);
gboolean fp_open_graphics_update (FpOpenGraphics *self, int process_dir);

guint fp_file_key_hash (gconstpointer data);
gboolean fp_file_key_equal (gconstpointer a, gconstpointer b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpOpenFiles, fp_open_files_free)

G_END_DECLS
