// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The one table of the kernel’s figures. Order is the id in saved files: append only.
 * FIELD (id, name, source, kernel key, unit, bound when unknown, title, meaning) */
/* clang-format off */
#define FP_MEMORY_FIELDS(FIELD) \
  FIELD (RSS, "rss", SMAPS, "Rss", BYTES, NONE, N_("Resident"), N_("Resident: pages in RAM, with shared pages counted in full for each process")) \
  FIELD (PSS, "pss", SMAPS, "Pss", BYTES, RSS, N_("Memory"), N_("Memory: pages in RAM, each divided by the number of processes that share it")) \
  FIELD (PSS_DIRTY, "pss_dirty", SMAPS, "Pss_Dirty", BYTES, RSS, N_("Dirty"), N_("The part of the memory that was written to")) \
  FIELD (PSS_ANON, "pss_anon", SMAPS, "Pss_Anon", BYTES, RSS_ANON, N_("Anonymous"), N_("The part of the memory that belongs to no file: heap, stacks, buffers")) \
  FIELD (PSS_FILE, "pss_file", SMAPS, "Pss_File", BYTES, RSS_FILE, N_("Files"), N_("The part of the memory that holds pages of files: programs, libraries, data")) \
  FIELD (PSS_SHMEM, "pss_shmem", SMAPS, "Pss_Shmem", BYTES, RSS_SHMEM, N_("Shmem"), N_("The part of the memory that is shared memory or in-memory files")) \
  FIELD (SHARED_CLEAN, "shared_clean", SMAPS, "Shared_Clean", BYTES, RSS, N_("Shared Clean"), N_("Shared pages that are the same as in their file")) \
  FIELD (SHARED_DIRTY, "shared_dirty", SMAPS, "Shared_Dirty", BYTES, RSS, N_("Shared Dirty"), N_("Shared pages that were written to")) \
  FIELD (PRIVATE_CLEAN, "private_clean", SMAPS, "Private_Clean", BYTES, RSS, N_("Private Clean"), N_("Private pages that are the same as in their file")) \
  FIELD (PRIVATE_DIRTY, "private_dirty", SMAPS, "Private_Dirty", BYTES, RSS, N_("Private Dirty"), N_("Private pages that were written to")) \
  FIELD (REFERENCED, "referenced", SMAPS, "Referenced", BYTES, RSS, N_("Referenced"), N_("Resident pages marked as recently used")) \
  FIELD (ANONYMOUS, "anonymous_whole", SMAPS, "Anonymous", BYTES, RSS_ANON, N_("Anonymous Whole"), N_("Resident pages that belong to no file")) \
  FIELD (KSM, "ksm", SMAPS, "KSM", BYTES, RSS, N_("Merged"), N_("Pages merged with identical pages of other processes")) \
  FIELD (LAZY_FREE, "lazyfree", SMAPS, "LazyFree", BYTES, RSS, N_("Lazily Freed"), N_("Pages given back that the kernel has not reclaimed yet")) \
  FIELD (ANON_HUGE, "anon_huge", SMAPS, "AnonHugePages", BYTES, RSS_ANON, N_("Huge Anonymous"), N_("Memory in transparent huge pages")) \
  FIELD (SHMEM_HUGE, "shmem_huge", SMAPS, "ShmemPmdMapped", BYTES, RSS_SHMEM, N_("Huge Shmem"), N_("Shared memory mapped in huge pages")) \
  FIELD (FILE_HUGE, "file_huge", SMAPS, "FilePmdMapped", BYTES, RSS_FILE, N_("Huge Files"), N_("Files mapped in huge pages")) \
  FIELD (SHARED_HUGETLB, "shared_hugetlb", SMAPS, "Shared_Hugetlb", BYTES, HUGETLB, N_("Shared Huge Pool"), N_("Reserved huge pages shared with other processes; no other figure includes them")) \
  FIELD (PRIVATE_HUGETLB, "private_hugetlb", SMAPS, "Private_Hugetlb", BYTES, HUGETLB, N_("Private Huge Pool"), N_("Private reserved huge pages; no other figure includes them")) \
  FIELD (SWAP, "swap_whole", SMAPS, "Swap", BYTES, NONE, N_("Swap Whole"), N_("Swapped-out pages, with shared pages counted in full for each process")) \
  FIELD (SWAP_PSS, "swap", SMAPS, "SwapPss", BYTES, VM_SWAP, N_("Swap"), N_("Swap: swapped-out pages, each divided by the number of processes that share it")) \
  FIELD (LOCKED, "locked", SMAPS, "Locked", BYTES, RSS, N_("Locked"), N_("Memory locked in RAM, divided among the processes that share it")) \
  FIELD (SIZE, "size", MAPPING, "Size", BYTES, NONE, N_("Size"), N_("Size of the address range")) \
  FIELD (KERNEL_PAGE_SIZE, "kernel_page_size", MAPPING, "KernelPageSize", BYTES, NONE, N_("Kernel Page"), N_("Size of the kernel’s pages")) \
  FIELD (MMU_PAGE_SIZE, "mmu_page_size", MAPPING, "MMUPageSize", BYTES, NONE, N_("MMU Page"), N_("Size of the processor’s pages")) \
  FIELD (THP_ELIGIBLE, "thp_eligible", MAPPING, "THPeligible", COUNT, NONE, N_("Huge Possible"), N_("1 where transparent huge pages are possible")) \
  FIELD (PROTECTION_KEY, "protection_key", MAPPING, "ProtectionKey", COUNT, NONE, N_("Key"), N_("Number of the memory protection key")) \
  FIELD (USS, "uss", DERIVED, "", BYTES, RSS, N_("Private"), N_("Private: pages in RAM that no other process maps")) \
  FIELD (SHARED, "shared", DERIVED, "", BYTES, RSS, N_("Shared"), N_("Resident pages that other processes map too")) \
  FIELD (HUGETLB, "hugetlb", STATUS, "HugetlbPages", BYTES, NONE, N_("Huge Pool"), N_("Reserved huge pages in use; no other figure includes them")) \
  FIELD (MEMORY_AND_SWAP, "memory_and_swap", DERIVED, "", BYTES, RSS_AND_SWAP, N_("Memory + Swap"), N_("Memory and swap together")) \
  FIELD (RSS_ANON, "rss_anon", STATUS, "RssAnon", BYTES, RSS, N_("Resident Anonymous"), N_("Resident pages that belong to no file")) \
  FIELD (RSS_FILE, "rss_file", STATUS, "RssFile", BYTES, RSS, N_("Resident Files"), N_("Resident pages of files")) \
  FIELD (RSS_SHMEM, "rss_shmem", STATUS, "RssShmem", BYTES, RSS, N_("Resident Shmem"), N_("Resident pages of shared memory")) \
  FIELD (VM_SWAP, "vm_swap", STATUS, "VmSwap", BYTES, NONE, N_("Swap Not Shared"), N_("Swapped-out pages without shared memory; known for every process")) \
  FIELD (PTE, "pte", STATUS, "VmPTE", BYTES, NONE, N_("Page Tables"), N_("Page tables, the kernel’s own bookkeeping for this process")) \
  FIELD (PEAK_RSS, "peak_rss", STATUS, "VmHWM", BYTES, NONE, N_("Peak Resident"), N_("The most that was ever resident")) \
  FIELD (VM_SIZE, "vm_size", STATUS, "VmSize", BYTES, NONE, N_("Address Space"), N_("Address space, most of which is usually not in use")) \
  FIELD (VM_PEAK, "vm_peak", STATUS, "VmPeak", BYTES, NONE, N_("Peak Address Space"), N_("The largest the address space ever was")) \
  FIELD (VM_LOCKED, "vm_locked", STATUS, "VmLck", BYTES, NONE, N_("Locked Space"), N_("Address space locked in RAM")) \
  FIELD (VM_PINNED, "vm_pinned", STATUS, "VmPin", BYTES, NONE, N_("Pinned Space"), N_("Address space pinned for devices")) \
  FIELD (VM_DATA, "vm_data", STATUS, "VmData", BYTES, NONE, N_("Data Space"), N_("Private writable address space")) \
  FIELD (VM_STACK, "vm_stack", STATUS, "VmStk", BYTES, NONE, N_("Stack Space"), N_("Stack of the main thread")) \
  FIELD (VM_CODE, "vm_code", STATUS, "VmExe", BYTES, NONE, N_("Code Space"), N_("Code of the program itself")) \
  FIELD (VM_LIBRARY, "vm_library", STATUS, "VmLib", BYTES, NONE, N_("Library Space"), N_("Code of libraries")) \
  FIELD (THREADS, "threads", STAT, "", COUNT, NONE, N_("Threads"), N_("Number of threads")) \
  FIELD (MINOR_FAULTS, "minor_faults", STAT, "", COUNT, NONE, N_("Minor Faults"), N_("Page faults served from RAM")) \
  FIELD (MAJOR_FAULTS, "major_faults", STAT, "", COUNT, NONE, N_("Major Faults"), N_("Page faults that had to read from a disk")) \
  FIELD (CPU_TIME, "cpu_time_us", STAT, "", MICROSECONDS, NONE, N_("CPU Time"), N_("Processor time used so far")) \
  FIELD (OOM_SCORE, "oom_score", OTHER, "", COUNT, NONE, N_("OOM Score"), N_("At most 2000. The higher the score, the sooner the kernel ends it when memory runs out")) \
  FIELD (RSS_AND_SWAP, "rss_and_swap", DERIVED, "", BYTES, NONE, N_("Resident + Swap"), N_("Resident and swapped-out pages, with shared pages counted in full")) \
  FIELD (CLEAN, "clean_whole", DERIVED, "", BYTES, RSS, N_("Clean Whole"), N_("Resident pages that are the same as in their file, with shared pages counted in full")) \
  FIELD (DIRTY, "dirty_whole", DERIVED, "", BYTES, RSS, N_("Dirty Whole"), N_("Resident pages that were written to, with shared pages counted in full")) \
  FIELD (GRAPHICS, "graphics", KEPT, "", BYTES, NONE, N_("Graphics"), N_("Graphics memory in RAM, divided among the processes that share it; Memory does not include it"))
