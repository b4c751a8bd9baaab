// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fp-tmpfs-files.h"
#include "live-process.h"
#include "own-mounts.h"

static gboolean
call_off (guint64 seen,
          guint64 used,
          gpointer data)
{
  return FALSE;
}

static void
list_files (void)
{
  g_autofree char *mounted = mounts_in_folder ("listed"), *deep = mounts_in_folder ("listed/a/b"), *gone = mounts_in_folder ("listed/gone");
  g_autofree char *link = mounts_in_folder ("listed/link"), *odd = mounts_in_folder ("listed/odd-\xff"), *again = mounts_in_folder ("listed/a/again"), *other = mounts_in_folder ("listed/other");
  g_autoptr (FpTmpfsFiles) files = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpKept) kept = NULL;
  g_auto (FpProcDir) proc = { .fd = -1 };
  int held;

  g_assert_true (mounts_add_tmpfs (mounted, "size=64m"));
  g_assert_cmpint (g_mkdir_with_parents (deep, 0755), ==, 0);
  for (guint i = 1; i <= 9; i++)
    {
      g_autofree char *name = g_strdup_printf ("listed/a/b/file-%u", i);
      g_autofree char *path = mounts_in_folder (name);

      close (mounts_make_file (path, i * MIB));
      g_assert_cmpint (chown (path, 1000 + i, 0), ==, 0);
      if (i == 7)
        g_assert_cmpint (linkat (AT_FDCWD, path, AT_FDCWD, again, 0), ==, 0);
    }
  close (mounts_make_file (odd, 10 * MIB));
  held = mounts_make_file (gone, 4 * MIB);
  unlink (gone);
  g_assert_cmpint (symlink ("/", link), ==, 0);
  g_assert_true (mounts_add_tmpfs (other, "size=4m"));
  g_free (g_steal_pointer (&gone));
  gone = mounts_in_folder ("listed/other/big");
  close (mounts_make_file (gone, 2 * MIB));
  kept = mounts_read_kept ();
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  files = fp_tmpfs_list (&proc, mounts_get_tmpfs (kept, mounted), 4, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (files->seen, ==, 55 * MIB);
  g_assert_true (files->has_used);
  g_assert_cmpuint (files->not_seen, ==, 4 * MIB);
  g_assert_cmpuint (files->n_files, ==, 10);
  g_assert_cmpuint (files->n_closed, ==, 0);
  g_assert_true (files->is_whole);
  g_assert_cmpuint (files->files->len, ==, 4);
  /* The name that is shown is a text, and the one to be opened has the kernel's bytes. */
  g_assert_true (g_utf8_validate (g_array_index (files->files, FpTmpfsFile, 0).path, -1, NULL));
  g_assert_cmpstr (g_array_index (files->files, FpTmpfsFile, 0).place, ==, odd);
  for (guint i = 0; i < 3; i++)
    {
      const FpTmpfsFile *file = &g_array_index (files->files, FpTmpfsFile, i + 1);
      g_autofree char *name = g_strdup_printf ("a/b/file-%u", 9 - i);
      g_autofree char *place = g_build_filename (mounted, name, NULL);

      if (i != 2)
        {
          g_assert_cmpstr (file->path, ==, name);
          g_assert_cmpstr (file->place, ==, place);
        }
      g_assert_cmpuint (file->used, ==, (9 - i) * MIB);
      g_assert_cmpuint (file->uid, ==, 1009 - i);
      g_assert_cmpint (ABS (file->modified_s - g_get_real_time () / G_USEC_PER_SEC), <, 3600);
    }
  close (held);
  g_assert_null (fp_tmpfs_list (&proc, mounts_get_tmpfs (kept, mounted), 3, call_off, NULL, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_INTR);
  g_clear_error (&error);

  /* Folders of others are closed to an ordinary user, whose list says how much is in them. */
  g_assert_cmpint (chmod (deep, 0700), ==, 0);
  g_clear_pointer (&files, fp_tmpfs_files_free);
  live_become_nobody ();
  prctl (PR_SET_DUMPABLE, 1);
  files = fp_tmpfs_list (&proc, mounts_get_tmpfs (kept, mounted), 3, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (files->n_closed, ==, 1);
  g_assert_cmpuint (files->seen, ==, 17 * MIB);
  g_assert_cmpuint (files->not_seen, ==, 38 * MIB);
}

static void
test_list (void)
{
  mounts_run (list_files);
}

#define NAME_LENGTH 250
#define N_FOLDERS   4400

/* Makes folders in each other, and returns the innermost. */
static int
make_chain (const char *mounted,
            guint n)
{
  g_autofree char *name = g_strnfill (NAME_LENGTH, 'n');
  int dir = open (mounted, O_PATH | O_DIRECTORY | O_CLOEXEC);

  for (guint i = 0; i < n; i++)
    {
      int inner;

      g_assert_cmpint (mkdirat (dir, name, 0755), ==, 0);
      inner = openat (dir, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
      g_assert_cmpint (inner, >=, 0);
      close (dir);
      dir = inner;
    }
  return dir;
}

static FpTmpfsFiles *
list (const char *mounted)
{
  g_autoptr (FpKept) kept = mounts_read_kept ();
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_autoptr (GError) error = NULL;
  FpTmpfsFiles *files;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  files = fp_tmpfs_list (&proc, mounts_get_tmpfs (kept, mounted), 4, NULL, NULL, &error);
  g_assert_no_error (error);
  return files;
}

/* A folder whose path is longer than the kernel takes is not one that its owner has closed. */
static void
list_deep (void)
{
  g_autofree char *mounted = mounts_in_folder ("deep"), *block = g_malloc0 (MIB);
  g_autoptr (FpTmpfsFiles) files = NULL;
  int dir, file;

  g_assert_true (mounts_add_tmpfs (mounted, "size=64m"));
  dir = make_chain (mounted, 17);
  file = openat (dir, "hidden", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  g_assert_cmpint (write (file, block, MIB), ==, MIB);
  close (file);
  close (dir);
  files = list (mounted);
  g_assert_cmpuint (files->n_too_deep, ==, 1);
  g_assert_cmpuint (files->n_closed, ==, 0);
  g_assert_cmpuint (files->n_found, ==, 17);
  g_assert_cmpuint (files->not_seen, ==, MIB);
  g_assert_true (files->is_whole);
}

/* Paths of folders that are still to be looked at do not fill the memory: the list says that it is not whole. */
static void
list_many (void)
{
  g_autofree char *mounted = mounts_in_folder ("many"), *big = mounts_in_folder ("many/big");
  g_autoptr (FpTmpfsFiles) files = NULL;
  int dir;

  g_assert_true (mounts_add_tmpfs (mounted, "size=64m"));
  dir = make_chain (mounted, 15);
  for (guint i = 0; i < N_FOLDERS; i++)
    {
      g_autofree char *name = g_strdup_printf ("%0*u", NAME_LENGTH, i);

      g_assert_cmpint (mkdirat (dir, name, 0755), ==, 0);
    }
  close (dir);
  close (mounts_make_file (big, 3 * MIB));
  files = list (mounted);
  g_assert_false (files->is_whole);
  g_assert_cmpuint (files->n_found, ==, 15 + N_FOLDERS + 1);
  g_assert_cmpuint (files->n_closed + files->n_too_deep, ==, 0);
  g_assert_cmpuint (files->seen, ==, 3 * MIB);
}

static void
test_deep (void)
{
  mounts_run (list_deep);
}

static void
test_many (void)
{
  mounts_run (list_many);
}

static void
look_up (guint uid,
         FpUser *user)
{
  *user = (FpUser){ "", "" };
  if (uid == 1001)
    g_strlcpy (user->name, "anna", sizeof user->name);
  else if (uid == 1002)
    g_strlcpy (user->full_name, "In a container of ben", sizeof user->full_name);
}

/* The kernel does not say how much of a tmpfs without a limit is used, so nothing is known of the rest. */
static void
list_owners (void)
{
  g_autofree char *mounted = mounts_in_folder ("owned");
  g_autoptr (FpTmpfsFiles) files = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpKept) kept = NULL;
  g_auto (FpProcDir) proc = { .fd = -1 };
  FpUsers *users = fp_users_new (look_up);

  g_assert_true (mounts_add_tmpfs (mounted, "size=0"));
  for (guint i = 1; i <= 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("owned/%u", i);
      g_autofree char *path = mounts_in_folder (name);

      close (mounts_make_file (path, i * MIB));
      g_assert_cmpint (chown (path, 1000 + i, 0), ==, 0);
    }
  kept = mounts_read_kept ();
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  files = fp_tmpfs_list (&proc, mounts_get_tmpfs (kept, mounted), 5, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (files->has_used);
  g_assert_cmpuint (files->seen, ==, 6 * MIB);
  g_assert_cmpuint (files->not_seen, ==, 0);
  fp_tmpfs_files_name_owners (files, users, G_MAXINT32);
  g_assert_cmpstr (g_array_index (files->files, FpTmpfsFile, 0).owner, ==, NULL);
  g_assert_cmpstr (g_array_index (files->files, FpTmpfsFile, 1).owner, ==, "In a container of ben");
  g_assert_cmpstr (g_array_index (files->files, FpTmpfsFile, 2).owner, ==, "anna");
  fp_users_free (users);
}

static void
test_owners (void)
{
  mounts_run (list_owners);
}

int
main (int argc,
      char *argv[])
{
  int result;

  g_test_init (&argc, &argv, NULL);
  mounts_prepare ();
  g_test_add_func ("/tmpfs-files/list", test_list);
  g_test_add_func ("/tmpfs-files/owners", test_owners);
  g_test_add_func ("/tmpfs-files/deep", test_deep);
  g_test_add_func ("/tmpfs-files/many", test_many);
  result = g_test_run ();
  mounts_remove ();
  return result;
}
