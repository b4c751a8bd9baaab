// SPDX-License-Identifier: GPL-3.0-or-later
/* A window of 360 pixels: all of each view is inside it, and buttons that have no room are in a menu. */
#include <string.h>

#include "test-length.h"
#include "ui-program.h"

#define WIDTH        360
#define HEIGHT       720
#define LEAST_HEIGHT 294
#define LINE         18 /* the height of a line of text, at most */
#define LINE_LETTERS 44
#define EDGE         1 /* GTK 4.18 draws a header bar so much wider on each side where there is no compositor. */

static const struct
{
  const char *key;
  const char *name;
} views[] = {
  { "alt+1", "system" },
  { "alt+2", "processes" },
  { "alt+3", "users" },
  { "alt+4", "groups" },
  { "alt+5", "files" },
};

static guint
count_titles (Ui *ui)
{
  g_auto (GStrv) titles = ui_table_titles (program_get_table (ui));

  return g_strv_length (titles);
}

/* Columns give way when the window has become narrow, and only then it can become narrower still. */
static void
start (Ui *ui,
       const char *variable)
{
  ui_start (ui, (const char *const[]){ g_getenv ("FOOTPRINT"), "--view", "processes", NULL },
            (const char *const[]){ "GSETTINGS_BACKEND=memory", variable, NULL });
  ui_await (ui_table_n_rows (program_get_table (ui)) > 0);
  ui_resize (ui, 580, HEIGHT);
  ui_await (count_titles (ui) == 2);
  ui_resize (ui, WIDTH, HEIGHT);
}

static void
check_inside (Ui *ui,
              const char *view)
{
  static const AtspiRole roles[] = { ATSPI_ROLE_COMBO_BOX, ATSPI_ROLE_LIST_ITEM, ATSPI_ROLE_PUSH_BUTTON, ATSPI_ROLE_TREE_TABLE };
  UiBox whole = ui_get_box (ui->window);
  guint n = 0;

  ui_await (ui_get_content (ui).width == WIDTH);
  for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
    {
      g_autoptr (GPtrArray) found = ui_find_all (ui->window, roles[i], NULL);

      for (guint k = 0; k < found->len; k++)
        {
          UiBox box;

          if (!ui_is_on_screen (found->pdata[k]))
            continue;
          box = ui_get_box (found->pdata[k]);
          n++;
          if (box.x < whole.x - EDGE || box.x + box.width > whole.x + whole.width + EDGE)
            ui_fail ("“%s” in the view %s is from %d to %d, and the window from %d to %d", ui_name (found->pdata[k]), view, box.x,
                     box.x + box.width, whole.x, whole.x + whole.width);
        }
    }
  g_assert_cmpuint (n, >=, 4);
}

/* The equation below the users has its result at its end, and more than three lines where it is longer than those. */
static void
check_sum (Ui *ui)
{
  UiNode *sum = NULL;

  ui_await ((sum = program_find_shown (ui->window, ATSPI_ROLE_LABEL, "Programs* + *")));
  if (g_utf8_strlen (ui_name (sum), -1) > 3 * LINE_LETTERS)
    g_assert_cmpint (ui_get_box (sum).height, >, 3 * LINE);
}

/* With a mark, which has a bar and a button of its own */
static void
check_views (const char *variable,
             const char *suffix)
{
  g_auto (Ui) ui = { 0 };

  start (&ui, variable);
  ui_key ("ctrl+m");
  ui_await (program_find_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Compared since *. Stop comparing"));
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      g_autofree char *picture = g_strdup_printf ("narrow-%s%s.png", views[i].name, suffix);

      ui_key (views[i].key);
      if (i == 0)
        ui_await (program_is_shown (ui.window, ATSPI_ROLE_LIST_ITEM, "Programs, *"));
      else if (g_str_equal (views[i].name, "groups"))
        ui_await (program_shows_groups (&ui));
      else
        ui_await (program_is_shown (ui.window, ATSPI_ROLE_TREE_TABLE, NULL));
      program_save_picture (&ui, picture);
      check_inside (&ui, views[i].name);
      if (g_str_equal (views[i].name, "users"))
        check_sum (&ui);
    }
  ui_stop (&ui);
}

static void
test_views (void)
{
  check_views (NULL, "");
}

static void
test_dark (void)
{
  check_views ("ADW_DEBUG_COLOR_SCHEME=prefer-dark", "-dark");
}

/* The lowest part is seen as a whole. */
static void
check_low (Ui *ui,
           AtspiRole role,
           const char *name)
{
  UiBox box;
  UiNode *node = NULL;

  ui_await ((node = program_find_shown (ui->window, role, name)));
  box = ui_get_box (node);
  if (box.y + box.height > ui_get_box (ui->window).y + LEAST_HEIGHT + EDGE)
    ui_fail ("“%s” is from %d to %d", name, box.y, box.y + box.height);
}

