// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-columns.h"

G_BEGIN_DECLS

typedef enum
{
  FP_MAPPING_VIEW_USUAL,
  FP_MAPPING_VIEW_PRIVATE,
  FP_MAPPING_VIEW_SHARED,
  FP_MAPPING_VIEW_PMAP,
  FP_MAPPING_VIEW_PMAP_MORE,
  FP_MAPPING_VIEW_ALL,
  FP_N_MAPPING_VIEWS,
} FpMappingViewId;

#define FP_MAPPING_VIEW_MAX_COLUMNS 40

/* A view chooses the columns, the order and the filter in which mappings are shown. */
typedef struct
{
  const char *id; /* in settings */
  const char *title;
  const char *meaning;
  const char *sort;
  gboolean descending;
  const char *filter; /* in the search language, or NULL */
  const char *columns[FP_MAPPING_VIEW_MAX_COLUMNS + 1];
} FpMappingView;

extern const FpMappingView fp_mapping_views[FP_N_MAPPING_VIEWS];

G_END_DECLS
