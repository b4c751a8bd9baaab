// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-system.h"

G_BEGIN_DECLS

/* The parts of MemTotal; they sum to it, the remainder included. */
typedef enum
{
  FP_PART_ANONYMOUS,
  FP_PART_SHMEM,
  FP_PART_PAGE_CACHE,
  FP_PART_SWAP_CACHE,
  FP_PART_SLAB,
  FP_PART_PAGE_TABLES,
  FP_PART_KERNEL_STACKS,
  FP_PART_PERCPU,
  FP_PART_VMALLOC,
  FP_PART_HUGETLB,
  FP_PART_ZRAM,
  FP_PART_ZSWAP,
  FP_PART_FREE,
  FP_PART_REMAINDER,
  FP_N_PARTS,
} FpPart;

typedef struct
{
  const char *name;
  const char *title;
  const char *meaning;
} FpPartInfo;

typedef struct
{
  gint64 parts[FP_N_PARTS];
  gint64 zram_more; /* of the remainder at most this much is zram's: not 0 where its cost could not be read */
} FpLedger;

extern const FpPartInfo fp_part_infos[FP_N_PARTS];

gboolean fp_ledger_make (FpLedger *self, const FpSystem *system);

G_END_DECLS
