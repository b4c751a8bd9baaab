// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "fp-file-identity.h"
#include "fp-mapping-file.h"
#include "fp-mapping-kind.h"
#include "fp-mount-table.h"
#include "fp-reading.h"

#define MAX_MOUNTS 20000 /* that are kept at once: any user can make namespaces, with tens of thousands each */

/* The file systems of which many files can have the same device and inode in the list of mappings */
static const char *const ambiguous_types[] = { "btrfs", "bcachefs", "overlay", NULL };

typedef struct
{
  FpFileId id;
  const char *name;
} Place;

/* A mount namespace, and the files of it that were asked for */
typedef struct
{
  guint64 id;           /* 0: not known */
  FpMountTable *mounts; /* (nullable): forgotten, or they may not be seen */
  GHashTable *known;    /* Place to FpFileIdentity */
  GHashTable *updated;  /* Place to whether another file has its name */
} Namespace;

struct _FpFileIdentities
{
  const FpProcDir *proc;
  FpMappedTexts *texts;
  GHashTable *namespaces; /* by id */
  GQueue tables;          /* those of them whose mounts are kept, the oldest first */
  guint n_mounts;         /* of all of these */
  Namespace *nameless;    /* (nullable): that of the process, if it has no id */
  Namespace *current;     /* (nullable): not looked for yet */
  gint pid;
  FpFileRoot root;
  gboolean is_entered;   /* the root was opened, if it can be */
  gboolean needs_root;   /* one of the processes had a file of which the numbers alone say little */
  guint64 own_namespace; /* 0: not asked for yet */
};

/* Each of these may wait for a process that begins an exec. */
typedef struct
{
  FpReading reading;
  FpFileRoot root;
  FpMountTable *mounts;
} Entry;

static guint
place_hash (gconstpointer data)
{
  const Place *self = data;

  return (guint)(self->id.inode ^ self->id.inode >> 32) * 31 + self->id.device_minor + g_str_hash (self->name);
}

static gboolean
place_equal (gconstpointer a,
             gconstpointer b)
{
  const Place *x = a, *y = b;

  return x->id.inode == y->id.inode && x->id.device_major == y->id.device_major &&
         x->id.device_minor == y->id.device_minor && strcmp (x->name, y->name) == 0;
}

static void
namespace_free (gpointer data)
{
  Namespace *namespace = data;

  g_clear_pointer (&namespace->mounts, fp_mount_table_free);
  g_hash_table_unref (namespace->known);
  g_hash_table_unref (namespace->updated);
  g_free (namespace);
}

FpFileIdentities *
fp_file_identities_new (const FpProcDir *proc,
                        FpMappedTexts *texts)
{
  FpFileIdentities *self = g_new0 (FpFileIdentities, 1);

  self->proc = proc;
  self->texts = fp_mapped_texts_ref (texts);
  self->namespaces = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, namespace_free);
  self->root = (FpFileRoot)FP_FILE_ROOT_INIT;
  return self;
}

static void
forget_process (FpFileIdentities *self)
{
  fp_file_root_close (&self->root);
  self->is_entered = FALSE;
  self->current = NULL;
  g_clear_pointer (&self->nameless, namespace_free);
}

void
fp_file_identities_free (FpFileIdentities *self)
{
  forget_process (self);
  g_queue_clear (&self->tables);
  g_hash_table_unref (self->namespaces);
  fp_mapped_texts_unref (self->texts);
  g_free (self);
}

/* The mappings that follow are those of this process. root: (nullable): taken from whoever may wait for the process; else
 * another thread opens it when it is needed */
void
fp_file_identities_begin (FpFileIdentities *self,
                          gint pid,
                          FpFileRoot *root)
{
  forget_process (self);
  self->pid = pid;
  if (!root)
    return;
  self->root = *root;
  *root = (FpFileRoot)FP_FILE_ROOT_INIT;
  self->is_entered = TRUE;
}

/* A table that was forgotten is read again with the next process that needs it, in the time of its user. */
static void
keep_mounts (FpFileIdentities *self,
             Namespace *namespace)
{
  if (!namespace->mounts || namespace->id == 0)
    return;
  g_queue_push_tail (&self->tables, namespace);
  self->n_mounts += namespace->mounts->mounts->len;
  while (self->n_mounts > MAX_MOUNTS && self->tables.length > 1)
    {
      Namespace *oldest = g_queue_pop_head (&self->tables);

      self->n_mounts -= oldest->mounts->mounts->len;
      g_clear_pointer (&oldest->mounts, fp_mount_table_free);
    }
}

static gboolean
may_look (const FpFileIdentities *self)
{
  return self->proc->is_live && !self->proc->opens_no_files;
}

static void
entry_free (gpointer data)
{
  Entry *self = data;

  fp_file_root_close (&self->root);
  g_clear_pointer (&self->mounts, fp_mount_table_free);
  fp_reading_free (self);
}

