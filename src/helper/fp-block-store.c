// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-block-store.h"
#include "fp-sealed-memory.h"

#define PRUNE_SECONDS 1
#define FIRST_WAIT_US (5 * G_USEC_PER_SEC)
#define SHARED_US     (30 * G_USEC_PER_SEC) /* So long a snapshot is kept for other calls. */

struct _FpBlockStore
{
  GPtrArray *blocks;
  GThreadPool *takers; /* one at a time: no answer waits while the kernel frees pages */
  guint64 boottime_us; /* of the last snapshot */
  guint timer;
};

/* Pages in a socket are seldom let go, so the time between two attempts doubles. */
static void
take_back (gpointer data,
           gpointer unused)
{
  FpBlock *block = data;
  gint64 now_us = g_get_monotonic_time ();

  block->is_taken_back = fp_sealed_memory_take_back (block->fd);
  block->next_us = block->is_taken_back ? 0 : now_us + MAX (now_us - block->time_us, FIRST_WAIT_US);
  g_atomic_int_set (&block->is_leaving, FALSE);
}

FpBlockStore *
fp_block_store_new (void)
{
  FpBlockStore *self = g_new0 (FpBlockStore, 1);

  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify)fp_block_free);
  self->takers = g_thread_pool_new (take_back, NULL, 1, FALSE, NULL);
  return self;
}

void
fp_block_store_free (FpBlockStore *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  g_thread_pool_free (self->takers, FALSE, TRUE);
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

/* Has what is not held any more taken back, and frees what was. Until then it counts for its user. Returns whether anything is left. */
gboolean
fp_block_store_prune (FpBlockStore *self)
{
  gint64 now_us = g_get_monotonic_time ();

  for (guint i = self->blocks->len; i > 0; i--)
    {
      FpBlock *block = self->blocks->pdata[i - 1];

      if (g_atomic_int_get (&block->is_leaving) || block->next_us > now_us)
        continue;
      if (block->is_taken_back)
        {
          if (block->account)
            fp_account_end (block->account, FP_COUNT_BLOCKS);
          g_ptr_array_remove_index_fast (self->blocks, i - 1);
        }
      else if (block->probe < 0 || !fp_sealed_memory_is_held (block->probe))
        {
          for (; block->account && block->n_passed > 0; block->n_passed--)
            fp_account_end (block->account, FP_COUNT_ANSWERS);
          if (block->boottime_us != 0 && block->boottime_us == self->boottime_us && now_us < block->time_us + SHARED_US)
            continue;
          block->boottime_us = 0; /* It is not found any more. */
          block->is_leaving = TRUE;
          g_thread_pool_push (self->takers, block, NULL);
        }
    }
  return self->blocks->len > 0;
}

static gboolean
timer_cb (gpointer data)
{
  FpBlockStore *self = data;

  self->timer = fp_block_store_prune (self) ? self->timer : 0;
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
