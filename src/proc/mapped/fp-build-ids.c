// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "fp-reading.h"
#include "fp-build-ids.h"
#include "fp-clock.h"
#include "fp-mapping-file.h"

/* One reading asks for build IDs no longer than this, since a user can map thousands of files that take long to look at. A
 * usual machine needs some milliseconds. */
#define MAX_US (2 * G_USEC_PER_SEC)

/* The files of one process, which the kernel looks up behind the lock of its memory */
typedef struct
{
  FpReading reading;
  FpFd dir;
  FpFd maps;
  gboolean is_open;
  gboolean is_trusted;
  gboolean kernel_is_older; /* it does not tell build IDs */
  /* The one that is asked about */
  FpMapping mapping;
  char *name;
  gboolean is_layered;
  gboolean is_found;
  FpBuildId id;
} Files;

struct _FpBuildIds
{
  const FpProcDir *proc;
  gboolean kernel_is_older;
  FpProcessId process;
  Files *files; /* (nullable) */
  gboolean is_silent;
  guint64 spent_us;
};

static void
files_free (gpointer data)
{
  Files *self = data;

  if (self->dir >= 0)
    close (self->dir);
  if (self->maps >= 0)
    close (self->maps);
  g_free (self->name);
  fp_reading_free (self);
}

FpBuildIds *
fp_build_ids_new (const FpProcDir *proc)
{
  FpBuildIds *self = g_new0 (FpBuildIds, 1);

  self->proc = proc;
  return self;
}

void
fp_build_ids_free (FpBuildIds *self)
{
  g_clear_pointer (&self->files, files_free);
  g_free (self);
}

/* The mappings that follow are those of this process. */
void
fp_build_ids_begin (FpBuildIds *self,
                    const FpProcessId *process)
{
  g_clear_pointer (&self->files, files_free);
  self->process = *process;
  self->is_silent = FALSE;
}

static void
open_files (Files *self)
{
  if (self->is_open)
    return;
  self->is_open = TRUE;
  self->dir = fp_proc_dir_open_process (&self->reading.proc, self->reading.id.pid);
  if (self->dir < 0)
    return;
  self->maps = openat (self->dir, "maps", O_RDONLY | O_CLOEXEC);
  self->is_trusted = fp_mapping_files_are_trusted (self->dir);
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

static void
ask (gpointer data)
{
  Files *self = data;

  self->is_found = FALSE;
  self->id.size = 0;
  open_files (self);
  if (self->dir < 0 || (self->is_layered && !self->is_trusted))
    return;
  if (self->maps >= 0 && !self->kernel_is_older)
    {
      int problem = fp_mapping_query_build_id (self->maps, &self->mapping, &self->id);

      self->kernel_is_older = problem == ENOTTY;
      self->is_found = problem == 0;
      if (!self->kernel_is_older)
        return;
    }
  self->is_found = !self->reading.proc.opens_no_files && fp_build_ids_read (self->dir, &self->mapping, &self->id);
}

static void
set_mapping (Files *self,
             const FpMapping *mapping,
             const FpFileIdentity *identity)
{
  g_free (self->name);
  self->name = g_strdup (mapping->name);
  self->mapping = *mapping;
  self->mapping.name = self->mapping.shown = self->name;
  self->is_layered = identity->is_layered;
}

static gboolean
find (FpBuildIds *self,
      const FpMapping *mapping,
      const FpFileIdentity *identity,
      FpBuildId *id)
{
  if (!self->files)
    {
      self->files = fp_reading_new (sizeof *self->files, self->proc, &self->process);
      self->files->dir = self->files->maps = -1;
      self->files->kernel_is_older = self->kernel_is_older;
    }
  set_mapping (self->files, mapping, identity);
  if (!fp_reading_await (self->files, ask, files_free))
    {
      self->files = NULL;
      self->is_silent = TRUE;
      return FALSE;
    }
  self->kernel_is_older = self->files->kernel_is_older;
  *id = self->files->id;
  return self->files->is_found;
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
  if (!self->proc->is_live || !identity->is_at_hand || self->is_silent || self->spent_us >= MAX_US)
    return FALSE;
  start_us = fp_clock_us (CLOCK_MONOTONIC);
  is_found = find (self, mapping, identity, id);
  self->spent_us += fp_clock_us (CLOCK_MONOTONIC) - start_us;
  return is_found;
}
