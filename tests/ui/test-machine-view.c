// SPDX-License-Identifier: GPL-3.0-or-later
/* The view of the machine, from outside: its words are those of the terminal, and each line opens. */
#include <glib/gstdio.h>
#include <string.h>

#include "ui-program.h"

#define MIN_LINES 6

static char *
make_population (void)
{
  char *file = g_build_filename (g_get_user_runtime_dir (), "population", NULL);
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (NULL, (char *[]){ (char *)g_getenv ("FOOTPRINT_MAKE_SNAPSHOT"), file, NULL }, NULL, G_SPAWN_DEFAULT, NULL,
                NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  return file;
}

/* The window says in a banner what the first line of the terminal says: that it is a saved snapshot. */
static char **
get_page (const char *file)
{
  g_autofree char *out = NULL;
  g_autoptr (GError) error = NULL;

  g_spawn_sync (NULL, (char *[]){ (char *)g_getenv ("FOOTPRINT_CLI"), (char *)"--open", (char *)file, (char *)"--system", NULL },
                NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (out, "Saved snapshot: "));
  return g_strsplit (strstr (out, "\n\n") + 2, "\n", -1);
}

/* "Cache                 4.2 GiB  given back when needed" as the window says it: "Cache, 4.2 GiB" */
static char *
make_name (const char *line)
{
  g_auto (GStrv) parts = g_regex_split_simple (" {2,}", line, 0, 0);

  return g_strdup_printf ("%s, %s", parts[0], parts[1]);
}

static char *
make_entry (const char *name,
            const char *figure)
{
  GString *entry = g_string_new (NULL);

  g_string_printf (entry, "● %s %s", name, figure);
  g_string_replace (entry, " ", "\u00a0", 0);
  g_string_replace (entry, "-", "\u2011", 0);
  g_string_replace (entry, "–", "–\u2060", 0);
  return g_string_free (entry, FALSE);
}

/* Memory that was not measured has an entry of its own, so that a range of the list can be its lower end in the legend. */
static void
check_legend (Ui *ui,
              const char *name,
              const char *figure)
{
  UiNode *legend = ui_wait_for (ui->window, ATSPI_ROLE_LABEL, "*●*●*Free*");
  const char *dash = strstr (figure, "–"), *unit = strrchr (figure, ' ');
  g_autofree char *low = dash && unit ? g_strdup_printf ("%.*s%s", (int)(dash - figure), figure, unit) : g_strdup (figure);
  g_autofree char *whole_entry = make_entry (name, figure), *low_entry = make_entry (name, low);

  if (!strstr (ui_name (legend), whole_entry) && !strstr (ui_name (legend), low_entry))
    ui_fail ("the legend has no “%s”: %s", whole_entry, ui_name (legend));
}

/* The memory bar has the same figure under the same name, but for programs, which it divides by user, and for nothing. */
static void
check_line (Ui *ui,
            const char *line)
{
  g_auto (GStrv) parts = g_regex_split_simple (" {2,}", line, 0, 0);

  if (!g_str_equal (parts[0], "Programs") && !g_str_equal (parts[1], "0 B"))
    check_legend (ui, parts[0], parts[1]);
}

/* Every line and every figure that the terminal has is in the window, and so is whether memory is short. */
static void
test_same_as_terminal (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = make_population ();
  g_auto (GStrv) page = get_page (file);
  guint n = 0;

  program_start (&ui, (const char *const[]){ "--view", "system", "--open", file, NULL });
  for (guint i = 0; i < 3; i++)
    {
      g_auto (GStrv) words = g_strsplit (page[i], "\u00a0", -1);
      g_autofree char *pattern = g_strjoinv ("?", words);

      ui_wait_for (ui.window, ATSPI_ROLE_LABEL, pattern);
    }
  g_assert_cmpstr (page[4], ==, "Memory");
  for (guint i = 5; *page[i]; i++, n++)
    {
      g_autofree char *name = make_name (page[i]);

      ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, name);
      check_line (&ui, page[i]);
    }
  g_assert_cmpuint (n, >=, MIN_LINES);
  g_assert_cmpuint (n, <=, 10);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Where 31.2*GiB of memory is");

  /* One moment has no changes and no history. */
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_SLIDER, "History of memory"));
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Compare From Now"));
  ui_stop (&ui);
  g_remove (file);
}

