// SPDX-License-Identifier: GPL-3.0-or-later
/* The real program, on real processes, driven from outside. */
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ui-driver.h"

/* Children that can be told from everything else on the machine. */
#define SIGN "4711.25"

static void
start (Ui *ui,
       const char *const *arguments)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();

  g_ptr_array_add (argv, (gpointer)g_getenv ("FOOTPRINT"));
  for (; arguments && *arguments; arguments++)
    g_ptr_array_add (argv, (gpointer)*arguments);
  g_ptr_array_add (argv, NULL);
  ui_start (ui, (const char *const *)argv->pdata, NULL);
}

static void
end_with_parent (gpointer data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

static GPid
start_child (const char *seconds)
{
  char *argv[] = { (char *)"sleep", (char *)seconds, NULL };
  g_autoptr (GError) error = NULL;
  GPid pid;

  g_spawn_async (NULL, argv, NULL,
                 G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL |
                     G_SPAWN_STDERR_TO_DEV_NULL,
                 end_with_parent, NULL, &pid, &error);
  g_assert_no_error (error);
  return pid;
}

static void
stop_child (GPid pid)
{
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
}

static UiNode *
get_table (Ui *ui)
{
  return ui_wait_for (ui->window, ATSPI_ROLE_TREE_TABLE, "Processes");
}

static const char *
get_cell (Ui *ui,
          guint row,
          const char *title)
{
  return ui_table_text (get_table (ui), ui_table_row (get_table (ui), row), title);
}

static void
search (Ui *ui,
        const char *text)
{
  ui_key ("ctrl+f");
  ui_wait_for (ui->window, ATSPI_ROLE_ENTRY, NULL);
  ui_pause (200);
  ui_key ("ctrl+a");
  ui_type (text);
}

static gboolean
has_text (Ui *ui,
          const char *glob)
{
  return ui_find (ui->window, ATSPI_ROLE_LABEL, glob) != NULL;
}

/* What stands in the row of a process is what the kernel says of it. */
static void
test_figures (void)
{
  g_auto (Ui) ui = { 0 };
  GPid child = start_child (SIGN);
  g_autofree char *pid = g_strdup_printf ("%d", child);
  UiNode *row;

  start (&ui, (const char *const[]){ "--filter", "program:sleep " SIGN, NULL });
  ui_await ((row = ui_table_find_row (get_table (&ui), "PID", pid)));
  ui_await (strstr (ui_table_text (get_table (&ui), row, "Memory"), "KiB"));
  g_assert_cmpstr (ui_table_text (get_table (&ui), row, "Name"), ==, "sleep");
  g_assert_cmpstr (ui_table_text (get_table (&ui), row, "Command"), ==, "sleep " SIGN);
  g_assert_true (g_str_has_prefix (ui_name (row), "sleep, Memory "));
  ui_stop (&ui);
  stop_child (child);
}

static void
test_search (void)
{
  g_auto (Ui) ui = { 0 };
  GPid one = start_child (SIGN), two = start_child (SIGN);

  start (&ui, NULL);
  ui_await (ui_table_n_rows (get_table (&ui)) > 2);
  search (&ui, "sleep " SIGN);
  ui_await (ui_table_n_rows (get_table (&ui)) == 2);
  ui_await (has_text (&ui, "2 processes · Memory * KiB*"));
  stop_child (two);
  ui_await (ui_table_n_rows (get_table (&ui)) == 1);
  ui_await (has_text (&ui, "1 process · *"));

  /* Nothing matches: it says so, and shows the way back. */
  search (&ui, "no such thing");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "No Process Matches");
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Show All"));
  ui_await (ui_table_n_rows (get_table (&ui)) > 2);
  ui_stop (&ui);
  stop_child (one);
}

static gboolean
is_sorted_by_pid (Ui *ui,
                  gboolean descending)
{
  UiNode *table = get_table (ui);
  int last = descending ? G_MAXINT : 0;

  for (guint i = 0; i < ui_table_n_rows (table); i++)
    {
      int pid = atoi (get_cell (ui, i, "PID"));

      if (descending ? pid >= last : pid <= last)
        return FALSE;
      last = pid;
    }
  return TRUE;
}

