// SPDX-License-Identifier: GPL-3.0-or-later
/* Actions on rows: selecting, ending, holding their order. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ui-program.h"

#define N_CHILDREN      6
#define N_MANY_CHILDREN 14
#define N_TALL_LIST     40   /* as many as no window of 500 pixels has room for */
#define N_PIDS          3000 /* more than all programs of a busy machine take during one of these tests */

typedef struct
{
  Ui ui;
  UiNode *footer;
  GPid children[N_TALL_LIST];
  guint n;
} Fixture;

static guint
count_rows (Fixture *self)
{
  return ui_table_n_rows (program_get_table (&self->ui));
}

static UiNode *
find_child (Fixture *self,
            guint n)
{
  UiNode *row;

  ui_await ((row = program_find_pid (&self->ui, self->children[n])));
  return row;
}

static void
start (Fixture *self,
       const char *search)
{
  program_start (&self->ui, (const char *const[]){ "--filter", search, NULL });
  self->footer = ui_get_parent (ui_wait_for (self->ui.window, ATSPI_ROLE_LABEL, "* process* · Memory *"));
}

static void
restart_children (Fixture *self)
{
  g_test_message ("PIDs began anew");
  for (guint i = 0; i < self->n; i++)
    {
      child_stop (self->children[i]);
      self->children[i] = child_start (NULL);
    }
}

static pid_t
use_up_pid (void)
{
  pid_t pid = fork ();

  if (pid == 0)
    _exit (0);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
  return pid;
}

/* Where few PIDs are left, a later child would have a lower one than those before it. */
static void
leave_last_pids (void)
{
  g_autofree char *max = NULL;
  pid_t pid = use_up_pid ();

  g_assert_true (g_file_get_contents ("/proc/sys/kernel/pid_max", &max, NULL, NULL));
  if (atoi (max) - pid < N_PIDS)
    while (use_up_pid () > pid)
      ;
}

/* By PID, so that rows are children, and stay in their places while they are pointed at */
static void
sort_children (Fixture *self)
{
  for (guint i = 1; i < self->n; i++)
    if (self->children[i] < self->children[i - 1])
      restart_children (self);
  ui_click (ui_table_title (program_get_table (&self->ui), "PID"));
  ui_await (atoi (program_get_cell (&self->ui, 0, "PID")) == self->children[0] &&
            atoi (program_get_cell (&self->ui, self->n - 1, "PID")) == self->children[self->n - 1]);
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  self->n = GPOINTER_TO_UINT (data);
  leave_last_pids ();
  for (guint i = 0; i < self->n; i++)
    self->children[i] = child_start (NULL);
  start (self, program_get_search ());
  ui_await (count_rows (self) == self->n);
  sort_children (self);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  ui_stop (&self->ui);
  for (guint i = 0; i < self->n; i++)
    child_stop (self->children[i]);
}

static gboolean
has_menu (gpointer data)
{
  return program_is_shown (((Fixture *)data)->ui.window, ATSPI_ROLE_MENU_ITEM, "Details");
}

static void
choose (Fixture *self,
        guint n,
        const char *item)
{
  ui_click_with (find_child (self, n), 3, NULL);
  ui_wait_until ("the menu", has_menu, self);
  ui_click (ui_wait_for (self->ui.window, ATSPI_ROLE_MENU_ITEM, item));
}

static UiNode *
ask_to (Fixture *self,
        guint n,
        const char *item,
        const char *heading)
{
  choose (self, n, item);
  return ui_wait_for (self->ui.application, ATSPI_ROLE_DIALOG, heading);
}

static void
check_question (Fixture *self,
                UiNode *dialog,
                guint n)
{
  g_autofree char *glob = g_strdup_printf ("sleep (%d) of *", self->children[n]);

  ui_wait_for (dialog, ATSPI_ROLE_LABEL, glob);
  ui_wait_for (dialog, ATSPI_ROLE_LABEL, "Ending it gives back * now*");
}

static UiNode *
get_row (Fixture *self,
         guint n)
{
  UiNode *row;

  ui_await ((row = ui_table_row (program_get_table (&self->ui), n)));
  return row;
}

static gboolean
is_ended_row (Fixture *self,
              guint n)
{
  UiNode *row = program_find_pid (&self->ui, self->children[n]);

  return !row || strstr (ui_name (row), "zombie") || strstr (ui_name (row), "ended");
}

