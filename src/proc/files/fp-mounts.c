// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "fp-mounts.h"

#define MAX_TEXT (4 << 20)

static void
mount_clear (gpointer data)
{
  FpMount *mount = data;

  g_free (mount->root);
  g_free (mount->point);
  g_free (mount->type);
  g_free (mount->options);
}

/* "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue"; blanks in names are in octal. */
static gboolean
parse_line (FpMount *mount,
            const char *line)
{
  const char *separator = strstr (line, " - ");
  unsigned device_major, device_minor;
  int names_at = 0;
  g_auto (GStrv) names = NULL;
  g_auto (GStrv) system = NULL;

  if (!separator || sscanf (line, "%d %d %u:%u %n", &mount->id, &mount->parent, &device_major, &device_minor, &names_at) < 4)
    return FALSE;
  names = g_strsplit (line + names_at, " ", 3);
  if (g_strv_length (names) < 2 || names[1][0] != '/')
    return FALSE;
  system = g_strsplit (separator + strlen (" - "), " ", 3);
  mount->device = makedev (device_major, device_minor);
  mount->root = g_strcompress (names[0]);
  mount->point = g_strcompress (names[1]);
  mount->type = g_strdup (system[0] ? system[0] : "");
  mount->options = g_strdup (g_strv_length (system) == 3 ? system[2] : "");
  return TRUE;
}

GArray *
fp_mounts_parse (const char *mountinfo)
{
  GArray *mounts = g_array_new (FALSE, FALSE, sizeof (FpMount));

  g_array_set_clear_func (mounts, mount_clear);
  while (*mountinfo)
    {
      const char *end = strchrnul (mountinfo, '\n');
      g_autofree char *line = g_strndup (mountinfo, (gsize)(end - mountinfo));
      FpMount mount;

      if (parse_line (&mount, line))
        g_array_append_val (mounts, mount);
      mountinfo = end + (*end == '\n');
    }
  return mounts;
}

/* Any user can make many mounts in a namespace of his own, and lines of any length. */
GArray *
fp_mounts_read (int process_dir,
                gboolean *is_cut)
{
  g_auto (FpFd) fd = openat (process_dir, "mountinfo", O_RDONLY | O_CLOEXEC);
  g_autoptr (GString) text = NULL;
  char buffer[32768];
  gssize n = 0;

  if (fd < 0)
    return NULL;
  text = g_string_new (NULL);
  while (text->len < MAX_TEXT && (n = read (fd, buffer, sizeof buffer)) > 0)
    g_string_append_len (text, buffer, n);
  if (is_cut)
    *is_cut = n != 0;
  if (n != 0)
    g_string_truncate (text, (gsize)(strrchr (text->str, '\n') ? strrchr (text->str, '\n') - text->str : 0));
  return fp_mounts_parse (text->str);
}

static gboolean
hides (const char *options)
{
  g_auto (GStrv) words = g_strsplit (options, ",", -1);

  for (char **word = words; *word; word++)
    if (g_str_has_prefix (*word, "hidepid=") && !g_str_equal (*word, "hidepid=0") && !g_str_equal (*word, "hidepid=off"))
      return TRUE;
  return FALSE;
}

/* Whether it is a line of a /proc that hides processes. Blanks within names are written otherwise. */
gboolean
fp_mounts_line_hides (const char *line)
{
  FpMount mount;
  gboolean is_hiding;

  if (!strstr (line, " - proc ") || !parse_line (&mount, line))
    return FALSE;
  is_hiding = hides (mount.options);
  mount_clear (&mount);
  return is_hiding;
}

static gboolean
any_line_hides (GString *text)
{
  char *line = text->str, *end;

  for (; (end = strchr (line, '\n')); line = end + 1)
    {
      *end = '\0';
      if (fp_mounts_line_hides (line))
        return TRUE;
    }
  g_string_erase (text, 0, line - text->str);
  return FALSE;
}

/* TRUE if any /proc hides processes, from any user: it may be the one that hides them from this caller. So might what can't be
 * read. Users can make many mounts with long names, so these are passed over. */
gboolean
fp_mounts_hide_at (int process_dir)
{
  g_auto (FpFd) fd = openat (process_dir, "mountinfo", O_RDONLY | O_CLOEXEC);
  g_autoptr (GString) text = g_string_new (NULL);
  char buffer[32768];
  gssize n = -1;

  while (fd >= 0 && text->len < MAX_TEXT && (n = read (fd, buffer, sizeof buffer)) > 0)
    {
      g_string_append_len (text, buffer, n);
      if (any_line_hides (text))
        return TRUE;
    }
  return n != 0;
}

/* The machine's first process sees the mounts of the machine, this one perhaps others: neither may hide anything. */
gboolean
fp_mounts_hide_processes (void)
{
  static const char *const folders[] = { "/proc/self", "/proc/1" };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_auto (FpFd) dir = open (folders[i], O_PATH | O_DIRECTORY | O_CLOEXEC);

      if (dir < 0 || fp_mounts_hide_at (dir))
        return TRUE;
    }
  return FALSE;
}

static guint64
read_namespace (int dir,
                const char *name)
{
  static const char prefix[] = "mnt:[";
  char link[64];

  if (fp_read_link_at (dir, name, link, sizeof link) < 0 || !g_str_has_prefix (link, prefix))
    return 0;
  return g_ascii_strtoull (link + strlen (prefix), NULL, 10);
}

guint64
fp_mounts_get_namespace (int process_dir)
{
  return read_namespace (process_dir, "ns/mnt");
}

/* Whether a path leads that process and this one to the same file. */
gboolean
fp_mounts_are_shared_with (int process_dir)
{
  const guint64 theirs = fp_mounts_get_namespace (process_dir);

  return theirs != 0 && theirs == read_namespace (AT_FDCWD, "/proc/self/ns/mnt");
}

/* A descriptor that may not be had is negative, and such a namespace 0. */
void
fp_file_root_open (FpFileRoot *self,
                   int process_dir)
{
  self->process_dir = fcntl (process_dir, F_DUPFD_CLOEXEC, 0);
  self->folder = openat (process_dir, "root", O_PATH | O_CLOEXEC);
  self->namespace = fp_mounts_get_namespace (process_dir);
}

void
fp_file_root_close (FpFileRoot *self)
{
  if (self->process_dir >= 0)
    close (self->process_dir);
  if (self->folder >= 0)
    close (self->folder);
  *self = (FpFileRoot)FP_FILE_ROOT_INIT;
}
