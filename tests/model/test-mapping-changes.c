// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fixture-mappings.h"
#include "fp-mapping-changes.h"
#include "fp-rows.h"
#include "fp-totals.h"

static const FpFormat format = { .style = FP_STYLE_IEC };

static const char *const before[] = {
  "1000-3000 r-xp 0 fe:00 11 /same|Size 8, Rss 8, Pss 4, Swap 0",
  "3000-4000 rw-p 0 fe:00 11 /gone|Size 4, Rss 4, Pss 4, Swap 4",
  "5000-9000 rw-p 0 00:00 0 [heap]|Size 16, Rss 8, Pss 8, Swap 0",
  "a000-b000 rw-p 0 fe:00 12 /replaced|Size 4, Rss 4, Pss 4, Swap 0",
  "c000-e000 rw-p 0 00:00 0 |Size 8, Rss 8, Pss 8, Swap 0",
  "10000-11000 rw-p 0 00:00 0 [anon:swapped]|Size 4, Rss 4, Pss 4, Swap 0",
  "12000-13000 rw-p 0 00:00 0 [anon:stretched]|Size 4, Rss 4, Pss 4, Swap 0",
  "32000-34000 rw-p 0 00:00 0 [stack]|Size 8, Rss 8, Pss 8, Swap 0",
  NULL,
};

static const char *const after[] = {
  "1000-3000 r-xp 0 fe:00 11 /same|Size 8, Rss 8, Pss 2, Swap 0",
  "5000-a000 rw-p 0 00:00 0 [heap]|Size 20, Rss 2060, Pss 2060, Swap 0",
  "a000-b000 rw-p 1000 fe:00 12 /replaced|Size 4, Rss 0, Pss 0, Swap 0",
  "c000-e000 rw-p 0 00:00 0 |Size 8, Rss 4, Pss 4, Swap 0",
  "10000-11000 rw-p 0 00:00 0 [anon:swapped]|Size 4, Rss 0, Pss 0, Swap 4",
  "12000-14000 rw-p 0 00:00 0 [anon:stretched]|Size 8, Rss 4, Pss 4, Swap 0",
  "20000-21000 rw-p 0 00:00 0 [anon:new]|Size 4, Rss 4, Pss 4, Swap 0",
  "30000-34000 rw-p 0 00:00 0 [stack]|Size 16, Rss 16, Pss 16, Swap 0",
  NULL,
};

static FpRecords *
make_changes (const char *const *then,
              const char *const *now)
{
  g_autoptr (FpRecords) marked = fixture_mappings_new (then), current = fixture_mappings_new (now);

  return fp_mapping_changes_new (marked, current);
}

static void
assert_cell (const FpRecords *records,
             guint index,
             const char *id,
             const char *expected)
{
  char cell[FP_CELL_SIZE];

  fp_column_format (fp_columns_find (id, FP_RECORD_CHANGE), records, index, &format, cell, sizeof cell);
  g_assert_cmpstr (cell, ==, expected);
}

