// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fp-memory.h"

#define KIB G_GUINT64_CONSTANT (1024)

/* smaps_rollup of Linux 6.18, with a different figure in each line. */
static const char rollup[] = "55604d526000-7fff2e0e5000 ---p 00000000 00:00 0                          [rollup]\n"
                             "Rss:                9001 kB\n"
                             "Pss:                8002 kB\n"
                             "Pss_Dirty:          3003 kB\n"
                             "Pss_Anon:           4004 kB\n"
                             "Pss_File:           2505 kB\n"
                             "Pss_Shmem:          1506 kB\n"
                             "Shared_Clean:       1007 kB\n"
                             "Shared_Dirty:       2008 kB\n"
                             "Private_Clean:      3009 kB\n"
                             "Private_Dirty:      3010 kB\n"
                             "Referenced:         8511 kB\n"
                             "Anonymous:          4512 kB\n"
                             "KSM:                  13 kB\n"
                             "LazyFree:             14 kB\n"
                             "AnonHugePages:      2048 kB\n"
                             "ShmemPmdMapped:     4096 kB\n"
                             "FilePmdMapped:      6144 kB\n"
                             "Shared_Hugetlb:     8192 kB\n"
                             "Private_Hugetlb:   10240 kB\n"
                             "Swap:               7020 kB\n"
                             "SwapPss:            6021 kB\n"
                             "Locked:               22 kB\n";

static const struct
{
  FpField field;
  guint64 kilobytes;
} rollup_figures[] = {
  { FP_FIELD_RSS, 9001 },
  { FP_FIELD_PSS, 8002 },
  { FP_FIELD_PSS_DIRTY, 3003 },
  { FP_FIELD_PSS_ANON, 4004 },
  { FP_FIELD_PSS_FILE, 2505 },
  { FP_FIELD_PSS_SHMEM, 1506 },
  { FP_FIELD_SHARED_CLEAN, 1007 },
  { FP_FIELD_SHARED_DIRTY, 2008 },
  { FP_FIELD_PRIVATE_CLEAN, 3009 },
  { FP_FIELD_PRIVATE_DIRTY, 3010 },
  { FP_FIELD_REFERENCED, 8511 },
  { FP_FIELD_ANONYMOUS, 4512 },
  { FP_FIELD_KSM, 13 },
  { FP_FIELD_LAZY_FREE, 14 },
  { FP_FIELD_ANON_HUGE, 2048 },
  { FP_FIELD_SHMEM_HUGE, 4096 },
  { FP_FIELD_FILE_HUGE, 6144 },
  { FP_FIELD_SHARED_HUGETLB, 8192 },
  { FP_FIELD_PRIVATE_HUGETLB, 10240 },
  { FP_FIELD_SWAP, 7020 },
  { FP_FIELD_SWAP_PSS, 6021 },
  { FP_FIELD_LOCKED, 22 },
};

static guint64
mask_of_rollup (void)
{
  guint64 mask = 0;

  for (guint i = 0; i < G_N_ELEMENTS (rollup_figures); i++)
    mask |= G_GUINT64_CONSTANT (1) << rollup_figures[i].field;
  return mask;
}

static void
scan_length (FpMemory *memory,
             guint sources,
             const char *text,
             gsize length)
{
  /* Without a byte behind its end, so that a sanitizer sees a reading past it. */
  g_autofree char *exact = g_memdup2 (text, MAX (length, 1));

  *memory = (FpMemory){ 0 };
  fp_memory_scan (memory, sources, exact, length);
}

static void
scan (FpMemory *memory,
      guint sources,
      const char *text)
{
  scan_length (memory, sources, text, strlen (text));
}

static void
assert_figure (const FpMemory *memory,
               FpField field,
               guint64 figure)
{
  g_assert_true (fp_memory_has (memory, field));
  g_assert_cmpuint (fp_memory_get (memory, field), ==, figure);
}

static void
assert_absent (const FpMemory *memory,
               FpField field)
{
  g_assert_false (fp_memory_has (memory, field));
  g_assert_cmpuint (fp_memory_get (memory, field), ==, 0);
}

static void
test_rollup (void)
{
  FpMemory memory;

  scan (&memory, FP_ORIGIN_SMAPS, rollup);
  for (guint i = 0; i < G_N_ELEMENTS (rollup_figures); i++)
    assert_figure (&memory, rollup_figures[i].field, rollup_figures[i].kilobytes * KIB);
  g_assert_cmphex (memory.present, ==, mask_of_rollup ());
}

