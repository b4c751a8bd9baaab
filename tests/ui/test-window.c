// SPDX-License-Identifier: GPL-3.0-or-later
/* The real program, on real processes, driven from outside. */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ui-program.h"

#define N_STILL 40

/* The row of a process shows the figures of the kernel. */
static void
test_figures (void)
{
  g_auto (Ui) ui = { 0 };
  GPid child = child_start (NULL);
  g_autofree char *pid = g_strdup_printf ("%d", child);
  g_autofree char *command = g_strdup_printf ("sleep %s", program_get_sign ());
  UiNode *row, *memory;

  program_start (&ui, (const char *const[]){ "--filter", program_get_search (), NULL });
  ui_await ((row = ui_table_find_row (program_get_table (&ui), "PID", pid)));
  ui_await (strstr (ui_table_text (program_get_table (&ui), row, "Memory"), "KiB"));
  g_assert_cmpstr (ui_table_text (program_get_table (&ui), row, "Name"), ==, "sleep");
  g_assert_cmpstr (ui_table_text (program_get_table (&ui), row, "Command"), ==, command);
  g_assert_true (g_str_has_prefix (ui_name (row), "sleep, Memory "));
  memory = ui_wait_for (ui.window, ATSPI_ROLE_LEVEL_BAR, "Memory");
  g_assert_true (g_pattern_match_simple ("*Kernel: *, Free: * (*%)", ui_description (memory)));
  ui_stop (&ui);
  child_stop (child);
}

static gboolean
is_first_focused (Ui *ui)
{
  return ui_table_n_rows (program_get_table (ui)) > 2 && ui_has_state (ui_table_row (program_get_table (ui), 0), ATSPI_STATE_FOCUSED);
}

/* Others' programs may have come before it meanwhile. */
static gboolean
is_selected_focused (Ui *ui)
{
  UiNode *focus = ui_find_focus (ui->window);

  return focus && g_pattern_match_simple ("*, PID *", ui_name (focus)) && ui_has_state (focus, ATSPI_STATE_SELECTED);
}

/* A screen reader begins with the first row, and the arrow keys go on from there. */
static void
test_first_focus (void)
{
  g_auto (Ui) ui = { 0 };

  program_start (&ui, NULL);
  ui_await (is_first_focused (&ui));
  g_assert_true (g_pattern_match_simple ("*, PID *", ui_name (ui_find_focus (ui.window))));
  program_save_picture (&ui, "first-focus.png");
  ui_key ("Down");
  ui_await (is_selected_focused (&ui));
  ui_stop (&ui);
}

static void
test_search (void)
{
  g_auto (Ui) ui = { 0 };
  GPid one = child_start (NULL), two = child_start (NULL);

  program_start (&ui, NULL);
  ui_await (ui_table_n_rows (program_get_table (&ui)) > 2);
  program_search (&ui, program_get_search ());
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 2);
  ui_await (program_has_text (&ui, "2 processes · Memory *KiB*"));
  child_stop (two);
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 1);
  ui_await (program_has_text (&ui, "1 process · *"));

  /* Nothing matches: it says so, and shows the way back. */
  program_search (&ui, "no such thing");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "No Process Matches");
  program_search (&ui, "pss>many");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "“many” is not a number; *");
  program_search (&ui, "usr:no-such-user");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "There is no column “usr”; did you mean “user”?");
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Show All"));
  ui_await (ui_table_n_rows (program_get_table (&ui)) > 2);
  ui_stop (&ui);
  child_stop (one);
}

