// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui-driver.h"

G_BEGIN_DECLS

/* The program with processes of this test beside it. Several tests may run on one machine at the same time,
 * so that a child is known by an argument that no other test has. */
const char *program_get_sign (void);
const char *program_get_search (void);
void program_start (Ui *ui, const char *const *arguments);
void program_start_at_once_a_second (Ui *ui, const char *const *arguments);

GPid child_start (const char *more);
GPid child_start_argv (const char *const *argv);
void child_stop (GPid pid);
gboolean child_has_ended (GPid pid);

UiNode *program_get_table (Ui *ui);
const char *program_get_cell (Ui *ui, guint row, const char *title);
UiNode *program_find_pid (Ui *ui, GPid pid);
void program_search (Ui *ui, const char *text);
void program_save_picture (Ui *ui, const char *name);
gboolean program_has_text (Ui *ui, const char *glob);
gboolean program_shows_all (Ui *ui);
gboolean program_shows_groups (Ui *ui);
UiNode *program_find_shown (UiNode *root, AtspiRole role, const char *name);
UiNode *program_find_choice (UiNode *root, const char *name, const char *chosen);
void program_choose (UiNode *root, const char *name, const char *const *choices, const char *above, guint down);
UiNode *program_find_other_window (Ui *ui, const char *title);
UiNode *program_await_dialog (Ui *ui, const char *title);
void program_drag_onto (Ui *source, UiNode *window);
void program_answer_with_path (UiNode *dialog, const char *path);
gboolean program_is_shown (UiNode *root, AtspiRole role, const char *name);
gboolean program_has_room_to_record (void);

G_END_DECLS
