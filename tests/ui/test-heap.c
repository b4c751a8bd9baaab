// SPDX-License-Identifier: GPL-3.0-or-later
/* A window with a heap profile, driven from outside: all that it shows is of a recording of known content. */
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

/* By what is in it, whatever it is called: the sentence, functions and libraries, with exact figures. */
static void
test_open (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = save_known ("monday");
  UiNode *table;

  program_start (&ui, (const char *const[]){ file, NULL });
  g_assert_cmpstr (ui_name (ui.window), ==, "monday");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, SENTENCE);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "./program with arguments");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Peak, after 2.5 s of 4.0 s: 4.0*MiB in 7 blocks");
  table = heap_get_table (&ui, "Functions");
  ui_await (ui_find_focus (table));
  ui_await (heap_has_titles (table, "Name|In Use|With Callees|Allocations|Library"));
  heap_assert_cell (table, "read_rows", "In Use", "3.0 MiB");
  heap_assert_cell (table, "read_rows", "With Callees", "4.0 MiB");
  heap_assert_cell (table, "read_rows", "Allocations", "3");
  heap_assert_cell (table, "read_rows", "Library", "reader");
  heap_assert_cell (table, "parse_object", "In Use", "1.0 MiB");
  heap_assert_cell (table, "strdup", "In Use", "0 B");
  heap_assert_cell (table, "strdup", "With Callees", "3.0 MiB");
  g_assert_cmpuint (ui_table_n_rows (table), ==, 4);
  g_assert_cmpstr (ui_table_text (table, ui_table_row (table, 0), "Name"), ==, "read_rows");
  program_save_picture (&ui, "heap-functions.png");

  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PAGE_TAB, "Libraries"));
  table = heap_get_table (&ui, "Libraries");
  heap_assert_cell (table, "reader", "In Use", "3.0 MiB");
  heap_assert_cell (table, "reader", "With Callees", "4.0 MiB");
  heap_assert_cell (table, "libjson.so.5", "In Use", "1.0 MiB");
  g_assert_cmpuint (ui_table_n_rows (table), ==, 3);
  program_save_picture (&ui, "heap-libraries.png");
  ui_stop (&ui);
  g_remove (file);
}

/* Another cost has its own column and order, with what it is a part of; a search finds functions, libraries and sizes. */
static void
test_cost (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = save_known ("costs");
  UiNode *table;

  program_start (&ui, (const char *const[]){ "--heap", file, NULL });
  table = heap_get_table (&ui, "Functions");
  heap_choose_cost (&ui, "In Use", 1);
  ui_await (heap_has_titles (table, "Name|Never Freed|With Callees|Allocations|Library"));
  heap_assert_cell (table, "parse_object", "Never Freed", "256 KiB");
  heap_assert_cell (table, "read_rows", "Never Freed", "0 B");
  heap_assert_cell (table, "main", "With Callees", "256 KiB");
  g_assert_cmpstr (ui_table_text (table, ui_table_row (table, 0), "Name"), ==, "parse_object");
  heap_choose_cost (&ui, "Never Freed", 2);
  ui_await (heap_has_titles (table, "Name|Allocations|With Callees|Library"));
  heap_assert_cell (table, "main", "With Callees", "7");
  heap_assert_cell (table, "parse_object", "Allocations", "4");
  g_assert_cmpstr (ui_table_text (table, ui_table_row (table, 0), "Name"), ==, "parse_object");

  ui_key ("ctrl+f");
  ui_wait_for (ui.window, ATSPI_ROLE_ENTRY, NULL);
  ui_await (ui_find_focus (ui.window) && ui_role (ui_find_focus (ui.window)) == ATSPI_ROLE_ENTRY);
  ui_type ("libjson");
  ui_await (ui_table_n_rows (table) == 1);
  g_assert_nonnull (ui_table_find_row (table, "Name", "parse_object"));
  ui_key ("ctrl+a");
  ui_type ("peak>2M");
  ui_await (ui_table_n_rows (table) == 1 && ui_table_find_row (table, "Name", "read_rows"));
  ui_key ("ctrl+a");
  ui_type ("nobody is called this");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "No Function Matches “nobody is called this”");
  program_save_picture (&ui, "heap-nothing.png");
  ui_stop (&ui);
  g_remove (file);
}

