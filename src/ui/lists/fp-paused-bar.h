// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-table-view.h"

G_BEGIN_DECLS

#define FP_TYPE_PAUSED_BAR (fp_paused_bar_get_type ())

/* Below a list: says that its order is paused and resumes it, and counts the records that are new since then.
 *
 * ::new-requested (guint index): show this record, which is new */
G_DECLARE_FINAL_TYPE (FpPausedBar, fp_paused_bar, FP, PAUSED_BAR, GtkBox)

void fp_paused_bar_set_narrow (FpPausedBar *self, gboolean is_narrow);
void fp_paused_bar_set_view (FpPausedBar *self, FpTableView *view);
void fp_paused_bar_update (FpPausedBar *self, gboolean may_show);

G_END_DECLS
