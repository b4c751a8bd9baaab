// SPDX-License-Identifier: GPL-3.0-or-later
/* The words of the window where not all can be seen; tests/ui/elsewhere brings it there. */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "ui-program.h"

static gboolean
is_place (const char *place)
{
  if (g_strcmp0 (g_getenv ("UI_PLACE"), place) == 0)
    return TRUE;
  g_test_skip ("Nobody may go there from here");
  return FALSE;
}

static gboolean
has_owner (Ui *ui,
           guint row,
           const char *owner)
{
  return g_str_equal (program_get_cell (ui, row, "User"), owner);
}

/* Processes of others have only a bound, and nothing can be done to them. */
static void
test_user (void)
{
  g_auto (Ui) ui = { 0 };

  if (!is_place ("user"))
    return;
  program_start (&ui, (const char *const[]){ "--filter", "user:root pid=1", NULL });
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 1 && has_owner (&ui, 0, "root"));
  ui_await (program_find_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "* of * processes are measured"));
  ui_await (g_str_has_prefix (program_get_cell (&ui, 0, "Memory"), "≤ "));
  ui_click (ui_table_row (program_get_table (&ui), 0));
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PAGE_TAB, "Mappings"));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Not Permitted");
  ui_click_with (ui_table_row (program_get_table (&ui), 0), 3, NULL);
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "Pause"));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "* (1) of root: Only its user and root are allowed to do that");
  ui_stop (&ui);
}

/* There are kernel threads, but none to be seen. */
static void
check_nothing (Ui *ui,
               const char *glob)
{
  ui_click (ui_wait_for (ui->window, ATSPI_ROLE_PUSH_BUTTON, "Kernel*"));
  ui_await (program_is_shown (ui->window, ATSPI_ROLE_LABEL, "No Processes to See"));
  g_assert_nonnull (ui_find (ui_wait_for (ui->window, ATSPI_ROLE_PANEL, "No Processes to See"), ATSPI_ROLE_LABEL, glob));
}

/* A file manager there could not be used, so that none is offered. */
static void
check_saved (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = g_build_filename (g_get_user_runtime_dir (), "hidden.snapshot", NULL);
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (NULL, (char *[]){ (char *)g_getenv ("FOOTPRINT_CLI"), (char *)"--save", file, NULL }, NULL,
                G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  program_start (&ui, (const char *const[]){ "--open", file, NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Saved snapshot: *");
  check_nothing (&ui, "There are no such processes.*");
  ui_stop (&ui);
  g_remove (file);
}

static void
check_hidden (const char *words)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *glob = g_strdup_printf ("*%s*", words);
  GPid child = child_start (NULL);

  program_start (&ui, NULL);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, glob);
  ui_await (program_find_pid (&ui, child));
  check_nothing (&ui, glob);
  ui_stop (&ui);
  child_stop (child);
}

static void
test_hidepid (void)
{
  if (is_place ("hidepid"))
    check_hidden ("hidepid");
}

static void
test_container (void)
{
  if (!is_place ("container"))
    return;
  check_hidden ("inside a container");
  check_saved ();
}

static void
click_shown (Ui *ui,
             const char *button)
{
  ui_await (program_is_shown (ui->window, ATSPI_ROLE_PUSH_BUTTON, button));
  ui_click (program_find_shown (ui->window, ATSPI_ROLE_PUSH_BUTTON, button));
}

/* Why neither way leads out of the sandbox; what is in it only on demand, and with a line that says so. */
static void
test_flatpak (void)
{
  g_auto (Ui) ui = { 0 };
  GPid child;

  if (!is_place ("flatpak"))
    return;
  child = child_start (NULL);
  /* A machine may have a system bus or none; here there is none. */
  g_setenv ("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent", TRUE);
  program_start (&ui, NULL);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "The Host Can’t Be Read");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "The system bus is not running, *");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Flatpak does not say where *");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Memory: * available");
  click_shown (&ui, "*Try Again");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "The host still can’t be read");

  click_shown (&ui, "*Show the Sandbox");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Only the processes of this Flatpak’s own sandbox are seen here.");
  ui_await (program_find_pid (&ui, child));
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Unlock…"));
  check_nothing (&ui, "Only the processes of this Flatpak’s own sandbox are seen here.");
  click_shown (&ui, "*Why?");
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_LABEL, "The Host Can’t Be Read"));
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Why?"));
  ui_stop (&ui);
  child_stop (child);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/places/user", test_user);
  g_test_add_func ("/places/hidepid", test_hidepid);
  g_test_add_func ("/places/container", test_container);
  g_test_add_func ("/places/flatpak", test_flatpak);
  return g_test_run ();
}
