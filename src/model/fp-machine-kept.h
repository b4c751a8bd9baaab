// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-machine.h"

G_BEGIN_DECLS

char *fp_machine_name_process (const FpSnapshot *snapshot, gint pid);
char *fp_machine_name_tmpfs (const FpTmpfs *tmpfs, const FpSnapshot *snapshot);
void fp_machine_item_set_holder (FpMachineItem *item, const FpSnapshot *snapshot, gint pid);

void fp_machine_sum_up_kept (FpMachineItems *items, const FpKept *kept, const FpSnapshot *snapshot, guint64 most);
char *fp_machine_describe_kept_limits (const FpKept *kept);
void fp_machine_list_kept_limits (FpMachineItems *items, const FpKept *kept);
void fp_machine_list_kept (FpMachineItems *items, const FpMachineInput *input, const FpSnapshot *snapshot);

G_END_DECLS
