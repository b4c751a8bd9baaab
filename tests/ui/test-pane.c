// SPDX-License-Identifier: GPL-3.0-or-later
/* The details of one process, down to its mappings, driven from outside. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ui-pane.h"

#define ROW_FIRST  "*memfd:big-first*"
#define ROW_SECOND "*memfd:big-second*"
#define ROW_THIRD  "*memfd:big-third*"

/* The first is the name; of the others the header is in no order. */
static gboolean
has_titles (Pane *self,
            guint n,
            const char *wanted)
{
  g_auto (GStrv) titles = ui_table_titles (pane_get_table (self)), all = g_strsplit (wanted, ", ", 0);
  guint n_found = 0;

  for (guint i = 0; all[i]; i++)
    n_found += g_strv_contains ((const char *const *)titles, all[i]);
  return g_strv_length (titles) == n && n_found == g_strv_length (all);
}

/* The same mappings by kind, by file and one by one, with the columns for each question. */
static void
test_views (void)
{
  static const struct
  {
    const char *name;
    guint n;
    const char *titles;
  } sets[] = {
    { "Usual", 9, "Address Range, Access, Size, Memory, Private, Resident, Swap" },
    { "Private", 5, "Size, Private Clean, Private Dirty, Access" },
    { "Shared", 6, "Size, Resident, Shared Clean, Shared Dirty, Access" },
    { "As pmap -x", 6, "Start, Size, Resident, Access" },
    { "As pmap -X", 23, "Start, Access, Offset, Device, Inode, Resident, Memory, Swap" },
    { "Everything", 31, "Start, Access, Offset, Device, Inode, Flags, Memory, Shared Clean" },
  };
  g_auto (Pane) pane = { 0 };

  pane_start (&pane);
  ui_await (pane_find (&pane, "Heap"));
  g_assert_nonnull (pane_find (&pane, "Code"));
  g_assert_null (pane_find (&pane, ROW_SECOND));
  g_assert_true (has_titles (&pane, 5, "Name, Memory, Private, Resident, Swap"));

  pane_choose (&pane, "Group By", 1, "By file");
  ui_await (pane_find (&pane, ROW_SECOND));
  g_assert_null (pane_find (&pane, "Code"));
  g_assert_cmpstr (pane_get_text (&pane, ROW_SECOND, "Private"), ==, "2.0 MiB");

  pane_show_all (&pane);
  for (guint i = 0; i < G_N_ELEMENTS (sets); i++)
    {
      pane_choose (&pane, "Columns", i, sets[i].name);
      ui_await (has_titles (&pane, sets[i].n, sets[i].titles));
    }
  pane_stop (&pane);
}

static gboolean
is_first (Pane *self,
          const char *name)
{
  return g_pattern_match_simple (name, ui_table_text (pane_get_table (self), pane_get_first (self), "Name"));
}

static void
test_sort_and_search (void)
{
  g_auto (Pane) pane = { 0 };

  pane_start (&pane);
  pane_show_all (&pane);
  pane_search (&pane, "memfd size>1M");
  ui_await (pane_count_mappings (&pane) == 2);
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "2 mappings · Memory 6.0*MiB (each rounded down) · Private 6.0*MiB · *");

  /* One is larger, more of the other is in memory. */
  ui_click (ui_table_title (pane_get_table (&pane), "Size"));
  ui_await (is_first (&pane, ROW_SECOND));
  ui_click (ui_table_title (pane_get_table (&pane), "Memory"));
  ui_await (is_first (&pane, ROW_FIRST));
  ui_click (ui_table_title (pane_get_table (&pane), "Memory"));
  ui_await (is_first (&pane, ROW_SECOND));

  pane_search (&pane, "pss>3M memfd");
  ui_await (pane_count_mappings (&pane) == 1 && is_first (&pane, ROW_FIRST));
  pane_search (&pane, "no such mapping");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "No Mapping Matches");
  pane_search (&pane, "memfd:big-second");
  ui_await (pane_count_mappings (&pane) == 1 && is_first (&pane, ROW_SECOND));
  pane_stop (&pane);
}

