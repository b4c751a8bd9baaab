// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-list-page-info.h"
#include "fp-row-actions.h"
#include "fp-view.h"

G_BEGIN_DECLS

#define FP_TYPE_LIST_PAGE (fp_list_page_get_type ())

/* A view of processes or control groups: which of them, in which groups, in a table, and what they sum up to. The kind in its row of the
 * table of views is an FpListPageInfo. */
G_DECLARE_FINAL_TYPE (FpListPage, fp_list_page, FP, LIST_PAGE, FpView)

G_END_DECLS
