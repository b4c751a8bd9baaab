// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-open-files.h"
#include "fp-scan.h"
#include "fp-tmpfs-files.h"
#include "live-process.h"
#include "own-mounts.h"

static gboolean
has_held (const FpKept *kept,
          const char *name)
{
  for (guint i = 0; i < kept->held->len; i++)
    if (g_str_equal (g_array_index (kept->held, FpHeldFile, i).name, name))
      return TRUE;
  return FALSE;
}

static const FpHeldFile *
get_held (const FpKept *kept,
          const char *name)
{
  for (guint i = 0; i < kept->held->len; i++)
    if (g_str_equal (g_array_index (kept->held, FpHeldFile, i).name, name))
      return &g_array_index (kept->held, FpHeldFile, i);
  g_error ("%s is not held", name);
}

static void
measure_tmpfs (void)
{
  g_autofree char *limited = mounts_in_folder ("limited"), *endless = mounts_in_folder ("endless"), *file = mounts_in_folder ("limited/file");
  g_autofree char *again = mounts_in_folder ("again"), *ram = mounts_in_folder ("ram");
  g_autoptr (FpKept) kept = NULL;
  const FpTmpfs *tmpfs;

  g_assert_true (mounts_add_tmpfs (limited, "size=16m") && mounts_add_tmpfs (endless, "size=0"));
  g_assert_cmpint (g_mkdir (again, 0755), ==, 0);
  g_assert_cmpint (mount (limited, again, NULL, MS_BIND, NULL), ==, 0);
  close (mounts_make_file (file, 5 * MIB + 1));
  kept = mounts_read_kept ();
  tmpfs = mounts_get_tmpfs (kept, limited);
  g_assert_true (tmpfs->has_used);
  g_assert_cmpuint (tmpfs->used, ==, 5 * MIB + 4096);
  g_assert_cmpuint (tmpfs->size, ==, 16 * MIB);
  g_assert_cmpint (tmpfs->pid, ==, 0);
  g_assert_false (mounts_has_tmpfs (kept, again));
  tmpfs = mounts_get_tmpfs (kept, endless);
  g_assert_false (tmpfs->has_used);

  if (g_mkdir (ram, 0755) != 0 || mount ("footprint", ram, "ramfs", 0, NULL) != 0)
    return;
  g_clear_pointer (&kept, fp_kept_unref);
  kept = mounts_read_kept ();
  tmpfs = mounts_get_tmpfs (kept, ram);
  g_assert_cmpint (tmpfs->kind, ==, FP_TMPFS_RAMFS);
  g_assert_false (tmpfs->has_used);
}

static void
test_tmpfs (void)
{
  mounts_run (measure_tmpfs);
}

/* More than are looked at: the machine's own are measured all the same, as they come first. */
static void
read_beside_many (void)
{
  g_autofree char *crowd = mounts_in_folder ("crowd");
  g_autoptr (FpKeptReader) reader = fp_kept_reader_new ();
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_autoptr (FpKept) first = mounts_read_kept ();
  guint n_own;

  if (first->is_cut)
    _exit (77);
  g_assert_true (mounts_add_tmpfs (crowd, "size=4m"));
  for (guint i = 0; i < FP_TMPFS_MAX_OF_NAMESPACE + 50; i++)
    {
      g_autofree char *name = g_strdup_printf ("crowd/%u", i);
      g_autofree char *path = mounts_in_folder (name);

      g_assert_true (mounts_add_tmpfs (path, "size=4m"));
    }
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  for (guint round = 0; round < 3; round++)
    {
      g_autoptr (FpKept) kept = fp_kept_reader_read (reader, &proc, round * FP_KEPT_BUDGET_US, NULL);

      n_own = 0;
      for (guint i = 0; i < kept->tmpfs->len; i++)
        n_own += g_array_index (kept->tmpfs, FpTmpfs, i).pid == 0;
      g_assert_cmpuint (n_own, <=, FP_TMPFS_MAX_OF_NAMESPACE);
      g_assert_cmpuint (n_own, >, FP_TMPFS_MAX_OF_NAMESPACE / 2);
      g_assert_true (kept->is_cut);
      g_assert_true (mounts_get_tmpfs (kept, crowd)->has_used);
      for (guint i = 0; i < first->tmpfs->len; i++)
        {
          const FpTmpfs *tmpfs = &g_array_index (first->tmpfs, FpTmpfs, i);

          for (guint j = 0; j < kept->tmpfs->len && tmpfs->pid == 0; j++)
            if (g_array_index (kept->tmpfs, FpTmpfs, j).device == tmpfs->device)
              g_assert_cmpint (g_array_index (kept->tmpfs, FpTmpfs, j).has_used, ==, tmpfs->has_used);
          if (g_str_equal (tmpfs->path, "/dev"))
            g_assert_true (tmpfs->has_used);
        }
    }
}

