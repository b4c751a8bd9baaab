// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fixture-mappings.h"
#include "fp-mapping-changes.h"
#include "fp-rows.h"
#include "fp-totals.h"

#define KIB G_GUINT64_CONSTANT (1024)

static const FpFormat format = { .style = FP_STYLE_IEC };

static const char *const lines[] = {
  "1000-3000 r-xp 0 fe:00 11 /usr/bin/app|Size 8, Rss 8, Pss 4",
  "3000-4000 rw-p 2000 fe:00 11 /usr/bin/app|Size 4, Rss 4, Pss 4",
  "4000-9000 rw-p 0 00:00 0 [heap]|Size 20, Rss 16, Pss 16",
  "a000-b000 r-xp 0 fe:00 12 /usr/lib/libc.so|Size 4, Rss 4, Pss 1",
  "b000-c000 rw-p 0 00:00 0 |Size 4, Rss 1, Pss 1",
  "c000-d000 rw-p 0 00:00 0 |Size 4, Rss 2, Pss 2",
  "d000-e000 rw-p 0 00:00 0 [anon:one]|Size 4, Rss 4, Pss 4",
  "e000-f000 rw-p 0 00:00 0 [anon:two]|Size 4, Rss 4, Pss 4",
  "f000-10000 rw-p 0 00:00 0 [anon:one]|Size 4, Rss 4, Pss 4",
  "10000-11000 rw-s 0 00:01 7 /memfd:buffer (deleted)|Size 4, Rss 4, Pss 2",
  "11000-12000 rw-s 0 00:01 8 /memfd:buffer (deleted)|Size 4, Rss 4, Pss 2",
  "12000-13000 rw-s 0 00:01 9 /dev/zero (deleted)|Size 4, Rss 4, Pss 3",
  NULL,
};

/* Groups as "name(count)kB", mappings as where they start; a dot for each step of depth. */
static char *
describe (FpRows *rows)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < fp_rows_get_n (rows); i++)
    {
      const FpRow *row = fp_rows_get (rows, i);
      const FpRecords *records = fp_rows_get_records (rows, row->kind);

      g_string_append (text, i ? " " : "");
      for (guint d = 0; d < row->depth; d++)
        g_string_append_c (text, '.');
      if (row->kind == FP_ROW_GROUP)
        g_string_append_printf (text, "%s(%u)%u", fp_totals_get (records, row->index)->name,
                                fp_totals_get (records, row->index)->n_members,
                                (guint)(fp_records_get_figure (records, row->index, FP_FIELD_PSS).low / KIB));
      else
        g_string_append_printf (text, "%x", (guint)row->key.a);
    }
  return g_string_free (text, FALSE);
}

static FpRows *
make_rows (FpGrouping grouping,
           const char *query)
{
  g_autoptr (FpRecords) records = fixture_mappings_new (lines);
  FpRows *rows = fp_rows_new ();

  fp_rows_set_grouping (rows, grouping);
  fp_rows_set_sort (rows, fp_columns_find ("pss", FP_RECORD_MAPPING), TRUE);
  if (query)
    fp_rows_set_query (rows, fp_query_new (query, FP_RECORD_MAPPING, NULL));
  fp_rows_update (rows, records, &format);
  return rows;
}

static void
expand_all (FpRows *rows)
{
  for (guint i = 0; i < fp_rows_get_n (rows); i++)
    if (fp_rows_get (rows, i)->kind == FP_ROW_GROUP)
      fp_rows_set_expanded (rows, fp_rows_get (rows, i)->key, TRUE);
}

static void
test_by_kind (void)
{
  g_autoptr (FpRows) rows = make_rows (FP_GROUPING_KIND, NULL);
  g_autofree char *folded = describe (rows), *open = NULL;

  g_assert_cmpstr (
      folded, ==,
      "Heap(1)16 Anonymous with a name(3)12 Shared memory(3)7 Code(2)5 Writable data(1)4 Anonymous(2)3");
  expand_all (rows);
  open = describe (rows);
  g_assert_cmpstr (open, ==,
                   "Heap(1)16 .4000 Anonymous with a name(3)12 .one(2)8 ..d000 ..f000 .two(1)4 ..e000 "
                   "Shared memory(3)7 .12000 .10000 .11000 Code(2)5 .1000 .a000 Writable data(1)4 .3000 "
                   "Anonymous(2)3 .c000 .b000");
}

