// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixture-snapshot.h"
#include "fp-mapped-records.h"
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

      file.present = FP_FIELD_BIT (SIZE);
      file.key[0] = file.key[1] = file.id.inode = g_str_hash (samples[i].name);
      file.figures[__builtin_popcountll (fields & (FP_FIELD_BIT (SIZE) - 1))] = samples[i].size * KIB;
      for (guint j = 0; j < 3; j++)
        if (samples[i].holders >> j & 1)
          {
            const FpMappedHolder holder = { .process = j };

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
  g_test_add_func ("/mapped-records/common", test_common);
  return g_test_run ();
}
