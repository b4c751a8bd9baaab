// SPDX-License-Identifier: GPL-3.0-or-later
/* The view Groups, over the groups of a laptop that does not exist. */
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
  return ui_table_wait_for (ui->window, "Groups");
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

/* The title of the column says since when, as “Since 14:02:10”. */
static const char *
get_change (Ui *ui,
            const char *name)
{
  g_auto (GStrv) titles = ui_table_titles (get_table (ui));

  for (guint i = 0; titles[i]; i++)
    if (g_pattern_match_simple ("Since *:??", titles[i]))
      return get_text (ui, name, titles[i]);
  ui_fail ("no title says since when: %s", g_strjoinv (", ", titles));
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
  g_assert_cmpstr (get_text (&ui, "system", "Of Limit"), ==, "—");
  g_assert_cmpstr (get_text (&ui, "render-worker", "Memory"), ==, "983 MiB");
  g_assert_cmpstr (get_text (&ui, "render-worker", "Own Memory"), ==, "902 MiB");
  g_assert_cmpstr (get_text (&ui, "render-worker", "Of Limit"), ==, "95 %");
  g_assert_cmpstr (get_text (&ui, "render-worker", "Waited"), ==, "11.24 s");
  g_assert_true (g_str_has_prefix (ui_name (find_row (&ui, "render-worker")), "render-worker, near limit, Memory 983"));
  ui_await (program_has_text (&ui, "43 groups · Memory * · Swap * · as the kernel counts it for its groups"));
  /* This machine tells only the sum of all swap. */
  ui_await (program_has_text (&ui, "Swap: * of 8.0 GiB used"));
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_LABEL, "This machine has no swap"));
  program_save_picture (&ui, "groups-tree.png");
  ui_click (find_row (&ui, "system"));
  ui_await (program_has_text (&ui, "The kernel counts 11.3*"));
  ui_await (program_has_text (&ui, "Selected: 1 group · Memory 11.3*"));
  ui_click_with (find_row (&ui, "render-worker"), 1, "ctrl");
  ui_await (program_has_text (&ui, "Selected: 2 groups · Memory 11.3*"));
  ui_click (find_row (&ui, "render-worker"));
  ui_await (program_has_text (&ui, "It uses 95 % of its limit of 1.0*. It was held back at a limit 214 times. The kernel killed 1 *"));
  ui_await (program_has_text (&ui, "Some of its programs waited for memory for 11.24*"));
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
  ui_resize (&ui, 1280, 960);
  program_search (&ui, "firefox");
  ui_await (ui_table_n_rows (get_table (&ui)) == 1);
  ui_click_with (find_row (&ui, "firefox-esr"), 3, NULL);
  ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "Details");
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_MENU_ITEM, "End…"));
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "Show Processes"));
  processes = ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, "Processes");
  ui_await (ui_table_n_rows (processes) == 2);
  program_search (&ui, "builder");
  ui_await (ui_table_n_rows (processes) == 1 && (row = ui_table_find_row (processes, "Name", "gnome-builder")));
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

