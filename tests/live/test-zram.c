// SPDX-License-Identifier: GPL-3.0-or-later
/* A real zram disk that is no swap: all that it costs is told from swap. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-proc-dir.h"
#include "fp-system.h"

#define CONTROL   "/sys/class/zram-control/"
#define SIZE      (8 << 20)
#define SKIPPED   77
#define MAX_TRIES 20

static gboolean
write_value (const char *path,
             const char *value)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC);
  gboolean is_done = fd >= 0 && write (fd, value, strlen (value)) == (gssize)strlen (value);

  if (fd >= 0)
    close (fd);
  return is_done;
}

static void
read_plain (guint64 *stored,
            guint64 *cost)
{
  g_auto (FpProcDir) proc = { .fd = -1 };
  FpSystem system;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  fp_system_read (&system, &proc);
  fp_system_get_plain_zram (&system, stored, cost);
}

/* Noise, which does not become smaller. */
static void
fill_disk (const char *disk)
{
  g_autofree char *device = g_strdup_printf ("/sys/block/zram%s/dev", disk), *numbers = NULL;
  g_autofree char *node = g_build_filename (g_get_tmp_dir (), "footprint-zram-XXXXXX", NULL), *noise = g_malloc (SIZE);
  unsigned int device_major, device_minor;
  int fd;

  g_assert_true (g_file_get_contents (device, &numbers, NULL, NULL));
  g_assert_cmpint (sscanf (numbers, "%u:%u", &device_major, &device_minor), ==, 2);
  for (guint i = 0; i < SIZE / sizeof (guint32); i++)
    ((guint32 *)(gpointer)noise)[i] = g_test_rand_int () ^ i;
  fd = g_mkstemp (node);
  close (fd);
  unlink (node);
  if (mknod (node, S_IFBLK | 0600, makedev (device_major, device_minor)) != 0 || (fd = open (node, O_WRONLY | O_CLOEXEC)) < 0)
    {
      unlink (node);
      _exit (SKIPPED);
    }
  unlink (node);
  g_assert_cmpint (write (fd, noise, SIZE), ==, SIZE);
  g_assert_cmpint (fsync (fd), ==, 0);
  close (fd);
}

/* Other tests may have zram disks at the same time, so another try may be needed. */
static void
measure_disk (const char *disk)
{
  g_autofree char *mm_stat = g_strdup_printf ("/sys/block/zram%s/mm_stat", disk), *disksize = g_strdup_printf ("/sys/block/zram%s/disksize", disk);
  g_autofree char *reset = g_strdup_printf ("/sys/block/zram%s/reset", disk);

  for (guint i = 0; i < MAX_TRIES; i++)
    {
      guint64 stored, cost, stored_before, cost_before;
      g_autofree char *text = NULL;
      FpSwap own;

      read_plain (&stored_before, &cost_before);
      if (!write_value (disksize, "64M"))
        _exit (SKIPPED);
      fill_disk (disk);
      read_plain (&stored, &cost);
      g_assert_true (g_file_get_contents (mm_stat, &text, NULL, NULL));
      g_assert_true (fp_swap_parse_zram (&own, text, strlen (text)));
      g_assert_cmpuint (own.stored, ==, SIZE);
      if (stored - stored_before == own.stored && cost - cost_before == own.cost)
        _exit (0);
      g_assert_true (write_value (reset, "1"));
    }
  g_error ("other disks never stood still");
}

static void
test_plain (void)
{
  g_autofree char *disk = NULL, *reset = NULL;
  int status;
  pid_t pid;

  if (geteuid () != 0 || !g_file_get_contents (CONTROL "hot_add", &disk, NULL, NULL))
    {
      g_test_skip ("a zram disk of one's own needs root, and the module zram");
      return;
    }
  g_strchomp (disk);
  pid = fork ();
  if (pid == 0)
    measure_disk (disk);
  waitpid (pid, &status, 0);
  /* The disk goes, whatever became of the child. */
  reset = g_strdup_printf ("/sys/block/zram%s/reset", disk);
  write_value (reset, "1");
  g_assert_true (write_value (CONTROL "hot_remove", disk));
  if (WIFEXITED (status) && WEXITSTATUS (status) == SKIPPED)
    g_test_skip ("this machine does not let a zram disk be written");
  else
    g_assert_cmpint (status, ==, 0);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/zram/plain", test_plain);
  return g_test_run ();
}
