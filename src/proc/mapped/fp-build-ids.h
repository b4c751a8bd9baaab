// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-file-identity.h"
#include "fp-mapping-query.h"

G_BEGIN_DECLS

/* Finds the build IDs of the files that processes map: the kernel tells them since Linux 6.11, before that the file is
 * read if it can be had. No file is read whose file system may never answer, or that a program of another user could
 * have put beneath an overlay of its own. */
typedef struct _FpBuildIds FpBuildIds;

FpBuildIds *fp_build_ids_new (const FpProcDir *proc);
void fp_build_ids_free (FpBuildIds *self);
void fp_build_ids_begin (FpBuildIds *self, const FpProcessId *process);

/* FALSE: it can't be found by this mapping, but perhaps by another one of the same file. */
gboolean fp_build_ids_find (FpBuildIds *self, const FpMapping *mapping, const FpFileIdentity *identity, FpBuildId *id);

/* The same for a kernel that does not tell. */
gboolean fp_build_ids_read (int process_dir, const FpMapping *mapping, FpBuildId *id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpBuildIds, fp_build_ids_free)

G_END_DECLS