static gboolean
is_sorted_by_pid (Ui *ui,
                  gboolean descending)
{
  UiNode *table = program_get_table (ui);
  g_autoptr (GPtrArray) rows = ui_table_get_rows (table, G_MAXUINT);
  int last = descending ? G_MAXINT : 0;

  for (guint i = 0; i < rows->len; i++)
    {
      int pid = atoi (ui_table_text (table, g_ptr_array_index (rows, i), "PID"));

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
  g_autofree char *own = g_strdup_printf ("ppid=%d", getpid ());
  GPid children[4];

  children[0] = child_start_argv ((const char *const[]){ g_getenv ("FOOTPRINT_GIANT"), "sleep", "64", "0", NULL });
  for (guint i = 1; i < 4; i++)
    children[i] = child_start (NULL);
  program_start (&ui, (const char *const[]){ "--filter", own, NULL });
  ui_await (ui_table_n_rows (program_get_table (&ui)) >= 4);
  ui_click (ui_table_title (program_get_table (&ui), "PID"));
  ui_await (is_sorted_by_pid (&ui, FALSE));
  ui_click (ui_table_title (program_get_table (&ui), "PID"));
  ui_await (is_sorted_by_pid (&ui, TRUE));
  ui_click (ui_table_title (program_get_table (&ui), "Resident"));
  ui_await (!is_sorted_by_pid (&ui, TRUE));
  ui_await (g_str_has_suffix (program_get_cell (&ui, 0, "Resident"), "MiB"));
  ui_stop (&ui);
  for (guint i = 0; i < 4; i++)
    child_stop (children[i]);
}

/* The keys work in the whole window, here in the search, which opens the groups it has found. */
static void
test_groups (void)
{
  g_auto (Ui) ui = { 0 };
  GPid one = child_start (NULL), two = child_start (NULL);

  program_start (&ui, (const char *const[]){ "--filter", program_get_search (), NULL });
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 2);
  ui_key ("ctrl+f");
  ui_pause (300);
  ui_key ("ctrl+3");
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 3);
  g_assert_cmpstr (program_get_cell (&ui, 0, "Name"), ==, "sleep");
  g_assert_nonnull (strstr (ui_name (ui_table_row (program_get_table (&ui), 0)), "2 processes"));
  ui_click (ui_table_row (program_get_table (&ui), 0));
  ui_key ("Left");
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 1);
  ui_key ("Right");
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 3);
  ui_pause (3000);
  g_assert_cmpuint (ui_table_n_rows (program_get_table (&ui)), ==, 3);
  ui_stop (&ui);
  child_stop (one);
  child_stop (two);
}

/* Processes that come, fork, exec and go all the time, and end with this one */
static GPid
start_churn (void)
{
  g_autofree char *command = g_strdup_printf ("for i in 1 2 3 4 5 6; do\n"
                                              "  while kill -0 $$; do sh -c 'exec timeout .$0 sleep %s9' $i; done &\n"
                                              "done\nwait",
                                              program_get_sign ());

  return child_start_argv ((const char *const[]){ "sh", "-c", command, NULL });
}

static char *
read_pids (Ui *ui)
{
  UiNode *table = program_get_table (ui);
  guint n = ui_table_n_rows (table);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s ", ui_table_text (table, ui_table_row (table, i), "PID"));
  return g_string_free (text, FALSE);
}

/* One of the rows that stay and are not half under the titles */
static guint
find_still (Ui *ui)
{
  g_autofree char *command = g_strdup_printf ("sleep %s", program_get_sign ());

  for (guint i = 2; i < ui_table_n_rows (program_get_table (ui)); i++)
    if (g_str_equal (program_get_cell (ui, i, "Command"), command))
      return i;
  ui_fail ("None of those that stay is on the screen");
}

/* The sum below has two digits on many a machine before it is searched, too. */
static gboolean
is_searched (Ui *ui)
{
  UiNode *table = program_get_table (ui);
  guint n = ui_table_n_rows (table);

  for (guint i = 0; i < n; i++)
    if (!strstr (ui_table_text (table, ui_table_row (table, i), "Command"), program_get_sign ()))
      return FALSE;
  return n > 2;
}

/* Another test can give the machine swap at any time, and its bar takes the place of the last row. */
static gboolean
has_same_start (const char *now,
                const char *before)
{
  return strlen (now) > strlen (before) / 2 && (g_str_has_prefix (before, now) || g_str_has_prefix (now, before));
}

static void
await_refresh (Ui *ui)
{
  guint64 before = ui_count_read (ui);

  ui_await (ui_count_read (ui) - before > UI_REFRESH);
}

