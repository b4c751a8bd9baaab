// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "fp-file-state.h"
#include "fp-mounts.h"

/* Neither opens nor mounts it, nor asks a server for what is known here. */
static gboolean
look (int dir,
      const char *path,
      int flags,
      struct statx *file)
{
  return statx (dir, path, flags | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, STATX_INO | STATX_NLINK, file) == 0;
}

gboolean
fp_file_is (const struct statx *status,
            const FpFileId *id)
{
  return status->stx_ino == id->inode && status->stx_dev_major == id->device_major &&
         status->stx_dev_minor == id->device_minor;
}

/* name: a process's link to a file, which may lie on a file system of its user's that never answers. */
gboolean
fp_file_is_at (int process_dir,
               const char *name,
               const char *path)
{
  struct statx own, there;

  return look (process_dir, name, 0, &own) && look (AT_FDCWD, path, 0, &there) &&
         fp_file_is (&own, &(FpFileId){ there.stx_ino, there.stx_dev_major, there.stx_dev_minor });
}

/* path: with " (deleted)" at its end; link: the process's own link to the file; id: where that may not be followed, or
 * NULL. A deleted file may have other names, so only a link count of 0 is proof; else the file at the path decides. */
FpFileState
fp_file_state_find (int process_dir,
                    const char *link,
                    const char *path,
                    const FpFileId *id)
{
  struct statx own, there;
  FpFileId own_id;

  if (look (process_dir, link, 0, &own))
    {
      if (own.stx_nlink == 0)
        return FP_FILE_DELETED;
      own_id = (FpFileId){ own.stx_ino, own.stx_dev_major, own.stx_dev_minor };
      id = &own_id;
    }
  if (!id || !fp_mounts_are_shared_with (process_dir))
    return FP_FILE_UNKNOWN;
  if (!look (AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &there))
    return errno == ENOENT || errno == ENOTDIR ? FP_FILE_DELETED : FP_FILE_UNKNOWN;
  if (fp_file_is (&there, id))
    return FP_FILE_PRESENT;
  /* Btrfs and overlays tell another device in the list of mappings than here. */
  if (id != &own_id && (there.stx_dev_major != id->device_major || there.stx_dev_minor != id->device_minor))
    return there.stx_ino == id->inode && there.stx_dev_major == 0 && id->device_major == 0 ? FP_FILE_PRESENT
                                                                                           : FP_FILE_UNKNOWN;
  return FP_FILE_DELETED;
}
