// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint-helper"
#include "config.h"

#include <unistd.h>

#include "fp-block.h"
#include "fp-mapping-reader.h"
#include "fp-mounts.h"
#include "fp-sealed-memory.h"
#include "fp-snapshot-file.h"
#include "fp-stat.h"

#define MAX_INLINE (60 * 1024 * 1024) /* D-Bus allows 64 MiB in an array */

struct _FpBlock
{
  int fd;
  GBytes *bytes;
};

static FpBlock *
block_new (int fd,
           GBytes *bytes)
{
  FpBlock *self = g_atomic_rc_box_new (FpBlock);

  self->fd = fd;
  self->bytes = bytes;
  return self;
}

FpBlock *
fp_block_ref (FpBlock *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
block_clear (gpointer data)
{
  FpBlock *self = data;

  if (self->fd >= 0)
    close (self->fd);
  g_clear_pointer (&self->bytes, g_bytes_unref);
}

void
fp_block_unref (FpBlock *self)
{
  g_atomic_rc_box_release_full (self, block_clear);
}

/* Floating; fds: NULL where it needs none */
GVariant *
fp_block_get_variant (FpBlock *self,
                      GUnixFDList **fds)
{
  *fds = NULL;
  if (self->bytes)
    return g_variant_new_variant (g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, self->bytes, TRUE));
  *fds = g_unix_fd_list_new ();
  return g_variant_new_variant (g_variant_new_handle (g_unix_fd_list_append (*fds, self->fd, NULL)));
}

FpBlock *
fp_block_new_snapshot (FpSnapshot *snapshot,
                       const FpPermission *viewer,
                       gboolean pass_fd,
                       GError **error)
{
  FpPermission here = *viewer;
  g_autoptr (FpSnapshot) filtered = NULL;
  int fd;

  here.hides_others = viewer->access != FP_ACCESS_ALL && fp_mounts_hide_processes ();
  filtered = fp_permission_filter (&here, snapshot);
  if (!pass_fd)
    return block_new (-1, fp_snapshot_to_bytes (filtered));
  if ((fd = fp_sealed_memory_open (error)) < 0)
    return NULL;
  if (fp_snapshot_write (filtered, fd, error) && fp_sealed_memory_seal (fd, error))
    return block_new (fd, NULL);
  close (fd);
  return NULL;
}

static gboolean
is_own (const FpProcDir *proc,
        const FpProcessId *id,
        const FpPermission *viewer,
        FpStat *stat)
{
  FpOwner owner;

  return fp_owner_read_process (&owner, proc, id->pid) && fp_permission_owns (viewer, &owner) &&
         fp_stat_read (stat, proc, id->pid, id->start_ticks);
}

/* Whose it is, is asked before and behind the reading, between which it was the same program. */
static gboolean
copy_mappings (const FpProcDir *proc,
               const FpProcessId *id,
               const FpPermission *owner,
               int fd,
               GError **error)
{
  FpStat before, after;

  if (!owner)
    return fp_mappings_copy (proc, id, fd, FP_HELPER_MAX_BLOCK, error);
  if (is_own (proc, id, owner, &before) && fp_mappings_copy (proc, id, fd, FP_HELPER_MAX_BLOCK, error) &&
      is_own (proc, id, owner, &after) && fp_stat_same_image (&before, &after))
    return TRUE;
  g_clear_error (error);
  g_set_error (error, FP_HELPER_ERROR, FP_HELPER_ERROR_LOCKED, "Process %d is not the caller's own", id->pid);
  return FALSE;
}

static FpBlock *
block_new_for_fd (int fd,
                  gboolean pass_fd,
                  GError **error)
{
  GBytes *bytes;

  if (pass_fd)
    return block_new (fd, NULL);
  bytes = fp_sealed_memory_map (fd, MAX_INLINE, error);
  close (fd);
  return bytes ? block_new (-1, bytes) : NULL;
}

/* owner: refuse those of others; NULL: of anybody */
FpBlock *
fp_block_new_mappings (const FpProcessId *id,
                       const FpPermission *owner,
                       gboolean pass_fd,
                       GError **error)
{
  FpProcDir proc;
  gboolean ok;
  int fd;

  if (!fp_proc_dir_open (&proc, "/proc", error))
    return NULL;
  fd = fp_sealed_memory_open (error);
  ok = fd >= 0 && copy_mappings (&proc, id, owner, fd, error) && fp_sealed_memory_seal (fd, error);
  fp_proc_dir_close (&proc);
  if (ok)
    return block_new_for_fd (fd, pass_fd, error);
  if (fd >= 0)
    close (fd);
  return NULL;
}
