// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "fp-file-state.h"
#include "fp-open-files.h"
#include "fp-scan.h"
#include "fp-strings.h"

#define MEMFD     "/memfd:"
#define DMABUF    "/dmabuf:"
#define NAME_SIZE 256
#define LINK_SIZE 4200

guint
fp_file_key_hash (gconstpointer data)
{
  const FpFileKey *key = data;

  return (guint)(key->inode ^ key->inode >> 32) * 31 + (guint)key->device;
}

gboolean
fp_file_key_equal (gconstpointer a,
                   gconstpointer b)
{
  const FpFileKey *x = a, *y = b;

  return x->inode == y->inode && x->device == y->device;
}

static void
file_clear (gpointer data)
{
  g_free (((FpOpenFile *)data)->name);
}

/* Neither asks a server, nor opens or mounts anything: the link may lead to any file system. */
static gboolean
look (int dir,
      const char *path,
      struct statx *status)
{
  return statx (dir, path, AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, STATX_BASIC_STATS, status) == 0 &&
         S_ISREG (status->stx_mode);
}

static FpFileKey
make_key (const struct statx *status)
{
  return (FpFileKey){ makedev (status->stx_dev_major, status->stx_dev_minor), status->stx_ino };
}

static gboolean
has_file (const FpOpenFiles *self,
          const FpFileKey *key)
{
  for (guint i = 0; i < self->files->len; i++)
    if (fp_file_key_equal (&g_array_index (self->files, FpOpenFile, i).key, key))
      return TRUE;
  return FALSE;
}

static void
add_file (FpOpenFiles *self,
          int fd_dir,
          const char *number,
          const char *link,
          GHashTable *homes)
{
  FpOpenFile file = { .number = atoi (number) };
  char name[NAME_SIZE];
  struct statx status;

  if (!look (fd_dir, number, &status) || status.stx_nlink != 0)
    return;
  file.key = make_key (&status);
  file.home = (FpFileHome)GPOINTER_TO_INT (g_hash_table_lookup (homes, &file.key.device));
  if (file.home == 0 || has_file (self, &file.key))
    return;
  if ((file.home == FP_HOME_MEMFD || file.home == FP_HOME_HUGE_MEMFD) && g_str_has_prefix (link, MEMFD))
    link += strlen (MEMFD);
  fp_text_clean (name, sizeof name, link, strlen (link) - strlen (FP_DELETED));
  file.name = g_strdup (name);
  file.used = status.stx_blocks * 512;
  g_array_append_val (self->files, file);
}

static gboolean
read_graphics (FpOpenGraphics *self,
               int process_dir,
               FpGraphicsKind kind)
{
  g_autofree char *path = g_strdup_printf ("fdinfo/%d", self->number);
  char text[8192];
  gssize length = fp_read_at (process_dir, path, text, sizeof text);

  if (length <= 0)
    return FALSE;
  return kind == FP_GRAPHICS_DRM ? fp_graphics_parse_client (&self->graphics, text, (gsize)length)
                                 : fp_graphics_parse_buffer (&self->graphics, text, (gsize)length);
}

static void
add_graphics (FpOpenFiles *self,
              int process_dir,
              const char *number,
              FpGraphicsKind kind)
{
  FpOpenGraphics entry = { .number = atoi (number) };

  if (!read_graphics (&entry, process_dir, kind))
    return;
  for (guint i = 0; i < self->graphics->len; i++)
    if (fp_graphics_is_same (&g_array_index (self->graphics, FpOpenGraphics, i).graphics, &entry.graphics))
      return;
  g_array_append_val (self->graphics, entry);
}

static void
add_descriptor (FpOpenFiles *self,
                int process_dir,
                int fd_dir,
                const char *number,
                const char *link,
                GHashTable *homes)
{
  if (g_str_has_prefix (link, "/dev/dri/") || g_str_has_prefix (link, "/dev/accel/"))
    add_graphics (self, process_dir, number, FP_GRAPHICS_DRM);
  else if (g_str_has_prefix (link, DMABUF))
    add_graphics (self, process_dir, number, FP_GRAPHICS_DMABUF);
  else if (g_str_has_suffix (link, FP_DELETED))
    add_file (self, fd_dir, number, link, homes);
}

