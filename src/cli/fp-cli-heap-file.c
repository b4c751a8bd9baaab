// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "fp-cli-heap-file.h"
#include "fp-cli-terminal.h"

#define QUIET_US (G_USEC_PER_SEC / 2)

/* Ctrl+C cancels as ever; how far it is shows where it takes long. */
static gboolean
step_cb (guint64 position,
         guint64 whole,
         gpointer data)
{
  gint64 begin_us = *(gint64 *)data;
  g_autofree char *words = NULL, *line = NULL;

  if (g_get_monotonic_time () - begin_us < QUIET_US || !isatty (STDERR_FILENO))
    return TRUE;
  words = whole > 0 ? g_strdup_printf (_ ("Reading: %.0f %%"), (double)position * 100 / (double)whole) : g_strdup (C_ ("progress", "Reading"));
  /* At the beginning of the line, of which the rest is cleared */
  line = g_strdup_printf ("\r%s\033[K", words);
  fp_cli_terminal_write_to (STDERR_FILENO, line, strlen (line), NULL);
  return TRUE;
}

/* path: "-" is standard input */
FpHeapProfile *
fp_cli_heap_file_read (const char *path,
                       GError **error)
{
  gboolean is_standard = strcmp (path, "-") == 0;
  int fd = is_standard ? STDIN_FILENO : open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  gint64 begin_us = g_get_monotonic_time ();
  FpHeapProfile *profile;

  if (fd < 0)
    {
      int number = errno;

      /* Translators: a file, and why */
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (number), _ ("Can’t open %s: %s"), path, g_strerror (number));
      return NULL;
    }
  profile = fp_heap_profile_read (fd, step_cb, &begin_us, error);
  if (!is_standard)
    close (fd);
  if (isatty (STDERR_FILENO) && g_get_monotonic_time () - begin_us >= QUIET_US)
    fp_cli_terminal_write_to (STDERR_FILENO, "\r\033[K", 4, NULL);
  if (!profile)
    g_prefix_error (error, "%s: ", path);
  return profile;
}
