// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include "fp-strings.h"
#include "fp-tmpfs-files.h"

#define MAX_FOUND  500000
#define MAX_QUEUED (16 * 1024 * 1024) /* bytes of the paths of folders that are still to be looked at */
#define STEP_FILES 1024
#define NAME_SIZE  4096

typedef struct
{
  FpTmpfsFiles *list;
  const FpTmpfs *tmpfs;
  const char *point; /* where the root is mounted */
  int root;
  guint64 used; /* by all of the file system */
  guint n_biggest;
  GPtrArray *folders; /* paths below the root that are still to be looked at */
  gsize n_queued;     /* bytes of these paths */
  gboolean is_full;   /* as many files were found as are looked at */
  GHashTable *linked; /* inodes of files with several names */
  FpTmpfsStepFunc step;
  gpointer data;
} Walk;

static void
file_clear (gpointer data)
{
  FpTmpfsFile *file = data;

  g_free (file->path);
  g_free (file->place);
  g_free (file->owner);
}

void
fp_tmpfs_files_free (FpTmpfsFiles *self)
{
  g_array_unref (self->files);
  g_free (self);
}

static char *
join (const char *folder,
      const char *name)
{
  return *folder ? g_strconcat (folder, "/", name, NULL) : g_strdup (name);
}

static void
keep_if_big (Walk *self,
             const char *folder,
             const char *name,
             const struct statx *status)
{
  GArray *files = self->list->files;
  FpTmpfsFile file = { .used = status->stx_blocks * 512, .uid = status->stx_uid, .modified_s = status->stx_mtime.tv_sec };
  g_autofree char *path = NULL;
  char clean[NAME_SIZE];
  guint at = files->len;

  while (at > 0 && g_array_index (files, FpTmpfsFile, at - 1).used < file.used)
    at--;
  if (file.used == 0 || at == self->n_biggest)
    return;
  if (files->len == self->n_biggest)
    g_array_set_size (files, files->len - 1);
  path = join (folder, name);
  file.place = g_build_filename (self->point, path, NULL);
  fp_text_clean (clean, sizeof clean, path, strlen (path));
  file.path = g_strdup (clean);
  g_array_insert_val (files, at, file);
}

/* Anyone can make folders whose paths together would fill the memory. */
static void
queue_folder (Walk *self,
              const char *folder,
              const char *name)
{
  g_autofree char *path = join (folder, name);
  gsize size = strlen (path) + 1;

  if (size > PATH_MAX)
    self->list->n_too_deep++;
  else if (size > MAX_QUEUED - self->n_queued)
    self->list->is_whole = FALSE;
  else
    {
      self->n_queued += size;
      g_ptr_array_add (self->folders, g_steal_pointer (&path));
    }
}

/* Another file system may be mounted on a file or folder, and it is not entered. */
static void
look_at_entry (Walk *self,
               int dir,
               const char *folder,
               const char *name)
{
  struct statx status;

  if (statx (dir, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, STATX_BASIC_STATS, &status) != 0 ||
      makedev (status.stx_dev_major, status.stx_dev_minor) != self->tmpfs->device)
    return;
  self->list->n_found++;
  if (S_ISDIR (status.stx_mode))
    {
      queue_folder (self, folder, name);
      return;
    }
  if (status.stx_nlink > 1 && !g_hash_table_add (self->linked, g_memdup2 (&(guint64){ status.stx_ino }, sizeof (guint64))))
    return;
  self->list->seen += status.stx_blocks * 512;
  self->list->n_files += status.stx_blocks > 0;
  keep_if_big (self, folder, name, &status);
}