static void
check_grouped_processes (Ui *ui,
                         const GPtrArray *users)
{
  UiNode *table;

  ui_key ("alt+2");
  ui_key ("ctrl+6");
  table = ui_wait_for (ui->window, ATSPI_ROLE_TREE_TABLE, "Processes");
  for (guint i = 0; i < users->len; i++)
    {
      g_auto (GStrv) user = g_strsplit (users->pdata[i], ", ", 2);

      ui_await (ui_table_find_row (table, "Name", user[0]) != NULL);
      g_assert_cmpstr (ui_table_text (table, ui_table_find_row (table, "Name", user[0]), "Memory"), ==, user[1]);
    }
}

/* A user has one figure, in the list of users, in the memory bar, among programs and where processes are grouped by user: a
 * container's users are others. */
static void
test_users (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = make_population ();
  g_autoptr (GPtrArray) users = g_ptr_array_new_with_free_func (g_free);
  UiNode *table;

  program_start (&ui, (const char *const[]){ "--view", "users", "--open", file, NULL });
  table = ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, "Users");
  ui_await (ui_table_n_rows (table) > 4);
  g_assert_cmpstr (ui_table_text (table, ui_table_find_row (table, "Name", "ben"), "Memory"), ==, "2.3–2.4 GiB");
  for (guint i = 0; i < 4; i++)
    {
      UiNode *row = ui_table_row (table, i);
      g_autofree char *name = g_strdup (ui_table_text (table, row, "Name"));
      const char *figure = ui_table_text (table, row, "Memory");

      check_legend (&ui, name, figure);
      g_ptr_array_add (users, g_strdup_printf ("%s, %s", name, figure));
    }
  ui_key ("alt+1");
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "Programs, *"));
  for (guint i = 0; i < users->len; i++)
    ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, users->pdata[i]);
  check_grouped_processes (&ui, users);
  ui_stop (&ui);
  g_remove (file);
}

/* A part of nothing has no place among the parts. */
static void
test_legend (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *legend;

  program_start (&ui, (const char *const[]){ "--view", "processes", NULL });
  legend = ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "*●*●*Free*");
  /* A range may begin with it. */
  g_assert_false (g_regex_match_simple ("\u00a00\u00a0B( |$)", ui_name (legend), 0, 0));
  ui_stop (&ui);
}

static gboolean
is_focused (UiNode *node)
{
  return node && ui_has_state (node, ATSPI_STATE_FOCUSED);
}

static void
tab_to (Ui *ui,
        const char *name)
{
  for (guint i = 0; i < 30 && !is_focused (ui_find (ui->window, ATSPI_ROLE_LIST_ITEM, name)); i++)
    {
      ui_key ("Tab");
      ui_pause (100);
    }
  g_assert_true (is_focused (ui_find (ui->window, ATSPI_ROLE_LIST_ITEM, name)));
}

/* By keyboard alone: a line opens its users, and a user opens their processes. */
static void
test_keyboard (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = make_population ();
  UiNode *line;

  program_start (&ui, (const char *const[]){ "--view", "system", "--open", file, NULL });
  line = ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "Programs, *");
  tab_to (&ui, "Programs, *");
  g_assert_false (ui_has_state (line, ATSPI_STATE_EXPANDED));
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_LIST_ITEM, "anna, *"));
  ui_key ("Return");
  ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "anna, 9.8 GiB");
  ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "By user: the 4 largest of *");
  ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "By program: the 6 largest of *");
  ui_await (ui_has_state (line, ATSPI_STATE_EXPANDED));
  for (guint i = 0; i < 4 && !is_focused (ui_find (ui.window, ATSPI_ROLE_LIST_ITEM, "anna, *")); i++)
    {
      ui_key ("Down");
      ui_pause (100);
    }
  ui_key ("Return");
  ui_await (ui_table_n_rows (program_get_table (&ui)) > 0);
  ui_await (g_str_equal (ui_text (ui_wait_for (ui.window, ATSPI_ROLE_ENTRY, NULL)), "account=anna"));

  /* It is open still, and closes as it opened. */
  ui_key ("alt+1");
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_LIST_ITEM, "anna, *"));
  ui_click (ui_find (ui.window, ATSPI_ROLE_LIST_ITEM, "Programs, *"));
  ui_await (!program_is_shown (ui.window, ATSPI_ROLE_LIST_ITEM, "anna, *"));
  ui_click (ui_find (ui.window, ATSPI_ROLE_LIST_ITEM, "Swap in memory, *"));
  ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "/swapfile, 386 MiB");
  ui_stop (&ui);
  g_remove (file);
}