/* clang-format on */

typedef enum
{
#define FP_FIELD_ID(id, ...) FP_FIELD_##id,
  FP_MEMORY_FIELDS (FP_FIELD_ID)
#undef FP_FIELD_ID
      FP_N_FIELDS,
  FP_FIELD_NONE = FP_N_FIELDS,
} FpField;

G_STATIC_ASSERT (FP_N_FIELDS <= 64);

typedef enum
{
  FP_ORIGIN_SMAPS = 1 << 0,   /* smaps and smaps_rollup */
  FP_ORIGIN_MAPPING = 1 << 1, /* smaps alone */
  FP_ORIGIN_STATUS = 1 << 2,
  FP_ORIGIN_STAT = 1 << 3,
  FP_ORIGIN_OTHER = 1 << 4,
  FP_ORIGIN_DERIVED = 1 << 5,
  FP_ORIGIN_KEPT = 1 << 6, /* no snapshot has it: it is read when it is needed, and joined with the records */
} FpOrigin;

typedef enum
{
  FP_UNIT_BYTES,
  FP_UNIT_COUNT,
  FP_UNIT_MICROSECONDS,
  FP_UNIT_MOMENT, /* microseconds since 1970 */
  FP_UNIT_PERCENT,
} FpUnit;

typedef struct
{
  const char *name;
  char key[32]; /* as smaps begins a line: with the colon and blanks, at least 16 characters */
  gsize key_length;
  FpOrigin origin;
  FpUnit unit;
  FpField bound;
  const char *title;
  const char *meaning;
} FpFieldInfo;

