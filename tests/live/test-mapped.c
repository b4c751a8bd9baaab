// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-mapped-reader.h"
#include "fp-stat.h"
#include "live-process.h"

#define MAX_PROCESSES 8
#define SIZE          ((guint64)1 << 20)

static char *folder;
static guint64 page_size;

/* Children that map files, and are stopped before they are looked at */
typedef struct
{
  LiveProcess live[MAX_PROCESSES];
  FpMappedProcess processes[MAX_PROCESSES];
  guint n;
} Fixture;

/* The file that a child maps and touches; n_written: its first pages that it changes */
typedef struct
{
  const char *path; /* NULL: fd */
  int fd;
  int protection;
  int flags;
  guint n_written;
  LiveFunc prepare; /* (nullable) */
} Task;

static void
set_up (Fixture *self,
        gconstpointer data)
{
  folder = g_dir_make_tmp ("footprint-XXXXXX", NULL);
  g_assert_nonnull (folder);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  g_autofree char *quoted = g_shell_quote (folder), *command = g_strdup_printf ("rm -rf %s", quoted);

  for (guint i = 0; i < self->n; i++)
    live_process_stop (&self->live[i]);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  g_clear_pointer (&folder, g_free);
}

static char *
in_folder (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static void
fill (int fd)
{
  g_autofree char *block = g_malloc (SIZE);

  memset (block, 'f', SIZE);
  g_assert_cmpint (write (fd, block, SIZE), ==, SIZE);
}

static void
make_file (const char *path)
{
  int fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0755);

  g_assert_cmpint (fd, >=, 0);
  fill (fd);
  close (fd);
}

/* Locked, so that nothing of it can be swapped out or dropped. */
static void
map_and_wait (gpointer data)
{
  const Task *task = data;
  volatile char *memory;
  int fd;

  if (task->prepare)
    task->prepare (data);
  fd = task->path ? open (task->path, O_RDONLY | O_CLOEXEC) : task->fd;
  memory = mmap (NULL, SIZE, task->protection, task->flags, fd, 0);
  if (fd < 0 || memory == MAP_FAILED)
    _exit (1);
  for (guint64 at = 0; at < SIZE; at += page_size)
    (void)memory[at];
  for (guint i = 0; i < task->n_written; i++)
    memory[i * page_size] = 'w';
  mlock2 ((void *)memory, SIZE, MLOCK_ONFAULT);
  live_answer ();
  for (;;)
    pause ();
}

/* As uid says they may belong to anybody: only the reader's caller knows. */
static void
add_child (Fixture *self,
           LiveFunc func,
           gpointer data,
           guint32 uid)
{
  FpMappedProcess *process = &self->processes[self->n];
  LiveProcess *live = &self->live[self->n++];
  g_auto (FpProcDir) proc = { .fd = -1 };
  FpStat stat;

  live_process_start (live, func, data);
  kill (live->pid, SIGSTOP);
  live_wait_for_state (live->pid, "T");
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  g_assert_true (fp_stat_read_any (&stat, &proc, live->pid));
  *process = (FpMappedProcess){ { live->pid, stat.start_ticks }, uid, 0 };
}

static void
add_task (Fixture *self,
          const Task *task)
{
  add_child (self, map_and_wait, (gpointer)task, 1000);
}

