// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <unistd.h>

#include "fp-reading.h"
#include "fp-page-map-reader.h"

typedef struct
{
  FpReading reading;
  FpStat before;
  int fd;
  int problem; /* 0 or an errno */
  guint64 position;
  gint64 deadline_us; /* of a step */
  FpPageMap *map;
  guint64 entries[FP_PAGE_ENTRIES_PIECE];
  FpPageRegion regions[FP_PAGE_ENTRIES_PIECE];
} Pages;

struct _FpPageMapReader
{
  gint pid;
  guint64 position;
  Pages *pages; /* NULL: it stayed with a thread */
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
    /* Translators: the number of a process, and why */
    g_set_error (error, G_FILE_ERROR, code, _ ("The pages of process %d can’t be read: %s"), pid, g_strerror (problem));
}

static void
pages_free (gpointer data)
{
  Pages *self = data;

  if (self->fd >= 0)
    close (self->fd);
  g_free (self->map);
  fp_reading_free (self);
}

/* A page map ends without an error when its process ends or execs. */
static void
check_process (gpointer data)
{
  Pages *self = data;
  FpStat now;

  if (!fp_stat_read (&now, &self->reading.proc, &self->reading.id) || fp_stat_has_ended (&now))
    self->problem = ESRCH;
  else if (!fp_stat_same_image (&self->before, &now))
    self->problem = EAGAIN;
}

static void
open_pagemap (gpointer data)
{
  Pages *self = data;
  const FpProcDir *proc = &self->reading.proc;
  g_auto (FpFd) dir = -1;

  if (!fp_stat_read (&self->before, proc, &self->reading.id) || fp_stat_has_ended (&self->before))
    {
      self->problem = ESRCH;
      return;
    }
  if (self->map->end >> 63)
    {
      self->problem = EFAULT;
      return;
    }
  dir = fp_proc_dir_open_memory (proc, self->reading.id.pid, fp_stat_is_zombie (&self->before));
  self->fd = dir >= 0 ? openat (dir, "pagemap", O_RDONLY | O_CLOEXEC) : -1;
  self->problem = self->fd < 0 ? errno : 0;
  if (self->problem == ENOENT)
    check_process (self);
  if (!self->problem)
    self->map->tells_huge =
        fp_page_entries_scan (self->fd, self->position, self->position, FP_PAGE_SCAN_HUGE, 1, self->regions, 1) >= 0;
}

/* FALSE: with an error */
static gboolean
await (FpPageMapReader *self,
       FpReadingFunc func,
       GError **error)
{
  int problem = ETIMEDOUT;

  if (!fp_reading_await (self->pages, func, pages_free))
    self->pages = NULL;
  else
    problem = self->pages->problem;
  if (problem)
    {
      set_error (error, self->pid, problem);
      return FALSE;
    }
  self->position = self->pages->position;
  return TRUE;
}

/* start and end are multiples of the page size. */
FpPageMapReader *
fp_page_map_reader_new (const FpProcDir *proc,
                        const FpProcessId *id,
                        guint64 start,
                        guint64 end,
                        guint max_bins,
                        GError **error)
{
  g_autoptr (FpPageMapReader) self = g_new0 (FpPageMapReader, 1);

  self->pid = id->pid;
  self->pages = fp_reading_new (sizeof *self->pages, proc, id);
  self->pages->fd = -1;
  self->pages->position = start;
  self->pages->map = fp_page_map_new (start, end, (guint64)sysconf (_SC_PAGESIZE), max_bins);
  return await (self, open_pagemap, error) ? g_steal_pointer (&self) : NULL;
}

void
fp_page_map_reader_free (FpPageMapReader *self)
{
  g_clear_pointer (&self->pages, pages_free);
  g_free (self);
}

/* 0 or an errno */
static int
read_piece (Pages *self)
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

static void
read_pieces (gpointer data)
{
  Pages *self = data;
  const FpPageMap *map = self->map;

  while (self->position < map->end && !self->problem && g_get_monotonic_time () < self->deadline_us)
    {
      if (map->tells_huge)
        self->position = fp_page_entries_skip (self->fd, self->position / map->page_size, map->end / map->page_size,
                                               FP_PAGE_SCAN_PRESENT | FP_PAGE_SCAN_SWAPPED, map->page_size, NULL) *
                         map->page_size;
      if (self->position < map->end)
        self->problem = read_piece (self);
    }
  if (self->problem)
    check_process (self);
}

/* TRUE when the last page is read; FALSE without an error when the time is over. */
gboolean
fp_page_map_reader_step (FpPageMapReader *self,
                         gint64 deadline_us,
                         GError **error)
{
  g_return_val_if_fail (self->pages, FALSE);

  self->pages->deadline_us = deadline_us;
  return await (self, read_pieces, error) && self->position >= self->pages->map->end;
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
  g_return_val_if_fail (self->pages && self->position >= self->pages->map->end, NULL);

  return await (self, check_process, error) ? g_steal_pointer (&self->pages->map) : NULL;
}
