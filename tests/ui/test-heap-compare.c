// SPDX-License-Identifier: GPL-3.0-or-later
/* The window of a heap profile beside something else: another file, another moment of its own, or the process that was recorded. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "heap-writer.h"
#include "ui-heap.h"

#define SENTENCE "At its peak, after 2.5 s, it held 4.0\u00a0MiB in 7 blocks; 75 % from read_rows; 256\u00a0KiB was never freed."
#define DARK     "ADW_DEBUG_COLOR_SCHEME=prefer-dark"

static char *
make_path (const char *name)
{
  return g_build_filename (g_get_user_runtime_dir (), name, NULL);
}

static char *
save_known (const char *name)
{
  return heap_writer_save_known (g_get_user_runtime_dir (), name);
}

/* The program of the known recording before it was changed: 1 MiB by read_rows(), 2 MiB by a library of the same name in another
 * place, and 512 KiB by a function that it has no more. Nothing is freed. */
static char *
save_earlier (const char *name)
{
  g_auto (HeapWriter) writer = { 0 };
  char *path = make_path (name);
  guint start, rows;

  heap_writer_init (&writer, HEAP_FORMAT_3);
  start = heap_writer_add_trace_in (&writer, "/opt/reader", "main", 0);
  rows = heap_writer_add_trace_in (&writer, "/opt/reader", "read_rows", start);
  heap_writer_allocate (&writer, 0x10, 1 << 20, heap_writer_add_trace_in (&writer, "/lib/libc.so.6", "strdup", rows));
  heap_writer_allocate (&writer, 0x20, 2 << 20, heap_writer_add_trace_in (&writer, "/opt/libjson.so.5", "parse_object", rows));
  heap_writer_allocate (&writer, 0x30, 1 << 19, heap_writer_add_trace_in (&writer, "/opt/reader", "fill_cache", start));
  heap_writer_set_time (&writer, 3000);
  heap_writer_finish (&writer);
  g_assert_true (g_file_set_contents (path, writer.text->str, (gssize)writer.text->len, NULL));
  return path;
}

static void
compare_with (Ui *ui,
              const char *path)
{
  ui_key ("F10");
  ui_click (ui_wait_for (ui->window, ATSPI_ROLE_MENU_ITEM, "Compare With…"));
  program_answer_with_path (program_await_dialog (ui, "Compare With an Earlier Heap Profile"), path);
}

static void
show_part (Ui *ui,
           const char *name)
{
  ui_click (ui_wait_for (ui->window, ATSPI_ROLE_PAGE_TAB, name));
}

/* The functions and libraries of both files with both figures; what has grown most comes first. The chip shows the file alone again. */
static void
test_lists (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = save_known ("after"), *earlier = save_earlier ("before");
  UiNode *table;

  heap_start_with_dialogs (&ui, file);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, SENTENCE);
  compare_with (&ui, earlier);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "“after” holds 512\u00a0KiB more at its peak than “before”; read_rows has 2.0\u00a0MiB more.");
  ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Compared with before");
  table = heap_get_table (&ui, "Functions");
  ui_await (heap_has_titles (table, "Name|Change|Before|After|Outcome|Change With Callees|Library"));
  heap_assert_cell (table, "read_rows", "Change", "+2.0 MiB");
  heap_assert_cell (table, "read_rows", "Before", "1.0 MiB");
  heap_assert_cell (table, "read_rows", "After", "3.0 MiB");
  heap_assert_cell (table, "read_rows", "Outcome", "Grown");
  heap_assert_cell (table, "read_rows", "Change With Callees", "+1.0 MiB");
  heap_assert_cell (table, "parse_object", "Change", "−1.0 MiB");
  heap_assert_cell (table, "parse_object", "Outcome", "Shrunk");
  heap_assert_cell (table, "fill_cache", "Outcome", "Gone");
  heap_assert_cell (table, "fill_cache", "After", "0 B");
  heap_assert_cell (table, "main", "Change With Callees", "+512 KiB");
  g_assert_cmpstr (ui_table_text (table, ui_table_row (table, 0), "Name"), ==, "read_rows");
  g_assert_cmpstr (ui_table_text (table, ui_table_row (table, ui_table_n_rows (table) - 1), "Name"), ==, "parse_object");
  /* Times of one file say nothing about the other, and sizes are of one alone. */
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_SLIDER, "Memory over time"));
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "End"));
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_PAGE_TAB, "Sizes"));
  program_save_picture (&ui, "heap-compared.png");
  show_part (&ui, "Libraries");
  table = heap_get_table (&ui, "Libraries");
  heap_assert_cell (table, "libjson.so.5", "Change", "−1.0 MiB");
  heap_assert_cell (table, "reader", "Before", "1.5 MiB");
  show_part (&ui, "Functions");
  table = heap_get_table (&ui, "Functions");
  heap_choose_cost (&ui, "At Peak", 1);
  ui_await (g_strcmp0 (heap_get_cell (table, "parse_object", "Before"), "2.0 MiB") == 0);
  heap_assert_cell (table, "parse_object", "After", "256 KiB");
  heap_assert_cell (table, "read_rows", "Outcome", "Gone");
  heap_choose_cost (&ui, "Never Freed", 2);
  ui_await (g_strcmp0 (heap_get_cell (table, "parse_object", "After"), "4") == 0);
  heap_assert_cell (table, "parse_object", "Change", "+3");

  ui_click (ui_find (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Compared with before"));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, SENTENCE);
  ui_await (!program_is_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Compared with *"));
  ui_await (heap_has_titles (table, "Name|Allocations|With Callees|Library"));
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_SLIDER, "Memory over time"));
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_PAGE_TAB, "Sizes"));
  ui_stop (&ui);
  g_remove (file);
  g_remove (earlier);
}

