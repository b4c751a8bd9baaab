// SPDX-License-Identifier: GPL-3.0-or-later
#include <pthread.h>

#include "bench-report.h"
#include "bench-watchdog.h"

#define PERIOD_US 2000

struct _BenchWatchdog
{
  GThread *thread;
  clockid_t main_clock;
  GMutex mutex;
  GCond answered;
  gboolean is_asked;
  double asked_cpu_ms;
  double longest_cpu_ms; /* the main thread's own, which no other load adds to */
  gint64 longest_us;
  gint is_stopped;
  gint has_ended;
};

static double
get_main_cpu_ms (BenchWatchdog *self)
{
  return bench_read_clock_ms (self->main_clock);
}

static gboolean
answer_cb (gpointer data)
{
  BenchWatchdog *self = data;
  double cpu_ms = get_main_cpu_ms (self);

  g_mutex_lock (&self->mutex);
  self->longest_cpu_ms = MAX (self->longest_cpu_ms, cpu_ms - self->asked_cpu_ms);
  self->is_asked = FALSE;
  g_cond_signal (&self->answered);
  g_mutex_unlock (&self->mutex);
  return G_SOURCE_REMOVE;
}

static gpointer
watch_thread (gpointer data)
{
  BenchWatchdog *self = data;

  while (!g_atomic_int_get (&self->is_stopped))
    {
      gint64 start = g_get_monotonic_time ();

      g_mutex_lock (&self->mutex);
      self->is_asked = TRUE;
      self->asked_cpu_ms = get_main_cpu_ms (self);
      g_idle_add_full (G_PRIORITY_HIGH, answer_cb, self, NULL);
      while (self->is_asked)
        g_cond_wait (&self->answered, &self->mutex);
      self->longest_us = MAX (self->longest_us, g_get_monotonic_time () - start);
      g_mutex_unlock (&self->mutex);
      g_usleep (PERIOD_US);
    }
  g_atomic_int_set (&self->has_ended, 1);
  return NULL;
}

/* From the main thread */
BenchWatchdog *
bench_watchdog_new (void)
{
  BenchWatchdog *self = g_new0 (BenchWatchdog, 1);

  pthread_getcpuclockid (pthread_self (), &self->main_clock);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->answered);
  self->thread = g_thread_new ("watchdog", watch_thread, self);
  return self;
}

void
bench_watchdog_stop (BenchWatchdog *self,
                     double *longest_ms,
                     double *longest_cpu_ms)
{
  g_atomic_int_set (&self->is_stopped, 1);
  while (!g_atomic_int_get (&self->has_ended))
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (PERIOD_US);
  g_thread_join (self->thread);
  *longest_ms = (double)self->longest_us / 1e3;
  *longest_cpu_ms = self->longest_cpu_ms;
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->answered);
  g_free (self);
}
