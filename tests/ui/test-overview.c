// SPDX-License-Identifier: GPL-3.0-or-later
/* The details of a process or a group at first sight, driven from outside. */
#include "ui-program.h"

/* The details of a group show its sum and its members. */
static void
test_group (void)
{
  g_auto (Ui) ui = { 0 };
  GPid one = child_start (NULL), two = child_start (NULL);
  g_autofree char *first = g_strdup_printf ("*KiB*sleep (%d)*", one);
  g_autofree char *second = g_strdup_printf ("*KiB*sleep (%d)*", two);

  program_start (&ui, (const char *const[]){ "--filter", program_get_search (), NULL });
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 2);
  ui_click (ui_table_row (program_get_table (&ui), 0));
  ui_key ("ctrl+3");
  /* With its members, as it is searched for. */
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 3);
  ui_click (ui_table_row (program_get_table (&ui), 0));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "2 processes");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, first);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, second);
  ui_stop (&ui);
  child_stop (one);
  child_stop (two);
}

/* Broken into lines at blanks */
static gboolean
is_text (UiNode *node,
         const char *expected)
{
  g_autofree char *text = g_strdelimit (g_strdup (ui_text (node)), "\n", ' ');

  return g_str_equal (text, expected);
}

/* 20 KiB of it, with characters that are not to be seen; nothing else is pushed away by it. */
static void
test_command (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *argument = g_strnfill (1023, 'a');
  const char *argv[] = { "sh", "-c", "sleep 1000; :", "\x01\n", [4 ... 23] = argument, "the end", NULL };
  g_autofree char *joined = g_strjoinv (" ", (char **)argv + 4), *whole = NULL;
  g_autofree char *short_command = g_strdup_printf ("sleep %s", program_get_sign ());
  GPid child = child_start_argv (argv), other = child_start (NULL);
  g_autofree char *filter = g_strdup_printf ("pid=%d", child);
  UiNode *beginning, *text;

  whole = g_strconcat ("sh -c sleep 1000; : \\x01\\n ", joined, NULL);
  program_start (&ui, (const char *const[]){ "--filter", filter, NULL });
  ui_await (program_find_pid (&ui, child));
  ui_click (program_find_pid (&ui, child));
  beginning = ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "sh -c sleep 1000; : \\x01\\n aaa*…");
  g_assert_cmpint (ui_get_box (beginning).height, <, 200);
  ui_scroll (ui_find (ui.window, ATSPI_ROLE_SLIDER, "History"), 10);

  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Show More"));
  text = ui_wait_for (ui.window, ATSPI_ROLE_TEXT, "Command");
  ui_await (is_text (text, whole));
  g_assert_cmpint (ui_get_box (ui_get_parent (text)).height, <, 200);
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Copy Command"));
  program_search (&ui, "");
  ui_key ("ctrl+v");
  ui_await (is_text (ui_find (ui.window, ATSPI_ROLE_ENTRY, "Search"), whole));

  program_search (&ui, program_get_search ());
  ui_await (program_find_pid (&ui, other));
  ui_click (program_find_pid (&ui, other));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, short_command);
  ui_wait_until_gone (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Copy Command");
  ui_stop (&ui);
  child_stop (child);
  child_stop (other);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/overview/group", test_group);
  g_test_add_func ("/overview/command", test_command);
  return g_test_run ();
}
