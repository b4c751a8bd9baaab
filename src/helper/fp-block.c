// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint-helper"
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "fp-block.h"
#include "fp-mapping-reader.h"
#include "fp-mapping-shortener.h"
#include "fp-sealed-memory.h"
#include "fp-snapshot-file.h"
#include "fp-stat.h"

#define MAX_INLINE    (60 * 1024 * 1024) /* D-Bus allows 64 MiB in an array */
#define MAX_LONG_TEXT ((gsize)32 << 20)  /* mappings that are longer have their paths shortened */

struct _FpBlock
{
  int fd;    /* can shrink it to nothing */
  int probe; /* can only read */
  GBytes *bytes;
  FpAccount *account;
  gsize size;
  gint64 time_us;
};

static FpBlock *
block_new (int fd,
           GBytes *bytes,
           FpAccount *account,
           gsize size)
{
  FpBlock *self = g_atomic_rc_box_new (FpBlock);

  *self = (FpBlock){ fd, -1, bytes, account, size, g_get_monotonic_time () };
  return self;
}

FpBlock *
fp_block_ref (FpBlock *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
close_if_open (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

/* Gives the memory back, also from under descriptors that still stand for it. */
void
fp_block_drop_memory (FpBlock *self)
{
  if (self->fd >= 0 && ftruncate (self->fd, 0) != 0)
    g_warning ("ftruncate: %s", g_strerror (errno));
  close_if_open (&self->fd);
  fp_account_refund (self->account, self->size);
  self->size = 0;
}

static void
block_clear (gpointer data)
{
  FpBlock *self = data;

  fp_block_drop_memory (self);
  close_if_open (&self->probe);
  g_clear_pointer (&self->bytes, g_bytes_unref);
}

void
fp_block_unref (FpBlock *self)
{
  g_atomic_rc_box_release_full (self, block_clear);
}

gint64
fp_block_get_time_us (const FpBlock *self)
{
  return self->time_us;
}

static int
open_again (FpBlock *self,
            GError **error)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", self->fd);
  int fd = open (path, O_RDONLY | O_CLOEXEC);

  if (fd < 0)
    g_set_error (error, FP_HELPER_ERROR, FP_HELPER_ERROR_FAILED, "%s: %s", path, g_strerror (errno));
  return fd;
}

/* The kernel grants a lease to the last one who has a file open or mapped. A descriptor with O_PATH does not count for
 * it, which is why the memory is dropped and not only closed. */
gboolean
fp_block_is_held (FpBlock *self)
{
  if (self->probe < 0)
    return FALSE;
  if (fcntl (self->probe, F_SETLEASE, F_WRLCK) != 0)
    return TRUE;
  fcntl (self->probe, F_SETLEASE, F_UNLCK);
  return FALSE;
}

/* Floating. fds: (out) (nullable): NULL where it needs none */
GVariant *
fp_block_get_variant (FpBlock *self,
                      GUnixFDList **fds,
                      GError **error)
{
  int fd;

  *fds = NULL;
  if (self->bytes)
    return g_variant_new_variant (g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, self->bytes, TRUE));
  if ((self->probe < 0 && (self->probe = open_again (self, error)) < 0) || (fd = open_again (self, error)) < 0)
    return NULL;
  *fds = g_unix_fd_list_new_from_array (&fd, 1);
  return g_variant_new_variant (g_variant_new_handle (0));
}

static FpBlock *
fail_busy (FpAccount *account,
           gsize charged,
           GError **error)
{
  fp_account_refund (account, charged);
  g_set_error_literal (error, FP_HELPER_ERROR, FP_HELPER_ERROR_BUSY, "2000 ms: too many answers are still held");
  return NULL;
}

FpBlock *
fp_block_new_snapshot (FpSnapshot *snapshot,
                       const FpPermission *permission,
                       FpAccount *account,
                       gboolean pass_fd,
                       GError **error)
{
  g_autoptr (FpSnapshot) filtered = fp_permission_filter (permission, snapshot);
  gsize size = fp_snapshot_get_size (filtered);
  int fd;

  if (!pass_fd)
    return block_new (-1, fp_snapshot_to_bytes (filtered), NULL, 0);
  if (!fp_account_charge (account, FP_WORK_SHORT, size))
    return fail_busy (account, 0, error);
  if ((fd = fp_sealed_memory_open (error)) >= 0)
    {
      if (fp_snapshot_write (filtered, fd, error) && fp_sealed_memory_seal (fd, error))
        return block_new (fd, NULL, account, size);
      close (fd);
    }
  fp_account_refund (account, size);
  return NULL;
}

