// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "fp-mount-table.h"
#include "fp-proc-dir.h"

#define N_TRIES       4
#define MAX_CROSSINGS 256 /* mounts on the way to another one */

/* Older headers lack it. */
#ifndef RESOLVE_CACHED
#define RESOLVE_CACHED 0x20
#endif
#ifndef STATX_MNT_ID
#define STATX_MNT_ID 0x1000
#endif

typedef struct
{
  gint parent;
  guint length;
  const char *path;
} Place;

static guint
place_hash (gconstpointer data)
{
  const Place *self = data;
  guint hash = (guint)self->parent;

  for (guint i = 0; i < self->length; i++)
    hash = hash * 33 + (guchar)self->path[i];
  return hash;
}

static gboolean
place_equal (gconstpointer a,
             gconstpointer b)
{
  const Place *x = a, *y = b;

  return x->parent == y->parent && x->length == y->length && memcmp (x->path, y->path, x->length) == 0;
}

/* A way to each of thousands of mounts may lead through thousands of others. */
static void
index_mounts (FpMountTable *self)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (NULL, NULL);

  for (guint i = self->mounts->len; i-- > 0;)
    {
      const FpMount *mount = &g_array_index (self->mounts, FpMount, i);
      const Place place = { mount->parent, (guint)strlen (mount->point), mount->point };

      g_hash_table_add (ids, GINT_TO_POINTER (mount->id));
      if (mount->id != mount->parent)
        g_hash_table_replace (self->places, g_memdup2 (&place, sizeof place), (gpointer)mount);
    }
  for (guint i = 0; i < self->mounts->len && !self->root; i++)
    {
      const FpMount *mount = &g_array_index (self->mounts, FpMount, i);

      if (strcmp (mount->point, "/") == 0 &&
          (mount->id == mount->parent || !g_hash_table_contains (ids, GINT_TO_POINTER (mount->parent))))
        self->root = mount;
    }
}

/* mounts: (transfer full) */
static FpMountTable *
table_new (GArray *mounts)
{
  FpMountTable *self = g_new0 (FpMountTable, 1);

  self->mounts = mounts;
  self->places = g_hash_table_new_full (place_hash, place_equal, g_free, NULL);
  index_mounts (self);
  return self;
}

FpMountTable *
fp_mount_table_parse (const char *mountinfo)
{
  return table_new (fp_mounts_parse (mountinfo));
}

/* NULL: its mounts may not be seen. */
FpMountTable *
fp_mount_table_read (int process_dir)
{
  gboolean is_cut;
  GArray *mounts = fp_mounts_read (process_dir, &is_cut);
  FpMountTable *self = mounts ? table_new (mounts) : NULL;

  if (self)
    self->is_cut = is_cut;
  return self;
}

void
fp_mount_table_free (FpMountTable *self)
{
  g_hash_table_unref (self->places);
  g_array_unref (self->mounts);
  g_free (self);
}

/* File systems that answer by themselves. A server or a program answers for the others, and may never do so; one may also
 * lie beneath an overlay, which fp_open_cached () takes care of. */
gboolean
fp_mount_answers (const FpMount *mount)
{
  static const char *const types[] = {
    "tmpfs", "devtmpfs", "ramfs", "rootfs", "hugetlbfs", "ext2", "ext3", "ext4", "xfs", "btrfs", "bcachefs", "f2fs", "zfs",
    "overlay", "squashfs", "erofs", "vfat", "exfat", "ntfs3", "iso9660", "udf", "jfs", "nilfs2", "sysfs", "proc", "devpts",
    "cgroup", "cgroup2", "securityfs", "debugfs", "tracefs", "mqueue", NULL
  };

  return g_strv_contains (types, mount->type);
}

