// SPDX-License-Identifier: GPL-3.0-or-later
/* What processes come to, in words. */
#include "fixture-snapshot.h"
#include "fp-sum.h"

#define MIB (G_GUINT64_CONSTANT (1) << 20)

/* The parts of the machine's memory, all else than this being cache */
static char *
describe_machine (guint64 of_processes,
                  guint64 anonymous,
                  guint64 cached)
{
  const FpFormat format = { .style = FP_STYLE_EXACT };
  g_auto (FixtureSnapshot) fixture = { 0 };
  g_autoptr (FpRecords) records = NULL;
  FpSystem *system;

  fixture_snapshot_init (&fixture, 1);
  system = &fixture.snapshot->system;
  fp_system_set (system, FP_SYSTEM_MEM_TOTAL, 1000 * MIB);
  fp_system_set (system, FP_SYSTEM_MEM_FREE, 600 * MIB);
  fp_system_set (system, FP_SYSTEM_SLAB, 1000 * MIB - 600 * MIB - anonymous - cached);
  fp_system_set (system, FP_SYSTEM_ANON_PAGES, anonymous);
  fp_system_set (system, FP_SYSTEM_CACHED, cached);
  fixture_set_figures (fixture_snapshot_add (&fixture, 1, "all"), of_processes, of_processes, 0);
  records = fixture_snapshot_make_records (&fixture);
  return fp_sum_describe_machine (records, &format);
}

static void
assert_adds_up (guint64 of_processes,
                guint64 anonymous,
                guint64 cached)
{
  g_autofree char *text = describe_machine (of_processes, anonymous, cached);
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  gint64 sum = 0, sign = 1;

  g_test_message ("%s", text);
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

/* Also where processes were measured when they had more than there is of it now. */
static void
test_machine (void)
{
  assert_adds_up (100 * MIB, 100 * MIB, 50 * MIB);
  assert_adds_up (30 * MIB, 100 * MIB, 50 * MIB);
  assert_adds_up (250 * MIB, 100 * MIB, 50 * MIB);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sum/machine", test_machine);
  return g_test_run ();
}
