// SPDX-License-Identifier: GPL-3.0-or-later
/* Changes since a mark in each view, the machine's sum of them, and processes that have ended. */
#include <string.h>

#include "behaviour.h"
#include "ui-pane.h"

#define TAKEN_MIB 200

static gboolean
has_column (Ui *ui,
            const char *pattern)
{
  UiNode *table = program_find_shown (ui->window, ATSPI_ROLE_TREE_TABLE, NULL);
  g_auto (GStrv) titles = table ? ui_table_titles (table) : NULL;

  for (guint i = 0; titles && titles[i]; i++)
    if (g_pattern_match_simple (pattern, titles[i]))
      return TRUE;
  return FALSE;
}

static UiNode *
find_chip (Ui *ui)
{
  return program_find_shown (ui->window, ATSPI_ROLE_PUSH_BUTTON, "Compared since *. Stop comparing");
}

/* Its title has the time of the mark. */
static const char *
get_change (Ui *ui,
            guint row)
{
  UiNode *table = program_get_table (ui);
  g_auto (GStrv) titles = ui_table_titles (table);

  for (guint i = 0; titles[i]; i++)
    if (g_str_has_prefix (titles[i], "Since "))
      return program_get_cell (ui, row, titles[i]);
  return NULL;
}

/* A leak grows, and one that idles does not; the mark is the same in all views, until it is taken away. */
static void
test_lists (void)
{
  static const char *const views[] = { "alt+1", "alt+3", "alt+2" };
  pid_t leak = behaviour_start (BEHAVIOUR_LEAKS), idle = behaviour_start (BEHAVIOUR_IDLES);
  g_autofree char *search = g_strdup_printf ("pid=%d or pid=%d", leak, idle);
  g_auto (Ui) ui = { 0 };

  program_start_at_once_a_second (&ui, (const char *const[]){ "--view", "processes", NULL });
  ui_resize (&ui, 1280, 800);
  program_get_table (&ui);
  program_search (&ui, search);
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 2);
  g_assert_false (has_column (&ui, "Since *"));
  g_assert_null (find_chip (&ui));
  ui_click (ui_table_row (program_get_table (&ui), 0));
  ui_key ("ctrl+m");
  ui_await (find_chip (&ui));
  ui_await (has_column (&ui, "Since *"));
  ui_await (get_change (&ui, 0) && g_pattern_match_simple ("+*MiB", get_change (&ui, 0)));
  g_assert_cmpint (atoi (program_get_cell (&ui, 0, "PID")), ==, leak);
  g_assert_false (g_pattern_match_simple ("*MiB", get_change (&ui, 1)));
  program_save_picture (&ui, "since-processes.png");
  ui_click (program_find_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Changed Only*"));
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 1);
  g_assert_cmpint (atoi (program_get_cell (&ui, 0, "PID")), ==, leak);
  program_save_picture (&ui, "since-changed-only.png");
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      ui_key (views[i]);
      ui_await (find_chip (&ui));
      if (!g_str_equal (views[i], "alt+1"))
        ui_await (has_column (&ui, "Since *"));
    }
  ui_click (find_chip (&ui));
  ui_await (!find_chip (&ui));
  ui_await (!has_column (&ui, "Since *"));
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 2);
  ui_stop (&ui);
  behaviour_stop (leak);
  behaviour_stop (idle);
}

/* There may be no moment before now yet, and the keys may have gone past the chart before it told that it has the focus. */
static gboolean
goes_back (UiNode *chart)
{
  if (!ui_has_state (chart, ATSPI_STATE_FOCUSED))
    {
      ui_key ("Tab");
      ui_pause (300);
      return FALSE;
    }
  ui_key ("Home");
  for (guint i = 0; i < 20 && g_str_has_prefix (ui_description (chart), "Now"); i++)
    ui_pause (100);
  return g_pattern_match_simple ("* ago, Memory *", ui_description (chart));
}

/* A moment of a process' history is the mark: what it has more is told at once, and by the keyboard alone. */
static void
test_history (void)
{
  pid_t leak = behaviour_start (BEHAVIOUR_LEAKS);
  g_autofree char *search = g_strdup_printf ("pid=%d", leak);
  g_auto (Ui) ui = { 0 };
  UiNode *chart;

  program_start_at_once_a_second (&ui, (const char *const[]){ "--view", "processes", NULL });
  ui_resize (&ui, 1280, 800);
  program_search (&ui, search);
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 1);
  ui_click (ui_table_row (program_get_table (&ui), 0));
  ui_key ("alt+Return");
  chart = ui_wait_for (ui.window, ATSPI_ROLE_SLIDER, "History");
  ui_await (strstr (ui_description (chart), "Now, Memory"));
  ui_await (goes_back (chart));
  ui_key ("Return");
  ui_await (find_chip (&ui));
  ui_await (get_change (&ui, 0) && g_pattern_match_simple ("+*iB", get_change (&ui, 0)));
  ui_await (g_pattern_match_simple ("*, compared since *:*:*", ui_description (chart)));
  program_save_picture (&ui, "since-history.png");
  ui_click (find_chip (&ui));
  ui_await (!strstr (ui_description (chart), "compared since"));
  ui_stop (&ui);
  behaviour_stop (leak);
}