/* The tree opens where most has changed. The graph is as wide as the larger of both, and says in words what has become of each function. */
static void
test_calls (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = save_known ("later"), *earlier = save_earlier ("earlier");
  UiNode *table, *graph;
  UiBox whole, copy;

  heap_start_with_dialogs (&ui, file);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, SENTENCE);
  compare_with (&ui, earlier);
  ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Compared with earlier");
  show_part (&ui, "Tree");
  table = heap_get_table (&ui, "Tree of calls");
  ui_await (heap_has_titles (table, "Name|Change|Before|After|Outcome|Library"));
  ui_await (heap_has_names (table, "read_rows|main|fill_cache|parse_object"));
  heap_assert_cell (table, "read_rows", "Change", "+2.0 MiB");
  heap_assert_cell (table, "parse_object", "Before", "2.0 MiB");
  program_save_picture (&ui, "heap-compared-tree.png");
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Top-Down"));
  ui_await (heap_has_names (table, "main|read_rows|strdup|parse_object|fill_cache"));
  heap_assert_cell (table, "main", "Change", "+512 KiB");
  heap_assert_cell (table, "fill_cache", "Outcome", "Gone");

  show_part (&ui, "Flame Graph");
  graph = ui_wait_for (ui.window, ATSPI_ROLE_TREE, "Flame graph");
  ui_await (heap_has_frame (&ui, "strdup, grown by 2.0 MiB, from 1.0 MiB to 3.0 MiB"));
  ui_await (heap_has_frame (&ui, "parse_object, shrunk by 1.0 MiB, from 2.0 MiB to 1.0 MiB"));
  ui_await (heap_has_frame (&ui, "fill_cache, gone, 512 KiB before"));
  whole = ui_get_box (ui_find (graph, ATSPI_ROLE_TREE_ITEM, "All, grown by 512 KiB, from 3.5 MiB to 4.0 MiB"));
  copy = ui_get_box (ui_find (graph, ATSPI_ROLE_TREE_ITEM, "strdup, *"));
  g_assert_cmpint (ABS (copy.width - whole.width * 6 / 11), <=, 1);
  program_save_picture (&ui, "heap-compared-graph.png");
  ui_stop (&ui);
  g_remove (file);
  g_remove (earlier);
}

static char *
await_text (const char *path)
{
  char *text = NULL;

  ui_await (g_file_get_contents (path, &text, NULL, NULL) && *text);
  return text;
}