/* Where the text of mappings goes. */
typedef struct
{
  int fd;
  FpAccount *account;
  gsize size;
  gboolean is_short;
  GString *line; /* that has not ended yet */
} Text;

static gboolean
write_text (Text *self,
            const char *text,
            gsize length)
{
  if (!fp_account_charge (self->account, FP_WORK_MAPPINGS, length))
    {
      errno = ENOSPC;
      return FALSE;
    }
  self->size += length;
  return write (self->fd, text, length) == (gssize)length;
}

static gboolean
begin_text (Text *self)
{
  fp_account_refund (self->account, self->size);
  self->size = 0;
  g_string_truncate (self->line, 0);
  return ftruncate (self->fd, 0) == 0 && lseek (self->fd, 0, SEEK_SET) == 0;
}

static gboolean
write_short_lines (Text *self,
                   const char *text,
                   gsize length)
{
  g_autoptr (GString) lines = g_string_sized_new (length);

  fp_mapping_shorten (self->line, text, length, lines);
  return write_text (self, lines->str, lines->len);
}

/* text: NULL: the reading begins again */
static gboolean
take_text (const char *text,
           gsize length,
           gpointer data)
{
  Text *self = data;

  if (!text)
    return begin_text (self);
  if (self->is_short)
    return write_short_lines (self, text, length);
  if (self->size + length <= MAX_LONG_TEXT)
    return write_text (self, text, length);
  self->is_short = TRUE;
  errno = EAGAIN;
  return FALSE;
}

static gboolean
is_own (const FpProcDir *proc,
        const FpProcessId *id,
        const FpPermission *permission,
        FpStat *stat)
{
  FpOwner owner;

  return fp_owner_read_process (&owner, proc, id->pid) && fp_permission_owns (permission, &owner) &&
         fp_stat_read (stat, proc, id->pid, id->start_ticks);
}

/* The owner is asked before and after the reading, between which it must be the same program. */
static gboolean
copy_mappings (const FpProcDir *proc,
               const FpProcessId *id,
               const FpPermission *permission,
               Text *text,
               GError **error)
{
  FpStat before, after;

  if (permission->access == FP_ACCESS_ALL)
    return fp_mappings_copy (proc, id, take_text, text, error);
  if (permission->access == FP_ACCESS_OWN && is_own (proc, id, permission, &before))
    {
      if (!fp_mappings_copy (proc, id, take_text, text, error))
        return FALSE;
      if (is_own (proc, id, permission, &after) && fp_stat_same_image (&before, &after))
        return TRUE;
    }
  g_set_error (error, FP_HELPER_ERROR, FP_HELPER_ERROR_LOCKED, "Process %d is not the caller's own", id->pid);
  return FALSE;
}

FpBlock *
fp_block_new_mappings (const FpProcessId *id,
                       const FpPermission *permission,
                       FpAccount *account,
                       gboolean pass_fd,
                       GError **error)
{
  g_autoptr (GString) line = g_string_new (NULL);
  Text text = { .fd = fp_sealed_memory_open (error), .account = account, .line = line };
  FpProcDir proc;
  g_autoptr (GError) problem = NULL;
  GBytes *bytes = NULL;
  gboolean ok;

  if (text.fd < 0)
    return NULL;
  if ((ok = fp_proc_dir_open (&proc, "/proc", &problem)))
    {
      ok = copy_mappings (&proc, id, permission, &text, &problem) && fp_sealed_memory_seal (text.fd, &problem);
      fp_proc_dir_close (&proc);
    }
  if (ok && pass_fd)
    return block_new (text.fd, NULL, account, text.size);
  if (ok)
    bytes = fp_sealed_memory_read (text.fd, MAX_INLINE, error);
  close (text.fd);
  if (g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOSPC))
    return fail_busy (account, text.size, error);
  fp_account_refund (account, text.size);
  if (problem)
    g_propagate_error (error, g_steal_pointer (&problem));
  return bytes ? block_new (-1, bytes, NULL, 0) : NULL;
}
