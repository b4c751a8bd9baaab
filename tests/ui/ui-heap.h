// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui-program.h"

G_BEGIN_DECLS

/* The window of a heap profile. */
UiNode *heap_get_table (Ui *ui, const char *name);
const char *heap_get_cell (UiNode *table, const char *name, const char *title);
void heap_assert_cell (UiNode *table, const char *name, const char *title, const char *expected);
gboolean heap_has_titles (UiNode *table, const char *expected);
gboolean heap_has_names (UiNode *table, const char *expected);
gboolean heap_has_frame (Ui *ui, const char *name);
void heap_choose_cost (Ui *ui, const char *now, guint down);
void heap_choose_part (Ui *ui, const char *now, guint down);
void heap_open_more_menu (Ui *ui);
void heap_start_with_dialogs (Ui *ui, const char *file);

G_END_DECLS
