// SPDX-License-Identifier: GPL-3.0-or-later
/* Unlock and Lock with the real helper, bus and polkitd; tests/ui/permitted brings it there. */
#include <glib/gstdio.h>
#include <string.h>

#include "ui-keys.h"
#include "ui-program.h"

#define SOME    "* of * processes are measured"
#define ALL     "All * processes are measured"
#define OF_ROOT "--filter", "user:root pid=1"

static void
permit (gboolean may_read)
{
  const char *path = g_getenv ("UI_PERMIT");

  if (may_read)
    g_assert_true (g_file_set_contents (path, "", 0, NULL));
  else
    g_unlink (path);
}

static gboolean
is_measured (Ui *ui)
{
  const char *text = program_get_cell (ui, 0, "Memory");

  return strstr (text, "iB") && !g_str_has_prefix (text, "≤");
}

/* In the banner or by the chip */
static gboolean
has_button (Ui *ui,
            const char *name)
{
  g_autoptr (GPtrArray) buttons = ui_find_all (ui->window, ATSPI_ROLE_PUSH_BUTTON, name);

  for (guint i = 0; i < buttons->len; i++)
    if (ui_get_box (buttons->pdata[i]).width > 0)
      return TRUE;
  return FALSE;
}

static UiNode *
wait_for_chip (Ui *ui,
               const char *name)
{
  return ui_wait_for (ui->window, ATSPI_ROLE_PUSH_BUTTON, name);
}

static void
start (Ui *ui,
       const char *option,
       const char *value)
{
  program_start (ui, (const char *const[]){ OF_ROOT, option, value, NULL });
  wait_for_chip (ui, SOME);
  ui_await (ui_table_n_rows (program_get_table (ui)) == 1 && !is_measured (ui));
}

/* With the keyboard alone: to the chip, into what it shows, and on the one button there. */
static void
use_chip (Ui *ui,
          const char *name,
          const char *button)
{
  for (gint64 end = ui_patience ();; ui_breathe (end, G_STRLOC, name))
    {
      UiNode *focus = ui_find_focus (ui->window);

      if (focus && g_pattern_match_simple (name, ui_name (focus)))
        break;
      ui_key ("shift+Tab");
      ui_pause (50);
    }
  ui_key ("space");
  ui_await (program_is_shown (ui->window, ATSPI_ROLE_LABEL, name));
  for (guint i = 0; i < 4; i++)
    {
      UiNode *focus = ui_find_focus (ui->window);

      if (focus && g_pattern_match_simple (button, ui_name (focus)))
        break;
      ui_key ("Tab");
      ui_pause (50);
    }
  ui_key ("Return");
}

static void
test_unlock (void)
{
  g_auto (Ui) ui = { 0 };

  permit (TRUE);
  start (&ui, NULL, NULL);
  use_chip (&ui, SOME, "*Unlock…");
  wait_for_chip (&ui, ALL);
  ui_await (is_measured (&ui));
  ui_await (!has_button (&ui, "*Unlock…"));
  ui_key ("alt+1");
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_LIST_ITEM, "Programs, *"));
  g_assert_false (program_has_text (&ui, "*not measured*"));
  ui_key ("alt+2");
  use_chip (&ui, ALL, "*_Lock*");
  wait_for_chip (&ui, SOME);
  ui_await (!is_measured (&ui));
  ui_await (has_button (&ui, "*Unlock…"));
  ui_stop (&ui);
}

/* It says why, and what to do; trying again is one of that. With the keyboard alone, from the banner on. */
static void
test_refused (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *dialog;

  permit (FALSE);
  start (&ui, NULL, NULL);
  keys_walk_to (ui.window, "Tab", "*Unlock…");
  ui_key ("space");
  dialog = ui_wait_for (ui.application, ATSPI_ROLE_DIALOG, "Not All Processes Are Measured");
  ui_wait_for (dialog, ATSPI_ROLE_LABEL, "A password is needed, and there is no program here *Desktops bring such a program *");
  permit (TRUE);
  keys_walk_to (dialog, "Tab", "*Try Again");
  ui_key ("space");
  wait_for_chip (&ui, ALL);
  ui_await (is_measured (&ui));
  ui_stop (&ui);
}

/* Another folder than this machine's has nobody who could be asked. */
static void
test_elsewhere (void)
{
  g_auto (Ui) ui = { 0 };

  permit (TRUE);
  start (&ui, "--proc", "/proc");
  ui_click (wait_for_chip (&ui, SOME));
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_LABEL, SOME));
  g_assert_false (has_button (&ui, "*Unlock…"));
  g_assert_false (has_button (&ui, "*_Lock*"));
  ui_stop (&ui);
}

/* Those of another user's process: in the list, and behind the machine's line. */
static void
test_graphics (void)
{
  g_autofree char *filter = g_strdup_printf ("pid=%s graphics>30M", g_getenv ("UI_GRAPHICS"));
  g_auto (Ui) ui = { 0 };

  permit (TRUE);
  program_start (&ui, (const char *const[]){ "--filter", filter, NULL });
  wait_for_chip (&ui, SOME);
  ui_await (program_has_text (&ui, "No Process Matches"));
  use_chip (&ui, SOME, "*Unlock…");
  wait_for_chip (&ui, ALL);
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 1);
  g_assert_cmpstr (program_get_cell (&ui, 0, "Name"), ==, "sleep");
  ui_key ("alt+1");
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "Graphics, *34.1*MiB*"));
  ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "sleep, 34.1*MiB*");
  ui_key ("alt+2");
  use_chip (&ui, ALL, "*_Lock*");
  wait_for_chip (&ui, SOME);
  ui_await (program_has_text (&ui, "No Process Matches"));
  ui_stop (&ui);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/unlock/unlock", test_unlock);
  g_test_add_func ("/unlock/refused", test_refused);
  g_test_add_func ("/unlock/graphics", test_graphics);
  g_test_add_func ("/unlock/elsewhere", test_elsewhere);
  return g_test_run ();
}
