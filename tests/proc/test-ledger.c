// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fixture.h"
#include "fp-ledger.h"

#define MIB ((gint64)1024 * 1024)

static void
assert_adds_up (const FpLedger *ledger,
                const FpSystem *system)
{
  gint64 sum = 0;

  for (FpPart part = 0; part < FP_N_PARTS; part++)
    {
      sum += ledger->parts[part];
      g_assert_true (part == FP_PART_REMAINDER || ledger->parts[part] >= 0);
    }
  g_assert_cmpint (sum, ==, (gint64)fp_system_get (system, FP_SYSTEM_MEM_TOTAL));
}

/* Each part from its fields alone: figures in MiB, 0 where there is none. */
static void
test_parts (void)
{
  static const struct
  {
    FpPart part;
    gint64 figure;
    struct
    {
      FpSystemField field;
      guint64 figure;
    } fields[5];
  } cases[] = {
    { FP_PART_ANONYMOUS, 3, { { FP_SYSTEM_ANON_PAGES, 3 } } },
    { FP_PART_SHMEM, 5, { { FP_SYSTEM_SHMEM, 5 } } },
    { FP_PART_PAGE_CACHE, 17, { { FP_SYSTEM_CACHED, 20 }, { FP_SYSTEM_BUFFERS, 2 }, { FP_SYSTEM_SHMEM, 5 } } },
    { FP_PART_PAGE_CACHE, 0, { { FP_SYSTEM_CACHED, 2 }, { FP_SYSTEM_SHMEM, 5 } } },
    { FP_PART_SLAB, 7, { { FP_SYSTEM_SLAB, 7 }, { FP_SYSTEM_K_RECLAIMABLE, 9 } } },
    { FP_PART_PAGE_TABLES, 5, { { FP_SYSTEM_PAGE_TABLES, 4 }, { FP_SYSTEM_SEC_PAGE_TABLES, 1 } } },
    { FP_PART_KERNEL_STACKS, 2, { { FP_SYSTEM_KERNEL_STACK, 2 } } },
    { FP_PART_PERCPU, 2, { { FP_SYSTEM_PERCPU, 2 } } },
    { FP_PART_VMALLOC, 6, { { FP_SYSTEM_VMALLOC_USED, 8 }, { FP_SYSTEM_KERNEL_STACK, 2 } } },
    { FP_PART_VMALLOC, 0, { { FP_SYSTEM_VMALLOC_USED, 1 }, { FP_SYSTEM_KERNEL_STACK, 2 } } },
    { FP_PART_HUGETLB, 64, { { FP_SYSTEM_HUGETLB, 64 } } },
    { FP_PART_ZRAM, 12, { { FP_SYSTEM_ZRAM_USED, 12 }, { FP_SYSTEM_ZRAM_STORED, 99 } } },
    { FP_PART_ZSWAP, 13, { { FP_SYSTEM_ZSWAP, 13 }, { FP_SYSTEM_ZSWAPPED, 99 } } },
    { FP_PART_FREE, 14, { { FP_SYSTEM_MEM_FREE, 14 } } },
    /* clang-format off */
    { FP_PART_SWAP_CACHE, 0, { { FP_SYSTEM_SWAP_CACHED, 10 } } },
    { FP_PART_SWAP_CACHE, 6, { { FP_SYSTEM_SWAP_CACHED, 10 }, { FP_SYSTEM_ACTIVE_ANON, 20 },
                               { FP_SYSTEM_INACTIVE_ANON, 4 }, { FP_SYSTEM_ANON_PAGES, 15 }, { FP_SYSTEM_SHMEM, 3 } } },
    { FP_PART_SWAP_CACHE, 10, { { FP_SYSTEM_SWAP_CACHED, 10 }, { FP_SYSTEM_ACTIVE_ANON, 90 },
                                { FP_SYSTEM_ANON_PAGES, 15 } } },
    { FP_PART_SWAP_CACHE, 0, { { FP_SYSTEM_SWAP_CACHED, 10 }, { FP_SYSTEM_ACTIVE_ANON, 10 },
                               { FP_SYSTEM_ANON_PAGES, 15 } } },
    { FP_PART_SWAP_CACHE, 8, { { FP_SYSTEM_SWAP_CACHED, 10 }, { FP_SYSTEM_ACTIVE_ANON, 20 },
                               { FP_SYSTEM_MLOCKED, 3 }, { FP_SYSTEM_ANON_PAGES, 15 } } },
    /* clang-format on */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      FpSystem system = { 0 };
      FpLedger ledger;

      fp_system_set (&system, FP_SYSTEM_MEM_TOTAL, 200 * (guint64)MIB);
      for (guint k = 0; k < G_N_ELEMENTS (cases[i].fields) && cases[i].fields[k].figure; k++)
        fp_system_set (&system, cases[i].fields[k].field, cases[i].fields[k].figure * (guint64)MIB);
      g_assert_true (fp_ledger_make (&ledger, &system));
      g_assert_cmpint (ledger.parts[cases[i].part], ==, cases[i].figure * MIB);
      assert_adds_up (&ledger, &system);
    }
}

static void
check_zram (const FpSystem *system,
            gint64 low,
            gint64 high,
            gint64 remainder)
{
  FpLedger ledger;

  g_assert_true (fp_ledger_make (&ledger, system));
  assert_adds_up (&ledger, system);
  g_assert_cmpint (ledger.parts[FP_PART_ZRAM], ==, low * MIB);
  g_assert_cmpint (ledger.parts[FP_PART_ZRAM] + ledger.zram_more, ==, high * MIB);
  g_assert_cmpint (ledger.parts[FP_PART_REMAINDER], ==, remainder * MIB);
}