static void
test_end (Fixture *self,
          gconstpointer data)
{
  UiNode *dialog = ask_to (self, 0, "End…", "End sleep?");

  check_question (self, dialog, 0);
  ui_dismiss (dialog, "Escape");
  ui_pause (1000);
  g_assert_false (child_has_ended (self->children[0]));

  dialog = ask_to (self, 0, "End…", "End sleep?");
  check_question (self, dialog, 0);
  ui_dismiss (dialog, "alt+e");
  ui_wait_for (self->ui.window, ATSPI_ROLE_LABEL, "Asked sleep to end");
  ui_await (child_has_ended (self->children[0]));
  ui_await (is_ended_row (self, 0));
  g_assert_false (child_has_ended (self->children[1]));

  /* A zombie until its parent has asked for it */
  waitpid (self->children[0], NULL, 0);
  self->children[0] = child_start (NULL);
  ui_await (count_rows (self) == 2);
}

/* One that does not listen to what others end by */
static void
test_kill (Fixture *self,
           gconstpointer data)
{
  g_autofree char *command = g_strdup_printf ("trap '' TERM; exec sleep %s", program_get_sign ());
  UiNode *dialog;

  child_stop (self->children[0]);
  self->children[0] = child_start_argv ((const char *const[]){ "sh", "-c", command, NULL });
  ui_dismiss (ask_to (self, 0, "End…", "End sleep?"), "alt+e");
  ui_pause (1000);
  g_assert_false (child_has_ended (self->children[0]));

  dialog = ask_to (self, 0, "Kill…", "Kill sleep?");
  check_question (self, dialog, 0);
  ui_wait_for (dialog, ATSPI_ROLE_LABEL, "*It can’t save anything first.*");
  ui_dismiss (dialog, "alt+k");
  ui_await (child_has_ended (self->children[0]));
  g_assert_false (child_has_ended (self->children[1]));
}

/* It went while the question was asked: nothing is done to whoever has its PID now. */
static void
test_gone (Fixture *self,
           gconstpointer data)
{
  UiNode *dialog = ask_to (self, 0, "End…", "End sleep?");
  g_autofree char *toast = g_strdup_printf ("sleep (%d) of *: It has ended already", self->children[0]);

  child_stop (self->children[0]);
  ui_dismiss (dialog, "alt+e");
  ui_wait_for (self->ui.window, ATSPI_ROLE_LABEL, toast);
  self->children[0] = child_start (NULL);
}

/* More than are named in the question: what fails is named all the same. */
static void
test_gone_of_many (Fixture *self,
                   gconstpointer data)
{
  guint last = self->n - 1;
  g_autofree char *toast = g_strdup_printf ("sleep (%d) of *: It has ended already", self->children[last]);
  UiNode *dialog;

  ui_click (get_row (self, 0));
  ui_key ("ctrl+a");
  ui_await (program_has_text (&self->ui, "14 processes selected · *"));
  dialog = ask_to (self, 0, "End…", "End 14 Processes?");
  ui_wait_for (dialog, ATSPI_ROLE_LABEL, "*and 3 more*");
  child_stop (self->children[last]);
  ui_dismiss (dialog, "alt+e");
  ui_wait_for (self->ui.window, ATSPI_ROLE_LABEL, toast);
  for (guint i = 0; i < self->n; i++)
    {
      if (i < last)
        ui_await (child_has_ended (self->children[i]));
      waitpid (self->children[i], NULL, 0);
      self->children[i] = child_start (NULL);
    }
}

static gboolean
is_stopped (GPid pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) && strstr (text, ") T ");
}

static gboolean
is_paused_row (Fixture *self,
               guint n)
{
  UiNode *row = program_find_pid (&self->ui, self->children[n]);

  return row && g_str_has_prefix (ui_name (row), "sleep, paused");
}

/* A paused process says so in its row and in the question before it is to end, as it does not end before it is resumed. */
static void
test_pause (Fixture *self,
            gconstpointer data)
{
  UiNode *dialog;

  choose (self, 0, "Pause");
  ui_wait_for (self->ui.window, ATSPI_ROLE_LABEL, "Paused sleep");
  ui_await (is_stopped (self->children[0]));
  g_assert_false (is_stopped (self->children[1]));
  ui_await (is_paused_row (self, 0));
  program_save_picture (&self->ui, "paused.png");
  dialog = ask_to (self, 0, "End…", "End sleep?");
  ui_wait_for (dialog, ATSPI_ROLE_LABEL, "It is paused, and ends once it is resumed.*");
  program_save_picture (&self->ui, "paused-end.png");
  ui_dismiss (dialog, "Escape");
  ui_click_with (find_child (self, 0), 3, NULL);
  ui_wait_until ("the menu", has_menu, self);
  g_assert_false (program_is_shown (self->ui.window, ATSPI_ROLE_MENU_ITEM, "Pause"));
  program_save_picture (&self->ui, "row-menu.png");
  ui_click (ui_wait_for (self->ui.window, ATSPI_ROLE_MENU_ITEM, "Resume"));
  ui_wait_for (self->ui.window, ATSPI_ROLE_LABEL, "Resumed sleep");
  ui_await (!is_stopped (self->children[0]));
}

