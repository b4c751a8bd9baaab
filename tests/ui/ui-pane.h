// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdio.h>

#include "ui-program.h"

G_BEGIN_DECLS

/* Mappings that the process has for certain; it makes the third when it is told to change. */
#define ROW_FIRST  "*memfd:big-first*"
#define ROW_SECOND "*memfd:big-second*"
#define ROW_THIRD  "*memfd:big-third*"

/* A process with mappings that are known (sample-mappings.c), and the window that shows them. */
typedef struct
{
  Ui ui;
  GPid child;
  FILE *orders;
  FILE *answers;
} Pane;

void pane_order (Pane *self, const char *text);
UiNode *pane_get_table (Pane *self);
UiNode *pane_find (Pane *self, const char *name);
void pane_click (Pane *self, const char *name);
const char *pane_get_text (Pane *self, const char *name, const char *column);
void pane_choose (Pane *self, const char *what, guint place, const char *item);
void pane_show_all (Pane *self);
guint pane_count_mappings (Pane *self);
UiNode *pane_get_first (Pane *self);
gboolean pane_is_first (Pane *self, const char *name);
gboolean pane_has_titles (Pane *self, guint n, const char *wanted);
UiNode *pane_get_name_cell (Pane *self, guint row);
void pane_choose_in_menu (Pane *self, const char *item);
void pane_search (Pane *self, const char *text);
void pane_write_settings (const char *lines);
void pane_open_mappings (Pane *self, GPid pid);
void pane_start (Pane *self);
void pane_stop (Pane *self);
void pane_clear (Pane *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pane, pane_clear)

G_END_DECLS
