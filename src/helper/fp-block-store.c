// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-block-store.h"
#include "fp-sealed-memory.h"

#define PRUNE_SECONDS 1
#define MAX_HELD_US   (30 * G_USEC_PER_SEC) /* enough for a caller to copy a block */

struct _FpBlockStore
{
  GPtrArray *blocks;
  guint64 boottime_us; /* of the last snapshot */
  guint timer;
};

FpBlockStore *
fp_block_store_new (void)
{
  FpBlockStore *self = g_new0 (FpBlockStore, 1);

  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify)fp_block_free);
  return self;
}

void
fp_block_store_free (FpBlockStore *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  g_ptr_array_unref (self->blocks);
  g_free (self);
}

/* The snapshot is the last one, and blocks of earlier ones are of no use to other calls. Or NULL */
FpBlock *
fp_block_store_find (FpBlockStore *self,
                     const FpSnapshot *snapshot,
                     const FpPermission *permission)
{
  self->boottime_us = MAX (self->boottime_us, snapshot->info.boottime_us);
  for (guint i = 0; i < self->blocks->len; i++)
    {
      FpBlock *block = self->blocks->pdata[i];

      if (block->boottime_us == snapshot->info.boottime_us && memcmp (&block->permission, permission, sizeof *permission) == 0)
        return block;
    }
  return NULL;
}

/* Frees what is not held any more, in a moment, because no answer waits while the kernel frees its pages. What has been held for
 * too long is taken back, and counts for its user all the same. */
void
fp_block_store_prune (FpBlockStore *self)
{
  gint64 oldest_us = g_get_monotonic_time () - MAX_HELD_US;

  for (guint i = self->blocks->len; i > 0; i--)
    {
      FpBlock *block = self->blocks->pdata[i - 1];

      if (block->time_us < oldest_us)
        fp_block_take_back (block);
      if (block->probe >= 0 && fp_sealed_memory_is_held (block->probe))
        continue;
      for (; block->account && block->n_passed > 0; block->n_passed--)
        fp_account_end (block->account, FP_COUNT_ANSWERS);
      if (block->boottime_us != 0 && block->boottime_us == self->boottime_us)
        continue;
      fp_account_refund (block->account, block->size);
      block->size = 0;
      g_timeout_add_once (0, (GSourceOnceFunc)fp_block_free, g_ptr_array_steal_index_fast (self->blocks, i - 1));
    }
}

static gboolean
timer_cb (gpointer data)
{
  FpBlockStore *self = data;

  fp_block_store_prune (self);
  self->timer = self->blocks->len > 0 ? self->timer : 0;
  return self->timer != 0;
}

void
fp_block_store_take (FpBlockStore *self,
                     FpBlock *block)
{
  block->time_us = g_get_monotonic_time ();
  g_ptr_array_add (self->blocks, block);
  if (!self->timer)
    self->timer = g_timeout_add_seconds (PRUNE_SECONDS, timer_cb, self);
}
