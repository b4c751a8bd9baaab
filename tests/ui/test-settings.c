// SPDX-License-Identifier: GPL-3.0-or-later
/* A setting shows at once and stays: preferences, columns, order, the size of the window. */
#include <cairo.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "ui-pane.h"

static char *
get_store (void)
{
  return g_build_filename (g_get_user_config_dir (), "glib-2.0", "settings", "keyfile", NULL);
}

/* As text; "": it was not changed. */
static const char *
get_setting (const char *key)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *store = get_store (), *value = NULL;

  if (g_key_file_load_from_file (file, store, G_KEY_FILE_NONE, NULL))
    value = g_key_file_get_value (file, "io/github/footprint_app/Footprint", key, NULL);
  return g_intern_string (value ? value : "");
}

static gboolean
is_set (const char *key,
        const char *value)
{
  return g_str_equal (get_setting (key), value);
}

static UiNode *
get_table (Ui *ui)
{
  return ui_table_wait_for (ui->window, "Processes");
}

static void
start_again (Ui *ui)
{
  ui_start (ui, (const char *const[]){ g_getenv ("FOOTPRINT"), "--view", "processes", NULL },
            (const char *const[]){ "GSETTINGS_BACKEND=keyfile", NULL });
  ui_await (ui_table_n_rows (get_table (ui)) > 2);
}

static void
start (Ui *ui)
{
  g_autofree char *store = get_store ();

  g_remove (store);
  start_again (ui);
}

static UiNode *
open_preferences (Ui *ui)
{
  ui_key ("ctrl+comma");
  return ui_wait_for (ui->application, ATSPI_ROLE_FRAME, "Preferences");
}

static UiNode *
open_chooser (Ui *ui)
{
  ui_key ("ctrl+l");
  return ui_wait_for (ui->application, ATSPI_ROLE_FRAME, "Columns");
}

static void
choose (UiNode *dialog,
        const char *row,
        const char *item)
{
  UiNode *combo = ui_wait_for (dialog, ATSPI_ROLE_COMBO_BOX, row);

  ui_click (combo);
  ui_click (ui_wait_for (combo, ATSPI_ROLE_LABEL, item));
}

static gboolean
has_text (Ui *ui,
          const char *glob)
{
  return ui_find (ui->window, ATSPI_ROLE_LABEL, glob) != NULL;
}

static gboolean
has_title_in (UiNode *table,
              const char *title)
{
  g_auto (GStrv) titles = ui_table_titles (table);

  return g_strv_contains ((const char *const *)titles, title);
}

static gboolean
has_title (Ui *ui,
           const char *title)
{
  return has_title_in (get_table (ui), title);
}

static gboolean
is_shown (UiNode *root,
          AtspiRole role,
          const char *name)
{
  UiNode *node = ui_find (root, role, name);

  return node && ui_is_on_screen (node);
}

/* The window has done what it had begun, also where other programs have the processors. */
static gboolean
is_calm (Ui *ui)
{
  guint64 before = ui_count_read (ui);

  ui_pause (1000);
  return ui_count_read (ui) - before < 5 * UI_WAKEUP;
}

/* With the keyboard alone: the first row has the focus. */
static void
test_interval (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *dialog;
  guint64 before;

  start (&ui);
  dialog = open_preferences (&ui);
  ui_pause (300);
  ui_key ("Return");
  ui_await (is_shown (dialog, ATSPI_ROLE_LABEL, "Paused"));
  /* On GTK 4.8 the first goes to where it is now. */
  ui_key ("Down");
  ui_key ("Home");
  ui_key ("Down");
  ui_key ("Down");
  ui_key ("Return");
  ui_await (is_set ("interval", "'five'"));
  ui_await (!is_shown (dialog, ATSPI_ROLE_LABEL, "Paused"));
  ui_key ("Return");
  ui_await (is_shown (dialog, ATSPI_ROLE_LABEL, "Paused"));
  ui_key ("Down");
  ui_key ("End");
  ui_key ("Return");
  ui_await (is_set ("interval", "'paused'"));
  ui_dismiss (dialog, "Escape");
  ui_await (is_calm (&ui));
  before = ui_count_read (&ui);
  ui_pause (6000);
  g_assert_cmpuint (ui_count_read (&ui) - before, <, UI_LITTLE);
  ui_key ("F5");
  ui_await (ui_count_read (&ui) - before > UI_REFRESH);
  ui_stop (&ui);
}