static FpMappedFiles *
read_all (Fixture *self)
{
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_autoptr (GError) error = NULL;
  FpMappedFiles *files;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  files = fp_mapped_files_read (&proc, self->processes, self->n, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (files->n_read, ==, self->n);
  g_assert_cmpuint (files->n_unread, ==, 0);
  return files;
}

static guint
count (const FpMappedFiles *files,
       const char *name)
{
  guint n = 0;

  for (guint i = 0; i < files->files->len; i++)
    n += g_str_equal (fp_mapped_files_get (files, i)->name, name);
  return n;
}

/* n: which of those with this name */
static const FpMappedFile *
find (const FpMappedFiles *files,
      const char *name,
      guint n)
{
  for (guint i = 0; i < files->files->len; i++)
    if (g_str_equal (fp_mapped_files_get (files, i)->name, name) && n-- == 0)
      return fp_mapped_files_get (files, i);
  g_error ("no process maps %s", name);
}

static guint64
get (const FpMappedFile *file,
     FpField field)
{
  FpMemory memory;

  fp_mapped_file_get_memory (file, &memory);
  g_assert_true (fp_memory_has (&memory, field));
  return memory.figures[field];
}

static void
test_memfd (Fixture *self,
            gconstpointer data)
{
  const Task task = { .fd = memfd_create ("footprint-mapped", 0), .protection = PROT_READ | PROT_WRITE, .flags = MAP_SHARED };
  const FpMappedFile *file;
  g_autoptr (FpMappedFiles) files = NULL;

  fill (task.fd);
  for (guint i = 0; i < 4; i++)
    add_child (self, map_and_wait, (gpointer)&task, i < 3 ? 1000 : 1001);
  close (task.fd);
  files = read_all (self);
  file = find (files, "/memfd:footprint-mapped (deleted)", 0);
  g_assert_cmpuint (count (files, "/memfd:footprint-mapped (deleted)"), ==, 1);
  g_assert_cmpuint (file->n_processes, ==, 4);
  g_assert_cmpuint (file->n_users, ==, 2);
  g_assert_cmpuint (file->n_mappings, ==, 4);
  g_assert_cmpint (file->kind, ==, FP_MAPPING_SHARED_MEMORY);
  g_assert_cmpint (file->state, ==, FP_FILE_UNKNOWN);
  g_assert_false (fp_mapped_file_is_outdated (file));
  g_assert_cmpuint (get (file, FP_FIELD_SIZE), ==, 4 * SIZE);
  g_assert_cmpuint (get (file, FP_FIELD_RSS), ==, 4 * SIZE);
  g_assert_cmpuint (get (file, FP_FIELD_PSS), ==, SIZE);
  g_assert_cmpuint (get (file, FP_FIELD_USS), ==, 0);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpint (fp_mapped_files_get_holder (files, file, i)->id.pid, ==, self->live[i].pid);
}

/* Pages that a process has written to are its own, and the others are shared. */
static void
test_written (Fixture *self,
              gconstpointer data)
{
  g_autofree char *path = in_folder ("data");
  const Task task = { .path = path, .protection = PROT_READ | PROT_WRITE, .flags = MAP_PRIVATE, .n_written = 4 };
  g_autoptr (FpMappedFiles) files = NULL;
  const FpMappedFile *file;

  make_file (path);
  for (guint i = 0; i < 4; i++)
    add_task (self, &task);
  files = read_all (self);
  file = find (files, path, 0);
  g_assert_cmpuint (file->n_processes, ==, 4);
  g_assert_cmpint (file->kind, ==, FP_MAPPING_DATA);
  g_assert_cmpint (file->state, ==, FP_FILE_PRESENT);
  g_assert_cmpuint (get (file, FP_FIELD_ANONYMOUS), ==, 4 * 4 * page_size);
  g_assert_cmpuint (get (file, FP_FIELD_PRIVATE_DIRTY), ==, 4 * 4 * page_size);
  g_assert_cmpuint (get (file, FP_FIELD_USS), ==, 4 * 4 * page_size);
  g_assert_cmpuint (get (file, FP_FIELD_RSS), ==, 4 * SIZE);
  g_assert_cmpuint (get (file, FP_FIELD_PSS), ==, SIZE - 4 * page_size + 4 * 4 * page_size);
}

/* Two names of one file are one, and a copy is another file. */
static void
test_hard_link (Fixture *self,
                gconstpointer data)
{
  g_autofree char *path = in_folder ("original"), *name = in_folder ("link"), *copy = in_folder ("copy");
  Task tasks[] = { { .path = path }, { .path = name }, { .path = copy } };
  g_autoptr (FpMappedFiles) files = NULL;

  make_file (path);
  make_file (copy);
  if (link (path, name) != 0)
    {
      g_test_skip ("There are no hard links in the folder for temporary files");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      tasks[i].protection = PROT_READ;
      tasks[i].flags = MAP_SHARED;
      add_task (self, &tasks[i]);
    }
  files = read_all (self);
  g_assert_cmpuint (find (files, path, 0)->n_processes, ==, 2);
  g_assert_cmpuint (get (find (files, path, 0), FP_FIELD_PSS), ==, SIZE);
  g_assert_cmpuint (count (files, name), ==, 0);
  g_assert_cmpuint (find (files, copy, 0)->n_processes, ==, 1);
  g_assert_cmpuint (get (find (files, copy, 0), FP_FIELD_USS), ==, SIZE);
}

static gboolean
may_execute (const char *path)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  void *memory = mmap (NULL, SIZE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

  close (fd);
  if (memory == MAP_FAILED)
    return FALSE;
  munmap (memory, SIZE);
  return TRUE;
}

/* Data is deleted on purpose, but code is outdated then, and any file is that has been replaced. */
static void
test_deleted (Fixture *self,
              gconstpointer data)
{
  g_autofree char *path = in_folder ("libold.so"), *other = in_folder ("scratch");
  g_autofree char *old = g_strconcat (path, " (deleted)", NULL), *scratch = g_strconcat (other, " (deleted)", NULL);
  const Task code = { .path = path, .protection = PROT_READ | PROT_EXEC, .flags = MAP_PRIVATE };
  const Task scratching = { .path = other, .protection = PROT_READ, .flags = MAP_PRIVATE };
  g_autoptr (FpMappedFiles) deleted = NULL, updated = NULL;

  make_file (path);
  make_file (other);
  if (!may_execute (path))
    {
      g_test_skip ("Nothing may be executed in the folder for temporary files");
      return;
    }
  add_task (self, &code);
  add_task (self, &code);
  add_task (self, &scratching);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_unlink (other), ==, 0);
  deleted = read_all (self);
  g_assert_cmpint (find (deleted, old, 0)->state, ==, FP_FILE_DELETED);
  g_assert_false (find (deleted, old, 0)->is_updated);
  g_assert_true (fp_mapped_file_is_outdated (find (deleted, old, 0)));
  g_assert_cmpint (find (deleted, scratch, 0)->state, ==, FP_FILE_DELETED);
  g_assert_false (fp_mapped_file_is_outdated (find (deleted, scratch, 0)));

  make_file (path);
  make_file (other);
  add_task (self, &code);
  updated = read_all (self);
  g_assert_true (find (updated, old, 0)->is_updated);
  g_assert_true (fp_mapped_file_is_outdated (find (updated, old, 0)));
  g_assert_true (fp_mapped_file_is_outdated (find (updated, scratch, 0)));
  g_assert_cmpuint (find (updated, old, 0)->n_processes, ==, 2);
  g_assert_cmpuint (get (find (updated, old, 0), FP_FIELD_PSS), ==, SIZE);
  g_assert_false (fp_mapped_file_is_outdated (find (updated, path, 0)));
  g_assert_cmpuint (find (updated, path, 0)->n_processes, ==, 1);
}