/* The buttons and the keys choose a moment, which all of the window follows. */
static void
test_moment (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = save_known ("moments");
  UiNode *table, *chart;

  program_start (&ui, (const char *const[]){ file, NULL });
  table = heap_get_table (&ui, "Functions");
  chart = ui_wait_for (ui.window, ATSPI_ROLE_SLIDER, "Memory over time");
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "End"));
  ui_await (heap_has_titles (table, "Name|In Use|With Callees|Allocations|Library"));
  g_assert_true (g_pattern_match_simple ("After 4.0 s of 4.0 s: 256*KiB in 1 block", ui_description (chart)));
  heap_assert_cell (table, "parse_object", "In Use", "256 KiB");
  heap_assert_cell (table, "read_rows", "In Use", "0 B");

  ui_click (chart);
  ui_await (g_pattern_match_simple ("After 1.0 s of 4.0 s: 1.0*MiB in 1 block", ui_description (chart)));
  ui_await (g_strcmp0 (heap_get_cell (table, "read_rows", "In Use"), "1.0 MiB") == 0);
  heap_assert_cell (table, "parse_object", "In Use", "0 B");
  heap_assert_cell (table, "parse_object", "Allocations", "0");
  heap_assert_cell (table, "read_rows", "Allocations", "1");
  program_save_picture (&ui, "heap-moment.png");
  ui_key ("Right");
  ui_await (g_strcmp0 (heap_get_cell (table, "parse_object", "In Use"), "1.0 MiB") == 0);
  g_assert_true (g_pattern_match_simple ("After 2.5 s of 4.0 s: 4.0*MiB in 7 blocks", ui_description (chart)));
  ui_key ("End");
  ui_await (g_strcmp0 (heap_get_cell (table, "parse_object", "In Use"), "256 KiB") == 0);
  ui_key ("Home");
  ui_await (g_strcmp0 (heap_get_cell (table, "read_rows", "In Use"), "1.0 MiB") == 0);
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Peak"));
  ui_await (heap_has_titles (table, "Name|In Use|With Callees|Allocations|Library"));
  heap_assert_cell (table, "read_rows", "In Use", "3.0 MiB");
  heap_assert_cell (table, "read_rows", "Allocations", "3");
  ui_stop (&ui);
  g_remove (file);
}

/* Another file gets a window of its own, this one stays. */
static void
test_menu (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = save_known ("first"), *other = save_known ("second");
  UiNode *dialog;

  heap_start_with_dialogs (&ui, file);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, SENTENCE);
  ui_key ("ctrl+o");
  dialog = program_await_dialog (&ui, "Open Snapshot or Heap Profile");
  program_answer_with_path (dialog, other);
  ui_await (program_find_other_window (&ui, "second"));
  ui_wait_for (program_find_other_window (&ui, "second"), ATSPI_ROLE_LABEL, SENTENCE);
  g_assert_cmpstr (ui_name (ui.window), ==, "first");
  ui_stop (&ui);
  g_remove (file);
  g_remove (other);
}

/* The list becomes a file with all its figures, in the same order. */
static void
test_export (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = save_known ("exported"), *csv = make_path ("functions of a program.csv"), *text = NULL;

  heap_start_with_dialogs (&ui, file);
  ui_await (ui_table_n_rows (heap_get_table (&ui, "Functions")) == 4);
  heap_open_more_menu (&ui);
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "Export…"));
  program_answer_with_path (program_await_dialog (&ui, "Export List *"), csv);
  ui_await (g_file_test (csv, G_FILE_TEST_EXISTS));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Saved as functions of a program.csv");
  g_assert_true (g_file_get_contents (csv, &text, NULL, NULL));
  g_assert_cmpstr (text, ==,
                   "function,library,peak,leaked,temporary,calls,all_peak,all_leaked,all_temporary,all_calls\r\n"
                   "read_rows,/usr/bin/reader,3145728,0,0,3,4194304,262144,0,7\r\n"
                   "parse_object,/usr/lib/libjson.so.5,1048576,262144,0,4,1048576,262144,0,4\r\n"
                   "main,/usr/bin/reader,0,0,0,0,4194304,262144,0,7\r\n"
                   "strdup,/usr/lib/libc.so.6,0,0,0,0,3145728,0,0,3\r\n");
  ui_stop (&ui);
  g_remove (file);
  g_remove (csv);
}

/* A click or Enter gives a function the whole width, Escape takes it back; screen readers find what can be read, and hear where
 * the arrow keys are. */
