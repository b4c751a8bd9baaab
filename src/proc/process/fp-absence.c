// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <unistd.h>

#include "fp-absence.h"

#define QUIET_TIMES   9 /* a user who does it again is let alone for so many times as long */
#define MEMORY_US     (60 * G_USEC_PER_SEC)
#define MAX_LEFT_USER 4  /* threads left behind, or one that computes; of one user a few more where several were read at once */
#define MAX_LEFT      32 /* in all; beyond it, no processes of users are read who have one left behind */
#define MAX_ALL_LEFT  80 /* beyond it, nobody’s but root’s and one’s own; of the unit’s 128 threads some 40 do other work */

/* A user whose processes have kept a thread waiting */
typedef struct
{
  guint32 uid;
  gint64 quiet_until_us;
} Nuisance;

typedef struct
{
  gconstpointer runner; /* It belongs to its thread. */
  FpProcessId id;
  guint32 uid;
  gboolean is_computing; /* instead of standing still */
} Absent;

static struct
{
  GMutex mutex; /* the last one to be taken */
  GArray *left;
  GArray *nuisances;
  GHashTable *costs; /* uid → µs of CPU time */
} absence;

/* A reader that does not know the start time of a process yet asks with 0. */
static FpErrandVerdict
judge (const FpProcessId *id,
       guint32 uid)
{
  guint n_left = 0;
  gboolean is_computing = FALSE;

  for (guint i = 0; absence.left && i < absence.left->len; i++)
    {
      const Absent *absent = &g_array_index (absence.left, Absent, i);

      if (absent->id.pid == id->pid &&
          (absent->id.start_ticks == id->start_ticks || absent->id.start_ticks == 0 || id->start_ticks == 0))
        return FP_ERRAND_REFUSED;
      n_left += absent->uid == uid;
      is_computing |= absent->uid == uid && absent->is_computing;
    }
  if (n_left >= MAX_LEFT_USER ||
      (absence.left && absence.left->len >= (n_left > 0 ? MAX_LEFT : MAX_ALL_LEFT) && uid != 0 && uid != getuid ()))
    return FP_ERRAND_REFUSED;
  if (is_computing)
    return FP_ERRAND_SPENT;
  for (guint i = 0; absence.nuisances && i < absence.nuisances->len; i++)
    {
      const Nuisance *nuisance = &g_array_index (absence.nuisances, Nuisance, i);

      if (nuisance->uid == uid && g_get_monotonic_time () < nuisance->quiet_until_us)
        return FP_ERRAND_LATER;
    }
  return FP_ERRAND_ALLOWED;
}

/* Whether a process may be read now. */
FpErrandVerdict
fp_absence_judge (const FpProcessId *id,
                  guint32 uid)
{
  FpErrandVerdict verdict;

  g_mutex_lock (&absence.mutex);
  verdict = judge (id, uid);
  g_mutex_unlock (&absence.mutex);
  return verdict;
}

/* Returns until when the user is let alone; 0: there is nothing to remember. */
static gint64
take_nuisance (guint32 uid,
               gint64 now_us)
{
  gint64 quiet_until_us = 0;

  for (guint i = absence.nuisances ? absence.nuisances->len : 0; i > 0; i--)
    {
      const Nuisance known = g_array_index (absence.nuisances, Nuisance, i - 1);
      gboolean is_forgotten = known.quiet_until_us + MEMORY_US <= now_us;

      if (known.uid == uid && !is_forgotten)
        quiet_until_us = known.quiet_until_us;
      if (known.uid == uid || is_forgotten)
        g_array_remove_index_fast (absence.nuisances, i - 1);
    }
  return quiet_until_us;
}

static void
add_nuisance (guint32 uid,
              gint64 quiet_until_us)
{
  const Nuisance nuisance = { uid, quiet_until_us };

  if (!absence.nuisances)
    absence.nuisances = g_array_new (FALSE, FALSE, sizeof (Nuisance));
  g_array_append_val (absence.nuisances, nuisance);
}