static Entry *
entry_new (const FpFileIdentities *self)
{
  Entry *entry = fp_reading_new (sizeof *entry, self->proc, &(FpProcessId){ self->pid, 0 });

  entry->root = (FpFileRoot)FP_FILE_ROOT_INIT;
  return entry;
}

static void
open_root (gpointer data)
{
  Entry *self = data;
  g_auto (FpFd) dir = fp_proc_dir_open_process (&self->reading.proc, self->reading.id.pid);

  if (dir >= 0)
    fp_file_root_open (&self->root, dir);
}

static void
read_mounts (gpointer data)
{
  Entry *self = data;

  self->mounts = fp_mount_table_read (self->root.process_dir);
}

/* Once for each namespace */
static FpMountTable *
read_own_mounts (const FpFileIdentities *self)
{
  Entry *entry = entry_new (self);
  FpMountTable *mounts;

  entry->root.process_dir = fcntl (self->root.process_dir, F_DUPFD_CLOEXEC, 0);
  if (entry->root.process_dir >= 0 && !fp_reading_await (entry, read_mounts, entry_free))
    return NULL;
  mounts = g_steal_pointer (&entry->mounts);
  entry_free (entry);
  return mounts;
}

/* Whether whoever may wait for a process is to open its root beforehand: to hand over each process costs a sixth of the whole
 * reading. */
gboolean
fp_file_identities_need_root (const FpFileIdentities *self)
{
  return self->needs_root;
}

static void
enter_process (FpFileIdentities *self)
{
  Entry *entry;

  self->needs_root = TRUE;
  if (self->is_entered)
    return;
  self->is_entered = TRUE;
  entry = entry_new (self);
  if (!fp_reading_await (entry, open_root, entry_free))
    return;
  self->root = entry->root;
  entry->root = (FpFileRoot)FP_FILE_ROOT_INIT;
  entry_free (entry);
}

/* The mounts of a namespace are read through a process that is in it, and mostly once. */
static Namespace *
get_namespace (FpFileIdentities *self)
{
  Namespace *found;
  guint64 id;

  if (self->current)
    return self->current;
  enter_process (self);
  id = self->root.namespace;
  found = id != 0 ? g_hash_table_lookup (self->namespaces, &id) : NULL;
  if (!found)
    {
      found = g_new0 (Namespace, 1);
      found->id = id;
      found->known = g_hash_table_new_full (place_hash, place_equal, g_free, g_free);
      found->updated = g_hash_table_new_full (place_hash, place_equal, g_free, NULL);
      if (id != 0)
        g_hash_table_insert (self->namespaces, &found->id, found);
      else
        self->nameless = found;
    }
  if (!found->mounts && self->root.process_dir >= 0)
    {
      found->mounts = read_own_mounts (self);
      keep_mounts (self, found);
    }
  return self->current = found;
}

/* Asks for the file at this place of the mount; FALSE: it can't be had without waiting for somebody, or is another one. */
static gboolean
ask (const FpFileIdentities *self,
     const FpMount *mount,
     const char *rest,
     const FpMapping *mapping,
     FpFileId *id)
{
  g_auto (FpFd) root = fp_mount_table_open_from (self->current->mounts, mount, self->root.folder);
  g_auto (FpFd) file = root >= 0 && *rest ? fp_open_cached (root, rest) : -1;
  struct statx status;

  if (root < 0 || (*rest && file < 0) ||
      statx (*rest ? file : root, "", AT_EMPTY_PATH | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, STATX_INO, &status) != 0 ||
      status.stx_ino != mapping->inode)
    return FALSE;
  *id = (FpFileId){ status.stx_ino, status.stx_dev_major, status.stx_dev_minor };
  return TRUE;
}

static void
set_path (FpFileIdentities *self,
          FpFileIdentity *identity,
          const char *path)
{
  identity->path = fp_mapped_texts_add (self->texts, path);
  identity->is_lost = !identity->path;
}

static void
resolve (FpFileIdentities *self,
         const FpMount *mount,
         const FpMapping *mapping,
         FpFileIdentity *identity)
{
  const char *rest = mapping->name + (mount->point[1] ? strlen (mount->point) : 0);
  g_autofree char *path = NULL;

  rest += *rest == '/';
  if (may_look (self) && mapping->file_state != FP_FILE_DELETED && ask (self, mount, rest, mapping, &identity->id))
    return;
  path = g_build_filename (mount->root, rest, NULL);
  set_path (self, identity, path);
}

