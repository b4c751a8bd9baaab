// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-profile.h"

G_BEGIN_DECLS

GPtrArray *fp_heap_suppressions_new (void);
void fp_heap_suppressions_add_line (GPtrArray *self, const char *line);
void fp_heap_suppressions_apply (const GPtrArray *self, FpHeapProfile *profile);

G_END_DECLS
