// SPDX-License-Identifier: GPL-3.0-or-later
/* The cost of the views Groups and System beyond the list of processes, each second, on a machine with N control groups that have a
 * process each. Needs root, and cgroup v2; without its memory controller the groups have pressure and events alone. */
#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench-machine.h"
#include "bench-report.h"
#include "fp-control-tree.h"
#include "fp-mounts.h"
#include "ui-driver.h"

#define WARM_UP_MS 20000
#define GOAL       0.3 /* percent of a processor */

typedef struct
{
  guint n;
  guint ms;
  char *folder; /* of the groups */
  GPid *pids;
} Bench;

static char *
name_group (const Bench *self,
            guint i)
{
  return g_strdup_printf ("%s/service-%u.service", self->folder, i);
}

static gboolean
make_groups (Bench *self)
{
  g_autofree char *text = NULL, *prefix = NULL, *root = NULL;
  g_autoptr (GArray) mounts = NULL;

  if (!g_file_get_contents ("/proc/self/mountinfo", &text, NULL, NULL))
    return FALSE;
  mounts = fp_mounts_parse (text);
  root = fp_control_tree_find_mount (mounts, &prefix);
  if (!root)
    return FALSE;
  self->folder = g_strdup_printf ("%s/footprint-bench-%d.slice", root, (int)getpid ());
  if (mkdir (self->folder, 0755) != 0)
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    {
      g_autofree char *group = name_group (self, i), *procs = g_build_filename (group, "cgroup.procs", NULL);
      g_autofree char *number = NULL;
      g_autoptr (GError) error = NULL;
      FILE *file;

      if (mkdir (group, 0755) != 0 ||
          !g_spawn_async (NULL, (char *[]){ (char *)"sleep", (char *)"86400", NULL }, NULL,
                          G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &self->pids[i], &error))
        g_error ("%s: %s", group, error ? error->message : g_strerror (errno));
      if (!(file = fopen (procs, "w")) || fprintf (file, "%d", self->pids[i]) < 0 || fclose (file) != 0)
        g_error ("%s: %s", procs, g_strerror (errno));
    }
  return TRUE;
}

static void
remove_groups (Bench *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      g_autofree char *group = name_group (self, i);

      kill (self->pids[i], SIGKILL);
      waitpid (self->pids[i], NULL, 0);
      while (rmdir (group) != 0 && errno == EBUSY)
        g_usleep (1000);
    }
  rmdir (self->folder);
}

static void
set_interval (void)
{
  static const char text[] = "[io/github/footprint_app/Footprint]\ninterval='one'\n";
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "glib-2.0", "settings", NULL);
  g_autofree char *file = g_build_filename (folder, "keyfile", NULL);

  if (g_mkdir_with_parents (folder, 0700) != 0 || !g_file_set_contents (file, text, -1, NULL))
    g_error ("%s can't be written", file);
}

static double
measure_view (const Bench *self,
              const char *view)
{
  g_auto (Ui) ui = { 0 };
  double start;

  ui_start (&ui, (const char *const[]){ g_getenv ("FOOTPRINT"), "--view", view, NULL },
            (const char *const[]){ "GSETTINGS_BACKEND=keyfile", NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Memory: *");
  ui_pause (WARM_UP_MS);
  start = bench_get_cpu_ms (ui.pid);
  ui_pause (self->ms);
  start = (bench_get_cpu_ms (ui.pid) - start) / self->ms * 100;
  ui_stop (&ui);
  return start;
}

/* [--seconds S] N */
int
main (int argc,
      char *argv[])
{
  Bench self = { .n = 300, .ms = 60000 };
  double list;

  setvbuf (stdout, NULL, _IOLBF, 0);
  for (int i = 1; i < argc; i++)
    {
      if (g_str_equal (argv[i], "--seconds") && argv[i + 1])
        self.ms = (guint)atoi (argv[++i]) * 1000;
      else
        self.n = (guint)atoi (argv[i]);
    }
  self.pids = g_new0 (GPid, self.n);
  if (!make_groups (&self))
    {
      g_printerr ("groups: needs root, and control groups of version 2\n");
      return 0;
    }
  set_interval ();
  list = measure_view (&self, "processes");
  g_print ("%u control groups with a process each, every second; the list of processes costs %.2f %%\n", self.n, list);
  bench_report ("Groups, beyond the list", measure_view (&self, "groups") - list, GOAL, "%");
  bench_report ("System, beyond the list", measure_view (&self, "system") - list, GOAL, "%");
  remove_groups (&self);
  return 0;
}
