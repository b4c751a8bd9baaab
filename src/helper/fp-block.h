// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>
#include <gio/gunixfdlist.h>

#include "fp-account.h"
#include "fp-permission.h"

G_BEGIN_DECLS

/* An answer: a sealed memfd, or the bytes themselves where no descriptor can be passed. It counts for its account until
 * nobody holds a descriptor of it any more, however it was handed on. */
typedef struct _FpBlock FpBlock;

FpBlock *fp_block_new_snapshot (FpSnapshot *snapshot,
                                const FpPermission *permission,
                                FpAccount *account,
                                gboolean pass_fd,
                                GError **error);
FpBlock *fp_block_new_mappings (const FpProcessId *id,
                                const FpPermission *permission,
                                FpAccount *account,
                                gboolean pass_fd,
                                GError **error);
FpBlock *fp_block_ref (FpBlock *self);
void fp_block_unref (FpBlock *self);
gboolean fp_block_is_held (FpBlock *self);
void fp_block_drop_memory (FpBlock *self);
gint64 fp_block_get_time_us (const FpBlock *self);
GVariant *fp_block_get_variant (FpBlock *self, GUnixFDList **fds, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpBlock, fp_block_unref)

G_END_DECLS