static void
test_by_file (void)
{
  g_autoptr (FpRows) rows = make_rows (FP_GROUPING_FILE, NULL);
  g_autofree char *folded = describe (rows), *open = NULL;

  g_assert_cmpstr (folded, ==,
                   "Heap(1)16 Anonymous with a name(3)12 /usr/bin/app(2)8 /memfd:buffer (deleted)(2)4 Shared memory(1)3 "
                   "Anonymous(2)3 /usr/lib/libc.so(1)1");
  expand_all (rows);
  open = describe (rows);
  g_assert_nonnull (strstr (open, "/usr/bin/app(2)8 .1000 .3000 "));
}

static void
assert_text (const FpRecords *records,
             guint index,
             const char *id,
             gboolean is_for_programs,
             const char *expected)
{
  const FpFormat asked = { .is_for_programs = is_for_programs };
  char text[FP_CELL_SIZE];

  fp_column_format (fp_columns_find (id, FP_RECORD_MAPPING), records, index, &asked, text, sizeof text);
  g_assert_cmpstr (text, ==, expected);
}

/* Two files that the kernel writes alike, of which one is gone: not one file. */
static void
test_alike (void)
{
  static const char *const alike[] = { "1000-2000 rw-p 0 8:1 1 /x (deleted)|Pss 2", "2000-3000 rw-p 0 8:1 2 /x (deleted)|Pss 4",
                                       "3000-4000 rw-p 0 8:1 3 /y|Pss 1", "#1000 1 /x (deleted)", "#2000 2 /x (deleted)",
                                       NULL };
  g_autoptr (FpRecords) records = fixture_mappings_new (alike);
  g_autoptr (FpRows) rows = fp_rows_new ();
  g_autofree char *folded = NULL;

  fp_rows_set_grouping (rows, FP_GROUPING_FILE);
  fp_rows_set_sort (rows, fp_columns_find ("pss", FP_RECORD_MAPPING), TRUE);
  fp_rows_update (rows, records, &format);
  folded = describe (rows);
  g_assert_cmpstr (folded, ==, "/x (deleted)(1)4 /“x (deleted)”(1)2 /y(1)1");
  assert_text (records, 0, "mapping", FALSE, "/“x (deleted)”");
  assert_text (records, 0, "mapping", TRUE, "/x (deleted)");
  assert_text (records, 0, "file_state", TRUE, "present");
  assert_text (records, 1, "mapping", FALSE, "/x (deleted)");
  assert_text (records, 1, "mapping", TRUE, "/x (deleted)");
  assert_text (records, 1, "file_state", TRUE, "deleted");
  assert_text (records, 2, "file_state", TRUE, "present");
}

static void
test_filtered (void)
{
  g_autoptr (FpRows) rows = make_rows (FP_GROUPING_KIND, "kind:named pss>2K -two");
  g_autofree char *folded = describe (rows);

  g_assert_cmpstr (folded, ==, "Anonymous with a name(2)8");
}

/* A filter for processes has no say about mappings. */
static void
test_other_grouping (void)
{
  g_autoptr (FpRows) rows = make_rows (FP_GROUPING_USER, "kind=heap");
  g_autofree char *text = describe (rows);

  g_assert_cmpstr (text, ==, "4000");
}

