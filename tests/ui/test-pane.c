// SPDX-License-Identifier: GPL-3.0-or-later
/* The details of one process, down to its mappings, driven from outside. */
#include <glib/gstdio.h>
#include <string.h>

#include "test-length.h"
#include "ui-pane.h"

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
  g_assert_true (pane_has_titles (&pane, 5, "Name, Memory, Private, Resident, Swap"));

  pane_choose (&pane, "Group By", 1, "By file");
  ui_await (pane_find (&pane, ROW_SECOND));
  g_assert_null (pane_find (&pane, "Code"));
  g_assert_cmpstr (pane_get_text (&pane, ROW_SECOND, "Private"), ==, "2.0 MiB");

  pane_show_all (&pane);
  for (guint i = 0; i < G_N_ELEMENTS (sets); i++)
    {
      pane_choose (&pane, "Columns", i, sets[i].name);
      ui_await (pane_has_titles (&pane, sets[i].n, sets[i].titles));
    }
  pane_stop (&pane);
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
  ui_await (pane_is_first (&pane, ROW_SECOND));
  ui_click (ui_table_title (pane_get_table (&pane), "Memory"));
  ui_await (pane_is_first (&pane, ROW_FIRST));
  ui_click (ui_table_title (pane_get_table (&pane), "Memory"));
  ui_await (pane_is_first (&pane, ROW_SECOND));

  pane_search (&pane, "pss>3M memfd");
  ui_await (pane_count_mappings (&pane) == 1 && pane_is_first (&pane, ROW_FIRST));
  pane_search (&pane, "no such mapping");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "No Mapping Matches");
  pane_search (&pane, "memfd:big-second");
  ui_await (pane_count_mappings (&pane) == 1 && pane_is_first (&pane, ROW_SECOND));
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
  /* Only GTK 4.18 says what it is. */
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

/* The rows that are shown go to other programs in the form that the name says, and to people as text. */
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
  ui_await (pane_is_first (&pane, ROW_SECOND));
  ui_click (ui_table_title (pane_get_table (&pane), "Size"));
  ui_await (pane_is_first (&pane, ROW_FIRST));
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

static gboolean
is_total_right (Pane *self)
{
  static const char *const columns[] = { "Memory", "Private", "Resident", "Swap" };
  UiNode *table = pane_get_table (self);
  g_auto (GStrv) titles = ui_table_titles (table);
  g_autoptr (GPtrArray) rows = ui_table_rows (table);
  const char *const *total = rows->len > 0 ? rows->pdata[0] : NULL;

  if (!total || !g_str_equal (total[0], "Total"))
    return FALSE;
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
      if (parse_figure (total[column]) != sum || (sum == 0 && !g_str_equal (columns[i], "Swap")))
        return FALSE;
    }
  return TRUE;
}

/* The total stands above all others, which are on the screen, and is what they come to. The rows are read one after another,
 * and a search may come between. */
static void
await_total (Pane *self)
{
  ui_await (is_total_right (self));
}

/* The sum of the rows that are shown and searched for, whatever they are sorted by. */
static void
test_total (void)
{
  g_auto (Pane) pane = { 0 };

  pane_write_settings ("units='exact'\n");
  pane_start (&pane);
  ui_await (pane_find (&pane, "Heap"));
  g_assert_cmpuint (pane_count_mappings (&pane), >, 4);
  await_total (&pane);
  for (guint i = 0; i < 2; i++)
    {
      const char *first = ui_table_text (pane_get_table (&pane), pane_get_first (&pane), "Name");

      ui_click (ui_table_title (pane_get_table (&pane), "Name"));
      ui_await (!pane_is_first (&pane, first));
      await_total (&pane);
    }
  pane_search (&pane, "memfd:big-");
  ui_await (pane_count_mappings (&pane) == 1);
  await_total (&pane);
  g_assert_cmpuint (read_figure (&pane, 0, "Private"), ==, 6 * 1024 * 1024);

  pane_show_all (&pane);
  ui_await (pane_count_mappings (&pane) == 2);
  await_total (&pane);
  g_assert_cmpuint (read_figure (&pane, 0, "Size"), ==, 20 * 1024 * 1024);
  g_assert_cmpstr (pane_get_text (&pane, "Total", "Address Range"), ==, "");
  g_assert_true (g_str_has_prefix (ui_name (ui_table_row (pane_get_table (&pane), 0)), "Total, 2 mappings, Memory 6291456 B"));
  pane_search (&pane, "libc");
  ui_await (pane_count_mappings (&pane) > 2);
  await_total (&pane);
  pane_stop (&pane);
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
}

