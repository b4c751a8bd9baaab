// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapping.h"

G_BEGIN_DECLS

/* The purpose of a mapping, as far as the kernel tells. */
typedef enum
{
  FP_MAPPING_HEAP,
  FP_MAPPING_STACK,
  FP_MAPPING_ANONYMOUS,
  FP_MAPPING_NAMED,
  FP_MAPPING_JIT,
  FP_MAPPING_CODE,
  FP_MAPPING_CONSTANTS,
  FP_MAPPING_DATA,
  FP_MAPPING_FILE,
  FP_MAPPING_SHARED_MEMORY,
  FP_MAPPING_SYSTEM_V,
  FP_MAPPING_HUGE_POOL,
  FP_MAPPING_DEVICE,
  FP_MAPPING_KERNEL,
  FP_MAPPING_RESERVED,
  FP_N_MAPPING_KINDS,
} FpMappingKind;

typedef struct
{
  const char *id; /* never translated */
  const char *title;
  const char *explanation;
} FpMappingKindInfo;

extern const FpMappingKindInfo fp_mapping_kind_infos[FP_N_MAPPING_KINDS];

FpMappingKind fp_mapping_kind (const FpMapping *mapping);
FpMappingKind fp_mapping_kind_of_internal (const FpMapping *mapping);
const char *fp_mapping_get_file (const FpMapping *mapping);
FpFileState fp_mapping_get_file_state (const FpMapping *mapping);
char *fp_mapping_get_label (const FpMapping *mapping, char *label, gsize size);

G_END_DECLS
