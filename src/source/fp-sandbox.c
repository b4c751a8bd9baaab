// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <gio/gio.h>
#include <link.h>
#include <stdlib.h>

#include "fp-sandbox.h"

#define GROUP "Instance"

FpSandbox *
fp_sandbox_new (const char *info_path,
                GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (FpSandbox) self = g_new0 (FpSandbox, 1);

  if (!g_key_file_load_from_file (file, info_path, G_KEY_FILE_NONE, error) ||
      !(self->app_path = g_key_file_get_string (file, GROUP, "app-path", error)) ||
      !(self->runtime_path = g_key_file_get_string (file, GROUP, "runtime-path", error)))
    return NULL;
  return g_steal_pointer (&self);
}

void
fp_sandbox_free (FpSandbox *self)
{
  g_free (self->app_path);
  g_free (self->runtime_path);
  g_free (self);
}

/* NULL: what is neither the application's nor the runtime's has no place there. */
static char *
find_outside (const FpSandbox *self,
              const char *path)
{
  if (g_str_has_prefix (path, "/app/"))
    return g_strconcat (self->app_path, path + strlen ("/app"), NULL);
  if (g_str_has_prefix (path, "/usr/"))
    return g_strconcat (self->runtime_path, path + strlen ("/usr"), NULL);
  return NULL;
}

static int
find_interpreter_cb (struct dl_phdr_info *info,
                     size_t size,
                     void *data)
{
  for (guint i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_INTERP)
      {
        *(char **)data = realpath ((const char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), NULL);
        break;
      }
  return 1; /* the program comes first */
}

/* By the runtime's own loader and libraries: the host may have another libc, an older one, or none where it is looked
 * for. NULL: this process was not started by the runtime's */
char **
fp_sandbox_make_command (const FpSandbox *self,
                         const char *program)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *program_outside = find_outside (self, program);
  g_autofree char *loader = NULL, *folder = NULL, *triplet = NULL, *libraries = NULL;
  char *path = NULL;

  dl_iterate_phdr (find_interpreter_cb, &path);
  if (path)
    loader = find_outside (self, path);
  free (path);
  if (!loader || !program_outside)
    return NULL;
  folder = g_path_get_dirname (loader);
  triplet = g_path_get_basename (folder);
  libraries = g_strdup_printf ("%s:%s/lib:%s/lib/%s:%s/lib", folder, self->runtime_path, self->app_path, triplet,
                               self->app_path);
  g_strv_builder_add_many (builder, loader, "--library-path", libraries, program_outside, "--stdio", NULL);
  return g_strv_builder_end (builder);
}
