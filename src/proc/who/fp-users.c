// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <dlfcn.h>
#include <glib/gi18n.h>
#include <pwd.h>
#include <string.h>

#include "fp-strings.h"
#include "fp-users.h"

#define MAX_USERS 65536
#define SUBUIDS   "/etc/subuid"

/* A directory server that does not answer blocks getpwuid_r for seconds, for ever if it must, and it can't be
 * cancelled: so one thread of its own asks, and it is never joined. */
struct _FpUsers
{
  gatomicrefcount ref_count;
  FpUserLookup lookup;
  GMutex mutex;
  GCond changed;
  GHashTable *users; /* uid → FpUser, empty while not known or where there is none */
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
  g_hash_table_unref (self->users);
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
  self->users = g_hash_table_new_full (NULL, NULL, NULL, g_free);
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
      FpUser user = { "", "" };
      gpointer uid;

      if (g_queue_is_empty (&self->queue))
        {
          g_cond_wait (&self->changed, &self->mutex);
          continue;
        }
      uid = g_queue_pop_head (&self->queue);
      g_mutex_unlock (&self->mutex);
      self->lookup (GPOINTER_TO_UINT (uid), &user);
      g_mutex_lock (&self->mutex);
      g_hash_table_insert (self->users, uid, g_memdup2 (&user, sizeof user));
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
  if (!g_hash_table_contains (self->users, GUINT_TO_POINTER (uid)) && g_hash_table_size (self->users) < MAX_USERS)
    {
      g_hash_table_insert (self->users, GUINT_TO_POINTER (uid), g_new0 (FpUser, 1));
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
fp_users_get (FpUsers *self,
              guint uid,
              FpUser *user)
{
  const FpUser *known;

  g_mutex_lock (&self->mutex);
  known = g_hash_table_lookup (self->users, GUINT_TO_POINTER (uid));
  *user = known ? *known : (FpUser){ "", "" };
  g_mutex_unlock (&self->mutex);
  return user->name[0] != '\0';
}

/* Finds the user whose containers have this uid. subuids: lines of "owner:first:count" */
void
fp_user_find_owner (guint uid,
                    const char *subuids,
                    FpUser *user)
{
  g_auto (GStrv) lines = g_strsplit (subuids, "\n", -1);
  char owner[sizeof user->name];

  for (guint i = 0; lines[i]; i++)
    {
      g_auto (GStrv) parts = g_strsplit (lines[i], ":", -1);
      guint64 first, n;

      if (g_strv_length (parts) != 3 || !g_ascii_string_to_unsigned (parts[1], 10, 1, G_MAXUINT32, &first, NULL) ||
          !g_ascii_string_to_unsigned (parts[2], 10, 1, G_MAXUINT32, &n, NULL) || uid < first || uid - first >= n)
        continue;
      fp_text_clean (owner, sizeof owner, parts[0], strlen (parts[0]));
      g_snprintf (user->full_name, sizeof user->full_name, _ ("In a container of %s"), owner);
      return;
    }
}

/* The full name is what stands before the first comma. */
void
fp_user_lookup (guint uid,
                FpUser *user)
{
  g_autofree char *subuids = NULL;
  char buffer[16384];
  struct passwd entry, *found = NULL;

  *user = (FpUser){ "", "" };
  if (getpwuid_r (uid, &entry, buffer, sizeof buffer, &found) == 0 && found)
    {
      fp_text_clean (user->name, sizeof user->name, found->pw_name, strlen (found->pw_name));
      if (found->pw_gecos)
        fp_text_clean (user->full_name, sizeof user->full_name, found->pw_gecos, strcspn (found->pw_gecos, ","));
    }
  else if (g_file_get_contents (SUBUIDS, &subuids, NULL, NULL))
    fp_user_find_owner (uid, subuids, user);
}

/* Loads the libraries that look up names, for a process that can load none later. */
void
fp_users_load_services (void)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents ("/etc/nsswitch.conf", &text, NULL, NULL))
    return;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++)
    {
      g_auto (GStrv) words = g_str_has_prefix (lines[i], "passwd:") ? g_strsplit_set (lines[i] + 7, " \t", -1) : NULL;

      for (guint j = 0; words && words[j]; j++)
        {
          g_autofree char *library = g_strdup_printf ("libnss_%s.so.2", words[j]);

          if (g_ascii_isalpha (words[j][0]) && !strchr (words[j], '/') && !dlopen (library, RTLD_NOW))
            g_debug ("%s", dlerror ());
        }
    }
}