static void
test_flame_graph (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = save_known ("graph");
  UiNode *graph;
  UiBox whole, rows, parse;

  program_start (&ui, (const char *const[]){ file, NULL });
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PAGE_TAB, "Flame Graph"));
  graph = ui_wait_for (ui.window, ATSPI_ROLE_TREE, "Flame graph");
  ui_await (heap_has_frame (&ui, "strdup, 3.0 MiB, 75.0 %"));
  ui_await (heap_has_frame (&ui, "parse_object, 1.0 MiB, 25.0 %"));
  whole = ui_get_box (ui_find (graph, ATSPI_ROLE_TREE_ITEM, "All, 4.0 MiB, 100.0 %"));
  rows = ui_get_box (ui_find (graph, ATSPI_ROLE_TREE_ITEM, "read_rows, 4.0 MiB, 100.0 %"));
  parse = ui_get_box (ui_find (graph, ATSPI_ROLE_TREE_ITEM, "parse_object, *"));
  g_assert_cmpint (rows.width, ==, whole.width);
  g_assert_cmpint (ABS (parse.width - whole.width / 4), <=, 1);
  g_assert_cmpint (parse.y, ==, rows.y + rows.height);
  program_save_picture (&ui, "heap-graph.png");

  ui_click (ui_find (graph, ATSPI_ROLE_TREE_ITEM, "parse_object, *"));
  ui_await (!heap_has_frame (&ui, "strdup, *"));
  ui_await (ui_get_box (ui_find (graph, ATSPI_ROLE_TREE_ITEM, "parse_object, *")).width == whole.width);
  program_save_picture (&ui, "heap-graph-zoomed.png");
  ui_key ("Escape");
  ui_await (heap_has_frame (&ui, "strdup, *"));
  ui_await (g_str_has_prefix (ui_description (graph), "read_rows, "));
  ui_key ("Down");
  ui_await (g_str_has_prefix (ui_description (graph), "strdup, "));
  ui_key ("Right");
  ui_await (g_str_equal (ui_description (graph), "parse_object, 1.0 MiB, 25.0 %"));
  ui_key ("Left");
  ui_await (g_str_has_prefix (ui_description (graph), "strdup, "));
  ui_key ("Return");
  ui_await (!heap_has_frame (&ui, "parse_object, *"));
  ui_key ("BackSpace");
  ui_await (heap_has_frame (&ui, "parse_object, *"));

  ui_click (ui_find (graph, ATSPI_ROLE_TREE_ITEM, "strdup, *"));
  ui_await (!heap_has_frame (&ui, "parse_object, *"));
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Show All"));
  ui_await (heap_has_frame (&ui, "parse_object, *"));
  ui_await (!program_is_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Show All"));
  /* Nothing is left of what had the whole width. */
  ui_click (ui_find (graph, ATSPI_ROLE_TREE_ITEM, "strdup, *"));
  ui_await (!heap_has_frame (&ui, "parse_object, *"));
  heap_choose_cost (&ui, "In Use", 1);
  ui_await (heap_has_frame (&ui, "parse_object, 256 KiB, 100.0 %"));
  ui_await (!heap_has_frame (&ui, "strdup, *"));
  heap_choose_cost (&ui, "Never Freed", 1);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Nothing to Show");
  program_save_picture (&ui, "heap-graph-nothing.png");
  heap_choose_cost (&ui, "Temporary", 1);
  ui_await (heap_has_frame (&ui, "parse_object, 4, 57.1 %"));
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "End"));
  heap_choose_cost (&ui, "Allocations", 0);
  ui_await (heap_has_frame (&ui, "parse_object, 4, 57.1 %"));
  ui_stop (&ui);
  g_remove (file);
}

/* The calls from either end: the way on which most goes is open at first, the arrow keys open and close others, and a search leaves
 * the ways on which it finds something. */
