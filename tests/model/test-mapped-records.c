// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixture-snapshot.h"
#include "fp-holder-records.h"
#include "fp-mapped-records.h"
#include "fp-mapped-words.h"
#include "fp-rows.h"

#define KIB G_GUINT64_CONSTANT (1024)

/* holders: bits of processes 1, 2 and so on */
typedef struct
{
  const char *name;
  guint64 size;
  guint holders;
} Sample;

static FpRecords *
make_records (const Sample *samples,
              guint n,
              FpSnapshot *snapshot)
{
  guint n_processes = snapshot ? snapshot->n_processes : 3;
  g_autoptr (FpMappedFiles) files = fp_mapped_files_new (n_processes, NULL);
  GArray *holders = g_array_new (FALSE, FALSE, sizeof (FpMappedHolder));

  for (guint i = 0; i < n_processes; i++)
    {
      files->processes[i] = (FpMappedProcess){ { (gint)i + 1, 100 }, i, 0 };
      files->owners[i] = i < 3 ? i : 2;
    }
  for (guint i = 0; i < n; i++)
    {
      FpMappedFile file = { .name = samples[i].name, .shown = samples[i].name, .kind = FP_MAPPING_FILE, .first_holder = holders->len };
      guint64 fields = fp_fields_of_origins (FP_ORIGIN_SMAPS | FP_ORIGIN_MAPPING);

      file.present = FP_FIELD_BIT (SIZE) | FP_FIELD_BIT (PSS) | FP_FIELD_BIT (RSS);
      file.key[0] = file.key[1] = file.id.inode = g_str_hash (samples[i].name);
      file.figures[__builtin_popcountll (fields & (FP_FIELD_BIT (SIZE) - 1))] = samples[i].size * KIB;
      file.figures[__builtin_popcountll (fields & (FP_FIELD_BIT (PSS) - 1))] = samples[i].size * KIB;
      for (guint j = 0; j < 3; j++)
        if (samples[i].holders >> j & 1)
          {
            const FpMappedHolder holder = { .process = j, .kib = { (j + 1) * 10, (j + 1) * 20 } };

            g_array_append_val (holders, holder);
            file.n_holders++;
          }
      g_array_append_val (files->files, file);
    }
  files->n_holders = holders->len;
  files->holders = (FpMappedHolder *)(void *)g_array_free (holders, FALSE);
  fp_mapped_files_index (files);
  return fp_mapped_records_new (files, snapshot);
}

static char *
describe (const FpRows *rows)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < fp_rows_get_n (rows); i++)
    {
      const FpRow *row = fp_rows_get (rows, i);
      const FpRecords *records = fp_rows_get_records (rows, row->kind);
      FpMemory buffer;
      guint64 fields;
      const FpMemory *memory = records->class->get_memory (records, row->index, &buffer, &fields);

      g_string_append_printf (text, "%s%s %u", i > 0 ? ", " : "",
                              row->kind == FP_ROW_ENDED ? "gone" : fp_mapped_records_get (records, row->index)->name,
                              (guint)(fp_memory_get (memory, FP_FIELD_SIZE) / KIB));
    }
  return g_string_free (text, FALSE);
}

static void
assert_rows (FpRows *rows,
             FpRecords *records,
             const char *expected)
{
  g_autofree char *text = NULL;

  fp_rows_update (rows, records, NULL);
  text = describe (rows);
  g_assert_cmpstr (text, ==, expected);
}

/* A file keeps its place while somebody reads the list, whether it grows or nobody maps it any more. */
static void
test_held (void)
{
  static const Sample first[] = { { "a", 30, 1 }, { "b", 20, 1 }, { "c", 10, 1 } };
  static const Sample second[] = { { "c", 90, 1 }, { "d", 50, 1 }, { "a", 31, 1 } };
  g_autoptr (FpRecords) before = make_records (first, 3, NULL), after = make_records (second, 3, NULL);
  g_autoptr (FpRows) rows = fp_rows_new ();

  fp_rows_set_grouping (rows, FP_GROUPING_EVERY_FILE);
  fp_rows_set_sort (rows, fp_columns_find ("size", FP_RECORD_MAPPED_FILE), TRUE);
  assert_rows (rows, before, "a 30, b 20, c 10");
  fp_rows_set_held (rows, TRUE);
  assert_rows (rows, after, "a 31, gone 20, c 90, d 50");
  fp_rows_set_held (rows, FALSE);
  assert_rows (rows, after, "c 90, d 50, a 31");
}

