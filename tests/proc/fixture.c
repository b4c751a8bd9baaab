// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"

char *
fixture_get_original (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "..", "fixtures", name, NULL);
}

static void
write_file (const char *path,
            const char *text,
            gsize length)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, text, length), ==, length);
  close (fd);
}

static void
copy_tree (const char *from,
           const char *to)
{
  g_autoptr (GDir) dir = g_dir_open (from, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  g_assert_cmpint (g_mkdir_with_parents (to, 0755), ==, 0);
  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *source = g_build_filename (from, name, NULL);
      g_autofree char *target = g_build_filename (to, name, NULL);
      g_autofree char *link = g_file_read_link (source, NULL);
      g_autofree char *text = NULL;
      gsize length;

      if (link)
        g_assert_cmpint (symlink (link, target), ==, 0);
      else if (g_file_test (source, G_FILE_TEST_IS_DIR))
        copy_tree (source, target);
      else
        {
          g_assert_true (g_file_get_contents (source, &text, &length, NULL));
          write_file (target, text, length);
        }
    }
}

void
fixture_make_empty (Fixture *self)
{
  self->path = g_dir_make_tmp ("footprint-XXXXXX", NULL);
  g_assert_nonnull (self->path);
  g_assert_cmpint (chmod (self->path, 0755), ==, 0);
  self->proc = g_build_filename (self->path, "proc", NULL);
  g_assert_cmpint (g_mkdir (self->proc, 0755), ==, 0);
}

void
fixture_copy (Fixture *self,
              const char *name)
{
  g_autofree char *original = fixture_get_original (name);

  fixture_make_empty (self);
  copy_tree (original, self->path);
}

static int
remove_entry (const char *path,
              const struct stat *st,
              int type,
              struct FTW *ftw)
{
  return remove (path);
}

void
fixture_clear (Fixture *self)
{
  if (self->path)
    nftw (self->path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->proc, g_free);
}

/* In place, for the kernel's files keep their identity too. */
void
fixture_write (const Fixture *self,
               const char *name,
               const char *text,
               gssize length)
{
  g_autofree char *path = g_build_filename (self->proc, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  write_file (path, text, length < 0 ? strlen (text) : (gsize)length);
}

char *
fixture_read (const Fixture *self,
              const char *name)
{
  g_autofree char *path = g_build_filename (self->proc, name, NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

void
fixture_remove (const Fixture *self,
                const char *name)
{
  g_autofree char *path = g_build_filename (self->proc, name, NULL);

  g_assert_cmpint (nftw (path, remove_entry, 16, FTW_DEPTH | FTW_PHYS), ==, 0);
}

void
fixture_name_user (guint uid,
                   FpUser *user)
{
  g_snprintf (user->name, sizeof user->name, "user-%u", uid);
}

FpSnapshot *
fixture_collect (FpSweep *sweep)
{
  FpSweepRequest request = { 0 };
  g_autoptr (GError) error = NULL;
  FpSnapshot *snapshot = fp_sweep_collect (sweep, &request, &error);

  g_assert_no_error (error);
  return snapshot;
}

FpSnapshot *
fixture_sweep (const char *proc)
{
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpSweep) sweep = NULL;

  settings.lookup_user = fixture_name_user;
  sweep = fp_sweep_new (proc, &settings, &error);
  g_assert_no_error (error);
  return fixture_collect (sweep);
}

FpSnapshot *
fixture_sweep_original (const char *name)
{
  g_autofree char *root = fixture_get_original (name);
  g_autofree char *proc = g_build_filename (root, "proc", NULL);

  return fixture_sweep (proc);
}
