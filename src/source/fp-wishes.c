// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-wishes.h"

typedef struct
{
  guint32 uid;
  GArray *ids;
  guint next;        /* those before it were taken */
  GHashTable *known; /* those that are to be taken */
} User;

struct _FpWishes
{
  GPtrArray *users; /* those with wishes, in the order of their turns */
  guint max_of_user;
  guint max_taken;
};

static void
user_free (gpointer data)
{
  User *user = data;

  g_array_unref (user->ids);
  g_hash_table_unref (user->known);
  g_free (user);
}

static guint
hash_id (gconstpointer id)
{
  const FpProcessId *self = id;

  return (guint)self->pid * 31 + (guint)self->start_ticks;
}

static gboolean
is_same_id (gconstpointer a,
            gconstpointer b)
{
  return fp_process_id_equal (a, b);
}

static GHashTable *
make_set (void)
{
  return g_hash_table_new_full (hash_id, is_same_id, g_free, NULL);
}

/* FALSE: it is there already */
static gboolean
add_to_set (GHashTable *set,
            const FpProcessId *id)
{
  return !g_hash_table_contains (set, id) && g_hash_table_add (set, g_memdup2 (id, sizeof *id));
}

static User *
user_new (guint32 uid)
{
  User *user = g_new0 (User, 1);

  user->uid = uid;
  user->ids = g_array_new (FALSE, FALSE, sizeof (FpProcessId));
  user->known = make_set ();
  return user;
}

/* max_taken: by one call of fp_wishes_take () */
FpWishes *
fp_wishes_new (guint max_of_user,
               guint max_taken)
{
  FpWishes *self = g_new0 (FpWishes, 1);

  self->users = g_ptr_array_new_with_free_func (user_free);
  self->max_of_user = max_of_user;
  self->max_taken = max_taken;
  return self;
}

void
fp_wishes_free (FpWishes *self)
{
  g_ptr_array_unref (self->users);
  g_free (self);
}

static User *
find (const FpWishes *self,
      guint32 uid)
{
  for (guint i = 0; i < self->users->len; i++)
    if (((User *)self->users->pdata[i])->uid == uid)
      return self->users->pdata[i];
  return NULL;
}

/* Wishes beyond the limit of one user are left out. */
void
fp_wishes_add (FpWishes *self,
               guint32 uid,
               const FpProcessId *ids,
               guint n)
{
  User *user = find (self, uid);

  if (n > 0 && !user)
    {
      user = user_new (uid);
      g_ptr_array_add (self->users, user);
    }
  else if (user && user->next > 0)
    {
      g_array_remove_range (user->ids, 0, user->next);
      user->next = 0;
    }
  for (guint i = 0; i < n && user->ids->len - user->next < self->max_of_user; i++)
    if (add_to_set (user->known, &ids[i]))
      g_array_append_val (user->ids, ids[i]);
}

/* Sets ids to the wishes whose turn it is, one of each user after the other. The rest stays for the next time, which begins
 * with the user who is next. */
void
fp_wishes_take (FpWishes *self,
                GArray *ids)
{
  g_autoptr (GHashTable) taken = make_set ();

  g_array_set_size (ids, 0);
  while (self->users->len > 0 && ids->len < self->max_taken)
    {
      User *user = g_ptr_array_steal_index (self->users, 0);
      FpProcessId id = g_array_index (user->ids, FpProcessId, user->next++);

      g_hash_table_remove (user->known, &id);
      if (add_to_set (taken, &id))
        g_array_append_val (ids, id);
      if (user->next < user->ids->len)
        g_ptr_array_add (self->users, user);
      else
        user_free (user);
    }
}

gboolean
fp_wishes_has_of (const FpWishes *self,
                  guint32 uid)
{
  return find (self, uid) != NULL;
}

void
fp_wishes_clear (FpWishes *self)
{
  g_ptr_array_set_size (self->users, 0);
}