/* What is new, gone and grown since the mark, and by how much. */
static void
test_mark (void)
{
  g_auto (Pane) pane = { 0 };

  pane_start (&pane);
  pane_show_all (&pane);
  pane_search (&pane, "memfd:big-");
  ui_await (pane_count_mappings (&pane) == 2);
  ui_key ("ctrl+m");
  ui_await (has_titles (&pane, 10, "Name, Change, Δ Memory"));
  ui_await (g_str_equal (pane_get_text (&pane, ROW_FIRST, "Change"), "The same"));

  pane_order (&pane, "change\n");
  ui_key ("F5");
  ui_await (pane_find (&pane, ROW_THIRD));
  g_assert_cmpstr (pane_get_text (&pane, ROW_FIRST, "Change"), ==, "Gone");
  g_assert_cmpstr (pane_get_text (&pane, ROW_SECOND, "Change"), ==, "Grown");
  g_assert_cmpstr (pane_get_text (&pane, ROW_THIRD, "Change"), ==, "New");
  g_assert_cmpstr (pane_get_text (&pane, ROW_FIRST, "Δ Private"), ==, "−4.0 MiB");
  g_assert_cmpstr (pane_get_text (&pane, ROW_SECOND, "Δ Private"), ==, "+1.0 MiB");
  g_assert_cmpstr (pane_get_text (&pane, ROW_THIRD, "Δ Private"), ==, "+3.0 MiB");
  g_assert_cmpstr (pane_get_text (&pane, "Total", "Δ Private"), ==, "0 B");
  g_assert_cmpstr (pane_get_text (&pane, "Total", "Δ Size"), ==, "−1.0 MiB");
  g_assert_cmpstr (pane_get_text (&pane, "Total", "Change"), ==, "");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "Since the mark: memory 0*B, address space −1.0*MiB");

  /* The same as sums: what is less and what is more in one */
  pane_choose (&pane, "Group By", 1, "By file");
  ui_await (g_str_equal (pane_get_text (&pane, ROW_SECOND, "Δ Private"), "+1.0 MiB"));
  g_assert_cmpstr (pane_get_text (&pane, ROW_FIRST, "Δ Private"), ==, "−4.0 MiB");
  pane_choose (&pane, "Group By", 0, "By kind");
  ui_await (pane_count_mappings (&pane) == 1);
  g_assert_cmpstr (ui_table_text (pane_get_table (&pane), pane_get_first (&pane), "Δ Private"), ==, "0 B");
  g_assert_cmpstr (pane_get_text (&pane, "Total", "Δ Private"), ==, "0 B");
  pane_show_all (&pane);

  ui_key ("ctrl+m");
  ui_await (has_titles (&pane, 9, "Name, Memory, Size"));
  g_assert_cmpstr (pane_get_text (&pane, ROW_SECOND, "Private"), ==, "3.0 MiB");
  g_assert_null (pane_find (&pane, ROW_FIRST));
  pane_stop (&pane);
}

static char *
save_as (Pane *self,
         const char *name)
{
  g_autofree char *file = g_build_filename (g_get_home_dir (), name, NULL);
  UiNode *dialog;
  char *text = NULL;

  pane_choose_in_menu (self, "Export…");
  /* What it is says only GTK 4.18. */
  ui_await ((dialog = ui_find (self->ui.application, ATSPI_ROLE_FILLER, "Export Mappings*")) ||
            (dialog = ui_find (self->ui.application, ATSPI_ROLE_DIALOG, "Export Mappings*")));
  ui_await (ui_find_focus (dialog));
  ui_key ("ctrl+a");
  ui_type (file);
  ui_dismiss (dialog, "Return");
  ui_await (g_file_get_contents (file, &text, NULL, NULL) && *text);
  g_remove (file);
  return text;
}

/* What is shown, for other programs, in the form that the name says, and as text for people. */
static void
test_export (void)
{
  g_auto (Pane) pane = { 0 };
  g_autofree char *csv = NULL, *json = NULL, *sorted = NULL, *pmap = NULL;
  g_autofree char *sanitizer = g_strdup (g_getenv ("ASAN_OPTIONS"));
  UiNode *entry;

  /* GTK 4.8's file chooser forgets 18 KiB. */
  g_setenv ("ASAN_OPTIONS", "detect_leaks=0", TRUE);
  pane_start (&pane);
  g_setenv ("ASAN_OPTIONS", sanitizer ? sanitizer : "", TRUE);
  pane_show_all (&pane);
  pane_search (&pane, "memfd size>1M");
  ui_await (pane_count_mappings (&pane) == 2);

  csv = save_as (&pane, "mappings.csv");
  g_assert_true (g_pattern_match_simple ("*pss,*\r\n*,4194304,*memfd:big-first*\r\n*", csv));
  g_assert_null (strstr (csv, "memfd:rows"));
  g_assert_null (strstr (csv, "Total"));
  json = save_as (&pane, "mappings.json");
  g_assert_true (g_pattern_match_simple ("*\"pss\"*:*4194304*memfd:big-first*", json) ||
                 g_pattern_match_simple ("*memfd:big-first*\"pss\"*:*4194304*", json));
  /* As they stand in the table: the second is larger, and was put below the first. */
  g_assert_true (g_pattern_match_simple ("*memfd:big-second*memfd:big-first*", csv));
  ui_click (ui_table_title (pane_get_table (&pane), "Size"));
  ui_await (is_first (&pane, ROW_SECOND));
  ui_click (ui_table_title (pane_get_table (&pane), "Size"));
  ui_await (is_first (&pane, ROW_FIRST));
  sorted = save_as (&pane, "sorted.csv");
  g_assert_true (g_pattern_match_simple ("*memfd:big-first*memfd:big-second*", sorted));
  pmap = save_as (&pane, "mappings.txt");
  g_assert_true (g_pattern_match_simple ("*Address*Perm*Pss*Mapping\n*memfd:big-second*4096*memfd:big-first*", pmap));

  pane_choose_in_menu (&pane, "Copy as Text");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "Copied");
  program_search (&pane.ui, "");
  ui_key ("ctrl+v");
  entry = ui_find (pane.ui.window, ATSPI_ROLE_ENTRY, "Search");
  ui_await (g_pattern_match_simple ("*Address*Mapping*memfd:big-first*", ui_text (entry)));
  pane_stop (&pane);
}

