// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-grouping.h"
#include "fp-list-content.h"

G_BEGIN_DECLS

typedef struct
{
  const char *id;
  const char *title;
  gboolean (*matches) (const FpRecords *records, guint index, gpointer data); /* NULL: those that have ended */
} FpListFilter;

typedef enum
{
  FP_LIST_FILTER,
  FP_LIST_GROUPING,
  FP_N_LIST_CHOICES,
} FpListChoice;

/* The differences between the views that are lists. */
typedef struct
{
  const FpListContent *content;
  const FpTableLayout *layout;
  const FpListFilter *filters; /* the first is the default; one without id ends them */
  FpGrouping grouping;
  gboolean may_regroup;
  gboolean groups_activate;                            /* a double click on a group does not open it */
  const char *choice_keys[FP_N_LIST_CHOICES];          /* in the settings; NULL: the choice is not saved */
  char *(*describe_all) (const FpSessionState *state); /* (nullable): the line below where nothing is hidden, or NULL */
} FpListPageInfo;

extern const FpListPageInfo fp_processes_page_info;
extern const FpListPageInfo fp_users_page_info;
extern const FpListPageInfo fp_control_groups_page_info;
extern const FpListPageInfo fp_files_page_info;

G_END_DECLS
