// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>
#include <sys/vfs.h>

#include "fp-clock.h"
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

gboolean
fp_tmpfs_search_is_over (const FpTmpfsSearch *self)
{
  return fp_clock_us (CLOCK_THREAD_CPUTIME_ID) > self->end_us;
}

static FpTmpfs *
find (const FpTmpfsSearch *self,
      guint64 device)
{
  gpointer index;

  return g_hash_table_lookup_extended (self->indices, &device, NULL, &index)
             ? &g_array_index (self->list, FpTmpfs, GPOINTER_TO_UINT (index))
             : NULL;
}

/* Its path is copied. One that is known takes its place if only this one's figures are known. */
void
fp_tmpfs_search_add (FpTmpfsSearch *self,
                     const FpTmpfs *tmpfs)
{
  FpTmpfs *known = find (self, tmpfs->device), copy = *tmpfs;

  if (known && (known->has_used || !tmpfs->has_used))
    return;
  if (!known && self->list->len == FP_TMPFS_MAX)
    {
      self->is_cut = TRUE;
      return;
    }
  copy.path = g_strdup (tmpfs->path);
  if (known)
    {
      g_free (known->path);
      *known = copy;
      return;
    }
  g_hash_table_insert (self->indices, g_memdup2 (&copy.device, sizeof copy.device), GUINT_TO_POINTER (self->list->len));
  g_array_append_val (self->list, copy);
}

static void
add (FpTmpfsSearch *self,
     const FpTmpfs *found,
     const FpMountTable *table,
     const FpMount *mount,
     int process_dir)
{
  FpTmpfs tmpfs = *found;
  char path[PATH_SIZE];

  measure (&tmpfs, table, mount, process_dir);
  fp_text_clean (path, sizeof path, mount->point, strlen (mount->point));
  tmpfs.path = path;
  fp_tmpfs_search_add (self, &tmpfs);
}

/* Adds those that are not in the list yet. One that is mounted whole is named by that place rather than by one where only
 * a folder of it is mounted. FALSE: the time was over before the end. */
gboolean
fp_tmpfs_find (FpTmpfsSearch *search,
               const FpMountTable *table,
               int process_dir,
               gint pid)
{
  guint n = 0;

  search->is_cut |= table->is_cut;
  for (guint is_part = 0; is_part < 2; is_part++)
    for (guint i = 0; i < table->mounts->len; i++)
      {
        const FpMount *mount = &g_array_index (table->mounts, FpMount, i);
        FpTmpfs tmpfs = { .device = mount->device, .pid = pid };
        const FpTmpfs *known;

        if ((strcmp (mount->root, "/") != 0) != is_part || !fp_tmpfs_is_type (mount->type, &tmpfs.kind) ||
            ((known = find (search, mount->device)) && known->has_used))
          continue;
        if (n++ == FP_TMPFS_MAX_OF_NAMESPACE)
          {
            search->is_cut = TRUE;
            return TRUE;
          }
        if (fp_tmpfs_search_is_over (search))
          return FALSE;
        add (search, &tmpfs, table, mount, process_dir);
      }
  return TRUE;
}

void
fp_tmpfs_clear (gpointer data)
{
  g_free (((FpTmpfs *)data)->path);
}
