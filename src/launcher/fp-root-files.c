// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>

#include "fp-root-files.h"

/* A symbolic link is not followed: what it leads through would have to be checked as well. */
static gboolean
is_roots_own (const char *path,
              GError **error)
{
  struct stat st;

  if (lstat (path, &st) != 0)
    {
      if (errno == ENOENT)
        return TRUE;
      /* Translators: a file, and why */
      g_set_error (error, G_FILE_ERROR, (gint)g_file_error_from_errno (errno), _ ("%s can’t be looked at: %s"), path,
                   g_strerror (errno));
      return FALSE;
    }
  if (S_ISLNK (st.st_mode))
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_LOOP, _ ("%s is a symbolic link, which is not followed"), path);
  else if (!S_ISREG (st.st_mode) && !S_ISDIR (st.st_mode))
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _ ("%s is neither a file nor a folder"), path);
  else if (st.st_uid != 0 || (st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_PERM, _ ("%s could be changed by others than root"), path);
  else
    return TRUE;
  return FALSE;
}

static gboolean
check_path (const char *path,
            GError **error)
{
  for (const char *end = path; end; end = strchr (end + 1, '/'))
    {
      g_autofree char *part = end == path ? g_strdup ("/") : g_strndup (path, (gsize)(end - path));

      if (!is_roots_own (part, error))
        return FALSE;
    }
  return is_roots_own (path, error);
}

/* TRUE: only root can change the program, the loader and the libraries' folders that the command names, and the folders
 * above them. FALSE: that is not certain; the error names the first path. */
gboolean
fp_root_files_check (const char *const *command,
                     GError **error)
{
  if (!g_path_is_absolute (command[0]))
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _ ("%s is no absolute path"), command[0]);
      return FALSE;
    }
  for (guint i = 0; command[i]; i++)
    {
      g_auto (GStrv) paths = g_strsplit (command[i], ":", -1);

      for (guint j = 0; paths[j]; j++)
        if (g_path_is_absolute (paths[j]) && !check_path (paths[j], error))
          return FALSE;
    }
  return TRUE;
}
