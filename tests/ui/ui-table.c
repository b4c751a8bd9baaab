// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "ui-calls.h"
#include "ui-driver-private.h"
#include "ui-tree.h"

/* A place without a row has something else, or something that has no name yet. */
#define NO_ROW  -1
#define NO_NAME -2

#define MAX_DEPTH   12 /* of what a row consists of */
#define MAX_AT_ONCE 64

/* Two readings have to agree: a refresh may come between two cells. */
#define N_READINGS 10

/* A search goes through all of a window, which keeps its tables: one that was found before is asked for its name alone. */
UiNode *
ui_table_wait_for (UiNode *window,
                   const char *name)
{
  static GHashTable *found; /* of each window: the tables by their names */
  GHashTable *tables;
  UiNode *table;

  if (!found)
    found = g_hash_table_new (NULL, NULL);
  tables = g_hash_table_lookup (found, window);
  if (!tables)
    {
      tables = g_hash_table_new (g_str_hash, g_str_equal);
      g_hash_table_insert (found, window, tables);
    }
  table = g_hash_table_lookup (tables, name);
  if (!table || !g_str_equal (ui_name (table), name))
    {
      table = ui_wait_for (window, ATSPI_ROLE_TREE_TABLE, name);
      g_hash_table_insert (tables, (gpointer)g_intern_string (name), table);
    }
  return table;
}

static UiNode *
get_list (UiNode *table)
{
  UiNode *list = ui_get_child (ui_check (table), 1);

  if (!list)
    ui_fail ("“%s” is no column view", ui_name (table));
  return list;
}

static const char *
get_path (UiNode *node)
{
  return ATSPI_OBJECT (ui_check (node))->path;
}

static GPtrArray *
get_child_paths (UiNode *node)
{
  g_autoptr (UiCalls) calls = ui_calls_new (node);

  ui_calls_ask_children (calls, get_path (node));
  ui_calls_make (calls);
  return ui_calls_get_paths (calls, 0);
}

static GStrv
make_texts (UiTree *tree,
            guint row)
{
  const UiTreeEntry *entry = ui_tree_get (tree, row);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < entry->n_children; i++)
    {
      g_autofree char *text = ui_tree_get_texts (tree, entry->first_child + i);

      g_strv_builder_add (builder, text);
    }
  return g_strv_builder_end (builder);
}

GStrv
ui_table_titles (UiNode *table)
{
  UiNode *header = ui_get_child (table, 0);
  g_autoptr (UiTree) tree = header ? ui_tree_read_below (header, UI_TREE_WHOLE) : NULL;

  return tree ? make_texts (tree, 0) : g_new0 (char *, 1);
}

static guint
get_column (UiNode *table,
            const char *title)
{
  g_auto (GStrv) titles = ui_table_titles (table);

  for (guint i = 0; titles[i]; i++)
    if (g_str_equal (titles[i], title))
      return i;
  ui_fail ("No column “%s”", title);
}

/* The place among some boxes of the one that begins at x; the given one where none does */
static guint
find_at (const UiBox *boxes,
         guint n,
         int x,
         guint place)
{
  if (place < n && boxes[place].x == x)
    return place;
  for (guint i = 0; i < n; i++)
    if (boxes[i].x == x)
      return i;
  return place;
}

/* Asks for the boxes of the members of all families, one family behind the other. */
static UiBox *
read_boxes (UiNode *of,
            GPtrArray *const *families,
            guint n)
{
  g_autoptr (UiCalls) calls = ui_calls_new (of);
  UiBox *boxes;

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < families[i]->len; j++)
      ui_calls_ask_box (calls, g_ptr_array_index (families[i], j));
  ui_calls_make (calls);
  boxes = g_new0 (UiBox, calls->messages->len);
  for (guint i = 0; i < calls->messages->len; i++)
    boxes[i] = ui_calls_get_box (calls, i);
  return boxes;
}

/* For each row its cell, or NULL. GTK 4.8 has the cells of a row in another order than the titles where columns were moved,
 * but below them. */
static GPtrArray *
get_cell_paths (UiNode *table,
                GPtrArray *rows,
                guint column)
{
  g_autoptr (GPtrArray) families = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  g_autoptr (UiCalls) calls = ui_calls_new (table);
  GPtrArray *cells = g_ptr_array_new ();
  g_autofree UiBox *boxes = NULL;
  guint start;
  int x;

  ui_calls_ask_children (calls, get_path (ui_get_child (table, 0)));
  for (guint i = 0; i < rows->len; i++)
    ui_calls_ask_children (calls, get_path (g_ptr_array_index (rows, i)));
  ui_calls_make (calls);
  for (guint i = 0; i <= rows->len; i++)
    g_ptr_array_add (families, ui_calls_get_paths (calls, i));
  boxes = read_boxes (table, (GPtrArray *const *)families->pdata, families->len);
  start = ((GPtrArray *)g_ptr_array_index (families, 0))->len;
  if (column >= start)
    ui_fail ("“%s” has lost a column", ui_name (table));
  x = boxes[column].x;
  for (guint i = 1; i < families->len; i++)
    {
      GPtrArray *family = g_ptr_array_index (families, i);
      guint place = find_at (boxes + start, family->len, x, column);

      g_ptr_array_add (cells, place < family->len ? g_ptr_array_index (family, place) : NULL);
      start += family->len;
    }
  return cells;
}