/* In 360 pixels nothing is cut off at the sides. */
static void
test_narrow (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = make_population ();
  UiBox window, row;

  program_start (&ui, (const char *const[]){ "--view", "system", "--open", file, NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "Programs, *");
  /* Once it is narrow it may get narrower. */
  ui_resize (&ui, 580, 720);
  ui_await (ui_get_box (ui_find (ui.window, ATSPI_ROLE_LIST_ITEM, "Programs, *")).width <= 580);
  ui_resize (&ui, 360, 720);
  ui_await (ui_get_content (&ui).width == 360);
  window = ui_get_box (ui.window);
  ui_await ((row = ui_get_box (ui_find (ui.window, ATSPI_ROLE_LIST_ITEM, "Programs, *"))).width <= window.width);
  g_assert_cmpint (row.x, >=, window.x);
  g_assert_cmpint (row.x + row.width, <=, window.x + window.width);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "*●*●*Free*");
  ui_stop (&ui);
  g_remove (file);
}

/* The moment is that of the last refresh, which on a busy machine can be the first one. */
static gboolean
compares_anew (Ui *ui,
               const char *since)
{
  if (!program_has_text (ui, since))
    return TRUE;
  ui_act (ui_find (ui->window, ATSPI_ROLE_PUSH_BUTTON, "Compare From Now"));
  return FALSE;
}

static gboolean
shows_more (gpointer ui)
{
  return ui_find (((Ui *)ui)->window, ATSPI_ROLE_LIST_ITEM, "Promised to programs (commit), *iB") != NULL;
}

/* Other programs make the page longer meanwhile, so that a click can miss the row. */
static gboolean
opens_more (Ui *ui)
{
  UiNode *more = ui_find (ui->window, ATSPI_ROLE_LIST_ITEM, "More figures");

  if (shows_more (ui))
    return TRUE;
  if (!more || !ui_click_now (more))
    {
      ui_scroll_on (30);
      return FALSE;
    }
  return ui_wait_for_ms (2000, shows_more, ui);
}

