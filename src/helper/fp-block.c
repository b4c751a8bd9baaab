// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <unistd.h>

#include "fp-block.h"
#include "fp-files-message.h"
#include "fp-mapping-shortener.h"
#include "fp-sealed-memory.h"
#include "fp-snapshot-file.h"
#include "fp-snapshot-mapped.h"

#define MAX_LONG_TEXT ((gsize)32 << 20)    /* mappings that are longer have their paths shortened */
#define FILES_BYTES   ((gsize)8 << 20)     /* that nearly all sums of files are within */
#define MAX_OWN_US    (2 * G_USEC_PER_SEC) /* A caller keeps a place that others wait for no longer with a process of its own. */

static FpBlock *
block_new (FpAccount *account,
           GError **error)
{
  FpBlock *self = g_new (FpBlock, 1);

  *self = (FpBlock){ .fd = fp_sealed_memory_open (error), .probe = -1, .account = account };
  if (self->fd < 0)
    g_clear_pointer (&self, g_free);
  return self;
}

void
fp_block_free (FpBlock *self)
{
  fp_account_refund (self->account, self->size);
  close (self->fd);
  if (self->probe >= 0)
    close (self->probe);
  g_free (self);
}

/* It is of no use to come back for what there is never room for. */
static gboolean
charge (FpBlock *self,
        FpWork work,
        gsize size,
        GError **error)
{
  gboolean may = fp_account_charge (self->account, work, size);

  if (may)
    self->size += size;
  else if (work == FP_WORK_MAPPINGS && self->size + size > FP_ACCOUNT_MAX_MAPPINGS)
    g_set_error_literal (error, FP_HELPER_ERROR, FP_HELPER_ERROR_TOO_MUCH, "Its mappings are too many");
  else
    g_set_error_literal (error, FP_HELPER_ERROR, FP_HELPER_ERROR_BUSY, "2000 ms: too many answers are still held");
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

  if (!self || !charge (self, FP_WORK_SHORT, fp_snapshot_get_size (filtered), error) ||
      !fp_snapshot_write (filtered, self->fd, error) || !fp_sealed_memory_seal (self->fd, error))
    return NULL;
  self->boottime_us = snapshot->info.boottime_us;
  self->permission = *permission;
  return g_steal_pointer (&self);
}

typedef struct
{
  FpBlock *block;
  FpProcDir proc;
  const FpProcessId *id;
  const FpPermission *permission;
  gint64 end_us; /* when it has taken too long */
  GError *error; /* (nullable): why it has no room, or is not the caller's */
} Copy;

/* text: NULL: the reading begins again */
static gboolean
take_text (const char *text,
           gsize length,
           gpointer data)
{
  Copy *copy = data;
  FpBlock *self = copy->block;

  if (!text)
    {
      fp_account_refund (self->account, self->size);
      self->size = 0;
      return ftruncate (self->fd, 0) == 0 && lseek (self->fd, 0, SEEK_SET) == 0;
    }
  if (g_get_monotonic_time () > copy->end_us)
    g_set_error_literal (&copy->error, FP_HELPER_ERROR, FP_HELPER_ERROR_TOO_MUCH, "Its mappings take too long");
  else if (charge (self, FP_WORK_MAPPINGS, length, &copy->error) && write (self->fd, text, length) == (gssize)length)
    return TRUE;
  errno = ENOSPC;
  return FALSE;
}

static gboolean
is_own (gpointer data)
{
  Copy *copy = data;
  FpOwner owner;
  FpStat stat;

  if (fp_owner_await (&owner, &stat, &copy->proc, copy->id) && fp_permission_owns (copy->permission, &owner))
    return TRUE;
  g_set_error (&copy->error, FP_HELPER_ERROR, errno == ETIMEDOUT ? FP_HELPER_ERROR_FAILED : FP_HELPER_ERROR_LOCKED,
               "Process %d is not the caller's own, or does not answer", copy->id->pid);
  errno = ENOSPC;
  return FALSE;
}

FpBlock *
fp_block_new_mappings (const FpProcessId *id,
                       const FpPermission *permission,
                       FpAccount *account,
                       GError **error)
{
  const gboolean is_for_all = permission->access == FP_ACCESS_ALL;
  g_autoptr (FpBlock) self = block_new (account, error);
  g_autoptr (GError) problem = NULL;
  gint64 end_us = is_for_all ? G_MAXINT64 : g_get_monotonic_time () + MAX_OWN_US;
  Copy copy = { self, { .fd = -1 }, id, permission, end_us, NULL };
  gboolean is_whole;

  if (!self || !fp_proc_dir_open (&copy.proc, "/proc", error))
    return NULL;
  is_whole = (is_for_all || is_own (&copy)) &&
             fp_mappings_copy_within (&copy.proc, id, MAX_LONG_TEXT, take_text, is_for_all ? NULL : is_own, &copy, &problem) &&
             fp_sealed_memory_seal (self->fd, &problem);
  fp_proc_dir_close (&copy.proc);
  if (is_whole)
    return g_steal_pointer (&self);
  g_propagate_error (error, copy.error ? copy.error : g_steal_pointer (&problem));
  return NULL;
}

/* There is room for the answer before its work is begun. */
FpBlock *
fp_block_new_files (const FpSnapshot *snapshot,
                    GVariant *pids,
                    FpAccount *account,
                    FpMappingStepFunc step,
                    gpointer data,
                    GError **error)
{
  g_autoptr (FpBlock) self = block_new (account, error);
  g_autoptr (FpMappedFiles) files = NULL;
  gsize size;

  if (!self || !charge (self, FP_WORK_FILES, FILES_BYTES, error) ||
      !(files = fp_files_message_read (snapshot, pids, step, data, error)))
    return NULL;
  size = fp_mapped_files_get_size (files);
  if (size > FILES_BYTES && !charge (self, FP_WORK_FILES, size - FILES_BYTES, error))
    return NULL;
  fp_account_refund (account, self->size - size);
  self->size = size;
  return fp_mapped_files_write (files, self->fd, error) && fp_sealed_memory_seal (self->fd, error) ? g_steal_pointer (&self) : NULL;
}
