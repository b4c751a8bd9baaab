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

typedef struct
{
  guint64 start_ticks;     /* 0: the process is gone, or can have no files */
  guint64 mount_namespace; /* 0: not known */
  FpOpenFiles *files;      /* (nullable) */
  gboolean is_closed;      /* they may not be read, or the process does not answer */
} FpOpenFilesLook;

/* homes: (nullable): FpFileHome of each device, of which any file that is not found there is left out, and which does not
 * change any more; NULL: graphics alone, and no file is looked at; before: (nullable) (transfer full): what the process with
 * this id had when it was looked at last */
void fp_open_files_look (
    FpOpenFilesLook *look, const FpProcDir *proc, const FpProcessId *id, GHashTable *homes, FpOpenFiles *before);
gboolean fp_open_files_update (
    FpOpenFiles **self, const FpProcDir *proc, const FpProcessId *id, GHashTable *known, guint64 budget_us, guint *first);
void fp_open_files_free (FpOpenFiles *self);

guint fp_file_key_hash (gconstpointer data);
gboolean fp_file_key_equal (gconstpointer a, gconstpointer b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpOpenFiles, fp_open_files_free)

G_END_DECLS
