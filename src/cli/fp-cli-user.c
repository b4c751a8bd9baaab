// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <pwd.h>

#include "fp-cli-user.h"

#define PATIENCE_US (2 * G_USEC_PER_SEC)
#define BUFFER_SIZE 1024
#define MAX_BUFFER  (1 << 20)

typedef struct
{
  gatomicrefcount ref_count;
  GMutex mutex;
  GCond cond;
  char *name;
  gboolean is_done;
  gboolean is_found;
  guint32 uid;
} Search;

static void
search_unref (Search *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_free (self->name);
  g_free (self);
}

static gboolean
ask (const char *name,
     guint32 *uid)
{
  struct passwd entry, *found = NULL;

  for (gsize size = BUFFER_SIZE; size <= MAX_BUFFER; size *= 2)
    {
      g_autofree char *buffer = g_malloc (size);
      int problem = getpwnam_r (name, &entry, buffer, size, &found);

      if (problem == ERANGE)
        continue;
      if (found)
        *uid = found->pw_uid;
      return found != NULL;
    }
  return FALSE;
}

static gpointer
search_worker (gpointer data)
{
  Search *self = data;
  guint32 uid = 0;
  gboolean is_found = ask (self->name, &uid);

  g_mutex_lock (&self->mutex);
  self->is_done = TRUE;
  self->is_found = is_found;
  self->uid = uid;
  g_cond_signal (&self->cond);
  g_mutex_unlock (&self->mutex);
  search_unref (self);
  return NULL;
}

/* A directory server may be down, and getpwnam_r can't be cancelled: give up after a while and leave the thread behind. */
gboolean
fp_cli_user_find (const char *name,
                  guint32 *uid)
{
  gint64 end = g_get_monotonic_time () + PATIENCE_US;
  Search *search = g_new0 (Search, 1);
  gboolean is_found;

  g_atomic_ref_count_init (&search->ref_count);
  g_atomic_ref_count_inc (&search->ref_count);
  g_mutex_init (&search->mutex);
  g_cond_init (&search->cond);
  search->name = g_strdup (name);
  g_thread_unref (g_thread_new ("user", search_worker, search));

  g_mutex_lock (&search->mutex);
  while (!search->is_done && g_cond_wait_until (&search->cond, &search->mutex, end))
    ;
  is_found = search->is_done && search->is_found;
  *uid = search->uid;
  g_mutex_unlock (&search->mutex);
  search_unref (search);
  return is_found;
}
