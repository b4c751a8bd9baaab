// SPDX-License-Identifier: GPL-3.0-or-later
/* The cost of the open window on a machine that runs N desktop-sized or N sleeping processes,
 * and that of GNOME's system monitor beside it, where that is installed. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "bench-child.h"
#include "bench-machine.h"
#include "bench-report.h"
#include "test-machine.h"
#include "ui-driver.h"

#define WARM_UP_MS    15000
#define HIDDEN_MS     10000
#define MIB           (G_GUINT64_CONSTANT (1) << 20)
#define ANONYMOUS_MIB 9 /* of a desktop-sized process, with what is shared after a fork counted twice */

typedef struct
{
  guint n;
  guint ms;
} Bench;

static double
measure_cpu (GPid pid,
             guint ms)
{
  double start = bench_get_cpu_ms (pid);

  ui_pause (ms);
  return (bench_get_cpu_ms (pid) - start) / ms * 100;
}

static void
measure_ours (const Bench *self,
              double goal)
{
  g_auto (Ui) ui = { 0 };
  guint64 reads;
  double cpu;

  ui_start (&ui, (const char *const[]){ g_getenv ("FOOTPRINT"), NULL }, NULL);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Memory: *");
  ui_pause (WARM_UP_MS);
  bench_report ("Footprint, window open, every 2 s", measure_cpu (ui.pid, self->ms), goal, "%");
  ui_minimize (&ui, TRUE);
  ui_pause (2000);
  reads = ui_count_read (&ui);
  cpu = measure_cpu (ui.pid, HIDDEN_MS);
  bench_report ("Footprint, hidden", cpu, 0.1, "%");
  bench_report ("Footprint, hidden, bytes read of any file in 10 s", (double)(ui_count_read (&ui) - reads), 0, "");
  ui_stop (&ui);
}

static void
end_with_parent (gpointer data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

static GPid
spawn (const char *const *argv)
{
  g_autoptr (GError) error = NULL;
  GPid pid;

  if (!g_spawn_async (NULL, (char **)argv, NULL,
                      G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, end_with_parent,
                      NULL, &pid, &error))
    g_error ("%s", error->message);
  return pid;
}

static void
stop (GPid pid)
{
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
}

/* All processes, as we do. */
static void
set_other (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "glib-2.0", "settings", NULL);
  g_autofree char *file = g_build_filename (folder, "keyfile", NULL);
  g_autoptr (GError) error = NULL;

  g_mkdir_with_parents (folder, 0700);
  if (!g_file_set_contents (file, "[org/gnome/gnome-system-monitor]\nshow-whose-processes='all'\n", -1, &error))
    g_error ("%s", error->message);
  g_setenv ("GSETTINGS_BACKEND", "keyfile", TRUE);
}

static void
measure_other (const Bench *self)
{
  g_autofree char *found = g_find_program_in_path ("gnome-system-monitor");
  GPid pid;

  if (!found)
    {
      g_print ("  gnome-system-monitor is not installed\n");
      return;
    }
  pid = spawn ((const char *const[]){ found, "--show-processes-tab", NULL });
  ui_pause (WARM_UP_MS);
  g_print ("  %-52s %8.2f %%\n", "gnome-system-monitor, every 3 s", measure_cpu (pid, self->ms));
  stop (pid);
}

static void
measure (const Bench *self,
         double goal)
{
  measure_ours (self, goal);
  measure_other (self);
}

/* The processes have less memory of their own where not all of it has room. */
static void
measure_desktop (const Bench *self)
{
  guint64 room = test_get_available () * 2 / 3 / MIB, wanted = (guint64)self->n * ANONYMOUS_MIB;
  guint percent = (guint)MIN (room * 100 / wanted, 100);
  g_autofree char *command = g_strdup_printf ("bench-population %u --anonymous %u", self->n, percent);
  BenchChild population;

  bench_child_start (&population, command);
  g_print ("%u desktop-sized processes, with %u %% of their own memory\n", self->n, percent);
  measure (self, 4);
  bench_child_stop (&population);
}

static void
measure_sleeping (const Bench *self)
{
  g_autofree GPid *pids = g_new (GPid, self->n);

  for (guint i = 0; i < self->n; i++)
    pids[i] = spawn ((const char *const[]){ "sleep", "86400", NULL });
  g_print ("%u sleeping processes\n", self->n);
  measure (self, 2);
  for (guint i = 0; i < self->n; i++)
    stop (pids[i]);
}

/* [--seconds S] N */
int
main (int argc,
      char *argv[])
{
  Bench self = { .n = 1000, .ms = 30000 };

  setvbuf (stdout, NULL, _IOLBF, 0);
  set_other ();
  for (int i = 1; i < argc; i++)
    {
      if (g_str_equal (argv[i], "--seconds") && argv[i + 1])
        self.ms = (guint)atoi (argv[++i]) * 1000;
      else
        self.n = (guint)atoi (argv[i]);
    }
  measure_sleeping (&self);
  measure_desktop (&self);
  return 0;
}
