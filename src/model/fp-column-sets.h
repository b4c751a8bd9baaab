// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-columns.h"

G_BEGIN_DECLS

typedef enum
{
  FP_COLUMN_SET_PROCESSES, /* in the terminal, and as text on the clipboard */
  FP_COLUMN_SET_GROUPS,    /* of processes, in the terminal */
  FP_COLUMN_SET_FOLDS,     /* groups of mappings, in the terminal */
  FP_COLUMN_SET_FOLD_TREE, /* groups of mappings, in the window */
  FP_COLUMN_SET_FACTS,     /* in the overview of a process */
  FP_COLUMN_SET_MAPPED_FILES,
  FP_COLUMN_SET_MAPPED_FACTS,   /* in the overview of a file */
  FP_COLUMN_SET_HOLDERS,        /* of a file, as text on the clipboard */
  FP_COLUMN_SET_CONTROL_GROUPS, /* in the terminal */
  FP_COLUMN_SET_CONTROL_FACTS,  /* in the overview of a control group */
  FP_COLUMN_SET_COMPARED_PROCESSES,
  FP_COLUMN_SET_COMPARED_GROUPS,
  FP_COLUMN_SET_COMPARED_FILES,
  FP_COLUMN_SET_COMPARED_CONTROL_GROUPS,
  FP_N_COLUMN_SETS,
} FpColumnSetId;

typedef enum
{
  FP_MAPPING_SET_USUAL,
  FP_MAPPING_SET_PRIVATE,
  FP_MAPPING_SET_SHARED,
  FP_MAPPING_SET_PMAP,
  FP_MAPPING_SET_PMAP_MORE,
  FP_MAPPING_SET_ALL,
  FP_N_MAPPING_SETS,
} FpMappingSetId;

#define FP_COLUMN_SET_MAX 40

/* The columns of a list in their order, and the order of its rows. A set that people can choose has an id and a title. */
typedef struct
{
  const char *id; /* in settings */
  const char *title;
  const char *meaning;
  const char *sort;
  gboolean descending;
  const char *filter; /* (nullable): in the search language */
  guint kinds;        /* of the records in the list */
  const char *columns[FP_COLUMN_SET_MAX + 1];
  gboolean keeps_order; /* another program has the columns in this order */
} FpColumnSet;

typedef enum
{
  FP_TABLE_PROCESSES,
  FP_TABLE_USERS,
  FP_TABLE_MAPPINGS,
  FP_TABLE_MAPPED_FILES,
  FP_TABLE_CONTROL_GROUPS,
  FP_TABLE_HEAP_FUNCTIONS,
  FP_TABLE_HEAP_LIBRARIES,
  FP_TABLE_HEAP_STEPS,
  FP_TABLE_HEAP_NEIGHBOURS,
  FP_TABLE_HEAP_SIZES,
  FP_N_TABLE_LAYOUTS,
} FpTableLayoutId;

#define FP_TABLE_LAYOUT_MAX 28

typedef struct
{
  const char *id;
  int width; /* with Cantarell 11 */
  gboolean is_shown;
} FpColumnChoice;

/* The columns of a table in the window. All others of its kinds follow, hidden and with a usual width. */
typedef struct
{
  guint kinds;
  const char *sort; /* (nullable): a column, whose largest figure comes first */
  FpColumnChoice columns[FP_TABLE_LAYOUT_MAX + 1];
  int text_width;   /* of the other columns */
  int figure_width; /* at least */
  int letter_width; /* of their titles */
} FpTableLayout;

extern const FpColumnSet fp_column_sets[FP_N_COLUMN_SETS];
extern const FpColumnSet fp_mapping_sets[FP_N_MAPPING_SETS];
extern const FpTableLayout fp_table_layouts[FP_N_TABLE_LAYOUTS];

const FpColumn *fp_column_set_get (const FpColumnSet *self, guint i);
const FpColumnSet *fp_column_set_find (guint kinds);

G_END_DECLS