/* The keys ask before they do anything, and in the search they are what they are in any text. */
static void
test_keys (Fixture *self,
           gconstpointer data)
{
  ui_click (find_child (self, 0));
  ui_key ("shift+Delete");
  ui_dismiss (ui_wait_for (self->ui.application, ATSPI_ROLE_DIALOG, "Kill sleep?"), "Escape");
  ui_key ("Delete");
  ui_dismiss (ui_wait_for (self->ui.application, ATSPI_ROLE_DIALOG, "End sleep?"), "Escape");
  g_assert_false (child_has_ended (self->children[0]));
  ui_key ("ctrl+f");
  ui_await (ui_find_focus (self->ui.window) && ui_role (ui_find_focus (self->ui.window)) == ATSPI_ROLE_ENTRY);
  ui_key ("ctrl+a");
  ui_key ("Delete");
  ui_await (*ui_text (ui_find (self->ui.window, ATSPI_ROLE_ENTRY, NULL)) == '\0');
  g_assert_null (ui_find (self->ui.application, ATSPI_ROLE_DIALOG, "*sleep?"));
}

/* A letter for each row: x is selected */
static char *
get_selection (Fixture *self)
{
  UiNode *table = program_get_table (&self->ui);
  GString *text = g_string_new (NULL);
  guint n = ui_table_n_rows (table);

  for (guint i = 0; i < n; i++)
    g_string_append_c (text, ui_has_state (ui_table_row (table, i), ATSPI_STATE_SELECTED) ? 'x' : '.');
  return g_string_free (text, FALSE);
}

static gboolean
is_selected (Fixture *self,
             const char *expected)
{
  g_autofree char *found = get_selection (self);

  return g_str_equal (found, expected);
}

static void
await_selection (Fixture *self,
                 const char *expected)
{
  for (guint i = 0; i < 50 && !is_selected (self, expected); i++)
    ui_pause (100);
  if (!is_selected (self, expected))
    {
      g_autofree char *found = get_selection (self);

      ui_fail ("Selected is %s and not %s", found, expected);
    }
}

/* As the search takes it */
static gboolean
is_copied (Fixture *self,
           guint n)
{
  g_autofree char *start = g_strdup_printf ("%d\t", self->children[n]);

  return strstr (ui_text (ui_find (self->ui.window, ATSPI_ROLE_ENTRY, NULL)), start) != NULL;
}

static void
test_copy (Fixture *self,
           gconstpointer data)
{
  ui_click (get_row (self, 0));
  ui_key ("shift+Down");
  await_selection (self, "xx.");
  ui_key ("ctrl+c");
  ui_wait_for (self->ui.window, ATSPI_ROLE_LABEL, "Copied");
  ui_key ("ctrl+f");
  ui_key ("ctrl+a");
  ui_key ("ctrl+v");
  ui_await (is_copied (self, 0) && is_copied (self, 1));
  g_assert_false (is_copied (self, 2));
}

static void
test_select (Fixture *self,
             gconstpointer data)
{
  ui_click (get_row (self, 1));
  await_selection (self, ".x....");
  ui_click_with (get_row (self, 3), 1, "ctrl");
  await_selection (self, ".x.x..");
  ui_click_with (get_row (self, 4), 1, "ctrl+shift");
  await_selection (self, ".x.xx.");
  ui_click_with (get_row (self, 5), 1, "shift");
  await_selection (self, "...xxx");
  ui_click_with (get_row (self, 4), 1, "ctrl");
  await_selection (self, "...x.x");
  ui_click (get_row (self, 1));
  ui_click_with (get_row (self, 4), 1, "shift");
  await_selection (self, ".xxxx.");
  ui_click_with (get_row (self, 0), 1, "shift");
  await_selection (self, "xx....");
  ui_key ("shift+Down");
  ui_key ("ctrl+a");
  await_selection (self, "xxxxxx");
  ui_await (program_has_text (&self->ui, "6 processes selected · Ending these 6 gives back * now*"));
  ui_click (get_row (self, 2));
  ui_key ("shift+Down");
  ui_key ("shift+Down");
  await_selection (self, "..xxx.");
  ui_key ("shift+Up");
  await_selection (self, "..xx..");
  /* A screen reader follows these. */
  ui_await (ui_has_state (get_row (self, 3), ATSPI_STATE_FOCUSED));
}

