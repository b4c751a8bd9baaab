// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <dirent.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "fp-reading.h"
#include "fp-mapping-kind.h"
#include "fp-mounts.h"
#include "fp-objects.h"
#include "fp-scan.h"

#define SYSTEM_V "/SYSV"

/* Linux 6.5; older headers lack it. */
#define CACHESTAT_CALL 451

typedef struct
{
  guint64 in_memory;
  guint64 dirty;
  guint64 writeback;
  guint64 evicted;
  guint64 recently_evicted;
} CacheStat;

/* The kernel's number of a segment may be that of a memfd, too, and subvolumes of one btrfs have one device: there the
 * name tells objects apart. */
typedef struct
{
  FpFileId id;
  const char *name; /* NULL where device and inode are enough */
} Key;

struct _FpObjects
{
  const FpProcDir *proc;
  gboolean counts_memory;
  GHashTable *table; /* Key to FpObject */
  GPtrArray *list;
  GHashTable *mounts; /* device number to FpObjectKind, of file systems in memory */
};

static guint
key_hash (gconstpointer data)
{
  const Key *key = data;

  return (guint)(key->id.inode ^ key->id.inode >> 32) * 31 + key->id.device_major * 1048583 + key->id.device_minor;
}

static gboolean
key_equal (gconstpointer a,
           gconstpointer b)
{
  const Key *x = a, *y = b;

  return x->id.inode == y->id.inode && x->id.device_major == y->id.device_major &&
         x->id.device_minor == y->id.device_minor && g_strcmp0 (x->name, y->name) == 0;
}

static void
object_free (gpointer data)
{
  FpObject *object = data;

  g_free (object->name);
  g_array_unref (object->holders);
  g_free (object);
}

FpObjects *
fp_objects_new (const FpProcDir *proc,
                gboolean counts_memory)
{
  FpObjects *self = g_new0 (FpObjects, 1);

  self->proc = proc;
  self->counts_memory = counts_memory;
  self->table = g_hash_table_new_full (key_hash, key_equal, g_free, NULL);
  self->list = g_ptr_array_new_with_free_func (object_free);
  self->mounts = g_hash_table_new (NULL, NULL);
  return self;
}

void
fp_objects_free (FpObjects *self)
{
  g_hash_table_unref (self->table);
  g_ptr_array_unref (self->list);
  g_hash_table_unref (self->mounts);
  g_free (self);
}

static gpointer
device_key (guint32 major,
            guint32 minor)
{
  return GUINT_TO_POINTER (major << 20 | minor);
}

/* Notes the devices of the file systems in memory that the process sees: tmpfs, devtmpfs and hugetlbfs. */
void
fp_objects_learn_mounts (FpObjects *self,
                         int process_dir)
{
  g_autoptr (GArray) mounts = fp_mounts_read (process_dir, NULL);

  for (guint i = 0; mounts && i < mounts->len; i++)
    {
      const FpMount *mount = &g_array_index (mounts, FpMount, i);
      gpointer key = device_key (major (mount->device), minor (mount->device));

      if (g_str_equal (mount->type, "tmpfs") || g_str_equal (mount->type, "devtmpfs"))
        g_hash_table_insert (self->mounts, key, GINT_TO_POINTER (FP_OBJECT_MEMORY_FILE));
      else if (g_str_equal (mount->type, "hugetlbfs"))
        g_hash_table_insert (self->mounts, key, GINT_TO_POINTER (FP_OBJECT_HUGE));
    }
}

static Key
make_key (const FpFileId *id,
          FpObjectKind kind,
          const char *name)
{
  gboolean is_vague = id->device_major == 0 && (kind == FP_OBJECT_FILE || kind == FP_OBJECT_DELETED_FILE);

  return (Key){ *id, kind == FP_OBJECT_SYSTEM_V ? SYSTEM_V : is_vague ? name
                                                                      : NULL };
}

static FpObject *
find_or_add (FpObjects *self,
             const FpFileId *id,
             FpObjectKind kind,
             const char *name)
{
  Key key = make_key (id, kind, name);
  FpObject *object = g_hash_table_lookup (self->table, &key);

  if (object)
    return object;
  object = g_new0 (FpObject, 1);
  object->id = *id;
  object->kind = kind;
  object->is_huge = kind == FP_OBJECT_HUGE;
  object->name = kind == FP_OBJECT_SYSTEM_V ? g_strdup_printf (_ ("System V segment %lu"), (gulong)id->inode)
                                            : g_strdup (name);
  object->holders = g_array_new (FALSE, FALSE, sizeof (gint));
  key = make_key (id, kind, object->name);
  g_hash_table_insert (self->table, g_memdup2 (&key, sizeof key), object);
  g_ptr_array_add (self->list, object);
  return object;
}