/* Nothing of what is selected, typed, read and said of it moves in 20 refreshes. */
static void
test_holds_still (void)
{
  g_auto (Ui) ui = { 0 };
  GPid children[N_STILL], churn = start_churn ();
  g_autofree char *search = g_strdup_printf ("sleep %s", program_get_sign ()), *pids = NULL;
  UiNode *row;
  guint position;

  for (guint i = 0; i < N_STILL; i++)
    children[i] = child_start (NULL);
  program_start_at_once_a_second (&ui, NULL);
  ui_resize (&ui, 1000, 600);
  program_search (&ui, search);
  ui_await (is_searched (&ui) && program_has_text (&ui, "?? processes · *"));
  ui_scroll (ui_table_row (program_get_table (&ui), 2), 3);
  ui_pause (1000);
  position = find_still (&ui);
  row = ui_table_row (program_get_table (&ui), position);
  ui_click (row);
  ui_await (ui_has_state (row, ATSPI_STATE_SELECTED));
  pids = read_pids (&ui);
  for (guint round = 1; round <= 20; round++)
    {
      await_refresh (&ui);
      ui_pause (500);
      if (round % 5 > 0)
        continue;
      g_autofree char *now = read_pids (&ui);

      if (!has_same_start (now, pids))
        g_assert_cmpstr (now, ==, pids);
      g_assert_true (ui_has_state (ui_table_row (program_get_table (&ui), position), ATSPI_STATE_SELECTED));
      g_assert_cmpuint (ui_table_n_selected (program_get_table (&ui)), ==, 1);
      g_assert_cmpstr (ui_text (ui_wait_for (ui.window, ATSPI_ROLE_ENTRY, NULL)), ==, search);
      g_assert_true (program_has_text (&ui, "1 process selected · Ending it gives back *"));
    }
  ui_stop (&ui);
  child_stop (churn);
  for (guint i = 0; i < N_STILL; i++)
    child_stop (children[i]);
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

  program_start (&ui, NULL);
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Kernel*"));
  ui_key ("alt+3");
  table = ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, "Users");
  ui_await (ui_table_n_rows (table) > 0);
  g_assert_nonnull (strstr (ui_name (ui_table_row (table, 0)), "process"));
  ui_await (program_has_text (&ui, "Programs*+ Free*=*iB"));

  /* A double click shows the processes of the one that is clicked on, whatever was filtered there. */
  user = g_strdup (ui_table_text (table, ui_table_row (table, 0), "Name"));
  ui_double_click (ui_table_row (table, 0));
  table = ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, "Processes");
  ui_await (ui_table_n_rows (table) > 0 && is_every (table, "User", user));
  ui_stop (&ui);
}

static UiNode *
get_mappings (Ui *ui)
{
  return ui_table_wait_for (ui->window, "Mappings");
}

/* One process, in words and down to its mappings; they are read when they are asked for. */
static void
test_mappings (void)
{
  g_auto (Ui) ui = { 0 };
  GPid child = child_start (NULL);
  g_autofree char *pid = g_strdup_printf ("%d", child), *subtitle = g_strdup_printf ("Process %d of *", child);
  UiNode *row;

  program_start (&ui, (const char *const[]){ "--filter", program_get_search (), NULL });
  ui_await (program_shows_all (&ui));
  ui_await ((row = ui_table_find_row (program_get_table (&ui), "PID", pid)));
  ui_click (row);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, subtitle);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Uses *iB by itself and *");

  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PAGE_TAB, "Mappings"));
  ui_await ((row = ui_table_find_row (get_mappings (&ui), "Name", "Heap")));
  ui_await (ui_table_find_row (get_mappings (&ui), "Name", "Code"));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "* mappings · Memory *iB*");

  /* It ends while it is looked at. */
  child_stop (child);
  ui_await (program_shows_all (&ui));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "No Process Selected");
  ui_stop (&ui);
}

