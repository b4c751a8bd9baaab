// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "cli-runner.h"
#include "heap-writer.h"

static char *
save_known (const char *folder)
{
  return heap_writer_save_known (folder, "recording");
}

static void
test_table (void)
{
  g_autofree char *folder = cli_make_folder (), *path = save_known (folder);
  g_autofree char *usual = cli_get_output ("--heap", path, NULL);
  g_autofree char *leaked = cli_get_output ("--heap", path, "--cost", "leaked", "--bytes", NULL);
  g_autofree char *library = cli_get_output ("--heap", path, "--by", "library", "--cost", "calls", NULL);
  g_autofree char *stack = cli_get_output ("--heap", path, "--by", "stack", "--limit", "1", NULL);

  g_assert_cmpstr (usual, ==,
                   "At its peak, after 2.5 s, it held 4.0\u00a0MiB in 7 blocks; 75 % from read_rows; 256\u00a0KiB was never freed.\n"
                   "\n"
                   "     At Peak       %     Callees Allocations  Function                                  Library\n"
                   "     3.0 MiB  75.0 %     4.0 MiB           3  read_rows                                 reader\n"
                   "     1.0 MiB  25.0 %     1.0 MiB           4  parse_object                              libjson.so.5\n");
  g_assert_nonnull (strstr (leaked, "\n      262144 100.0 %      262144           4  parse_object                              libjson.so.5\n"));
  g_assert_null (strstr (leaked, "  read_rows "));
  g_assert_nonnull (strstr (library, "\n Allocations       %     Callees  Library\n           4  57.1 %           4  libjson.so.5\n           3  42.9 %           7  reader\n"));
  g_assert_nonnull (strstr (stack, "\n     3.0 MiB  75.0 %           3  strdup ← read_rows ← main\n"));
  g_assert_null (strstr (stack, "parse"));
  cli_remove_folder (g_steal_pointer (&folder));
}

/* A moment of a recording shows what was in use then; its time is the last that the recording knows until then. */
static void
test_moment (void)
{
  g_autofree char *folder = cli_make_folder (), *path = save_known (folder);
  g_autofree char *first = cli_get_output ("--heap", path, "--at", "1.2", "--bytes", NULL);
  g_autofree char *last = cli_get_output ("--heap", path, "--at", "100", "--bytes", NULL);
  g_autofree char *none = cli_get_output ("--heap", path, "--at", "0", NULL);
  g_autofree char *range = cli_get_output ("--heap", path, "--at", "1.2-3", "--bytes", NULL);
  g_autoptr (JsonNode) json = cli_get_json ("--heap", path, "--at", "1-2.5", "--json", NULL);

  g_assert_true (g_str_has_prefix (first, "After 1.0 s it held 1048576 in 1 block.\n\n      In Use "));
  g_assert_nonnull (strstr (first, "\n     1048576 100.0 %     1048576           1  read_rows "));
  g_assert_true (g_str_has_prefix (last, "After 4.0 s it held 262144 in 1 block.\n"));
  g_assert_nonnull (strstr (last, "\n      262144 100.0 %      262144           4  parse_object "));
  g_assert_cmpstr (none, ==, "After 0 ms it held 0\u00a0B in 0 blocks.\n");
  g_assert_true (g_str_has_prefix (range, "From 1.0 s to 2.5 s: 6 allocations; where memory grew, it grew by 3145728.\n\n      Growth "));
  g_assert_nonnull (strstr (range, "\n     2097152  66.7 %     3145728           2  read_rows "));
  g_assert_nonnull (strstr (range, "\n     1048576  33.3 %     1048576           4  parse_object "));
  g_assert_cmpint (cli_json_get_int (json_node_get_object (json), "from_ms"), ==, 1000);
  g_assert_cmpint (cli_json_get_int (json_node_get_object (json), "at_ms"), ==, 2500);
  cli_remove_folder (g_steal_pointer (&folder));
}

