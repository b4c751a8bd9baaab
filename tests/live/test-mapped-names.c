// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mapped-fixture.h"

/* Two names of one file are one, and a copy is another file. */
static void
test_hard_link (MappedFixture *self,
                gconstpointer data)
{
  g_autofree char *path = mapped_in_folder ("original"), *name = mapped_in_folder ("link"), *copy = mapped_in_folder ("copy");
  MappedTask tasks[] = { { .path = path }, { .path = name }, { .path = copy } };
  g_autoptr (FpMappedFiles) files = NULL;

  mapped_make_file (path);
  mapped_make_file (copy);
  if (link (path, name) != 0)
    {
      g_test_skip ("There are no hard links in the folder for temporary files");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      tasks[i].protection = PROT_READ;
      tasks[i].flags = MAP_SHARED;
      mapped_add_task (self, &tasks[i]);
    }
  files = mapped_read_all (self);
  g_assert_cmpuint (mapped_find (files, path, 0)->n_processes, ==, 2);
  g_assert_cmpuint (mapped_get (mapped_find (files, path, 0), FP_FIELD_PSS), ==, MAPPED_SIZE);
  g_assert_cmpuint (mapped_count (files, name), ==, 0);
  g_assert_cmpuint (mapped_find (files, copy, 0)->n_processes, ==, 1);
  g_assert_cmpuint (mapped_get (mapped_find (files, copy, 0), FP_FIELD_USS), ==, MAPPED_SIZE);
}

static gboolean
may_execute (const char *path)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  void *memory = mmap (NULL, MAPPED_SIZE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

  close (fd);
  if (memory == MAP_FAILED)
    return FALSE;
  munmap (memory, MAPPED_SIZE);
  return TRUE;
}

/* Data is deleted on purpose, but code is outdated then, and any file is that has been replaced. */
static void
test_deleted (MappedFixture *self,
              gconstpointer data)
{
  g_autofree char *path = mapped_in_folder ("libold.so"), *other = mapped_in_folder ("scratch");
  g_autofree char *old = g_strconcat (path, " (deleted)", NULL), *scratch = g_strconcat (other, " (deleted)", NULL);
  const MappedTask code = { .path = path, .protection = PROT_READ | PROT_EXEC, .flags = MAP_PRIVATE };
  const MappedTask scratching = { .path = other, .protection = PROT_READ, .flags = MAP_PRIVATE };
  g_autoptr (FpMappedFiles) deleted = NULL, updated = NULL;

  mapped_make_file (path);
  mapped_make_file (other);
  if (!may_execute (path))
    {
      g_test_skip ("Nothing may be executed in the folder for temporary files");
      return;
    }
  mapped_add_task (self, &code);
  mapped_add_task (self, &code);
  mapped_add_task (self, &scratching);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_unlink (other), ==, 0);
  deleted = mapped_read_all (self);
  g_assert_cmpint (mapped_find (deleted, old, 0)->state, ==, FP_FILE_DELETED);
  g_assert_false (mapped_find (deleted, old, 0)->is_updated);
  g_assert_true (fp_mapped_file_is_outdated (mapped_find (deleted, old, 0)));
  g_assert_cmpint (mapped_find (deleted, scratch, 0)->state, ==, FP_FILE_DELETED);
  g_assert_false (fp_mapped_file_is_outdated (mapped_find (deleted, scratch, 0)));

  mapped_make_file (path);
  mapped_make_file (other);
  mapped_add_task (self, &code);
  updated = mapped_read_all (self);
  g_assert_true (mapped_find (updated, old, 0)->is_updated);
  g_assert_true (fp_mapped_file_is_outdated (mapped_find (updated, old, 0)));
  g_assert_true (fp_mapped_file_is_outdated (mapped_find (updated, scratch, 0)));
  g_assert_cmpuint (mapped_find (updated, old, 0)->n_processes, ==, 2);
  g_assert_cmpuint (mapped_get (mapped_find (updated, old, 0), FP_FIELD_PSS), ==, MAPPED_SIZE);
  g_assert_false (fp_mapped_file_is_outdated (mapped_find (updated, path, 0)));
  g_assert_cmpuint (mapped_find (updated, path, 0)->n_processes, ==, 1);
}

/* The same file by two names, of which one was taken by another file: those who have it by the other name are not to be
 * restarted, whichever of them is read first. */
