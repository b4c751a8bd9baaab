// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fp-reading.h"
#include "fp-clock.h"
#include "fp-kept-reader.h"
#include "fp-mounts.h"
#include "fp-open-files.h"
#include "fp-payer.h"
#include "fp-stat.h"
#include "fp-turns.h"

#define MOUNTS_AGE_US (5 * G_USEC_PER_SEC)  /* after which the mounts of a namespace are listed again */
#define LOOK_AGE_US   (20 * G_USEC_PER_SEC) /* the same for a process whose number of descriptors did not change */

#define MAX_NAMESPACES  256
#define MAX_CLIENTS     16384         /* that are remembered where only graphics are read: a user can open as many as it likes */
#define FIRST_SEARCH_US 200000        /* of CPU time for finding the tmpfs at the first reading */
#define SEARCH_US       5000          /* the same afterwards */
#define MAX_WAIT_US     (1000 * 1000) /* for processes that keep their readers waiting, where there is a budget of CPU time */

/* Flags of memfd_create () that older headers lack */
#define HUGE_2_MIB (21u << 26)
#define HUGE_1_GIB (30u << 26)

typedef struct
{
  gint pid;
  guint64 start_ticks;     /* when its files were looked at */
  gboolean is_seen;        /* in the current list of processes */
  gboolean is_closed;      /* its open files may not be read */
  guint64 n_descriptors;   /* 0 before Linux 6.2 */
  guint64 mount_namespace; /* 0: not known */
  gint64 looked_us;        /* when it was looked at last or, if it never was, when it was seen first */
  gint64 updated_us;       /* when figures of its files were read last */
  gboolean has_changed;    /* look at it as soon as possible */
  FpOpenFiles *files;      /* (nullable) */
} Process;

typedef struct
{
  guint64 id;
  gint pid; /* 0: our own */
  gint64 listed_us;
  gint64 read_us;
  FpMountTable *mounts; /* (nullable) */
  GArray *tmpfs;        /* (nullable): FpTmpfs that were found here and nowhere before, when there was time */
  gboolean is_seen;
} Namespace;

struct _FpKeptReader
{
  GHashTable *processes; /* PID to Process */
  GPtrArray *namespaces; /* our own first */
  guint next_namespace;  /* the first of the others to be looked into */
  gboolean has_read;
  gboolean is_for_graphics;   /* only these are read */
  gboolean has_silent_driver; /* whose clients are told by links alone, which are not read */
  guint n_clients;            /* of all processes, where that is so */
  FpTurns *turns;             /* of their users, there */
  GHashTable *memfd_homes;    /* devices of the kernel's own file systems */
  GHashTable *homes;          /* these, and those that are mounted; it is replaced, as readers may have stayed with it */
};

typedef struct
{
  FpKeptReader *reader;
  const FpProcDir *proc;
  FpKept *kept;
  gint64 now_us;
  GHashTable *indices; /* FpFileKey to place in the list of held files */
  GHashTable *current; /* FpFileKey to FpOpenFile that was read in this reading */
  GHashTable *clients; /* FpGraphics to place in the list of graphics */
  FpTmpfsSearch search;
} Reading;

static void
process_free (gpointer data)
{
  Process *process = data;

  g_clear_pointer (&process->files, fp_open_files_free);
  g_free (process);
}

static void
namespace_free (gpointer data)
{
  Namespace *namespace = data;

  g_clear_pointer (&namespace->mounts, fp_mount_table_free);
  g_clear_pointer (&namespace->tmpfs, g_array_unref);
  g_free (namespace);
}

static void
set_home (GHashTable *homes,
          guint64 device,
          FpFileHome home)
{
  g_hash_table_insert (homes, g_memdup2 (&device, sizeof device), GINT_TO_POINTER (home));
}

/* The devices of memfds are told by none of the kernel's lists, but by an empty memfd. */
static void
learn_memfd_home (GHashTable *homes,
                  unsigned flags,
                  FpFileHome home)
{
  g_auto (FpFd) fd = memfd_create ("footprint", MFD_CLOEXEC | flags);
  struct stat status;

  if (fd >= 0 && fstat (fd, &status) == 0)
    set_home (homes, status.st_dev, home);
}

