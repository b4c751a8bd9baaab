// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui-heap.h"

UiNode *
heap_get_table (Ui *ui,
                const char *name)
{
  return ui_wait_for (ui->window, ATSPI_ROLE_TREE_TABLE, name);
}

static const char *
find_name_title (UiNode *table)
{
  g_auto (GStrv) titles = ui_table_titles (table);

  return g_strv_contains ((const char *const *)titles, "Block Size") ? "Block Size" : "Name";
}

/* NULL: it is not on the screen */
const char *
heap_get_cell (UiNode *table,
               const char *name,
               const char *title)
{
  UiNode *row = ui_table_find_row (table, find_name_title (table), name);

  return row ? ui_table_text (table, row, title) : NULL;
}

/* Titles may be there a frame before the cells. */
void
heap_assert_cell (UiNode *table,
                  const char *name,
                  const char *title,
                  const char *expected)
{
  g_autofree char *what = g_strdup_printf ("“%s” of %s is %s", title, name, expected);

  for (gint64 end = ui_patience (); g_strcmp0 (heap_get_cell (table, name, title), expected) != 0;)
    ui_breathe (end, G_STRLOC, what);
}

/* GTK 4.8 has titles in another order than columns once one was inserted. */
gboolean
heap_has_titles (UiNode *table,
                 const char *expected)
{
  g_auto (GStrv) titles = ui_table_titles (table), wanted = g_strsplit (expected, "|", 0);

  for (guint i = 0; wanted[i]; i++)
    if (!g_strv_contains ((const char *const *)titles, wanted[i]))
      return FALSE;
  return g_strv_length (titles) == g_strv_length (wanted);
}

/* NULL: there is no such row */
static const char *
get_row_name (UiNode *table,
              guint n)
{
  return n < ui_table_n_rows (table) ? ui_table_text (table, ui_table_row (table, n), find_name_title (table)) : NULL;
}

gboolean
heap_has_names (UiNode *table,
                const char *expected)
{
  g_auto (GStrv) names = g_strsplit (expected, "|", 0);

  for (guint i = 0; names[i]; i++)
    if (g_strcmp0 (get_row_name (table, i), names[i]) != 0)
      return FALSE;
  return ui_table_n_rows (table) == g_strv_length (names);
}

gboolean
heap_has_frame (Ui *ui,
                const char *name)
{
  return program_is_shown (ui->window, ATSPI_ROLE_TREE_ITEM, name);
}

void
heap_choose_cost (Ui *ui,
                  const char *now,
                  guint down)
{
  /* The first is “At Peak” where files are compared. */
  static const char *const costs[] = { "In Use", "Never Freed", "Temporary", "Allocations", NULL };

  program_choose (ui->window, "Show", costs, now, down);
}

void
heap_choose_part (Ui *ui,
                  const char *now,
                  guint down)
{
  static const char *const parts[] = { "Functions", "Libraries", "Tree", "Flame Graph", "Sizes", NULL };

  program_choose (ui->window, "View", parts, now, down);
}

void
heap_open_more_menu (Ui *ui)
{
  /* The first is what it stands in. */
  UiNode *button = ui_find_nth (ui->window, ATSPI_ROLE_PUSH_BUTTON, "More", 1);

  for (gint64 end = ui_patience (); !ui_has_state (button, ATSPI_STATE_FOCUSED); ui_key ("Tab"))
    ui_breathe (end, G_STRLOC, "the menu has the focus");
  ui_key ("space");
}

/* GTK 4.8's file chooser forgets some memory. */
void
heap_start_with_dialogs (Ui *ui,
                         const char *file)
{
  ui_start (ui, (const char *const[]){ g_getenv ("FOOTPRINT"), file, NULL }, (const char *const[]){ "ASAN_OPTIONS=detect_leaks=0", NULL });
}
