// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
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

/* Names the file without opening it. Only an administrator may follow the link of the mapping. Where that is refused the
 * path leads to the file, unless another one has its place now. */
static int
find_file (int process_dir,
           const FpMapping *mapping)
{
  char link[64];
  g_auto (FpFd) root = -1;
  int fd;

  g_snprintf (link, sizeof link, "map_files/%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x", mapping->start, mapping->end);
  if ((fd = openat (process_dir, link, O_PATH | O_CLOEXEC)) >= 0)
    return fd;
  root = openat (process_dir, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
  return root >= 0 && mapping->name[0] == '/' ? fp_open_cached (root, mapping->name + 1) : -1;
}

static gboolean
is_file_of (int fd,
            const FpMapping *mapping)
{
  struct stat status;

  return fstat (fd, &status) == 0 && S_ISREG (status.st_mode) && status.st_ino == mapping->inode &&
         (mapping->device_major == 0 ||
          (major (status.st_dev) == mapping->device_major && minor (status.st_dev) == mapping->device_minor));
}

int
fp_mapping_open_file (int process_dir,
                      const FpMapping *mapping)
{
  g_auto (FpFd) named = find_file (process_dir, mapping);
  char link[64];

  if (named < 0 || !is_file_of (named, mapping))
    return -1;
  g_snprintf (link, sizeof link, "/proc/self/fd/%d", named);
  return open (link, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}
