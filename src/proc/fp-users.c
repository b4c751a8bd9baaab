// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <pwd.h>
#include <string.h>

#include "fp-strings.h"
#include "fp-users.h"

#define NAME_SIZE 64
#define MAX_USERS 65536

/* A directory server that does not answer blocks getpwuid_r for seconds, for ever if it must, and it can't be
 * cancelled: so one thread of its own asks, and nobody ever joins it. */
struct _FpUsers
{
  gatomicrefcount ref_count;
  FpUserLookup lookup;
  GMutex mutex;
  GCond changed;
  GHashTable *names; /* uid → name; "" while not known or where there is none */
  GQueue queue;
  guint n_unanswered;
  gboolean has_thread;
  gboolean is_closed;
};

static void
fp_users_unref (FpUsers *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_hash_table_unref (self->names);
  g_queue_clear (&self->queue);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}

FpUsers *
fp_users_new (FpUserLookup lookup)
{
  FpUsers *self = g_new0 (FpUsers, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->lookup = lookup;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  g_queue_init (&self->queue);
  self->names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return self;
}

void
fp_users_free (FpUsers *self)
{
  g_mutex_lock (&self->mutex);
  self->is_closed = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  fp_users_unref (self);
}

static gpointer
fp_users_lookup_worker (gpointer data)
{
  FpUsers *self = data;

  g_mutex_lock (&self->mutex);
  while (!self->is_closed)
    {
      char name[NAME_SIZE] = "";
      gpointer uid;

      if (g_queue_is_empty (&self->queue))
        {
          g_cond_wait (&self->changed, &self->mutex);
          continue;
        }
      uid = g_queue_pop_head (&self->queue);
      g_mutex_unlock (&self->mutex);
      self->lookup (GPOINTER_TO_UINT (uid), name, sizeof name);
      g_mutex_lock (&self->mutex);
      g_hash_table_insert (self->names, uid, g_strdup (name));
      self->n_unanswered--;
      g_cond_broadcast (&self->changed);
    }
  g_mutex_unlock (&self->mutex);
  fp_users_unref (self);
  return NULL;
}

/* Where no thread can be had, the number is shown; what is queued waits for the next try. */
static void
start_thread (FpUsers *self)
{
  GThread *thread;

  g_atomic_ref_count_inc (&self->ref_count);
  thread = g_thread_try_new ("footprint-users", fp_users_lookup_worker, self, NULL);
  self->has_thread = thread != NULL;
  self->n_unanswered = thread ? self->queue.length : 0;
  if (thread)
    g_thread_unref (thread);
  else
    (void)g_atomic_ref_count_dec (&self->ref_count);
}

void
fp_users_request (FpUsers *self,
                  guint uid)
{
  g_mutex_lock (&self->mutex);
  if (!g_hash_table_contains (self->names, GUINT_TO_POINTER (uid)) && g_hash_table_size (self->names) < MAX_USERS)
    {
      g_hash_table_insert (self->names, GUINT_TO_POINTER (uid), g_strdup (""));
      g_queue_push_tail (&self->queue, GUINT_TO_POINTER (uid));
      self->n_unanswered++;
      g_cond_broadcast (&self->changed);
      if (!self->has_thread)
        start_thread (self);
    }
  g_mutex_unlock (&self->mutex);
}

void
fp_users_wait (FpUsers *self,
               gint64 timeout_us)
{
  gint64 end = g_get_monotonic_time () + timeout_us;

  g_mutex_lock (&self->mutex);
  while (self->n_unanswered > 0 && g_cond_wait_until (&self->changed, &self->mutex, end))
    ;
  g_mutex_unlock (&self->mutex);
}

/* FALSE while there is no name, be it for now or for good. */
gboolean
fp_users_get_name (FpUsers *self,
                   guint uid,
                   char *name,
                   gsize size)
{
  const char *known;

  g_mutex_lock (&self->mutex);
  known = g_hash_table_lookup (self->names, GUINT_TO_POINTER (uid));
  g_strlcpy (name, known ? known : "", size);
  g_mutex_unlock (&self->mutex);
  return *name != '\0';
}

void
fp_user_lookup (guint uid,
                char *name,
                gsize size)
{
  char buffer[16384];
  struct passwd entry, *found = NULL;

  name[0] = '\0';
  if (getpwuid_r (uid, &entry, buffer, sizeof buffer, &found) == 0 && found)
    fp_text_clean (name, size, found->pw_name, strlen (found->pw_name));
}
