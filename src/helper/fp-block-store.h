// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-block.h"

G_BEGIN_DECLS

/* All blocks that callers may hold, and those of the last snapshot, for other calls that are given the same. */
typedef struct _FpBlockStore FpBlockStore;

FpBlockStore *fp_block_store_new (void);
void fp_block_store_free (FpBlockStore *self);
FpBlock *fp_block_store_find (FpBlockStore *self, const FpSnapshot *snapshot, const FpPermission *permission);
void fp_block_store_take (FpBlockStore *self, FpBlock *block);
gboolean fp_block_store_prune (FpBlockStore *self);

G_END_DECLS
