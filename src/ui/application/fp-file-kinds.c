// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>

#include "fp-file-kinds.h"
#include "fp-heap-profile.h"

typedef struct
{
  GPtrArray *files; /* of GFile */
  gboolean *are_profiles;
} Kinds;

static void
kinds_free (gpointer data)
{
  Kinds *self = data;

  g_ptr_array_unref (self->files);
  g_free (self->are_profiles);
  g_free (self);
}

/* A pipe would lose what is read from it here, so only files are looked into. */
static gboolean
is_profile (GFile *file)
{
  const char *path = g_file_peek_path (file);
  int fd = path ? open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
  gboolean is_profile;
  struct stat status;

  if (fd < 0)
    return FALSE;
  is_profile = fstat (fd, &status) == 0 && S_ISREG (status.st_mode) && fp_heap_profile_recognizes (fd);
  g_close (fd, NULL);
  return is_profile;
}

static void
find_worker (GTask *task,
             gpointer source,
             gpointer data,
             GCancellable *cancellable)
{
  Kinds *self = data;

  for (guint i = 0; i < self->files->len; i++)
    self->are_profiles[i] = is_profile (g_ptr_array_index (self->files, i));
  g_task_return_boolean (task, TRUE);
}

void
fp_file_kinds_find_async (GFile **files,
                          gint n,
                          GAsyncReadyCallback callback,
                          gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, data);
  Kinds *self = g_new (Kinds, 1);

  *self = (Kinds){ g_ptr_array_new_with_free_func (g_object_unref), g_new0 (gboolean, n) };
  for (gint i = 0; i < n; i++)
    g_ptr_array_add (self->files, g_object_ref (files[i]));
  g_task_set_source_tag (task, fp_file_kinds_find_async);
  g_task_set_task_data (task, self, kinds_free);
  g_task_run_in_thread (task, find_worker);
}

/* Gives the files and, for each, whether it is a profile. The result owns both. */
GPtrArray *
fp_file_kinds_finish (GAsyncResult *result,
                      const gboolean **are_profiles)
{
  Kinds *self = g_task_get_task_data (G_TASK (result));

  g_task_propagate_boolean (G_TASK (result), NULL);
  *are_profiles = self->are_profiles;
  return self->files;
}
