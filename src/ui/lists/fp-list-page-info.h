// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-column-sets.h"
#include "fp-grouping.h"

G_BEGIN_DECLS

typedef struct
{
  const char *id;
  const char *title;
  gboolean (*matches) (const FpRecords *records, guint index, gpointer data);
} FpListFilter;

/* The differences between the views of processes and of users. */
typedef struct
{
  const FpTableLayout *layout;
  const FpListFilter *filters; /* the first is the default; one without id ends them */
  FpGrouping grouping;
  gboolean may_regroup;
  gboolean is_of_all; /* without a search or filter, the line below sums up the machine */
} FpListPageInfo;

extern const FpListPageInfo fp_processes_page_info;
extern const FpListPageInfo fp_users_page_info;

G_END_DECLS
