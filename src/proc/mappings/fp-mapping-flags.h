// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  char letters[3];
  const char *meaning;
} FpMappingFlagInfo;

#define FP_N_MAPPING_FLAGS 48

/* The bit of a flag in FpMapping.flags is its place here; the last is for those not known. */
enum
{
  FP_MAPPING_FLAG_GROWS_DOWN = 8,
  FP_MAPPING_FLAG_PAGE_FRAMES = 9,
  FP_MAPPING_FLAG_DEVICE = 12,
  FP_MAPPING_FLAG_HUGE_POOL = 19,
  FP_MAPPING_FLAG_SHADOW_STACK = 34,
  FP_MAPPING_FLAG_UNKNOWN = FP_N_MAPPING_FLAGS - 1,
};

extern const FpMappingFlagInfo fp_mapping_flag_infos[FP_N_MAPPING_FLAGS];

GStrv fp_mapping_describe_flags (guint64 flags);

G_END_DECLS
