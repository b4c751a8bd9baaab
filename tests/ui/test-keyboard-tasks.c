// SPDX-License-Identifier: GPL-3.0-or-later
/* Tasks of README.md and of the help that lead into other windows, dialogs and pages, with keys alone. */
#include <glib/gstdio.h>
#include <string.h>

#include "heap-writer.h"
#include "ui-heap.h"
#include "ui-keys.h"

#define N_CHILDREN 2

typedef struct
{
  Ui ui;
  GPid children[N_CHILDREN];
} Fixture;

/* GTK 4.8's dialogs forget some memory. */
static void
set_up (Fixture *self,
        gconstpointer data)
{
  for (guint i = 0; i < N_CHILDREN; i++)
    self->children[i] = child_start (NULL);
  ui_start (&self->ui, (const char *const[]){ g_getenv ("FOOTPRINT"), "--view", "processes", "--filter", program_get_search (), NULL },
            (const char *const[]){ "ASAN_OPTIONS=detect_leaks=0", NULL });
  ui_await (ui_table_n_rows (program_get_table (&self->ui)) == N_CHILDREN);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  ui_stop (&self->ui);
  for (guint i = 0; i < N_CHILDREN; i++)
    child_stop (self->children[i]);
}

static char *
make_path (const char *name)
{
  return g_build_filename (g_get_user_runtime_dir (), name, NULL);
}

static UiNode *
await_window (Fixture *self,
              const char *title)
{
  UiNode *window;

  ui_await ((window = program_find_other_window (&self->ui, title)));
  ui_await (ui_find_focus (window));
  return window;
}

/* The focus comes back to the window that the dialog belongs to. Beside no window manager, none of two windows would get it. */
static void
leave (Fixture *self,
       UiNode *dialog,
       const char *key)
{
  ui_dismiss (dialog, key);
  ui_await (ui_find_focus (self->ui.window));
}

static void
press (UiNode *root,
       const char *name)
{
  keys_walk_to (root, "Tab", name);
  ui_key ("space");
}

/* In a list of choices that has opened, or in a menu */
static void
choose (UiNode *root,
        const char *item)
{
  keys_walk_to (root, "Down", item);
  ui_key ("Return");
}

static void
open_file (Fixture *self,
           const char *path)
{
  ui_key ("ctrl+o");
  program_answer_with_path (program_await_dialog (&self->ui, "Open Snapshot or Heap Profile"), path);
}

static void
select_child (Fixture *self)
{
  keys_walk_to (self->ui.window, "Tab", "sleep, *, PID *");
  ui_key ("Down");
  ui_key ("Home");
  ui_await (ui_table_n_selected (program_get_table (&self->ui)) == 1);
}

static gboolean
has_column (Fixture *self,
            const char *title)
{
  g_auto (GStrv) titles = ui_table_titles (program_get_table (&self->ui));

  return g_strv_contains ((const char *const *)titles, title);
}

/* The first Escape clears the search. */
static void
test_columns (Fixture *self,
              gconstpointer data)
{
  UiNode *chooser;

  g_assert_false (has_column (self, "Page Tables"));
  ui_key ("ctrl+l");
  chooser = await_window (self, "Columns");
  ui_type ("page tab");
  ui_await (!program_is_shown (chooser, ATSPI_ROLE_LABEL, "Shared"));
  press (chooser, "Page Tables");
  ui_await (has_column (self, "Page Tables"));
  ui_key ("Escape");
  ui_await (program_is_shown (chooser, ATSPI_ROLE_LABEL, "Shared"));
  leave (self, chooser, "Escape");
}

static void
test_preferences (Fixture *self,
                  gconstpointer data)
{
  UiNode *preferences;

  g_assert_false (g_str_has_suffix (program_get_cell (&self->ui, 0, "Memory"), " %"));
  ui_key ("ctrl+comma");
  preferences = await_window (self, "Preferences");
  press (preferences, "Units");
  choose (preferences, "Percent of all memory or swap");
  ui_await (g_str_has_suffix (program_get_cell (&self->ui, 0, "Memory"), " %"));
  leave (self, preferences, "Escape");
}

