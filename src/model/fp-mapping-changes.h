// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-records.h"

G_BEGIN_DECLS

/* How a mapping has changed. The sum of its RAM and swap decides, and its size where that is the same. Swapping out and
 * sharing with others are no changes. */
typedef enum
{
  FP_MAPPING_SAME,
  FP_MAPPING_NEW,
  FP_MAPPING_GONE,
  FP_MAPPING_GROWN,
  FP_MAPPING_SHRUNK,
  FP_N_MAPPING_CHANGES,
} FpMappingChange;

typedef struct
{
  const char *id; /* never translated */
  const char *title;
} FpMappingChangeInfo;

extern const FpMappingChangeInfo fp_mapping_change_infos[FP_N_MAPPING_CHANGES];

/* Records of changes: all mappings that there are or were, by address. A mapping is what it is now, or was if it is
 * gone; its figures are by how much they differ. */
FpRecords *fp_mapping_changes_new (const FpRecords *marked, const FpRecords *now);
guint64 fp_mapping_changes_get_both (const FpRecords *changes, guint index, FpMemory *before, FpMemory *after);
FpMappingChange fp_mapping_changes_get_change (const FpRecords *changes, guint index);

G_END_DECLS
