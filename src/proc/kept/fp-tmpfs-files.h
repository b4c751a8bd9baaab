// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-proc-dir.h"
#include "fp-tmpfs.h"

G_BEGIN_DECLS

typedef struct
{
  char *path; /* below the mount, valid UTF-8 */
  guint64 used;
  guint32 uid;
  gint64 modified_s; /* CLOCK_REALTIME */
} FpTmpfsFile;

/* The biggest files of a tmpfs. */
typedef struct
{
  GArray *files;     /* FpTmpfsFile, biggest first */
  guint64 seen;      /* by all files that were found, each once however many names it has */
  guint64 not_seen;  /* the rest of what is used: in folders that are closed to us, or of deleted files */
  guint n_found;     /* files, and folders that could be opened */
  guint n_closed;    /* folders that could not be opened */
  gboolean is_whole; /* FALSE: there are too many files, and only the first were looked at */
} FpTmpfsFiles;

/* position: files looked at so far. Answers FALSE to call the listing off. */
typedef gboolean (*FpTmpfsStepFunc) (guint64 position, gpointer data);

FpTmpfsFiles *fp_tmpfs_list (const FpProcDir *proc,
                             const FpTmpfs *tmpfs,
                             guint n_biggest,
                             FpTmpfsStepFunc step,
                             gpointer data,
                             GError **error);
void fp_tmpfs_files_free (FpTmpfsFiles *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpTmpfsFiles, fp_tmpfs_files_free)

G_END_DECLS
