// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fp-sealed-memory.h"

#define SEALS (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

static void
set_error (GError **error,
           const char *what)
{
  int code = errno;

  g_set_error (error, G_IO_ERROR, (gint)g_io_error_from_errno (code), "%s: %s", what, g_strerror (code));
}

/* To be written and then sealed. */
int
fp_sealed_memory_open (GError **error)
{
  int fd = memfd_create ("footprint", MFD_CLOEXEC | MFD_ALLOW_SEALING);

  if (fd < 0)
    set_error (error, "memfd_create");
  return fd;
}

gboolean
fp_sealed_memory_seal (int fd,
                       GError **error)
{
  if (fcntl (fd, F_ADD_SEALS, SEALS) == 0)
    return TRUE;
  set_error (error, "F_ADD_SEALS");
  return FALSE;
}

/* Of a stranger: without all seals it could change, or shrink under our hands, which ends in SIGBUS. */
GBytes *
fp_sealed_memory_map (int fd,
                      gsize max_size,
                      GError **error)
{
  g_autoptr (GMappedFile) file = NULL;
  int seals = fcntl (fd, F_GET_SEALS);
  struct stat st;

  if (seals < 0 || (seals & SEALS) != SEALS || fstat (fd, &st) != 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "It is not sealed");
      return NULL;
    }
  if ((guint64)st.st_size > max_size)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "It is too big");
      return NULL;
    }
  file = g_mapped_file_new_from_fd (fd, FALSE, error);
  return file ? g_mapped_file_get_bytes (file) : NULL;
}