static void
test_json (void)
{
  g_autofree char *folder = cli_make_folder (), *path = save_known (folder);
  g_autoptr (JsonNode) root = cli_get_json ("--heap", path, "--json", NULL), stacks = cli_get_json ("--heap", path, "--by", "stack", "--json", NULL);
  JsonObject *object = json_node_get_object (root), *total = json_object_get_object_member (object, "total");
  JsonObject *place = json_array_get_object_element (json_object_get_array_member (object, "places"), 0);
  JsonObject *stack = json_array_get_object_element (json_object_get_array_member (json_node_get_object (stacks), "places"), 0);
  JsonArray *frames = json_object_get_array_member (stack, "frames");

  g_assert_cmpint (cli_json_get_int (object, "peak_ms"), ==, 2500);
  g_assert_cmpint (cli_json_get_int (object, "duration_ms"), ==, 4000);
  g_assert_cmpstr (cli_json_get_text (object, "condition"), ==, "complete");
  g_assert_cmpstr (cli_json_get_text (object, "format"), ==, "heaptrack");
  g_assert_cmpint (cli_json_get_int (total, "peak"), ==, 4 << 20);
  g_assert_cmpint (cli_json_get_int (total, "leaked"), ==, 1 << 18);
  g_assert_cmpint (cli_json_get_int (total, "calls"), ==, 7);
  g_assert_cmpstr (cli_json_get_text (place, "function"), ==, "read_rows");
  g_assert_cmpint (cli_json_get_int (place, "line"), ==, 0x20);
  g_assert_cmpint (cli_json_get_int (json_object_get_object_member (place, "own"), "peak"), ==, 3 << 20);
  g_assert_cmpint (cli_json_get_int (json_object_get_object_member (place, "with_callees"), "peak"), ==, 4 << 20);
  g_assert_cmpuint (json_array_get_length (frames), ==, 3);
  g_assert_cmpstr (cli_json_get_text (json_array_get_object_element (frames, 0), "function"), ==, "strdup");
  cli_remove_folder (g_steal_pointer (&folder));
}

static void
test_text_for_programs (void)
{
  g_autofree char *folder = cli_make_folder (), *path = save_known (folder);
  g_autofree char *csv = cli_get_output ("--heap", path, "--csv", NULL), *by_stack = cli_get_output ("--heap", path, "--csv", "--by", "stack", NULL);
  g_autofree char *folded = cli_get_output ("--heap", path, "--folded", NULL), *again = NULL, *copy = g_build_filename (folder, "folded", NULL);

  g_assert_cmpstr (csv, ==,
                   "function,library,peak,leaked,temporary,calls,all_peak,all_leaked,all_temporary,all_calls\r\n"
                   "read_rows,/usr/bin/reader,3145728,0,0,3,4194304,262144,0,7\r\n"
                   "parse_object,/usr/lib/libjson.so.5,1048576,262144,0,4,1048576,262144,0,4\r\n");
  g_assert_cmpstr (by_stack, ==,
                   "stack,peak,leaked,temporary,calls\r\n"
                   "main;read_rows;strdup,3145728,0,0,3\r\n"
                   "main;read_rows;parse_object,1048576,262144,0,4\r\n");
  g_assert_cmpstr (folded, ==, "main;read_rows;strdup 3145728\nmain;read_rows;parse_object 1048576\n");
  g_assert_true (g_file_set_contents (copy, folded, -1, NULL));
  again = cli_get_output ("--heap", copy, "--folded", NULL);
  g_assert_cmpstr (again, ==, folded);
  cli_remove_folder (g_steal_pointer (&folder));
}

static gboolean
is_xml (const char *text)
{
  static const GMarkupParser parser = { 0 };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, NULL, NULL);

  return g_markup_parse_context_parse (context, text, -1, NULL) && g_markup_parse_context_end_parse (context, NULL);
}

/* Each frame is as wide as its part of the whole, and says in words what it is. */
static void
test_svg (void)
{
  g_autofree char *folder = cli_make_folder (), *path = save_known (folder);
  g_autofree char *peak = cli_get_output ("--heap", path, "--svg", NULL), *leaked = cli_get_output ("--heap", path, "--svg", "--cost", "leaked", NULL);
  g_autofree char *first = cli_get_output ("--heap", path, "--svg", "--at", "1.2", "--bytes", NULL);

  g_assert_true (g_str_has_prefix (peak, "<?xml "));
  g_assert_true (g_str_has_suffix (peak, "</svg>\n"));
  g_assert_true (is_xml (peak));
  g_assert_nonnull (strstr (peak, ">At its peak, after 2.5 s, it held 4.0"));
  g_assert_nonnull (strstr (peak, "<g><title>All\n4.0 MiB, 100.0 %</title><rect x=\"10.00\" y=\"34.00\" width=\"1179.50\" height=\"17.00\""));
  g_assert_nonnull (strstr (peak, "<g><title>strdup\n3.0 MiB, 75.0 %\nlibc.so.6</title><rect x=\"10.00\" y=\"88.00\" width=\"884.50\""));
  g_assert_nonnull (strstr (peak, "<g><title>parse_object\n1.0 MiB, 25.0 %\nlibjson.so.5</title><rect x=\"895.00\" y=\"88.00\" width=\"294.50\""));
  g_assert_null (strstr (leaked, "strdup"));
  g_assert_nonnull (strstr (leaked, "<title>parse_object\n256 KiB, 100.0 %\n"));
  g_assert_nonnull (strstr (first, "<title>strdup\n1048576, 100.0 %\n"));
  cli_remove_folder (g_steal_pointer (&folder));
}