static void
test_truncated (void)
{
  for (gsize length = 0; length < sizeof rollup; length++)
    {
      FpMemory memory;

      scan_length (&memory, FP_ORIGIN_SMAPS, rollup, length);
      g_assert_cmphex (memory.present & ~mask_of_rollup (), ==, 0);
      for (guint i = 0; i < G_N_ELEMENTS (rollup_figures); i++)
        if (fp_memory_has (&memory, rollup_figures[i].field))
          g_assert_cmpuint (memory.figures[rollup_figures[i].field], ==, rollup_figures[i].kilobytes * KIB);
    }
}

static void
test_each_line_missing (void)
{
  g_auto (GStrv) lines = g_strsplit (rollup, "\n", -1);

  for (guint missing = 0; missing < G_N_ELEMENTS (rollup_figures); missing++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      guint64 bit = G_GUINT64_CONSTANT (1) << rollup_figures[missing].field;
      FpMemory memory;

      for (guint i = 0; lines[i]; i++)
        if (i != missing + 1)
          g_string_append_printf (text, "%s\n", lines[i]);
      scan (&memory, FP_ORIGIN_SMAPS, text->str);
      g_assert_cmphex (memory.present, ==, mask_of_rollup () & ~bit);
      assert_absent (&memory, rollup_figures[missing].field);
    }
}

static void
test_any_order (void)
{
  g_auto (GStrv) lines = g_strsplit (rollup, "\n", -1);
  guint n = g_strv_length (lines);
  g_autoptr (GRand) rand = g_rand_new_with_seed (42);

  for (guint try = 0; try < 200; try++)
    {
      g_autofree char *text = NULL;
      FpMemory memory;

      for (guint i = n - 1; i > 0; i--)
        {
          guint k = (guint)g_rand_int_range (rand, 0, (gint32)i + 1);
          char *line = lines[i];

          lines[i] = lines[k];
          lines[k] = line;
        }
      text = g_strjoinv ("\n", lines);
      /* A header without its newline in the end is all the same. */
      scan (&memory, FP_ORIGIN_SMAPS, text);
      for (guint i = 0; i < G_N_ELEMENTS (rollup_figures); i++)
        assert_figure (&memory, rollup_figures[i].field, rollup_figures[i].kilobytes * KIB);
    }
}

