// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One page table is read at once, with a pause behind it. The kernel takes the lock anew for each, and reschedules
 * before it gives it back. Without a pause the first read wakes the process that waits for the lock. Where processors
 * are scarce, the second is then interrupted for it, with the lock in hand, for as long as the others run. */
#define FP_PAGE_ENTRIES_PIECE 512

/* Bits of an entry of /proc/PID/pagemap. FP_PAGE_ENTRY_SWAPPED is wrong for a guard page; and shared memory in swap
 * looks as if it had never been there. */
#define FP_PAGE_ENTRY_EXCLUSIVE (G_GUINT64_CONSTANT (1) << 56)
#define FP_PAGE_ENTRY_GUARD     (G_GUINT64_CONSTANT (1) << 58)
#define FP_PAGE_ENTRY_FILE      (G_GUINT64_CONSTANT (1) << 61) /* or of shared memory */
#define FP_PAGE_ENTRY_SWAPPED   (G_GUINT64_CONSTANT (1) << 62)
#define FP_PAGE_ENTRY_PRESENT   (G_GUINT64_CONSTANT (1) << 63)

/* Categories of PAGEMAP_SCAN */
#define FP_PAGE_SCAN_PRESENT (1 << 3)
#define FP_PAGE_SCAN_SWAPPED (1 << 4)
#define FP_PAGE_SCAN_ZERO    (1 << 5)
#define FP_PAGE_SCAN_HUGE    (1 << 6)

/* As the kernel has it: addresses, not pages. */
typedef struct
{
  guint64 start;
  guint64 end;
  guint64 categories;
} FpPageRegion;

guint64 fp_page_entries_get_piece (guint64 page, guint64 end);
gssize fp_page_entries_read (int fd, guint64 page, guint64 n_pages, guint64 *entries);
gssize fp_page_entries_scan (int fd,
                             guint64 start,
                             guint64 end,
                             guint64 categories,
                             guint64 max_pages,
                             FpPageRegion *regions,
                             guint n_regions);
guint64 fp_page_entries_skip (int fd, guint64 page, guint64 end, guint64 categories, guint64 page_size, guint64 *found);
void fp_page_entries_pause (void);

G_END_DECLS
