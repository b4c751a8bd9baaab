// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "fp-cgroup.h"
#include "fp-control-groups.h"
#include "fp-control-tree.h"
#include "fp-mounts.h"
#include "fp-strings.h"

#define MAX_CHILDREN 2048
#define MAX_BELOW    512 /* so that no owner's groups push out those of others */

static void
clear_folder (gpointer folder)
{
  g_free (((FpControlFolder *)folder)->file);
  g_free (((FpControlFolder *)folder)->path);
}

char *
fp_control_tree_find_mount (const GArray *mounts,
                            char **prefix)
{
  for (guint i = 0; i < mounts->len; i++)
    {
      const FpMount *mount = &g_array_index (mounts, FpMount, i);

      if (!g_str_equal (mount->type, "cgroup2"))
        continue;
      *prefix = g_strdup (mount->root);
      return g_strdup (mount->point);
    }
  return NULL;
}

static gboolean
set_missing (GError **error)
{
  g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _ ("This system has no control groups of version 2"));
  return FALSE;
}

gboolean
fp_control_tree_open_at (FpControlTree *self,
                         const char *path,
                         const char *prefix,
                         GError **error)
{
  struct stat st;

  *self = (FpControlTree){ .root = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
  if (self->root < 0 || fstat (self->root, &st) != 0)
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), _ ("Can’t open %s: %s"), path, g_strerror (errno));
      return FALSE;
    }
  self->device = st.st_dev;
  self->prefix = g_strdup (prefix);
  self->folders = g_array_new (FALSE, FALSE, sizeof (FpControlFolder));
  g_array_set_clear_func (self->folders, clear_folder);
  return TRUE;
}

gboolean
fp_control_tree_open (FpControlTree *self,
                      const FpProcDir *proc,
                      GError **error)
{
  g_auto (FpFd) self_dir = openat (proc->fd, "self", O_PATH | O_DIRECTORY | O_CLOEXEC);
  g_autoptr (GArray) mounts = NULL;
  g_autofree char *prefix = NULL;
  g_autofree char *path = NULL;
  struct statfs fs;

  *self = (FpControlTree){ .root = -1 };
  if (!proc->is_live)
    {
      g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _ ("A copied /proc has no control groups"));
      return FALSE;
    }
  if (!(mounts = fp_mounts_read (self_dir, NULL)) || !(path = fp_control_tree_find_mount (mounts, &prefix)))
    return set_missing (error);
  if (!fp_control_tree_open_at (self, path, prefix, error))
    return FALSE;
  return (fstatfs (self->root, &fs) == 0 && fs.f_type == CGROUP2_SUPER_MAGIC) || set_missing (error);
}

void
fp_control_tree_close (FpControlTree *self)
{
  if (self->root >= 0)
    close (self->root);
  self->root = -1;
  g_clear_pointer (&self->folders, g_array_unref);
  g_clear_pointer (&self->prefix, g_free);
}

