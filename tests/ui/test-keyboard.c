// SPDX-License-Identifier: GPL-3.0-or-later
/* Tasks of README.md and of the help, done twice: with keys alone, and with nothing but what AT-SPI offers. */
#include <unistd.h>

#include "ui-keys.h"
#include "ui-program.h"

#define N_CHILDREN 3

typedef struct
{
  Ui ui;
  GPid children[N_CHILDREN];
  gboolean has_keys;
} Fixture;

/* It has a place; what is hidden has none. */
static UiNode *
find_placed (UiNode *root,
             AtspiRole role,
             const char *name)
{
  g_autoptr (GPtrArray) found = ui_find_all (root, role, name);

  for (guint i = 0; i < found->len; i++)
    if (ui_get_box (found->pdata[i]).width > 0)
      return found->pdata[i];
  return NULL;
}

static UiNode *
await_shown (UiNode *root,
             AtspiRole role,
             const char *name)
{
  UiNode *found;

  ui_await ((found = find_placed (root, role, name)));
  return found;
}

/* A button that opens a menu or a list has another one in it. */
static void
act (UiNode *node)
{
  g_autoptr (GObject) action = (GObject *)atspi_accessible_get_action_iface (node);

  ui_act (action && atspi_action_get_n_actions (ATSPI_ACTION (action), NULL) > 0 ? node : ui_get_child (node, 0));
}

static void
press (Fixture *self,
       UiNode *root,
       AtspiRole role,
       const char *name)
{
  UiNode *node = await_shown (root, role, name);

  if (!self->has_keys)
    {
      act (node);
      return;
    }
  keys_walk_to (root, "Tab", name);
  ui_key ("space");
}

static void
choose_item (Fixture *self,
             UiNode *root,
             const char *item)
{
  UiNode *node = await_shown (root, ATSPI_ROLE_MENU_ITEM, item);

  if (!self->has_keys)
    {
      ui_act (node);
      return;
    }
  keys_walk_to (root, "Down", item);
  ui_key ("Return");
}

static void
choose_in_main_menu (Fixture *self,
                     const char *item)
{
  if (self->has_keys)
    ui_key ("F10");
  else
    act (await_shown (self->ui.window, ATSPI_ROLE_PUSH_BUTTON, "Main Menu"));
  choose_item (self, self->ui.window, item);
}

static void
show_view (Fixture *self,
           const char *key,
           const char *name)
{
  if (self->has_keys)
    ui_key (key);
  else
    ui_act (await_shown (self->ui.window, ATSPI_ROLE_PAGE_TAB, name));
}

static void
search (Fixture *self,
        const char *text)
{
  if (self->has_keys)
    {
      program_search (&self->ui, text);
      return;
    }
  if (!find_placed (self->ui.window, ATSPI_ROLE_ENTRY, "Search"))
    ui_act (await_shown (self->ui.window, ATSPI_ROLE_PUSH_BUTTON, "Search"));
  ui_set_text (await_shown (self->ui.window, ATSPI_ROLE_ENTRY, "Search"), text);
}

static guint
count_rows (Fixture *self)
{
  return ui_table_n_rows (program_get_table (&self->ui));
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  self->has_keys = GPOINTER_TO_INT (data);
  for (guint i = 0; i < N_CHILDREN; i++)
    self->children[i] = child_start (NULL);
  program_start (&self->ui, (const char *const[]){ "--view", "processes", NULL });
  ui_await (count_rows (self) > N_CHILDREN);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  ui_stop (&self->ui);
  for (guint i = 0; i < N_CHILDREN; i++)
    child_stop (self->children[i]);
}