static guint
count_lines_with (const char *text,
                  const char *part)
{
  g_auto (GStrv) lines = g_strsplit (text, "\r\n", -1);
  guint n = 0;

  for (guint i = 0; lines[i]; i++)
    n += strstr (lines[i], part) != NULL;
  return n;
}

static void
test_export (Fixture *self,
             gconstpointer data)
{
  g_autofree char *path = make_path ("list.csv"), *text = NULL;

  ui_key ("ctrl+e");
  program_answer_with_path (program_await_dialog (&self->ui, "Export List*"), path);
  ui_wait_for (self->ui.window, ATSPI_ROLE_LABEL, "Saved as list.csv");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "name,pid,user,"));
  for (guint i = 0; i < N_CHILDREN; i++)
    {
      g_autofree char *start = g_strdup_printf ("sleep,%d,", self->children[i]);

      g_assert_cmpuint (count_lines_with (text, start), ==, 1);
    }
  ui_await (ui_find_focus (self->ui.window));
  g_remove (path);
}

/* Tab stays where the name is typed, as GTK's dialogs want it. What is saved with command lines is found by them, though the
 * processes have ended. */
static void
test_snapshot (Fixture *self,
               gconstpointer data)
{
  g_autofree char *path = make_path ("monday.footprint");
  UiNode *dialog;
  Ui saved = self->ui;

  ui_key ("ctrl+s");
  dialog = program_await_dialog (&self->ui, "Save Snapshot");
  keys_walk_to (dialog, "shift+Tab", "Include command lines*");
  ui_key ("space");
  program_answer_with_path (dialog, path);
  ui_wait_for (self->ui.window, ATSPI_ROLE_LABEL, "Saved as monday.footprint");
  child_stop (self->children[0]);
  ui_await (ui_table_n_rows (program_get_table (&self->ui)) == N_CHILDREN - 1);

  open_file (self, path);
  saved.window = await_window (self, "monday.footprint — Today *");
  program_search (&saved, program_get_search ());
  ui_await (ui_table_n_rows (program_get_table (&saved)) == N_CHILDREN);
  select_child (&(Fixture){ .ui = saved });
  ui_dismiss (saved.window, "ctrl+w");
  self->children[0] = child_start (NULL);
  g_remove (path);
}

static void
test_mappings (Fixture *self,
               gconstpointer data)
{
  UiNode *window = self->ui.window, *table;
  guint n_kinds;

  select_child (self);
  ui_key ("alt+Return");
  ui_await (keys_has_focus (window, "Back to All"));
  press (window, "Mappings");
  table = ui_table_wait_for (window, "Mappings");
  ui_await ((n_kinds = ui_table_n_rows (table)) > 1);
  press (window, "Group By*");
  choose (window, "All mappings");
  ui_await (ui_table_n_rows (table) > n_kinds);
  keys_walk_to (window, "Tab", "Total, *");
  keys_walk_to (window, "Down", "*libc*");
  ui_key ("End");
  ui_await (ui_find_focus (table) && !keys_has_focus (table, "*libc*"));
  ui_key ("Home");
  ui_await (keys_has_focus (table, "Total, *"));
  keys_walk_to (window, "Down", "*libc*");
  ui_key ("shift+F10");
  ui_wait_for (window, ATSPI_ROLE_MENU_ITEM, "Who Else Maps This");
  choose (window, "Who Else Maps This");
  ui_await (program_is_shown (window, ATSPI_ROLE_TREE_TABLE, "Files"));
}