/* Functions of two recordings that have changed, the largest change first; the same file has not changed at all. */
static void
test_compare (void)
{
  g_autofree char *folder = cli_make_folder (), *after = save_known (folder), *before = g_build_filename (folder, "before", NULL);
  g_autofree char *table = NULL, *csv = NULL, *library = NULL, *same = NULL;
  g_auto (HeapWriter) writer = { 0 };
  g_autoptr (JsonNode) root = NULL;
  JsonObject *total, *place;

  heap_writer_init (&writer, HEAP_FORMAT_3);
  heap_writer_allocate (&writer, 0x10, 2 << 20, heap_writer_add_trace_in (&writer, "/opt/old/libjson.so.5", "parse_object", 0));
  heap_writer_allocate (&writer, 0x20, 3 << 20, heap_writer_add_trace_in (&writer, "/usr/bin/reader", "read_rows", 0));
  heap_writer_set_time (&writer, 1000);
  heap_writer_finish (&writer);
  g_assert_true (g_file_set_contents (before, writer.text->str, (gssize)writer.text->len, NULL));
  table = cli_get_output ("--heap", after, "--compare", before, NULL);
  g_assert_cmpstr (table, ==,
                   "      Before       After      Change  Function                                  Library\n"
                   "     5.0 MiB     4.0 MiB    −1.0 MiB  All\n"
                   "     2.0 MiB     1.0 MiB    −1.0 MiB  parse_object                              libjson.so.5\n");
  csv = cli_get_output ("--heap", after, "--compare", before, "--cost", "calls", "--csv", NULL);
  g_assert_cmpstr (csv, ==,
                   "function,library,before,after,difference\r\n"
                   "parse_object,libjson.so.5,1,4,3\r\n"
                   "read_rows,reader,1,3,2\r\n");
  library = cli_get_output ("--heap", after, "--compare", before, "--by", "library", "--cost", "leaked", "--bytes", "--limit", "1", NULL);
  g_assert_nonnull (strstr (library, "\n     3145728           0    −3145728  reader\n"));
  root = cli_get_json ("--heap", after, "--compare", before, "--json", NULL);
  total = json_object_get_object_member (json_node_get_object (root), "total");
  place = json_array_get_object_element (json_object_get_array_member (json_node_get_object (root), "places"), 0);
  g_assert_cmpint (cli_json_get_int (total, "difference"), ==, -(1 << 20));
  g_assert_cmpstr (cli_json_get_text (place, "function"), ==, "parse_object");
  g_assert_cmpint (cli_json_get_int (place, "after"), ==, 1 << 20);
  same = cli_get_output ("--heap", after, "--compare", after, "--csv", NULL);
  g_assert_cmpstr (same, ==, "function,library,before,after,difference\r\n");
  cli_remove_folder (g_steal_pointer (&folder));
}

static void
test_cut_off (void)
{
  g_autofree char *folder = cli_make_folder (), *path = g_build_filename (folder, "cut", NULL), *out = NULL;
  g_auto (HeapWriter) writer = { 0 };
  const char *end;

  heap_writer_write_known (&writer);
  end = strstr (writer.text->str, "\nc 9c4\n") + 1;
  g_assert_true (g_file_set_contents (path, writer.text->str, end - writer.text->str, NULL));
  out = cli_get_output ("--heap", path, NULL);
  g_assert_nonnull (strstr (out, "; 75 % from read_rows; 4.0\u00a0MiB was still in use where the file ends.\nThe file ends too early. Anything recorded later is missing.\n"));
  g_clear_pointer (&out, g_free);
  out = cli_get_output ("--heap", path, "--cost", "leaked", NULL);
  g_assert_nonnull (strstr (out, "\n      In Use       %     Callees Allocations  Function "));
  cli_remove_folder (g_steal_pointer (&folder));
}