/* The same file by two names, of which one was taken by another file: those who have it by the other name are not to be
 * restarted, whichever of them is read first. */
static void
test_deleted_name (Fixture *self,
                   gconstpointer data)
{
  g_autofree char *path = in_folder ("replaced"), *other = in_folder ("kept");
  const Task tasks[] = { { .path = other, .protection = PROT_READ, .flags = MAP_SHARED },
                         { .path = path, .protection = PROT_READ, .flags = MAP_SHARED },
                         { .path = other, .protection = PROT_READ, .flags = MAP_SHARED } };
  g_autoptr (FpMappedFiles) files = NULL;
  const FpMappedHolder *holders;
  const FpMappedFile *file;

  make_file (path);
  if (link (path, other) != 0)
    {
      g_test_skip ("There are no hard links in the folder for temporary files");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    add_task (self, &tasks[i]);
  g_assert_cmpint (g_unlink (path), ==, 0);
  make_file (path);
  files = read_all (self);
  file = find (files, other, 0);
  holders = fp_mapped_files_get_holders (files, file);
  g_assert_cmpuint (file->n_holders, ==, G_N_ELEMENTS (tasks));
  g_assert_true (fp_mapped_file_is_outdated (file));
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    g_assert_cmpint (fp_mapped_holder_is_outdated (&holders[i], file), ==, i == 1);
}

/* A file that has its name again was not updated. */
static void
test_name_back (Fixture *self,
                gconstpointer data)
{
  g_autofree char *path = in_folder ("back"), *other = in_folder ("other"), *old = g_strconcat (path, " (deleted)", NULL);
  const Task task = { .path = path, .protection = PROT_READ, .flags = MAP_SHARED };
  g_autoptr (FpMappedFiles) files = NULL;

  make_file (path);
  add_task (self, &task);
  if (link (path, other) != 0)
    {
      g_test_skip ("There are no hard links in the folder for temporary files");
      return;
    }
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (link (other, path), ==, 0);
  files = read_all (self);
  if (count (files, old) == 0)
    {
      g_test_skip ("This kernel says that the file has its name again");
      return;
    }
  g_assert_cmpint (find (files, old, 0)->state, ==, FP_FILE_DELETED);
  g_assert_false (fp_mapped_file_is_outdated (find (files, old, 0)));
}

/* The owner of a process chooses what is at its file's name: it must not lead who looks at it to another place. */
static void
test_name_leads_away (Fixture *self,
                      gconstpointer data)
{
  g_autofree char *lib = in_folder ("lib"), *path = in_folder ("lib/data"), *old = g_strconcat (path, " (deleted)", NULL);
  g_autofree char *elsewhere = in_folder ("elsewhere"), *other = in_folder ("elsewhere/data");
  const Task task = { .path = path, .protection = PROT_READ, .flags = MAP_SHARED };
  g_autoptr (FpMappedFiles) led = NULL, plain = NULL;

  g_assert_cmpint (g_mkdir (lib, 0755), ==, 0);
  g_assert_cmpint (g_mkdir (elsewhere, 0755), ==, 0);
  make_file (path);
  make_file (other);
  add_task (self, &task);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (lib), ==, 0);
  g_assert_cmpint (symlink (elsewhere, lib), ==, 0);
  led = read_all (self);
  g_assert_false (find (led, old, 0)->is_updated);
  g_assert_cmpint (g_unlink (lib), ==, 0);
  g_assert_cmpint (g_rename (elsewhere, lib), ==, 0);
  plain = read_all (self);
  g_assert_true (find (plain, old, 0)->is_updated);
}

