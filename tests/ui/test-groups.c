// SPDX-License-Identifier: GPL-3.0-or-later
/* The view Groups, over the groups of a laptop that does not exist. */
#include <string.h>

#include "ui-program.h"

static void
start_as (Ui *ui,
          const char *mode,
          const char *const *environment)
{
  ui_start (ui, (const char *const[]){ g_getenv ("UI_SAMPLE_GROUPS"), mode, NULL }, environment);
}

static UiNode *
get_table (Ui *ui)
{
  return ui_wait_for (ui->window, ATSPI_ROLE_TREE_TABLE, "Groups");
}

static void
start (Ui *ui)
{
  start_as (ui, "whole", NULL);
  ui_resize (ui, 1280, 780);
  ui_await (ui_table_n_rows (get_table (ui)) > 10);
}

static UiNode *
find_row (Ui *ui,
          const char *name)
{
  UiNode *row;

  ui_await ((row = ui_table_find_row (get_table (ui), "Name", name)));
  return row;
}

static const char *
get_text (Ui *ui,
          const char *name,
          const char *title)
{
  return ui_table_text (get_table (ui), find_row (ui, name), title);
}

static gboolean
has_first (Ui *ui,
           const char *name)
{
  return ui_table_n_rows (get_table (ui)) > 0 &&
         g_str_equal (ui_table_text (get_table (ui), ui_table_row (get_table (ui), 0), "Name"), name);
}

static gboolean
has_second (Ui *ui,
            const char *name)
{
  return ui_table_n_rows (get_table (ui)) > 1 &&
         g_str_equal (ui_table_text (get_table (ui), ui_table_row (get_table (ui), 1), "Name"), name);
}

/* The tree is open, its largest groups first. What is selected is described, and a group is never added to what is in it. */
static void
test_tree (void)
{
  g_auto (Ui) ui = { 0 };

  start (&ui);
  g_assert_true (has_first (&ui, "system"));
  g_assert_cmpstr (get_text (&ui, "system", "Memory"), ==, "11.3 GiB");
  g_assert_cmpstr (get_text (&ui, "system", "Limit"), ==, "—");
  g_assert_cmpstr (get_text (&ui, "render-worker", "Memory"), ==, "983 MiB");
  g_assert_cmpstr (get_text (&ui, "render-worker", "Own Memory"), ==, "902 MiB");
  g_assert_cmpstr (get_text (&ui, "render-worker", "Limit"), ==, "1.0 GiB");
  g_assert_cmpstr (get_text (&ui, "render-worker", "Of Limit"), ==, "95 %");
  g_assert_cmpstr (get_text (&ui, "render-worker", "Waited"), ==, "11.24 s");
  g_assert_true (g_str_has_prefix (ui_name (find_row (&ui, "render-worker")), "render-worker, near limit, Memory 983"));
  ui_await (program_has_text (&ui, "43 groups · Memory * · Swap * · measured by the kernel’s groups"));
  program_save_picture (&ui, "groups-tree.png");
  ui_click (find_row (&ui, "system"));
  ui_await (program_has_text (&ui, "The kernel counts 11.3*"));
  ui_await (program_has_text (&ui, "Selected: 1 group · Memory 11.3*"));
  ui_click_with (find_row (&ui, "render-worker"), 1, "ctrl");
  ui_await (program_has_text (&ui, "Selected: 2 groups · Memory 11.3*"));
  ui_click (find_row (&ui, "render-worker"));
  ui_await (program_has_text (&ui, "It uses 95 % of its limit of 1.0*. It was held back at a limit 214 times. The kernel ended 1 *"));
  ui_await (program_has_text (&ui, "Some of its programs stood still for memory for 11.24*"));
  program_save_picture (&ui, "groups-selected.png");
  ui_stop (&ui);
}

/* By keyboard: closed and opened, flat and as a tree, filtered, and a user's slice with the user's name. */
static void
test_keys (void)
{
  g_auto (Ui) ui = { 0 };

  start (&ui);
  ui_click (find_row (&ui, "system"));
  ui_key ("Left");
  ui_await (has_second (&ui, "user"));
  g_assert_nonnull (find_row (&ui, "anna"));
  ui_key ("Right");
  ui_await (has_first (&ui, "system") && ui_table_find_row (get_table (&ui), "Name", "postgresql"));
  g_assert_true (has_second (&ui, "docker:3f9c0a1b2c3d"));
  ui_key ("ctrl+1");
  ui_await (has_second (&ui, "user") || has_second (&ui, "anna"));
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Limited*"));
  ui_await (ui_table_n_rows (get_table (&ui)) == 3);
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Apps*"));
  ui_await (has_first (&ui, "firefox-esr") && ui_table_n_rows (get_table (&ui)) == 8);
  ui_stop (&ui);
}

static void
choose (Ui *ui,
        UiNode *row,
        const char *item)
{
  ui_click_with (row, 3, NULL);
  ui_click (ui_wait_for (ui->window, ATSPI_ROLE_MENU_ITEM, item));
}

/* From a group to its processes, and from a process to its group. Groups can't be ended. */
static void
test_way_and_back (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *processes, *row;

  start (&ui);
  program_search (&ui, "firefox");
  ui_await (ui_table_n_rows (get_table (&ui)) == 1);
  ui_click_with (find_row (&ui, "firefox-esr"), 3, NULL);
  ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "Details");
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_MENU_ITEM, "End…"));
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "Show Processes"));
  processes = ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, "Processes");
  ui_await (ui_table_n_rows (processes) == 2);
  program_search (&ui, "builder");
  ui_await ((row = ui_table_find_row (processes, "Name", "gnome-builder")) && ui_table_n_rows (processes) == 1);
  choose (&ui, row, "Show Group");
  ui_await (has_first (&ui, "org.gnome.Builder") && ui_table_n_rows (get_table (&ui)) == 1);
  ui_click (find_row (&ui, "org.gnome.Builder"));
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Show*Processes"));
  ui_await (ui_table_find_row (processes, "Name", "gnome-builder") && ui_table_n_rows (processes) == 1);
  ui_stop (&ui);
}