static gboolean
read_descriptors (FpOpenFiles *self,
                  int process_dir,
                  GHashTable *homes)
{
  int fd_dir = openat (process_dir, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = fd_dir >= 0 ? fdopendir (fd_dir) : NULL;
  struct dirent *entry;
  char link[LINK_SIZE];

  if (!dir)
    return FALSE;
  while ((entry = readdir (dir)))
    if (g_ascii_isdigit (entry->d_name[0]) && fp_read_link_at (fd_dir, entry->d_name, link, sizeof link) > 0 &&
        link[0] == '/')
      add_descriptor (self, process_dir, fd_dir, entry->d_name, link, homes);
  closedir (dir);
  return TRUE;
}

/* "7f0000000000-7f0000001000 rw-s 00000000 00:01 1234    /memfd:name (deleted)" */
static void
add_mapping (gpointer data,
             const char *line,
             const char *end)
{
  FpOpenFiles *self = data;
  unsigned device_major, device_minor;
  FpFileKey key;

  if ((gsize)(end - line) <= strlen (FP_DELETED) || memcmp (end - strlen (FP_DELETED), FP_DELETED, strlen (FP_DELETED)) != 0)
    return;
  if (sscanf (line, "%*x-%*x %*s %*x %x:%x %" G_GUINT64_FORMAT, &device_major, &device_minor, &key.inode) != 3)
    return;
  key.device = makedev (device_major, device_minor);
  if (self->mapped->len == 0 || !fp_file_key_equal (&key, &g_array_index (self->mapped, FpFileKey, self->mapped->len - 1)))
    g_array_append_val (self->mapped, key);
}

/* A process without shared pages maps none of these files, and its long list of mappings need not be read. */
static gboolean
has_shared_pages (int process_dir)
{
  char text[4096];
  gssize length = fp_read_record_at (process_dir, "status", text, sizeof text);
  const char *cursor = text;
  FpLine line;

  while (length > 0 && fp_scan_line (&cursor, text + length, &line))
    if (fp_line_has_key (&line, "RssShmem"))
      return line.has_value && line.value > 0;
  return FALSE;
}

/* NULL: they may not be read. */
FpOpenFiles *
fp_open_files_read (int process_dir,
                    GHashTable *homes)
{
  FpOpenFiles *self = g_new (FpOpenFiles, 1);
  g_auto (FpFd) maps = -1;

  self->files = g_array_new (FALSE, FALSE, sizeof (FpOpenFile));
  self->mapped = g_array_new (FALSE, FALSE, sizeof (FpFileKey));
  self->graphics = g_array_new (FALSE, FALSE, sizeof (FpOpenGraphics));
  g_array_set_clear_func (self->files, file_clear);
  if (!read_descriptors (self, process_dir, homes))
    {
      fp_open_files_free (self);
      return NULL;
    }
  if (has_shared_pages (process_dir) && (maps = openat (process_dir, "maps", O_RDONLY | O_CLOEXEC)) >= 0)
    fp_read_lines (maps, add_mapping, self);
  return self;
}

void
fp_open_files_free (FpOpenFiles *self)
{
  g_array_unref (self->files);
  g_array_unref (self->mapped);
  g_array_unref (self->graphics);
  g_free (self);
}

/* FALSE: the descriptor is another file's now, or is closed. */
gboolean
fp_open_file_update (FpOpenFile *self,
                     int process_dir)
{
  struct statx status;
  char path[32];
  FpFileKey key;

  g_snprintf (path, sizeof path, "fd/%d", self->number);
  if (!look (process_dir, path, &status))
    return FALSE;
  key = make_key (&status);
  self->used = status.stx_blocks * 512;
  return fp_file_key_equal (&key, &self->key);
}

gboolean
fp_open_graphics_update (FpOpenGraphics *self,
                         int process_dir)
{
  FpOpenGraphics now = { .number = self->number };

  if (!read_graphics (&now, process_dir, self->graphics.kind) || !fp_graphics_is_same (&now.graphics, &self->graphics))
    return FALSE;
  *self = now;
  return TRUE;
}
