// SPDX-License-Identifier: GPL-3.0-or-later
/* A big process that has changed since it was read, on a machine that is made up, and histories of a real one. */
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui-program.h"

#define GIANT 3320 /* between 3.70 and 3.82 GiB */

static void
open_population (Ui *ui,
                 const char *const *arguments)
{
  g_autofree char *file = g_build_filename (g_get_user_runtime_dir (), "population", NULL);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (NULL, (char *[]){ (char *)g_getenv ("FOOTPRINT_MAKE_SNAPSHOT"), file, NULL }, NULL, G_SPAWN_DEFAULT, NULL,
                NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  g_ptr_array_add (argv, (gpointer) "--open");
  g_ptr_array_add (argv, file);
  for (; *arguments; arguments++)
    g_ptr_array_add (argv, (gpointer)*arguments);
  g_ptr_array_add (argv, NULL);
  program_start (ui, (const char *const *)argv->pdata);
  ui_await (program_find_pid (ui, GIANT));
  g_remove (file);
}

/* It is the first of the list, in its cell as short as it can be, to be read in words; and it is measured. */
static void
test_list (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *row, *cell;

  open_population (&ui, (const char *const[]){ "--view", "processes", NULL });
  row = ui_table_row (program_get_table (&ui), 0);
  g_assert_true (row == program_find_pid (&ui, GIANT));
  g_assert_cmpstr (program_get_cell (&ui, 0, "Memory"), ==, "3.7–3.8 GiB");
  g_assert_cmpstr (program_get_cell (&ui, 0, "Swap"), ==, "253 MiB");
  g_assert_true (g_str_has_prefix (ui_name (row), "qemu-system-x86_64, Memory between 3.70\u00a0GiB and 3.82\u00a0GiB, PID "));
  cell = ui_table_cell (program_get_table (&ui), row, "Memory");
  ui_point_at (cell);
  ui_wait_for (ui.application, ATSPI_ROLE_LABEL,
               "Memory: between 3.70\u00a0GiB and 3.82\u00a0GiB\nRead * s ago, and it has changed since");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "8 not measured");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "214 processes · *· 8 not measured");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "*Uncertain,*at*most*120*MiB*Not*measured,*at*most*");
  ui_stop (&ui);
}

static void
test_details (void)
{
  g_auto (Ui) ui = { 0 };

  open_population (&ui, (const char *const[]){ "--view", "processes", NULL });
  ui_click (program_find_pid (&ui, GIANT));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL,
               "Uses between 3.70\u00a0GiB and 3.82\u00a0GiB: it was read * seconds ago, and it has changed since.*");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "*Uncertain,*at*most*120*MiB*");
  g_assert_false (program_has_text (&ui, "*on demand*"));
  ui_stop (&ui);
}

/* A process that only possibly matches is found, with a mark. */
static void
test_search (void)
{
  g_auto (Ui) ui = { 0 };

  open_population (&ui, (const char *const[]){ "--view", "processes", "--filter", "pss>1G", NULL });
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 1);
  g_assert_null (strstr (ui_name (ui_table_row (program_get_table (&ui), 0)), "possibly"));
  g_assert_false (program_has_text (&ui, "*possibly"));
  program_search (&ui, "pss>3.8G");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "1 process · Memory*3.7–*3.8*GiB · *· it matches only possibly");
  ui_await (strstr (ui_name (ui_table_row (program_get_table (&ui), 0)), "qemu-system-x86_64, possibly, "));
  program_search (&ui, "pss>3.9G");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "No Process Matches");
  ui_stop (&ui);
}

static UiNode *
focus_chart (Ui *ui)
{
  UiNode *chart = ui_wait_for (ui->window, ATSPI_ROLE_SLIDER, "History");

  for (guint i = 0; i < 60 && !ui_has_state (chart, ATSPI_STATE_FOCUSED); i++)
    {
      UiNode *before = ui_find_focus (ui->window);

      ui_key ("Tab");
      ui_await (ui_find_focus (ui->window) != before);
    }
  g_assert_true (ui_has_state (chart, ATSPI_STATE_FOCUSED));
  return chart;
}

/* The seconds since the moment that the chart tells of */
static int
get_age (UiNode *chart)
{
  UiNode *label = ui_find (chart, ATSPI_ROLE_LABEL, "* second* ago*");

  return label ? atoi (ui_name (label)) : 0;
}

static gboolean
is_long (UiNode *chart,
         int seconds)
{
  ui_key ("End");
  ui_key ("Home");
  return get_age (chart) >= seconds;
}

/* Two points within a second have the same age in words. */
static gboolean
is_older (UiNode *chart,
          int seconds)
{
  ui_key ("Left");
  ui_pause (100);
  return get_age (chart) > seconds;
}

/* It goes on while another’s is shown: point by point back there is none that is far from the next. */
static void
test_machine (void)
{
  g_auto (Ui) ui = { 0 };
  GPid child = child_start (NULL);
  UiNode *chart;

  program_start_at_once_a_second (&ui, (const char *const[]){ "--filter", program_get_search (), NULL });
  ui_await (program_find_pid (&ui, child));
  ui_await (program_shows_all (&ui));
  ui_click (program_find_pid (&ui, child));
  ui_await (!program_shows_all (&ui));
  chart = focus_chart (&ui);
  ui_await (is_long (chart, 12));
  ui_click_with (program_find_pid (&ui, child), 1, "ctrl");
  ui_await (program_shows_all (&ui));
  chart = focus_chart (&ui);
  ui_key ("End");
  for (int last = 0; last < 12; last = get_age (chart))
    {
      ui_await (is_older (chart, last));
      g_assert_cmpint (get_age (chart), <=, last + 5);
    }
  ui_stop (&ui);
  child_stop (child);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ranges/list", test_list);
  g_test_add_func ("/ranges/details", test_details);
  g_test_add_func ("/ranges/search", test_search);
  g_test_add_func ("/ranges/machine", test_machine);
  return g_test_run ();
}