static pid_t
take_memory (void)
{
  pid_t pid = fork ();

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      gsize size = TAKEN_MIB * (gsize)BEHAVIOUR_MIB;
      char *memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

      prctl (PR_SET_PDEATHSIG, SIGKILL);
      if (memory != MAP_FAILED)
        memset (memory, 1, size);
      for (;;)
        pause ();
    }
  return pid;
}

/* The button may be another line's a moment later. */
static gboolean
opens_free (Ui *ui)
{
  UiNode *button = ui_find (ui->window, ATSPI_ROLE_PUSH_BUTTON, "Free, *");

  if (button)
    ui_act (button);
  return ui_find (ui->window, ATSPI_ROLE_LIST_ITEM, "Not used for anything*") != NULL;
}

/* A mark that comes before the first figures is set with them. */
static void
test_early (void)
{
  g_auto (Ui) ui = { 0 };

  program_start_at_once_a_second (&ui, (const char *const[]){ "--view", "processes", NULL });
  ui_key ("ctrl+m");
  ui_await (find_chip (&ui));
}

/* The machine says where memory went, in a sentence that sums to nothing, and each bar opens what is behind it. */
static void
test_machine (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *bar, *entry;
  pid_t pid;

  program_start_at_once_a_second (&ui, (const char *const[]){ "--view", "system", NULL });
  ui_resize (&ui, 1200, 1000);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Change since *");
  ui_pause (1500);
  ui_key ("ctrl+m");
  ui_await (find_chip (&ui));
  ui_await (g_pattern_match_simple ("*, compared since *:*:*", ui_description (ui_find (ui.window, ATSPI_ROLE_SLIDER, "History of memory"))));
  pid = take_memory ();
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "*test-since?+*iB = 0");
  bar = ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "test-since, +*MiB");
  g_assert_true (g_pattern_match_simple ("*test-since?+*iB = 0", ui_description (ui_get_parent (bar))));
  ui_scroll (ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "Programs, *"), 8);
  program_save_picture (&ui, "since-system.png");
  ui_await (opens_free (&ui));
  /* The line that was opened can push the bars below the window. */
  ui_scroll_on (40);
  /* Bars under the pointer keep their order, so the button that is found then stays this program's. */
  ui_point_at (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "test-since, +*MiB"));
  ui_act (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "test-since, +*MiB"));
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_TREE_TABLE, NULL));
  entry = ui_wait_for (ui.window, ATSPI_ROLE_ENTRY, "Search");
  g_assert_cmpstr (ui_text (entry), ==, "program=test-since");
  ui_await (program_find_pid (&ui, pid));
  ui_stop (&ui);
  behaviour_stop (pid);
}

/* One that ended is among the ended, with the most it had, and the search leaves out another one. */
static void
test_ended (void)
{
  pid_t pid = take_memory (), other;
  g_autofree char *search = g_strdup_printf ("pid=%d", pid);
  g_auto (Ui) ui = { 0 };

  g_assert_true (g_spawn_async (NULL, (char *[]){ (char *)"sleep", (char *)"600", NULL }, NULL,
                                G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &other, NULL));
  program_start_at_once_a_second (&ui, (const char *const[]){ "--view", "processes", NULL });
  ui_resize (&ui, 1280, 800);
  program_search (&ui, search);
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 1);
  ui_await (g_pattern_match_simple ("2??*MiB", program_get_cell (&ui, 0, "Memory")));
  g_assert_false (has_column (&ui, "Highest"));
  behaviour_stop (pid);
  behaviour_stop (other);
  ui_click (program_find_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Ended*"));
  ui_await (has_column (&ui, "Highest"));
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 1);
  g_assert_true (g_pattern_match_simple ("2??*MiB", program_get_cell (&ui, 0, "Highest")));
  g_assert_true (g_pattern_match_simple ("*:*:*", program_get_cell (&ui, 0, "Ended")));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "1 found · * ended since *");
  program_save_picture (&ui, "ended.png");
  ui_click (ui_table_row (program_get_table (&ui), 0));
  ui_key ("alt+Return");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "It ended at *:*:*, after *. Its peak was 2*MiB of memory and swap.");
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_LABEL, "History"));
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_PAGE_TAB, "Mappings"));
  program_save_picture (&ui, "ended-pane.png");
  ui_stop (&ui);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/since/early", test_early);
  g_test_add_func ("/since/ended", test_ended);
  g_test_add_func ("/since/history", test_history);
  g_test_add_func ("/since/lists", test_lists);
  g_test_add_func ("/since/machine", test_machine);
  return g_test_run ();
}
