// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-kept.h"

static void
held_clear (gpointer data)
{
  g_free (((FpHeldFile *)data)->name);
}

FpKept *
fp_kept_new (void)
{
  FpKept *self = g_new0 (FpKept, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->tmpfs = g_array_new (FALSE, TRUE, sizeof (FpTmpfs));
  self->held = g_array_new (FALSE, TRUE, sizeof (FpHeldFile));
  self->graphics = g_array_new (FALSE, TRUE, sizeof (FpGraphics));
  self->graphics_holders = g_array_new (FALSE, TRUE, sizeof (FpGraphicsHolder));
  self->told = g_array_new (FALSE, TRUE, sizeof (FpProcessId));
  g_array_set_clear_func (self->tmpfs, fp_tmpfs_clear);
  g_array_set_clear_func (self->held, held_clear);
  return self;
}

FpKept *
fp_kept_ref (FpKept *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
fp_kept_unref (FpKept *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_array_unref (self->tmpfs);
  g_array_unref (self->held);
  g_array_unref (self->graphics);
  g_array_unref (self->graphics_holders);
  g_array_unref (self->told);
  g_clear_pointer (&self->segments, g_array_unref);
  g_free (self);
}

/* Before anybody else has it: the graphics memory that a reader with more rights knows takes the place of its own. */
void
fp_kept_take_graphics (FpKept *self,
                       const FpKept *other)
{
  g_array_unref (self->graphics);
  g_array_unref (self->graphics_holders);
  g_array_unref (self->told);
  self->graphics = g_array_ref (other->graphics);
  self->graphics_holders = g_array_ref (other->graphics_holders);
  self->told = g_array_ref (other->told);
}

/* Together they are Shmem and its swapped part, but for what only mappings have: memory that a family shares, and memfds
 * that nobody holds open any more. */
void
fp_kept_sum (const FpKept *self,
             FpKeptSum *sum)
{
  *sum = (FpKeptSum){ 0 };
  for (guint i = 0; i < self->tmpfs->len; i++)
    {
      const FpTmpfs *tmpfs = &g_array_index (self->tmpfs, FpTmpfs, i);

      if (tmpfs->kind == FP_TMPFS_SWAPPABLE)
        sum->tmpfs += tmpfs->used;
    }
  for (guint i = 0; i < self->held->len; i++)
    {
      const FpHeldFile *file = &g_array_index (self->held, FpHeldFile, i);

      if (!file->is_in_tmpfs && !file->is_huge)
        *(file->is_mapped ? &sum->mapped : &sum->held) += file->used;
    }
  for (guint i = 0; self->segments && i < self->segments->len; i++)
    {
      const FpSegment *segment = &g_array_index (self->segments, FpSegment, i);

      if (fp_segment_is_of_pool (segment))
        continue;
      sum->segments += segment->resident;
      sum->swap += segment->swap;
    }
}

static int
compare_ids (gconstpointer a,
             gconstpointer b)
{
  const FpProcessId *x = a, *y = b;

  return (x->pid > y->pid) - (x->pid < y->pid);
}

static gboolean
is_told (const FpKept *self,
         const FpProcessId *id)
{
  guint place;

  return g_array_binary_search (self->told, id, compare_ids, &place) &&
         fp_process_id_equal (&g_array_index (self->told, FpProcessId, place), id);
}

/* Gives what the process holds: none where that is not known. */
const FpGraphicsHolder *
fp_kept_find_holders (const FpKept *self,
                      const FpProcessId *id,
                      guint *n)
{
  const FpGraphicsHolder *holders = (const FpGraphicsHolder *)self->graphics_holders->data;
  guint low = 0, high = self->graphics_holders->len;

  *n = 0;
  if (!is_told (self, id))
    return NULL;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (holders[middle].pid < id->pid)
        low = middle + 1;
      else
        high = middle;
    }
  while (low + *n < self->graphics_holders->len && holders[low + *n].pid == id->pid)
    (*n)++;
  return holders + low;
}

static gboolean
are_equal (const GArray *a,
           const GArray *b)
{
  return a->len == b->len && (a->len == 0 || memcmp (a->data, b->data, (gsize)g_array_get_element_size ((GArray *)a) * a->len) == 0);
}

/* Says whether every process has the same by both. */
gboolean
fp_kept_has_same_graphics (const FpKept *self,
                           const FpKept *other)
{
  if (self->told->len != other->told->len)
    return FALSE;
  for (guint i = 0; i < self->told->len; i++)
    {
      const FpProcessId *x = &g_array_index (self->told, FpProcessId, i), *y = &g_array_index (other->told, FpProcessId, i);

      if (x->pid != y->pid || x->start_ticks != y->start_ticks)
        return FALSE;
    }
  return are_equal (self->graphics, other->graphics) && are_equal (self->graphics_holders, other->graphics_holders);
}

/* FALSE: its open files could not be looked at, or were not yet, or a driver tells nothing. Without a client it is 0. */
gboolean
fp_kept_get_graphics (const FpKept *self,
                      const FpProcessId *id,
                      FpGraphicsShare *share)
{
  guint n;
  const FpGraphicsHolder *holders = fp_kept_find_holders (self, id, &n);

  *share = (FpGraphicsShare){ .has_in_ram = TRUE };
  for (guint i = 0; i < n; i++)
    {
      const FpGraphics *graphics = &g_array_index (self->graphics, FpGraphics, holders[i].index);

      share->in_ram += graphics->in_ram / graphics->n_holders;
      share->on_card += graphics->on_card / graphics->n_holders;
      share->allocated += graphics->allocated / graphics->n_holders;
      share->has_in_ram &= graphics->has_in_ram;
    }
  return is_told (self, id);
}
