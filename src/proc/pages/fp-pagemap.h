// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One page table is read at once, with a pause behind it. The kernel takes the lock anew for each, and reschedules
 * before it gives it back. Without a pause the first read wakes the process that waits for the lock. Where processors
 * are scarce, the second is then interrupted for it, with the lock in hand, for as long as the others run. */
#define FP_PAGEMAP_PIECE_PAGES 512

/* Bits of an entry of /proc/PID/pagemap. FP_PAGEMAP_SWAPPED is wrong for a guard page; and shared memory in swap
 * looks as if it had never been there. */
#define FP_PAGEMAP_EXCLUSIVE (G_GUINT64_CONSTANT (1) << 56)
#define FP_PAGEMAP_GUARD     (G_GUINT64_CONSTANT (1) << 58)
#define FP_PAGEMAP_FILE      (G_GUINT64_CONSTANT (1) << 61) /* or of shared memory */
#define FP_PAGEMAP_SWAPPED   (G_GUINT64_CONSTANT (1) << 62)
#define FP_PAGEMAP_PRESENT   (G_GUINT64_CONSTANT (1) << 63)

/* Categories of PAGEMAP_SCAN */
#define FP_PAGEMAP_SCAN_PRESENT (1 << 3)
#define FP_PAGEMAP_SCAN_SWAPPED (1 << 4)
#define FP_PAGEMAP_SCAN_ZERO    (1 << 5)
#define FP_PAGEMAP_SCAN_HUGE    (1 << 6)

/* As the kernel has it: addresses, not pages. */
typedef struct
{
  guint64 start;
  guint64 end;
  guint64 categories;
} FpPagemapRegion;

guint64 fp_pagemap_get_piece (guint64 page, guint64 end);
gssize fp_pagemap_read (int fd, guint64 page, guint64 n_pages, guint64 *entries);
gssize fp_pagemap_scan (int fd,
                        guint64 start,
                        guint64 end,
                        guint64 categories,
                        guint64 max_pages,
                        FpPagemapRegion *regions,
                        guint n_regions);
guint64 fp_pagemap_skip (int fd, guint64 page, guint64 end, guint64 categories, guint64 page_size, guint64 *found);
void fp_pagemap_pause (void);

G_END_DECLS
