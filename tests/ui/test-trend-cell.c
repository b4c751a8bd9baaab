// SPDX-License-Identifier: GPL-3.0-or-later
/* The words of the column Trend for those who do not see its line. */
#include "fixture-snapshot.h"
#include "fp-growth.h"
#include "fp-row-cell.h"
#include "fp-trend-cell.h"

#define MIB        (G_GUINT64_CONSTANT (1) << 20)
#define SECOND     G_GUINT64_CONSTANT (1000000)
#define LONGEST_US (5 * SECOND)

/* A MiB a second, of which a half is swapped out; beside it a process that can't be read. */
static FpRecords *
take (FpHistory *history,
      guint n_seconds)
{
  FpRecords *records = NULL;

  for (guint second = 1; second <= n_seconds; second++)
    {
      g_auto (FixtureSnapshot) fixture = { 0 };

      g_clear_pointer (&records, fp_records_unref);
      fixture_snapshot_init (&fixture, 2);
      fixture.snapshot->info.boottime_us = second * SECOND;
      fixture_set_figures (fixture_snapshot_add (&fixture, 7, "leak"), second * MIB / 2, second * MIB, second * MIB / 2);
      fixture_snapshot_add_reason (&fixture, 8, "other", FP_REASON_PERMISSION);
      fp_history_take (history, fixture.snapshot, LONGEST_US);
      records = fixture_snapshot_make_records (&fixture);
    }
  fp_records_take_history (records, history, NULL);
  return records;
}

static void
assert_words (guint n_seconds,
              guint index,
              const char *expected)
{
  const FpFormat format = { .style = FP_STYLE_IEC };
  g_autoptr (FpHistory) history = fp_history_new ();
  g_autoptr (FpRecords) records = take (history, n_seconds);
  g_autofree char *words = fp_trend_cell_describe (records, index, &format);

  g_assert_cmpstr (words, ==, expected);
}

static void
test_words (void)
{
  assert_words (1, 0, NULL);
  assert_words (11, 0, "From 1.0 MiB to 11.0 MiB in 10 seconds");
  assert_words (121, 0, "From 1.0 MiB to 121 MiB in 2 minutes");
  assert_words (121, 1, NULL);
}

/* A tooltip says it, too; without a history there is nothing to say. */
static void
test_explained (void)
{
  const FpRowStyle style = { .format = { .style = FP_STYLE_IEC }, .nobody = "" };
  const FpColumn *trend = fp_columns_find ("trend", FP_RECORD_PROCESS);
  g_autoptr (FpHistory) history = fp_history_new ();
  g_autoptr (FpRecords) records = take (history, 61);
  g_autoptr (FpRecords) saved = NULL;
  g_autoptr (FpRows) rows = fp_rows_new ();
  g_autofree char *words = NULL, *none = NULL;
  g_auto (FixtureSnapshot) fixture = { 0 };

  fp_rows_update (rows, records, &style.format);
  words = fp_row_cell_explain (rows, 0, trend, &style);
  g_assert_cmpstr (words, ==, "From 1.0 MiB to 61.0 MiB in 60 seconds");
  fixture_snapshot_init (&fixture, 1);
  fixture_snapshot_add (&fixture, 7, "leak");
  saved = fixture_snapshot_make_records (&fixture);
  fp_rows_update (rows, saved, &style.format);
  none = fp_row_cell_explain (rows, 0, trend, &style);
  g_assert_null (none);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trend-cell/words", test_words);
  g_test_add_func ("/trend-cell/explained", test_explained);
  return g_test_run ();
}