static void
test_states (void)
{
  static const struct
  {
    const char *mapping, *change, *size, *rss, *pss, *swap;
  } expected[] = {
    { "/same", "The same", "0 B", "0 B", "−2.0 KiB", "0 B" },
    { "/gone", "Gone", "−4.0 KiB", "−4.0 KiB", "−4.0 KiB", "−4.0 KiB" },
    { "[heap]", "Grown", "+4.0 KiB", "+2.0 MiB", "+2.0 MiB", "0 B" },
    { "/replaced", "Gone", "−4.0 KiB", "−4.0 KiB", "−4.0 KiB", "0 B" },
    { "/replaced", "New", "+4.0 KiB", "0 B", "0 B", "0 B" },
    { "", "Shrunk", "0 B", "−4.0 KiB", "−4.0 KiB", "0 B" },
    { "[anon:swapped]", "The same", "0 B", "−4.0 KiB", "−4.0 KiB", "+4.0 KiB" },
    { "[anon:stretched]", "Grown", "+4.0 KiB", "0 B", "0 B", "0 B" },
    { "[anon:new]", "New", "+4.0 KiB", "+4.0 KiB", "+4.0 KiB", "0 B" },
    { "[stack]", "Grown", "+8.0 KiB", "+8.0 KiB", "+8.0 KiB", "0 B" },
  };
  g_autoptr (FpRecords) changes = make_changes (before, after);

  g_assert_cmpuint (changes->n, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < changes->n; i++)
    {
      assert_cell (changes, i, "mapping", expected[i].mapping);
      assert_cell (changes, i, "change", expected[i].change);
      assert_cell (changes, i, "size", expected[i].size);
      assert_cell (changes, i, "rss", expected[i].rss);
      assert_cell (changes, i, "pss", expected[i].pss);
      assert_cell (changes, i, "swap_whole", expected[i].swap);
    }
  assert_cell (changes, 2, "range", "000000005000-00000000a000");
  assert_cell (changes, 1, "range", "000000003000-000000004000");
  assert_cell (changes, 1, "locked", "—");
}

/* The differences are those of the sums. */
static void
test_sum (void)
{
  static const FpField fields[] = { FP_FIELD_SIZE, FP_FIELD_RSS, FP_FIELD_PSS, FP_FIELD_SWAP };
  static const gint64 expected[] = { 72 - 56, 2096 - 48, 2090 - 44, 0 };
  static const guint gone[] = { 1, 3 };
  g_autoptr (FpRecords) changes = make_changes (before, after);
  g_autoptr (FpRecords) all = fp_totals_new (changes, NULL, changes->n, NULL, &format);
  g_autoptr (FpRecords) some = fp_totals_new (changes, gone, G_N_ELEMENTS (gone), NULL, &format);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      FpFigure sum = fp_records_get_figure (all, 0, fields[i]);

      g_assert_cmpint (sum.kind, ==, expected[i] ? FP_FIGURE_MORE : FP_FIGURE_EXACT);
      g_assert_cmpint ((gint64)sum.low, ==, expected[i] * 1024);
    }
  g_assert_cmpint (fp_records_get_figure (some, 0, FP_FIELD_RSS).kind, ==, FP_FIGURE_LESS);
  g_assert_cmpuint (fp_records_get_figure (some, 0, FP_FIELD_RSS).low, ==, 8192);
}

/* The growth and the loss in one group */
static void
test_folds (void)
{
  static const struct
  {
    const char *file, *size, *rss, *swap;
  } expected[] = {
    { "/same", "0 B", "0 B", "0 B" },
    { "/gone", "−4.0 KiB", "−4.0 KiB", "−4.0 KiB" },
    { "Heap", "+4.0 KiB", "+2.0 MiB", "0 B" },
    { "/replaced", "0 B", "−4.0 KiB", "0 B" },
  };
  g_autoptr (FpRecords) changes = make_changes (before, after);
  g_autoptr (FpRecords) folds =
      fp_totals_new (changes, NULL, changes->n, fp_columns_find ("file", FP_RECORD_CHANGE), &format);

  g_assert_cmpint (folds->class->kind, ==, FP_RECORD_FOLD);
  g_assert_cmpuint (folds->n, >=, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_assert_cmpstr (fp_totals_get (folds, i)->name, ==, expected[i].file);
      assert_cell (folds, i, "size", expected[i].size);
      assert_cell (folds, i, "rss", expected[i].rss);
      assert_cell (folds, i, "swap_whole", expected[i].swap);
      assert_cell (folds, i, "locked", "—");
    }
}

/* In a list they have groups, as mappings have. */
static void
test_grouped (void)
{
  g_autoptr (FpRecords) changes = make_changes (before, after);
  g_autoptr (FpRows) rows = fp_rows_new ();

  fp_rows_set_grouping (rows, FP_GROUPING_FILE);
  fp_rows_update (rows, changes, &format);
  g_assert_cmpuint (fp_rows_get_n (rows), <, changes->n);
  for (guint i = 0; i < fp_rows_get_n (rows); i++)
    g_assert_cmpint (fp_rows_get (rows, i)->kind, ==, FP_ROW_GROUP);
}

