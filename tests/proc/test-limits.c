// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fp-limits.h"

#define GIB (G_GUINT64_CONSTANT (1) << 30)

static void
test_parse (void)
{
  FpLimits limits;

  fp_limits_init (&limits);
  fp_limits_parse (&limits, "Limit                     Soft Limit           Hard Limit           Units     \n"
                            "Max address space         4294967296           unlimited            bytes     \n");
  g_assert_cmpuint (limits.address_space, ==, 4 * GIB);
  fp_limits_init (&limits);
  fp_limits_parse (&limits, "Max address space         unlimited            unlimited            bytes     \n");
  g_assert_cmpuint (limits.address_space, ==, FP_NO_LIMIT);
  fp_limits_parse (&limits, "");
  fp_limits_parse (&limits, "Max address space");
  g_assert_cmpuint (limits.address_space, ==, FP_NO_LIMIT);
}

static void
write_limit (const char *root,
             const char *group,
             const char *name,
             const char *text)
{
  g_autofree char *folder = g_build_filename (root, group, NULL), *file = g_build_filename (folder, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, text, -1, NULL));
}

/* The smallest on the way up; "max" is none. */
static void
test_group (void)
{
  g_autofree char *root = g_dir_make_tmp ("footprint-groups-XXXXXX", NULL);
  g_autofree char *command = g_strdup_printf ("rm -r '%s'", root);
  FpLimits limits;
  int fd;

  write_limit (root, "user.slice", "memory.max", "8589934592\n");
  write_limit (root, "user.slice", "memory.high", "max\n");
  write_limit (root, "user.slice/a b", "memory.max", "max\n");
  write_limit (root, "user.slice/a b/app.scope", "memory.max", "17179869184\n");
  write_limit (root, "user.slice/a b/app.scope", "memory.high", "1073741824\n");
  fd = open (root, O_PATH | O_DIRECTORY | O_CLOEXEC);

  fp_limits_init (&limits);
  fp_limits_read_group (&limits, fd, "user.slice/a b/app.scope");
  g_assert_cmpuint (limits.group_max, ==, 8 * GIB);
  g_assert_cmpuint (limits.group_high, ==, GIB);
  fp_limits_init (&limits);
  fp_limits_read_group (&limits, fd, "");
  fp_limits_read_group (&limits, fd, "no/such");
  g_assert_cmpuint (limits.group_max, ==, FP_NO_LIMIT);
  close (fd);
  g_assert_cmpint (system (command), ==, 0);
}

static gint64
get_thread_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static gint64
measure_depth (int root,
               char *path,
               guint depth)
{
  gint64 best_us = G_MAXINT64;

  path[2 * depth - 1] = '\0';
  for (guint i = 0; i < 20; i++)
    {
      gint64 start_us = get_thread_us ();
      FpLimits limits;

      fp_limits_init (&limits);
      fp_limits_read_group (&limits, root, path);
      best_us = MIN (best_us, get_thread_us () - start_us);
      g_assert_cmpuint (limits.group_max, ==, GIB);
    }
  path[2 * depth - 1] = '/';
  return best_us;
}

/* A user's groups can be nested as deep as a path is long, and any user may ask the helper about one in there: four times
 * as deep takes about four times as long, and not sixteen times. */
static void
test_deep (void)
{
  const guint depth = 1900;
  g_autofree char *root = g_dir_make_tmp ("footprint-groups-XXXXXX", NULL);
  g_autofree char *command = g_strdup_printf ("rm -r '%s'", root);
  g_autofree char *path = g_malloc (2 * depth);
  gint64 short_us, long_us;
  int fd;

  for (guint i = 0; i < 2 * depth; i++)
    path[i] = i % 2 ? '/' : 'a';
  write_limit (root, "a", "memory.max", "1073741824\n");
  fd = open (root, O_PATH | O_DIRECTORY | O_CLOEXEC);
  for (guint i = 2; i <= depth; i++)
    {
      path[2 * i - 1] = '\0';
      g_assert_cmpint (mkdirat (fd, path, 0700), ==, 0);
      path[2 * i - 1] = '/';
    }
  short_us = measure_depth (fd, path, depth / 4);
  long_us = measure_depth (fd, path, depth);
  g_test_message ("%d us for %u groups, %d us for %u", (gint)short_us, depth / 4, (gint)long_us, depth);
  g_assert_cmpint (long_us, <, 8 * short_us);
  close (fd);
  g_assert_cmpint (system (command), ==, 0);
}

static void
test_own (void)
{
  struct rlimit limit;
  g_autoptr (GError) error = NULL;
  FpProcessId id = { getpid (), 0 };
  FpLimits limits;
  FpProcDir proc;

  g_assert_cmpint (getrlimit (RLIMIT_AS, &limit), ==, 0);
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  g_assert_false (fp_limits_read (&limits, &proc, &id, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
  g_assert_cmpuint (limits.address_space, ==, limit.rlim_cur == RLIM_INFINITY ? FP_NO_LIMIT : limit.rlim_cur);
  fp_proc_dir_close (&proc);
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/proc/limits/parse", test_parse);
  g_test_add_func ("/proc/limits/group", test_group);
  g_test_add_func ("/proc/limits/deep", test_deep);
  g_test_add_func ("/proc/limits/own", test_own);
  return g_test_run ();
}
