// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "fp-page-walk.h"
#include "fp-page-entries.h"
#include "fp-scan.h"

#define PRIVATE (FP_PAGE_ENTRY_PRESENT | FP_PAGE_ENTRY_EXCLUSIVE)

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
fp_page_walk_stop (FpPageWalk *self)
{
  if (self->pagemap_fd >= 0)
    close (self->pagemap_fd);
  self->pagemap_fd = -1;
  self->is_running = FALSE;
}

void
fp_page_walk_clear (FpPageWalk *self)
{
  fp_page_walk_stop (self);
  g_clear_pointer (&self->ranges, g_array_unref);
}

/* "start-end perms …"; what can't be accessed has no pages, and is where terabytes are set aside. */
static void
take_line (gpointer data,
           const char *line,
           const char *end)
{
  GArray *ranges = data;
  Range range;

  if (!fp_scan_hex (&line, end, '-', &range.start) || !fp_scan_hex (&line, end, ' ', &range.end) || end - line < 4 ||
      memcmp (line, "---", 3) == 0 || range.end <= range.start || range.start >> 63)
    return;
  if (ranges->len > 0 && g_array_index (ranges, Range, ranges->len - 1).end == range.start)
    g_array_index (ranges, Range, ranges->len - 1).end = range.end;
  else
    g_array_append_val (ranges, range);
}

/* FALSE where the page map may not be read, or can't tell: it counts pages of the huge page pool as well. */
gboolean
fp_page_walk_begin (FpPageWalk *self,
                    const FpProcDir *proc,
                    const FpProcess *process,
                    guint64 page_size)
{
  g_auto (FpFd) maps_fd = -1;

  fp_page_walk_stop (self);
  if (fp_memory_get (&process->memory, FP_FIELD_HUGETLB) > 0)
    return FALSE;
  self->pagemap_fd = fp_proc_dir_open_file (proc, process->pid, "pagemap");
  if (self->pagemap_fd < 0)
    return FALSE;
  maps_fd = fp_proc_dir_open_file (proc, process->pid, "maps");
  g_array_set_size (self->ranges, 0);
  if (maps_fd < 0 || !fp_read_lines (maps_fd, take_line, self->ranges) || self->ranges->len == 0)
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
  self->page_size = page_size;
  self->range = 0;
  self->next_page = g_array_index (self->ranges, Range, 0).start;
  self->n_private_pages = self->n_shared_anon_pages = self->n_shared_file_pages = self->n_huge_pages = 0;
  self->is_running = TRUE;
  return TRUE;
}

/* A piece is one page table, or one huge page. */
static gboolean
count_piece (FpPageWalk *self,
             guint64 n_pages,
             gboolean is_huge)
{
  guint64 entries[FP_PAGE_ENTRIES_PIECE];
  gssize n_read = fp_page_entries_read (self->pagemap_fd, self->next_page, n_pages, entries);

  if (n_read <= 0)
    return FALSE;
  for (gssize i = 0; i < n_read; i++)
    {
      self->n_private_pages += (entries[i] & PRIVATE) == PRIVATE;
      self->n_shared_anon_pages += (entries[i] & (PRIVATE | FP_PAGE_ENTRY_FILE)) == FP_PAGE_ENTRY_PRESENT;
      self->n_shared_file_pages += (entries[i] & (PRIVATE | FP_PAGE_ENTRY_FILE)) == (FP_PAGE_ENTRY_PRESENT | FP_PAGE_ENTRY_FILE);
    }
  self->n_huge_pages += is_huge ? n_pages : 0;
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
      guint64 end = g_array_index (self->ranges, Range, self->range).end, found = 0;

      if (g_get_monotonic_time () >= deadline_us)
        return FALSE;
      if (self->next_page < end)
        self->next_page = fp_page_entries_skip (self->pagemap_fd, self->next_page, end,
                                                FP_PAGE_SCAN_PRESENT | FP_PAGE_SCAN_HUGE, self->page_size, &found);
      if (self->next_page >= end)
        {
          if (++self->range < self->ranges->len)
            self->next_page = g_array_index (self->ranges, Range, self->range).start;
          continue;
        }
      if (!count_piece (self, fp_page_entries_get_piece (self->next_page, end), (found & FP_PAGE_SCAN_HUGE) != 0))
        {
          fp_page_walk_stop (self);
          return FALSE;
        }
      fp_page_entries_pause ();
    }
  fp_page_walk_stop (self);
  return TRUE;
}

/* estimate: with the moment before the first page was read. Shared pages are known, how many share them is not. */
void
fp_page_walk_get_parts (const FpPageWalk *self,
                        FpEstimate *estimate)
{
  const guint64 *whole = estimate->moment.whole;
  guint64 private = self->n_private_pages * self->page_size, anon = self->n_shared_anon_pages * self->page_size;
  guint64 file = self->n_shared_file_pages * self->page_size;
  gboolean is_whole = private + anon + file == whole[FP_PAGES_ANON] + whole[FP_PAGES_FILE] + whole[FP_PAGES_SHMEM];

  estimate->shared = (FpEnds){ is_whole ? anon + file : 0, anon + file };
  estimate->deficit[FP_PAGES_ANON] = (FpEnds){ is_whole ? anon / 2 : 0, anon };
  estimate->deficit[FP_PAGES_FILE] = (FpEnds){ 0, file };
  estimate->deficit[FP_PAGES_SHMEM] = (FpEnds){ 0, MIN (file, whole[FP_PAGES_SHMEM]) };
  estimate->deficit[FP_PAGES_SWAP] = (FpEnds){ 0, whole[FP_PAGES_SWAP] };
}
