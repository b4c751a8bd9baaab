// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <dbus/dbus.h>

#include "ui-driver.h"

G_BEGIN_DECLS

/* Questions about nodes of one program, all of them sent before the first answer is awaited. Each by itself would take a turn
 * of the test, the bus and the program, which costs several times as much. */
typedef struct
{
  AtspiApplication *program;
  GPtrArray *messages; /* the questions, and later in their places the answers, or NULL */
} UiCalls;

UiCalls *ui_calls_new (UiNode *of);
void ui_calls_free (UiCalls *self);

void ui_calls_ask_role (UiCalls *self, const char *path);
void ui_calls_ask_name (UiCalls *self, const char *path);
void ui_calls_ask_states (UiCalls *self, const char *path);
void ui_calls_ask_parent (UiCalls *self, const char *path);
void ui_calls_ask_children (UiCalls *self, const char *path);
void ui_calls_ask_box (UiCalls *self, const char *path);
void ui_calls_ask_at (UiCalls *self, const char *path, int x, int y);
void ui_calls_make (UiCalls *self);

/* In the order of the questions. Paths and names live as long as the test. */
AtspiRole ui_calls_get_role (UiCalls *self, guint i);
const char *ui_calls_get_name (UiCalls *self, guint i);
gboolean ui_calls_has_state (UiCalls *self, guint i, AtspiStateType state);
const char *ui_calls_get_path (UiCalls *self, guint i);
GPtrArray *ui_calls_get_paths (UiCalls *self, guint i);
UiBox ui_calls_get_box (UiCalls *self, guint i);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (UiCalls, ui_calls_free)

G_END_DECLS