/* A section of a file as the terminal has it, in the words of the pane */
static char *
describe_section (Pane *self,
                  const char *file,
                  const char *section)
{
  g_autofree char *pid = g_strdup_printf ("%d", self->child), *table = NULL, *escaped = g_regex_escape_string (section, -1);
  g_autofree char *pattern = g_strdup_printf ("(?m)^ *\\S+ \\S+ +(\\S+ \\S+) +(\\S+ \\S+) +(\\S+ \\S+)  %s$", escaped);
  const char *argv[] = { g_getenv ("FOOTPRINT_CLI"), "--pid", pid, "--sections", file, NULL };
  g_autoptr (GRegex) regex = g_regex_new (pattern, 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autoptr (GError) error = NULL;
  char *words;

  g_spawn_sync (NULL, (char **)argv, NULL, 0, NULL, NULL, &table, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_regex_match (regex, table, 0, &match));
  words = g_match_info_expand_references (match, "Resident \\1, Changed \\2, Swap \\3", &error);
  g_assert_no_error (error);
  return words;
}

static void
assert_section (Pane *self,
                const char *file,
                const char *section)
{
  g_autofree char *words = describe_section (self, file, section), *expected = g_strdup_printf ("%s, %s", section, words);
  g_autofree char *glob = g_strdup_printf ("%s, *", section);

  g_assert_cmpstr (ui_name (ui_wait_for (self->ui.window, ATSPI_ROLE_LIST_ITEM, glob)), ==, expected);
}

/* A library's sections, read when they are asked for; other mappings have none. */
static void
test_sections (void)
{
  g_auto (Pane) pane = { 0 };
  g_autofree char *file = NULL;

  pane_start (&pane);
  pane_choose (&pane, "Group By", 1, "By file");
  pane_search (&pane, "libc.so");
  ui_await (ui_table_n_rows (pane_get_table (&pane)) == 2 && pane_find (&pane, "*/libc.so.6"));
  file = g_strdup (pane_get_text (&pane, "*/libc.so.6", "Name"));
  pane_click (&pane, "*/libc.so.6");
  ui_await (program_has_text (&pane.ui, "Sections of libc.so.6"));
  g_assert_null (ui_find (pane.ui.window, ATSPI_ROLE_LIST_ITEM, ".data (Data), *"));
  ui_click (ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "Sections of libc.so.6"));
  assert_section (&pane, file, ".data (Data)");
  assert_section (&pane, file, ".bss (Zeroed data)");
  assert_section (&pane, file, ".data.rel.ro (Relocated data)");
  ui_await (program_is_shown (pane.ui.window, ATSPI_ROLE_LIST_ITEM, "All of it, *"));
  ui_await (program_is_shown (pane.ui.window, ATSPI_ROLE_LIST_ITEM, ".text (Code), *"));
  program_save_picture (&pane.ui, "pane-sections.png");
  pane_search (&pane, "memfd:big-first");
  pane_click (&pane, ROW_FIRST);
  ui_await (!program_has_text (&pane.ui, "Sections of*"));
  pane_stop (&pane);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pane/views", test_views);
  g_test_add_func ("/pane/export", test_export);
  if (test_takes_all ())
    {
      g_test_add_func ("/pane/sort-and-search", test_sort_and_search);
      g_test_add_func ("/pane/sections", test_sections);
      g_test_add_func ("/pane/total", test_total);
    }
  return g_test_run ();
}