static gboolean
unshare_mounts (void)
{
  return unshare (CLONE_NEWNS) == 0 && mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

/* The folder has a file of the host's, and one of the same name in a file system of the container's own. */
static void
enter_container (gpointer data)
{
  g_autofree char *path = in_folder ("lib/libx.so"), *lib = in_folder ("lib"), *bound = in_folder ("bound");

  if (!unshare_mounts () || mount (lib, bound, NULL, MS_BIND, NULL) != 0 || mount ("footprint", lib, "tmpfs", 0, NULL) != 0)
    _exit (1);
  make_file (path);
}

static gboolean
can_mount (void)
{
  pid_t pid = fork ();
  int status;

  if (pid == 0)
    _exit (!unshare_mounts ());
  waitpid (pid, &status, 0);
  if (!WIFEXITED (status) || WEXITSTATUS (status) != 0)
    g_test_skip ("Mounts of one's own need root");
  return WIFEXITED (status) && WEXITSTATUS (status) == 0;
}

/* Maps the file in a container of its own, and puts another one over its name there alone. */
static void
map_and_hide (gpointer data)
{
  g_autofree char *lib = in_folder ("lib");
  const Task *task = data;
  int fd;

  if (!unshare_mounts ())
    _exit (1);
  fd = open (task->path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || mmap (NULL, SIZE, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0) == MAP_FAILED ||
      mount ("footprint", lib, "tmpfs", 0, NULL) != 0)
    _exit (2);
  make_file (task->path);
  live_answer ();
  for (;;)
    pause ();
}

/* Whether a deleted file was replaced is another question for each who sees other mounts. */
static void
test_updated_elsewhere (Fixture *self,
                        gconstpointer data)
{
  g_autofree char *lib = in_folder ("lib"), *path = in_folder ("lib/data"), *old = g_strconcat (path, " (deleted)", NULL);
  const Task task = { .path = path, .protection = PROT_READ, .flags = MAP_SHARED };
  g_autoptr (FpMappedFiles) files = NULL;

  if (!can_mount ())
    return;
  g_assert_cmpint (g_mkdir (lib, 0755), ==, 0);
  make_file (path);
  add_task (self, &task);
  add_child (self, map_and_hide, (gpointer)&task, 1000);
  add_task (self, &task);
  g_assert_cmpint (g_unlink (path), ==, 0);
  for (guint order = 0; order < 2; order++)
    {
      const FpMappedProcess first = self->processes[0];
      const FpMappedHolder *holders;
      const FpMappedFile *file;

      g_clear_pointer (&files, fp_mapped_files_unref);
      files = read_all (self);
      file = find (files, old, 0);
      holders = fp_mapped_files_get_holders (files, file);
      g_assert_cmpuint (file->n_holders, ==, 3);
      g_assert_true (file->is_updated);
      for (guint i = 0; i < 3; i++)
        g_assert_cmpint (fp_mapped_holder_is_outdated (&holders[i], file), ==,
                         files->processes[holders[i].process].id.pid == self->live[1].pid);
      self->processes[0] = self->processes[1];
      self->processes[1] = first;
    }
}

static void
test_namespace (Fixture *self,
                gconstpointer data)
{
  g_autofree char *lib = in_folder ("lib"), *bound = in_folder ("bound");
  g_autofree char *path = in_folder ("lib/libx.so"), *again = in_folder ("bound/libx.so");
  Task tasks[] = { { .path = path }, { .path = path, .prepare = enter_container }, { .path = again, .prepare = enter_container } };
  g_autoptr (FpMappedFiles) files = NULL;
  const FpMappedFile *first, *second;

  if (!can_mount ())
    return;
  g_assert_cmpint (g_mkdir (lib, 0755), ==, 0);
  g_assert_cmpint (g_mkdir (bound, 0755), ==, 0);
  make_file (path);
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      tasks[i].protection = PROT_READ;
      tasks[i].flags = MAP_SHARED;
      add_task (self, &tasks[i]);
    }
  files = read_all (self);
  first = find (files, path, 0);
  second = find (files, path, 1);
  g_assert_cmpuint (first->n_processes, ==, 2);
  g_assert_cmpint (fp_mapped_files_get_holder (files, first, 1)->id.pid, ==, self->live[2].pid);
  g_assert_cmpuint (second->n_processes, ==, 1);
  g_assert_cmpuint (get (first, FP_FIELD_PSS), ==, SIZE);
  g_assert_cmpuint (get (second, FP_FIELD_USS), ==, SIZE);
  g_assert_true (first->key[0] != second->key[0] || first->key[1] != second->key[1]);
}

