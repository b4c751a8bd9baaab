// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>
#include <sys/vfs.h>

#include "fp-proc-dir.h"
#include "fp-strings.h"
#include "fp-tmpfs.h"

#define PATH_SIZE 1024

gboolean
fp_tmpfs_is_type (const char *type,
                  FpTmpfsKind *kind)
{
  static const struct
  {
    const char *type;
    FpTmpfsKind kind;
  } types[] = {
    { "tmpfs", FP_TMPFS_SWAPPABLE },
    { "devtmpfs", FP_TMPFS_SWAPPABLE },
    { "ramfs", FP_TMPFS_RAMFS },
    { "hugetlbfs", FP_TMPFS_HUGE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (strcmp (types[i].type, type) == 0)
      {
        *kind = types[i].kind;
        return TRUE;
      }
  return FALSE;
}

/* Without a limit the kernel says 0 of 0 blocks. */
static void
measure (FpTmpfs *tmpfs,
         const FpMountTable *table,
         const FpMount *mount,
         int process_dir)
{
  g_auto (FpFd) fd = fp_mount_table_open (table, mount, process_dir);
  struct statfs fs;

  if (fd < 0 || fstatfs (fd, &fs) != 0 || fs.f_blocks == 0 || fs.f_bfree > fs.f_blocks)
    return;
  tmpfs->has_used = TRUE;
  tmpfs->used = (guint64)(fs.f_blocks - fs.f_bfree) * (guint64)fs.f_bsize;
  tmpfs->size = (guint64)fs.f_blocks * (guint64)fs.f_bsize;
}

static FpTmpfs *
find (const GArray *list,
      guint64 device)
{
  for (guint i = 0; i < list->len; i++)
    if (g_array_index (list, FpTmpfs, i).device == device)
      return &g_array_index (list, FpTmpfs, i);
  return NULL;
}

static void
add (GArray *list,
     const FpMountTable *table,
     const FpMount *mount,
     int process_dir,
     gint pid)
{
  FpTmpfs tmpfs = { .device = mount->device, .pid = pid };
  FpTmpfs *known = find (list, mount->device);
  char path[PATH_SIZE];

  if (!fp_tmpfs_is_type (mount->type, &tmpfs.kind) || (known && known->has_used))
    return;
  measure (&tmpfs, table, mount, process_dir);
  if (known && !tmpfs.has_used)
    return;
  fp_text_clean (path, sizeof path, mount->point, strlen (mount->point));
  tmpfs.path = g_strdup (path);
  if (known)
    {
      g_free (known->path);
      *known = tmpfs;
    }
  else
    g_array_append_val (list, tmpfs);
}

/* Adds those that are not in the list yet. One that is mounted whole is named by that place rather than by one where only
 * a folder of it is mounted. */
void
fp_tmpfs_find (GArray *list,
               const FpMountTable *table,
               int process_dir,
               gint pid)
{
  for (guint is_part = 0; is_part < 2; is_part++)
    for (guint i = 0; i < table->mounts->len; i++)
      {
        const FpMount *mount = &g_array_index (table->mounts, FpMount, i);

        if ((strcmp (mount->root, "/") != 0) == is_part)
          add (list, table, mount, process_dir, pid);
      }
}

void
fp_tmpfs_clear (gpointer data)
{
  g_free (((FpTmpfs *)data)->path);
}