/* It is there for some seconds only: all of the window takes too long to go through. */
static gboolean
is_order_paused (Fixture *self)
{
  return program_is_shown (self->footer, ATSPI_ROLE_PUSH_BUTTON, "Order Paused");
}

static void
resume (Fixture *self)
{
  ui_click (ui_wait_for (self->footer, ATSPI_ROLE_PUSH_BUTTON, "Order Paused"));
  ui_await (!is_order_paused (self));
}

/* To come into a row is not enough, as rows come under a pointer that rests: a motion has to follow. */
static void
read_row (Fixture *self,
          guint n)
{
  UiBox box = ui_get_box (get_row (self, n));

  for (int i = 0; i < 3; i++)
    ui_move_to (box.x + 100 + i * 20, box.y + box.height / 2);
}

/* GTK makes one motion of those that come within a frame, and a busy machine’s frames are long. */
static gboolean
is_paused_by_reading (Fixture *self,
                      guint n)
{
  read_row (self, n);
  return is_order_paused (self);
}

/* A range goes from the process where it began, also when that stands elsewhere by now. */
static void
test_anchor (Fixture *self,
             gconstpointer data)
{
  static const char *const ways[] = { "click", "keys" };

  for (guint way = 0; way < G_N_ELEMENTS (ways); way++)
    {
      g_test_message ("with %s", ways[way]);
      ui_click (get_row (self, 2));
      await_selection (self, "..x...");
      read_row (self, 3);
      child_stop (self->children[0]);
      for (guint i = 1; i < self->n; i++)
        self->children[i - 1] = self->children[i];
      self->children[self->n - 1] = child_start (NULL);
      resume (self);
      ui_await (count_rows (self) == self->n);
      await_selection (self, ".x....");
      if (way == 0)
        ui_click_with (get_row (self, 4), 1, "shift");
      else
        for (guint i = 0; i < 3; i++)
          ui_key ("shift+Down");
      await_selection (self, ".xxxx.");
    }
}

/* Reading goes on, so that the pause does. */
static gboolean
go_to_new (Fixture *self)
{
  UiNode *button;

  read_row (self, 1);
  button = program_find_shown (self->footer, ATSPI_ROLE_PUSH_BUTTON, "1 new");
  if (!button)
    return FALSE;
  ui_act (button);
  return TRUE;
}

/* While somebody is in the list new ones go to the end, which is counted and leads there, and the chip takes it back. */
static void
test_order_paused (Fixture *self,
                   gconstpointer data)
{
  ui_click (ui_table_title (program_get_table (&self->ui), "PID"));
  ui_await (atoi (program_get_cell (&self->ui, 0, "PID")) == self->children[self->n - 1]);
  ui_point_at (ui_find (self->ui.window, ATSPI_ROLE_LABEL, "Memory: *"));
  ui_await (!is_order_paused (self));

  ui_await (is_paused_by_reading (self, 1));
  child_stop (self->children[0]);
  self->children[0] = child_start (NULL);
  if (self->children[0] < self->children[self->n - 1])
    {
      restart_children (self);
      sort_children (self);
      test_order_paused (self, data);
      return;
    }
  for (guint i = 0; i < 8; i++)
    {
      read_row (self, 1 + i % 2);
      ui_pause (200);
    }
  g_assert_cmpint (atoi (program_get_cell (&self->ui, 0, "PID")), ==, self->children[self->n - 1]);
  ui_await (go_to_new (self));
  ui_await (ui_has_state (find_child (self, 0), ATSPI_STATE_SELECTED));
  program_save_picture (&self->ui, "order-paused.png");
  read_row (self, 1);
  resume (self);
  ui_await (atoi (program_get_cell (&self->ui, 0, "PID")) == self->children[0]);
  ui_await (!program_is_shown (self->footer, ATSPI_ROLE_PUSH_BUTTON, "* new"));

  /* A key does the same, and goes out of mind. */
  ui_click (get_row (self, 1));
  read_row (self, 2);
  resume (self);
  ui_key ("Down");
  ui_await (is_order_paused (self));
  ui_pause (3000);
  g_assert_true (is_order_paused (self));
  ui_pause (3000);
  g_assert_false (is_order_paused (self));
}

