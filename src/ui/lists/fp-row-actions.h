// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-ending-loader.h"
#include "fp-table-view.h"

G_BEGIN_DECLS

#define FP_TYPE_ROW_ACTIONS (fp_row_actions_get_type ())

/* The actions on the processes that are selected in a list, and their menu.
 *
 * ::measure-requested (FpProcessId *id): even if this holds the process up */
G_DECLARE_FINAL_TYPE (FpRowActions, fp_row_actions, FP, ROW_ACTIONS, GObject)

FpRowActions *fp_row_actions_new (
    FpTableView *view, GActionMap *actions, const FpFormat *format, FpEndingLoader *ending);
void fp_row_actions_set_abilities (FpRowActions *self, gboolean may_measure, gboolean may_signal);

G_END_DECLS
