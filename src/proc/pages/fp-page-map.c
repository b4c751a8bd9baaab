// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-page-map.h"

static guint64
get_n_pages (const FpPageMap *self)
{
  return (self->end - self->start) / self->page_size;
}

/* All of it absent as yet; a bin for each page where there are no more of them than bins. */
FpPageMap *
fp_page_map_new (guint64 start,
                 guint64 end,
                 guint64 page_size,
                 guint max_bins)
{
  guint64 n_pages = (end - start) / page_size;
  guint n_bins = (guint)MIN (n_pages, max_bins);
  FpPageMap *self;

  g_return_val_if_fail (start < end && max_bins > 0 && max_bins <= 65536, NULL);

  self = g_malloc0 (sizeof *self + n_bins * sizeof self->bins[0]);
  self->start = start;
  self->end = end;
  self->page_size = page_size;
  self->n_bins = n_bins;
  self->total.pages[FP_PAGE_ABSENT] = n_pages;
  for (guint i = 0; i < n_bins; i++)
    {
      guint64 bin_start, bin_end;

      fp_page_map_get_range (self, i, &bin_start, &bin_end);
      self->bins[i].pages[FP_PAGE_ABSENT] = (bin_end - bin_start) / page_size;
    }
  return self;
}

void
fp_page_map_get_range (const FpPageMap *self,
                       guint bin,
                       guint64 *start,
                       guint64 *end)
{
  guint64 n_pages = get_n_pages (self);

  g_return_if_fail (bin < self->n_bins);
  *start = self->start + n_pages * bin / self->n_bins * self->page_size;
  *end = self->start + n_pages * (bin + 1) / self->n_bins * self->page_size;
}

guint
fp_page_map_find_bin (const FpPageMap *self,
                      guint64 address)
{
  guint64 page = (address - self->start) / self->page_size;

  return (guint)(((page + 1) * self->n_bins - 1) / get_n_pages (self));
}

static FpPageState
get_state (guint64 entry,
           guint64 categories)
{
  gboolean is_file = (entry & FP_PAGE_ENTRY_FILE) != 0;

  if (!(entry & FP_PAGE_ENTRY_PRESENT))
    return (entry & FP_PAGE_ENTRY_SWAPPED) && !(entry & FP_PAGE_ENTRY_GUARD) ? FP_PAGE_SWAPPED : FP_PAGE_ABSENT;
  if (entry & FP_PAGE_ENTRY_EXCLUSIVE)
    return is_file ? FP_PAGE_PRIVATE_FILE : FP_PAGE_PRIVATE;
  if (categories & FP_PAGE_SCAN_ZERO)
    return FP_PAGE_ZERO;
  return is_file ? FP_PAGE_SHARED_FILE : FP_PAGE_SHARED;
}

static void
count (FpPageBin *bin,
       FpPageState state,
       guint64 categories)
{
  bin->pages[FP_PAGE_ABSENT]--;
  bin->pages[state]++;
  if ((categories & FP_PAGE_SCAN_HUGE) && state != FP_PAGE_ABSENT && state != FP_PAGE_SWAPPED)
    bin->huge++;
}

/* The regions are of pages that the entries can't tell apart. No page may be added twice. */
void
fp_page_map_add (FpPageMap *self,
                 guint64 address,
                 const guint64 *entries,
                 guint64 n_entries,
                 const FpPageRegion *regions,
                 guint n_regions)
{
  guint bin = fp_page_map_find_bin (self, address);
  guint64 bin_start, bin_end;

  fp_page_map_get_range (self, bin, &bin_start, &bin_end);
  for (guint64 i = 0; i < n_entries; i++, address += self->page_size)
    {
      guint64 categories;
      FpPageState state;

      for (; n_regions > 0 && regions->end <= address; n_regions--)
        regions++;
      if (address >= bin_end)
        fp_page_map_get_range (self, ++bin, &bin_start, &bin_end);
      categories = n_regions > 0 && regions->start <= address ? regions->categories : 0;
      state = get_state (entries[i], categories);
      count (&self->bins[bin], state, categories);
      count (&self->total, state, categories);
    }
}
