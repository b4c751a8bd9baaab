// SPDX-License-Identifier: GPL-3.0-or-later
/* What is told of a row in words. */
#include "fixture-snapshot.h"
#include "fp-row-cell.h"

#define MIB (G_GUINT64_CONSTANT (1) << 20)

/* Of a process with 3 MiB that was measured so many seconds before the snapshot */
static char *
explain_memory (gint64 age)
{
  const FpRowStyle style = { .format = { .style = FP_STYLE_IEC }, .nobody = "" };
  g_auto (FixtureSnapshot) fixture = { 0 };
  g_autoptr (FpRecords) records = NULL;
  g_autoptr (FpRows) rows = fp_rows_new ();
  FpProcess *process;

  fixture_snapshot_init (&fixture, 1);
  process = fixture_snapshot_add (&fixture, 7, "program");
  fixture_set_figures (process, 3 * MIB, 4 * MIB, 0);
  process->measured_us -= (guint64)(age * G_USEC_PER_SEC);
  records = fixture_snapshot_make_records (&fixture);
  fp_rows_update (rows, records, &style.format);
  return fp_row_cell_explain (rows, 0, fp_columns_find ("pss", FP_RECORD_PROCESS), &style);
}

static void
assert_explained (gint64 age,
                  const char *expected)
{
  g_autofree char *text = explain_memory (age);

  g_assert_cmpstr (text, ==, expected);
}

/* In a file may stand anything, also what was measured after it was saved. */
static void
test_age (void)
{
  assert_explained (12, "Memory: 3.0 MiB\nMeasured 12 s ago");
  assert_explained (0, "Memory: 3.0 MiB\nMeasured 0 s ago");
  assert_explained (-5, "Memory: 3.0 MiB\nMeasured 0 s ago");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/row-cell/age", test_age);
  return g_test_run ();
}
