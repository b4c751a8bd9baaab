// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

#include "fp-account.h"
#include "fp-mapping-reader.h"
#include "fp-permission.h"

G_BEGIN_DECLS

/* An answer: a sealed memfd, or its bytes where no descriptor can be passed. It counts for its account until it is freed,
 * however often it was handed on; so do its descriptors. */
typedef struct
{
  int fd;    /* can shrink it to nothing */
  int probe; /* can only read; -1 until the block is passed on */
  FpAccount *account;
  gsize size;
  guint n_passed;  /* descriptors, of which some may still be held */
  gint64 time_us;  /* when it was passed on */
  gint64 next_us;  /* when it may be taken back at the earliest */
  gint is_leaving; /* atomic: a thread takes it back, and it alone changes anything here */
  gboolean is_taken_back;
  guint64 boottime_us;     /* of its snapshot; 0: it is of mappings */
  FpPermission permission; /* of a snapshot */
} FpBlock;

FpBlock *fp_block_new_snapshot (FpSnapshot *snapshot, const FpPermission *permission, FpAccount *account, GError **error);
FpBlock *fp_block_new_mappings (const FpProcessId *id, const FpPermission *permission, FpAccount *account, GError **error);
FpBlock *fp_block_new_files (
    const FpSnapshot *snapshot, GVariant *pids, FpAccount *account, FpMappingStepFunc step, gpointer data, GError **error);
void fp_block_free (FpBlock *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpBlock, fp_block_free)

G_END_DECLS