FpKeptReader *
fp_kept_reader_new (void)
{
  FpKeptReader *self = g_new0 (FpKeptReader, 1);

  self->processes = g_hash_table_new_full (NULL, NULL, NULL, process_free);
  self->namespaces = g_ptr_array_new_with_free_func (namespace_free);
  g_ptr_array_add (self->namespaces, g_new0 (Namespace, 1));
  self->memfd_homes = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->homes = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  learn_memfd_home (self->memfd_homes, 0, FP_HOME_MEMFD);
  learn_memfd_home (self->memfd_homes, MFD_HUGETLB | HUGE_2_MIB, FP_HOME_HUGE_MEMFD);
  learn_memfd_home (self->memfd_homes, MFD_HUGETLB | HUGE_1_GIB, FP_HOME_HUGE_MEMFD);
  return self;
}

/* For a reader of others' processes: it looks at no file and no mount of theirs, but for what drivers tell of clients. */
FpKeptReader *
fp_kept_reader_new_for_graphics (void)
{
  FpKeptReader *self = fp_kept_reader_new ();

  self->is_for_graphics = TRUE;
  self->turns = fp_turns_new ();
  return self;
}

void
fp_kept_reader_free (FpKeptReader *self)
{
  g_clear_pointer (&self->turns, fp_turns_free);
  g_hash_table_unref (self->processes);
  g_ptr_array_unref (self->namespaces);
  g_hash_table_unref (self->memfd_homes);
  g_hash_table_unref (self->homes);
  g_free (self);
}

static void
keep_found (Namespace *namespace,
            const GArray *list,
            guint first)
{
  g_clear_pointer (&namespace->tmpfs, g_array_unref);
  namespace->tmpfs = g_array_new (FALSE, FALSE, sizeof (FpTmpfs));
  g_array_set_clear_func (namespace->tmpfs, fp_tmpfs_clear);
  for (guint i = first; i < list->len; i++)
    {
      FpTmpfs tmpfs = g_array_index (list, FpTmpfs, i);

      tmpfs.path = g_strdup (tmpfs.path);
      g_array_append_val (namespace->tmpfs, tmpfs);
    }
}

/* Without time for all of it, the rest is as it was when there was time. */
static void
read_namespace (Reading *self,
                Namespace *namespace)
{
  guint first = self->kept->tmpfs->len;

  if (namespace->read_us == self->now_us)
    return;
  namespace->read_us = self->now_us;
  if (self->now_us - namespace->listed_us > MOUNTS_AGE_US)
    g_clear_pointer (&namespace->mounts, fp_mount_table_free);
  if (!namespace->mounts)
  namespace->listed_us = self->now_us;
  if (fp_tmpfs_search_visit (&self->search, self->proc, namespace->pid, &namespace->mounts))
    {
      keep_found (namespace, self->kept->tmpfs, first);
      return;
    }
  self->search.is_cut = TRUE;
  for (guint i = 0; namespace->tmpfs && i < namespace->tmpfs->len; i++)
    {
      FpTmpfs tmpfs = g_array_index (namespace->tmpfs, FpTmpfs, i);

      tmpfs.pid = namespace->pid;
      fp_tmpfs_search_add (&self->search, &tmpfs);
    }
}

static void
learn_homes (Reading *self)
{
  GHashTable *homes = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer device, home;

  g_hash_table_unref (self->reader->homes);
  self->reader->homes = homes;
  for (guint i = 0; i < self->kept->tmpfs->len; i++)
    {
      const FpTmpfs *tmpfs = &g_array_index (self->kept->tmpfs, FpTmpfs, i);

      if (tmpfs->kind != FP_TMPFS_RAMFS)
        set_home (homes, tmpfs->device, tmpfs->kind == FP_TMPFS_HUGE ? FP_HOME_HUGE : FP_HOME_TMPFS);
    }
  g_hash_table_iter_init (&iter, self->reader->memfd_homes);
  while (g_hash_table_iter_next (&iter, &device, &home))
    set_home (homes, *(const guint64 *)device, (FpFileHome)GPOINTER_TO_INT (home));
}

static guint
get_n_clients (const Process *process)
{
  return process->files ? process->files->graphics->len : 0;
}

/* Beyond the limit a process's graphics memory is not known. */
static void
limit_clients (Reading *self,
               Process *process)
{
  guint n = get_n_clients (process);

  if (self->reader->is_for_graphics && n > 0 && self->reader->n_clients + n > MAX_CLIENTS)
    {
      g_clear_pointer (&process->files, fp_open_files_free);
      self->kept->is_cut = TRUE;
    }
  self->reader->n_clients += get_n_clients (process);
}

