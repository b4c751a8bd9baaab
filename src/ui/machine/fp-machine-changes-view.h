// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-machine-changes.h"

G_BEGIN_DECLS

#define FP_TYPE_MACHINE_CHANGES_VIEW (fp_machine_changes_view_get_type ())

/* Shows what has changed in the machine as a waterfall: each bar begins where the one above ends, and the last ends where the
 * first began. Each opens the list behind it. */
G_DECLARE_FINAL_TYPE (FpMachineChangesView, fp_machine_changes_view, FP, MACHINE_CHANGES_VIEW, GtkBox)

GtkWidget *fp_machine_changes_view_new (GtkAdjustment *adjustment);
void fp_machine_changes_view_update (FpMachineChangesView *self,
                                     FpMachineChanges *changes,
                                     guint64 since_us,
                                     const FpFormat *format);

G_END_DECLS
