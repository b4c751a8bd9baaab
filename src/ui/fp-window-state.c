// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include "fp-window-state.h"

static const char *const page_keys[] = { "filter", "group-by" };

void
fp_window_state_save (GtkWindow *window,
                      FpListPage *page,
                      GSettings *settings)
{
  FpTableColumns *columns = fp_table_view_get_columns (fp_list_page_get_view (page));
  gboolean descending;
  const FpColumn *sort = fp_table_columns_get_sort (columns, &descending);
  int width, height;

  gtk_window_get_default_size (window, &width, &height);
  g_settings_set_int (settings, "window-width", width);
  g_settings_set_int (settings, "window-height", height);
  g_settings_set_boolean (settings, "window-maximized", gtk_window_is_maximized (window));
  g_settings_set_value (settings, "process-columns", fp_table_columns_to_variant (columns));
  for (guint i = 0; i < G_N_ELEMENTS (page_keys); i++)
    {
      g_autoptr (GVariant) state = g_action_group_get_action_state (fp_list_page_get_actions (page), page_keys[i]);

      g_settings_set_value (settings, page_keys[i], state);
    }
  if (sort)
    g_settings_set (settings, "process-sort", "(sb)", sort->id, descending);
}

void
fp_window_state_restore (GtkWindow *window,
                         FpListPage *page,
                         GSettings *settings)
{
  g_autoptr (GVariant) columns = g_settings_get_value (settings, "process-columns");
  FpTableView *view = fp_list_page_get_view (page);
  g_autofree char *sort = NULL;
  gboolean descending;

  gtk_window_set_default_size (window, g_settings_get_int (settings, "window-width"),
                               g_settings_get_int (settings, "window-height"));
  if (g_settings_get_boolean (settings, "window-maximized"))
    gtk_window_maximize (window);
  fp_table_columns_take_variant (fp_table_view_get_columns (view), columns);
  for (guint i = 0; i < G_N_ELEMENTS (page_keys); i++)
    {
      g_autoptr (GVariant) value = g_settings_get_value (settings, page_keys[i]);

      g_action_group_change_action_state (fp_list_page_get_actions (page), page_keys[i], value);
    }
  g_settings_get (settings, "process-sort", "(sb)", &sort, &descending);
  fp_table_view_set_sort (view, sort, descending);
}
