// SPDX-License-Identifier: GPL-3.0-or-later
/* The window of somebody who has never seen it before. */
#include "ui-program.h"

#define SENTENCES "The bar shows where the memory of this machine is, *add up.*made of."

/* The settings are those of an installed program, and last from one start to the next. */
static void
start (Ui *ui,
       const char *variable)
{
  g_autofree char *schemas = g_strconcat ("GSETTINGS_SCHEMA_DIR=", g_getenv ("UI_FIRST_SCHEMAS"), NULL);

  ui_start (ui, (const char *const[]){ g_getenv ("FOOTPRINT"), "--view", "processes", NULL },
            (const char *const[]){ "GSETTINGS_BACKEND=keyfile", schemas, variable, NULL });
  ui_await (ui_table_n_rows (program_get_table (ui)) > 0);
}

static gboolean
is_welcomed (Ui *ui)
{
  return program_is_shown (ui->window, ATSPI_ROLE_LABEL, SENTENCES);
}

static void
take_picture (const char *variable,
              int width,
              int height,
              const char *name)
{
  g_auto (Ui) ui = { 0 };

  start (&ui, variable);
  /* Columns give way first, and only then it can become narrower still. */
  if (width < 600)
    ui_resize (&ui, 580, height);
  ui_resize (&ui, width, height);
  ui_await (is_welcomed (&ui));
  program_save_picture (&ui, name);
  ui_stop (&ui);
}

/* The sentences stay until they are dismissed, and then for good. */
static void
test_welcome (void)
{
  g_auto (Ui) ui = { 0 }, again = { 0 };

  take_picture (NULL, 1280, 780, "welcome.png");
  take_picture ("ADW_DEBUG_COLOR_SCHEME=prefer-dark", 1280, 780, "welcome-dark.png");
  take_picture ("ADW_DEBUG_HIGH_CONTRAST=1", 1280, 780, "welcome-contrast.png");
  take_picture (NULL, 360, 720, "welcome-narrow.png");
  start (&ui, NULL);
  ui_await (is_welcomed (&ui));
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Got It"));
  ui_await (!is_welcomed (&ui));
  ui_stop (&ui);
  start (&again, NULL);
  g_assert_false (is_welcomed (&again));
  ui_stop (&again);
}

static UiNode *
open_about (Ui *ui)
{
  UiNode *about;

  ui_key ("F10");
  ui_click (ui_wait_for (ui->window, ATSPI_ROLE_MENU_ITEM, "About Footprint"));
  ui_await ((about = program_find_other_window (ui, "About*")));
  return about;
}

/* The window says what is new, and what a report needs. */
static void
test_about (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *about;

  program_start (&ui, (const char *const[]){ "--view", "processes", NULL });
  ui_await (ui_table_n_rows (program_get_table (&ui)) > 0);
  about = open_about (&ui);
  ui_wait_for (about, ATSPI_ROLE_LABEL, "*What’s New*");
  ui_wait_for (about, ATSPI_ROLE_LABEL, "*Troubleshooting*");
  program_save_picture (&(Ui){ .window = about }, "about.png");
  ui_stop (&ui);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/first-minute/welcome", test_welcome);
  g_test_add_func ("/first-minute/about", test_about);
  return g_test_run ();
}
