// SPDX-License-Identifier: GPL-3.0-or-later
/* A person at the machine of with-machine unlocks the window with an administrator's password, in a dialog of their desktop's. */
#include <string.h>

#include "ui-program.h"

#define AGENT  "/usr/libexec/polkit-mate-authentication-agent-1"
#define UNLOCK "*Unlock…"

static GPid agent;

static UiNode *
get_desktop (void)
{
  static UiNode *desktop;

  return desktop ? desktop : (desktop = atspi_get_desktop (0));
}

static void
save_picture (UiNode *node,
              const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("FOOTPRINT_PICTURES"), name, NULL);

  ui_screenshot (node, path);
}

static void
start (Ui *ui)
{
  program_start_at_once_a_second (ui, (const char *const[]){ "--view", "processes", NULL });
  ui_await (program_find_pid (ui, 1));
  ui_wait_for (get_desktop (), ATSPI_ROLE_APPLICATION, "polkit-mate-authentication-agent-1");
}

static UiNode *
await_dialog (void)
{
  return ui_wait_for (get_desktop (), ATSPI_ROLE_DIALOG, "Authenticate");
}

static void
await_no_dialog (void)
{
  ui_wait_until_gone (get_desktop (), ATSPI_ROLE_DIALOG, "Authenticate");
}

static void
ask (Ui *ui)
{
  ui_click (ui_wait_for (ui->window, ATSPI_ROLE_PUSH_BUTTON, UNLOCK));
}

/* The window is of GTK 3, which knows its place on the screen; keys go to the window under the pointer. */
static void
point_at (UiNode *node)
{
  g_autoptr (GObject) component = (GObject *)atspi_accessible_get_component_iface (node);
  g_autofree AtspiRect *box = atspi_component_get_extents (ATSPI_COMPONENT (component), ATSPI_COORD_TYPE_SCREEN, NULL);

  ui_move_to (box->x + box->width / 2, box->y + box->height / 2);
}

/* Keys that come before the dialog has the focus are lost. */
static void
point_at_entry (void)
{
  UiNode *entry = ui_wait_for (await_dialog (), ATSPI_ROLE_PASSWORD_TEXT, NULL);

  ui_await (ui_has_state (entry, ATSPI_STATE_FOCUSED));
  point_at (entry);
}

static void
give_password (const char *password)
{
  point_at_entry ();
  ui_type (password);
  ui_key ("Return");
}

static void
choose (Ui *ui,
        const char *item)
{
  UiNode *menu_button = ui_wait_for (ui->window, ATSPI_ROLE_PUSH_BUTTON, "Main Menu");

  ui_act (ui_find_nth (menu_button, ATSPI_ROLE_PUSH_BUTTON, NULL, 1));
  ui_click (ui_wait_for (menu_button, ATSPI_ROLE_MENU_ITEM, item));
}

/* Processes of others have “≤” and a bound. */
static gboolean
is_measured (const char *memory)
{
  return g_ascii_isdigit (*memory);
}

static guint
find_column (UiNode *table,
             const char *title)
{
  g_auto (GStrv) titles = ui_table_titles (table);
  guint column = 0;

  while (titles[column] && !g_str_equal (titles[column], title))
    column++;
  g_assert_nonnull (titles[column]);
  return column;
}

/* Those that stand on the screen */
static guint
count_of_root (Ui *ui,
               gboolean measured)
{
  UiNode *table = program_get_table (ui);
  guint user = find_column (table, "User"), memory = find_column (table, "Memory");
  g_autoptr (GPtrArray) rows = ui_table_rows (table);
  guint n = 0;

  for (guint i = 0; i < rows->len; i++)
    {
      char **cells = rows->pdata[i];

      if (g_str_equal (cells[user], "root") && is_measured (cells[memory]) == measured)
        n++;
    }
  return n;
}

static void
await_unlocked (Ui *ui)
{
  ui_await (count_of_root (ui, FALSE) == 0 && count_of_root (ui, TRUE) > 2);
  ui_await (!program_is_shown (ui->window, ATSPI_ROLE_PUSH_BUTTON, UNLOCK));
}

static void
await_locked (Ui *ui)
{
  ui_await (count_of_root (ui, TRUE) == 0 && count_of_root (ui, FALSE) > 2);
  ui_await (program_is_shown (ui->window, ATSPI_ROLE_PUSH_BUTTON, UNLOCK));
}

/* An authorization that polkit keeps for some minutes would answer for the person. */
static void
revoke_permission (void)
{
  int status;

  g_assert_true (g_spawn_command_line_sync ("pkcheck --revoke-temp", NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
}

static void
test_password (void)
{
  g_auto (Ui) ui = { 0 };

  start (&ui);
  await_locked (&ui);
  ask (&ui);
  await_dialog ();
  save_picture (NULL, "dialog.png");
  give_password ("secret");
  await_no_dialog ();
  await_unlocked (&ui);
  save_picture (ui.window, "unlocked.png");
  choose (&ui, "Lock Again");
  await_locked (&ui);
  ui_stop (&ui);
  revoke_permission ();
}

/* A password's yes stands for its connection: what polkit forgets by itself after minutes takes nothing back. */
static void
test_kept (void)
{
  g_auto (Ui) ui = { 0 };

  start (&ui);
  ask (&ui);
  give_password ("secret");
  await_unlocked (&ui);
  revoke_permission ();
  ui_pause (2500);
  g_assert_cmpuint (count_of_root (&ui, FALSE), ==, 0);
  choose (&ui, "Lock Again");
  await_locked (&ui);
  /* GTK 4.8 loses about one click in ten behind a menu that has closed: its window gets no event at all. */
  ui_act (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, UNLOCK));
  give_password ("secret");
  await_unlocked (&ui);
  ui_stop (&ui);
  revoke_permission ();
}

static void
test_cancelled (void)
{
  g_auto (Ui) ui = { 0 };

  start (&ui);
  ask (&ui);
  point_at_entry ();
  ui_key ("Escape");
  await_no_dialog ();
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "No password was given");
  await_locked (&ui);
  save_picture (ui.window, "cancelled.png");
  ui_stop (&ui);
}

int
main (int argc,
      char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/unlock/password", test_password);
  g_test_add_func ("/unlock/kept", test_kept);
  g_test_add_func ("/unlock/cancelled", test_cancelled);
  /* It is not ours: what it warns of does not end it. */
  agent = child_start_argv ((const char *const[]){ "env", "--unset=G_DEBUG", AGENT, NULL });
  status = g_test_run ();
  child_stop (agent);
  return status;
}
