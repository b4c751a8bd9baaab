// SPDX-License-Identifier: GPL-3.0-or-later
#include <cairo.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#include "ui-driver.h"

#define N_ROWS 300

static void
start (Ui *ui,
       const char *const *environment)
{
  ui_start (ui, (const char *const[]){ g_getenv ("UI_SAMPLE"), NULL }, environment);
}

static UiNode *
get_table (Ui *ui)
{
  return ui_wait_for (ui->window, ATSPI_ROLE_TREE_TABLE, NULL);
}

static void
await_said (Ui *ui,
            const char *text)
{
  ui_wait_for (ui->window, ATSPI_ROLE_LABEL, text);
}

static const char *
get_top (Ui *ui)
{
  return ui_table_text (get_table (ui), ui_table_row (get_table (ui), 0), "Name");
}

static void
choose (Ui *ui,
        const char *item)
{
  UiNode *menu_button = ui_wait_for (ui->window, ATSPI_ROLE_PUSH_BUTTON, "Main menu");

  ui_act (ui_get_child (menu_button, 0));
  ui_act (ui_wait_for (menu_button, ATSPI_ROLE_MENU_ITEM, item));
}

static void
test_program (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *complaints = NULL;

  start (&ui, (const char *const[]){ "UI_TEST=1", "UI_FAILURES", NULL });
  g_assert_true (ui_is_running (&ui));
  g_assert_cmpint (ui_role (ui.application), ==, ATSPI_ROLE_APPLICATION);
  g_assert_cmpstr (ui_name (ui.window), ==, "Sample");
  complaints = ui_get_complaints (&ui);
  g_assert_cmpstr (complaints, ==, "");
  ui_stop (&ui);
  g_assert_false (ui_is_running (&ui));
  start (&ui, NULL);
  g_assert_cmpint (ui_finish (&ui, SIGTERM), ==, 0);
}