/* The least size that a phone has: rows are seen, and nothing is cut off, also where some processes could not be measured. */
static void
test_low (void)
{
  g_auto (Ui) ui = { 0 };

  start (&ui, NULL);
  ui_resize (&ui, WIDTH, LEAST_HEIGHT);
  ui_await (ui_get_content (&ui).height < HEIGHT);
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_TREE_TABLE, "Processes"));
  ui_await (!program_is_shown (ui.window, ATSPI_ROLE_LABEL, "*processes were measured*"));
  program_save_picture (&ui, "low-processes.png");
  check_inside (&ui, "processes");
  g_assert_cmpint (ui_get_box (ui_table_row (program_get_table (&ui), 0)).height, >, 0);
  g_assert_true (ui_is_on_screen (ui_table_row (program_get_table (&ui), 0)));
  check_low (&ui, ATSPI_ROLE_PAGE_TAB, "Users");
  ui_key ("alt+1");
  ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "Programs, *");
  program_save_picture (&ui, "low-system.png");
  check_low (&ui, ATSPI_ROLE_PAGE_TAB, "Users");
  ui_key ("alt+2");
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_TREE_TABLE, "Processes"));
  ui_click (ui_table_row (program_get_table (&ui), 0));
  ui_key ("alt+Return");
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_PAGE_TAB, "Mappings"));
  ui_await (!program_is_shown (ui.window, ATSPI_ROLE_PAGE_TAB, "Users"));
  program_save_picture (&ui, "low-details.png");
  ui_stop (&ui);
}

/* Parts above and below the list of mappings give way to its rows, and the window keeps its height. */
static void
check_low_mappings (Ui *ui,
                    const char *picture)
{
  UiNode *table;

  ui_await ((table = program_find_shown (ui->window, ATSPI_ROLE_TREE_TABLE, "Mappings")) && ui_table_n_rows (table) > 1);
  ui_click (ui_table_row (table, 0));
  program_save_picture (ui, picture);
  ui_await (ui_get_content (ui).height == LEAST_HEIGHT);
  g_assert_true (ui_is_on_screen (ui_table_row (table, 0)));
}

static void
test_low_mappings (void)
{
  static const char *const choices[] = { "By kind", "By file", "All mappings", NULL };
  g_auto (Ui) ui = { 0 };
  GPid child = child_start (NULL);
  UiNode *tab;

  program_start (&ui, (const char *const[]){ "--view", "processes", "--filter", program_get_sign (), NULL });
  ui_await (program_find_pid (&ui, child));
  ui_click (program_find_pid (&ui, child));
  ui_resize (&ui, 580, HEIGHT);
  ui_await (count_titles (&ui) == 2);
  ui_key ("alt+Return");
  ui_await ((tab = program_find_shown (ui.window, ATSPI_ROLE_PAGE_TAB, "Mappings")));
  ui_click (tab);
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_TREE_TABLE, "Mappings"));
  ui_act (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Search"));
  ui_await (!program_is_shown (ui.window, ATSPI_ROLE_ENTRY, "Search"));
  ui_resize (&ui, WIDTH, LEAST_HEIGHT);
  check_low_mappings (&ui, "low-mappings.png");
  program_choose (ui.window, "Group By", choices, "By kind", 2);
  check_low_mappings (&ui, "low-all-mappings.png");
  ui_stop (&ui);
  child_stop (child);
}