/* Either way of the kernel to name what it made without a file system that is seen. */
static gboolean
is_nameless (const FpMapping *mapping)
{
  return mapping->device_major == 0 && mapping->file_state != FP_FILE_PRESENT &&
         (g_str_has_prefix (mapping->name, "/memfd:") || g_str_equal (mapping->name, "/dev/zero" FP_DELETED) ||
          g_str_has_prefix (mapping->name, "[anon_shmem:"));
}

/* NULL: the mapping has no object with pages to count. */
FpObject *
fp_objects_add_mapping (FpObjects *self,
                        const FpMapping *mapping)
{
  FpMappingKind kind = fp_mapping_kind (mapping);
  FpFileId id = { mapping->inode, mapping->device_major, mapping->device_minor };
  FpFileState state = fp_mapping_get_file_state (mapping);
  gpointer mount;
  FpObject *object;

  if (mapping->inode == 0 || kind == FP_MAPPING_KERNEL || g_str_equal (mapping->name, "/dev/zero"))
    return NULL;
  if (kind == FP_MAPPING_SYSTEM_V || (kind == FP_MAPPING_HUGE_POOL && g_str_has_prefix (mapping->name, SYSTEM_V)))
    {
      object = find_or_add (self, &id, FP_OBJECT_SYSTEM_V, SYSTEM_V);
      object->is_huge = kind == FP_MAPPING_HUGE_POOL;
      return object;
    }
  if (kind == FP_MAPPING_HUGE_POOL || is_nameless (mapping))
    {
      object = find_or_add (self, &id, kind == FP_MAPPING_HUGE_POOL ? FP_OBJECT_HUGE : FP_OBJECT_SHARED, mapping->name);
      object->has_name = kind == FP_MAPPING_HUGE_POOL && state == FP_FILE_PRESENT;
      object->is_by_fork = !g_str_has_prefix (mapping->name, "/memfd:") && !object->has_name;
      return object;
    }
  if (kind == FP_MAPPING_DEVICE)
    return NULL;
  if (g_hash_table_lookup_extended (self->mounts, device_key (id.device_major, id.device_minor), NULL, &mount))
    {
      object = find_or_add (self, &id, FP_OBJECT_MEMORY_FILE, mapping->name);
      object->has_name = state == FP_FILE_PRESENT;
      object->is_name_unknown = state == FP_FILE_UNKNOWN;
      return object;
    }
  return find_or_add (self, &id, state == FP_FILE_DELETED ? FP_OBJECT_DELETED_FILE : FP_OBJECT_FILE, mapping->name);
}

static void
take_status (FpObject *object,
             const struct statx *status)
{
  if (object->kind == FP_OBJECT_FILE || object->kind == FP_OBJECT_DELETED_FILE)
    {
      object->covered = MAX (object->covered, status->stx_size);
      return;
    }
  object->blocks = status->stx_blocks * 512;
  object->has_blocks = TRUE;
  object->has_name = status->stx_nlink > 0;
  object->is_name_unknown = FALSE;
}

/* Bytes in memory. link: to an object without a name, so that opening it can't wait for a device or a server. FALSE: the
 * kernel does not tell. */
