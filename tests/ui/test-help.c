// SPDX-License-Identifier: GPL-3.0-or-later
/* The help, from outside: opened by key and by “Learn More”, read by keyboard, searched, and as narrow as can be. */
#include "ui-program.h"

#define EDGE 1 /* GTK 4.18 draws a header bar so much wider on each side where there is no compositor. */

static UiNode *
await_help (Ui *ui)
{
  UiNode *help;

  ui_await ((help = program_find_other_window (ui, "Help")));
  return help;
}

static gboolean
has_focus (UiNode *window,
           AtspiRole role,
           const char *name)
{
  UiNode *focus = ui_find_focus (window);

  return focus && ui_role (focus) == role && g_pattern_match_simple (name, ui_name (focus));
}

static void
save_picture (UiNode *window,
              const char *name)
{
  Ui ui = { .window = window };

  program_save_picture (&ui, name);
}

/* Tab, until the focus has come to something that is called otherwise. */
static void
go_on (UiNode *help)
{
  UiNode *focus = ui_find_focus (help);
  g_autofree char *before = g_strdup (focus ? ui_name (focus) : "");

  ui_key ("Tab");
  ui_await ((focus = ui_find_focus (help)) && !g_str_equal (ui_name (focus), before));
}

/* The topic that has the focus is shown; Tab goes from it into the page, and Return follows a link. */
static void
test_keys (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *help;

  program_start (&ui, (const char *const[]){ "--view", "processes", NULL });
  ui_await (ui_table_n_rows (program_get_table (&ui)) > 0);
  ui_key ("F1");
  help = await_help (&ui);
  ui_await (has_focus (help, ATSPI_ROLE_LIST_ITEM, "Understanding Memory"));
  ui_await (program_is_shown (help, ATSPI_ROLE_LABEL, "Footprint shows where the memory of this machine is*"));
  save_picture (help, "help.png");
  ui_key ("Down");
  ui_await (program_is_shown (help, ATSPI_ROLE_LABEL, "Memory is a process’s part of the RAM*"));
  save_picture (help, "help-memory.png");
  ui_key ("Tab");
  ui_await (has_focus (help, ATSPI_ROLE_LABEL, "Memory is a process’s part of the RAM*"));
  ui_key ("Tab");
  ui_await (has_focus (help, ATSPI_ROLE_LABEL, "It is what the process has for itself*"));
  for (guint i = 0; i < 20 && !has_focus (help, ATSPI_ROLE_LIST_ITEM, "Private (USS)"); i++)
    go_on (help);
  g_assert_true (has_focus (help, ATSPI_ROLE_LIST_ITEM, "Private (USS)"));
  ui_key ("Return");
  ui_await (program_is_shown (help, ATSPI_ROLE_LABEL, "Private is what a process has in RAM*"));
  ui_key ("Escape");
  ui_await (!program_find_other_window (&ui, "Help"));
  ui_stop (&ui);
}

/* The first match is shown at once. */
static void
test_search (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *help;

  program_start (&ui, (const char *const[]){ "--view", "processes", NULL });
  ui_await (ui_table_n_rows (program_get_table (&ui)) > 0);
  ui_key ("F1");
  help = await_help (&ui);
  ui_await (has_focus (help, ATSPI_ROLE_LIST_ITEM, "Understanding Memory"));
  ui_key ("ctrl+f");
  ui_await (has_focus (help, ATSPI_ROLE_ENTRY, "*") || has_focus (help, ATSPI_ROLE_TEXT, "*"));
  ui_type ("administrator password");
  ui_await (!program_is_shown (help, ATSPI_ROLE_LIST_ITEM, "Memory (PSS)"));
  ui_await (program_is_shown (help, ATSPI_ROLE_LABEL, "Unlock asks for an administrator’s password*"));
  save_picture (help, "help-search.png");
  ui_type (" zebra");
  ui_await (program_is_shown (help, ATSPI_ROLE_LABEL, "No topic has these words"));
  save_picture (help, "help-nothing.png");
  ui_key ("Escape");
  ui_await (program_is_shown (help, ATSPI_ROLE_LIST_ITEM, "Memory (PSS)"));
  ui_stop (&ui);
}

/* The view of the machine leads to its own page. */
static void
test_learn_more (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *help, *button;

  program_start (&ui, (const char *const[]){ "--view", "system", NULL });
  ui_await ((button = program_find_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Learn More")));
  program_save_picture (&ui, "help-learn-more.png");
  ui_click (button);
  help = await_help (&ui);
  ui_await (has_focus (help, ATSPI_ROLE_LIST_ITEM, "The Machine’s Memory"));
  ui_await (program_is_shown (help, ATSPI_ROLE_LIST_ITEM, "Files kept in memory"));
  save_picture (help, "help-machine.png");
  ui_stop (&ui);
}

static void
check_inside (Ui *help,
              const char *picture)
{
  static const AtspiRole roles[] = { ATSPI_ROLE_LABEL, ATSPI_ROLE_LIST_ITEM, ATSPI_ROLE_PUSH_BUTTON };
  UiBox whole = ui_get_box (help->window);

  g_assert_cmpint (ui_get_content (help).width, ==, 360);
  save_picture (help->window, picture);
  for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
    {
      g_autoptr (GPtrArray) found = ui_find_all (help->window, roles[i], NULL);

      for (guint k = 0; k < found->len; k++)
        {
          UiBox box;

          if (!ui_is_on_screen (found->pdata[k]))
            continue;
          box = ui_get_box (found->pdata[k]);
          if (box.x < whole.x - EDGE || box.x + box.width > whole.x + whole.width + EDGE)
            ui_fail ("“%s” is from %d to %d, and the window from %d to %d", ui_name (found->pdata[k]), box.x, box.x + box.width,
                     whole.x, whole.x + whole.width);
        }
    }
}

/* There is room for the topics or for a page. */
static void
test_narrow (void)
{
  g_auto (Ui) ui = { 0 };
  Ui help;
  UiNode *found;

  ui_start (&ui, (const char *const[]){ g_getenv ("FOOTPRINT"), "--view", "processes", NULL },
            (const char *const[]){ "ADW_DEBUG_COLOR_SCHEME=prefer-dark", NULL });
  ui_await (ui_table_n_rows (program_get_table (&ui)) > 0);
  ui_key ("F1");
  help = ui;
  help.window = await_help (&ui);
  ui_resize (&help, 360, 640);
  ui_await (program_is_shown (help.window, ATSPI_ROLE_LABEL, "Footprint shows where the memory of this machine is*"));
  ui_await (!program_is_shown (help.window, ATSPI_ROLE_LIST_ITEM, "The Machine’s Memory"));
  check_inside (&help, "help-narrow.png");
  ui_key ("alt+Left");
  ui_await ((found = program_find_shown (help.window, ATSPI_ROLE_LIST_ITEM, "Memory (PSS)")));
  check_inside (&help, "help-narrow-topics.png");
  ui_click (found);
  ui_await (program_is_shown (help.window, ATSPI_ROLE_LABEL, "Memory is a process’s part of the RAM*"));
  check_inside (&help, "help-narrow-memory.png");
  ui_stop (&ui);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/help/keys", test_keys);
  g_test_add_func ("/help/search", test_search);
  g_test_add_func ("/help/learn-more", test_learn_more);
  g_test_add_func ("/help/narrow", test_narrow);
  return g_test_run ();
}
