// SPDX-License-Identifier: GPL-3.0-or-later
/* A program that leaks is the first by growth, with its rate; one whose collector gives back what it let rise has none. */
#include <stdio.h>
#include <string.h>

#include "behaviour.h"
#include "test-machine.h"
#include "ui-pane.h"
#include "ui-range.h"

static gboolean
read_rate (Ui *ui,
           UiRange *rate)
{
  const char *text = program_get_cell (ui, 0, "Growth per Minute");

  if (!g_ascii_isdigit (*text))
    return FALSE;
  *rate = ui_range_parse (text);
  return rate->low > 0;
}

/* A late turn of the program or of the reader moves the first rates; later readings outweigh it. */
static gboolean
tells_leak (Ui *ui,
            UiRange *rate)
{
  return read_rate (ui, rate) && rate->low >= BEHAVIOUR_LEAK * 54 * BEHAVIOUR_MIB &&
         rate->high <= BEHAVIOUR_LEAK * 66 * BEHAVIOUR_MIB;
}

/* A second in which it was seen tells of a minute. */
static void
check_forecast (Ui *ui)
{
  double seconds_left = (double)test_get_available () / (BEHAVIOUR_LEAK * BEHAVIOUR_MIB);
  gboolean is_told;
  guint seen;

  ui_wait_for (ui->window, ATSPI_ROLE_LABEL, "*Grows by * a minute, seen for *");
  is_told = program_is_shown (ui->window, ATSPI_ROLE_LABEL, "At this rate memory * full *.");
  if (sscanf (strstr (ui_name (ui_find (ui->window, ATSPI_ROLE_LABEL, "*Grows by * a minute, seen for *")), "seen for "),
              "seen for %u seconds", &seen) == 1 &&
      seconds_left > 2.0 * seen * 60)
    g_assert_false (is_told);
  else
    g_test_message ("memory is nearly full here, or it was seen for minutes");
}

/* The total of a search that leaves some out has no past, that of all of a program has one. */
static void
check_totals (Ui *ui)
{
  UiRange rate;

  ui_key ("ctrl+3");
  ui_await (ui_table_n_rows (program_get_table (ui)) == N_BEHAVIOURS + 1);
  g_assert_cmpstr (program_get_cell (ui, 0, "Growth per Minute"), ==, "—");
  program_search (ui, "program=test-growth");
  ui_await (read_rate (ui, &rate) && rate.high >= BEHAVIOUR_LEAK * 54 * BEHAVIOUR_MIB);
  program_save_picture (ui, "growth-program.png");
  g_test_message ("all: %.2f to %.2f MiB a minute", rate.low / BEHAVIOUR_MIB, rate.high / BEHAVIOUR_MIB);
}

/* Each list has such a button, and only that of the view that is shown has a size. */
static UiNode *
find_button (Ui *ui)
{
  UiNode *button;

  for (guint i = 0; (button = ui_find_nth (ui->window, ATSPI_ROLE_PUSH_BUTTON, "Order and Columns", i)) != NULL; i++)
    if (ui_get_box (button).width > 0)
      return ui_get_child (button, 0);
  return NULL;
}

static void
open_menu (Ui *ui)
{
  ui_await (find_button (ui));
  ui_act (find_button (ui));
}

static gboolean
is_growth_in_sight (Ui *ui)
{
  UiNode *table = program_get_table (ui);
  UiBox whole = ui_get_box (table), title = ui_get_box (ui_table_title (table, "Growth per Minute"));

  return title.x >= whole.x && title.x + title.width <= whole.x + whole.width;
}

/* With the focus in the search, where GTK would look for the next match */
static void
sort_by_growth (Ui *ui)
{
  g_assert_false (is_growth_in_sight (ui));
  ui_key ("ctrl+g");
  open_menu (ui);
  ui_wait_for (ui->window, ATSPI_ROLE_MENU_ITEM, "Sort By");
  ui_key ("Return");
  ui_await (ui_has_state (ui_wait_for (ui->window, ATSPI_ROLE_MENU_ITEM, "Growth per Minute"), ATSPI_STATE_CHECKED));
  ui_key ("Escape");
  ui_await (is_growth_in_sight (ui));
}

