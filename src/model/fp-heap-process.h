// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-figure.h"
#include "fp-heap-profile.h"
#include "fp-mapping.h"
#include "fp-snapshot.h"

G_BEGIN_DECLS

/* How much of the process that was recorded a profile knows, where that process still lives. */
gint fp_heap_process_guess_pid (const char *file_name);
const FpProcess *fp_heap_process_find (const FpHeapProfile *profile, gint pid, guint64 modified_us, const FpSnapshot *snapshot);
char *fp_heap_process_describe (const FpHeapProfile *profile, gint pid, const FpMappings *mappings, FpFigureStyle style);

G_END_DECLS
