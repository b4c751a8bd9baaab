// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-proc-dir.h"

G_BEGIN_DECLS

/* The one table of the machine's figures. Order is the id in saved files: append only.
 * FIELD (id, name, origin, kernel key, unit) */
/* clang-format off */
#define FP_SYSTEM_FIELDS(FIELD)                                        \
  FIELD (MEM_TOTAL, "mem_total", MEMINFO, "MemTotal", BYTES)           \
  FIELD (MEM_FREE, "mem_free", MEMINFO, "MemFree", BYTES)              \
  FIELD (MEM_AVAILABLE, "mem_available", MEMINFO, "MemAvailable", BYTES) \
  FIELD (BUFFERS, "buffers", MEMINFO, "Buffers", BYTES)                \
  FIELD (CACHED, "cached", MEMINFO, "Cached", BYTES)                   \
  FIELD (SWAP_CACHED, "swap_cached", MEMINFO, "SwapCached", BYTES)     \
  FIELD (ACTIVE_ANON, "active_anon", MEMINFO, "Active(anon)", BYTES)   \
  FIELD (INACTIVE_ANON, "inactive_anon", MEMINFO, "Inactive(anon)", BYTES) \
  FIELD (ACTIVE_FILE, "active_file", MEMINFO, "Active(file)", BYTES)   \
  FIELD (INACTIVE_FILE, "inactive_file", MEMINFO, "Inactive(file)", BYTES) \
  FIELD (UNEVICTABLE, "unevictable", MEMINFO, "Unevictable", BYTES)    \
  FIELD (MLOCKED, "mlocked", MEMINFO, "Mlocked", BYTES)                \
  FIELD (SWAP_TOTAL, "swap_total", MEMINFO, "SwapTotal", BYTES)        \
  FIELD (SWAP_FREE, "swap_free", MEMINFO, "SwapFree", BYTES)           \
  FIELD (ZSWAP, "zswap", MEMINFO, "Zswap", BYTES)                      \
  FIELD (ZSWAPPED, "zswapped", MEMINFO, "Zswapped", BYTES)             \
  FIELD (DIRTY, "dirty", MEMINFO, "Dirty", BYTES)                      \
  FIELD (WRITEBACK, "writeback", MEMINFO, "Writeback", BYTES)          \
  FIELD (ANON_PAGES, "anon_pages", MEMINFO, "AnonPages", BYTES)        \
  FIELD (MAPPED, "mapped", MEMINFO, "Mapped", BYTES)                   \
  FIELD (SHMEM, "shmem", MEMINFO, "Shmem", BYTES)                      \
  FIELD (K_RECLAIMABLE, "k_reclaimable", MEMINFO, "KReclaimable", BYTES) \
  FIELD (SLAB, "slab", MEMINFO, "Slab", BYTES)                         \
  FIELD (S_RECLAIMABLE, "s_reclaimable", MEMINFO, "SReclaimable", BYTES) \
  FIELD (S_UNRECLAIM, "s_unreclaim", MEMINFO, "SUnreclaim", BYTES)     \
  FIELD (KERNEL_STACK, "kernel_stack", MEMINFO, "KernelStack", BYTES)  \
  FIELD (PAGE_TABLES, "page_tables", MEMINFO, "PageTables", BYTES)     \
  FIELD (SEC_PAGE_TABLES, "sec_page_tables", MEMINFO, "SecPageTables", BYTES) \
  FIELD (COMMIT_LIMIT, "commit_limit", MEMINFO, "CommitLimit", BYTES)  \
  FIELD (COMMITTED, "committed", MEMINFO, "Committed_AS", BYTES)       \
  FIELD (VMALLOC_USED, "vmalloc_used", MEMINFO, "VmallocUsed", BYTES)  \
  FIELD (PERCPU, "percpu", MEMINFO, "Percpu", BYTES)                   \
  FIELD (HARDWARE_CORRUPTED, "hardware_corrupted", MEMINFO, "HardwareCorrupted", BYTES) \
  FIELD (ANON_HUGE_PAGES, "anon_huge_pages", MEMINFO, "AnonHugePages", BYTES) \
  FIELD (SHMEM_HUGE_PAGES, "shmem_huge_pages", MEMINFO, "ShmemHugePages", BYTES) \
  FIELD (FILE_HUGE_PAGES, "file_huge_pages", MEMINFO, "FileHugePages", BYTES) \
  FIELD (CMA_TOTAL, "cma_total", MEMINFO, "CmaTotal", BYTES)           \
  FIELD (CMA_FREE, "cma_free", MEMINFO, "CmaFree", BYTES)              \
  FIELD (BALLOON, "balloon", MEMINFO, "Balloon", BYTES)                \
  FIELD (HUGETLB, "hugetlb", MEMINFO, "Hugetlb", BYTES)                \
  FIELD (ZS_PAGES, "zs_pages", VMSTAT, "nr_zspages", PAGES)            \
  FIELD (SWAP_INS, "swap_ins", VMSTAT, "pswpin", COUNT)                \
  FIELD (SWAP_OUTS, "swap_outs", VMSTAT, "pswpout", COUNT)             \
  FIELD (MAJOR_FAULTS, "major_faults", VMSTAT, "pgmajfault", COUNT)    \
  FIELD (OOM_KILLS, "oom_kills", VMSTAT, "oom_kill", COUNT)            \
  FIELD (KSM_SHARED, "ksm_shared", KSM, "pages_shared", PAGES)         \
  FIELD (KSM_SHARING, "ksm_sharing", KSM, "pages_sharing", PAGES)      \
  FIELD (KSM_ZERO, "ksm_zero", KSM, "ksm_zero_pages", PAGES)           \
  FIELD (PRESSURE_SOME_10, "pressure_some_10s_percent", PRESSURE, "some avg10=", HUNDREDTHS) \
  FIELD (PRESSURE_SOME_60, "pressure_some_60s_percent", PRESSURE, "some avg60=", HUNDREDTHS) \
  FIELD (PRESSURE_SOME_300, "pressure_some_300s_percent", PRESSURE, "some avg300=", HUNDREDTHS) \
  FIELD (PRESSURE_FULL_10, "pressure_full_10s_percent", PRESSURE, "full avg10=", HUNDREDTHS) \
  FIELD (PRESSURE_FULL_60, "pressure_full_60s_percent", PRESSURE, "full avg60=", HUNDREDTHS) \
  FIELD (PRESSURE_FULL_300, "pressure_full_300s_percent", PRESSURE, "full avg300=", HUNDREDTHS) \
  FIELD (ZRAM_STORED, "zram_stored", ZRAM, "", BYTES)                  \
  FIELD (ZRAM_COMPRESSED, "zram_compressed", ZRAM, "", BYTES)          \
  FIELD (ZRAM_USED, "zram_used", ZRAM, "", BYTES)                      \
  FIELD (TASKS, "tasks", OTHER, "", COUNT)                             \
  FIELD (HIDDEN_TASKS, "hidden_tasks", OTHER, "", COUNT) \
  FIELD (FREE_AT_HAND, "free_at_hand", OTHER, "", BYTES)               \
  FIELD (PRESSURE_SOME_US, "pressure_some_us", PRESSURE, "some total=", COUNT) \
  FIELD (PRESSURE_FULL_US, "pressure_full_us", PRESSURE, "full total=", COUNT)
