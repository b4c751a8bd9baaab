// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-block.h"

G_BEGIN_DECLS

/* The blocks of the present snapshot, for other callers that are given the same, and all that callers may still hold. */
typedef struct _FpBlockStore FpBlockStore;

FpBlockStore *fp_block_store_new (void);
void fp_block_store_free (FpBlockStore *self);
FpBlock *fp_block_store_find (FpBlockStore *self, FpSnapshot *snapshot, const FpPermission *permission);
void fp_block_store_add (FpBlockStore *self, FpSnapshot *snapshot, const FpPermission *permission, FpBlock *block);
void fp_block_store_watch (FpBlockStore *self, FpBlock *block);
void fp_block_store_prune (FpBlockStore *self);

G_END_DECLS
