// SPDX-License-Identifier: GPL-3.0-or-later
/* A copied /proc in which processes hold clients of graphics drivers, as drivers have written of them. */
#include <glib/gstdio.h>
#include <unistd.h>

#include "fixture.h"
#include "fp-kept-reader.h"

#define KIB ((guint64)1024)

#define SILENT "drm-driver:\tsimpledrm\ndrm-client-id:\t7\n"

static char *
read_client (const char *name)
{
  g_autofree char *folder = fixture_get_original ("fdinfo");
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

/* start_ticks: 100 and the PID */
static void
add_process (const Fixture *self,
             gint pid)
{
  g_autofree char *stat = g_strdup_printf ("%d/stat", pid), *status = g_strdup_printf ("%d/status", pid);
  g_autofree char *text = g_strdup_printf ("%d (a) S 1 1 1 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 %d 4096 1 "
                                           "18446744073709551615 1 1 1 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
                                           pid, 100 + pid);
  g_autofree char *fd = g_strdup_printf ("%s/%d/fd", self->proc, pid);

  fixture_write (self, stat, text, -1);
  fixture_write (self, status, "Name:\ta\n", -1);
  g_assert_cmpint (g_mkdir (fd, 0755), ==, 0);
}

static void
write_user (const Fixture *self,
            gint pid,
            guint uid)
{
  g_autofree char *status = g_strdup_printf ("%d/status", pid);
  g_autofree char *text = g_strdup_printf ("Name:\ta\nUid:\t%u\t0\t0\t0\n", uid);

  fixture_write (self, status, text, -1);
}

static void
hold (const Fixture *self,
      gint pid,
      gint number,
      const char *target,
      const char *fdinfo)
{
  g_autofree char *link = g_strdup_printf ("%s/%d/fd/%d", self->proc, pid, number);
  g_autofree char *info = g_strdup_printf ("%d/fdinfo/%d", pid, number);

  g_assert_cmpint (symlink (target, link), ==, 0);
  fixture_write (self, info, fdinfo, -1);
}

static FpKept *
read_kept (const Fixture *self)
{
  g_autoptr (GError) error = NULL;
  g_auto (FpProcDir) proc = { .fd = -1 };
  FpKept *kept;

  g_assert_true (fp_proc_dir_open (&proc, self->proc, &error));
  kept = fp_kept_read (&proc, &error);
  g_assert_no_error (error);
  return kept;
}

static gboolean
find_share (const FpKept *kept,
            gint pid,
            FpGraphicsShare *share)
{
  const FpProcessId id = { pid, 100 + (guint64)pid };

  return fp_kept_get_graphics (kept, &id, share);
}

/* A client on two descriptors is there once, and one that two processes hold is divided between them. */
static void
test_shares (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autofree char *amdgpu = read_client ("amdgpu"), *panfrost = read_client ("panfrost");
  g_autoptr (FpKept) kept = NULL;
  FpGraphicsShare share;

  fixture_make_empty (&fixture);
  for (gint pid = 10; pid <= 12; pid++)
    add_process (&fixture, pid);
  hold (&fixture, 10, 3, "/dev/dri/renderD128", amdgpu);
  hold (&fixture, 10, 4, "/dev/dri/card0", amdgpu);
  hold (&fixture, 10, 5, "/dev/dri/renderD129", panfrost);
  hold (&fixture, 11, 3, "/dev/dri/renderD128", amdgpu);
  hold (&fixture, 12, 3, "/tmp/file", "pos:\t0\n");
  kept = read_kept (&fixture);
  g_assert_cmpuint (kept->graphics->len, ==, 2);
  g_assert_true (find_share (kept, 10, &share));
  g_assert_cmpuint (share.in_ram, ==, (34880 / 2 + 2196) * KIB);
  g_assert_cmpuint (share.on_card, ==, 310492 / 2 * KIB);
  g_assert_true (share.has_in_ram);
  g_assert_true (find_share (kept, 11, &share));
  g_assert_cmpuint (share.in_ram, ==, 34880 / 2 * KIB);
  g_assert_true (find_share (kept, 12, &share));
  g_assert_cmpuint (share.in_ram, ==, 0);
}

/* A PID that was given to another process brings no figures of the old one. */
static void
test_start_time (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpKept) kept = NULL;
  FpGraphicsShare share;

  fixture_make_empty (&fixture);
  add_process (&fixture, 10);
  kept = read_kept (&fixture);
  g_assert_true (find_share (kept, 10, &share));
  g_assert_false (fp_kept_get_graphics (kept, &(FpProcessId){ 10, 111 }, &share));
  g_assert_false (find_share (kept, 11, &share));
}

/* Some drivers say nothing of memory, and NVIDIA's has descriptors of its own: such a process is not one without. */
static void
test_silent (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autofree char *amdgpu = read_client ("amdgpu");
  g_autoptr (FpKept) kept = NULL;
  FpGraphicsShare share;

  fixture_make_empty (&fixture);
  for (gint pid = 10; pid <= 12; pid++)
    add_process (&fixture, pid);
  hold (&fixture, 10, 3, "/dev/dri/card0", SILENT);
  hold (&fixture, 10, 4, "/dev/dri/renderD128", amdgpu);
  hold (&fixture, 11, 3, "/dev/nvidiactl", "pos:\t0\n");
  hold (&fixture, 12, 3, "/dev/dri/renderD128", amdgpu);
  kept = read_kept (&fixture);
  g_assert_false (find_share (kept, 10, &share));
  g_assert_false (find_share (kept, 11, &share));
  g_assert_true (find_share (kept, 12, &share));
  g_assert_cmpuint (kept->graphics->len, ==, 1);
}

