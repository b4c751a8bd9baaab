// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>
#include <gio/gunixfdlist.h>

#include "fp-permission.h"

G_BEGIN_DECLS

/* What is handed over: a sealed memfd, or the bytes themselves where no descriptor can be passed. */
typedef struct _FpBlock FpBlock;

FpBlock *fp_block_new_snapshot (FpSnapshot *snapshot, const FpPermission *viewer, gboolean pass_fd, GError **error);
FpBlock *fp_block_new_mappings (const FpProcessId *id, const FpPermission *owner, gboolean pass_fd, GError **error);
FpBlock *fp_block_ref (FpBlock *self);
void fp_block_unref (FpBlock *self);
GVariant *fp_block_get_variant (FpBlock *self, GUnixFDList **fds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpBlock, fp_block_unref)

G_END_DECLS