static void
test_sorted (void)
{
  g_autoptr (FpRecords) records = fixture_mappings_new (lines);
  g_autoptr (FpRows) rows = make_rows (FP_GROUPING_KIND, "-kind:named");
  g_autofree char *by_size = NULL, *by_name = NULL;

  fp_rows_set_sort (rows, fp_columns_find ("size", FP_RECORD_MAPPING), TRUE);
  fp_rows_update (rows, records, &format);
  by_size = describe (rows);
  g_assert_cmpstr (by_size, ==, "Heap(1)16 Shared memory(3)7 Code(2)5 Anonymous(2)3 Writable data(1)4");
  fp_rows_set_sort (rows, fp_columns_find ("start", FP_RECORD_MAPPING), FALSE);
  fp_rows_update (rows, records, &format);
  by_name = describe (rows);
  g_assert_cmpstr (by_name, ==, "Anonymous(2)3 Code(2)5 Heap(1)16 Shared memory(3)7 Writable data(1)4");
}

/* Every figure of the groups at the top, and of those below each, is the whole's. */
static void
test_sums (void)
{
  for (FpGrouping grouping = FP_GROUPING_KIND; grouping <= FP_GROUPING_FILE; grouping++)
    {
      g_autoptr (FpRecords) records = fixture_mappings_new (lines);
      g_autoptr (FpRecords) whole = fp_totals_new (records, NULL, records->n, NULL, &format);
      g_autoptr (FpRows) rows = make_rows (grouping, NULL);

      g_assert_cmpint (whole->class->kind, ==, FP_RECORD_FOLD);
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        {
          const char *name = fp_field_infos[field].name;
          guint64 sum = 0;

          if (!fp_columns_find (name, FP_RECORD_FOLD))
            continue;
          for (guint i = 0; i < fp_rows_get_n (rows); i++)
            sum += fp_records_get_figure (fp_rows_get_records (rows, FP_ROW_GROUP), fp_rows_get (rows, i)->index, field).low;
          g_assert_cmpuint (sum, ==, fp_records_get_figure (whole, 0, field).low);
        }
      g_assert_cmpuint (fp_records_get_figure (whole, 0, FP_FIELD_RSS).low, ==, 59 * KIB);
      g_assert_cmpuint (fp_records_get_figure (whole, 0, FP_FIELD_SIZE).low, ==, 68 * KIB);
    }
}

/* A figure that the kernel does not tell of one is not told of the sum. */
static void
test_missing (void)
{
  static const char *const some[] = { "1000-3000 rw-p 0 00:00 0 |Rss 8, Pss 4", "4000-5000 rw-p 0 00:00 0 |Rss 2", NULL };
  g_autoptr (FpRecords) records = fixture_mappings_new (some);
  g_autoptr (FpRecords) whole = fp_totals_new (records, NULL, records->n, NULL, &format);
  FpFigure pss = fp_records_get_figure (whole, 0, FP_FIELD_PSS);

  g_assert_cmpint (pss.kind, ==, FP_FIGURE_PARTIAL);
  g_assert_cmpuint (pss.low, ==, 4 * KIB);
  g_assert_cmpuint (pss.high, ==, 6 * KIB);
  g_assert_cmpint (fp_records_get_figure (whole, 0, FP_FIELD_RSS).kind, ==, FP_FIGURE_EXACT);
}

/* The sum of all that matches has every figure, and says what it stands for. */
static void
assert_total (const FpRows *rows)
{
  const FpRecords *total = fp_rows_get_records (rows, FP_ROW_TOTAL);
  const FpRecords *records = fp_rows_get_records (rows, FP_ROW_RECORD);
  guint n;
  const guint *matches = fp_rows_get_matches (rows, &n);
  g_autoptr (FpRecords) expected = fp_totals_new (records, matches, n, NULL, &format);
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (guint));

  g_assert_cmpint (total->class->kind, ==, FP_RECORD_FOLD);
  g_assert_cmpuint (total->n, ==, 1);
  g_assert_cmpuint (fp_totals_get (total, 0)->n_members, ==, n);
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    {
      FpFigure figure = fp_records_get_figure (total, 0, field), sum = fp_records_get_figure (expected, 0, field);

      g_assert_cmpint (figure.kind, ==, sum.kind);
      g_assert_cmpuint (figure.low, ==, sum.low);
      g_assert_cmpuint (figure.high, ==, sum.high);
    }
  fp_rows_add_members (rows, 0, members);
  g_assert_cmpmem (members->data, members->len * sizeof (guint), matches, n * sizeof (guint));
}