static void
look_at_process (Reading *self,
                 Process *process)
{
  const FpProcessId id = { process->pid, process->start_ticks };
  FpOpenFilesLook look;

  self->reader->n_clients -= get_n_clients (process);
  fp_open_files_look (&look, self->proc, &id, self->reader->is_for_graphics ? NULL : self->reader->homes,
                      g_steal_pointer (&process->files));
  process->looked_us = process->updated_us = self->now_us;
  process->has_changed = FALSE;
  process->is_closed = look.is_closed;
  process->mount_namespace = look.mount_namespace;
  process->files = look.files;
  if (look.start_ticks)
    process->start_ticks = look.start_ticks;
  if (process->files)
    process->files->has_silent_client |= self->reader->has_silent_driver;
  limit_clients (self, process);
}

static gboolean
is_due (const Reading *self,
        const Process *process)
{
  return process->has_changed || process->looked_us <= self->now_us - LOOK_AGE_US;
}

/* Since Linux 6.2 the size of the folder is the number of descriptors, so that most changes are seen at once. */
static void
note_change (const Reading *self,
             Process *process)
{
  char path[32];
  struct statx status;

  g_snprintf (path, sizeof path, "%d/fd", process->pid);
  if (statx (self->proc->fd, path, 0, STATX_SIZE, &status) != 0 || process->n_descriptors == status.stx_size)
    return;
  process->n_descriptors = status.stx_size;
  process->has_changed = TRUE;
}

/* By age among those that wait: one that changes all the time, or starts others all the time, has its turn after those
 * that waited before. */
static int
compare_looked (gconstpointer a,
                gconstpointer b,
                gpointer data)
{
  const Process *x = *(const Process *const *)a, *y = *(const Process *const *)b;
  gboolean is_x_due = is_due (data, x), is_y_due = is_due (data, y);

  if (is_x_due != is_y_due)
    return is_y_due - is_x_due;
  return x->looked_us != y->looked_us ? (x->looked_us > y->looked_us) - (x->looked_us < y->looked_us) : x->pid - y->pid;
}

static gboolean
is_unseen (gpointer key,
           gpointer value,
           gpointer data)
{
  return !((const Process *)value)->is_seen;
}

/* In the order in which they are to be looked at; NULL: they can't be listed. */
static GPtrArray *
list_processes (Reading *self,
                GError **error)
{
  g_autoptr (GArray) pids = g_array_new (FALSE, FALSE, sizeof (gint));
  GPtrArray *list;
  GHashTableIter iter;
  gpointer value;

  if (!fp_proc_dir_list (self->proc, pids, error))
    return NULL;
  list = g_ptr_array_sized_new (pids->len);
  g_hash_table_iter_init (&iter, self->reader->processes);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    ((Process *)value)->is_seen = FALSE;
  for (guint i = 0; i < pids->len; i++)
    {
      gint pid = g_array_index (pids, gint, i);
      Process *process = g_hash_table_lookup (self->reader->processes, GINT_TO_POINTER (pid));

      if (!process)
        {
          process = g_new0 (Process, 1);
          process->pid = pid;
          process->looked_us = self->now_us;
          process->has_changed = TRUE;
          g_hash_table_insert (self->reader->processes, GINT_TO_POINTER (pid), process);
        }
      process->is_seen = TRUE;
      if (process->files || process->has_changed)
        note_change (self, process);
      g_ptr_array_add (list, process);
    }
  g_hash_table_foreach_remove (self->reader->processes, is_unseen, NULL);
  g_ptr_array_sort_with_data (list, compare_looked, self);
  return list;
}