/* clang-format on */

typedef enum
{
#define FP_SYSTEM_ID(id, ...) FP_SYSTEM_##id,
  FP_SYSTEM_FIELDS (FP_SYSTEM_ID)
#undef FP_SYSTEM_ID
      FP_N_SYSTEM_FIELDS,
} FpSystemField;

G_STATIC_ASSERT (FP_N_SYSTEM_FIELDS <= 64);

typedef enum
{
  FP_SYSTEM_ORIGIN_MEMINFO,
  FP_SYSTEM_ORIGIN_VMSTAT,
  FP_SYSTEM_ORIGIN_KSM,
  FP_SYSTEM_ORIGIN_PRESSURE,
  FP_SYSTEM_ORIGIN_ZRAM,
  FP_SYSTEM_ORIGIN_OTHER,
} FpSystemOrigin;

typedef enum
{
  FP_SYSTEM_UNIT_BYTES,
  FP_SYSTEM_UNIT_PAGES, /* pages in the kernel's file, bytes in figures */
  FP_SYSTEM_UNIT_COUNT,
  FP_SYSTEM_UNIT_HUNDREDTHS,
} FpSystemUnit;

typedef struct
{
  const char *name;
  const char *key;
  FpSystemOrigin origin;
  FpSystemUnit unit;
} FpSystemFieldInfo;

