// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <unistd.h>

#include "fp-block.h"
#include "fp-mapping-shortener.h"
#include "fp-sealed-memory.h"
#include "fp-snapshot-file.h"
#include "fp-stat.h"

#define MAX_INLINE    (60 * 1024 * 1024) /* D-Bus allows 64 MiB in an array */
#define MAX_LONG_TEXT ((gsize)32 << 20)  /* mappings that are longer have their paths shortened */

static FpBlock *
block_new (FpAccount *account,
           GError **error)
{
  FpBlock *self = g_new (FpBlock, 1);

  *self = (FpBlock){ fp_sealed_memory_open (error), -1, account, 0, g_get_monotonic_time () };
  if (self->fd < 0)
    g_clear_pointer (&self, g_free);
  return self;
}

/* Gives the memory back, also from under descriptors that still stand for it. */
void
fp_block_free (FpBlock *self)
{
  if (ftruncate (self->fd, 0) != 0)
    g_warning ("ftruncate: %s", g_strerror (errno));
  close (self->fd);
  if (self->probe >= 0)
    close (self->probe);
  fp_account_refund (self->account, self->size);
  g_free (self);
}

gboolean
fp_block_is_held (FpBlock *self)
{
  return self->probe >= 0 && fp_sealed_memory_is_held (self->probe);
}

/* Floating. fds: (out) (nullable): NULL where it needs none */
GVariant *
fp_block_get_variant (FpBlock *self,
                      gboolean pass_fd,
                      GUnixFDList **fds,
                      GError **error)
{
  g_autoptr (GBytes) bytes = pass_fd ? NULL : fp_sealed_memory_read (self->fd, MAX_INLINE, error);
  int fd = -1;

  if (bytes)
    return g_variant_new_variant (g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, bytes, TRUE));
  if (pass_fd && (self->probe >= 0 || (self->probe = fp_sealed_memory_open_reader (self->fd, error)) >= 0))
    fd = fp_sealed_memory_open_reader (self->fd, error);
  if (fd < 0)
    return NULL;
  *fds = g_unix_fd_list_new_from_array (&fd, 1);
  return g_variant_new_variant (g_variant_new_handle (0));
}

static void
set_busy (GError **error)
{
  g_set_error_literal (error, FP_HELPER_ERROR, FP_HELPER_ERROR_BUSY, "2000 ms: too many answers are still held");
}

static gboolean
charge (FpBlock *self,
        FpWork work,
        gsize size,
        GError **error)
{
  gboolean may = fp_account_charge (self->account, work, size);

  if (may)
    self->size += size;
  else
    set_busy (error);
  return may;
}

FpBlock *
fp_block_new_snapshot (FpSnapshot *snapshot,
                       const FpPermission *permission,
                       FpAccount *account,
                       GError **error)
{
  g_autoptr (FpSnapshot) filtered = fp_permission_filter (permission, snapshot);
  g_autoptr (FpBlock) self = block_new (account, error);

  if (self && charge (self, FP_WORK_SHORT, fp_snapshot_get_size (filtered), error) &&
      fp_snapshot_write (filtered, self->fd, error) && fp_sealed_memory_seal (self->fd, error))
    return g_steal_pointer (&self);
  return NULL;
}

/* text: NULL: the reading begins again */
static gboolean
take_text (const char *text,
           gsize length,
           gpointer data)
{
  FpBlock *self = data;

  if (!text)
    {
      fp_account_refund (self->account, self->size);
      self->size = 0;
      return ftruncate (self->fd, 0) == 0 && lseek (self->fd, 0, SEEK_SET) == 0;
    }
  if (charge (self, FP_WORK_MAPPINGS, length, NULL))
    return write (self->fd, text, length) == (gssize)length;
  errno = ENOSPC;
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
         fp_stat_read (stat, proc, id);
}

/* The owner is asked before and after the reading, between which it must be the same program. */
static gboolean
copy_mappings (const FpProcDir *proc,
               const FpProcessId *id,
               const FpPermission *permission,
               FpBlock *block,
               GError **error)
{
  FpStat before, after;

  if (permission->access == FP_ACCESS_ALL)
    return fp_mappings_copy_within (proc, id, MAX_LONG_TEXT, take_text, block, error);
  if (permission->access == FP_ACCESS_OWN && is_own (proc, id, permission, &before))
    {
      if (!fp_mappings_copy_within (proc, id, MAX_LONG_TEXT, take_text, block, error))
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
                       GError **error)
{
  g_autoptr (FpBlock) self = block_new (account, error);
  g_autoptr (GError) problem = NULL;
  g_auto (FpProcDir) proc = { .fd = -1 };

  if (!self || !fp_proc_dir_open (&proc, "/proc", error))
    return NULL;
  if (copy_mappings (&proc, id, permission, self, &problem) && fp_sealed_memory_seal (self->fd, &problem))
    return g_steal_pointer (&self);
  if (g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOSPC))
    set_busy (error);
  else
    g_propagate_error (error, g_steal_pointer (&problem));
  return NULL;
}

FpBlock *
fp_block_new_bytes (GBytes *bytes,
                    FpAccount *account,
                    GError **error)
{
  g_autoptr (FpBlock) self = block_new (account, error);

  if (self && charge (self, FP_WORK_MAPPINGS, g_bytes_get_size (bytes), error) &&
      fp_sealed_memory_write (self->fd, bytes, error) && fp_sealed_memory_seal (self->fd, error))
    return g_steal_pointer (&self);
  return NULL;
}