/* Rows in the form of "a>", open; " (1) 10", a process in it with its memory in KiB; "b+", closed. */
static char *
draw (const FpRows *rows)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < fp_rows_get_n (rows); i++)
    {
      const FpRow *row = fp_rows_get (rows, i);
      const FpRecords *records = fp_rows_get_records (rows, row->kind);
      FpFigure figure = fp_records_get_figure (records, row->index, FP_FIELD_PSS);
      char name[64];

      if (i > 0)
        g_string_append (text, ", ");
      if (row->kind == FP_ROW_RECORD)
        g_string_append_printf (text, "%s%s", fp_mapped_records_get (records, row->index)->name, row->is_expanded ? ">" : "+");
      if (row->kind != FP_ROW_PART)
        continue;
      fp_holder_records_write_name (records, row->index, name, sizeof name);
      g_assert_cmpuint (row->depth, ==, 1);
      g_assert_false (row->can_expand);
      g_string_append_printf (text, "%s ", name);
      if (fp_figure_is_known (figure))
        g_string_append_printf (text, "%u", (guint)(figure.low / KIB));
      else
        g_string_append (text, figure.kind == FP_FIGURE_NONE ? "nothing" : "?");
    }
  return g_string_free (text, FALSE);
}

#define ASSERT_DRAWN(rows, expected)       \
  G_STMT_START                             \
  {                                        \
    g_autofree char *drawn = draw (rows);  \
    g_assert_cmpstr (drawn, ==, expected); \
  }                                        \
  G_STMT_END

/* An open file has its processes below it, in the order of the list, and stays open. One that shares the memory of another
 * one is there, and has no figures of its own. */
static void
test_open (void)
{
  static const Sample samples[] = { { "a", 30, 7 }, { "b", 20, 1 } }, later[] = { { "b", 50, 2 }, { "a", 31, 3 } };
  g_autoptr (FpRecords) before = NULL, after = NULL;
  g_autoptr (FpRows) rows = fp_rows_new ();
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (guint));
  FixtureSnapshot fixture;

  fixture_snapshot_init (&fixture, 4);
  for (gint i = 1; i <= 4; i++)
    fixture_snapshot_add (&fixture, i, "x")->start_ticks = 100;
  fixture.snapshot->strings = fp_string_block_ref (fixture.strings.block);
  before = make_records (samples, 2, fixture.snapshot);
  after = make_records (later, 2, fixture.snapshot);
  fp_rows_set_grouping (rows, FP_GROUPING_EVERY_FILE);
  fp_rows_set_sort (rows, fp_columns_find ("size", FP_RECORD_MAPPED_FILE), TRUE);
  fp_rows_update (rows, before, NULL);
  ASSERT_DRAWN (rows, "a+, b+");
  fp_rows_set_expanded (rows, fp_rows_get (rows, 0)->key, TRUE);
  ASSERT_DRAWN (rows, "a>, x (3) 30, x (2) 20, x (1) 10, x (4) nothing, b+");
  fp_rows_set_expanded (rows, fp_rows_get (rows, 5)->key, TRUE);
  fp_rows_set_sort (rows, fp_columns_find ("rss", FP_RECORD_MAPPED_FILE), FALSE);
  fp_rows_update (rows, before, NULL);
  ASSERT_DRAWN (rows, "a>, x (1) 10, x (2) 20, x (3) 30, x (4) nothing, b>, x (1) 10");
  fp_rows_add_members (rows, 1, members);
  g_assert_cmpuint (members->len, ==, 0);
  fp_rows_set_sort (rows, fp_columns_find ("processes", FP_RECORD_MAPPED_FILE), TRUE);
  fp_rows_update (rows, after, NULL);
  ASSERT_DRAWN (rows, "a>, x (2) 20, x (1) 10, b>, x (2) 20");
  fp_rows_set_expanded (rows, fp_rows_get (rows, 0)->key, FALSE);
  ASSERT_DRAWN (rows, "a+, b>, x (2) 20");
  fixture_snapshot_clear (&fixture);
}

