// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-records.h"

G_BEGIN_DECLS

typedef struct
{
  const char *id; /* for --cost and JSON */
  const char *title;
  FpUnit unit;
} FpHeapCostInfo;

typedef struct
{
  guint64 time_ms;
  gboolean is_peak; /* its time does not matter */
} FpHeapWhen;

extern const FpHeapCostInfo fp_heap_cost_infos[FP_HEAP_N_COSTS];

const char *fp_heap_get_cost_title (const FpHeapProfile *profile, FpHeapCost cost);
char *fp_heap_describe (const FpHeapProfile *profile, FpFigureStyle style);
char *fp_heap_describe_moment (const GArray *stacks, guint64 time_ms, FpFigureStyle style);
char *fp_heap_describe_range (const GArray *stacks, guint64 from_ms, guint64 to_ms, FpFigureStyle style);
char *fp_heap_describe_files (const FpHeapExcerpt *excerpt,
                              const FpHeapProfile *before,
                              const FpHeapProfile *after,
                              const char *const names[2],
                              FpFigureStyle style);
char *fp_heap_describe_moments (const FpHeapExcerpt *excerpt, FpHeapWhen then, FpHeapWhen now, FpFigureStyle style);
char *fp_heap_describe_condition (const FpHeapProfile *profile);
char *fp_heap_name_function (const FpHeapProfile *profile, guint32 node);
char *fp_heap_name_library (const FpHeapProfile *profile, guint32 node);
char *fp_heap_name_moment (FpHeapWhen moment);
char *fp_heap_format_time (guint64 time_ms);
char *fp_heap_format_range (guint64 from_ms, guint64 to_ms);

G_END_DECLS
