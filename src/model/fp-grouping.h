// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-columns.h"

G_BEGIN_DECLS

/* Rows are grouped by one of these. */
typedef enum
{
  FP_GROUPING_NOTHING,
  FP_GROUPING_PARENT,
  FP_GROUPING_PROGRAM,
  FP_GROUPING_APP,
  FP_GROUPING_UNIT,
  FP_GROUPING_USER,
  FP_GROUPING_CONTAINER,
  FP_GROUPING_USER_PROGRAM,
  FP_GROUPING_KIND,
  FP_GROUPING_FILE,
  FP_N_GROUPINGS,
} FpGrouping;

#define FP_GROUPING_COLUMNS 3

typedef struct
{
  FpRecordKind kinds; /* of the records it is for */
  const char *id;     /* in settings */
  const char *title;
  const char *nobody;                       /* group of records without a text; empty: they stay one level up */
  const char *columns[FP_GROUPING_COLUMNS]; /* from the top level down; NULL where no column decides */
} FpGroupingInfo;

extern const FpGroupingInfo fp_grouping_infos[FP_N_GROUPINGS];

#define FP_NO_GROUP G_MAXUINT

/* For each record the group it is in, and for each group the one that is in: FP_NO_GROUP at the top. */
typedef struct
{
  FpGrouping grouping;
  const FpColumn *columns[FP_GROUPING_COLUMNS];
  FpRecords *totals;     /* one a group */
  GArray *group_of;      /* guint, by place in indices */
  GArray *parent_of;     /* guint, by group */
  GHashTable *group_led; /* by pid, when grouped by parent */
} FpGroups;

void fp_groups_init (FpGroups *self);
void fp_groups_clear (FpGroups *self);
void fp_groups_make (FpGroups *self,
                     FpGrouping grouping,
                     const FpRecords *records,
                     const guint *indices,
                     guint n,
                     const FpFormat *format);
FpRecords *fp_groups_sum (const FpGroups *self, const FpRecords *records, const guint *indices);
void fp_groups_keep (FpGroups *self, const FpRecords *old_totals, const GArray *old_parent_of, guint old);
guint fp_groups_place (FpGroups *self, const FpRecords *records, guint index, const FpFormat *format);
gboolean fp_groups_is_led_by (const FpGroups *self, guint group, FpKey key);
FpKey fp_groups_get_leader (FpKey key);

G_END_DECLS