/* Two layers that count their inodes alike, so that both files have one device and one inode in the list of mappings. */
static void
mount_overlay (gpointer data)
{
  g_autofree char *one = in_folder ("one"), *two = in_folder ("two"), *merged = in_folder ("merged");
  g_autofree char *a = in_folder ("one/a"), *b = in_folder ("two/b"), *link_of_a = in_folder ("one/c");
  g_autofree char *options = g_strdup_printf ("lowerdir=%s:%s", one, two);

  if (!unshare_mounts () || mount ("footprint", one, "tmpfs", 0, NULL) != 0 || mount ("footprint", two, "tmpfs", 0, NULL) != 0)
    _exit (1);
  make_file (a);
  make_file (b);
  if (link (a, link_of_a) != 0 || mount ("footprint", merged, "overlay", MS_RDONLY, options) != 0)
    _exit (2);
}

static void
map_merged (gpointer data)
{
  static const char *const names[] = { "merged/a", "merged/b", "merged/c" };

  mount_overlay (data);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = in_folder (names[i]);
      int fd = open (path, O_RDONLY | O_CLOEXEC);
      volatile char *memory = mmap (NULL, SIZE, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);

      if (fd < 0 || memory == MAP_FAILED)
        _exit (3);
    }
  live_answer ();
  for (;;)
    pause ();
}

static void
try_overlay (gpointer data)
{
  mount_overlay (data);
}

static gboolean
can_overlay (void)
{
  pid_t pid = live_fork (try_overlay, NULL);
  int status;

  waitpid (pid, &status, 0);
  if (!WIFEXITED (status) || WEXITSTATUS (status) != 0)
    g_test_skip ("This kernel has no overlays of tmpfs");
  return WIFEXITED (status) && WEXITSTATUS (status) == 0;
}

static void
test_overlay (Fixture *self,
              gconstpointer data)
{
  static const char *const folders[] = { "one", "two", "merged" };
  g_autofree char *a = in_folder ("merged/a"), *b = in_folder ("merged/b"), *c = in_folder ("merged/c");
  g_autoptr (FpMappedFiles) files = NULL;
  const FpMappedFile *first;

  if (!can_mount ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = in_folder (folders[i]);

      g_assert_cmpint (g_mkdir (path, 0755), ==, 0);
    }
  if (!can_overlay ())
    return;
  add_child (self, map_merged, NULL, 1000);
  files = read_all (self);
  g_assert_cmpuint (count (files, a) + count (files, c), ==, 1);
  first = find (files, count (files, a) ? a : c, 0);
  g_assert_cmpuint (first->n_mappings, ==, 2);
  g_assert_cmpuint (get (first, FP_FIELD_RSS), ==, 2 * SIZE);
  g_assert_cmpuint (count (files, b), ==, 1);
  g_assert_cmpuint (find (files, b, 0)->n_mappings, ==, 1);
}