static void
test_refused (void)
{
  g_autofree char *folder = cli_make_folder (), *path = save_known (folder), *folded = g_build_filename (folder, "folded", NULL);

  g_assert_true (g_file_set_contents (folded, "a;b 5\n", -1, NULL));
  cli_assert_refused (1, "No such file", "--heap", "/nonexistent", NULL);
  cli_assert_refused (1, "Is a directory", "--heap", "/", NULL);
  cli_assert_refused (1, "not a heap profile that Footprint knows.", "--heap", "/bin/sh", NULL);
  cli_assert_refused (1, "empty", "--heap", "/dev/null", NULL);
  cli_assert_refused (2, "function, library, stack", "--heap", path, "--by", "user", NULL);
  cli_assert_refused (2, "peak, leaked", "--heap", path, "--cost", "size", NULL);
  cli_assert_refused (2, "--at takes seconds", "--heap", path, "--at", "-1", NULL);
  cli_assert_refused (2, "--svg and --csv cannot be used together", "--heap", path, "--svg", "--csv", NULL);
  cli_assert_refused (2, "--at takes seconds", "--heap", path, "--at", "nan", NULL);
  cli_assert_refused (2, "--at takes seconds", "--heap", path, "--at", "2-1", NULL);
  cli_assert_refused (2, "--at takes seconds", "--heap", path, "--at", "1-", NULL);
  cli_assert_refused (2, "does not say “leaked”", "--heap", path, "--at", "1-2", "--cost", "leaked", NULL);
  cli_assert_refused (2, "add --heap", "--cost", "peak", NULL);
  cli_assert_refused (2, "add --heap", "--at", "5", NULL);
  cli_assert_refused (2, "add --heap", "--folded", NULL);
  cli_assert_refused (2, "add --heap", "--svg", NULL);
  cli_assert_refused (2, "--compare and --by stack cannot be used together", "--heap", path, "--compare", path, "--by", "stack", NULL);
  cli_assert_refused (2, "One of the files does not say “leaked”", "--heap", path, "--compare", folded, "--cost", "leaked", NULL);
  cli_assert_refused (2, "--svg and --by cannot", "--heap", path, "--svg", "--by", "library", NULL);
  cli_assert_refused (2, "--watch", "--heap", path, "--watch", "1", NULL);
  cli_assert_refused (2, "--folded and --json cannot", "--heap", path, "--folded", "--json", NULL);
  cli_assert_refused (2, "does not say “leaked”", "--heap", folded, "--cost", "leaked", NULL);
  cli_assert_refused (2, "other times", "--heap", folded, "--at", "1", NULL);
  cli_remove_folder (g_steal_pointer (&folder));
}

#define N_ROWS 20000

/* A program that reads a file of some hundred KiB holds many times as much: the first sentence names the function. */
static void
tell_story (const char *variable,
            const char *function)
{
  g_autofree char *folder = cli_make_folder (), *csv = g_build_filename (folder, "people.csv", NULL), *out = NULL;
  g_autofree char *recording = g_build_filename (folder, "recording.zst", NULL), *from = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (JsonNode) root = NULL;
  g_auto (CliResult) recorder = { 0 };
  JsonObject *total;
  const char *place;
  gint share;

  for (guint i = 0; i < N_ROWS; i++)
    g_string_append_printf (text, "%u,Ada,Lovelace,London,%u\n", i, i * 7);
  g_assert_true (g_file_set_contents (csv, text->str, (gssize)text->len, NULL));
  g_setenv ("FOLDER", folder, TRUE);
  g_setenv ("READER", g_getenv (variable), TRUE);
  cli_run_shell (&recorder, "heaptrack -o \"$FOLDER/recording\" \"$READER\" \"$FOLDER/people.csv\"");
  g_assert_cmpint (recorder.status, ==, 0);
  root = cli_get_json ("--heap", recording, "--json", NULL);
  total = json_object_get_object_member (json_node_get_object (root), "total");
  g_assert_cmpint (cli_json_get_int (total, "peak"), >, 5 * N_ROWS * 256);
  g_assert_cmpint (cli_json_get_int (total, "peak"), >, 30 * (gint64)text->len);
  out = cli_get_output ("--heap", recording, NULL);
  *strchr (out, '\n') = '\0';
  g_test_message ("%s", out);
  g_assert_true (g_str_has_prefix (out, "At its peak, after "));
  from = g_strdup_printf (" %% from %s; ", function);
  place = strstr (out, from);
  g_assert_nonnull (place);
  /* A row may have a block of its own beside those of its fields. */
  share = (gint)(5 * N_ROWS * 256 * 100. / (double)cli_json_get_int (total, "peak") + 0.5);
  g_assert_cmpint (atoi (place - 2), >=, share);
  g_assert_cmpint (atoi (place - 2), <, 100);
  cli_remove_folder (g_steal_pointer (&folder));
}

static void
test_story (void)
{
  tell_story ("FOOTPRINT_TEST_CSV_READER", "read_row");
}

static void
test_rust_story (void)
{
  if (!*g_getenv ("FOOTPRINT_TEST_RUST_CSV_READER"))
    g_test_skip ("there is no Rust here");
  else
    tell_story ("FOOTPRINT_TEST_RUST_CSV_READER", "csv_reader::read_row");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/heap/table", test_table);
  g_test_add_func ("/cli/heap/moment", test_moment);
  g_test_add_func ("/cli/heap/json", test_json);
  g_test_add_func ("/cli/heap/for-programs", test_text_for_programs);
  g_test_add_func ("/cli/heap/svg", test_svg);
  g_test_add_func ("/cli/heap/compare", test_compare);
  g_test_add_func ("/cli/heap/cut-off", test_cut_off);
  g_test_add_func ("/cli/heap/refused", test_refused);
  g_test_add_func ("/cli/heap/story", test_story);
  g_test_add_func ("/cli/heap/story/rust", test_rust_story);
  return g_test_run ();
}
