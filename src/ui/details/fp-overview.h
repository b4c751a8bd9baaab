// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-columns.h"
#include "fp-history.h"
#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_OVERVIEW (fp_overview_get_type ())

/* A process, or the sum of some, in words, as a bar of its parts and over time.
 *
 * ::process-requested (int pid): a link to its parent was followed */
G_DECLARE_FINAL_TYPE (FpOverview, fp_overview, FP, OVERVIEW, GtkWidget)

void fp_overview_set_source (FpOverview *self, FpSource *source);
void fp_overview_set_ending (FpOverview *self, const char *text);
void fp_overview_set_members (FpOverview *self, const char *text);
void fp_overview_update (FpOverview *self, const FpRecords *records, guint index, const FpFormat *format, const FpHistory *history);

G_END_DECLS
