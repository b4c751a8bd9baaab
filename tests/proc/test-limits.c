// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/resource.h>
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
  g_test_add_func ("/proc/limits/own", test_own);
  return g_test_run ();
}