static void
test_leak (void)
{
  pid_t pids[N_BEHAVIOURS];
  g_autoptr (GString) search = g_string_new (NULL);
  g_auto (Ui) ui = { 0 };
  UiRange rate;

  for (Behaviour i = 0; i < N_BEHAVIOURS; i++)
    {
      pids[i] = behaviour_start (i);
      g_string_append_printf (search, "%spid=%d", i > 0 ? " or " : "", pids[i]);
    }
  program_start_at_once_a_second (&ui, (const char *const[]){ "--view", "processes", NULL });
  ui_resize (&ui, 1280, 800);
  program_get_table (&ui);
  program_search (&ui, search->str);
  ui_await (ui_table_n_rows (program_get_table (&ui)) == N_BEHAVIOURS);
  sort_by_growth (&ui);
  ui_await (tells_leak (&ui, &rate));
  program_save_picture (&ui, "growth.png");
  g_test_message ("%.2f to %.2f MiB a minute", rate.low / BEHAVIOUR_MIB, rate.high / BEHAVIOUR_MIB);
  g_assert_cmpint (atoi (program_get_cell (&ui, 0, "PID")), ==, pids[BEHAVIOUR_LEAKS]);
  for (guint row = 1; row < N_BEHAVIOURS; row++)
    {
      const char *text = program_get_cell (&ui, row, "Growth per Minute");

      g_assert_true (g_str_equal (text, "—") || g_str_equal (text, "0 B"));
    }
  ui_click (ui_table_row (program_get_table (&ui), 0));
  check_forecast (&ui);
  program_save_picture (&ui, "growth-pane.png");
  check_totals (&ui);
  ui_stop (&ui);
  for (Behaviour i = 0; i < N_BEHAVIOURS; i++)
    behaviour_stop (pids[i]);
}

/* The line of the last minutes says in words what it draws. */
static void
test_trend (void)
{
  pid_t pid = behaviour_start (BEHAVIOUR_LEAKS);
  g_autofree char *search = g_strdup_printf ("pid=%d", pid);
  g_auto (Ui) ui = { 0 };

  pane_write_settings ("interval='one'\nprocess-columns=[('program',true,180),('pid',true,70),('pss',true,112),('trend',true,140)]\n");
  program_start (&ui, (const char *const[]){ "--view", "processes", NULL });
  program_search (&ui, search);
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 1);
  ui_await (g_pattern_match_simple ("From * to * in 1? seconds", program_get_cell (&ui, 0, "Trend")));
  program_save_picture (&ui, "growth-trend.png");
  ui_stop (&ui);
  g_unsetenv ("GSETTINGS_BACKEND");
  behaviour_stop (pid);
}

static gboolean
has_growth (Ui *ui)
{
  UiNode *table = program_find_shown (ui->window, ATSPI_ROLE_TREE_TABLE, NULL);
  g_auto (GStrv) titles = table ? ui_table_titles (table) : NULL;

  return titles && g_strv_contains ((const char *const *)titles, "Growth per Minute");
}

/* The menu does it too, and shows the column where it was hidden. */
static void
test_menu (void)
{
  g_auto (Ui) ui = { 0 };

  program_start (&ui, (const char *const[]){ "--view", "users", NULL });
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_TREE_TABLE, NULL));
  g_assert_false (has_growth (&ui));
  open_menu (&ui);
  ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "Fastest Growing First");
  program_save_picture (&ui, "growth-menu.png");
  ui_click (ui_find (ui.window, ATSPI_ROLE_MENU_ITEM, "Fastest Growing First"));
  ui_await (has_growth (&ui) && is_growth_in_sight (&ui));
  ui_stop (&ui);

  /* No file grows. */
  program_start (&ui, (const char *const[]){ "--view", "files", NULL });
  open_menu (&ui);
  ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "Sort By");
  g_assert_null (ui_find (ui.window, ATSPI_ROLE_MENU_ITEM, "Fastest Growing First"));
  ui_stop (&ui);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/growth/leak", test_leak);
  g_test_add_func ("/growth/menu", test_menu);
  g_test_add_func ("/growth/trend", test_trend);
  return g_test_run ();
}