static void
test_crowd (void)
{
  mounts_run (read_beside_many);
}

/* In the child: a tmpfs that only it sees, with a deleted file that it holds */
static void
live_in_namespace (gpointer data)
{
  g_autofree char *inner = mounts_in_folder ("inner"), *file = mounts_in_folder ("inner/file"), *gone = mounts_in_folder ("inner/gone");

  if (mounts_unshare () && mounts_add_tmpfs (inner, "size=16m"))
    {
      close (mounts_make_file (file, 2 * MIB));
      mounts_make_file (gone, 3 * MIB);
      unlink (gone);
    }
  live_answer ();
  live_await_order ();
}

static void
test_namespace (void)
{
  g_autofree char *inner = mounts_in_folder ("inner"), *gone = mounts_in_folder ("inner/gone");
  g_autoptr (FpKept) kept = NULL;
  const FpTmpfs *tmpfs;
  const FpHeldFile *held;
  LiveProcess process;

  if (geteuid () != 0)
    {
      g_test_skip ("mounts of one's own need root");
      return;
    }
  live_process_start (&process, live_in_namespace, NULL);
  kept = mounts_read_kept ();
  tmpfs = mounts_get_tmpfs (kept, inner);
  g_assert_cmpuint (tmpfs->used, ==, 5 * MIB);
  g_assert_cmpint (tmpfs->pid, ==, process.pid);
  held = get_held (kept, gone);
  g_assert_cmpuint (held->used, ==, 3 * MIB);
  g_assert_true (held->is_in_tmpfs);
  live_process_stop (&process);
  g_clear_pointer (&kept, fp_kept_unref);
  kept = mounts_read_kept ();
  g_assert_false (mounts_has_tmpfs (kept, inner));
}

/* A file system whose program never answers is mounted over one tmpfs and in another. */
static void
read_beside_silence (void)
{
  g_autofree char *outer = mounts_in_folder ("outer"), *below = mounts_in_folder ("outer/below"), *seen = mounts_in_folder ("seen");
  g_autofree char *mute = mounts_in_folder ("seen/mute"), *file = mounts_in_folder ("seen/file");
  int fd = open ("/dev/fuse", O_RDWR | O_CLOEXEC);
  g_autofree char *options = g_strdup_printf ("fd=%d,rootmode=40000,user_id=0,group_id=0", fd);
  g_autoptr (FpTmpfsFiles) files = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpKept) kept = NULL;
  g_auto (FpProcDir) proc = { .fd = -1 };
  const FpTmpfs *hidden;

  if (fd < 0)
    _exit (77);
  g_assert_true (mounts_add_tmpfs (outer, "size=4m") && mounts_add_tmpfs (below, "size=4m") && mounts_add_tmpfs (seen, "size=4m"));
  g_assert_cmpint (g_mkdir (mute, 0755), ==, 0);
  close (mounts_make_file (file, MIB));
  if (mount ("footprint", outer, "fuse", 0, options) != 0 || mount (outer, mute, NULL, MS_BIND, NULL) != 0)
    _exit (77);
  kept = mounts_read_kept ();
  hidden = mounts_get_tmpfs (kept, below);
  g_assert_false (hidden->has_used);
  g_assert_cmpuint (mounts_get_tmpfs (kept, seen)->used, ==, MIB);
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  files = fp_tmpfs_list (&proc, mounts_get_tmpfs (kept, seen), 5, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (files->seen, ==, MIB);
  g_assert_null (fp_tmpfs_list (&proc, hidden, 5, NULL, NULL, NULL));
}

