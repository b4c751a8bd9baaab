// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>
#include <unistd.h>

#include "fixture.h"
#include "fp-system.h"

#define KIB   G_GUINT64_CONSTANT (1024)
#define SWAPS "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"

typedef void (*Parse) (FpSystem *system, const char *text, gsize length);

static void
parse_length (FpSystem *system,
              Parse parse,
              const char *text,
              gsize length)
{
  /* Without a byte behind its end, so that a sanitizer sees a reading past it. */
  g_autofree char *exact = g_memdup2 (text, MAX (length, 1));

  *system = (FpSystem){ 0 };
  parse (system, exact, length);
}

static void
parse_text (FpSystem *system,
            Parse parse,
            const char *text)
{
  parse_length (system, parse, text, strlen (text));
}

static void
assert_figure (const FpSystem *system,
               FpSystemField field,
               guint64 figure)
{
  g_assert_true (fp_system_has (system, field));
  g_assert_cmpuint (fp_system_get (system, field), ==, figure);
}

static void
assert_absent (const FpSystem *system,
               FpSystemField field)
{
  g_assert_false (fp_system_has (system, field));
}

static char *
read_desktop (const char *name)
{
  g_autofree char *root = fixture_get_original ("desktop");
  g_autofree char *path = g_build_filename (root, name, NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

/* Every key of the table, each with a figure of its own, in the opposite order. */
static void
test_meminfo (void)
{
  g_autoptr (GString) text = g_string_new ("VmallocTotal: 34359738367 kB\nHugePages_Total: 5\n");
  FpSystem system;
  guint n = 0;

  for (FpSystemField field = FP_N_SYSTEM_FIELDS; field-- > 0;)
    if (fp_system_field_infos[field].origin == FP_SYSTEM_ORIGIN_MEMINFO)
      g_string_append_printf (text, "%s:    %u kB\n", fp_system_field_infos[field].key, 1000 + field);
  parse_text (&system, fp_system_parse_meminfo, text->str);
  for (FpSystemField field = 0; field < FP_N_SYSTEM_FIELDS; field++)
    if (fp_system_field_infos[field].origin == FP_SYSTEM_ORIGIN_MEMINFO)
      {
        assert_figure (&system, field, (1000 + field) * KIB);
        n++;
      }
  g_assert_cmpint (__builtin_popcountll (system.present), ==, n);
  g_assert_cmpuint (n, >=, 40);
}

static void
test_meminfo_odd (void)
{
  FpSystem system;

  parse_text (&system, fp_system_parse_meminfo, "MemTotal: 5\nMemFree:\nCached: -3 kB\n"
                                                "SwapTotal: 18014398509481984 kB\nShmem 4 kB\nBuffers: 18014398509481983 kB\nSlab: 7 kB");
  assert_absent (&system, FP_SYSTEM_MEM_TOTAL);
  assert_absent (&system, FP_SYSTEM_MEM_FREE);
  assert_absent (&system, FP_SYSTEM_CACHED);
  assert_absent (&system, FP_SYSTEM_SWAP_TOTAL);
  assert_absent (&system, FP_SYSTEM_SHMEM);
  assert_figure (&system, FP_SYSTEM_BUFFERS, G_MAXUINT64 - 1023);
  assert_figure (&system, FP_SYSTEM_SLAB, 7 * KIB);
  parse_text (&system, fp_system_parse_meminfo, "");
  g_assert_cmphex (system.present, ==, 0);
}

static void
assert_no_wrong_figure (Parse parse,
                        const char *text)
{
  FpSystem whole;

  parse_text (&whole, parse, text);
  for (gsize length = 0; length < strlen (text); length++)
    {
      FpSystem system;

      parse_length (&system, parse, text, length);
      g_assert_cmphex (system.present & ~whole.present, ==, 0);
      for (FpSystemField field = 0; field < FP_N_SYSTEM_FIELDS; field++)
        if (fp_system_has (&system, field))
          g_assert_cmpuint (fp_system_get (&system, field), ==, fp_system_get (&whole, field));
      for (guint i = 0; i < system.n_swaps; i++)
        {
          g_assert_cmpuint (system.swaps[i].size, ==, whole.swaps[i].size);
          g_assert_cmpuint (system.swaps[i].used, ==, whole.swaps[i].used);
        }
    }
}

static void
test_meminfo_truncated (void)
{
  g_autofree char *text = read_desktop ("proc/meminfo");

  assert_no_wrong_figure (fp_system_parse_meminfo, text);
}

static void
test_others_truncated (void)
{
  g_autofree char *vmstat = read_desktop ("proc/vmstat");
  g_autofree char *pressure = read_desktop ("proc/pressure/memory");
  g_autofree char *loadavg = read_desktop ("proc/loadavg");
  g_autofree char *swaps = read_desktop ("proc/swaps");

  assert_no_wrong_figure (fp_system_parse_pressure, pressure);
  assert_no_wrong_figure (fp_system_parse_loadavg, loadavg);
  assert_no_wrong_figure (fp_system_parse_vmstat, vmstat);
  assert_no_wrong_figure (fp_system_parse_swaps, swaps);
}

static void
test_vmstat (void)
{
  FpSystem system;
  guint64 page = (guint64)sysconf (_SC_PAGESIZE);

  parse_text (&system, fp_system_parse_vmstat, "nr_free_pages 1\nxpswpin 9\npswpin 12\npswpin_zero 9\n"
                                               "pswpout 345\npgmajfault 0\nnr_zspages 77\noom_kill 3\n");
  assert_figure (&system, FP_SYSTEM_SWAP_INS, 12);
  assert_figure (&system, FP_SYSTEM_SWAP_OUTS, 345);
  assert_figure (&system, FP_SYSTEM_MAJOR_FAULTS, 0);
  assert_figure (&system, FP_SYSTEM_ZS_PAGES, 77 * page);
  assert_figure (&system, FP_SYSTEM_OOM_KILLS, 3);
  parse_text (&system, fp_system_parse_vmstat, "swap_ra 1\npswpin x\npswpout\nnr_zspages 18446744073709551615\n");
  g_assert_cmphex (system.present, ==, 0);
}

/* A text that does not fit 64 bits is no number. */
static void
test_vmstat_overflow (void)
{
  FpSystem system;

  parse_text (&system, fp_system_parse_vmstat, "pswpin 99999999999999999999999\npswpout 18446744073709551616\n");
  g_assert_cmphex (system.present, ==, 0);
}

static void
test_pressure (void)
{
  FpSystem system;

  parse_text (&system, fp_system_parse_pressure, "some avg10=0.25 avg60=1.50 avg300=100.00 total=123456789012\n"
                                                 "full avg10=0.00 avg60=99.99 avg300=7.03 total=0\n");
  assert_figure (&system, FP_SYSTEM_PRESSURE_SOME_US, 123456789012);
  assert_figure (&system, FP_SYSTEM_PRESSURE_FULL_US, 0);
  assert_figure (&system, FP_SYSTEM_PRESSURE_SOME_10, 25);
  assert_figure (&system, FP_SYSTEM_PRESSURE_SOME_60, 150);
  assert_figure (&system, FP_SYSTEM_PRESSURE_SOME_300, 10000);
  assert_figure (&system, FP_SYSTEM_PRESSURE_FULL_10, 0);
  assert_figure (&system, FP_SYSTEM_PRESSURE_FULL_60, 9999);
  assert_figure (&system, FP_SYSTEM_PRESSURE_FULL_300, 703);
  parse_text (&system, fp_system_parse_pressure, "full avg10=1.25\n");
  assert_figure (&system, FP_SYSTEM_PRESSURE_FULL_10, 125);
  assert_absent (&system, FP_SYSTEM_PRESSURE_SOME_10);
}

static void
test_pressure_odd (void)
{
  static const char *const texts[] = { "", "some\n", "some avg10=\n", "some avg10=x.00\n", "some avg10=1\n",
                                       "some avg10=1.5\n", "some avg10=999.00\n", "some avg10=99999999999999999999.00\n", "some avg10=-1.00\n",
                                       "other avg10=1.00\n", "some total=\n", "some total=x\n", "some total=12",
                                       "some total=99999999999999999999\n" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      FpSystem system;

      parse_text (&system, fp_system_parse_pressure, texts[i]);
      g_assert_cmphex (system.present, ==, 0);
    }
}

/* A line that lacks a value has not that of the next line. */
static void
test_pressure_lines_apart (void)
{
  FpSystem system;

  parse_text (&system, fp_system_parse_pressure, "some avg10=0.25 total=1\n"
                                                 "full avg10=0.00 avg60=99.99 avg300=7.03 total=2\n");
  assert_figure (&system, FP_SYSTEM_PRESSURE_SOME_10, 25);
  assert_absent (&system, FP_SYSTEM_PRESSURE_SOME_60);
  assert_absent (&system, FP_SYSTEM_PRESSURE_SOME_300);
}

static void
test_loadavg (void)
{
  FpSystem system;

  parse_text (&system, fp_system_parse_loadavg, "0.52 0.41 0.33 2/1234 99999\n");
  assert_figure (&system, FP_SYSTEM_TASKS, 1234);
  parse_text (&system, fp_system_parse_loadavg, "0.52 0.41 0.33 2/\n");
  assert_absent (&system, FP_SYSTEM_TASKS);
  parse_text (&system, fp_system_parse_loadavg, "0.52 0.41\n");
  assert_absent (&system, FP_SYSTEM_TASKS);
}

static void
assert_swap (const FpSwap *swap,
             const char *name,
             FpSwapType type,
             guint64 kilobytes,
             guint64 used,
             gint priority)
{
  g_assert_cmpstr (swap->name, ==, name);
  g_assert_cmpint (swap->type, ==, type);
  g_assert_cmpuint (swap->size, ==, kilobytes * KIB);
  g_assert_cmpuint (swap->used, ==, used * KIB);
  g_assert_cmpint (swap->priority, ==, priority);
}

static void
test_swaps (void)
{
  FpSystem system;

  parse_text (&system, fp_system_parse_swaps,
              SWAPS "/dev/zram0                              partition\t8388604\t\t46848\t\t100\n"
                    "/dev/dm-1                               partition\t1000\t\t0\t\t-2\n"
                    "/swapfile                               file\t\t2097148\t\t36864\t\t-3\n");
  g_assert_cmpuint (system.n_swaps, ==, 3);
  assert_swap (&system.swaps[0], "/dev/zram0", FP_SWAP_ZRAM, 8388604, 46848, 100);
  assert_swap (&system.swaps[1], "/dev/dm-1", FP_SWAP_PARTITION, 1000, 0, -2);
  assert_swap (&system.swaps[2], "/swapfile", FP_SWAP_FILE, 2097148, 36864, -3);
  parse_text (&system, fp_system_parse_swaps, SWAPS);
  g_assert_cmpuint (system.n_swaps, ==, 0);
  parse_text (&system, fp_system_parse_swaps, "");
  g_assert_cmpuint (system.n_swaps, ==, 0);
}

/* A long name leaves one blank only, a name of 40 a tab. */
static void
test_swaps_forms (void)
{
  FpSystem system;

  parse_text (&system, fp_system_parse_swaps,
              SWAPS "/mnt/a/very/long/path/to/the/swap/file/of/this/machine file\t\t1\t\t1\t\t-2\n/a\tfile\t2\t1\t32767\n"
                    "broken\n/b file x 1 1\n/c file 3 x 1\n/d file 18014398509481984 1 1\n/e file 4 2 -1\n");
  g_assert_cmpuint (system.n_swaps, ==, 3);
  assert_swap (&system.swaps[0], "/mnt/a/very/long/path/to/the/swap/file/of/this/machine", FP_SWAP_FILE, 1, 1, -2);
  assert_swap (&system.swaps[1], "/a", FP_SWAP_FILE, 2, 1, 32767);
  assert_swap (&system.swaps[2], "/e", FP_SWAP_FILE, 4, 2, -1);
}

/* The kernel writes blanks, newlines and backslashes of a name in octal; what is shown is the name. */
static void
test_swaps_escaped_names (void)
{
  FpSystem system;

  parse_text (
      &system, fp_system_parse_swaps,
      SWAPS
      "/mnt/a\\040b\\134c\\011d\\012                      file\t\t2000\t\t20\t\t5\n"
      "/swapfile\\040(deleted)                  file\t\t3000\t\t30\t\t-3\n/dev/zram0\\040(deleted) partition\t1\t1\t1\n");
  g_assert_cmpuint (system.n_swaps, ==, 3);
  assert_swap (&system.swaps[0], "/mnt/a b\\c\td\n", FP_SWAP_FILE, 2000, 20, 5);
  assert_swap (&system.swaps[1], "/swapfile (deleted)", FP_SWAP_FILE, 3000, 30, -3);
}

static void
test_swaps_too_many (void)
{
  g_autoptr (GString) text = g_string_new (SWAPS);
  FpSystem system;

  for (guint i = 0; i < 40; i++)
    g_string_append_printf (text, "/dev/sd%u partition\t%u\t\t0\t\t-2\n", i, i + 1);
  parse_text (&system, fp_system_parse_swaps, text->str);
  g_assert_cmpuint (system.n_swaps, ==, FP_MAX_SWAPS);
  assert_swap (&system.swaps[FP_MAX_SWAPS - 1], "/dev/sd31", FP_SWAP_PARTITION, 32, 0, -2);
}

static void
test_swap_used (void)
{
  FpSystem system;
  guint64 used = 9;

  parse_text (&system, fp_system_parse_meminfo, "SwapTotal: 100 kB\nSwapFree: 60 kB\n");
  g_assert_true (fp_system_get_swap_used (&system, &used));
  g_assert_cmpuint (used, ==, 40 * KIB);
  parse_text (&system, fp_system_parse_meminfo, "SwapTotal: 100 kB\nSwapFree: 200 kB\n");
  g_assert_true (fp_system_get_swap_used (&system, &used));
  g_assert_cmpuint (used, ==, 0);
  parse_text (&system, fp_system_parse_meminfo, "SwapTotal: 100 kB\n");
  g_assert_false (fp_system_get_swap_used (&system, &used));
}

static void
test_zram (void)
{
  static const char text[] = "67112960 12137740 12591104        0 12591104       20        0        0        0\n";
  FpSwap swap = { 0 };

  g_assert_true (fp_swap_parse_zram (&swap, text, strlen (text)));
  g_assert_cmpuint (swap.stored, ==, 67112960);
  g_assert_cmpuint (swap.compressed, ==, 12137740);
  g_assert_cmpuint (swap.cost, ==, 12591104);
  for (gsize length = 0; length < strlen ("67112960 12137740 12591104 "); length++)
    {
      g_autofree char *exact = g_memdup2 (text, MAX (length, 1));

      g_assert_false (fp_swap_parse_zram (&swap, exact, length));
    }
}

static void
read_system (const Fixture *fixture,
             FpSystem *system)
{
  FpProcDir proc;

  g_assert_true (fp_proc_dir_open (&proc, fixture->proc, NULL));
  memset (system, 0xa5, sizeof *system);
  fp_system_read (system, &proc);
  fp_proc_dir_close (&proc);
}

static void
test_read (void)
{
  g_auto (Fixture) fixture = { 0 };
  FpSystem system;
  guint64 page = (guint64)sysconf (_SC_PAGESIZE);

  fixture_copy (&fixture, "desktop");
  read_system (&fixture, &system);
  assert_figure (&system, FP_SYSTEM_MEM_TOTAL, 6658196 * KIB);
  assert_figure (&system, FP_SYSTEM_OOM_KILLS, 1);
  assert_figure (&system, FP_SYSTEM_PRESSURE_FULL_60, 75);
  assert_figure (&system, FP_SYSTEM_KSM_SHARED, 64 * page);
  assert_figure (&system, FP_SYSTEM_KSM_SHARING, 16320 * page);
  assert_figure (&system, FP_SYSTEM_KSM_ZERO, 8 * page);
  assert_figure (&system, FP_SYSTEM_ZRAM_STORED, 46848 * KIB);
  assert_figure (&system, FP_SYSTEM_ZRAM_COMPRESSED, 11534336);
  assert_figure (&system, FP_SYSTEM_ZRAM_USED, 12288 * KIB);
  g_assert_cmpuint (system.n_swaps, ==, 2);
  g_assert_cmpuint (system.swaps[0].cost, ==, 12288 * KIB);
  g_assert_cmpuint (system.swaps[0].stored, ==, 46848 * KIB);
  g_assert_cmpuint (system.swaps[1].cost, ==, 0);
  g_assert_cmpuint (system.n_huge_pools, ==, 2);
  g_assert_cmpuint (system.huge_pools[0].page_size, ==, 2048 * KIB);
  g_assert_cmpuint (system.huge_pools[0].n_total, ==, 32);
  g_assert_cmpuint (system.huge_pools[0].n_free, ==, 30);
  g_assert_cmpuint (system.huge_pools[0].n_reserved, ==, 1);
  g_assert_cmpuint (system.huge_pools[0].n_surplus, ==, 0);
}

/* Mounted with subset=pid, or an old kernel: what is not there is absent. */
static void
test_read_nothing (void)
{
  g_auto (Fixture) fixture = { 0 };
  FpSystem system;

  fixture_make_empty (&fixture);
  read_system (&fixture, &system);
  g_assert_cmphex (system.present, ==, 0);
  g_assert_cmpuint (system.n_swaps, ==, 0);
  g_assert_cmpuint (system.n_huge_pools, ==, 0);
  fixture_write (&fixture, "meminfo", "", 0);
  fixture_write (&fixture, "../sys/block/zram0/mm_stat", "x\n", 2);
  fixture_write (&fixture, "../sys/kernel/mm/ksm/pages_shared", "\n", 1);
  read_system (&fixture, &system);
  g_assert_cmphex (system.present, ==, 0);
}

/* Disks are numbered as they are made: the first may have been removed again. */
static void
test_read_zram_gap (void)
{
  g_auto (Fixture) fixture = { 0 };
  FpSystem system;

  fixture_make_empty (&fixture);
  fixture_write (&fixture, "../sys/block/zram1/mm_stat", "4096 100 8192 0 0 0 0\n", -1);
  fixture_write (&fixture, "../sys/block/zram3/mm_stat", "4096 100 8192 0 0 0 0\n", -1);
  read_system (&fixture, &system);
  assert_figure (&system, FP_SYSTEM_ZRAM_USED, 16384);
}

/* One disk is swap, the other holds files. Where the list of swap areas is not whole, nothing tells them apart. */
static void
test_plain_zram (void)
{
  g_auto (Fixture) fixture = { 0 };
  guint64 stored, cost;
  FpSystem system;

  fixture_make_empty (&fixture);
  fixture_write (&fixture, "meminfo", "MemTotal: 1000 kB\nSwapTotal: 64 kB\nSwapFree: 32 kB\n", -1);
  fixture_write (&fixture, "swaps", "F T S U P\n/dev/zram0 partition 64 32 5\n", -1);
  fixture_write (&fixture, "../sys/block/zram0/mm_stat", "4096 100 8192 0 0 0 0\n", -1);
  read_system (&fixture, &system);
  g_assert_false (fp_system_get_plain_zram (&system, &stored, &cost));
  fixture_write (&fixture, "../sys/block/zram1/mm_stat", "65536 100 12288 0 0 0 0\n", -1);
  read_system (&fixture, &system);
  g_assert_true (fp_system_get_plain_zram (&system, &stored, &cost));
  g_assert_cmpuint (stored, ==, 65536);
  g_assert_cmpuint (cost, ==, 12288);
  assert_figure (&system, FP_SYSTEM_ZRAM_USED, 20480);
  fixture_write (&fixture, "meminfo", "MemTotal: 1000 kB\nSwapTotal: 65 kB\nSwapFree: 32 kB\n", -1);
  read_system (&fixture, &system);
  g_assert_false (fp_system_get_plain_zram (&system, &stored, &cost));
}

/* The only one, and far from the first: /proc/swaps names it. */
static void
test_read_zram_of_swaps (void)
{
  g_auto (Fixture) fixture = { 0 };
  FpSystem system;

  fixture_make_empty (&fixture);
  fixture_write (&fixture, "swaps", "F T S U P\n/dev/zram5 partition 64 32 5\n/dev/zram0x partition 64 32 5\n", -1);
  fixture_write (&fixture, "../sys/block/zram5/mm_stat", "4096 100 8192 0 0 0 0\n", -1);
  read_system (&fixture, &system);
  assert_figure (&system, FP_SYSTEM_ZRAM_USED, 8192);
  g_assert_true (fp_swap_has_cost (&system.swaps[0]));
  g_assert_cmpuint (system.swaps[0].stored, ==, 4096);
  g_assert_cmpuint (system.swaps[0].compressed, ==, 100);
  g_assert_cmpuint (system.swaps[0].cost, ==, 8192);
  g_assert_false (fp_swap_has_cost (&system.swaps[1]));
}

/* Without mm_stat, or with a damaged one, what it costs is not 0 but unknown. */
static void
test_read_zram_unknown (void)
{
  g_auto (Fixture) fixture = { 0 };
  FpSystem system;

  fixture_make_empty (&fixture);
  fixture_write (&fixture, "swaps", "F T S U P\n/dev/zram0 partition 64 32 5\n/dev/zram1 partition 64 32 5\n", -1);
  fixture_write (&fixture, "../sys/block/zram1/mm_stat", "4096 x\n", -1);
  read_system (&fixture, &system);
  g_assert_false (fp_system_has (&system, FP_SYSTEM_ZRAM_USED));
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpint (system.swaps[i].type, ==, FP_SWAP_ZRAM);
      g_assert_cmpuint (system.swaps[i].used, ==, 32 * KIB);
      g_assert_false (fp_swap_has_cost (&system.swaps[i]));
    }
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/proc/system/meminfo", test_meminfo);
  g_test_add_func ("/proc/system/meminfo-odd", test_meminfo_odd);
  g_test_add_func ("/proc/system/meminfo-truncated", test_meminfo_truncated);
  g_test_add_func ("/proc/system/others-truncated", test_others_truncated);
  g_test_add_func ("/proc/system/vmstat", test_vmstat);
  g_test_add_func ("/proc/system/vmstat-overflow", test_vmstat_overflow);
  g_test_add_func ("/proc/system/pressure", test_pressure);
  g_test_add_func ("/proc/system/pressure-odd", test_pressure_odd);
  g_test_add_func ("/proc/system/pressure-lines-apart", test_pressure_lines_apart);
  g_test_add_func ("/proc/system/loadavg", test_loadavg);
  g_test_add_func ("/proc/system/swaps", test_swaps);
  g_test_add_func ("/proc/system/swaps-forms", test_swaps_forms);
  g_test_add_func ("/proc/system/swaps-escaped-names", test_swaps_escaped_names);
  g_test_add_func ("/proc/system/swaps-too-many", test_swaps_too_many);
  g_test_add_func ("/proc/system/swap-used", test_swap_used);
  g_test_add_func ("/proc/system/zram", test_zram);
  g_test_add_func ("/proc/system/read", test_read);
  g_test_add_func ("/proc/system/read-nothing", test_read_nothing);
  g_test_add_func ("/proc/system/read-zram-gap", test_read_zram_gap);
  g_test_add_func ("/proc/system/read-zram-of-swaps", test_read_zram_of_swaps);
  g_test_add_func ("/proc/system/plain-zram", test_plain_zram);
  g_test_add_func ("/proc/system/read-zram-unknown", test_read_zram_unknown);
  return g_test_run ();
}