static void
assert_parts (const FpRows *rows,
              guint first,
              guint n,
              const char *expected)
{
  const FpFormat format = { .style = FP_STYLE_IEC };
  g_autofree guint *indices = g_new (guint, n);
  g_autofree char *words = NULL;
  g_autoptr (GString) plain = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (fp_rows_get (rows, first + i)->kind, ==, FP_ROW_PART);
      indices[i] = fp_rows_get (rows, first + i)->index;
    }
  words = fp_mapped_words_describe_parts (fp_rows_get_records (rows, FP_ROW_PART), indices, n, &format);
  plain = g_string_new (words);
  g_string_replace (plain, "\u00a0", " ", 0);
  g_assert_cmpstr (plain->str, ==, expected);
}

/* The parts of processes in a file are told by their names, or summed up. */
static void
test_parts_in_words (void)
{
  static const Sample samples[] = { { "a", 30, 7 } };
  g_autoptr (FpRecords) records = NULL;
  g_autoptr (FpRows) rows = fp_rows_new ();
  FixtureSnapshot fixture;

  fixture_snapshot_init (&fixture, 4);
  for (gint i = 1; i <= 4; i++)
    fixture_snapshot_add (&fixture, i, "x")->start_ticks = 100;
  fixture.snapshot->strings = fp_string_block_ref (fixture.strings.block);
  records = make_records (samples, 1, fixture.snapshot);
  fp_rows_set_grouping (rows, FP_GROUPING_EVERY_FILE);
  fp_rows_set_sort (rows, fp_columns_find ("size", FP_RECORD_MAPPED_FILE), TRUE);
  fp_rows_update (rows, records, NULL);
  fp_rows_set_expanded (rows, fp_rows_get (rows, 0)->key, TRUE);
  ASSERT_DRAWN (rows, "a>, x (3) 30, x (2) 20, x (1) 10, x (4) nothing");
  assert_parts (rows, 1, 1, "x (3)’s part of a · Memory 30.0 KiB");
  assert_parts (rows, 2, 2, "2 processes’ parts of files · Memory 30.0 KiB");
  assert_parts (rows, 1, 4, "4 processes’ parts of files · Memory 60.0 KiB");
  assert_parts (rows, 4, 1, "x (4)’s part of a · counted with a process that shares all of its memory");
  fp_records_unref (g_steal_pointer (&records));
  fixture_snapshot_clear (&fixture);
}

/* Processes that were not read may have more of it. */
static void
test_part_in_words (void)
{
  static const Sample samples[] = { { "a", 30, 1 }, { "b", 20, 1 } };
  g_autoptr (FpRecords) records = make_records (samples, 2, NULL);
  const guint indices[] = { 0, 1 };
  const FpFormat format = { FP_STYLE_IEC, KIB * 1024, KIB };
  g_autofree char *whole = fp_mapped_words_describe_sum (records, indices, 2, &format), *part = NULL;

  g_assert_true (g_str_has_prefix (whole, "2 files and kinds of memory · Memory 50.0\u00a0KiB"));
  ((FpMappedFiles *)fp_mapped_records_get_files (records))->n_unread = 1;
  part = fp_mapped_words_describe_sum (records, indices, 2, &format);
  g_assert_cmpstr (part, ==, "2 files and kinds of memory · Memory ≥\u00a050.0\u00a0KiB · Swap —");
}