static void
test_silence (void)
{
  mounts_run (read_beside_silence);
}

/* A file system whose program never answers is mounted after the mounts were listed: on the way to a tmpfs, and upon it. */
static void
open_beside_silence (void)
{
  g_autofree char *way = mounts_in_folder ("way"), *below = mounts_in_folder ("way/below"), *place = mounts_in_folder ("place");
  int fuse = open ("/dev/fuse", O_RDWR | O_CLOEXEC), self = open ("/proc/self", O_PATH | O_CLOEXEC);
  g_autofree char *options = g_strdup_printf ("fd=%d,rootmode=40000,user_id=0,group_id=0", fuse);
  g_autoptr (FpMountTable) table = NULL;
  guint n = 0;

  if (fuse < 0)
    _exit (77);
  g_assert_true (mounts_add_tmpfs (way, "size=4m") && mounts_add_tmpfs (below, "size=4m") && mounts_add_tmpfs (place, "size=4m"));
  g_assert_nonnull (table = fp_mount_table_read (self));
  for (guint is_after = 0; is_after < 2; is_after++)
    {
      for (guint i = 0; i < table->mounts->len; i++)
        {
          const FpMount *mount = &g_array_index (table->mounts, FpMount, i);
          int fd;

          if (!g_str_equal (mount->point, below) && !g_str_equal (mount->point, place))
            continue;
          fd = fp_mount_table_open (table, mount, self);
          g_assert_cmpint (fd >= 0, ==, !is_after);
          n++;
        }
      if (!is_after && (mount ("footprint", way, "fuse", 0, options) != 0 || mount (way, place, NULL, MS_BIND, NULL) != 0))
        _exit (77);
    }
  g_assert_cmpuint (n, ==, 4);
}

static void
test_late_silence (void)
{
  mounts_run (open_beside_silence);
}

static void
wait_for_ever (gpointer data)
{
  for (;;)
    pause ();
}

static void
hold_memory (gpointer data)
{
  int held = memfd_create ("fp-test held", MFD_CLOEXEC), mapped = memfd_create ("fp-test mapped", MFD_CLOEXEC);
  char *memory;

  mounts_fill (held, 6 * MIB);
  live_fork (wait_for_ever, NULL);
  if (ftruncate (mapped, 4 * MIB) == 0 && (memory = mmap (NULL, 4 * MIB, PROT_WRITE, MAP_SHARED, mapped, 0)) != MAP_FAILED)
    memset (memory, 'm', 3 * MIB);
  live_answer ();
  while (live_await_order () == 'g')
    {
      mounts_fill (held, MIB);
      mounts_fill (memfd_create ("fp-test late", MFD_CLOEXEC), 2 * MIB);
      live_answer ();
    }
}

static void
test_held (void)
{
  g_autoptr (FpKeptReader) reader = fp_kept_reader_new ();
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_autoptr (FpKept) kept = NULL;
  const FpHeldFile *held, *mapped;
  LiveProcess process;

  live_process_start (&process, hold_memory, NULL);
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  kept = fp_kept_reader_read (reader, &proc, 0, NULL);
  held = get_held (kept, "fp-test held");
  g_assert_cmpuint (held->used, ==, 6 * MIB);
  g_assert_cmpint (held->pid, ==, process.pid);
  g_assert_cmpuint (held->n_holders, ==, 2);
  g_assert_false (held->is_mapped || held->is_in_tmpfs || held->is_huge);
  mapped = get_held (kept, "fp-test mapped");
  g_assert_cmpuint (mapped->used, ==, 3 * MIB);
  g_assert_true (mapped->is_mapped);
  g_assert_false (has_held (kept, "fp-test late"));

  /* A reading with a budget sees at once that a known one grew, and soon that there is one more. */
  live_process_order (&process, 'g');
  for (guint i = 0; i < 1000; i++)
    {
      g_clear_pointer (&kept, fp_kept_unref);
      kept = fp_kept_reader_read (reader, &proc, FP_KEPT_BUDGET_US, NULL);
      g_assert_cmpuint (get_held (kept, "fp-test held")->used, ==, 7 * MIB);
      if (has_held (kept, "fp-test late"))
        break;
    }
  g_assert_true (has_held (kept, "fp-test late"));
  g_assert_cmpuint (get_held (kept, "fp-test late")->used, ==, 2 * MIB);
  live_process_stop (&process);
  /* Its child ends a moment after it. */
  for (guint i = 0; i < 1000 && has_held (kept, "fp-test held"); i++)
    {
      g_clear_pointer (&kept, fp_kept_unref);
      kept = fp_kept_reader_read (reader, &proc, FP_KEPT_BUDGET_US, NULL);
    }
  g_assert_false (has_held (kept, "fp-test held"));
}

