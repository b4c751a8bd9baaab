// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-machine-history.h"

G_BEGIN_DECLS

#define FP_TYPE_MACHINE_CHART (fp_machine_chart_get_type ())

/* The history of the machine's lines, one on top of another up to all its memory. The arrow keys and the pointer choose a
 * moment, whose figures stand below. */
G_DECLARE_FINAL_TYPE (FpMachineChart, fp_machine_chart, FP, MACHINE_CHART, GtkWidget)

void fp_machine_chart_set_history (
    FpMachineChart *self, const FpMachineHistory *history, const FpMachineMoment *mark, const FpFormat *format);

G_END_DECLS
