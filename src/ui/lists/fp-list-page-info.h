// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-grouping.h"
#include "fp-table-columns.h"

G_BEGIN_DECLS

typedef struct
{
  const char *id;
  const char *title;
  gboolean (*matches) (const FpRecords *records, guint index, gpointer data);
} FpListFilter;

/* The kinds of records in the table of each list */
#define FP_LIST_PAGE_KINDS ((FpRecordKind)(FP_RECORD_PROCESS | FP_RECORD_TOTAL))

/* The differences between the views of processes and of users. */
typedef struct
{
  const FpColumnChoice *columns;
  guint n_columns;
  const FpListFilter *filters; /* the first is the default; one without id ends them */
  FpGrouping grouping;
  gboolean may_regroup;
  gboolean is_of_all; /* without a search or filter, the line below sums up the machine */
} FpListPageInfo;

extern const FpListPageInfo fp_processes_page_info;
extern const FpListPageInfo fp_users_page_info;

G_END_DECLS