/* A symbolic link or a mount on the way leads to another folder than was listed, which is refused. */
int
fp_control_tree_open_folder (const FpControlTree *self,
                             const char *file,
                             guint64 id)
{
  int fd = openat (self->root, file, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat st;

  if (fd < 0 || (fstat (fd, &st) == 0 && st.st_dev == self->device && st.st_ino == id))
    return fd;
  close (fd);
  errno = ENOENT;
  return -1;
}

static gboolean
is_pod (const FpControlFolder *folder)
{
  const char *name = strrchr (folder->file, '/');

  return name && g_str_has_prefix (folder->file, "kubepods") && (g_str_has_prefix (name, "/pod") || strstr (name, "-pod"));
}

/* These have groups of several owners: the system's own slices, and those of container managers without systemd. A user's
 * slice, a container, a pod, a service and a scope may be given to one owner; it lies in the quotas of those around it, too. */
static gboolean
is_owned (const FpControlFolder *folder,
          const FpControlFolder *above)
{
  static const char *const shared[] = {
    "system.slice", "user.slice", "machine.slice", "docker", "kubepods", "kubepods.slice", NULL
  };

  if (folder->depth == 1)
    return !g_strv_contains (shared, folder->file);
  if (folder->depth == 2 && (strcmp (above->file, "user.slice") == 0 || strcmp (above->file, "docker") == 0))
    return TRUE;
  return is_pod (folder) || g_str_has_suffix (folder->file, ".service") || g_str_has_suffix (folder->file, ".scope");
}

static gboolean
has_room (const FpControlTree *self,
          guint parent)
{
  for (guint i = parent; i != G_MAXUINT; i = g_array_index (self->folders, FpControlFolder, i).parent)
    {
      const FpControlFolder *folder = &g_array_index (self->folders, FpControlFolder, i);

      if (folder->has_quota && folder->n_below >= MAX_BELOW)
        return FALSE;
    }
  return self->folders->len < FP_CONTROL_MAX_GROUPS;
}

static void
count_child (FpControlTree *self,
             guint parent)
{
  for (guint i = parent; i != G_MAXUINT; i = g_array_index (self->folders, FpControlFolder, i).parent)
    g_array_index (self->folders, FpControlFolder, i).n_below++;
}

/* FALSE: the path is too long. A name that is no valid UTF-8 becomes longer. */
static gboolean
add_child (FpControlTree *self,
           guint parent,
           const struct dirent *entry)
{
  const FpControlFolder *above = &g_array_index (self->folders, FpControlFolder, parent);
  FpControlFolder child = { .id = entry->d_ino, .parent = parent, .depth = above->depth + 1 };
  char name[4 * sizeof entry->d_name];

  fp_text_clean (name, sizeof name, entry->d_name, strlen (entry->d_name));
  if (strlen (above->path) + 1 + strlen (name) > FP_CGROUP_MAX_PATH)
    return FALSE;
  child.path = g_strconcat (above->path, g_str_has_suffix (above->path, "/") ? "" : "/", name, NULL);
  child.file = above->depth > 0 ? g_strconcat (above->file, "/", entry->d_name, NULL) : g_strdup (entry->d_name);
  child.has_quota = is_owned (&child, above);
  g_array_append_val (self->folders, child);
  count_child (self, parent);
  return TRUE;
}

/* A folder without folders has two links, and need not be opened; some file systems do not count them. */
static gboolean
is_leaf (const FpControlTree *self,
         const FpControlFolder *folder)
{
  struct stat st;

  return fstatat (self->root, folder->file, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR (st.st_mode) && st.st_nlink == 2;
}

static void
add_children (FpControlTree *self,
              guint parent)
{
  const FpControlFolder *above = &g_array_index (self->folders, FpControlFolder, parent);
  int fd = fp_control_tree_open_folder (self, above->file, above->id);
  DIR *dir = fd >= 0 ? fdopendir (fd) : NULL;
  const gboolean is_deep = above->depth >= FP_CONTROL_MAX_DEPTH;
  struct dirent *entry;
  guint n = 0;

  /* A folder that is gone has nothing in it; one that can't be opened may. */
  if (fd < 0 && errno != ENOENT)
    self->is_cut = TRUE;
  while (dir && (entry = readdir (dir)))
    {
      if (entry->d_type != DT_DIR || strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0)
        continue;
      if (is_deep || n++ >= MAX_CHILDREN || !has_room (self, parent))
        {
          self->is_cut = TRUE;
          break;
        }
      if (!add_child (self, parent, entry))
        self->is_cut = TRUE;
    }
  if (dir)
    closedir (dir);
}

/* Level by level, so that however many groups somebody makes, the levels above them are whole. */
void
fp_control_tree_walk (FpControlTree *self)
{
  FpControlFolder root = { .parent = G_MAXUINT, .file = g_strdup ("."), .path = g_strdup (self->prefix) };
  struct stat st;

  g_array_set_size (self->folders, 0);
  self->is_cut = FALSE;
  root.id = fstat (self->root, &st) == 0 ? st.st_ino : 0;
  g_array_append_val (self->folders, root);
  for (guint i = 0; i < self->folders->len; i++)
    if (!is_leaf (self, &g_array_index (self->folders, FpControlFolder, i)))
      add_children (self, i);
}
