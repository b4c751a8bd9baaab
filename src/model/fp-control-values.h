// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-column.h"

G_BEGIN_DECLS

/* The functions of the columns of control groups. */
FpFigureFunc fp_value_control_memory, fp_value_control_own, fp_value_control_cache, fp_value_control_shared,
    fp_value_control_kernel, fp_value_control_swap, fp_value_control_peak, fp_value_control_limit,
    fp_value_control_closeness, fp_value_control_reached, fp_value_control_killed, fp_value_control_waited,
    fp_value_control_change, fp_value_control_from_swap, fp_value_control_from_swap_minute, fp_value_control_from_files,
    fp_value_control_from_files_minute;
FpTextFunc fp_text_control_name, fp_text_control_kind, fp_text_control_unit, fp_text_control_path;

FpFigure fp_control_value_for_field (const FpRecords *records, guint index, FpField field);
gboolean fp_control_value_reads_back_much (const FpRecords *records, guint index);
gboolean fp_control_value_needs_memory (const FpColumn *column);

G_END_DECLS