/* One process costs the others of its user nothing. From the second one on they are let alone for a multiple of the time
 * for which everybody waited, so that other users lose little by it. */
void
fp_absence_blame (guint32 uid,
                  gint64 waited_us)
{
  gint64 now_us = g_get_monotonic_time (), known_us, quiet_until_us = now_us;

  g_mutex_lock (&absence.mutex);
  known_us = take_nuisance (uid, now_us);
  if (known_us > 0)
    quiet_until_us = MAX (known_us, MIN (MAX (now_us, known_us) + waited_us * QUIET_TIMES, now_us + MEMORY_US));
  add_nuisance (uid, quiet_until_us);
  g_mutex_unlock (&absence.mutex);
}

/* The thread of this runner was left behind. */
void
fp_absence_begin (gconstpointer runner,
                  const FpProcessId *id,
                  guint32 uid,
                  gboolean is_computing)
{
  Absent absent = { runner, *id, uid, is_computing };

  g_mutex_lock (&absence.mutex);
  if (!absence.left)
    absence.left = g_array_new (FALSE, FALSE, sizeof (Absent));
  g_array_append_val (absence.left, absent);
  g_mutex_unlock (&absence.mutex);
}

/* It has come back. A walk that nobody could end has no longest time, and however long it computed, its user has no more of the
 * processors by the next one than by short ones. */
void
fp_absence_end (gconstpointer runner,
                guint64 computed_us)
{
  gint64 now_us = g_get_monotonic_time (), known_us;

  g_mutex_lock (&absence.mutex);
  for (guint i = absence.left->len; i > 0; i--)
    {
      const Absent absent = g_array_index (absence.left, Absent, i - 1);

      if (absent.runner != runner)
        continue;
      g_array_remove_index_fast (absence.left, i - 1);
      if (!absent.is_computing)
        continue;
      known_us = take_nuisance (absent.uid, now_us);
      add_nuisance (absent.uid, MAX (now_us, known_us) + (gint64)computed_us * QUIET_TIMES);
    }
  g_mutex_unlock (&absence.mutex);
}

/* Returns until when some user is let alone. A program that ends before forgets it. */
gint64
fp_absence_get_end (void)
{
  gint64 end_us = 0;

  g_mutex_lock (&absence.mutex);
  for (guint i = 0; absence.nuisances && i < absence.nuisances->len; i++)
    end_us = MAX (end_us, g_array_index (absence.nuisances, Nuisance, i).quiet_until_us);
  for (guint i = 0; absence.left && i < absence.left->len; i++)
    end_us = g_array_index (absence.left, Absent, i).is_computing ? G_MAXINT64 : end_us;
  g_mutex_unlock (&absence.mutex);
  return end_us;
}

/* The user of the process pays, whose process made it late: whoever waited has long gone on. */
void
fp_absence_add_cost (guint32 uid,
                     guint64 cost_us)
{
  gpointer key = GUINT_TO_POINTER (uid);

  g_mutex_lock (&absence.mutex);
  if (!absence.costs)
    absence.costs = g_hash_table_new (NULL, NULL);
  cost_us += GPOINTER_TO_SIZE (g_hash_table_lookup (absence.costs, key));
  g_hash_table_insert (absence.costs, key, GSIZE_TO_POINTER (cost_us));
  g_mutex_unlock (&absence.mutex);
}

/* Returns what was added since the last time. */
guint64
fp_absence_take_cost (guint32 uid)
{
  gpointer cost_us = NULL;

  g_mutex_lock (&absence.mutex);
  if (absence.costs)
    g_hash_table_steal_extended (absence.costs, GUINT_TO_POINTER (uid), NULL, &cost_us);
  g_mutex_unlock (&absence.mutex);
  return GPOINTER_TO_SIZE (cost_us);
}
