// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fp-limits.h"

#define GIB (G_GUINT64_CONSTANT (1) << 30)

static guint n_components;

/* The names on the ways that the kernel is asked to go. This replaces the C library's function in the program; a file's
 * offset is 64 bits wide in it. */
int
openat64 (int folder,
          const char *path,
          int flags,
          ...)
{
  mode_t mode = 0;
  va_list arguments;

  va_start (arguments, flags);
  if (flags & O_CREAT)
    mode = va_arg (arguments, mode_t);
  va_end (arguments);
  n_components++;
  for (const char *c = path; *c; c++)
    n_components += *c == '/';
  return (int)syscall (SYS_openat, folder, path, flags, mode);
}

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
check_deep (int root,
            const char *path,
            guint depth)
{
  FpLimits limits;

  n_components = 0;
  fp_limits_init (&limits);
  fp_limits_read_group (&limits, root, path);
  g_assert_cmpuint (limits.group_max, ==, GIB);
  g_assert_cmpuint (n_components, >, 0);
  g_assert_cmpuint (n_components, <=, 8 * depth);
}

/* A user's groups can be nested as deep as a path is long, and any user may ask the helper about one in there, or one that
 * is there no longer. */
static void
test_deep (void)
{
  const guint depth = 1900;
  g_autofree char *root = g_dir_make_tmp ("footprint-groups-XXXXXX", NULL);
  g_autofree char *command = g_strdup_printf ("rm -r '%s'", root);
  g_autofree char *path = g_malloc (2 * depth);
  int fd;

  for (guint i = 0; i < 2 * depth; i++)
    path[i] = i % 2 ? '/' : 'a';
  path[2 * depth - 1] = '\0';
  write_limit (root, "a", "memory.max", "1073741824\n");
  fd = open (root, O_PATH | O_DIRECTORY | O_CLOEXEC);
  check_deep (fd, path, depth);
  for (guint i = 2; i <= depth; i++)
    {
      path[2 * i - 1] = '\0';
      g_assert_cmpint (mkdirat (fd, path, 0700), ==, 0);
      path[2 * i - 1] = i < depth ? '/' : '\0';
    }
  check_deep (fd, path, depth);
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
