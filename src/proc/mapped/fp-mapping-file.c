// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fp-mapping-file.h"
#include "fp-mount-table.h"
#include "fp-proc-dir.h"

static gboolean
has_our_users (int process_dir)
{
  char ours[64], theirs[64];

  return fp_read_link_at (AT_FDCWD, "/proc/self/ns/user", ours, sizeof ours) > 0 &&
         fp_read_link_at (process_dir, "ns/user", theirs, sizeof theirs) > 0 && strcmp (ours, theirs) == 0;
}

gboolean
fp_mapping_files_are_trusted (int process_dir)
{
  struct stat status;

  return (fstat (process_dir, &status) == 0 && status.st_uid == geteuid ()) || has_our_users (process_dir);
}

static gboolean
answers (int process_dir,
         guint64 mount_id)
{
  g_autoptr (FpMountTable) mounts = fp_mount_table_read (process_dir);

  for (guint i = 0; mounts && i < mounts->mounts->len; i++)
    {
      const FpMount *mount = &g_array_index (mounts->mounts, FpMount, i);

      if ((guint64)mount->id == mount_id)
        return fp_mount_answers (mount);
    }
  return FALSE;
}

/* No file system is asked, since one may have been mounted meanwhile that never answers. */
static gboolean
is_file_of (int fd,
            const FpMapping *mapping,
            struct statx *status)
{
  return statx (fd, "", AT_EMPTY_PATH | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO | STATX_MNT_ID, status) == 0 &&
         S_ISREG (status->stx_mode) && status->stx_ino == mapping->inode &&
         (mapping->device_major == 0 ||
          (status->stx_dev_major == mapping->device_major && status->stx_dev_minor == mapping->device_minor));
}

/* Names the file without opening it. Only an administrator may follow the link of the mapping. Where that is refused the
 * path leads to the file, unless another one has its place now. */
static int
find_file (int process_dir,
           const FpMapping *mapping)
{
  char link[64];
  struct statx status;
  g_auto (FpFd) root = -1, named = -1;

  g_snprintf (link, sizeof link, "map_files/%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x", mapping->start, mapping->end);
  if ((named = openat (process_dir, link, O_PATH | O_CLOEXEC)) >= 0)
    return is_file_of (named, mapping, &status) ? g_steal_fd (&named) : -1;
  if ((errno != EPERM && errno != EACCES) || mapping->name[0] != '/')
    return -1;
  root = openat (process_dir, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
  named = root >= 0 ? fp_open_cached (root, mapping->name + 1) : -1;
  if (named < 0 || !is_file_of (named, mapping, &status) || !(status.stx_mask & STATX_MNT_ID) ||
      !answers (process_dir, status.stx_mnt_id))
    return -1;
  return g_steal_fd (&named);
}

int
fp_mapping_open_file (int process_dir,
                      const FpMapping *mapping)
{
  g_auto (FpFd) named = find_file (process_dir, mapping);
  char link[64];

  if (named < 0)
    return -1;
  g_snprintf (link, sizeof link, "/proc/self/fd/%d", named);
  return open (link, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}