/* One who may read texts alone finds the same; where NVIDIA's driver is, whose clients have none, nothing is known. */
static void
test_texts (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autofree char *amdgpu = read_client ("amdgpu");

  fixture_make_empty (&fixture);
  for (gint pid = 10; pid <= 12; pid++)
    add_process (&fixture, pid);
  hold (&fixture, 10, 3, "unread", amdgpu);
  hold (&fixture, 11, 3, "unread", SILENT);
  hold (&fixture, 12, 3, "unread", "pos:\t0\n");
  for (guint has_nvidia = 0; has_nvidia < 2; has_nvidia++)
    {
      g_autoptr (FpKeptReader) reader = fp_kept_reader_new_for_graphics ();
      g_autoptr (FpKept) kept = NULL;
      g_autoptr (GError) error = NULL;
      g_auto (FpProcDir) proc = { .fd = -1 };
      FpGraphicsShare share;

      if (has_nvidia)
        fixture_write (&fixture, "driver/nvidia/version", "", -1);
      g_assert_true (fp_proc_dir_open (&proc, fixture.proc, &error));
      kept = fp_kept_reader_read (reader, &proc, 0, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (kept->tmpfs->len + kept->held->len, ==, 0);
      g_assert_null (kept->segments);
      g_assert_cmpint (find_share (kept, 10, &share), ==, !has_nvidia);
      g_assert_cmpuint (share.in_ram, ==, has_nvidia ? 0 : 34880 * KIB);
      g_assert_false (find_share (kept, 11, &share));
      g_assert_cmpint (find_share (kept, 12, &share), ==, !has_nvidia);
    }
}

#define N_BUSY       5
#define N_BUSY_TEXTS 200

/* Somebody has many processes with many descriptors, and others have one each: a reading that has time for one process goes on
 * at another user's, and what it did not look at is not known. */
static void
test_turns (void)
{
  static const gint order[] = { 10, 20, 21, 11 };
  g_autoptr (FpKeptReader) reader = fp_kept_reader_new_for_graphics ();
  g_auto (Fixture) fixture = { 0 };
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_autofree char *amdgpu = read_client ("amdgpu");
  FpGraphicsShare share;

  fixture_make_empty (&fixture);
  for (gint pid = 10; pid < 10 + N_BUSY; pid++)
    {
      add_process (&fixture, pid);
      write_user (&fixture, pid, 1000);
      for (gint i = 3; i < 3 + N_BUSY_TEXTS; i++)
        hold (&fixture, pid, i, "unread", "pos:\t0\n");
    }
  for (gint pid = 20; pid <= 21; pid++)
    {
      add_process (&fixture, pid);
      write_user (&fixture, pid, 981 + (guint)pid);
      hold (&fixture, pid, 3, "unread", amdgpu);
    }
  g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      g_autoptr (FpKept) kept = fp_kept_reader_read (reader, &proc, 1, NULL);

      g_assert_cmpuint (kept->n_pending, ==, N_BUSY + 2 - 1 - i);
      for (guint j = 0; j < G_N_ELEMENTS (order); j++)
        g_assert_cmpint (find_share (kept, order[j], &share), ==, j <= i);
    }
}

static void
assert_same (const Fixture *fixture,
             FpKept **last,
             gboolean is_same)
{
  FpKept *now = read_kept (fixture);

  if (*last)
    g_assert_cmpint (fp_kept_has_same_graphics (*last, now), ==, is_same);
  g_clear_pointer (last, fp_kept_unref);
  *last = now;
}

/* From one reading to the next: a process that begins, a client, its figures and another holder are each a change. */
static void
test_same (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autofree char *amdgpu = read_client ("amdgpu");
  g_autoptr (FpKept) last = NULL;

  fixture_make_empty (&fixture);
  add_process (&fixture, 10);
  assert_same (&fixture, &last, FALSE);
  assert_same (&fixture, &last, TRUE);
  add_process (&fixture, 11);
  assert_same (&fixture, &last, FALSE);
  hold (&fixture, 10, 3, "/dev/dri/renderD128", amdgpu);
  assert_same (&fixture, &last, FALSE);
  assert_same (&fixture, &last, TRUE);
  hold (&fixture, 11, 3, "/dev/dri/renderD128", amdgpu);
  assert_same (&fixture, &last, FALSE);
  fixture_write (&fixture, "10/fdinfo/3", "drm-driver:\tamdgpu\ndrm-client-id:\t1\ndrm-resident-gtt:\t7 KiB\n", -1);
  assert_same (&fixture, &last, FALSE);
  assert_same (&fixture, &last, TRUE);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kept-graphics/shares", test_shares);
  g_test_add_func ("/kept-graphics/start-time", test_start_time);
  g_test_add_func ("/kept-graphics/silent", test_silent);
  g_test_add_func ("/kept-graphics/texts", test_texts);
  g_test_add_func ("/kept-graphics/turns", test_turns);
  g_test_add_func ("/kept-graphics/same", test_same);
  return g_test_run ();
}