static gboolean
ends_with (Ui *ui,
           const char *title,
           const char *end)
{
  UiNode *table = get_table (ui);

  return g_str_has_suffix (ui_table_text (table, ui_table_row (table, 0), title), end);
}

/* Or a bound: under the address sanitizer the window itself comes first, and takes too long to be measured. */
static gboolean
is_digits (Ui *ui,
           const char *title)
{
  UiNode *table = get_table (ui);
  const char *text = ui_table_text (table, ui_table_row (table, 0), title);

  if (g_str_has_prefix (text, "≤ "))
    text += strlen ("≤ ");
  return g_regex_match_simple ("^[0-9]+(–[0-9]+)?$", text, 0, 0);
}

static void
test_units (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *dialog;

  start (&ui);
  ui_await (ends_with (&ui, "Memory", "iB") && has_text (&ui, "* processes · Memory *iB*"));
  dialog = open_preferences (&ui);
  choose (dialog, "Units", "Percent of all memory or swap");
  ui_await (ends_with (&ui, "Memory", " %"));
  ui_await (has_text (&ui, "* processes · Memory *\u00a0% · Swap *"));
  g_assert_true (has_text (&ui, "Memory: * ?iB, of which * % is available"));
  choose (dialog, "Units", "Bytes");
  ui_await (is_digits (&ui, "Memory"));
  ui_await (has_text (&ui, "* processes · Memory *\u00a0B · Swap *"));
  g_assert_true (has_text (&ui, "Memory: * B, of which * B is available"));
  ui_await (g_regex_match_simple ("[0-9](\u00a0| )B, PID ", ui_name (ui_table_row (get_table (&ui), 0)), 0, 0));
  g_assert_true (is_set ("units", "'exact'"));
  ui_stop (&ui);

  start_again (&ui);
  ui_await (has_text (&ui, "* processes · Memory *\u00a0B · Swap *"));
  ui_stop (&ui);
}

/* The brightness of the whole window, from 0 to 255 */
static guint
get_brightness (Ui *ui)
{
  g_autofree char *file = g_build_filename (g_get_user_runtime_dir (), "brightness.png", NULL);
  cairo_surface_t *surface;
  guint64 sum = 0;
  guint n;

  ui_screenshot (ui->window, file);
  surface = cairo_image_surface_create_from_png (file);
  n = (guint)(cairo_image_surface_get_stride (surface) * cairo_image_surface_get_height (surface));
  for (guint i = 0; i < n; i++)
    sum += cairo_image_surface_get_data (surface)[i];
  cairo_surface_destroy (surface);
  g_remove (file);
  return (guint)(sum / MAX (n, 1));
}

static void
test_colours (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *dialog;

  start (&ui);
  dialog = open_preferences (&ui);
  choose (dialog, "Style", "Dark");
  ui_await (is_set ("color-scheme", "'dark'"));
  ui_await (get_brightness (&ui) < 100);
  choose (dialog, "Style", "Light");
  ui_await (is_set ("color-scheme", "'light'"));
  ui_await (get_brightness (&ui) > 180);
  ui_stop (&ui);
}

/* A second time brings the first to the front. */
static void
test_one_dialog (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *dialog;

  start (&ui);
  dialog = open_preferences (&ui);
  ui_pause (300);
  ui_key ("ctrl+comma");
  ui_pause (500);
  g_assert_cmpint (atspi_accessible_get_child_count (ui.application, NULL), ==, 2);
  ui_dismiss (dialog, "Escape");
  g_assert_cmpint (atspi_accessible_get_child_count (ui.application, NULL), ==, 1);
  ui_stop (&ui);
}