static void
test_ends (void)
{
  static const char *const nothing[] = { NULL };
  g_autoptr (FpRecords) all_new = make_changes (nothing, after), all_gone = make_changes (before, nothing);
  g_autoptr (FpRecords) none = make_changes (nothing, nothing), same = make_changes (after, after);

  g_assert_cmpuint (none->n, ==, 0);
  g_assert_cmpuint (all_new->n, ==, 8);
  g_assert_cmpuint (all_gone->n, ==, 8);
  g_assert_cmpuint (same->n, ==, 8);
  for (guint i = 0; i < 8; i++)
    {
      g_assert_cmpint (fp_mapping_changes_get_change (all_new, i), ==, FP_MAPPING_NEW);
      g_assert_cmpint (fp_mapping_changes_get_change (all_gone, i), ==, FP_MAPPING_GONE);
      g_assert_cmpint (fp_mapping_changes_get_change (same, i), ==, FP_MAPPING_SAME);
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        if (fp_records_get_figure (same, i, field).kind != FP_FIGURE_UNKNOWN)
          g_assert_cmpuint (fp_records_get_figure (same, i, field).low, ==, 0);
    }
}

/* Rows of changes: from what grew most to what shrank most, searched by what has become of them. */
static void
test_rows (void)
{
  static const char *const order[] = { "[heap]", "[stack]", "[anon:new]", "/gone", "/replaced", "" };
  g_autoptr (FpRecords) changes = make_changes (before, after);
  g_autoptr (FpRows) rows = fp_rows_new ();

  fp_rows_set_query (rows, fp_query_new ("-change:same -rss=0", FP_RECORD_CHANGE, NULL));
  fp_rows_set_sort (rows, fp_columns_find ("rss", FP_RECORD_CHANGE), TRUE);
  fp_rows_update (rows, changes, &format);
  g_assert_cmpuint (fp_rows_get_n (rows), ==, G_N_ELEMENTS (order));
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    assert_cell (changes, fp_rows_get (rows, i)->index, "mapping", order[i]);

  fp_rows_set_query (rows, fp_query_new ("rss<1K change:s", FP_RECORD_CHANGE, NULL));
  fp_rows_set_sort (rows, fp_columns_find ("rss", FP_RECORD_CHANGE), FALSE);
  fp_rows_update (rows, changes, &format);
  g_assert_cmpuint (fp_rows_get_n (rows), ==, 3);
  assert_cell (changes, fp_rows_get (rows, 0)->index, "mapping", "");
  assert_cell (changes, fp_rows_get (rows, 1)->index, "mapping", "[anon:swapped]");
  assert_cell (changes, fp_rows_get (rows, 2)->index, "mapping", "/same");
}

/* A list that is in no order, as a folder that only looks like /proc may have it, is gone through all the same. */
static void
test_unordered (void)
{
  static const char *const odd[] = { "5000-6000 rw-p 0 00:00 0 |Rss 4", "1000-2000 rw-p 0 00:00 0 |Rss 4",
                                     "1000-2000 rw-p 0 00:00 0 |Rss 4", NULL };
  g_autoptr (FpRecords) changes = make_changes (odd, before), back = make_changes (before, odd);

  g_assert_cmpuint (changes->n, >=, 7);
  g_assert_cmpuint (changes->n, <=, 10);
  g_assert_cmpuint (back->n, <=, 10);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/mapping-changes/states", test_states);
  g_test_add_func ("/mapping-changes/sum", test_sum);
  g_test_add_func ("/mapping-changes/folds", test_folds);
  g_test_add_func ("/mapping-changes/grouped", test_grouped);
  g_test_add_func ("/mapping-changes/ends", test_ends);
  g_test_add_func ("/mapping-changes/rows", test_rows);
  g_test_add_func ("/mapping-changes/unordered", test_unordered);
  return g_test_run ();
}