/* Objects of the kernel's own, and files of all other file systems, have numbers of their own. */
void
fp_file_identities_find (FpFileIdentities *self,
                         const FpMapping *mapping,
                         FpFileIdentity *identity)
{
  Place place = { { mapping->inode, mapping->device_major, mapping->device_minor }, mapping->name };
  const FpFileIdentity *known;
  const FpMount *mount;
  Namespace *namespace;

  *identity = (FpFileIdentity){ .id = place.id, .is_at_hand = mapping->device_major != 0 };
  if (mapping->device_major != 0 || fp_mapping_kind_of_internal (mapping) != FP_N_MAPPING_KINDS)
    return;
  namespace = get_namespace (self);
  if ((known = g_hash_table_lookup (namespace->known, &place)))
    {
      *identity = *known;
      return;
    }
  mount = namespace->mounts ? fp_mount_table_find (namespace->mounts, makedev (0, mapping->device_minor), mapping->name) : NULL;
  identity->is_at_hand = mount && fp_mount_answers (mount);
  identity->is_layered = mount && g_str_equal (mount->type, "overlay");
  if (!mount)
    set_path (self, identity, mapping->name);
  else if (g_strv_contains (ambiguous_types, mount->type))
    resolve (self, mount, mapping, identity);
  place.name = fp_mapped_texts_add (self->texts, mapping->name);
  if (!place.name)
    return;
  fp_mapped_texts_charge (self->texts, sizeof place + sizeof *identity);
  g_hash_table_insert (namespace->known, g_memdup2 (&place, sizeof place), g_memdup2 (identity, sizeof *identity));
}

static guint64
get_own_namespace (FpFileIdentities *self)
{
  g_auto (FpFd) own = -1;

  if (self->own_namespace == 0 && (own = open ("/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC)) >= 0)
    self->own_namespace = fp_mounts_get_namespace (own);
  return self->own_namespace;
}

/* Names lead from our own root where the process sees the same mounts, and else from its root. */
static int
open_start (FpFileIdentities *self)
{
  if (self->root.namespace != 0 && self->root.namespace == get_own_namespace (self))
    return open ("/", O_PATH | O_CLOEXEC);
  return self->root.folder >= 0 ? fcntl (self->root.folder, F_DUPFD_CLOEXEC, 0) : -1;
}

/* The process chooses the name, which may lead to a file system that never answers. A file that got its name back is the
 * same. */
static gboolean
was_replaced (FpFileIdentities *self,
              const FpMapping *mapping)
{
  gsize length = strlen (mapping->name) - strlen (FP_DELETED);
  g_autofree char *path = g_strndup (mapping->name + 1, length - 1);
  g_auto (FpFd) root = open_start (self);
  g_auto (FpFd) found = root >= 0 ? fp_open_cached (root, path) : -1;
  struct statx status;

  if (found < 0 || statx (found, "", AT_EMPTY_PATH | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, STATX_INO, &status) != 0)
    return found >= 0;
  return status.stx_ino != mapping->inode ||
         (mapping->device_major != 0 &&
          (status.stx_dev_major != mapping->device_major || status.stx_dev_minor != mapping->device_minor));
}

/* Tells whether another file has the name of this one, which was deleted: for the processes that see the same mounts it is
 * looked at once. */
gboolean
fp_file_identities_is_updated (FpFileIdentities *self,
                               const FpMapping *mapping)
{
  Place place = { { mapping->inode, mapping->device_major, mapping->device_minor }, mapping->name };
  Namespace *namespace;
  gpointer is_updated;

  if (!may_look (self) || mapping->file_state != FP_FILE_DELETED || mapping->name[0] != '/' ||
      !g_str_has_suffix (mapping->name, FP_DELETED))
    return FALSE;
  namespace = get_namespace (self);
  if (g_hash_table_lookup_extended (namespace->updated, &place, NULL, &is_updated))
    return GPOINTER_TO_INT (is_updated);
  is_updated = GINT_TO_POINTER (was_replaced (self, mapping));
  place.name = fp_mapped_texts_add (self->texts, mapping->name);
  if (place.name)
    {
      fp_mapped_texts_charge (self->texts, sizeof place);
      g_hash_table_insert (namespace->updated, g_memdup2 (&place, sizeof place), is_updated);
    }
  return GPOINTER_TO_INT (is_updated);
}

int
fp_file_identity_open (const FpProcDir *proc,
                       const FpProcessId *id,
                       const FpMapping *mapping)
{
  g_autoptr (FpMappedTexts) texts = fp_mapped_texts_new (G_MAXSIZE);
  g_autoptr (FpFileIdentities) identities = fp_file_identities_new (proc, texts);
  g_auto (FpFd) dir = fp_proc_dir_open_process (proc, id->pid);
  FpFileRoot root = FP_FILE_ROOT_INIT;
  FpFileIdentity identity;

  if (dir >= 0)
    fp_file_root_open (&root, dir);
  fp_file_identities_begin (identities, id->pid, &root);
  fp_file_identities_find (identities, mapping, &identity);
  if (dir < 0 || !proc->is_live || !identity.is_at_hand || (identity.is_layered && !fp_mapping_files_are_trusted (dir)))
    return -1;
  return fp_mapping_open_file (dir, mapping);
}
