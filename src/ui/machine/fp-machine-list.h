// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

#include "fp-machine-parts.h"

G_BEGIN_DECLS

#define FP_TYPE_MACHINE_LIST (fp_machine_list_get_type ())

/* The machine's lines, or its other figures, each with the parts that it opens. Parts keep their places while somebody reads
 * them, as the rows of lists do. */
G_DECLARE_FINAL_TYPE (FpMachineList, fp_machine_list, FP, MACHINE_LIST, AdwBin)

typedef enum
{
  FP_MACHINE_LIST_LINES,
  FP_MACHINE_LIST_FACTS,
} FpMachineListKind;

GtkWidget *fp_machine_list_new (FpMachineListKind kind, const char *label, GtkAdjustment *adjustment);
void fp_machine_list_update (FpMachineList *self, const FpMachine *machine);
void fp_machine_list_open (FpMachineList *self, FpMachineLine line);
void fp_machine_list_set_narrow (FpMachineList *self, gboolean is_narrow);

G_END_DECLS