static void
test_deleted_name (MappedFixture *self,
                   gconstpointer data)
{
  g_autofree char *path = mapped_in_folder ("replaced"), *other = mapped_in_folder ("kept");
  const MappedTask tasks[] = { { .path = other, .protection = PROT_READ, .flags = MAP_SHARED },
                               { .path = path, .protection = PROT_READ, .flags = MAP_SHARED },
                               { .path = other, .protection = PROT_READ, .flags = MAP_SHARED } };
  g_autoptr (FpMappedFiles) files = NULL;
  const FpMappedHolder *holders;
  const FpMappedFile *file;

  mapped_make_file (path);
  if (link (path, other) != 0)
    {
      g_test_skip ("There are no hard links in the folder for temporary files");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    mapped_add_task (self, &tasks[i]);
  g_assert_cmpint (g_unlink (path), ==, 0);
  mapped_make_file (path);
  files = mapped_read_all (self);
  file = mapped_find (files, other, 0);
  holders = fp_mapped_files_get_holders (files, file);
  g_assert_cmpuint (file->n_holders, ==, G_N_ELEMENTS (tasks));
  g_assert_true (fp_mapped_file_is_outdated (file));
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    g_assert_cmpint (fp_mapped_holder_is_outdated (&holders[i], file), ==, i == 1);
}

/* A file that has its name again was not updated. */
static void
test_name_back (MappedFixture *self,
                gconstpointer data)
{
  g_autofree char *path = mapped_in_folder ("back"), *other = mapped_in_folder ("other"), *old = g_strconcat (path, " (deleted)", NULL);
  const MappedTask task = { .path = path, .protection = PROT_READ, .flags = MAP_SHARED };
  g_autoptr (FpMappedFiles) files = NULL;

  mapped_make_file (path);
  mapped_add_task (self, &task);
  if (link (path, other) != 0)
    {
      g_test_skip ("There are no hard links in the folder for temporary files");
      return;
    }
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (link (other, path), ==, 0);
  files = mapped_read_all (self);
  if (mapped_count (files, old) == 0)
    {
      g_test_skip ("This kernel says that the file has its name again");
      return;
    }
  g_assert_cmpint (mapped_find (files, old, 0)->state, ==, FP_FILE_DELETED);
  g_assert_false (fp_mapped_file_is_outdated (mapped_find (files, old, 0)));
}

/* The owner of a process chooses what is at its file's name: it must not lead who looks at it to another place. */
static void
test_name_leads_away (MappedFixture *self,
                      gconstpointer data)
{
  g_autofree char *lib = mapped_in_folder ("lib"), *path = mapped_in_folder ("lib/data"), *old = g_strconcat (path, " (deleted)", NULL);
  g_autofree char *elsewhere = mapped_in_folder ("elsewhere"), *other = mapped_in_folder ("elsewhere/data");
  const MappedTask task = { .path = path, .protection = PROT_READ, .flags = MAP_SHARED };
  g_autoptr (FpMappedFiles) led = NULL, plain = NULL;

  g_assert_cmpint (g_mkdir (lib, 0755), ==, 0);
  g_assert_cmpint (g_mkdir (elsewhere, 0755), ==, 0);
  mapped_make_file (path);
  mapped_make_file (other);
  mapped_add_task (self, &task);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (lib), ==, 0);
  g_assert_cmpint (symlink (elsewhere, lib), ==, 0);
  led = mapped_read_all (self);
  g_assert_false (mapped_find (led, old, 0)->is_updated);
  g_assert_cmpint (g_unlink (lib), ==, 0);
  g_assert_cmpint (g_rename (elsewhere, lib), ==, 0);
  plain = mapped_read_all (self);
  g_assert_true (mapped_find (plain, old, 0)->is_updated);
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
  g_autofree char *path = mapped_in_folder ("lib/libx.so"), *lib = mapped_in_folder ("lib"), *bound = mapped_in_folder ("bound");

  if (!unshare_mounts () || mount (lib, bound, NULL, MS_BIND, NULL) != 0 || mount ("footprint", lib, "tmpfs", 0, NULL) != 0)
    _exit (1);
  mapped_make_file (path);
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
  g_autofree char *lib = mapped_in_folder ("lib");
  const MappedTask *task = data;
  int fd;

  if (!unshare_mounts ())
    _exit (1);
  fd = open (task->path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || mmap (NULL, MAPPED_SIZE, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0) == MAP_FAILED ||
      mount ("footprint", lib, "tmpfs", 0, NULL) != 0)
    _exit (2);
  mapped_make_file (task->path);
  live_answer ();
  for (;;)
    pause ();
}

