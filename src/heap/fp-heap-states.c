// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-heap-states.h"

#define MAX_INTERVALS 1024
#define MAX_CHANGES   (1024 * 1024) /* 40 bytes each */

void
fp_heap_states_init (FpHeapStates *self)
{
  *self = (FpHeapStates){ 0 };
  self->intervals = g_array_new (FALSE, FALSE, sizeof (FpHeapInterval));
  self->changes = g_array_new (FALSE, FALSE, sizeof (FpHeapChange));
}

void
fp_heap_states_clear (FpHeapStates *self)
{
  g_clear_pointer (&self->intervals, g_array_unref);
  g_clear_pointer (&self->changes, g_array_unref);
}

void
fp_heap_states_copy (const FpHeapStates *self,
                     FpHeapStates *copy)
{
  *copy = *self;
  copy->intervals = g_array_copy (self->intervals);
  copy->changes = g_array_copy (self->changes);
}

static FpHeapInterval *
get_interval (const FpHeapStates *self,
              guint i)
{
  return &g_array_index (self->intervals, FpHeapInterval, i);
}

/* Moves changes down to place `to`, those that are not marked with the number of the interval, and returns what is behind. */
static guint32
move_changes (FpHeapStates *self,
              guint32 to,
              const FpHeapInterval *interval,
              const guint32 *marks,
              guint32 mark)
{
  FpHeapChange *changes = (FpHeapChange *)(void *)self->changes->data;

  for (guint32 i = 0; i < interval->n_changes; i++)
    {
      const FpHeapChange change = changes[interval->first_change + i];

      if (!marks || marks[change.stack] != mark)
        changes[to++] = change;
    }
  return to;
}

static guint32 *
make_marks (const FpHeapStates *self)
{
  guint32 n = 0;

  for (guint i = 0; i < self->changes->len; i++)
    n = MAX (n, g_array_index (self->changes, FpHeapChange, i).stack + 1);
  return g_new0 (guint32, n);
}

/* Makes one interval of two. The later one says what a stack had that changed in both. */
static void
halve (FpHeapStates *self)
{
  g_autofree guint32 *marks = make_marks (self);
  guint n = 0;
  guint32 to = 0;

  for (guint i = 0; i < self->intervals->len; i += 2, n++)
    {
      FpHeapInterval first = *get_interval (self, i), last = first;
      guint32 begin = to;

      if (i + 1 < self->intervals->len)
        {
          last = *get_interval (self, i + 1);
          for (guint32 j = 0; j < last.n_changes; j++)
            marks[g_array_index (self->changes, FpHeapChange, last.first_change + j).stack] = i + 1;
          to = move_changes (self, to, &first, marks, i + 1);
          last.highest = MAX (first.highest, last.highest);
          last.rss = MAX (first.rss, last.rss);
        }
      to = move_changes (self, to, &last, NULL, 0);
      last.first_change = begin;
      last.n_changes = to - begin;
      *get_interval (self, n) = last;
    }
  g_array_set_size (self->intervals, n);
  g_array_set_size (self->changes, to);
  self->step_ms = get_interval (self, n - 1)->time_ms / n;
}

gboolean
fp_heap_states_is_due (const FpHeapStates *self,
                       guint64 time_ms)
{
  return self->intervals->len == 0 || time_ms >= get_interval (self, self->intervals->len - 1)->time_ms + MAX (self->step_ms, 1);
}

static void
give_changes_up (FpHeapStates *self)
{
  self->is_without_changes = TRUE;
  g_array_set_size (self->changes, 0);
  for (guint i = 0; i < self->intervals->len; i++)
    get_interval (self, i)->n_changes = get_interval (self, i)->first_change = 0;
}

/* As many calls of fp_heap_states_add() follow. */
void
fp_heap_states_begin (FpHeapStates *self,
                      const FpHeapInterval *interval,
                      guint32 n_changes)
{
  FpHeapInterval added = *interval;

  while (self->intervals->len > 1 && (self->intervals->len >= MAX_INTERVALS || (gsize)self->changes->len + n_changes > MAX_CHANGES))
    halve (self);
  if ((gsize)self->changes->len + n_changes > MAX_CHANGES)
    give_changes_up (self);
  added.first_change = self->changes->len;
  added.n_changes = self->is_without_changes ? 0 : n_changes;
  g_array_append_val (self->intervals, added);
}

void
fp_heap_states_add (FpHeapStates *self,
                    guint32 stack,
                    const FpHeapMoment *moment)
{
  const FpHeapChange change = { *moment, stack };

  if (!self->is_without_changes)
    g_array_append_val (self->changes, change);
}

/* moments: one for each stack. Returns the time that they are of: the last that is known until then. */
guint64
fp_heap_states_look_up (const FpHeapStates *self,
                        guint64 time_ms,
                        FpHeapMoment *moments,
                        guint32 n_stacks)
{
  guint64 found_ms = 0;

  memset (moments, 0, sizeof *moments * n_stacks);
  for (guint i = 0; i < self->intervals->len && get_interval (self, i)->time_ms <= time_ms; i++)
    {
      const FpHeapInterval *interval = get_interval (self, i);

      found_ms = interval->time_ms;
      for (guint32 j = 0; j < interval->n_changes; j++)
        {
          const FpHeapChange *change = &g_array_index (self->changes, FpHeapChange, interval->first_change + j);

          moments[change->stack] = change->moment;
        }
    }
  return found_ms;
}
