// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-session.h"

G_BEGIN_DECLS

#define FP_TYPE_CONTROL_OVERVIEW (fp_control_overview_get_type ())

/* A control group in words, as a bar of its parts and over time, and with the facts about it.
 *
 * ::processes-requested (char *search): of the processes in it */
G_DECLARE_FINAL_TYPE (FpControlOverview, fp_control_overview, FP, CONTROL_OVERVIEW, GtkWidget)

void fp_control_overview_update (FpControlOverview *self,
                                 const FpRecords *records,
                                 guint index,
                                 const FpSessionState *state);

G_END_DECLS
