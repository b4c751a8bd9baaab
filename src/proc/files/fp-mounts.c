// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <fcntl.h>
#include <string.h>

#include "fp-mounts.h"
#include "fp-proc-dir.h"

static gboolean
hides (const char *options)
{
  g_auto (GStrv) words = g_strsplit (options, ",", -1);

  for (char **word = words; *word; word++)
    if (g_str_has_prefix (*word, "hidepid=") && !g_str_equal (*word, "hidepid=0") && !g_str_equal (*word, "hidepid=off"))
      return TRUE;
  return FALSE;
}

/* TRUE if any /proc hides processes, from any user: it may be the one that hides them from this caller. */
gboolean
fp_mounts_parse (const char *mountinfo)
{
  g_auto (GStrv) lines = g_strsplit (mountinfo, "\n", -1);

  for (char **line = lines; *line; line++)
    {
      const char *type = strstr (*line, " - proc ");
      const char *options = type ? strrchr (type, ' ') : NULL;

      if (options && hides (options + 1))
        return TRUE;
    }
  return FALSE;
}

/* The machine's first process sees the mounts of the machine, this one perhaps others: neither may hide anything, and
 * what can't be read might. */
gboolean
fp_mounts_hide_processes (void)
{
  static const char *const paths[] = { "/proc/self/mountinfo", "/proc/1/mountinfo" };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *mountinfo = NULL;

      if (!g_file_get_contents (paths[i], &mountinfo, NULL, NULL) || fp_mounts_parse (mountinfo))
        return TRUE;
    }
  return FALSE;
}

/* Whether a path leads that process and this one to the same file. */
gboolean
fp_mounts_are_shared_with (int process_dir)
{
  char ours[64], theirs[64];

  return fp_read_link_at (AT_FDCWD, "/proc/self/ns/mnt", ours, sizeof ours) > 0 &&
         fp_read_link_at (process_dir, "ns/mnt", theirs, sizeof theirs) > 0 && strcmp (ours, theirs) == 0;
}