static void
test_tree (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = save_known ("calls");
  UiNode *table;

  program_start (&ui, (const char *const[]){ file, NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, SENTENCE);
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PAGE_TAB, "Tree"));
  table = heap_get_table (&ui, "Tree of calls");
  ui_await (heap_has_names (table, "read_rows|main|parse_object"));
  ui_await (heap_has_titles (table, "Name|In Use|Allocations|Library"));
  heap_assert_cell (table, "read_rows", "In Use", "3.0 MiB");
  heap_assert_cell (table, "main", "In Use", "3.0 MiB");
  heap_assert_cell (table, "parse_object", "Library", "libjson.so.5");
  program_save_picture (&ui, "heap-tree-bottom-up.png");
  ui_click (ui_table_find_row (table, "Name", "parse_object"));
  ui_key ("Right");
  ui_await (heap_has_names (table, "read_rows|main|parse_object|read_rows"));
  ui_key ("Left");
  ui_await (heap_has_names (table, "read_rows|main|parse_object"));

  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Top-Down"));
  ui_await (heap_has_names (table, "main|read_rows|strdup|parse_object"));
  heap_assert_cell (table, "strdup", "In Use", "3.0 MiB");
  heap_assert_cell (table, "main", "In Use", "4.0 MiB");
  program_save_picture (&ui, "heap-tree-top-down.png");
  heap_choose_cost (&ui, "In Use", 1);
  ui_await (heap_has_names (table, "main|read_rows|parse_object|strdup"));
  heap_assert_cell (table, "main", "Never Freed", "256 KiB");
  g_assert_cmpstr (heap_get_cell (table, "main", "Allocations"), ==, "7");

  ui_key ("ctrl+f");
  ui_await (ui_find_focus (ui.window) && ui_role (ui_find_focus (ui.window)) == ATSPI_ROLE_ENTRY);
  ui_type ("strdup");
  ui_await (heap_has_names (table, "main|read_rows|strdup"));
  ui_await (g_strcmp0 (heap_get_cell (table, "main", "Allocations"), "3") == 0);
  ui_key ("ctrl+a");
  ui_type ("nobody");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "No Function Matches “nobody”");
  ui_stop (&ui);
  g_remove (file);
}

/* The callers and callees of the selected function are below the list; Enter goes on to one of them. */
static void
test_callers (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = save_known ("callers");
  UiNode *table, *callers, *callees;

  program_start (&ui, (const char *const[]){ file, NULL });
  table = heap_get_table (&ui, "Functions");
  ui_await (ui_table_n_rows (table) == 4);
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_LABEL, "Callers of *"));
  ui_click (ui_table_find_row (table, "Name", "read_rows"));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Callers of read_rows");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Callees of read_rows");
  callers = heap_get_table (&ui, "Callers");
  callees = heap_get_table (&ui, "Callees");
  ui_await (heap_has_names (callers, "main"));
  ui_await (heap_has_names (callees, "strdup|parse_object"));
  heap_assert_cell (callers, "main", "In Use", "4.0 MiB");
  heap_assert_cell (callees, "strdup", "In Use", "3.0 MiB");
  heap_assert_cell (callees, "parse_object", "In Use", "1.0 MiB");
  program_save_picture (&ui, "heap-callers.png");

  ui_double_click (ui_table_find_row (callees, "Name", "parse_object"));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Callees of parse_object");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "It calls nothing that allocates");
  ui_await (ui_has_state (ui_table_find_row (table, "Name", "parse_object"), ATSPI_STATE_SELECTED));
  ui_await (heap_has_names (callers, "read_rows"));
  ui_click (ui_table_find_row (callers, "Name", "read_rows"));
  ui_key ("Return");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Callers of read_rows");
  ui_await (ui_has_state (ui_table_find_row (table, "Name", "read_rows"), ATSPI_STATE_SELECTED));
  /* They follow the moment, too. */
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "End"));
  ui_await (g_strcmp0 (heap_get_cell (callers, "main", "In Use"), "256 KiB") == 0);
  ui_stop (&ui);
  g_remove (file);
}

