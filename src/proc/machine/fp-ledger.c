// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-ledger.h"

const FpPartInfo fp_part_infos[FP_N_PARTS] = {
  [FP_PART_ANONYMOUS] = { "anonymous", N_ ("Programs’ own"), N_ ("Heaps, stacks and buffers of processes") },
  [FP_PART_SHMEM] = { "shmem", N_ ("Shared memory, tmpfs"),
                      N_ ("Shared memory and files kept in memory, whether mapped or not") },
  [FP_PART_PAGE_CACHE] = { "page_cache", N_ ("File cache"),
                           N_ ("Pages of files: programs, libraries, data. Most of it is given back when it is needed") },
  [FP_PART_SWAP_CACHE] = { "swap_cache", N_ ("Swap cache (estimate)"),
                           N_ ("Swapped-out pages that are still in RAM and that no process maps") },
  [FP_PART_SLAB] = { "slab", N_ ("Kernel objects"),
                     N_ ("The kernel’s own small objects, including its caches of file names") },
  [FP_PART_PAGE_TABLES] = { "page_tables", N_ ("Page tables"), N_ ("Bookkeeping of the address spaces") },
  [FP_PART_KERNEL_STACKS] = { "kernel_stacks", N_ ("Kernel stacks"), N_ ("One for each thread") },
  [FP_PART_PERCPU] = { "percpu", N_ ("Per-processor data"), N_ ("Kernel data kept once for each processor") },
  [FP_PART_VMALLOC] = { "vmalloc", N_ ("Kernel buffers"),
                        N_ ("vmalloc, without the kernel stacks that it includes") },
  [FP_PART_HUGETLB] = { "hugetlb", N_ ("Huge page pool"), N_ ("Set aside for huge pages, whether in use or not") },
  [FP_PART_ZRAM] = { "zram", N_ ("Compressed in RAM (zram)"), N_ ("The RAM taken by compressed RAM disks") },
  [FP_PART_ZSWAP] = { "zswap", N_ ("Compressed swap (zswap)"), N_ ("The RAM taken by compressed swapped-out pages") },
  [FP_PART_FREE] = { "free", N_ ("Free"),
                     N_ ("Not used for anything, including the pages that processors keep at hand, which MemFree leaves out") },
  [FP_PART_REMAINDER] = { "remainder", N_ ("Not accounted for"),
                          N_ ("Drivers, firmware and inaccuracies of the kernel’s counters; may be negative") },
};

static gint64
get (const FpSystem *system,
     FpSystemField field)
{
  return (gint64)MIN (fp_system_get (system, field), G_MAXINT64 / 64);
}

/* Swapped-out pages that are still in RAM: mapped ones are in AnonPages as well, the others only on the lists of
 * anonymous pages. Locked pages are on neither list, and are nearly always anonymous, hence an estimate. */
static gint64
estimate_unmapped_swap_cache (const FpSystem *system)
{
  gint64 listed = get (system, FP_SYSTEM_ACTIVE_ANON) + get (system, FP_SYSTEM_INACTIVE_ANON) + get (system, FP_SYSTEM_MLOCKED);
  gint64 mapped = get (system, FP_SYSTEM_ANON_PAGES) + get (system, FP_SYSTEM_SHMEM);

  return CLAMP (listed - mapped, 0, get (system, FP_SYSTEM_SWAP_CACHED));
}

/* Only zram and zswap have pages in zsmalloc (ZS_PAGES), and zswap may have its own elsewhere. Without these pages the bound is
 * what nothing else accounts for. */
static void
find_unread_zram (FpLedger *self,
                  const FpSystem *system)
{
  gint64 *zram = &self->parts[FP_PART_ZRAM], *rest = &self->parts[FP_PART_REMAINDER];
  gint64 low = *zram, high = *zram + MAX (*rest, 0);

  if (fp_system_has (system, FP_SYSTEM_ZS_PAGES))
    {
      high = MAX (get (system, FP_SYSTEM_ZS_PAGES), low);
      low = MAX (low, get (system, FP_SYSTEM_ZS_PAGES) - get (system, FP_SYSTEM_ZSWAP));
    }
  *rest -= low - *zram;
  *zram = low;
  self->zram_more = high - low;
}

/* FALSE where the kernel shows no MemTotal (a /proc mounted with subset=pid). */
gboolean
fp_ledger_make (FpLedger *self,
                const FpSystem *system)
{
  gint64 *parts = self->parts;
  gint64 rest = get (system, FP_SYSTEM_MEM_TOTAL);

  parts[FP_PART_ANONYMOUS] = get (system, FP_SYSTEM_ANON_PAGES);
  parts[FP_PART_SHMEM] = get (system, FP_SYSTEM_SHMEM);
  parts[FP_PART_PAGE_CACHE] =
      MAX (get (system, FP_SYSTEM_CACHED) + get (system, FP_SYSTEM_BUFFERS) - get (system, FP_SYSTEM_SHMEM), 0);
  parts[FP_PART_SWAP_CACHE] = estimate_unmapped_swap_cache (system);
  parts[FP_PART_SLAB] = get (system, FP_SYSTEM_SLAB);
  parts[FP_PART_PAGE_TABLES] = get (system, FP_SYSTEM_PAGE_TABLES) + get (system, FP_SYSTEM_SEC_PAGE_TABLES);
  parts[FP_PART_KERNEL_STACKS] = get (system, FP_SYSTEM_KERNEL_STACK);
  parts[FP_PART_PERCPU] = get (system, FP_SYSTEM_PERCPU);
  parts[FP_PART_VMALLOC] = MAX (get (system, FP_SYSTEM_VMALLOC_USED) - get (system, FP_SYSTEM_KERNEL_STACK), 0);
  parts[FP_PART_HUGETLB] = get (system, FP_SYSTEM_HUGETLB);
  parts[FP_PART_ZRAM] = get (system, FP_SYSTEM_ZRAM_USED);
  parts[FP_PART_ZSWAP] = get (system, FP_SYSTEM_ZSWAP);
  parts[FP_PART_FREE] = get (system, FP_SYSTEM_MEM_FREE) + get (system, FP_SYSTEM_FREE_AT_HAND);

  for (FpPart part = 0; part < FP_PART_REMAINDER; part++)
    rest -= parts[part];
  parts[FP_PART_REMAINDER] = rest;
  self->zram_more = 0;
  if (!fp_system_knows_zram (system))
    find_unread_zram (self, system);
  return fp_system_has (system, FP_SYSTEM_MEM_TOTAL);
}