static int
open_folder (const Walk *self,
             const char *folder)
{
  int fd = fp_open_below (self->root, *folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat status;

  if (fd >= 0 && (fstat (fd, &status) != 0 || status.st_dev != self->tmpfs->device))
    {
      close (fd);
      errno = EXDEV;
      return -1;
    }
  return fd;
}

/* One that was removed or replaced meanwhile is none of the file system's any more. */
static gboolean
is_gone (int error)
{
  return error == ENOENT || error == ENOTDIR || error == ELOOP || error == EXDEV;
}

/* FALSE: it was called off, or there are too many. */
static gboolean
walk_folder (Walk *self,
             const char *folder)
{
  int fd = open_folder (self, folder);
  DIR *dir = fd >= 0 ? fdopendir (fd) : NULL;
  gboolean goes_on = TRUE;
  struct dirent *entry;

  self->list->n_closed += !dir && !is_gone (errno);
  if (!dir && fd >= 0)
    close (fd);
  while (dir && goes_on && (entry = readdir (dir)))
    {
      if (strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0)
        continue;
      look_at_entry (self, fd, folder, entry->d_name);
      if (self->list->n_found % STEP_FILES == 0 && self->step)
        goes_on = self->step (self->list->seen, self->used, self->data);
      self->is_full = self->list->n_found >= MAX_FOUND;
      goes_on &= !self->is_full;
    }
  if (dir)
    closedir (dir);
  return goes_on;
}

/* Without a limit the kernel says 0 of 0 blocks. */
static void
read_used (Walk *self)
{
  struct statfs fs;

  if (fstatfs (self->root, &fs) != 0 || fs.f_blocks == 0 || fs.f_bfree > fs.f_blocks)
    return;
  self->list->has_used = TRUE;
  self->used = (guint64)(fs.f_blocks - fs.f_bfree) * (guint64)fs.f_bsize;
}

static gboolean
walk (Walk *self)
{
  read_used (self);
  g_ptr_array_add (self->folders, g_strdup (""));
  while (self->folders->len > 0)
    {
      g_autofree char *folder = g_ptr_array_steal_index_fast (self->folders, self->folders->len - 1);

      self->n_queued -= MIN (self->n_queued, strlen (folder) + 1);
      if (!walk_folder (self, folder) && !self->is_full)
        return FALSE;
      if (self->is_full)
        break;
    }
  self->list->is_whole &= !self->is_full;
  read_used (self);
  self->list->not_seen = self->used - MIN (self->used, self->list->seen);
  return !self->step || self->step (self->list->seen, self->used, self->data);
}

/* The place where the most of the file system is seen: one of the mounts of all of it, else of a folder of it. */
static int
open_root (const FpTmpfs *tmpfs,
           const FpMountTable *table,
           int process_dir,
           const char **point)
{
  for (guint is_part = 0; is_part < 2; is_part++)
    for (guint i = 0; i < table->mounts->len; i++)
      {
        const FpMount *mount = &g_array_index (table->mounts, FpMount, i);
        int fd;

        if (mount->device == tmpfs->device && (strcmp (mount->root, "/") != 0) == is_part &&
            (fd = fp_mount_table_open (table, mount, process_dir)) >= 0)
          {
            *point = mount->point;
            return fd;
          }
      }
  return -1;
}

/* Reads names and sizes only, follows no link and never leaves the file system. NULL: it is gone, or was called off. */
FpTmpfsFiles *
fp_tmpfs_list (const FpProcDir *proc,
               const FpTmpfs *tmpfs,
               guint n_biggest,
               FpTmpfsStepFunc step,
               gpointer data,
               GError **error)
{
  g_auto (FpFd) dir = tmpfs->pid ? fp_proc_dir_open_process (proc, tmpfs->pid)
                                 : openat (proc->fd, "self", O_PATH | O_DIRECTORY | O_CLOEXEC);
  g_autoptr (FpMountTable) table = dir >= 0 ? fp_mount_table_read (dir) : NULL;
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) linked = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (FpTmpfsFiles) list = g_new0 (FpTmpfsFiles, 1);
  const char *point = NULL;
  g_auto (FpFd) root = table ? open_root (tmpfs, table, dir, &point) : -1;
  Walk self = { list, tmpfs, point, root, 0, n_biggest, folders, 0, FALSE, linked, step, data };

  list->files = g_array_new (FALSE, FALSE, sizeof (FpTmpfsFile));
  list->is_whole = TRUE;
  g_array_set_clear_func (list->files, file_clear);
  if (root >= 0 && walk (&self))
    return g_steal_pointer (&list);
  if (root < 0)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _ ("%s can’t be opened any more"), tmpfs->path);
  else
    g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INTR, g_strerror (ECANCELED));
  return NULL;
}

/* Waits for the names no longer than the timeout; a directory server may be slow. */
void
fp_tmpfs_files_name_owners (FpTmpfsFiles *self,
                            FpUsers *users,
                            gint64 timeout_us)
{
  for (guint i = 0; i < self->files->len; i++)
    fp_users_request (users, g_array_index (self->files, FpTmpfsFile, i).uid);
  fp_users_wait (users, timeout_us);
  for (guint i = 0; i < self->files->len; i++)
    {
      FpTmpfsFile *file = &g_array_index (self->files, FpTmpfsFile, i);
      FpUser user;

      if (fp_users_get (users, file->uid, &user))
        file->owner = g_strdup (user.name);
      else if (*user.full_name)
        file->owner = g_strdup (user.full_name);
    }
}
