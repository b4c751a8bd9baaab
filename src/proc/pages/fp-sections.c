// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-sections.h"

FpSections *
fp_sections_new (const FpElfLayout *layout)
{
  const FpSection rest = { .place = { .kind = FP_SECTION_REST } };
  FpSections *self = g_new0 (FpSections, 1);

  self->sections = g_array_new (FALSE, FALSE, sizeof (FpSection));
  self->ranges = g_array_new (FALSE, FALSE, sizeof (FpAddressRange));
  for (guint i = 0; i < layout->sections->len; i++)
    {
      const FpSection section = { .place = g_array_index (layout->sections, FpElfSection, i) };

      g_array_append_val (self->sections, section);
    }
  g_array_append_val (self->sections, rest);
  return self;
}

void
fp_sections_free (FpSections *self)
{
  g_array_unref (self->sections);
  g_array_unref (self->ranges);
  g_free (self);
}

static FpSection *
get_section (const FpSections *self,
             guint i)
{
  return &g_array_index (self->sections, FpSection, i);
}

static FpPageState
get_state (const FpPageBin *page)
{
  FpPageState state = 0;

  while (state < FP_PAGE_ABSENT && page->pages[state] == 0)
    state++;
  return state;
}

static void
count (FpSection *section,
       FpPageState state,
       guint64 size)
{
  gboolean is_changed = state == FP_PAGE_PRIVATE || state == FP_PAGE_SHARED;

  section->mapped += size;
  if (is_changed)
    section->changed += size;
  if (is_changed || state == FP_PAGE_PRIVATE_FILE || state == FP_PAGE_SHARED_FILE)
    section->resident += size;
  if (state == FP_PAGE_SWAPPED)
    section->swapped += size;
}

/* The first section that ends behind this address, or the rest */
static guint
find_section (const FpSections *self,
              guint64 address)
{
  guint low = 0, high = self->sections->len - 1;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (get_section (self, middle)->place.end > address)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

static void
count_page (FpSections *self,
            FpPageState state,
            guint64 start,
            guint64 end)
{
  const guint last = self->sections->len - 1;
  guint64 rest = end - start;

  for (guint i = find_section (self, start); i < last && get_section (self, i)->place.start < end; i++)
    {
      const FpElfSection *place = &get_section (self, i)->place;
      guint64 size = MIN (place->end, end) - MIN (MAX (place->start, start), place->end);

      count (get_section (self, i), state, size);
      rest -= size;
    }
  count (get_section (self, last), state, rest);
}

static void
add_range (FpSections *self,
           const FpPageMap *pages)
{
  const FpAddressRange range = { pages->start, pages->end };

  g_array_append_val (self->ranges, range);
}

/* pages: with a bin for each; bias: how far away from its addresses in the file it was loaded. */
void
fp_sections_add (FpSections *self,
                 const FpPageMap *pages,
                 guint64 bias)
{
  for (guint i = 0; i < pages->n_bins; i++)
    {
      guint64 start, end;

      fp_page_map_get_range (pages, i, &start, &end);
      count_page (self, get_state (&pages->bins[i]), start - bias, end - bias);
    }
  add_range (self, pages);
}

/* Pages that are mapped in another way than a loader does it belong to no section. */
void
fp_sections_add_rest (FpSections *self,
                      const FpPageMap *pages)
{
  FpSection *rest = get_section (self, self->sections->len - 1);

  for (guint i = 0; i < pages->n_bins; i++)
    {
      guint64 start, end;

      fp_page_map_get_range (pages, i, &start, &end);
      count (rest, get_state (&pages->bins[i]), end - start);
    }
  add_range (self, pages);
}

/* From this section on */
FpSection
fp_sections_sum_up (const FpSections *self,
                    guint first)
{
  FpSection sum = { 0 };

  for (guint i = first; i < self->sections->len; i++)
    {
      const FpSection *section = get_section (self, i);

      sum.mapped += section->mapped;
      sum.resident += section->resident;
      sum.changed += section->changed;
      sum.swapped += section->swapped;
    }
  return sum;
}
