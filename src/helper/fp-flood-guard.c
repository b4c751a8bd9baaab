// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include "fp-flood-guard.h"

#define US_PER_CALL (G_USEC_PER_SEC / FP_FLOOD_PER_SECOND)
#define MAX_SENDERS 1024

struct _FpFloodGuard
{
  GMutex mutex;
  GHashTable *empty_at; /* sender → when its bucket will have run dry */
};

FpFloodGuard *
fp_flood_guard_new (void)
{
  FpFloodGuard *self = g_new0 (FpFloodGuard, 1);

  g_mutex_init (&self->mutex);
  self->empty_at = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

void
fp_flood_guard_free (FpFloodGuard *self)
{
  g_hash_table_unref (self->empty_at);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static gboolean
is_past (gpointer sender,
         gpointer empty_us,
         gpointer now_us)
{
  return *(gint64 *)empty_us <= *(gint64 *)now_us;
}

/* A bucket that leaks a call at a time: who has been silent long enough need not be remembered. */
gboolean
fp_flood_guard_admit (FpFloodGuard *self,
                      const char *sender,
                      gint64 now_us)
{
  gboolean is_admitted;
  gint64 *empty_us;

  g_mutex_lock (&self->mutex);
  empty_us = g_hash_table_lookup (self->empty_at, sender);
  if (!empty_us)
    {
      if (g_hash_table_size (self->empty_at) >= MAX_SENDERS)
        g_hash_table_foreach_remove (self->empty_at, is_past, &now_us);
      empty_us = g_new0 (gint64, 1);
      g_hash_table_insert (self->empty_at, g_strdup (sender), empty_us);
    }
  *empty_us = MAX (*empty_us, now_us);
  is_admitted = *empty_us + US_PER_CALL <= now_us + FP_FLOOD_BURST * US_PER_CALL;
  if (is_admitted)
    *empty_us += US_PER_CALL;
  g_mutex_unlock (&self->mutex);
  return is_admitted;
}