/* Each namespace is seen through the first process that is in it. TRUE: there is a new one. */
static gboolean
find_namespaces (Reading *self,
                 const GPtrArray *processes)
{
  GPtrArray *namespaces = self->reader->namespaces;
  Namespace *own = namespaces->pdata[0];
  g_auto (FpFd) dir = openat (self->proc->fd, "self", O_PATH | O_DIRECTORY | O_CLOEXEC);
  g_autoptr (GHashTable) ids = g_hash_table_new (g_int64_hash, g_int64_equal);
  gboolean has_new = FALSE;

  own->id = dir >= 0 ? fp_mounts_get_namespace (dir) : 0;
  for (guint i = 1; i < namespaces->len; i++)
    {
      Namespace *namespace = namespaces->pdata[i];

      namespace->is_seen = FALSE;
      g_hash_table_insert (ids, &namespace->id, namespace);
    }
  own->is_seen = TRUE;
  g_hash_table_insert (ids, &own->id, own);
  for (guint i = 0; i < processes->len; i++)
    {
      const Process *process = processes->pdata[i];
      Namespace *found = g_hash_table_lookup (ids, &process->mount_namespace);

      if (process->mount_namespace == 0 || (found && found->is_seen))
        continue;
      if (!found && namespaces->len == MAX_NAMESPACES)
        {
          self->search.is_cut = TRUE;
          continue;
        }
      if (!found)
        {
          found = g_new0 (Namespace, 1);
          found->id = process->mount_namespace;
          g_ptr_array_add (namespaces, found);
          g_hash_table_insert (ids, &found->id, found);
          has_new = TRUE;
        }
      found->pid = process->pid;
      found->is_seen = TRUE;
    }
  for (guint i = namespaces->len; i-- > 1;)
    if (!((Namespace *)namespaces->pdata[i])->is_seen)
      g_ptr_array_remove_index (namespaces, i);
  return has_new;
}

static void
add_held (Reading *self,
          const Process *process,
          const FpOpenFile *file)
{
  FpKept *kept = self->kept;
  const FpOpenFile *current = g_hash_table_lookup (self->current, &file->key);
  gpointer index;

  if (!g_hash_table_lookup_extended (self->indices, &file->key, NULL, &index))
    {
      const FpHeldFile held = {
        .device = file->key.device,
        .inode = file->key.inode,
        .name = g_strdup (file->name),
        .used = current ? current->used : file->used,
        .pid = process->pid,
        .is_in_tmpfs = file->home == FP_HOME_TMPFS || file->home == FP_HOME_HUGE,
        .is_huge = file->home == FP_HOME_HUGE_MEMFD || file->home == FP_HOME_HUGE,
      };

      index = GUINT_TO_POINTER (kept->held->len);
      g_array_append_val (kept->held, held);
      g_hash_table_insert (self->indices, (gpointer)&file->key, index);
    }
  g_array_index (kept->held, FpHeldFile, GPOINTER_TO_UINT (index)).n_holders++;
}

static void
add_graphics (Reading *self,
              const Process *process,
              const FpGraphics *graphics)
{
  GArray *list = self->kept->graphics;
  FpGraphicsHolder holder = { .pid = process->pid };
  gpointer index;

  if (g_hash_table_lookup_extended (self->clients, graphics, NULL, &index))
    holder.index = GPOINTER_TO_UINT (index);
  else
    {
      FpGraphics first = *graphics;

      holder.index = list->len;
      g_hash_table_insert (self->clients, (gpointer)graphics, GUINT_TO_POINTER (holder.index));
      first.pid = process->pid;
      first.n_holders = 0;
      g_array_append_val (list, first);
    }
  g_array_index (list, FpGraphics, holder.index).n_holders++;
  g_array_append_val (self->kept->graphics_holders, holder);
}

static void
add_current (Reading *self,
             FpOpenFile *file)
{
  if (!g_hash_table_contains (self->current, &file->key))
    g_hash_table_insert (self->current, &file->key, file);
}

static gboolean
has_news (const Reading *self,
          const FpOpenFiles *files)
{
  for (guint i = 0; i < files->files->len; i++)
    if (!g_hash_table_contains (self->current, &g_array_index (files->files, FpOpenFile, i).key))
      return TRUE;
  return files->graphics->len > 0;
}

static gboolean
is_over (guint64 end_us)
{
  return end_us > 0 && fp_reading_clock_us () > end_us;
}

/* Figures of before this reading are read again, once for each file: at the first that holds it. */
static void
update_process (Reading *self,
                Process *process,
                guint64 end_us)
{
  const FpProcessId id = { process->pid, process->start_ticks };
  guint64 now_us = fp_reading_clock_us (), budget_us = end_us > 0 ? MAX (end_us, now_us + 1) - now_us : 0;
  guint first;

  if (!has_news (self, process->files))
    return;
  process->has_changed |= !fp_open_files_update (&process->files, self->proc, &id, self->current, budget_us, &first);
  process->is_closed = !process->files;
  process->updated_us = self->now_us;
  for (guint i = first; process->files && i < process->files->files->len; i++)
    add_current (self, &g_array_index (process->files->files, FpOpenFile, i));
}

