// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint-helper"
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "fp-root-files.h"

/* A symbolic link is not followed: what it leads through would have to be checked as well. */
static gboolean
is_roots_own (const char *path)
{
  struct stat st;

  if (lstat (path, &st) != 0)
    return errno == ENOENT;
  return st.st_uid == 0 && (st.st_mode & (S_IWGRP | S_IWOTH)) == 0 && (S_ISREG (st.st_mode) || S_ISDIR (st.st_mode));
}

static gboolean
check_path (const char *path,
            char **culprit)
{
  for (const char *end = path; end; end = strchr (end + 1, '/'))
    {
      g_autofree char *part = end == path ? g_strdup ("/") : g_strndup (path, (gsize)(end - path));

      if (!is_roots_own (part))
        {
          *culprit = g_steal_pointer (&part);
          return FALSE;
        }
    }
  if (is_roots_own (path))
    return TRUE;
  *culprit = g_strdup (path);
  return FALSE;
}

/* Nobody but root can change what runs: not the program, the loader or the libraries' folders that the command names,
 * and no folder above them. culprit: the first that somebody could */
gboolean
fp_root_files_check (const char *const *command,
                     char **culprit)
{
  *culprit = NULL;
  if (!g_path_is_absolute (command[0]))
    {
      *culprit = g_strdup (command[0]);
      return FALSE;
    }
  for (guint i = 0; command[i]; i++)
    {
      g_auto (GStrv) paths = g_strsplit (command[i], ":", -1);

      for (guint j = 0; paths[j]; j++)
        if (g_path_is_absolute (paths[j]) && !check_path (paths[j], culprit))
          return FALSE;
    }
  return TRUE;
}
