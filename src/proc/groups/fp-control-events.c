// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <sys/inotify.h>
#include <unistd.h>

#include "fp-control-events.h"

void
fp_control_events_init (FpControlEvents *self)
{
  self->fd = inotify_init1 (IN_CLOEXEC | IN_NONBLOCK);
  self->ids = g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

void
fp_control_events_clear (FpControlEvents *self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
  g_clear_pointer (&self->ids, g_hash_table_unref);
}

/* Negative: it can't be watched, and its turn comes like that of others. */
int
fp_control_events_watch (FpControlEvents *self,
                         int folder,
                         guint64 id)
{
  char path[64];
  int watch;

  g_snprintf (path, sizeof path, "/proc/self/fd/%d/memory.events", folder);
  watch = self->fd >= 0 ? inotify_add_watch (self->fd, path, IN_MODIFY) : -1;
  if (watch >= 0)
    g_hash_table_insert (self->ids, GINT_TO_POINTER (watch), g_memdup2 (&id, sizeof id));
  return watch;
}

void
fp_control_events_forget (FpControlEvents *self,
                          int watch)
{
  if (watch < 0)
    return;
  inotify_rm_watch (self->fd, watch);
  g_hash_table_remove (self->ids, GINT_TO_POINTER (watch));
}

/* The queue is bounded by the kernel; the groups whose events it dropped come in turn. */
void
fp_control_events_take (FpControlEvents *self,
                        FpControlEventFunc func,
                        gpointer data)
{
  struct inotify_event events[64];
  gssize length;

  while (self->fd >= 0 && (length = read (self->fd, events, sizeof events)) > 0)
    for (gsize i = 0; i < (gsize)length / sizeof events[0]; i++)
      {
        const guint64 *id = events[i].mask & IN_MODIFY ? g_hash_table_lookup (self->ids, GINT_TO_POINTER (events[i].wd)) : NULL;

        if (id)
          func (*id, data);
      }
}