static int
compare_updated (gconstpointer a,
                 gconstpointer b)
{
  const Process *x = *(const Process *const *)a, *y = *(const Process *const *)b;

  return x->updated_us != y->updated_us ? (x->updated_us > y->updated_us) - (x->updated_us < y->updated_us) : x->pid - y->pid;
}

/* The oldest figures come first, and the others when there is time. */
static void
update_processes (Reading *self,
                  GPtrArray *processes,
                  guint64 budget_us)
{
  guint64 end_us = budget_us > 0 ? fp_reading_clock_us () + budget_us : 0;
  gint64 late_us = budget_us > 0 ? g_get_monotonic_time () + MAX_WAIT_US : G_MAXINT64;

  g_ptr_array_sort (processes, compare_updated);
  for (guint i = 0; i < processes->len; i++)
    {
      Process *process = processes->pdata[i];

      for (guint j = 0; process->files && process->looked_us == self->now_us && j < process->files->files->len; j++)
        add_current (self, &g_array_index (process->files->files, FpOpenFile, j));
    }
  /* A thread that waits for a process uses no processor. */
  for (guint i = 0; i < processes->len && !is_over (end_us) && g_get_monotonic_time () < late_us; i++)
    {
      Process *process = processes->pdata[i];

      if (process->files && process->looked_us != self->now_us)
        update_process (self, process, end_us);
    }
}

static int
compare_pids (gconstpointer a,
              gconstpointer b)
{
  return (*(const Process *const *)a)->pid - (*(const Process *const *)b)->pid;
}

static void
add_told (Reading *self,
          const Process *process)
{
  const FpProcessId id = { process->pid, process->start_ticks };

  if (process->files && !process->files->is_cut && !process->files->has_silent_client)
    g_array_append_val (self->kept->told, id);
}

static void
add_files (Reading *self,
           GPtrArray *processes)
{
  g_ptr_array_sort (processes, compare_pids);
  for (guint i = 0; i < processes->len; i++)
    {
      Process *process = processes->pdata[i];

      self->kept->n_unread += process->is_closed;
      self->kept->n_pending += process->has_changed;
      self->kept->is_cut |= process->files && process->files->is_cut;
      add_told (self, process);
      for (guint j = 0; process->files && j < process->files->files->len; j++)
        add_held (self, process, &g_array_index (process->files->files, FpOpenFile, j));
      for (guint j = 0; process->files && j < process->files->graphics->len; j++)
        add_graphics (self, process, &g_array_index (process->files->graphics, FpOpenGraphics, j).graphics);
    }
}

static void
mark_mapped (Reading *self,
             const GPtrArray *processes)
{
  for (guint i = 0; i < processes->len; i++)
    {
      const Process *process = processes->pdata[i];
      gpointer index;

      for (guint j = 0; process->files && j < process->files->mapped->len; j++)
        if (g_hash_table_lookup_extended (self->indices, &g_array_index (process->files->mapped, FpFileKey, j), NULL, &index))
          g_array_index (self->kept->held, FpHeldFile, GPOINTER_TO_UINT (index)).is_mapped = TRUE;
    }
}

static void
look_at_processes (Reading *self,
                   const GPtrArray *processes,
                   guint64 budget_us)
{
  guint64 start_us = fp_reading_clock_us ();

  for (guint i = 0; i < processes->len; i++)
    {
      Process *process = processes->pdata[i];

      if (budget_us > 0 && !is_due (self, process))
        return;
      look_at_process (self, process);
      if (budget_us > 0 && fp_reading_clock_us () - start_us > budget_us)
        return;
    }
}

/* Our own comes first each time, and of the others another one. */
static void
find_tmpfs (Reading *self)
{
  GPtrArray *namespaces = self->reader->namespaces;
  guint n_others = namespaces->len - 1, start = n_others > 0 ? self->reader->next_namespace++ % n_others : 0;

  read_namespace (self, namespaces->pdata[0]);
  for (guint i = 0; i < n_others; i++)
    read_namespace (self, namespaces->pdata[1 + (start + i) % n_others]);
  learn_homes (self);
}

