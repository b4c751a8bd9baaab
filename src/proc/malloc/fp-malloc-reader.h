// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-malloc.h"
#include "fp-mapping-reader.h"

G_BEGIN_DECLS

/* Looks into the heap of a process, without stopping it and without bringing back what is in swap. step: (nullable), called
 * on another thread while the caller waits. */
FpMalloc *fp_malloc_read (const FpProcDir *proc, const FpProcessId *id, FpMappingStepFunc step, gpointer data, GError **error);

G_END_DECLS
