// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-elf-sections.h"
#include "fp-page-map.h"

G_BEGIN_DECLS

/* One section, and how many bytes of it a process has. A page with parts of several sections counts for each by its bytes
 * there, so that all sections together have what the mappings of the file have. */
typedef struct
{
  FpElfSection place;
  guint64 mapped;
  guint64 resident;
  guint64 changed; /* of it, no longer as in the file, or never in it */
  guint64 swapped;
} FpSection;

typedef struct
{
  guint64 start;
  guint64 end;
} FpAddressRange;

typedef struct
{
  GArray *sections; /* FpSection, by address, and the rest at the end */
  GArray *ranges;   /* FpAddressRange: all addresses that were counted */
} FpSections;

FpSections *fp_sections_new (const FpElfLayout *layout);
void fp_sections_free (FpSections *self);
void fp_sections_add (FpSections *self, const FpPageMap *pages, guint64 bias);
FpSection fp_sections_sum_up (const FpSections *self, guint first);
void fp_sections_add_rest (FpSections *self, const FpPageMap *pages);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpSections, fp_sections_free)

G_END_DECLS