/* Without mm_stat the pages of zsmalloc bound it, of which zswap may have some; else what nothing accounts for does. */
static void
test_unread_zram (void)
{
  FpSystem system = { .n_swaps = 2 };

  system.swaps[0] = (FpSwap){ .type = FP_SWAP_ZRAM, .stored = FP_SWAP_UNKNOWN, .compressed = FP_SWAP_UNKNOWN, .cost = FP_SWAP_UNKNOWN };
  system.swaps[1] = (FpSwap){ .type = FP_SWAP_ZRAM, .stored = 30 * MIB, .compressed = 9 * MIB, .cost = 10 * MIB };
  fp_system_set (&system, FP_SYSTEM_MEM_TOTAL, 200 * (guint64)MIB);
  fp_system_set (&system, FP_SYSTEM_MEM_FREE, 60 * (guint64)MIB);
  fp_system_set (&system, FP_SYSTEM_ZRAM_USED, 10 * (guint64)MIB);
  check_zram (&system, 10, 140, 130);
  fp_system_set (&system, FP_SYSTEM_ZS_PAGES, 25 * (guint64)MIB);
  check_zram (&system, 25, 25, 115);
  fp_system_set (&system, FP_SYSTEM_ZSWAP, 8 * (guint64)MIB);
  check_zram (&system, 17, 25, 115);
  fp_system_set (&system, FP_SYSTEM_ZSWAP, 20 * (guint64)MIB);
  check_zram (&system, 10, 25, 110);
  fp_system_set (&system, FP_SYSTEM_ZS_PAGES, 4 * (guint64)MIB);
  check_zram (&system, 10, 10, 110);
  system.swaps[0].cost = 0;
  fp_system_set (&system, FP_SYSTEM_ZS_PAGES, 25 * (guint64)MIB);
  check_zram (&system, 10, 10, 110);
}

static void
test_negative_remainder (void)
{
  FpSystem system = { 0 };
  FpLedger ledger;

  fp_system_set (&system, FP_SYSTEM_MEM_TOTAL, 100 * (guint64)MIB);
  fp_system_set (&system, FP_SYSTEM_MEM_FREE, 90 * (guint64)MIB);
  fp_system_set (&system, FP_SYSTEM_ANON_PAGES, 12 * (guint64)MIB);
  g_assert_true (fp_ledger_make (&ledger, &system));
  g_assert_cmpint (ledger.parts[FP_PART_REMAINDER], ==, -2 * MIB);
  assert_adds_up (&ledger, &system);
}

static void
test_adds_up (void)
{
  for (guint try = 0; try < 10000; try++)
    {
      FpSystem system = { 0 };
      FpLedger ledger;

      for (FpSystemField field = 0; field < FP_N_SYSTEM_FIELDS; field++)
        if (g_test_rand_int () & 3)
          fp_system_set (&system, field, (guint64)(guint32)g_test_rand_int () << (g_test_rand_int () & 15));
      g_assert_cmpint (fp_ledger_make (&ledger, &system), ==, fp_system_has (&system, FP_SYSTEM_MEM_TOTAL));
      assert_adds_up (&ledger, &system);
    }
}

static void
test_desktop (void)
{
  g_autofree char *root = fixture_get_original ("desktop");
  g_autofree char *path = g_build_filename (root, "proc", NULL);
  FpLedger ledger;
  FpProcDir proc;
  FpSystem system;

  g_assert_true (fp_proc_dir_open (&proc, path, NULL));
  fp_system_read (&system, &proc);
  fp_proc_dir_close (&proc);
  g_assert_true (fp_ledger_make (&ledger, &system));
  assert_adds_up (&ledger, &system);
  g_assert_cmpint (ledger.parts[FP_PART_REMAINDER], ==, 88 * MIB);
  g_assert_cmpint (ledger.parts[FP_PART_ZRAM], ==, 12 * MIB);
  g_assert_cmpint (ledger.parts[FP_PART_HUGETLB], ==, 64 * MIB);
  g_assert_cmpint (ledger.parts[FP_PART_FREE], ==, 3072 * MIB);
  g_assert_cmpint (ledger.parts[FP_PART_SWAP_CACHE], ==, 0);
}

static void
test_nothing (void)
{
  FpSystem system = { 0 };
  FpLedger ledger;

  g_assert_false (fp_ledger_make (&ledger, &system));
  for (FpPart part = 0; part < FP_N_PARTS; part++)
    {
      g_assert_cmpint (ledger.parts[part], ==, 0);
      g_assert_nonnull (fp_part_infos[part].name);
      g_assert_true (g_utf8_validate (fp_part_infos[part].title, -1, NULL));
    }
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/proc/ledger/parts", test_parts);
  g_test_add_func ("/proc/ledger/unread-zram", test_unread_zram);
  g_test_add_func ("/proc/ledger/negative-remainder", test_negative_remainder);
  g_test_add_func ("/proc/ledger/adds-up", test_adds_up);
  g_test_add_func ("/proc/ledger/desktop", test_desktop);
  g_test_add_func ("/proc/ledger/nothing", test_nothing);
  return g_test_run ();
}