/* It is the first in each order, and only once. */
static void
assert_total_first (FpRows *rows,
                    FpRecords *records)
{
  static const char *const ids[] = { "pss", "size", "mapping", "start", "kind" };

  for (guint i = 0; i < G_N_ELEMENTS (ids) * 2; i++)
    {
      fp_rows_set_sort (rows, fp_columns_find (ids[i / 2], records->class->kind), i % 2);
      fp_rows_update (rows, records, &format);
      expand_all (rows);
      for (guint j = 0; j < fp_rows_get_n (rows); j++)
        g_assert_cmpint (fp_rows_get (rows, j)->kind == FP_ROW_TOTAL, ==, j == 0);
      assert_total (rows);
    }
}

static void
test_total (void)
{
  static const FpGrouping groupings[] = { FP_GROUPING_KIND, FP_GROUPING_FILE, FP_GROUPING_NOTHING };
  static const char *const queries[] = { "", "-two pss<8K", "label:one" };
  static const char *const other[] = { "1000-4000 rw-p 0 00:00 0 |Rss 8", "5000-6000 rw-p 0 00:00 0 [anon:one]|Rss 4, Pss 4",
                                       "7000-8000 rw-p 0 00:00 0 |Rss 4, Pss 1", NULL };
  g_autoptr (FpRecords) mappings = fixture_mappings_new (lines), others = fixture_mappings_new (other);
  g_autoptr (FpRecords) changes = fp_mapping_changes_new (mappings, others);
  FpRecords *const all[] = { mappings, others, changes };

  for (guint i = 0; i < G_N_ELEMENTS (groupings); i++)
    for (guint j = 0; j < G_N_ELEMENTS (queries); j++)
      for (guint k = 0; k < G_N_ELEMENTS (all); k++)
        {
          g_autoptr (FpRows) rows = fp_rows_new ();

          fp_rows_set_has_total (rows, TRUE);
          fp_rows_set_grouping (rows, groupings[i]);
          fp_rows_set_query (rows, fp_query_new (queries[j], FP_RECORD_MAPPING, NULL));
          assert_total_first (rows, all[k]);
        }
}

/* It has nothing below it, and is not there where there is nothing to add up. */
static void
test_total_alone (void)
{
  g_autoptr (FpRecords) records = fixture_mappings_new (lines);
  g_autoptr (FpRows) rows = make_rows (FP_GROUPING_KIND, "kind=heap");

  g_assert_null (fp_rows_get_records (rows, FP_ROW_TOTAL));
  fp_rows_set_has_total (rows, TRUE);
  fp_rows_update (rows, records, &format);
  g_assert_cmpuint (fp_rows_get_n (rows), ==, 2);
  fp_rows_set_expanded (rows, fp_rows_get (rows, 0)->key, TRUE);
  g_assert_cmpuint (fp_rows_get_n (rows), ==, 2);
  g_assert_false (fp_rows_get (rows, 0)->is_expanded);

  fp_rows_set_query (rows, fp_query_new ("no-such-thing", FP_RECORD_MAPPING, NULL));
  fp_rows_update (rows, records, &format);
  g_assert_cmpuint (fp_rows_get_n (rows), ==, 0);
  g_assert_null (fp_rows_get_records (rows, FP_ROW_TOTAL));
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/folds/by-kind", test_by_kind);
  g_test_add_func ("/folds/by-file", test_by_file);
  g_test_add_func ("/folds/alike", test_alike);
  g_test_add_func ("/folds/filtered", test_filtered);
  g_test_add_func ("/folds/other-grouping", test_other_grouping);
  g_test_add_func ("/folds/sorted", test_sorted);
  g_test_add_func ("/folds/sums", test_sums);
  g_test_add_func ("/folds/missing", test_missing);
  g_test_add_func ("/folds/total", test_total);
  g_test_add_func ("/folds/total-alone", test_total_alone);
  return g_test_run ();
}
