// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "population-system.h"

#define DRIFT         (11 * MIB)  /* of the kernel's counters */
#define IN_TMPFS      (412 * MIB) /* files that nobody maps */
#define UNMAPPED_SWAP (34 * MIB)
#define SWAP_CACHE    (21 * MIB)
#define REMAINDER     (274 * MIB)
#define KERNEL_STACK  (16 * KIB)
#define ZRAM_SIZE     (8192 * MIB)
#define FILE_SIZE     (16384 * MIB)
#define IN_FILE       (386 * MIB)

typedef struct
{
  FpSystemField field;
  guint64 figure;
} Figure;

static const Figure figures[] = {
  { FP_SYSTEM_MEM_TOTAL, POPULATION_MEM_TOTAL },
  { FP_SYSTEM_MEM_FREE, 1684 * MIB },
  { FP_SYSTEM_FREE_AT_HAND, 37 * MIB },
  { FP_SYSTEM_BUFFERS, 214 * MIB },
  { FP_SYSTEM_SWAP_CACHED, 58 * MIB },
  { FP_SYSTEM_UNEVICTABLE, 46 * MIB },
  { FP_SYSTEM_MLOCKED, 12 * MIB },
  { FP_SYSTEM_ZSWAP, 0 },
  { FP_SYSTEM_ZSWAPPED, 0 },
  { FP_SYSTEM_DIRTY, 14 * MIB },
  { FP_SYSTEM_WRITEBACK, 0 },
  { FP_SYSTEM_K_RECLAIMABLE, 742 * MIB },
  { FP_SYSTEM_SLAB, 1068 * MIB },
  { FP_SYSTEM_S_RECLAIMABLE, 742 * MIB },
  { FP_SYSTEM_S_UNRECLAIM, 326 * MIB },
  { FP_SYSTEM_SEC_PAGE_TABLES, 9 * MIB },
  { FP_SYSTEM_VMALLOC_USED, 198 * MIB },
  { FP_SYSTEM_PERCPU, 31 * MIB },
  { FP_SYSTEM_HARDWARE_CORRUPTED, 0 },
  { FP_SYSTEM_SHMEM_HUGE_PAGES, 0 },
  { FP_SYSTEM_FILE_HUGE_PAGES, 0 },
  { FP_SYSTEM_BALLOON, 0 },
  { FP_SYSTEM_HUGETLB, 0 },
  { FP_SYSTEM_SWAP_INS, 318422 },
  { FP_SYSTEM_SWAP_OUTS, 1204518 },
  { FP_SYSTEM_MAJOR_FAULTS, 402117 },
  { FP_SYSTEM_OOM_KILLS, 1 },
  { FP_SYSTEM_KSM_SHARED, 0 },
  { FP_SYSTEM_KSM_SHARING, 0 },
  { FP_SYSTEM_PRESSURE_SOME_10, 42 },
  { FP_SYSTEM_PRESSURE_SOME_60, 118 },
  { FP_SYSTEM_PRESSURE_SOME_300, 64 },
  { FP_SYSTEM_PRESSURE_FULL_10, 0 },
  { FP_SYSTEM_PRESSURE_FULL_60, 21 },
  { FP_SYSTEM_PRESSURE_FULL_300, 12 },
  { FP_SYSTEM_HIDDEN_TASKS, 0 },
};

/* meminfo is in kB. */
static void
set_kib (FpSystem *self,
         FpSystemField field,
         guint64 figure)
{
  fp_system_set (self, field, figure / KIB * KIB);
}

static void
fill_swaps (FpSystem *self,
            guint64 of_processes)
{
  guint64 in_zram = of_processes + UNMAPPED_SWAP - IN_FILE;
  FpSwap zram = { .name = "/dev/zram0", .type = FP_SWAP_ZRAM, .priority = 100, .size = ZRAM_SIZE, .used = in_zram };
  FpSwap file = { .name = "/swapfile", .type = FP_SWAP_FILE, .priority = -2, .size = FILE_SIZE, .used = IN_FILE };

  zram.stored = in_zram - 6 * MIB;
  zram.compressed = zram.stored / 100 * 29;
  zram.cost = (zram.compressed + 17 * MIB) / 4096 * 4096;
  file.stored = file.compressed = file.cost = FP_SWAP_UNKNOWN;
  self->n_swaps = 2;
  self->swaps[0] = zram;
  self->swaps[1] = file;
  fp_system_set (self, FP_SYSTEM_SWAP_TOTAL, ZRAM_SIZE + FILE_SIZE);
  fp_system_set (self, FP_SYSTEM_SWAP_FREE, ZRAM_SIZE + FILE_SIZE - in_zram - IN_FILE);
  fp_system_set (self, FP_SYSTEM_ZRAM_STORED, zram.stored);
  fp_system_set (self, FP_SYSTEM_ZRAM_COMPRESSED, zram.compressed);
  fp_system_set (self, FP_SYSTEM_ZRAM_USED, zram.cost);
  fp_system_set (self, FP_SYSTEM_ZS_PAGES, zram.cost);
}