/* On the running machine: changes count from the start, or from when their user says so; the chart can be read. */
static void
test_changes (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *since = NULL;
  UiNode *chart;

  program_start_at_once_a_second (&ui, (const char *const[]){ "--view", "system", NULL });
  since = g_strdup (ui_name (ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Change since *")));
  ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "Free, * *iB, changed by *");
  chart = ui_wait_for (ui.window, ATSPI_ROLE_SLIDER, "History of memory");
  ui_await (g_pattern_match_simple ("Now, Programs * Kernel *, Free *", ui_description (chart)));
  ui_pause (1500);
  ui_click (ui_find (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Compare From Now"));
  ui_await (compares_anew (&ui, since));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Change since *");
  ui_resize (&ui, 1200, 980);
  ui_scroll (ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "Programs, *"), 30);
  ui_await (opens_more (&ui));
  ui_stop (&ui);
}

static gboolean
searches_for (Ui *ui,
              const char *text)
{
  UiNode *entry = ui_find (ui->window, ATSPI_ROLE_ENTRY, "Search");

  return entry && ui_has_state (entry, ATSPI_STATE_FOCUSED) && g_str_equal (ui_text (entry), text) &&
         program_is_shown (ui->window, ATSPI_ROLE_TREE_TABLE, NULL);
}

/* The machine has no list to search in, so a search shows that of the processes. */
static void
test_search (void)
{
  g_auto (Ui) ui = { 0 };

  program_start (&ui, (const char *const[]){ "--view", "system", NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "Free, *");
  ui_type ("footprint");
  ui_await (searches_for (&ui, "footprint"));
  ui_key ("alt+1");
  ui_await (!program_is_shown (ui.window, ATSPI_ROLE_TREE_TABLE, NULL));
  ui_key ("ctrl+f");
  ui_await (searches_for (&ui, "footprint"));
  ui_key ("alt+1");
  ui_await (!program_is_shown (ui.window, ATSPI_ROLE_TREE_TABLE, NULL));
  ui_type ("-x");
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_TREE_TABLE, NULL));
  ui_stop (&ui);
}

static UiNode *
find_line (Ui *ui,
           const char *pattern)
{
  return ui_find (ui->window, ATSPI_ROLE_LIST_ITEM, pattern);
}

/* Somebody fills /tmp, and one service is always at its limit: who did what can be read off, and each change has its cause. */
static void
test_story (void)
{
  static const char *const colours[] = { NULL, "SAMPLE_DARK=1" };

  for (guint i = 0; i < G_N_ELEMENTS (colours); i++)
    {
      g_auto (Ui) ui = { 0 };

      ui_start (&ui, (const char *const[]){ g_getenv ("UI_SAMPLE_GROUPS"), "machine", NULL },
                (const char *const[]){ colours[i], NULL });
      ui_resize (&ui, 1100, 940);
      ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "Files kept in memory, *, changed by +1.1 GiB");
      g_assert_nonnull (find_line (&ui, "Free, *, changed by −1.1 GiB"));
      g_assert_nonnull (find_line (&ui, "Programs, *, changed by 0 B"));
      g_assert_true (program_has_text (&ui, "Programs waited for memory during about 11*s of the last minute: render-worker 11*s, *"));
      g_assert_true (program_has_text (&ui, "Tight: render-worker is near its limit, but the machine has memory left"));
      ui_click (find_line (&ui, "Files kept in memory, *"));
      ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "/tmp, 1.4 GiB, changed by +1.1 GiB*");
      program_save_picture (&ui, colours[i] ? "machine-dark.png" : "machine-light.png");
      ui_resize (&ui, 580, 940);
      ui_await (ui_get_box (find_line (&ui, "Programs, *")).width <= 580);
      ui_resize (&ui, 360, 940);
      program_save_picture (&ui, colours[i] ? "machine-narrow-dark.png" : "machine-narrow.png");
      ui_stop (&ui);
    }
}

static gboolean
is_above (Ui *ui,
          const char *first,
          const char *second)
{
  UiNode *above = find_line (ui, first), *below = find_line (ui, second);

  return above && below && ui_get_box (above).y < ui_get_box (below).y;
}

/* A file system that becomes the biggest goes to the top, but not while somebody reads the list. */
static void
test_order (void)
{
  g_auto (Ui) ui = { 0 };

  ui_start (&ui, (const char *const[]){ g_getenv ("UI_SAMPLE_GROUPS"), "machine", NULL },
            (const char *const[]){ "SAMPLE_SHM_GROWS=1", NULL });
  ui_resize (&ui, 1100, 940);
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "Files kept in memory, *"));
  ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "/tmp, *");
  ui_point_at (ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "*●*●*Free*"));
  ui_await (is_above (&ui, "/dev/shm, *", "/tmp, *"));
  ui_stop (&ui);
}

/* Graphics are read for the view of the machine alone: elsewhere the legend says that they are not known. */
static void
test_graphics (void)
{
  g_auto (Ui) ui = { 0 };

  ui_start (&ui, (const char *const[]){ g_getenv ("UI_SAMPLE_GROUPS"), "machine", NULL },
            (const char *const[]){ "SAMPLE_GRAPHICS=1", NULL });
  ui_await (program_has_text (&ui, "*●\u00a0Graphics\u00a0200\u00a0MiB *"));
  ui_key ("alt+3");
  ui_await (program_has_text (&ui, "*●\u00a0Graphics\u00a0— *"));
  ui_stop (&ui);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machine-view/same-as-terminal", test_same_as_terminal);
  g_test_add_func ("/machine-view/users", test_users);
  g_test_add_func ("/machine-view/legend", test_legend);
  g_test_add_func ("/machine-view/keyboard", test_keyboard);
  g_test_add_func ("/machine-view/narrow", test_narrow);
  g_test_add_func ("/machine-view/story", test_story);
  g_test_add_func ("/machine-view/graphics", test_graphics);
  g_test_add_func ("/machine-view/order", test_order);
  g_test_add_func ("/machine-view/changes", test_changes);
  g_test_add_func ("/machine-view/search", test_search);
  return g_test_run ();
}
