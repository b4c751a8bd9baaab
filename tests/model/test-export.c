// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fixture-mappings.h"
#include "fp-columns.h"
#include "fp-export.h"
#include "fp-mapping-changes.h"

static const FpFormat format = { .style = FP_STYLE_EXACT, .is_for_programs = TRUE };

static const char *const lines[] = {
  "1000-3000 r-xp 00000000 fe:00 11 /usr/bin/a,\"b\"|Size 8, Rss 8, Pss 4, Swap 0",
  "7f0000004000-7f0000009000 rw-p 00000000 00:00 0 [heap]|Size 20, Rss 16384, Pss 16, Swap 0",
  "7f000000a000-7f000000b000 r--s 00002000 fe:00 1234567 /tab\there|Size 4, Rss 4, Pss 1, Swap 0",
  NULL,
};

static char *
export_records (FpExport what,
                const FpRecords *records,
                const guint *indices,
                guint n,
                const char *const *ids)
{
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();
  GString *out = g_string_new (NULL);

  for (; *ids; ids++)
    {
      const FpColumn *column = fp_columns_find (*ids, records->class->kind);

      g_ptr_array_add (columns, (gpointer)(column ? column : fp_columns_find (*ids, FP_RECORD_MAPPING)));
    }
  g_ptr_array_add (columns, NULL);
  fp_export (what, records, indices, n, (const FpColumn *const *)columns->pdata, &format, NULL, out);
  return g_string_free (out, FALSE);
}

static const char *const ids[] = { "start", "rss", "locked", "kind", "mapping", NULL };

static void
test_csv (void)
{
  static const guint some[] = { 2, 0 };
  g_autoptr (FpRecords) records = fixture_mappings_new (lines);
  g_autofree char *csv = export_records (FP_EXPORT_CSV, records, some, 2, ids);

  g_assert_cmpstr (csv, ==,
                   "start,rss,locked,kind,mapping\r\n"
                   "00007f000000a000,4096,,constants,/tab\\there\r\n"
                   "0000000000001000,8192,,code,\"/usr/bin/a,\"\"b\"\"\"\r\n");
}

static void
test_json (void)
{
  g_autoptr (FpRecords) records = fixture_mappings_new (lines);
  g_autofree char *json = export_records (FP_EXPORT_JSON, records, NULL, 1, ids);
  g_autofree char *none = export_records (FP_EXPORT_JSON, records, NULL, 0, ids);

  g_assert_cmpstr (json, ==,
                   "[\n  {\n    \"start\" : \"0000000000001000\",\n    \"rss\" : 8192,\n    \"locked\" : null,\n"
                   "    \"kind\" : \"code\",\n    \"mapping\" : \"/usr/bin/a,\\\"b\\\"\"\n  }\n]\n");
  g_assert_cmpstr (none, ==, "[]\n");
}

/* Differences have a sign that programs read. */
static void
test_changes (void)
{
  static const char *const then[] = { "1000-3000 r-xp 00000000 fe:00 11 /a|Size 8, Rss 8, Pss 9", NULL };
  static const char *const now[] = { "1000-3000 r-xp 00000000 fe:00 11 /a|Size 8, Rss 4, Pss 10", NULL };
  static const char *const figures[] = { "change", "size", "rss", "pss", "swap", NULL };
  g_autoptr (FpRecords) before = fixture_mappings_new (then), after = fixture_mappings_new (now);
  g_autoptr (FpRecords) changes = fp_mapping_changes_new (before, after);
  g_autofree char *csv = export_records (FP_EXPORT_CSV, changes, NULL, 1, figures);
  g_autofree char *json = export_records (FP_EXPORT_JSON, changes, NULL, 1, figures);

  g_assert_cmpstr (csv, ==, "change,size,rss,pss,swap\r\nshrunk,0,-4096,1024,\r\n");
  g_assert_nonnull (strstr (json, "\"rss\" : -4096,\n    \"pss\" : 1024,\n    \"swap\" : null"));
}

static void
test_pmap (void)
{
  g_autoptr (FpRecords) records = fixture_mappings_new (lines);
  g_autofree char *text = export_records (FP_EXPORT_PMAP, records, NULL, records->n, ids);
  g_autofree char *none = export_records (FP_EXPORT_PMAP, records, NULL, 0, ids);

  g_assert_cmpstr (text, ==,
                   "         Address Perm   Offset Device   Inode Size   Rss Pss Swap Mapping\n"
                   "        00001000 r-xp 00000000  fe:00      11    8     8   4    0 /usr/bin/a,\"b\"\n"
                   "    7f0000004000 rw-p 00000000  00:00       0   20 16384  16    0 [heap]\n"
                   "    7f000000a000 r--s 00002000  fe:00 1234567    4     4   1    0 /tab\\there\n"
                   "                                              ==== ===== === ==== \n"
                   "                                                32 16396  21    0 KB \n");
  g_assert_nonnull (strstr (none, " Address Perm   Offset Device Inode Mapping\n"));
}

static void
test_json_writer (void)
{
  g_autoptr (GString) out = g_string_new (NULL), pretty = g_string_new (NULL);

  for (guint i = 0; i < 2; i++)
    {
      FpJson json = { i ? pretty : out, i == 1, TRUE, 0 };

      fp_json_begin_object (&json, NULL);
      fp_json_begin_array (&json, "a");
      fp_json_add_number (&json, NULL, G_MININT64);
      fp_json_add_bytes (&json, NULL, G_MAXUINT64);
      fp_json_begin_object (&json, NULL);
      fp_json_end_object (&json);
      fp_json_add_flag (&json, NULL, TRUE);
      fp_json_end_array (&json);
      fp_json_add_real (&json, "r", 5);
      fp_json_add_real (&json, "s", 0.25);
      fp_json_add_text (&json, "t", "\"\\\n\x1b\x7f€/");
      fp_json_add_text (&json, "u", "");
      fp_json_end_object (&json);
    }
  g_assert_cmpstr (out->str, ==,
                   "{\"a\":[-9223372036854775808,9223372036854775807,{},true],\"r\":5.0,\"s\":0.25,"
                   "\"t\":\"\\\"\\\\\\u000a\\u001b\\u007f€/\",\"u\":null}");
  g_assert_true (g_str_has_prefix (pretty->str, "{\n  \"a\" : [\n    -9223372036854775808,\n"));
  g_assert_true (g_str_has_suffix (pretty->str, "\n  \"u\" : null\n}"));
}

/* Nothing but the frame of it, for one who has turned away. */
static void
test_cancelled (void)
{
  static const gint yes = TRUE, no = FALSE;
  const FpColumn *columns[] = { fp_columns_find ("start", FP_RECORD_MAPPING), NULL };
  g_autoptr (FpRecords) records = fixture_mappings_new (lines);
  g_autoptr (GString) whole = g_string_new (NULL), cut = g_string_new (NULL);

  fp_export (FP_EXPORT_CSV, records, NULL, records->n, columns, &format, &no, whole);
  fp_export (FP_EXPORT_CSV, records, NULL, records->n, columns, &format, &yes, cut);
  g_assert_nonnull (strstr (whole->str, "1000\r\n"));
  g_assert_cmpstr (cut->str, ==, "start\r\n");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/export/csv", test_csv);
  g_test_add_func ("/export/json", test_json);
  g_test_add_func ("/export/changes", test_changes);
  g_test_add_func ("/export/pmap", test_pmap);
  g_test_add_func ("/export/json-writer", test_json_writer);
  g_test_add_func ("/export/cancelled", test_cancelled);
  return g_test_run ();
}
