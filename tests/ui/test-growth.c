// SPDX-License-Identifier: GPL-3.0-or-later
/* A program that leaks is the first by growth, with its rate; one whose collector gives back what it let rise has none. */
#include "behaviour.h"
#include "test-machine.h"
#include "ui-program.h"
#include "ui-range.h"

static gboolean
read_rate (Ui *ui,
           UiRange *rate)
{
  const char *text = program_get_cell (ui, 0, "Growth a Minute");

  if (!g_ascii_isdigit (*text))
    return FALSE;
  *rate = ui_range_parse (text);
  return rate->low > 0;
}

/* A day at this rate: a machine with more memory is not told when it is full. */
static gboolean
can_be_full (void)
{
  return test_get_available () < (guint64)(BEHAVIOUR_LEAK * 86400 * BEHAVIOUR_MIB) / 4;
}

/* The total of a search that leaves some out has no past, that of all of a program has one. */
static void
check_totals (Ui *ui)
{
  UiRange rate;

  ui_key ("ctrl+3");
  ui_await (ui_table_n_rows (program_get_table (ui)) == N_BEHAVIOURS + 1);
  g_assert_cmpstr (program_get_cell (ui, 0, "Growth a Minute"), ==, "—");
  program_search (ui, "program=test-growth");
  ui_await (read_rate (ui, &rate));
  program_save_picture (ui, "growth-program.png");
  g_test_message ("all: %.2f to %.2f MiB a minute", rate.low / BEHAVIOUR_MIB, rate.high / BEHAVIOUR_MIB);
  g_assert_cmpfloat (rate.high, >=, BEHAVIOUR_LEAK * 54 * BEHAVIOUR_MIB);
}

static void
test_leak (void)
{
  pid_t pids[N_BEHAVIOURS];
  g_autoptr (GString) search = g_string_new (NULL);
  g_auto (Ui) ui = { 0 };
  UiRange rate;

  for (Behaviour i = 0; i < N_BEHAVIOURS; i++)
    {
      pids[i] = behaviour_start (i);
      g_string_append_printf (search, "%spid=%d", i > 0 ? " or " : "", pids[i]);
    }
  program_start_at_once_a_second (&ui, (const char *const[]){ "--view", "processes", NULL });
  ui_resize (&ui, 1280, 800);
  program_get_table (&ui);
  program_search (&ui, search->str);
  ui_await (ui_table_n_rows (program_get_table (&ui)) == N_BEHAVIOURS);
  ui_click (ui_table_title (program_get_table (&ui), "Growth a Minute"));
  ui_await (read_rate (&ui, &rate));
  program_save_picture (&ui, "growth.png");
  g_test_message ("%.2f to %.2f MiB a minute", rate.low / BEHAVIOUR_MIB, rate.high / BEHAVIOUR_MIB);
  g_assert_cmpfloat (rate.low, >=, BEHAVIOUR_LEAK * 54 * BEHAVIOUR_MIB);
  g_assert_cmpfloat (rate.high, <=, BEHAVIOUR_LEAK * 66 * BEHAVIOUR_MIB);
  g_assert_cmpint (atoi (program_get_cell (&ui, 0, "PID")), ==, pids[BEHAVIOUR_LEAKS]);
  for (guint row = 1; row < N_BEHAVIOURS; row++)
    {
      const char *text = program_get_cell (&ui, row, "Growth a Minute");

      g_assert_true (g_str_equal (text, "—") || g_str_equal (text, "0 B"));
    }
  ui_click (ui_table_row (program_get_table (&ui), 0));
  if (can_be_full ())
    ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "At this rate memory * full *.");
  program_save_picture (&ui, "growth-pane.png");
  check_totals (&ui);
  ui_stop (&ui);
  for (Behaviour i = 0; i < N_BEHAVIOURS; i++)
    behaviour_stop (pids[i]);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/growth/leak", test_leak);
  return g_test_run ();
}