static void
test_dark (void)
{
  g_auto (Ui) ui = { 0 };

  start_as (&ui, "whole", (const char *const[]){ "SAMPLE_DARK=1", NULL });
  ui_resize (&ui, 1280, 780);
  ui_await (ui_table_n_rows (get_table (&ui)) > 10);
  ui_click (find_row (&ui, "docker:3f9c0a1b2c3d"));
  ui_await (program_has_text (&ui, "It uses 96 % of its limit of 8.0*"));
  program_save_picture (&ui, "groups-dark.png");
  ui_stop (&ui);
}

static const char *
get_text_of_user (Ui *ui,
                  const char *name,
                  const char *title)
{
  UiNode *table = ui_wait_for (ui->window, ATSPI_ROLE_TREE_TABLE, "Users"), *row;

  ui_await ((row = ui_table_find_row (table, "Name", name)));
  return ui_table_text (table, row, title);
}

/* A user whose processes can't be read has what the kernel counts, and the pane says what it is and why it is no sum. */
static void
test_users (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *table;

  start_as (&ui, "whole", (const char *const[]){ "SAMPLE_DARK=1", NULL });
  ui_resize (&ui, 1280, 780);
  ui_await (ui_table_n_rows (get_table (&ui)) > 10);
  ui_key ("alt+3");
  table = ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, "Users");
  ui_await (g_str_equal (get_text_of_user (&ui, "postgres", "Counted by Kernel"), "391 MiB"));
  g_assert_cmpstr (get_text_of_user (&ui, "postgres", "Memory"), ==, "≤ 840 MiB");
  g_assert_cmpstr (get_text_of_user (&ui, "anna", "Counted by Kernel"), ==, "7.2 GiB");
  g_assert_cmpstr (get_text_of_user (&ui, "root", "Counted by Kernel"), ==, "≥ 934 MiB");
  program_save_picture (&ui, "users-counted.png");
  ui_click (ui_table_find_row (table, "Name", "postgres"));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "From the Kernel’s Groups");
  ui_await (program_has_text (&ui, "The kernel counts 391*: own memory 212*, shared memory 131*, kernel 48*. 1.4* more are cache*"));
  ui_await (program_has_text (&ui, "This is not the sum of the processes, *"));
  program_save_picture (&ui, "users-counted-selected.png");
  ui_click (ui_table_find_row (table, "Name", "root"));
  ui_await (program_has_text (&ui, "*1 process is in a group that is not this user’s alone, and is not counted."));
  ui_key ("Right");
  ui_key ("Down");
  ui_await (!program_is_shown (ui.window, ATSPI_ROLE_LABEL, "From the Kernel’s Groups"));
  ui_click (ui_table_find_row (table, "Name", "postgres"));
  ui_resize (&ui, 580, 700);
  ui_resize (&ui, 360, 700);
  program_save_picture (&ui, "users-counted-narrow.png");
  ui_stop (&ui);
}

static guint
count_titles (Ui *ui)
{
  g_auto (GStrv) titles = ui_table_titles (get_table (ui));

  return g_strv_length (titles);
}

/* In 360 pixels there is room for the name and the memory; the badge says what is urgent. */
static void
test_narrow (void)
{
  g_auto (Ui) ui = { 0 };

  start (&ui);
  /* Once it is narrow it may get narrower. */
  ui_resize (&ui, 580, 700);
  ui_await (count_titles (&ui) == 2);
  ui_resize (&ui, 360, 700);
  program_save_picture (&ui, "groups-narrow.png");
  ui_stop (&ui);
}

/* Without the memory controller it says why figures are missing, and the time that was waited stays. */
static void
test_calm (void)
{
  g_auto (Ui) ui = { 0 };

  start_as (&ui, "calm", NULL);
  ui_resize (&ui, 1280, 780);
  ui_await (ui_table_n_rows (get_table (&ui)) > 10);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "This kernel counts no memory for groups: *");
  ui_click (ui_table_title (get_table (&ui), "Waited"));
  ui_await (has_first (&ui, "system"));
  g_assert_cmpstr (get_text (&ui, "render-worker", "Waited"), ==, "11.24 s");
  g_assert_cmpstr (get_text (&ui, "render-worker", "Memory"), ==, "—");
  ui_await (program_has_text (&ui, "43 groups"));
  program_save_picture (&ui, "groups-calm.png");
  ui_stop (&ui);
}

static void
test_none (void)
{
  g_auto (Ui) ui = { 0 };

  start_as (&ui, "none", NULL);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Groups Can’t Be Read");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "There is no such thing here");
  program_save_picture (&ui, "groups-none.png");
  ui_stop (&ui);
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/groups/tree", test_tree);
  g_test_add_func ("/groups/keys", test_keys);
  g_test_add_func ("/groups/way-and-back", test_way_and_back);
  g_test_add_func ("/groups/users", test_users);
  g_test_add_func ("/groups/dark", test_dark);
  g_test_add_func ("/groups/narrow", test_narrow);
  g_test_add_func ("/groups/calm", test_calm);
  g_test_add_func ("/groups/none", test_none);
  return g_test_run ();
}
