// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-turns.h"

typedef struct
{
  guint64 spent_us;
  GQueue items;
} User;

struct _FpTurns
{
  GHashTable *users;  /* uid → User */
  GSequence *waiting; /* Users with items, by what they have spent */
  User *last;         /* (nullable): the one whose item was taken, until its time is counted */
  guint64 start_us;   /* what that user had spent before */
};

static void
user_free (gpointer data)
{
  User *user = data;

  g_queue_clear (&user->items);
  g_free (user);
}

FpTurns *
fp_turns_new (void)
{
  FpTurns *self = g_new0 (FpTurns, 1);

  self->users = g_hash_table_new_full (NULL, NULL, NULL, user_free);
  self->waiting = g_sequence_new (NULL);
  return self;
}

void
fp_turns_free (FpTurns *self)
{
  g_sequence_free (self->waiting);
  g_hash_table_unref (self->users);
  g_free (self);
}

static gboolean
has_nothing_spent (gpointer key,
                   gpointer value,
                   gpointer data)
{
  return ((const User *)value)->spent_us <= ((const FpTurns *)data)->start_us;
}

/* Forgets the items, and keeps what their users have spent more than others. */
void
fp_turns_clear (FpTurns *self)
{
  GHashTableIter iter;
  gpointer user;

  g_sequence_remove_range (g_sequence_get_begin_iter (self->waiting), g_sequence_get_end_iter (self->waiting));
  self->last = NULL;
  g_hash_table_foreach_remove (self->users, has_nothing_spent, self);
  g_hash_table_iter_init (&iter, self->users);
  while (g_hash_table_iter_next (&iter, NULL, &user))
    g_queue_clear (&((User *)user)->items);
}

static int
compare_spent (gconstpointer a,
               gconstpointer b,
               gpointer data)
{
  guint64 x = ((const User *)a)->spent_us, y = ((const User *)b)->spent_us;

  return (x > y) - (x < y);
}

/* A user who had nothing to be read for a while has saved up no time by that. */
void
fp_turns_add (FpTurns *self,
              guint32 uid,
              gpointer item)
{
  User *user = g_hash_table_lookup (self->users, GUINT_TO_POINTER (uid));

  if (!user)
    {
      user = g_new0 (User, 1);
      g_hash_table_insert (self->users, GUINT_TO_POINTER (uid), user);
    }
  if (g_queue_is_empty (&user->items) && user != self->last)
    {
      user->spent_us = MAX (user->spent_us, self->start_us);
      g_sequence_insert_sorted (self->waiting, user, compare_spent, NULL);
    }
  g_queue_push_tail (&user->items, item);
}

/* The items of one user come in the order in which they were added. NULL: there is none left */
gpointer
fp_turns_next (FpTurns *self)
{
  GSequenceIter *first = g_sequence_get_begin_iter (self->waiting);

  g_return_val_if_fail (!self->last, NULL);
  if (g_sequence_iter_is_end (first))
    return NULL;
  self->last = g_sequence_get (first);
  self->start_us = self->last->spent_us;
  g_sequence_remove (first);
  return g_queue_pop_head (&self->last->items);
}

/* Counts the time that the item took, before the next one. */
void
fp_turns_spend (FpTurns *self,
                guint64 spent_us)
{
  User *user = g_steal_pointer (&self->last);

  g_return_if_fail (user != NULL);
  user->spent_us += spent_us;
  if (!g_queue_is_empty (&user->items))
    g_sequence_insert_sorted (self->waiting, user, compare_spent, NULL);
}
