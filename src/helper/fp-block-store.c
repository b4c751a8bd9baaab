// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint-helper"
#include "config.h"

#include "fp-block-store.h"

#define PRUNE_SECONDS 1
#define MAX_HELD_US   (30 * G_USEC_PER_SEC) /* enough for a caller to copy a block */

struct _FpBlockStore
{
  FpSnapshot *snapshot; /* that the blocks are made of */
  GHashTable *blocks;   /* who is given it → FpBlock */
  GPtrArray *held;      /* FpBlocks that callers may hold */
  guint timer;
};

FpBlockStore *
fp_block_store_new (void)
{
  FpBlockStore *self = g_new0 (FpBlockStore, 1);

  self->blocks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)fp_block_unref);
  self->held = g_ptr_array_new_with_free_func ((GDestroyNotify)fp_block_unref);
  return self;
}

void
fp_block_store_free (FpBlockStore *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_pointer (&self->snapshot, fp_snapshot_unref);
  g_hash_table_unref (self->blocks);
  g_ptr_array_unref (self->held);
  g_free (self);
}

static char *
make_key (const FpPermission *permission)
{
  return g_strdup_printf ("%u:%u:%d", permission->uid, permission->gid, (gint)permission->access);
}

FpBlock *
fp_block_store_find (FpBlockStore *self,
                     FpSnapshot *snapshot,
                     const FpPermission *permission)
{
  g_autofree char *key = make_key (permission);

  return snapshot == self->snapshot ? g_hash_table_lookup (self->blocks, key) : NULL;
}

void
fp_block_store_add (FpBlockStore *self,
                    FpSnapshot *snapshot,
                    const FpPermission *permission,
                    FpBlock *block)
{
  if (snapshot != self->snapshot)
    {
      g_hash_table_remove_all (self->blocks);
      g_clear_pointer (&self->snapshot, fp_snapshot_unref);
      self->snapshot = fp_snapshot_ref (snapshot);
    }
  g_hash_table_replace (self->blocks, make_key (permission), fp_block_ref (block));
}

static gboolean
is_block (gpointer key,
          gpointer value,
          gpointer block)
{
  return value == block;
}

/* Takes back the memory of what nobody holds, or has held for too long. */
void
fp_block_store_prune (FpBlockStore *self)
{
  gint64 oldest_us = g_get_monotonic_time () - MAX_HELD_US;

  for (guint i = self->held->len; i > 0; i--)
    {
      FpBlock *block = self->held->pdata[i - 1];

      if (fp_block_get_time_us (block) >= oldest_us &&
          (g_hash_table_find (self->blocks, is_block, block) || fp_block_is_held (block)))
        continue;
      g_hash_table_foreach_remove (self->blocks, is_block, block);
      fp_block_drop_memory (block);
      g_ptr_array_remove_index_fast (self->held, i - 1);
    }
}

static gboolean
timer_cb (gpointer data)
{
  FpBlockStore *self = data;

  fp_block_store_prune (self);
  if (self->held->len > 0)
    return G_SOURCE_CONTINUE;
  self->timer = 0;
  return G_SOURCE_REMOVE;
}

/* From when it is handed out. */
void
fp_block_store_watch (FpBlockStore *self,
                      FpBlock *block)
{
  if (!g_ptr_array_find (self->held, block, NULL))
    g_ptr_array_add (self->held, fp_block_ref (block));
  if (!self->timer)
    self->timer = g_timeout_add_seconds (PRUNE_SECONDS, timer_cb, self);
}