static void
test_choose_columns (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *dialog;

  start (&ui);
  g_assert_false (has_title (&ui, "Page Tables"));
  dialog = open_chooser (&ui);
  ui_pause (300);
  ui_wait_for (dialog, ATSPI_ROLE_LABEL, "How many processes");
  g_assert_null (ui_find (dialog, ATSPI_ROLE_LABEL, "How many mappings"));
  ui_type ("page tab");
  ui_await (!is_shown (dialog, ATSPI_ROLE_LABEL, "Shared"));
  ui_click (ui_wait_for (dialog, ATSPI_ROLE_LABEL, "Page Tables"));
  ui_await (has_title (&ui, "Page Tables"));
  g_assert_true (is_shown (dialog, ATSPI_ROLE_LABEL, "Parts of Memory"));
  g_assert_false (is_shown (dialog, ATSPI_ROLE_LABEL, "Address Space"));

  /* Typing goes into the search, wherever the focus is. */
  ui_type ("nonsense");
  ui_await (is_shown (dialog, ATSPI_ROLE_LABEL, "No Column Matches"));

  /* Escape clears the search first. */
  ui_key ("Escape");
  ui_await (is_shown (dialog, ATSPI_ROLE_LABEL, "Shared"));
  ui_dismiss (dialog, "Escape");
  ui_stop (&ui);

  start_again (&ui);
  g_assert_true (has_title (&ui, "Page Tables"));
  ui_stop (&ui);
}

static void
choose_of_title (UiNode *table,
                 const char *title,
                 const char *item)
{
  UiNode *node = ui_table_title (table, title);

  ui_click_with (node, 3, NULL);
  ui_click (ui_wait_for (node, ATSPI_ROLE_MENU_ITEM, item));
  ui_await (!is_shown (node, ATSPI_ROLE_MENU_ITEM, item));
}

static void
test_reset_columns (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *dialog;

  start (&ui);
  choose_of_title (get_table (&ui), "Resident", "Hide This Column");
  ui_await (!has_title (&ui, "Resident"));
  dialog = open_preferences (&ui);
  ui_click (ui_wait_for (dialog, ATSPI_ROLE_PUSH_BUTTON, "Reset *"));
  ui_await (has_title (&ui, "Resident"));
  ui_click (ui_wait_for (dialog, ATSPI_ROLE_PUSH_BUTTON, "*Undo"));
  ui_await (!has_title (&ui, "Resident"));
  ui_click (ui_wait_for (dialog, ATSPI_ROLE_PUSH_BUTTON, "Reset *"));
  ui_await (has_title (&ui, "Resident"));
  ui_stop (&ui);
}

static gboolean
is_sorted_by_pid (Ui *ui)
{
  UiNode *table = get_table (ui);
  g_autoptr (GPtrArray) rows = ui_table_get_rows (table, 10);
  gint64 last = 0;

  for (guint i = 0; i < rows->len; i++)
    {
      gint64 pid = g_ascii_strtoll (ui_table_text (table, g_ptr_array_index (rows, i), "PID"), NULL, 10);

      if (pid <= last)
        return FALSE;
      last = pid;
    }
  return TRUE;
}

