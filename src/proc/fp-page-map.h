// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-pagemap.h"

G_BEGIN_DECLS

/* Each page is in one of them. Resident is what is private or shared; the page of zeros is not. */
typedef enum
{
  FP_PAGE_PRIVATE,
  FP_PAGE_PRIVATE_FILE, /* of a file or of shared memory, as below */
  FP_PAGE_SHARED,
  FP_PAGE_SHARED_FILE,
  FP_PAGE_ZERO, /* read, never written: the one page of zeros that is there for all */
  FP_PAGE_SWAPPED,
  FP_PAGE_ABSENT, /* shared memory that is swapped out, and that of devices, too */
  FP_N_PAGE_STATES,
} FpPageState;

typedef struct
{
  guint64 pages[FP_N_PAGE_STATES];
  guint64 huge; /* of those that are there, in huge pages, be they of the pool or not */
} FpPageBin;

/* What is known of the pages of an address range. g_free () frees it. */
typedef struct
{
  guint64 start;
  guint64 end;
  guint64 page_size;
  gboolean tells_huge; /* else the kernel is older than 6.7: the page of zeros is shared, and huge is 0 */
  FpPageBin total;
  guint n_bins;
  FpPageBin bins[];
} FpPageMap;

FpPageMap *fp_page_map_new (guint64 start, guint64 end, guint64 page_size, guint max_bins);
void fp_page_map_add (FpPageMap *self,
                      guint64 address,
                      const guint64 *entries,
                      guint64 n_entries,
                      const FpPagemapRegion *regions,
                      guint n_regions);
void fp_page_map_get_range (const FpPageMap *self, guint bin, guint64 *start, guint64 *end);
guint fp_page_map_find_bin (const FpPageMap *self, guint64 address);

G_END_DECLS
