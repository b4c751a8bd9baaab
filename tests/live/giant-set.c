// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "giant-set.h"
#include "live-process.h"

#define MIB ((guint64)1024 * 1024)

void
giant_set_init (GiantSet *self,
                guint64 unit)
{
  *self = (GiantSet){ .unit = unit, .programs = g_ptr_array_new () };
}

static void
add (GiantSet *self,
     const char *name,
     gint pid,
     guint64 step)
{
  g_assert_cmpuint (self->n, <, G_N_ELEMENTS (self->giants));
  self->giants[self->n++] = (Giant){ name, pid, step };
}

static void
become_nobody_cb (gpointer data)
{
  live_become_nobody ();
}

static void
start_as (GiantSet *self,
          GSpawnChildSetupFunc set_up,
          const char *mode,
          guint64 size,
          guint64 n,
          guint64 step)
{
  g_autofree char *mib = g_strdup_printf ("%" G_GUINT64_FORMAT, size * self->unit / 100 / MIB);
  g_autofree char *number = g_strdup_printf ("%" G_GUINT64_FORMAT, n);
  const char *const argv[] = { g_getenv ("FOOTPRINT_GIANT"), mode, mib, number, NULL };
  g_autoptr (GError) error = NULL;
  char line[6];
  GPid pid;
  int out;

  g_spawn_async_with_pipes (NULL, (char **)argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, set_up, NULL, &pid, NULL, &out, NULL,
                            &error);
  g_assert_no_error (error);
  g_assert_cmpint (read (out, line, sizeof line), ==, sizeof line);
  close (out);
  g_ptr_array_add (self->programs, GINT_TO_POINTER (pid));
  add (self, mode, pid, step);
}

/* size: in hundredths of a unit */
void
giant_set_start_one (GiantSet *self,
                     const char *mode,
                     guint64 size,
                     guint64 n,
                     guint64 step)
{
  start_as (self, NULL, mode, size, n, step);
}

static void
start_workload (GiantSet *self,
                const char *mode,
                const char *arguments,
                const char *const *roles)
{
  Workload *workload = &self->workloads[self->n_workloads];
  g_autofree char *command = g_strconcat (mode, " ", arguments, NULL);

  if (!workload_start (workload, command))
    return;
  self->n_workloads++;
  for (guint i = 0; roles[i]; i++)
    add (self, mode, workload_get_pid (workload, roles[i]), 0);
}

/* has_nobody: some of them are another user's, for which the test has to be root. */
void
giant_set_start_programs (GiantSet *self,
                          gboolean has_nobody)
{
  const guint64 n_pieces = self->unit > 200 * MIB ? 400 : 40, churned = 600 * self->unit / 100;
  GSpawnChildSetupFunc set_up = has_nobody ? become_nobody_cb : NULL;

  start_as (self, NULL, "grow", 150, 5, MIB);
  start_as (self, set_up, "sleep", 300, 0, 0);
  start_as (self, NULL, "churn", 600, n_pieces, churned / MIN (n_pieces, 100));
  start_as (self, set_up, "one", 400, 0, MIB);
  start_as (self, NULL, "huge", 200, 0, MIB);
}

/* The workloads share memory, and half of one is in swap. */
void
giant_set_start_workloads (GiantSet *self)
{
  const guint64 mib = self->unit / MIB;
  g_autofree char *shared = g_strdup_printf ("4 %" G_GUINT64_FORMAT, 2 * mib);
  g_autofree char *forked = g_strdup_printf ("3 %" G_GUINT64_FORMAT " 1", 2 * mib);
  g_autofree char *swapped = g_strdup_printf ("%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, mib, 2 * mib);

  start_workload (self, "shm", shared, (const char *const[]){ "parent", "child0", "child1", "child2", NULL });
  start_workload (self, "fork", forked, (const char *const[]){ "parent", "child0", "child1", NULL });
  start_workload (self, "swapfile", swapped, (const char *const[]){ "parent", NULL });
}

void
giant_set_stop (GiantSet *self)
{
  for (guint i = 0; i < self->programs->len; i++)
    {
      kill (GPOINTER_TO_INT (self->programs->pdata[i]), SIGKILL);
      waitpid (GPOINTER_TO_INT (self->programs->pdata[i]), NULL, 0);
    }
  for (guint i = 0; i < self->n_workloads; i++)
    workload_stop (&self->workloads[i]);
  g_ptr_array_unref (self->programs);
}
