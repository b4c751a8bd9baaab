// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <link.h>
#include <stdlib.h>

#include "fp-sandbox.h"

#define GROUP "Instance"

static char *
read_path (GKeyFile *file,
           const char *key)
{
  g_autofree char *path = g_key_file_get_string (file, GROUP, key, NULL);

  return path && g_path_is_absolute (path) ? g_steal_pointer (&path) : NULL;
}

/* info_path: what Flatpak says about this process. NULL: it is in none */
FpSandbox *
fp_sandbox_new (const char *info_path)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) error = NULL;
  FpSandbox *self;

  if (!g_file_test (info_path, G_FILE_TEST_EXISTS))
    return NULL;
  if (!g_key_file_load_from_file (file, info_path, G_KEY_FILE_NONE, &error))
    g_message ("%s: %s", info_path, error->message);
  self = g_new0 (FpSandbox, 1);
  self->app_path = read_path (file, "app-path");
  self->runtime_path = read_path (file, "runtime-path");
  return self;
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
  if (g_str_has_prefix (path, "/app/") && self->app_path)
    return g_strconcat (self->app_path, path + strlen ("/app"), NULL);
  if (g_str_has_prefix (path, "/usr/") && self->runtime_path)
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

static char *
find_loader (const FpSandbox *self)
{
  char *path = NULL, *loader = NULL;

  dl_iterate_phdr (find_interpreter_cb, &path);
  if (path)
    loader = find_outside (self, path);
  free (path);
  return loader;
}

/* By the runtime's own loader and libraries: the host may have another libc, an older one, or none where it is looked
 * for. */
char **
fp_sandbox_make_command (const FpSandbox *self,
                         const char *program,
                         GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *program_outside = find_outside (self, program);
  g_autofree char *loader = find_loader (self);
  g_autofree char *folder = NULL, *triplet = NULL, *libraries = NULL;

  if (!loader || !program_outside)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                           _ ("Flatpak does not say where Footprint’s own files are outside of the sandbox"));
      return NULL;
    }
  folder = g_path_get_dirname (loader);
  triplet = g_path_get_basename (folder);
  libraries = g_strdup_printf ("%s:%s/lib:%s/lib/%s:%s/lib", folder, self->runtime_path, self->app_path, triplet,
                               self->app_path);
  g_strv_builder_add_many (builder, loader, "--inhibit-cache", "--library-path", libraries, program_outside, "--stdio",
                           NULL);
  return g_strv_builder_end (builder);
}
