// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

#include "fp-column.h"

G_BEGIN_DECLS

/* The menu of a column's title, with actions of FpTableColumns and of the list's page. Free it. */
GMenuModel *fp_column_menus_make (const FpColumn *column);
void fp_column_menus_append_sort (GMenu *menu, const char *label, const FpColumn *column, gboolean descending);
void fp_column_menus_append_directions (GMenu *menu, const FpColumn *column);

G_END_DECLS