/* A drag or Shift with the arrow keys chooses a range, which all of the window follows; its chip gives it up. */
static void
test_range (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = save_known ("range");
  UiNode *table, *chart;
  UiBox box;

  program_start (&ui, (const char *const[]){ file, NULL });
  table = heap_get_table (&ui, "Functions");
  chart = ui_wait_for (ui.window, ATSPI_ROLE_SLIDER, "Memory over time");
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*From *"));
  box = ui_get_box (chart);
  ui_drag (box.x + box.width * 3 / 8, box.y + box.height / 2, box.x + box.width * 3 / 4, box.y + box.height / 2);
  ui_await (g_pattern_match_simple ("From 1.0 s to 2.5 s: 3.0*MiB more in use", ui_description (chart)));
  ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*From 1.0 s to 2.5 s");
  ui_await (heap_has_titles (table, "Name|Growth|With Callees|Allocations|Library"));
  heap_assert_cell (table, "read_rows", "Growth", "2.0 MiB");
  heap_assert_cell (table, "read_rows", "Allocations", "2");
  heap_assert_cell (table, "parse_object", "Growth", "1.0 MiB");
  program_save_picture (&ui, "heap-range.png");
  ui_click (ui_find (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*From 1.0 s to 2.5 s"));
  ui_await (!program_is_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*From *"));
  ui_await (heap_has_titles (table, "Name|In Use|With Callees|Allocations|Library"));
  heap_assert_cell (table, "read_rows", "In Use", "3.0 MiB");

  ui_await (ui_has_state (chart, ATSPI_STATE_FOCUSED));
  ui_key ("shift+Right");
  ui_await (g_pattern_match_simple ("From 2.5 s to 4.0 s: 3.8*MiB less in use", ui_description (chart)));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Nothing Was Allocated");
  ui_key ("shift+Home");
  ui_await (g_pattern_match_simple ("From 1.0 s to 2.5 s: *", ui_description (chart)));
  ui_await (g_strcmp0 (heap_get_cell (table, "parse_object", "Growth"), "1.0 MiB") == 0);
  ui_key ("End");
  ui_await (g_pattern_match_simple ("After 4.0 s of 4.0 s: *", ui_description (chart)));
  ui_await (!program_is_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*From *"));
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Peak of RSS"));
  ui_await (g_pattern_match_simple ("After 2.5 s of 4.0 s: 4.0*MiB in 7 blocks", ui_description (chart)));
  ui_await (g_strcmp0 (heap_get_cell (table, "read_rows", "In Use"), "3.0 MiB") == 0);
  ui_stop (&ui);
  g_remove (file);
}

/* How many blocks of which size there were, from the smallest on. */
static void
test_sizes (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = save_known ("sizes"), *folded = make_path ("stacks.folded");
  UiNode *table;

  program_start (&ui, (const char *const[]){ file, NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, SENTENCE);
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PAGE_TAB, "Sizes"));
  table = heap_get_table (&ui, "Sizes");
  ui_await (heap_has_names (table, "256 KiB to 512 KiB|512 KiB to 1.0 MiB|1.0 MiB to 2.0 MiB"));
  ui_await (heap_has_titles (table, "Block Size|Allocations|Allocated|Never Freed"));
  heap_assert_cell (table, "256 KiB to 512 KiB", "Allocations", "4");
  heap_assert_cell (table, "256 KiB to 512 KiB", "Never Freed", "256 KiB");
  heap_assert_cell (table, "512 KiB to 1.0 MiB", "Allocations", "0");
  heap_assert_cell (table, "1.0 MiB to 2.0 MiB", "Allocated", "3.0 MiB");
  program_save_picture (&ui, "heap-sizes.png");
  ui_stop (&ui);
  g_remove (file);

  g_assert_true (g_file_set_contents (folded, "main;work 70\n", -1, NULL));
  program_start (&ui, (const char *const[]){ folded, NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_PAGE_TAB, "Flame Graph");
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_PAGE_TAB, "Sizes"));
  ui_stop (&ui);
  g_remove (folded);
}

/* The flame graph becomes a file as it is shown: what has the whole width there has it in the file. */
static void
test_save_graph (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = save_known ("drawn"), *svg = make_path ("graph.svg"), *text = NULL;

  heap_start_with_dialogs (&ui, file);
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PAGE_TAB, "Flame Graph"));
  ui_await (heap_has_frame (&ui, "strdup, *"));
  ui_click (ui_find (ui.window, ATSPI_ROLE_TREE_ITEM, "parse_object, *"));
  ui_await (!heap_has_frame (&ui, "strdup, *"));
  heap_open_more_menu (&ui);
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "Save as SVG…"));
  program_answer_with_path (program_await_dialog (&ui, "Save Flame Graph *"), svg);
  ui_await (g_file_test (svg, G_FILE_TEST_EXISTS));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Saved as graph.svg");
  g_assert_true (g_file_get_contents (svg, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "<title>parse_object\n1.0 MiB, 25.0 %\nlibjson.so.5</title><rect x=\"10.00\" y=\"88.00\" width=\"1179.50\""));
  g_assert_null (strstr (text, "strdup"));
  ui_stop (&ui);
  g_remove (file);
  g_remove (svg);
}

