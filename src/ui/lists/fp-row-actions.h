// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-ending-loader.h"
#include "fp-list-content.h"
#include "fp-table-view.h"

G_BEGIN_DECLS

#define FP_TYPE_ROW_ACTIONS (fp_row_actions_get_type ())

/* The actions on what is selected in a list, and their menu. */
G_DECLARE_FINAL_TYPE (FpRowActions, fp_row_actions, FP, ROW_ACTIONS, GObject)

FpRowActions *fp_row_actions_new (FpTableView *view,
                                  GActionMap *actions,
                                  FpSession *session,
                                  const FpListContent *content,
                                  FpEndingLoader *ending);

G_END_DECLS