static void
test_search (Fixture *self,
             gconstpointer data)
{
  /* Other tests' windows are started with what they search for. */
  g_autofree char *nothing = g_strdup_printf ("nothing that %d started", getpid ());

  search (self, program_get_search ());
  ui_await (count_rows (self) == N_CHILDREN);
  search (self, nothing);
  ui_wait_for (self->ui.window, ATSPI_ROLE_LABEL, "No Process Matches");
  press (self, self->ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Show All");
  ui_await (count_rows (self) > N_CHILDREN);
}

static UiNode *
get_table (Fixture *self,
           const char *name)
{
  return ui_table_wait_for (self->ui.window, name);
}

/* From the first row on, which has the focus once the list has */
static void
select_rows (Fixture *self,
             UiNode *table,
             guint n)
{
  for (guint i = 0; i < n; i++)
    if (!self->has_keys)
      ui_table_select (table, i, i > 0);
    else if (i > 0)
      ui_key ("shift+Down");
    else
      {
        keys_walk_to (self->ui.window, "Tab", "*, PID *");
        ui_key ("Down");
        ui_key ("Up");
      }
  ui_await (ui_table_n_selected (table) == n);
}

static void
show_children (Fixture *self)
{
  search (self, program_get_search ());
  ui_await (count_rows (self) == N_CHILDREN);
}

/* The details say what ending one or several gives back, and Escape or a button leads back to the whole machine. */
static void
test_freed (Fixture *self,
            gconstpointer data)
{
  show_children (self);
  select_rows (self, get_table (self, "Processes"), 1);
  ui_wait_for (self->ui.window, ATSPI_ROLE_LABEL, "1 process selected · Ending it gives back *");
  select_rows (self, get_table (self, "Processes"), 2);
  ui_wait_for (self->ui.window, ATSPI_ROLE_LABEL, "2 processes selected · Ending these 2 gives back *");
  if (self->has_keys)
    ui_key ("Escape");
  else
    press (self, self->ui.window, ATSPI_ROLE_PUSH_BUTTON, "Back to All");
  ui_await (program_shows_all (&self->ui));
}

/* GTK 4.8 tells AT-SPI of no action that a row has. */
static void
test_end (Fixture *self,
          gconstpointer data)
{
  UiNode *dialog;
  guint n = 0;

  show_children (self);
  select_rows (self, get_table (self, "Processes"), 1);
  ui_key ("Delete");
  dialog = ui_wait_for (self->ui.application, ATSPI_ROLE_DIALOG, "End sleep?");
  press (self, dialog, ATSPI_ROLE_PUSH_BUTTON, "*End");
  ui_await (child_has_ended (self->children[0]) || child_has_ended (self->children[1]) || child_has_ended (self->children[2]));
  for (guint i = 0; i < N_CHILDREN; i++)
    n += child_has_ended (self->children[i]);
  g_assert_cmpuint (n, ==, 1);
}

/* Each view has something of its own. */
static void
test_views (Fixture *self,
            gconstpointer data)
{
  show_view (self, "alt+1", "System");
  await_shown (self->ui.window, ATSPI_ROLE_LIST_ITEM, "Programs, *");
  show_view (self, "alt+3", "Users");
  await_shown (self->ui.window, ATSPI_ROLE_TREE_TABLE, "Users");
  show_view (self, "alt+4", "Groups");
  ui_await (program_shows_groups (&self->ui));
  show_view (self, "alt+5", "Files");
  await_shown (self->ui.window, ATSPI_ROLE_TREE_TABLE, "Files");
}

/* The windows that the menu opens, and what is changed since a moment */
static void
test_menu (Fixture *self,
           gconstpointer data)
{
  static const char *const windows[][2] = { { "Help", "Help" }, { "About Footprint", "About*" } };

  choose_in_main_menu (self, "Compare From Now");
  press (self, self->ui.window, ATSPI_ROLE_PUSH_BUTTON, "Compared since *. Stop comparing");
  ui_await (!find_placed (self->ui.window, ATSPI_ROLE_PUSH_BUTTON, "Compared since *. Stop comparing"));
  for (guint i = 0; i < G_N_ELEMENTS (windows); i++)
    {
      UiNode *window;

      choose_in_main_menu (self, windows[i][0]);
      ui_await ((window = program_find_other_window (&self->ui, windows[i][1])));
      if (self->has_keys)
        ui_dismiss (window, "Escape");
      else
        ui_close (window);
      ui_await (!program_find_other_window (&self->ui, windows[i][1]));
    }
}

int
main (int argc,
      char *argv[])
{
  static const struct
  {
    const char *name;
    void (*func) (Fixture *self, gconstpointer data);
    gboolean needs_keys;
  } tests[] = {
    { "search", test_search, FALSE },
    { "freed", test_freed, FALSE },
    { "end", test_end, TRUE },
    { "views", test_views, FALSE },
    { "menu", test_menu, FALSE },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (tests); i++)
    {
      gboolean has_keys = i % 2 == 0;
      g_autofree char *path = g_strdup_printf ("/keyboard/%s/%s", has_keys ? "keys" : "screen-reader", tests[i / 2].name);

      if (has_keys || !tests[i / 2].needs_keys)
        g_test_add (path, Fixture, GINT_TO_POINTER (has_keys), set_up, tests[i / 2].func, tear_down);
    }
  return g_test_run ();
}
