// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include "fp-window-state.h"

/* The saved choices in the list of processes */
static const char *const choice_keys[] = { "filter", "group-by" };

static const struct
{
  const char *columns;
  const char *sort;
} table_keys[] = {
  { "process-columns", "process-sort" },
  { "user-columns", "user-sort" },
};

static void
save_table (FpTableView *view,
            guint i,
            GSettings *settings)
{
  FpTableColumns *columns = fp_table_view_get_columns (view);
  gboolean descending;
  const FpColumn *sort = fp_table_columns_get_sort (columns, &descending);

  g_settings_set_value (settings, table_keys[i].columns, fp_table_columns_to_variant (columns));
  if (sort)
    g_settings_set (settings, table_keys[i].sort, "(sb)", sort->id, descending);
}

static void
restore_table (FpTableView *view,
               guint i,
               GSettings *settings)
{
  g_autoptr (GVariant) columns = g_settings_get_value (settings, table_keys[i].columns);
  g_autofree char *sort = NULL;
  gboolean descending;

  fp_table_columns_take_variant (fp_table_view_get_columns (view), columns);
  g_settings_get (settings, table_keys[i].sort, "(sb)", &sort, &descending);
  fp_table_view_set_sort (view, sort, descending);
}

void
fp_window_state_save (GtkWindow *window,
                      FpListPage *const *pages,
                      GSettings *settings)
{
  int width, height;

  gtk_window_get_default_size (window, &width, &height);
  g_settings_set_int (settings, "window-width", width);
  g_settings_set_int (settings, "window-height", height);
  g_settings_set_boolean (settings, "window-maximized", gtk_window_is_maximized (window));
  for (guint i = 0; i < G_N_ELEMENTS (choice_keys); i++)
    {
      g_autoptr (GVariant) state = g_action_group_get_action_state (fp_list_page_get_actions (pages[0]), choice_keys[i]);

      g_settings_set_value (settings, choice_keys[i], state);
    }
  for (guint i = 0; i < G_N_ELEMENTS (table_keys); i++)
    save_table (fp_list_page_get_view (pages[i]), i, settings);
}

void
fp_window_state_restore (GtkWindow *window,
                         FpListPage *const *pages,
                         GSettings *settings)
{
  gtk_window_set_default_size (window, g_settings_get_int (settings, "window-width"),
                               g_settings_get_int (settings, "window-height"));
  if (g_settings_get_boolean (settings, "window-maximized"))
    gtk_window_maximize (window);
  for (guint i = 0; i < G_N_ELEMENTS (choice_keys); i++)
    {
      g_autoptr (GVariant) value = g_settings_get_value (settings, choice_keys[i]);

      g_action_group_change_action_state (fp_list_page_get_actions (pages[0]), choice_keys[i], value);
    }
  for (guint i = 0; i < G_N_ELEMENTS (table_keys); i++)
    restore_table (fp_list_page_get_view (pages[i]), i, settings);
}
