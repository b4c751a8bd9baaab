// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-machine.h"

G_BEGIN_DECLS

/* Lists the users, programs, files and devices behind a line. They need not add up to it. */
FpMachineItems *fp_machine_list_parts (const FpMachine *self, FpMachineLine line);

/* Figures of the machine that are no part of its memory, or of several parts */
FpMachineItems *fp_machine_list_facts (const FpMachine *self);

void fp_machine_format_item (const FpMachine *self, const FpMachineItem *item, char *text);

G_END_DECLS
