// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fp-cli-file.h"
#include "fp-cli-terminal.h"

#define STEP 65536

static gboolean
is_standard (const char *path)
{
  return strcmp (path, "-") == 0;
}

static gboolean
fail_to_write (const char *path,
               GError **error)
{
  int number = errno;

  /* Translators: a file, and why */
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (number), _ ("Can’t write %s: %s"), path,
               g_strerror (number));
  return FALSE;
}

static void
fail_to_open (const char *path,
              int number,
              GError **error)
{
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (number), _ ("Can’t open %s: %s"), path, g_strerror (number));
}

static GBytes *
read_stream (int fd,
             const char *path,
             GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gssize n;

  do
    {
      guint used = bytes->len;

      g_byte_array_set_size (bytes, used + STEP);
      n = read (fd, bytes->data + used, STEP);
      g_byte_array_set_size (bytes, used + (guint)MAX (n, 0));
    }
  while (n > 0 || (n < 0 && errno == EINTR));
  if (n < 0)
    {
      gint number = errno;

      if (is_standard (path))
        g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (number), _ ("Can’t read the standard input: %s"), g_strerror (number));
      else
        fail_to_open (path, number, error);
      return NULL;
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

/* A pipe of the shell can't be mapped. */
static GBytes *
read_file (const char *path,
           GError **error)
{
  g_auto (FpFd) fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  g_autoptr (GMappedFile) file = NULL;
  struct stat info;

  if (fd < 0 || fstat (fd, &info) != 0 || S_ISDIR (info.st_mode))
    {
      fail_to_open (path, fd >= 0 && S_ISDIR (info.st_mode) ? EISDIR : errno, error);
      return NULL;
    }
  if (!S_ISREG (info.st_mode))
    return read_stream (fd, path, error);
  file = g_mapped_file_new_from_fd (fd, FALSE, error);
  return file ? g_mapped_file_get_bytes (file) : NULL;
}

/* path: "-" for standard input; files, groups: get what was saved with it, or NULL */
FpSnapshot *
fp_cli_file_open (const char *path,
                  FpMappedFiles **files,
                  FpControlGroups **groups,
                  GError **error)
{
  g_autoptr (GBytes) bytes = is_standard (path) ? read_stream (STDIN_FILENO, path, error) : read_file (path, error);
  FpSnapshot *snapshot;

  if (!bytes)
    return NULL;
  snapshot = fp_saved_file_unpack (bytes, files, groups, error);
  if (!snapshot)
    g_prefix_error (error, "%s: ", path);
  return snapshot;
}

static gboolean
write_to_standard_output (const char *data,
                          gsize size,
                          GError **error)
{
  if (!isatty (STDOUT_FILENO))
    return fp_cli_terminal_write (data, size, error);
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                       _ ("A snapshot is not for a terminal; write it to a file or to a pipe"));
  return FALSE;
}

static gboolean
write_to_special_file (const char *path,
                       const char *data,
                       gsize size,
                       GError **error)
{
  g_auto (FpFd) fd = open (path, O_WRONLY | O_CLOEXEC | O_NOCTTY);

  return (fd >= 0 && fp_cli_terminal_write_to (fd, data, size, NULL)) || fail_to_write (path, error);
}

/* Replaces the file only once all is written. Only the owner may read it, for it tells what all users run. */
static gboolean
replace_file (const char *path,
              const char *data,
              gsize size,
              GError **error)
{
  g_autofree char *temporary = g_strconcat (path, ".XXXXXX", NULL);
  g_auto (FpFd) fd = g_mkstemp_full (temporary, O_WRONLY | O_CLOEXEC, 0600);
  gboolean ok = fd >= 0 && fp_cli_terminal_write_to (fd, data, size, NULL) && fsync (fd) == 0;

  ok = ok && g_rename (temporary, path) == 0;
  if (!ok)
    fail_to_write (path, error);
  if (!ok && fd >= 0)
    g_unlink (temporary);
  return ok;
}

/* files, groups: (nullable); path: "-" for standard output */
gboolean
fp_cli_file_save (const FpSnapshot *snapshot,
                  const FpMappedFiles *files,
                  const FpControlGroups *groups,
                  gboolean with_commands,
                  const char *path,
                  GError **error)
{
  g_autoptr (GBytes) bytes = fp_saved_file_pack (snapshot, files, groups, with_commands, error);
  const char *data;
  gsize size;

  if (!bytes)
    return FALSE;
  data = g_bytes_get_data (bytes, &size);
  if (is_standard (path))
    return write_to_standard_output (data, size, error);
  /* A device or a pipe is written to, never replaced. */
  if (g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return write_to_special_file (path, data, size, error);
  return replace_file (path, data, size, error);
}