/* The list is written with what each was, by how much it has changed, and what has become of it. */
static void
test_export (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = save_known ("exported"), *earlier = save_earlier ("old"), *csv = make_path ("changes.csv"), *text = NULL;

  heap_start_with_dialogs (&ui, file);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, SENTENCE);
  compare_with (&ui, earlier);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "“exported” holds *");
  heap_open_more_menu (&ui);
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "Export…"));
  program_answer_with_path (program_await_dialog (&ui, "Export List *"), csv);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Saved as changes.csv");
  text = await_text (csv);
  g_assert_true (g_str_has_prefix (text,
                                   "function,library,peak,leaked,temporary,calls,all_peak,all_leaked,all_temporary,all_calls,"
                                   "peak_before,peak_change,all_peak_change,peak_outcome,leaked_before,leaked_change,all_leaked_change,leaked_outcome,"
                                   "temporary_before,temporary_change,all_temporary_change,temporary_outcome,"
                                   "calls_before,calls_change,all_calls_change,calls_outcome\r\n"
                                   "read_rows,/usr/bin/reader,3145728,0,0,3,4194304,262144,0,7,1048576,2097152,1048576,grown,"
                                   "1048576,-1048576,-2883584,gone,0,0,0,same,1,2,5,grown\r\n"));
  g_assert_nonnull (strstr (text, "\r\nfill_cache,/usr/bin/reader,0,0,0,0,0,0,0,0,524288,-524288,-524288,gone,524288,-524288,-524288,gone,0,0,0,same,1,-1,-1,gone\r\n"));
  ui_stop (&ui);
  g_remove (file);
  g_remove (earlier);
  g_remove (csv);
}

/* A moment is marked by key, and each that is chosen later is compared with it; a range tells by itself what has changed. */
static void
test_mark (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = save_known ("marked");
  UiNode *table, *chart;

  program_start (&ui, (const char *const[]){ file, NULL });
  table = heap_get_table (&ui, "Functions");
  chart = ui_wait_for (ui.window, ATSPI_ROLE_SLIDER, "Memory over time");
  ui_click (chart);
  ui_await (g_strcmp0 (heap_get_cell (table, "read_rows", "In Use"), "1.0 MiB") == 0);
  ui_key ("ctrl+m");
  ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Since 1.0 s");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Choose another moment to compare with what it held after 1.0 s.");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Nothing Has Changed");
  ui_key ("Right");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "After 2.5 s it holds 3.0\u00a0MiB more than after 1.0 s; 67 % of it from read_rows.");
  ui_await (heap_has_titles (table, "Name|Change|Before|After|Outcome|Change With Callees|Library"));
  heap_assert_cell (table, "read_rows", "Before", "1.0 MiB");
  heap_assert_cell (table, "read_rows", "Change", "+2.0 MiB");
  heap_assert_cell (table, "parse_object", "Outcome", "New");
  program_save_picture (&ui, "heap-since.png");
  ui_key ("End");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "After 4.0 s it holds 768\u00a0KiB less than after 1.0 s; read_rows has 1.0\u00a0MiB less.");
  ui_await (g_strcmp0 (heap_get_cell (table, "read_rows", "Outcome"), "Gone") == 0);

  ui_key ("shift+Left");
  ui_await (!program_is_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Since *"));
  ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*From 2.5 s to 4.0 s");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, SENTENCE);
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Peak"));
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_TREE_TABLE, "Functions"));
  ui_await (g_strcmp0 (heap_get_cell (table, "read_rows", "In Use"), "3.0 MiB") == 0);
  heap_open_more_menu (&ui);
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "Compare From This Moment"));
  ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Since the peak");
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "End"));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "After 4.0 s it holds 3.8\u00a0MiB less than at its peak; 80 % of it from read_rows.");
  ui_click (ui_find (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Since the peak"));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, SENTENCE);
  ui_await (heap_has_titles (table, "Name|In Use|With Callees|Allocations|Library"));
  ui_stop (&ui);
  g_remove (file);
}

/* A file that is no profile is refused, and the window stays as it was. */
static void
test_wrong (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = save_known ("right"), *wrong = make_path ("wrong");
  UiNode *dialog;

  g_assert_true (g_file_set_contents (wrong, "\x89PNG\r\n\x1a\n\n", -1, NULL));
  heap_start_with_dialogs (&ui, file);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, SENTENCE);
  compare_with (&ui, wrong);
  dialog = ui_wait_for (ui.application, ATSPI_ROLE_LABEL, "The Profile Can’t Be Opened");
  ui_wait_for (ui.application, ATSPI_ROLE_LABEL, "This is not a heap profile that Footprint knows. *");
  g_assert_nonnull (dialog);
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Compared with *"));
  ui_key ("Escape");
  ui_stop (&ui);
  g_remove (file);
  g_remove (wrong);
}