/* Whether a deleted file was replaced is another question for each who sees other mounts. */
static void
test_updated_elsewhere (MappedFixture *self,
                        gconstpointer data)
{
  g_autofree char *lib = mapped_in_folder ("lib"), *path = mapped_in_folder ("lib/data"), *old = g_strconcat (path, " (deleted)", NULL);
  const MappedTask task = { .path = path, .protection = PROT_READ, .flags = MAP_SHARED };
  g_autoptr (FpMappedFiles) files = NULL;

  if (!can_mount ())
    return;
  g_assert_cmpint (g_mkdir (lib, 0755), ==, 0);
  mapped_make_file (path);
  mapped_add_task (self, &task);
  mapped_add_child (self, map_and_hide, (gpointer)&task, 1000);
  mapped_add_task (self, &task);
  g_assert_cmpint (g_unlink (path), ==, 0);
  for (guint order = 0; order < 2; order++)
    {
      const FpMappedProcess first = self->processes[0];
      const FpMappedHolder *holders;
      const FpMappedFile *file;

      g_clear_pointer (&files, fp_mapped_files_unref);
      files = mapped_read_all (self);
      file = mapped_find (files, old, 0);
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
test_namespace (MappedFixture *self,
                gconstpointer data)
{
  g_autofree char *lib = mapped_in_folder ("lib"), *bound = mapped_in_folder ("bound");
  g_autofree char *path = mapped_in_folder ("lib/libx.so"), *again = mapped_in_folder ("bound/libx.so");
  MappedTask tasks[] = { { .path = path }, { .path = path, .prepare = enter_container }, { .path = again, .prepare = enter_container } };
  g_autoptr (FpMappedFiles) files = NULL;
  const FpMappedFile *first, *second;

  if (!can_mount ())
    return;
  g_assert_cmpint (g_mkdir (lib, 0755), ==, 0);
  g_assert_cmpint (g_mkdir (bound, 0755), ==, 0);
  mapped_make_file (path);
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      tasks[i].protection = PROT_READ;
      tasks[i].flags = MAP_SHARED;
      mapped_add_task (self, &tasks[i]);
    }
  files = mapped_read_all (self);
  first = mapped_find (files, path, 0);
  second = mapped_find (files, path, 1);
  g_assert_cmpuint (first->n_processes, ==, 2);
  g_assert_cmpint (fp_mapped_files_get_holder (files, first, 1)->id.pid, ==, self->live[2].pid);
  g_assert_cmpuint (second->n_processes, ==, 1);
  g_assert_cmpuint (mapped_get (first, FP_FIELD_PSS), ==, MAPPED_SIZE);
  g_assert_cmpuint (mapped_get (second, FP_FIELD_USS), ==, MAPPED_SIZE);
  g_assert_true (first->key[0] != second->key[0] || first->key[1] != second->key[1]);
}

/* Two layers that count their inodes alike, so that both files have one device and one inode in the list of mappings. */
static void
mount_overlay (gpointer data)
{
  g_autofree char *one = mapped_in_folder ("one"), *two = mapped_in_folder ("two"), *merged = mapped_in_folder ("merged");
  g_autofree char *a = mapped_in_folder ("one/a"), *b = mapped_in_folder ("two/b"), *link_of_a = mapped_in_folder ("one/c");
  g_autofree char *options = g_strdup_printf ("lowerdir=%s:%s", one, two);

  if (!unshare_mounts () || mount ("footprint", one, "tmpfs", 0, NULL) != 0 || mount ("footprint", two, "tmpfs", 0, NULL) != 0)
    _exit (1);
  mapped_make_file (a);
  mapped_make_file (b);
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
      g_autofree char *path = mapped_in_folder (names[i]);
      int fd = open (path, O_RDONLY | O_CLOEXEC);
      volatile char *memory = mmap (NULL, MAPPED_SIZE, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);

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
test_overlay (MappedFixture *self,
              gconstpointer data)
{
  static const char *const folders[] = { "one", "two", "merged" };
  g_autofree char *a = mapped_in_folder ("merged/a"), *b = mapped_in_folder ("merged/b"), *c = mapped_in_folder ("merged/c");
  g_autoptr (FpMappedFiles) files = NULL;
  const FpMappedFile *first;

  if (!can_mount ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = mapped_in_folder (folders[i]);

      g_assert_cmpint (g_mkdir (path, 0755), ==, 0);
    }
  if (!can_overlay ())
    return;
  mapped_add_child (self, map_merged, NULL, 1000);
  files = mapped_read_all (self);
  g_assert_cmpuint (mapped_count (files, a) + mapped_count (files, c), ==, 1);
  first = mapped_find (files, mapped_count (files, a) ? a : c, 0);
  g_assert_cmpuint (first->n_mappings, ==, 2);
  g_assert_cmpuint (mapped_get (first, FP_FIELD_RSS), ==, 2 * MAPPED_SIZE);
  g_assert_cmpuint (mapped_count (files, b), ==, 1);
  g_assert_cmpuint (mapped_find (files, b, 0)->n_mappings, ==, 1);
}

/* Makes a btrfs of its own with a file in a subvolume, which a snapshot has under the same numbers. */
static void
mount_btrfs (gpointer data)
{
  g_autofree char *image = mapped_in_folder ("image"), *point = mapped_in_folder ("point");
  g_autofree char *script = g_strdup_printf ("exec 2>&1 >/dev/null; rm -f %s; truncate -s 256M %s && mkfs.btrfs -q %s && mount -o loop %s %s && "
                                             "btrfs subvolume create %s/a",
                                             image, image, image, image, point, point);
  g_autofree char *snapshot = g_strdup_printf ("btrfs subvolume snapshot %s/a %s/b >/dev/null 2>&1", point, point);
  g_autofree char *path = mapped_in_folder ("point/a/libx.so"), *link_of_it = mapped_in_folder ("point/a/link");

  if (!unshare_mounts () || system (script) != 0)
    _exit (1);
  mapped_make_file (path);
  if (link (path, link_of_it) != 0 || system (snapshot) != 0)
    _exit (2);
}

static void
map_subvolumes (gpointer data)
{
  static const char *const names[] = { "point/a/libx.so", "point/b/libx.so", "point/a/link" };

  mount_btrfs (data);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = mapped_in_folder (names[i]);
      int fd = open (path, O_RDONLY | O_CLOEXEC);

      if (fd < 0 || mmap (NULL, MAPPED_SIZE, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0) == MAP_FAILED)
        _exit (3);
    }
  live_answer ();
  for (;;)
    pause ();
}

static gboolean
can_btrfs (void)
{
  g_autofree char *mkfs = g_find_program_in_path ("mkfs.btrfs"), *btrfs = g_find_program_in_path ("btrfs");
  pid_t pid;
  int status;

  if (!mkfs || !btrfs)
    {
      g_test_skip ("There is no mkfs.btrfs");
      return FALSE;
    }
  pid = live_fork (mount_btrfs, NULL);
  waitpid (pid, &status, 0);
  if (!WIFEXITED (status) || WEXITSTATUS (status) != 0)
    g_test_skip ("No btrfs can be mounted from a file here");
  return WIFEXITED (status) && WEXITSTATUS (status) == 0;
}

/* The list of mappings has one device and one inode for the file of a subvolume and that of its snapshot. */
static void
test_btrfs (MappedFixture *self,
            gconstpointer data)
{
  g_autofree char *point = mapped_in_folder ("point");
  g_autofree char *a = mapped_in_folder ("point/a/libx.so"), *b = mapped_in_folder ("point/b/libx.so");
  g_autofree char *link_of_a = mapped_in_folder ("point/a/link");
  g_autoptr (FpMappedFiles) files = NULL;
  const FpMappedFile *first;

  if (!can_mount ())
    return;
  g_assert_cmpint (g_mkdir (point, 0755), ==, 0);
  if (!can_btrfs ())
    return;
  mapped_add_child (self, map_subvolumes, NULL, 1000);
  files = mapped_read_all (self);
  g_assert_cmpuint (mapped_count (files, a) + mapped_count (files, link_of_a), ==, 1);
  first = mapped_find (files, mapped_count (files, a) ? a : link_of_a, 0);
  g_assert_cmpuint (first->n_mappings, ==, 2);
  g_assert_cmpuint (mapped_get (first, FP_FIELD_RSS), ==, 2 * MAPPED_SIZE);
  g_assert_cmpuint (mapped_count (files, b), ==, 1);
  g_assert_cmpuint (mapped_find (files, b, 0)->n_mappings, ==, 1);
  g_assert_cmpuint (mapped_get (mapped_find (files, b, 0), FP_FIELD_RSS), ==, MAPPED_SIZE);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/live/mapped-names/" name, MappedFixture, NULL, mapped_set_up, func, mapped_tear_down)
  ADD ("hard-link", test_hard_link);
  ADD ("deleted", test_deleted);
  ADD ("deleted-name", test_deleted_name);
  ADD ("name-back", test_name_back);
  ADD ("name-leads-away", test_name_leads_away);
  ADD ("updated-elsewhere", test_updated_elsewhere);
  ADD ("namespace", test_namespace);
  ADD ("overlay", test_overlay);
  ADD ("btrfs", test_btrfs);
  return g_test_run ();
}
