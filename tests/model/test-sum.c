// SPDX-License-Identifier: GPL-3.0-or-later
/* The sum of processes in words. */
#include "fixture-snapshot.h"
#include "fp-sum.h"
#include "fp-totals.h"

#define MIB (G_GUINT64_CONSTANT (1) << 20)

/* A machine of 1000 MiB; all else than this and what is free is the kernel's */
static char *
describe_machine (guint64 of_processes,
                  guint64 anonymous,
                  guint64 cached)
{
  const FpFormat format = { .style = FP_STYLE_EXACT };
  g_auto (FixtureSnapshot) fixture = { 0 };
  g_autoptr (FpRecords) records = NULL, sum = NULL;
  FpSystem *system;

  fixture_snapshot_init (&fixture, 1);
  system = &fixture.snapshot->system;
  fp_system_set (system, FP_SYSTEM_MEM_TOTAL, 1000 * MIB);
  fp_system_set (system, FP_SYSTEM_MEM_FREE, 600 * MIB);
  fp_system_set (system, FP_SYSTEM_SLAB, 1000 * MIB - 600 * MIB - anonymous - cached);
  fp_system_set (system, FP_SYSTEM_ANON_PAGES, anonymous);
  fp_system_set (system, FP_SYSTEM_CACHED, cached);
  fp_system_set (system, FP_SYSTEM_MAPPED, cached / 5);
  fixture_set_figures (fixture_snapshot_add (&fixture, 1, "all"), of_processes, of_processes, 0);
  records = fixture_snapshot_make_records (&fixture);
  sum = fp_totals_new (records, NULL, records->n, NULL, NULL);
  return fp_sum_describe_machine (system, sum, NULL, &format);
}

static void
assert_adds_up (guint64 of_processes,
                guint64 anonymous,
                guint64 cached)
{
  g_autofree char *text = describe_machine (of_processes, anonymous, cached);
  g_autoptr (GString) plain = g_string_new (text);
  g_auto (GStrv) words = NULL;
  gint64 sum = 0, sign = 1;

  g_test_message ("%s", text);
  g_string_replace (plain, "\u00a0", " ", 0);
  words = g_strsplit (plain->str, " ", -1);
  for (guint i = 0; words[i]; i++)
    {
      guint64 number;

      if (g_str_has_prefix (words[i], "−"))
        sign = -1;
      if (g_str_equal (words[i], "="))
        break;
      if (!g_ascii_string_to_unsigned (words[i], 10, 0, G_MAXUINT64, &number, NULL))
        continue;
      sum += sign * (gint64)number;
      sign = 1;
    }
  g_assert_cmpint (sum, ==, 1000 * (gint64)MIB);
}

/* It has the lines of the view of the machine, and adds up to its memory: also where processes were measured when they had
 * more than there is of it now. */
static void
test_machine (void)
{
  g_autofree char *text = describe_machine (90 * MIB, 100 * MIB, 50 * MIB);

  g_assert_cmpstr (text, ==, "Programs\u00a0115343360 + Cache\u00a041943040 + Kernel\u00a0262144000 + Free\u00a0629145600 =\u00a01048576000");
  assert_adds_up (100 * MIB, 100 * MIB, 50 * MIB);
  assert_adds_up (30 * MIB, 100 * MIB, 50 * MIB);
  assert_adds_up (250 * MIB, 100 * MIB, 50 * MIB);
}

/* The kernel's count for all programs stands beside the sum of processes, which were read at other moments. */
static void
test_programs (void)
{
  const FpFormat format = { .style = FP_STYLE_IEC };
  g_auto (FixtureSnapshot) fixture = { 0 };
  g_autoptr (FpRecords) records = NULL, sum = NULL;
  g_autofree char *words = NULL, *less = NULL, *hidden = NULL, *unknown = NULL;
  FpSystem nothing = { 0 };

  fixture_snapshot_init (&fixture, 1);
  fp_system_set (&fixture.snapshot->system, FP_SYSTEM_MEM_TOTAL, 1000 * MIB);
  fp_system_set (&fixture.snapshot->system, FP_SYSTEM_ANON_PAGES, 700 * MIB);
  fp_system_set (&fixture.snapshot->system, FP_SYSTEM_MAPPED, 31 * MIB);
  fixture_set_figures (fixture_snapshot_add (&fixture, 1, "all"), 700 * MIB, 700 * MIB, 0);
  records = fixture_snapshot_make_records (&fixture);
  sum = fp_totals_new (records, NULL, records->n, NULL, NULL);
  words = fp_sum_describe_programs (&fixture.snapshot->system, sum, &format);
  g_assert_cmpstr (words, ==,
                   "The kernel counts 731\u00a0MiB for all programs together. What is missing here belongs to no process that could be read, or came while they were read.");
  fp_system_set (&fixture.snapshot->system, FP_SYSTEM_ANON_PAGES, 600 * MIB);
  less = fp_sum_describe_programs (&fixture.snapshot->system, sum, &format);
  g_assert_cmpstr (less, ==, "The kernel counts 631\u00a0MiB for all programs together. They changed here while they were read one after another.");
  fp_system_set (&fixture.snapshot->system, FP_SYSTEM_ANON_PAGES, 700 * MIB);
  fp_system_set (&fixture.snapshot->system, FP_SYSTEM_HIDDEN_TASKS, 1);
  hidden = fp_sum_describe_programs (&fixture.snapshot->system, sum, &format);
  g_assert_cmpstr (hidden, ==, "All programs together had 731\u00a0MiB, with those that can’t be seen here.");
  unknown = fp_sum_describe_programs (&nothing, sum, &format);
  g_assert_null (unknown);
}

