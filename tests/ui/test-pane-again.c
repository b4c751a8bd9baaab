// SPDX-License-Identifier: GPL-3.0-or-later
/* The details of one process when they are read again, and what is kept of how they were shown. */
#include "ui-pane.h"

/* The list says by how much each mapping is new, gone or grown since the mark. */
static void
test_mark (void)
{
  g_auto (Pane) pane = { 0 };

  pane_start (&pane);
  pane_show_all (&pane);
  pane_search (&pane, "memfd:big-");
  ui_await (pane_count_mappings (&pane) == 2);
  ui_key ("ctrl+m");
  ui_await (pane_has_titles (&pane, 10, "Name, Outcome, Δ Memory"));
  ui_await (g_str_equal (pane_get_text (&pane, ROW_FIRST, "Outcome"), "The same"));

  pane_order (&pane, "change\n");
  ui_key ("F5");
  ui_await (pane_find (&pane, ROW_THIRD));
  g_assert_cmpstr (pane_get_text (&pane, ROW_FIRST, "Outcome"), ==, "Gone");
  g_assert_cmpstr (pane_get_text (&pane, ROW_SECOND, "Outcome"), ==, "Grown");
  g_assert_cmpstr (pane_get_text (&pane, ROW_THIRD, "Outcome"), ==, "New");
  g_assert_cmpstr (pane_get_text (&pane, ROW_FIRST, "Δ Private"), ==, "−4.0 MiB");
  g_assert_cmpstr (pane_get_text (&pane, ROW_SECOND, "Δ Private"), ==, "+1.0 MiB");
  g_assert_cmpstr (pane_get_text (&pane, ROW_THIRD, "Δ Private"), ==, "+3.0 MiB");
  g_assert_cmpstr (pane_get_text (&pane, "Total", "Δ Private"), ==, "0 B");
  g_assert_cmpstr (pane_get_text (&pane, "Total", "Δ Size"), ==, "−1.0 MiB");
  g_assert_cmpstr (pane_get_text (&pane, "Total", "Outcome"), ==, "");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "Since the mark: memory 0*B, address space −1.0*MiB");

  /* The same as sums: what is less and what is more in one */
  pane_choose (&pane, "Group By", 1, "By file");
  ui_await (g_str_equal (pane_get_text (&pane, ROW_SECOND, "Δ Private"), "+1.0 MiB"));
  g_assert_cmpstr (pane_get_text (&pane, ROW_FIRST, "Δ Private"), ==, "−4.0 MiB");
  pane_choose (&pane, "Group By", 0, "By kind");
  ui_await (pane_count_mappings (&pane) == 1);
  g_assert_cmpstr (ui_table_text (pane_get_table (&pane), pane_get_first (&pane), "Δ Private"), ==, "0 B");
  g_assert_cmpstr (pane_get_text (&pane, "Total", "Δ Private"), ==, "0 B");
  pane_show_all (&pane);

  ui_key ("ctrl+m");
  ui_await (pane_has_titles (&pane, 9, "Name, Memory, Size"));
  g_assert_cmpstr (pane_get_text (&pane, ROW_SECOND, "Private"), ==, "3.0 MiB");
  g_assert_null (pane_find (&pane, ROW_FIRST));
  pane_stop (&pane);
}

static int
compare_with_saved (Pane *self,
                    const char *saved)
{
  g_autofree char *now = ui_table_to_text (pane_get_table (self));

  return g_strcmp0 (saved, now);
}

