// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-malloc-arenas.h"
#include "fp-malloc.h"

G_BEGIN_DECLS

/* Counts free blocks by the lists that an arena has of them. What they have together is less than limit, or they are
 * broken, so that a ring that never closes ends. is_partial is set where some of them are in swap. */
FpMallocAnswer fp_malloc_bins_count (
    const FpMallocMemory *memory, const FpMallocArenaState *arena, guint64 *bytes, gboolean *is_partial, guint64 *broken_at);
FpMallocAnswer fp_malloc_fast_count (const FpMallocMemory *memory,
                                     const FpMallocLayout *layout,
                                     const FpMallocArenaState *arena,
                                     FpMallocSizes *sizes,
                                     guint64 *bytes,
                                     gboolean *is_partial,
                                     guint64 *broken_at);

G_END_DECLS