/* The list has the focus; what calls a function is below it, and Enter goes there. */
static void
test_heap (Fixture *self,
           gconstpointer data)
{
  g_autofree char *path = heap_writer_save_known (g_get_user_runtime_dir (), "profile");
  UiNode *window, *functions;
  Ui heap = self->ui;

  open_file (self, path);
  heap.window = window = await_window (self, "profile");
  functions = heap_get_table (&heap, "Functions");
  keys_walk_to (functions, "Down", "strdup, *");
  ui_await (ui_table_n_selected (functions) == 1);
  ui_key ("Tab");
  ui_await (!ui_find_focus (functions));
  ui_await (keys_has_focus (window, "read_rows, *"));
  ui_key ("Return");
  ui_await (ui_has_state (ui_table_find_row (functions, "Name", "read_rows"), ATSPI_STATE_SELECTED));
  ui_await (keys_has_focus (window, "main, *"));
  ui_dismiss (window, "ctrl+w");
  g_remove (path);
}

static void
test_flame_graph (Fixture *self,
                  gconstpointer data)
{
  g_autofree char *path = heap_writer_save_known (g_get_user_runtime_dir (), "graph");
  Ui heap = self->ui;
  UiNode *graph;

  open_file (self, path);
  heap.window = await_window (self, "graph");
  press (heap.window, "Flame Graph");
  keys_walk_to (heap.window, "Tab", "Flame graph");
  graph = ui_find_focus (heap.window);
  ui_key ("Down");
  ui_key ("Down");
  ui_key ("Down");
  ui_await (g_str_has_prefix (ui_description (graph), "strdup, "));
  ui_key ("Right");
  ui_await (g_str_has_prefix (ui_description (graph), "parse_object, "));
  ui_key ("Return");
  ui_await (!heap_has_frame (&heap, "strdup, *"));
  ui_key ("Escape");
  ui_await (heap_has_frame (&heap, "strdup, *"));
  ui_dismiss (heap.window, "ctrl+w");
  g_remove (path);
}

/* Keys are lost until the dialog has the keyboard, which AT-SPI does not say of an entry of libadwaita. */
static gboolean
try_to_enter (UiNode *dialog,
              const char *command)
{
  UiNode *button = ui_wait_for (dialog, ATSPI_ROLE_PUSH_BUTTON, "*Record");

  ui_key ("ctrl+a");
  ui_type (command);
  ui_pause (500);
  return ui_has_state (button, ATSPI_STATE_SENSITIVE);
}

static void
test_profile (Fixture *self,
              gconstpointer data)
{
  UiNode *dialog, *window;

  if (!program_has_room_to_record ())
    return;
  ui_key ("F10");
  ui_wait_for (self->ui.window, ATSPI_ROLE_MENU_ITEM, "Profile a Program…");
  choose (self->ui.window, "Profile a Program…");
  ui_await ((dialog = program_find_other_window (&self->ui, "Profile a Program")));
  ui_await (try_to_enter (dialog, g_getenv ("FOOTPRINT_TEST_ENDLESS")));
  press (dialog, "*Record");
  window = await_window (self, "heaptrack.*.raw");
  ui_wait_for (window, ATSPI_ROLE_LABEL, "Recording · *");
  ui_await (ui_table_find_row (ui_table_wait_for (window, "Functions"), "Name", "hold"));
  press (window, "*Stop…");
  dialog = ui_wait_for (self->ui.application, ATSPI_ROLE_DIALOG, "Stop Recording?");
  press (dialog, "*End*");
  ui_wait_for (window, ATSPI_ROLE_LABEL, "Recorded * The program was ended by a signal: Terminated.");
  ui_await (ui_find_focus (window));
  ui_dismiss (window, "ctrl+w");
}

int
main (int argc,
      char *argv[])
{
  static const struct
  {
    const char *path;
    void (*func) (Fixture *self, gconstpointer data);
  } tests[] = {
    { "/keyboard-tasks/columns", test_columns },
    { "/keyboard-tasks/preferences", test_preferences },
    { "/keyboard-tasks/export", test_export },
    { "/keyboard-tasks/snapshot", test_snapshot },
    { "/keyboard-tasks/mappings", test_mappings },
    { "/keyboard-tasks/heap", test_heap },
    { "/keyboard-tasks/flame-graph", test_flame_graph },
    { "/keyboard-tasks/profile", test_profile },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].func, tear_down);
  return g_test_run ();
}