static void
test_odd_lines (void)
{
  static const struct
  {
    const char *text;
    gboolean is_present;
    guint64 figure;
  } cases[] = {
    { "Pss: 5 kB\n", TRUE, 5 * KIB },
    { "Pss: 5 kB", TRUE, 5 * KIB },
    { "Pss:\t5 kB\n", TRUE, 5 * KIB },
    { "Pss: 0 kB\n", TRUE, 0 },
    { "Pss: 5\n", FALSE, 0 },
    { "Pss: 5 MB\n", FALSE, 0 },
    { "Pss: kB\n", FALSE, 0 },
    { "Pss:\n", FALSE, 0 },
    { "Pss\n", FALSE, 0 },
    { "Pss: -5 kB\n", FALSE, 0 },
    { "Pss: x5 kB\n", FALSE, 0 },
    { "Pss: \n5 kB\n", FALSE, 0 },
    { "pss: 5 kB\n", FALSE, 0 },
    { " Pss: 5 kB\n", FALSE, 0 },
    { "XPss: 5 kB\n", FALSE, 0 },
    { "Pss_Anon: 7 kB\nPss_File: 8 kB\nPss_Shmem: 9 kB\nPss_Dirty: 6 kB\nSwapPss: 4 kB\n", FALSE, 0 },
    { "Pss_Anon: 7 kB\nPss: 5 kB\nPss_File: 8 kB\n", TRUE, 5 * KIB },
    { "\n\n:::\n: 3 kB\nPss: 5 kB\n", TRUE, 5 * KIB },
    { "NewIn(7.5): 9 kB\nPss: 5 kB\n", TRUE, 5 * KIB },
    { "PssNew: 9 kB\nPss_New: 9 kB\nPss: 5 kB\n", TRUE, 5 * KIB },
    { "\xff\xfe: 9 kB\nPss: 5 kB\n", TRUE, 5 * KIB },
    { "Pss: 18014398509481983 kB\n", TRUE, G_MAXUINT64 - 1023 },
    { "Pss: 18014398509481984 kB\n", FALSE, 0 },
    { "Pss: 18446744073709551615 kB\n", FALSE, 0 },
    { "Pss: 18446744073709551621 kB\n", FALSE, 0 },
    { "Pss: 99999999999999999999999999999999 kB\n", FALSE, 0 },
    { "Pss: 000000000000000000000000000000005 kB\n", TRUE, 5 * KIB },
    { "Pss: 140737488355328 kB\n", TRUE, G_GUINT64_CONSTANT (144115188075855872) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      FpMemory memory;

      scan (&memory, FP_ORIGIN_SMAPS, cases[i].text);
      if (cases[i].is_present)
        assert_figure (&memory, FP_FIELD_PSS, cases[i].figure);
      else
        assert_absent (&memory, FP_FIELD_PSS);
    }
}

static void
test_hugetlb_is_in_no_other_figure (void)
{
  FpMemory memory;

  scan (&memory, FP_ORIGIN_SMAPS, rollup);
  fp_memory_derive (&memory);
  assert_figure (&memory, FP_FIELD_USS, (3009 + 3010) * KIB);
  assert_figure (&memory, FP_FIELD_SHARED, (1007 + 2008) * KIB);
  assert_figure (&memory, FP_FIELD_MEMORY_AND_SWAP, (8002 + 6021) * KIB);
  assert_figure (&memory, FP_FIELD_HUGETLB, (8192 + 10240) * KIB);

  scan (&memory, FP_ORIGIN_SMAPS, "Private_Hugetlb: 6144 kB\nShared_Hugetlb: 8192 kB\n");
  fp_memory_derive (&memory);
  assert_absent (&memory, FP_FIELD_USS);
  assert_absent (&memory, FP_FIELD_SHARED);
}

static void
test_sums_need_both_parts (void)
{
  static const struct
  {
    FpField sum, a, b;
  } sums[] = {
    { FP_FIELD_USS, FP_FIELD_PRIVATE_CLEAN, FP_FIELD_PRIVATE_DIRTY },
    { FP_FIELD_SHARED, FP_FIELD_SHARED_CLEAN, FP_FIELD_SHARED_DIRTY },
    { FP_FIELD_MEMORY_AND_SWAP, FP_FIELD_PSS, FP_FIELD_SWAP_PSS },
    { FP_FIELD_RSS_AND_SWAP, FP_FIELD_RSS, FP_FIELD_VM_SWAP },
    { FP_FIELD_CLEAN, FP_FIELD_PRIVATE_CLEAN, FP_FIELD_SHARED_CLEAN },
    { FP_FIELD_DIRTY, FP_FIELD_PRIVATE_DIRTY, FP_FIELD_SHARED_DIRTY },
    { FP_FIELD_HUGETLB, FP_FIELD_PRIVATE_HUGETLB, FP_FIELD_SHARED_HUGETLB },
  };

  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    {
      FpMemory memory = { 0 };

      fp_memory_set (&memory, sums[i].a, 3 * KIB);
      fp_memory_derive (&memory);
      assert_absent (&memory, sums[i].sum);
      fp_memory_set (&memory, sums[i].b, 0);
      fp_memory_derive (&memory);
      assert_figure (&memory, sums[i].sum, 3 * KIB);
      fp_memory_set (&memory, sums[i].b, 4 * KIB);
      fp_memory_derive (&memory);
      assert_figure (&memory, sums[i].sum, 7 * KIB);
    }
}

/* A sum that does not fit is no figure, least of all a small one. */
static void
test_sums_do_not_wrap (void)
{
  FpMemory memory;

  scan (&memory, FP_ORIGIN_SMAPS, "Private_Clean: 18014398509481983 kB\nPrivate_Dirty: 18014398509481983 kB\n");
  fp_memory_derive (&memory);
  assert_absent (&memory, FP_FIELD_USS);
}

static void
test_sources_are_kept_apart (void)
{
  static const char text[] = "Rss: 1 kB\nSize: 2 kB\nKernelPageSize: 4 kB\nTHPeligible: 1\nProtectionKey: 15\n"
                             "VmHWM: 3 kB\nVmSwap: 5 kB\nThreads: 7\n";
  FpMemory memory;

  scan (&memory, FP_ORIGIN_SMAPS, text);
  g_assert_cmphex (memory.present, ==, G_GUINT64_CONSTANT (1) << FP_FIELD_RSS);

  scan (&memory, FP_ORIGIN_SMAPS | FP_ORIGIN_MAPPING, text);
  assert_figure (&memory, FP_FIELD_RSS, KIB);
  assert_figure (&memory, FP_FIELD_SIZE, 2 * KIB);
  assert_figure (&memory, FP_FIELD_KERNEL_PAGE_SIZE, 4 * KIB);
  assert_figure (&memory, FP_FIELD_THP_ELIGIBLE, 1);
  assert_figure (&memory, FP_FIELD_PROTECTION_KEY, 15);
  assert_absent (&memory, FP_FIELD_PEAK_RSS);

  scan (&memory, FP_ORIGIN_STATUS, text);
  assert_absent (&memory, FP_FIELD_RSS);
  assert_figure (&memory, FP_FIELD_PEAK_RSS, 3 * KIB);
  assert_figure (&memory, FP_FIELD_VM_SWAP, 5 * KIB);
}

static void
test_status (void)
{
  static const char text[] = "Name:\tVmSwap:\t9 kB\nState:\tS (sleeping)\nUid:\t1000\t1000\t1000\t1000\n"
                             "VmPeak:\t  101 kB\nVmSize:\t  102 kB\nVmLck:\t  103 kB\nVmPin:\t  104 kB\nVmHWM:\t  105 kB\n"
                             "VmRSS:\t  106 kB\nRssAnon:\t  107 kB\nRssFile:\t  108 kB\nRssShmem:\t  109 kB\n"
                             "VmData:\t  110 kB\nVmStk:\t  111 kB\nVmExe:\t  112 kB\nVmLib:\t  113 kB\n"
                             "VmPTE:\t  114 kB\n"
                             "VmSwap:\t  115 kB\nHugetlbPages:\t  116 kB\nThreads:\t4\n";
  static const struct
  {
    FpField field;
    guint64 kilobytes;
  } figures[] = {
    { FP_FIELD_VM_PEAK, 101 },
    { FP_FIELD_VM_SIZE, 102 },
    { FP_FIELD_VM_LOCKED, 103 },
    { FP_FIELD_VM_PINNED, 104 },
    { FP_FIELD_PEAK_RSS, 105 },
    { FP_FIELD_RSS_ANON, 107 },
    { FP_FIELD_RSS_FILE, 108 },
    { FP_FIELD_RSS_SHMEM, 109 },
    { FP_FIELD_VM_DATA, 110 },
    { FP_FIELD_VM_STACK, 111 },
    { FP_FIELD_VM_CODE, 112 },
    { FP_FIELD_VM_LIBRARY, 113 },
    { FP_FIELD_PTE, 114 },
    { FP_FIELD_VM_SWAP, 115 },
    { FP_FIELD_HUGETLB, 116 },
  };
  FpMemory memory;

  scan (&memory, FP_ORIGIN_STATUS, text);
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    assert_figure (&memory, figures[i].field, figures[i].kilobytes * KIB);
  g_assert_cmpint (__builtin_popcountll (memory.present), ==, G_N_ELEMENTS (figures));
}

static void
test_bounds (void)
{
  static const struct
  {
    FpField field, by;
  } bounds[] = {
    { FP_FIELD_PSS, FP_FIELD_RSS },
    { FP_FIELD_USS, FP_FIELD_RSS },
    { FP_FIELD_SHARED, FP_FIELD_RSS },
    { FP_FIELD_SWAP_PSS, FP_FIELD_VM_SWAP },
    { FP_FIELD_MEMORY_AND_SWAP, FP_FIELD_RSS_AND_SWAP },
    { FP_FIELD_PSS_ANON, FP_FIELD_RSS_ANON },
    { FP_FIELD_PSS_ANON, FP_FIELD_RSS },
    { FP_FIELD_PSS_FILE, FP_FIELD_RSS_FILE },
    { FP_FIELD_PSS_SHMEM, FP_FIELD_RSS_SHMEM },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bounds); i++)
    {
      FpMemory memory = { 0 };
      guint64 bound = 0;

      g_assert_false (fp_memory_bound (&memory, bounds[i].field, &bound));
      fp_memory_set (&memory, bounds[i].by, 77 * KIB);
      g_assert_true (fp_memory_bound (&memory, bounds[i].field, &bound));
      g_assert_cmpuint (bound, ==, 77 * KIB);
    }
}