static void
attach_segment (gpointer data)
{
  volatile char *memory = shmat (*(const int *)data, NULL, 0);

  if (memory == (void *)-1)
    _exit (1);
  for (guint64 at = 0; at < SIZE; at += page_size)
    memory[at] = 's';
  mlock ((void *)memory, SIZE);
  live_answer ();
  for (;;)
    pause ();
}

static void
test_system_v (Fixture *self,
               gconstpointer data)
{
  int id = shmget (IPC_PRIVATE, SIZE, IPC_CREAT | 0600);
  g_autoptr (FpMappedFiles) files = NULL;
  const FpMappedFile *file = NULL;

  if (id < 0)
    {
      g_test_skip ("There is no System V shared memory here");
      return;
    }
  add_child (self, attach_segment, &id, 1000);
  add_child (self, attach_segment, &id, 1000);
  shmctl (id, IPC_RMID, NULL);
  files = read_all (self);
  for (guint i = 0; i < files->files->len; i++)
    if (fp_mapped_files_get (files, i)->kind == FP_MAPPING_SYSTEM_V && fp_mapped_files_get (files, i)->id.inode == (guint64)id)
      file = fp_mapped_files_get (files, i);
  g_assert_nonnull (file);
  g_assert_cmpuint (file->n_processes, ==, 2);
  g_assert_cmpuint (get (file, FP_FIELD_PSS), ==, SIZE);
}

static void
sum_up (const FpMappedProcess *process,
        guint64 sums[FP_N_FIELDS],
        guint *n)
{
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_autoptr (FpMappings) mappings = NULL;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  mappings = fp_mappings_read (&proc, &process->id, NULL, NULL, NULL);
  g_assert_nonnull (mappings);
  *n += fp_mappings_get_n (mappings);
  for (guint i = 0; i < fp_mappings_get_n (mappings); i++)
    {
      FpMemory memory;

      fp_mappings_get_memory (mappings, i, &memory);
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        sums[field] += fp_memory_get (&memory, field);
    }
}

static guint
sum_up_all (Fixture *self,
            guint64 sums[FP_N_FIELDS])
{
  guint n = 0;

  memset (sums, 0, FP_N_FIELDS * sizeof *sums);
  for (guint i = 0; i < self->n; i++)
    sum_up (&self->processes[i], sums, &n);
  return n;
}

/* No mapping is left out or counted twice, whatever there is. Libraries are shared with the whole machine, so it is read
 * until nothing has changed from before to after. */
static void
test_sums (Fixture *self,
           gconstpointer data)
{
  g_autofree char *path = in_folder ("data");
  const Task task = { .path = path, .protection = PROT_READ | PROT_WRITE, .flags = MAP_PRIVATE, .n_written = 3 };
  guint64 before[FP_N_FIELDS], after[FP_N_FIELDS], found[FP_N_FIELDS] = { 0 };
  guint n_before, n_found = 0;
  g_autoptr (FpMappedFiles) files = NULL;

  make_file (path);
  for (guint i = 0; i < 3; i++)
    add_task (self, &task);
  do
    {
      g_clear_pointer (&files, fp_mapped_files_unref);
      n_before = sum_up_all (self, before);
      files = read_all (self);
      sum_up_all (self, after);
    }
  while (memcmp (before, after, sizeof before) != 0);
  for (guint i = 0; i < files->files->len; i++)
    {
      FpMemory memory;

      fp_mapped_file_get_memory (fp_mapped_files_get (files, i), &memory);
      n_found += fp_mapped_files_get (files, i)->n_mappings;
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        found[field] += fp_memory_get (&memory, field);
    }
  g_assert_cmpuint (n_found, ==, n_before);
  g_assert_cmpuint (found[FP_FIELD_RSS], >, 3 * SIZE);
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    {
      g_test_message ("%s", fp_field_infos[field].name);
      g_assert_cmpuint (found[field], ==, before[field]);
    }
}

