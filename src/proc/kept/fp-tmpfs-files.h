// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-proc-dir.h"
#include "fp-tmpfs.h"
#include "fp-users.h"

G_BEGIN_DECLS

typedef struct
{
  char *path;  /* below the mount, valid UTF-8 */
  char *place; /* the whole path in the mount namespace of the file system, as the kernel has it, which may not be UTF-8 */
  char *owner; /* (nullable): the user's name */
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
  guint n_found;     /* files and folders */
  guint n_files;     /* those of them that take memory and are no folders */
  guint n_closed;    /* folders that could not be opened */
  guint n_too_deep;  /* folders whose path is too long to be opened */
  gboolean has_used; /* FALSE: the kernel does not tell how much is used, so nothing is known of the rest */
  gboolean is_whole; /* FALSE: there are too many files or folders, and only the first were looked at */
} FpTmpfsFiles;

/* seen: by the files that were found so far, of the bytes that are used, or 0 where the kernel does not tell. Answers FALSE to
 * call the listing off. */
typedef gboolean (*FpTmpfsStepFunc) (guint64 seen, guint64 used, gpointer data);

FpTmpfsFiles *fp_tmpfs_list (const FpProcDir *proc,
                             const FpTmpfs *tmpfs,
                             guint n_biggest,
                             FpTmpfsStepFunc step,
                             gpointer data,
                             GError **error);
void fp_tmpfs_files_name_owners (FpTmpfsFiles *self, FpUsers *users, gint64 timeout_us);
void fp_tmpfs_files_free (FpTmpfsFiles *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpTmpfsFiles, fp_tmpfs_files_free)

G_END_DECLS
