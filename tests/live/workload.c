// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>
#include <sys/wait.h>

#include "workload.h"

static gboolean
take_answer (Workload *self,
             const char *line)
{
  char role[64];
  gint pid;

  if (strcmp (line, "ready") == 0)
    return TRUE;
  if (sscanf (line, "pid %63s %d", role, &pid) == 2)
    g_hash_table_insert (self->pids, g_strdup (role), GINT_TO_POINTER (pid));
  return FALSE;
}

/* FALSE: this machine can't have it; the test is marked as skipped with the reason. */
gboolean
workload_start (Workload *self,
                const char *arguments)
{
  g_autofree char *command = g_strdup_printf ("%s %s", g_getenv ("FOOTPRINT_WORKLOAD"), arguments);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) argv = NULL;
  char line[4096];
  int in, out;

  g_assert_true (g_shell_parse_argv (command, NULL, &argv, &error));
  g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &self->pid, &in, &out, NULL,
                            &error);
  g_assert_no_error (error);
  self->orders = fdopen (in, "w");
  self->answers = fdopen (out, "r");
  self->pids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  while (fgets (line, sizeof line, self->answers))
    {
      g_strchomp (line);
      if (g_str_has_prefix (line, "skip "))
        {
          g_test_skip (line + strlen ("skip "));
          workload_stop (self);
          return FALSE;
        }
      if (take_answer (self, line))
        return TRUE;
    }
  g_error ("the workload “%s” has failed", arguments);
}

gint
workload_get_pid (const Workload *self,
                  const char *role)
{
  gint pid = GPOINTER_TO_INT (g_hash_table_lookup (self->pids, role));

  g_assert_cmpint (pid, >, 0);
  return pid;
}

void
workload_order (Workload *self,
                const char *order,
                const char *answer)
{
  char line[4096];

  fprintf (self->orders, "%s\n", order);
  fflush (self->orders);
  while (fgets (line, sizeof line, self->answers))
    if (strcmp (g_strchomp (line), answer) == 0)
      return;
  g_error ("the workload has ended at “%s”", order);
}

void
workload_stop (Workload *self)
{
  fclose (self->orders);
  waitpid (self->pid, NULL, 0);
  fclose (self->answers);
  g_hash_table_unref (self->pids);
  g_spawn_close_pid (self->pid);
}
