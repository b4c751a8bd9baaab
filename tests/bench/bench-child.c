// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/wait.h>

#include "bench-child.h"

static const char *
read_answer (BenchChild *self)
{
  if (!fgets (self->line, sizeof self->line, self->answers))
    g_error ("a child of the benchmark has ended early");
  return g_strchomp (self->line);
}

/* command: the name of a program in this folder of the build, with arguments; returns when it is ready. */
void
bench_child_start (BenchChild *self,
                   const char *command)
{
  g_autofree char *path = g_strdup_printf ("%s/%s", g_getenv ("BENCH_DIR"), command);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) argv = NULL;
  int in, out;

  g_shell_parse_argv (path, NULL, &argv, &error);
  g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &self->pid, &in, &out, NULL,
                            &error);
  if (error)
    g_error ("%s", error->message);
  self->orders = fdopen (in, "w");
  self->answers = fdopen (out, "r");
  self->first_pid = 0;
  while (!g_str_has_prefix (read_answer (self), "ready"))
    if (self->first_pid == 0)
      sscanf (self->line, "pid %*s %d", &self->first_pid);
}

const char *
bench_child_order (BenchChild *self,
                   const char *order)
{
  fprintf (self->orders, "%s\n", order);
  fflush (self->orders);
  return read_answer (self);
}

void
bench_child_stop (BenchChild *self)
{
  fclose (self->orders);
  waitpid (self->pid, NULL, 0);
  fclose (self->answers);
}