/* The nearest bound that is known holds, and none has itself for a bound. */
static void
test_bounds_nearest (void)
{
  FpMemory memory = { 0 };
  guint64 bound = 0;

  fp_memory_set (&memory, FP_FIELD_RSS, 100 * KIB);
  fp_memory_set (&memory, FP_FIELD_RSS_ANON, 40 * KIB);
  g_assert_true (fp_memory_bound (&memory, FP_FIELD_PSS_ANON, &bound));
  g_assert_cmpuint (bound, ==, 40 * KIB);
  g_assert_false (fp_memory_bound (&memory, FP_FIELD_RSS, &bound));
  g_assert_false (fp_memory_bound (&memory, FP_FIELD_SWAP, &bound));
  g_assert_false (fp_memory_bound (&memory, FP_FIELD_THREADS, &bound));
}

static void
test_clear_sources (void)
{
  FpMemory memory;

  scan (&memory, FP_ORIGIN_SMAPS | FP_ORIGIN_STATUS, "Rss: 4 kB\nPss: 3 kB\nPrivate_Clean: 1 kB\n"
                                                     "Private_Dirty: 1 kB\nVmHWM: 9 kB\n");
  fp_memory_derive (&memory);
  fp_memory_clear_origins (&memory, FP_ORIGIN_SMAPS | FP_ORIGIN_DERIVED);
  assert_absent (&memory, FP_FIELD_RSS);
  assert_absent (&memory, FP_FIELD_PSS);
  assert_absent (&memory, FP_FIELD_USS);
  assert_figure (&memory, FP_FIELD_PEAK_RSS, 9 * KIB);
}