/* Preferences, shortcuts and the help open from this window alone, too, and the preferences from the help. */
static void
test_dialogs (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = save_known ("alone");
  UiNode *preferences, *shortcuts, *help;

  program_start (&ui, (const char *const[]){ file, NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, SENTENCE);
  ui_key ("ctrl+comma");
  preferences = ui_wait_for (ui.application, ATSPI_ROLE_FRAME, "Preferences");
  ui_wait_for (preferences, ATSPI_ROLE_LABEL, "Appearance");
  g_assert_false (program_is_shown (preferences, ATSPI_ROLE_LABEL, "Lists"));
  ui_dismiss (preferences, "Escape");
  ui_await (atspi_accessible_get_child_count (ui.application, NULL) == 1);
  ui_key ("ctrl+question");
  /* GTK 4.18 says neither what it is nor its name, and that a shortcut as a whole is a label. */
  ui_await (atspi_accessible_get_child_count (ui.application, NULL) == 2);
  shortcuts = ui_get_child (ui.application, 1);
  ui_wait_for (shortcuts, ATSPI_ROLE_LABEL, "*Give a Function the Whole Width");
  ui_dismiss (shortcuts, "Escape");
  ui_await (atspi_accessible_get_child_count (ui.application, NULL) == 1);
  ui_key ("F10");
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "Help"));
  ui_await ((help = program_find_other_window (&ui, "Help")));
  ui_await (program_is_shown (help, ATSPI_ROLE_LABEL, "A heap profile says which code allocated the memory*"));
  ui_await (ui_find_focus (help));
  ui_key ("ctrl+comma");
  preferences = ui_wait_for (ui.application, ATSPI_ROLE_FRAME, "Preferences");
  ui_wait_for (preferences, ATSPI_ROLE_LABEL, "Appearance");
  ui_stop (&ui);
  g_remove (file);
}

/* The part that is there is shown, and a line above it says that it is a part. */
static void
test_cut (void)
{
  g_auto (Ui) ui = { 0 };
  g_auto (HeapWriter) writer = { 0 };
  g_autofree char *file = make_path ("cut");

  heap_writer_write_known (&writer);
  g_assert_true (g_file_set_contents (file, writer.text->str, strstr (writer.text->str, "\nc 9c4\n") + 1 - writer.text->str, NULL));
  program_start (&ui, (const char *const[]){ file, NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "The file ends too early. Anything recorded later is missing.");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "*4.0*MiB was still in use where the file ends.");
  heap_assert_cell (heap_get_table (&ui, "Functions"), "read_rows", "In Use", "3.0 MiB");
  program_save_picture (&ui, "heap-cut.png");
  ui_stop (&ui);
  g_remove (file);
}