/* Reading again leaves the place, the order and the selection as they were. */
static void
test_kept (void)
{
  g_auto (Pane) pane = { 0 };
  g_autofree char *before = NULL, *range = NULL;

  pane_start (&pane);
  pane_show_all (&pane);
  ui_click (ui_table_title (pane_get_table (&pane), "Size"));
  ui_await (pane_is_first (&pane, ROW_SECOND));
  ui_click (ui_table_title (pane_get_table (&pane), "Private"));
  ui_await (pane_is_first (&pane, ROW_FIRST));
  ui_scroll (pane_get_name_cell (&pane, 3), 12);
  ui_await (!pane_find (&pane, ROW_FIRST) && pane_find (&pane, "*memfd:rows*"));
  ui_click (pane_get_name_cell (&pane, 5));
  ui_await (ui_table_n_selected (pane_get_table (&pane)) == 1);
  range = g_strdup (ui_name (ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "7*–7*, 4.0 KiB")));
  before = ui_table_to_text (pane_get_table (&pane));

  /* The sum below tells that it was read. */
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "* mappings · Memory 7.*MiB *");
  pane_order (&pane, "touch\n");
  pane_order (&pane, "touch\n");
  ui_key ("F5");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "* mappings · Memory 9.*MiB *");
  g_assert_cmpint (compare_with_saved (&pane, before), ==, 0);
  g_assert_cmpuint (ui_table_n_selected (pane_get_table (&pane)), ==, 1);
  g_assert_cmpstr (ui_name (ui_find (pane.ui.window, ATSPI_ROLE_LABEL, "7*–7*, 4.0 KiB")), ==, range);
  pane_stop (&pane);
}

/* Reading it again shows its pages as they are now, too. */
static void
test_pages_again (void)
{
  g_auto (Pane) pane = { 0 };

  pane_start (&pane);
  pane_show_all (&pane);
  pane_search (&pane, "big-second");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "1 mapping *");
  /* The first click may only take away what hangs over it. */
  for (guint i = 0; i < 3 && ui_table_n_selected (pane_get_table (&pane)) == 0; i++)
    {
      ui_click (pane_get_name_cell (&pane, 1));
      ui_pause (500);
    }
  g_assert_cmpuint (ui_table_n_selected (pane_get_table (&pane)), ==, 1);
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "*Private*2.0*MiB*Absent*14.0*MiB*");
  pane_order (&pane, "touch\n");
  ui_key ("F5");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "*Private*3.0*MiB*Absent*13.0*MiB*");

  /* A sum has none. */
  ui_click (pane_get_name_cell (&pane, 0));
  ui_wait_until_gone (pane.ui.window, ATSPI_ROLE_LABEL, "*Private*3.0*MiB*Absent*13.0*MiB*");
  g_assert_cmpuint (ui_table_n_selected (pane_get_table (&pane)), ==, 1);
  pane_stop (&pane);
}

/* Figures in the pane are written as in the list. */
static void
test_units (void)
{
  g_auto (Pane) pane = { 0 };
  GPid child = child_start (NULL);

  pane_write_settings ("units='exact'\n");
  program_start (&pane.ui, (const char *const[]){ "--filter", program_get_search (), NULL });
  ui_await (program_find_pid (&pane.ui, child));
  ui_click (program_find_pid (&pane.ui, child));
  ui_wait_for (ui_wait_for (pane.ui.window, ATSPI_ROLE_SLIDER, "History"), ATSPI_ROLE_LABEL, "Now*Memory*B*Private*B*");
  g_assert_null (ui_find (pane.ui.window, ATSPI_ROLE_LABEL, "Now*iB*"));
  ui_stop (&pane.ui);
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  child_stop (child);
}

/* A newer version may have kept a word that this one does not know. */
static void
test_kept_grouping (void)
{
  static const struct
  {
    const char *setting;
    const char *has;
    const char *has_not;
  } cases[] = {
    { "mappings-by='file'\n", ROW_SECOND, "Code" },
    { "mappings-by='phase of the moon'\n", "Code", ROW_SECOND },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Pane) pane = { 0 };

      pane_write_settings (cases[i].setting);
      pane_start (&pane);
      ui_await (pane_find (&pane, cases[i].has));
      g_assert_null (pane_find (&pane, cases[i].has_not));
      pane_stop (&pane);
    }
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pane/mark", test_mark);
  g_test_add_func ("/pane/kept", test_kept);
  g_test_add_func ("/pane/pages-again", test_pages_again);
  g_test_add_func ("/pane/units", test_units);
  g_test_add_func ("/pane/kept-grouping", test_kept_grouping);
  return g_test_run ();
}
