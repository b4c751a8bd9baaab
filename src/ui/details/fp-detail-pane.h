// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-overview.h"

G_BEGIN_DECLS

#define FP_TYPE_DETAIL_PANE (fp_detail_pane_get_type ())

/* All that is known of what is selected.
 *
 * ::process-requested (int pid)
 * ::closed */
G_DECLARE_FINAL_TYPE (FpDetailPane, fp_detail_pane, FP, DETAIL_PANE, GtkWidget)

void fp_detail_pane_set_session (FpDetailPane *self, FpSession *session);
void fp_detail_pane_set_settings (FpDetailPane *self, GSettings *settings);
void fp_detail_pane_refresh (FpDetailPane *self);
void fp_detail_pane_show (FpDetailPane *self, const FpDetailTarget *target);

G_END_DECLS