static void
test_sort (void)
{
  g_auto (Ui) ui = { 0 };

  start (&ui);
  g_assert_false (is_sorted_by_pid (&ui));
  choose_of_title (get_table (&ui), "PID", "Sort Ascending");
  ui_await (is_sorted_by_pid (&ui));

  /* By what is shown; the menu has the focus. */
  ui_act (ui_get_child (ui_find (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Order and Columns"), 0));
  ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "Sort By");
  ui_key ("Return");
  ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "Swap");
  g_assert_true (ui_has_state (ui_find (ui.window, ATSPI_ROLE_MENU_ITEM, "PID"), ATSPI_STATE_CHECKED));
  ui_click (ui_find (ui.window, ATSPI_ROLE_MENU_ITEM, "Memory"));
  ui_await (!is_sorted_by_pid (&ui));
  ui_stop (&ui);
  g_assert_cmpstr (get_setting ("process-sort"), ==, "('pss', true)");
}

/* The list of what has ended has an order of its own, and is empty when the program is started again. */
static void
test_sort_of_ended (void)
{
  g_auto (Ui) ui = { 0 };

  start (&ui);
  choose_of_title (get_table (&ui), "PID", "Sort Ascending");
  ui_await (is_sorted_by_pid (&ui));
  ui_click (program_find_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Ended*"));
  ui_await (ui_has_state (program_find_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Ended*"), ATSPI_STATE_PRESSED));
  ui_stop (&ui);
  g_assert_cmpstr (get_setting ("filter"), ==, "'ended'");
  g_assert_cmpstr (get_setting ("process-sort"), ==, "('pid', false)");

  ui_start (&ui, (const char *const[]){ g_getenv ("FOOTPRINT"), "--view", "processes", NULL },
            (const char *const[]){ "GSETTINGS_BACKEND=keyfile", NULL });
  ui_await (program_find_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "All*"));
  ui_click (program_find_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "All*"));
  ui_await (ui_table_n_rows (get_table (&ui)) > 2);
  ui_await (is_sorted_by_pid (&ui));
  ui_stop (&ui);
}

/* A view that is shown for the first time waits for no refresh, which may not come, where all that it needs is there. */
static void
test_first_look (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *pid = g_strdup_printf ("%d", getpid ());

  pane_write_settings ("interval='paused'\ngroup-by='user'\n");
  ui_start (&ui, (const char *const[]){ g_getenv ("FOOTPRINT"), "--view", "processes", "--details", pid, NULL },
            (const char *const[]){ "GSETTINGS_BACKEND=keyfile", NULL });
  ui_await (ui_table_n_rows (get_table (&ui)) > 0);
  /* Until all that was asked for meanwhile has come */
  ui_pause (1500);
  ui_key ("alt+1");
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_LIST_ITEM, "Programs, *"));
  ui_stop (&ui);
}

static UiNode *
show_users (Ui *ui)
{
  ui_key ("alt+3");
  return ui_table_wait_for (ui->window, "Users");
}

/* Each list has its own columns and its own order, and gets them back. */
static void
test_users (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *table;

  start (&ui);
  table = show_users (&ui);
  choose_of_title (table, "Swap", "Hide This Column");
  ui_await (!has_title_in (table, "Swap"));
  choose_of_title (table, "Resident", "Sort Ascending");
  ui_stop (&ui);
  g_assert_cmpstr (get_setting ("user-sort"), ==, "('rss', false)");
  g_assert_cmpstr (get_setting ("process-sort"), ==, "('pss', true)");

  start_again (&ui);
  g_assert_true (has_title (&ui, "Swap"));
  g_assert_false (has_title_in (show_users (&ui), "Swap"));
  ui_stop (&ui);
  g_assert_cmpstr (get_setting ("user-sort"), ==, "('rss', false)");
}

/* By what can also be done to a row that has ended: GTK 4.8 does not name what is insensitive at its point. */
static gboolean
has_row_menu (Ui *ui)
{
  return is_shown (ui->window, ATSPI_ROLE_MENU_ITEM, "Details");
}

/* Below the row, and the keys go on where they were. The list is held, so that the next row stays the next. */
static void
test_row_menu (void)
{
  static const char *const keys[] = { "Menu", "shift+F10" };
  g_auto (Ui) ui = { 0 };

  pane_write_settings ("interval='paused'\n");
  start_again (&ui);
  ui_await (ui_table_n_rows (get_table (&ui)) > 4);
  ui_click (ui_table_row (get_table (&ui), 2));
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      UiBox row, item;

      ui_key (keys[i]);
      ui_await (has_row_menu (&ui));
      row = ui_get_box (ui_table_row (get_table (&ui), 2 + i));
      item = ui_get_box (ui_find (ui.window, ATSPI_ROLE_MENU_ITEM, "Copy"));
      g_assert_cmpint (item.y, >=, row.y);
      g_assert_cmpint (item.y, <, row.y + 4 * row.height);
      ui_key ("Escape");
      ui_await (!has_row_menu (&ui));
      ui_key ("Down");
      ui_await (ui_has_state (ui_table_row (get_table (&ui), 3 + i), ATSPI_STATE_SELECTED));
    }
  ui_stop (&ui);
}