static void
test_nothing_to_read (void)
{
  g_auto (Ui) ui = { 0 };

  program_start (&ui, (const char *const[]){ "--proc", "/nonexistent", NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Processes Can’t Be Read");
  ui_stop (&ui);
}

static void
test_empty_folder (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *folder = g_dir_make_tmp ("empty-XXXXXX", NULL);

  program_start (&ui, (const char *const[]){ "--proc", folder, NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "No Processes to See");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "There are no processes in the folder they are read from. *");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Memory: unknown *");
  ui_stop (&ui);
  g_rmdir (folder);
}

static void
run (const char *folder,
     const char *const *argv)
{
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (folder, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
}

/* A saved file says when it was saved, is not read again, and no process in it can be ended. */
static void
test_saved (void)
{
  g_auto (Ui) ui = { 0 };
  GPid child = child_start (NULL);
  g_autofree char *file = g_build_filename (g_get_user_runtime_dir (), "saved.snapshot", NULL);

  run (NULL, (const char *const[]){ g_getenv ("FOOTPRINT_CLI"), "--save", file, "--with-commands", NULL });
  child_stop (child);

  program_start (&ui, (const char *const[]){ "--open", file, "--filter", program_get_search (), NULL });
  ui_await (program_find_pid (&ui, child));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Saved snapshot: *");
  ui_click_with (program_find_pid (&ui, child), 3, NULL);
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_MENU_ITEM, "Copy"));
  g_assert_true (ui_has_state (ui_find (ui.window, ATSPI_ROLE_MENU_ITEM, "Copy"), ATSPI_STATE_SENSITIVE));
  g_assert_false (ui_has_state (ui_find (ui.window, ATSPI_ROLE_MENU_ITEM, "End…"), ATSPI_STATE_SENSITIVE));
  g_assert_false (ui_has_state (ui_find (ui.window, ATSPI_ROLE_MENU_ITEM, "Kill…"), ATSPI_STATE_SENSITIVE));
  ui_key ("Escape");
  ui_stop (&ui);
  g_remove (file);
}

/* A file from before groups were saved has processes and the machine, and none of the kernel's groups. */
static void
test_saved_views (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = g_build_filename (g_getenv ("UI_FIXTURES"), "saved", "plain-1.footprint", NULL);

  program_start (&ui, (const char *const[]){ "--open", file, "--view", "users", NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, "Users");
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_PAGE_TAB, "Users"));
  ui_key ("alt+4");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "No Groups in This Snapshot");
  program_save_picture (&ui, "window-saved-views.png");
  ui_key ("alt+1");
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "Programs, *"));
  ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "All processes*");
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "Programs, *"));
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "Files kept in memory, *"));
  ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "A saved snapshot does not list the files kept in memory*");
  program_save_picture (&ui, "window-saved-system.png");
  ui_stop (&ui);
}

static gboolean
has_focus_on (Ui *ui,
              const char *name)
{
  UiNode *focus = ui_find_focus (ui->window);

  return focus && g_str_equal (ui_name (focus), name);
}

/* A view that is shown for the first time takes over the focus that the one before had. */
static void
test_switch_focus (void)
{
  g_auto (Ui) ui = { 0 };

  program_start (&ui, (const char *const[]){ "--view", "processes", NULL });
  ui_await (ui_table_n_rows (program_get_table (&ui)) > 3);
  ui_await (ui_find_focus (ui.window) && ui_role (ui_find_focus (ui.window)) == ATSPI_ROLE_TABLE_ROW);
  ui_key ("alt+5");
  ui_await (has_focus_on (&ui, "All"));
  ui_stop (&ui);
}

static UiNode *
find_other_window (Ui *ui)
{
  for (int i = 0; i < atspi_accessible_get_child_count (ui->application, NULL); i++)
    if (ui_get_child (ui->application, i) != ui->window)
      return ui_get_child (ui->application, i);
  return NULL;
}

