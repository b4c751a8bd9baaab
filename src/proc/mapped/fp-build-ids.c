// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "fp-build-ids.h"
#include "fp-mount-table.h"
#include "fp-mounts.h"

struct _FpBuildIds
{
  const FpProcDir *proc;
  gboolean kernel_is_older; /* it does not tell build IDs */
  gint pid;
  guint32 uid;
  gboolean is_open;
  gboolean is_trusted; /* its mounts are those of an administrator, or our own user's */
  FpFd process_dir;
  FpFd maps;
};

FpBuildIds *
fp_build_ids_new (const FpProcDir *proc)
{
  FpBuildIds *self = g_new0 (FpBuildIds, 1);

  self->proc = proc;
  self->process_dir = self->maps = -1;
  return self;
}

static void
forget_process (FpBuildIds *self)
{
  if (self->process_dir >= 0)
    close (self->process_dir);
  if (self->maps >= 0)
    close (self->maps);
  self->process_dir = self->maps = -1;
  self->is_open = self->is_trusted = FALSE;
}

void
fp_build_ids_free (FpBuildIds *self)
{
  forget_process (self);
  g_free (self);
}

/* The mappings that follow are those of this process. */
void
fp_build_ids_begin (FpBuildIds *self,
                    const FpProcessId *process,
                    guint32 uid)
{
  forget_process (self);
  self->pid = process->pid;
  self->uid = uid;
}

static gboolean
has_our_users (int process_dir)
{
  char ours[64], theirs[64];

  return fp_read_link_at (AT_FDCWD, "/proc/self/ns/user", ours, sizeof ours) > 0 &&
         fp_read_link_at (process_dir, "ns/user", theirs, sizeof theirs) > 0 && strcmp (ours, theirs) == 0;
}

static void
open_process (FpBuildIds *self)
{
  if (self->is_open)
    return;
  self->is_open = TRUE;
  self->process_dir = fp_proc_dir_open_process (self->proc, self->pid);
  if (self->process_dir < 0)
    return;
  self->maps = openat (self->process_dir, "maps", O_RDONLY | O_CLOEXEC);
  self->is_trusted = self->uid == geteuid () || has_our_users (self->process_dir);
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

gboolean
fp_build_ids_read (int process_dir,
                   const FpMapping *mapping,
                   FpBuildId *id)
{
  g_auto (FpFd) named = find_file (process_dir, mapping), fd = -1;
  char link[64];

  id->size = 0;
  if (named < 0 || !is_file_of (named, mapping))
    return FALSE;
  g_snprintf (link, sizeof link, "/proc/self/fd/%d", named);
  fd = open (link, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0)
    return FALSE;
  fp_elf_read_build_id (fd, id);
  return TRUE;
}

gboolean
fp_build_ids_find (FpBuildIds *self,
                   const FpMapping *mapping,
                   const FpFileIdentity *identity,
                   FpBuildId *id)
{
  id->size = 0;
  if (!self->proc->is_live || !identity->is_at_hand)
    return FALSE;
  open_process (self);
  if (self->process_dir < 0 || (identity->is_layered && !self->is_trusted))
    return FALSE;
  if (self->maps >= 0 && !self->kernel_is_older)
    {
      int problem = fp_mapping_query_build_id (self->maps, mapping, id);

      self->kernel_is_older = problem == ENOTTY;
      if (!self->kernel_is_older)
        return problem == 0;
    }
  return fp_build_ids_read (self->process_dir, mapping, id);
}
