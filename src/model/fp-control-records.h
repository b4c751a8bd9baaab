// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-control-changes.h"
#include "fp-records.h"

G_BEGIN_DECLS

/* The kernel's control groups as records. A group's figures count all groups within it, too. */
FpRecords *fp_control_records_new (FpControlGroups *groups, const FpRecords *processes, const FpControlChanges *changes);
const FpControlGroups *fp_control_records_get_groups (const FpRecords *records);
const FpControlGroup *fp_control_records_get (const FpRecords *records, guint index);
const FpControlChange *fp_control_records_get_change (const FpRecords *records, guint index);
guint64 fp_control_records_get_start (const FpRecords *records);
const char *fp_control_records_get_name (const FpRecords *records, guint index);

FpKey fp_control_records_make_key (guint64 id);
FpFigure fp_control_records_get_control (const FpRecords *records, guint index, FpControlField field);
FpFigure fp_control_records_get_limit (const FpRecords *records, guint index);
guint fp_control_records_get_limit_holder (const FpRecords *records, guint index);
FpFigure fp_control_records_get_closeness (const FpRecords *records, guint index);

G_END_DECLS
