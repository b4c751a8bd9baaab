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

/* What is in the table of each */
#define FP_LIST_PAGE_KINDS ((FpRecordKind)(FP_RECORD_PROCESS | FP_RECORD_TOTAL))

/* What tells one view of processes from another. */
typedef struct
{
  const char *id;
  const char *title;
  const char *icon;
  const FpColumnChoice *columns;
  guint n_columns;
  const FpListFilter *filters; /* the first is the default; ended by one without id */
  FpGrouping grouping;
  gboolean may_regroup;
  gboolean is_of_all; /* the sum below says what part of the machine they are */
} FpListPageInfo;

extern const FpListPageInfo fp_processes_page_info;
extern const FpListPageInfo fp_users_page_info;

G_END_DECLS
