// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-past.h"
#include "fp-varint.h"

/* A change is the number of collections since the one before, a bit for each end that is not as expected, and by how much
 * it differs. A new upper end is expected to be that of an exact figure where the last was exact, else the last one. */
#define MAX_CHANGE (5 + 1 + 2 * FP_N_HISTORY_FIGURES * 5)

void
fp_past_begin (FpPast *self,
               guint32 collection,
               const FpHistoryEnds *ends)
{
  *self = (FpPast){ .first = *ends, .last = *ends, .first_collection = collection, .last_collection = collection };
}

void
fp_past_clear (FpPast *self)
{
  g_clear_pointer (&self->changes, g_free);
}

static guint32
fold_sign (guint32 difference)
{
  return difference << 1 ^ (guint32)((gint32)difference >> 31);
}

static guint32
unfold_sign (guint32 number)
{
  return number >> 1 ^ -(number & 1);
}

static guint32
expect_high (const FpHistoryEnds *last,
             guint figure,
             guint32 low)
{
  return last->high_kib[figure] == last->low_kib[figure] ? low : last->high_kib[figure];
}

static guint
write_change (guint8 *to,
              guint32 n_collections,
              const FpHistoryEnds *last,
              const FpHistoryEnds *ends)
{
  guint8 *at = fp_varint_write (to, n_collections), *bits = at++;

  *bits = 0;
  for (guint i = 0; i < FP_N_HISTORY_FIGURES; i++)
    {
      guint32 low = ends->low_kib[i], high = expect_high (last, i, low);

      if (low != last->low_kib[i])
        {
          *bits |= (guint8)(1 << i);
          at = fp_varint_write (at, fold_sign (low - last->low_kib[i]));
        }
      if (ends->high_kib[i] != high)
        {
          *bits |= (guint8)(1 << (FP_N_HISTORY_FIGURES + i));
          at = fp_varint_write (at, fold_sign (ends->high_kib[i] - high));
        }
    }
  return (guint)(at - to);
}

/* Returns the collection of the change at a place, and moves to the next one. */
static guint32
read_change (const FpPast *self,
             guint32 *place,
             guint32 collection,
             FpHistoryEnds *ends)
{
  const guint8 *at = self->changes + *place;
  guint32 n_collections;
  guint bits;

  n_collections = (guint32)fp_varint_read (&at);
  bits = *at++;
  for (guint i = 0; i < FP_N_HISTORY_FIGURES; i++)
    {
      FpHistoryEnds last = *ends;

      if (bits & 1 << i)
        {
          ends->low_kib[i] += unfold_sign ((guint32)fp_varint_read (&at));
        }
      ends->high_kib[i] = expect_high (&last, i, ends->low_kib[i]);
      if (bits & 1 << (FP_N_HISTORY_FIGURES + i))
        {
          ends->high_kib[i] += unfold_sign ((guint32)fp_varint_read (&at));
        }
    }
  *place = (guint32)(at - self->changes);
  return collection + n_collections;
}

/* The place of what was forgotten is used again before more is asked for, unless it is so little that the rest would be
 * moved all the time. */
static void
make_room (FpPast *self,
           guint length)
{
  if (self->end + length <= self->capacity)
    return;
  if (self->start > self->capacity / 8)
    {
      self->end -= self->start;
      memmove (self->changes, self->changes + self->start, self->end);
      self->start = 0;
    }
  if (self->end + length <= self->capacity)
    return;
  self->capacity = MAX (self->capacity + self->capacity / 2, self->end + length);
  self->changes = g_realloc (self->changes, self->capacity);
}

void
fp_past_add (FpPast *self,
             guint32 collection,
             const FpHistoryEnds *ends)
{
  guint8 change[MAX_CHANGE];
  guint length;

  if (memcmp (&self->last, ends, sizeof *ends) == 0)
    return;
  length = write_change (change, collection - self->last_collection, &self->last, ends);
  make_room (self, length);
  memcpy (self->changes + self->end, change, length);
  self->end += length;
  self->last = *ends;
  self->last_collection = collection;
}

/* The last change up to the oldest collection that is kept still holds in it. */
void
fp_past_forget (FpPast *self,
                guint32 oldest)
{
  while (self->start < self->end)
    {
      const guint8 *at = self->changes + self->start;

      if (self->first_collection + (guint32)fp_varint_read (&at) > oldest)
        return;
      self->first_collection = read_change (self, &self->start, self->first_collection, &self->first);
    }
}

static void
read_next (FpPastWalk *self,
           guint32 collection)
{
  self->next = self->ends;
  self->next_collection =
      self->place < self->past->end ? read_change (self->past, &self->place, collection, &self->next) : G_MAXUINT32;
}

void
fp_past_walk_init (FpPastWalk *self,
                   const FpPast *past)
{
  *self = (FpPastWalk){ .past = past, .ends = past->first, .place = past->start };
  read_next (self, past->first_collection);
}

/* A collection before the first has what the first has. */
void
fp_past_walk_to (FpPastWalk *self,
                 guint32 collection)
{
  while (self->next_collection <= collection)
    {
      self->ends = self->next;
      read_next (self, self->next_collection);
    }
}
