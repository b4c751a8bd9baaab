// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-column-menus.h"

void
fp_column_menus_append_sort (GMenu *menu,
                             const char *label,
                             const FpColumn *column,
                             gboolean descending)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, "columns.sort-by", "(sb)", column->id, descending);
  g_menu_append_item (menu, item);
}

void
fp_column_menus_append_directions (GMenu *menu,
                                   const FpColumn *column)
{
  g_autoptr (GMenu) directions = g_menu_new ();

  fp_column_menus_append_sort (directions, _ ("_Ascending"), column, FALSE);
  fp_column_menus_append_sort (directions, _ ("_Descending"), column, TRUE);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (directions));
}

GMenuModel *
fp_column_menus_make (const FpColumn *column)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) order = g_menu_new (), columns = g_menu_new ();
  g_autofree char *hide = g_strdup_printf ("columns.hide-column::%s", column->id);

  fp_column_menus_append_sort (order, _ ("Sort _Ascending"), column, FALSE);
  fp_column_menus_append_sort (order, _ ("Sort _Descending"), column, TRUE);
  if (!fp_column_is_name (column))
    g_menu_append (columns, _ ("_Hide This Column"), hide);
  g_menu_append (columns, _ ("_Choose Columns…"), "page.choose-columns");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (order));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (columns));
  return G_MENU_MODEL (menu);
}