/* In bytes, as they are written */
static guint64
parse_figure (const char *text)
{
  guint64 figure = 0;

  for (; *text; text++)
    if (g_ascii_isdigit (*text))
      figure = figure * 10 + (guint64)g_ascii_digit_value (*text);
  return figure;
}

static guint64
read_figure (Pane *self,
             guint row,
             const char *column)
{
  UiNode *table = pane_get_table (self);

  return parse_figure (ui_table_text (table, ui_table_row (table, row), column));
}

/* It stands above all others, which are on the screen, and is what they come to. */
static void
assert_total (Pane *self)
{
  static const char *const columns[] = { "Memory", "Private", "Resident", "Swap" };
  UiNode *table = pane_get_table (self);
  g_auto (GStrv) titles = ui_table_titles (table);
  g_autoptr (GPtrArray) rows = ui_table_rows (table);
  const char *const *total = rows->pdata[0];

  g_assert_cmpstr (total[0], ==, "Total");
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      guint64 sum = 0;
      guint column = 0;

      while (titles[column] && !g_str_equal (titles[column], columns[i]))
        column++;
      g_assert_nonnull (titles[column]);
      for (guint row = 1; row < rows->len; row++)
        sum += parse_figure (((const char *const *)rows->pdata[row])[column]);
      g_test_message ("%s of %u: %" G_GUINT64_FORMAT, columns[i], rows->len - 1, sum);
      g_assert_cmpuint (parse_figure (total[column]), ==, sum);
      g_assert_true (sum > 0 || g_str_equal (columns[i], "Swap"));
    }
}

/* Of what is shown and searched for, whatever it is sorted by. */
static void
test_total (void)
{
  g_auto (Pane) pane = { 0 };

  pane_write_settings ("units='exact'\n");
  pane_start (&pane);
  ui_await (pane_find (&pane, "Heap"));
  g_assert_cmpuint (pane_count_mappings (&pane), >, 4);
  assert_total (&pane);
  for (guint i = 0; i < 2; i++)
    {
      const char *first = ui_table_text (pane_get_table (&pane), pane_get_first (&pane), "Name");

      ui_click (ui_table_title (pane_get_table (&pane), "Name"));
      ui_await (!is_first (&pane, first));
      assert_total (&pane);
    }
  pane_search (&pane, "memfd:big-");
  ui_await (pane_count_mappings (&pane) == 1);
  assert_total (&pane);
  g_assert_cmpuint (read_figure (&pane, 0, "Private"), ==, 6 * 1024 * 1024);

  pane_show_all (&pane);
  ui_await (pane_count_mappings (&pane) == 2);
  assert_total (&pane);
  g_assert_cmpuint (read_figure (&pane, 0, "Size"), ==, 20 * 1024 * 1024);
  g_assert_cmpstr (pane_get_text (&pane, "Total", "Address Range"), ==, "");
  g_assert_true (g_str_has_prefix (ui_name (ui_table_row (pane_get_table (&pane), 0)), "Total, 2 mappings, Memory 6291456 B"));
  pane_search (&pane, "libc");
  ui_await (pane_count_mappings (&pane) > 2);
  assert_total (&pane);
  pane_stop (&pane);
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
}

static int
compare_with_saved (Pane *self,
                    const char *saved)
{
  g_autofree char *now = ui_table_to_text (pane_get_table (self));

  return g_strcmp0 (saved, now);
}

