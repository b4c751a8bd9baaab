// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-profile.h"

G_BEGIN_DECLS

void fp_heap_folded_append (const FpHeapProfile *profile, guint32 node, GString *out);
void fp_heap_folded_write (const FpHeapProfile *profile, const GArray *stacks, FpHeapCost cost, GString *out);

G_END_DECLS
