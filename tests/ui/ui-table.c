// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "ui-driver-private.h"

/* Two readings have to agree: a refresh may come between two cells. */
#define N_READINGS 10

static UiNode *
get_list (UiNode *table)
{
  UiNode *list = ui_get_child (ui_check (table), 1);

  if (!list)
    ui_fail ("“%s” is no column view", ui_name (table));
  return list;
}

static GStrv
get_cells (UiNode *row)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  int n = atspi_accessible_get_child_count (row, NULL);

  for (int i = 0; i < n; i++)
    {
      g_autoptr (UiRef) cell = atspi_accessible_get_child_at_index (row, i, NULL);
      g_autofree char *text = cell ? ui_get_texts (cell) : g_strdup ("");

      g_strv_builder_add (builder, text);
    }
  return g_strv_builder_end (builder);
}

GStrv
ui_table_titles (UiNode *table)
{
  UiNode *header = ui_get_child (table, 0);

  return header ? get_cells (header) : g_new0 (char *, 1);
}

static int
get_column (UiNode *table,
            const char *title)
{
  g_auto (GStrv) titles = ui_table_titles (table);

  for (int i = 0; titles[i]; i++)
    if (g_str_equal (titles[i], title))
      return i;
  ui_fail ("No column “%s”", title);
}

/* GTK 4.8 has the cells of a row in another order than the titles where columns were moved, but below them. */
static UiNode *
get_cell (UiNode *table,
          UiNode *row,
          int column)
{
  int x = ui_get_extents (ui_get_child (ui_get_child (table, 0), column)).x;
  UiNode *cell = ui_get_child (row, column);

  for (int i = 0; cell && ui_get_extents (cell).x != x; i++)
    cell = ui_get_child (row, i);
  return cell ? cell : ui_get_child (row, column);
}

/* The button for another order */
UiNode *
ui_table_title (UiNode *table,
                const char *title)
{
  return ui_get_child (ui_get_child (table, 0), get_column (table, title));
}

static UiNode *
climb_to_row (UiNode *list,
              UiNode *node)
{
  for (UiNode *parent; node; node = parent)
    {
      parent = ui_get_parent (node);
      if (parent == list)
        return node;
    }
  return NULL;
}

static GPtrArray *
get_rows_by_extents (UiNode *table,
                     guint limit)
{
  UiNode *list = get_list (table);
  UiBox view = ui_get_extents (table);
  int top = MAX (view.y, ui_get_extents (list).y), end = view.y + view.height;
  GPtrArray *rows = g_ptr_array_new ();
  int n = atspi_accessible_get_child_count (list, NULL);

  for (int i = 0; i < n && rows->len < limit; i++)
    {
      UiNode *row = ui_get_child (list, i);
      UiBox box = row ? ui_get_extents (row) : (UiBox){ 0 };

      if (box.height > 0 && box.y + box.height > top && box.y < end)
        g_ptr_array_add (rows, row);
      else if (rows->len > 0)
        break;
    }
  return rows;
}

/* Some 200 rows have widgets, and those that are not shown keep what they said before: ask pixel by pixel who is there. */
static GPtrArray *
get_rows_by_pixels (UiNode *table,
                    guint limit)
{
  UiNode *list = get_list (table);
  UiBox view = ui_get_extents (table), box = ui_get_extents (list);
  GPtrArray *rows = g_ptr_array_new ();
  int left = MAX (box.x, view.x), right = MIN (box.x + box.width, view.x + view.width);
  int end = view.y + view.height, y = MAX (box.y, view.y) + 2;

  while (y < end && rows->len < limit)
    {
      UiNode *picked = ui_pick (table, (left + right) / 2, y);
      UiNode *row = picked ? climb_to_row (list, picked) : NULL;

      if (!row)
        break;
      box = ui_get_extents (row);
      /* Extents are rounded down: the first pixels of what follows can still be of what was before. */
      if (rows->len == 0 || row != g_ptr_array_index (rows, rows->len - 1))
        g_ptr_array_add (rows, row);
      y = MAX (box.y + box.height, y) + 1;
    }
  return rows;
}