/* For each row; NULL where it has no such cell */
static GPtrArray *
get_cell_texts (UiNode *table,
                GPtrArray *rows,
                guint column)
{
  g_autoptr (GPtrArray) cells = get_cell_paths (table, rows, column), present = g_ptr_array_new ();
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (UiTree) tree = NULL;
  guint n = 0;

  for (guint i = 0; i < cells->len; i++)
    if (g_ptr_array_index (cells, i))
      g_ptr_array_add (present, g_ptr_array_index (cells, i));
  tree = ui_tree_read (table, (const char *const *)present->pdata, present->len, UI_TREE_WHOLE);
  for (guint i = 0; i < cells->len; i++)
    g_ptr_array_add (texts, g_ptr_array_index (cells, i) ? ui_tree_get_texts (tree, n++) : NULL);
  return texts;
}

static UiNode *
get_cell (UiNode *table,
          UiNode *row,
          guint column)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new (), cells = NULL;
  const char *path;

  g_ptr_array_add (rows, row);
  cells = get_cell_paths (table, rows, column);
  path = g_ptr_array_index (cells, 0);
  for (int i = 0; path; i++)
    {
      UiNode *cell = ui_get_child (row, i);

      if (!cell || g_strcmp0 (get_path (cell), path) == 0)
        return cell;
    }
  return NULL;
}

/* The button for another order */
UiNode *
ui_table_title (UiNode *table,
                const char *title)
{
  return ui_get_child (ui_get_child (table, 0), (int)get_column (table, title));
}

/* NULL: the list has changed meanwhile */
static UiNode *
get_row_with_path (UiNode *list,
                   int place,
                   const char *path)
{
  UiNode *row = ui_get_kept (list, path);

  if (row)
    return row;
  row = ui_get_child (list, place);
  return row && g_strcmp0 (get_path (row), path) == 0 ? row : NULL;
}

static GPtrArray *
get_rows_by_extents (UiNode *table,
                     guint limit)
{
  UiNode *list = get_list (table);
  g_autoptr (GPtrArray) paths = get_child_paths (list);
  g_autofree UiBox *boxes = read_boxes (table, &paths, 1);
  UiBox view = ui_get_extents (table);
  int top = MAX (view.y, ui_get_extents (list).y), end = view.y + view.height;
  GPtrArray *rows = g_ptr_array_new ();

  for (guint i = 0; i < paths->len && rows->len < limit; i++)
    if (boxes[i].height > 0 && boxes[i].y + boxes[i].height > top && boxes[i].y < end)
      {
        UiNode *row = get_row_with_path (list, (int)i, g_ptr_array_index (paths, i));

        if (row)
          g_ptr_array_add (rows, row);
      }
    else if (rows->len > 0)
      break;
  return rows;
}

/* For each place: that of the row among the paths, or what else is there */
static int *
pick_rows (UiNode *table,
           GPtrArray *paths,
           int x,
           const int *ys,
           guint n)
{
  const char *end = g_intern_string (get_path (table));
  g_autofree const char **there = g_new0 (const char *, n);
  int *result = g_new (int, n);
  g_autoptr (UiCalls) picks = ui_calls_new (table);

  for (guint i = 0; i < n; i++)
    ui_calls_ask_at (picks, end, x, ys[i]);
  ui_calls_make (picks);
  for (guint i = 0; i < n; i++)
    {
      there[i] = ui_calls_get_path (picks, i);
      result[i] = there[i] ? NO_ROW : NO_NAME;
    }
  for (guint depth = 0, n_open = n; depth < MAX_DEPTH && n_open > 0; depth++)
    {
      g_autoptr (UiCalls) climbs = ui_calls_new (table);
      guint place;

      n_open = 0;
      for (guint i = 0; i < n; i++)
        if (there[i] && g_ptr_array_find (paths, there[i], &place))
          result[i] = (int)place;
      for (guint i = 0; i < n; i++)
        if (there[i] && (result[i] >= 0 || there[i] == end))
          there[i] = NULL;
        else if (there[i])
          {
            ui_calls_ask_parent (climbs, there[i]);
            n_open++;
          }
      ui_calls_make (climbs);
      for (guint i = 0, j = 0; i < n; i++)
        if (there[i])
          there[i] = ui_calls_get_path (climbs, j++);
    }
  return result;
}

/* GTK names what is at a place only when somebody has come to it by way of its parents. Rows that are not shown keep their
 * boxes, so some too many are visited. */
static void
visit_rows (UiNode *table,
            GPtrArray *paths,
            int top,
            int end)
{
  g_autofree UiBox *boxes = read_boxes (table, &paths, 1);
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();

  for (guint i = 0; i < paths->len; i++)
    if (boxes[i].y < end && boxes[i].y + boxes[i].height > top)
      g_ptr_array_add (shown, g_ptr_array_index (paths, i));
  ui_tree_free (ui_tree_read (table, (const char *const *)shown->pdata, shown->len, UI_TREE_WHOLE));
}