/* A search opens the groups with its matches, and no file in them. */
static void
test_open_in_group (void)
{
  static const Sample samples[] = { { "a", 30, 1 } };
  g_autoptr (FpRecords) records = make_records (samples, 1, NULL);
  g_autoptr (FpRows) rows = fp_rows_new ();

  fp_rows_set_opens_matches (rows, TRUE);
  fp_rows_set_grouping (rows, FP_GROUPING_FILE_KIND);
  fp_rows_set_query (rows, fp_query_new ("a", FP_RECORD_MAPPED_FILE, NULL));
  fp_rows_update (rows, records, NULL);
  g_assert_cmpuint (fp_rows_get_n (rows), ==, 2);
  fp_rows_set_expanded (rows, fp_rows_get (rows, 1)->key, TRUE);
  g_assert_cmpuint (fp_rows_get_n (rows), ==, 3);
  g_assert_cmpint (fp_rows_get (rows, 2)->kind, ==, FP_ROW_PART);
  g_assert_cmpuint (fp_rows_get (rows, 2)->depth, ==, 2);
  fp_rows_set_expanded (rows, fp_rows_get (rows, 0)->key, FALSE);
  g_assert_cmpuint (fp_rows_get_n (rows), ==, 1);
}

/* A file of sums alone does not tell what each process has, and that is not 0. */
static void
test_sums_alone (void)
{
  static const Sample samples[] = { { "a", 30, 3 } };
  g_autoptr (FpRecords) records = make_records (samples, 1, NULL);
  g_autoptr (FpRows) rows = fp_rows_new ();
  g_autofree char *text = NULL;

  ((FpMappedFiles *)fp_mapped_records_get_files (records))->lacks_parts = TRUE;
  fp_rows_set_grouping (rows, FP_GROUPING_EVERY_FILE);
  fp_rows_update (rows, records, NULL);
  fp_rows_set_expanded (rows, fp_rows_get (rows, 0)->key, TRUE);
  ASSERT_DRAWN (rows, "a>, — (1) ?, — (2) ?");
  text = fp_holder_records_explain (fp_rows_get_records (rows, FP_ROW_PART), 0);
  g_assert_cmpstr (text, ==, "Process 1\nOnly the sum over all processes was saved");
}

static void
assert_common (const FpRecords *records,
               guint index,
               const char *user,
               const char *program)
{
  g_assert_cmpstr (fp_mapped_records_get_common (records, index, FP_TEXT_USER), ==, user);
  g_assert_cmpstr (fp_mapped_records_get_common (records, index, FP_TEXT_PROGRAM), ==, program);
}

/* The last process shares its memory with the third one, and has another program. */
static void
test_common (void)
{
  static const char *const programs[] = { "shell", "shell", "game", "helper" }, *const users[] = { "anna", "otto", "otto", "otto" };
  static const Sample samples[] = { { "one", 1, 1 }, { "two", 1, 3 }, { "three", 1, 7 }, { "shared", 1, 4 }, { "nobody", 1, 0 } };
  g_autoptr (FpRecords) records = NULL;
  FixtureSnapshot fixture;

  fixture_snapshot_init (&fixture, 4);
  for (guint i = 0; i < 4; i++)
    fixture_snapshot_set_text (&fixture, fixture_snapshot_add (&fixture, (gint)i + 1, programs[i]), FP_TEXT_USER, users[i]);
  fixture.snapshot->strings = fp_string_block_ref (fixture.strings.block);
  records = make_records (samples, G_N_ELEMENTS (samples), fixture.snapshot);
  assert_common (records, 0, "anna", "shell");
  assert_common (records, 1, NULL, "shell");
  assert_common (records, 2, NULL, NULL);
  assert_common (records, 3, "otto", NULL);
  assert_common (records, 4, "", "");
  fp_records_unref (g_steal_pointer (&records));
  fixture_snapshot_clear (&fixture);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mapped-records/held", test_held);
  g_test_add_func ("/mapped-records/open", test_open);
  g_test_add_func ("/mapped-records/parts-in-words", test_parts_in_words);
  g_test_add_func ("/mapped-records/part-in-words", test_part_in_words);
  g_test_add_func ("/mapped-records/open-in-group", test_open_in_group);
  g_test_add_func ("/mapped-records/sums-alone", test_sums_alone);
  g_test_add_func ("/mapped-records/common", test_common);
  return g_test_run ();
}