/* Dark, and as narrow as can be: the change is what has room. Files of one name are told apart by their folders. */
static void
test_narrow (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = save_known ("run"), *folder = make_path ("monday"), *earlier = NULL;
  UiNode *table;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  earlier = save_earlier ("monday/run");
  ui_start (&ui, (const char *const[]){ g_getenv ("FOOTPRINT"), file, NULL }, (const char *const[]){ "ASAN_OPTIONS=detect_leaks=0", DARK, NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, SENTENCE);
  compare_with (&ui, earlier);
  ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Compared with monday/run");
  table = heap_get_table (&ui, "Functions");
  ui_resize (&ui, 360, 720);
  ui_await (ui_get_content (&ui).width == 360);
  ui_await (heap_has_titles (table, "Name|Change"));
  program_save_picture (&ui, "heap-compared-narrow-dark.png");
  heap_choose_part (&ui, "Functions", 3);
  ui_await (heap_has_frame (&ui, "strdup, grown by *"));
  program_save_picture (&ui, "heap-compared-graph-narrow-dark.png");
  ui_stop (&ui);
  g_remove (file);
  g_remove (earlier);
  g_rmdir (folder);
}

/* In KiB, with what is in swap */
static guint64
read_anonymous (GPid pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/smaps_rollup", pid), *text = NULL;
  static const char *const names[] = { "\nAnonymous:", "\nSwap:" };
  guint64 sum = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *line = strstr (text, names[i]);

      g_assert_nonnull (line);
      sum += g_ascii_strtoull (line + strlen (names[i]), NULL, 10);
    }
  return sum;
}

/* It has begun by then, and its memory stays as it is. */
static gboolean
is_asleep (GPid pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid), *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return g_str_has_prefix (strrchr (text, ')'), ") S");
}

/* The process that is named in the file's name still lives: the profile says how much of its memory it knows. */
static void
test_process (void)
{
  g_auto (Ui) ui = { 0 };
  g_auto (HeapWriter) writer = { 0 };
  GPid child = child_start ("7");
  g_autofree char *name = g_strdup_printf ("heaptrack.sleep.%d", child), *path = make_path (name), *expected = NULL;
  const struct timespec later[2] = { { .tv_sec = time (NULL) + 1000 }, { .tv_sec = time (NULL) + 1000 } };
  double whole;

  heap_writer_init (&writer, HEAP_FORMAT_3);
  heap_writer_allocate (&writer, 0x10, 16 * 1024, heap_writer_add_trace (&writer, "main", 0));
  heap_writer_set_time (&writer, 1000);
  heap_writer_finish (&writer);
  g_string_replace (writer.text, "./program with arguments", "sleep for long", 1);
  g_assert_true (g_file_set_contents (path, writer.text->str, (gssize)writer.text->len, NULL));
  g_assert_cmpint (utimensat (AT_FDCWD, path, later, 0), ==, 0);
  ui_await (is_asleep (child));
  program_start (&ui, (const char *const[]){ path, NULL });
  expected = g_strdup_printf ("This profile explains * of the memory of process %d that is not from files: *", child);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, expected);
  g_free (expected);
  whole = (double)read_anonymous (child);
  expected = g_strdup_printf (whole >= 99.95 ? "This profile explains 16.0 of %.0f KiB of *" : "This profile explains 16.0 of %.1f KiB of *", whole);
  g_assert_true (program_is_shown (ui.window, ATSPI_ROLE_LABEL, expected));
  program_save_picture (&ui, "heap-process.png");
  ui_stop (&ui);
  child_stop (child);
  g_remove (path);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/heap-compare/lists", test_lists);
  g_test_add_func ("/heap-compare/calls", test_calls);
  g_test_add_func ("/heap-compare/export", test_export);
  g_test_add_func ("/heap-compare/mark", test_mark);
  g_test_add_func ("/heap-compare/wrong", test_wrong);
  g_test_add_func ("/heap-compare/narrow", test_narrow);
  g_test_add_func ("/heap-compare/process", test_process);
  return g_test_run ();
}
