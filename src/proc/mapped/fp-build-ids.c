// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "fp-build-ids.h"
#include "fp-clock.h"
#include "fp-mapping-file.h"

/* One reading asks for build IDs no longer than this, since a user can map thousands of files that take long to look at. A
 * usual machine needs some milliseconds. */
#define MAX_US (2 * G_USEC_PER_SEC)

struct _FpBuildIds
{
  const FpProcDir *proc;
  gboolean kernel_is_older; /* it does not tell build IDs */
  gint pid;
  gboolean is_open;
  gboolean is_trusted;
  FpFd process_dir;
  FpFd maps;
  guint64 spent_us;
};

FpBuildIds *
fp_build_ids_new (const FpProcDir *proc)
{
  FpBuildIds *self = g_new0 (FpBuildIds, 1);

  self->proc = proc;
  self->process_dir = self->maps = -1;
  return self;
}

static void
forget_process (FpBuildIds *self)
{
  if (self->process_dir >= 0)
    close (self->process_dir);
  if (self->maps >= 0)
    close (self->maps);
  self->process_dir = self->maps = -1;
  self->is_open = self->is_trusted = FALSE;
}

void
fp_build_ids_free (FpBuildIds *self)
{
  forget_process (self);
  g_free (self);
}

/* The mappings that follow are those of this process. */
void
fp_build_ids_begin (FpBuildIds *self,
                    gint pid)
{
  forget_process (self);
  self->pid = pid;
}

static void
open_process (FpBuildIds *self)
{
  if (self->is_open)
    return;
  self->is_open = TRUE;
  self->process_dir = fp_proc_dir_open_process (self->proc, self->pid);
  if (self->process_dir < 0)
    return;
  self->maps = openat (self->process_dir, "maps", O_RDONLY | O_CLOEXEC);
  self->is_trusted = fp_mapping_files_are_trusted (self->process_dir);
}

gboolean
fp_build_ids_read (int process_dir,
                   const FpMapping *mapping,
                   FpBuildId *id)
{
  g_auto (FpFd) fd = fp_mapping_open_file (process_dir, mapping);

  id->size = 0;
  if (fd < 0)
    return FALSE;
  fp_elf_read_build_id (fd, id);
  return TRUE;
}

static gboolean
ask (FpBuildIds *self,
     const FpMapping *mapping,
     const FpFileIdentity *identity,
     FpBuildId *id)
{
  open_process (self);
  if (self->process_dir < 0 || (identity->is_layered && !self->is_trusted))
    return FALSE;
  if (self->maps >= 0 && !self->kernel_is_older)
    {
      int problem = fp_mapping_query_build_id (self->maps, mapping, id);

      self->kernel_is_older = problem == ENOTTY;
      if (!self->kernel_is_older)
        return problem == 0;
    }
  return !self->proc->opens_no_files && fp_build_ids_read (self->process_dir, mapping, id);
}

gboolean
fp_build_ids_find (FpBuildIds *self,
                   const FpMapping *mapping,
                   const FpFileIdentity *identity,
                   FpBuildId *id)
{
  guint64 start_us;
  gboolean is_found;

  id->size = 0;
  if (!self->proc->is_live || !identity->is_at_hand || self->spent_us >= MAX_US)
    return FALSE;
  start_us = fp_clock_us (CLOCK_MONOTONIC);
  is_found = ask (self, mapping, identity, id);
  self->spent_us += fp_clock_us (CLOCK_MONOTONIC) - start_us;
  return is_found;
}
