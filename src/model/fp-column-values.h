// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-column.h"

G_BEGIN_DECLS

/* The functions of columns that are no fields of FpMemory. */
FpFigureFunc fp_value_pid, fp_value_ppid, fp_value_uid, fp_value_start_ticks, fp_value_count, fp_value_unread,
    fp_value_started, fp_value_age, fp_value_start, fp_value_end, fp_value_offset, fp_value_device,
    fp_value_inode, fp_value_ended, fp_value_lasted, fp_value_highest;
FpTextFunc fp_text_comm, fp_text_command, fp_text_program, fp_text_exe, fp_text_app, fp_text_unit, fp_text_slice,
    fp_text_container, fp_text_control_group, fp_text_full_name, fp_text_group_name, fp_text_mapping, fp_text_kind, fp_text_file,
    fp_text_file_state, fp_text_change;
FpMakeTextFunc fp_text_user, fp_text_account, fp_text_state, fp_text_reason, fp_text_start, fp_text_end, fp_text_range,
    fp_text_permissions, fp_text_offset, fp_text_device, fp_text_flags, fp_text_label;

G_END_DECLS