typedef struct
{
  UiNode *table, *list;
  GPtrArray *paths; /* of all rows that have widgets */
  int x, y, end;
  int height; /* of the last one, or 0 */
  gboolean is_visited;
} Pixels;

/* Goes on with rows below one another as long as they are as high as the last one was. Returns whether there may be more. */
static gboolean
pick_more (Pixels *self,
           GPtrArray *rows,
           guint limit)
{
  int ys[MAX_AT_ONCE];
  g_autofree int *places = NULL;
  g_autoptr (UiCalls) calls = ui_calls_new (self->table);
  guint n = 0;

  for (int y = self->y; y < self->end && n < MIN (limit - rows->len, MAX_AT_ONCE) && (n == 0 || self->height > 0); y += self->height)
    ys[n++] = y;
  places = pick_rows (self->table, self->paths, self->x, ys, n);
  for (guint i = 0; i < n; i++)
    ui_calls_ask_box (calls, places[i] < 0 ? get_path (self->table) : g_ptr_array_index (self->paths, (guint)places[i]));
  ui_calls_make (calls);
  for (guint i = 0; i < n && ys[i] == self->y; i++)
    {
      UiBox box = ui_calls_get_box (calls, i);
      UiNode *row;

      if (places[i] == NO_NAME && !self->is_visited)
        {
          visit_rows (self->table, self->paths, self->y, self->end);
          self->is_visited = TRUE;
          return TRUE;
        }
      row = places[i] < 0 ? NULL : get_row_with_path (self->list, places[i], g_ptr_array_index (self->paths, (guint)places[i]));
      if (!row)
        return FALSE;
      /* Extents are rounded down: the first pixels of what follows can still be of what was before. */
      if (rows->len == 0 || row != g_ptr_array_index (rows, rows->len - 1))
        g_ptr_array_add (rows, row);
      self->height = box.height;
      self->y = MAX (box.y + box.height, self->y) + 1;
    }
  return self->y < self->end && rows->len < limit;
}

/* Some 200 rows have widgets, and those that are not shown keep what they said before: ask pixel by pixel who is there. */
static GPtrArray *
get_rows_by_pixels (UiNode *table,
                    guint limit)
{
  UiNode *list = get_list (table);
  g_autoptr (GPtrArray) paths = get_child_paths (list);
  UiBox view = ui_get_extents (table), box = ui_get_extents (list);
  int left = MAX (box.x, view.x), right = MIN (box.x + box.width, view.x + view.width);
  Pixels pixels = { table, list, paths, (left + right) / 2, MAX (box.y, view.y) + 2, view.y + view.height, 0, FALSE };
  GPtrArray *rows = g_ptr_array_new ();

  while (pixels.y < pixels.end && rows->len < limit && pick_more (&pixels, rows, limit))
    ;
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
  g_autoptr (GPtrArray) rows = ui_table_get_rows (table, G_MAXUINT), paths = g_ptr_array_new ();
  GPtrArray *result = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);
  g_autoptr (UiTree) tree = NULL;

  for (guint i = 0; i < rows->len; i++)
    g_ptr_array_add (paths, (gpointer)get_path (g_ptr_array_index (rows, i)));
  tree = ui_tree_read (table, (const char *const *)paths->pdata, paths->len, UI_TREE_WHOLE);
  for (guint i = 0; i < rows->len; i++)
    g_ptr_array_add (result, make_texts (tree, i));
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
  g_autoptr (GPtrArray) rows = g_ptr_array_new (), texts = NULL;

  if (!row)
    return "";
  g_ptr_array_add (rows, row);
  texts = get_cell_texts (table, rows, get_column (table, title));
  return g_intern_string (g_ptr_array_index (texts, 0) ? g_ptr_array_index (texts, 0) : "");
}

UiNode *
ui_table_find_row (UiNode *table,
                   const char *title,
                   const char *text)
{
  g_autoptr (GPtrArray) rows = ui_table_get_rows (table, G_MAXUINT);
  g_autoptr (GPtrArray) texts = get_cell_texts (table, rows, get_column (table, title));

  for (guint i = 0; i < rows->len; i++)
    if (g_ptr_array_index (texts, i) && g_pattern_match_simple (text, g_ptr_array_index (texts, i)))
      return g_ptr_array_index (rows, i);
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

/* As a screen reader does it; or with those that are selected already */
void
ui_table_select (UiNode *table,
                 guint n,
                 gboolean as_well)
{
  UiNode *list = get_list (table);
  g_autoptr (GObject) selection = (GObject *)atspi_accessible_get_selection_iface (list);

  if (!selection)
    ui_fail ("“%s” has no selection", ui_name (table));
  ui_tree_forget ();
  if (!as_well)
    atspi_selection_clear_selection (ATSPI_SELECTION (list), NULL);
  if (!atspi_selection_select_child (ATSPI_SELECTION (list), (int)n, NULL))
    ui_fail ("row %u of “%s” can’t be selected", n, ui_name (table));
}
