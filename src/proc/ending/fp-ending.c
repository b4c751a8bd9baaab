// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-ending.h"

static void
part_free (gpointer data)
{
  FpEndingPart *part = data;

  g_free (part->name);
  g_free (part);
}

FpEnding *
fp_ending_new (guint n)
{
  FpEnding *self = g_new0 (FpEnding, 1);

  self->n = n;
  self->parts = g_ptr_array_new_with_free_func (part_free);
  return self;
}

void
fp_ending_free (gpointer data)
{
  FpEnding *self = data;

  g_ptr_array_unref (self->parts);
  g_free (self);
}

void
fp_ending_doubt (FpEnding *self,
                 guint64 bytes,
                 guint n_closed)
{
  self->doubtful += bytes;
  self->n_closed = bytes > 0 ? MAX (self->n_closed, n_closed) : self->n_closed;
}

/* Parts that the same holder keeps, or that have the same name, become one. */
void
fp_ending_add_part (FpEnding *self,
                    const FpEndingPart *part)
{
  FpEndingPart *copy;

  if (part->bytes == 0)
    return;
  for (guint i = 0; i < self->parts->len; i++)
    {
      FpEndingPart *same = g_ptr_array_index (self->parts, i);

      if (same->fate == part->fate && same->n_others == part->n_others && same->pid == part->pid && same->is_mixed == part->is_mixed &&
          g_str_equal (same->name, part->name))
        {
          same->bytes += part->bytes;
          same->is_least |= part->is_least;
          return;
        }
    }
  copy = g_memdup2 (part, sizeof *part);
  copy->name = g_strdup (part->name);
  g_ptr_array_add (self->parts, copy);
}

static int
compare_parts (gconstpointer a,
               gconstpointer b)
{
  const FpEndingPart *x = *(const FpEndingPart *const *)a, *y = *(const FpEndingPart *const *)b;

  if (x->fate != y->fate)
    return (x->fate > y->fate) - (x->fate < y->fate);
  return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

void
fp_ending_sort (FpEnding *self)
{
  g_ptr_array_sort (self->parts, compare_parts);
}
