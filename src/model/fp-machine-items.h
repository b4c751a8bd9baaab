// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-control-groups.h"
#include "fp-format.h"
#include "fp-records.h"

G_BEGIN_DECLS

/* More of an item, which its target names */
typedef enum
{
  FP_MACHINE_TARGET_NONE,
  FP_MACHINE_TARGET_SEARCH, /* the processes that a search finds */
  FP_MACHINE_TARGET_FILES,  /* the files of a tmpfs, by the number of its device */
  FP_MACHINE_TARGET_VIEW,   /* by its id */
  FP_N_MACHINE_TARGETS,
} FpMachineTarget;

/* A name with a figure: one who is behind a line of the view of the machine, or a part of the line. */
typedef struct
{
  char *name;
  char *remark; /* (nullable) */
  FpFigure figure;
  gint64 change; /* since the start */
  gboolean has_change;
  FpUnit unit; /* of the figure: bytes at first */
  FpMachineTarget target_kind;
  char *target;        /* (nullable) */
  const char *hint;    /* (nullable): what is shown then, where the name does not say it */
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
void fp_machine_item_set_target (FpMachineItem *self, FpMachineTarget kind, const char *target);

G_END_DECLS