/* A process of a namespace that was not known may hold deleted files of a tmpfs that was not known either. */
static void
look_into_new_namespaces (Reading *self,
                          const GPtrArray *processes,
                          guint64 budget_us)
{
  const Namespace *own = self->reader->namespaces->pdata[0];
  g_autoptr (GPtrArray) others = g_ptr_array_new ();

  if (!find_namespaces (self, processes))
    return;
  find_tmpfs (self);
  for (guint i = 0; i < processes->len; i++)
    {
      Process *process = processes->pdata[i];

      if (process->mount_namespace != 0 && process->mount_namespace != own->id)
        {
          process->has_changed = TRUE;
          g_ptr_array_add (others, process);
        }
    }
  look_at_processes (self, others, budget_us);
}

static void
count_clients (Reading *self,
               const GPtrArray *processes)
{
  self->reader->n_clients = 0;
  for (guint i = 0; i < processes->len; i++)
    self->reader->n_clients += get_n_clients (processes->pdata[i]);
}

/* The rest goes on at the next reading, at the user whose turn it is then. */
static void
look_by_turns (Reading *self,
               const GPtrArray *processes,
               guint64 budget_us)
{
  FpTurns *turns = self->reader->turns;
  guint64 start_us = fp_reading_clock_us (), spent_us = 0;
  gint64 now_us = g_get_monotonic_time (), end_us = now_us + MAX_WAIT_US;
  Process *process;

  fp_turns_clear (turns);
  for (guint i = 0; i < processes->len && is_due (self, processes->pdata[i]); i++)
    {
      FpPayer payer = { 0 };

      process = processes->pdata[i];
      fp_turns_add (turns, fp_payer_guess (&payer, self->proc, process->pid), process);
    }
  while ((budget_us == 0 || (spent_us <= budget_us && now_us < end_us)) &&
         (process = fp_turns_next (turns)))
    {
      gint64 before_us = now_us;

      look_at_process (self, process);
      spent_us = fp_reading_clock_us () - start_us;
      now_us = g_get_monotonic_time ();
      fp_turns_spend (turns, (guint64)(now_us - before_us));
    }
}

static void
read_graphics (Reading *self,
               GPtrArray *processes,
               guint64 budget_us)
{
  self->reader->has_silent_driver = faccessat (self->proc->fd, "driver/nvidia", F_OK, 0) == 0;
  count_clients (self, processes);
  look_by_turns (self, processes, budget_us);
  update_processes (self, processes, budget_us);
  add_files (self, processes);
}

/* budget_us: of CPU time for looking at processes whose files may have changed; 0: look at all of them. */
FpKept *
fp_kept_reader_read (FpKeptReader *self,
                     const FpProcDir *proc,
                     guint64 budget_us,
                     GError **error)
{
  g_autoptr (FpKept) kept = fp_kept_new ();
  g_autoptr (GHashTable) indices = g_hash_table_new (fp_file_key_hash, fp_file_key_equal);
  g_autoptr (GHashTable) current = g_hash_table_new (fp_file_key_hash, fp_file_key_equal);
  g_autoptr (GHashTable) clients = g_hash_table_new (fp_graphics_hash, fp_graphics_equal);
  g_autoptr (GHashTable) devices = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GPtrArray) processes = NULL;
  Reading reading = { self, proc, kept, g_get_monotonic_time (), indices, current, clients };

  reading.search = (FpTmpfsSearch){ .list = kept->tmpfs, .indices = devices };
  reading.search.end_us = fp_reading_clock_us () + (self->has_read ? SEARCH_US : FIRST_SEARCH_US);
  self->has_read = TRUE;
  kept->measured_us = fp_clock_us (CLOCK_BOOTTIME);
  if (!(processes = list_processes (&reading, error)))
    return NULL;
  if (self->is_for_graphics)
    {
      read_graphics (&reading, processes, budget_us);
      return g_steal_pointer (&kept);
    }
  find_namespaces (&reading, processes);
  find_tmpfs (&reading);
  look_at_processes (&reading, processes, budget_us);
  look_into_new_namespaces (&reading, processes, budget_us);
  update_processes (&reading, processes, budget_us);
  add_files (&reading, processes);
  mark_mapped (&reading, processes);
  kept->is_cut |= reading.search.is_cut;
  kept->segments = fp_segments_read (proc);
  return g_steal_pointer (&kept);
}

FpKept *
fp_kept_read (const FpProcDir *proc,
              GError **error)
{
  g_autoptr (FpKeptReader) self = fp_kept_reader_new ();

  return fp_kept_reader_read (self, proc, 0, error);
}