/* A process with the address space of another one has its files, and adds nothing to their figures. */
static void
test_twins (Fixture *self,
            gconstpointer data)
{
  g_autofree char *path = in_folder ("data");
  const Task task = { .path = path, .protection = PROT_READ, .flags = MAP_SHARED };
  g_autoptr (FpMappedFiles) files = NULL, alone = NULL;

  make_file (path);
  add_task (self, &task);
  add_task (self, &task);
  self->processes[0].shares_with = self->live[1].pid;
  files = read_all (self);
  g_assert_cmpuint (find (files, path, 0)->n_processes, ==, 2);
  g_assert_cmpuint (find (files, path, 0)->n_mappings, ==, 1);
  g_assert_cmpuint (get (find (files, path, 0), FP_FIELD_RSS), ==, SIZE);
  self->processes[0].shares_with = getpid ();
  alone = read_all (self);
  g_assert_cmpuint (get (find (alone, path, 0), FP_FIELD_RSS), ==, 2 * SIZE);
}

static gboolean
stop_cb (guint64 position,
         guint64 whole,
         gpointer data)
{
  guint *n_left = data;

  g_assert_cmpuint (position, <=, whole);
  return (*n_left)-- > 0;
}

/* It stops between any two reads. */
static void
test_cancelled (Fixture *self,
                gconstpointer data)
{
  g_autofree char *path = in_folder ("data");
  const Task task = { .path = path, .protection = PROT_READ, .flags = MAP_SHARED };
  g_auto (FpProcDir) proc = { .fd = -1 };
  guint n_steps = 0;

  make_file (path);
  add_task (self, &task);
  add_task (self, &task);
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  for (;;)
    {
      g_autoptr (GError) error = NULL;
      guint n_left = n_steps;
      g_autoptr (FpMappedFiles) files = fp_mapped_files_read (&proc, self->processes, self->n, stop_cb, &n_left, &error);

      if (files)
        break;
      g_assert_nonnull (error);
      n_steps++;
    }
  g_assert_cmpuint (n_steps, >, self->n * 3);
}

/* One that may not be read counts as such, and one that has ended does not count at all. */
static void
test_unread (Fixture *self,
             gconstpointer data)
{
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_autoptr (FpMappedFiles) files = NULL;
  g_autofree char *path = in_folder ("data");
  const Task task = { .path = path, .protection = PROT_READ, .flags = MAP_SHARED };
  FpMappedProcess processes[3] = { { { 1, 0 }, 0, 0 } };
  FpStat stat;
  pid_t pid;
  int status;

  make_file (path);
  add_task (self, &task);
  add_task (self, &task);
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  g_assert_true (fp_stat_read_any (&stat, &proc, 1));
  processes[0].id.start_ticks = stat.start_ticks;
  processes[1] = self->processes[0];
  processes[2] = self->processes[1];
  kill (self->live[1].pid, SIGKILL);
  live_wait_for_state (self->live[1].pid, "Z");
  if (geteuid () != 0)
    {
      files = fp_mapped_files_read (&proc, processes, 3, NULL, NULL, NULL);
      g_assert_cmpuint (files->n_read, ==, 1);
      g_assert_cmpuint (files->n_unread, ==, 1);
      g_assert_cmpint (files->processes[files->unread[0].process].id.pid, ==, 1);
      g_assert_true (files->unread[0].is_refused);
      return;
    }
  pid = fork ();
  if (pid == 0)
    {
      live_become_nobody ();
      files = fp_mapped_files_read (&proc, processes, 3, NULL, NULL, NULL);
      _exit (files->n_read == 0 && files->n_unread == 2 && files->unread[1].process == 1 && files->unread[1].is_refused ? 0 : 1);
    }
  waitpid (pid, &status, 0);
  g_assert_cmpint (status, ==, 0);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  page_size = (guint64)sysconf (_SC_PAGESIZE);
#define ADD(name, func) g_test_add ("/live/mapped/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("memfd", test_memfd);
  ADD ("system-v", test_system_v);
  ADD ("written", test_written);
  ADD ("hard-link", test_hard_link);
  ADD ("deleted", test_deleted);
  ADD ("deleted-name", test_deleted_name);
  ADD ("name-back", test_name_back);
  ADD ("name-leads-away", test_name_leads_away);
  ADD ("updated-elsewhere", test_updated_elsewhere);
  ADD ("namespace", test_namespace);
  ADD ("overlay", test_overlay);
  ADD ("sums", test_sums);
  ADD ("twins", test_twins);
  ADD ("cancelled", test_cancelled);
  ADD ("unread", test_unread);
  return g_test_run ();
}
