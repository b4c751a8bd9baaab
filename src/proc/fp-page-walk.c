// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "fp-page-walk.h"
#include "fp-scan.h"

#define PIECE_PAGES  2048 /* 8 MiB */
#define PAUSE_US     100  /* without it the reader has the lock again before the other gets it */
#define PAGE_PRESENT (G_GUINT64_CONSTANT (1) << 63)
#define PAGE_PRIVATE (G_GUINT64_CONSTANT (1) << 56)

/* PAGEMAP_SCAN of Linux 6.7; older headers lack it, older kernels answer ENOTTY. */
#define SCAN_PRESENT (1 << 3)

typedef struct
{
  guint64 start;
  guint64 end;
  guint64 categories;
} ScanRegion;

typedef struct
{
  guint64 size;
  guint64 flags;
  guint64 start;
  guint64 end;
  guint64 walk_end;
  guint64 regions;
  guint64 n_regions;
  guint64 max_pages;
  guint64 category_inverted;
  guint64 category_mask;
  guint64 category_anyof_mask;
  guint64 return_mask;
} ScanArgument;

#define SCAN_IOCTL _IOWR ('f', 16, ScanArgument)

typedef struct
{
  guint64 start;
  guint64 end;
} Range;

void
fp_page_walk_init (FpPageWalk *self)
{
  *self = (FpPageWalk){ .pagemap_fd = -1 };
  self->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
}

void
fp_page_walk_clear (FpPageWalk *self)
{
  fp_page_walk_stop (self);
  g_clear_pointer (&self->ranges, g_array_unref);
}

void
fp_page_walk_stop (FpPageWalk *self)
{
  if (self->pagemap_fd >= 0)
    close (self->pagemap_fd);
  self->pagemap_fd = -1;
  self->is_running = FALSE;
}

/* "start-end perms …"; what can't be accessed has no pages, and is where terabytes are set aside. */
static void
take_line (FpPageWalk *self,
           const char *line,
           const char *end)
{
  guint64 addresses[2] = { 0, 0 };
  Range range;

  for (guint i = 0; i < 2; i++, line++)
    for (; line < end && g_ascii_isxdigit (*line); line++)
      addresses[i] = addresses[i] << 4 | (guint64)g_ascii_xdigit_value (*line);
  if (end - line < 4 || memcmp (line, "---", 3) == 0 || addresses[1] <= addresses[0] || addresses[0] >> 63)
    return;
  range = (Range){ addresses[0], addresses[1] };
  if (self->ranges->len > 0 && g_array_index (self->ranges, Range, self->ranges->len - 1).end == range.start)
    g_array_index (self->ranges, Range, self->ranges->len - 1).end = range.end;
  else
    g_array_append_val (self->ranges, range);
}

static gboolean
read_ranges (FpPageWalk *self,
             int fd)
{
  char buffer[32768];
  gsize held = 0;
  gssize n;

  g_array_set_size (self->ranges, 0);
  while ((n = read (fd, buffer + held, sizeof buffer - held)) > 0)
    {
      const char *line = buffer, *newline;

      held += (gsize)n;
      while ((newline = memchr (line, '\n', buffer + held - line)))
        {
          take_line (self, line, newline);
          line = newline + 1;
        }
      held -= (gsize)(line - buffer);
      memmove (buffer, line, held);
      if (held == sizeof buffer)
        return FALSE;
    }
  return n == 0 && self->ranges->len > 0;
}

/* FALSE where the page map may not be read, or can't tell: it counts pages of the huge page pool as well. */
gboolean
fp_page_walk_begin (FpPageWalk *self,
                    const FpProcDir *proc,
                    const FpProcess *process,
                    guint64 page_size)
{
  int maps_fd;
  gboolean ok;

  fp_page_walk_stop (self);
  if (fp_memory_get (&process->memory, FP_FIELD_HUGETLB) > 0)
    return FALSE;
  self->pagemap_fd = fp_proc_dir_open_file (proc, process->pid, "pagemap");
  if (self->pagemap_fd < 0)
    return FALSE;
  maps_fd = fp_proc_dir_open_file (proc, process->pid, "maps");
  ok = maps_fd >= 0 && read_ranges (self, maps_fd);
  if (maps_fd >= 0)
    close (maps_fd);
  if (!ok)
    {
      fp_page_walk_stop (self);
      return FALSE;
    }
  for (guint i = 0; i < self->ranges->len; i++)
    {
      g_array_index (self->ranges, Range, i).start /= page_size;
      g_array_index (self->ranges, Range, i).end /= page_size;
    }
  self->id = (FpProcessId){ process->pid, process->start_ticks };
  self->range = 0;
  self->next_page = g_array_index (self->ranges, Range, 0).start;
  self->n_private_pages = 0;
  self->is_running = TRUE;
  return TRUE;
}

/* Over a hole: to the first page that is there, or to end. */
static guint64
skip_absent (const FpPageWalk *self,
             guint64 page,
             guint64 end)
{
  const guint64 page_size = (guint64)sysconf (_SC_PAGESIZE);
  ScanRegion region = { 0 };
  ScanArgument argument = {
    .size = sizeof argument,
    .start = page * page_size,
    .end = end * page_size,
    .regions = (guint64)(gsize)&region,
    .n_regions = 1,
    .max_pages = 1,
    .category_mask = SCAN_PRESENT,
    .return_mask = SCAN_PRESENT,
  };
  int n = ioctl (self->pagemap_fd, SCAN_IOCTL, &argument);

  if (n < 0)
    return page;
  return n == 0 ? end : region.start / page_size;
}

static gboolean
count_piece (FpPageWalk *self,
             guint64 n_pages)
{
  guint64 entries[PIECE_PAGES];
  gssize length =
      pread (self->pagemap_fd, entries, n_pages * sizeof entries[0], (off_t)(self->next_page * sizeof entries[0]));

  if (length <= 0)
    return FALSE;
  for (gsize i = 0; i < (gsize)length / sizeof entries[0]; i++)
    self->n_private_pages += (entries[i] & (PAGE_PRESENT | PAGE_PRIVATE)) == (PAGE_PRESENT | PAGE_PRIVATE);
  self->next_page += n_pages;
  return TRUE;
}

/* TRUE when the last page is counted; FALSE with is_running set when the time is over, without when it failed. */
gboolean
fp_page_walk_step (FpPageWalk *self,
                   gint64 deadline_us)
{
  while (self->range < self->ranges->len)
    {
      guint64 end = g_array_index (self->ranges, Range, self->range).end;

      if (g_get_monotonic_time () >= deadline_us)
        return FALSE;
      if (self->next_page < end)
        self->next_page = skip_absent (self, self->next_page, end);
      if (self->next_page >= end)
        {
          if (++self->range < self->ranges->len)
            self->next_page = g_array_index (self->ranges, Range, self->range).start;
          continue;
        }
      if (!count_piece (self, MIN (end - self->next_page, PIECE_PAGES)))
        {
          fp_page_walk_stop (self);
          return FALSE;
        }
      g_usleep (PAUSE_US);
    }
  fp_page_walk_stop (self);
  return TRUE;
}