/* A number is a name: up first. A figure: the largest first, also with the first click. */
static void
test_sort (void)
{
  g_auto (Ui) ui = { 0 };
  GPid children[4];

  for (guint i = 0; i < 4; i++)
    children[i] = start_child (SIGN);
  start (&ui, NULL);
  ui_await (ui_table_n_rows (get_table (&ui)) > 4);
  ui_click (ui_table_title (get_table (&ui), "PID"));
  ui_await (is_sorted_by_pid (&ui, FALSE));
  ui_click (ui_table_title (get_table (&ui), "PID"));
  ui_await (is_sorted_by_pid (&ui, TRUE));
  ui_click (ui_table_title (get_table (&ui), "Resident"));
  ui_await (strstr (get_cell (&ui, 0, "Resident"), "MiB"));
  g_assert_false (is_sorted_by_pid (&ui, TRUE));
  ui_stop (&ui);
  for (guint i = 0; i < 4; i++)
    stop_child (children[i]);
}

static void
test_groups (void)
{
  g_auto (Ui) ui = { 0 };
  GPid one = start_child (SIGN), two = start_child (SIGN);

  start (&ui, (const char *const[]){ "--filter", "program:sleep " SIGN, NULL });
  ui_await (ui_table_n_rows (get_table (&ui)) == 2);
  ui_click (ui_table_row (get_table (&ui), 0));
  ui_key ("ctrl+3");
  ui_await (ui_table_n_rows (get_table (&ui)) == 1);
  g_assert_cmpstr (get_cell (&ui, 0, "Name"), ==, "sleep");
  g_assert_nonnull (strstr (ui_name (ui_table_row (get_table (&ui), 0)), "2 processes"));
  ui_click (ui_table_row (get_table (&ui), 0));
  ui_key ("Right");
  ui_await (ui_table_n_rows (get_table (&ui)) == 3);
  ui_key ("Left");
  ui_await (ui_table_n_rows (get_table (&ui)) == 1);
  ui_key ("Right");
  ui_await (ui_table_n_rows (get_table (&ui)) == 3);
  ui_pause (3000);
  g_assert_cmpuint (ui_table_n_rows (get_table (&ui)), ==, 3);
  ui_stop (&ui);
  stop_child (one);
  stop_child (two);
}

static gboolean
is_selected_alone (Ui *ui,
                   const char *pid)
{
  UiNode *row = ui_table_find_row (get_table (ui), "PID", pid);

  return row && ui_has_state (row, ATSPI_STATE_SELECTED) && ui_table_n_selected (get_table (ui)) == 1;
}

/* Processes come and go all the time; what is selected, typed and said of it stays. */
static void
test_holds_still (void)
{
  g_auto (Ui) ui = { 0 };
  GPid child = start_child (SIGN), others[8];
  g_autofree char *pid = g_strdup_printf ("%d", child);

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    others[i] = start_child ("4711.5");
  start (&ui, NULL);
  search (&ui, "sleep 4711");
  ui_await (ui_table_n_rows (get_table (&ui)) == 9);
  ui_click (ui_table_find_row (get_table (&ui), "PID", pid));
  ui_await (is_selected_alone (&ui, pid));
  for (guint round = 0; round < 20; round++)
    {
      stop_child (others[round % G_N_ELEMENTS (others)]);
      others[round % G_N_ELEMENTS (others)] = start_child ("4711.5");
      ui_pause (500);
      g_assert_true (is_selected_alone (&ui, pid));
    }
  g_assert_cmpstr (ui_text (ui_wait_for (ui.window, ATSPI_ROLE_ENTRY, NULL)), ==, "sleep 4711");
  g_assert_true (has_text (&ui, "1 selected · Ending frees at least *"));
  ui_stop (&ui);
  stop_child (child);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    stop_child (others[i]);
}

