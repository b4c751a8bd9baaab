// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-build-ids.h"
#include "fp-mapped-reader.h"
#include "fp-mount-table.h"
#include "fp-stat.h"
#include "live-process.h"
#include "test-elf-file.h"

#define MAX_PROCESSES 8
#define SIZE          ((guint64)1 << 20)
#define ID_SIZE       20
#define FIRST         "11111111111111111111"
#define SECOND        "22222222222222222222"

static char *folder;
static guint64 page_size;

typedef struct
{
  LiveProcess live[MAX_PROCESSES];
  FpMappedProcess processes[MAX_PROCESSES];
  guint n;
} Fixture;

/* A child maps this much of a file, from its beginning. */
typedef struct
{
  const char *name;
  guint64 size;
  guint n_written;    /* pages that it changes */
  gboolean is_forked; /* and has in common with a child of its own */
  LiveFunc prepare;   /* (nullable) */
} Task;

static char *
in_folder (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

/* id: (nullable): the library has none */
static void
make_library (const char *name,
              const char *id)
{
  g_autofree char *path = in_folder (name), *parent = g_path_get_dirname (path);
  g_autoptr (GByteArray) bytes = test_elf_file_new_wide (id, id ? ID_SIZE : 0);
  guint length = bytes->len;

  g_assert_cmpint (g_mkdir_with_parents (parent, 0755), ==, 0);
  g_byte_array_set_size (bytes, SIZE);
  memset (bytes->data + length, 'x', SIZE - length);
  g_assert_true (g_file_set_contents (path, (const char *)bytes->data, (gssize)SIZE, NULL));
}

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

static void
wait_forever (gpointer data)
{
  for (;;)
    pause ();
}

/* Locked, so that nothing of it can be swapped out or dropped. */
static void
map_and_wait (gpointer data)
{
  const Task *task = data;
  g_autofree char *path = in_folder (task->name);
  volatile char *memory;
  int fd;

  if (task->prepare)
    task->prepare (data);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  memory = mmap (NULL, task->size, PROT_READ | (task->n_written ? PROT_WRITE : 0), MAP_PRIVATE, fd, 0);
  if (fd < 0 || memory == MAP_FAILED)
    _exit (1);
  for (guint64 at = 0; at < task->size; at += page_size)
    (void)memory[at];
  for (guint i = 0; i < task->n_written; i++)
    memory[i * page_size] = 'w';
  mlock2 ((void *)memory, task->size, MLOCK_ONFAULT);
  if (task->is_forked)
    live_fork (wait_forever, NULL);
  live_answer ();
  wait_forever (NULL);
}

static void
add_task (Fixture *self,
          const Task *task)
{
  FpMappedProcess *process = &self->processes[self->n];
  LiveProcess *live = &self->live[self->n++];
  g_auto (FpProcDir) proc = { .fd = -1 };
  FpStat stat;

  live_process_start (live, map_and_wait, (gpointer)task);
  kill (live->pid, SIGSTOP);
  live_wait_for_state (live->pid, "T");
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  g_assert_true (fp_stat_read_any (&stat, &proc, live->pid));
  *process = (FpMappedProcess){ { live->pid, stat.start_ticks }, geteuid (), 0 };
}

static FpMappedFiles *
read_all (Fixture *self)
{
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_autoptr (GError) error = NULL;
  FpMappedFiles *files;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  files = fp_mapped_files_read (&proc, self->processes, self->n, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (files->n_read, ==, self->n);
  return files;
}

/* n: which of those with this name */
static const FpMappedFile *
find (const FpMappedFiles *files,
      const char *name,
      guint n)
{
  g_autofree char *path = in_folder (name);

  for (guint i = 0; i < files->files->len; i++)
    if (g_str_equal (fp_mapped_files_get (files, i)->name, path) && n-- == 0)
      return fp_mapped_files_get (files, i);
  g_error ("no process maps %s", path);
}

static const FpFileCopies *
get_copies (const FpMappedFiles *files,
            const FpMappedFile *file)
{
  g_assert_cmpuint (file->copies, >, 0);
  return &g_array_index (files->copies, FpFileCopies, file->copies - 1);
}

/* Build IDs are not asked for where that could mean to wait for a server. */
static gboolean
can_ask (void)
{
  g_auto (FpFd) self = open ("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_autoptr (FpMountTable) mounts = fp_mount_table_read (self);
  const FpMount *mount;
  struct stat status;

  g_assert_cmpint (stat (folder, &status), ==, 0);
  mount = mounts ? fp_mount_table_find (mounts, status.st_dev, folder) : NULL;
  if (major (status.st_dev) != 0 || (mount && fp_mount_answers (mount)))
    return TRUE;
  g_test_skip ("The folder for temporary files is on a file system that may not answer");
  return FALSE;
}

/* A copy in another folder is one, a hard link and another build are not. */
static void
test_folders (Fixture *self,
              gconstpointer data)
{
  static const Task tasks[] = { { "a/lib.so", SIZE }, { "a/link.so", SIZE }, { "b/lib.so", SIZE / 2 }, { "c/lib.so", SIZE } };
  g_autofree char *path = in_folder ("a/lib.so"), *name = in_folder ("a/link.so");
  g_autoptr (FpMappedFiles) files = NULL;
  const FpFileCopies *copies;

  if (!can_ask ())
    return;
  make_library ("a/lib.so", FIRST);
  make_library ("b/lib.so", FIRST);
  make_library ("c/lib.so", SECOND);
  if (link (path, name) != 0)
    {
      g_test_skip ("There are no hard links in the folder for temporary files");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    add_task (self, &tasks[i]);
  files = read_all (self);
  copies = get_copies (files, find (files, "a/lib.so", 0));
  g_assert_true (copies == get_copies (files, find (files, "b/lib.so", 0)));
  g_assert_cmpuint (copies->n, ==, 2);
  g_assert_cmpuint (copies->unchanged, ==, SIZE + SIZE / 2);
  g_assert_cmpuint (fp_file_copies_get_least (files, copies), ==, SIZE);
  g_assert_false (copies->is_bound);
  g_assert_cmpstr (find (files, "a/lib.so", 0)->build_id, ==, "3131313131313131313131313131313131313131");
  g_assert_cmpuint (find (files, "c/lib.so", 0)->copies, ==, 0);
  g_assert_cmpstr (find (files, "c/lib.so", 0)->build_id, ==, "3232323232323232323232323232323232323232");
}

/* Files without a build ID may be the same or not, so they are no copies. */
static void
test_unknown (Fixture *self,
              gconstpointer data)
{
  static const Task tasks[] = { { "a/lib.so", SIZE }, { "b/lib.so", SIZE } };
  g_autoptr (FpMappedFiles) files = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      make_library (tasks[i].name, NULL);
      add_task (self, &tasks[i]);
    }
  files = read_all (self);
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      g_assert_null (find (files, tasks[i].name, 0)->build_id);
      g_assert_cmpuint (find (files, tasks[i].name, 0)->copies, ==, 0);
    }
}

/* A path may be as long as the kernel lets it be, and have any characters. */
static void
test_odd_names (Fixture *self,
                gconstpointer data)
{
  g_autofree char *part = g_strnfill (249, 'x');
  g_autoptr (GString) path = g_string_new (NULL);
  Task tasks[] = { { "a/lib.so", SIZE }, { "b/new\nline\\012.so", SIZE }, { NULL, SIZE } };
  g_autoptr (FpMappedFiles) files = NULL;

  if (!can_ask ())
    return;
  while (strlen (folder) + path->len < 3700)
    g_string_append_printf (path, "%s/", part);
  tasks[2].name = g_string_append (path, "lib.so")->str;
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      make_library (tasks[i].name, FIRST);
      add_task (self, &tasks[i]);
    }
  files = read_all (self);
  g_assert_cmpuint (files->copies->len, >=, 1);
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    g_assert_cmpuint (get_copies (files, find (files, tasks[i].name, 0))->n, ==, G_N_ELEMENTS (tasks));
}

/* Each process keeps what it changed, however many copies there are. */
static void
test_changed (Fixture *self,
              gconstpointer data)
{
  static const Task tasks[] = { { "a/lib.so", SIZE, 5 }, { "b/lib.so", SIZE }, { "b/lib.so", SIZE / 2 } };
  g_autoptr (FpMappedFiles) files = NULL;
  const FpFileCopies *copies;

  if (!can_ask ())
    return;
  make_library ("a/lib.so", FIRST);
  make_library ("b/lib.so", FIRST);
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    add_task (self, &tasks[i]);
  files = read_all (self);
  copies = get_copies (files, find (files, "a/lib.so", 0));
  g_assert_cmpuint (find (files, "a/lib.so", 0)->unchanged, ==, SIZE - 5 * page_size);
  g_assert_cmpuint (find (files, "b/lib.so", 0)->unchanged, ==, SIZE);
  g_assert_cmpuint (copies->unchanged, ==, 2 * SIZE - 5 * page_size);
  g_assert_cmpuint (fp_file_copies_get_least (files, copies), ==, SIZE);
  g_assert_false (copies->is_bound);
}

/* Changed pages that a child has, too, are a part of pss that the kernel does not tell. */
static void
test_forked (Fixture *self,
             gconstpointer data)
{
  static const Task tasks[] = { { "a/lib.so", SIZE, 4, TRUE }, { "b/lib.so", SIZE } };
  g_autoptr (FpMappedFiles) files = NULL;
  const FpFileCopies *copies;

  if (!can_ask ())
    return;
  make_library ("a/lib.so", FIRST);
  make_library ("b/lib.so", FIRST);
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    add_task (self, &tasks[i]);
  files = read_all (self);
  copies = get_copies (files, find (files, "a/lib.so", 0));
  g_assert_true (copies->is_bound);
  g_assert_cmpuint (find (files, "a/lib.so", 0)->unchanged, ==, SIZE / 2 - 4 * page_size);
  g_assert_cmpuint (copies->unchanged, ==, SIZE + SIZE / 2 - 4 * page_size);
}

static gboolean
unshare_mounts (void)
{
  return unshare (CLONE_NEWNS) == 0 && mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

/* A container with a copy of its own in place of the host's */
static void
enter_container (gpointer data)
{
  g_autofree char *inside = in_folder ("a");

  if (!unshare_mounts () || mount ("footprint", inside, "tmpfs", 0, NULL) != 0)
    _exit (1);
  make_library ("a/lib.so", FIRST);
}

static void
enter_overlay (gpointer data)
{
  g_autofree char *one = in_folder ("a"), *two = in_folder ("b"), *merged = in_folder ("merged");
  g_autofree char *options = g_strdup_printf ("lowerdir=%s:%s", one, two);

  if (!unshare_mounts () || mount ("footprint", merged, "overlay", MS_RDONLY, options) != 0)
    _exit (1);
}

static gboolean
can_do (LiveFunc func,
        const char *reason)
{
  pid_t pid = live_fork (func, NULL);
  int status;

  waitpid (pid, &status, 0);
  if (WIFEXITED (status) && WEXITSTATUS (status) == 0)
    return TRUE;
  g_test_skip (reason);
  return FALSE;
}

static void
test_container (Fixture *self,
                gconstpointer data)
{
  static const Task tasks[] = { { "a/lib.so", SIZE }, { "a/lib.so", SIZE, .prepare = enter_container } };
  g_autoptr (FpMappedFiles) files = NULL;
  const FpFileCopies *copies;

  if (!can_ask ())
    return;
  make_library ("a/lib.so", FIRST);
  if (!can_do (enter_container, "Mounts of one's own need root"))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    add_task (self, &tasks[i]);
  files = read_all (self);
  copies = get_copies (files, find (files, "a/lib.so", 0));
  g_assert_true (copies == get_copies (files, find (files, "a/lib.so", 1)));
  g_assert_cmpuint (copies->n, ==, 2);
  g_assert_cmpuint (copies->unchanged, ==, 2 * SIZE);
}

/* Two overlays of one layer, and the host, have one file between them. It lies in memory once. */
static void
test_overlays (Fixture *self,
               gconstpointer data)
{
  static const Task tasks[] = { { "a/lib.so", SIZE },
                                { "merged/lib.so", SIZE, .prepare = enter_overlay },
                                { "merged/lib.so", SIZE, .prepare = enter_overlay },
                                { "merged/copy.so", SIZE, .prepare = enter_overlay } };
  g_autofree char *merged = in_folder ("merged");
  g_autoptr (FpMappedFiles) before = NULL, after = NULL;
  const FpFileCopies *copies;

  if (!can_ask ())
    return;
  make_library ("a/lib.so", FIRST);
  make_library ("b/copy.so", FIRST);
  g_assert_cmpint (g_mkdir (merged, 0755), ==, 0);
  if (!can_do (enter_overlay, "Overlays of one's own need root, and a file system that can be beneath them"))
    return;
  for (guint i = 0; i < 3; i++)
    add_task (self, &tasks[i]);
  before = read_all (self);
  g_assert_nonnull (find (before, "a/lib.so", 0)->build_id);
  g_assert_cmpuint (find (before, "a/lib.so", 0)->copies, ==, 0);
  add_task (self, &tasks[3]);
  after = read_all (self);
  copies = get_copies (after, find (after, "a/lib.so", 0));
  g_assert_true (copies == get_copies (after, find (after, "merged/copy.so", 0)));
  g_assert_cmpuint (copies->n, ==, 2);
}

static gboolean
find_mapping (const FpMappings *mappings,
              const char *name,
              FpMapping *mapping)
{
  g_autofree char *path = in_folder (name);

  for (guint i = 0; i < fp_mappings_get_n (mappings); i++)
    {
      fp_mappings_get (mappings, i, mapping);
      if (g_str_equal (mapping->name, path))
        return TRUE;
    }
  return FALSE;
}

/* 0: as expected; 77: the kernel can't open a path without waiting */
static int
read_own (void)
{
  g_autofree char *path = in_folder ("lib.so"), *moved = in_folder ("moved.so");
  g_auto (FpFd) dir = open ("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd = open (path, O_RDONLY | O_CLOEXEC);
  g_auto (FpFd) any = fp_open_cached (AT_FDCWD, "/");
  void *memory = mmap (NULL, SIZE, PROT_READ, MAP_PRIVATE, fd, 0);
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_autoptr (FpMappings) mappings = NULL;
  FpMapping mapping;
  FpProcessId id;
  FpBuildId found;
  FpStat stat;

  g_assert_true (memory != MAP_FAILED && fp_proc_dir_open (&proc, "/proc", NULL));
  g_assert_true (fp_stat_read_any (&stat, &proc, getpid ()));
  id = (FpProcessId){ getpid (), stat.start_ticks };
  mappings = fp_mappings_read (&proc, &id, NULL, NULL, NULL);
  g_assert_true (find_mapping (mappings, "lib.so", &mapping));
  if (geteuid () != 0 && any < 0)
    return 77;
  if (!fp_build_ids_read (dir, &mapping, &found) || found.size != ID_SIZE || memcmp (found.bytes, FIRST, ID_SIZE) != 0)
    return 1;
  /* Another file has the place now. */
  mapping.name = moved;
  return geteuid () != 0 && fp_build_ids_read (dir, &mapping, &found) ? 2 : 0;
}

static void
read_as_nobody (gpointer data)
{
  live_become_nobody ();
  _exit (read_own ());
}

/* For a kernel that does not tell build IDs: as root by the link of the mapping, else by the path. */
static void
test_older_kernel (Fixture *self,
                   gconstpointer data)
{
  int status, result;

  make_library ("lib.so", FIRST);
  make_library ("moved.so", SECOND);
  g_assert_cmpint (chmod (folder, 0755), ==, 0);
  result = read_own ();
  if (geteuid () == 0)
    {
      g_assert_cmpint (result, ==, 0);
      waitpid (live_fork (read_as_nobody, NULL), &status, 0);
      g_assert_true (WIFEXITED (status));
      result = WEXITSTATUS (status);
    }
  if (result == 77)
    g_test_skip ("This kernel opens no path without waiting for its file system");
  else
    g_assert_cmpint (result, ==, 0);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  page_size = (guint64)sysconf (_SC_PAGESIZE);
#define ADD(name, func) g_test_add ("/live/copies/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("folders", test_folders);
  ADD ("unknown", test_unknown);
  ADD ("odd-names", test_odd_names);
  ADD ("changed", test_changed);
  ADD ("forked", test_forked);
  ADD ("container", test_container);
  ADD ("overlays", test_overlays);
  ADD ("older-kernel", test_older_kernel);
  return g_test_run ();
}
