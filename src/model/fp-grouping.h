// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-columns.h"

G_BEGIN_DECLS

#define FP_GROUPED_MAPPINGS (FP_RECORD_MAPPING | FP_RECORD_CHANGE)
#define FP_IN_TREE          (FP_RECORD_PROCESS | FP_RECORD_CONTROL_GROUP | FP_RECORD_HEAP_STEP)

/* The one table of groupings; lists offer them in this order. The completion of shells is made from these lines.
 * GROUPING (symbol, kinds, id in settings, name in --by, title in the window, digit of its key Ctrl+1…, title of the group
 * of records without a text, columns from the top level down); NULL and 0 where it is not offered, and where no column
 * decides. Records without a text stay one level up if their group has no title. */
/* clang-format off */
#define FP_GROUPINGS(GROUPING) \
  /* Translators: a list that is not grouped: it is grouped by nothing */ \
  GROUPING (NOTHING, FP_IN_TREE, "nothing", "process", NC_ ("group by", "Nothing"), '1', "", NULL) \
  GROUPING (PARENT, FP_IN_TREE, "parent", NULL, NC_ ("group by", "Parent"), '2', "", NULL) \
  GROUPING (PROGRAM, FP_RECORD_PROCESS, "program", "program", NC_ ("group by", "Program"), '3', N_ ("No program"), "program") \
  GROUPING (APP, FP_RECORD_PROCESS, "app", "app", NC_ ("group by", "App"), '4', N_ ("No app"), "app") \
  GROUPING (UNIT, FP_RECORD_PROCESS, "unit", "unit", NC_ ("group by", "Unit"), '5', N_ ("No unit"), "unit") \
  GROUPING (USER, FP_RECORD_PROCESS, "user", "user", NC_ ("group by", "User"), '6', N_ ("No user"), "account") \
  GROUPING (CONTAINER, FP_RECORD_PROCESS, "container", "container", NC_ ("group by", "Container"), '7', N_ ("No container"), "container") \
  GROUPING (USER_PROGRAM, FP_RECORD_PROCESS, "user-program", NULL, NULL, 0, N_ ("No program"), "account", "program") \
  GROUPING (CONTROL_GROUP, FP_RECORD_CONTROL_GROUP, "group", "group", NULL, 0, "", NULL) \
  GROUPING (KIND, FP_GROUPED_MAPPINGS, "kind", "kind", NC_ ("group by", "By kind"), 0, "", "kind", "label") \
  GROUPING (FILE, FP_GROUPED_MAPPINGS, "file", "file", NC_ ("group by", "By file"), 0, "", "file") \
  GROUPING (EVERY_FILE, FP_RECORD_MAPPED_FILE, "nothing", "file", NC_ ("group by", "Nothing"), 0, "", NULL) \
  GROUPING (FILE_KIND, FP_RECORD_MAPPED_FILE, "kind", NULL, NC_ ("group by", "Kind"), 0, "", "kind") \
  GROUPING (FILE_USER, FP_RECORD_MAPPED_FILE, "user", NULL, NC_ ("group by", "User"), 0, N_ ("No user"), "mapped_by_user") \
  GROUPING (FILE_PROGRAM, FP_RECORD_MAPPED_FILE, "program", NULL, NC_ ("group by", "Program"), 0, N_ ("No program"), "mapped_by_program")
/* clang-format on */

#define FP_GROUPING_SYMBOL(symbol, ...) FP_GROUPING_##symbol,

typedef enum
{
  FP_GROUPINGS (FP_GROUPING_SYMBOL)
      FP_N_GROUPINGS,
} FpGrouping;

#define FP_GROUPING_COLUMNS 3

typedef struct
{
  guint kinds;
  const char *id;
  const char *by;    /* (nullable): NULL if the terminal does not offer it */
  const char *title; /* (nullable): NULL if the window does not offer it */
  char key;          /* 0: none */
  const char *nobody;
  const char *columns[FP_GROUPING_COLUMNS]; /* NULL-terminated, unless all are there */
} FpGroupingInfo;

extern const FpGroupingInfo fp_grouping_infos[FP_N_GROUPINGS];

FpGrouping fp_grouping_get_offered (FpRecordKind kind, guint place);
FpGrouping fp_grouping_find (const FpColumn *column);
FpSubject fp_grouping_get_subject (FpGrouping grouping, guint level);

#define FP_NO_GROUP G_MAXUINT

/* Each record is in a group, and each group may be in another: FP_NO_GROUP at the top. Records that are in each other, such as
 * control groups, are groups themselves, whose own figures count all within them: then totals are the records, and nothing is
 * summed. */
typedef struct
{
  FpGrouping grouping;
  const FpColumn *columns[FP_GROUPING_COLUMNS];
  FpRecords *totals;     /* one a group */
  GArray *group_of;      /* guint, by place in indices */
  GArray *parent_of;     /* guint, by group */
  GHashTable *group_led; /* by pid, when grouped by parent */
  GByteArray *in_tree;   /* of records that are in each other, by record: whether it is shown, and with others in it */
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
gboolean fp_groups_are_records (const FpGroups *self);
gboolean fp_groups_is_above (const FpGroups *self, guint index);
gboolean fp_groups_is_led_by (const FpGroups *self, guint group, FpKey key);
FpKey fp_groups_get_leader (FpKey key);

G_END_DECLS
