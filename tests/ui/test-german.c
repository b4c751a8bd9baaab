// SPDX-License-Identifier: GPL-3.0-or-later
/* The window in a language that people speak: with the translations as they are installed, and figures as that language writes
 * them. Whether each text is translated and has room is looked at by test-languages. */
#include <locale.h>

#include "ui-program.h"

#define LOCALE  "de_DE.UTF-8"
#define BROWSER "1200" /* of tests/fixtures/desktop */

static void
start (Ui *ui,
       const char *view,
       const char *locale)
{
  g_autofree char *proc = g_build_filename (g_getenv ("UI_FIXTURES"), "desktop", "proc", NULL);
  g_autofree char *variable = g_strconcat ("LC_ALL=", locale, NULL);

  ui_start (ui, (const char *const[]){ g_getenv ("FOOTPRINT"), "--proc", proc, "--view", view, NULL },
            (const char *const[]){ "GSETTINGS_BACKEND=memory", variable, NULL });
}

static void
test_list (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *table, *row;

  start (&ui, "processes", LOCALE);
  ui_resize (&ui, 1280, 780);
  table = ui_table_wait_for (ui.window, "Prozesse");
  ui_await ((row = ui_table_find_row (table, "PID", BROWSER)));
  g_assert_cmpstr (ui_table_text (table, row, "Speicher"), ==, "299 MiB");
  ui_await ((row = ui_table_find_row (table, "PID", "312")));
  g_assert_cmpstr (ui_table_text (table, row, "Speicher"), ==, "9,1 MiB");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "24 Prozesse · Speicher 1,3*GiB*");
  ui_click (row);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "1 Prozess ausgewählt · *");
  program_save_picture (&ui, "german-list.png");
  ui_stop (&ui);
}

static void
test_system (void)
{
  g_auto (Ui) ui = { 0 };

  start (&ui, "system", LOCALE);
  ui_resize (&ui, 1280, 780);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "3,8*GiB sind sofort verfügbar: *");
  program_save_picture (&ui, "german-system.png");
  ui_stop (&ui);
}

/* The translations are there all the same. */
static void
test_english (void)
{
  g_auto (Ui) ui = { 0 };

  start (&ui, "system", "C.UTF-8");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "3.8*GiB is available at once: *");
  ui_stop (&ui);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  if (!setlocale (LC_ALL, LOCALE))
    {
      g_print ("1..0 # SKIP the sources of the locale de_DE are missing here (Debian package locales)\n");
      return 0;
    }
  setlocale (LC_ALL, "C");
  g_test_add_func ("/german/list", test_list);
  g_test_add_func ("/german/system", test_system);
  g_test_add_func ("/german/english", test_english);
  return g_test_run ();
}
