// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <unistd.h>

#include "fp-answer.h"
#include "fp-page-map-reader.h"

struct _FpPageMapReader
{
  const FpProcDir *proc;
  FpProcessId id;
  FpStat before;
  int fd;
  guint64 position;
  FpPageMap *map;
  guint64 entries[FP_PAGE_ENTRIES_PIECE];
  FpPageRegion regions[FP_PAGE_ENTRIES_PIECE];
};

static void
set_error (GError **error,
           gint pid,
           int problem)
{
  GFileError code = g_file_error_from_errno (problem);

  if (problem == ESRCH)
    g_set_error (error, G_FILE_ERROR, code, _ ("Process %d has ended"), pid);
  else if (problem == EAGAIN)
    g_set_error (error, G_FILE_ERROR, code, _ ("Process %d changed while its pages were read"), pid);
  else if (problem == ETIMEDOUT)
    g_set_error (error, G_FILE_ERROR, code, _ ("Process %d does not answer, because it keeps its memory locked"), pid);
  else if (problem == EACCES || problem == EPERM)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_ACCES,
                 _ ("Of process %d, which you may not read yourself, no pages are shown: that would take more privilege "
                    "than Footprint asks for"),
                 pid);
  else if (problem == ENOENT)
    g_set_error (error, G_FILE_ERROR, code, _ ("This kernel does not show the pages of a mapping"));
  else if (problem == EFAULT)
    g_set_error (error, G_FILE_ERROR, code, _ ("This mapping belongs to the kernel, which does not show its pages"));
  else
    g_set_error (error, G_FILE_ERROR, code, _ ("The pages of process %d can’t be read: %s"), pid, g_strerror (problem));
}

/* 0 or an errno: a page map ends without an error when its process ends or execs. */
static int
check_process (FpPageMapReader *self)
{
  FpStat now;

  if (!fp_stat_read (&now, self->proc, &self->id) || fp_stat_has_ended (&now))
    return ESRCH;
  return fp_stat_same_image (&self->before, &now) ? 0 : EAGAIN;
}

static int
open_pagemap (const FpProcDir *proc,
              const FpProcessId *id,
              const FpStat *stat)
{
  g_auto (FpFd) dir = fp_proc_dir_open_memory (proc, id->pid, fp_stat_is_zombie (stat));

  if (dir >= 0 && proc->is_live && !fp_answer_await (dir))
    {
      errno = ETIMEDOUT;
      return -1;
    }
  return dir >= 0 ? openat (dir, "pagemap", O_RDONLY | O_CLOEXEC) : -1;
}

/* start and end are multiples of the page size. proc must outlive it. */
FpPageMapReader *
fp_page_map_reader_new (const FpProcDir *proc,
                        const FpProcessId *id,
                        guint64 start,
                        guint64 end,
                        guint max_bins,
                        GError **error)
{
  g_autoptr (FpPageMapReader) self = g_new0 (FpPageMapReader, 1);
  int problem;

  self->proc = proc;
  self->id = *id;
  self->fd = -1;
  self->position = start;
  if (!fp_stat_read (&self->before, proc, id) || fp_stat_has_ended (&self->before))
    problem = ESRCH;
  else if (end >> 63)
    problem = EFAULT;
  else
    {
      self->fd = open_pagemap (proc, id, &self->before);
      problem = self->fd < 0 ? errno : 0;
    }
  if (problem == ENOENT && check_process (self) == ESRCH)
    problem = ESRCH;
  if (problem)
    {
      set_error (error, id->pid, problem);
      return NULL;
    }
  self->map = fp_page_map_new (start, end, (guint64)sysconf (_SC_PAGESIZE), max_bins);
  self->map->tells_huge = fp_page_entries_scan (self->fd, start, start, FP_PAGE_SCAN_HUGE, 1, self->regions, 1) >= 0;
  return g_steal_pointer (&self);
}

void
fp_page_map_reader_free (FpPageMapReader *self)
{
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->map);
  g_free (self);
}

/* 0 or an errno */
static int
read_piece (FpPageMapReader *self)
{
  FpPageMap *map = self->map;
  guint64 page = self->position / map->page_size;
  guint64 n_pages = fp_page_entries_get_piece (page, map->end / map->page_size);
  gssize n_read = fp_page_entries_read (self->fd, page, n_pages, self->entries), n_regions = 0;
  guint64 n_absent = map->total.pages[FP_PAGE_ABSENT], end;

  if (n_read < 0)
    return (int)-n_read;
  if (n_read == 0)
    return EFAULT;
  end = self->position + (guint64)n_read * map->page_size;
  if (map->tells_huge)
    n_regions = fp_page_entries_scan (self->fd, self->position, end, FP_PAGE_SCAN_ZERO | FP_PAGE_SCAN_HUGE, 0, self->regions,
                                      G_N_ELEMENTS (self->regions));
  if (n_regions < 0)
    return (int)-n_regions;
  fp_page_map_add (map, self->position, self->entries, (guint64)n_read, self->regions, (guint)n_regions);
  self->position = end;
  /* Where holes can't be skipped, they are at least read without a pause. */
  if (map->total.pages[FP_PAGE_ABSENT] < n_absent)
    fp_page_entries_pause ();
  return 0;
}

/* TRUE when the last page is read; FALSE without an error when the time is over. */
gboolean
fp_page_map_reader_step (FpPageMapReader *self,
                         gint64 deadline_us,
                         GError **error)
{
  const FpPageMap *map = self->map;
  int problem = 0;

  while (self->position < map->end && !problem)
    {
      if (g_get_monotonic_time () >= deadline_us)
        return FALSE;
      if (map->tells_huge)
        self->position = fp_page_entries_skip (self->fd, self->position / map->page_size, map->end / map->page_size,
                                               FP_PAGE_SCAN_PRESENT | FP_PAGE_SCAN_SWAPPED, map->page_size, NULL) *
                         map->page_size;
      if (self->position < map->end)
        problem = read_piece (self);
    }
  if (!problem)
    return TRUE;
  set_error (error, self->id.pid, check_process (self) ?: problem);
  return FALSE;
}

/* The address it has come to */
guint64
fp_page_map_reader_get_position (const FpPageMapReader *self)
{
  return self->position;
}

/* After the last step. Free the map with g_free (). */
FpPageMap *
fp_page_map_reader_finish (FpPageMapReader *self,
                           GError **error)
{
  int problem = check_process (self);

  g_return_val_if_fail (self->position >= self->map->end, NULL);

  if (problem)
    {
      set_error (error, self->id.pid, problem);
      return NULL;
    }
  return g_steal_pointer (&self->map);
}
