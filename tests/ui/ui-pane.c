// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>
#include <sys/prctl.h>

#include "ui-pane.h"

static void
end_with_parent (gpointer data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

static void
await_answer (Pane *self,
              const char *answer)
{
  char line[64];

  g_assert_nonnull (fgets (line, sizeof line, self->answers));
  g_assert_cmpstr (line, ==, answer);
}

void
pane_order (Pane *self,
            const char *text)
{
  fputs (text, self->orders);
  fflush (self->orders);
  await_answer (self, "done\n");
}

UiNode *
pane_get_table (Pane *self)
{
  return ui_table_wait_for (self->ui.window, "Mappings");
}

UiNode *
pane_find (Pane *self,
           const char *name)
{
  return ui_table_find_row (pane_get_table (self), "Name", name);
}

/* A search makes the rows anew, so that one that was found before it is done may be off the screen for ever. */
void
pane_click (Pane *self,
            const char *name)
{
  UiNode *row;

  ui_await ((row = pane_find (self, name)) && ui_is_on_screen (row));
  ui_click (row);
}

const char *
pane_get_text (Pane *self,
               const char *name,
               const char *column)
{
  return ui_table_text (pane_get_table (self), pane_find (self, name), column);
}

/* By its place in the list that opens, which AT-SPI has in another size than X. The first click may only take away what
 * hangs over it. */
void
pane_choose (Pane *self,
             const char *what,
             guint place,
             const char *item)
{
  UiNode *combo = ui_wait_for (self->ui.window, ATSPI_ROLE_COMBO_BOX, what);
  UiNode *button = ui_wait_for (combo, ATSPI_ROLE_PUSH_BUTTON, NULL);
  gint64 end = ui_patience ();

  while (!ui_find (button, ATSPI_ROLE_LABEL, item))
    {
      ui_breathe (end, G_STRLOC, item);
      if (!ui_has_state (button, ATSPI_STATE_PRESSED))
        {
          ui_click (combo);
          ui_pause (500);
          continue;
        }
      for (guint i = 0; i < 6; i++)
        ui_key ("Up");
      for (guint i = 0; i < place; i++)
        ui_key ("Down");
      ui_key ("Return");
      ui_pause (300);
    }
}

void
pane_show_all (Pane *self)
{
  pane_choose (self, "Group By", 2, "All mappings");
}

/* The first row is their total. */
guint
pane_count_mappings (Pane *self)
{
  guint n = ui_table_n_rows (pane_get_table (self));

  return n > 0 ? n - 1 : 0;
}

/* Below the total */
UiNode *
pane_get_first (Pane *self)
{
  return ui_table_row (pane_get_table (self), 1);
}

gboolean
pane_is_first (Pane *self,
               const char *name)
{
  return g_pattern_match_simple (name, ui_table_text (pane_get_table (self), pane_get_first (self), "Name"));
}

/* The first is the name; of the others the header is in no order. */
gboolean
pane_has_titles (Pane *self,
                 guint n,
                 const char *wanted)
{
  g_auto (GStrv) titles = ui_table_titles (pane_get_table (self)), all = g_strsplit (wanted, ", ", 0);
  guint n_found = 0;

  for (guint i = 0; all[i]; i++)
    n_found += g_strv_contains ((const char *const *)titles, all[i]);
  return g_strv_length (titles) == n && n_found == g_strv_length (all);
}

/* In a column that is seen: the middle of a wide row is not. */
UiNode *
pane_get_name_cell (Pane *self,
                    guint row)
{
  UiNode *table = pane_get_table (self);

  return ui_table_cell (table, ui_table_row (table, row), "Name");
}

void
pane_choose_in_menu (Pane *self,
                     const char *item)
{
  /* The first is what it stands in. */
  UiNode *button = ui_find_nth (self->ui.window, ATSPI_ROLE_PUSH_BUTTON, "More", 1);
  gint64 end = ui_patience ();

  while (!ui_has_state (button, ATSPI_STATE_FOCUSED))
    {
      ui_breathe (end, G_STRLOC, "the menu has the focus");
      ui_key ("Tab");
    }
  ui_key ("space");
  ui_click (ui_wait_for (self->ui.window, ATSPI_ROLE_MENU_ITEM, item));
}

void
pane_search (Pane *self,
             const char *text)
{
  ui_set_text (ui_wait_for (self->ui.window, ATSPI_ROLE_ENTRY, "Search in Mappings"), text);
}

void
pane_write_settings (const char *lines)
{
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "glib-2.0", "settings", NULL);
  g_autofree char *file = g_build_filename (folder, "keyfile", NULL);
  g_autofree char *text = g_strconcat ("[io/github/footprint_app/Footprint]\n", lines, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_file_set_contents (file, text, -1, &error);
  g_assert_no_error (error);
  g_setenv ("GSETTINGS_BACKEND", "keyfile", TRUE);
}

void
pane_open_mappings (Pane *self,
                    GPid pid)
{
  g_autofree char *subtitle = g_strdup_printf ("Process %d of *", pid);

  ui_await (program_find_pid (&self->ui, pid));
  ui_click (program_find_pid (&self->ui, pid));
  ui_wait_for (self->ui.window, ATSPI_ROLE_LABEL, subtitle);
  ui_click (ui_wait_for (self->ui.window, ATSPI_ROLE_PAGE_TAB, "Mappings"));
}

void
pane_start (Pane *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *filter = NULL;
  int orders, answers;

  g_spawn_async_with_pipes (NULL, (char *[]){ (char *)g_getenv ("UI_MAPPINGS"), NULL }, NULL, G_SPAWN_DO_NOT_REAP_CHILD,
                            end_with_parent, NULL, &self->child, &orders, &answers, NULL, &error);
  g_assert_no_error (error);
  self->orders = fdopen (orders, "w");
  self->answers = fdopen (answers, "r");
  await_answer (self, "ready\n");
  filter = g_strdup_printf ("pid=%d", self->child);
  program_start (&self->ui, (const char *const[]){ "--filter", filter, NULL });
  pane_open_mappings (self, self->child);
}

void
pane_stop (Pane *self)
{
  ui_stop (&self->ui);
  child_stop (self->child);
  fclose (self->orders);
  fclose (self->answers);
}

void
pane_clear (Pane *self)
{
  ui_clear (&self->ui);
}
