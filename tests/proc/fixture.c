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

static void
add_group (FpControlGroups *groups,
           FpControlKind kind,
           guint parent,
           const char *path,
           const char *name)
{
  FpControlGroup *group = &groups->groups[groups->n];

  *group = (FpControlGroup){ .id = 7 + groups->n, .parent = parent, .kind = kind };
  group->uid = kind == FP_CONTROL_KIND_USER ? 1000 : G_MAXUINT32;
  group->depth = parent == FP_CONTROL_NONE ? 0 : groups->groups[parent].depth + 1;
  group->path = g_string_chunk_insert (groups->texts, path);
  group->name = g_string_chunk_insert (groups->texts, name);
  group->measured_us = 1000 * groups->n;
  group->waited_us = 10 * groups->n;
  group->waited_over_us = 100 * groups->n;
  for (FpControlField field = 0; field < FP_N_CONTROL_FIELDS; field++)
    if (groups->n > 0 && field % groups->n == 0)
      {
        group->present |= (guint64)1 << field;
        group->figures[field] = 1000 * groups->n + field;
      }
  groups->n++;
}

/* Five groups, of which each has other figures than the next; that of the user has no limit. */
FpControlGroups *
fixture_make_groups (void)
{
  FpControlGroups *groups = fp_control_groups_new (5);

  groups->has_memory = groups->is_cut = TRUE;
  add_group (groups, FP_CONTROL_KIND_MACHINE, FP_CONTROL_NONE, "/", "/");
  add_group (groups, FP_CONTROL_KIND_SLICE, 0, "/user.slice", "user");
  add_group (groups, FP_CONTROL_KIND_USER, 1, "/user.slice/user-1000.slice", "user-1000");
  add_group (groups, FP_CONTROL_KIND_APP, 2, "/user.slice/user-1000.slice/app-\303\251.scope", "\303\251");
  add_group (groups, FP_CONTROL_KIND_SERVICE, 0, "/a.service", "a");
  groups->groups[2].present |= FP_CONTROL_BIT (MAX);
  groups->groups[2].figures[FP_CONTROL_MAX] = FP_CONTROL_NO_LIMIT;
  fp_control_groups_seal (groups);
  return groups;
}

void
fixture_assert_groups (const FpControlGroups *a,
                       const FpControlGroups *b)
{
  g_assert_cmpuint (a->n, ==, b->n);
  g_assert_true (a->has_memory == b->has_memory && a->has_pressure == b->has_pressure && a->is_cut == b->is_cut);
  for (guint i = 0; i < a->n; i++)
    {
      const FpControlGroup *x = &a->groups[i], *y = &b->groups[i];

      g_assert_cmpuint (x->id, ==, y->id);
      g_assert_cmphex (x->present, ==, y->present);
      g_assert_cmpmem (x->figures, sizeof x->figures, y->figures, sizeof y->figures);
      g_assert_cmpuint (x->measured_us, ==, y->measured_us);
      g_assert_cmpuint (x->waited_us, ==, y->waited_us);
      g_assert_cmpuint (x->waited_over_us, ==, y->waited_over_us);
      g_assert_cmpuint (x->parent, ==, y->parent);
      g_assert_cmpuint (x->depth, ==, y->depth);
      g_assert_cmpint (x->kind, ==, y->kind);
      g_assert_cmpuint (x->uid, ==, y->uid);
      g_assert_cmpstr (x->path, ==, y->path);
      g_assert_cmpstr (x->name, ==, y->name);
    }
}
