// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-block-store.h"
#include "fp-sealed-memory.h"

#define PRUNE_SECONDS 1
#define MAX_HELD_US   (30 * G_USEC_PER_SEC) /* enough for a caller to copy a block */

typedef struct
{
  FpBlock *block;
  guint64 boottime_us; /* of its snapshot; 0: of mappings */
  FpPermission permission;
} Entry;

struct _FpBlockStore
{
  GArray *entries;
  guint64 boottime_us; /* of the last snapshot */
  guint timer;
};

static void
entry_clear (gpointer data)
{
  fp_block_free (((Entry *)data)->block);
}

FpBlockStore *
fp_block_store_new (void)
{
  FpBlockStore *self = g_new0 (FpBlockStore, 1);

  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (self->entries, entry_clear);
  return self;
}

void
fp_block_store_free (FpBlockStore *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  g_array_unref (self->entries);
  g_free (self);
}

/* Or NULL */
FpBlock *
fp_block_store_find (FpBlockStore *self,
                     const FpSnapshot *snapshot,
                     const FpPermission *permission)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, i);

      if (entry->boottime_us == snapshot->info.boottime_us && memcmp (&entry->permission, permission, sizeof *permission) == 0)
        return entry->block;
    }
  return NULL;
}

/* Frees what is not held any more, or has been held for too long. */
void
fp_block_store_prune (FpBlockStore *self)
{
  gint64 oldest_us = g_get_monotonic_time () - MAX_HELD_US;

  for (guint i = self->entries->len; i > 0; i--)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, i - 1);
      gboolean is_last = entry->boottime_us > 0 && entry->boottime_us == self->boottime_us;

      if (entry->block->time_us < oldest_us ||
          (!is_last && (entry->block->probe < 0 || !fp_sealed_memory_is_held (entry->block->probe))))
        g_array_remove_index_fast (self->entries, i - 1);
    }
}

static gboolean
timer_cb (gpointer data)
{
  FpBlockStore *self = data;

  fp_block_store_prune (self);
  if (self->entries->len > 0)
    return G_SOURCE_CONTINUE;
  self->timer = 0;
  return G_SOURCE_REMOVE;
}

/* snapshot: (nullable): that the block is made of, unless it is of mappings */
void
fp_block_store_take (FpBlockStore *self,
                     FpBlock *block,
                     const FpSnapshot *snapshot,
                     const FpPermission *permission)
{
  const Entry entry = { block, snapshot ? snapshot->info.boottime_us : 0, *permission };

  g_return_if_fail (block != NULL);
  block->time_us = g_get_monotonic_time ();
  g_array_append_val (self->entries, entry);
  self->boottime_us = MAX (self->boottime_us, entry.boottime_us);
  if (!self->timer)
    self->timer = g_timeout_add_seconds (PRUNE_SECONDS, timer_cb, self);
}
