// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "fp-page-entries.h"

#define PAUSE_US  100 /* without it the reader has the lock again before the other gets it */
#define SKIP_SIZE (G_GUINT64_CONSTANT (1) << 30)

/* PAGEMAP_SCAN of Linux 6.7; older headers lack it, older kernels answer ENOTTY. */
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

/* How many pages from this one are read at once */
guint64
fp_page_entries_get_piece (guint64 page,
                           guint64 end)
{
  return MIN (end - page, FP_PAGE_ENTRIES_PIECE - page % FP_PAGE_ENTRIES_PIECE);
}

/* How many pages were read, 0 at the end of the address space and when the process has gone, or a negative errno. */
gssize
fp_page_entries_read (int fd,
                      guint64 page,
                      guint64 n_pages,
                      guint64 *entries)
{
  gssize length = pread (fd, entries, n_pages * sizeof *entries, (off_t)(page * sizeof *entries));

  return length < 0 ? -errno : length / (gssize)sizeof *entries;
}

/* The first pages of any of these categories, 0: all of them. How many regions they are in, or a negative errno. */
gssize
fp_page_entries_scan (int fd,
                      guint64 start,
                      guint64 end,
                      guint64 categories,
                      guint64 max_pages,
                      FpPageRegion *regions,
                      guint n_regions)
{
  ScanArgument argument = {
    .size = sizeof argument,
    .start = start,
    .end = end,
    .regions = (guint64)(gsize)regions,
    .n_regions = n_regions,
    .max_pages = max_pages,
    .category_anyof_mask = categories,
    .return_mask = categories,
  };
  int n = ioctl (fd, SCAN_IOCTL, &argument);

  return n < 0 ? -errno : n;
}

/* Over a hole: to the first page of these categories, or to end. Page tables that are empty are walked under the lock,
 * so not all at once. found: (out) (optional): the categories of that page, 0 where the kernel can't tell. */
guint64
fp_page_entries_skip (int fd,
                      guint64 page,
                      guint64 end,
                      guint64 categories,
                      guint64 page_size,
                      guint64 *found)
{
  const guint64 step = SKIP_SIZE / page_size;

  if (found)
    *found = 0;
  for (; page < end; page += MIN (end - page, step))
    {
      guint64 stop = page + MIN (end - page, step);
      FpPageRegion region;
      gssize n = fp_page_entries_scan (fd, page * page_size, stop * page_size, categories, 1, &region, 1);

      if (n > 0 && found)
        *found = region.categories;
      if (n != 0)
        return n < 0 ? page : region.start / page_size;
    }
  return end;
}

void
fp_page_entries_pause (void)
{
  g_usleep (PAUSE_US);
}