static gboolean
count_memory (int dir,
              const char *link,
              guint64 *in_memory)
{
  CacheStat cache = { 0 };
  guint64 everything[2] = { 0, 0 };
  g_auto (FpFd) fd = openat (dir, link, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

  if (fd < 0 || syscall (CACHESTAT_CALL, fd, everything, &cache, 0) != 0)
    return FALSE;
  *in_memory = cache.in_memory * (guint64)sysconf (_SC_PAGESIZE);
  return TRUE;
}

static gboolean
is_to_count (const FpObjects *self,
             const FpObject *object)
{
  return self->counts_memory && object->kind == FP_OBJECT_SHARED && !object->has_in_memory;
}

/* By the kernel's link to the mapped file, for root only, or by its name */
typedef struct
{
  FpReading reading;
  FpFd dir; /* of the process */
  char *link;
  char *path; /* (nullable) */
  gboolean counts_memory;
  FpFileId id; /* 0: any */
  struct statx status;
  gboolean is_found;
  guint64 in_memory;
  gboolean has_in_memory;
} Measure;

static void
measure_free (gpointer data)
{
  Measure *self = data;

  if (self->dir >= 0)
    close (self->dir);
  g_free (self->link);
  g_free (self->path);
  fp_reading_free (self);
}

static void
measure (gpointer data)
{
  Measure *self = data;
  const int flags = AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;

  self->is_found =
      (statx (self->dir, self->link, flags, STATX_BASIC_STATS, &self->status) == 0 ||
       (self->path && statx (self->dir, self->path, flags | AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &self->status) == 0)) &&
      (self->id.inode == 0 || fp_file_is (&self->status, &self->id));
  self->has_in_memory = self->is_found && self->counts_memory && count_memory (self->dir, self->link, &self->in_memory);
}

/* Counts the object's pages of all users. */
void
fp_objects_measure (FpObjects *self,
                    FpObject *object,
                    const FpProcessId *id,
                    int process_dir,
                    const FpMapping *mapping)
{
  Measure *answer;

  if (object->has_blocks || object->kind == FP_OBJECT_FILE || !self->proc->is_live)
    return;
  answer = fp_reading_new (sizeof *answer, self->proc, id);
  answer->dir = fcntl (process_dir, F_DUPFD_CLOEXEC, 0);
  answer->link = g_strdup_printf ("map_files/%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x", mapping->start, mapping->end);
  answer->path = object->has_name ? g_strconcat ("root", mapping->name, NULL) : NULL;
  answer->counts_memory = is_to_count (self, object);
  if (object->kind != FP_OBJECT_DELETED_FILE)
    answer->id = object->id;
  if (!fp_reading_await (answer, measure, measure_free))
    return;
  if (answer->is_found)
    take_status (object, &answer->status);
  object->has_in_memory |= answer->has_in_memory;
  if (answer->has_in_memory)
    object->in_memory = answer->in_memory;
  measure_free (answer);
}

typedef void (*DescriptorFunc) (FpObjects *self, int fd_dir, const char *number, const char *link, gint pid);

/* FALSE: they may not be read. */
static gboolean
walk_descriptors (FpObjects *self,
                  int process_dir,
                  gint pid,
                  DescriptorFunc func)
{
  int fd_dir = openat (process_dir, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = fd_dir >= 0 ? fdopendir (fd_dir) : NULL;
  struct dirent *entry;
  char link[4200];

  if (!dir)
    return FALSE;
  while ((entry = readdir (dir)))
    if (g_ascii_isdigit (entry->d_name[0]) && fp_read_link_at (fd_dir, entry->d_name, link, sizeof link) > 0 &&
        link[0] == '/')
      func (self, fd_dir, entry->d_name, link, pid);
  closedir (dir);
  return TRUE;
}

static gboolean
look_at (int fd_dir,
         const char *number,
         struct statx *status,
         FpFileId *id)
{
  if (statx (fd_dir, number, AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, STATX_BASIC_STATS, status) != 0 ||
      !S_ISREG (status->stx_mode))
    return FALSE;
  *id = (FpFileId){ status->stx_ino, status->stx_dev_major, status->stx_dev_minor };
  return TRUE;
}

/* Only asked of a memfd: another file system might not answer. */
static gboolean
is_of_huge_pages (int fd_dir,
                  const char *number)
{
  g_auto (FpFd) fd = openat (fd_dir, number, O_PATH | O_CLOEXEC);
  struct statfs fs = { 0 };

  return fd >= 0 && fstatfs (fd, &fs) == 0 && fs.f_type == HUGETLBFS_MAGIC;
}

static void
add_descriptor (FpObjects *self,
                int fd_dir,
                const char *number,
                const char *link,
                gint pid)
{
  struct statx status;
  FpFileId id;
  gpointer mount;
  FpObjectKind kind;
  FpObject *object;

  if (!look_at (fd_dir, number, &status, &id))
    return;
  if (id.device_major == 0 && g_str_has_prefix (link, "/memfd:"))
    kind = is_of_huge_pages (fd_dir, number) ? FP_OBJECT_HUGE : FP_OBJECT_SHARED;
  else if (g_hash_table_lookup_extended (self->mounts, device_key (id.device_major, id.device_minor), NULL, &mount))
    kind = (FpObjectKind)GPOINTER_TO_INT (mount);
  else if (status.stx_nlink == 0)
    kind = FP_OBJECT_DELETED_FILE;
  else
    return;
  object = find_or_add (self, &id, kind, link);
  take_status (object, &status);
  if (is_to_count (self, object))
    object->has_in_memory = count_memory (fd_dir, number, &object->in_memory);
}

/* Also objects that are not mapped anywhere. */
gboolean
fp_objects_add_descriptors (FpObjects *self,
                            int process_dir)
{
  return walk_descriptors (self, process_dir, 0, add_descriptor);
}

static void
note_holder (FpObject *object,
             gint pid)
{
  GArray *holders = object->holders;

  if (holders->len == 0 || g_array_index (holders, gint, holders->len - 1) != pid)
    g_array_append_val (holders, pid);
}

static FpObject *
find (const FpObjects *self,
      const FpFileId *id,
      const char *name)
{
  Key key = { *id, g_str_has_prefix (name, SYSTEM_V) && id->device_major == 0 ? SYSTEM_V : NULL };
  FpObject *object = g_hash_table_lookup (self->table, &key);

  if (object || key.name || id->device_major != 0)
    return object;
  key.name = name;
  return g_hash_table_lookup (self->table, &key);
}

typedef struct
{
  FpObjects *objects;
  gint pid;
} Note;

/* "7f0000000000-7f0000001000 rw-s 00000000 00:01 1234    /name" */
static void
note_line (gpointer data,
           const char *line,
           const char *end)
{
  const Note *self = data;
  FpFileId id = { 0 };
  unsigned major, minor;
  guint64 inode;
  int name_at = 0;
  char clean[FP_MAPPING_NAME_SIZE];
  FpObject *object;

  if (sscanf (line, "%*x-%*x %*s %*x %x:%x %" G_GUINT64_FORMAT " %n", &major, &minor, &inode, &name_at) < 3 || inode == 0)
    return;
  id = (FpFileId){ inode, major, minor };
  fp_text_clean (clean, sizeof clean, line + name_at, (gsize)MAX (end - line - name_at, 0));
  if ((object = find (self->objects, &id, clean)))
    note_holder (object, self->pid);
}

/* The addresses alone, which costs no walk of page tables. FALSE: they may not be read. */
gboolean
fp_objects_note_mappings (FpObjects *self,
                          const FpProcessId *id)
{
  Note note = { self, id->pid };

  return fp_reading_read_lines (self->proc, id, "maps", note_line, &note) == 0;
}

/* On btrfs a descriptor's device is not that of the mapping, so a deleted file is known by inode and name there. */
static void
note_descriptor (FpObjects *self,
                 int fd_dir,
                 const char *number,
                 const char *link,
                 gint pid)
{
  struct statx status;
  FpFileId id;
  FpObject *object;

  if (!look_at (fd_dir, number, &status, &id))
    return;
  object = find (self, &id, link);
  for (guint i = 0; !object && status.stx_nlink == 0 && i < self->list->len; i++)
    {
      FpObject *deleted = g_ptr_array_index (self->list, i);

      if (deleted->kind == FP_OBJECT_DELETED_FILE && deleted->id.inode == id.inode && g_str_equal (deleted->name, link))
        object = deleted;
    }
  if (object && object->kind != FP_OBJECT_FILE)
    note_holder (object, pid);
}

gboolean
fp_objects_note_descriptors (FpObjects *self,
                             gint pid,
                             int process_dir)
{
  return walk_descriptors (self, process_dir, pid, note_descriptor);
}

/* Whether there is anything that a descriptor alone can keep. */
gboolean
fp_objects_need_descriptors (const FpObjects *self)
{
  for (guint i = 0; i < self->list->len; i++)
    {
      const FpObject *object = g_ptr_array_index (self->list, i);

      if (object->kind != FP_OBJECT_FILE && object->kind != FP_OBJECT_SYSTEM_V && !object->has_name)
        return TRUE;
    }
  return FALSE;
}

GPtrArray *
fp_objects_list (const FpObjects *self)
{
  return self->list;
}
