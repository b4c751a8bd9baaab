// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-columns.h"
#include "fp-history.h"
#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_DETAIL_PANE (fp_detail_pane_get_type ())

/* All that is known of what is selected.
 *
 * ::process-requested (int pid)
 * ::closed */
G_DECLARE_FINAL_TYPE (FpDetailPane, fp_detail_pane, FP, DETAIL_PANE, GtkWidget)

void fp_detail_pane_set_source (FpDetailPane *self, FpSource *source);
void fp_detail_pane_set_settings (FpDetailPane *self, GSettings *settings);
void fp_detail_pane_set_history (FpDetailPane *self, FpHistory *history);
void fp_detail_pane_set_members (FpDetailPane *self, const char *text);
void fp_detail_pane_set_ending (FpDetailPane *self, const char *text);
void fp_detail_pane_set_icon (FpDetailPane *self, GdkPaintable *icon);
void fp_detail_pane_refresh (FpDetailPane *self);
void fp_detail_pane_show (FpDetailPane *self,
                          FpRecords *records,
                          guint index,
                          const char *title,
                          const FpFormat *format,
                          gboolean is_remembered);

G_END_DECLS