/* The button that sorts again has room beside the sum. */
static void
test_paused (void)
{
  g_auto (Ui) ui = { 0 };

  start (&ui, NULL);
  ui_point_at (ui_table_row (program_get_table (&ui), 1));
  ui_await (program_find_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Order Paused"));
  program_save_picture (&ui, "narrow-paused.png");
  check_inside (&ui, "processes");
  ui_click (program_find_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Order Paused"));
  ui_await (!program_find_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Order Paused"));
  ui_stop (&ui);
}

/* Every part that the legend names is there as a whole; it says how many others there are. */
static void
test_legend (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *legend;
  UiBox box;

  start (&ui, NULL);
  legend = ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "*●*●*");
  ui_await ((box = ui_get_box (legend)).width < WIDTH);
  g_assert_null (strstr (ui_name (legend), "…"));
  ui_await (g_pattern_match_simple ("*●?Free*", ui_name (legend)) || g_pattern_match_simple ("* and?*?more", ui_name (legend)));
  ui_stop (&ui);
}

static void
choose (Ui *ui,
        const char *button,
        const char *item)
{
  UiNode *found;

  ui_await ((found = program_find_shown (ui->window, ATSPI_ROLE_PUSH_BUTTON, button)));
  ui_click (found);
  ui_await ((found = program_find_shown (ui->window, ATSPI_ROLE_MENU_ITEM, item)));
  ui_click (found);
}

/* The only figure there is room for */
static gboolean
has_figure (Ui *ui,
            const char *pattern)
{
  g_auto (GStrv) titles = ui_table_titles (program_get_table (ui));

  return g_strv_length (titles) == 2 && g_pattern_match_simple (pattern, titles[1]);
}

/* The filters are in a menu that says which one is chosen; where there is room for their buttons again, they are back. The figure
 * beside the name is of what was chosen. */
static void
test_filters (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *mine;

  start (&ui, NULL);
  choose (&ui, "*All", "Kernel");
  ui_await (program_find_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Kernel"));
  choose (&ui, "*Kernel", "Mine");
  ui_await (program_find_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Mine"));
  ui_await (has_figure (&ui, "Memory"));
  choose (&ui, "*Mine", "Ended");
  ui_await (has_figure (&ui, "Highest"));
  choose (&ui, "*Ended", "Mine");
  ui_await (has_figure (&ui, "Memory"));
  ui_key ("ctrl+m");
  ui_await (has_figure (&ui, "Since *"));
  choose (&ui, "*Mine", "Changed Only");
  ui_await (program_find_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Mine, changed"));
  program_save_picture (&ui, "narrow-filters.png");
  check_inside (&ui, "processes");
  ui_resize (&ui, 1280, HEIGHT);
  ui_await (!program_find_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Mine, changed"));
  ui_await ((mine = program_find_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Mine")));
  g_assert_true (ui_has_state (mine, ATSPI_STATE_PRESSED) || ui_has_state (mine, ATSPI_STATE_CHECKED));
  ui_await (program_find_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Changed Only"));
  ui_stop (&ui);
}

static void
start_with_settings (Ui *ui)
{
  ui_start (ui, (const char *const[]){ g_getenv ("FOOTPRINT"), "--view", "processes", NULL },
            (const char *const[]){ "GSETTINGS_BACKEND=keyfile", NULL });
  ui_await (ui_table_n_rows (program_get_table (ui)) > 0);
}

/* A window that has half of the screen is as narrow as it is there, and is opened again in the size that it had before. */
static void
test_tiled (void)
{
  g_auto (Ui) ui = { 0 }, again = { 0 };

  start_with_settings (&ui);
  ui_resize (&ui, 1100, HEIGHT);
  ui_await (count_titles (&ui) > 2);
  ui_tile (&ui, TRUE);
  ui_resize (&ui, 580, 900);
  ui_await (count_titles (&ui) == 2);
  program_save_picture (&ui, "tiled.png");
  ui_close (ui.window);
  ui_await (!ui_is_running (&ui));
  start_with_settings (&again);
  ui_await (ui_get_content (&again).width == 1100 && ui_get_content (&again).height == HEIGHT);
  g_assert_cmpuint (count_titles (&again), >, 2);
  ui_stop (&again);
}

/* A window without room for both shows the view or the details, and the button says which. */
static void
test_details (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *button;

  start (&ui, NULL);
  button = ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Details");
  g_assert_false (ui_has_state (button, ATSPI_STATE_PRESSED) || ui_has_state (button, ATSPI_STATE_CHECKED));
  ui_key ("F9");
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_LABEL, "History"));
  ui_await (ui_has_state (button, ATSPI_STATE_PRESSED) || ui_has_state (button, ATSPI_STATE_CHECKED));
  ui_key ("F9");
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_TREE_TABLE, "Processes"));
  ui_await (!ui_has_state (button, ATSPI_STATE_PRESSED) && !ui_has_state (button, ATSPI_STATE_CHECKED));
  program_save_picture (&ui, "narrow-list.png");
  ui_resize (&ui, 1280, HEIGHT);
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_LABEL, "History"));
  ui_await (ui_has_state (button, ATSPI_STATE_PRESSED) || ui_has_state (button, ATSPI_STATE_CHECKED));
  ui_stop (&ui);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/narrow/views", test_views);
  g_test_add_func ("/narrow/low-mappings", test_low_mappings);
  if (test_takes_all ())
    {
      g_test_add_func ("/narrow/low", test_low);
      g_test_add_func ("/narrow/details", test_details);
      g_test_add_func ("/narrow/paused", test_paused);
      g_test_add_func ("/narrow/legend", test_legend);
      g_test_add_func ("/narrow/tiled", test_tiled);
      g_test_add_func ("/narrow/filters", test_filters);
    }
  /* Colours move nothing. */
  if (test_is_long ())
    g_test_add_func ("/narrow/dark", test_dark);
  return g_test_run ();
}