static void
fill_programs (FpSystem *self,
               const PopulationTotals *totals)
{
  guint64 anon = totals->pages[POPULATION_ANON] + DRIFT;
  guint64 shmem = totals->pages[POPULATION_SHMEM] + IN_TMPFS;

  fp_system_set (self, FP_SYSTEM_ANON_PAGES, anon);
  fp_system_set (self, FP_SYSTEM_SHMEM, shmem);
  fp_system_set (self, FP_SYSTEM_MAPPED, totals->pages[POPULATION_FILE] + totals->pages[POPULATION_SHMEM]);
  set_kib (self, FP_SYSTEM_ACTIVE_ANON, anon / 3);
  fp_system_set (self, FP_SYSTEM_INACTIVE_ANON, anon - fp_system_get (self, FP_SYSTEM_ACTIVE_ANON) + shmem + SWAP_CACHE);
  fp_system_set (self, FP_SYSTEM_ANON_HUGE_PAGES, totals->huge);
  fp_system_set (self, FP_SYSTEM_KERNEL_STACK, totals->n_threads * KERNEL_STACK);
  fp_system_set (self, FP_SYSTEM_PAGE_TABLES, totals->page_tables + 2 * MIB);
  fp_system_set (self, FP_SYSTEM_TASKS, totals->n_threads);
  set_kib (self, FP_SYSTEM_COMMIT_LIMIT, POPULATION_MEM_TOTAL / 2 + ZRAM_SIZE + FILE_SIZE);
  set_kib (self, FP_SYSTEM_COMMITTED, (anon + shmem + totals->swap) / 2 * 3);
}

/* The page cache takes what the others leave. */
static void
fill_cache (FpSystem *self)
{
  static const FpSystemField others[] = {
    FP_SYSTEM_ANON_PAGES,
    FP_SYSTEM_BUFFERS,
    FP_SYSTEM_SLAB,
    FP_SYSTEM_PAGE_TABLES,
    FP_SYSTEM_SEC_PAGE_TABLES,
    FP_SYSTEM_PERCPU,
    FP_SYSTEM_VMALLOC_USED,
    FP_SYSTEM_ZRAM_USED,
    FP_SYSTEM_MEM_FREE,
    FP_SYSTEM_FREE_AT_HAND,
  };
  guint64 taken = REMAINDER + SWAP_CACHE, files;

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    taken += fp_system_get (self, others[i]);
  g_assert_cmpuint (taken, <, POPULATION_MEM_TOTAL);
  fp_system_set (self, FP_SYSTEM_CACHED, POPULATION_MEM_TOTAL - taken);
  files = POPULATION_MEM_TOTAL - taken - fp_system_get (self, FP_SYSTEM_SHMEM) + fp_system_get (self, FP_SYSTEM_BUFFERS);
  set_kib (self, FP_SYSTEM_ACTIVE_FILE, files / 5 * 2);
  fp_system_set (self, FP_SYSTEM_INACTIVE_FILE,
                 files - fp_system_get (self, FP_SYSTEM_ACTIVE_FILE) - fp_system_get (self, FP_SYSTEM_UNEVICTABLE));
  set_kib (self, FP_SYSTEM_MEM_AVAILABLE,
           fp_system_get (self, FP_SYSTEM_MEM_FREE) + files / 10 * 9 +
               fp_system_get (self, FP_SYSTEM_S_RECLAIMABLE) / 2);
}

void
population_system_fill (FpSystem *self,
                        const PopulationTotals *totals)
{
  *self = (FpSystem){ .n_huge_pools = 2, .huge_pools = { { .page_size = 2 * MIB }, { .page_size = 1024 * MIB } } };
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    fp_system_set (self, figures[i].field, figures[i].figure);
  fill_swaps (self, totals->swap);
  fill_programs (self, totals);
  fill_cache (self);
}