/* One clear message, and the way to another file. */
static void
test_wrong (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = make_path ("wrong");

  g_assert_true (g_file_set_contents (file, "\x89PNG\r\n\x1a\n\n", -1, NULL));
  program_start (&ui, (const char *const[]){ "--heap", file, NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "The Profile Can’t Be Opened");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "This is not a heap profile that Footprint knows. *");
  g_assert_true (program_is_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Open Another…"));
  program_save_picture (&ui, "heap-wrong.png");
  ui_stop (&ui);
  g_remove (file);
}

/* A file that keeps its reader waiting holds nobody up, and can be given up. */
static void
test_cancel (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = make_path ("never");

  g_assert_cmpint (mkfifo (file, 0600), ==, 0);
  program_start (&ui, (const char *const[]){ "--heap", file, NULL });
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Cancel"));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Reading was cancelled.");
  g_assert_true (program_is_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Read Again"));
  ui_stop (&ui);
  g_remove (file);
}

/* The window closes with the picture, and the program with it. */
static void
test_screenshot (void)
{
  g_autofree char *file = save_known ("pictured"), *picture = make_path ("picture.png"), *bytes = NULL;
  const char *argv[] = { g_getenv ("FOOTPRINT"), "--heap", file, "--screenshot", picture, NULL };
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  g_assert_true (g_file_get_contents (picture, &bytes, NULL, NULL));
  g_assert_true (g_str_has_prefix (bytes, "\x89PNG"));
  g_remove (file);
  g_remove (picture);
}

/* Dropped on the window of the machine, which stays. */
static void
test_drop (void)
{
  g_auto (Ui) ui = { 0 }, source = { 0 };
  g_autofree char *file = save_known ("dropped");

  program_start (&ui, (const char *const[]){ "--view", "processes", NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, NULL);
  ui_start (&source, (const char *const[]){ g_getenv ("UI_SAMPLE_DRAG"), file, NULL }, NULL);
  program_drag_onto (&source, ui.window);
  ui_drop ();
  ui_await (program_find_other_window (&ui, "dropped"));
  ui_wait_for (program_find_other_window (&ui, "dropped"), ATSPI_ROLE_LABEL, SENTENCE);
  ui_stop (&source);
  ui_stop (&ui);
  g_remove (file);
}

static gboolean
is_inside (Ui *ui,
           UiNode *node)
{
  UiBox whole = ui_get_box (ui->window), box = ui_get_box (node);

  return box.x >= whole.x && box.x + box.width <= whole.x + whole.width;
}

/* Dark, and as narrow as can be: all of it is inside the window. */
static void
test_narrow (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = save_known ("narrow");
  UiNode *table;

  ui_start (&ui, (const char *const[]){ g_getenv ("FOOTPRINT"), file, NULL }, (const char *const[]){ DARK, NULL });
  table = heap_get_table (&ui, "Functions");
  ui_await (ui_table_n_rows (table) == 4);
  program_save_picture (&ui, "heap-dark.png");
  ui_resize (&ui, 600, 720);
  ui_await (ui_get_content (&ui).width == 600);
  ui_await (heap_has_titles (table, "Name|In Use|With Callees|Allocations|Library"));
  program_save_picture (&ui, "heap-tiled-dark.png");
  ui_resize (&ui, 440, 720);
  ui_await (heap_has_titles (table, "Name|In Use"));
  ui_resize (&ui, 360, 720);
  ui_await (ui_get_content (&ui).width == 360);
  program_save_picture (&ui, "heap-narrow-dark.png");
  g_assert_true (is_inside (&ui, table));
  g_assert_true (is_inside (&ui, program_find_choice (ui.window, "Show", "In Use")));
  g_assert_true (is_inside (&ui, ui_find (ui.window, ATSPI_ROLE_PUSH_BUTTON, "End")));
  g_assert_true (is_inside (&ui, ui_find (ui.window, ATSPI_ROLE_SLIDER, "Memory over time")));
  heap_choose_cost (&ui, "In Use", 3);
  ui_await (heap_has_titles (table, "Name|Allocations"));
  ui_click (ui_table_find_row (table, "Name", "read_rows"));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Callees of read_rows");
  program_save_picture (&ui, "heap-callers-narrow-dark.png");
  heap_choose_part (&ui, "Functions", 2);
  table = heap_get_table (&ui, "Tree of calls");
  ui_await (heap_has_titles (table, "Name|Allocations"));
  program_save_picture (&ui, "heap-tree-narrow-dark.png");
  heap_choose_part (&ui, "Tree", 1);
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_TREE, "Flame graph"));
  ui_resize (&ui, 360, 294);
  ui_await (ui_get_content (&ui).height == 294);
  ui_await (!program_is_shown (ui.window, ATSPI_ROLE_SLIDER, "Memory over time"));
  program_save_picture (&ui, "heap-small-dark.png");
  ui_stop (&ui);
  g_remove (file);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/heap/open", test_open);
  g_test_add_func ("/heap/cost", test_cost);
  g_test_add_func ("/heap/moment", test_moment);
  g_test_add_func ("/heap/menu", test_menu);
  g_test_add_func ("/heap/export", test_export);
  g_test_add_func ("/heap/flame-graph", test_flame_graph);
  g_test_add_func ("/heap/tree", test_tree);
  g_test_add_func ("/heap/callers", test_callers);
  g_test_add_func ("/heap/range", test_range);
  g_test_add_func ("/heap/sizes", test_sizes);
  g_test_add_func ("/heap/save-graph", test_save_graph);
  g_test_add_func ("/heap/dialogs", test_dialogs);
  g_test_add_func ("/heap/cut", test_cut);
  g_test_add_func ("/heap/wrong", test_wrong);
  g_test_add_func ("/heap/cancel", test_cancel);
  g_test_add_func ("/heap/screenshot", test_screenshot);
  g_test_add_func ("/heap/drop", test_drop);
  g_test_add_func ("/heap/narrow", test_narrow);
  return g_test_run ();
}