static void
test_order_paused_scrolled (void)
{
  Fixture self = { .n = N_TALL_LIST };

  for (guint i = 0; i < self.n; i++)
    self.children[i] = child_start (NULL);
  start (&self, program_get_search ());
  ui_resize (&self.ui, 1000, 500);
  ui_await (program_has_text (&self.ui, "40 processes · *"));
  ui_scroll (get_row (&self, 1), 3);
  ui_await (is_order_paused (&self));
  ui_point_at (ui_find (self.ui.window, ATSPI_ROLE_LABEL, "Memory: *"));
  ui_pause (7000);
  g_assert_true (is_order_paused (&self));
  /* The reader has gone elsewhere. */
  ui_await (!is_order_paused (&self));
  ui_scroll (get_row (&self, 1), 3);
  ui_await (is_order_paused (&self));
  resume (&self);
  /* At the top again, it sorts by itself. */
  ui_pause (1000);
  g_assert_false (is_order_paused (&self));
  tear_down (&self, NULL);
}

/* The way back to the whole machine is seen beside what is selected, and Escape goes it, too. */
static void
test_back (Fixture *self,
           gconstpointer data)
{
  UiNode *back;

  ui_await (program_shows_all (&self->ui));
  g_assert_null (ui_find (self->ui.window, ATSPI_ROLE_PUSH_BUTTON, "Back to All"));
  ui_click (get_row (self, 0));
  await_selection (self, "x.");
  back = ui_wait_for (self->ui.window, ATSPI_ROLE_PUSH_BUTTON, "Back to All");
  ui_await (ui_get_box (back).width > 0);
  program_save_picture (&self->ui, "pane-back.png");
  g_assert_true (ui_has_state (back, ATSPI_STATE_SENSITIVE));
  ui_act (back);
  ui_await (program_shows_all (&self->ui));
  await_selection (self, "..");
  ui_click (get_row (self, 1));
  await_selection (self, ".x");
  ui_key ("Escape");
  await_selection (self, "..");
  ui_await (program_shows_all (&self->ui));
}

/* A group that a search has opened stays open while its members come and go; a closed one stays closed after another grouping. */
static void
test_expanded (Fixture *self,
               gconstpointer data)
{
  ui_click (find_child (self, 0));
  ui_key ("ctrl+3");
  ui_await (count_rows (self) == 1 + self->n);
  for (guint i = 0; i < 8; i++)
    {
      child_stop (self->children[i % self->n]);
      self->children[i % self->n] = child_start (NULL);
      ui_pause (400);
    }
  read_row (self, 0);
  resume (self);
  ui_await (count_rows (self) == 1 + self->n);
  ui_click (get_row (self, 0));
  ui_key ("Left");
  ui_await (count_rows (self) == 1);
  ui_key ("ctrl+6");
  ui_await (count_rows (self) == 1 + self->n);
  ui_key ("ctrl+3");
  ui_await (count_rows (self) == 1);
  ui_key ("ctrl+1");
  ui_await (count_rows (self) == self->n);
}

int
main (int argc,
      char *argv[])
{
  static const struct
  {
    const char *path;
    guint n_children;
    void (*func) (Fixture *self, gconstpointer data);
  } tests[] = {
    { "/actions/end", 2, test_end },
    { "/actions/kill", 2, test_kill },
    { "/actions/gone", 2, test_gone },
    { "/actions/gone-of-many", N_MANY_CHILDREN, test_gone_of_many },
    { "/actions/pause", 2, test_pause },
    { "/actions/keys", 2, test_keys },
    { "/actions/back", 2, test_back },
    { "/actions/select", N_CHILDREN, test_select },
    { "/actions/copy", 3, test_copy },
    { "/actions/anchor", N_CHILDREN, test_anchor },
    { "/actions/order-paused", N_CHILDREN, test_order_paused },
    { "/actions/expanded", 3, test_expanded },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, GUINT_TO_POINTER (tests[i].n_children), set_up, tests[i].func, tear_down);
  g_test_add_func ("/actions/order-paused-scrolled", test_order_paused_scrolled);
  return g_test_run ();
}