static gboolean
has_counted (Ui *ui)
{
  g_auto (GStrv) titles = ui_table_titles (ui_wait_for (ui->window, ATSPI_ROLE_TREE_TABLE, "Users"));

  return g_strv_contains ((const char *const *)titles, "Counted by Kernel");
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
  g_assert_true (has_counted (&ui));
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

/* A kernel that counts nothing for users gives no column of dashes. */
static void
test_users_not_counted (void)
{
  g_auto (Ui) ui = { 0 };

  start_as (&ui, "calm", NULL);
  ui_await (ui_table_n_rows (get_table (&ui)) > 10);
  ui_key ("alt+3");
  ui_await (!has_counted (&ui));
  program_save_picture (&ui, "users-not-counted.png");
  ui_stop (&ui);
}

static guint
count_titles (Ui *ui)
{
  g_auto (GStrv) titles = ui_table_titles (get_table (ui));

  return g_strv_length (titles);
}

static gboolean
has_title (Ui *ui,
           const char *title)
{
  g_auto (GStrv) titles = ui_table_titles (get_table (ui));

  return g_strv_contains ((const char *const *)titles, title);
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
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "This kernel counts no memory for groups: *an administrator can *cgroup_enable=memory*");
  ui_await (count_titles (&ui) == 2);
  g_assert_false (has_title (&ui, "Memory"));
  ui_click (ui_table_title (get_table (&ui), "Waited"));
  ui_await (has_first (&ui, "system"));
  g_assert_cmpstr (get_text (&ui, "render-worker", "Waited"), ==, "11.24 s");
  ui_await (program_has_text (&ui, "43 groups"));
  program_save_picture (&ui, "groups-calm.png");
  ui_click (find_row (&ui, "render-worker"));
  ui_await (program_has_text (&ui, "Some of its programs waited for memory for 11.24*"));
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_SLIDER, "History"));
  program_save_picture (&ui, "groups-calm-selected.png");
  ui_key ("Escape");
  ui_resize (&ui, 580, 700);
  ui_await (has_title (&ui, "Waited") && count_titles (&ui) == 2);
  ui_resize (&ui, 360, 700);
  program_save_picture (&ui, "groups-calm-narrow.png");
  ui_stop (&ui);
}

/* When another reader knows the memory, its columns are back, and the sentence is gone. */
static void
test_back (void)
{
  g_auto (Ui) ui = { 0 };

  start_as (&ui, "back", NULL);
  ui_resize (&ui, 1280, 780);
  ui_await (program_has_text (&ui, "This kernel counts no memory for groups: *"));
  ui_key ("F5");
  ui_key ("F5");
  ui_await (ui_table_n_rows (get_table (&ui)) > 10 && has_title (&ui, "Memory") && has_title (&ui, "Of Limit"));
  g_assert_cmpstr (get_text (&ui, "system", "Memory"), ==, "11.3 GiB");
  ui_await (!program_is_shown (ui.window, ATSPI_ROLE_LABEL, "This kernel counts no memory for groups: *"));
  ui_stop (&ui);
}

/* A list that is not whole says so above it. */
static void
test_cut (void)
{
  g_auto (Ui) ui = { 0 };

  start_as (&ui, "cut", NULL);
  ui_resize (&ui, 1280, 780);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Only the first 43 groups are shown: there are more, or groups deeper within them.");
  g_assert_true (has_title (&ui, "Memory"));
  program_save_picture (&ui, "groups-cut.png");
  ui_stop (&ui);
}

static void
show_view (Ui *ui,
           const char *title)
{
  UiNode *tab;

  ui_await ((tab = program_find_shown (ui->window, ATSPI_ROLE_PAGE_TAB, title)));
  ui_click (tab);
}

