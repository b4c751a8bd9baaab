// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <sys/vfs.h>

#include "fp-reading.h"
#include "fp-strings.h"
#include "fp-tmpfs.h"

#define PATH_SIZE 1024

/* The links of a process, by which its mounts are opened, wait for one that execs since Linux 6.18.40. */
typedef struct
{
  FpReading reading;     /* pid 0: this process itself */
  FpTmpfsSearch *search; /* of whoever waits */
  FpMountTable *mounts;  /* (nullable): they are to be listed */
  guint64 budget_us;     /* of CPU time */
  FpTmpfs tmpfs;         /* the one that is looked at, with a path of path */
  char path[PATH_SIZE];
  gboolean is_cut;
  gboolean is_whole;
} Visit;

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

static gboolean
is_news (gpointer data)
{
  const Visit *self = data;
  const FpTmpfs *known = find (self->search, self->tmpfs.device);

  return !known || !known->has_used;
}

static gboolean
add (gpointer data)
{
  const Visit *self = data;

  fp_tmpfs_search_add (self->search, &self->tmpfs);
  return TRUE;
}

/* One that is mounted whole is named by that place rather than by one where only a folder of it is mounted. FALSE: the time
 * was over before the end. */
static gboolean
look_at_mounts (Visit *self,
                int process_dir)
{
  const GArray *mounts = self->mounts->mounts;
  guint64 end_us = fp_reading_clock_us () + self->budget_us;
  guint n = 0;

  for (guint is_part = 0; is_part < 2; is_part++)
    for (guint i = 0; i < mounts->len; i++)
      {
        const FpMount *mount = &g_array_index (mounts, FpMount, i);

        self->tmpfs = (FpTmpfs){ .device = mount->device, .pid = self->reading.id.pid, .path = self->path };
        if ((strcmp (mount->root, "/") != 0) != is_part || !fp_tmpfs_is_type (mount->type, &self->tmpfs.kind) ||
            !fp_reading_report (&self->reading, is_news, self))
          continue;
        if (n++ == FP_TMPFS_MAX_OF_NAMESPACE)
          {
            self->is_cut = TRUE;
            return TRUE;
          }
        if (fp_reading_clock_us () > end_us)
          return FALSE;
        measure (&self->tmpfs, self->mounts, mount, process_dir);
        fp_text_clean (self->path, sizeof self->path, mount->point, strlen (mount->point));
        fp_reading_report (&self->reading, add, self);
      }
  return TRUE;
}

static void
visit (gpointer data)
{
  Visit *self = data;
  const FpProcDir *proc = &self->reading.proc;
  gint pid = self->reading.id.pid;
  g_auto (FpFd) dir = pid == 0 ? openat (proc->fd, "self", O_PATH | O_DIRECTORY | O_CLOEXEC)
                               : fp_proc_dir_open_process (proc, pid);

  if (dir >= 0 && !self->mounts)
    self->mounts = fp_mount_table_read (dir);
  self->is_cut = self->mounts && self->mounts->is_cut;
  self->is_whole = dir < 0 || !self->mounts || look_at_mounts (self, dir);
}

static void
visit_free (gpointer data)
{
  Visit *self = data;

  g_clear_pointer (&self->mounts, fp_mount_table_free);
  fp_reading_free (self);
}

/* Adds those that are not in the list yet, as a process sees them. mounts: (inout) (nullable): its own, which are listed if they
 * are not there; pid: 0 for this process. FALSE: there was no time for all of it, or the process does not answer. */
gboolean
fp_tmpfs_search_visit (FpTmpfsSearch *self,
                       const FpProcDir *proc,
                       gint pid,
                       FpMountTable **mounts)
{
  guint64 now_us = fp_reading_clock_us ();
  Visit *reading;
  gboolean is_whole;

  if (now_us > self->end_us)
    return FALSE;
  reading = fp_reading_new (sizeof *reading, proc, &(FpProcessId){ pid, 0 });
  reading->search = self;
  reading->mounts = g_steal_pointer (mounts);
  reading->budget_us = self->end_us - now_us;
  /* This process waits for itself at no time, and others that do not answer leave it its own mounts. */
  if (pid == 0)
    visit (reading);
  else if (!fp_reading_await (reading, visit, visit_free))
    return FALSE;
  *mounts = g_steal_pointer (&reading->mounts);
  self->is_cut |= reading->is_cut;
  is_whole = reading->is_whole;
  visit_free (reading);
  return is_whole;
}

void
fp_tmpfs_clear (gpointer data)
{
  g_free (((FpTmpfs *)data)->path);
}