/* Figures that may be known as a range between two readings. The order is that of upper ends in saved files: append
 * only. */
/* clang-format off */
#define FP_RANGED_FIELDS(FIELD) \
  FIELD (PSS) \
  FIELD (PSS_ANON) \
  FIELD (PSS_FILE) \
  FIELD (PSS_SHMEM) \
  FIELD (USS) \
  FIELD (SHARED) \
  FIELD (SWAP_PSS) \
  FIELD (MEMORY_AND_SWAP)
/* clang-format on */

typedef enum
{
#define FP_RANGE_ID(id) FP_RANGE_##id,
  FP_RANGED_FIELDS (FP_RANGE_ID)
#undef FP_RANGE_ID
      FP_N_RANGES,
} FpRange;

/* A figure is exact where its bit is set in present, and a range where it is set in ranged; it is never set in both. A
 * figure without either bit is not known, which is not 0. figures has the lower end of a range, at_most the upper. */
typedef struct
{
  guint64 present;
  guint64 ranged;
  guint64 figures[FP_N_FIELDS];
  guint64 at_most[FP_N_RANGES];
} FpMemory;

/* The order in which the keys of a file come, learnt from its first lines, so that later ones need no search. */
typedef struct
{
  guint8 fields[FP_N_FIELDS];
  guint n_fields;
  guint next;
} FpFieldOrder;

extern const FpFieldInfo fp_field_infos[FP_N_FIELDS];
extern const FpField fp_ranged_fields[FP_N_RANGES];

guint64 fp_fields_of_origins (guint origins);
void fp_field_order_init (FpFieldOrder *self, guint origins);

static inline gboolean
fp_memory_has (const FpMemory *self,
               FpField field)
{
  return field < FP_N_FIELDS && (self->present >> field & 1) != 0;
}

static inline guint64
fp_memory_get (const FpMemory *self,
               FpField field)
{
  return fp_memory_has (self, field) ? self->figures[field] : 0;
}

static inline void
fp_memory_set (FpMemory *self,
               FpField field,
               guint64 figure)
{
  self->present |= G_GUINT64_CONSTANT (1) << field;
  self->ranged &= ~(G_GUINT64_CONSTANT (1) << field);
  self->figures[field] = figure;
}

static inline gboolean
fp_memory_has_range (const FpMemory *self,
                     FpField field)
{
  return field < FP_N_FIELDS && (self->ranged >> field & 1) != 0;
}

FpRange fp_field_get_range (FpField field);
void fp_memory_set_range (FpMemory *self, FpField field, guint64 low, guint64 high);
gboolean fp_memory_get_ends (const FpMemory *self, FpField field, guint64 *low, guint64 *high);
void fp_memory_clear_origins (FpMemory *self, guint origins);
void fp_memory_scan (FpMemory *self, guint origins, const char *text, gsize length);
gboolean fp_memory_scan_fields (FpMemory *self, FpFieldOrder *order, const char **cursor, const char *end);
void fp_memory_derive (FpMemory *self);
gboolean fp_memory_bound (const FpMemory *self, FpField field, guint64 *bound);

G_END_DECLS