/* A session that ends, and Ctrl+C */
static void
test_signals (void)
{
  static const int signals[] = { SIGTERM, SIGINT };
  g_auto (Ui) ui = { 0 };

  start (&ui);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    {
      ui_resize (&ui, 900 + (int)i, 640);
      g_assert_cmpint (ui_finish (&ui, signals[i]), ==, 0);
      /* With the frame around it */
      g_assert_cmpint (atoi (get_setting ("window-width")), >=, 900 + (int)i);
      g_assert_cmpint (atoi (get_setting ("window-height")), >=, 640);
      ui_clear (&ui);
      start_again (&ui);
      g_assert_cmpint (ui_get_content (&ui).width, ==, 900 + (int)i);
    }

  /* Also with a dialog above it, and after one that is only hidden */
  ui_key ("ctrl+question");
  /* GTK 4.18 says neither what it is nor its name. */
  ui_await (atspi_accessible_get_child_count (ui.application, NULL) == 2);
  ui_dismiss (ui_get_child (ui.application, 1), "Escape");
  open_preferences (&ui);
  g_assert_cmpint (ui_finish (&ui, SIGTERM), ==, 0);
}

static UiNode *
find_handle (Ui *ui)
{
  return ui_wait_for (ui->window, ATSPI_ROLE_SEPARATOR, "Width of the details");
}

/* Where it has come to rest */
static UiBox
await_handle (Ui *ui)
{
  UiBox box = ui_get_box (find_handle (ui)), before;

  do
    {
      before = box;
      ui_pause (300);
      box = ui_get_box (find_handle (ui));
    }
  while (box.x != before.x);
  return box;
}

/* A press beside a handle that still moves does nothing, so that it may take another turn. */
static void
drag_handle (Ui *ui,
             int x)
{
  for (gint64 end = ui_patience (); ui_get_box (find_handle (ui)).x != x; ui_breathe (end, G_STRLOC, "the details are as wide as that"))
    {
      UiBox box = await_handle (ui);

      ui_drag (box.x + 3, box.y + 200, x + 3, box.y + 200);
      await_handle (ui);
    }
}

/* The details get wider by the pointer and narrower by a key, leave the list its room, and have their width the next time. */
static void
test_pane_width (void)
{
  g_auto (Ui) ui = { 0 };
  UiBox box, list;
  int x;

  start (&ui);
  ui_resize (&ui, 1280, 700);
  ui_await (ui_get_box (find_handle (&ui)).x > 800);
  box = await_handle (&ui);
  drag_handle (&ui, box.x - 100);
  program_save_picture (&ui, "wide-pane.png");
  ui_key ("F8");
  ui_await (ui_has_state (find_handle (&ui), ATSPI_STATE_FOCUSED));
  ui_key ("Right");
  ui_await (ui_get_box (find_handle (&ui)).x == box.x - 84);
  g_assert_cmpint (ui_finish (&ui, SIGTERM), ==, 0);
  g_assert_cmpint (atoi (get_setting ("pane-width")), ==, 377 + 84);
  ui_clear (&ui);
  start_again (&ui);
  box = await_handle (&ui);
  list = ui_get_box (get_table (&ui));
  for (gint64 end = ui_patience (); (x = await_handle (&ui).x) >= box.x; ui_breathe (end, G_STRLOC, "the details are wider"))
    ui_drag (box.x + 3, box.y + 200, list.x + 3, box.y + 200);
  g_assert_cmpint (x - list.x, >=, 500);
  ui_stop (&ui);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/settings/interval", test_interval);
  g_test_add_func ("/settings/units", test_units);
  g_test_add_func ("/settings/colours", test_colours);
  g_test_add_func ("/settings/one-dialog", test_one_dialog);
  g_test_add_func ("/settings/choose-columns", test_choose_columns);
  g_test_add_func ("/settings/reset-columns", test_reset_columns);
  g_test_add_func ("/settings/sort", test_sort);
  g_test_add_func ("/settings/sort-of-ended", test_sort_of_ended);
  g_test_add_func ("/settings/first-look", test_first_look);
  g_test_add_func ("/settings/users", test_users);
  g_test_add_func ("/settings/row-menu", test_row_menu);
  g_test_add_func ("/settings/signals", test_signals);
  g_test_add_func ("/settings/pane-width", test_pane_width);
  return g_test_run ();
}