/* The rows on the screen, from the top. The caller owns the array, but not the nodes. */
GPtrArray *
ui_table_get_rows (UiNode *table,
                   guint limit)
{
  return ui_has_true_extents () ? get_rows_by_extents (table, limit) : get_rows_by_pixels (table, limit);
}

static GPtrArray *
read_once (UiNode *table)
{
  g_autoptr (GPtrArray) rows = ui_table_get_rows (table, G_MAXUINT);
  GPtrArray *result = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);

  for (guint i = 0; i < rows->len; i++)
    g_ptr_array_add (result, get_cells (g_ptr_array_index (rows, i)));
  return result;
}

static gboolean
are_equal (GPtrArray *a,
           GPtrArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (!g_strv_equal (g_ptr_array_index (a, i), g_ptr_array_index (b, i)))
      return FALSE;
  return TRUE;
}

/* The elements are GStrv. */
GPtrArray *
ui_table_rows (UiNode *table)
{
  g_autoptr (GPtrArray) before = read_once (table);

  for (guint i = 1; i < N_READINGS; i++)
    {
      g_autoptr (GPtrArray) now = read_once (table);

      if (are_equal (before, now))
        return g_steal_pointer (&now);
      g_ptr_array_unref (before);
      before = g_steal_pointer (&now);
    }
  ui_fail ("The table never holds still");
}

/* A line a row, tabs between its cells */
char *
ui_table_to_text (UiNode *table)
{
  g_autoptr (GPtrArray) rows = ui_table_rows (table);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < rows->len; i++)
    {
      g_autofree char *line = g_strjoinv ("\t", g_ptr_array_index (rows, i));

      g_string_append_printf (text, "%s\n", line);
    }
  return g_string_free (text, FALSE);
}

guint
ui_table_n_rows (UiNode *table)
{
  g_autoptr (GPtrArray) rows = ui_table_get_rows (table, G_MAXUINT);

  return rows->len;
}

/* NULL when there are not as many on the screen */
UiNode *
ui_table_row (UiNode *table,
              guint n)
{
  g_autoptr (GPtrArray) rows = ui_table_get_rows (table, n + 1);

  return n < rows->len ? g_ptr_array_index (rows, n) : NULL;
}

UiNode *
ui_table_cell (UiNode *table,
               UiNode *row,
               const char *title)
{
  return get_cell (table, row, get_column (table, title));
}

const char *
ui_table_text (UiNode *table,
               UiNode *row,
               const char *title)
{
  UiNode *cell = row ? ui_table_cell (table, row, title) : NULL;
  g_autofree char *text = cell ? ui_get_texts (cell) : NULL;

  return g_intern_string (text ? text : "");
}

UiNode *
ui_table_find_row (UiNode *table,
                   const char *title,
                   const char *text)
{
  g_autoptr (GPtrArray) rows = ui_table_get_rows (table, G_MAXUINT);
  int column = get_column (table, title);

  for (guint i = 0; i < rows->len; i++)
    {
      UiNode *cell = get_cell (table, g_ptr_array_index (rows, i), column);
      g_autofree char *found = cell ? ui_get_texts (cell) : NULL;

      if (found && g_pattern_match_simple (text, found))
        return g_ptr_array_index (rows, i);
    }
  return NULL;
}

guint
ui_table_n_selected (UiNode *table)
{
  UiNode *list = get_list (table);
  g_autoptr (GObject) selection = (GObject *)atspi_accessible_get_selection_iface (list);

  if (!selection)
    ui_fail ("“%s” has no selection", ui_name (table));
  return (guint)MAX (atspi_selection_get_n_selected_children (ATSPI_SELECTION (list), NULL), 0);
}