/* A record of another machine gets a window of its own, and its path is relative to where it was typed. */
static void
test_another (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *folder = g_build_filename (g_getenv ("UI_FIXTURES"), "desktop", NULL);
  UiNode *other;

  program_start (&ui, NULL);
  ui_await (ui_table_n_rows (program_get_table (&ui)) > 2);
  run (folder, (const char *const[]){ g_getenv ("FOOTPRINT"), "--proc", "proc", "--filter", "spotify", NULL });
  ui_await ((other = find_other_window (&ui)));
  ui_wait_for (other, ATSPI_ROLE_LABEL, "1 process · *");
  g_assert_cmpuint (ui_table_n_rows (program_get_table (&ui)), >, 2);
  ui_close (other);
  ui_await (!find_other_window (&ui));
  ui_stop (&ui);
}

/* A machine that tells less, and from a moment on nothing at all. */
static void
test_read_no_more (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *from = g_build_filename (g_getenv ("UI_FIXTURES"), "desktop", "proc", NULL);
  g_autofree char *folder = g_build_filename (g_get_user_runtime_dir (), "gone-proc", NULL);
  g_autofree char *meminfo = g_build_filename (folder, "meminfo", NULL);

  run (NULL, (const char *const[]){ "cp", "-r", from, folder, NULL });
  run (NULL, (const char *const[]){ "sed", "-i", "/MemAvailable/d", meminfo, NULL });
  program_start_at_once_a_second (&ui, (const char *const[]){ "--proc", folder, NULL });
  ui_await (ui_table_n_rows (program_get_table (&ui)) > 2);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Memory: 6.3 GiB");
  run (NULL, (const char *const[]){ "rm", "-r", folder, NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Can’t list processes: No such file or directory. These are the figures of ??:??:??.");
  g_assert_cmpuint (ui_table_n_rows (program_get_table (&ui)), >, 2);
  program_save_picture (&ui, "read-no-more.png");
  ui_stop (&ui);
}

/* A process that is asked for is shown, wherever a list hides it; of one that is not there this is said. */
static void
test_wanted (void)
{
  static const char *const views[] = { "processes", "users" }, *const searches[] = { "", "no such thing" };
  g_auto (Ui) nobody = { 0 };
  GPid child = child_start (NULL);
  g_autofree char *pid = g_strdup_printf ("%d", child), *shown = g_strdup_printf ("Process %d of *", child);
  g_autofree char *gone = g_strdup_printf ("There is no process %d", child);

  for (guint i = 0; i < 4; i++)
    {
      g_auto (Ui) ui = { 0 };

      program_start (&ui, (const char *const[]){ "--view", views[i % 2], "--filter", searches[i / 2], "--details", pid, NULL });
      ui_await (program_is_shown (ui.window, ATSPI_ROLE_LABEL, shown));
      ui_stop (&ui);
    }
  child_stop (child);
  program_start (&nobody, (const char *const[]){ "--details", pid, NULL });
  ui_wait_for (nobody.window, ATSPI_ROLE_LABEL, gone);
  ui_stop (&nobody);
}

/* As somebody does who starts it a second time */
static void
ask_for_details (Ui *ui,
                 GPid pid)
{
  g_autofree char *text = g_strdup_printf ("%d", pid), *shown = g_strdup_printf ("Process %d of *", pid);
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (NULL, (char *[]){ (char *)g_getenv ("FOOTPRINT"), (char *)"--details", text, NULL }, NULL,
                G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  ui_await (program_is_shown (ui->window, ATSPI_ROLE_LABEL, shown));
}

static GPid
find_by_sight (Ui *ui,
               const GPid *children,
               gboolean is_seen)
{
  for (guint i = 0; i < N_STILL; i++)
    if ((program_find_pid (ui, children[i]) != NULL) == is_seen)
      return children[i];
  ui_fail ("They are all on the screen, or none is");
}

/* A row that is asked for is scrolled to where it is not seen, and only there, also into a group that is closed; and when
 * a search or filter hid it, that is said. */
static void
test_revealed (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *before = NULL, *after = NULL, *link = g_strdup_printf ("* (%d)", getpid ());
  g_autofree char *said = g_strdup_printf ("Search and filter were set to show process %d", getpid ());
  GPid children[N_STILL], away, here;

  for (guint i = 0; i < N_STILL; i++)
    children[i] = child_start (NULL);
  program_start (&ui, (const char *const[]){ "--filter", program_get_search (), NULL });
  ui_resize (&ui, 1000, 600);
  ui_click (ui_table_title (program_get_table (&ui), "PID"));
  ui_await (ui_table_n_rows (program_get_table (&ui)) > 5);
  away = find_by_sight (&ui, children, FALSE);
  here = find_by_sight (&ui, children, TRUE);
  ask_for_details (&ui, away);
  ui_await (program_find_pid (&ui, away) && !program_find_pid (&ui, here));

  here = find_by_sight (&ui, children, TRUE);
  before = read_pids (&ui);
  ask_for_details (&ui, here);
  after = read_pids (&ui);
  g_assert_cmpstr (after, ==, before);

  ui_resize (&ui, 1000, 970);
  ui_scroll (ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "History"), 30);
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, link));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, said);
  ui_await (program_find_pid (&ui, getpid ()));

  ui_key ("ctrl+3");
  ui_await (!program_find_pid (&ui, getpid ()));
  ask_for_details (&ui, away);
  ui_await (program_find_pid (&ui, away));
  ui_stop (&ui);
  for (guint i = 0; i < N_STILL; i++)
    child_stop (children[i]);
}

