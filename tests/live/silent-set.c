// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>
#include <sys/wait.h>

#include "silent-set.h"

static char *
read_line (SilentSet *self)
{
  char line[200];

  if (!fgets (line, sizeof line, self->answers))
    g_error ("the silent processes have ended");
  return g_strchomp (g_strdup (line));
}

gboolean
silent_set_start (SilentSet *self,
                  guint n,
                  uid_t uid)
{
  return silent_set_start_with (self, n, uid, NULL);
}

gboolean
silent_set_start_with (SilentSet *self,
                       guint n,
                       uid_t uid,
                       const char *option)
{
  g_autofree char *count = g_strdup_printf ("%u", n), *user = g_strdup_printf ("%u", uid);
  char *const argv[] = { (char *)g_getenv ("FOOTPRINT_SILENT"), count, user, (char *)option, NULL };
  g_autoptr (GError) error = NULL;
  int in, out;

  *self = (SilentSet){ 0 };
  g_spawn_async_with_pipes (NULL, (char **)argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &self->server, &in, &out, NULL, &error);
  g_assert_no_error (error);
  self->orders = fdopen (in, "w");
  self->answers = fdopen (out, "r");
  for (;;)
    {
      g_autofree char *line = read_line (self);

      if (g_str_equal (line, "ready"))
        return TRUE;
      if (g_str_has_prefix (line, "skip "))
        {
          g_test_skip (line + strlen ("skip "));
          silent_set_stop (self);
          return FALSE;
        }
      g_assert_cmpint (sscanf (line, "pid %d", &self->pids[self->n++]), ==, 1);
    }
}

/* Returns when the next n of them wait for their server. */
void
silent_set_silence (SilentSet *self,
                    guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *line = NULL;

      fputs ("silence\n", self->orders);
      fflush (self->orders);
      line = read_line (self);
      g_assert_true (g_str_has_prefix (line, "silent "));
    }
}

void
silent_set_answer (SilentSet *self)
{
  g_autofree char *line = NULL;

  fputs ("answer\n", self->orders);
  fflush (self->orders);
  line = read_line (self);
  g_assert_cmpstr (line, ==, "answered");
}

void
silent_set_stop (SilentSet *self)
{
  fclose (self->orders);
  g_assert_cmpint (waitpid (self->server, NULL, 0), ==, self->server);
  fclose (self->answers);
}
