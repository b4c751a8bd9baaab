// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include "odd-mappings.h"

void
odd_mappings_start (OddMappings *self)
{
  g_autoptr (GError) error = NULL;

  self->folder = g_dir_make_tmp ("footprint odd-XXXXXX", NULL);
  g_assert_nonnull (self->folder);
  g_spawn_async_with_pipes (NULL, (char *[]){ (char *)g_getenv ("FOOTPRINT_ODD"), self->folder, NULL }, NULL,
                            G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &self->process.pid, &self->process.orders,
                            &self->process.answers, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (read (self->process.answers, &self->list, sizeof self->list), ==, sizeof self->list);
}

void
odd_mappings_stop (OddMappings *self)
{
  g_autoptr (GDir) dir = g_dir_open (self->folder, 0, NULL);
  const char *name;

  live_process_stop (&self->process);
  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (self->folder, name, NULL);

      unlink (path);
    }
  rmdir (self->folder);
  g_free (self->folder);
}
