// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-page-entries.h"

G_BEGIN_DECLS

/* Each page is in one of these states. Private and shared pages are resident, the page of zeros is not. */
typedef enum
{
  FP_PAGE_PRIVATE,
  FP_PAGE_PRIVATE_FILE, /* a page of a file or of shared memory, as FP_PAGE_SHARED_FILE is */
  FP_PAGE_SHARED,
  FP_PAGE_SHARED_FILE,
  FP_PAGE_ZERO, /* read, never written: the one page of zeros that is there for all */
  FP_PAGE_SWAPPED,
  FP_PAGE_ABSENT, /* also swapped-out shared memory, and memory of devices */
  FP_N_PAGE_STATES,
} FpPageState;

typedef struct
{
  guint64 pages[FP_N_PAGE_STATES];
  guint64 huge; /* present pages in huge pages, of the pool or transparent */
} FpPageBin;

/* The states of all pages in an address range, counted by bins. g_free () frees it. */
typedef struct
{
  guint64 start;
  guint64 end;
  guint64 page_size;
  gboolean tells_huge; /* FALSE before Linux 6.7: the page of zeros is shared then, and huge is 0 */
  FpPageBin total;
  guint n_bins;
  FpPageBin bins[];
} FpPageMap;

FpPageMap *fp_page_map_new (guint64 start, guint64 end, guint64 page_size, guint max_bins);
void fp_page_map_add (FpPageMap *self,
                      guint64 address,
                      const guint64 *entries,
                      guint64 n_entries,
                      const FpPageRegion *regions,
                      guint n_regions);
void fp_page_map_get_range (const FpPageMap *self, guint bin, guint64 *start, guint64 *end);
guint fp_page_map_find_bin (const FpPageMap *self, guint64 address);

G_END_DECLS
