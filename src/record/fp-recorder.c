// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glob.h>
#include <string.h>

#include "fp-recorder.h"

/* Free the path. NULL: it is not installed */
char *
fp_recorder_find (const char *root)
{
  static const char *const folders[] = { "usr/lib*", "usr/lib/*", "usr/local/lib*", "usr/local/lib/*" };
  char *path = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (folders) && !path; i++)
    {
      g_autofree char *pattern = g_build_filename (root, folders[i], "heaptrack", "libheaptrack_preload.so", NULL);
      glob_t found;

      if (glob (pattern, 0, NULL, &found) == 0)
        path = g_strdup (found.gl_pathv[0]);
      globfree (&found);
    }
  return path;
}

/* The families of systems that have the package, by ID and ID_LIKE of os-release(5). Gets the command that installs it, or NULL.
 * Free it. */
char *
fp_recorder_find_command (const char *root)
{
  static const struct
  {
    const char *family, *command;
  } commands[] = {
    { "debian", "sudo apt install heaptrack" },
    { "ubuntu", "sudo apt install heaptrack" },
    { "arch", "sudo pacman -S heaptrack" },
    { "suse", "sudo zypper install heaptrack" },
  };
  g_autofree char *path = g_build_filename (root, "etc", "os-release", NULL), *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++)
    {
      if (!g_str_has_prefix (lines[i], "ID=") && !g_str_has_prefix (lines[i], "ID_LIKE="))
        continue;
      for (guint j = 0; j < G_N_ELEMENTS (commands); j++)
        if (strstr (lines[i], commands[j].family))
          return g_strdup (commands[j].command);
    }
  return NULL;
}