static UiNode *
find_chart (Ui *ui)
{
  return ui_find (ui->window, ATSPI_ROLE_SLIDER, "History");
}

static gboolean
chart_says (Ui *ui,
            const char *glob)
{
  return find_chart (ui) && ui_find (find_chart (ui), ATSPI_ROLE_LABEL, glob) != NULL;
}

/* It tells of what is selected, by keys from the list to a moment in the past. */
static void
test_details (void)
{
  g_auto (Ui) ui = { 0 };
  GPid one = child_start (NULL), two = child_start (NULL);
  g_autofree char *of_one = g_strdup_printf ("Process %d of *", one), *of_two = g_strdup_printf ("Process %d of *", two);

  program_start_at_once_a_second (&ui, (const char *const[]){ "--filter", program_get_search (), NULL });
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 2);
  ui_await (program_shows_all (&ui));
  ui_click (program_find_pid (&ui, one));
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_LABEL, of_one));
  ui_key ("F9");
  ui_await (!program_is_shown (ui.window, ATSPI_ROLE_LABEL, of_one));
  ui_click (program_find_pid (&ui, two));
  ui_pause (300);
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_LABEL, of_two));
  ui_key ("alt+Return");
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_LABEL, of_two));

  /* Some points to choose from */
  ui_pause (3000);
  ui_await (chart_says (&ui, "Now*Memory*KiB*"));
  for (guint i = 0; i < 20 && !ui_has_state (find_chart (&ui), ATSPI_STATE_FOCUSED); i++)
    ui_key ("Tab");
  g_assert_true (ui_has_state (find_chart (&ui), ATSPI_STATE_FOCUSED));
  ui_key ("Left");
  ui_key ("Left");
  ui_await (!chart_says (&ui, "Now*"));
  g_assert_true (chart_says (&ui, "*ago*Memory*KiB*"));
  ui_key ("End");
  ui_await (chart_says (&ui, "Now*"));
  ui_stop (&ui);
  child_stop (one);
  child_stop (two);
}

/* A figure that was not read at first does not look as if it had grown. */
static void
test_steady (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *folder = g_build_filename (g_getenv ("UI_FIXTURES"), "desktop", "proc", NULL);

  program_start_at_once_a_second (&ui, (const char *const[]){ "--proc", folder, NULL });
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_LABEL, "This machine"));
  ui_await (chart_says (&ui, "Now*Steady") || chart_says (&ui, "Now*Grows*"));
  g_assert_true (chart_says (&ui, "Now*Steady"));
  ui_stop (&ui);
}