static gboolean
is_every (UiNode *table,
          const char *title,
          const char *text)
{
  for (guint i = 0; i < ui_table_n_rows (table); i++)
    if (!g_str_equal (ui_table_text (table, ui_table_row (table, i), title), text))
      return FALSE;
  return TRUE;
}

static void
test_users (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *user = NULL;
  UiNode *table;

  start (&ui, (const char *const[]){ "--view", "users", NULL });
  table = ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, "Users");
  ui_await (ui_table_n_rows (table) > 0);
  g_assert_nonnull (strstr (ui_name (ui_table_row (table, 0)), "process"));
  ui_await (has_text (&ui, "Users * + Free * = *iB"));

  /* A double click shows the processes of the one that is clicked on. */
  user = g_strdup (ui_table_text (table, ui_table_row (table, 0), "Name"));
  ui_double_click (ui_table_row (table, 0));
  table = ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, "Processes");
  ui_await (ui_table_n_rows (table) > 0 && is_every (table, "User", user));
  ui_stop (&ui);
}

static UiNode *
get_mappings (Ui *ui)
{
  return ui_wait_for (ui->window, ATSPI_ROLE_TREE_TABLE, "Mappings");
}

/* One process, in words and down to its mappings; they are read when they are asked for. */
static void
test_details (void)
{
  g_auto (Ui) ui = { 0 };
  GPid child = start_child (SIGN);
  g_autofree char *pid = g_strdup_printf ("%d", child), *subtitle = g_strdup_printf ("Process %d of *", child);
  UiNode *row;

  start (&ui, (const char *const[]){ "--filter", "program:sleep " SIGN, NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "This machine");
  ui_await ((row = ui_table_find_row (get_table (&ui), "PID", pid)));
  ui_click (row);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, subtitle);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Uses *iB by itself and *");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "sleep " SIGN);

  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PAGE_TAB, "Mappings"));
  ui_await ((row = ui_table_find_row (get_mappings (&ui), "Name", "Heap")));
  ui_await (ui_table_find_row (get_mappings (&ui), "Name", "Code"));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "* mappings · Memory *iB*");

  /* It ends while it is looked at. */
  stop_child (child);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "This machine");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "No Process Chosen");
  ui_stop (&ui);
}

static void
test_nothing_to_read (void)
{
  g_auto (Ui) ui = { 0 };

  start (&ui, (const char *const[]){ "--proc", "/nonexistent", NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Processes Can’t Be Read");
  ui_stop (&ui);
}

/* Who is not seen does not read. */
static void
test_minimised (void)
{
  g_auto (Ui) ui = { 0 };
  guint64 before, seen, hidden;

  start (&ui, NULL);
  ui_await (ui_table_n_rows (get_table (&ui)) > 2);
  ui_pause (1000);
  before = ui_count_reads (&ui);
  ui_pause (5000);
  seen = ui_count_reads (&ui) - before;
  ui_minimize (&ui, TRUE);
  ui_pause (1500);
  before = ui_count_reads (&ui);
  ui_pause (10000);
  hidden = ui_count_reads (&ui) - before;
  g_test_message ("%" G_GUINT64_FORMAT " reads in 5 s, %" G_GUINT64_FORMAT " in 10 s when hidden", seen, hidden);
  g_assert_cmpuint (seen, >, 20);
  /* What is left wakes the main loop, and is none of /proc. */
  g_assert_cmpuint (hidden, <, 10);
  ui_minimize (&ui, FALSE);
  before = ui_count_reads (&ui);
  ui_pause (4000);
  g_assert_cmpuint (ui_count_reads (&ui) - before, >, 10);
  ui_stop (&ui);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/figures", test_figures);
  g_test_add_func ("/window/search", test_search);
  g_test_add_func ("/window/sort", test_sort);
  g_test_add_func ("/window/groups", test_groups);
  g_test_add_func ("/window/holds-still", test_holds_still);
  g_test_add_func ("/window/users", test_users);
  g_test_add_func ("/window/details", test_details);
  g_test_add_func ("/window/nothing-to-read", test_nothing_to_read);
  g_test_add_func ("/window/minimised", test_minimised);
  return g_test_run ();
}