static gboolean
is_within (const char *path,
           const char *folder)
{
  gsize length = folder[1] ? strlen (folder) : 0;

  return strncmp (path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* Finds the mount of this device by which the path leads to a file: the innermost, and of those at one place the last. */
const FpMount *
fp_mount_table_find (const FpMountTable *self,
                     guint64 device,
                     const char *path)
{
  const FpMount *found = NULL;

  for (guint i = 0; i < self->mounts->len; i++)
    {
      const FpMount *mount = &g_array_index (self->mounts, FpMount, i);

      if (mount->device == device && is_within (path, mount->point) &&
          (!found || strlen (mount->point) >= strlen (found->point)))
        found = mount;
    }
  return found;
}

/* Follows the path as the kernel does: whether it leads to this mount, and over no file system that may never answer. */
gboolean
fp_mount_table_is_safe (const FpMountTable *self,
                        const FpMount *mount)
{
  const FpMount *at = self->root, *next;
  const char *path = mount->point, *end = path;
  guint n = 0;

  if (!at || !fp_mount_answers (at) || strlen (path) >= PATH_MAX)
    return FALSE;
  while (*end && end[1])
    {
      end = strchrnul (end + 1, '/');
      while ((next = g_hash_table_lookup (self->places, &(Place){ at->id, (guint)(end - path), path })))
        if (n++ == MAX_CROSSINGS || !fp_mount_answers (at = next))
          return FALSE;
    }
  return at == mount;
}

/* By no symbolic link: the owner of a folder on the way could have put one there since. Refused before Linux 5.6. */
static int
open_at (int dir,
         const char *path,
         int flags,
         guint64 resolve)
{
  struct open_how how = {
    .flags = (guint64)flags,
    .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | resolve,
  };

  return (int)syscall (SYS_openat2, dir, path, &how, sizeof how);
}

int
fp_open_below (int dir,
               const char *path,
               int flags)
{
  return open_at (dir, path, flags, RESOLVE_NO_XDEV);
}

/* Anyone can mount a file system that a program of his own answers for, beneath an overlay or since the table was read.
 * The kernel has all parts of a path to a mount at hand and needs to ask nobody for them; where it would (as before Linux
 * 5.12, always), the mount can't be had. It may also say so when something is renamed at the same time. */
int
fp_open_cached (int dir,
                const char *path)
{
  int fd = -1;

  for (guint i = 0; i < N_TRIES && fd < 0; i++)
    if ((fd = open_at (dir, path, O_PATH | O_NOFOLLOW | O_CLOEXEC, RESOLVE_CACHED)) < 0 && errno != EAGAIN)
      break;
  return fd;
}

static gboolean
may_look_into (const FpMountTable *self,
               int dir)
{
  struct statx status;

  if (statx (dir, "", AT_EMPTY_PATH | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, STATX_MNT_ID, &status) != 0 ||
      !(status.stx_mask & STATX_MNT_ID))
    return FALSE;
  for (guint i = 0; i < self->mounts->len; i++)
    {
      const FpMount *mount = &g_array_index (self->mounts, FpMount, i);

      if ((guint64)mount->id == status.stx_mnt_id)
        return fp_mount_answers (mount) && strcmp (mount->type, "overlay") != 0;
    }
  return FALSE;
}

/* A filter of system calls refuses openat2 (), because it can't see what that is to open. Each folder on the way is
 * opened by itself then, if the one before lies in a file system of the table that answers. */
static int
open_step_by_step (const FpMountTable *self,
                   int root,
                   const char *path)
{
  g_auto (GStrv) names = g_strsplit (path, "/", -1);
  int at = openat (root, ".", O_PATH | O_NOFOLLOW | O_CLOEXEC);

  for (guint i = 0; names[i] && at >= 0; i++)
    {
      const int next = may_look_into (self, at) ? openat (at, names[i], O_PATH | O_NOFOLLOW | O_CLOEXEC) : -1;

      close (at);
      at = next;
    }
  return at;
}

/* A descriptor that names the mount without opening it; negative: it can't be had, or something else is there now. root: of
 * a process that sees these mounts */
int
fp_mount_table_open_from (const FpMountTable *self,
                          const FpMount *mount,
                          int root)
{
  const char *path = mount->point[1] ? mount->point + 1 : ".";
  struct statx status;
  int fd;

  if (root < 0 || !fp_mount_table_is_safe (self, mount))
    return -1;
  if ((fd = fp_open_cached (root, path)) < 0 && errno == ENOSYS)
    fd = open_step_by_step (self, root, path);
  if (fd < 0)
    return -1;
  /* Another file system may be there now, which is asked for nothing but its device: the kernel knows that. A folder of a
   * btrfs has the device of its subvolume, which is not in the table. */
  if (statx (fd, "", AT_EMPTY_PATH | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, STATX_MNT_ID, &status) == 0 &&
      (makedev (status.stx_dev_major, status.stx_dev_minor) == mount->device ||
       ((status.stx_mask & STATX_MNT_ID) && status.stx_mnt_id == (guint64)mount->id)))
    return fd;
  close (fd);
  return -1;
}

int
fp_mount_table_open (const FpMountTable *self,
                     const FpMount *mount,
                     int process_dir)
{
  g_auto (FpFd) root = openat (process_dir, "root", O_PATH | O_CLOEXEC);

  return fp_mount_table_open_from (self, mount, root);
}