static void
test_table (void)
{
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    {
      for (FpField other = 0; other < field; other++)
        g_assert_cmpstr (fp_field_infos[other].name, !=, fp_field_infos[field].name);
      g_assert_cmpuint (fp_field_infos[field].key_length, ==, strcspn (fp_field_infos[field].key, ":"));
      g_assert_true (g_utf8_validate (fp_field_infos[field].title, -1, NULL));
    }
}

static void
test_range (void)
{
  FpMemory memory = { 0 };
  guint64 low, high;

  fp_memory_set (&memory, FP_FIELD_RSS, 9000);
  g_assert_true (fp_memory_get_ends (&memory, FP_FIELD_PSS, &low, &high));
  g_assert_cmpuint (low, ==, 0);
  g_assert_cmpuint (high, ==, 9000);

  fp_memory_set_range (&memory, FP_FIELD_PSS, 3000, 4000);
  g_assert_false (fp_memory_has (&memory, FP_FIELD_PSS));
  g_assert_true (fp_memory_has_range (&memory, FP_FIELD_PSS));
  g_assert_true (fp_memory_get_ends (&memory, FP_FIELD_PSS, &low, &high));
  g_assert_cmpuint (low, ==, 3000);
  g_assert_cmpuint (high, ==, 4000);
}

static void
test_range_becomes_exact (void)
{
  FpMemory memory = { 0 };

  fp_memory_set_range (&memory, FP_FIELD_USS, 3000, 4000);
  fp_memory_set_range (&memory, FP_FIELD_USS, 5000, 5000);
  g_assert_true (fp_memory_has (&memory, FP_FIELD_USS));
  g_assert_false (fp_memory_has_range (&memory, FP_FIELD_USS));
  g_assert_cmpuint (fp_memory_get (&memory, FP_FIELD_USS), ==, 5000);

  fp_memory_set_range (&memory, FP_FIELD_PSS, 3000, 4000);
  fp_memory_set (&memory, FP_FIELD_PSS, 3500);
  g_assert_false (fp_memory_has_range (&memory, FP_FIELD_PSS));
  g_assert_cmpuint (fp_memory_get (&memory, FP_FIELD_PSS), ==, 3500);

  fp_memory_set_range (&memory, FP_FIELD_PSS, 3000, 4000);
  fp_memory_clear_origins (&memory, FP_ORIGIN_SMAPS);
  g_assert_false (fp_memory_has_range (&memory, FP_FIELD_PSS));
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/proc/memory/rollup", test_rollup);
  g_test_add_func ("/proc/memory/truncated", test_truncated);
  g_test_add_func ("/proc/memory/each-line-missing", test_each_line_missing);
  g_test_add_func ("/proc/memory/any-order", test_any_order);
  g_test_add_func ("/proc/memory/odd-lines", test_odd_lines);
  g_test_add_func ("/proc/memory/hugetlb-is-in-no-other-figure", test_hugetlb_is_in_no_other_figure);
  g_test_add_func ("/proc/memory/sums-need-both-parts", test_sums_need_both_parts);
  g_test_add_func ("/proc/memory/sums-do-not-wrap", test_sums_do_not_wrap);
  g_test_add_func ("/proc/memory/sources-are-kept-apart", test_sources_are_kept_apart);
  g_test_add_func ("/proc/memory/status", test_status);
  g_test_add_func ("/proc/memory/bounds", test_bounds);
  g_test_add_func ("/proc/memory/bounds-nearest", test_bounds_nearest);
  g_test_add_func ("/proc/memory/range", test_range);
  g_test_add_func ("/proc/memory/range-becomes-exact", test_range_becomes_exact);
  g_test_add_func ("/proc/memory/clear-sources", test_clear_sources);
  g_test_add_func ("/proc/memory/table", test_table);
  return g_test_run ();
}