/* Since the start one has grown, some processes of another were killed, and a third reads back what was swapped out. */
static void
test_changes (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *chart;

  start_as (&ui, "changing", NULL);
  ui_resize (&ui, 1280, 960);
  ui_await (ui_table_n_rows (get_table (&ui)) > 10);
  ui_await (g_str_has_prefix (ui_name (find_row (&ui, "postgresql")), "postgresql, 3 killed, Memory"));
  g_assert_cmpstr (get_change (&ui, "postgresql"), ==, "0 B");
  g_assert_cmpstr (get_change (&ui, "user"), ==, "+288 MiB");
  ui_click (find_row (&ui, "postgresql"));
  ui_await (program_has_text (&ui, "*The kernel killed 3 of its processes because memory ran out, all since *:??."));
  program_save_picture (&ui, "groups-killed.png");
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Apps*"));
  ui_await (ui_table_n_rows (get_table (&ui)) == 8);
  g_assert_cmpstr (get_change (&ui, "org.gnome.Builder"), ==, "+288 MiB");
  ui_await (g_str_has_prefix (ui_name (find_row (&ui, "org.signal.Signal")), "org.signal.Signal, reads back, Memory"));
  ui_click (find_row (&ui, "org.signal.Signal"));
  ui_await (program_has_text (&ui, "It read 38400 pages (150*MiB) back from swap and 300 pages (1.2*MiB) again from files in *"));
  program_save_picture (&ui, "groups-reads-back.png");
  ui_click (find_row (&ui, "org.gnome.Builder"));
  ui_await ((chart = program_find_shown (ui.window, ATSPI_ROLE_SLIDER, "History")));
  ui_await (g_str_equal (ui_description (chart), "Now, Memory 1.9 GiB, Own memory 1.5 GiB, Swap 240 MiB"));
  ui_await (program_has_text (&ui, "+288*MiB since *:??"));
  program_save_picture (&ui, "groups-history.png");
  /* A mark begins anew. */
  show_view (&ui, "System");
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Compare From Now"));
  show_view (&ui, "Groups");
  ui_await (g_str_equal (get_change (&ui, "org.gnome.Builder"), "0 B"));
  ui_click (program_find_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "All*"));
  ui_await (g_str_has_prefix (ui_name (find_row (&ui, "postgresql")), "postgresql, Memory"));
  ui_stop (&ui);
}

static void
get_reads (const char *file,
           guint *n_snapshots,
           guint *n_groups)
{
  g_autofree char *text = NULL;

  *n_snapshots = *n_groups = 0;
  if (g_file_get_contents (file, &text, NULL, NULL))
    g_assert_cmpint (sscanf (text, "%u %u", n_snapshots, n_groups), ==, 2);
}

static guint
count_groups (const char *file)
{
  guint n_snapshots, n_groups;

  get_reads (file, &n_snapshots, &n_groups);
  return n_groups;
}

static guint
count_snapshots (const char *file)
{
  guint n_snapshots, n_groups;

  get_reads (file, &n_snapshots, &n_groups);
  return n_snapshots;
}

/* Groups are read with each snapshot while a view shows them, and never while none does. */
static void
test_hidden (void)
{
  g_autofree char *file = g_strdup_printf ("%s/footprint-reads-%d", g_get_tmp_dir (), (int)getpid ());
  g_autofree char *variable = g_strconcat ("SAMPLE_READS=", file, NULL);
  g_auto (Ui) ui = { 0 };
  guint n_snapshots, n_groups;

  start_as (&ui, "whole", (const char *const[]){ variable, NULL });
  ui_await (count_groups (file) > 2);
  show_view (&ui, "Processes");
  ui_await (ui_is_on_screen (ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, "Processes")));
  n_snapshots = count_snapshots (file);
  ui_await (count_snapshots (file) > n_snapshots);
  n_groups = count_groups (file);
  ui_await (count_snapshots (file) > n_snapshots + 3);
  g_assert_cmpuint (count_groups (file), ==, n_groups);
  show_view (&ui, "Groups");
  ui_await (count_groups (file) > n_groups + 1);
  ui_stop (&ui);
  g_unlink (file);
}

static void
test_none (void)
{
  g_auto (Ui) ui = { 0 };

  start_as (&ui, "none", NULL);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Groups Can’t Be Read");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "This kernel tells no figures of them.");
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
  g_test_add_func ("/groups/users-not-counted", test_users_not_counted);
  g_test_add_func ("/groups/dark", test_dark);
  g_test_add_func ("/groups/narrow", test_narrow);
  g_test_add_func ("/groups/calm", test_calm);
  g_test_add_func ("/groups/back", test_back);
  g_test_add_func ("/groups/cut", test_cut);
  g_test_add_func ("/groups/changes", test_changes);
  g_test_add_func ("/groups/hidden", test_hidden);
  g_test_add_func ("/groups/none", test_none);
  return g_test_run ();
}
