// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fixture-mappings.h"
#include "fp-column-sets.h"
#include "fp-rows.h"

static void
test_table (void)
{
  for (guint i = 0; i < FP_N_MAPPING_SETS; i++)
    {
      const FpColumnSet *set = &fp_mapping_sets[i];
      g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
      g_autoptr (GError) error = NULL;
      g_autoptr (FpQuery) query = set->filter ? fp_query_new (set->filter, FP_RECORD_MAPPING, &error) : NULL;

      g_test_message ("%s", set->id);
      g_assert_no_error (error);
      g_assert_true (*set->id && *set->title && *set->meaning);
      g_assert_nonnull (fp_columns_find (set->sort, FP_RECORD_MAPPING));
      for (const char *const *id = set->columns; *id; id++)
        {
          g_assert_nonnull (fp_columns_find (*id, FP_RECORD_MAPPING));
          g_assert_true (g_hash_table_add (seen, (gpointer)*id));
        }
      g_assert_true (g_hash_table_contains (seen, "mapping"));
      for (guint j = 0; j < i; j++)
        g_assert_cmpstr (set->id, !=, fp_mapping_sets[j].id);
    }
}

static void
test_sets (void)
{
  for (guint i = 0; i < FP_N_COLUMN_SETS; i++)
    {
      const FpColumnSet *set = &fp_column_sets[i];
      guint n = 0;

      for (; set->columns[n]; n++)
        {
          g_test_message ("%s", set->columns[n]);
          g_assert_nonnull (fp_column_set_get (set, n));
        }
      g_assert_cmpuint (n, >, 0);
      g_assert_null (fp_column_set_get (set, n));
      g_assert_true (!set->sort || fp_columns_find (set->sort, set->kinds));
    }
  g_assert_true (fp_column_set_get (&fp_column_sets[FP_COLUMN_SET_FACTS], 0)->role == FP_ROLE_COMMAND);
  g_assert_true (fp_column_set_find (FP_RECORD_PROCESS) == &fp_column_sets[FP_COLUMN_SET_PROCESSES]);
  g_assert_true (fp_column_set_find (FP_RECORD_TOTAL) == &fp_column_sets[FP_COLUMN_SET_GROUPS]);
  g_assert_true (fp_column_set_find (FP_RECORD_FOLD) == &fp_column_sets[FP_COLUMN_SET_FOLDS]);
}

/* Groups stand in the first column, which names the row. */
static void
test_layouts (void)
{
  for (guint i = 0; i < FP_N_TABLE_LAYOUTS; i++)
    {
      const FpTableLayout *layout = &fp_table_layouts[i];
      g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

      for (const FpColumnChoice *choice = layout->columns; choice->id; choice++)
        {
          const FpColumn *column = fp_columns_find (choice->id, layout->kinds);

          g_test_message ("%s", choice->id);
          g_assert_nonnull (column);
          g_assert_true (fp_column_is_name (column) == (choice == layout->columns));
          g_assert_true (choice > layout->columns || choice->is_shown);
          g_assert_cmpint (choice->width, >, 0);
          g_assert_true (g_hash_table_add (seen, (gpointer)column));
        }
      g_assert_true (!layout->sort || fp_columns_find (layout->sort, layout->kinds));
    }
}

/* Every line of smaps has its column. */
static void
test_all (void)
{
  const char *const *columns = fp_mapping_sets[FP_MAPPING_SET_ALL].columns;

  for (FpField field = 0; field < FP_N_FIELDS; field++)
    if ((fp_field_infos[field].origin & (FP_ORIGIN_SMAPS | FP_ORIGIN_MAPPING)) &&
        fp_columns_find (fp_field_infos[field].name, FP_RECORD_MAPPING))
      g_assert_true (g_strv_contains (columns, fp_field_infos[field].name));
  for (const char *const *id = fp_mapping_sets[FP_MAPPING_SET_PMAP_MORE].columns; *id; id++)
    g_assert_true (g_strv_contains (columns, *id));
}

static char *
show (FpMappingSetId id)
{
  static const char *const lines[] = {
    "1000-3000 r-xp 0 fe:00 11 /code|Rss 8, Shared_Clean 8, Shared_Dirty 0, Private_Clean 0, Private_Dirty 0",
    "3000-4000 rw-p 0 fe:00 11 /data|Rss 12, Shared_Clean 4, Shared_Dirty 0, Private_Clean 4, Private_Dirty 4",
    "5000-9000 rw-p 0 00:00 0 [heap]|Rss 8, Shared_Clean 0, Shared_Dirty 0, Private_Clean 0, Private_Dirty 8",
    "a000-b000 rw-p 0 fe:00 12 /none|Rss 0, Shared_Clean 0, Shared_Dirty 0, Private_Clean 0, Private_Dirty 0",
    NULL,
  };
  const FpColumnSet *set = &fp_mapping_sets[id];
  g_autoptr (FpRecords) records = fixture_mappings_new (lines);
  g_autoptr (FpRows) rows = fp_rows_new ();
  GString *text = g_string_new (NULL);

  fp_rows_set_sort (rows, fp_columns_find (set->sort, FP_RECORD_MAPPING), set->descending);
  fp_rows_set_query (rows, set->filter ? fp_query_new (set->filter, FP_RECORD_MAPPING, NULL) : NULL);
  fp_rows_update (rows, records, NULL);
  for (guint i = 0; i < fp_rows_get_n (rows); i++)
    {
      FpMapping mapping;

      fp_mapping_records_get (records, fp_rows_get (rows, i)->index, &mapping);
      g_string_append_printf (text, "%s ", mapping.name);
    }
  return g_string_free (text, FALSE);
}

static void
test_rows (void)
{
  g_autofree char *usual = show (FP_MAPPING_SET_USUAL), *private = show (FP_MAPPING_SET_PRIVATE);
  g_autofree char *shared = show (FP_MAPPING_SET_SHARED);

  g_assert_cmpstr (usual, ==, "/code /data [heap] /none ");
  g_assert_cmpstr (private, ==, "[heap] /data ");
  g_assert_cmpstr (shared, ==, "/data /code ");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/mapping-sets/table", test_table);
  g_test_add_func ("/mapping-sets/sets", test_sets);
  g_test_add_func ("/mapping-sets/layouts", test_layouts);
  g_test_add_func ("/mapping-sets/all", test_all);
  g_test_add_func ("/mapping-sets/rows", test_rows);
  return g_test_run ();
}