/* Large text leaves less room: the details make way for the memory. */
static void
test_large_text (void)
{
  static const char *const sizes[] = { "11", "16.5" };
  g_autofree char *config = g_build_filename (g_get_user_runtime_dir (), "large", NULL);
  g_autofree char *folder = g_build_filename (config, "gtk-4.0", NULL), *file = g_build_filename (folder, "settings.ini", NULL);
  g_autofree char *environment = g_strdup_printf ("XDG_CONFIG_HOME=%s", config);
  GPid child = child_start (NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_auto (Ui) ui = { 0 };
      g_autofree char *text = g_strdup_printf ("[Settings]\ngtk-font-name=Cantarell %s\n", sizes[i]);
      g_autoptr (GError) error = NULL;

      g_file_set_contents (file, text, -1, &error);
      g_assert_no_error (error);
      ui_start (&ui, (const char *const[]){ g_getenv ("FOOTPRINT"), "--filter", program_get_search (), NULL },
                (const char *const[]){ environment, NULL });
      ui_resize (&ui, 1000, 700);
      ui_await (ui_table_n_rows (program_get_table (&ui)) == 1);
      ui_await (ui_is_on_screen (ui_table_title (program_get_table (&ui), "Memory")));
      ui_await (program_shows_all (&ui) == (i == 0));
      ui_stop (&ui);
    }
  child_stop (child);
}

/* A sweep that was under way when the window was hidden may take a while on a busy machine. */
static gboolean
has_stopped (Ui *ui)
{
  guint64 before = ui_count_read (ui);

  ui_pause (1500);
  return ui_count_read (ui) - before < 5 * UI_WAKEUP;
}

/* A window that is not seen does not read. Each wait is of as many refreshes as it has seconds. */
static void
test_minimised (void)
{
  g_auto (Ui) ui = { 0 };
  guint64 before, seen, hidden;

  program_start_at_once_a_second (&ui, NULL);
  ui_await (ui_table_n_rows (program_get_table (&ui)) > 2);
  ui_pause (1000);
  before = ui_count_read (&ui);
  ui_pause (3000);
  seen = ui_count_read (&ui) - before;
  ui_minimize (&ui, TRUE);
  ui_await (has_stopped (&ui));
  before = ui_count_read (&ui);
  ui_pause (5000);
  hidden = ui_count_read (&ui) - before;
  g_test_message ("%" G_GUINT64_FORMAT " bytes read in 3 s, %" G_GUINT64_FORMAT " in 5 s when hidden", seen, hidden);
  g_assert_cmpuint (seen, >, UI_REFRESH);
  g_assert_cmpuint (hidden, <, 5 * UI_WAKEUP);
  ui_minimize (&ui, FALSE);
  before = ui_count_read (&ui);
  ui_pause (2000);
  g_assert_cmpuint (ui_count_read (&ui) - before, >, UI_REFRESH);
  ui_stop (&ui);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/figures", test_figures);
  g_test_add_func ("/window/first-focus", test_first_focus);
  g_test_add_func ("/window/search", test_search);
  g_test_add_func ("/window/sort", test_sort);
  g_test_add_func ("/window/groups", test_groups);
  g_test_add_func ("/window/holds-still", test_holds_still);
  g_test_add_func ("/window/users", test_users);
  g_test_add_func ("/window/mappings", test_mappings);
  g_test_add_func ("/window/nothing-to-read", test_nothing_to_read);
  g_test_add_func ("/window/empty-folder", test_empty_folder);
  g_test_add_func ("/window/saved", test_saved);
  g_test_add_func ("/window/saved-views", test_saved_views);
  g_test_add_func ("/window/another", test_another);
  g_test_add_func ("/window/read-no-more", test_read_no_more);
  g_test_add_func ("/window/wanted", test_wanted);
  g_test_add_func ("/window/switch-focus", test_switch_focus);
  g_test_add_func ("/window/revealed", test_revealed);
  g_test_add_func ("/window/details", test_details);
  g_test_add_func ("/window/steady", test_steady);
  g_test_add_func ("/window/large-text", test_large_text);
  g_test_add_func ("/window/minimised", test_minimised);
  return g_test_run ();
}