static void
open_more (gpointer data)
{
  do
    {
      memfd_create ("fp-test more", MFD_CLOEXEC);
      live_answer ();
    }
  while (live_await_order () == 'g');
}

/* A program that has a new file at each reading, and time for one process only: another's new file is seen all the same. */
static void
test_turns (void)
{
  g_autoptr (FpKeptReader) reader = fp_kept_reader_new ();
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_autoptr (FpKept) kept = NULL;
  LiveProcess busy, holder;
  gboolean is_seen = FALSE;

  live_process_start (&busy, open_more, NULL);
  live_process_start (&holder, hold_memory, NULL);
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  kept = fp_kept_reader_read (reader, &proc, 0, NULL);
  live_process_order (&holder, 'g');
  for (guint i = 0; i < 100 && !is_seen; i++)
    {
      live_process_order (&busy, 'g');
      g_clear_pointer (&kept, fp_kept_unref);
      kept = fp_kept_reader_read (reader, &proc, 1, NULL);
      is_seen = has_held (kept, "fp-test late");
    }
  live_process_stop (&holder);
  live_process_stop (&busy);
  g_assert_true (is_seen);
}

static void
open_many (gpointer data)
{
  const struct rlimit limit = { 10000, 10000 };
  int first = memfd_create ("fp-test many", MFD_CLOEXEC);

  setrlimit (RLIMIT_NOFILE, &limit);
  for (guint i = 0; i < FP_OPEN_FILES_MAX + 100; i++)
    if (dup (first) < 0)
      break;
  live_answer ();
  live_await_order ();
}

static void
test_many (void)
{
  g_autoptr (FpKept) before = mounts_read_kept (), kept = NULL;
  LiveProcess process;

  if (geteuid () != 0 || before->is_cut)
    {
      g_test_skip ("so many descriptors need root, and that no other has them");
      return;
    }
  live_process_start (&process, open_many, NULL);
  kept = mounts_read_kept ();
  g_assert_cmpuint (get_held (kept, "fp-test many")->n_holders, ==, 1);
  g_assert_true (kept->is_cut);
  live_process_stop (&process);
}

/* As an ordinary user, who may not look at the files of others and is told how many there are. */
static void
read_as_nobody (gpointer data)
{
  g_autoptr (FpKept) kept = NULL;

  live_become_nobody ();
  kept = mounts_read_kept ();
  g_assert_cmpuint (kept->n_unread, >, 0);
  g_assert_cmpuint (kept->n_pending, ==, 0);
  g_assert_false (has_held (kept, "fp-test held"));
  live_answer ();
  live_await_order ();
}

static void
test_unread (void)
{
  LiveProcess holder, reader;

  if (geteuid () != 0)
    {
      g_test_skip ("becoming another user needs root");
      return;
    }
  live_process_start (&holder, hold_memory, NULL);
  live_process_start (&reader, read_as_nobody, NULL);
  live_process_stop (&reader);
  live_process_stop (&holder);
}

static guint64
read_shmem (void)
{
  g_autofree char *text = NULL;
  const char *line;

  g_assert_true (g_file_get_contents ("/proc/meminfo", &text, NULL, NULL));
  line = strstr (text, "\nShmem:");
  g_assert_nonnull (line);
  return g_ascii_strtoull (line + strlen ("\nShmem:"), NULL, 10) * 1024;
}

static guint64
add_up (FpKeptSum *sum)
{
  g_autoptr (FpKept) kept = mounts_read_kept ();

  fp_kept_sum (kept, sum);
  return sum->tmpfs + sum->segments + sum->held + sum->mapped;
}