extern const FpSystemFieldInfo fp_system_field_infos[FP_N_SYSTEM_FIELDS];

#define FP_SWAP_UNKNOWN   G_MAXUINT64
#define FP_MAX_SWAPS      32
#define FP_MAX_HUGE_POOLS 8

typedef enum
{
  FP_SWAP_PARTITION,
  FP_SWAP_FILE,
  FP_SWAP_ZRAM,
} FpSwapType;

typedef struct
{
  char name[256];
  FpSwapType type;
  gint priority;
  guint64 size;
  guint64 used;
  /* For zram: bytes stored, their size when compressed, and their cost in RAM. All three are known, or all three are
   * FP_SWAP_UNKNOWN; fp_swap_has_cost () tells. Saved files have them as they are here. */
  guint64 stored;
  guint64 compressed;
  guint64 cost;
} FpSwap;

typedef struct
{
  guint64 page_size;
  guint64 n_total;
  guint64 n_free;
  guint64 n_reserved;
  guint64 n_surplus;
} FpHugePool;

typedef struct
{
  guint64 present;
  guint64 figures[FP_N_SYSTEM_FIELDS];
  guint64 n_swaps;
  guint64 n_huge_pools;
  FpSwap swaps[FP_MAX_SWAPS];
  FpHugePool huge_pools[FP_MAX_HUGE_POOLS];
} FpSystem;

static inline gboolean
fp_swap_has_cost (const FpSwap *self)
{
  return self->type == FP_SWAP_ZRAM && self->cost != FP_SWAP_UNKNOWN;
}

static inline gboolean
fp_system_has (const FpSystem *self,
               FpSystemField field)
{
  return (self->present >> field & 1) != 0;
}

static inline guint64
fp_system_get (const FpSystem *self,
               FpSystemField field)
{
  return fp_system_has (self, field) ? self->figures[field] : 0;
}

static inline void
fp_system_set (FpSystem *self,
               FpSystemField field,
               guint64 figure)
{
  self->present |= G_GUINT64_CONSTANT (1) << field;
  self->figures[field] = figure;
}

void fp_system_read (FpSystem *self, const FpProcDir *proc);
gboolean fp_system_get_swap_used (const FpSystem *self, guint64 *used);
gboolean fp_system_knows_zram (const FpSystem *self);
gboolean fp_system_get_plain_zram (const FpSystem *self, guint64 *stored, guint64 *cost);

void fp_system_parse_meminfo (FpSystem *self, const char *text, gsize length);
void fp_system_parse_vmstat (FpSystem *self, const char *text, gsize length);
void fp_system_parse_pressure (FpSystem *self, const char *text, gsize length);
guint64 fp_system_count_pages_at_hand (const char *lines, gsize length);
gboolean fp_system_read_tasks (const FpProcDir *proc, guint64 *n_tasks);
void fp_system_parse_loadavg (FpSystem *self, const char *text, gsize length);
void fp_system_parse_swaps (FpSystem *self, const char *text, gsize length);
gboolean fp_swap_parse_zram (FpSwap *self, const char *mm_stat, gsize length);

G_END_DECLS