/* Who reads it again finds the place, the order and what was selected as they were. */
static void
test_kept (void)
{
  g_auto (Pane) pane = { 0 };
  g_autofree char *before = NULL, *range = NULL;

  pane_start (&pane);
  pane_show_all (&pane);
  ui_click (ui_table_title (pane_get_table (&pane), "Size"));
  ui_await (is_first (&pane, ROW_SECOND));
  ui_click (ui_table_title (pane_get_table (&pane), "Private"));
  ui_await (is_first (&pane, ROW_FIRST));
  ui_scroll (pane_get_name_cell (&pane, 3), 12);
  ui_await (!pane_find (&pane, ROW_FIRST) && pane_find (&pane, "*memfd:rows*"));
  ui_click (pane_get_name_cell (&pane, 5));
  ui_await (ui_table_n_selected (pane_get_table (&pane)) == 1);
  range = g_strdup (ui_name (ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "7*–7*, 4.0 KiB")));
  before = ui_table_to_text (pane_get_table (&pane));

  /* The sum below tells that it was read. */
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "* mappings · Memory 7.*MiB *");
  pane_order (&pane, "touch\n");
  pane_order (&pane, "touch\n");
  ui_key ("F5");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "* mappings · Memory 9.*MiB *");
  g_assert_cmpint (compare_with_saved (&pane, before), ==, 0);
  g_assert_cmpuint (ui_table_n_selected (pane_get_table (&pane)), ==, 1);
  g_assert_cmpstr (ui_name (ui_find (pane.ui.window, ATSPI_ROLE_LABEL, "7*–7*, 4.0 KiB")), ==, range);
  pane_stop (&pane);
}

/* Who reads it again sees its pages as they are now, too. */
static void
test_pages_again (void)
{
  g_auto (Pane) pane = { 0 };

  pane_start (&pane);
  pane_show_all (&pane);
  pane_search (&pane, "big-second");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "1 mapping *");
  /* The first click may only take away what hangs over it. */
  for (guint i = 0; i < 3 && ui_table_n_selected (pane_get_table (&pane)) == 0; i++)
    {
      ui_click (pane_get_name_cell (&pane, 1));
      ui_pause (500);
    }
  g_assert_cmpuint (ui_table_n_selected (pane_get_table (&pane)), ==, 1);
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "*Private*2.0*MiB*Absent*14.0*MiB*");
  pane_order (&pane, "touch\n");
  ui_key ("F5");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "*Private*3.0*MiB*Absent*13.0*MiB*");

  /* A sum has none. */
  ui_click (pane_get_name_cell (&pane, 0));
  ui_wait_until_gone (pane.ui.window, ATSPI_ROLE_LABEL, "*Private*3.0*MiB*Absent*13.0*MiB*");
  g_assert_cmpuint (ui_table_n_selected (pane_get_table (&pane)), ==, 1);
  pane_stop (&pane);
}

/* Figures in the pane are written as in the list. */
static void
test_units (void)
{
  g_auto (Pane) pane = { 0 };
  GPid child = child_start (NULL);

  pane_write_settings ("units='exact'\n");
  program_start (&pane.ui, (const char *const[]){ "--filter", program_get_search (), NULL });
  ui_await (program_find_pid (&pane.ui, child));
  ui_click (program_find_pid (&pane.ui, child));
  ui_wait_for (ui_wait_for (pane.ui.window, ATSPI_ROLE_SLIDER, "History"), ATSPI_ROLE_LABEL, "Now*Memory*B*Private*B*");
  g_assert_null (ui_find (pane.ui.window, ATSPI_ROLE_LABEL, "Now*iB*"));
  ui_stop (&pane.ui);
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  child_stop (child);
}

/* A newer version may have kept a word that this one does not know. */
static void
test_kept_grouping (void)
{
  static const struct
  {
    const char *setting;
    const char *has;
    const char *has_not;
  } cases[] = {
    { "mappings-by='file'\n", ROW_SECOND, "Code" },
    { "mappings-by='phase of the moon'\n", "Code", ROW_SECOND },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Pane) pane = { 0 };

      pane_write_settings (cases[i].setting);
      pane_start (&pane);
      ui_await (pane_find (&pane, cases[i].has));
      g_assert_null (pane_find (&pane, cases[i].has_not));
      pane_stop (&pane);
    }
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pane/views", test_views);
  g_test_add_func ("/pane/sort-and-search", test_sort_and_search);
  g_test_add_func ("/pane/total", test_total);
  g_test_add_func ("/pane/mark", test_mark);
  g_test_add_func ("/pane/export", test_export);
  g_test_add_func ("/pane/kept", test_kept);
  g_test_add_func ("/pane/pages-again", test_pages_again);
  g_test_add_func ("/pane/units", test_units);
  g_test_add_func ("/pane/kept-grouping", test_kept_grouping);
  return g_test_run ();
}
