// SPDX-License-Identifier: GPL-3.0-or-later
/* The words that a row has for a screen reader. */
#include "fixture-snapshot.h"
#include "fp-row-cell.h"

#define MIB (G_GUINT64_CONSTANT (1) << 20)

/* A process with 3 MiB that was measured so many seconds before the snapshot, alone or beside one of which the memory is
 * between 1,210 and 1,250 MiB */
typedef struct
{
  FpRowStyle style;
  FpRows *rows;
} Fixture;

static void
set_up (Fixture *self,
        gint64 age,
        gboolean has_range)
{
  g_auto (FixtureSnapshot) snapshot = { 0 };
  g_autoptr (FpRecords) records = NULL;
  FpProcess *process;

  self->style = (FpRowStyle){ .format = { .style = FP_STYLE_IEC }, .nobody = "" };
  self->rows = fp_rows_new ();
  fixture_snapshot_init (&snapshot, 2);
  process = fixture_snapshot_add (&snapshot, 7, "program");
  fixture_set_figures (process, 3 * MIB, 4 * MIB, 0);
  process->measured_us -= (guint64)(age * G_USEC_PER_SEC);
  if (has_range)
    {
      process = fixture_snapshot_add (&snapshot, 8, "giant");
      fixture_set_figures (process, 0, 1300 * MIB, 0);
      fp_memory_set_range (&process->memory, FP_FIELD_PSS, 1210 * MIB, 1250 * MIB);
      fp_memory_set (&process->memory, FP_FIELD_USS, 1200 * MIB);
      process->measured_us -= (guint64)(age * G_USEC_PER_SEC);
    }
  fp_rows_set_sort (self->rows, fp_columns_find ("pss", FP_RECORD_PROCESS), TRUE);
  records = fixture_snapshot_make_records (&snapshot);
  fp_rows_set_has_total (self->rows, has_range);
  fp_rows_update (self->rows, records, &self->style.format);
}

static void
clear (Fixture *self)
{
  fp_rows_free (self->rows);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, clear)

static void
assert_explained (Fixture *self,
                  guint position,
                  const char *column,
                  const char *expected)
{
  g_autofree char *text =
      fp_row_cell_explain (self->rows, position, fp_columns_find (column, FP_RECORD_PROCESS), &self->style);

  g_assert_cmpstr (text, ==, expected);
}

static void
assert_age (gint64 age,
            const char *expected)
{
  g_auto (Fixture) fixture = { 0 };

  set_up (&fixture, age, FALSE);
  assert_explained (&fixture, 0, "pss", expected);
}

/* In a file may stand anything, also what was measured after it was saved. */
static void
test_age (void)
{
  assert_age (12, "Memory: 3.0 MiB\nMeasured 12 s ago");
  assert_age (0, "Memory: 3.0 MiB\nMeasured just now");
  assert_age (-5, "Memory: 3.0 MiB\nMeasured just now");
}

static void
search (Fixture *self,
        const char *text)
{
  g_autoptr (FpRecords) records = fp_records_ref ((FpRecords *)fp_rows_get_records (self->rows, FP_ROW_RECORD));

  fp_rows_set_query (self->rows, fp_query_new (text, FP_RECORD_PROCESS, NULL));
  fp_rows_update (self->rows, records, &self->style.format);
}

static void
test_range (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autofree char *described = NULL, *total = NULL, *possible = NULL;
  const FpColumn *pss = fp_columns_find ("pss", FP_RECORD_PROCESS);
  guint n;

  set_up (&fixture, 4, TRUE);
  assert_explained (&fixture, 0, "pss",
                    "Memory: between 1.18\u00a0GiB and 1.22\u00a0GiB\nSome of it has changed since it was read");
  assert_explained (&fixture, 1, "pss",
                    "Memory: between 1.18\u00a0GiB and 1.22\u00a0GiB\nRead 4 s ago, and it has changed since");
  described = fp_row_cell_describe (fixture.rows, 1, pss, &fixture.style);
  g_assert_true (g_str_has_prefix (described, "giant, Memory between 1.18\u00a0GiB and 1.22\u00a0GiB, PID "));

  search (&fixture, "pss>1G");
  fp_rows_get_possible (fixture.rows, &n);
  g_assert_cmpuint (n, ==, 0);
  search (&fixture, "pss>1.2G");
  g_assert_cmpuint (fp_rows_get_n (fixture.rows), ==, 2);
  fp_rows_get_possible (fixture.rows, &n);
  g_assert_cmpuint (n, ==, 1);
  assert_explained (&fixture, 1, "pss",
                    "Memory: between 1.18\u00a0GiB and 1.22\u00a0GiB\nRead 4 s ago, and it has changed since\n"
                    "It matches the search only possibly");
  possible = fp_row_cell_describe (fixture.rows, 1, pss, &fixture.style);
  g_assert_true (g_str_has_prefix (possible, "giant, possibly, Memory between 1.18\u00a0GiB and 1.22\u00a0GiB, PID "));
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/row-cell/age", test_age);
  g_test_add_func ("/row-cell/range", test_range);
  return g_test_run ();
}