/* swapped: of the only process, while 60 MiB of swap are used */
static void
assert_rest_of_swap (guint64 swapped,
                     gboolean is_said)
{
  const FpFormat format = { .style = FP_STYLE_IEC };
  g_auto (FixtureSnapshot) fixture = { 0 };
  g_autoptr (FpRecords) records = NULL, sum = NULL;
  g_autofree char *words = NULL;
  FpSystem *system;

  fixture_snapshot_init (&fixture, 1);
  system = &fixture.snapshot->system;
  fp_system_set (system, FP_SYSTEM_MEM_TOTAL, 1000 * MIB);
  fp_system_set (system, FP_SYSTEM_ANON_PAGES, 700 * MIB);
  fp_system_set (system, FP_SYSTEM_MAPPED, 31 * MIB);
  fp_system_set (system, FP_SYSTEM_SWAP_TOTAL, 100 * MIB);
  fp_system_set (system, FP_SYSTEM_SWAP_FREE, 40 * MIB);
  fixture_set_figures (fixture_snapshot_add (&fixture, 1, "all"), 700 * MIB, 700 * MIB, swapped);
  records = fixture_snapshot_make_records (&fixture);
  sum = fp_totals_new (records, NULL, records->n, NULL, NULL);
  words = fp_sum_describe_programs (system, sum, &format);
  g_assert_true (g_str_has_suffix (words, "60.0\u00a0MiB of swap is used in all, also by files and by memory of no process that was measured.") ==
                 is_said);
}

/* All of swap is not told again where the processes have all of it. */
static void
test_rest_of_swap (void)
{
  assert_rest_of_swap (20 * MIB, TRUE);
  assert_rest_of_swap (60 * MIB, FALSE);
}

/* A process that was read 4 seconds ago; besides, the sum of it and one of 1 MiB that was read now */
static void
assert_use (void (*let_change) (FpMemory *memory),
            const char *of_process,
            const char *of_sum)
{
  const FpFormat format = { .style = FP_STYLE_IEC };
  g_auto (FixtureSnapshot) fixture = { 0 };
  g_autoptr (FpRecords) records = NULL, sum = NULL;
  g_autofree char *process_text = NULL, *sum_text = NULL;
  FpProcess *process;

  fixture_snapshot_init (&fixture, 2);
  process = fixture_snapshot_add (&fixture, 1, "giant");
  fixture_set_figures (process, 1024 * MIB, 1536 * MIB, 0);
  process->measured_us -= 4 * G_USEC_PER_SEC;
  let_change (&process->memory);
  fixture_set_figures (fixture_snapshot_add (&fixture, 2, "small"), MIB, MIB, 0);
  records = fixture_snapshot_make_records (&fixture);
  sum = fp_totals_new (records, NULL, records->n, NULL, NULL);
  process_text = fp_sum_describe_use (records, 0, &format);
  sum_text = fp_sum_describe_use (sum, 0, &format);
  g_test_message ("%s", process_text);
  g_assert_true (g_str_has_prefix (process_text, of_process));
  g_assert_true (g_str_has_prefix (sum_text, of_sum));
}

static void
let_grow (FpMemory *memory)
{
  fp_memory_set_range (memory, FP_FIELD_PSS, 1024 * MIB, 1124 * MIB);
  fp_memory_set (memory, FP_FIELD_USS, 1024 * MIB);
}

static void
let_grow_little (FpMemory *memory)
{
  fp_memory_set_range (memory, FP_FIELD_PSS, 1024 * MIB, 1025 * MIB);
}

static void
let_swap (FpMemory *memory)
{
  let_grow_little (memory);
  fp_memory_set_range (memory, FP_FIELD_SWAP_PSS, 100 * MIB, 300 * MIB);
}

static void
leave (FpMemory *memory)
{
  fp_memory_set (memory, FP_FIELD_USS, 1000 * MIB);
}

static void
keep_all (FpMemory *memory)
{
  fp_memory_set (memory, FP_FIELD_USS, 1024 * MIB);
}

static void
hide (FpMemory *memory)
{
  memory->present &= ~(G_GUINT64_CONSTANT (1) << FP_FIELD_PSS);
}

/* Its private memory is told from its share of the rest only where one reading gave both. */
static void
test_use (void)
{
  assert_use (leave, "Uses 1000\u00a0MiB by itself and 24.0\u00a0MiB as its share", "Uses 1.0\u00a0GiB.");
  assert_use (keep_all, "Uses 1.0\u00a0GiB, all of it by itself.", "Uses 1.0\u00a0GiB.");
  assert_use (let_grow,
              "Uses between 1.00\u00a0GiB and 1.10\u00a0GiB: it was read 4 seconds ago, and it has changed since.",
              "Uses between 1.00\u00a0GiB and 1.10\u00a0GiB; some of it has changed since it was read.");
  assert_use (let_grow_little, "Uses 1.0\u00a0GiB.", "Uses 1.0\u00a0GiB.");
  assert_use (let_swap, "Uses 1.0\u00a0GiB. It also has between 100\u00a0MiB and 300\u00a0MiB in swap.", "Uses 1.0\u00a0GiB. It");
  assert_use (hide, "Uses at most 1.5\u00a0GiB;", "Uses at least 1.0\u00a0MiB; some of it is not measured.");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sum/machine", test_machine);
  g_test_add_func ("/sum/programs", test_programs);
  g_test_add_func ("/sum/rest-of-swap", test_rest_of_swap);
  g_test_add_func ("/sum/use", test_use);
  return g_test_run ();
}
