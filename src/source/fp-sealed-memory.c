// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fp-sealed-memory.h"

#define SEALS      (F_SEAL_GROW | F_SEAL_FUTURE_WRITE)
#define MAX_INLINE (60 * 1024 * 1024) /* D-Bus allows 64 MiB in an array */

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

/* The maker gives the memory back by shrinking it, so there is no seal on that. The mode keeps everybody else from opening it
 * anew to do so, or to add a seal. */
gboolean
fp_sealed_memory_seal (int fd,
                       GError **error)
{
  if (fchmod (fd, S_IRUSR) == 0 && fcntl (fd, F_ADD_SEALS, SEALS) == 0)
    return TRUE;
  set_error (error, "sealing");
  return FALSE;
}

/* The bytes are copied: their maker may shrink the memory to give it back, and a mapping would end with SIGBUS. */
GBytes *
fp_sealed_memory_read (int fd,
                       gsize max_size,
                       GError **error)
{
  g_autofree guint8 *data = NULL;
  gsize size, used = 0;
  struct stat st;

  if (fcntl (fd, F_GET_SEALS) < 0 || (fcntl (fd, F_GET_SEALS) & F_SEAL_GROW) == 0 || fstat (fd, &st) != 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "It is not sealed");
      return NULL;
    }
  size = (gsize)st.st_size;
  if (size > max_size || !(data = g_try_malloc (MAX (size, 1))))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "It is too big");
      return NULL;
    }
  while (used < size)
    {
      gssize n = pread (fd, data + used, size - used, (off_t)used);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT, "It was taken back");
          return NULL;
        }
      used += (gsize)n;
    }
  return g_bytes_new_take (g_steal_pointer (&data), size);
}

int
fp_sealed_memory_open_reader (int fd,
                              GError **error)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  int reader = open (path, O_RDONLY | O_CLOEXEC);

  if (reader < 0)
    set_error (error, path);
  return reader;
}

/* Floating: a descriptor that can only read it, or the bytes themselves. probe: (inout): the one for fp_sealed_memory_is_held (),
 * -1 until it is opened here. fds: (out) (nullable): NULL where it needs none */
GVariant *
fp_sealed_memory_pack (int fd,
                       int *probe,
                       gboolean pass_fd,
                       GUnixFDList **fds,
                       GError **error)
{
  g_autoptr (GBytes) bytes = pass_fd ? NULL : fp_sealed_memory_read (fd, MAX_INLINE, error);
  int reader = -1;

  if (bytes)
    return g_variant_new_variant (g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, bytes, TRUE));
  if (pass_fd && (*probe >= 0 || (*probe = fp_sealed_memory_open_reader (fd, error)) >= 0))
    reader = fp_sealed_memory_open_reader (fd, error);
  if (reader < 0)
    return NULL;
  *fds = g_unix_fd_list_new_from_array (&reader, 1);
  return g_variant_new_variant (g_variant_new_handle (0));
}

/* Frees memory that nobody has open or mapped, also where a descriptor with O_PATH stands for it. FALSE: its pages are somewhere
 * all the same, as sendfile () leaves them in a socket. The kernel refuses the seal while they are, after a wait of 75 ms.
 * fd: the maker's, sealed */
gboolean
fp_sealed_memory_take_back (int fd)
{
  return fcntl (fd, F_ADD_SEALS, F_SEAL_WRITE) == 0 && ftruncate (fd, 0) == 0;
}

/* The kernel grants a lease to the last reader that has a file open or mapped. A descriptor with O_PATH does not count for
 * it, and keeps the memory: it is free for certain only when it is shrunk. */
gboolean
fp_sealed_memory_is_held (int reader)
{
  if (fcntl (reader, F_SETLEASE, F_WRLCK) != 0)
    return TRUE;
  fcntl (reader, F_SETLEASE, F_UNLCK);
  return FALSE;
}
