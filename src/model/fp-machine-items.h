// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-control-groups.h"
#include "fp-format.h"
#include "fp-records.h"

G_BEGIN_DECLS

/* A name with a figure: one who is behind a line of the view of the machine, or a part of the line. */
typedef struct
{
  char *name;
  char *remark; /* (nullable) */
  FpFigure figure;
  FpUnit unit;         /* of the figure: bytes at first */
  const char *action;  /* (nullable): of the window, that shows more of it */
  char *target;        /* (nullable): the action's parameter */
  const char *hint;    /* (nullable): what the action does, where the name does not say it */
  gboolean is_heading; /* of those that follow */
} FpMachineItem;

/* Named figures, which are added in any order. */
typedef GPtrArray FpMachineItems;

FpMachineItems *fp_machine_items_new (void);
FpMachineItem *fp_machine_items_add (FpMachineItems *self, const char *name, FpFigure figure);
void fp_machine_items_add_section (FpMachineItems *self, const char *heading, FpMachineItems *section, guint limit);
void fp_machine_items_add_totals (FpMachineItems *self, const FpRecords *totals, FpField field, const char *column);
void fp_machine_items_add_caching (FpMachineItems *self, const FpControlGroups *groups);
void fp_machine_items_add_swapped (FpMachineItems *self, const FpControlGroups *groups);
void fp_machine_items_add_waiting (FpMachineItems *self, const FpControlGroups *groups);
void fp_machine_items_sort (FpMachineItems *self, guint limit);
char *fp_machine_items_describe (const FpMachineItems *self, const FpFormat *format);
void fp_machine_item_set_target (FpMachineItem *self, const char *action, const char *target);

G_END_DECLS