/* One of each: 5 MiB in a tmpfs, 3 more deleted there, a segment of 2, the memfds of 6 and 3 that hold_memory () makes */
static gboolean
take_of_each (void)
{
  g_autofree char *mounted = mounts_in_folder ("sum"), *file = mounts_in_folder ("sum/file"), *gone = mounts_in_folder ("sum/gone");
  FpKeptSum before, after;
  guint64 shmem = read_shmem (), whole = add_up (&before), shmem_after;
  LiveProcess process;
  char *memory;
  int id;

  g_test_message ("Shmem %.2f MiB, of it not found %+.2f MiB", (double)shmem / (double)MIB,
                  ((double)shmem - (double)whole) / (double)MIB);
  g_assert_true (mounts_add_tmpfs (mounted, "size=16m"));
  mounts_make_file (file, 5 * MIB);
  mounts_make_file (gone, 3 * MIB);
  unlink (gone);
  id = shmget (IPC_PRIVATE, 2 * MIB, IPC_CREAT | 0600);
  memory = shmat (id, NULL, 0);
  shmctl (id, IPC_RMID, NULL);
  memset (memory, 's', 2 * MIB);
  live_process_start (&process, hold_memory, NULL);
  whole = add_up (&after) - whole;
  shmem_after = read_shmem ();
  live_process_stop (&process);
  g_test_message ("rise of files %.3f MiB (8), segments %.3f (2), held %.3f (6), mapped %.3f (3), Shmem %.2f (19)",
                  ((double)after.tmpfs - (double)before.tmpfs) / (double)MIB,
                  ((double)after.segments - (double)before.segments) / (double)MIB,
                  ((double)after.held - (double)before.held) / (double)MIB,
                  ((double)after.mapped - (double)before.mapped) / (double)MIB,
                  ((double)shmem_after - (double)shmem) / (double)MIB);
  g_assert_cmpuint (after.segments - before.segments, ==, 2 * MIB);
  g_assert_cmpuint (after.held - before.held, ==, 6 * MIB);
  g_assert_cmpuint (after.mapped - before.mapped, ==, 3 * MIB);
  g_assert_cmpuint (whole - (after.tmpfs - before.tmpfs), ==, 11 * MIB);
  return after.tmpfs - before.tmpfs == 8 * MIB &&
         ABS ((gint64)(shmem_after - shmem - whole)) <= (gint64)MIB / 4;
}

/* In a mount and IPC namespace of its own. What other programs do meanwhile moves Shmem, and their files in memory the sum of
 * files, too: one time in 20 nobody does. */
static void
test_sum (void)
{
  int status = 0;

  for (guint i = 0; i < 20; i++)
    {
      pid_t pid = fork ();

      if (pid == 0)
        {
          if (!mounts_unshare () || unshare (CLONE_NEWIPC) != 0)
            _exit (77);
          _exit (take_of_each () ? 0 : 78);
        }
      waitpid (pid, &status, 0);
      if (!WIFEXITED (status) || WEXITSTATUS (status) != 78)
        break;
    }
  if (WIFEXITED (status) && WEXITSTATUS (status) == 77)
    g_test_skip ("mounts of one's own need root");
  else
    g_assert_cmpint (status, ==, 0);
}

int
main (int argc,
      char *argv[])
{
  int result;

  g_test_init (&argc, &argv, NULL);
  mounts_prepare ();
  g_test_add_func ("/kept/tmpfs", test_tmpfs);
  g_test_add_func ("/kept/crowd", test_crowd);
  g_test_add_func ("/kept/namespace", test_namespace);
  g_test_add_func ("/kept/silence", test_silence);
  g_test_add_func ("/kept/late-silence", test_late_silence);
  g_test_add_func ("/kept/held", test_held);
  g_test_add_func ("/kept/turns", test_turns);
  g_test_add_func ("/kept/many", test_many);
  g_test_add_func ("/kept/unread", test_unread);
  g_test_add_func ("/kept/sum", test_sum);
  result = g_test_run ();
  mounts_remove ();
  return result;
}