static void
test_nodes (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *tree = NULL;
  g_autoptr (GPtrArray) labels = NULL;
  UiNode *button, *entry, *level;

  start (&ui, NULL);
  tree = ui_dump (ui.window);
  g_assert_nonnull (strstr (tree, "row 3 57 daisy"));
  g_assert_null (strstr (tree, "row 299"));
  labels = ui_find_all (ui.window, ATSPI_ROLE_LABEL, NULL);
  g_assert_cmpuint (labels->len, ==, 4);
  g_assert_null (ui_find (ui.window, ATSPI_ROLE_LABEL, "row 1*"));
  g_assert_nonnull (ui_find (get_table (&ui), ATSPI_ROLE_LABEL, "row 1*"));

  button = ui_find (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Cou?t");
  ui_act (button);
  await_said (&ui, "Clicked 1 times");
  ui_act (button);
  ui_wait_until_gone (ui.window, ATSPI_ROLE_LABEL, "Clicked 1 times");
  await_said (&ui, "Clicked 2 times");
  level = ui_find (ui.window, ATSPI_ROLE_LEVEL_BAR, "Clicks");
  g_assert_cmpstr (ui_description (level), ==, "of ten");
  ui_await (ABS (ui_value (level) - 0.2) < 0.001);

  entry = ui_find (ui.window, ATSPI_ROLE_ENTRY, NULL);
  g_assert_cmpstr (ui_name (ui_get_relation (entry, ATSPI_RELATION_LABELLED_BY)), ==, "Look for");
  g_assert_null (ui_get_relation (entry, ATSPI_RELATION_CONTROLLED_BY));
  g_assert_true (ui_find_focus (ui.window) == entry);
  ui_set_text (entry, "row 29");
  g_assert_cmpstr (ui_text (entry), ==, "row 29");
  ui_await (ui_table_n_rows (get_table (&ui)) == 11);
  ui_stop (&ui);
}

static gboolean
is_sorted (gpointer user_data)
{
  Ui *ui = user_data;

  return g_str_equal (ui_table_text (get_table (ui), ui_table_row (get_table (ui), 0), "Number"), "299");
}

static void
test_table (void)
{
  g_auto (Ui) ui = { 0 };
  g_auto (GStrv) titles = NULL;
  g_autofree char *title_line = NULL, *text = NULL;
  g_autoptr (GPtrArray) rows = NULL;
  UiNode *table;

  start (&ui, NULL);
  table = get_table (&ui);
  titles = ui_table_titles (table);
  title_line = g_strjoinv ("|", titles);
  g_assert_cmpstr (title_line, ==, "Name|Number|Word");
  ui_await (ui_table_n_rows (table) >= 12);
  rows = ui_table_rows (table);
  g_assert_cmpuint (rows->len, ==, ui_table_n_rows (table));
  g_assert_cmpstr (((GStrv)g_ptr_array_index (rows, 11))[0], ==, "row 11");
  g_assert_null (ui_table_row (table, rows->len));

  ui_click (ui_table_title (table, "Number"));
  ui_await (g_str_equal (ui_table_text (table, ui_table_row (table, 2), "Number"), "2"));
  text = ui_table_to_text (table);
  g_assert_true (g_str_has_prefix (text, "row 0\t0\tapple\nrow 179\t1\telder\nrow 58\t2\tdaisy\n"));
  ui_click (ui_table_title (table, "Number"));
  ui_wait_until ("the reverse order", is_sorted, &ui);
  g_assert_true (ui_wait_for_ms (50, is_sorted, &ui));
  ui_click (ui_table_title (table, "Word"));
  ui_await (!is_sorted (&ui));
  g_assert_false (ui_wait_for_ms (500, is_sorted, &ui));
  ui_click (ui_table_title (table, "Number"));
  ui_click (ui_table_title (table, "Number"));
  ui_wait_until ("the reverse order again", is_sorted, &ui);
  g_assert_cmpstr (ui_table_text (table, ui_table_find_row (table, "Name", "*121"), "Number"), ==, "299");
  g_assert_null (ui_table_find_row (table, "Number", "5"));
  ui_stop (&ui);
}

static void
test_selection (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *table, *row;

  start (&ui, NULL);
  table = get_table (&ui);
  ui_await (ui_table_n_rows (table) >= 12);
  ui_click (ui_table_find_row (table, "Name", "row 4"));
  ui_await (ui_table_n_selected (table) == 1);
  g_assert_true (ui_has_state (ui_table_row (table, 4), ATSPI_STATE_SELECTED));
  g_assert_false (ui_has_state (ui_table_row (table, 3), ATSPI_STATE_SELECTED));

  ui_click (ui_table_row (table, 1));
  ui_click_with (ui_table_row (table, 6), 1, "shift");
  ui_await (ui_table_n_selected (table) == 6);
  ui_key ("ctrl+a");
  ui_await (ui_table_n_selected (table) == N_ROWS);

  ui_click (ui_table_row (table, 1));
  ui_scroll (table, 160);
  ui_await (strlen (get_top (&ui)) == strlen ("row 200") && get_top (&ui)[4] > '1');
  row = ui_table_row (table, 5);
  ui_click (row);
  ui_await (ui_has_state (row, ATSPI_STATE_SELECTED));
  ui_stop (&ui);
}

static void
test_keys (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *table, *entry;

  start (&ui, NULL);
  table = get_table (&ui);
  entry = ui_find (ui.window, ATSPI_ROLE_ENTRY, NULL);
  ui_await (ui_table_n_rows (table) >= 12);
  ui_click (ui_table_row (table, 0));
  ui_key ("Down");
  ui_key ("shift+Down");
  ui_await (ui_table_n_selected (table) == 2);
  ui_key ("ctrl+shift+F5");
  await_said (&ui, "Key <Shift><Control>F5");
  ui_key ("Page_Down");
  ui_await (!g_str_equal (get_top (&ui), "row 0"));

  ui_key ("ctrl+f");
  ui_await (ui_has_state (entry, ATSPI_STATE_FOCUSED));
  ui_type ("A{user:Me}>=2_\"%");
  ui_await (g_str_equal (ui_text (entry), "A{user:Me}>=2_\"%"));
  ui_await (ui_table_n_rows (table) == 0);
  ui_key ("ctrl+a");
  ui_type ("row 77");
  ui_await (ui_table_n_rows (table) == 1);
  ui_stop (&ui);
}

static void
test_pointer (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *table, *row, *slider;
  UiBox box;

  start (&ui, NULL);
  table = get_table (&ui);
  ui_await (ui_table_n_rows (table) >= 12);
  ui_click (ui_find (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Count"));
  await_said (&ui, "Clicked 1 times");
  ui_double_click (ui_table_cell (table, ui_table_row (table, 3), "Word"));
  await_said (&ui, "Activated row 3");
  ui_click_with (ui_table_row (table, 2), 3, NULL);
  await_said (&ui, "Right click");
  ui_click_with (ui_table_row (table, 2), 3, "shift");
  await_said (&ui, "Right click with shift");

  row = ui_table_row (table, 0);
  g_assert_true (ui_is_on_screen (row));
  ui_scroll (table, 5);
  ui_await (!g_str_equal (get_top (&ui), "row 0"));
  ui_await (!ui_is_on_screen (row));
  ui_scroll (table, -20);
  ui_await (g_str_equal (get_top (&ui), "row 0"));
  slider = ui_find (ui.window, ATSPI_ROLE_SLIDER, NULL);
  ui_set_value (slider, 7);
  ui_await (ABS (ui_value (slider) - 7) < 0.001);

  box = ui_get_box (ui_table_title (table, "Name"));
  ui_drag (box.x + box.width + 3, box.y + 10, box.x + box.width + 103, box.y + 10);
  ui_await (ui_get_box (ui_table_title (table, "Name")).width > box.width + 50);
  ui_stop (&ui);
}

static void
test_dialog (void)
{
  g_auto (Ui) ui = { 0 };

  start (&ui, NULL);
  choose (&ui, "Ask");
  ui_wait_for (ui.application, ATSPI_ROLE_LABEL, "Really?");
  ui_key ("Escape");
  ui_wait_until_gone (ui.application, ATSPI_ROLE_LABEL, "Really?");
  choose (&ui, "Ask");
  ui_click (ui_wait_for (ui.application, ATSPI_ROLE_PUSH_BUTTON, "*Yes"));
  await_said (&ui, "yes");
  ui_click (ui_find (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Main menu"));
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "Ask"));
  ui_wait_for (ui.application, ATSPI_ROLE_LABEL, "Really?");
  ui_stop (&ui);
}

static void
test_window (void)
{
  g_auto (Ui) ui = { 0 };
  UiBox box;

  start (&ui, NULL);
  ui_resize (&ui, 900, 800);
  box = ui_get_content (&ui);
  g_assert_cmpint (box.width, ==, 900);
  g_assert_cmpint (box.height, ==, 800);
  ui_minimize (&ui, TRUE);
  await_said (&ui, "Minimized");
  ui_minimize (&ui, FALSE);
  await_said (&ui, "Shown again");
  ui_click (ui_find (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Count"));
  await_said (&ui, "Clicked 1 times");
  ui_close (ui.window);
  g_assert_cmpint (ui_finish (&ui, 0), ==, 0);
}

static guint
count_colours (const char *file,
               int *width)
{
  cairo_surface_t *surface = cairo_image_surface_create_from_png (file);
  g_autoptr (GHashTable) colours = g_hash_table_new (NULL, NULL);
  int height = cairo_image_surface_get_height (surface);

  *width = cairo_image_surface_get_width (surface);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < *width; x++)
      {
        guint32 *line = (gpointer)(cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface));

        g_hash_table_add (colours, GUINT_TO_POINTER (line[x] | 1u << 31));
      }
  cairo_surface_destroy (surface);
  return g_hash_table_size (colours);
}

static void
test_screenshot (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *folder = g_dir_make_tmp ("footprint-ui-XXXXXX", NULL);
  g_autofree char *screen = g_build_filename (folder, "screen.png", NULL);
  g_autofree char *window = g_build_filename (folder, "window.png", NULL);
  g_autofree char *again = g_build_filename (folder, "again.png", NULL);
  g_autofree char *one = NULL, *other = NULL;
  gsize one_size, other_size;
  int width;

  start (&ui, NULL);
  ui_screenshot (NULL, screen);
  g_assert_cmpuint (count_colours (screen, &width), >, 50);
  g_assert_cmpint (width, >=, 1024);
  ui_screenshot (ui.window, window);
  g_assert_cmpuint (count_colours (window, &width), >, 50);
  g_assert_cmpint (width, ==, ui_get_box (ui.window).width);
  ui_screenshot (ui.window, again);
  g_assert_true (g_file_get_contents (window, &one, &one_size, NULL));
  g_assert_true (g_file_get_contents (again, &other, &other_size, NULL));
  g_assert_cmpmem (one, one_size, other, other_size);
  g_unlink (screen);
  g_unlink (window);
  g_unlink (again);
  g_rmdir (folder);
  ui_stop (&ui);
}

static void
test_crash (void)
{
  g_auto (Ui) ui = { 0 };

  start (&ui, NULL);
  choose (&ui, "Crash");
  g_assert_cmpint (ui_finish (&ui, 0), !=, 0);
}

static void
test_warning (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *complaints = NULL;

  start (&ui, (const char *const[]){ "G_DEBUG", NULL });
  choose (&ui, "Warn");
  ui_await ((g_free (complaints), complaints = ui_get_complaints (&ui), *complaints));
  g_assert_nonnull (strstr (complaints, "as it was told"));
  g_assert_cmpint (ui_finish (&ui, SIGTERM), ==, 0);
}

#ifdef __SANITIZE_ADDRESS__
static void
test_leak (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *complaints = NULL;

  start (&ui, NULL);
  choose (&ui, "Leak");
  g_assert_cmpint (ui_finish (&ui, SIGTERM), !=, 0);
  complaints = ui_get_complaints (&ui);
  g_assert_nonnull (strstr (complaints, "LeakSanitizer"));
}
#endif

/* Each goes wrong on purpose, in a process of its own. */
static void
fail_by_warning (void)
{
  Ui ui = { 0 };

  start (&ui, (const char *const[]){ "G_DEBUG", NULL });
  choose (&ui, "Warn");
  ui_stop (&ui);
}

static void
fail_by_crash (void)
{
  Ui ui = { 0 };

  start (&ui, NULL);
  choose (&ui, "Crash");
  ui_await (FALSE);
}

static void
fail_by_no_window (void)
{
  Ui ui = { 0 };

  ui_start (&ui, (const char *const[]){ "true", NULL }, NULL);
}

static void
fail_by_waiting (void)
{
  Ui ui = { 0 };

  start (&ui, NULL);
  g_setenv ("UI_PATIENCE", "1", TRUE);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Godot");
}

static void
fail_by_clicking (void)
{
  Ui ui = { 0 };
  UiNode *row;

  start (&ui, NULL);
  ui_await (ui_table_n_rows (get_table (&ui)) > 0);
  row = ui_table_row (get_table (&ui), 0);
  ui_scroll (get_table (&ui), 20);
  g_setenv ("UI_PATIENCE", "1", TRUE);
  ui_await (!g_str_equal (get_top (&ui), "row 0"));
  ui_click (row);
}

static const struct
{
  const char *path;
  GTestFunc func;
  const char *pattern;
} failures[] = {
  { "/ui/driver/fails/warning", fail_by_warning, "*It complained:*as it was told*" },
  { "/ui/driver/fails/crash", fail_by_crash, "*the program ended before there was FALSE*" },
  { "/ui/driver/fails/no-window", fail_by_no_window, "*the program ended before there was a window*" },
  { "/ui/driver/fails/waiting", fail_by_waiting, "*waited in vain for label “Godot”*Its window:*button “Count”*.png*" },
  { "/ui/driver/fails/clicking", fail_by_clicking, "*waited in vain for*to be on the screen*" },
};

static void
test_failure (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);

  if (g_test_subprocess ())
    {
      failures[i].func ();
      return;
    }
  g_setenv ("UI_FAILURES", g_get_user_runtime_dir (), TRUE);
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr (failures[i].pattern);
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/driver/program", test_program);
  g_test_add_func ("/ui/driver/nodes", test_nodes);
  g_test_add_func ("/ui/driver/table", test_table);
  g_test_add_func ("/ui/driver/selection", test_selection);
  g_test_add_func ("/ui/driver/keys", test_keys);
  g_test_add_func ("/ui/driver/pointer", test_pointer);
  g_test_add_func ("/ui/driver/dialog", test_dialog);
  g_test_add_func ("/ui/driver/window", test_window);
  g_test_add_func ("/ui/driver/screenshot", test_screenshot);
  g_test_add_func ("/ui/driver/crash", test_crash);
  g_test_add_func ("/ui/driver/warning", test_warning);
#ifdef __SANITIZE_ADDRESS__
  g_test_add_func ("/ui/driver/leak", test_leak);
#endif
  for (guint i = 0; i < G_N_ELEMENTS (failures); i++)
    g_test_add_data_func (failures[i].path, GUINT_TO_POINTER (i), test_failure);
  return g_test_run ();
}
